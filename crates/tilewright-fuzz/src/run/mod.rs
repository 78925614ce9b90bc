//! Runs of the fuzzer: processes, what they do, and what is counted.

pub mod counts;
pub mod state;
pub mod worker;
