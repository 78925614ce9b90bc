//! Functions that a region calls.

pub(crate) mod callees;
mod effects;
pub(crate) mod extremum;
pub(crate) mod hidden;
pub mod others;
pub(crate) mod purity;
pub(crate) mod summary;
pub(crate) mod totality;
