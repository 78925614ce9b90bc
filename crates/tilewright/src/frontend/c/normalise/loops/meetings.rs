//! Loops in which two variables go towards each other until they meet: `for (i = a, j = b; i < j; i++, j--)`.
//!
//! Where somebody reads what is left in them, a variable of the loop's own counts in the place of the
//! first, and what both hold behind half of the way is assigned behind the loop.

use super::heads;
use super::inductions;
use super::pairs;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::Arith;
use crate::frontend::c::normalise::build::{self, assign, binary, expression, name};
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, ScalarKind};
use crate::source::Span;

/// Puts the step of the second variable in the head, where the first one's is and the body ends with it:
/// `while (i < j--) { …; i++; }` is so by now.
pub(in crate::frontend::c::normalise) fn gather(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    tree::spread(statements, &mut |stmt| {
        vec![gathered(unit, number, &stmt).unwrap_or(stmt)]
    });
}

fn gathered(unit: &Unit, number: usize, stmt: &Stmt) -> Option<Stmt> {
    let mut stmt = stmt.clone();
    let StmtKind::For {
        init,
        condition: Some(condition),
        step: Some(stepping),
        body,
    } = &mut stmt.kind
    else {
        return None;
    };
    if init
        .as_ref()
        .is_some_and(|init| init.kind != StmtKind::Empty)
    {
        return None;
    }
    let in_head = inductions::step(&tree::statement(stepping.clone()))?;
    let last = taken(body)?;
    let StmtKind::Expression(expr) = &last.kind else {
        return None;
    };
    let in_body = inductions::step(&last)?;
    let symbols = (in_head.symbol, in_body.symbol);
    let opposite = in_head.constant()?.checked_add(in_body.constant()?) == Some(0);
    let (first, _) = compared(condition)?;
    let both = [first, other(condition, first)?];
    let named = both.contains(&symbols.0) && both.contains(&symbols.1) && symbols.0 != symbols.1;
    if !named || !opposite {
        return None;
    }
    heads::counter(unit, number, symbols.0, body)?;
    heads::counter(unit, number, symbols.1, body)?;
    let span = stepping.span;
    *stepping = expression(ExprKind::Comma(vec![stepping.clone(), expr.clone()]), span);
    Some(stmt)
}

/// The last statement of a block, and of the blocks that end it.
fn taken(body: &mut Stmt) -> Option<Stmt> {
    let StmtKind::Block(list) = &mut body.kind else {
        return None;
    };
    match &list.last()?.kind {
        StmtKind::Block(_) => taken(list.last_mut()?),
        _ => list.pop(),
    }
}

/// The variable that is to stay below, and whether it may be equal to the other one.
fn compared(condition: &Expr) -> Option<(SymbolId, bool)> {
    let ExprKind::Binary(op, a, b) = &condition.kind else {
        return None;
    };
    let (ExprKind::Name(a), ExprKind::Name(b)) = (&a.kind, &b.kind) else {
        return None;
    };
    Some(match op {
        BinaryOp::Less => (*a, false),
        BinaryOp::LessEqual => (*a, true),
        BinaryOp::Greater => (*b, false),
        BinaryOp::GreaterEqual => (*b, true),
        _ => return None,
    })
}

fn other(condition: &Expr, first: SymbolId) -> Option<SymbolId> {
    let ExprKind::Binary(_, a, b) = &condition.kind else {
        return None;
    };
    [a, b].into_iter().find_map(|e| match e.kind {
        ExprKind::Name(symbol) if symbol != first => Some(symbol),
        _ => None,
    })
}

/// Sets both variables behind loops in which they meet, where somebody reads one of them there.
pub(in crate::frontend::c::normalise) fn set(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    tree::spread(statements, &mut |stmt| {
        met(unit, number, &stmt).unwrap_or_else(|| vec![stmt])
    });
}

