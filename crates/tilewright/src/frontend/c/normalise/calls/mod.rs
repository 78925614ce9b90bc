//! Calls of the file's functions that get arrays, or change something: their bodies in place of
//! the calls.
//!
//! What lowering takes as a call stays one: functions of scalars that compute a value, functions
//! with access summaries, the mathematical library. A call stays, too, where the body cannot stand
//! in its place, and lowering says that it is not known what it does.
//!
//! A function is prepared once ([`template`]): a list of statements and a result, in which the calls
//! that it makes itself are bodies already. At a call its parameters become what they are given
//! ([`bind`]): an expression, where that means the same everywhere in the body, or a variable that
//! holds its value. Everything that comes out has the place of the call.

mod bind;
mod conditions;
mod effects;
mod exchange;
mod leaving;
mod library;
mod moving;
mod pointers;
mod substitute;
mod template;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::tree::children_mut;
use crate::frontend::c::lower::calls::{hidden, kept, purity, summary};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::syntax::{
    Expr, ExprKind, Scope, Stmt, StmtKind, Symbol, SymbolId, Type, Unit,
};
use crate::scop::{BinaryOp, UnaryOp};
use crate::source::Span;
use effects::Writes;
pub(super) use effects::is_free;
pub(super) use exchange::inline as exchange;
pub(super) use pointers::{agree, first_of, is_idle};
use template::Template;

/// How many expressions the bodies that are put in a region may have together.
const MAX_SIZE: usize = 4000;

/// Puts bodies in place of calls.
pub(super) fn inline(unit: &mut Unit, number: usize, statements: &mut Vec<Stmt>) {
    let calls = |stmt: &Stmt| {
        let mut found = false;
        visit::expressions(unit, stmt, &mut |e| {
            found |= candidates(unit, e) > 0 || library::is_call(unit, e);
        });
        found
    };
    if !statements.iter().any(calls) {
        return;
    }
    let mut inliner = Inliner::new(unit, number);
    *statements = inliner.list(std::mem::take(statements));
}

/// The walk over one region.
struct Inliner<'u> {
    unit: &'u mut Unit,
    /// The region's number.
    number: usize,
    /// Functions that are being prepared, outer ones first.
    open: Vec<usize>,
    /// Functions that were prepared; `None` for those that have to be called.
    templates: HashMap<usize, Option<Rc<Template>>>,
    /// Variables whose address is taken somewhere in the file.
    addressed: HashSet<SymbolId>,
    /// Names that mean something in the region.
    names: HashSet<String>,
    /// Names of variables that are not the file's, as the function around the region sees them.
    local: HashSet<String>,
    /// How much was put in place of calls.
    size: usize,
    /// Only bodies that copy pointers are put there.
    exchanges: bool,
}

