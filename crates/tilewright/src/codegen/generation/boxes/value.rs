//! Functions of what is around a nest, and conditions on it, for isl and for the kernel at once.

use crate::codegen::kernel::{Comparison, Index};
use crate::codegen::terms::index::compare;
use isl::{Aff, DimType, Result, Set, Space, Val};

/// A function of the parameters, those that stand for loop variables included.
///
/// **Invariant:** `aff` and `index` have the same value wherever a statement that mentions it is
/// executed.
#[derive(Clone)]
pub(crate) struct Value {
    pub aff: Aff,
    pub index: Index,
}

impl Value {
    /// # Errors
    /// isl's own.
    pub fn constant(space: &Space, number: i64) -> Result<Value> {
        let zero = Aff::zero_on_domain_space(&space.params()?)?;
        Ok(Value {
            aff: zero.add_constant_val(&Val::int_from_si(space.ctx(), number)?)?,
            index: Index::Int(number),
        })
    }

    /// # Errors
    /// isl's own.
    pub fn plus(&self, other: &Value) -> Result<Value> {
        Ok(Value {
            aff: self.aff.add(&other.aff)?,
            index: self.index.plus(&other.index),
        })
    }

    /// # Errors
    /// isl's own.
    pub fn add(&self, number: i64) -> Result<Value> {
        if number == 0 {
            return Ok(self.clone());
        }
        Ok(Value {
            aff: self.aff.add_constant_val(&self.number(number)?)?,
            index: self.index.plus(&Index::Int(number)),
        })
    }

    /// # Errors
    /// isl's own.
    pub fn times(&self, factor: i64) -> Result<Value> {
        if factor == 1 {
            return Ok(self.clone());
        }
        Ok(Value {
            aff: self.aff.scale_val(&self.number(factor)?)?,
            index: self.index.times(factor),
        })
    }

    /// The quotient by a positive number, rounded down.
    ///
    /// # Errors
    /// isl's own.
    pub fn floor_over(&self, divisor: i64) -> Result<Value> {
        if divisor == 1 {
            return Ok(self.clone());
        }
        Ok(Value {
            aff: self.aff.scale_down_val(&self.number(divisor)?)?.floor()?,
            index: self.index.floor_div(divisor),
        })
    }

    /// The quotient by a positive number that divides the value wherever it is used.
    ///
    /// # Errors
    /// isl's own.
    pub fn exactly_over(&self, divisor: i64) -> Result<Value> {
        if divisor == 1 {
            return Ok(self.clone());
        }
        Ok(Value {
            aff: self.aff.scale_down_val(&self.number(divisor)?)?.floor()?,
            index: self.index.quotient(divisor),
        })
    }

    /// The least number of at least the value that leaves the same remainder as `rest`.
    ///
    /// # Errors
    /// isl's own.
    pub fn aligned(&self, stride: i64, rest: &Value) -> Result<Value> {
        let behind = rest.plus(&self.times(-1)?)?;
        let up = Value {
            aff: behind.aff.mod_val(&self.number(stride)?)?,
            index: behind.index.modulo(stride),
        };
        match up.index {
            Index::Int(up) => self.add(up),
            _ => self.plus(&up),
        }
    }

    /// That the value is zero, or at least zero.
    ///
    /// # Errors
    /// isl's own.
    pub fn compared(&self, space: &Space, equal: bool) -> Result<Guard> {
        let zero = Aff::zero_on_domain_space(&space.params()?)?;
        let (set, comparison) = if equal {
            (self.aff.eq_set(&zero)?, Comparison::Equal)
        } else {
            (self.aff.ge_set(&zero)?, Comparison::GreaterEqual)
        };
        Ok(Guard {
            set,
            index: self.index.compared_with_zero(comparison),
            bounds: self.bounds(equal)?,
        })
    }

