//! Expressions, each with the interval of its values.

use super::{Generator, Helper, Typed};
use crate::tree::{Expr, Type};

/// An argument with the interval that it may be in.
type Argument = (Type, i64, i64);

/// A small function or macro: its name, text, result, arguments, and the interval of the result.
type Known = (
    &'static str,
    &'static str,
    Type,
    &'static [Argument],
    i64,
    i64,
);

const HELPERS: [Known; 13] = [
    (
        "sat",
        "static unsigned char sat(int x) { return x < 0 ? 0 : x > 255 ? 255 : x; }",
        Type::U8,
        &[(Type::I32, -(1 << 31), (1 << 31) - 1)],
        0,
        255,
    ),
    (
        "mix",
        "static unsigned mix(unsigned h) { h ^= h >> 15; return h * 2246822519u; }",
        Type::U32,
        &[(Type::U32, 0, (1 << 32) - 1)],
        0,
        (1 << 32) - 1,
    ),
    (
        "avg",
        "static inline int avg(int a, int b) { int s = a + b; return (s + 1) >> 1; }",
        Type::I32,
        &[
            (Type::I32, -(1 << 20), 1 << 20),
            (Type::I32, -(1 << 20), 1 << 20),
        ],
        -(1 << 20),
        1 << 20,
    ),
    (
        "pick",
        "static int pick(int k) { if (k < 0) return 1; if (k > 7) return 3; return k & 3; }",
        Type::I32,
        &[(Type::I32, -(1 << 31), (1 << 31) - 1)],
        0,
        3,
    ),
    (
        "lerp",
        "static float lerp(float a, float b) { return a + 0.25f * (b - a); }",
        Type::F32,
        &[(Type::F32, 0, 0), (Type::F32, 0, 0)],
        0,
        0,
    ),
    (
        "MIN",
        "#define MIN(x, y) ((x) < (y) ? (x) : (y))",
        Type::I32,
        &[
            (Type::I32, -(1 << 31), (1 << 31) - 1),
            (Type::I32, -(1 << 31), (1 << 31) - 1),
        ],
        -(1 << 31),
        (1 << 31) - 1,
    ),
    (
        "CLAMP8",
        "#define CLAMP8(x) ((x) < 0 ? 0 : (x) > 255 ? 255 : (x))",
        Type::I32,
        &[(Type::I32, -(1 << 31), (1 << 31) - 1)],
        0,
        255,
    ),
    (
        "LUMA",
        "#define LUMA(r, g, b) ((77 * (r) + 151 * (g) + 28 * (b)) >> 8)",
        Type::I32,
        &[
            (Type::I32, 0, 255),
            (Type::I32, 0, 255),
            (Type::I32, 0, 255),
        ],
        0,
        255,
    ),
    (
        "SQR",
        "#define SQR(x) ((x) * (x))",
        Type::I32,
        &[(Type::I32, -30_000, 30_000)],
        0,
        900_000_000,
    ),
    (
        "LEAST",
        "#define LEAST(x, y) ({ __typeof__(x) x_ = (x); __typeof__(y) y_ = (y); x_ < y_ ? x_ : y_; })",
        Type::I32,
        &[
            (Type::I32, -(1 << 31), (1 << 31) - 1),
            (Type::I32, -(1 << 31), (1 << 31) - 1),
        ],
        -(1 << 31),
        (1 << 31) - 1,
    ),
    (
        "CUT",
        "#define CUT(x) ({ int c_ = (x); if (c_ < 0) c_ = 0; c_ > 255 ? 255 : c_; })",
        Type::I32,
        &[(Type::I32, -(1 << 31), (1 << 31) - 1)],
        0,
        255,
    ),
    (
        "SHIFTS",
        "#define SHIFTS(x) ({ unsigned r_ = 0, s_ = (x); for (int k_ = 0; k_ < 4; k_++) r_ += s_ >> k_; r_; })",
        Type::U32,
        &[(Type::U32, 0, (1 << 32) - 1)],
        0,
        (1 << 32) - 1,
    ),
    (
        "GREATEST",
        "#define GREATEST(x, y) ({ float x_ = (x); float y_ = (y); x_ > y_ ? x_ : y_; })",
        Type::F32,
        &[(Type::F32, 0, 0), (Type::F32, 0, 0)],
        0,
        0,
    ),
];

impl Typed {
    /// An expression of this type with any value that the type has.
    pub(super) fn any(expr: Expr, ty: Type) -> Typed {
        let (low, high) = if ty.is_float() { (0, 0) } else { ty.bounds() };
        Typed {
            expr,
            ty,
            low,
            high,
            below: None,
        }
    }