impl<'u> Inliner<'u> {
    fn new(unit: &'u mut Unit, number: usize) -> Inliner<'u> {
        let function = unit.regions[number].function;
        let mut addressed = HashSet::new();
        let mut names: HashSet<String> = unit.functions.iter().map(|f| f.name.clone()).collect();
        for function in &unit.functions {
            visit::expressions(unit, &function.body, &mut |top| {
                visit::walk(top, &mut |e| match &e.kind {
                    ExprKind::AddressOf(place) => addressed.extend(effects::variable(place)),
                    ExprKind::Call(name, _) => {
                        names.insert(name.clone());
                    }
                    _ => {}
                });
            });
        }
        for value in unit.symbols.iter().filter_map(|s| s.initialiser.as_ref()) {
            visit::walk(value, &mut |e| {
                if let ExprKind::AddressOf(place) = &e.kind {
                    addressed.extend(effects::variable(place));
                }
            });
        }
        let mut local = HashSet::new();
        for symbol in &unit.symbols {
            let own = match symbol.scope {
                Scope::File => false,
                Scope::Parameter(f) | Scope::Function(f) => f == function,
                Scope::Region(r) => unit.regions[r].function == function,
            };
            if own {
                local.insert(symbol.name.clone());
            }
            if own || symbol.scope == Scope::File {
                names.insert(symbol.name.clone());
            }
        }
        Inliner {
            unit,
            number,
            open: Vec::new(),
            templates: HashMap::new(),
            addressed,
            names,
            local,
            size: 0,
            exchanges: false,
        }
    }

    /// Statements of one block.
    fn list(&mut self, list: Vec<Stmt>) -> Vec<Stmt> {
        let mut done = Vec::new();
        for stmt in list {
            done.extend(self.statement(stmt));
        }
        done
    }

    /// A statement where C wants one.
    fn single(&mut self, stmt: Stmt) -> Box<Stmt> {
        let span = stmt.span;
        let mut list = self.statement(stmt);
        Box::new(match (list.pop(), list.is_empty()) {
            (Some(only), true) => only,
            (last, _) => {
                list.extend(last);
                Stmt {
                    kind: StmtKind::Block(list),
                    span,
                }
            }
        })
    }

    /// What stands in the place of a statement.
    fn statement(&mut self, stmt: Stmt) -> Vec<Stmt> {
        let span = stmt.span;
        let mut front = Vec::new();
        let kind = match stmt.kind {
            // What stands under these words is no plain list.
            StmtKind::Block(list)
                if matches!(
                    list.first().map(|s| &s.kind),
                    Some(StmtKind::Unsupported("switch" | "do" | "asm"))
                ) =>
            {
                StmtKind::Block(list)
            }
            StmtKind::Block(list) => StmtKind::Block(self.list(list)),
            StmtKind::Declaration(symbol) => {
                if let Some(value) = self.unit.symbols[symbol].initialiser.take() {
                    let value = self.full(value, &mut front);
                    self.unit.symbols[symbol].initialiser = Some(value);
                }
                StmtKind::Declaration(symbol)
            }
            StmtKind::Expression(expr) => return self.effect(expr, span),
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => StmtKind::For {
                init: init.map(|init| Box::new(self.init(*init, &mut front))),
                condition: condition.map(|e| self.rewritten(e, None)),
                step: step.map(|e| self.rewritten(e, None)),
                body: self.single(*body),
            },
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let decided = self.full(condition.clone(), &mut front);
                if candidates(self.unit, &decided) > 0
                    && let Some(parts) = conditions::parts(self.unit, &condition)
                {
                    return self.in_turn(parts, (then, otherwise), span);
                }
                StmtKind::If {
                    condition: decided,
                    then: self.single(*then),
                    otherwise: otherwise.map(|stmt| self.single(*stmt)),
                }
            }
            StmtKind::While { condition, body } => StmtKind::While {
                condition: self.rewritten(condition, None),
                body: self.single(*body),
            },
            StmtKind::Return(Some(value)) => StmtKind::Return(Some(self.full(value, &mut front))),
            other => other,
        };
        front.push(Stmt { kind, span });
        front
    }

    /// What the head of a loop does first.
    fn init(&mut self, init: Stmt, front: &mut Vec<Stmt>) -> Stmt {
        let assigns = |e: &Expr| matches!(e.kind, ExprKind::Assign(..));
        match &init.kind {
            StmtKind::Declaration(_) => {}
            StmtKind::Expression(expr) if assigns(expr) => {}
            _ => return init,
        }
        let before = init.clone();
        let mut list = self.statement(init);
        match list.pop() {
            Some(last) => {
                front.extend(list);
                last
            }
            None => before,
        }
    }

