//! Walks over trees that are rewritten.

use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, Symbol};

/// Calls `rewrite` on everything below a statement and on itself, inner ones first.
pub(super) fn statements_mut(stmt: &mut Stmt, rewrite: &mut dyn FnMut(&mut Stmt)) {
    match &mut stmt.kind {
        StmtKind::Block(list) => list.iter_mut().for_each(|s| statements_mut(s, rewrite)),
        StmtKind::For { init, body, .. } => {
            if let Some(init) = init {
                statements_mut(init, rewrite);
            }
            statements_mut(body, rewrite);
        }
        StmtKind::If {
            then, otherwise, ..
        } => {
            statements_mut(then, rewrite);
            if let Some(otherwise) = otherwise {
                statements_mut(otherwise, rewrite);
            }
        }
        StmtKind::While { body, .. } => statements_mut(body, rewrite),
        _ => {}
    }
    rewrite(stmt);
}

/// Calls `rewrite` on every expression in a statement, initial values of what it declares included;
/// inner ones first.
pub(super) fn expressions_mut(
    symbols: &mut [Symbol],
    stmt: &mut Stmt,
    rewrite: &mut dyn FnMut(&mut Expr),
) {
    statements_mut(stmt, &mut |stmt| match &mut stmt.kind {
        StmtKind::Declaration(symbol) => {
            if let Some(value) = &mut symbols[*symbol].initialiser {
                walk_mut(value, rewrite);
            }
        }
        StmtKind::Expression(e) | StmtKind::Return(Some(e)) => walk_mut(e, rewrite),
        StmtKind::For {
            condition, step, ..
        } => condition
            .iter_mut()
            .chain(step)
            .for_each(|e| walk_mut(e, rewrite)),
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => {
            walk_mut(condition, rewrite);
        }
        _ => {}
    });
}

/// Calls `rewrite` on everything below an expression and on itself, inner ones first.
pub(super) fn walk_mut(expr: &mut Expr, rewrite: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Integer(..)
        | ExprKind::Literal(_)
        | ExprKind::Name(_)
        | ExprKind::Unknown(_)
        | ExprKind::SizeOf(..)
        | ExprKind::Unsupported(_) => {}
        ExprKind::Field(a, _)
        | ExprKind::Arrow(a, _)
        | ExprKind::Dereference(a)
        | ExprKind::AddressOf(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(_, a)
        | ExprKind::Increment { target: a, .. } => walk_mut(a, rewrite),
        ExprKind::Subscript(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
            walk_mut(a, rewrite);
            walk_mut(b, rewrite);
        }
        ExprKind::Conditional(a, b, c) => {
            walk_mut(a, rewrite);
            walk_mut(b, rewrite);
            walk_mut(c, rewrite);
        }
        ExprKind::Call(_, list) | ExprKind::Comma(list) | ExprKind::List(list) => {
            list.iter_mut().for_each(|e| walk_mut(e, rewrite));
        }
    }
    rewrite(expr);
}

/// A name that no variable has.
pub(super) fn fresh(symbols: &[Symbol], name: &str) -> String {
    let taken = |name: &str| symbols.iter().any(|symbol| symbol.name == name);
    let mut fresh = name.to_owned();
    let mut number = 2;
    while taken(&fresh) {
        fresh = format!("{name}_{number}");
        number += 1;
    }
    fresh
}
