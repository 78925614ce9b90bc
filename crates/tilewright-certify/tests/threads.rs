//! CUDA and HIP: what their hosts call and what these calls answer, as the manuals have it; what
//! threads of blocks compute, and kernels for several types.

use crate::common::device::{INTS, SHIFTED, plain};
use crate::common::{differs, equal, unknown};

/// A host of CUDA.
fn calls(body: &str) -> String {
    format!(
        "#include <cuda_runtime.h>\n__global__ void set(int n, int *a) {{ a[threadIdx.x] = n; }}\n\
         __global__ void null(int *a) {{ if (a) a[0] = 1; }}\n\
         void f(int n, int b[restrict 80])\n{{\n{body}\n}}\n"
    )
}

#[test]
fn answers_of_cuda() {
    let mut plain = String::new();
    let mut result =
        "int *x = 0, *y = b, in[4] = {1, 2, 3, 4}, out[4] = {0, 0, 0, 0}, count = 0;".to_owned();
    for (at, (expression, value)) in [
        ("cudaMalloc((void **)&x, 16)", 0),
        ("x != 0", 1),
        ("cudaMalloc((void **)&y, 0)", 0),
        ("y == 0", 1),
        // cudaErrorMemoryAllocation
        ("cudaMalloc((void **)&y, (size_t)1 << 50)", 2),
        ("cudaMemcpy(x, in, 16, cudaMemcpyHostToDevice)", 0),
        ("cudaMemcpy(out, x + 1, 8, cudaMemcpyDeviceToHost)", 0),
        ("out[0] * 1000 + out[1] * 100 + out[2] * 10 + out[3]", 2300),
        ("cudaMalloc((void **)&y, 8)", 0),
        ("cudaMemcpy(y, x + 2, 8, cudaMemcpyDeviceToDevice)", 0),
        ("cudaMemcpy(out + 2, y, 8, cudaMemcpyDeviceToHost)", 0),
        ("out[0] * 1000 + out[1] * 100 + out[2] * 10 + out[3]", 2334),
        // cudaErrorInvalidValue
        ("cudaMemcpy(out, y, 8, 9)", 1),
        ("cudaMemcpy(out, y, 8, -1)", 1),
        ("cudaMemcpy(out, 0, 0, cudaMemcpyDeviceToHost)", 0),
        ("cudaFree(y)", 0),
        ("cudaFree(y)", 1),
        ("cudaFree(in)", 1),
        ("cudaFree(x + 1)", 1),
        ("cudaFree(0)", 0),
        ("cudaGetDeviceCount(&count)", 0),
        ("count", 1),
        ("cudaSetDevice(0)", 0),
        ("cudaDeviceSynchronize()", 0),
        (
            "cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, 9)",
            0,
        ),
        ("cudaGetLastError()", 0),
    ]
    .iter()
    .enumerate()
    {
        plain += &format!("b[{at}] = {value};\n");
        result += &format!("\nb[{at}] = {expression};");
    }
    let original = format!("void f(int n, int b[restrict 80])\n{{\n{plain}}}\n");
    equal(&original, &calls(&result));
    // HIP's are the same.
    equal(
        &original,
        &calls(&result)
            .replace("cuda_runtime", "hip/hip_runtime")
            .replace("cuda", "hip"),
    );
    // Launches leave an error behind, which is taken once: cudaErrorInvalidConfiguration.
    for (launch, error) in [
        ("1, 4, 0", 0),
        ("dim3(1), dim3(4), 0", 0),
        ("dim3(1, 1), dim3(4, 1), 0", 0),
        ("dim3(1, 1, 1), dim3(4, 1, 1), 227 << 10", 0),
        ("1, 4, (227 << 10) + 1", 9),
        ("0, 4, 0", 9),
        ("1, 0, 0", 9),
        ("dim3(1, 0), 4, 0", 9),
        ("dim3(1, 1, 0), 4, 0", 9),
        ("1, dim3(4, 0), 0", 9),
        ("dim3(1, 65536), 4, 0", 9),
        ("dim3(1, 1, 65536), 4, 0", 9),
        ("2147483648u, 4, 0", 9),
        ("1, 1025, 0", 9),
        ("1, dim3(4, 257), 0", 9),
        ("1, dim3(4, 16, 17), 0", 9),
    ] {
        let value = if error == 0 { 7 } else { 5 };
        let plain = format!(
            "void f(int n, int b[restrict 80]) {{ b[0] = {error}; b[1] = 0; b[2] = {value}; }}"
        );
        let result = calls(&format!(
            "int *x, out[4] = {{5, 5, 5, 5}};\ncudaMalloc((void **)&x, 16);\ncudaMemcpy(x, out, 16, cudaMemcpyHostToDevice);\n\
             set<<<{launch}>>>(7, x);\nb[0] = cudaGetLastError();\nb[1] = cudaGetLastError();\n\
             cudaMemcpy(out, x, 16, cudaMemcpyDeviceToHost);\nb[2] = out[3];"
        ));
        equal(&plain, &result);
    }
    // Kernels without parameters, and with many.
    for (parameters, arguments, body, value) in [
        ("", "", "", 5),
        ("int *p", "x", "p[0] = 30;", 30),
        (
            "int *p, char c, short s, long l, float g, double d, unsigned u, _Bool t, int i",
            "x, 1, 2, 3, 4, 5, 6, 7, 8",
            // A truth value is one.
            "p[0] = c + s + l + g + d + u + t + i;",
            30,
        ),
    ] {
        let plain = format!("void f(int n, int b[restrict 80]) {{ b[0] = {value}; b[1] = 12; }}");
        let text = format!(
            "#include <cuda_runtime.h>\n__global__ void k({parameters}) {{ {body} }}\n\
             void f(int n, int b[restrict 80])\n{{\nint *x, out = 5, u = 3;\ncudaMalloc((void **)&x, 4);\n\
             cudaMemcpy(x, &out, 4, cudaMemcpyHostToDevice);\nk<<<u - 2, 1, 0>>>({arguments});\nint v = 4;\n\
             cudaMemcpy(&out, x, 4, cudaMemcpyDeviceToHost);\nb[0] = out;\nb[1] = u * v;\n}}\n"
        );
        equal(&plain, &text);
    }
    // A null pointer stays one.
    let plain = "void f(int n, int b[restrict 80]) { b[0] = 1; }";
    equal(plain, &calls("null<<<1, 1, 0>>>(0); b[0] = 1;"));
    for (body, word) in [
        (
            "set<<<1, 4>>>(7, b);",
            "a launch with another number of arguments",
        ),
        (
            "set<<<1, 4, 0>>>(7);",
            "a launch with another number of arguments",
        ),
        (
            "set<<<1, 4, 0>>>(7, b, 8);",
            "a launch with another number of arguments",
        ),
        (
            "none<<<1, 4, 0>>>(7, b);",
            "a launch of `none`, which is not in the text",
        ),
        ("set<<<dim3(), 4, 0>>>(7, b);", "the extents of a launch"),
        (
            "set<<<dim3(1, 2, 3, 4), 4, 0>>>(7, b);",
            "the extents of a launch",
        ),
        ("__tw_launch(set);", "a launch"),
        (
            "__tw_launch(set, 1, 2);",
            "a launch without a size of memory",
        ),
        (
            "__tw_launch(1 + 1, 1, 2, 0);",
            "a launch of what is no kernel",
        ),
    ] {
        unknown(plain, &calls(body), word);
    }
}

