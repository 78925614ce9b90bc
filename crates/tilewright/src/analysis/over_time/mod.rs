//! Iterated stencils: their bands of time, and how fast values go through space.

pub mod bands;
pub mod cone;
