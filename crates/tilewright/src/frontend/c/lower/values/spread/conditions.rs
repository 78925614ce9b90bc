//! What conditions say of what they compare.

use super::Spread;
use super::walk::{Known, Typed, Walk, integer};
use crate::frontend::c::lower::values::types;
use crate::scop::{BinaryOp, Expr, ScalarKind, UnaryOp};
use isl::{PwAff, Result, Val};

impl<'l> Walk<'_, 'l, '_> {
    /// What a condition says where it holds, or does not.
    pub(super) fn refine(
        &mut self,
        condition: &'l Expr,
        holds: bool,
        known: &mut Known,
    ) -> Result<()> {
        use BinaryOp::*;
        match condition {
            Expr::Unary(UnaryOp::Not, inner) => self.refine(inner, !holds, known),
            Expr::Cast(ctype, inner) if ctype.kind == ScalarKind::Bool => {
                self.refine(inner, holds, known)
            }
            Expr::Binary(op @ (And | Or), a, b) => {
                if (*op == And) == holds {
                    self.refine(a, holds, known)?;
                    self.refine(b, holds, known)?;
                }
                Ok(())
            }
            Expr::Binary(op, a, b) => {
                let op = match (op, holds) {
                    (op, true) => *op,
                    (Less, false) => GreaterEqual,
                    (LessEqual, false) => Greater,
                    (Greater, false) => LessEqual,
                    (GreaterEqual, false) => Less,
                    (NotEqual, false) => Equal,
                    _ => return Ok(()),
                };
                let turned = match op {
                    Less => Greater,
                    LessEqual => GreaterEqual,
                    Greater => Less,
                    GreaterEqual => LessEqual,
                    other => other,
                };
                let (left, right) = (self.value(a, known)?, self.value(b, known)?);
                self.compared(a, op, (&left, &right), known)?;
                self.compared(b, turned, (&right, &left), known)
            }
            _ => Ok(()),
        }
    }

    /// What a comparison says of its left side.
    fn compared(
        &mut self,
        side: &Expr,
        op: BinaryOp,
        ((of_side, own), (of_other, other)): (&Typed, &Typed),
        known: &mut Known,
    ) -> Result<()> {
        let here = &self.here;
        let Some((from, to)) = of_side.zip(*of_other) else {
            return Ok(());
        };
        let kind = from.common(to);
        if from.is_float() || to.is_float() || own.is_off() || other.is_off() {
            return Ok(());
        }
        let exact = |value: &Spread, from: ScalarKind| {
            Ok(types::contains(kind, from) || here.fits(value, kind)?)
        };
        let exact: Result<bool> = Ok(exact(own, from)? && Result::Ok(exact(other, to)?)?);
        if !exact? {
            return Ok(());
        }
        let add = |value: &Option<PwAff>, by: i64| {
            let by = Val::int_from_si(here.lowering.ctx, by)?;
            let sum = value.as_ref().map(|value| value.add_constant_val(&by));
            sum.transpose()
        };
        let (mut least, mut greatest) = match op {
            BinaryOp::Less => (None, add(&other.greatest, -1)?),
            BinaryOp::LessEqual => (None, other.greatest.clone()),
            BinaryOp::Greater => (add(&other.least, 1)?, None),
            BinaryOp::GreaterEqual => (other.least.clone(), None),
            BinaryOp::Equal => (other.least.clone(), other.greatest.clone()),
            _ => return Ok(()),
        };
        // What a number is added to, where that does not wrap around.
        let mut side = side;
        while let (Expr::Binary(sign @ (BinaryOp::Add | BinaryOp::Sub), inner, number), false) =
            (side, types::is_unsigned(from))
        {
            let number = match &**number {
                Expr::Literal(text) => integer(text).and_then(|(_, by)| i64::try_from(by).ok()),
                _ => None,
            };
            let Some(number) = number else { break };
            let by = if *sign == BinaryOp::Add {
                -number
            } else {
                number
            };
            (least, greatest) = (add(&least, by)?, add(&greatest, by)?);
            side = inner;
        }
        // What a conversion keeps.
        while let Expr::Cast(ctype, inner) = side {
            let inside = match &**inner {
                Expr::Local(name) => known.locals.get(name).and_then(|(kind, _)| *kind),
                Expr::Access(id) => {
                    let array = self.draft.accesses[*id].array;
                    Some(here.lowering.model.arrays[array].element.kind)
                }
                Expr::Cast(ctype, _) => Some(ctype.kind),
                _ => None,
            };
            if !inside.is_some_and(|inside| types::contains(ctype.kind, inside)) {
                return Ok(());
            }
            side = inner;
        }
        match side {
            Expr::Local(name) => {
                if let Some((_, value)) = known.locals.get_mut(name) {
                    *value = here.within(value, least.as_ref(), greatest.as_ref())?;
                }
            }
            Expr::Access(id) => {
                let [low, high] = known.reads.entry(*id).or_default();
                let own = here.between(low.take(), high.take());
                let own = here.within(&own, least.as_ref(), greatest.as_ref())?;
                (*low, *high) = (own.least, own.greatest);
            }
            _ => {}
        }
        Ok(())
    }
}
