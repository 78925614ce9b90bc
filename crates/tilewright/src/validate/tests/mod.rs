//! Plans that are right and plans that are wrong, written by hand, and random ones whose verdict
//! is compared with that of executing them.

mod algebra;
mod build;
mod deciding;
mod finding;
mod random;
mod refused;
mod reordered;
mod right;
mod sharing;
mod times;
mod windows;
mod without_isl;
