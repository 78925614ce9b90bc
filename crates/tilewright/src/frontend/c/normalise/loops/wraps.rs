//! Unsigned counters that go down until they wrap around.
//!
//! `for (unsigned i = n - 1; i < n; i--)` comes to 0 and ends with the largest number there is, which
//! is not less than `n`. It runs `n` times: `for (unsigned k = n; k > 0; k--)` with `k - 1` in the
//! place of `i`, and from any other `first`, `first + 1` times if `first < n`.

use super::heads;
use super::inductions;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, ScalarKind};

/// Rewrites such loops where the counter is their own.
pub(in crate::frontend::c::normalise) fn count(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    tree::spread(statements, &mut |stmt| {
        let found = Wrapping::of(unit, number, &stmt);
        vec![match found {
            Some(found) => found.counted(unit, &stmt),
            None => stmt,
        }]
    });
}

/// `for (unsigned i = first; i < bound; i--)`
struct Wrapping {
    symbol: SymbolId,
    first: Expr,
    bound: Expr,
    body: Stmt,
}

impl Wrapping {
    fn of(unit: &Unit, number: usize, stmt: &Stmt) -> Option<Wrapping> {
        let StmtKind::For {
            init: Some(init),
            condition: Some(condition),
            step: Some(step),
            body,
        } = &stmt.kind
        else {
            return None;
        };
        let StmtKind::Declaration(symbol) = init.kind else {
            return None;
        };
        let ExprKind::Binary(BinaryOp::Less, left, bound) = &condition.kind else {
            return None;
        };
        let by = inductions::step(&tree::statement(step.clone()))?;
        let counts = left.kind == ExprKind::Name(symbol) && by.symbol == symbol;
        if !counts || by.constant() != Some(-1) {
            return None;
        }
        let kind = heads::counter(unit, number, symbol, body)?;
        if !matches!(kind, ScalarKind::U32 | ScalarKind::U64) {
            return None;
        }
        // The largest number is not less than the bound: it is compared in the counter's type.
        let compared = types::scalar_kind(unit, bound).filter(|kind| !kind.is_float())?;
        let narrow = compared.promoted().bytes() <= kind.bytes();
        let first = unit.symbols[symbol].initialiser.clone()?;
        let fixed = narrow && tree::is_pure(&first) && dead::stays(unit, number, bound, stmt);
        fixed.then(|| Wrapping {
            symbol,
            first,
            bound: (**bound).clone(),
            body: (**body).clone(),
        })
    }

    /// How often the loop runs.
    fn turns(&self, unit: &Unit) -> Expr {
        let span = self.first.span;
        let held = unit.symbols[self.symbol].ctype.clone();
        // From the last one before the bound on, there is nothing to compare.
        if let ExprKind::Binary(BinaryOp::Sub, all, one) = &self.first.kind
            && matches!(one.kind, ExprKind::Integer(1, _))
            && visit::same(all, &self.bound)
            && is_as_wide(unit, all, &held)
        {
            return build::expression(ExprKind::Cast(held, all.clone()), span);
        }
        let first = build::expression(
            ExprKind::Cast(held.clone(), Box::new(self.first.clone())),
            span,
        );
        let begins = build::binary(BinaryOp::Less, first.clone(), self.bound.clone());
        let one = build::expression(
            ExprKind::Cast(held.clone(), Box::new(build::integer(1, span))),
            span,
        );
        let none = build::expression(
            ExprKind::Cast(held, Box::new(build::integer(0, span))),
            span,
        );
        let turns = build::binary(BinaryOp::Add, first, one);
        build::expression(
            ExprKind::Conditional(Box::new(begins), Box::new(turns), Box::new(none)),
            span,
        )
    }

    fn counted(self, unit: &mut Unit, stmt: &Stmt) -> Stmt {
        let (span, symbol) = (self.first.span, self.symbol);
        let turns = self.turns(unit);
        unit.symbols[symbol].initialiser = Some(turns);
        let counter = || build::name(symbol, span);
        let value = build::binary(BinaryOp::Sub, counter(), build::integer(1, span));
        let mut body = self.body;
        tree::replace(&mut unit.symbols, &mut body, symbol, &value);
        let step = ExprKind::Increment {
            target: Box::new(counter()),
            by: -1,
            postfix: true,
        };
        Stmt {
            kind: StmtKind::For {
                init: Some(Box::new(build::declaration(symbol, span))),
                condition: Some(build::binary(
                    BinaryOp::Greater,
                    counter(),
                    build::integer(0, span),
                )),
                step: Some(build::expression(step, span)),
                body: Box::new(body),
            },
            span: stmt.span,
        }
    }
}

/// Whether a number is of the type that the counter has, or of a signed one of its size: what is one
/// less than 0 is the largest number then.
fn is_as_wide(unit: &Unit, number: &Expr, held: &Type) -> bool {
    let kind = types::scalar_kind(unit, number).map(ScalarKind::promoted);
    match (kind, held) {
        (Some(kind), Type::Scalar(held)) => kind.bytes() == held.kind.bytes(),
        _ => false,
    }
}
