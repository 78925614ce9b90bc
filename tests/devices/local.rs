//! Arrays of tiles in local memory, without a GPU: OpenCL on the processor with PoCL, data races
//! with Oclgrind.

use crate::devices::opencl::{Oclgrind, has_opencl, report, run};
use crate::running::{answer, compiled, directory, program};

/// Arrays that are in local memory.
fn promoted(report: &serde_json::Value) -> Vec<&str> {
    let fates = report["regions"][0]["local"].as_array();
    let mut all: Vec<&str> = fates
        .into_iter()
        .flatten()
        .filter(|fate| fate["reason"].is_null())
        .filter_map(|fate| fate["array"].as_str())
        .collect();
    all.sort_unstable();
    all
}

/// File, sizes (with tiles that end with the data, and others), shape, tile sizes, arrays in local
/// memory.
type Case = (
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static str,
    &'static str,
);

const CASES: &[Case] = &[
    ("stencils/heat-1d.c", HEAT_1D, "split", "8,16", "A"),
    ("stencils/heat-1d.c", HEAT_1D, "diamond", "16", "A"),
    ("stencils/heat-1d.c", HEAT_1D, "hexagonal", "8,8", "A"),
    ("linear-algebra/gemm.c", GEMM, "parallelogram", "8", "A B C"),
    // At corners one dimension grows where the other shrinks.
    ("stencils/jacobi-2d.c", JACOBI_2D, "split", "2,4,8", "A B"),
    // Boxes of their own for the rows of `i` and of `j`.
    ("linear-algebra/syrk.c", SYRK, "parallelogram", "8", "A C"),
    (
        "linear-algebra/syr2k.c",
        SYRK,
        "parallelogram",
        "8",
        "A B C",
    ),
    // The same, and the result is written to both sides of the diagonal.
    (
        "linear-algebra/covariance.c",
        COVARIANCE,
        "parallelogram",
        "8",
        "data mean",
    ),
];

const HEAT_1D: &[&str] = &["tsteps=16 n=130", "tsteps=21 n=133", "tsteps=1 n=5"];
const JACOBI_2D: &[&str] = &["tsteps=4 n=26", "tsteps=5 n=23"];
const GEMM: &[&str] = &["ni=32 nj=40 nk=24", "ni=35 nj=41 nk=27", "ni=1 nj=2 nk=3"];
const COVARIANCE: &[&str] = &["m=24 n=16", "m=27 n=19"];
const SYRK: &[&str] = &["n=32 m=24", "n=37 m=27", "n=3 m=2"];

#[test]
fn tiles_in_local_memory_compute_the_same() {
    if !has_opencl() {
        return;
    }
    for (file, sizes, shape, tiles, arrays) in CASES {
        let options = [
            "--shape",
            shape,
            "--tile-sizes",
            tiles,
            "--local-memory",
            "all",
        ];
        let report = report(run(file, sizes, &options)).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_eq!(promoted(&report).join(" "), *arrays, "{file} {shape}");
    }
}

/// The kernels of an example for OpenCL. Those for CUDA have as many barriers and buffers.
fn kernels(file: &str, options: &[&str]) -> String {
    let of = |target: &str, kernel: &str| {
        let device = ["--emit", "device", "--target", target];
        let (out, _) = compiled(file, &[&device, options].concat());
        let from = out.find(kernel).expect("a kernel");
        out[from..].to_owned()
    };
    let (opencl, cuda) = (of("opencl", "/* A"), of("cuda", "/* A"));
    let count = |text: &str, word: &str| text.matches(word).count();
    assert_eq!(count(&opencl, "barrier("), count(&cuda, "__syncthreads()"));
    assert_eq!(count(&opencl, "(tw_memory +"), count(&cuda, "(tw_memory +"));
    opencl
}

/// What a pyramid needs is copied in, all its steps stay in local memory, and what it wrote is
/// copied out, behind a barrier; then the same for what is between pyramids.
#[test]
fn split_tiles_stay_in_local_memory() {
    let options = [
        "--shape",
        "split",
        "--tile-sizes",
        "8,16",
        "--local-memory",
        "all",
    ];
    let text = kernels("examples/stencils/heat-1d.c", &options);
    insta::assert_snapshot!("heat_1d_split_in_local_memory", text);
    // Between the copies, the array itself is nowhere.
    let pyramid = text.split("__kernel").nth(1).expect("a first kernel");
    let steps = pyramid.split("0.25 * ").nth(1).expect("a step");
    let step = steps.lines().next().expect("a line");
    assert_eq!(step.matches("tw_A[").count(), 3, "{step}");
}

