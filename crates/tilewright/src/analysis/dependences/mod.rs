//! Who reads what which instance wrote, and which loops carry it.

pub(crate) mod apart;
pub mod carried;
pub mod dataflow;
pub(crate) mod direct;
pub(crate) mod independent;
pub(crate) mod memory;
pub(crate) mod times;
pub(crate) mod unwritten;
