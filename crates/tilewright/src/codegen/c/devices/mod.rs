//! Kernels and their hosts in OpenCL C, CUDA C and HIP.

pub(crate) mod blocks;
pub(crate) mod distribution;
pub(crate) mod exits;
pub(crate) mod functions;
pub(crate) mod host;
pub mod kernels;
pub mod languages;
pub(crate) mod names;
pub(crate) mod runtime;