    /// An `int` literal.
    pub(super) fn literal(value: i64) -> Typed {
        Typed {
            expr: Expr::atom(value.to_string()),
            ty: Type::I32,
            low: value.into(),
            high: value.into(),
            below: None,
        }
    }

    /// What is left of it after conversion to the type.
    pub(super) fn interval_as(&self, ty: Type) -> (i128, i128) {
        let (low, high) = ty.bounds();
        if self.low >= low && self.high <= high {
            (self.low, self.high)
        } else {
            (low, high)
        }
    }

    /// Converted by a cast.
    pub(super) fn cast(self, ty: Type) -> Typed {
        if ty.is_float() || self.ty.is_float() {
            return Typed::any(Expr::cast(ty, self.expr), ty);
        }
        let (low, high) = self.interval_as(ty);
        let same = (low, high) == (self.low, self.high);
        Typed {
            below: self.below.filter(|_| same),
            expr: Expr::cast(ty, self.expr),
            ty,
            low,
            high,
        }
    }
}

impl Generator {
    pub(super) fn choose_helpers(&mut self) {
        for (name, text, result, arguments, low, high) in HELPERS {
            let chance = if text.contains("({") { 4 } else { 12 };
            if !self.random.percent(chance) || (result.is_float() && !self.rules.floats) {
                continue;
            }
            self.outside.top.push(text.to_owned());
            self.outside.helpers.push(Helper {
                name,
                result,
                arguments,
                low: low.into(),
                high: high.into(),
            });
        }
    }

    /// `left op right` in which nothing is undefined: operands are changed where that needs it.
    pub(super) fn join(&mut self, op: &'static str, left: Typed, right: Typed) -> Typed {
        let (mut left, mut right) = (left, right);
        if left.ty.is_float() || right.ty.is_float() {
            let op = if matches!(op, "+" | "-" | "*" | "/") {
                op
            } else {
                "+"
            };
            let ty = left.ty.common(right.ty);
            return Typed::any(Expr::binary(op, left.expr, right.expr), ty);
        }
        for _ in 0..4 {
            let shift = matches!(op, "<<" | ">>");
            let ty = if shift {
                left.ty.promoted()
            } else {
                left.ty.common(right.ty)
            };
            let bits = ty.bytes() as i128 * 8;
            if shift {
                if right.low < 0 || right.high >= bits {
                    right = self.masked(right, if bits == 32 { 15 } else { 31 });
                    continue;
                }
                if op == "<<" && ty.is_signed() && left.low < 0 {
                    left = left.cast(if bits == 32 { Type::U32 } else { Type::U64 });
                    continue;
                }
            }
            if matches!(op, "/" | "%") {
                let contains_zero = right.low <= 0 && right.high >= 0;
                if contains_zero || (right.low <= -1 && right.high >= -1) {
                    let small = self.masked(right, 7);
                    right = self.join("+", small, Typed::literal(1));
                    continue;
                }
            }
            let (a, b) = (
                left.interval_as(ty),
                if shift {
                    (right.low, right.high)
                } else {
                    right.interval_as(ty)
                },
            );
            let (low, high) = interval(op, a, b);
            let (least, greatest) = ty.bounds();
            if low >= least && high <= greatest {
                return Typed {
                    below: below(op, &left, &right),
                    expr: Expr::binary(op, left.expr, right.expr),
                    ty,
                    low,
                    high,
                };
            }
            if !ty.is_signed() {
                return Typed::any(Expr::binary(op, left.expr, right.expr), ty);
            }
            // A signed result that may not fit: smaller operands, or unsigned ones.
            match self.random.below(4) {
                0 => left = left.cast(if bits == 32 { Type::U32 } else { Type::U64 }),
                1 => {
                    left = self.masked(left, 255);
                    right = if op == "<<" {
                        self.masked(right, 7)
                    } else {
                        self.masked(right, 1023)
                    };
                }
                2 => {
                    left = self.join("%", left, Typed::literal(97));
                    right = self.masked(right, 15);
                }
                _ => {
                    right = if op == "<<" {
                        self.masked(right, 3)
                    } else {
                        right.cast(if bits == 32 { Type::U32 } else { Type::U64 })
                    }
                }
            }
        }
        let left = left.cast(Type::U64);
        let right = if matches!(op, "<<" | ">>" | "/" | "%") {
            Typed::literal(3)
        } else {
            right
        };
        Typed::any(Expr::binary(op, left.expr, right.expr), Type::U64)
    }

