//! Medians and minima of measured times.

use serde::{Deserialize, Serialize};

/// Times of several runs of one version, in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// The middle one, or the mean of the two middle ones.
    pub median: f64,
    /// The shortest.
    pub min: f64,
    /// How many runs.
    pub runs: usize,
    /// All, in the order of the runs.
    pub all: Vec<f64>,
}

impl Times {
    /// Statistics of times in milliseconds; of none at all, zeros.
    pub fn new(all: Vec<f64>) -> Times {
        let mut sorted = all.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        let median = match sorted.len() {
            0 => 0.0,
            length if length % 2 == 1 => sorted[middle],
            _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
        };
        let min = sorted.first().copied().unwrap_or(0.0);
        Times {
            median,
            min,
            runs: all.len(),
            all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Times;

    #[test]
    fn medians() {
        let of = |times: &[f64]| Times::new(times.to_vec());
        assert_eq!(of(&[]).median, 0.0);
        assert_eq!(
            (of(&[3.0, 1.0, 2.0]).median, of(&[3.0, 1.0, 2.0]).min),
            (2.0, 1.0)
        );
        assert_eq!(of(&[4.0, 1.0, 2.0, 3.0]).median, 2.5);
        assert_eq!(of(&[4.0, 1.0]).runs, 2);
    }
}
