//! Intervals of numbers, and what C's conversions and operators make of them.
//!
//! Ends of integers are exact. A result that its type may not hold has the range of the type: the
//! conversion or operation may have wrapped. Ends of floating numbers are doubles; where the end of
//! a `float` is not one exactly, it is moved outwards by a unit in the last place or two: more than
//! rounding, or contraction of a product and a sum, can make of it.

use crate::scop::{BinaryOp, ScalarKind};

/// Values of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Range {
    /// Integers from `low` to `high`, both included; `low <= high`.
    Whole { low: i128, high: i128 },
    /// Floating numbers from `low` to `high`, or not a number where `nan` says so.
    Floating { low: f64, high: f64, nan: bool },
}

use Range::{Floating, Whole};

fn is_signed(kind: ScalarKind) -> bool {
    use ScalarKind::*;
    matches!(kind, I8 | I16 | I32 | I64)
}

/// Least and greatest value of an integer type.
fn limits(kind: ScalarKind) -> (i128, i128) {
    let bits = 8 * kind.bytes() as u32;
    match kind {
        ScalarKind::Bool => (0, 1),
        kind if is_signed(kind) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        _ => (0, (1 << bits) - 1),
    }
}

impl Range {
    /// Every floating number, and what is none.
    const ANY: Range = Floating {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        nan: true,
    };

    /// One integer.
    pub fn integer(value: i128) -> Range {
        Whole {
            low: value,
            high: value,
        }
    }

    /// Floating numbers between two ends; anything where one of these is not a number.
    pub fn floating(low: f64, high: f64) -> Range {
        if low.is_nan() || high.is_nan() {
            Range::ANY
        } else {
            Floating {
                low,
                high,
                nan: false,
            }
        }
    }

    /// All values of a type.
    pub fn of(kind: ScalarKind) -> Range {
        if kind.is_float() {
            Range::ANY
        } else {
            let (low, high) = limits(kind);
            Whole { low, high }
        }
    }

    /// The cells of an image of which it was promised, and checked in doubles, that they are from
    /// `low` to `high`.
    pub fn promised(kind: ScalarKind, low: f64, high: f64) -> Range {
        if kind.is_float() {
            return Range::floating(low, high);
        }
        // Beyond 2^53 several integers are one double.
        let about = |end: i128| match end.unsigned_abs() >> 53 {
            0 => 0,
            _ => (end.unsigned_abs() >> 52) as i128,
        };
        let (least, most) = limits(kind);
        let (low, high) = (low.ceil() as i128, high.floor() as i128);
        let low = low.saturating_sub(about(low)).max(least);
        let high = high.saturating_add(about(high)).min(most);
        if low <= high {
            Whole { low, high }
        } else {
            Range::of(kind)
        }
    }

    /// Values of a variable from the least of `lower` to the greatest of `upper`, an `int`.
    pub fn between(lower: Range, upper: Range) -> Range {
        let (least, most) = limits(ScalarKind::I32);
        match (lower, upper) {
            (Whole { low, .. }, Whole { high, .. }) if low <= high => Whole {
                low: low.clamp(least, most),
                high: high.clamp(least, most),
            },
            _ => Range::of(ScalarKind::I32),
        }
    }

    /// Least and greatest value, cut to 64 bits. A floating range has none.
    pub fn ends(self) -> (i64, i64) {
        let cut = |end: i128| end.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        match self {
            Whole { low, high } => (cut(low), cut(high)),
            Floating { .. } => (i64::MIN, i64::MAX),
        }
    }

    /// Whether it has this integer.
    pub fn has(self, value: i128) -> bool {
        match self {
            Whole { low, high } => (low..=high).contains(&value),
            Floating { low, high, .. } => low <= value as f64 && value as f64 <= high,
        }
    }

    /// Whether a type of integers has all of its values.
    pub fn fits(self, kind: ScalarKind) -> bool {
        let (least, most) = limits(kind);
        matches!(self, Whole { low, high } if least <= low && high <= most)
    }

    fn is_bounded(self) -> bool {
        match self {
            Whole { .. } => true,
            Floating { low, high, nan } => !nan && low.is_finite() && high.is_finite(),
        }
    }

    /// The least range of integers with all of these, or of the type where it may not hold them.
    fn around(ends: impl IntoIterator<Item = i128>, kind: ScalarKind) -> Range {
        let (least, most) = limits(kind);
        let (mut low, mut high) = (i128::MAX, i128::MIN);
        for end in ends {
            (low, high) = (low.min(end), high.max(end));
        }
        if least <= low && low <= high && high <= most {
            Whole { low, high }
        } else {
            Range::of(kind)
        }
    }

