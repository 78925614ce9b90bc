//! Quotients and remainders by what is not constant, `(i + 1) % n`: affine in two pieces where the
//! domain says that the dividend reaches the divisor once at most, as around a ring.

use crate::frontend::c::lower::{Lowering, Scope};
use isl::{PwAff, Val};

impl Lowering<'_> {
    /// C's `x / y`, or `x % y`, where `-y < x < 2y` holds throughout; `None` elsewhere.
    pub(crate) fn wrapped(
        &self,
        scope: &Scope,
        remainder: bool,
        x: &PwAff,
        y: &PwAff,
    ) -> isl::Result<Option<PwAff>> {
        let depth = scope.loops.len();
        let (zero, one) = (self.constant(depth, 0)?, self.constant(depth, 1)?);
        let twice = y.scale_val(&Val::int_from_si(self.ctx, 2)?)?;
        let far = x.ge_set(&twice)?.union(&x.le_set(&y.neg()?)?)?;
        let other = far.union(&y.le_set(&zero)?)?;
        if !self.apart(&scope.domain, &other)? {
            return Ok(None);
        }
        let (behind, before) = match remainder {
            true => (x.sub(y)?, x.clone()),
            false => (one, zero),
        };
        let reached = x.ge_set(y)?;
        if self.apart(&scope.domain, &reached)? {
            return Ok(Some(before));
        }
        if self.apart(&scope.domain, &x.lt_set(y)?)? {
            return Ok(Some(behind));
        }
        let value = reached.indicator_function()?.cond(&behind, &before)?;
        Ok(Some(value.coalesce()?))
    }
}
