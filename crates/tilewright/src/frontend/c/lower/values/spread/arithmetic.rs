//! Sums, products and conversions of what is known of integers.

use super::{By, End, MOST_CASES, Part, Spread, Wraps};
use crate::frontend::c::lower::Lowering;
use crate::frontend::c::lower::memory::apart::far;
use crate::frontend::c::lower::values::affine::constant_value;
use crate::frontend::c::lower::values::polynomial::Polynomial;
use crate::frontend::c::lower::values::types;
use crate::scop::ScalarKind;
use isl::{PwAff, Result, Set, Val};

/// Where values are asked for: the instances for which something is computed.
pub(super) struct Here<'l, 'u> {
    pub lowering: &'l Lowering<'u>,
    pub depth: usize,
    /// Under what is assumed of parameters, and what their types say.
    pub domain: Set,
}

impl Here<'_, '_> {
    pub fn number(&self, value: i128) -> Result<Option<PwAff>> {
        let value = i64::try_from(value).ok();
        let value = value.map(|value| self.lowering.constant(self.depth, value));
        value.transpose()
    }

    /// A value that is known.
    pub fn exactly(&self, value: PwAff) -> Spread {
        self.between(Some(value.clone()), Some(value))
    }

    /// A value between two ends, of which each may be unknown.
    pub fn between(&self, least: Option<PwAff>, greatest: Option<PwAff>) -> Spread {
        let few = |value: &PwAff| value.n_piece().is_ok_and(|n| n <= MOST_CASES);
        let (least, greatest) = (least.filter(few), greatest.filter(few));
        let near = |end: &&PwAff| !far(end).unwrap_or(true);
        let parts = least
            .as_ref()
            .filter(near)
            .zip(greatest.as_ref().filter(near));
        let parts = parts.map(|(least, greatest)| {
            vec![Part {
                stride: Polynomial::constant(1),
                negative: false,
                least: End::At(least.clone()),
                greatest: End::At(greatest.clone()),
            }]
        });
        Spread {
            least,
            greatest,
            parts,
            wraps: Wraps::Never,
        }
    }

    pub fn numbers(&self, least: i128, greatest: i128) -> Result<Spread> {
        Ok(self.between(self.number(least)?, self.number(greatest)?))
    }

    /// All that a type says. What has all values of `int` or more is not bounded by it.
    pub fn of_type(&self, kind: Option<ScalarKind>) -> Result<Spread> {
        let Some((least, greatest)) = kind.and_then(types::range) else {
            return Ok(Spread::default());
        };
        let wide = kind.is_some_and(|kind| kind.bytes() == 8);
        let least = if wide && least < 0 {
            None
        } else {
            self.number(least)?
        };
        let greatest = if wide { None } else { self.number(greatest)? };
        Ok(self.between(least, greatest))
    }

    /// Whether it is never below a number here.
    pub fn at_least(&self, value: &Spread, least: i128) -> Result<bool> {
        let (Some(own), Some(least)) = (&value.least, self.number(least)?) else {
            return Ok(false);
        };
        Ok(value.wraps == Wraps::Never
            && own.lt_set(&least)?.intersect(&self.domain)?.is_empty()?)
    }

    /// Whether it is never above a number here.
    pub fn at_most(&self, value: &Spread, greatest: i128) -> Result<bool> {
        let (Some(own), Some(greatest)) = (&value.greatest, self.number(greatest)?) else {
            return Ok(false);
        };
        Ok(value.wraps == Wraps::Never
            && own.gt_set(&greatest)?.intersect(&self.domain)?.is_empty()?)
    }

    /// Whether it is a value of a type here.
    pub fn fits(&self, value: &Spread, kind: ScalarKind) -> Result<bool> {
        let Some((least, greatest)) = types::range(kind) else {
            return Ok(false);
        };
        let greatest = greatest.min(i64::MAX.into());
        Ok(self.at_least(value, least)? && self.at_most(value, greatest)?)
    }

