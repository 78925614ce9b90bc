//! What heads of loops do first, in the form that other passes know: assignments, one for each variable.
//!
//! `for (i = j = 0; …)` sets both as `for (j = 0, i = j; …)` does, and where what comes first is no
//! assignment, `for (++i; i < n; …)`, or one of the variable itself, `for (i = i + 1; …)`, it stands in
//! front of the loop.

use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::normalise::build::{assign, expression};
use crate::frontend::c::normalise::{calls, tree};
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, Unit};

/// Takes apart what heads do first.
pub(in crate::frontend::c::normalise) fn set(_: &mut Unit, _: usize, statements: &mut Vec<Stmt>) {
    tree::spread(statements, &mut first);
}

fn first(mut stmt: Stmt) -> Vec<Stmt> {
    let StmtKind::For {
        init: Some(init), ..
    } = &mut stmt.kind
    else {
        return vec![stmt];
    };
    let StmtKind::Expression(expr) = &mut init.kind else {
        return vec![stmt];
    };
    let parts = parts(expr);
    if parts.iter().all(is_plain) {
        // The value of a chain is that of its last assignment, as the variable holds it.
        if parts.len() > 1 {
            let span = expr.span;
            *expr = expression(ExprKind::Comma(parts), span);
        }
        return vec![stmt];
    }
    if !parts.iter().any(|part| facts::target(part).is_some()) {
        return vec![stmt];
    }
    let mut list: Vec<Stmt> = parts.into_iter().map(tree::statement).collect();
    if let StmtKind::For { init, .. } = &mut stmt.kind {
        *init = None;
    }
    list.push(stmt);
    list
}

/// Whether an expression sets a variable to something else, and its value does nothing.
fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Assign(None, target, value) => {
            let ExprKind::Name(symbol) = target.kind else {
                return false;
            };
            calls::is_free(value) && !visit::mentions(value, symbol)
        }
        _ => false,
    }
}

/// The parts of an expression in their order, of which a chain of assignments has several.
fn parts(expr: &Expr) -> Vec<Expr> {
    match &expr.kind {
        ExprKind::Comma(list) => list.iter().flat_map(parts).collect(),
        ExprKind::Assign(None, target, value) => match (&target.kind, &value.kind) {
            (ExprKind::Name(_), ExprKind::Assign(None, inner, _))
                if matches!(inner.kind, ExprKind::Name(_)) =>
            {
                let mut list = parts(value);
                list.push(assign((**target).clone(), held(&list, inner)));
                list
            }
            _ => vec![expr.clone()],
        },
        _ => vec![expr.clone()],
    }
}

/// The value that a variable was set to last: the number, where it is one that all types hold.
fn held(list: &[Expr], variable: &Expr) -> Expr {
    if let Some(Expr {
        kind: ExprKind::Assign(None, _, value),
        ..
    }) = list.last()
        && matches!(value.kind, ExprKind::Integer(0..=127, _))
    {
        return (**value).clone();
    }
    variable.clone()
}
