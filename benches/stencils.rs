//! Iterated stencils in several shapes of tiles: `cargo bench --bench stencils -- --help`.
//!
//! The experiment of Zhao & Cohen, TACO 2019, section 4.3 (table 8): heat-1d, heat-2d and heat-3d
//! in the paper's sizes, each shape and any number of peers by turns in one process on the same
//! memory. What all are compared with are the untiled loops, one parallel loop per time step, and
//! what the machine can do at most, measured in the same run.
//!
//! - Operations are those that the source writes for a point: additions, subtractions and
//!   multiplications, whether or not the C compiler finds a common one.
//! - Bytes are what an untiled sweep must move for a point: the old value once from memory and the
//!   new value once to it, 8 each, if its neighbours stay in cache. What a write reads first is
//!   not counted, as in the triad that the bandwidth comes from. Tiles that keep several time
//!   steps in cache move fewer, so that their share of the bandwidth may exceed 100 %.

#[path = "experiments.rs"]
mod experiments;
#[path = "peaks.rs"]
mod peaks;
#[path = "peer_argument.rs"]
mod peer_argument;
#[path = "setting.rs"]
mod setting;
#[path = "shapes.rs"]
mod shapes;
#[path = "timing.rs"]
mod timing;

use clap::Parser;
use peaks::Peaks;
use peer_argument::peers;
use serde_json::{Value, json};
use setting::{Failure, check_names, ended, is_wanted, lines};
use shapes::{Outcome, Setup, Wanted};
use std::process::ExitCode;
use tilewright_driver::host::machine::this_machine;
use tilewright_driver::measure::statistics::Times;
use timing::Timing;

/// Bytes that an untiled sweep moves for a point: one `double` in, one out.
const BYTES: f64 = 16.0;

/// A stencil of `examples/stencils`: a function of the file's name with `_` for `-`, with the
/// parameters `tsteps` and `n`.
struct Stencil {
    name: &'static str,
    /// Sweeps over all points, and points in each dimension, in table 8.
    steps: i64,
    size: i64,
    dimensions: i32,
    /// Sweeps in one iteration of the time loop.
    sweeps: i64,
    /// Operations for one point.
    operations: f64,
}

const STENCILS: [Stencil; 3] = [
    Stencil {
        name: "heat-1d",
        steps: 1000,
        size: 160_000,
        dimensions: 1,
        sweeps: 1,
        // Two factors, two additions.
        operations: 4.0,
    },
    Stencil {
        name: "heat-2d",
        steps: 1000,
        size: 4000,
        dimensions: 2,
        sweeps: 1,
        // Two factors and two sums for each axis, and two sums to join them and the centre.
        operations: 10.0,
    },
    Stencil {
        name: "heat-3d",
        steps: 100,
        size: 150,
        dimensions: 3,
        // From A to B and back.
        sweeps: 2,
        operations: 15.0,
    },
];

/// Iterated stencils: shapes of tiles and peers by turns.
#[derive(Debug, Parser)]
#[command(name = "stencils")]
struct Arguments {
    /// Stencils to run [default: all]
    stencils: Vec<String>,
    /// Shapes by the names that plans have for them, `default` for the planner's choice, each
    /// with tile sizes if wanted: `parallelogram:16x16x256`; untiled loops (`none`) come first
    /// always
    #[arg(long, value_name = "SHAPE[:SIZES],...", value_delimiter = ',',
          default_values_t = ["none", "default", "parallelogram"].map(str::to_owned))]
    shapes: Vec<String>,
    /// A peer: a shared library and the function in it [default: named like the stencil], which
    /// has the C signature of the example's
    #[arg(long = "peer", value_name = "STENCIL=LIBRARY[:SYMBOL[:LABEL]]")]
    peers: Vec<String>,
    /// Sweeps over all points, instead of table 8's; for heat-3d the next even number
    #[arg(long, value_name = "N")]
    steps: Option<i64>,
    /// Points in each dimension, instead of table 8's: of one stencil, or of all
    #[arg(long = "size", value_name = "[STENCIL=]N,...", value_delimiter = ',')]
    sizes: Vec<String>,
    #[command(flatten)]
    timing: Timing,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let peers = peers(&arguments.peers, |stencil| stencil.replace('-', "_"))?;
    let names = STENCILS.each_ref().map(|stencil| stencil.name);
    check_names(
        "stencil",
        &names,
        arguments.stencils.iter().chain(peers.keys()),
    )?;
    let mut shapes = vec![Wanted::parse("none")?];
    for text in arguments.shapes.iter().filter(|text| *text != "none") {
        shapes.push(Wanted::parse(text)?);
    }
    let timing = &arguments.timing;
    let setup = Setup::new(shapes, timing);
    eprintln!("measure the machine's peaks");
    let peaks = peaks::measure(&setup.toolchain, &this_machine(), &timing.threads)?;
    let json = timing.building.json;
    if !json {
        timing.print_head();
        for (threads, peaks) in timing.threads.iter().zip(&peaks) {
            println!(
                "{threads} threads at most: triad {:.1} GB/s, multiply-adds {:.1} GFLOP/s",
                peaks.bandwidth / 1e9,
                peaks.rate / 1e9
            );
        }
        println!("{} timed runs each, times in ms", timing.runs);
    }
    let mut results = Vec::new();
    let wanted = |stencil: &&Stencil| is_wanted(&arguments.stencils, stencil.name);
    for stencil in STENCILS.iter().filter(wanted) {
        let iterations = arguments.steps.unwrap_or(stencil.steps).max(1);
        let iterations = (iterations + stencil.sweeps - 1) / stencil.sweeps;
        let size = size(stencil, &arguments.sizes)?;
        let values = [("tsteps", iterations), ("n", size)];
        for (&threads, &peaks) in timing.threads.iter().zip(&peaks) {
            let peers = peers.get(stencil.name).cloned().unwrap_or_default();
            let found = setup.contest(stencil.name, &values, threads, peers);
            let outcome = found.map_err(|all| format!("{}: {}", stencil.name, lines(&all)))?;
            let found = Found {
                stencil,
                steps: iterations * stencil.sweeps,
                size,
                threads,
                peaks,
                outcome,
            };
            if json {
                results.push(found.to_json())
            } else {
                found.print()
            }
        }
    }
    if json {
        timing.print_json(&results);
    }
    Ok(())
}

