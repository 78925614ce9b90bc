//! Which loops are distributed over blocks and threads.
//!
//! From here on loops belong to a grid, to the threads of a block, or to one thread; what a thread's
//! memory holds is not decided here.

pub mod block;
pub(crate) mod columns;
pub mod conditions;
pub(crate) mod data;
pub(crate) mod fission;
pub(crate) mod full_tiles;
pub(crate) mod levels;
pub mod mapping;
pub(crate) mod short_loops;
pub(crate) mod triangles;
