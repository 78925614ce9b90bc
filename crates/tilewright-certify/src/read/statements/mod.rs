//! Statements, loops and OpenMP's constructs.

pub(crate) mod loops;
pub(crate) mod omp;
pub(crate) mod stmt;
