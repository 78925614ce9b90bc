//! Pointers that are null or not by a condition: `up = y > 0 ? row - w : NULL;`, `if (up) … up[x] …`.
//!
//! The condition stands in the place of the question whether the pointer is set, and the pointer points
//! where it does when it is: what is behind it is accessed where it is not null only.

use super::presence;
use crate::frontend::c::lower::memory::allocation::is_null;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::{build, dead, tree};
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, UnaryOp};
use std::collections::HashMap;

/// Lets pointers of which a condition says whether they are null point always.
pub(in crate::frontend::c::normalise) fn choose(
    unit: &mut Unit,
    number: usize,
    statements: &mut [Stmt],
) {
    let mut found = Vec::new();
    lists(statements, &mut |list| {
        for (at, stmt) in list.iter().enumerate() {
            if let StmtKind::Declaration(symbol) = stmt.kind
                && let Some((condition, value)) = optional(unit, symbol)
                && list[at + 1..]
                    .iter()
                    .all(|stmt| dead::stays(unit, number, &condition, stmt))
            {
                found.push((symbol, condition, value));
            }
        }
    });
    found.retain(|(symbol, ..)| is_only_asked_and_followed(unit, statements, *symbol));
    if found.is_empty() {
        return;
    }
    let mut conditions = HashMap::new();
    for (symbol, condition, value) in found {
        unit.symbols[symbol].initialiser = Some(value);
        conditions.insert(symbol, condition);
    }
    presence::answer(unit, conditions, statements);
}

/// When a pointer of the region is set, and what to.
fn optional(unit: &Unit, symbol: SymbolId) -> Option<(Expr, Expr)> {
    let own = &unit.symbols[symbol];
    if !matches!(own.ctype, Type::Pointer { .. })
        || !matches!(own.scope, Scope::Region(_))
        || own.is_static
    {
        return None;
    }
    let Some(Expr {
        kind: ExprKind::Conditional(condition, a, b),
        ..
    }) = &own.initialiser
    else {
        return None;
    };
    let (condition, value) = match (is_null(a), is_null(b)) {
        (false, true) => ((**condition).clone(), a),
        (true, false) => (build::not((**condition).clone()), b),
        _ => return None,
    };
    (tree::is_pure(value) && points(unit, value)).then(|| (condition, (**value).clone()))
}

/// Whether an expression points at something: an array, or a place in what a pointer points into, as
/// nothing is added to null (C17, 6.5.6).
fn points(unit: &Unit, value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => {
            types::place_type(unit, value).is_some_and(|ctype| types::pointee(ctype).is_some())
        }
        // `&*p` is `p`, which may be null.
        ExprKind::AddressOf(place) => !matches!(place.kind, ExprKind::Dereference(_)),
        ExprKind::Cast(_, inner) => points(unit, inner),
        ExprKind::Name(symbol) => {
            let own = &unit.symbols[*symbol];
            matches!(own.ctype, Type::Array { .. })
                && matches!(own.scope, Scope::Function(_) | Scope::Region(_))
        }
        _ => false,
    }
}

/// Whether a region asks only whether a pointer is null, and accesses what is behind it.
fn is_only_asked_and_followed(unit: &Unit, statements: &[Stmt], symbol: SymbolId) -> bool {
    let named = tree::names_of(unit, statements, symbol);
    let mut fit = 0;
    let is_it = |e: &Expr| e.kind == ExprKind::Name(symbol);
    // Of which an access is left: `p[i]`, `*(p + i)`, `p->x`.
    let within = |e: &Expr| match &e.kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => is_it(a) || is_it(b),
        _ => is_it(e),
    };
    let mut asked = |e: &Expr| match &e.kind {
        ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) => {
            fit += usize::from(is_it(a) && is_null(b) || is_null(a) && is_it(b));
        }
        ExprKind::Unary(UnaryOp::Not, a) => fit += usize::from(is_it(a)),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            fit += usize::from(is_it(a)) + usize::from(is_it(b));
        }
        ExprKind::Conditional(condition, ..) => fit += usize::from(is_it(condition)),
        ExprKind::Subscript(base, _) => fit += usize::from(is_it(base)),
        ExprKind::Dereference(place) => fit += usize::from(within(place)),
        ExprKind::Arrow(base, _) => fit += usize::from(is_it(base)),
        _ => {}
    };
    let mut assigned = false;
    let mut heads = 0;
    for stmt in statements {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                asked(e);
                assigned |= facts::target(e).is_some_and(is_it);
            });
        });
        visit::statements(stmt, &mut |stmt| {
            if let StmtKind::If { condition, .. } = &stmt.kind {
                heads += usize::from(is_it(condition));
            }
        });
    }
    !assigned && fit + heads == named
}

/// Shows every list of statements of a region.
fn lists(statements: &[Stmt], show: &mut dyn FnMut(&[Stmt])) {
    show(statements);
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            if let StmtKind::Block(list) = &stmt.kind {
                show(list);
            }
        });
    }
}
