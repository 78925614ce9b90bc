//! What hosts of OpenCL call, and what these calls answer: values, errors and refusals as its
//! specification has them.

use crate::common::{calls, differs};

/// Kernels, and a host that has built them.
const FRONT: &str = r#"#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static const char *const source =
    "__kernel void set(const int n, __global int *a) { a[get_global_id(0)] = n; }\n"
    "__kernel __attribute__((reqd_work_group_size(2, 1, 1)))\n"
    "void two(__global long *a) { a[get_global_id(0)] = get_local_size(0); }\n"
    "__kernel void own(__local int *t, const float x, const uchar c) { t[0] = c; }\n"
    "__kernel void grid(__global int *a) { a[0] = get_work_dim(); }\n";
static cl_program program;
static cl_kernel kernel(const char *name)
{
    cl_int status = 1;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    queue = clCreateCommandQueue(context, device, 0, &status);
    const char *text = source;
    program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    clBuildProgram(program, 1, &device, NULL, NULL, NULL);
    return clCreateKernel(program, name, &status);
}
static cl_mem memory(size_t bytes) { return clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL); }
static cl_int launch(cl_kernel k, cl_uint d, size_t all, size_t own)
{
    const size_t global[3] = {all, 1, 1}, local[3] = {own, 1, 1};
    return clEnqueueNDRangeKernel(queue, k, d, NULL, global, local, 0, NULL, NULL);
}
"#;

fn host(body: &str) -> String {
    calls::host(FRONT, body)
}

#[track_caller]
fn answers(statements: &str, cases: &[(&str, i64)]) {
    calls::answers(FRONT, statements, cases);
}

#[track_caller]
fn refused(body: &str, why: &str) {
    calls::refused(FRONT, body, why);
}

#[test]
fn platforms_and_devices() {
    answers(
        "cl_uint count = 7; cl_platform_id p = NULL; cl_device_id d = NULL; cl_int status = 5;",
        &[
            ("clGetPlatformIDs(1, &p, &count)", 0),
            ("count", 1),
            ("p != NULL", 1),
            ("(count = 7, clGetPlatformIDs(0, NULL, &count))", 0),
            ("count", 1),
            ("clGetPlatformIDs(1, &p, NULL)", 0),
            (
                "(count = 7, clGetDeviceIDs(p, CL_DEVICE_TYPE_GPU, 1, &d, &count))",
                0,
            ),
            ("count", 1),
            ("d != NULL", 1),
            ("(void *)d != (void *)p", 1),
            (
                "(count = 7, clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 0, NULL, &count))",
                0,
            ),
            ("count", 1),
            (
                "clCreateContext(NULL, 1, &d, NULL, NULL, &status) != NULL",
                1,
            ),
            ("status", 0),
            (
                "(context = clCreateContext(NULL, 1, &d, NULL, NULL, NULL)) != NULL",
                1,
            ),
            (
                "(status = 5, clCreateCommandQueue(context, d, 0, &status)) != NULL",
                1,
            ),
            ("status", 0),
            ("clReleaseContext(context)", 0),
        ],
    );
    // Answers about a device have a size; what there is no room for is not written.
    answers(
        "kernel(\"set\"); size_t size = 7; unsigned long v = 1;",
        &[
            (
                "clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(v), &v, &size)",
                0,
            ),
            ("v == CL_DEVICE_TYPE_GPU", 1),
            ("size", 8),
            (
                "(size = 7, clGetDeviceInfo(device, CL_DEVICE_TYPE, 0, NULL, &size))",
                0,
            ),
            ("size", 8),
            (
                "(v = 5, clGetDeviceInfo(device, CL_DEVICE_TYPE, 7, &v, NULL))",
                -30,
            ),
            ("v", 5),
            (
                "clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, 8, &v, NULL)",
                0,
            ),
            ("v", 1024),
            (
                "clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, 8, &v, NULL)",
                0,
            ),
            ("v >= 32 << 10", 1),
            (
                "clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, 8, &v, NULL)",
                0,
            ),
            ("v & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT", 0),
        ],
    );
    refused(
        "kernel(\"set\"); unsigned long v; clGetDeviceInfo(device, 0x1001, 8, &v, NULL);",
        "a question about the device",
    );
}

