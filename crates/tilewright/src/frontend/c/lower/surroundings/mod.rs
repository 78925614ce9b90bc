//! What the region and its function do to variables, found before anything is lowered.

pub(crate) mod changes;
pub(crate) mod elements;
pub(crate) mod facts;
pub(crate) mod follows;
pub(crate) mod indices;
pub(crate) mod liveness;
pub(crate) mod visit;
