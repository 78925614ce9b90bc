//! Subscripts as bounds: a quotient of linear functions of the loop variables, in plain numbers.
//!
//! Pipelines read at `x + 1`, `2 * x - 1` or `(x + 1) / 2`; what one tile reads then follows from
//! what it computes by interval arithmetic, which takes nanoseconds where sets take milliseconds.
//! Parameters have numbers here, those that [`super::estimates`] gives them.

use crate::scop::{BinaryOp, Expr, UnaryOp};

/// Values between `⌊(Σ factors[i] · i + low) / divisor⌋` and `⌊(Σ factors[i] · i + high) / divisor⌋`,
/// for loop variables `i`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bounds {
    /// One per loop variable of the statement.
    pub factors: Vec<i64>,
    /// Positive.
    pub divisor: i64,
    /// For the smallest value.
    pub low: i64,
    /// For the greatest value.
    pub high: i64,
}

impl Bounds {
    /// The bounds of an expression of `depth` loop variables, or `None` where it depends on data or
    /// is not of this form. `parameters` are the values of the region's parameters.
    pub fn of(value: &Expr, depth: usize, parameters: &[i64]) -> Option<Bounds> {
        let inner = |e: &Expr| Bounds::of(e, depth, parameters);
        match value {
            Expr::Literal(text) => Some(Bounds::constant(depth, integer(text)?)),
            Expr::Iterator(i) => {
                let mut bounds = Bounds::constant(depth, 0);
                *bounds.factors.get_mut(*i)? = 1;
                Some(bounds)
            }
            Expr::Param(p) => Some(Bounds::constant(depth, *parameters.get(*p)?)),
            Expr::Cast(_, a) | Expr::Unary(UnaryOp::Plus, a) => inner(a),
            Expr::Unary(UnaryOp::Minus, a) => inner(a)?.times(-1),
            Expr::Binary(operator, a, b) => {
                let (a, b) = (inner(a)?, inner(b)?);
                match operator {
                    BinaryOp::Add => a.plus(&b),
                    BinaryOp::Sub => a.plus(&b.times(-1)?),
                    BinaryOp::Mul => match (a.as_constant(), b.as_constant()) {
                        (_, Some(by)) => a.times(by),
                        (Some(by), _) => b.times(by),
                        _ => None,
                    },
                    BinaryOp::Div => a.over(b.as_constant()?),
                    BinaryOp::ShiftRight => a.over(1i64.checked_shl(small(b.as_constant()?)?)?),
                    BinaryOp::ShiftLeft => a.times(1i64.checked_shl(small(b.as_constant()?)?)?),
                    BinaryOp::Rem => {
                        let modulus = b.as_constant().filter(|&m| m > 0)?;
                        let mut bounds = Bounds::constant(depth, 0);
                        bounds.high = modulus - 1;
                        Some(bounds)
                    }
                    _ => None,
                }
            }
            // A subscript that is kept inside the array: what moves says where it reads.
            Expr::Conditional(_, a, b) => {
                let (a, b) = (inner(a)?, inner(b)?);
                match (a.moves(), b.moves()) {
                    (true, false) => Some(a),
                    (false, true) => Some(b),
                    _ => a.hull(&b),
                }
            }
            _ => None,
        }
    }

    fn constant(depth: usize, value: i64) -> Bounds {
        Bounds {
            factors: vec![0; depth],
            divisor: 1,
            low: value,
            high: value,
        }
    }

    /// Whether the value depends on a loop variable.
    pub fn moves(&self) -> bool {
        self.factors.iter().any(|&f| f != 0)
    }

    /// The one value, if there is only one.
    pub fn as_constant(&self) -> Option<i64> {
        (!self.moves() && self.low == self.high).then(|| self.low.div_euclid(self.divisor))
    }

    /// Bounds around both, where they move alike.
    pub fn hull(&self, other: &Bounds) -> Option<Bounds> {
        (self.factors == other.factors && self.divisor == other.divisor).then(|| Bounds {
            factors: self.factors.clone(),
            divisor: self.divisor,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        })
    }

    fn times(&self, by: i64) -> Option<Bounds> {
        let factors = self.factors.iter().map(|f| f.checked_mul(by));
        // c ⌊x / d⌋ lies between (c x − |c| (d − 1)) / d and (c x + |c| (d − 1)) / d, on one side of c x.
        let slack = by.checked_abs()?.checked_mul(self.divisor - 1)?;
        let (low, high) = if by >= 0 {
            (
                self.low.checked_mul(by)?.checked_sub(slack)?,
                self.high.checked_mul(by)?,
            )
        } else {
            (
                self.high.checked_mul(by)?,
                self.low.checked_mul(by)?.checked_add(slack)?,
            )
        };
        Some(Bounds {
            factors: factors.collect::<Option<_>>()?,
            divisor: self.divisor,
            low,
            high,
        })
    }

