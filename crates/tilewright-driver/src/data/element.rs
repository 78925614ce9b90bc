//! Elements of arrays by their kind: bytes to values and back; and Rust's types of them.

use serde::{Deserialize, Serialize};
use std::fmt;
use tilewright::scop::ScalarKind;

/// The value of a scalar or an element.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Any integer or truth value.
    Int(i128),
    /// `float` (exactly, as a double) or `double`.
    Float(f64),
}

impl Value {
    /// The value as a double.
    pub fn as_f64(self) -> f64 {
        match self {
            Value::Int(value) => value as f64,
            Value::Float(value) => value,
        }
    }

    /// Whether it is no number.
    pub fn is_nan(self) -> bool {
        matches!(self, Value::Float(value) if value.is_nan())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(value) => value.fmt(f),
            Value::Float(value) => value.fmt(f),
        }
    }
}

/// The smallest and the largest value of an integer kind.
pub fn range(kind: ScalarKind) -> Option<(i128, i128)> {
    use ScalarKind::*;
    Some(match kind {
        Bool => (0, 1),
        I8 => (i8::MIN.into(), i8::MAX.into()),
        U8 => (0, u8::MAX.into()),
        I16 => (i16::MIN.into(), i16::MAX.into()),
        U16 => (0, u16::MAX.into()),
        I32 => (i32::MIN.into(), i32::MAX.into()),
        U32 => (0, u32::MAX.into()),
        I64 => (i64::MIN.into(), i64::MAX.into()),
        U64 => (0, u64::MAX.into()),
        F16 | F32 | F64 | F80 | F128 | C32 | C64 | C80 | C128 => return None,
    })
}

/// The value of one element, given its bytes.
pub fn get(kind: ScalarKind, bytes: &[u8]) -> Value {
    if !kind.is_on_devices() {
        return foreign(bytes);
    }
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    // Little endian: the low bytes come first. Big-endian machines are not supported.
    let low = u64::from_le_bytes(word);
    use ScalarKind::*;
    match kind {
        Bool | U8 | U16 | U32 | U64 => Value::Int(low.into()),
        I8 => Value::Int((low as i8).into()),
        I16 => Value::Int((low as i16).into()),
        I32 => Value::Int((low as i32).into()),
        I64 => Value::Int((low as i64).into()),
        F32 => Value::Float(f32::from_bits(low as u32).into()),
        F64 => Value::Float(f64::from_bits(low)),
        F16 | F80 | F128 | C32 | C64 | C80 | C128 => foreign(bytes),
    }
}

/// Of numbers that Rust does not have, which no interface passes, an integer that is another one where
/// a byte is.
fn foreign(bytes: &[u8]) -> Value {
    Value::Int(super::fill::fnv1a(bytes).into())
}

/// Sets one element. Integers are reduced to what fits, floats to integers are rounded.
pub fn set(kind: ScalarKind, value: Value, bytes: &mut [u8]) {
    let word = match (kind, value) {
        (ScalarKind::F32, value) => u64::from((value.as_f64() as f32).to_bits()),
        (ScalarKind::F64, value) => value.as_f64().to_bits(),
        (ScalarKind::Bool, value) => u64::from(value.as_f64() != 0.0),
        (kind, value) => {
            let (low, high) = range(kind).unwrap_or((0, 0));
            let value = match value {
                Value::Int(value) => value,
                Value::Float(value) => value.round() as i128,
            };
            value.clamp(low, high) as u64
        }
    };
    let length = bytes.len();
    bytes.copy_from_slice(&word.to_le_bytes()[..length]);
}

/// All elements of an array in the order of memory.
pub fn values(kind: ScalarKind, bytes: &[u8]) -> impl Iterator<Item = Value> + '_ {
    bytes
        .chunks_exact(kind.bytes())
        .map(move |element| get(kind, element))
}

