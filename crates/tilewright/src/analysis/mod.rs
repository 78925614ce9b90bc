//! What the program does: who reads what which other instance wrote, and its stages.

pub mod dependences;
pub mod model;
pub(crate) mod operations;
pub mod over_time;
pub mod overlap;
pub mod privatise;
pub mod reductions;
pub mod region;
pub mod stages;
pub mod tables;
pub mod trips;
pub mod webs;
