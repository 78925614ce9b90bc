//! The words in which languages for devices differ: OpenCL C, CUDA C, and HIP, which is CUDA C
//! under other names.

use crate::codegen::Target;
use std::borrow::Cow;

/// The type of indices in kernels where it may have 32 bits: in OpenCL C a macro, in CUDA C and HIP
/// the parameter of a template.
pub(crate) const INDEX: &str = "tw_index";

/// What one language calls what all have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    /// What the names of the run-time functions ([`crate::codegen::c::devices::runtime`]) begin with.
    pub prefix: &'static str,
    /// C++ for host and device in one file: launches are calls with `<<<…>>>`, and local memory is
    /// given by them.
    pub in_one: bool,
    /// In front of functions of the device.
    pub function: &'static str,
    /// In front of the type of what is in the device's memory.
    pub global: &'static str,
    /// In front of the type of what is in a block's memory.
    pub local: &'static str,
    /// Behind the star of a pointer that alone leads to its array.
    pub restrict: &'static str,
    /// A thread's number in its block along x and y.
    pub thread: [&'static str; 2],
    /// A block's number along x, y and z.
    pub blocks: [&'static str; 3],
    /// What aligns the memory of a block.
    aligned: &'static str,
    /// All threads of a block wait for each other.
    pub barrier: &'static str,
    /// The same, with an answer: whether one of them gives what is not 0. None: they vote.
    pub any: Option<&'static str>,
}

const OPENCL: Words = Words {
    prefix: "tw_cl",
    in_one: false,
    function: "static ",
    global: "__global ",
    local: "__local ",
    restrict: "restrict",
    thread: ["get_local_id(0)", "get_local_id(1)"],
    blocks: ["get_group_id(0)", "get_group_id(1)", "get_group_id(2)"],
    aligned: "__attribute__((aligned(128)))",
    barrier: "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    any: None,
};

const CUDA: Words = Words {
    prefix: "tw_cu",
    in_one: true,
    function: "static __device__ ",
    global: "",
    local: "",
    restrict: "__restrict__",
    thread: ["threadIdx.x", "threadIdx.y"],
    blocks: ["blockIdx.x", "blockIdx.y", "blockIdx.z"],
    aligned: "__align__(128)",
    barrier: "__syncthreads();",
    any: Some("__syncthreads_or"),
};

const HIP: Words = Words {
    prefix: "tw_hip",
    aligned: "__attribute__((aligned(128)))",
    ..CUDA
};

/// CUDA's names in [`crate::codegen::c::devices::runtime::CUDA`], and HIP's for them; in this order, as some hold others.
const HIP_NAMES: [(&str, &str); 10] = [
    ("cuda_runtime.h", "hip/hip_runtime.h"),
    ("nvcc -fmad=false", "hipcc -ffp-contract=off"),
    ("tw_cu_", "tw_hip_"),
    ("cudaDeviceProp", "hipDeviceProp_t"),
    // What every block may have is all there is.
    ("sharedMemPerBlockOptin", "sharedMemPerBlock"),
    (
        "sharedMemPerMultiprocessor",
        "maxSharedMemoryPerMultiProcessor",
    ),
    (
        "cudaDevAttrMemoryClockRate",
        "hipDeviceAttributeMemoryClockRate",
    ),
    (
        "cudaDevAttrGlobalMemoryBusWidth",
        "hipDeviceAttributeMemoryBusWidth",
    ),
    ("cuda", "hip"),
    ("CUDA", "HIP"),
];

/// A text for CUDA with HIP's names.
pub fn in_hip(text: &str) -> String {
    let mut text = text.to_owned();
    for (cuda, hip) in HIP_NAMES {
        text = text.replace(cuda, hip);
    }
    text
}

impl Words {
    /// Those of a target. (For processors nobody asks.)
    pub fn of(target: Target) -> Words {
        match target {
            Target::Cuda => CUDA,
            Target::Hip => HIP,
            Target::OpenCl | Target::C | Target::OpenMp => OPENCL,
        }
    }

    /// In front of the name of a kernel with blocks of so many threads; `narrow`: the host says which
    /// type [`INDEX`] is.
    pub fn kernel(&self, [x, y]: [i64; 2], narrow: bool) -> String {
        if self.in_one {
            let before = if narrow {
                format!("template <typename {INDEX}>")
            } else {
                "extern \"C\"".to_owned()
            };
            format!("{before} __global__ void __launch_bounds__({})", x * y)
        } else {
            format!("__kernel __attribute__((reqd_work_group_size({x}, {y}, 1)))\nvoid")
        }
    }

    /// The declaration of a block's memory, by the name `tw_memory`.
    pub fn memory(&self, bytes: i64) -> String {
        let Words { local, aligned, .. } = self;
        if self.in_one {
            format!("extern __shared__ {aligned} char tw_memory[];")
        } else {
            format!("{local}char tw_memory[{bytes}] {aligned};")
        }
    }
}

/// What stands once in front of everything for devices: in the C file, and in the device's own.
pub fn prologue(target: Target) -> (&'static str, Cow<'static, str>) {
    use crate::codegen::c::devices::runtime;
    match target {
        Target::OpenCl => (runtime::OPENCL, Cow::Borrowed("")),
        Target::Cuda => ("", Cow::Borrowed(runtime::CUDA)),
        Target::Hip => ("", Cow::Owned(in_hip(runtime::CUDA))),
        Target::C | Target::OpenMp => ("", Cow::Borrowed("")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hip_has_names_of_its_own_for_all_of_cuda() {
        let (_, cuda) = prologue(Target::Cuda);
        let (_, hip) = prologue(Target::Hip);
        assert!(cuda.contains("cudaMemcpyHostToDevice") && hip.contains("hipMemcpyHostToDevice"));
        assert!(hip.starts_with("/* generated by tilewright"));
        assert!(hip.contains("#include <hip/hip_runtime.h>"));
        assert!(!hip.to_lowercase().contains("cu_") && !hip.to_lowercase().contains("cuda"));
        assert_eq!(hip.lines().count(), cuda.lines().count());
    }
}