    /// `value & mask`, for a mask of ones.
    pub(super) fn masked(&mut self, value: Typed, mask: i64) -> Typed {
        let ty = value.ty.promoted();
        Typed {
            expr: Expr::binary("&", value.expr, Expr::atom(mask.to_string())),
            ty,
            low: 0,
            high: if value.low >= 0 {
                value.high.min(mask.into())
            } else {
                mask.into()
            },
            below: if value.low >= 0 { value.below } else { None },
        }
    }

    /// A value brought into an interval that holds zero.
    pub(super) fn within(&mut self, value: Typed, low: i128, high: i128) -> Typed {
        if value.ty.is_float() {
            return self.whole_number(value);
        }
        if value.low >= low && value.high <= high {
            return value;
        }
        let mask = [0xf_ffff, 0xffff, 1023, 255, 15, 7, 3, 1].into_iter();
        let masks: Vec<i64> = mask.filter(|m| i128::from(*m) <= high).collect();
        if masks.is_empty() {
            return Typed::literal(0);
        }
        if low < 0 && self.random.percent(40) {
            let by = [1000, 255, 100, 10, 7, 3]
                .into_iter()
                .find(|m| i128::from(*m) <= high.min(-low));
            if let Some(by) = by {
                let value = if value.ty == Type::U64 || value.ty == Type::U32 {
                    value.cast(Type::I32)
                } else {
                    value
                };
                return self.join("%", value, Typed::literal(by));
            }
        }
        let mask = masks[self.random.below(masks.len().min(3))];
        self.masked(value, mask)
    }

    /// A floating-point value as a small integer.
    pub(super) fn whole_number(&mut self, value: Typed) -> Typed {
        let top = Expr::atom("255.0f");
        let inner = Expr::cond(
            Expr::binary("<", value.expr.clone(), top.clone()),
            value.expr.clone(),
            top,
        );
        let outer = Expr::cond(
            Expr::binary(">", value.expr, Expr::atom("0.0f")),
            inner,
            Expr::atom("0.0f"),
        );
        Typed {
            expr: Expr::cast(Type::I32, outer),
            ty: Type::I32,
            low: 0,
            high: 255,
            below: None,
        }
    }
}

/// The interval of `a op b`, exact enough.
fn interval(op: &str, a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    let corners = |f: &dyn Fn(i128, i128) -> i128| {
        let all = [f(a.0, b.0), f(a.0, b.1), f(a.1, b.0), f(a.1, b.1)];
        (
            *all.iter().min().unwrap_or(&0),
            *all.iter().max().unwrap_or(&0),
        )
    };
    let ones = |most: i128| {
        let mut mask = 1i128;
        while mask <= most {
            mask *= 2;
        }
        mask - 1
    };
    match op {
        "+" => (a.0 + b.0, a.1 + b.1),
        "-" => (a.0 - b.1, a.1 - b.0),
        "*" => corners(&|x, y| x.saturating_mul(y)),
        "<<" => corners(&|x, y| x.saturating_mul(1 << y.clamp(0, 64))),
        ">>" => corners(&|x, y| x >> y.clamp(0, 64)),
        "/" => {
            let most = a.0.abs().max(a.1.abs());
            if a.0 >= 0 && b.0 > 0 {
                (0, a.1 / b.0)
            } else {
                (-most, most)
            }
        }
        "%" => {
            let most = (b.0.abs().max(b.1.abs()) - 1).min(a.0.abs().max(a.1.abs()));
            (if a.0 < 0 { -most } else { 0 }, most)
        }
        "&" if a.0 >= 0 && b.0 >= 0 => (0, a.1.min(b.1)),
        "&" if a.0 >= 0 => (0, a.1),
        "&" if b.0 >= 0 => (0, b.1),
        "&" | "|" | "^" => {
            let most = ones(a.1.max(b.1).max(-a.0).max(-b.0));
            (if a.0 < 0 || b.0 < 0 { -most - 1 } else { 0 }, most)
        }
        _ => (0, 1),
    }
}

/// The size below which a sum stays, where it does.
fn below(op: &str, left: &Typed, right: &Typed) -> Option<(usize, i64)> {
    let (size, c) = left.below?;
    let by = i64::try_from(right.high).ok()?;
    let least = i64::try_from(right.low).ok()?;
    match op {
        "+" => Some((size, c.checked_add(by)?)),
        "-" => Some((size, c.checked_sub(least)?)),
        "%" if left.low >= 0 => Some((size, c)),
        _ => None,
    }
}
