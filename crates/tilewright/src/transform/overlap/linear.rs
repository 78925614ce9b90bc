//! Sums of multiples of a tile's coordinates and of a point's, and conditions on them.

use crate::scop::linear::LinearForm;
use crate::transform::TransformError;
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

/// A sum of multiples of them, and a constant; none where a number on the way to it left 64 bits,
/// which whoever uses it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linear(Option<LinearForm<Variable>>);

impl Linear {
    /// The sum.
    ///
    /// # Errors
    /// That a number left 64 bits.
    pub fn form(&self) -> Result<&LinearForm<Variable>, TransformError> {
        let too_large = || TransformError::Plan("tiles of this size need too large numbers".into());
        self.0.as_ref().ok_or_else(too_large)
    }

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

    /// A sum of multiples of a tile's coordinates as a function of these.
    ///
    /// # Errors
    /// Those of [`Linear::form`], and isl's own.
    pub fn of_tile(&self, ctx: &isl::Ctx, coordinates: usize) -> Result<isl::Aff, TransformError> {
        let names: Vec<String> = (0..coordinates).map(|c| format!("c{c}")).collect();
        let value = text(self.form()?);
        let text = format!("{{ [{}] -> [{value}] }}", names.join(", "));
        Ok(isl::Aff::read_from_str(ctx, &text)?)
    }

    fn with(
        self,
        other: Linear,
        of: impl Fn(&LinearForm<Variable>, &LinearForm<Variable>) -> Option<LinearForm<Variable>>,
    ) -> Linear {
        let both = self.0.zip(other.0);
        Linear(both.and_then(|(one, other)| of(&one, &other)))
    }
}

impl Default for Linear {
    fn default() -> Linear {
        Linear::from(0)
    }
}

impl From<Variable> for Linear {
    fn from(variable: Variable) -> Linear {
        Linear(Some(LinearForm::var(variable)))
    }
}

impl From<i64> for Linear {
    fn from(constant: i64) -> Linear {
        Linear(Some(LinearForm::number(constant)))
    }
}

impl<T: Into<Linear>> Add<T> for Linear {
    type Output = Linear;

    fn add(self, other: T) -> Linear {
        self.with(other.into(), LinearForm::plus)
    }
}

impl<T: Into<Linear>> Sub<T> for Linear {
    type Output = Linear;

    fn sub(self, other: T) -> Linear {
        self.with(other.into(), LinearForm::minus)
    }
}

impl Mul<i64> for Linear {
    type Output = Linear;

    fn mul(self, factor: i64) -> Linear {
        Linear(self.0.and_then(|form| form.times(factor)))
    }
}

/// That a sum is not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition(Linear);

impl Condition {
    /// As isl reads it.
    ///
    /// # Errors
    /// Those of [`Linear::form`].
    pub fn text(&self) -> Result<String, TransformError> {
        Ok(format!("{} >= 0", text(self.0.form()?)))
    }
}

/// As isl reads it, with `c0`, `T` and `x0`.
fn text(form: &LinearForm<Variable>) -> String {
    let mut text = form.constant().to_string();
    for (variable, factor) in form.terms() {
        let sign = if *factor < 0 { '-' } else { '+' };
        text += &format!(" {sign} {}", factor.unsigned_abs());
        text += &match variable {
            Variable::Tile(coordinate) => format!(" c{coordinate}"),
            Variable::Time => " T".to_owned(),
            Variable::Space(dimension) => format!(" x{dimension}"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_read_as_isl_writes_them() {
        let begin = Linear::tile(1) * 8 - (Linear::time() - Linear::tile(0) * 4) * 3;
        let inside = begin.clone().up_to(Linear::space(0));
        assert_eq!(inside.text().unwrap(), "0 - 12 c0 - 8 c1 + 3 T + 1 x0 >= 0");
        let outside = Linear::space(0).below(begin);
        assert_eq!(
            outside.text().unwrap(),
            "-1 + 12 c0 + 8 c1 - 3 T - 1 x0 >= 0"
        );
    }

    #[test]
    fn numbers_that_get_too_large_are_told() {
        let large = Linear::tile(0) * (1 << 62);
        for lost in [
            large.clone() * 2,
            large.clone() + large.clone(),
            Linear::from(i64::MIN) - 1,
            Linear::time() - large.clone() * 2,
        ] {
            assert!(lost.form().is_err() && lost.up_to(Linear::time()).text().is_err());
        }
        let text = large.up_to(Linear::from(-3)).text().unwrap();
        assert_eq!(text, "-3 - 4611686018427387904 c0 >= 0");
    }
}
