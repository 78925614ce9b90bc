//! Functions that a region calls.

pub(crate) mod callees;
pub(crate) mod extremum;
pub(crate) mod purity;
pub(crate) mod summary;
pub(crate) mod totality;
