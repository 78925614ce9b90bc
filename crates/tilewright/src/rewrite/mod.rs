//! From [`Scop`] to [`Scop`]: what a plan changes of a program before its stages are grouped and
//! ordered. What comes out is a program like any other, of which everything else is asked anew.
//!
//! No schedules and no buffers in here: these are [`crate::transform`]'s.
//!
//! [`Scop`]: crate::scop::Scop

pub mod accumulate;
pub mod bands;
pub mod bounds;
pub mod ell;
pub mod height;
pub mod inline;
pub mod partial;
pub mod substitute;
pub mod tabulate;

/// Why a plan cannot be applied.
#[derive(Debug, thiserror::Error)]
pub enum TransformError {
    /// The plan does not fit the program; one sentence.
    #[error("{0}")]
    Plan(String),
    /// isl failed, or its budget ran out.
    #[error(transparent)]
    Isl(#[from] isl::Error),
}
