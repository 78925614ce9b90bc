//! Linear algebra against its loops and peers: `cargo bench --bench linear_algebra -- --help`.
//!
//! The kernels of PolyBench that `examples/linear-algebra` has: the file as it stands, which is
//! sequential, tilewright's own choice, and any number of peers (functions with the same C signature
//! in shared libraries that something else made), by turns in one process on the same memory.

#[path = "experiments.rs"]
mod experiments;
#[path = "peer_argument.rs"]
mod peer_argument;
#[path = "programs.rs"]
mod programs;
#[path = "setting.rs"]
mod setting;
#[path = "timing.rs"]
mod timing;

use clap::Parser;
use peer_argument::peers;
use programs::{Program, Versions};
use serde_json::{Value, json};
use setting::{Failure, check_names, ended, is_wanted, root, words};
use std::process::ExitCode;
use tilewright::plan::Shape;
use tilewright_driver::measure::experiment::Values;
use tilewright_driver::measure::statistics::Times;
use timing::Timing;

/// A file of `examples/linear-algebra`, its function, and values of its scalars: matrices of some
/// megabytes, which no second cache holds, or work of some tenths of a second.
const KERNELS: [(&str, &str, &str); 23] = [
    ("2mm", "two_mm", "ni=600 nj=600 nk=600 nl=600"),
    ("3mm", "three_mm", "ni=500 nj=500 nk=500 nl=500 nm=500"),
    ("atax", "atax", "m=3000 n=3000"),
    ("bicg", "bicg", "m=3000 n=3000"),
    ("cholesky", "cholesky", "n=900"),
    ("correlation", "correlation", "m=600 n=700"),
    ("covariance", "covariance", "m=600 n=700"),
    ("doitgen", "doitgen", "nr=100 nq=100 np=100"),
    ("durbin", "durbin", "n=6000"),
    ("floyd-warshall", "floyd_warshall", "n=500"),
    ("gemm", "gemm", "ni=700 nj=700 nk=700"),
    ("gemver", "gemver", "n=3000"),
    ("gesummv", "gesummv", "n=2500"),
    ("gramschmidt", "gramschmidt", "m=500 n=500"),
    ("lu", "lu", "n=700"),
    ("ludcmp", "ludcmp", "n=700"),
    ("mvt", "mvt", "n=3000"),
    ("nussinov", "nussinov", "n=800"),
    ("symm", "symm", "m=600 n=600"),
    ("syr2k", "syr2k", "n=600 m=600"),
    ("syrk", "syrk", "n=700 m=700"),
    ("trisolv", "trisolv", "n=4000"),
    ("trmm", "trmm", "m=700 n=700"),
];

/// Linear algebra: originals, tilewright's results and peers by turns.
#[derive(Debug, Parser)]
#[command(name = "linear_algebra")]
struct Arguments {
    /// Kernels to run [default: all]
    kernels: Vec<String>,
    /// A peer: a shared library and the function in it [default: the example's], which has the C
    /// signature of the example's
    #[arg(long = "peer", value_name = "KERNEL=LIBRARY[:SYMBOL[:LABEL]]")]
    peers: Vec<String>,
    #[command(flatten)]
    timing: Timing,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let function = |name: &str| {
        let mut all = KERNELS.iter();
        let own = all.find(|(kernel, ..)| *kernel == name);
        own.map_or(name, |(_, function, _)| function).to_owned()
    };
    let peers = peers(&arguments.peers, function)?;
    let names = KERNELS.map(|(name, ..)| name);
    check_names(
        "kernel",
        &names,
        arguments.kernels.iter().chain(peers.keys()),
    )?;
    let timing = &arguments.timing;
    let json = timing.building.json;
    let toolchain = timing.toolchain();
    if !json {
        timing.print_head();
        println!("{} timed runs each, times in ms", timing.runs);
        println!();
        println!(
            "| kernel | threads | tiles | version | median | minimum | original / it, medians | minima | largest difference |"
        );
        println!("|---|---:|---|---|---:|---:|---:|---:|---:|");
    }
    let mut results = Vec::new();
    for (name, function, sizes) in KERNELS {
        if !is_wanted(&arguments.kernels, name) {
            continue;
        }
        let pairs = sizes.split(' ').filter_map(|one| one.split_once('='));
        let owned = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let values: Values = owned.collect();
        let program = Program {
            name,
            file: root().join(format!("examples/linear-algebra/{name}.c")),
            function,
            values: &values,
        };
        for &threads in &timing.threads {
            let toolchains = std::slice::from_ref(&toolchain);
            let peers = peers.get(name).cloned().unwrap_or_default();
            let much = (threads, timing.runs);
            let found = program.versions(toolchains, peers, &timing.building, much);
            let found = found.map_err(|all| {
                let all: Vec<String> = all.iter().map(words).collect();
                format!("{name}: {}", all.join("; "))
            })?;
            if json {
                results.push(to_json(name, sizes, threads, &found))
            } else {
                print(&format!("{name}, {sizes}"), threads, &found)
            }
        }
    }
    if json {
        timing.print_json(&results);
    }
    Ok(())
}

/// Times of the versions, the original's first.
fn times(found: &Versions) -> Vec<Times> {
    let all = found.standings.iter();
    all.map(|one| Times::new(one.times.clone())).collect()
}

/// The planned shapes, each once.
fn shapes(found: &Versions) -> String {
    let mut all: Vec<&str> = found
        .shapes
        .iter()
        .map(|&shape| Shape::name(shape))
        .collect();
    all.sort_unstable();
    all.dedup();
    all.join(", ")
}

fn print(title: &str, threads: usize, found: &Versions) {
    let times = times(found);
    for (standing, own) in found.standings.iter().zip(&times) {
        let wrong = if found.identical || !standing.name.starts_with("tilewright") {
            ""
        } else {
            ", NOT IDENTICAL"
        };
        println!(
            "| {title} | {threads} | {} | {}{wrong} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1e} |",
            shapes(found),
            standing.name,
            own.median,
            own.min,
            times[0].median / own.median,
            times[0].min / own.min,
            standing.comparison.max_abs_diff(),
        );
    }
}

fn to_json(name: &str, sizes: &str, threads: usize, found: &Versions) -> Value {
    let times = times(found);
    let versions = found.standings.iter().zip(&times).map(|(standing, own)| {
        json!({
            "name": standing.name,
            "ms": own,
            "original_over_it": times[0].median / own.median,
            "original_over_it_min": times[0].min / own.min,
            "max_abs_diff": standing.comparison.max_abs_diff(),
        })
    });
    json!({
        "kernel": name,
        "sizes": sizes,
        "threads": threads,
        "shapes": shapes(found),
        "identical": found.identical,
        "versions": versions.collect::<Vec<_>>(),
    })
}
