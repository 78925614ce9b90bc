//! Comparing arrays bit by bit.

use crate::data::element::{self, Value};
use serde::{Deserialize, Serialize};
use tilewright::scop::ScalarKind;

/// How two arrays of the same size differ.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Difference {
    /// How many elements differ. Any not-a-number equals any other; 0.0 and −0.0 differ.
    pub differing: u64,
    /// The first element that does, in the order of memory.
    pub first: Option<u64>,
    /// The values there, as text, original first.
    pub values: Option<(String, String)>,
    /// The largest absolute difference of two elements. Where only one of them is a number, or
    /// infinities differ, it is the largest double, so that it remains a number in JSON.
    pub max_abs_diff: f64,
    /// How many elements of the original are not a number.
    pub not_a_number: u64,
    /// The largest absolute value of the original, where an element differs.
    #[serde(default)]
    pub largest: f64,
}

/// Compares two arrays of the same element type, given as bytes of the same length.
pub fn compare(kind: ScalarKind, original: &[u8], result: &[u8]) -> Difference {
    debug_assert_eq!(original.len(), result.len());
    let mut difference = Difference::default();
    if kind.is_float() {
        difference.not_a_number = element::values(kind, original)
            .filter(|value| value.is_nan())
            .count() as u64;
    }
    if original == result {
        return difference;
    }
    let pairs = element::values(kind, original).zip(element::values(kind, result));
    for (at, (left, right)) in pairs.enumerate() {
        let size = left.as_f64().abs();
        if size.is_finite() {
            difference.largest = difference.largest.max(size);
        }
        if same(left, right) {
            continue;
        }
        difference.differing += 1;
        if difference.first.is_none() {
            difference.first = Some(at as u64);
            difference.values = Some((left.to_string(), right.to_string()));
        }
        let distance = distance(left, right);
        difference.max_abs_diff = difference.max_abs_diff.max(distance);
    }
    difference
}

fn same(left: Value, right: Value) -> bool {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => left == right,
        (left, right) => {
            let (left, right) = (left.as_f64(), right.as_f64());
            left.to_bits() == right.to_bits() || (left.is_nan() && right.is_nan())
        }
    }
}

fn distance(left: Value, right: Value) -> f64 {
    let distance = match (left, right) {
        (Value::Int(left), Value::Int(right)) => left.abs_diff(right) as f64,
        (left, right) => (left.as_f64() - right.as_f64()).abs(),
    };
    if distance.is_finite() {
        distance
    } else {
        f64::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(left: &[f32], right: &[f32]) -> Difference {
        let bytes = |values: &[f32]| -> Vec<u8> {
            values
                .iter()
                .flat_map(|value| value.to_ne_bytes())
                .collect()
        };
        compare(ScalarKind::F32, &bytes(left), &bytes(right))
    }

    #[test]
    fn bits_count() {
        assert_eq!(floats(&[1.0, 2.0], &[1.0, 2.0]), Difference::default());
        let zero = floats(&[0.0], &[-0.0]);
        assert_eq!((zero.differing, zero.max_abs_diff), (1, 0.0));
        let one = floats(&[1.0, 2.0, 3.0, 5.0], &[1.0, 2.5, 3.0, 4.0]);
        assert_eq!(
            (one.differing, one.first, one.max_abs_diff),
            (2, Some(1), 1.0)
        );
        assert_eq!(one.values, Some(("2".to_owned(), "2.5".to_owned())));
    }

    #[test]
    fn not_a_number_equals_itself_whatever_its_bits() {
        let odd = f32::from_bits(f32::NAN.to_bits() | 0x8000_0001);
        let both = floats(&[f32::NAN, 1.0], &[odd, 1.0]);
        assert_eq!((both.differing, both.not_a_number), (0, 1));
        let only_one = floats(&[f32::NAN], &[1.0]);
        assert_eq!((only_one.differing, only_one.max_abs_diff), (1, f64::MAX));
        assert_eq!(floats(&[f32::INFINITY], &[1.0]).max_abs_diff, f64::MAX);
    }

    #[test]
    fn integers() {
        let difference = compare(ScalarKind::I8, &[0, 0x80, 1], &[0, 0x7f, 1]);
        assert_eq!((difference.differing, difference.max_abs_diff), (1, 255.0));
        assert_eq!(
            compare(ScalarKind::U8, &[0, 255], &[0, 0]).max_abs_diff,
            255.0
        );
    }
}
