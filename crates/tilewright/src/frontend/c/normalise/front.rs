//! The values that variables have where a region begins: what statements on the way to it assign.
//!
//! The way is what is certainly executed just in front of the region: statements of the blocks that it is
//! in, from the last label, or the head of a loop around it, on.

use super::arith::changed_in;
use super::dead;
use super::tree;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Unit};
use crate::scop::BinaryOp;
use std::collections::HashMap;

/// Values are no larger, in expressions.
const LARGEST: usize = 32;

/// The values of integers, as sums and products of variables that have the same values in front of the
/// region as where they were read. Only their names lead to all of these.
pub(super) fn values(unit: &Unit, number: usize) -> HashMap<SymbolId, Expr> {
    let region = &unit.regions[number];
    let mut known: HashMap<SymbolId, Expr> = HashMap::new();
    for stmt in way(unit, number) {
        let mut set = assigned(unit, stmt);
        for (_, value) in &mut set {
            tree::walk_mut(value, &mut |e| {
                if let ExprKind::Name(symbol) = e.kind
                    && let Some(value) = known.get(&symbol)
                {
                    e.kind = tree::in_place_of(unit, symbol, value).kind;
                }
            });
        }
        let changed = changed_in(unit, stmt);
        known.retain(|symbol, value| {
            !changed.contains(symbol) && !changed.iter().any(|&s| visit::mentions(value, s))
        });
        set.retain(|(symbol, value)| {
            let plain = changed.iter().all(|&s| !visit::mentions(value, s));
            plain && is_value(unit, region.function, *symbol, value)
        });
        known.extend(set);
    }
    known
}

/// The statements that are executed one after the other in front of a region, as far as is certain.
pub(super) fn way(unit: &Unit, number: usize) -> Vec<&Stmt> {
    let region = &unit.regions[number];
    let mut way = Vec::new();
    let body = &unit.functions[region.function].body;
    lead(body, region.pragma.start, &mut way);
    way
}

/// Whether a variable may be known to have a value.
fn is_value(unit: &Unit, function: usize, symbol: SymbolId, value: &Expr) -> bool {
    let own = |symbol: SymbolId| {
        !matches!(unit.symbols[symbol].scope, Scope::Region(_))
            && dead::is_own(unit, function, symbol)
            && !facts::is_hidden(unit, symbol)
    };
    let Some(kind) = facts::integer_kind(unit, symbol) else {
        return false;
    };
    let same = types::scalar_kind(unit, value) == Some(kind)
        || matches!(value.kind, ExprKind::Integer(0..=0x7fff_ffff, _));
    let mut plain = same && own(symbol) && tree::is_stable(value) && tree::size(value) <= LARGEST;
    visit::walk(value, &mut |e| {
        plain &= match e.kind {
            ExprKind::Name(other) => own(other) && facts::integer_kind(unit, other).is_some(),
            ExprKind::Field(..) | ExprKind::Arrow(..) => false,
            _ => true,
        };
    });
    plain
}

/// The statements on the way to a pragma, and whether it is in the statement.
fn lead<'u>(stmt: &'u Stmt, pragma: usize, way: &mut Vec<&'u Stmt>) -> bool {
    match &stmt.kind {
        StmtKind::Block(list) => {
            let before = way.len();
            for stmt in list {
                if let StmtKind::Unsupported(_) = stmt.kind {
                    // A label, or what stands under such a word.
                    way.clear();
                } else if matches!(&stmt.kind, StmtKind::Pragma(words) if words == "scop")
                    && stmt.span.start == pragma
                    || lead(stmt, pragma, way)
                {
                    return true;
                } else {
                    pass(stmt, way);
                }
            }
            way.truncate(before);
            false
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
            let mut inside = Vec::new();
            let found = lead(body, pragma, &mut inside);
            if found {
                *way = inside;
            }
            found
        }
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            // What it changes it changes on the way.
            if !tree::is_pure(condition) {
                way.clear();
            }
            lead(then, pragma, way)
                || otherwise
                    .as_ref()
                    .is_some_and(|stmt| lead(stmt, pragma, way))
        }
        _ => false,
    }
}

/// A statement that is passed: jumps lead to the last label in it, if any.
fn pass<'u>(stmt: &'u Stmt, way: &mut Vec<&'u Stmt>) {
    match &stmt.kind {
        _ if !visit::is_reached(stmt) => way.push(stmt),
        StmtKind::Block(list)
            if matches!(
                list[0].kind,
                StmtKind::Unsupported("label" | "case" | "default")
            ) =>
        {
            way.clear();
            list[1..].iter().for_each(|stmt| pass(stmt, way));
        }
        _ => way.clear(),
    }
}

/// What a statement assigns, in order.
fn assigned(unit: &Unit, stmt: &Stmt) -> Vec<(SymbolId, Expr)> {
    let mut set = Vec::new();
    match &stmt.kind {
        StmtKind::Declaration(symbol) => {
            if let Some(value) = &unit.symbols[*symbol].initialiser
                && !unit.symbols[*symbol].is_static
                && tree::is_pure(value)
            {
                set.push((*symbol, value.clone()));
            }
        }
        StmtKind::Expression(expr) => {
            split(unit, expr, &mut set);
        }
        _ => {}
    }
    // One that is set several times has the last value, which others may not.
    let mut named: Vec<SymbolId> = set.iter().map(|(symbol, _)| *symbol).collect();
    named.sort_unstable();
    named.dedup();
    if named.len() < set.len() {
        set.clear();
    }
    set
}

/// What an expression assigns, and its value: `(a = x) + y` assigns `x`, and is `x + y`.
fn split(unit: &Unit, expr: &Expr, set: &mut Vec<(SymbolId, Expr)>) -> Option<Expr> {
    let span = expr.span;
    match &expr.kind {
        ExprKind::Assign(None, target, value) => {
            let ExprKind::Name(symbol) = target.kind else {
                return None;
            };
            let value = split(unit, value, set)?;
            let kind = facts::integer_kind(unit, symbol)?;
            let same = types::scalar_kind(unit, &value) == Some(kind)
                || matches!(value.kind, ExprKind::Integer(0..=127, _));
            set.push((symbol, value.clone()));
            same.then_some(value)
        }
        ExprKind::Binary(op, a, b) if !matches!(op, BinaryOp::And | BinaryOp::Or) => {
            let (a, b) = (split(unit, a, set)?, split(unit, b, set)?);
            let kind = ExprKind::Binary(*op, Box::new(a), Box::new(b));
            Some(Expr { kind, span })
        }
        _ => tree::is_pure(expr).then(|| expr.clone()),
    }
}
