//! A second opinion on what a compiler of C wrote.
//!
//! [`certify`] reads two texts of C, an original and a result, executes both on the same small inputs
//! and compares every value that is left behind. Nothing in here knows how the result was made, and
//! nothing is shared with who made it: texts are read by a parser into a tree of its own, resolved and
//! compiled to instructions for a small machine that knows what C leaves undefined.
//!
//! An [`Equal`](Verdict::Equal) verdict is no proof: it says that nothing differed on the inputs that
//! were tried, and [`Certificate::coverage`] says which lines of the result these never reached.

mod arith;
pub(crate) mod judging;
mod kernels;
mod names;
mod outside;
mod program;
mod read;
mod run;
pub mod storage;
#[cfg(test)]
mod tests;
mod text;
mod types;
mod verdict;
mod wide;

pub use verdict::{
    Certificate, Coverage, Difference, Effort, Kind, Options, Text, Verdict, certify,
};
