//! From the schedule tree to text: isl's AST generation, our kernel AST, printers.
//!
//! ```text
//! Transformed ─ generation::build ─► Kernel ─ passes::finish ─► Kernel ─ c::print_c ─► text
//! ```
//!
//! - [`generation`] makes a [`kernel::Kernel`]: loops with inclusive bounds, guards, and statement
//!   instances whose accesses are buffers and indices.
//! - [`terms`] are its index expressions.
//! - [`passes`] go from kernel to kernel, in an order that stands there, each with a name.
//! - [`c`] prints C99, with OpenMP pragmas or without, and [`c::devices`] text for devices.
//! - [`gpu`] makes launches, blocks and threads of a kernel, which [`c`] prints, too.
//!
//! Innermost loops come out as compilers vectorise them: bounds with a minimum, a maximum or a
//! division are computed before the loop, strides of local buffers are constant, and what an index
//! does not need to compute again is a common, loop-invariant subexpression.

pub mod c;
pub mod gpu;
pub mod kernel;
pub mod names;
pub mod passes;
pub mod predict;

pub mod generation;
mod reach;
pub mod terms;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

/// What is generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// C99 for one thread, without pragmas.
    C,
    /// C99 with OpenMP pragmas. Built without OpenMP it is right, too.
    #[default]
    OpenMp,
    /// OpenCL C 1.2 for a device, and C for the host, in one file.
    OpenCl,
    /// CUDA C for a device and its host, in a file of its own that the C file calls.
    Cuda,
    /// HIP, which is CUDA C under other names, for AMD's GPUs.
    Hip,
}

impl Target {
    /// As the command line calls it.
    pub fn name(self) -> &'static str {
        match self {
            Target::C => "c",
            Target::OpenMp => "openmp",
            Target::OpenCl => "opencl",
            Target::Cuda => "cuda",
            Target::Hip => "hip",
        }
    }

    /// Whether blocks of threads on a device do the work.
    pub fn is_device(self) -> bool {
        matches!(self, Target::OpenCl | Target::Cuda | Target::Hip)
    }

    /// What the name of the device's own file ends with, where it has one: kernels and their host's
    /// side, which the C file calls.
    pub fn own_file(self) -> Option<&'static str> {
        match self {
            Target::Cuda => Some("cu"),
            Target::Hip => Some("hip"),
            Target::C | Target::OpenMp | Target::OpenCl => None,
        }
    }
}

/// How the iterations of a parallel loop are distributed to threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dealing {
    /// `schedule(static)`
    #[default]
    Static,
    /// `schedule(dynamic, chunk)`
    Dynamic {
        /// Iterations per portion, at least 1.
        chunk: u32,
    },
    /// `schedule(static)` for loops whose iterations do the same work, as far as is known; those
    /// around loops whose bounds are data in so many portions, each distributed to the thread that
    /// asks next.
    Uneven {
        /// Portions of a loop, more than 1.
        portions: i64,
    },
}

/// Default of [`CodegenOptions::max_instances`].
pub const MAX_INSTANCES: usize = 20_000;

/// Options of code generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodegenOptions {
    /// What to print.
    pub target: Target,
    /// Identifiers of the file that generated names must not clash with. Those that the scop
    /// itself mentions need not be listed.
    pub taken_names: BTreeSet<String>,
    /// How parallel iterations are distributed.
    pub dealing: Dealing,
    /// Operations and accesses of a parallel loop from which on threads are started for it
    /// ([`passes::forks`]); 0: always.
    pub fork: i64,
    /// Columns by which every line is indented.
    pub indent: usize,
    /// One line per group of the plan, for a comment above its code; where absent, no comment.
    pub group_titles: Vec<String>,
    /// Statement instances in the text at which generation gives up with
    /// [`isl::ErrorKind::Quota`]: a guard against code that explodes.
    pub max_instances: usize,
    /// What the plan says about blocks of threads, for targets that have some.
    pub device: gpu::grids::mapping::Device,
    /// The last pass that is done, on processors.
    pub until: passes::Pass,
}

impl Default for CodegenOptions {
    fn default() -> Self {
        CodegenOptions {
            target: Target::default(),
            taken_names: BTreeSet::new(),
            dealing: Dealing::default(),
            fork: 0,
            indent: 0,
            group_titles: Vec::new(),
            max_instances: MAX_INSTANCES,
            device: gpu::grids::mapping::Device::default(),
            until: passes::Pass::default(),
        }
    }
}
