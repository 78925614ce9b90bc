//! C's arithmetic on single values, written from the standard (C17, 6.3.1 and 6.5), for 64-bit
//! Linux. Shares nothing with the compiler: it is what tests compare with.

use super::{BinaryOp, ScalarKind, UnaryOp};
use ScalarKind::*;

/// A value of a C type.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub kind: ScalarKind,
    pub number: Number,
}

/// What a value is; a `float` is kept as the `double` that equals it.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    Int(i128),
    Float(f64),
}
use Number::{Float, Int};

impl Value {
    pub fn int(value: i128, kind: ScalarKind) -> Value {
        let number = Int(value);
        Value { kind, number }
    }

    pub fn whole(self) -> i128 {
        match self.number {
            Int(value) => value,
            Float(value) => panic!("{value} is no integer"),
        }
    }

    pub fn as_f64(self) -> f64 {
        match self.number {
            Int(value) => value as f64,
            Float(value) => value,
        }
    }
}

/// Bits of an integer type, and whether it has a sign.
fn shape(kind: ScalarKind) -> (u32, bool) {
    match kind {
        I8 => (8, true),
        U8 => (8, false),
        I16 => (16, true),
        U16 => (16, false),
        I32 => (32, true),
        U32 => (32, false),
        I64 => (64, true),
        U64 => (64, false),
        other => panic!("{other:?} is no integer type of the language"),
    }
}

/// Integer promotions.
pub fn promoted(kind: ScalarKind) -> ScalarKind {
    match kind {
        I8 | U8 | I16 | U16 => I32,
        other => other,
    }
}

/// The usual arithmetic conversions: of the wider type, and of the unsigned one of two as wide.
pub fn common(a: ScalarKind, b: ScalarKind) -> ScalarKind {
    let (a, b) = (promoted(a), promoted(b));
    match (a, b) {
        (F64, _) | (_, F64) => F64,
        (F32, _) | (_, F32) => F32,
        _ => {
            let ((wide, signed), (narrow, other)) = (shape(a), shape(b));
            match wide == narrow {
                true if signed && !other => b,
                true => a,
                false if wide > narrow => a,
                false => b,
            }
        }
    }
}

/// Computes, and keeps in mind what was met on the way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine {
    /// Something without a meaning in C; the value is what a processor is likely to give.
    pub undefined: bool,
    /// A division by zero or of the least number by -1, or a shift by too much: no value at all.
    pub stuck: bool,
    /// A value that a conversion changed, or that did not fit.
    pub wrapped: bool,
}

impl Machine {
    fn fit(&mut self, value: i128, kind: ScalarKind) -> Value {
        let (bits, signed) = shape(kind);
        let low = value & ((1 << bits) - 1);
        let fitting = if signed && low >> (bits - 1) == 1 {
            low - (1 << bits)
        } else {
            low
        };
        self.wrapped |= fitting != value;
        Value::int(fitting, kind)
    }

    /// The result of an operation: out of range it is undefined where the type is signed.
    fn result(&mut self, value: i128, kind: ScalarKind) -> Value {
        let fitting = self.fit(value, kind);
        self.undefined |= shape(kind).1 && fitting.whole() != value;
        fitting
    }

    fn rounded(value: f64, kind: ScalarKind) -> Value {
        let number = Float(match kind {
            F32 => f64::from(value as f32),
            _ => value,
        });
        Value { kind, number }
    }

    pub fn convert(&mut self, value: Value, kind: ScalarKind) -> Value {
        match (value.number, kind) {
            (Int(value), F32) => Value {
                kind,
                number: Float(f64::from(value as f32)),
            },
            (Int(value), F64) => Self::rounded(value as f64, kind),
            (Int(value), _) => self.fit(value, kind),
            (Float(value), F32 | F64) => Self::rounded(value, kind),
            (Float(value), _) => {
                let fitting = if value.is_finite() {
                    self.fit(value.trunc() as i128, kind)
                } else {
                    Value::int(0, kind)
                };
                let changed = !value.is_finite() || fitting.whole() != value.trunc() as i128;
                self.undefined |= changed;
                self.wrapped |= changed;
                fitting
            }
        }
    }

    pub fn unary(&mut self, operator: UnaryOp, a: Value) -> Value {
        let a = self.convert(a, promoted(a.kind));
        match (operator, a.number) {
            (UnaryOp::Minus, Int(value)) => self.result(-value, a.kind),
            (UnaryOp::Minus, Float(value)) => Self::rounded(-value, a.kind),
            (UnaryOp::Complement, Int(value)) if shape(a.kind).1 => Value::int(!value, a.kind),
            (UnaryOp::Complement, Int(value)) => {
                let all = (1 << shape(a.kind).0) - 1;
                Value::int(all ^ value, a.kind)
            }
            _ => a,
        }
    }

