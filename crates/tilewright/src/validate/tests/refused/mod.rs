//! Plans that are refused, each beside its neighbour that is right.

pub(super) mod malformed;
pub(super) mod neighbours;
pub(super) mod wrong;
pub(super) mod wrong_races;
pub(super) mod wrong_storage;
