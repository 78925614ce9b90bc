//! Sums of multiples of a tile's coordinates and of a point's, and conditions on them.

use crate::scop::linear::LinearForm;
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

/// A sum of multiples of them, and a constant.
///
/// Its operators panic where a number leaves 64 bits. Sizes of tiles have 30 bits
/// ([`crate::plan`]'s limits) and distances 20 (those of a cone), and conditions hold products of
/// one of each, with 10 bits more at most.
pub(crate) type Linear = LinearForm<Variable>;

/// What is said of a sum of which [`Linear`] says that it has 64 bits.
const TOO_LARGE: &str = "numbers of tiles have few bits";

impl LinearForm<Variable> {
    /// A coordinate of the tile.
    pub fn tile(coordinate: usize) -> Linear {
        Variable::Tile(coordinate).into()
    }

    /// Logical time.
    pub fn time() -> Linear {
        Variable::Time.into()
    }

    /// A dimension of space.
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

    /// A sum of multiples of a tile's coordinates as a function of these.
    ///
    /// # Errors
    /// isl's own.
    pub fn of_tile(&self, ctx: &isl::Ctx, coordinates: usize) -> isl::Result<isl::Aff> {
        let names: Vec<String> = (0..coordinates).map(|c| format!("c{c}")).collect();
        isl::Aff::read_from_str(ctx, &format!("{{ [{}] -> [{self}] }}", names.join(", ")))
    }
}

impl From<Variable> for Linear {
    fn from(variable: Variable) -> Linear {
        Linear::var(variable)
    }
}

impl From<i64> for Linear {
    fn from(constant: i64) -> Linear {
        Linear::number(constant)
    }
}

impl<T: Into<Linear>> Add<T> for Linear {
    type Output = Linear;

    fn add(self, other: T) -> Linear {
        self.plus(&other.into()).expect(TOO_LARGE)
    }
}

impl<T: Into<Linear>> Sub<T> for Linear {
    type Output = Linear;

    fn sub(self, other: T) -> Linear {
        self.minus(&other.into()).expect(TOO_LARGE)
    }
}

impl Mul<i64> for Linear {
    type Output = Linear;

    fn mul(self, factor: i64) -> Linear {
        self.times(factor).expect(TOO_LARGE)
    }
}

/// That a sum is not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition(Linear);

/// As isl reads it, with `c0`, `T` and `x0`.
impl fmt::Display for Linear {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.constant())?;
        for (variable, factor) in self.terms() {
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
