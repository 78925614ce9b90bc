//! Statements, loops and OpenMP's constructs.

mod clauses;
pub(crate) mod loops;
pub(crate) mod omp;
pub(crate) mod stmt;
