//! Heads that step variables of the function from what these hold where the region begins, which nobody
//! knows, and that are read behind the loop: `for (; k + 4 <= n; k += 4) …`.
//!
//! `k` stays as it is in the region, where it is a parameter then: another variable begins with it, and
//! is in its place from the loop on. Behind the region `k` is moved by what that has moved by
//! ([`Carry::Moved`]). Heads that count by one to a bound are for others.

use crate::frontend::c::lower::surroundings::{changes, visit};
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::loops::heads::held;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{
    Carry, ExprKind, Move, Scope, Stmt, StmtKind, SymbolId, Type, Unit,
};
use crate::scop::{BinaryOp, ScalarKind, ScalarType};
use crate::source::Span;

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
    for position in 0..statements.len() {
        if let Some(symbols) = goes_on(unit, number, statements, position) {
            begin(unit, number, statements, position, &symbols);
        }
    }
}

/// The variables that a loop's head steps, if nothing in front of the loop changes them in the region.
fn goes_on(unit: &Unit, number: usize, list: &[Stmt], position: usize) -> Option<Vec<SymbolId>> {
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
    let symbols = held::stepped(unit, number, (condition, step), body)?;
    let is_parameter = |symbol: SymbolId| {
        let own = !matches!(unit.symbols[symbol].scope, Scope::Region(_));
        let stays = list[..position]
            .iter()
            .all(|stmt| !changes::targets(unit, stmt).contains(&symbol));
        let mut types = list.iter();
        own && stays && types.all(|stmt| !tree::is_in_types(unit, stmt, symbol))
    };
    symbols.iter().all(|&s| is_parameter(s)).then_some(symbols)
}

/// Lets the loop begin with what the variables hold, and these be moved behind the region.
fn begin(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
    position: usize,
    symbols: &[SymbolId],
) {
    let span = statements[position].span;
    let mut front = Vec::new();
    let mut heads = Vec::new();
    for &symbol in symbols {
        let own = build::declared(unit, number, symbol, None, span);
        for stmt in &mut statements[position..] {
            tree::expressions_mut(&mut unit.symbols, stmt, &mut |expr| {
                if expr.kind == ExprKind::Name(symbol) {
                    expr.kind = ExprKind::Name(own);
                }
            });
        }
        front.push(build::declaration(own, span));
        let set = build::assign(build::name(own, span), build::name(symbol, span));
        heads.push(tree::statement(set));
        statements.push(left(unit, number, symbol, own, span));
    }
    if let StmtKind::For { init, .. } = &mut statements[position].kind {
        *init = Some(Box::new(match <[Stmt; 1]>::try_from(heads) {
            Ok([one]) => one,
            Err(heads) => Stmt {
                kind: StmtKind::Block(heads),
                span,
            },
        }));
    }
    statements.splice(position..position, front);
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
