//! What headers declare, for texts that include them and did not come through a preprocessor, as
//! what is printed for devices does; and OpenCL's in place of the real one, which needs more of the
//! parser than there is.

/// A header: declarations, and macros with their values.
pub(super) struct Header {
    pub declarations: &'static str,
    pub macros: &'static [(&'static str, &'static str)],
}

const NULL: (&str, &str) = ("NULL", "((void *)0)");

/// OpenCL's types are as `CL/cl.h` of the Khronos Group has them; handles are pointers to structures
/// that nobody defines.
const OPENCL: Header = Header {
    declarations: "typedef signed char cl_char; typedef unsigned char cl_uchar; \
        typedef short cl_short; typedef unsigned short cl_ushort; typedef int cl_int; \
        typedef unsigned int cl_uint; typedef long cl_long; typedef unsigned long cl_ulong; \
        typedef float cl_float; typedef double cl_double; typedef cl_uint cl_bool; \
        typedef cl_ulong cl_bitfield; typedef cl_bitfield cl_device_type; \
        typedef cl_bitfield cl_mem_flags; typedef cl_bitfield cl_device_fp_config; \
        typedef cl_bitfield cl_command_queue_properties; typedef cl_uint cl_device_info; \
        typedef cl_uint cl_platform_info; typedef cl_uint cl_program_build_info; \
        typedef struct _cl_platform_id *cl_platform_id; \
        typedef struct _cl_device_id *cl_device_id; typedef struct _cl_context *cl_context; \
        typedef struct _cl_command_queue *cl_command_queue; typedef struct _cl_mem *cl_mem; \
        typedef struct _cl_program *cl_program; typedef struct _cl_kernel *cl_kernel; \
        typedef struct _cl_event *cl_event; typedef unsigned long size_t;",
    macros: &[
        NULL,
        ("CL_SUCCESS", "0"),
        ("CL_FALSE", "0"),
        ("CL_TRUE", "1"),
        ("CL_DEVICE_TYPE_DEFAULT", "1"),
        ("CL_DEVICE_TYPE_CPU", "2"),
        ("CL_DEVICE_TYPE_GPU", "4"),
        ("CL_DEVICE_TYPE_ALL", "0xffffffff"),
        ("CL_DEVICE_TYPE", "0x1000"),
        ("CL_DEVICE_MAX_WORK_GROUP_SIZE", "0x1004"),
        ("CL_DEVICE_SINGLE_FP_CONFIG", "0x101b"),
        ("CL_DEVICE_LOCAL_MEM_SIZE", "0x1023"),
        ("CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT", "128"),
        ("CL_MEM_READ_WRITE", "1"),
        ("CL_MEM_WRITE_ONLY", "2"),
        ("CL_MEM_READ_ONLY", "4"),
        ("CL_MEM_COPY_HOST_PTR", "32"),
        ("CL_PROGRAM_BUILD_LOG", "0x1183"),
    ],
};

/// CUDA's run-time system, with the values that its manual gives.
const CUDA: Header = Header {
    declarations: "typedef int cudaError_t; typedef unsigned long size_t;",
    macros: &[
        NULL,
        ("cudaSuccess", "0"),
        ("cudaMemcpyHostToDevice", "1"),
        ("cudaMemcpyDeviceToHost", "2"),
        ("cudaMemcpyDeviceToDevice", "3"),
        ("cudaFuncAttributeMaxDynamicSharedMemorySize", "8"),
    ],
};

/// HIP's.
const HIP: Header = Header {
    declarations: "typedef int hipError_t; typedef unsigned long size_t;",
    macros: &[
        NULL,
        ("hipSuccess", "0"),
        ("hipMemcpyHostToDevice", "1"),
        ("hipMemcpyDeviceToHost", "2"),
        ("hipMemcpyDeviceToDevice", "3"),
        ("hipFuncAttributeMaxDynamicSharedMemorySize", "8"),
    ],
};

/// The header of a name, without its brackets.
pub(super) fn named(name: &str) -> Option<Header> {
    let plain = |declarations| Header {
        declarations,
        macros: &[NULL],
    };
    Some(match name {
        "CL/cl.h" | "CL/opencl.h" => OPENCL,
        "cuda_runtime.h" => CUDA,
        "hip/hip_runtime.h" => HIP,
        "stdio.h" => plain("typedef unsigned long size_t; extern void *stdin, *stdout, *stderr;"),
        "stdlib.h" | "string.h" | "stddef.h" | "math.h" => plain("typedef unsigned long size_t;"),
        "time.h" => Header {
            declarations: "struct timespec { long tv_sec; long tv_nsec; };",
            macros: &[NULL, ("TIME_UTC", "1")],
        },
        _ => return None,
    })
}

/// The files that a preprocessor took in. OpenCL's own are passed over, and vector instructions, which
/// these take in for types; what they take in of the system's is not, as other headers rely on it.
#[derive(Default)]
pub(super) struct Files {
    seen: bool,
    passed_over: bool,
}

impl Files {
    /// Takes the file of a line marker. True where OpenCL's header begins.
    pub fn marker(&mut self, file: &str) -> bool {
        let in_opencl = file.contains("CL/cl") && file.ends_with(".h");
        let vectors = file.ends_with("intrin.h") || file.ends_with("/mm_malloc.h");
        let begins = !self.seen && (file.ends_with("CL/cl.h") || file.ends_with("CL/opencl.h"));
        self.seen |= begins;
        self.passed_over = self.seen && (in_opencl || vectors || file.ends_with("CL/opencl.h"));
        begins
    }

    /// Whether the next line is part of what is passed over.
    pub fn passed_over(&self) -> bool {
        self.passed_over
    }
}