    /// That a number divides the value.
    ///
    /// # Errors
    /// isl's own.
    pub fn divided(&self, space: &Space, divisor: i64) -> Result<Guard> {
        let zero = Aff::zero_on_domain_space(&space.params()?)?;
        let rest = self.aff.mod_val(&self.number(divisor)?)?;
        let index = self.index.rest_compared_with_zero(divisor);
        Ok(Guard {
            set: rest.eq_set(&zero)?,
            index: compare(Comparison::Equal, index, Index::Int(0)),
            bounds: self.bounds(true)?,
        })
    }

    /// Which parameters are bounded where the value is at least zero, from below or from above, or
    /// both where it is a number that is known.
    fn bounds(&self, known: bool) -> Result<Vec<(usize, bool)>> {
        let mut bounds = Vec::new();
        for param in 0..self.aff.dim(DimType::Param)? {
            match self.aff.get_coefficient_val(DimType::Param, param)?.sgn()? {
                0 => {}
                _ if known => bounds.extend([(param, false), (param, true)]),
                sign => bounds.push((param, sign > 0)),
            }
        }
        Ok(bounds)
    }

    fn number(&self, number: i64) -> Result<Val> {
        Val::int_from_si(self.aff.ctx(), number)
    }
}

/// A condition on the parameters.
///
/// **Invariant:** `set` and `index` hold for the same values.
#[derive(Clone)]
pub(crate) struct Guard {
    pub set: Set,
    pub index: Index,
    /// Parameters, each with whether it is bounded from below.
    bounds: Vec<(usize, bool)>,
}

/// What is known, and all the conditions.
///
/// # Errors
/// isl's own.
pub(crate) fn all_of<'g>(known: &Set, guards: impl Iterator<Item = &'g Guard>) -> Result<Set> {
    let mut known = known.clone();
    for guard in guards {
        known = known.intersect(&guard.set)?;
    }
    Ok(known)
}

/// The conditions that do not follow from the others and what is known. That it may follow from
/// others is only asked where these bound the same parameters in the same direction: anything else
/// is rare and costs no more than a comparison.
///
/// # Errors
/// isl's own.
pub(crate) fn needed(known: &Set, guards: Vec<Guard>) -> Result<Vec<Guard>> {
    let mut kept: Vec<Guard> = Vec::new();
    for guard in guards {
        let always = matches!(guard.index, Index::Int(value) if value != 0);
        let seen = kept.iter().any(|other| other.index == guard.index);
        if !always && !seen && !known.is_subset(&guard.set)? {
            kept.push(guard);
        }
    }
    let mut at = 0;
    while at < kept.len() {
        let others = kept[..at].iter().chain(&kept[at + 1..]);
        let mut related = others.filter(|other| {
            let mut bounds = kept[at].bounds.iter();
            bounds.any(|bound| other.bounds.contains(bound))
        });
        let first = related.next();
        let implied = match first {
            Some(_) => all_of(known, first.into_iter().chain(related))?.is_subset(&kept[at].set)?,
            None => false,
        };
        if implied {
            drop(kept.remove(at))
        } else {
            at += 1
        }
    }
    Ok(kept)
}

/// The lower (or upper) bounds that no other one implies, given what is known.
///
/// # Errors
/// isl's own.
pub(crate) fn binding(bounds: Vec<Value>, known: &Set, lower: bool) -> Result<Vec<Value>> {
    // Whether `one` is implied by `other`.
    let implied = |one: &Value, other: &Value| -> Result<bool> {
        let distance = other.index.distance(&one.index);
        match (distance, lower) {
            (Some(distance), true) => Ok(distance >= 0),
            (Some(distance), false) => Ok(distance <= 0),
            (None, true) => known.is_subset(&other.aff.ge_set(&one.aff)?),
            (None, false) => known.is_subset(&one.aff.ge_set(&other.aff)?),
        }
    };
    let mut kept = bounds;
    let mut at = 0;
    while at < kept.len() {
        let mut needed = true;
        for other in (0..kept.len()).filter(|&other| other != at) {
            if implied(&kept[at], &kept[other])? {
                needed = false;
                break;
            }
        }
        if needed {
            at += 1
        } else {
            drop(kept.remove(at))
        }
    }
    Ok(kept)
}
