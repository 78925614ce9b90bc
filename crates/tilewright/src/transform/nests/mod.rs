//! Loop nests in general: as written, by name as the plan says, and by isl's affine scheduler.

pub mod affine;
pub(crate) mod constants;
pub(crate) mod far;
pub(crate) mod lanes;
mod named;
pub mod original;
pub(crate) mod restructured;
pub(crate) mod rows;
pub(crate) mod scheduled;
pub(crate) mod spread;
pub(crate) mod strides;
pub(crate) mod written;
