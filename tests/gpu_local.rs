//! Arrays of tiles in local memory, without a GPU: OpenCL on the processor with PoCL, data races
//! with Oclgrind.
//!
//! What is not installed is skipped with a line that says so; where the environment variable `CI`
//! is set, its absence is a failure.

// Each test uses a part of it.
#[allow(dead_code)]
mod running;

use running::{finished, with_opencl_cache};
use std::path::{Path, PathBuf};
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

/// Arrays that are in local memory, with the loops around their copies.
fn promoted(report: &serde_json::Value) -> Vec<String> {
    let fates = report["regions"][0]["local"].as_array();
    let mut all: Vec<String> = fates
        .into_iter()
        .flatten()
        .filter(|fate| fate["reason"].is_null())
        .map(|fate| format!("{}:{}", fate["array"].as_str().unwrap_or("?"), fate["depth"]))
        .collect();
    all.sort();
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
    ("stencils/heat-1d.c", HEAT_1D, "split", "8,16", "A:0"),
    ("stencils/heat-1d.c", HEAT_1D, "diamond", "16", "A:0"),
    ("stencils/heat-1d.c", HEAT_1D, "hexagonal", "8,8", "A:0"),
    ("stencils/heat-2d.c", PLANE, "split", "4,4,8", "A:0"),
    ("stencils/heat-2d.c", PLANE, "diamond", "8,0,8", "A:1"),
    ("stencils/heat-2d.c", PLANE, "hexagonal", "4,4,8", "A:1"),
    ("stencils/jacobi-2d.c", PLANE, "split", "4,4,8", "A:0 B:0"),
    ("stencils/jacobi-2d.c", PLANE, "diamond", "8,0,8", "A:1 B:1"),
    ("stencils/jacobi-2d.c", PLANE, "hexagonal", "4,4,8", "A:1 B:1"),
    ("stencils/fdtd-2d.c", FDTD, "split", "4,4,8", "ex:0 ey:0 hz:0"),
    ("stencils/fdtd-2d.c", FDTD, "diamond", "8,0,8", "ex:1 ey:1 hz:1"),
    ("stencils/fdtd-2d.c", FDTD, "hexagonal", "4,4,8", "ex:1 ey:1 hz:1"),
    ("linear-algebra/gemm.c", GEMM, "parallelogram", "8", "A:1 B:1 C:0"),
];

const HEAT_1D: &[&str] = &["tsteps=16 n=130", "tsteps=21 n=133", "tsteps=1 n=5"];
const PLANE: &[&str] = &["tsteps=8 n=34", "tsteps=9 n=29", "tsteps=1 n=4"];
const FDTD: &[&str] = &["tmax=8 nx=32 ny=32", "tmax=5 nx=27 ny=35", "tmax=1 nx=2 ny=3"];
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
