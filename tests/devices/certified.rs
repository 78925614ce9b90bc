//! Text for devices is executed beside the original on every compile: kernels and their host's side,
//! as they are printed. No device is needed for that.

use crate::running::{answer, compiled, directory, in_parallel, program};
use serde_json::Value;

/// An example, the target and more options.
const CASES: &[(&str, &str, &str)] = &[
    // Tiles over time in local memory.
    ("stencils/jacobi-1d.c", "opencl", ""),
    ("stencils/heat-3d.c", "opencl", ""),
    ("stencils/heat-1d-periodic.c", "cuda", ""),
    ("linear-algebra/gemm.c", "opencl", ""),
    ("linear-algebra/gemm.c", "cuda", ""),
    ("linear-algebra/gemm.c", "hip", ""),
    (
        "linear-algebra/syrk.c",
        "opencl",
        "--shape parallelogram --tile-sizes 8",
    ),
    ("pipelines/harris.c", "opencl", ""),
    ("pipelines/harris.c", "cuda", ""),
    ("pipelines/unsharp_mask.c", "opencl", ""),
    // Bounds that are data, a packed matrix, updates that are atomic, loops that are left.
    ("dynamic/spmv-csr.c", "opencl", ""),
    ("dynamic/spmv-csr.c", "opencl", "--format ell"),
    ("dynamic/spmv-csr.c", "hip", ""),
    ("dynamic/histogram.c", "opencl", ""),
    ("dynamic/histogram.c", "cuda", ""),
    ("dynamic/hog.c", "opencl", ""),
    ("dynamic/pagerank.c", "cuda", ""),
    ("dynamic/change-making.c", "opencl", ""),
];

/// What is wrong with what a compile says of how its text was executed.
fn wrong(&(file, target, options): &(&str, &str, &str)) -> Option<String> {
    let path = format!("examples/{file}");
    let words = format!("{file}{target}{options}").replace(|c: char| !c.is_alphanumeric(), "_");
    let out = directory("examples").join(words).with_extension("c");
    let out = out.to_str().expect("plain names");
    let mut arguments = vec!["compile", &path, "--target", target, "--json", "-o", out];
    arguments.extend(options.split_whitespace());
    let (status, out, messages) = answer(&arguments);
    let report: Value = serde_json::from_str(&out).unwrap_or_default();
    let certified = &report["regions"][0]["certified"];
    let number = |name: &str| certified[name].as_u64().unwrap_or(0);
    let executed = number("runs") > 3 && number("reached") > 20;
    let right = status == 0 && !messages.contains("TW0903") && certified["unknown"].is_null();
    (!(executed && right)).then(|| format!("{arguments:?}: {certified} {messages}"))
}

#[test]
fn text_for_devices_is_executed_and_equal() {
    let failures = in_parallel(CASES, wrong);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The command reads files for devices, too: of OpenCL with or without headers of the system's, and
/// those for CUDA that stand beside what it is given.
#[test]
fn files_for_devices_are_certified() {
    let text = "void f(int n, const int a[restrict n], int b[restrict n])\n{\n#pragma scop\n    \
                for (int i = 0; i < n; i++)\n        b[i] = a[i] & 7;\n#pragma endscop\n}\n";
    let original = program("certified_devices", text);
    let (result, _) = compiled(&original, &["--target", "opencl"]);
    let right = program("certified_devices_opencl", &result);
    let (status, out, messages) = answer(&["certify", &original, &right]);
    assert_eq!(status, 0, "{out}{messages}");
    assert!(out.starts_with("equal on all inputs"), "{out}");
    let changed = result.replace(
        "tw_cl_download(tw_b_host,",
        "if (0) tw_cl_download(tw_b_host,",
    );
    assert_ne!(changed, result);
    let wrong = program("certified_devices_wrong", &changed);
    let (status, out, messages) = answer(&["certify", &original, &wrong]);
    assert!(
        status != 0 && out.starts_with("differs: f("),
        "{out}{messages}"
    );
    let beside = directory("cuda").join("result.c");
    let beside = beside.to_str().expect("plain names");
    compiled(&original, &["--target", "cuda", "-o", beside]);
    let (status, out, messages) = answer(&["certify", &original, beside]);
    assert_eq!(status, 0, "{out}{messages}");
    assert!(out.starts_with("equal on all inputs"), "{out}");
}