/// Points in each dimension: table 8's, unless the arguments say `N` or `STENCIL=N`; the last one
/// that is about the stencil holds.
fn size(stencil: &Stencil, given: &[String]) -> Result<i64, Failure> {
    let mut size = stencil.size;
    for text in given {
        let number = match text.split_once('=') {
            Some((name, _)) if STENCILS.iter().all(|known| known.name != name) => {
                return Err(format!("there is no stencil `{name}` for --size").into());
            }
            Some((name, number)) if name == stencil.name => number,
            Some(_) => continue,
            None => text,
        };
        size = number.parse()?;
    }
    // A point between two at the rim.
    (size > 2)
        .then_some(size)
        .ok_or_else(|| format!("--size {size} leaves no points to compute").into())
}

/// What was found out about one stencil with some number of threads.
struct Found<'a> {
    stencil: &'a Stencil,
    steps: i64,
    size: i64,
    threads: usize,
    peaks: Peaks,
    outcome: Outcome,
}

/// How fast one version is, from its shortest run.
struct Rates {
    /// Operations per second.
    operations: f64,
    /// Bytes per second that an untiled sweep would have moved.
    bytes: f64,
}

impl Found<'_> {
    fn rates(&self, times: &Times) -> Rates {
        let inner = (self.size - 2) as f64;
        let points = inner.powi(self.stencil.dimensions) * self.steps as f64;
        let seconds = times.min / 1e3;
        Rates {
            operations: points * self.stencil.operations / seconds,
            bytes: points * BYTES / seconds,
        }
    }

    fn untiled(&self) -> Times {
        let first = self.outcome.standings.first();
        let first = first.map(|first| first.times.clone());
        Times::new(first.unwrap_or_default())
    }

    fn print(&self) {
        let Stencil {
            name,
            dimensions,
            operations,
            ..
        } = self.stencil;
        let (steps, size, threads) = (self.steps, self.size, self.threads);
        println!();
        println!(
            "{name}, {steps} steps, {size}^{dimensions} points, {threads} threads; {operations} operations and {BYTES} bytes per point and step"
        );
        println!();
        println!(
            "| version | median | minimum | untiled / it, medians | minima | GFLOP/s | of multiply-adds | GB/s if untiled | of triad | largest difference |"
        );
        println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        let untiled = self.untiled();
        for standing in &self.outcome.standings {
            let times = Times::new(standing.times.clone());
            let rates = self.rates(&times);
            println!(
                "| {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} % | {:.2} | {:.1} % | {:.1e} |",
                standing.name,
                times.median,
                times.min,
                untiled.median / times.median,
                untiled.min / times.min,
                rates.operations / 1e9,
                100.0 * rates.operations / self.peaks.rate,
                rates.bytes / 1e9,
                100.0 * rates.bytes / self.peaks.bandwidth,
                standing.comparison.max_abs_diff(),
            );
        }
        for (shape, twin) in &self.outcome.same {
            println!();
            println!("{shape}: the same code as {twin}.");
        }
        for (shape, why) in &self.outcome.refused {
            println!();
            println!("{shape}: does not apply. {why}");
        }
    }

    fn to_json(&self) -> Value {
        let untiled = self.untiled();
        let versions: Vec<Value> = self
            .outcome
            .standings
            .iter()
            .map(|standing| {
                let times = Times::new(standing.times.clone());
                let rates = self.rates(&times);
                json!({
                    "name": standing.name,
                    "untiled_over_it": untiled.median / times.median,
                    "untiled_over_it_min": untiled.min / times.min,
                    "operations_per_second": rates.operations,
                    "share_of_multiply_adds": rates.operations / self.peaks.rate,
                    "untiled_bytes_per_second": rates.bytes,
                    "share_of_triad": rates.bytes / self.peaks.bandwidth,
                    "max_abs_diff": standing.comparison.max_abs_diff(),
                    "ms": times,
                })
            })
            .collect();
        json!({
            "stencil": self.stencil.name,
            "steps": self.steps,
            "size": self.size,
            "dimensions": self.stencil.dimensions,
            "threads": self.threads,
            "operations_per_point": self.stencil.operations,
            "bytes_per_point": BYTES,
            "peaks": self.peaks,
            "versions": versions,
            "refused": self.outcome.refused,
            "same": self.outcome.same,
            "predicted": self.outcome.predicted,
        })
    }
}
