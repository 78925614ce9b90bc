//! Image pipelines against peers: `cargo bench --bench peers -- --help`.
//!
//! For each pipeline the original and tilewright's result, built by every C compiler that is
//! there, and any number of peers: functions with the same C signature in shared libraries that
//! something else made. All of them run by turns in one process on the same memory, and each one's
//! results are compared with the first original's. How to bring a peer is in the book.

#[path = "experiments.rs"]
mod experiments;
#[path = "peer_argument.rs"]
mod peer_argument;
mod pipelines;
#[path = "programs.rs"]
mod programs;
#[path = "setting.rs"]
mod setting;
#[path = "timing.rs"]
mod timing;

use clap::Parser;
use peer_argument::peers;
use pipelines::{Asked, Pipeline};
use programs::{Program, Versions};
use serde_json::{Value, json};
use setting::{Failure, ended, machine, version, words};
use std::process::ExitCode;
use tilewright::diagnostic::Diagnostic;
use tilewright_driver::host::toolchain::Toolchain;
use tilewright_driver::measure::contest::Peer;
use tilewright_driver::measure::job::Standing;
use tilewright_driver::measure::statistics::Times;
use timing::Building;

/// Names under which clang may be installed, best first.
const CLANGS: [&str; 8] = [
    "clang", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15",
];

/// Image pipelines: originals, tilewright's results, and peers, by turns.
#[derive(Debug, Parser)]
#[command(name = "peers")]
struct Arguments {
    #[command(flatten)]
    asked: Asked,
    /// A peer: a shared library and the function in it [default: named like the pipeline], which
    /// has the C signature of the example's
    #[arg(long = "peer", value_name = "PIPELINE=LIBRARY[:SYMBOL[:LABEL]]")]
    peers: Vec<String>,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// C compiler, may be repeated; all are compared with the first one's original
    /// [default: gcc, and clang where there is one]
    #[arg(long, value_name = "COMMAND")]
    cc: Vec<String>,
    #[command(flatten)]
    building: Building,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut peers = peers(&arguments.peers, |name| name.to_owned())?;
    let pipelines = arguments.asked.pipelines(peers.keys())?;
    let toolchains = toolchains(arguments)?;
    let compilers: Vec<(String, String)> = toolchains
        .iter()
        .map(|toolchain| (toolchain.cc.clone(), version(&toolchain.cc)))
        .collect();
    let Building { cflags, json, .. } = &arguments.building;
    if !json {
        println!("Machine: {}", machine());
        for (cc, version) in &compilers {
            println!("{cc}: {version}, {cflags}");
        }
        println!(
            "{} threads, {} timed runs each, times in ms",
            arguments.threads, arguments.asked.runs
        );
    }

    let mut results = Vec::new();
    for pipeline in pipelines {
        let name = pipeline.name;
        let peers = peers.remove(name).unwrap_or_default();
        match found(pipeline, &toolchains, peers, arguments) {
            Ok(result) if *json => results.push(result.to_json()),
            Ok(result) => result.print(),
            Err(diagnostics) => {
                for diagnostic in &diagnostics {
                    eprintln!("{name}: {}", words(diagnostic));
                }
                results.push(json!({
                    "pipeline": name,
                    "failed": diagnostics.iter().map(words).collect::<Vec<_>>(),
                }));
            }
        }
    }
    if *json {
        let object = json!({
            "machine": machine(),
            "compilers": compilers,
            "cflags": cflags,
            "threads": arguments.threads,
            "pipelines": results,
        });
        println!("{object:#}");
    }
    Ok(())
}

/// The C compilers that were asked for, or all that are there.
fn toolchains(arguments: &Arguments) -> Result<Vec<Toolchain>, Failure> {
    let mut commands = arguments.cc.clone();
    if commands.is_empty() {
        let there = |cc: &&str| !version(cc).is_empty();
        commands.extend(Some("gcc").filter(there).map(str::to_owned));
        commands.extend(CLANGS.iter().copied().find(there).map(str::to_owned));
    }
    if commands.is_empty() {
        return Err("neither gcc nor clang is installed: name a C compiler with --cc".into());
    }
    let commands = commands.iter();
    Ok(commands
        .map(|cc| arguments.building.toolchain(cc))
        .collect())
}

/// What was found out about one pipeline.
struct Found {
    pipeline: Pipeline,
    /// tilewright's results were bit-identical to the original's, without contraction.
    identical: bool,
    standings: Vec<Standing>,
}

fn found(
    pipeline: Pipeline,
    toolchains: &[Toolchain],
    peers: Vec<Peer>,
    arguments: &Arguments,
) -> Result<Found, Vec<Diagnostic>> {
    let program = Program {
        name: pipeline.name,
        file: pipeline.file(),
        function: pipeline.name,
        values: &pipeline.values,
    };
    let (building, much) = (
        &arguments.building,
        (arguments.threads, arguments.asked.runs),
    );
    let Versions {
        identical,
        standings,
        ..
    } = program.versions(toolchains, peers, building, much)?;
    Ok(Found {
        pipeline,
        identical,
        standings,
    })
}

impl Found {
    /// The original's median, and the better one of tilewright's.
    fn references(&self) -> (f64, f64) {
        let medians = |prefix: &str| {
            self.standings
                .iter()
                .filter(|standing| standing.name.starts_with(prefix))
                .map(|standing| Times::new(standing.times.clone()).median)
                .fold(f64::INFINITY, f64::min)
        };
        (medians("original"), medians("tilewright"))
    }

    fn print(&self) {
        let (original, ours) = self.references();
        println!();
        println!("{}", self.pipeline.title());
        if !self.identical {
            println!("NOT IDENTICAL: tilewright's result differs from the original");
        }
        println!();
        println!(
            "| version | median | minimum | best original / it | it / best tilewright | largest difference | elements that differ |"
        );
        println!("|---|---|---|---|---|---|---|");
        for standing in &self.standings {
            let times = Times::new(standing.times.clone());
            println!(
                "| {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.3e} | {:.4} % |",
                standing.name,
                times.median,
                times.min,
                original / times.median,
                times.median / ours,
                standing.comparison.max_abs_diff(),
                100.0 * standing.comparison.share_differing(),
            );
        }
    }

    fn to_json(&self) -> Value {
        let (original, ours) = self.references();
        let versions: Vec<Value> = self
            .standings
            .iter()
            .map(|standing| {
                let times = Times::new(standing.times.clone());
                let median = times.median;
                json!({
                    "name": standing.name,
                    "ms": times,
                    "original_over_it": original / median,
                    "it_over_tilewright": median / ours,
                    "max_abs_diff": standing.comparison.max_abs_diff(),
                    "share_differing": standing.comparison.share_differing(),
                })
            })
            .collect();
        json!({
            "pipeline": self.pipeline.name,
            "params": self.pipeline.values,
            "identical": self.identical,
            "versions": versions,
        })
    }
}
