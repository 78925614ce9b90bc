//! What stages of a group need of each other in one overlapped tile: shifts, footprints, and which
//! point loops they can share.

pub mod alignment;
pub mod footprint;
pub mod pointwise;
pub mod wide;
