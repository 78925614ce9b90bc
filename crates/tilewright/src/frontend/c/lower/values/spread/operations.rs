//! What C's operators make of what is known of integers.

use super::walk::{Typed, Walk};
use super::{By, Spread};
use crate::frontend::c::lower::calls::extremum;
use crate::frontend::c::lower::values::affine::constant_value;
use crate::frontend::c::lower::values::interval;
use crate::frontend::c::lower::values::polynomial::Polynomial;
use crate::frontend::c::lower::values::types;
use crate::scop::{BinaryOp, CheckKind, ScalarKind};
use isl::{PwAff, Result, Val};

impl Walk<'_, '_, '_> {
    /// What a call gives back: a minimum or maximum of `int`s, or what a function of the file may.
    pub(super) fn called(&self, name: &str, values: &[Typed]) -> Result<Typed> {
        let of_file = || match interval::returned(self.here.lowering.unit, name) {
            Some((kind, ends)) if types::range(kind) == Some(ends) => {
                Ok((Some(kind), self.here.of_type(Some(kind))?))
            }
            Some((kind, (least, greatest))) => {
                Ok((Some(kind), self.here.numbers(least, greatest)?))
            }
            None => Ok((None, Spread::default())),
        };
        let is_int =
            |kind: &Option<ScalarKind>| kind.is_some_and(|kind| kind.promoted() == ScalarKind::I32);
        let (Some(greater), [(a, one), (b, other)]) =
            (extremum::extremum(self.here.lowering.unit, name), values)
        else {
            return of_file();
        };
        if !is_int(a) || !is_int(b) || one.is_off() || other.is_off() {
            return of_file();
        }
        let pair = |a: &Option<PwAff>, b: &Option<PwAff>| a.clone().zip(b.clone());
        let one_of = |a: &Option<PwAff>, b: &Option<PwAff>| a.clone().or(b.clone());
        let (least, greatest) = match greater {
            true => (
                match pair(&one.least, &other.least) {
                    Some((a, b)) => Some(a.max(&b)?),
                    None => one_of(&one.least, &other.least),
                },
                match pair(&one.greatest, &other.greatest) {
                    Some((a, b)) => Some(a.max(&b)?),
                    None => None,
                },
            ),
            false => (
                match pair(&one.least, &other.least) {
                    Some((a, b)) => Some(a.min(&b)?),
                    None => None,
                },
                match pair(&one.greatest, &other.greatest) {
                    Some((a, b)) => Some(a.min(&b)?),
                    None => one_of(&one.greatest, &other.greatest),
                },
            ),
        };
        Ok((Some(ScalarKind::I32), self.here.between(least, greatest)))
    }

    /// What an operator with two operands computes.
    pub(super) fn operation(&self, op: BinaryOp, left: Typed, right: Typed) -> Result<Typed> {
        use BinaryOp::*;
        let here = &self.here;
        let ((from, a), (of_b, b)) = (left, right);
        if matches!(
            op,
            Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual
        ) {
            return Ok((Some(ScalarKind::I32), here.numbers(0, 1)?));
        }
        let Some((from, of_b)) = from.zip(of_b) else {
            return Ok((None, Spread::default()));
        };
        let shift = matches!(op, ShiftLeft | ShiftRight);
        let kind = match shift {
            true => from.promoted(),
            false => from.common(of_b),
        };
        if kind.is_float() || from.is_float() || of_b.is_float() {
            return Ok((Some(kind), Spread::default()));
        }
        let a = here.converted(a, Some(from), kind)?;
        let b = match shift {
            true => b,
            false => here.converted(b, Some(of_b), kind)?,
        };
        let near = !a.is_off() && a.range().is_some() && number(&b)?.is_some();
        let computed = match op {
            ShiftRight | Div if !near => self.computed(op, &a, &b, kind)?,
            _ => None,
        };
        let value = match op {
            Add => Some(here.sum(&a, &b)?),
            Sub => Some(here.sum(&a, &here.scaled(&b, -1)?)?),
            Mul => match (self.size(&a)?, self.size(&b)?) {
                (Some(size), _) if size.degree() == 0 => Some(here.times(&b, &size)?),
                (_, Some(size)) => Some(here.times(&a, &size)?),
                (Some(size), None) => Some(here.times(&b, &size)?),
                (None, None) => None,
            },
            ShiftLeft => match number(&b)? {
                // What bits are shifted into the sign is what compilers give, too.
                Some(by) if (0..32).contains(&by) => {
                    let shifted = here.scaled(&a, 1 << by)?;
                    let signed = matches!(kind, ScalarKind::I32 | ScalarKind::I64);
                    let fits = !signed || here.fits(&shifted, kind)?;
                    let fits = fits || self.is_taken_to_fit(&shifted, kind)?;
                    Some(shifted).filter(|_| fits)
                }
                _ => None,
            },
            Rem if !a.is_off() && self.is_positive(&b)? => self.remainder(&a, &b)?,
            _ if computed.is_some() => computed,
            _ if a.is_off() || b.is_off() => None,
            ShiftRight => match number(&b)? {
                Some(by) if (0..63).contains(&by) => Some(self.quotient(&a, 1 << by, true)?),
                _ => None,
            },
            Div => match number(&b)? {
                Some(by) if by > 0 => Some(self.quotient(&a, by, false)?),
                _ => None,
            },
            Rem => self.remainder(&a, &b)?,
            BitAnd => match (here.at_least(&a, 0)?, here.at_least(&b, 0)?) {
                (false, false) => None,
                (first, second) => {
                    let zero = here.number(0)?;
                    let both = (a.greatest.filter(|_| first), b.greatest.filter(|_| second));
                    // The one that is a number, if one is.
                    let greatest = match both {
                        (Some(a), Some(b)) if constant_value(&b)?.is_none() => {
                            Some(if constant_value(&a)?.is_some() { a } else { b })
                        }
                        (a, b) => b.or(a),
                    };
                    Some(here.between(zero, greatest))
                }
            },
            _ => None,
        };
        let value = match value {
            Some(value) => here.result(value, kind)?,
            None => here.of_type(Some(kind))?,
        };
        Ok((Some(kind), value))
    }

    /// A sum divided by a size, or one of which only the program knows where it ends.
    fn computed(
        &self,
        op: BinaryOp,
        sum: &Spread,
        by: &Spread,
        kind: ScalarKind,
    ) -> Result<Option<Spread>> {
        let by = match (op, number(by)?) {
            (BinaryOp::ShiftRight, Some(by)) if (0..8 * kind.bytes() as i64 - 1).contains(&by) => {
                u32::try_from(by).ok().map(By::Shift)
            }
            (BinaryOp::Div, _) => match self.size(by)? {
                Some(size) => Some(By::Size(size)),
                None => by.size()?.map(By::Size),
            },
            _ => None,
        };
        match by {
            Some(by) => self.here.computed(sum, kind, by),
            None => Ok(None),
        }
    }

    /// A value divided by a number: towards 0, or down.
    fn quotient(&self, a: &Spread, by: i64, down: bool) -> Result<Spread> {
        let divisor = Val::int_from_si(self.here.lowering.ctx, by)?;
        let one = Val::one(self.here.lowering.ctx)?;
        let positive = down || self.here.at_least(a, 0)?;
        let divided = |value: &PwAff| value.scale_down_val(&divisor)?.floor();
        let least = a.least.as_ref().map(divided).transpose()?;
        let greatest = a.greatest.as_ref().map(divided).transpose()?;
        let greatest = match greatest {
            Some(greatest) if !positive => Some(greatest.add_constant_val(&one)?),
            other => other,
        };
        Ok(self.here.between(least, greatest))
    }

    /// Whether a size that was converted to an unsigned type is not negative; that is compared when the
    /// program runs.
    fn is_positive(&self, size: &Spread) -> Result<bool> {
        let ends = size.least.as_ref().zip(size.greatest.as_ref());
        let Some((least, _)) = ends.filter(|_| size.is_off()) else {
            return Ok(false);
        };
        let Some(name) = self.size(size)? else {
            return Ok(false);
        };
        let lowering = self.here.lowering;
        let zero = lowering.constant(self.here.depth, 0)?;
        let good = least.ge_set(&zero)?.params()?;
        let why = format!("`{}` is not negative", name.text(&lowering.params));
        lowering.assume_at_run_time(CheckKind::Wrap, self.draft.span, why, &good)
    }

    /// Whether a size is a value of a type, which is compared when the program runs.
    fn is_taken_to_fit(&self, size: &Spread, kind: ScalarKind) -> Result<bool> {
        let ends = size.least.as_ref().zip(types::range(kind));
        let (Some(name), Some((value, (least, greatest)))) = (self.size(size)?, ends) else {
            return Ok(false);
        };
        let (Some(least), Some(greatest)) = (self.here.number(least)?, self.here.number(greatest)?)
        else {
            return Ok(false);
        };
        let lowering = self.here.lowering;
        let good = value.ge_set(&least)?.intersect(&value.le_set(&greatest)?)?;
        let why = format!("`{}` does not overflow", name.text(&lowering.params));
        let good = good.params()?;
        let usual = !size.is_off() && lowering.leaves_usual_sizes(&good)?;
        Ok(usual && lowering.assume_at_run_time(CheckKind::Wrap, self.draft.span, why, &good)?)
    }

    fn remainder(&self, a: &Spread, b: &Spread) -> Result<Option<Spread>> {
        let here = &self.here;
        let ends = b.least.as_ref().zip(b.greatest.as_ref());
        let Some((least, greatest)) = ends else {
            return Ok(None);
        };
        let divisor = match b.is_off() || here.at_least(b, 0)? {
            true => greatest.clone(),
            false => greatest.max(&least.neg()?)?,
        };
        let one = Val::int_from_si(here.lowering.ctx, -1)?;
        let most = divisor.add_constant_val(&one)?.coalesce()?;
        let least = match here.at_least(a, 0)? {
            true => here.number(0)?,
            false => Some(most.neg()?),
        };
        Ok(Some(here.between(least, Some(most))))
    }

    /// A value that is free of loop variables, as a polynomial.
    fn size(&self, value: &Spread) -> Result<Option<Polynomial>> {
        let ends = value.least.as_ref().zip(value.greatest.as_ref());
        let Some((least, greatest)) = ends else {
            return Ok(None);
        };
        if !least.plain_is_equal(greatest)? {
            return Ok(None);
        }
        Polynomial::of(least)
    }
}

/// The value where it is a number.
fn number(value: &Spread) -> Result<Option<i64>> {
    let Some((least, greatest)) = value.range() else {
        return Ok(None);
    };
    let least = constant_value(least)?;
    Ok(least.filter(|_| constant_value(greatest).is_ok_and(|other| other == least)))
}
