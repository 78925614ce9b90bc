//! Loops whose turns decide when they end: as `while` loops, which lowering makes a step of one
//! statement, as pet encapsulates what is not affine (Verdoolaege and Grosser, 'Polyhedral extraction
//! tool', IMPACT 2012, section 5).
//!
//! `do body while (c);` becomes `while (1) { body if (!c) break; }`, and `for (a; b; c) body`, which
//! `break` leaves or whose head does not count, `{ a; while (b) { body c; } }`.

use super::inductions;
use super::jumps::continues;
use crate::frontend::c::lower::loops::turns;
use crate::frontend::c::lower::surroundings::{changes, facts, visit};
use crate::frontend::c::normalise::build::{block, integer, not};
use crate::frontend::c::normalise::tree;
use crate::frontend::c::parse::constant;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Unit};
use crate::scop::BinaryOp;
use crate::source::Span;

/// Makes `while` loops of `do` loops.
pub(in crate::frontend::c::normalise) fn unfold(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    for stmt in statements {
        tree::statements_mut(stmt, &mut |stmt| {
            if let StmtKind::Block(list) = &stmt.kind
                && let [first, body, last] = &list[..]
                && first.kind == StmtKind::Unsupported("do")
                && let StmtKind::Expression(condition) = &last.kind
                && let Some(mut turn) = continues::without(unit, number, body)
            {
                turn.push(Stmt {
                    kind: StmtKind::If {
                        condition: not(condition.clone()),
                        then: block(vec![leave(last.span)], last.span),
                        otherwise: None,
                    },
                    span: last.span,
                });
                stmt.kind = StmtKind::While {
                    condition: integer(1, condition.span),
                    body: block(turn, body.span),
                };
            }
        });
    }
}

/// `break`
pub(in crate::frontend::c::normalise) fn leave(span: Span) -> Stmt {
    Stmt {
        kind: StmtKind::Unsupported("break"),
        span,
    }
}

/// Makes `while` loops of `for` loops that do not count, and of those inside them.
pub(in crate::frontend::c::normalise) fn whiles(
    unit: &mut Unit,
    _: usize,
    statements: &mut Vec<Stmt>,
) {
    for stmt in statements {
        inside(unit, stmt, false);
    }
}

/// The same below a statement; `around`: a loop that counts is around it.
fn inside(unit: &Unit, stmt: &mut Stmt, around: bool) {
    match &mut stmt.kind {
        StmtKind::Block(list) => list.iter_mut().for_each(|s| inside(unit, s, around)),
        StmtKind::If {
            then, otherwise, ..
        } => {
            inside(unit, then, around);
            if let Some(otherwise) = otherwise {
                inside(unit, otherwise, around);
            }
        }
        StmtKind::For { .. } | StmtKind::While { .. } => {
            let counts = match &stmt.kind {
                StmtKind::While { condition, body } => turns::counts(condition, body),
                _ => counts(unit, stmt),
            };
            if !counts && turns::is_step(stmt, around) && is_rewritten(stmt) {
                tree::statements_mut(stmt, &mut rewrite);
            } else if let StmtKind::For { body, .. } | StmtKind::While { body, .. } = &mut stmt.kind
            {
                inside(unit, body, around || counts);
            }
        }
        _ => {}
    }
}

/// Whether all `for` loops in a statement have a form as `while` loops.
fn is_rewritten(stmt: &Stmt) -> bool {
    let mut rewritten = true;
    visit::statements(stmt, &mut |s| {
        if let StmtKind::For { body, .. } = &s.kind {
            rewritten &= !continues::CONTINUE.is_in(body);
        }
    });
    rewritten
}

/// `{ init; while (condition) { body step; } }`
pub(in crate::frontend::c::normalise) fn rewrite(stmt: &mut Stmt) {
    let span = stmt.span;
    let kind = std::mem::replace(&mut stmt.kind, StmtKind::Empty);
    stmt.kind = match kind {
        StmtKind::For {
            init,
            condition,
            step,
            body,
        } => {
            let mut turn = vec![*body];
            turn.extend(step.map(tree::statement));
            let condition = condition.unwrap_or_else(|| integer(1, span));
            let mut list: Vec<Stmt> = match init.map(|init| *init) {
                // Several variables.
                Some(Stmt {
                    kind: StmtKind::Block(list),
                    ..
                }) => list,
                init => init.into_iter().collect(),
            };
            list.push(Stmt {
                kind: StmtKind::While {
                    condition,
                    body: block(turn, span),
                },
                span,
            });
            StmtKind::Block(list)
        }
        other => other,
    };
}

/// Whether the head of a `for` loop alone says how often it runs, as far as its form tells.
pub(in crate::frontend::c::normalise) fn counts(unit: &Unit, stmt: &Stmt) -> bool {
    let StmtKind::For {
        condition: Some(condition),
        step,
        body,
        ..
    } = &stmt.kind
    else {
        return false;
    };
    if turns::is_left(body) {
        return false;
    }
    // Heads that other passes know: steps in conditions or in bodies, and more than one variable.
    let Some(step) = step else {
        return !tree::is_pure(condition) || turns::counts(condition, body);
    };
    if matches!(step.kind, ExprKind::Comma(_)) {
        return true;
    }
    let Some(step) = inductions::step(&tree::statement(step.clone())) else {
        return false;
    };
    let symbol = step.symbol;
    let changed = changed(unit, body);
    let integer = facts::integer_kind(unit, symbol).is_some();
    integer
        && constant::value(&step.by).is_some_and(|by| by != 0)
        && !changed.contains(&symbol)
        && is_linear(condition, symbol)
        && !changes::names(condition)
            .iter()
            .any(|name| changed.contains(name))
}

/// The variables that a statement changes as a whole, or may through a pointer.
fn changed(unit: &Unit, stmt: &Stmt) -> Vec<SymbolId> {
    let mut found = Vec::new();
    visit::expressions(unit, stmt, &mut |top| {
        visit::walk(top, &mut |e| {
            let place = match &e.kind {
                ExprKind::AddressOf(place) => Some(&**place),
                _ => facts::target(e),
            };
            if let Some(ExprKind::Name(symbol)) = place.map(|place| &place.kind) {
                found.push(*symbol);
            }
        });
    });
    found
}

/// Whether a condition compares sums with multiples of a variable.
fn is_linear(expr: &Expr, symbol: SymbolId) -> bool {
    if !visit::mentions(expr, symbol) {
        return true;
    }
    let both = |a: &Expr, b: &Expr| is_linear(a, symbol) && is_linear(b, symbol);
    match &expr.kind {
        ExprKind::Name(_) => true,
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => is_linear(a, symbol),
        ExprKind::Binary(BinaryOp::Mul, a, b) => {
            both(a, b) && !(visit::mentions(a, symbol) && visit::mentions(b, symbol))
        }
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => {
            is_linear(a, symbol) && !visit::mentions(b, symbol)
        }
        ExprKind::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, a, b) => {
            is_linear(a, symbol) && !visit::mentions(b, symbol)
        }
        ExprKind::Binary(_, a, b) => both(a, b),
        ExprKind::Conditional(a, b, c) => both(a, b) && is_linear(c, symbol),
        _ => false,
    }
}
