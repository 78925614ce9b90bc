//! Arrays of a tile in local memory: which cells, where, and the copies there and back.

pub(crate) mod copies;
pub(crate) mod copy_loops;
pub(crate) mod footprint;
pub(crate) mod last_writes;
pub(crate) mod live_in;
pub mod memory;
pub(crate) mod projection;
pub mod promote;
pub(crate) mod references;
pub(crate) mod transfer;