    /// A value after a conversion.
    pub fn converted(
        &self,
        value: Spread,
        from: Option<ScalarKind>,
        to: ScalarKind,
    ) -> Result<Spread> {
        let Some(from) = from.filter(|from| !from.is_float()) else {
            return self.of_type(Some(to));
        };
        if to.is_float() {
            return Ok(Spread::default());
        }
        if to == ScalarKind::Bool {
            return self.numbers(0, 1);
        }
        // What wraps around in 32 bits does so no more in more bits.
        if value.wraps == Wraps::At32 && to != ScalarKind::U32 {
            if to.bytes() > 4
                && let Some(sum) = self.computed(&value, from, By::One)?
            {
                return Ok(sum);
            }
            return self.of_type(Some(if to.bytes() > 4 { from } else { to }));
        }
        if value.wraps == Wraps::Never && types::contains(to, from) {
            return Ok(value);
        }
        if self.fits(&value, to)? || to == ScalarKind::U64 && self.at_least(&value, 0)? {
            return Ok(value);
        }
        match to {
            ScalarKind::I64 | ScalarKind::U64 => Ok(value.wrapping(Wraps::At64)),
            ScalarKind::U32 => Ok(value.wrapping(Wraps::At32)),
            _ => self.of_type(Some(to)),
        }
    }

    /// What an operator of this type makes of a sum or a product.
    pub fn result(&self, value: Spread, kind: ScalarKind) -> Result<Spread> {
        match kind {
            // Whatever overflows has no meaning.
            ScalarKind::I32 | ScalarKind::I64 => Ok(value),
            _ if self.fits(&value, kind)? => Ok(value),
            ScalarKind::U64 => Ok(value.wrapping(Wraps::At64)),
            ScalarKind::U32 => Ok(value.wrapping(Wraps::At32)),
            _ => self.of_type(Some(kind)),
        }
    }

    pub fn sum(&self, a: &Spread, b: &Spread) -> Result<Spread> {
        let add = |a: &Option<PwAff>, b: &Option<PwAff>| match (a, b) {
            (Some(a), Some(b)) => Ok(Some(a.add(b)?)),
            _ => Result::Ok(None),
        };
        let mut sum = self.between(add(&a.least, &b.least)?, add(&a.greatest, &b.greatest)?);
        sum.wraps = a.wraps.max(b.wraps);
        if sum.parts.is_none() || a.has_data() || b.has_data() {
            sum.parts = match (&a.parts, &b.parts) {
                (Some(a), Some(b)) => Some([a.as_slice(), b].concat()),
                _ => None,
            };
        }
        Ok(sum)
    }

    /// A sum that has been computed one summand after the other.
    pub fn counted(&self, value: Spread, kind: ScalarKind) -> Spread {
        match kind {
            ScalarKind::U32 => value.wrapping(Wraps::At32),
            ScalarKind::U64 => value.wrapping(Wraps::At64),
            _ => value,
        }
    }

    /// Whether it is not negative in any of some instances.
    pub fn is_never_negative(&self, value: &Spread, domain: &Set) -> Result<bool> {
        let Some(least) = value.least.as_ref().filter(|_| !value.is_off()) else {
            return Ok(false);
        };
        let least = least.intersect_domain(domain)?.min_val()?;
        Ok(least.to_i64().is_some_and(|least| least >= 0))
    }

    /// A value that grows from this on, nobody knows how far: what it is compared with says that. Signed
    /// integers do not wrap around.
    pub fn growing(&self, value: Spread, kind: ScalarKind) -> Result<Spread> {
        if types::is_unsigned(kind) || kind.bytes() < 4 || value.is_off() {
            return Ok(Spread::default());
        }
        let most = types::range(kind).map(|(_, most)| most.min(i64::MAX.into()));
        let parts = match (value.parts.as_deref(), most) {
            (Some([part]), Some(most)) => self.number(most)?.map(|most| {
                vec![Part {
                    greatest: End::At(most),
                    ..part.clone()
                }]
            }),
            _ => None,
        };
        Ok(Spread {
            least: value.least,
            greatest: None,
            parts,
            wraps: Wraps::Never,
        })
    }

