//! Memory as the interpreter has it, and what is known of its bytes and of accesses to it.

pub(crate) mod memory;
pub(crate) mod race;
pub(crate) mod spare;
pub mod trace;
pub(crate) mod written;
