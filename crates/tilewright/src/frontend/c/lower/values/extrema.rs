//! Bounds that are minima or maxima, taken apart.

use crate::frontend::c::lower::Lowering;
use crate::frontend::c::lower::calls::extremum;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Unit};
use crate::scop::{BinaryOp, ScalarKind};

impl Lowering<'_> {
    /// The operands of a minimum, or of a maximum, where C converts none of them on the way to the
    /// whole (and, if it is given, to the type `to`); anything else by itself.
    pub(crate) fn extremum<'e>(
        &self,
        value: &'e Expr,
        smallest: bool,
        to: Option<ScalarKind>,
    ) -> Vec<&'e Expr> {
        let parts = extremum(self.unit, value, smallest);
        let mut kinds = Vec::new();
        for part in &parts {
            match types::scalar_kind(self.unit, part) {
                Some(kind) => kinds.push(kind),
                None => return vec![value],
            }
        }
        let common = kinds.iter().copied().reduce(ScalarKind::common);
        let kept = |to: ScalarKind| {
            parts.iter().zip(&kinds).all(|(part, kind)| {
                let positive = matches!(part.kind, ExprKind::Integer(value, _) if value >= 0);
                positive || types::contains(to, *kind)
            })
        };
        // To what a function converts them is not known.
        let mut called = false;
        visit::walk(value, &mut |e| {
            called |= matches!(e.kind, ExprKind::Call(..))
        });
        let fits =
            |part: &&Expr| match types::scalar_kind(self.unit, part).map(ScalarKind::promoted) {
                Some(ScalarKind::I32) => true,
                // Of a large one an `int` is less.
                Some(ScalarKind::U32) => smallest,
                _ => false,
            };
        if called && !parts.iter().all(fits) {
            return vec![value];
        }
        match common.is_some_and(kept) && to.is_none_or(kept) {
            true => parts,
            false => vec![value],
        }
    }
}

/// The operands of a minimum, or of a maximum; anything else by itself.
fn extremum<'e>(unit: &Unit, value: &'e Expr, smallest: bool) -> Vec<&'e Expr> {
    let both = |a, b| {
        let mut found = extremum(unit, a, smallest);
        found.extend(extremum(unit, b, smallest));
        found
    };
    match &value.kind {
        ExprKind::Call(name, arguments) => match arguments.as_slice() {
            [a, b] if extremum::extremum(unit, name) == Some(!smallest) => both(a, b),
            _ => vec![value],
        },
        ExprKind::Conditional(c, a, b) => {
            use BinaryOp::*;
            let ExprKind::Binary(op, x, y) = &c.kind else {
                return vec![value];
            };
            let straight = visit::same(x, a) && visit::same(y, b);
            let crossed = visit::same(x, b) && visit::same(y, a);
            let least = match op {
                Less | LessEqual => straight,
                Greater | GreaterEqual => crossed,
                _ => return vec![value],
            };
            if !(straight || crossed) || least != smallest {
                return vec![value];
            }
            both(a, b)
        }
        _ => vec![value],
    }
}
