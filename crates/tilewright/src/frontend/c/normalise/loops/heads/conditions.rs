//! Conditions of loops that change something.
//!
//! Those that step what they compare: `while (i++ < n) body` is `for (; i < n; i++) body` with `i + 1` in
//! the place of `i`, and one more step behind it; `while (++i < n) body` is
//! `i++; for (; i < n; i++) body`. Those that count down to a number are for [`heads`].
//!
//! Others are tested in the body: `while ((c = next()) != 0) body` is
//! `while (1) { if (!((c = next()) != 0)) break; body }`.

use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::normalise::build::{binary, block, expression, integer, name, not};
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::loops::heads;
use crate::frontend::c::normalise::loops::repeats;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::normalise::values::steps;
use crate::frontend::c::parse::constant;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Unit};
use crate::scop::BinaryOp;

/// Takes steps out of conditions.
pub(in crate::frontend::c::normalise) fn step(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    tree::spread(statements, &mut |stmt| {
        stepped(unit, number, &stmt).unwrap_or_else(|| vec![tested(stmt)])
    });
}

/// A step that a condition compares.
struct Step {
    symbol: SymbolId,
    by: i64,
    postfix: bool,
    /// The condition with the variable in the place of the step.
    condition: Expr,
}

impl Step {
    fn of(condition: &Expr) -> Option<Step> {
        use BinaryOp::{Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let ExprKind::Binary(op @ (Less | LessEqual | Greater | GreaterEqual | NotEqual), a, b) =
            &condition.kind
        else {
            return None;
        };
        let is_step = |e: &Expr| matches!(e.kind, ExprKind::Increment { .. });
        let (step, bound) = if is_step(a) { (a, b) } else { (b, a) };
        let (symbol, by, postfix) = heads::increment(step)?;
        let downwards = by < 0 && constant::value(bound).is_some();
        if downwards || !tree::is_pure(bound) || visit::mentions(bound, symbol) {
            return None;
        }
        let variable = Box::new(name(symbol, step.span));
        let kind = match is_step(a) {
            true => ExprKind::Binary(*op, variable, b.clone()),
            false => ExprKind::Binary(*op, a.clone(), variable),
        };
        Some(Step {
            symbol,
            by,
            postfix,
            condition: expression(kind, condition.span),
        })
    }
}

fn stepped(unit: &mut Unit, number: usize, stmt: &Stmt) -> Option<Vec<Stmt>> {
    let (init, condition, body) = match &stmt.kind {
        StmtKind::While { condition, body } => (None, condition, body),
        StmtKind::For {
            init,
            condition: Some(condition),
            step: None,
            body,
        } => (init.as_deref(), condition, body),
        _ => return None,
    };
    let head = Step::of(condition)?;
    let symbol = head.symbol;
    heads::counter(unit, number, symbol, body)?;
    // What the head declares ends with the loop.
    if init.is_some_and(|init| !matches!(init.kind, StmtKind::Expression(_) | StmtKind::Empty)) {
        return None;
    }
    let span = condition.span;
    let step = || {
        let kind = ExprKind::Increment {
            target: Box::new(name(symbol, span)),
            by: head.by,
            postfix: true,
        };
        expression(kind, span)
    };
    let mut body = body.clone();
    let mut list: Vec<Stmt> = init.cloned().into_iter().collect();
    let mut behind = None;
    if head.postfix {
        let op = match head.by {
            1 => BinaryOp::Add,
            _ => BinaryOp::Sub,
        };
        let moved = binary(op, name(symbol, span), integer(1, span));
        tree::replace(&mut unit.symbols, &mut body, symbol, &moved);
        let function = unit.regions[number].function;
        let is_read = !dead::is_dead(unit, function, stmt.span, symbol);
        behind = is_read.then(|| tree::statement(step()));
    } else {
        list.push(tree::statement(step()));
    }
    list.push(Stmt {
        kind: StmtKind::For {
            init: None,
            condition: Some(head.condition.clone()),
            step: Some(step()),
            body,
        },
        span: stmt.span,
    });
    list.extend(behind);
    Some(list)
}

/// A loop whose condition changes something, with that in its body.
fn tested(mut stmt: Stmt) -> Stmt {
    let (condition, body) = match &mut stmt.kind {
        StmtKind::While { condition, body } => (condition, body),
        StmtKind::For {
            condition: Some(condition),
            body,
            ..
        } => (condition, body),
        _ => return stmt,
    };
    if !steps::has_effect(condition) || heads::counts_down(condition) {
        return stmt;
    }
    let span = condition.span;
    let test = std::mem::replace(condition, integer(1, span));
    let leave = Stmt {
        kind: StmtKind::If {
            condition: not(test),
            then: block(vec![repeats::leave(span)], span),
            otherwise: None,
        },
        span,
    };
    let at = body.span;
    let turn = std::mem::replace(&mut **body, tree::statement(integer(0, span)));
    **body = *block(vec![leave, turn], at);
    stmt
}
