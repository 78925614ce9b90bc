//! The lowest bits of values, which are affine whatever wraps around above them: law 5 of
//! [`crate::frontend::c::lower::values::conversion`]; and bits that a constant picks, sets or turns:
//! `x & ~7` where a row begins that is divisible by eight, `x | 1`, `x ^ 1`.
//!
//! In two's complement the lowest `k` bits of a value are its remainder by `2^k`, of negative values
//! too, and the others the value without it; `a | b` is `a + b - (a & b)` and `a ^ b` is
//! `a + b - 2 (a & b)`. So all of it is exact. Bits in the middle would be exact as well, with two
//! remainders, of which isl's sets take long.

use crate::frontend::c::lower::values::affine::{Affine, constant_of, constant_value};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{Lowering, NonAffine, Scope};
use crate::frontend::c::syntax::{Expr, ExprKind, Type};
use crate::scop::{BinaryOp, ScalarKind, UnaryOp};
use isl::{DimType, PwAff, Val};

/// Up to how much a regular remainder may change from one iteration to the next, in either
/// direction.
const MOST_TURNS: u64 = 64;

/// How many definitions are followed.
const DEPTH: usize = 8;

impl Lowering<'_> {
    /// `& mask` and unsigned `% 2^k` by the lowest bits of the other operand alone.
    pub(crate) fn masked(
        &self,
        scope: &Scope,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
    ) -> Affine<Option<PwAff>> {
        let kinds = (
            types::scalar_kind(self.unit, a),
            types::scalar_kind(self.unit, b),
        );
        let (Some(first), Some(second)) = kinds else {
            return Ok(None);
        };
        let count = |e: &Expr| match (&e.kind, op) {
            (ExprKind::Integer(mask, _), BinaryOp::BitAnd) => mask.checked_add(1),
            (ExprKind::Integer(divisor, _), BinaryOp::Rem)
                if types::is_unsigned(first.common(second)) =>
            {
                Some(*divisor)
            }
            _ => None,
        };
        let (other, modulus) = match (op, count(a), count(b)) {
            (BinaryOp::BitAnd | BinaryOp::Rem, _, Some(modulus)) => (a, modulus),
            (BinaryOp::BitAnd, Some(modulus), _) => (b, modulus),
            _ => return Ok(None),
        };
        if modulus <= 0 || modulus & (modulus - 1) != 0 {
            return Ok(None);
        }
        let bits = modulus.trailing_zeros();
        let value = self.residue(scope, other, bits)?;
        // Nothing changes a value that has no other bits, which keeps it one piece, and bounds of
        // loops near what there is.
        let depth = scope.loops.len();
        let outside = value
            .lt_set(&self.constant(depth, 0)?)?
            .union(&value.ge_set(&self.constant(depth, modulus)?)?)?;
        if self.possible(scope)?.intersect(&outside)?.is_empty()? {
            return Ok(Some(value));
        }
        self.is_regular(other, &value, modulus)?;
        Ok(Some(value.mod_val(&Val::int_from_si(self.ctx, modulus)?)?))
    }

    /// `a & b`, `a | b` or `a ^ b` with the operands' values, in `common`, the type of both; one of
    /// them is a constant with the lowest bits, or all others.
    ///
    /// # Errors
    /// That neither is such a constant.
    pub(crate) fn bits(
        &self,
        scope: &Scope,
        (expr, op): (&Expr, BinaryOp),
        (x, y): (PwAff, PwAff),
        common: ScalarKind,
    ) -> Affine<PwAff> {
        let not = |reason: String| Err(NonAffine::because(expr.span, reason));
        let constant = |value: &PwAff| -> isl::Result<Option<i64>> {
            match (constant_value(value)?, constant_of(value)?) {
                // All 64 bits but the lowest, as a signed number.
                (None, Some(large)) if common == ScalarKind::U64 && op == BinaryOp::BitAnd => {
                    let rest = Val::int_from_ui(self.ctx, u64::MAX)?.sub(&large)?;
                    let small = rest.is_nonneg()? && rest.cmp_si(i64::MAX)? <= 0;
                    Ok(if small {
                        Some(!rest.get_num_si()?)
                    } else {
                        None
                    })
                }
                (constant, _) => Ok(constant),
            }
        };
        let (mask, value) = match (constant(&x)?, constant(&y)?) {
            (_, Some(mask)) => (mask, x),
            (Some(mask), _) => (mask, y),
            _ => return not(format!("`{}` of what is not a number", op.spelling())),
        };
        let Some(picked) = self.picked(scope, expr, &value, mask, common)? else {
            return not(format!(
                "`{mask}` in `{} {mask}` is neither the lowest bits nor all others",
                op.spelling()
            ));
        };
        let sum = value.add(&self.constant(scope.loops.len(), mask)?)?;
        Ok(match op {
            BinaryOp::BitAnd => picked,
            BinaryOp::BitOr => sum.sub(&picked)?,
            _ => sum.sub(&picked.scale_val(&Val::int_from_si(self.ctx, 2)?)?)?,
        })
    }

    /// `value & mask`.
    fn picked(
        &self,
        scope: &Scope,
        expr: &Expr,
        value: &PwAff,
        mask: i64,
        common: ScalarKind,
    ) -> Affine<Option<PwAff>> {
        if mask == 0 {
            return Ok(Some(self.constant(scope.loops.len(), 0)?));
        }
        let rest = |by: i64| -> Affine<PwAff> {
            let rest = self.modulo(scope, value.clone(), by)?;
            if !rest.plain_is_equal(value)? {
                self.is_regular(expr, value, by)?;
            }
            Ok(rest)
        };
        // The lowest bits, or the others, of which an unsigned type has so many.
        let first = mask.checked_add(1);
        if let Some(count) = first.filter(|count| mask > 0 && mask & count == 0) {
            return rest(count).map(Some);
        }
        let from = mask.trailing_zeros();
        let all = if types::is_unsigned(common) && common.bytes() == 4 {
            i64::from(u32::MAX)
        } else {
            -1
        };
        if from > 62 || mask >> from != all >> from {
            return Ok(None);
        }
        let lowest = if from == 0 {
            self.constant(scope.loops.len(), 0)?
        } else {
            rest(1 << from)?
        };
        Ok(Some(value.clone().sub(&lowest)?))
    }

    /// That remainders and quotients of a value by a constant go up and down with the loops, as
    /// those of `3 * i` by 64 do. Those of hashes jump about: isl's sets of them are right, and
    /// nothing can be done with them in a lifetime.
    ///
    /// # Errors
    /// That they jump about.
    pub(crate) fn is_regular(&self, expr: &Expr, value: &PwAff, modulus: i64) -> Affine<()> {
        if value.n_piece()? != 1 || !value.isa_aff()? || modulus == 0 {
            return Ok(());
        }
        let aff = value.as_aff()?;
        let modulus = modulus.unsigned_abs();
        for kind in [DimType::In, DimType::Param] {
            for position in 0..aff.dim(kind)? {
                let factor = aff.get_coefficient_val(kind, position)?;
                let (num, den) = (factor.get_num_si()?, factor.get_den_si()?);
                let rest = num.unsigned_abs() % (modulus.saturating_mul(den.unsigned_abs()));
                let rest = rest.min(modulus.saturating_mul(den.unsigned_abs()) - rest);
                if rest > MOST_TURNS {
                    return Err(NonAffine::because(
                        expr.span,
                        "its remainders jump about, as those of a hash",
                    ));
                }
            }
        }
        Ok(())
    }

    /// A conversion to 8 or 16 bits by the lowest bits.
    pub(crate) fn low_bits(&self, scope: &Scope, expr: &Expr, to: ScalarKind) -> Affine<PwAff> {
        let depth = scope.loops.len();
        let bits = 8 * to.bytes() as u32;
        let value = self.residue(scope, expr, bits)?;
        let Some((least, greatest)) = types::narrow_range(to) else {
            return Err(NonAffine::because(expr.span, "not a narrow type"));
        };
        let (low, high) = (
            self.constant(depth, least)?,
            self.constant(depth, greatest)?,
        );
        let outside = value.lt_set(&low)?.union(&value.gt_set(&high)?)?;
        if self.possible(scope)?.intersect(&outside)?.is_empty()? {
            return Ok(value);
        }
        self.is_regular(expr, &value, 1 << bits)?;
        let modulus = Val::int_from_si(self.ctx, 1 << bits)?;
        Ok(value.sub(&low)?.mod_val(&modulus)?.add(&low)?)
    }

    /// A value that is the expression's modulo `2^bits`, where that is affine whatever wraps around
    /// on the way.
    ///
    /// # Errors
    /// The sub-expression that is not affine, and why.
    fn residue(&self, scope: &Scope, expr: &Expr, bits: u32) -> Affine<PwAff> {
        let kept = |e: &Expr| {
            let kind = types::scalar_kind(self.unit, e);
            // A truth has one bit, and that is not the lowest of what is converted to it.
            kind.is_some_and(|kind| {
                !kind.is_float() && kind != ScalarKind::Bool && 8 * kind.bytes() >= bits as usize
            })
        };
        // Sizes above all sizes are not what generated code computes with.
        if let Some(id) = self.params.find(expr) {
            if self.params.list[id].ctype.kind == ScalarKind::U64 {
                let value = self.affine(scope, expr)?;
                return self.convert(scope, expr, value, ScalarKind::I64);
            }
        }
        // A type that is too narrow loses bits that are asked for.
        if !kept(expr) || scope.following > DEPTH {
            return self.affine(scope, expr);
        }
        let of = |e: &Expr| self.residue(scope, e, bits);
        Ok(match &expr.kind {
            ExprKind::Unary(UnaryOp::Plus, a) => of(a)?,
            ExprKind::Unary(UnaryOp::Minus, a) => of(a)?.neg()?,
            ExprKind::Unary(UnaryOp::Complement, a) => {
                let one = self.constant(scope.loops.len(), 1)?;
                of(a)?.neg()?.sub(&one)?
            }
            ExprKind::Binary(BinaryOp::Add, a, b) => of(a)?.add(&of(b)?)?,
            ExprKind::Binary(BinaryOp::Sub, a, b) => of(a)?.sub(&of(b)?)?,
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (x, y) = (of(a)?, of(b)?);
                if !x.is_cst()? && !y.is_cst()? {
                    return self.affine(scope, expr);
                }
                x.mul(&y)?
            }
            ExprKind::Cast(Type::Scalar(_), a) if kept(a) => of(a)?,
            ExprKind::Name(symbol) => {
                let known = scope.position(*symbol).is_some();
                match self.facts.definition(self.unit, *symbol) {
                    Some(definition) if !known && kept(definition) => {
                        let mut inner = scope.clone();
                        inner.following += 1;
                        self.residue(&inner, definition, bits)?
                    }
                    _ => self.affine(scope, expr)?,
                }
            }
            _ => self.affine(scope, expr)?,
        })
    }
}
