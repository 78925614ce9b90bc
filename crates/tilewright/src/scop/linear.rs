//! Linear forms: a number, and variables times numbers.
//!
//! What isl's affine functions are where they have no divisions, in plain numbers: sums of
//! parameters, subscripts, what holds of the points of a tile. Every operation is exact or says
//! that a number left 64 bits.

use super::{Access, ParamId, Scop};
use isl::{Aff, DimType, PwAff, Result, Val};

/// `constant + Σ factor · variable`.
///
/// **Invariant:** the terms are in the order of their variables, each of which is in one term, and
/// no factor is zero. So two forms are equal where they have the same values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinearForm<V> {
    constant: i64,
    terms: Vec<(V, i64)>,
}

impl<V> Default for LinearForm<V> {
    fn default() -> LinearForm<V> {
        LinearForm::number(0)
    }
}

impl<V> LinearForm<V> {
    /// Without variables.
    pub fn number(constant: i64) -> LinearForm<V> {
        LinearForm {
            constant,
            terms: Vec::new(),
        }
    }

    /// A variable alone.
    pub fn var(var: V) -> LinearForm<V> {
        LinearForm {
            constant: 0,
            terms: vec![(var, 1)],
        }
    }

    /// What is added to the terms.
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// Variables with their factors.
    pub fn terms(&self) -> &[(V, i64)] {
        &self.terms
    }

    /// Its value, where no variable is in it.
    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The greatest common divisor of the factors, 0 where there are none.
    pub fn divisor(&self) -> i64 {
        self.terms.iter().fold(0, |all, &(_, f)| gcd(all, f))
    }
}

impl LinearForm<usize> {
    /// With a factor for each variable from 0 on.
    pub fn dense(factors: &[i64], constant: i64) -> LinearForm<usize> {
        let terms = factors.iter().copied().enumerate();
        LinearForm {
            constant,
            terms: terms.filter(|&(_, factor)| factor != 0).collect(),
        }
    }
}

impl<V: Ord + Clone> LinearForm<V> {
    /// The sum of a number and terms in any order; `None` on overflow.
    pub fn sum(constant: i64, terms: impl IntoIterator<Item = (V, i64)>) -> Option<LinearForm<V>> {
        let mut terms: Vec<(V, i64)> = terms.into_iter().collect();
        terms.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut sum: LinearForm<V> = LinearForm::number(constant);
        for (var, factor) in terms {
            match sum.terms.last_mut() {
                Some((last, all)) if *last == var => *all = all.checked_add(factor)?,
                _ => sum.terms.push((var, factor)),
            }
        }
        sum.terms.retain(|&(_, factor)| factor != 0);
        Some(sum)
    }

    /// `a · self + b · other`; `None` on overflow.
    pub fn combined(&self, a: i64, other: &LinearForm<V>, b: i64) -> Option<LinearForm<V>> {
        let sum = |x: i64, y: i64| a.checked_mul(x)?.checked_add(b.checked_mul(y)?);
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut mine, mut theirs) = (&self.terms[..], &other.terms[..]);
        loop {
            let (var, factor) = match (mine.first(), theirs.first()) {
                (None, None) => break,
                (Some((var, x)), Some((same, y))) if var == same => {
                    (mine, theirs) = (&mine[1..], &theirs[1..]);
                    (var, sum(*x, *y)?)
                }
                (Some((var, x)), other) if other.is_none_or(|(other, _)| var < other) => {
                    mine = &mine[1..];
                    (var, sum(*x, 0)?)
                }
                (_, Some((var, y))) => {
                    theirs = &theirs[1..];
                    (var, sum(0, *y)?)
                }
                (Some(_), None) => break,
            };
            if factor != 0 {
                terms.push((var.clone(), factor));
            }
        }
        Some(LinearForm {
            constant: sum(self.constant, other.constant)?,
            terms,
        })
    }

    /// `self + other`; `None` on overflow.
    pub fn plus(&self, other: &LinearForm<V>) -> Option<LinearForm<V>> {
        self.combined(1, other, 1)
    }

    /// `self - other`; `None` on overflow.
    pub fn minus(&self, other: &LinearForm<V>) -> Option<LinearForm<V>> {
        self.combined(1, other, -1)
    }

    /// `factor · self`; `None` on overflow.
    pub fn times(&self, factor: i64) -> Option<LinearForm<V>> {
        self.combined(factor, &LinearForm::default(), 0)
    }

    /// With a number more; `None` on overflow.
    pub fn plus_number(&self, number: i64) -> Option<LinearForm<V>> {
        Some(LinearForm {
            constant: self.constant.checked_add(number)?,
            terms: self.terms.clone(),
        })
    }

    /// The factor of a variable, 0 where it is not in it.
    pub fn factor(&self, var: &V) -> i64 {
        let found = self.terms.binary_search_by(|(other, _)| other.cmp(var));
        found.map_or(0, |at| self.terms[at].1)
    }

    /// The factor of a variable, and the form without it.
    pub fn without(&self, var: &V) -> (i64, LinearForm<V>) {
        let mut rest = self.clone();
        rest.terms.retain(|(other, _)| other != var);
        (self.factor(var), rest)
    }

    /// With a value in place of a variable; `None` on overflow.
    pub fn replaced(&self, var: &V, value: &LinearForm<V>) -> Option<LinearForm<V>> {
        match self.without(var) {
            (0, form) => Some(form),
            (factor, form) => form.combined(1, value, factor),
        }
    }

    /// With other names for its variables, which have to tell them apart as before.
    pub fn renamed<W: Ord>(&self, mut name: impl FnMut(&V) -> W) -> LinearForm<W> {
        let mut terms: Vec<(W, i64)> = self.terms.iter().map(|(v, f)| (name(v), *f)).collect();
        terms.sort_by(|(one, _), (other, _)| one.cmp(other));
        debug_assert!(terms.windows(2).all(|pair| pair[0].0 != pair[1].0));
        LinearForm {
            constant: self.constant,
            terms,
        }
    }

    /// `self / number`, where the number, which is not 0, divides everything in it.
    pub fn divided(&self, number: i64) -> Option<LinearForm<V>> {
        let over = |value: i64| match value.checked_rem(number)? {
            0 => value.checked_div(number),
            _ => None,
        };
        let terms = self.terms.iter();
        Some(LinearForm {
            constant: over(self.constant)?,
            terms: terms
                .map(|(var, factor)| Some((var.clone(), over(*factor)?)))
                .collect::<Option<_>>()?,
        })
    }

    /// What `self ≥ 0` says, of integers, with smaller numbers.
    pub fn tightened(mut self) -> LinearForm<V> {
        let divisor = self.divisor();
        if divisor > 1 {
            self.constant = self.constant.div_euclid(divisor);
            for (_, factor) in &mut self.terms {
                *factor /= divisor;
            }
        }
        self
    }

    /// An affine function of isl's, whose dimensions have names; `None` where there are divisions,
    /// fractions, numbers of more than 62 bits, or a dimension that has no name.
    ///
    /// # Errors
    /// isl's own, and the names'.
    pub fn of_aff(
        aff: &Aff,
        mut name: impl FnMut(DimType, usize) -> Result<Option<V>>,
    ) -> Result<Option<LinearForm<V>>> {
        if aff.involves_locals()? {
            return Ok(None);
        }
        let mut terms = Vec::new();
        for kind in [DimType::Param, DimType::In] {
            let count = aff.dim(kind)?;
            if count == 0 || !aff.involves_dims(kind, 0usize, count)? {
                continue;
            }
            for at in 0..count {
                let factor = match small(&aff.get_coefficient_val(kind, at)?)? {
                    Some(0) => continue,
                    Some(factor) => factor,
                    None => return Ok(None),
                };
                match name(kind, at)? {
                    Some(var) => terms.push((var, factor)),
                    None => return Ok(None),
                }
            }
        }
        let constant = small(&aff.get_constant_val()?)?;
        Ok(constant.and_then(|constant| LinearForm::sum(constant, terms)))
    }
}

