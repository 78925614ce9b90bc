//! Heads that step a variable of the function from what it holds where the region begins, which nobody
//! knows, and that is read behind the loop: `for (; k + 4 <= n; k += 4) …`.
//!
//! `k` stays as it is in the region, where it is a parameter then: another variable begins with it, and
//! is in its place from the loop on. Behind the region `k` is moved by what that has moved by
//! ([`Carry::Moved`]). Heads that count by one to a bound are for others where nobody reads what they leave.
//! What else a head steps, `j` of `i += 4, j += 4`, is stepped where the body ends.

use crate::frontend::c::lower::surroundings::{changes, facts, visit};
use crate::frontend::c::normalise::arith::changed_in;
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::loops::heads::{self, held};
use crate::frontend::c::normalise::loops::{inductions, lasts, pairs, strides};
use crate::frontend::c::normalise::put;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{
    Carry, Expr, ExprKind, Move, Scope, Stmt, StmtKind, SymbolId, Type, Unit,
};
use crate::scop::{BinaryOp, ScalarKind, ScalarType};
use crate::source::Span;
use std::collections::BTreeSet;

/// Gives loops variables of their own that begin with what others hold.
pub(in crate::frontend::c::normalise) fn set(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let jumps = statements.iter().any(|stmt| {
        let mut found = false;
        visit::statements(stmt, &mut |s| {
            found |= matches!(s.kind, StmtKind::Return(_) | StmtKind::Unsupported(_));
        });
        found
    });
    if jumps || !unit.regions[number].edges.leaves.is_empty() {
        return;
    }
    let mut position = 0;
    while position < statements.len() {
        if let Some(symbol) = goes_on(unit, number, statements, position) {
            begin(unit, number, statements, position, symbol);
        }
        position += 1;
    }
}

/// The variable that a loop's head steps, if nothing in front of the loop changes it in the region.
fn goes_on(unit: &Unit, number: usize, list: &[Stmt], position: usize) -> Option<SymbolId> {
    let StmtKind::For {
        init,
        condition: Some(condition),
        step: Some(step),
        body,
    } = &list[position].kind
    else {
        return None;
    };
    let sets = init
        .as_ref()
        .is_some_and(|init| init.kind != StmtKind::Empty);
    if sets || !tree::is_pure(condition) {
        return None;
    }
    let symbol = match held::stepped(unit, number, (condition, step), body).as_deref() {
        Some(&[symbol]) => symbol,
        _ => compared(unit, number, &list[position])?,
    };
    let own = !matches!(unit.symbols[symbol].scope, Scope::Region(_));
    let stays = list[..position]
        .iter()
        .all(|stmt| !changes::targets(unit, stmt).contains(&symbol));
    let mut types = list.iter();
    let plain = types.all(|stmt| !tree::is_in_types(unit, stmt, symbol));
    (own && stays && plain).then_some(symbol)
}

/// The variable that a head compares and steps, if it steps others, too, or somebody reads what the loop
/// leaves in it.
fn compared(unit: &Unit, number: usize, stmt: &Stmt) -> Option<SymbolId> {
    let StmtKind::For {
        condition: Some(condition),
        step: Some(step),
        body,
        ..
    } = &stmt.kind
    else {
        return None;
    };
    let mut symbols = BTreeSet::new();
    let parts = pairs::parts(step);
    for part in &parts {
        let step = inductions::step(&tree::statement((*part).clone()))?;
        step.constant()?;
        heads::counter(unit, number, step.symbol, body)?;
        symbols.insert(step.symbol);
    }
    let distinct = symbols.len() == parts.len();
    symbols.retain(|&symbol| visit::mentions(condition, symbol));
    let symbol = *symbols.first()?;
    let function = unit.regions[number].function;
    let read = parts.len() > 1 || !dead::is_dead(unit, function, stmt.span, symbol);
    (distinct && symbols.len() == 1 && read).then_some(symbol)
}