    /// Operators but comparisons.
    pub fn binary(&mut self, operator: BinaryOp, a: Value, b: Value) -> Value {
        use BinaryOp::*;
        if matches!(operator, ShiftLeft | ShiftRight) {
            return self.shift(operator, a, b);
        }
        let kind = common(a.kind, b.kind);
        let (a, b) = (self.convert(a, kind), self.convert(b, kind));
        match (a.number, b.number) {
            (Int(a), Int(b)) => {
                if matches!(operator, Div | Rem) {
                    let (bits, signed) = shape(kind);
                    if b == 0 || (signed && b == -1 && a == -(1 << (bits - 1))) {
                        (self.undefined, self.stuck) = (true, true);
                        return Value::int(0, kind);
                    }
                }
                let value = match operator {
                    Add => a + b,
                    Sub => a - b,
                    Mul if kind == U64 => ((a as u64).wrapping_mul(b as u64)).into(),
                    Mul => a * b,
                    Div => a / b,
                    Rem => a % b,
                    BitAnd => a & b,
                    BitOr => a | b,
                    BitXor => a ^ b,
                    other => panic!("{other:?}"),
                };
                if kind == U64 && operator == Mul {
                    self.wrapped |= a.checked_mul(b) != Some(value);
                }
                self.result(value, kind)
            }
            _ => {
                let (x, y) = (a.as_f64(), b.as_f64());
                // Twice the digits of a float are enough to round only once.
                let value = match operator {
                    Add => x + y,
                    Sub => x - y,
                    Mul => x * y,
                    Div => x / y,
                    other => panic!("{other:?}"),
                };
                Self::rounded(value, kind)
            }
        }
    }

    fn shift(&mut self, operator: BinaryOp, a: Value, b: Value) -> Value {
        let a = self.convert(a, promoted(a.kind));
        let (bits, signed) = shape(a.kind);
        let (value, count) = (a.whole(), b.whole());
        if !(0..i128::from(bits)).contains(&count) {
            (self.undefined, self.stuck) = (true, true);
            return a;
        }
        if operator == BinaryOp::ShiftRight {
            return Value::int(value >> count, a.kind);
        }
        self.undefined |= signed && value < 0;
        match a.kind {
            U64 => {
                let shifted = Value::int(((value as u64) << count).into(), U64);
                self.wrapped |= shifted.whole() >> count != value;
                shifted
            }
            kind => self.result(value << count, kind),
        }
    }

    pub fn compare(&mut self, operator: BinaryOp, a: Value, b: Value) -> bool {
        use BinaryOp::*;
        let kind = common(a.kind, b.kind);
        let (a, b) = (self.convert(a, kind), self.convert(b, kind));
        let order = match (a.number, b.number) {
            (Int(a), Int(b)) => Some(a.cmp(&b)),
            _ => a.as_f64().partial_cmp(&b.as_f64()),
        };
        match operator {
            Less => order.is_some_and(|o| o.is_lt()),
            LessEqual => order.is_some_and(|o| o.is_le()),
            Greater => order.is_some_and(|o| o.is_gt()),
            GreaterEqual => order.is_some_and(|o| o.is_ge()),
            Equal => order.is_some_and(|o| o.is_eq()),
            NotEqual => !order.is_some_and(|o| o.is_eq()),
            other => panic!("{other:?}"),
        }
    }

    /// `condition ? a : b`.
    pub fn choose(&mut self, condition: bool, a: Value, b: Value) -> Value {
        let kind = common(a.kind, b.kind);
        self.convert(if condition { a } else { b }, kind)
    }

    /// `a < b ? a : b`, or with `>`.
    pub fn extreme(&mut self, less: BinaryOp, a: Value, b: Value) -> Value {
        let kind = common(a.kind, b.kind);
        let (a, b) = (self.convert(a, kind), self.convert(b, kind));
        if self.compare(less, a, b) { a } else { b }
    }

    /// `a < 0 ? -a : a` of integers, `fabs` of others.
    pub fn without_sign(&mut self, a: Value) -> Value {
        let a = self.convert(a, promoted(a.kind));
        match a.number {
            Int(value) if value < 0 => self.unary(UnaryOp::Minus, a),
            Int(_) => a,
            Float(value) => Self::rounded(value.abs(), a.kind),
        }
    }
}
