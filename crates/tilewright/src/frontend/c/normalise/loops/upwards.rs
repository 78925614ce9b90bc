//! Loops that count down to zero, and in which turns are counted: they count up.
//!
//! `for (int t = n; t > 0; t--) { …; turn++; }` becomes `for (int up = 0; up < n; up++) { …; turn++; }`
//! with `n - up` in the place of `t`. Turns are then what the loop counts, and dependences from one turn
//! to the next go forwards in its variable, as tiles over time need.

use super::heads;
use super::inductions;
use crate::frontend::c::lower::surroundings::facts;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Unit};
use crate::scop::BinaryOp;

/// Lets loops count up.
pub(in crate::frontend::c::normalise) fn count(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    tree::spread(statements, &mut |stmt| {
        vec![upwards(unit, number, &stmt).unwrap_or(stmt)]
    });
}

/// `for (v = first; v > 0; v--)`
struct Down<'s> {
    symbol: SymbolId,
    first: Expr,
    body: &'s Stmt,
}

impl Down<'_> {
    fn of<'s>(unit: &Unit, number: usize, stmt: &'s Stmt) -> Option<Down<'s>> {
        let StmtKind::For {
            init: Some(init),
            condition: Some(condition),
            step: Some(step),
            body,
        } = &stmt.kind
        else {
            return None;
        };
        let (symbol, first, own) = heads::begin(unit, init)?;
        let first = first.clone();
        let ExprKind::Binary(op, a, b) = &condition.kind else {
            return None;
        };
        let end = match (op, &b.kind) {
            (BinaryOp::Greater | BinaryOp::NotEqual, ExprKind::Integer(end, _)) => *end,
            (BinaryOp::GreaterEqual, ExprKind::Integer(end, _)) => *end - 1,
            _ => return None,
        };
        let by = inductions::step(&tree::statement(step.clone()))?;
        let counts = a.kind == ExprKind::Name(symbol)
            && end == 0
            && by.symbol == symbol
            && by.constant() == Some(-1);
        heads::counter(unit, number, symbol, body)?;
        // Counted in the variable's own type.
        let kind = facts::integer_kind(unit, symbol);
        let same = kind.is_some() && types::scalar_kind(unit, &first) == kind;
        let function = unit.regions[number].function;
        let fixed = dead::stays(unit, number, &first, stmt);
        let nobody_reads = own || dead::is_dead(unit, function, stmt.span, symbol);
        (counts && same && fixed && nobody_reads && counts_turns(unit, body)).then_some(Down {
            symbol,
            first,
            body,
        })
    }
}

/// Whether a body counts its turns in a variable of the region.
fn counts_turns(unit: &Unit, body: &Stmt) -> bool {
    let StmtKind::Block(list) = &body.kind else {
        return false;
    };
    list.iter().any(|stmt| {
        inductions::step(stmt).is_some_and(|step| {
            let inside = matches!(unit.symbols[step.symbol].scope, Scope::Region(_));
            inside && step.constant() == Some(1)
        })
    })
}

fn upwards(unit: &mut Unit, number: usize, stmt: &Stmt) -> Option<Stmt> {
    let Down {
        symbol,
        first,
        body,
    } = Down::of(unit, number, stmt)?;
    let span = stmt.span;
    let zero = build::integer(0, span);
    let up = build::declared(unit, number, symbol, Some(zero), span);
    let value = build::binary(BinaryOp::Sub, first.clone(), build::name(up, span));
    let mut body = body.clone();
    tree::replace(&mut unit.symbols, &mut body, symbol, &value);
    let condition = build::binary(BinaryOp::Less, build::name(up, span), first);
    let step = ExprKind::Increment {
        target: Box::new(build::name(up, span)),
        by: 1,
        postfix: true,
    };
    Some(Stmt {
        kind: StmtKind::For {
            init: Some(Box::new(build::declaration(up, span))),
            condition: Some(condition),
            step: Some(build::expression(step, span)),
            body: Box::new(body),
        },
        span,
    })
}
