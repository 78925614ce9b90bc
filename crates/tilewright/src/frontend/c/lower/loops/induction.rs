//! `while` loops over an induction variable as counted loops (Zhao, thesis 2018, figure 4.2).

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::loops::domain::Head;
use crate::frontend::c::lower::loops::dynamic::{Bound, bound_of, ends};
use crate::frontend::c::lower::loops::{stand_ins, turns};
use crate::frontend::c::lower::statements::body::State;
use crate::frontend::c::lower::surroundings::changes::{changed, names, targets};
use crate::frontend::c::lower::surroundings::facts;
use crate::frontend::c::lower::{Lowering, Node, Refusal, Result, Scope};
use crate::frontend::c::syntax::{Expr, ExprKind, Scope as Where, Stmt, StmtKind, SymbolId, Type};
use crate::frontend::c::types as ctext;
use crate::scop::{AccessKind, Action, BinaryOp, Expr as ScopExpr};
use crate::source::Span;
use std::collections::HashSet;

/// The last statement of a body, where only it changes a variable, by a number.
fn last_step(body: &Stmt, symbol: SymbolId) -> Option<&Expr> {
    let StmtKind::Block(list) = &body.kind else {
        return None;
    };
    let (last, rest) = list.split_last()?;
    let StmtKind::Expression(step) = &last.kind else {
        return None;
    };
    let ExprKind::Assign(Some(BinaryOp::Add | BinaryOp::Sub), target, by) = &step.kind else {
        return None;
    };
    let own = target.kind == ExprKind::Name(symbol) && matches!(by.kind, ExprKind::Integer(2.., _));
    let stays = !turns::is_left(body) && !rest.iter().any(|stmt| turns::assigns(stmt, symbol));
    (own && stays).then_some(step)
}

impl<'u> Lowering<'u> {
    /// `while (a < b) { …; a++; }` as a counted loop that begins with the value of `a`, and what
    /// is left in `a`.
    pub(crate) fn counted_while(
        &mut self,
        stmt: &'u Stmt,
        condition: &'u Expr,
        body: &'u Stmt,
        scope: &Scope,
    ) -> Result<Vec<Node>> {
        let Some((head, body)) = self.induction(stmt, condition, body, scope)? else {
            return Err(self.uncounted(stmt, condition, body));
        };
        let span = head.span;
        let (symbol, down) = (head.symbol, head.down());
        let mut nodes = self.counted(scope, &head, &body)?;
        // What is left in the variable is left there by a loop that does nothing else, too.
        // `if (a < b) a = b;`, or one further where the bound itself is reached.
        let Some(Bound { op, value: last }) = bound_of(condition, symbol) else {
            return Err(self.refused_statement(stmt));
        };
        let name = |span| Expr {
            kind: ExprKind::Name(symbol),
            span,
        };
        let mut state = State::new(scope, HashSet::new().into());
        let before = self.value(&mut state, &name(span))?;
        let bound = self.value(&mut state, last)?;
        let holds = ScopExpr::Binary(op, Box::new(before.clone()), Box::new(bound.clone()));
        let reached = match (op, down) {
            (BinaryOp::LessEqual, _) => one_more(bound, BinaryOp::Add),
            (BinaryOp::GreaterEqual, _) => one_more(bound, BinaryOp::Sub),
            _ => bound,
        };
        let value = ScopExpr::Conditional(Box::new(holds), Box::new(reached), Box::new(before));
        let target = self.access(&mut state, &name(span), AccessKind::Write)?;
        nodes.push(self.finish(state, vec![Action::Assign { target, value }], span)?);
        Ok(nodes)
    }

    /// A `while` loop that does not count: its condition depends on what its iterations compute,
    /// or on nothing that they do.
    fn uncounted(&self, stmt: &Stmt, condition: &Expr, body: &Stmt) -> Refusal {
        let Some((symbol, place)) = changed(self.unit, body, &names(condition)) else {
            return self.refused_statement(stmt);
        };
        let name = &self.unit.symbols[symbol].name;
        let step = last_step(body, symbol).filter(|_| bound_of(condition, symbol).is_some());
        let help = match step {
            Some(step) => format!(
                "where nothing behind the loop reads `{name}`, write it as a counted loop: \
                 `for (; {}; {})`",
                ctext::expression(condition, &self.unit.symbols),
                ctext::expression(step, &self.unit.symbols),
            ),
            None => "compare a variable to which the last statement of the body adds one, and \
                     which nothing else changes, with a bound that is known before the loop; or \
                     let the region be the body"
                .to_owned(),
        };
        let reason = match bound_of(condition, symbol) {
            Some(_) if step.is_some() => {
                format!("`{name}` does not move by one: what is left in it is not known")
            }
            Some(_) => format!("`{name}` does not move by one at the end of each iteration only"),
            None => format!("not a comparison of `{name}` alone with a bound"),
        };
        let condition_text = self.quoted(condition);
        Refusal::from(
            Diagnostic::error(
                Code::InductiveExit,
                "when the `while` loop ends is known only in the iteration that ends it",
            )
            .at(condition.span, reason)
            .also(place, "changed here")
            .note(format!(
                "{condition_text} has to be evaluated anew in every iteration, after the one before it"
            ))
            .help(help),
        )
    }

    /// The induction variable of a `while` loop: compared by the condition, and changed by one by
    /// the last statement of the body only.
    fn induction(
        &mut self,
        stmt: &'u Stmt,
        condition: &'u Expr,
        body: &'u Stmt,
        scope: &Scope,
    ) -> Result<Option<(Head<'u>, Vec<&'u Stmt>)>> {
        let StmtKind::Block(list) = &body.kind else {
            return Ok(None);
        };
        let Some((last, rest)) = list.split_last() else {
            return Ok(None);
        };
        let StmtKind::Expression(step) = &last.kind else {
            return Ok(None);
        };
        let Some(ExprKind::Name(symbol)) = facts::target(step).map(|target| &target.kind) else {
            return Ok(None);
        };
        let symbol = *symbol;
        let s = &self.unit.symbols[symbol];
        let Type::Scalar(ctype) = &s.ctype else {
            return Ok(None);
        };
        let own = s.scope != Where::File && !s.is_static && !ctype.kind.is_float();
        let taken = self.facts.address_taken.contains(&symbol) || scope.position(symbol).is_some();
        let Some(bound) = bound_of(condition, symbol) else {
            return Ok(None);
        };
        let by = self.step(scope, symbol, step)?;
        let Some(by @ (1 | -1)) = by.filter(|_| own && !taken) else {
            return Ok(None);
        };
        let mut changed = false;
        for stmt in rest {
            for target in targets(self.unit, stmt) {
                changed |= target == symbol;
            }
        }
        if changed || !ends(bound.op, by == 1) {
            return Ok(None);
        }
        let ExprKind::Binary(_, a, b) = &condition.kind else {
            return Ok(None);
        };
        let lower = match a.kind == ExprKind::Name(symbol) {
            true => &**a,
            false => &**b,
        };
        let name = self.names.temporary(&s.name);
        let head = Head {
            symbol,
            name,
            ctype: ctype.clone(),
            lower,
            condition,
            step: by,
            may_end: rest.iter().any(stand_ins::ends),
            span: Span::new(stmt.span.start, stmt.span.start + "while".len()),
        };
        Ok(Some((head, rest.iter().collect())))
    }
}

fn one_more(value: ScopExpr, op: BinaryOp) -> ScopExpr {
    let one = Box::new(ScopExpr::Literal("1".to_owned()));
    ScopExpr::Binary(op, Box::new(value), one)
}
