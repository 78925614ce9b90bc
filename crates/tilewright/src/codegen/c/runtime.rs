//! What generated host code calls: devices, memory, launches, each with its error checked. These
//! are texts of their own, so that they can be read and compiled as what they are.

/// In front of the first function of a C file with OpenCL.
pub(super) const OPENCL: &str = include_str!("runtime/opencl.c");

/// At the begin of a CUDA file; with other names, of one for HIP ([`super::words::in_hip`]).
pub(super) const CUDA: &str = include_str!("runtime/cuda.cu");
