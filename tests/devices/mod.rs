//! Programs for devices, without one.

mod cases;
mod certified;
mod dynamic;
mod examples;
mod exits;
pub mod fibres;
mod indices;
mod local;
mod mapping;
pub mod opencl;
mod tuning;
