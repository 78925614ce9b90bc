//! Plans that are right and plans that are wrong, written by hand, and random ones whose verdict
//! is compared with that of executing them.

mod arithmetic;
mod build;
mod deciding;
mod finding;
mod malformed;
mod neighbours;
mod random;
mod relations;
mod reordered;
mod right;
mod rows;
mod seen;
mod settled;
mod sharing;
mod shortcuts;
mod times;
mod windows;
mod wrong;
mod wrong_races;
mod wrong_storage;