/// What subscripts are sums of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dim {
    /// A dimension of the domain: of a statement's, its iterator of that number.
    In(usize),
    /// A parameter of the region.
    Param(ParamId),
}

/// A function of some dimensions and the region's parameters.
pub type Subscript = LinearForm<Dim>;

impl Subscript {
    /// The factor of a dimension.
    pub fn along(&self, dim: usize) -> i64 {
        self.factor(&Dim::In(dim))
    }

    /// What it is where a dimension is so much greater; `None` on overflow.
    pub fn forward(&self, dim: usize, by: i64) -> Option<Subscript> {
        self.plus_number(self.along(dim).checked_mul(by)?)
    }
}

/// By how many elements a cell moves with a dimension, if that is 0, or 1 in its row; `None` of others.
pub fn step_in_row(cell: &[Subscript], dim: usize) -> Option<i64> {
    let Some((last, outer)) = cell.split_last() else {
        return Some(0);
    };
    let stays = outer.iter().all(|subscript| subscript.along(dim) == 0);
    Some(last.along(dim)).filter(|step| stays && matches!(step, 0 | 1))
}

impl Scop {
    /// A function in numbers; `None` as for [`LinearForm::of_aff`], and where it has parameters
    /// that are not the region's.
    ///
    /// # Errors
    /// isl's own.
    pub fn linear(&self, aff: &Aff) -> Result<Option<Subscript>> {
        LinearForm::of_aff(aff, |kind, at| match kind {
            DimType::In => Ok(Some(Dim::In(at))),
            _ => {
                let name = aff.get_dim_name(kind, at)?;
                let param = self.params.iter().position(|p| p.name == name);
                Ok(param.map(Dim::Param))
            }
        })
    }

    /// The same of a function that has one piece.
    ///
    /// # Errors
    /// isl's own.
    pub fn linear_piece(&self, value: &PwAff) -> Result<Option<Subscript>> {
        match value.isa_aff()? {
            true => self.linear(&value.as_aff()?),
            false => Ok(None),
        }
    }

    /// The subscripts of an access, where they all are linear.
    ///
    /// # Errors
    /// isl's own.
    pub fn subscripts(&self, access: &Access) -> Result<Option<Vec<Subscript>>> {
        let mut all = Vec::new();
        for affine in &access.affine {
            let linear = match affine {
                Some(affine) => self.linear_piece(affine)?,
                None => None,
            };
            match linear {
                Some(linear) => all.push(linear),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }
}

/// An integer of at most 62 bits.
fn small(value: &Val) -> Result<Option<i64>> {
    Ok(match value.is_int()? {
        true => value.to_i64().filter(|v| v.unsigned_abs() <= 1 << 62),
        false => None,
    })
}

/// Of the absolute values; that of numbers of which there is no absolute value is taken to be 1.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    let (Some(mut a), Some(mut b)) = (a.checked_abs(), b.checked_abs()) else {
        return 1;
    };
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The least common multiple of positive numbers, for which others are 1; the greatest number of 64
/// bits where it is larger.
pub(crate) fn lcm(a: i64, b: i64) -> i64 {
    let (a, b) = (a.max(1), b.max(1));
    (a / gcd(a, b)).saturating_mul(b)
}

#[cfg(test)]
mod tests;