fn met(unit: &mut Unit, number: usize, stmt: &Stmt) -> Option<Vec<Stmt>> {
    let StmtKind::For {
        init: Some(init),
        condition: Some(condition),
        step: Some(stepping),
        body,
    } = &stmt.kind
    else {
        return None;
    };
    let (low, equal) = compared(condition)?;
    let high = other(condition, low)?;
    let begins = pairs::begins(unit, init)?;
    let of = |symbol: SymbolId| begins.iter().find(|begin| begin.symbol == symbol);
    let (first, last) = (of(low)?, of(high)?);
    if begins.len() != 2 || first.declared || last.declared {
        return None;
    }
    let steps = pairs::parts(stepping);
    let steps = steps.iter().map(|part| {
        let step = inductions::step(&tree::statement((*part).clone()))?;
        Some((step.symbol, step.constant()?))
    });
    let mut steps: Vec<(SymbolId, i64)> = steps.collect::<Option<_>>()?;
    steps.sort_by_key(|(_, by)| -by);
    if steps != [(low, 1), (high, -1)] {
        return None;
    }
    let kind = heads::counter(unit, number, low, body)?;
    let same = heads::counter(unit, number, high, body)? == kind;
    // Half of the way has no more digits than the way.
    let starts = match kind {
        ScalarKind::I32 => true,
        ScalarKind::I64 => matches!(first.value.kind, ExprKind::Integer(..)),
        _ => false,
    };
    let plain = |value: &Expr| {
        let held = match value.kind {
            ExprKind::Integer(value, _) => (0..=0x7fff_ffff).contains(&value),
            _ => types::scalar_kind(unit, value).is_some_and(|own| types::contains(kind, own)),
        };
        let free = [low, high].iter().all(|&s| !visit::mentions(value, s));
        held && free && pairs::is_stable(unit, number, value, body)
    };
    if !same || !starts || !plain(&first.value) || !plain(&last.value) {
        return None;
    }
    let function = unit.regions[number].function;
    let at = stmt.span;
    let is_read = |unit: &Unit, symbol| !dead::is_dead(unit, function, at, symbol);
    if !is_read(unit, low) && !is_read(unit, high) {
        return None;
    }
    let (a, b) = (first.value.clone(), last.value.clone());
    let word = Span::new(at.start, at.start + "for".len());
    let counter = build::declared(unit, number, low, Some(a.clone()), word);
    let own = name(counter, at);
    // What the second one is: `b - (i - a)`.
    let Type::Scalar(ctype) = unit.symbols[low].ctype.clone() else {
        return None;
    };
    let arith = Arith { ctype, span: at };
    let (from, to) = (arith.cast(unit, a), arith.cast(unit, b));
    let passed = match from.kind {
        ExprKind::Integer(0, _) => own.clone(),
        _ => binary(BinaryOp::Sub, own.clone(), from.clone()),
    };
    let second = binary(BinaryOp::Sub, to.clone(), passed);
    let mut body = body.clone();
    tree::replace(&mut unit.symbols, &mut body, low, &own);
    tree::replace(&mut unit.symbols, &mut body, high, &second);
    let op = match equal {
        true => BinaryOp::LessEqual,
        false => BinaryOp::Less,
    };
    let mut list = vec![Stmt {
        kind: StmtKind::For {
            init: Some(Box::new(build::declaration(counter, word))),
            condition: Some(binary(op, own.clone(), second)),
            step: Some(expression(
                ExprKind::Increment {
                    target: Box::new(own),
                    by: 1,
                    postfix: true,
                },
                stepping.span,
            )),
            body,
        },
        span: at,
    }];
    let long = Arith::long(at);
    let wide = |e: &Expr| long.cast(unit, e.clone());
    // How many turns there are, of which there is one at least.
    let way = match from.kind {
        ExprKind::Integer(0, _) => wide(&to),
        _ => binary(BinaryOp::Sub, wide(&to), wide(&from)),
    };
    let turns = match equal {
        true => long.sum(binary(BinaryOp::Div, way, long.number(2)), long.number(1)),
        false => {
            let half = binary(BinaryOp::Div, way.clone(), long.number(2));
            binary(
                BinaryOp::Add,
                half,
                binary(BinaryOp::Rem, way, long.number(2)),
            )
        }
    };
    let left = |begin: &Expr, op: BinaryOp| {
        let value = match op {
            BinaryOp::Add => long.sum(wide(begin), turns.clone()),
            _ => binary(op, wide(begin), turns.clone()),
        };
        let value = arith.cast(unit, value);
        let meet = binary(
            if equal {
                BinaryOp::LessEqual
            } else {
                BinaryOp::Less
            },
            from.clone(),
            to.clone(),
        );
        let kind = ExprKind::Conditional(Box::new(meet), Box::new(value), Box::new(begin.clone()));
        expression(kind, at)
    };
    for (symbol, begin, op) in [(low, &from, BinaryOp::Add), (high, &to, BinaryOp::Sub)] {
        if is_read(unit, symbol) {
            let value = left(begin, op);
            list.push(tree::statement(assign(name(symbol, at), value)));
        }
    }
    Some(list)
}
