//! Texts for devices: kernels, what CUDA C++ and HIP have beside C, and what hosts call.

pub(crate) mod cuda;
pub(crate) mod host;
pub(crate) mod kernels;
