//! Buffers that change places at the end of a turn: the pointers stay, and turns are counted.
//!
//! `for (…) { b[i] = f(a[i]); T *t = a; a = b; b = t; }` becomes
//! `for (…) { a_b[(turn + 1) % 2][i] = f(a_b[turn % 2][i]); turn++; }` with `T *const a_b[2] = {a, b};`
//! in front of the region: one array that is folded by the number of its buffers, so that dependences
//! from one turn to the next are those of any stencil over time. Behind the region the pointers are
//! what the last turn left in them. Several loops of a region in which the same buffers change places
//! count the same turns. Pointers may be in variables of the function or [elsewhere](places).

mod apply;
mod find;
mod places;

use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use find::Rotation;
use places::StandIns;
use std::collections::BTreeSet;

pub(in crate::frontend::c::normalise) use apply::{folded, place};
pub(in crate::frontend::c::normalise) use find::lasts;

use crate::frontend::c::normalise::loops::repeats;
use crate::frontend::c::normalise::tree;

/// Lets turns be counted in place of pointers that change places.
pub(in crate::frontend::c::normalise) fn fold(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    for stmt in statements.iter_mut() {
        tree::statements_mut(stmt, &mut |stmt| {
            if let StmtKind::Block(list) = &mut stmt.kind {
                unfold(unit, list);
            }
        });
    }
    let before = (unit.symbols.clone(), statements.clone());
    let region = &unit.regions[number];
    let carried = (region.edges.moves.clone(), region.edges.front.clone());
    let stand_ins = places::name(unit, number, statements);
    if !stand_ins.is_empty() {
        turn(unit, number, statements, &stand_ins);
        let mut named = stand_ins.keys();
        if named.all(|&symbol| tree::names_of(unit, statements, symbol) == 0) {
            return;
        }
        (unit.symbols, *statements) = before;
        (
            unit.regions[number].edges.moves,
            unit.regions[number].edges.front,
        ) = carried;
    }
    turn(unit, number, statements, &StandIns::new());
}

/// Rewrites all groups of loops where nothing else happens to the pointers.
fn turn(unit: &mut Unit, number: usize, statements: &mut Vec<Stmt>, stand_ins: &StandIns) {
    // What has been rewritten copies no pointers any more.
    while let Some(found) = groups(unit, statements)
        .into_iter()
        .find(|group| group.is_alone(unit, number, statements, stand_ins))
    {
        found.apply(unit, number, statements, stand_ins);
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

/// `x = y;` or `T *x = y;` of pointers that are variables.
fn copy(unit: &Unit, stmt: &Stmt) -> Option<(SymbolId, SymbolId)> {
    let named = |e: &Expr| match e.kind {
        ExprKind::Name(symbol) => Some(symbol),
        _ => None,
    };
    let (target, value) = copied(unit, stmt)?;
    let value = named(value)?;
    let target = match (target, &stmt.kind) {
        (Some(target), _) => named(target)?,
        (None, StmtKind::Declaration(symbol)) => *symbol,
        _ => return None,
    };
    let is_pointer = |symbol: SymbolId| matches!(unit.symbols[symbol].ctype, Type::Pointer { .. });
    (is_pointer(target) && is_pointer(value)).then_some((target, value))
}

/// What a statement copies a pointer to, unless it declares that, and from where.
fn copied<'u>(unit: &'u Unit, stmt: &'u Stmt) -> Option<(Option<&'u Expr>, &'u Expr)> {
    let (target, value) = match &stmt.kind {
        StmtKind::Declaration(symbol) => (None, unit.symbols[*symbol].initialiser.as_ref()?),
        StmtKind::Expression(Expr {
            kind: ExprKind::Assign(None, target, value),
            ..
        }) => (Some(&**target), &**value),
        _ => return None,
    };
    let is_pointer = |e: &Expr| matches!(types::place_type(unit, e), Some(Type::Pointer { .. }));
    (target.is_none_or(is_pointer) && is_pointer(value)).then_some((target, value))
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
    groups.retain(|group| {
        !group
            .turning
            .iter()
            .any(|one| is_nested(unit, statements, one))
    });
    groups
}

/// Whether turns are those of several loops that multiply: nobody follows products of numbers of turns,
/// where each execution of the inner loop is one of its own.
fn is_nested(unit: &Unit, statements: &[Stmt], one: &Turning) -> bool {
    let mut nested = false;
    for stmt in statements {
        visit::statements(stmt, &mut |outer| {
            let (StmtKind::For { body, .. } | StmtKind::While { body, .. }) = &outer.kind else {
                return;
            };
            let mut inside = false;
            visit::statements(body, &mut |inner| inside |= *inner == one.each);
            nested |= inside && !(repeats::counts(unit, outer) && is_constant(&one.each));
        });
    }
    nested
}

/// Whether the head of a loop has numbers only.
fn is_constant(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::For {
            condition:
                Some(Expr {
                    kind: ExprKind::Binary(_, a, b),
                    ..
                }),
            ..
        } => [a, b]
            .iter()
            .any(|side| matches!(side.kind, ExprKind::Integer(..))),
        _ => false,
    }
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
