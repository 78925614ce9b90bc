//! Kernels of one array and its host, and the same in C.

/// A host that launches `k` on a grid, with arrays of the types `in` and `out`.
pub fn host(kernel: &str, types: [&str; 2], global: [&str; 3], local: [usize; 3]) -> String {
    let [from, to] = types;
    let mut text = "#include <CL/cl.h>\nstatic const char *const source =\n".to_owned();
    for line in kernel.lines() {
        text += &format!("    \"{}\\n\"\n", line.replace('"', "\\\""));
    }
    text + &format!(
        "    ;\nvoid f(int n, const {from} a[restrict n], {to} b[restrict n])\n{{\n    \
         if (n < 1)\n        return;\n    \
         cl_platform_id platform; cl_device_id device;\n    \
         clGetPlatformIDs(1, &platform, NULL);\n    \
         clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);\n    \
         cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);\n    \
         cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);\n    \
         const char *text = source;\n    \
         cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);\n    \
         clBuildProgram(program, 1, &device, NULL, NULL, NULL);\n    \
         cl_kernel k = clCreateKernel(program, \"k\", NULL);\n    \
         size_t from = sizeof({from}) * n, to = sizeof({to}) * n;\n    \
         cl_mem x = clCreateBuffer(context, CL_MEM_READ_WRITE, from, NULL, NULL);\n    \
         cl_mem y = clCreateBuffer(context, CL_MEM_READ_WRITE, to, NULL, NULL);\n    \
         clEnqueueWriteBuffer(queue, x, CL_TRUE, 0, from, a, 0, NULL, NULL);\n    \
         clEnqueueWriteBuffer(queue, y, CL_TRUE, 0, to, b, 0, NULL, NULL);\n    \
         clSetKernelArg(k, 0, sizeof(n), &n);\n    \
         clSetKernelArg(k, 1, sizeof(x), &x);\n    \
         clSetKernelArg(k, 2, sizeof(y), &y);\n    \
         const size_t global[3] = {{{}, {}, {}}}, local[3] = {{{}, {}, {}}};\n    \
         clEnqueueNDRangeKernel(queue, k, 3, NULL, global, local, 0, NULL, NULL);\n    \
         clEnqueueReadBuffer(queue, y, CL_TRUE, 0, to, b, 0, NULL, NULL);\n}}\n",
        global[0], global[1], global[2], local[0], local[1], local[2]
    )
}

/// A kernel for each element in groups of four, with this body.
pub fn kernel(types: [&str; 2], body: &str) -> String {
    let [from, to] = types;
    format!(
        "__kernel void k(const int n, __global const {from} *a, __global {to} *b)\n{{\n    \
         const int i = get_global_id(0), x = get_local_id(0);\n    {body}\n}}\n"
    )
}

pub fn result(types: [&str; 2], body: &str) -> String {
    let kernel = kernel(types, body);
    host(&kernel, types, ["(n + 3) / 4 * 4", "1", "1"], [4, 1, 1])
}

/// The original, with this for each element.
pub fn plain(types: [&str; 2], body: &str) -> String {
    let [from, to] = types;
    format!(
        "void f(int n, const {from} a[restrict n], {to} b[restrict n])\n{{\n    \
         for (int i = 0; i < n; i++) {{ {body} }}\n}}\n"
    )
}

pub const INTS: [&str; 2] = ["int", "int"];

/// A loop in which work-items of a group share memory, and the same in order.
pub const SHIFTED: &str = "int j = i / 4 * 4 + (i + 1) % 4; b[i] = j < n ? a[j] : 0;";
