//! What has to hold of a pipeline before it is compiled, and how a mistake is said.

pub(crate) mod bounds;
pub(crate) mod check;
pub(crate) mod names;
pub(crate) mod problem;
pub(crate) mod wording;