    fn plus(&self, other: &Bounds) -> Option<Bounds> {
        let divisor = self.divisor.checked_mul(other.divisor)?;
        let sum = |a: i64, b: i64| {
            a.checked_mul(other.divisor)?
                .checked_add(b.checked_mul(self.divisor)?)
        };
        let both = self.factors.iter().zip(&other.factors);
        let factors = both.map(|(&a, &b)| sum(a, b)).collect::<Option<_>>()?;
        // Two quotients round down by less than two together.
        let slack = if self.divisor > 1 && other.divisor > 1 {
            divisor - 1
        } else {
            0
        };
        Some(Bounds {
            factors,
            divisor,
            low: sum(self.low, other.low)?.checked_sub(slack)?,
            high: sum(self.high, other.high)?,
        })
    }

    fn over(&self, by: i64) -> Option<Bounds> {
        (by > 0).then_some(())?;
        Some(Bounds {
            divisor: self.divisor.checked_mul(by)?,
            ..self.clone()
        })
    }

    /// The smallest and the greatest value where the loop variables lie between `ranges`.
    pub fn over_ranges(&self, ranges: &[(i64, i64)]) -> (i64, i64) {
        let (mut low, mut high) = (self.low, self.high);
        for (&factor, &(first, last)) in self.factors.iter().zip(ranges) {
            let (a, b) = (factor.saturating_mul(first), factor.saturating_mul(last));
            low = low.saturating_add(a.min(b));
            high = high.saturating_add(a.max(b));
        }
        (low.div_euclid(self.divisor), high.div_euclid(self.divisor))
    }
}

/// The value of an integer literal of C.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.get(..2) {
        Some("0x" | "0X") => i64::from_str_radix(&digits[2..], 16).ok(),
        _ if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8).ok(),
        _ => digits.parse().ok(),
    }
}

fn small(shift: i64) -> Option<u32> {
    u32::try_from(shift).ok().filter(|&s| s < 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Expr {
        Expr::Iterator(0)
    }

    fn number(value: i64) -> Expr {
        Expr::Literal(value.to_string())
    }

    fn op(operator: BinaryOp, a: Expr, b: Expr) -> Expr {
        Expr::Binary(operator, Box::new(a), Box::new(b))
    }

    /// The value of an expression of one loop variable as C computes it.
    fn value(e: &Expr, at: i64) -> i64 {
        match e {
            Expr::Literal(text) => text.parse().unwrap(),
            Expr::Iterator(_) => at,
            Expr::Unary(_, a) => -value(a, at),
            Expr::Binary(BinaryOp::Add, a, b) => value(a, at) + value(b, at),
            Expr::Binary(BinaryOp::Sub, a, b) => value(a, at) - value(b, at),
            Expr::Binary(BinaryOp::Mul, a, b) => value(a, at) * value(b, at),
            Expr::Binary(BinaryOp::Div, a, b) => value(a, at) / value(b, at),
            Expr::Binary(BinaryOp::Rem, a, b) => value(a, at) % value(b, at),
            _ => unreachable!(),
        }
    }

    #[test]
    fn bounds_hold_and_are_met_by_single_quotients() {
        use BinaryOp::*;
        let half = |e| op(Div, e, number(2));
        let shifted = || op(Add, x(), number(101));
        // The expression, and whether its bounds are exact.
        let cases = [
            (op(Sub, op(Mul, number(2), x()), number(3)), true),
            (half(shifted()), true),
            (half(half(shifted())), true),
            (op(Add, half(shifted()), number(7)), true),
            (op(Sub, number(9), x()), true),
            (op(Rem, shifted(), number(4)), false),
            (
                op(Add, half(shifted()), op(Div, shifted(), number(3))),
                false,
            ),
            (op(Sub, shifted(), half(shifted())), false),
        ];
        for (e, exact) in cases {
            let bounds = Bounds::of(&e, 1, &[]).unwrap();
            for first in -40i64..40 {
                for last in first..first + 9 {
                    let values = (first..=last).map(|at| value(&e, at));
                    let (least, most) = (values.clone().min().unwrap(), values.max().unwrap());
                    let (low, high) = bounds.over_ranges(&[(first, last)]);
                    assert!(low <= least && most <= high, "{e:?} {first} {last}");
                    assert!(
                        !exact || (low, high) == (least, most),
                        "{e:?} {first} {last}"
                    );
                }
            }
        }
    }

    #[test]
    fn data_and_products_of_variables_have_no_bounds() {
        assert_eq!(Bounds::of(&Expr::Access(0), 1, &[]), None);
        assert_eq!(Bounds::of(&op(BinaryOp::Mul, x(), x()), 1, &[]), None);
        assert_eq!(Bounds::of(&op(BinaryOp::Div, x(), x()), 1, &[]), None);
    }

    #[test]
    fn clamped_subscripts_read_where_they_move() {
        let clamped = Expr::Conditional(Box::new(x()), Box::new(number(0)), Box::new(x()));
        assert_eq!(Bounds::of(&clamped, 1, &[]), Bounds::of(&x(), 1, &[]));
    }

    #[test]
    fn parameters_have_the_values_given() {
        let mirrored = op(BinaryOp::Sub, Expr::Param(0), x());
        let bounds = Bounds::of(&mirrored, 1, &[100]).unwrap();
        assert_eq!(bounds.over_ranges(&[(1, 5)]), (95, 99));
    }
}
