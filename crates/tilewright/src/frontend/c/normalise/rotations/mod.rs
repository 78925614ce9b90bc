//! Buffers that change places at the end of a turn: the pointers stay, and turns are counted.
//!
//! `for (…) { b[i] = f(a[i]); T *t = a; a = b; b = t; }` becomes
//! `for (…) { a_b[(turn + 1) % 2][i] = f(a_b[turn % 2][i]); turn++; }` with `T *const a_b[2] = {a, b};`
//! in front of the region: one array that is folded by the number of its buffers, so that dependences
//! from one turn to the next are those of any stencil over time. Behind the region the pointers are
//! what the last turn left in them. Several loops of a region in which the same buffers change places
//! count the same turns.

mod apply;
mod find;

use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use find::Rotation;
use std::collections::BTreeSet;

pub(super) use apply::place;

use super::tree;

/// Lets turns be counted in place of pointers that change places.
pub(super) fn fold(unit: &mut Unit, number: usize, statements: &mut Vec<Stmt>) {
    for stmt in statements.iter_mut() {
        tree::statements_mut(stmt, &mut |stmt| {
            if let StmtKind::Block(list) = &mut stmt.kind {
                unfold(unit, list);
            }
        });
    }
    // What has been rewritten copies no pointers any more.
    while let Some(found) = groups(unit, statements)
        .into_iter()
        .find(|group| group.is_alone(unit, number, statements))
    {
        found.apply(unit, number, statements);
    }
}

/// Takes blocks that do nothing but copy pointers, as macros have them, apart, and a block that is all
/// that is in another one.
fn unfold(unit: &Unit, list: &mut Vec<Stmt>) {
    let copies = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Block(inner) => inner
            .iter()
            .all(|stmt| stmt.kind == StmtKind::Empty || copy(unit, stmt).is_some()),
        _ => false,
    };
    let all = std::mem::take(list);
    let alone = all.len() == 1;
    for stmt in all {
        let apart = alone || copies(&stmt);
        match stmt.kind {
            StmtKind::Block(inner) if apart => list.extend(inner),
            kind => list.push(Stmt { kind, ..stmt }),
        }
    }
}

/// `x = y;` or `T *x = y;` of pointers.
fn copy(unit: &Unit, stmt: &Stmt) -> Option<(SymbolId, SymbolId)> {
    let is_pointer = |symbol: SymbolId| matches!(unit.symbols[symbol].ctype, Type::Pointer { .. });
    let named = |e: &Expr| match e.kind {
        ExprKind::Name(symbol) => Some(symbol),
        _ => None,
    };
    let (x, y) = match &stmt.kind {
        StmtKind::Declaration(symbol) => {
            (*symbol, named(unit.symbols[*symbol].initialiser.as_ref()?)?)
        }
        StmtKind::Expression(Expr {
            kind: ExprKind::Assign(None, target, value),
            ..
        }) => (named(target)?, named(value)?),
        _ => return None,
    };
    (is_pointer(x) && is_pointer(y)).then_some((x, y))
}

/// Loops in which the same pointers change places in the same order.
struct Group {
    /// Buffers that change places: the pointer behind each is what it is in the next turn; the first one
    /// is behind the last one.
    cycles: Vec<Vec<SymbolId>>,
    /// All pointers that the loops copy.
    assigned: BTreeSet<SymbolId>,
    /// The loops.
    turning: Vec<Turning>,
}

/// One of these loops.
struct Turning {
    each: Stmt,
    rotation: Rotation,
}

/// The groups of loops whose bodies copy pointers, each in an order that a rotation has.
fn groups(unit: &Unit, statements: &[Stmt]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            let Some((cycles, rotation)) = body(stmt).and_then(|list| Rotation::of(unit, list))
            else {
                return;
            };
            let assigned = rotation.assigned();
            let same = groups.iter_mut().find(|group| group.cycles == cycles);
            let turning = Turning {
                each: stmt.clone(),
                rotation,
            };
            match same {
                Some(group) => {
                    group.assigned.extend(assigned);
                    group.turning.push(turning);
                }
                None => groups.push(Group {
                    cycles,
                    assigned,
                    turning: vec![turning],
                }),
            }
        });
    }
    groups
}

fn body(stmt: &Stmt) -> Option<&[Stmt]> {
    match &stmt.kind {
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => match &body.kind {
            StmtKind::Block(list) => Some(list),
            _ => None,
        },
        _ => None,
    }
}
