//! The fuzzer from outside, in one program: it is linked once.

mod constructs;
mod lowering;
mod mutants;
mod programs;
