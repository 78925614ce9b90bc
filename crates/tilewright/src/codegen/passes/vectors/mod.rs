//! Vector loops in a form that compilers vectorise well: pairs of cells, and strips of bytes; and those
//! that are better without vectors.

pub mod pairs;
pub mod parity;
pub(in crate::codegen) mod scattered;
pub mod strips;