/// Sets every element to what `value` gives for its index.
pub fn fill(kind: ScalarKind, bytes: &mut [u8], mut value: impl FnMut(usize) -> Value) {
    for (at, element) in bytes.chunks_exact_mut(kind.bytes()).enumerate() {
        set(kind, value(at), element);
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A number of Rust that elements can be.
pub trait Element: sealed::Sealed + Copy + fmt::Display {
    /// Its kind.
    const KIND: ScalarKind;
    /// As a double, for comparing with limits.
    fn to_f64(self) -> f64;
    /// From as many bytes as it has.
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! elements {
    ($($type:ty: $kind:ident),+) => {
        $(
            impl sealed::Sealed for $type {}
            impl Element for $type {
                const KIND: ScalarKind = ScalarKind::$kind;
                fn to_f64(self) -> f64 {
                    self as f64
                }
                fn from_bytes(bytes: &[u8]) -> $type {
                    let mut own = [0; size_of::<$type>()];
                    own.copy_from_slice(bytes);
                    <$type>::from_ne_bytes(own)
                }
            }
        )+

        /// The first element that is not from `low` to `high`, as text; not-a-numbers are not.
        pub fn first_outside(
            kind: ScalarKind,
            bytes: &[u8],
            low: f64,
            high: f64,
        ) -> Option<String> {
            match kind {
                ScalarKind::Bool => outside::<u8>(bytes, low, high),
                $(ScalarKind::$kind => outside::<$type>(bytes, low, high),)+
                // Rust has no such numbers, and no interface passes them.
                _ => Some("a number of a type that Rust does not have".to_owned()),
            }
        }
    };
}
elements!(
    i8: I8, u8: U8, i16: I16, u16: U16, i32: I32, u32: U32, i64: I64, u64: U64, f32: F32, f64: F64
);

fn outside<T: Element>(bytes: &[u8], low: f64, high: f64) -> Option<String> {
    let elements = || bytes.chunks_exact(T::KIND.bytes()).map(T::from_bytes);
    let inside = |element: T| (low..=high).contains(&element.to_f64());
    // First without a way out, which is fast.
    if elements().fold(true, |all, element| all & inside(element)) {
        return None;
    }
    let mut elements = elements();
    let found = elements.find(|&element| !inside(element));
    found.map(|element| element.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        use ScalarKind::*;
        for kind in [Bool, I8, U8, I16, U16, I32, U32, I64, U64] {
            let (low, high) = range(kind).unwrap();
            for value in [low, high, 1] {
                let mut bytes = vec![0; kind.bytes()];
                set(kind, Value::Int(value), &mut bytes);
                assert_eq!(get(kind, &bytes), Value::Int(value), "{kind:?}");
            }
        }
        for value in [0.1f32, -3.5e20] {
            let mut bytes = [0; 4];
            set(F32, Value::Float(value.into()), &mut bytes);
            assert_eq!(bytes, value.to_ne_bytes());
            assert_eq!(get(F32, &bytes), Value::Float(value.into()));
        }
    }

    #[test]
    fn conversions_saturate() {
        let mut byte = [0];
        set(ScalarKind::U8, Value::Float(254.6), &mut byte);
        assert_eq!(byte, [255]);
        set(ScalarKind::U8, Value::Int(-3), &mut byte);
        assert_eq!(byte, [0]);
    }

    #[test]
    fn limits_are_looked_at_in_every_kind() {
        use ScalarKind::*;
        for kind in [Bool, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64] {
            let size = kind.bytes();
            let mut bytes = vec![0; 3 * size];
            set(kind, Value::Int(1), &mut bytes[2 * size..]);
            assert_eq!(first_outside(kind, &bytes, 0.0, 1.0), None, "{kind:?}");
            let found = first_outside(kind, &bytes, 0.0, 0.5);
            assert_eq!(found, Some("1".to_owned()), "{kind:?}");
        }
        let bytes = f32::NAN.to_ne_bytes();
        assert_eq!(
            first_outside(F32, &bytes, -1e30, 1e30),
            Some("NaN".to_owned())
        );
        let bytes = 0.1f32.to_ne_bytes();
        assert_eq!(first_outside(F32, &bytes, 1.0, 2.0), Some("0.1".to_owned()));
    }
}