/// A kernel of CUDA with this body, in blocks of `x` by `y` threads.
fn cuda(body: &str, memory: &str) -> String {
    format!(
        "#include <cuda_runtime.h>\n__global__ void k(int n, const int *a, int *b)\n{{\n    \
         const int x = threadIdx.x + 2 * threadIdx.y, i = 4 * blockIdx.x + x;\n    {body}\n}}\n\
         void f(int n, const int a[restrict n], int b[restrict n])\n{{\n    if (n < 1)\n        return;\n    \
         int *c, *d;\n    cudaMalloc((void **)&c, 4 * n);\n    cudaMalloc((void **)&d, 4 * n);\n    \
         cudaMemcpy(c, a, 4 * n, cudaMemcpyHostToDevice);\n    \
         cudaMemcpy(d, b, 4 * n, cudaMemcpyHostToDevice);\n    \
         k<<<(n + 3) / 4, dim3(2, 2), {memory}>>>(n, c, d);\n    \
         cudaMemcpy(b, d, 4 * n, cudaMemcpyDeviceToHost);\n}}\n"
    )
}

#[test]
fn threads_of_cuda() {
    for (value, what) in [
        ("i % 4 % 2", "threadIdx.x"),
        ("i % 4 / 2", "threadIdx.y"),
        ("0", "threadIdx.z"),
        ("i / 4", "blockIdx.x"),
        ("0", "blockIdx.y + blockIdx.z"),
        ("2", "blockDim.x"),
        ("2", "blockDim.y"),
        ("1", "blockDim.z"),
        ("(n + 3) / 4", "gridDim.x"),
        ("1", "gridDim.y"),
        ("1", "gridDim.z"),
        // They are unsigned.
        ("1", "threadIdx.z - 1 > 0"),
        ("a[i] < 3 ? a[i] : 3", "min(a[i], 3)"),
    ] {
        equal(
            &plain(INTS, &format!("b[i] = {value};")),
            &cuda(&format!("if (i < n) b[i] = {what};"), "0"),
        );
    }
    for (value, call) in [
        ("b[0] + (a[i] & 7)", "atomicAdd(&b[0], a[i] & 7)"),
        ("b[0] - (a[i] & 7)", "atomicSub(&b[0], a[i] & 7)"),
        ("b[0] < a[i] ? b[0] : a[i]", "atomicMin(&b[0], a[i])"),
        ("b[0] > a[i] ? b[0] : a[i]", "atomicMax(&b[0], a[i])"),
        ("b[0] | a[i]", "atomicOr(&b[0], a[i])"),
        ("b[0] & a[i]", "atomicAnd(&b[0], a[i])"),
        ("b[0] ^ a[i]", "atomicXor(&b[0], a[i])"),
        ("7", "atomicExch(&b[0], 7)"),
        ("b[0] == 1 ? 7 : b[0]", "atomicCAS(&b[0], 1, 7)"),
    ] {
        equal(
            &plain(INTS, &format!("b[0] = {value};")),
            &cuda(&format!("if (i < n) {call};"), "0"),
        );
    }
    let tile = "__shared__ int t[4]; t[x] = i < n ? a[i] : 0;";
    let shift = "if (i < n) b[i] = t[(x + 1) % 4];";
    equal(
        &plain(INTS, SHIFTED),
        &cuda(&format!("{tile} __syncthreads(); {shift}"), "0"),
    );
    differs(
        &plain(INTS, SHIFTED),
        &cuda(&format!("{tile} {shift}"), "0"),
        &["a race", "between work-items of a group"],
    );
    // Memory whose size the launch says, and what it may be.
    let memory = "extern __shared__ unsigned char m[]; int *t = (int *)m; t[x] = i < n ? a[i] : 0; __syncthreads();";
    equal(
        &plain(INTS, SHIFTED),
        &cuda(&format!("{memory} {shift}"), "16"),
    );
    differs(
        &plain(INTS, SHIFTED),
        &cuda(&format!("{memory} {shift}"), "15"),
        &["an access outside of its array", "m"],
    );
    for declaration in [
        "extern __shared__ int m[];",
        "extern __shared__ unsigned char m[8];",
        "extern __shared__ unsigned char m;",
    ] {
        unknown(
            &plain(INTS, "b[i] = 0;"),
            &cuda(&format!("{declaration} if (i < n) b[i] = 0;"), "16"),
            "the type of `m`",
        );
    }
    // Whether any thread says yes, which orders all memory, too.
    equal(
        &plain(
            INTS,
            "int any = 0; for (int j = i / 4 * 4; j < i / 4 * 4 + 4 && j < n; j++) any |= a[j] == 1; b[i] = any;",
        ),
        &cuda(
            "int any = __syncthreads_or(i < n && a[i] == 1); if (i < n) b[i] = any;",
            "0",
        ),
    );
    equal(
        &plain(INTS, SHIFTED),
        &cuda(&format!("{tile} __syncthreads_or(1); {shift}"), "0"),
    );
    // What only threads have is nothing on the host.
    let host =
        cuda("if (i < n) b[i] = 0;", "0").replace("int *c, *d;", "int *c, *d; c = threadIdx.x;");
    unknown(&plain(INTS, "b[i] = 0;"), &host, "threadIdx");
    unknown(
        &plain(INTS, "b[i] = 0;"),
        &cuda("if (i < n) b[i] = threadIdx.w;", "0"),
        "threadIdx",
    );
}

