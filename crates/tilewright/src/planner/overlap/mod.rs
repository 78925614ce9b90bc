//! Pipelines: which stages are tiled together with overlap, and all that a plan says of such a
//! group.

pub(crate) mod fusion;
pub mod grouping;
pub(crate) mod hybrid;
pub(crate) mod order;
pub(crate) mod pipeline;
pub(crate) mod sharing;
pub(crate) mod sizes;