    /// An expression that is a statement.
    fn effect(&mut self, expr: Expr, span: Span) -> Vec<Stmt> {
        let calls = candidates(self.unit, &expr);
        if calls == 0
            && library::is_call(self.unit, &expr)
            && visit::children(&expr).into_iter().all(is_free)
            && let Some(list) = self.loops(&expr)
        {
            return list;
        }
        let statement = |expr: Expr| Stmt {
            kind: StmtKind::Expression(expr),
            span,
        };
        match expr.kind {
            _ if calls == 0 => vec![statement(expr)],
            ExprKind::Comma(items) => {
                let parts = items.into_iter().map(|item| self.effect(item, span));
                parts.collect::<Vec<_>>().concat()
            }
            ExprKind::Cast(Type::Void, inner) => self.effect(*inner, span),
            ExprKind::Call(ref name, ref arguments) if is_candidate(self.unit, name) => {
                let mut front = Vec::new();
                let ordered = arguments.iter().all(is_free);
                let plain = calls == 1 || self.reads_only(arguments);
                if ordered && plain {
                    let (name, given) = (name.clone(), arguments.clone());
                    let given: Vec<Expr> = given
                        .into_iter()
                        .map(|e| self.rewritten(e, Some(&mut front)))
                        .collect();
                    if self
                        .call(&name, &given, expr.span, Some(&mut front))
                        .is_some()
                    {
                        return front;
                    }
                }
                vec![statement(expr)]
            }
            _ => {
                let mut front = Vec::new();
                let expr = self.full(expr, &mut front);
                front.push(statement(expr));
                front
            }
        }
    }

    /// A whole expression, with what has to be computed in front of it. It stays as it is where
    /// the order of its parts would matter.
    fn full(&mut self, expr: Expr, front: &mut Vec<Stmt>) -> Expr {
        let calls = candidates(self.unit, &expr);
        if calls == 0 || !effects::ordered(&expr) {
            return expr;
        }
        let reads = self.reads_only([&expr]);
        if calls > 1 && !reads {
            return expr;
        }
        let mut hoisted = Vec::new();
        let result = self.spine(expr.clone(), &mut hoisted);
        // What is left is computed behind what the body writes.
        if !hoisted.is_empty()
            && !reads
            && !self.survives(&result, &Writes::of(self.unit, &hoisted, &HashSet::new()))
        {
            return expr;
        }
        front.extend(hoisted);
        result
    }

    /// The value that assignments hand on, down to a call that is all of it.
    fn spine(&mut self, expr: Expr, front: &mut Vec<Stmt>) -> Expr {
        let span = expr.span;
        let kind = match expr.kind {
            ExprKind::Assign(op, target, value) => {
                let target = self.rewritten(*target, Some(&mut *front));
                let value = self.spine(*value, front);
                ExprKind::Assign(op, Box::new(target), Box::new(value))
            }
            ExprKind::Call(name, arguments) => {
                return self.called(name, arguments, span, Some(front), true);
            }
            _ => return self.rewritten(expr, Some(front)),
        };
        Expr { kind, span }
    }

    /// An expression in which bodies stand for calls. Without `front` only those that are one
    /// expression.
    fn rewritten(&mut self, expr: Expr, mut front: Option<&mut Vec<Stmt>>) -> Expr {
        if candidates(self.unit, &expr) == 0 {
            return expr;
        }
        let span = expr.span;
        let kind = match expr.kind {
            ExprKind::Call(name, arguments) => {
                return self.called(name, arguments, span, front, false);
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let a = self.rewritten(*a, front);
                ExprKind::Binary(op, Box::new(a), Box::new(self.rewritten(*b, None)))
            }
            ExprKind::Conditional(a, b, c) => ExprKind::Conditional(
                Box::new(self.rewritten(*a, front)),
                Box::new(self.rewritten(*b, None)),
                Box::new(self.rewritten(*c, None)),
            ),
            kind => {
                let mut expr = Expr { kind, span };
                for part in children_mut(&mut expr) {
                    let old = std::mem::replace(
                        part,
                        Expr {
                            kind: ExprKind::Comma(Vec::new()),
                            span,
                        },
                    );
                    *part = self.rewritten(old, front.as_deref_mut());
                }
                return expr;
            }
        };
        Expr { kind, span }
    }

