//! What the program does: who reads what which other instance wrote, and its stages.

pub mod alignment;
pub mod bands;
pub mod carried;
pub mod cone;
pub mod dataflow;
mod direct;
pub mod footprint;
pub(crate) mod independent;
pub(crate) mod memory;
pub mod model;
pub(crate) mod operations;
pub mod pointwise;
pub mod privatise;
pub mod reductions;
pub mod region;
pub mod stages;
pub mod tables;
pub(crate) mod times;
pub(crate) mod unwritten;
pub mod wide;