/// With the sizes that tiles have on devices, these are copied once for a tile in every launch.
#[test]
fn whole_tiles_are_copied_once() {
    for (file, shape, arrays) in [
        ("stencils/heat-1d.c", "hexagonal", ["A"].as_slice()),
        ("stencils/heat-2d.c", "split", &["A"]),
        ("stencils/poisson-2d.c", "split", &["f", "u"]),
    ] {
        let path = format!("examples/{file}");
        let explain = [
            "explain",
            &path,
            "--target",
            "cuda",
            "--shape",
            shape,
            "--local-memory",
            "all",
            "--json",
        ];
        let (status, out, messages) = answer(&explain);
        assert_eq!(status, 0, "{messages}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(promoted(&report), arrays, "{file}");
        let fates = report["regions"][0]["local"].as_array().expect("fates");
        for fate in fates.iter().filter(|fate| fate["reason"].is_null()) {
            let once = fate["depth"] == 0 && fate["elsewhere"].is_null();
            assert!(once, "{file} {shape}: {fate}");
        }
    }
}

/// What `explain` reports of a program's only region for a device.
fn explained(file: &str, options: &[&str]) -> serde_json::Value {
    let explain = ["explain", file, "--target", "cuda", "--json"];
    let (status, out, messages) = answer(&[&explain[..], options].concat());
    assert_eq!(status, 0, "{file}: {messages}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    report["regions"][0].clone()
}

/// Both factors of a symmetric update have two boxes, rows of a tile's `i` and of its `j`, which are
/// copied along the rows of the array; a plan that was written is applied with both.
#[test]
fn parts_of_an_array_have_boxes_of_their_own() {
    for (file, factors) in [("syrk", ["A"].as_slice()), ("syr2k", &["A", "B"])] {
        let file = format!("examples/linear-algebra/{file}.c");
        let region = explained(&file, &["--replay", "n=40,m=32"]);
        let fates = region["local"].as_array().expect("fates");
        for &array in factors {
            let fate = fates.iter().find(|fate| fate["array"] == array);
            let fate = fate.expect("a fate");
            assert_eq!(fate["boxes"], 2, "{fate}");
            assert_eq!(fate["bytes"], 2 * 32 * 32 * 8, "{fate}");
            assert_eq!((&fate["depth"], &fate["reason"]), (&1.into(), &().into()));
        }
        let kernels = region["replayed"]["traffic"].as_array().expect("kernels");
        let buffers = kernels.iter().flat_map(|k| k["buffers"].as_array());
        let mut counted = 0;
        for buffer in buffers.flatten().filter(|b| b["buffer"] != "C") {
            let loads = |what: &str| buffer["loads"][what].as_i64().expect("a number");
            if buffer["local"] == true {
                // No two threads of a warp need the same bank.
                assert_eq!(loads("moved"), loads("enough"), "{buffer}")
            } else {
                // Whole sectors.
                assert_eq!(loads("bytes"), 32 * loads("moved"), "{buffer}")
            }
            counted += 1;
        }
        assert_eq!(counted, 3 * factors.len());
        let kernels = |options: &[&str]| {
            let device = ["--emit", "device", "--target", "opencl"];
            compiled(&file, &[&device, options].concat()).0
        };
        let (plan, _) = compiled(&file, &["--emit", "plan", "--target", "opencl"]);
        let path = directory("parts").join("plan.toml");
        std::fs::write(&path, plan).expect("a file in target");
        let given = ["--plan", path.to_str().expect("plain names")];
        assert_eq!(kernels(&[]), kernels(&given));
    }
}

/// What a tile writes with one reference another one reads, `m` iterations later: not in two boxes.
#[test]
fn what_a_tile_writes_has_no_parts() {
    let rows = program(
        "parts-written",
        "void rows(int n, int m, double x[restrict n][3 * m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int t = 0; t < 2 * m; t++)
            x[i][m + t] = 0.5 * x[i][m + t - 1] + x[i][t];
#pragma endscop
}
",
    );
    let region = explained(&rows, &["--replay", "n=40,m=5"]);
    let fates = region["local"].as_array().expect("fates");
    let reason = fates[0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("no box of constant size"), "{reason}");
    if has_opencl() {
        report(run(&rows, &["n=40 m=5"], &[])).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

/// File, parameters, shape, tile sizes.
const SIMULATED: [(&str, &str, &str, &str); 5] = [
    (
        "linear-algebra/covariance.c",
        "m=9 n=7",
        "parallelogram",
        "4",
    ),
    ("linear-algebra/syrk.c", "n=9 m=7", "parallelogram", "4"),
    ("stencils/heat-1d.c", "tsteps=9 n=45", "split", "4,8"),
    ("stencils/jacobi-2d.c", "tsteps=3 n=13", "split", "2,4,4"),
    (
        "linear-algebra/gemm.c",
        "ni=9 nj=11 nk=7",
        "parallelogram",
        "4",
    ),
];

#[test]
fn copies_do_not_race() {
    let Some(oclgrind) = Oclgrind::new("races") else {
        return;
    };
    for (file, parameters, shape, tiles) in SIMULATED {
        let options = [
            "--shape",
            shape,
            "--tile-sizes",
            tiles,
            "--local-memory",
            "all",
        ];
        let block = ["--block-size", "4,2"];
        let mut command = run(file, &[parameters], &[&options[..], &block].concat());
        oclgrind.watch(&mut command);
        let report = report(command).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert!(!promoted(&report).is_empty(), "{file}");
        assert_eq!(oclgrind.findings(), "", "{file}");
    }
}

/// What does not fit stays where it is, with a word; a plan that wants it nonetheless is refused.
#[test]
fn too_little_memory_is_handled() {
    let file = "examples/stencils/heat-1d.c";
    let on = [
        "--target",
        "opencl",
        "--shape",
        "split",
        "--tile-sizes",
        "8,16",
        "--local-memory",
        "all",
    ];
    let little = ["--max-shared-memory", "256"];
    let (status, out, messages) = answer(&[&["explain", file], &on[..], &little].concat());
    assert_eq!(status, 0, "{messages}");
    assert!(
        out.contains("`A` stays in the device's memory: it needs 512 bytes"),
        "{out}"
    );
    let (plan, _) = compiled(file, &[&["--emit", "plan"], &on[..]].concat());
    assert!(plan.contains("promote"), "{plan}");
    let path = directory("plans").join("heat-1d.toml");
    std::fs::write(&path, plan).expect("a file in target");
    let path = path.to_str().expect("plain names");
    let given = ["compile", file, "--target", "opencl", "--plan", path];
    assert_eq!(answer(&given).0, 0);
    let (status, _, messages) = answer(&[&given[..], &little].concat());
    assert_ne!(status, 0);
    assert!(messages.contains("TW0403"), "{messages}");
    // Nothing is copied where nobody wants it.
    let none = ["explain", file, "--local-memory", "none"];
    let (_, out, _) = answer(&[&none, &on[..6]].concat());
    assert!(!out.contains("local memory ("), "{out}");
}

/// Shapes that an H200 was measured on with copies and without
/// ([results](../../docs/src/results/devices.md#what-is-lost-where)): what is copied unless it is said.
#[test]
fn copies_are_made_for_lines_and_for_rows_that_neighbours_read() {
    for (file, options, arrays) in [
        ("stencils/heat-1d.c", ["--shape", "split"], ["A"].as_slice()),
        ("stencils/heat-1d.c", ["--shape", "hexagonal"], &["A"]),
        ("linear-algebra/gemm.c", ["--tile-sizes", "32"], &[]),
        ("linear-algebra/gemm.c", ["--tile-sizes", "8"], &[]),
        ("linear-algebra/syrk.c", ["--tile-sizes", "32"], &["A"]),
    ] {
        let path = format!("examples/{file}");
        let explain = ["explain", &path, "--target", "cuda", "--json"];
        let (status, out, messages) = answer(&[&explain[..], &options].concat());
        assert_eq!(status, 0, "{messages}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(promoted(&report), arrays, "{file} {options:?}");
    }
}
