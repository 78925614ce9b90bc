//! Pointers: what stands in their places, how far they have moved, and which of them change places.

pub(super) mod cursors;
pub(super) mod early;
pub(super) mod heaps;
pub(super) mod moves;
pub(super) mod optional;
pub(super) mod parity;
pub(super) mod presence;
pub(super) mod rotations;
pub(super) mod set_once;
