//! Index expressions as sums of multiples of atoms: the normal form in which [`crate::codegen::terms::index`]
//! simplifies.

use crate::codegen::kernel::Index;

/// `Σ coefficient · atom + constant`; atoms are not sums, products or negations, and differ.
pub(crate) struct Linear {
    pub(crate) constant: i64,
    pub(crate) terms: Vec<(Index, i64)>,
}

impl Linear {
    pub(crate) fn of(index: &Index) -> Option<Linear> {
        let mut linear = Linear {
            constant: 0,
            terms: Vec::new(),
        };
        linear.collect(index, 1)?;
        linear.terms.retain(|(_, coefficient)| *coefficient != 0);
        Some(linear)
    }

    /// Adds `factor · index`; `None` where a number leaves 64 bits.
    fn collect(&mut self, index: &Index, factor: i64) -> Option<()> {
        match index {
            Index::Int(value) => {
                self.constant = self.constant.checked_add(value.checked_mul(factor)?)?;
            }
            Index::Add(a, b) => {
                self.collect(a, factor)?;
                self.collect(b, factor)?;
            }
            Index::Sub(a, b) => {
                self.collect(a, factor)?;
                self.collect(b, factor.checked_neg()?)?;
            }
            Index::Neg(a) => self.collect(a, factor.checked_neg()?)?,
            Index::Mul(a, b) => match (&**a, &**b) {
                (Index::Int(k), x) | (x, Index::Int(k)) => {
                    self.collect(x, factor.checked_mul(*k)?)?;
                }
                _ => self.atom(index, factor)?,
            },
            _ => self.atom(index, factor)?,
        }
        Some(())
    }

    fn atom(&mut self, atom: &Index, factor: i64) -> Option<()> {
        match self.terms.iter_mut().find(|(known, _)| known == atom) {
            Some((_, coefficient)) => *coefficient = coefficient.checked_add(factor)?,
            None => self.terms.push((atom.clone(), factor)),
        }
        Some(())
    }

    /// Added terms first, then subtracted ones, then the constant.
    pub(crate) fn into_index(self) -> Index {
        let (added, subtracted): (Vec<_>, Vec<_>) = self
            .terms
            .into_iter()
            .partition(|(_, coefficient)| *coefficient > 0);
        let mut constant = self.constant;
        let mut sum: Option<Index> = None;
        for (atom, coefficient) in added {
            let term = scaled(atom, coefficient);
            sum = Some(match sum {
                Some(before) => Index::Add(Box::new(before), Box::new(term)),
                None => term,
            });
        }
        if sum.is_none() && constant > 0 && !subtracted.is_empty() {
            sum = Some(Index::Int(constant));
            constant = 0;
        }
        for (atom, coefficient) in subtracted {
            sum = Some(match (sum, coefficient.checked_neg()) {
                (Some(before), Some(k)) => Index::Sub(Box::new(before), Box::new(scaled(atom, k))),
                (Some(before), None) => {
                    Index::Add(Box::new(before), Box::new(scaled(atom, coefficient)))
                }
                (None, Some(1)) => Index::Neg(Box::new(atom)),
                (None, _) => scaled(atom, coefficient),
            });
        }
        match sum {
            None => Index::Int(constant),
            Some(sum) if constant == 0 => sum,
            Some(sum) => match constant.checked_neg() {
                Some(k) if k > 0 => Index::Sub(Box::new(sum), Box::new(Index::Int(k))),
                _ => Index::Add(Box::new(sum), Box::new(Index::Int(constant))),
            },
        }
    }

    /// Splits off everything divisible: `self = divisor · quotient + rest`, the constant of the
    /// rest in `0..divisor`.
    pub(crate) fn split(self, divisor: i64) -> (Linear, Linear) {
        let mut quotient = Linear {
            constant: self.constant.div_euclid(divisor),
            terms: Vec::new(),
        };
        let mut rest = Linear {
            constant: self.constant.rem_euclid(divisor),
            terms: Vec::new(),
        };
        for (atom, coefficient) in self.terms {
            if coefficient % divisor == 0 {
                quotient.terms.push((atom, coefficient / divisor));
            } else {
                rest.terms.push((atom, coefficient));
            }
        }
        (quotient, rest)
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }
}

pub(crate) fn scaled(atom: Index, coefficient: i64) -> Index {
    match coefficient {
        1 => atom,
        _ => Index::Mul(Box::new(Index::Int(coefficient)), Box::new(atom)),
    }
}

pub(crate) fn normal(index: Index) -> Index {
    match Linear::of(&index) {
        Some(linear) => linear.into_index(),
        None => index,
    }
}
