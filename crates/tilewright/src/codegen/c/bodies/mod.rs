//! What loops do, in C: the actions of statements, their accesses and indices, sums that threads
//! share, copies and cells that are kept in variables.

pub(super) mod atomics;
pub(super) mod body;
pub(super) mod copies;
pub(super) mod counters;
pub(super) mod index;
pub(crate) mod outline;
pub(super) mod registers;
pub(super) mod sized;
