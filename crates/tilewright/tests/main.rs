//! The compiler from outside, in one program: it is linked once.

mod data_bounds;
mod integers;
mod layers;
mod planning;
mod random_programs;
mod random_stencils;
mod tables;

/// As the command has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
