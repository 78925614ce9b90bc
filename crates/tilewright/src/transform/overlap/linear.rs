//! Sums of multiples of a tile's coordinates and of a point's, and conditions on them.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Add, Mul, Sub};

/// What conditions on tiles are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variable {
    /// A coordinate of the tile.
    Tile(usize),
    /// Logical time of a point.
    Time,
    /// A dimension of space of a point.
    Space(usize),
}

/// A sum of multiples of variables, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Linear {
    factors: BTreeMap<Variable, i64>,
    constant: i64,
}

impl Linear {
    pub fn tile(coordinate: usize) -> Linear {
        Variable::Tile(coordinate).into()
    }

    pub fn time() -> Linear {
        Variable::Time.into()
    }

    pub fn space(dimension: usize) -> Linear {
        Variable::Space(dimension).into()
    }

    /// `self <= other`
    pub fn up_to(self, other: Linear) -> Condition {
        Condition(other - self)
    }

    /// `self < other`
    pub fn below(self, other: Linear) -> Condition {
        Condition(other - self - 1)
    }
}

impl From<Variable> for Linear {
    fn from(variable: Variable) -> Linear {
        Linear {
            factors: [(variable, 1)].into(),
            constant: 0,
        }
    }
}

impl From<i64> for Linear {
    fn from(constant: i64) -> Linear {
        Linear {
            constant,
            ..Linear::default()
        }
    }
}

impl<T: Into<Linear>> Add<T> for Linear {
    type Output = Linear;

    fn add(mut self, other: T) -> Linear {
        let other = other.into();
        for (variable, factor) in other.factors {
            *self.factors.entry(variable).or_default() += factor;
        }
        self.constant += other.constant;
        self
    }
}

impl<T: Into<Linear>> Sub<T> for Linear {
    type Output = Linear;

    fn sub(self, other: T) -> Linear {
        self + other.into() * -1
    }
}

impl Mul<i64> for Linear {
    type Output = Linear;

    fn mul(mut self, factor: i64) -> Linear {
        self.factors.values_mut().for_each(|f| *f *= factor);
        self.constant *= factor;
        self
    }
}

impl Linear {
    /// A sum of multiples of a tile's coordinates as a function of these.
    ///
    /// # Errors
    /// isl's own.
    pub fn of_tile(&self, ctx: &isl::Ctx, coordinates: usize) -> isl::Result<isl::Aff> {
        let names: Vec<String> = (0..coordinates).map(|c| format!("c{c}")).collect();
        isl::Aff::read_from_str(ctx, &format!("{{ [{}] -> [{self}] }}", names.join(", ")))
    }

    /// The factor of a variable.
    pub fn factor(&self, variable: Variable) -> i64 {
        self.factors.get(&variable).copied().unwrap_or(0)
    }

    /// What is added to the multiples of variables.
    pub fn constant(&self) -> i64 {
        self.constant
    }
}

/// That a sum is not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition(Linear);

/// As isl reads it, with `c0`, `T` and `x0`.
impl fmt::Display for Linear {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.constant)?;
        for (variable, factor) in &self.factors {
            let sign = if *factor < 0 { '-' } else { '+' };
            write!(out, " {sign} {}", factor.unsigned_abs())?;
            match variable {
                Variable::Tile(coordinate) => write!(out, " c{coordinate}")?,
                Variable::Time => out.write_str(" T")?,
                Variable::Space(dimension) => write!(out, " x{dimension}")?,
            }
        }
        Ok(())
    }
}

/// The same.
impl fmt::Display for Condition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} >= 0", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_read_as_isl_writes_them() {
        let begin = Linear::tile(1) * 8 - (Linear::time() - Linear::tile(0) * 4) * 3;
        let inside = begin.clone().up_to(Linear::space(0));
        assert_eq!(inside.to_string(), "0 - 12 c0 - 8 c1 + 3 T + 1 x0 >= 0");
        let outside = Linear::space(0).below(begin);
        assert_eq!(outside.to_string(), "-1 + 12 c0 + 8 c1 - 3 T - 1 x0 >= 0");
    }
}
