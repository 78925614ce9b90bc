//! Numbers of cells and points, as functions of parameters and tile sizes.

pub mod counting;
pub mod formula;
pub mod summation;
pub mod totals;
