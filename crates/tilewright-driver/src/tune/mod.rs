//! The autotuner: which tile sizes, shape and overlap tolerance make a program fastest here?
//!
//! A [`Candidate`] is what the planner is asked for. [`Space`] names the sets of candidates that
//! can be searched, [`Search`] goes through one in random order: every candidate is compiled,
//! compared with the original bit by bit and timed; at the end the best few are timed again, by
//! turns. [`Log`] keeps what was found, so that nothing is measured twice. How candidates are
//! compiled and measured is the [`Bench`]'s, in practice the [`Laboratory`]'s.

mod bench;
mod duration;
mod identity;
pub mod interrupt;
mod log;
mod search;
mod space;
#[cfg(test)]
mod tests;

pub use bench::{Bench, Laboratory, Measurement, Version, in_words};
pub use duration::{parse as parse_duration, words as duration_words};
pub use identity::{Identity, Subject, hash, identify};
pub use log::{Final, Finalist, Found, Log, Record};
pub use search::{Counts, Event, Findings, Search, Settings};
pub use space::{Blocks, Candidate, Space};

/// Timed runs after which a candidate that is clearly slower than the best is given up.
pub const FIRST_RUNS: usize = 2;

/// How many times the best candidate's shortest run all of the first runs of a candidate must
/// take for it to be given up. Two runs of one version on a machine that does other work too
/// differ by a tenth, seldom by more.
pub const CLEARLY_SLOWER: f64 = 1.3;

/// Candidates that are timed again at the end, beside the default plan: enough that noise in a
/// candidate's few runs does not hide the best one.
pub const FINALISTS: usize = 5;

/// Timed runs of a candidate that is not given up, and of each finalist, unless the user says.
pub const RUNS: usize = 5;

/// How long a search may take unless the user says: a few hundred candidates of the example
/// pipelines. PolyMage's autotuner took a few to 27 minutes for these (TOPLAS 2020, section
/// 7.4.2).
pub const BUDGET: std::time::Duration = std::time::Duration::from_secs(600);

/// Whether all runs, if there are any, took longer than `limit`, in the same unit.
pub fn is_clearly_slower(times: &[f64], limit: f64) -> bool {
    !times.is_empty() && times.iter().all(|&time| time > limit)
}
