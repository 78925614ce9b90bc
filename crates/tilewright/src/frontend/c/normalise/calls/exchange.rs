//! Functions that let pointers change places: `void swap(T **x, T **y) { T *t = *x; *x = *y; *y = t; }`.
//!
//! A body that assigns pointers stands in place of a call where it only copies them, from place to place
//! and by variables that hold nothing else: what that means is for the pass behind to say.

use std::collections::HashSet;

use super::Inliner;
use crate::frontend::c::lower::calls::purity;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};

/// Puts bodies in the place of calls of functions that do nothing else: the addresses that they are
/// given are gone then, before others ask which variables are reached through pointers.
pub(in super::super) fn inline(unit: &mut Unit, number: usize, statements: &mut Vec<Stmt>) {
    let calls = |stmt: &Stmt| {
        let mut found = false;
        visit::expressions(unit, stmt, &mut |e| {
            visit::walk(e, &mut |e| {
                found |= matches!(&e.kind, ExprKind::Call(name, _) if may_be(unit, name));
            });
        });
        found
    };
    if statements.iter().any(calls) {
        let mut inliner = Inliner::new(unit, number);
        inliner.exchanges = true;
        *statements = inliner.list(std::mem::take(statements));
    }
}

/// Whether a function may be one of these, before it is prepared: nothing is done but assignments, and
/// nothing is declared but pointers.
pub(super) fn may_be(unit: &Unit, name: &str) -> bool {
    let Some((_, function)) = purity::definition(unit, name) else {
        return false;
    };
    let mut may = function.result == Type::Void;
    visit::statements(&function.body, &mut |stmt| {
        may &= match &stmt.kind {
            StmtKind::Block(_) | StmtKind::Empty => true,
            StmtKind::Declaration(symbol) => {
                matches!(unit.symbols[*symbol].ctype, Type::Pointer { .. })
            }
            StmtKind::Expression(expr) => {
                matches!(expr.kind, ExprKind::Assign(None, ..) | ExprKind::Call(..))
            }
            _ => false,
        };
    });
    may
}

/// Whether statements do nothing but copy pointers.
pub(super) fn only(unit: &Unit, body: &[Stmt], held: &HashSet<SymbolId>) -> bool {
    let copies = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Block(list) => only(unit, list, held),
        StmtKind::Empty => true,
        _ => is_copy(unit, stmt, held),
    };
    !body.is_empty() && body.iter().all(copies)
}

/// The pointers among a body's own that only hold what is copied.
pub(super) fn held(unit: &Unit, body: &[Stmt], own: &HashSet<SymbolId>) -> HashSet<SymbolId> {
    let mut held: HashSet<SymbolId> = HashSet::new();
    for stmt in body {
        visit::statements(stmt, &mut |stmt| {
            if let StmtKind::Declaration(symbol) = stmt.kind
                && own.contains(&symbol)
                && matches!(unit.symbols[symbol].ctype, Type::Pointer { .. })
            {
                held.insert(symbol);
            }
        });
    }
    // Those that are used for something else are not.
    loop {
        let before = held.len();
        let mut other = HashSet::new();
        let mut stored = HashSet::new();
        for stmt in body {
            visit::statements(stmt, &mut |stmt| {
                let copies = is_copy(unit, stmt, &held);
                if let StmtKind::Expression(Expr {
                    kind: ExprKind::Assign(_, _, value),
                    ..
                }) = &stmt.kind
                    && let ExprKind::Name(symbol) = value.kind
                {
                    stored.insert(symbol);
                }
                for top in visit::own_expressions(unit, stmt) {
                    visit::walk(top, &mut |e| match e.kind {
                        ExprKind::Name(symbol) if !copies => {
                            other.insert(symbol);
                        }
                        _ => {}
                    });
                }
            });
        }
        held.retain(|symbol| !other.contains(symbol) && stored.contains(symbol));
        if held.len() == before {
            return held;
        }
    }
}

/// Whether a statement copies a pointer, or declares one of these.
pub(super) fn is_copy(unit: &Unit, stmt: &Stmt, held: &HashSet<SymbolId>) -> bool {
    match &stmt.kind {
        StmtKind::Declaration(symbol) => {
            let value = unit.symbols[*symbol].initialiser.as_ref();
            held.contains(symbol) && value.is_none_or(|value| is_place(unit, value, held))
        }
        StmtKind::Expression(Expr {
            kind: ExprKind::Assign(None, target, value),
            ..
        }) => is_place(unit, target, held) && is_place(unit, value, held),
        _ => false,
    }
}

/// Whether an expression is a pointer in a place that a name leads to, and no other expression does.
fn is_place(unit: &Unit, place: &Expr, held: &HashSet<SymbolId>) -> bool {
    matches!(types::place_type(unit, place), Some(Type::Pointer { .. }))
        && match &place.kind {
            ExprKind::Name(symbol) => {
                held.contains(symbol) || unit.symbols[*symbol].scope == Scope::File
            }
            ExprKind::Dereference(base) => facts::plain_key(base).is_some(),
            ExprKind::Subscript(base, index) => {
                facts::plain_key(base).is_some() && matches!(index.kind, ExprKind::Integer(..))
            }
            _ => facts::plain_key(place).is_some(),
        }
}