    /// The least range with both. Both are of one kind.
    pub fn union(self, other: Range) -> Range {
        match (self, other) {
            (Whole { low, high }, Whole { low: l, high: h }) => Whole {
                low: low.min(l),
                high: high.max(h),
            },
            (
                Floating { low, high, nan },
                Floating {
                    low: l,
                    high: h,
                    nan: n,
                },
            ) => Floating {
                low: low.min(l),
                high: high.max(h),
                nan: nan || n,
            },
            _ => Range::ANY,
        }
    }

    /// As C converts it to a type.
    pub fn converted(self, kind: ScalarKind) -> Range {
        match (self, kind.is_float()) {
            (Whole { low, high }, false) => Range::around([low, high], kind),
            // Both round to the nearest, and keep the order.
            (Whole { low, high }, true) => match kind {
                ScalarKind::F32 => Range::floating((low as f32).into(), (high as f32).into()),
                _ => Range::floating(low as f64, high as f64),
            },
            (Floating { low, high, .. }, false) => {
                if self.is_bounded() {
                    Range::around([low.trunc() as i128, high.trunc() as i128], kind)
                } else {
                    Range::of(kind)
                }
            }
            (Floating { low, high, nan }, true) => self.rounded(low, high, nan, kind),
        }
    }

    fn rounded(self, low: f64, high: f64, nan: bool, kind: ScalarKind) -> Range {
        if kind == ScalarKind::F64 {
            let step = |end: f64| end.abs() * f64::EPSILON + f64::MIN_POSITIVE;
            return if self.is_bounded() {
                Range::floating(low - step(low), high + step(high))
            } else {
                self
            };
        }
        let end = |end: f64, sign: f32| {
            let near = end as f32;
            let step = near.abs() * f32::EPSILON + f32::MIN_POSITIVE;
            if f64::from(near) == end || !near.is_finite() {
                f64::from(near)
            } else {
                f64::from(near + sign * step)
            }
        };
        Floating {
            low: end(low, -1.0),
            high: end(high, 1.0),
            nan,
        }
    }

    /// `-self`, in its promoted type.
    pub fn negated(self, kind: ScalarKind) -> Range {
        match self {
            Whole { low, high } => Range::around([-high, -low], kind),
            Floating { low, high, nan } => Floating {
                low: -high,
                high: -low,
                nan,
            },
        }
    }

    /// `~self`, in its promoted type.
    pub fn complement(self, kind: ScalarKind) -> Range {
        match self {
            Whole { low, high } if is_signed(kind) => Range::around([!high, !low], kind),
            Whole { low, high } => {
                let all = limits(kind).1;
                Range::around([all - high, all - low], kind)
            }
            Floating { .. } => Range::ANY,
        }
    }

    /// Its values without their sign, in its promoted type.
    pub fn without_sign(self, kind: ScalarKind) -> Range {
        match self {
            Whole { low, high } => {
                let zero = (low <= 0 && 0 <= high).then_some(0);
                Range::around([low.abs(), high.abs()].into_iter().chain(zero), kind)
            }
            Floating { low, high, nan } => Floating {
                low: if low <= 0.0 && high >= 0.0 {
                    0.0
                } else {
                    low.abs().min(high.abs())
                },
                high: low.abs().max(high.abs()),
                nan,
            },
        }
    }

    /// `a < b ? a : b`: where `a` is not a number it is `b`. Both are of one kind.
    pub fn min(self, other: Range) -> Range {
        match (self, other) {
            (Whole { low, high }, Whole { low: l, high: h }) => Whole {
                low: low.min(l),
                high: high.min(h),
            },
            (
                Floating { low, high, nan },
                Floating {
                    low: l,
                    high: h,
                    nan: n,
                },
            ) => Floating {
                low: low.min(l),
                high: if nan { h } else { high.min(h) },
                nan: n,
            },
            _ => Range::ANY,
        }
    }

    /// `a > b ? a : b`. Both are of one kind.
    pub fn max(self, other: Range) -> Range {
        match (self, other) {
            (Whole { low, high }, Whole { low: l, high: h }) => Whole {
                low: low.max(l),
                high: high.max(h),
            },
            (
                Floating { low, high, nan },
                Floating {
                    low: l,
                    high: h,
                    nan: n,
                },
            ) => Floating {
                low: if nan { l } else { low.max(l) },
                high: high.max(h),
                nan: n,
            },
            _ => Range::ANY,
        }
    }

    /// A function that grows and keeps what is not a number.
    pub fn through(self, function: fn(f64) -> f64) -> Range {
        match self {
            Floating { low, high, nan } => Floating {
                low: function(low),
                high: function(high),
                nan,
            },
            whole => whole,
        }
    }

    /// The square root.
    pub fn root(self) -> Range {
        match self {
            Floating {
                low,
                high,
                nan: false,
            } if low >= 0.0 => Range::floating(low.sqrt(), high.sqrt()),
            _ => Range::ANY,
        }
    }

    /// Sine or cosine.
    pub fn wave(self) -> Range {
        if self.is_bounded() {
            Range::floating(-1.0, 1.0)
        } else {
            Range::ANY
        }
    }

