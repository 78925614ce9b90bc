//! Overlapped tiles of the stages of a pipeline.

pub(crate) mod interleaved;
pub(crate) mod linear;
pub mod overlapped;
pub(crate) mod sharing;
