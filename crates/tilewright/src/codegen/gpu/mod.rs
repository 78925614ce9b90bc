//! Kernels for GPUs: what the host does, what blocks of threads do, and what waits for what.
//!
//! ```text
//! Kernel ─ grids::mapping::map ─► DeviceProgram ─ c::devices::kernels ─► OpenCL C or CUDA C, and C for the host
//! ```
//!
//! The model is that of *Split tiling for GPUs* (2013, section 5) and of PPCG: a tile is a block of
//! threads, loops around parallel tile loops stay on the host, and inside a tile the points that do
//! not depend on each other are distributed to the threads of the block.
//!
//! - [`program`] is what all of this makes: launches, grids, blocks, thread loops, barriers.
//! - [`grids`] cuts a kernel into launches (`mapping`), and the inside of a launch into pieces for
//!   threads (`block`). On the way `conditions` puts what is tested between loops of
//!   a grid inside of them, `triangles` and `data` make grids of loops whose bounds depend on
//!   other loops or on data, `short_loops` lets the loops of a grid share blocks with short loops
//!   inside them, `fission` splits loops of which only rows could be distributed, and `full_tiles`
//!   gives loops of full tiles bounds without a minimum or maximum.
//! - [`conflicts`] answers which accesses touch the same cell: `ties` from index expressions, which
//!   loop variables must be equal then; `ranges` from the bounds and steps of loops; `orders` from
//!   loops over triangles. A loop whose variable is tied in all pairs of accesses can be distributed
//!   to threads, and cells that one thread alone touches need no barrier; `barriers` puts the others.
//! - [`promotion`] says which memory each buffer is in, and refuses what does not fit (`memory`). Where
//!   the plan wants arrays of a tile in local memory, it comes first (`promote`), from kernel to kernel.
//! - [`index_types`] finds out for which sizes kernels can count with 32 bits.
//! - [`arrays`] lists the program's arrays that a device needs, and which of them are copied.
//! - [`replay`] executes what was made, thread by thread, and compares it with the kernel.

pub mod arrays;
pub mod conflicts;
mod foreign;
pub mod grids;
pub mod index_types;
pub mod program;
pub mod promotion;
pub mod replay;
#[cfg(test)]
mod tests;

use std::fmt;

/// Why a kernel cannot be made into a device program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The scratchpads of a tile need more local memory than there is.
    Memory {
        /// Bytes that are needed.
        needed: i64,
        /// Bytes that there are.
        limit: i64,
    },
    /// A block has more threads than the device allows.
    Threads {
        /// Threads of a block along x and y.
        threads: [i64; 2],
        /// Most threads of a block.
        limit: i64,
    },
    /// Something that has no form on a device; one sentence.
    Unsupported(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Memory { needed, limit } => write!(
                f,
                "the scratchpads of a tile need {needed} bytes of local memory, and a block has \
                 {limit}: smaller tiles need less"
            ),
            Refusal::Threads {
                threads: [x, y],
                limit,
            } => write!(
                f,
                "blocks of {x} × {y} threads are too large: the device has at most {limit}"
            ),
            Refusal::Unsupported(reason) => f.write_str(reason),
        }
    }
}