/// Leaves the step of one variable in a head, and puts the others where the body ends.
fn step_alone(stmt: &mut Stmt, symbol: SymbolId) {
    let StmtKind::For {
        step: Some(step),
        body,
        ..
    } = &mut stmt.kind
    else {
        return;
    };
    let steps = |e: &Expr| {
        let step = inductions::step(&tree::statement(e.clone()));
        step.is_some_and(|step| step.symbol == symbol)
    };
    let parts: Vec<Expr> = pairs::parts(step).into_iter().cloned().collect();
    let (own, others): (Vec<Expr>, Vec<Expr>) = parts.into_iter().partition(steps);
    if let ([own], false) = (&own[..], others.is_empty()) {
        *step = own.clone();
        let span = body.span;
        let mut list = vec![(**body).clone()];
        list.extend(others.into_iter().map(tree::statement));
        *body = build::block(list, span);
    }
}

/// Lets a loop begin with what the variable holds, and the variable be moved behind the region; nothing
/// where what the loop leaves in it would not be known.
fn begin(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
    position: usize,
    symbol: SymbolId,
) {
    let region = &unit.regions[number];
    let (function, pragma) = (region.function, region.pragma.start);
    let body = unit.functions[function].body.clone();
    let (symbols, before) = (unit.symbols.clone(), statements.clone());
    let span = statements[position].span;
    let own = build::declared(unit, number, symbol, None, span);
    for stmt in &mut statements[position..] {
        tree::expressions_mut(&mut unit.symbols, stmt, &mut |expr| {
            if expr.kind == ExprKind::Name(symbol) {
                expr.kind = ExprKind::Name(own);
            }
        });
    }
    if let StmtKind::For { init, .. } = &mut statements[position].kind {
        let set = build::assign(build::name(own, span), build::name(symbol, span));
        *init = Some(Box::new(tree::statement(set)));
    }
    step_alone(&mut statements[position], own);
    let declaration = build::declaration(own, span);
    statements.insert(position, declaration);
    let position = position + 1;
    let set = left(unit, number, symbol, own, span);
    statements.push(set);
    put(&mut unit.functions[function].body, pragma, statements);
    let stmt = &statements[position];
    if strides::is_counted(unit, number, statements, stmt)
        || ends_at_bound(unit, stmt, own)
        || lasts::is_counted(unit, number, statements, stmt)
    {
        return;
    }
    unit.functions[function].body = body;
    unit.symbols = symbols;
    *statements = before;
    unit.regions[number].edges.moves.pop();
}

/// Whether a loop that counts by one goes on until its variable, which has a sign, is what the loop does
/// not change.
fn ends_at_bound(unit: &Unit, stmt: &Stmt, symbol: SymbolId) -> bool {
    let StmtKind::For {
        condition: Some(condition),
        step: Some(step),
        body,
        ..
    } = &stmt.kind
    else {
        return false;
    };
    let by = inductions::step(&tree::statement(step.clone())).and_then(|step| step.constant());
    let signed = matches!(
        facts::integer_kind(unit, symbol),
        Some(ScalarKind::I32 | ScalarKind::I64)
    );
    let ExprKind::Binary(BinaryOp::NotEqual, a, b) = &condition.kind else {
        return false;
    };
    let own = |e: &Expr| e.kind == ExprKind::Name(symbol);
    let bound = if own(a) { b } else { a };
    let changed = changed_in(unit, body);
    signed
        && by.is_some_and(|by| by.abs() == 1)
        && (own(a) || own(b))
        && tree::is_stable(bound)
        && !visit::mentions(bound, symbol)
        && !changed.iter().any(|&other| visit::mentions(bound, other))
}

/// Notes that a variable is moved behind the region by what its other one has moved by; what counts
/// that.
fn left(unit: &mut Unit, number: usize, symbol: SymbolId, own: SymbolId, span: Span) -> Stmt {
    let long = Type::Scalar(ScalarType {
        kind: ScalarKind::I64,
        spelling: ScalarKind::I64.c_name().to_owned(),
    });
    let stem = format!("{}_left", unit.symbols[symbol].name);
    let left = build::variable(unit, number, &stem, long.clone(), None, span);
    let wide = |symbol: SymbolId| {
        let name = Box::new(build::name(symbol, span));
        build::expression(ExprKind::Cast(long.clone(), name), span)
    };
    let moved = build::binary(BinaryOp::Sub, wide(own), wide(symbol));
    unit.regions[number].edges.moves.push(Move {
        pointer: symbol,
        place: build::name(symbol, span),
        counter: Some(left),
        by: None,
        carry: Carry::Moved,
        places: vec![span],
    });
    tree::statement(build::assign(build::name(left, span), moved))
}
