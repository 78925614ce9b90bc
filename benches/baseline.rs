//! Pipelines against their original loops: `cargo bench --bench baseline`.
//!
//! The original is the file as it stands (a parallel outermost loop per stage, arrays kept
//! between calls), built by the same compiler with the same flags; both versions run alternately
//! in one process. Prints a table for the README, losses as plainly as wins.

#[path = "setting.rs"]
mod setting;

use setting::{machine, root, version};
use std::process::Command;

const CASES: &[(&str, &str, &[&str])] = &[
    (
        "unsharp mask, 4256 x 2832 x 3",
        "examples/pipelines/unsharp_mask.c",
        &["R=4256", "C=2832"],
    ),
    (
        "Harris corners, 4256 x 2832",
        "examples/pipelines/harris.c",
        &["R=4256", "C=2832"],
    ),
    (
        "gemm, 1024",
        "examples/linear-algebra/gemm.c",
        &["ni=1024", "nj=1024", "nk=1024"],
    ),
    (
        "jacobi-2d, 2000, 100 steps",
        "examples/stencils/jacobi-2d.c",
        &["tsteps=100", "n=2000"],
    ),
    (
        "heat-3d, 150, 50 steps",
        "examples/stencils/heat-3d.c",
        &["tsteps=50", "n=150"],
    ),
    (
        "seidel-2d, 1000, 50 steps",
        "examples/stencils/seidel-2d.c",
        &["tsteps=50", "n=1000"],
    ),
];

fn main() {
    println!("Machine: {}; {}", machine(), version("cc"));
    println!();
    println!(
        "| program | threads | original, ms (median, min) | tilewright, ms (median, min) | speed-up | identical |"
    );
    println!("|---|---|---|---|---|---|");
    for (title, file, parameters) in CASES {
        for threads in ["1", "2"] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
            command.current_dir(root()).arg("run").arg(file);
            command.env("TILEWRIGHT_MACHINE", "none");
            for parameter in *parameters {
                command.args(["--param", parameter]);
            }
            command.args(["--threads", threads, "--runs", "15", "--json"]);
            let output = command.output().expect("tilewright starts");
            let report: serde_json::Value = serde_json::from_slice(&output.stdout)
                .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
            let ms = |side: &str, what: &str| report[side][what].as_f64().unwrap_or(f64::NAN);
            println!(
                "| {title} | {threads} | {:.1}, {:.1} | {:.1}, {:.1} | {:.2} | {} |",
                ms("original_ms", "median"),
                ms("original_ms", "min"),
                ms("result_ms", "median"),
                ms("result_ms", "min"),
                report["speedup"].as_f64().unwrap_or(f64::NAN),
                report["identical"],
            );
        }
    }
}
