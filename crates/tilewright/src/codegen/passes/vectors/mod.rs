//! Vector loops in a form that compilers vectorise well: pairs of cells, and strips of bytes.

pub mod pairs;
pub mod parity;
pub mod strips;