#[test]
fn programs_and_kernels() {
    answers(
        r#"kernel("set"); cl_int status = 5; cl_kernel k = NULL, m = NULL; cl_program other = NULL;
const char *pieces[3] = {"__kernel void on", "e(__global int *a) { a[0]", " = 7; } junk"};
size_t lengths[3] = {0, 0, 7}; const size_t all[1] = {1}; cl_mem y = memory(4);"#,
        &[
            ("(k = clCreateKernel(program, \"set\", &status)) != NULL", 1),
            ("status", 0),
            ("(m = clCreateKernel(program, \"two\", NULL)) != k", 1),
            (
                "(status = 5, clCreateKernel(program, \"sets\", &status)) == NULL",
                1,
            ),
            // CL_INVALID_KERNEL_NAME
            ("status", -46),
            (
                "(status = 5, other = clCreateProgramWithSource(context, 3, pieces, lengths, &status)) != NULL",
                1,
            ),
            ("status", 0),
            ("other != program", 1),
            (
                "(status = 5, clCreateKernel(other, \"one\", &status)) == NULL",
                1,
            ),
            // CL_INVALID_PROGRAM_EXECUTABLE
            ("status", -45),
            ("clBuildProgram(other, 1, &device, \"-w\", NULL, NULL)", 0),
            ("(k = clCreateKernel(other, \"one\", &status)) != NULL", 1),
            ("status", 0),
            ("clCreateKernel(other, \"set\", NULL) == NULL", 1),
            ("clSetKernelArg(k, 0, sizeof(y), &y)", 0),
            (
                "clEnqueueNDRangeKernel(queue, k, 1, NULL, all, NULL, 0, NULL, NULL)",
                0,
            ),
            (
                "(clEnqueueReadBuffer(queue, y, CL_TRUE, 0, 4, &status, 0, NULL, NULL), status)",
                7,
            ),
            (
                "clBuildProgram((cl_program)device, 1, &device, NULL, NULL, NULL) < 0",
                1,
            ),
            (
                "clBuildProgram((cl_program)k, 1, &device, NULL, NULL, NULL) < 0",
                1,
            ),
            ("clCreateKernel((cl_program)k, \"one\", &status) == NULL", 1),
            ("status < 0", 1),
            (
                "clGetProgramBuildInfo(other, device, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL)",
                0,
            ),
            ("clReleaseKernel(k)", 0),
            ("clReleaseProgram(other)", 0),
            ("clReleaseCommandQueue(queue)", 0),
        ],
    );
    // Without lengths, pieces end with their zeros.
    answers(
        r#"kernel("set"); const char *pieces[2] = {"__kernel void on", "e(int a) { }"}; int status = 5;
cl_program other = clCreateProgramWithSource(context, 2, pieces, NULL, &status);
clBuildProgram(other, 1, &device, "", NULL, NULL);"#,
        &[
            ("clCreateKernel(other, \"one\", NULL) != NULL", 1),
            ("status", 0),
        ],
    );
}

