//! Programs with kernels: what a host asks of OpenCL, what work-items ask about themselves, and
//! kernels that are built while the host runs.
//!
//! The text of kernels is a string of the host's, and what it means depends on options that the host
//! makes as it runs. So the host is executed until it asks for kernels; these are compiled into its
//! program, and it is executed anew ([`Wanted`]).

use crate::text::Sizes;
use std::collections::HashMap;

/// What a work-item asks about itself, of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// Its number in its group, the group's number, and its number among all.
    Local,
    Group,
    Global,
    /// How many work-items a group has, how many groups there are, and work-items in all.
    LocalSize,
    Groups,
    GlobalSize,
    /// How many dimensions there are.
    Dimensions,
    /// Bytes of the memory of a group whose size the launch says.
    Bytes,
}

/// Functions of OpenCL, CUDA or HIP that a host calls, and some of its system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    Platforms,
    Devices,
    DeviceInfo,
    NewContext,
    NewQueue,
    NewProgram,
    Build,
    BuildInfo,
    NewKernel,
    Release,
    NewBuffer,
    FreeBuffer,
    Write,
    Read,
    CopyBuffer,
    Finish,
    Argument,
    Launch,
    CudaMalloc,
    CudaFree,
    CudaMemcpy,
    CudaLastError,
    CudaCount,
    Nothing,
    Getenv,
    /// A number as text.
    Number,
    Time,
}

/// A text of kernels that the program holds as a string.
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    /// Without the zero at its end.
    pub text: Vec<u8>,
    /// Where it stands: the number of a line in the program's text ([`crate::program::Program::rows`])
    /// for each of its own.
    pub rows: Vec<u32>,
}

/// Kernels that a host asks for: their text, and the options to build them with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub source: Vec<u8>,
    pub options: Vec<u8>,
}

/// Kernels that were built.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    pub of: Wanted,
    /// The functions' numbers by name.
    pub kernels: HashMap<String, usize>,
    /// The size that groups have to have, for some.
    pub sizes: Sizes,
}
