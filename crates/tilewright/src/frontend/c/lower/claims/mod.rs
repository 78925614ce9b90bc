//! What a program says of itself: PENCIL and OpenMP.

pub(crate) mod assume;
pub(crate) mod followed;
pub(crate) mod openmp;
pub(crate) mod pencil;