    /// A value times a number.
    pub fn scaled(&self, value: &Spread, by: i64) -> Result<Spread> {
        let factor = Val::int_from_si(self.lowering.ctx, by)?;
        let scale = |value: &Option<PwAff>| {
            let scaled = value.as_ref().map(|value| value.scale_val(&factor));
            scaled.transpose()
        };
        let (least, greatest) = match by < 0 {
            true => (scale(&value.greatest)?, scale(&value.least)?),
            false => (scale(&value.least)?, scale(&value.greatest)?),
        };
        let mut scaled = self.between(least, greatest);
        scaled.wraps = value.wraps;
        if scaled.parts.is_none() || value.has_data() {
            let parts = value.parts.as_ref();
            let by = Polynomial::constant(by);
            scaled.parts = match parts.map(|parts| self.parts(parts, &by)) {
                Some(parts) => parts?,
                None => None,
            };
        }
        Ok(scaled)
    }

    /// A value times a size.
    pub fn times(&self, value: &Spread, by: &Polynomial) -> Result<Spread> {
        if let Some(number) = by.as_constant() {
            return self.scaled(value, number);
        }
        let parts = value.parts.as_ref();
        let parts = match parts.map(|parts| self.parts(parts, by)) {
            Some(parts) => parts?,
            None => None,
        };
        Ok(Spread {
            parts,
            wraps: value.wraps,
            ..Spread::default()
        })
    }

    /// Summands times a size, in their normal form; `None` where numbers are too large.
    fn parts(&self, parts: &[Part], by: &Polynomial) -> Result<Option<Vec<Part>>> {
        let mut all = Vec::new();
        for part in parts {
            let Some(stride) = part.stride.mul(by) else {
                return Ok(None);
            };
            let Some(sign) = stride.sign() else { continue };
            let factor = match stride.as_constant() {
                Some(constant) if part.is_static() => constant,
                _ => sign,
            };
            let Some(stride) = stride.divide(&Polynomial::constant(factor)) else {
                return Ok(None);
            };
            let mut part = Part {
                stride,
                ..part.clone()
            };
            match (&part.least, &part.greatest) {
                (End::At(least), End::At(greatest)) => {
                    let factor_value = Val::int_from_si(self.lowering.ctx, factor)?;
                    let (mut least, mut greatest) = (
                        least.scale_val(&factor_value)?,
                        greatest.scale_val(&factor_value)?,
                    );
                    if factor < 0 {
                        std::mem::swap(&mut least, &mut greatest);
                    }
                    (part.least, part.greatest) = (End::At(least), End::At(greatest));
                }
                _ => part.negative ^= factor < 0,
            }
            all.push(part);
        }
        Ok(Some(all))
    }

    /// A value that is one of two. What has no value where it is not computed says nothing there.
    pub fn either(&self, a: &Spread, b: &Spread) -> Result<Spread> {
        let both = |a: &Option<PwAff>, b: &Option<PwAff>, greater: bool| match (a, b) {
            (Some(a), Some(b)) if a.plain_is_equal(b)? => Ok(Some(a.clone())),
            (Some(a), Some(b)) if greater => Ok(Some(a.union_max(b)?.coalesce()?)),
            (Some(a), Some(b)) => Ok(Some(a.union_min(b)?.coalesce()?)),
            _ => Result::Ok(None),
        };
        let least = both(&a.least, &b.least, false)?;
        let greatest = both(&a.greatest, &b.greatest, true)?;
        let mut found = self.between(least, greatest);
        found.wraps = a.wraps.max(b.wraps);
        if let Some(parts) = self.beside(a, b)? {
            // What is computed says more than its type.
            found.parts = Some(parts);
        } else if found.parts.is_none() {
            let same = match (&a.parts, &b.parts) {
                (Some(a), Some(b)) => same(a, b),
                _ => false,
            };
            found.parts = a.parts.clone().filter(|_| same);
        }
        Ok(found)
    }