    /// A call in an expression; `whole` where it is all of a value that is computed next.
    fn called(
        &mut self,
        name: String,
        arguments: Vec<Expr>,
        span: Span,
        mut front: Option<&mut Vec<Stmt>>,
        whole: bool,
    ) -> Expr {
        let arguments: Vec<Expr> = arguments
            .into_iter()
            .map(|e| self.rewritten(e, front.as_deref_mut()))
            .collect();
        if is_candidate(self.unit, &name) {
            let before = front.as_ref().map_or(0, |front| front.len());
            let value = self.call(&name, &arguments, span, front.as_deref_mut());
            let reads = self.template(&name).is_none_or(|t| t.writes.is_nothing());
            match (value.flatten(), front) {
                (Some(value), Some(front)) if front.len() > before && !(whole && reads) => {
                    return self.kept(&name, value, span, front);
                }
                (Some(value), _) => return value,
                _ => {}
            }
        }
        Expr {
            kind: ExprKind::Call(name, arguments),
            span,
        }
    }

    /// The value in a variable of its own; a pointer is made of what does not change.
    fn kept(&mut self, name: &str, value: Expr, span: Span, front: &mut Vec<Stmt>) -> Expr {
        let result = purity::definition(self.unit, name).map(|(_, f)| f.result.clone());
        let Some(ctype @ Type::Scalar(_)) = result else {
            return value;
        };
        let symbol = self.declare(&format!("{name}_value"), ctype, Some(value), span);
        front.push(Stmt {
            kind: StmtKind::Declaration(symbol),
            span,
        });
        Expr {
            kind: ExprKind::Name(symbol),
            span,
        }
    }

    /// A new variable of the region.
    fn declare(
        &mut self,
        wish: &str,
        ctype: Type,
        initialiser: Option<Expr>,
        span: Span,
    ) -> SymbolId {
        let mut name = wish.to_owned();
        // Those of a template get their names where it is used.
        if self.open.is_empty() {
            let mut number = 2;
            while !self.names.insert(name.clone()) {
                name = format!("{wish}_{number}");
                number += 1;
            }
        }
        self.unit.symbols.push(Symbol {
            name,
            ctype: substitute::spelled(ctype),
            scope: Scope::Region(self.number),
            is_static: false,
            is_const: false,
            initialiser,
            span,
        });
        self.unit.symbols.len() - 1
    }

    /// Whether the calls in expressions, those that bodies are for, change nothing.
    fn reads_only<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> bool {
        let mut names = Vec::new();
        for expr in exprs {
            visit::walk(expr, &mut |e| {
                if let ExprKind::Call(name, _) = &e.kind {
                    names.push(name.clone());
                }
            });
        }
        names.into_iter().all(|name| {
            !is_candidate(self.unit, &name)
                || match self.template(&name) {
                    Some(template) => template.writes.is_nothing(),
                    // It is called, or the region is refused.
                    None => hidden::called(self.unit, &name).is_none(),
                }
        })
    }

    /// Whether an expression, and the place that it assigns to, are the same behind some writes, as far
    /// as C does not evaluate it behind them anyway.
    fn survives(&self, expr: &Expr, writes: &Writes) -> bool {
        match &expr.kind {
            ExprKind::Assign(op, target, value) => {
                let place = self.stable_place(target, writes);
                let old = op.is_none() || self.stable(target, writes);
                place && old && self.survives(value, writes)
            }
            // Nothing of what is on the right was put in front: it is evaluated behind the left.
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _)
            | ExprKind::Conditional(first, _, _)
            | ExprKind::Unary(UnaryOp::Not, first) => self.survives(first, writes),
            _ => self.stable(expr, writes),
        }
    }
}

/// Whether lowering has no way with calls of a function, and there is a body.
fn is_candidate(unit: &Unit, name: &str) -> bool {
    purity::definition(unit, name).is_some()
        && !summary::has_summary(unit, name)
        && !purity::is_pure(unit, name)
        && !kept::keeps(unit, name)
}

/// How many calls of an expression bodies could stand for.
fn candidates(unit: &Unit, expr: &Expr) -> usize {
    let mut found = 0;
    visit::walk(expr, &mut |e| {
        if let ExprKind::Call(name, _) = &e.kind {
            found += usize::from(is_candidate(unit, name));
        }
    });
    found
}
