//! What generated host code calls: devices, memory, launches, each with its error checked. These
//! are texts of their own, so that they can be read and compiled as what they are.

/// In front of the first function of a C file with OpenCL.
pub(crate) const OPENCL: &str = include_str!("runtime/opencl.c");

/// At the begin of a CUDA file; with other names, of one for HIP ([`crate::codegen::c::devices::languages::in_hip`]).
pub(crate) const CUDA: &str = include_str!("runtime/cuda.cu");
