//! Functions that a region calls.

pub(crate) mod callees;
mod effects;
pub(crate) mod extremum;
pub(crate) mod hidden;
pub(crate) mod kept;
pub(crate) mod purity;
pub(crate) mod summary;
pub(crate) mod totality;
