//! What things cost on a machine, for predicted times ([`crate::planner::cost`]).

use super::defaults;

/// Nanoseconds of one core; the default is [`defaults::RATES`].
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Rates {
    /// A byte from or to memory.
    #[serde(deserialize_with = "rate")]
    pub memory: f64,
    /// A byte of an array that fits the last cache.
    #[serde(deserialize_with = "rate")]
    pub cache_l3: f64,
    /// A byte of what fits the second cache and not the first one.
    #[serde(deserialize_with = "rate")]
    pub cache_l2: f64,
    /// An operation on one cell, with vector registers of [`defaults::RATED_VECTOR`] bytes.
    #[serde(deserialize_with = "rate")]
    pub operation: f64,
    /// A row of a stage in a tile: the start of its vector loop, and its rest.
    #[serde(deserialize_with = "rate")]
    pub row: f64,
    /// A parallel loop over tiles: its start and the wait at its end.
    #[serde(deserialize_with = "rate")]
    pub region: f64,
}

impl Default for Rates {
    fn default() -> Rates {
        defaults::RATES
    }
}

/// Reads a rate: finite, and above zero, as nothing is free.
fn rate<'de, D: serde::Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let rate: f64 = serde::Deserialize::deserialize(from)?;
    if rate.is_finite() && rate > 0.0 {
        Ok(rate)
    } else {
        Err(serde::de::Error::custom(
            "a rate is a number of nanoseconds above 0",
        ))
    }
}
