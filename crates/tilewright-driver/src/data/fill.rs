//! Contents for arrays that no file was given for.

use super::element::{self, Value};
use super::{Shape, chart, picture};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use tilewright::scop::ScalarKind;

/// Random integers are below this (and fit their type): pixels, small indices.
pub const RANDOM_INTEGERS: i128 = 256;

/// What arrays hold before the program runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fill {
    /// A test chart in arrays that look like pictures where pictures are read or written,
    /// otherwise random values.
    #[default]
    Auto,
    /// A test chart in arrays that look like pictures, random values in others.
    Chart,
    /// Random values: floats in 0..1, integers in 0..256.
    Random,
    /// Zeros.
    Zeros,
}

impl FromStr for Fill {
    type Err = String;

    fn from_str(text: &str) -> Result<Fill, String> {
        Ok(match text {
            "auto" => Fill::Auto,
            "chart" => Fill::Chart,
            "random" => Fill::Random,
            "zeros" => Fill::Zeros,
            _ => {
                return Err(format!(
                    "unknown contents `{text}`: auto, chart, random, zeros"
                ));
            }
        })
    }
}

/// Fills an array. The same seed and name give the same random values, whatever other arrays
/// there are.
pub fn fill(shape: &Shape, fill: Fill, seed: u64, bytes: &mut [u8]) {
    match fill {
        Fill::Zeros => bytes.fill(0),
        Fill::Chart if picture::looks_like_one(shape) => chart::draw(shape, bytes),
        Fill::Auto | Fill::Chart | Fill::Random => random(shape, seed, bytes),
    }
}

fn random(shape: &Shape, seed: u64, bytes: &mut [u8]) {
    // FNV-1a over the name, so that arrays differ.
    let mut generator = SplitMix64(seed ^ fnv1a(shape.name.as_bytes()));
    let kind = shape.element;
    let limit = element::range(kind).map_or(1, |(_, high)| RANDOM_INTEGERS.min(high + 1)) as u64;
    element::fill(kind, bytes, |_| {
        let word = generator.next();
        match kind {
            ScalarKind::F32 => Value::Float((word >> 40) as f64 / (1_u64 << 24) as f64),
            ScalarKind::F64 => Value::Float((word >> 11) as f64 / (1_u64 << 53) as f64),
            _ => Value::Int(((word >> 32) % limit).into()),
        }
    });
}

/// The hash of Fowler, Noll and Vo, 64 bits, variant 1a: short, and the same everywhere and always.
pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Steele, Lea and Flood, 'Fast splittable pseudorandom number generators', OOPSLA 2014.
pub(crate) struct SplitMix64(pub(crate) u64);

impl SplitMix64 {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(name: &str, element: ScalarKind, seed: u64) -> Vec<Value> {
        let shape = Shape {
            name: name.into(),
            element,
            extents: vec![1000],
        };
        let mut bytes = vec![0xee; shape.bytes()];
        fill(&shape, Fill::Auto, seed, &mut bytes);
        element::values(element, &bytes).collect()
    }

    #[test]
    fn first_words_of_the_published_generator() {
        let mut generator = SplitMix64(1234567);
        assert_eq!(generator.next(), 6457827717110365317);
        assert_eq!(generator.next(), 3203168211198807973);
    }

    #[test]
    fn random_values_are_in_range_and_repeatable() {
        for kind in [ScalarKind::F32, ScalarKind::F64] {
            let values = filled("a", kind, 1);
            assert!(
                values
                    .iter()
                    .all(|value| (0.0..1.0).contains(&value.as_f64()))
            );
            let mean = values.iter().map(|value| value.as_f64()).sum::<f64>() / 1000.0;
            assert!((0.45..0.55).contains(&mean), "{mean}");
        }
        for (kind, high) in [
            (ScalarKind::I8, 128),
            (ScalarKind::I32, 256),
            (ScalarKind::Bool, 2),
        ] {
            let values = filled("a", kind, 1);
            assert!(
                values
                    .iter()
                    .all(|value| matches!(value, Value::Int(v) if (0..high).contains(v)))
            );
            assert!(values.contains(&Value::Int(high - 1)) || kind == ScalarKind::I32);
        }
        assert_eq!(
            filled("a", ScalarKind::F32, 1),
            filled("a", ScalarKind::F32, 1)
        );
        assert_ne!(
            filled("a", ScalarKind::F32, 1),
            filled("b", ScalarKind::F32, 1)
        );
        assert_ne!(
            filled("a", ScalarKind::F32, 1),
            filled("a", ScalarKind::F32, 2)
        );
    }
}
