//! Kernel ASTs and C texts of hand-made regions, and the texts compiled and run beside the
//! original loops.

mod device_exits;
mod exits;
mod forks;
mod harness;
mod index_sets;
mod lanes;
mod locals;
mod loops;
mod pairs;
mod pipelines;
mod restore;
mod statements;
mod strips;