/// For each kind of number a kernel is compiled for.
#[test]
fn kernels_for_several_types() {
    for (ty, name) in [
        ("signed char", "char"),
        ("unsigned char", "uchar"),
        ("short", "short"),
        ("unsigned short", "ushort"),
        ("int", "int"),
        ("unsigned", "uint"),
        ("long", "long"),
        ("unsigned long", "ulong"),
        ("float", "float"),
        ("double", "double"),
    ] {
        let original = format!(
            "void f(int n, const int a[restrict n], int b[restrict n])\n{{\n    \
             for (int i = 0; i < n; i++) {{ {ty} c = 200 + i; b[i] = 10 * sizeof c + (c / 3 * 3 != c) + 2 * (c < 0); }}\n}}\n"
        );
        let result = cuda(
            "T c = 200 + i; if (i < n) b[i] = 10 * sizeof c + (c / 3 * 3 != c) + 2 * (c < 0);",
            "0",
        )
        .replace("__global__", "template <typename T> __global__")
        .replace("k<<<", &format!("k<{name}><<<"));
        equal(&original, &result);
        let other = if name == "double" { "float" } else { "double" };
        let wrong = result.replace(&format!("k<{name}>"), &format!("k<{other}>"));
        differs(&original, &wrong, &["another value"]);
    }
}