#[test]
fn buffers() {
    answers(
        r#"kernel("set"); cl_int status = 5; int in[4] = {1, 2, 3, 4}, out[4] = {5, 6, 7, 8};
cl_mem x = NULL, y = memory(16), z = memory(12);"#,
        &[
            (
                "(x = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 16, in, &status)) != NULL",
                1,
            ),
            ("status", 0),
            ("x != y && y != z", 1),
            (
                "clCreateBuffer(context, CL_MEM_WRITE_ONLY, 0, NULL, &status) == NULL",
                1,
            ),
            // CL_INVALID_BUFFER_SIZE
            ("status", -61),
            (
                "clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)-1, NULL, &status) == NULL",
                1,
            ),
            ("status", -61),
            // What it was made with.
            (
                "clEnqueueReadBuffer(queue, x, CL_TRUE, 0, 16, out, 0, NULL, NULL)",
                0,
            ),
            ("out[0] * 1000 + out[1] * 100 + out[2] * 10 + out[3]", 1234),
            (
                "(in[0] = 9, in[3] = 8, clEnqueueWriteBuffer(queue, y, CL_TRUE, 0, 16, in, 0, NULL, NULL))",
                0,
            ),
            (
                "clEnqueueReadBuffer(queue, y, CL_TRUE, 4, 12, out, 0, NULL, NULL)",
                0,
            ),
            ("out[0] * 1000 + out[1] * 100 + out[2] * 10 + out[3]", 2384),
            (
                "clEnqueueWriteBuffer(queue, y, CL_TRUE, 8, 4, in, 0, NULL, NULL)",
                0,
            ),
            (
                "clEnqueueCopyBuffer(queue, y, z, 4, 0, 12, 0, NULL, NULL)",
                0,
            ),
            (
                "clEnqueueReadBuffer(queue, z, CL_TRUE, 0, 12, out, 0, NULL, NULL)",
                0,
            ),
            ("out[0] * 1000 + out[1] * 100 + out[2] * 10 + out[3]", 2984),
            (
                "clEnqueueCopyBuffer(queue, x, z, 0, 8, 4, 0, NULL, NULL)",
                0,
            ),
            (
                "clEnqueueReadBuffer(queue, z, CL_TRUE, 8, 4, out, 0, NULL, NULL)",
                0,
            ),
            ("out[0]", 1),
            // Beyond what there is: CL_INVALID_VALUE, and nothing is copied.
            (
                "clEnqueueReadBuffer(queue, z, CL_TRUE, 0, 13, out, 0, NULL, NULL)",
                -30,
            ),
            (
                "clEnqueueReadBuffer(queue, z, CL_TRUE, 9, 4, out, 0, NULL, NULL)",
                -30,
            ),
            (
                "clEnqueueReadBuffer(queue, z, CL_TRUE, (size_t)-4, 8, out, 0, NULL, NULL)",
                -30,
            ),
            (
                "clEnqueueReadBuffer(queue, z, CL_TRUE, 0, 0, out, 0, NULL, NULL)",
                -30,
            ),
            (
                "clEnqueueWriteBuffer(queue, z, CL_TRUE, 4, 9, in, 0, NULL, NULL)",
                -30,
            ),
            (
                "clEnqueueCopyBuffer(queue, y, z, 0, 4, 9, 0, NULL, NULL)",
                -30,
            ),
            (
                "clEnqueueCopyBuffer(queue, z, y, 4, 0, 9, 0, NULL, NULL)",
                -30,
            ),
            (
                "clEnqueueCopyBuffer(queue, y, z, 4, 0, 13, 0, NULL, NULL)",
                -30,
            ),
            ("out[0] * 1000 + out[1] * 100 + out[2] * 10 + out[3]", 1984),
            // What is no buffer: CL_INVALID_MEM_OBJECT.
            (
                "clEnqueueReadBuffer(queue, (cl_mem)in, CL_TRUE, 0, 4, out, 0, NULL, NULL)",
                -38,
            ),
            (
                "clEnqueueWriteBuffer(queue, NULL, CL_TRUE, 0, 4, in, 0, NULL, NULL)",
                -38,
            ),
            (
                "clEnqueueCopyBuffer(queue, (cl_mem)queue, z, 0, 0, 4, 0, NULL, NULL)",
                -38,
            ),
            (
                "clEnqueueCopyBuffer(queue, z, (cl_mem)in, 0, 0, 4, 0, NULL, NULL)",
                -38,
            ),
            (
                "clEnqueueReadBuffer(queue, (cl_mem)((char *)z + 4), CL_TRUE, 0, 4, out, 0, NULL, NULL)",
                -38,
            ),
            ("clReleaseMemObject((cl_mem)in)", -38),
            ("clReleaseMemObject(z)", 0),
            ("clReleaseMemObject(z)", -38),
            (
                "clEnqueueReadBuffer(queue, z, CL_TRUE, 0, 4, out, 0, NULL, NULL)",
                -38,
            ),
            ("clFinish(queue)", 0),
            ("clFlush(queue)", 0),
            (
                "clReleaseMemObject(z) * 100 + clEnqueueReadBuffer(queue, y, CL_TRUE, 0, 0, out, 0, NULL, NULL)",
                -3830,
            ),
            // Errors are negative numbers.
            ("clReleaseMemObject(z) < 0", 1),
        ],
    );
    // Nobody waits, or somebody for something else.
    for call in [
        "clEnqueueReadBuffer(queue, y, CL_FALSE, 0, 4, b, 0, NULL, NULL);",
        "clEnqueueWriteBuffer(queue, y, CL_FALSE, 0, 4, b, 0, NULL, NULL);",
        "clEnqueueReadBuffer(queue, y, CL_TRUE, 0, 4, b, 1, NULL, NULL);",
        "clEnqueueReadBuffer(queue, y, CL_TRUE, 0, 4, b, 0, NULL, &event);",
    ] {
        let body = format!("kernel(\"set\"); cl_event event; cl_mem y = memory(16); {call}");
        refused(&body, "a copy that nobody waits for");
    }
    for flags in ["8", "16", "64", "9"] {
        let body = format!("kernel(\"set\"); clCreateBuffer(context, {flags}, 16, b, NULL);");
        refused(&body, "memory that host and device share");
    }
    // What a buffer holds was never written, and the host's pointers are none of it.
    let plain = "void f(int n, int b[restrict 80]) { b[0] = 0; }";
    differs(
        plain,
        &host(
            "kernel(\"set\"); clEnqueueReadBuffer(queue, memory(4), CL_TRUE, 0, 4, b, 0, NULL, NULL);",
        ),
        &["at b[0]"],
    );
    differs(
        plain,
        &host("kernel(\"set\"); b[0] = 0; *(int *)memory(4) = 3;"),
        &["an access outside of its array", "a write of 4 bytes"],
    );
    differs(
        plain,
        &host("kernel(\"set\"); b[0] = 0; free(memory(4));"),
        &["an invalid `free`"],
    );
}

