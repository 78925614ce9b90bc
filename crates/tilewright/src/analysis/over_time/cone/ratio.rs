//! Quotients of integers, wide enough to compare differences of slopes.

use std::cmp::Ordering;

/// A quotient in lowest terms, its denominator positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    pub const ZERO: Ratio = Ratio {
        numerator: 0,
        denominator: 1,
    };

    /// `denominator` is at least one.
    pub fn new(numerator: i128, denominator: i128) -> Ratio {
        let divisor = divisor(numerator.abs(), denominator);
        Ratio {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        }
    }

    /// The most that `distance / time` can be, or its limit: `time` is at least `shortest` and at
    /// most `longest`, where there is a greatest.
    pub fn most(distance: i64, shortest: i64, longest: Option<i64>) -> Ratio {
        let ratio = |time: i64| Ratio::new(distance.into(), time.into());
        match longest {
            _ if distance > 0 => ratio(shortest),
            Some(longest) => ratio(longest),
            None => Ratio::ZERO,
        }
    }

    /// The least.
    pub fn least(distance: i64, shortest: i64, longest: Option<i64>) -> Ratio {
        Ratio::most(-distance, shortest, longest).negated()
    }

    pub fn negated(self) -> Ratio {
        Ratio {
            numerator: -self.numerator,
            ..self
        }
    }

    pub fn minus(self, other: Ratio) -> Ratio {
        let (left, right, denominator) = self.with_same_denominator(other);
        Ratio::new(left - right, denominator)
    }

    /// Both numerators over the smallest common denominator.
    pub fn with_same_denominator(self, other: Ratio) -> (i128, i128, i128) {
        let common = divisor(self.denominator, other.denominator);
        let (own, its) = (self.denominator / common, other.denominator / common);
        (
            self.numerator * its,
            other.numerator * own,
            self.denominator * its,
        )
    }
}

/// Greatest common divisor.
fn divisor(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        let (left, right, _) = self.with_same_denominator(*other);
        left.cmp(&right)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_compare_as_numbers() {
        assert!(Ratio::new(1, 3) < Ratio::new(1, 2));
        assert!(Ratio::new(-1, 2) < Ratio::new(-1, 3));
        assert_eq!(Ratio::new(2, 4), Ratio::new(1, 2));
        assert_eq!(Ratio::new(1, 2).minus(Ratio::new(1, 3)), Ratio::new(1, 6));
        assert_eq!(
            Ratio::new(1, 2).with_same_denominator(Ratio::new(-1, 3)),
            (3, -2, 6)
        );
    }

    #[test]
    fn extremes_are_at_the_shortest_or_the_longest_time() {
        assert_eq!(Ratio::most(3, 2, None), Ratio::new(3, 2));
        assert_eq!(Ratio::most(-3, 2, Some(4)), Ratio::new(-3, 4));
        assert_eq!(Ratio::most(-3, 2, None), Ratio::ZERO);
        assert_eq!(Ratio::least(-3, 2, None), Ratio::new(-3, 2));
        assert_eq!(Ratio::least(3, 2, Some(4)), Ratio::new(3, 4));
    }
}
