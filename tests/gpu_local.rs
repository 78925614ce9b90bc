//! Arrays of tiles in local memory, without a GPU: OpenCL on the processor with PoCL, data races
//! with Oclgrind.
//!
//! What is not installed is skipped with a line that says so; where the environment variable `CI`
//! is set, its absence is a failure.

// Each test uses a part of it.
#[allow(dead_code)]
mod running;

use running::{finished, with_opencl_cache};
use std::path::Path;
use std::process::Command;

/// Where Debian has Oclgrind as a driver.
const OCLGRIND: &str = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";

fn command(arguments: &[&str]) -> Command {
    let mut command = with_opencl_cache(running::tilewright());
    command.args(arguments);
    command
}

/// Whether something is there that in CI has to be.
fn is_there(there: bool, what: &str) -> bool {
    if !there {
        assert!(std::env::var_os("CI").is_none(), "{what} is not there");
        eprintln!("SKIPPED: {what} is not there");
    }
    there
}

fn has_opencl() -> bool {
    is_there(finished(command(&["devices"])).0 == 0, "a device of OpenCL")
}

/// `tilewright run` on a device, for the first values of the parameters and all others.
fn run(file: &str, sizes: &[&str], options: &[&str]) -> Command {
    let mut command = with_opencl_cache(running::run(file, sizes));
    command.args(["--target", "opencl", "--runs", "0", "--json"]);
    command.args(["--threads", "2", "--cflags", "-O0 -fopenmp"]);
    command.args(options);
    command
}

/// The report of a run whose results are the original's, bit by bit.
fn report(command: Command) -> serde_json::Value {
    let shown = format!("{command:?}");
    let (status, out, messages) = finished(command);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap_or_default();
    let identical = status == 0 && report["identical"] == true;
    assert!(identical, "{shown}: {out}{messages}");
    report
}

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
];

const HEAT_1D: &[&str] = &["tsteps=16 n=130", "tsteps=21 n=133", "tsteps=1 n=5"];
const GEMM: &[&str] = &["ni=32 nj=40 nk=24", "ni=35 nj=41 nk=27", "ni=1 nj=2 nk=3"];

#[test]
fn tiles_in_local_memory_compute_the_same() {
    if !has_opencl() {
        return;
    }
    for (file, sizes, shape, tiles, arrays) in CASES {
        let options = ["--shape", shape, "--tile-sizes", tiles];
        let report = report(run(file, sizes, &options));
        assert_eq!(promoted(&report).join(" "), *arrays, "{file} {shape}");
    }
}

/// The kernels of an example for OpenCL. Those for CUDA have as many barriers and buffers.
fn kernels(file: &str, options: &[&str]) -> String {
    let of = |target: &str, kernel: &str| {
        let arguments = ["compile", file, "--emit", "device", "--target", target];
        let (status, out, messages) = finished(command(&[&arguments, options].concat()));
        assert_eq!(status, 0, "{messages}");
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
    let options = ["--shape", "split", "--tile-sizes", "8,16"];
    let text = kernels("examples/stencils/heat-1d.c", &options);
    insta::assert_snapshot!("heat_1d_split_in_local_memory", text);
    // Between the copies, the array itself is nowhere.
    let pyramid = text.split("__kernel").nth(1).expect("a first kernel");
    let steps = pyramid.split("0.25 * ").nth(1).expect("a step");
    let step = steps.lines().next().expect("a line");
    assert_eq!(step.matches("tw_A[").count(), 3, "{step}");
}

/// File, parameters, shape, tile sizes.
const SIMULATED: [(&str, &str, &str, &str); 2] = [
    ("stencils/heat-1d.c", "tsteps=9 n=45", "split", "4,8"),
    (
        "linear-algebra/gemm.c",
        "ni=9 nj=11 nk=7",
        "parallelogram",
        "4",
    ),
];

#[test]
fn copies_do_not_race() {
    if !is_there(Path::new(OCLGRIND).exists(), OCLGRIND) {
        return;
    }
    for (number, (file, parameters, shape, tiles)) in SIMULATED.iter().enumerate() {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let directory = directory.join(format!("gpu-local-races{number}"));
        std::fs::create_dir_all(&directory).expect("a directory in target");
        let log = directory.join("log");
        let driver = directory.join("oclgrind.icd");
        std::fs::write(driver, format!("{OCLGRIND}\n")).expect("a file in target");
        let _ = std::fs::remove_file(&log);
        let options = [
            "--shape",
            shape,
            "--tile-sizes",
            tiles,
            "--block-size",
            "4,2",
        ];
        let mut command = run(file, &[parameters], &options);
        command
            .env("OCL_ICD_VENDORS", &directory)
            .env("OCLGRIND_DATA_RACES", "1")
            .env("OCLGRIND_LOG", &log);
        let report = report(command);
        assert!(!promoted(&report).is_empty(), "{file}");
        let findings = std::fs::read_to_string(&log).expect("Oclgrind wrote its log");
        assert_eq!(findings.trim(), "", "{file}");
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
    ];
    let little = ["--max-shared-memory", "256"];
    let (status, out, messages) =
        finished(command(&[&["explain", file], &on[..], &little].concat()));
    assert_eq!(status, 0, "{messages}");
    assert!(
        out.contains("`A` stays in the device's memory: it needs 512 bytes"),
        "{out}"
    );
    let (status, plan, messages) = finished(command(
        &[&["compile", file, "--emit", "plan"], &on[..]].concat(),
    ));
    assert_eq!(status, 0, "{messages}");
    assert!(plan.contains("promote"), "{plan}");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gpu-local.toml");
    std::fs::write(&path, plan).expect("a file in target");
    let path = path.to_str().expect("plain names");
    let given = ["compile", file, "--target", "opencl", "--plan", path];
    assert_eq!(finished(command(&given)).0, 0);
    let (status, _, messages) = finished(command(&[&given[..], &little].concat()));
    assert_ne!(status, 0);
    assert!(messages.contains("TW0403"), "{messages}");
    // Nothing is copied where nobody wants it.
    let none = ["explain", file, "--local-memory", "none"];
    let (_, out, _) = finished(command(&[&none, &on[..]].concat()));
    assert!(!out.contains("local memory ("), "{out}");
}
