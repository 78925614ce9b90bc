//! Arrays of a tile in local memory: which cells, where, and the copies there and back.
//!
//! [`promote`] rewrites a kernel for the arrays that the plan names. `footprint` and `projection` find
//! the cells that are touched inside a loop, `live_in` those that have to be copied in, `last_writes`
//! those that have to go back, `references` several buffers for an array that is only read. `copies`,
//! `transfer` and `copy_loops` write the copies. [`memory`] says which memory each buffer is in.

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