#[test]
fn arguments_of_kernels() {
    answers(
        r#"cl_kernel k = kernel("set"), own = clCreateKernel(program, "own", NULL);
cl_mem y = memory(8); int seven = 7, none = 0; float x = 1; unsigned char c = 2; long long wide = 1;"#,
        &[
            // Not all are set: CL_INVALID_KERNEL_ARGS.
            ("launch(k, 1, 2, 1)", -52),
            ("clSetKernelArg(k, 0, sizeof(int), &seven)", 0),
            ("launch(k, 1, 2, 1)", -52),
            ("clSetKernelArg(k, 1, sizeof(y), &y)", 0),
            ("launch(k, 1, 2, 1)", 0),
            // CL_INVALID_ARG_INDEX
            ("clSetKernelArg(k, 2, sizeof(y), &y)", -49),
            ("clSetKernelArg(k, -1, sizeof(y), &y)", -49),
            // CL_INVALID_ARG_SIZE
            ("clSetKernelArg(k, 0, 8, &wide)", -51),
            ("clSetKernelArg(k, 0, 2, &seven)", -51),
            ("clSetKernelArg(k, 1, 4, &y)", -51),
            ("clSetKernelArg(own, 1, 8, &wide)", -51),
            ("clSetKernelArg(own, 1, sizeof(x), &x)", 0),
            ("clSetKernelArg(own, 2, sizeof(c), &c)", 0),
            ("clSetKernelArg(own, 2, sizeof(x), &x)", -51),
            // No buffer, and none at all.
            ("clSetKernelArg(k, 1, sizeof(y), &wide)", -38),
            ("clSetKernelArg(k, 1, sizeof(y), &queue)", -38),
            ("(wide = 0, clSetKernelArg(k, 1, sizeof(y), &wide))", 0),
            // CL_INVALID_KERNEL
            ("clSetKernelArg((cl_kernel)program, 0, 4, &seven)", -48),
            ("clSetKernelArg(NULL, 0, 4, &seven)", -48),
            ("clSetKernelArg((cl_kernel)queue, 0, 4, &seven)", -48),
            ("launch((cl_kernel)program, 1, 2, 1)", -48),
            ("launch(NULL, 1, 2, 1)", -48),
        ],
    );
    refused(
        "cl_kernel k = kernel(\"own\"); clSetKernelArg(k, 0, 16, NULL);",
        "local memory as an argument",
    );
    // Values are those of when they were set.
    answers(
        "cl_kernel k = kernel(\"set\"); cl_mem y = memory(8); int v = 7, out[2] = {0, 0};\n\
         clSetKernelArg(k, 0, 4, &v); clSetKernelArg(k, 1, sizeof(y), &y); v = 8; launch(k, 1, 2, 2);\n\
         clEnqueueReadBuffer(queue, y, CL_TRUE, 0, 8, out, 0, NULL, NULL);",
        &[("out[0]", 7), ("out[1]", 7)],
    );
}

