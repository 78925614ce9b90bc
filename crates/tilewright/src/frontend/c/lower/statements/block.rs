//! Blocks: loops, conditions, temporaries, and the runs of simple statements between them.

use std::collections::HashSet;

use crate::frontend::c::lower::calls::hidden;
use crate::frontend::c::lower::loops::turns;
use crate::frontend::c::lower::statements::body::State;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::{Guard, Lowering, Node, Result, Scope, Test};
use crate::frontend::c::lower::{Refusal, optional};
use crate::frontend::c::syntax::{Expr as SyntaxExpr, ExprKind, Stmt, StmtKind, SymbolId, Type};
use crate::scop::{AccessKind, Action, BinaryOp, Expr, UnaryOp};

impl<'u> Lowering<'u> {
    /// Lowers the statements of one block. What is refused is recorded, and the walk goes on.
    ///
    /// # Errors
    /// isl's own.
    pub(crate) fn block(&mut self, stmts: &[&'u Stmt], scope: &Scope) -> Result<Vec<Node>> {
        let mut nodes = Vec::new();
        let mut next = 0;
        let mut said: Option<&str> = None;
        let assumed = self.claims.assumptions.len();
        while let Some(&stmt) = stmts.get(next) {
            let mut count = 1;
            if let StmtKind::Pragma(words) = &stmt.kind {
                said = words.strip_prefix("pencil independent").or(said);
            }
            let first = self.model.statements.len();
            self.note_followed(stmt, scope)?;
            let result = match &stmt.kind {
                StmtKind::Declaration(symbol) => {
                    let around = !scope.loops.is_empty();
                    if self.is_dear(&stmts[next..], *symbol, scope)? {
                        self.facts.keep(*symbol);
                    }
                    let (last, folded) = self.folding(&stmts[next..], *symbol, around);
                    count = last + 1;
                    for stmt in &stmts[next + 1..next + count] {
                        self.note_followed(stmt, scope)?;
                    }
                    self.run_of(&stmts[next..next + count], scope, folded)
                }
                _ => self.statement(stmt, scope),
            };
            match result {
                Ok(more) => nodes.extend(more),
                Err(refusal @ Refusal::Diagnostic(_)) => self.refuse(refusal),
                Err(error) => return Err(error),
            }
            if !matches!(stmt.kind, StmtKind::Pragma(_)) {
                if let Some(reductions) = said.take() {
                    self.independent(stmt, reductions, first, scope);
                }
            }
            next += count;
        }
        self.claims.assumptions.truncate(assumed);
        Ok(nodes)
    }

    fn statement(&mut self, stmt: &'u Stmt, scope: &Scope) -> Result<Vec<Node>> {
        match &stmt.kind {
            StmtKind::Block(list) => match list.first() {
                // What stands under it is of no use without it.
                Some(Stmt {
                    kind: StmtKind::Unsupported("switch" | "do" | "asm"),
                    ..
                }) => Err(self.refused_statement(&list[0])),
                _ => self.block(&list.iter().collect::<Vec<_>>(), scope),
            },
            StmtKind::Empty | StmtKind::Pragma(_) => Ok(Vec::new()),
            StmtKind::Unsupported("label") if !self.facts.jumps => Ok(Vec::new()),
            StmtKind::Exit(_) | StmtKind::Original(_) => {
                self.never(stmt, scope).map(|()| Vec::new())
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                let head = self.head(
                    scope,
                    stmt,
                    init.as_deref(),
                    condition.as_ref(),
                    step.as_ref(),
                );
                self.counted(scope, &head?, &[body])
            }
            StmtKind::While { condition, body } => {
                if turns::has_counted(stmt, !scope.loops.is_empty()) {
                    self.counted_while(stmt, condition, body, scope)
                } else {
                    self.run_of(&[stmt], scope, locals_of(stmt))
                }
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => self.branch(stmt, condition, then, otherwise.as_deref(), scope),
            _ => self.run_of(&[stmt], scope, HashSet::new()),
        }
    }

    /// An `if` at block level.
    fn branch(
        &mut self,
        stmt: &'u Stmt,
        condition: &'u SyntaxExpr,
        then: &'u Stmt,
        otherwise: Option<&'u Stmt>,
        scope: &Scope,
    ) -> Result<Vec<Node>> {
        if let Some(set) = optional(self.condition(scope, condition))? {
            let mut nodes = self.alternative(Some(then), &scope.within(&set)?)?;
            nodes.extend(self.alternative(otherwise, &scope.without(&set)?)?);
            return Ok(nodes);
        }
        // `affine && data`: the affine part bounds the domain.
        if let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind
            && !hidden::is_in(self.unit, condition)
        {
            for (part, rest) in [(a, b), (b, a)] {
                let Some(set) = optional(self.condition(scope, part))? else {
                    continue;
                };
                let inner = scope.within(&set)?;
                let mut nodes = if self.assumed(&inner.domain)?.is_empty()? {
                    Vec::new()
                } else {
                    self.data_branch(stmt, rest, then, otherwise, &inner)?
                };
                nodes.extend(self.alternative(otherwise, &scope.without(&set)?)?);
                return Ok(nodes);
            }
        }
        self.data_branch(stmt, condition, then, otherwise, scope)
    }

    fn alternative(&mut self, stmt: Option<&'u Stmt>, scope: &Scope) -> Result<Vec<Node>> {
        match stmt {
            Some(stmt) if !self.assumed(&scope.domain)?.is_empty()? => self.block(&[stmt], scope),
            _ => Ok(Vec::new()),
        }
    }

    /// An `if` on data: a condition inside one statement, or, around loops, a temporary that
    /// guards the statements below.
    fn data_branch(
        &mut self,
        stmt: &'u Stmt,
        condition: &'u SyntaxExpr,
        then: &'u Stmt,
        otherwise: Option<&'u Stmt>,
        scope: &Scope,
    ) -> Result<Vec<Node>> {
        if let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind
            && !hidden::is_in(self.unit, condition)
        {
            let affine = optional(self.condition(scope, a))?.is_some()
                || optional(self.condition(scope, b))?.is_some();
            if affine {
                return self.branch(stmt, condition, then, otherwise, scope);
            }
        }
        let around = !scope.loops.is_empty();
        let loops = turns::has_counted(then, around)
            || otherwise.is_some_and(|stmt| turns::has_counted(stmt, around));
        if !loops {
            let StmtKind::If {
                condition: whole, ..
            } = &stmt.kind
            else {
                return Ok(Vec::new());
            };
            if std::ptr::eq(whole, condition) {
                return self.run_of(&[stmt], scope, locals_of(stmt));
            }
            return self.condition_run(stmt, condition, then, otherwise, scope);
        }
        let depth = scope.loops.len();
        let array = self.condition_array(scope, condition.span);
        let mut state = State::new(scope, HashSet::new().into());
        let mut value = self.value_once(&mut state, condition)?;
        if !is_truth(&value) {
            value = Expr::Binary(
                BinaryOp::NotEqual,
                Box::new(value),
                Box::new(Expr::Literal("0".to_owned())),
            );
        }
        let subscripts = self.leading(&state, Some(depth))?;
        let always = self.always(&state, array);
        let target = self.add_access(
            &mut state,
            array,
            AccessKind::Write,
            always,
            subscripts,
            condition.span,
        );
        let mut nodes = vec![self.finish(
            state,
            vec![Action::Assign { target, value }],
            condition.span,
        )?];
        for (stmt, test) in [(Some(then), Test::Holds), (otherwise, Test::Fails)] {
            let mut inner = scope.clone();
            inner.guards.push(Guard {
                array,
                depth,
                test,
                span: condition.span,
            });
            nodes.extend(self.alternative(stmt, &inner)?);
        }
        Ok(nodes)
    }

    /// How far the run reaches that the declaration of `symbol`, the first of `stmts`, begins, and
    /// which scalars live in its body.
    fn folding(
        &self,
        stmts: &[&'u Stmt],
        symbol: SymbolId,
        around: bool,
    ) -> (usize, HashSet<SymbolId>) {
        let mut folded = HashSet::new();
        let mut last = 0;
        if let Some(end) = self.foldable(stmts, 0, symbol, around) {
            folded.insert(symbol);
            last = end;
        }
        let mut position = 1;
        while position <= last {
            if let StmtKind::Declaration(other) = stmts[position].kind {
                if let Some(end) = self.foldable(stmts, position, other, around) {
                    folded.insert(other);
                    last = last.max(end);
                }
            }
            position += 1;
        }
        // Scalars of blocks below the run live in the body as well.
        for stmt in &stmts[..=last] {
            if !matches!(stmt.kind, StmtKind::Declaration(_)) {
                folded.extend(locals_of(stmt));
            }
        }
        (last, folded)
    }

    /// Whether a variable of the first of some statements holds a quotient or remainder by a size that
    /// has no affine form, and loops behind it use it: it is computed once, in front of them.
    fn is_dear(&self, stmts: &[&'u Stmt], symbol: SymbolId, scope: &Scope) -> Result<bool> {
        let Some(value) = self.facts.definition(self.unit, symbol) else {
            return Ok(false);
        };
        let mut divides = false;
        visit::walk(value, &mut |e| {
            if let ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, by) = &e.kind {
                divides |= !matches!(by.kind, ExprKind::Integer(..));
            }
        });
        let around = !scope.loops.is_empty();
        let mut behind = stmts.iter().skip(1);
        let used = |stmt: &&&Stmt| {
            turns::has_counted(stmt, around) && visit::stmt_mentions(self.unit, stmt, symbol)
        };
        Ok(divides && behind.any(|s| used(&s)) && optional(self.affine(scope, value))?.is_none())
    }

    /// The last use of the scalar declared at `position`, where no loop lies before it.
    fn foldable(
        &self,
        stmts: &[&'u Stmt],
        position: usize,
        symbol: SymbolId,
        around: bool,
    ) -> Option<usize> {
        if !matches!(self.unit.symbols[symbol].ctype, Type::Scalar(_))
            || self.unit.symbols[symbol].is_static
            || self.facts.definition(self.unit, symbol).is_some()
        {
            return None;
        }
        let uses = |stmt: &&Stmt| visit::stmt_mentions(self.unit, stmt, symbol);
        let last = stmts
            .iter()
            .rposition(uses)
            .unwrap_or(position)
            .max(position);
        let loops = |s: &&Stmt| turns::has_counted(s, around);
        (!stmts[position..=last].iter().any(loops)).then_some(last)
    }

    /// A run for part of the condition of an `if`.
    fn condition_run(
        &mut self,
        stmt: &'u Stmt,
        condition: &'u SyntaxExpr,
        then: &'u Stmt,
        otherwise: Option<&'u Stmt>,
        scope: &Scope,
    ) -> Result<Vec<Node>> {
        let mut state = State::new(scope, locals_of(stmt).into());
        let actions = self.conditional(&mut state, condition, then, otherwise)?;
        if actions.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![self.finish(state, actions, stmt.span)?])
    }
}

/// The scalars declared in blocks below `stmt`.
fn locals_of(stmt: &Stmt) -> HashSet<SymbolId> {
    let mut found = HashSet::new();
    visit::statements(stmt, &mut |s| {
        if let StmtKind::Declaration(symbol) = s.kind {
            found.insert(symbol);
        }
    });
    found
}

/// Whether a value is 0 or 1 by its form.
fn is_truth(value: &Expr) -> bool {
    use BinaryOp::*;
    match value {
        Expr::Binary(op, ..) => {
            matches!(
                op,
                Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual | And | Or
            )
        }
        Expr::Unary(UnaryOp::Not, _) => true,
        _ => false,
    }
}