    /// The sum of one of two values that are the same computed one but for numbers: `k + 1 < n ? k + 1 :
    /// k` of a quotient `k`.
    fn beside(&self, a: &Spread, b: &Spread) -> Result<Option<Vec<Part>>> {
        let (Some(of_a), Some(of_b)) = (&a.parts, &b.parts) else {
            return Ok(None);
        };
        if !a.is_computed() || !b.is_computed() {
            return Ok(None);
        }
        let one = Polynomial::constant(1);
        let split = |parts: &[Part]| -> Result<(Vec<Part>, Option<[PwAff; 2]>)> {
            let (mut others, mut numbers) = (Vec::new(), None::<[PwAff; 2]>);
            for part in parts {
                let (End::At(least), End::At(greatest)) = (&part.least, &part.greatest) else {
                    others.push(part.clone());
                    continue;
                };
                if part.stride != one || part.negative {
                    others.push(part.clone());
                    continue;
                }
                numbers = Some(match numbers {
                    None => [least.clone(), greatest.clone()],
                    Some([low, high]) => [least.add(&low)?, greatest.add(&high)?],
                });
            }
            Ok((others, numbers))
        };
        let ((mut rest, number), (other, another)) = (split(of_a)?, split(of_b)?);
        if !same(&rest, &other) {
            return Ok(None);
        }
        let numbers = match (number, another) {
            (None, None) => return Ok(Some(rest)),
            (Some([low, high]), Some([least, greatest])) => {
                Some([low.union_min(&least)?, high.union_max(&greatest)?])
            }
            (Some([low, high]), None) | (None, Some([low, high])) => {
                let zero = low.sub(&low)?;
                let none = high.sub(&high)?;
                Some([low.union_min(&zero)?, high.union_max(&none)?])
            }
        };
        if let Some([least, greatest]) = numbers {
            rest.push(Part {
                stride: one,
                negative: false,
                least: End::At(least.coalesce()?),
                greatest: End::At(greatest.coalesce()?),
            });
        }
        Ok(Some(rest))
    }

    /// The same value, also known not to be below one number or above another.
    pub fn within(
        &self,
        value: &Spread,
        least: Option<&PwAff>,
        greatest: Option<&PwAff>,
    ) -> Result<Spread> {
        let narrower = |own: &Option<PwAff>, more: Option<&PwAff>, greater: bool| {
            Ok(match (own, more) {
                (None, more) => more.cloned(),
                (Some(own), None) => Some(own.clone()),
                // Numbers that types give say less than what is compared.
                (Some(own), Some(more)) => match (constant_value(own)?, constant_value(more)?) {
                    (Some(a), Some(b)) if greater == (a > b) => Some(own.clone()),
                    _ => Some(more.clone()),
                },
            })
        };
        // What a type says of the other end is less than what it is computed of.
        let open = greatest.is_none() && value.is_computed();
        if value.wraps != Wraps::Never || open {
            return Ok(value.clone());
        }
        let least: Result<_> = narrower(&value.least, least, true);
        let greatest: Result<_> = narrower(&value.greatest, greatest, false);
        let (least, greatest) = (least?, greatest?);
        let mut found = self.between(least, greatest.clone());
        if found.parts.is_none() {
            found.parts.clone_from(&value.parts);
            // One end is data, and the other one is what it is compared with.
            if let (Some([part]), Some(most)) = (found.parts.as_deref_mut(), greatest)
                && let End::At(own) = &part.greatest
                && matches!(part.least, End::Scalar(_))
                && part.stride == Polynomial::constant(1)
                && !part.negative
                && far(own)?
            {
                part.greatest = End::At(most);
            }
        }
        Ok(found)
    }
}

impl Spread {
    /// The same where it may be off.
    fn wrapping(self, wraps: Wraps) -> Spread {
        Spread {
            wraps: self.wraps.max(wraps),
            ..self
        }
    }
}

impl Part {
    /// Whether neither end is data.
    pub fn is_static(&self) -> bool {
        self.least.at().is_some() && self.greatest.at().is_some()
    }
}

/// Whether two sums of data are the same.
pub(super) fn same(a: &[Part], b: &[Part]) -> bool {
    let end = |a: &End, b: &End| match (a, b) {
        (End::At(a), End::At(b)) => a.plain_is_equal(b).unwrap_or(false),
        (End::Data(a, by), End::Data(b, other)) => (a, by) == (b, other),
        (End::Scalar(a), End::Scalar(b)) => a == b,
        (End::Computed(a), End::Computed(b)) => a.is(b),
        _ => false,
    };
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            (&a.stride, a.negative) == (&b.stride, b.negative)
                && end(&a.least, &b.least)
                && end(&a.greatest, &b.greatest)
        })
}
