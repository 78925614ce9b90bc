//! When two accesses touch the same cell, or the same bank: what threads must wait for.
//!
//! Questions about accesses only. Nothing here changes a program but the length of rows
//! ([`banks`]).

pub(crate) mod banks;
pub mod barriers;
pub(crate) mod cells;
pub(crate) mod data;
pub(crate) mod orders;
pub(crate) mod other_blocks;
pub(crate) mod ranges;
pub mod ties;