    /// `a operator b`, computed in `kind`, to which both have been converted; of shifts only `a`
    /// has been. Not for comparisons.
    pub fn binary(operator: BinaryOp, a: Range, b: Range, kind: ScalarKind) -> Range {
        match (a, b) {
            (Whole { low, high }, Whole { low: l, high: h }) => {
                integers(operator, (low, high), (l, h), kind)
            }
            (
                Floating { low, high, .. },
                Floating {
                    low: l, high: h, ..
                },
            ) if a.is_bounded() && b.is_bounded() => match floats(operator, (low, high), (l, h)) {
                range @ Floating { low, high, nan } => range.rounded(low, high, nan, kind),
                range => range,
            },
            _ => Range::of(kind),
        }
    }
}

fn integers(operator: BinaryOp, a: (i128, i128), b: (i128, i128), kind: ScalarKind) -> Range {
    let bits = 8 * kind.bytes() as i128;
    let corners = |f: fn(i128, i128) -> i128| [f(a.0, b.0), f(a.0, b.1), f(a.1, b.0), f(a.1, b.1)];
    let is_count = 0 <= b.0 && b.1 < bits;
    match operator {
        BinaryOp::Add => Range::around([a.0 + b.0, a.1 + b.1], kind),
        BinaryOp::Sub => Range::around([a.0 - b.1, a.1 - b.0], kind),
        BinaryOp::Mul => Range::around(corners(i128::saturating_mul), kind),
        BinaryOp::Div => {
            // On either side of 0 a quotient grows or falls in both.
            let below = (b.0 < 0).then_some((b.0, b.1.min(-1)));
            let above = (b.1 > 0).then_some((b.0.max(1), b.1));
            let ends = below.into_iter().chain(above);
            let ends = ends.flat_map(|(low, high)| [low, high]);
            Range::around(ends.flat_map(|by| [a.0 / by, a.1 / by]), kind)
        }
        BinaryOp::Rem => {
            let most = b.0.abs().max(b.1.abs()) - 1;
            let least = if b.0 <= 0 && 0 <= b.1 {
                0
            } else {
                b.0.abs().min(b.1.abs()) - 1
            };
            match -least <= a.0 && a.1 <= least {
                // What is less than every divisor stays.
                true => Range::around([a.0, a.1], kind),
                false if most < 0 => Range::of(kind),
                false => Range::around([a.0.clamp(-most, 0), a.1.clamp(0, most)], kind),
            }
        }
        BinaryOp::ShiftLeft if is_count => {
            Range::around(corners(|a, by| a.saturating_mul(1 << by)), kind)
        }
        BinaryOp::ShiftRight if is_count => Range::around(corners(|a, by| a >> by), kind),
        BinaryOp::BitAnd => Range::around(
            match (a.0 >= 0, b.0 >= 0) {
                (true, true) => [0, a.1.min(b.1)],
                (true, false) => [0, a.1],
                (false, true) => [0, b.1],
                (false, false) => [-beyond(a, b), a.1.max(b.1)],
            },
            kind,
        ),
        BinaryOp::BitOr => {
            let high = if a.1 < 0 || b.1 < 0 {
                -1
            } else {
                beyond(a, b) - 1
            };
            let low = if a.0 >= 0 && b.0 >= 0 {
                a.0.max(b.0)
            } else {
                a.0.min(b.0)
            };
            Range::around([low, high], kind)
        }
        BinaryOp::BitXor => {
            let low = if a.0 >= 0 && b.0 >= 0 {
                0
            } else {
                -beyond(a, b)
            };
            Range::around([low, beyond(a, b) - 1], kind)
        }
        _ => Range::of(kind),
    }
}

/// The least power of two that is above all of these, or their distance from -1 where negative.
fn beyond(a: (i128, i128), b: (i128, i128)) -> i128 {
    let size = |end: i128| if end < 0 { !end } else { end };
    let most = [a.0, a.1, b.0, b.1].into_iter().map(size).max();
    1 << (i128::BITS - most.unwrap_or(0).leading_zeros())
}

fn floats(operator: BinaryOp, a: (f64, f64), b: (f64, f64)) -> Range {
    let around = |ends: [f64; 4]| {
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if ends.iter().any(|end| end.is_nan()) {
            Range::ANY
        } else {
            Range::floating(low, high)
        }
    };
    match operator {
        BinaryOp::Add => Range::floating(a.0 + b.0, a.1 + b.1),
        BinaryOp::Sub => Range::floating(a.0 - b.1, a.1 - b.0),
        BinaryOp::Mul => around([a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1]),
        BinaryOp::Div if b.0 > 0.0 || b.1 < 0.0 => {
            around([a.0 / b.0, a.0 / b.1, a.1 / b.0, a.1 / b.1])
        }
        _ => Range::ANY,
    }
}