#[test]
fn launches() {
    answers(
        r#"cl_kernel k = kernel("set"), two = clCreateKernel(program, "two", NULL), grid = clCreateKernel(program, "grid", NULL);
cl_mem y = memory(1024 * 8), z = memory(4); int v = 7; size_t all[3] = {4, 2, 1}, own[3] = {2, 2, 1}; long out[4] = {0, 0, 0, 0};
clSetKernelArg(k, 0, 4, &v); clSetKernelArg(k, 1, sizeof(y), &y); clSetKernelArg(two, 0, sizeof(y), &y); clSetKernelArg(grid, 0, sizeof(z), &z);"#,
        &[
            // CL_INVALID_WORK_DIMENSION
            ("launch(k, 0, 4, 2)", -53),
            ("launch(k, 4, 4, 2)", -53),
            ("launch(k, 1, 4, 2)", 0),
            ("launch(k, 2, 4, 2)", 0),
            ("launch(k, 3, 4, 2)", 0),
            // As `cl_uint` it is one.
            ("launch(k, 4294967297, 4, 2)", 0),
            // CL_INVALID_GLOBAL_WORK_SIZE
            ("launch(k, 1, 0, 1)", -63),
            // CL_INVALID_WORK_GROUP_SIZE
            ("launch(k, 1, 4, 0)", -54),
            ("launch(k, 1, 4, 3)", -54),
            ("launch(k, 1, 4, 8)", -54),
            ("launch(k, 1, 1024, 1024)", 0),
            ("launch(k, 1, 2048, 2048)", -54),
            ("launch(k, 1, 1025, 1025)", -54),
            // The kernel says which size groups have.
            ("launch(two, 1, 4, 2)", 0),
            ("launch(two, 1, 4, 1)", -54),
            ("launch(two, 1, 4, 4)", -54),
            (
                "clEnqueueNDRangeKernel(queue, two, 1, NULL, all, NULL, 0, NULL, NULL)",
                0,
            ),
            (
                "(clEnqueueReadBuffer(queue, y, CL_TRUE, 0, 32, out, 0, NULL, NULL), out[0] + out[1] + out[2] + out[3])",
                8,
            ),
            (
                "clEnqueueNDRangeKernel(queue, two, 2, NULL, all, own, 0, NULL, NULL)",
                -54,
            ),
            (
                "clEnqueueNDRangeKernel(queue, k, 2, NULL, all, own, 0, NULL, NULL)",
                0,
            ),
            (
                "(all[0] = 3, all[1] = 5, clEnqueueNDRangeKernel(queue, k, 1, NULL, all, NULL, 0, NULL, NULL))",
                0,
            ),
            (
                "clEnqueueNDRangeKernel(queue, k, 2, NULL, all, own, 0, NULL, NULL)",
                -54,
            ),
            (
                "(own[0] = 3, clEnqueueNDRangeKernel(queue, k, 2, NULL, all, own, 0, NULL, NULL))",
                -54,
            ),
            (
                "(own[1] = 0, clEnqueueNDRangeKernel(queue, k, 2, NULL, all, own, 0, NULL, NULL))",
                -54,
            ),
            (
                "(all[1] = 0, own[1] = 1, clEnqueueNDRangeKernel(queue, k, 2, NULL, all, own, 0, NULL, NULL))",
                -63,
            ),
            (
                "(all[0] = own[0] = all[1] = own[1] = 33, clEnqueueNDRangeKernel(queue, k, 2, NULL, all, own, 0, NULL, NULL))",
                -54,
            ),
            (
                "(all[0] = own[0] = all[1] = own[1] = 32, clEnqueueNDRangeKernel(queue, k, 2, NULL, all, own, 0, NULL, NULL))",
                0,
            ),
        ],
    );
    // How many dimensions there are.
    for dimensions in 1..4 {
        answers(
            "cl_kernel k = kernel(\"grid\"); cl_mem z = memory(4); int out = 0; clSetKernelArg(k, 0, sizeof(z), &z);",
            &[
                (&format!("launch(k, {dimensions}, 1, 1)"), 0),
                (
                    "(clEnqueueReadBuffer(queue, z, CL_TRUE, 0, 4, &out, 0, NULL, NULL), out)",
                    dimensions,
                ),
            ],
        );
    }
    let launch = |arguments: &str| {
        format!(
            "cl_kernel k = kernel(\"grid\"); cl_mem z = memory(4); cl_event event; const size_t one[1] = {{1}}; clSetKernelArg(k, 0, sizeof(z), &z); clEnqueueNDRangeKernel(queue, k, 1, {arguments});"
        )
    };
    for arguments in [
        "one, one, one, 0, NULL, NULL",
        "NULL, one, one, 1, NULL, NULL",
        "NULL, one, one, 0, NULL, &event",
    ] {
        refused(&launch(arguments), "a launch with an offset or events");
    }
}
