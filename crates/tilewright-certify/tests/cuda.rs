//! Texts with kernels in CUDA C++ and HIP: right ones, and some with a mistake that is found.

use tilewright_certify::{Certificate, Kind, Options, Text, Verdict, certify};

fn judged(original: &str, result: &str) -> Certificate {
    let text = |preprocessed| Text {
        name: "f.c",
        preprocessed,
    };
    certify(&text(original), &text(result), &Options::default())
}

#[track_caller]
fn equal(original: &str, result: &str) {
    let found = judged(original, result);
    let verdict = &found.verdict;
    assert!(matches!(verdict, Verdict::Equal), "{verdict:?}");
    assert!(found.runs > 10, "{} runs", found.runs);
}

const ORIGINAL: &str = "void f(int n, const unsigned a[restrict n], unsigned b[restrict n])
{
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i] + 3 * a[i + 1];
}
";

const RESULT: &str = "#include <cuda_runtime.h>
#include <stdlib.h>
static void check(cudaError_t status)
{
    if (status != cudaSuccess)
        exit(1);
}
static __device__ unsigned sum(unsigned x, unsigned y) { return x + 3 * y; }
template <typename T> __global__ void __launch_bounds__(4) k(const T n, const unsigned *__restrict__ a, unsigned *__restrict__ b)
{
    const T x = (T)threadIdx.x + 2 * (T)threadIdx.y;
    const T first = 4 * (T)blockIdx.x;
    extern __shared__ __align__(128) char memory[];
    unsigned *tile = (unsigned *)(memory + 8);
    for (T i = x; i < 6; i += 4)
        if (first + i < n)
            tile[i] = a[first + i];
    __syncthreads();
    if (first + x + 2 < n)
        b[first + x + 1] = tile[x] + sum(tile[x + 1], tile[x + 2]);
}
void f(int n, const unsigned a[restrict n], unsigned b[restrict n])
{
    if (n < 3)
        return;
    const size_t bytes = sizeof(unsigned) * n;
    unsigned *x, *y;
    check(cudaMalloc((void **)&x, bytes));
    check(cudaMalloc((void **)&y, bytes));
    check(cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice));
    check(cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice));
    if (n < 20)
        k<int><<<(n + 1) / 4, dim3(2, 2), 32>>>(n, x, y);
    else
        k<long><<<(n + 1) / 4, dim3(2, 2), 32>>>(n, x, y);
    check(cudaGetLastError());
    check(cudaMemcpy(b, y, bytes, cudaMemcpyDeviceToHost));
    check(cudaFree(x));
    check(cudaFree(y));
}
";

#[track_caller]
fn found(changes: &[(&str, &str)], kind: Kind, words: &[&str]) {
    let mut result = RESULT.to_owned();
    for (old, new) in changes {
        assert!(result.contains(old), "{old}");
        result = result.replace(old, new);
    }
    let Verdict::Differs(difference) = judged(ORIGINAL, &result).verdict else {
        panic!("{changes:?}: {:?}", judged(ORIGINAL, &result).verdict);
    };
    let text = difference.to_string();
    assert_eq!(difference.kind, kind, "{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
}

#[test]
fn blocks_with_tiles_compute_the_same() {
    equal(ORIGINAL, RESULT);
    // HIP is the same under other names.
    let hip = RESULT.replace("cuda_runtime.h", "hip/hip_runtime.h");
    equal(ORIGINAL, &hip.replace("cuda", "hip"));
}

#[test]
fn mistakes_in_kernels() {
    found(
        &[("    __syncthreads();\n", "")],
        Kind::Race,
        &["memory", "work-items"],
    );
    let some = [(
        "    __syncthreads();\n",
        "    if (x < 3)\n        __syncthreads();\n",
    )];
    found(&some, Kind::Barrier, &[]);
    // Memory of a block: its size stands where it is launched.
    found(
        &[("dim3(2, 2), 32", "dim3(2, 2), 31")],
        Kind::Outside,
        &["memory"],
    );
    found(
        &[("first + i < n", "first + i <= n")],
        Kind::Outside,
        &["a[", "`k`"],
    );
    found(
        &[("b[first + x + 1]", "b[first / 2 + x + 1]")],
        Kind::Race,
        &["work-groups"],
    );
    found(
        &[("<long><<<(n + 1) / 4", "<long><<<n / 4")],
        Kind::Value,
        &["b["],
    );
}

#[test]
fn mistakes_of_the_host() {
    let no = |line: &'static str| [(line, "")];
    found(
        &no("    check(cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice));\n"),
        Kind::Unwritten,
        &[],
    );
    found(
        &no("    check(cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice));\n"),
        Kind::Value,
        &["b[0]"],
    );
    found(
        &no("    check(cudaMemcpy(b, y, bytes, cudaMemcpyDeviceToHost));\n"),
        Kind::Value,
        &["b["],
    );
    // The host's memory on the device, the device's on the host, one direction for the other.
    found(&[("(n, x, y)", "(n, a, y)")], Kind::Outside, &[]);
    found(
        &[("    check(cudaFree(x));\n", "    b[0] = x[0];\n")],
        Kind::Outside,
        &[],
    );
    found(
        &[(
            "x, a, bytes, cudaMemcpyHostToDevice",
            "x, a, bytes, cudaMemcpyDeviceToHost",
        )],
        Kind::Outside,
        &[],
    );
    // Too many threads, and memory that is given back twice.
    found(&[("dim3(2, 2)", "dim3(2, 1024)")], Kind::Trap, &[]);
    found(&[("cudaFree(y)", "cudaFree(x)")], Kind::Trap, &[]);
}

#[test]
fn threads_of_a_block_vote() {
    let original = "void f(int n, const unsigned a[restrict n], unsigned b[restrict n])\n{\n    \
                    for (int i = 0; i < n / 4 * 4; i++) {\n        int j = i / 4 * 4;\n        \
                    b[i] = (a[j] | a[j + 1] | a[j + 2] | a[j + 3]) & 1;\n    }\n}\n";
    let result = RESULT
        .replace("template <typename T> ", "")
        .replace("const T", "const int")
        .replace("(T)", "(int)")
        .replace("for (T", "for (int")
        .replace("<int>", "")
        .replace("<long>", "")
        .replace("if (n < 3)", "if (n < 4)")
        .replace("<<<(n + 1) / 4", "<<<n / 4");
    let start = result.find("    extern __shared__").unwrap();
    let end = result.find("void f(").unwrap();
    let body = "    b[first + x] = __syncthreads_or(a[first + x] & 1) != 0;\n}\n";
    let result = format!("{}{body}{}", &result[..start], &result[end..]);
    equal(original, &result);
    let some = result.replace(
        "    b[first + x] =",
        "    if (x > 0)\n        b[first + x] =",
    );
    let Verdict::Differs(difference) = judged(original, &some).verdict else {
        panic!("a vote of some");
    };
    assert_eq!(difference.kind, Kind::Barrier, "{difference}");
}
