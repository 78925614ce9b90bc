//! Walks over statements and expressions of the syntax tree.

use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, Unit};

/// A few expressions, in order. Walks make one for every expression that they pass.
#[derive(Clone, Debug)]
pub(crate) struct Few<'a> {
    first: [Option<&'a Expr>; 3],
    rest: std::slice::Iter<'a, Expr>,
}

impl<'a> Few<'a> {
    fn of(first: [Option<&'a Expr>; 3]) -> Few<'a> {
        Few {
            first,
            rest: [].iter(),
        }
    }

    fn none() -> Few<'a> {
        Few::of([None; 3])
    }
}

impl<'a> Iterator for Few<'a> {
    type Item = &'a Expr;

    fn next(&mut self) -> Option<&'a Expr> {
        let found = self.first.iter_mut().find_map(Option::take);
        found.or_else(|| self.rest.next())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.first.iter().flatten().count() + self.rest.len();
        (count, Some(count))
    }
}

impl ExactSizeIterator for Few<'_> {}

/// The expressions directly below `expr`.
pub(crate) fn children(expr: &Expr) -> Few<'_> {
    match &expr.kind {
        ExprKind::Integer(..)
        | ExprKind::Literal(_)
        | ExprKind::Name(_)
        | ExprKind::Unknown(_)
        | ExprKind::SizeOf(..)
        | ExprKind::Unsupported(_) => Few::none(),
        ExprKind::Field(a, _)
        | ExprKind::Arrow(a, _)
        | ExprKind::Dereference(a)
        | ExprKind::AddressOf(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(_, a)
        | ExprKind::Increment { target: a, .. } => Few::of([Some(a), None, None]),
        ExprKind::Subscript(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
            Few::of([Some(a), Some(b), None])
        }
        ExprKind::Conditional(a, b, c) => Few::of([Some(a), Some(b), Some(c)]),
        ExprKind::Call(_, list) | ExprKind::Comma(list) | ExprKind::List(list) => Few {
            first: [None; 3],
            rest: list.iter(),
        },
    }
}

/// Calls `visit` on `expr` and everything below it, outer ones first.
pub(crate) fn walk<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(expr);
    for child in children(expr) {
        walk(child, visit);
    }
}

/// Calls `visit` on `stmt` and every statement below it, outer ones first.
pub(crate) fn statements<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(&'a Stmt)) {
    visit(stmt);
    match &stmt.kind {
        StmtKind::Block(list) => list.iter().for_each(|s| statements(s, visit)),
        StmtKind::For { init, body, .. } => {
            if let Some(init) = init {
                statements(init, visit);
            }
            statements(body, visit);
        }
        StmtKind::If {
            then, otherwise, ..
        } => {
            statements(then, visit);
            if let Some(otherwise) = otherwise {
                statements(otherwise, visit);
            }
        }
        StmtKind::While { body, .. } => statements(body, visit),
        _ => {}
    }
}

/// The expressions that `stmt` itself holds, not those of the statements below it.
pub(crate) fn own_expressions<'a>(unit: &'a Unit, stmt: &'a Stmt) -> Few<'a> {
    Few::of(match &stmt.kind {
        StmtKind::Declaration(symbol) => [unit.symbols[*symbol].initialiser.as_ref(), None, None],
        StmtKind::Expression(e) | StmtKind::Return(Some(e)) => [Some(e), None, None],
        StmtKind::For {
            condition, step, ..
        } => [condition.as_ref(), step.as_ref(), None],
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => {
            [Some(condition), None, None]
        }
        _ => [None; 3],
    })
}

/// Calls `visit` on every top expression in `stmt` and below, in textual order.
pub(crate) fn expressions<'a>(unit: &'a Unit, stmt: &'a Stmt, visit: &mut dyn FnMut(&'a Expr)) {
    statements(stmt, &mut |s| {
        own_expressions(unit, s).for_each(&mut *visit)
    });
}

/// Whether a statement itself may go on somewhere else: `goto`, or any jump out of an expression.
pub(crate) fn jumps(unit: &Unit, stmt: &Stmt) -> bool {
    let mut found = stmt.kind == StmtKind::Unsupported("goto");
    for top in own_expressions(unit, stmt) {
        walk(top, &mut |e| {
            found |= e.kind == ExprKind::Unsupported("jump")
        });
    }
    found
}

/// Whether a jump may lead to a statement, or into it.
pub(crate) fn is_reached(stmt: &Stmt) -> bool {
    let mut reached = false;
    statements(stmt, &mut |s| {
        reached |= matches!(s.kind, StmtKind::Unsupported("label" | "case" | "default"));
    });
    reached
}

/// Whether `expr` names `symbol`.
pub(crate) fn mentions(expr: &Expr, symbol: usize) -> bool {
    let mut found = false;
    walk(expr, &mut |e| found |= e.kind == ExprKind::Name(symbol));
    found
}

/// Whether anything in `stmt` names `symbol`.
pub(crate) fn stmt_mentions(unit: &Unit, stmt: &Stmt, symbol: usize) -> bool {
    let mut found = false;
    expressions(unit, stmt, &mut |e| found |= mentions(e, symbol));
    found
}

/// Whether both are the same text up to places.
pub(crate) fn same(a: &Expr, b: &Expr) -> bool {
    use ExprKind::*;
    let shape = match (&a.kind, &b.kind) {
        (Integer(x, _), Integer(y, _)) => x == y,
        (Literal(x), Literal(y)) | (Unknown(x), Unknown(y)) => x == y,
        (Name(x), Name(y)) => x == y,
        (Field(_, x), Field(_, y)) | (Arrow(_, x), Arrow(_, y)) => x == y,
        (Unary(x, _), Unary(y, _)) => x == y,
        (Binary(x, ..), Binary(y, ..)) => x == y,
        (Cast(x, _), Cast(y, _)) => x == y,
        (Call(x, _), Call(y, _)) => x == y,
        (SizeOf(_, x), SizeOf(_, y)) => x == y,
        (Subscript(..), Subscript(..))
        | (Dereference(_), Dereference(_))
        | (Conditional(..), Conditional(..)) => true,
        _ => false,
    };
    let (mut x, y) = (children(a), children(b));
    shape && x.len() == y.len() && x.by_ref().zip(y).all(|(x, y)| same(x, y))
}
