//! Who reads what a loop leaves in a variable.

use super::arith::changed_in;
use super::tree;
use crate::frontend::c::lower::surroundings::follows::{
    First, Jumps, first, first_in, left_early, reads,
};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Unit};
use crate::source::Span;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Whether a variable is the function's own, seen through no pointer.
pub(super) fn is_own(unit: &Unit, function: usize, symbol: SymbolId) -> bool {
    let s = &unit.symbols[symbol];
    if s.scope == Scope::File || s.is_static {
        return false;
    }
    !is_addressed(unit, function, symbol)
}

/// Whether a function takes the address of a variable, or of something in it.
fn is_addressed(unit: &Unit, function: usize, symbol: SymbolId) -> bool {
    let mut found = false;
    visit::expressions(unit, &unit.functions[function].body, &mut |top| {
        visit::walk(top, &mut |e| {
            if let ExprKind::AddressOf(place) = &e.kind {
                found = found || tree::object(unit, place) == Some(symbol);
            }
        });
    });
    found
}

/// The variables that a function takes the address of, or of something in them.
pub(super) fn addressed(unit: &Unit, function: usize) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    visit::expressions(unit, &unit.functions[function].body, &mut |top| {
        visit::walk(top, &mut |e| {
            if let ExprKind::AddressOf(place) = &e.kind {
                found.extend(tree::object(unit, place));
            }
        });
    });
    found
}

/// Whether an expression is computed from numbers and the function's own variables alone, which a
/// statement leaves as they are.
pub(super) fn stays(unit: &Unit, number: usize, expr: &Expr, within: &Stmt) -> bool {
    let function = unit.regions[number].function;
    let changed = changed_in(unit, within);
    let mut stays = tree::is_pure(expr);
    visit::walk(expr, &mut |e| {
        stays &= match &e.kind {
            ExprKind::Name(name) => !changed.contains(name) && is_own(unit, function, *name),
            ExprKind::Integer(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..) => true,
            _ => false,
        };
    });
    stays
}

/// Whether somebody reads a variable of the function behind a region, or when the region is executed
/// again.
pub(super) fn is_read_behind(unit: &Unit, number: usize, symbol: SymbolId) -> bool {
    let region = &unit.regions[number];
    let mut behind = false;
    visit::expressions(unit, &unit.functions[region.function].body, &mut |top| {
        behind |= top.span.start >= region.span.end && visit::mentions(top, symbol);
    });
    behind || tree::is_repeated(unit, number)
}

/// Whether nobody reads the value that a loop of the function leaves in a variable; `false` where
/// that is not clear.
pub(super) fn is_dead(unit: &Unit, function: usize, at: Span, symbol: SymbolId) -> bool {
    let body = &unit.functions[function].body;
    let (mut loops, mut jumps) = (0, false);
    visit::statements(body, &mut |s| {
        loops += usize::from(is_loop(s, at));
        jumps |= visit::jumps(unit, s);
    });
    loops == 1
        && !jumps
        && is_own(unit, function, symbol)
        && !matches!(
            after(unit, body, at, symbol, Jumps::default()),
            ControlFlow::Break(Some(_))
        )
}

fn is_loop(stmt: &Stmt, at: Span) -> bool {
    matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. }) && stmt.span == at
}

fn holds(stmt: &Stmt, at: Span) -> bool {
    let mut found = false;
    visit::statements(stmt, &mut |s| found |= is_loop(s, at));
    found
}

/// What is done first with a variable behind a loop in a statement. `break` and `continue` lead out of
/// the statement or not.
fn after(unit: &Unit, stmt: &Stmt, at: Span, symbol: SymbolId, jumps: Jumps) -> First {
    if is_loop(stmt, at) {
        return First::Continue(());
    }
    match &stmt.kind {
        StmtKind::Block(list) => {
            let Some(place) = list.iter().position(|s| holds(s, at)) else {
                return First::Continue(());
            };
            if matches!(list[0].kind, StmtKind::Unsupported(_)) {
                return First::Break(Some(at));
            }
            after(unit, &list[place], at, symbol, jumps)?;
            for stmt in &list[place + 1..] {
                first(unit, stmt, symbol, jumps)?;
            }
            // It ends with its block.
            let own = |s: &Stmt| s.kind == StmtKind::Declaration(symbol);
            match list[..place].iter().any(own) {
                true => First::Break(None),
                false => First::Continue(()),
            }
        }
        StmtKind::For {
            condition,
            step,
            body,
            ..
        } => {
            behind(unit, body, at, symbol, jumps)?;
            for e in step.iter().chain(condition) {
                first_in(e, symbol)?;
            }
            reads(first(unit, body, symbol, jumps.inside()))
        }
        StmtKind::While { condition, body } => {
            behind(unit, body, at, symbol, jumps)?;
            first_in(condition, symbol)?;
            reads(first(unit, body, symbol, jumps.inside()))
        }
        StmtKind::If {
            then, otherwise, ..
        } => match otherwise {
            Some(otherwise) if holds(otherwise, at) => after(unit, otherwise, at, symbol, jumps),
            _ => after(unit, then, at, symbol, jumps),
        },
        _ => First::Continue(()),
    }
}

/// The same in the body of a loop around it.
fn behind(unit: &Unit, body: &Stmt, at: Span, symbol: SymbolId, jumps: Jumps) -> First {
    left_early(body, after(unit, body, at, symbol, jumps.inside()))
}
