//! Conversions between integer types: what C does, or why it would change the value.

use super::affine::Affine;
use super::{Lowering, NonAffine, Scope, types};
use crate::frontend::c::syntax::Expr;
use crate::frontend::c::types as ctext;
use crate::scop::ScalarKind;
use isl::PwAff;

impl Lowering<'_> {
    /// Converts a value to an integer type.
    pub(super) fn convert(
        &self,
        scope: &Scope,
        expr: &Expr,
        value: PwAff,
        to: ScalarKind,
    ) -> Affine<PwAff> {
        if to == ScalarKind::Bool {
            return Ok(value.non_zero_set()?.indicator_function()?);
        }
        let depth = scope.loops.len();
        if let Some((least, greatest)) = types::narrow_range(to) {
            let below = value.lt_set(&self.constant(depth, least)?)?;
            let above = value.gt_set(&self.constant(depth, greatest)?)?;
            let outside = below
                .union(&above)?
                .intersect(&self.assumed(&scope.domain)?)?;
            if !outside.is_empty()? {
                return Err(NonAffine::because(
                    expr.span,
                    "the value may not fit the narrow type",
                ));
            }
        } else if types::is_unsigned(to) {
            self.require_nonnegative(scope, expr, &value)?;
        }
        Ok(value)
    }

    /// A value whose C type is unsigned must not be negative, or it would wrap around.
    pub(super) fn no_wrap(&self, scope: &Scope, expr: &Expr, value: PwAff) -> Affine<PwAff> {
        if types::scalar_kind(self.unit, expr).is_some_and(types::is_unsigned) {
            self.require_nonnegative(scope, expr, &value)?;
        }
        Ok(value)
    }

    /// Where C converts operands to an unsigned type, they must not be negative.
    pub(super) fn operands_nonnegative(
        &self,
        scope: &Scope,
        operands: &[(&Expr, &PwAff); 2],
    ) -> Affine<()> {
        let kinds = operands.map(|(e, _)| types::scalar_kind(self.unit, e));
        if let [Some(a), Some(b)] = kinds {
            if types::is_unsigned(a.common(b)) {
                for (operand, value) in operands {
                    self.require_nonnegative(scope, operand, value)?;
                }
            }
        }
        Ok(())
    }

    /// Proves that `value` is not negative on the domain, or assumes it of the parameters where
    /// that can be compared when the program runs.
    pub(super) fn require_nonnegative(
        &self,
        scope: &Scope,
        expr: &Expr,
        value: &PwAff,
    ) -> Affine<()> {
        let negative = value.lt_set(&self.constant(scope.loops.len(), 0)?)?;
        let bad = negative.intersect(&self.assumed(&scope.domain)?)?;
        if bad.is_empty()? {
            return Ok(());
        }
        let text = ctext::expression(expr, &self.unit.symbols);
        let good = bad.params()?.complement()?;
        let why = format!("`{text}` does not wrap around");
        if !self.assume_at_run_time(expr.span, why, &good)? {
            return Err(NonAffine::because(
                expr.span,
                format!("`{text}` has an unsigned type, and wraps around where it is negative"),
            ));
        }
        Ok(())
    }
}
