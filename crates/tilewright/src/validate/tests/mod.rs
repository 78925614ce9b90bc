//! Plans that are right and plans that are wrong, written by hand, and random ones whose verdict
//! is compared with that of executing them.

mod build;
mod malformed;
mod random;
mod reordered;
mod right;
mod settled;
mod sharing;
mod shortcuts;
mod wrong;
mod wrong_races;
mod wrong_storage;
