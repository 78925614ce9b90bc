//! How good the planner's choice of shape and sizes is: `cargo bench --bench auto -- --help`.
//!
//! Every iterated stencil of `examples/stencils` in sizes that stay in the second cache, in the
//! third one, and in neither; the planner's choice and each shape with the sizes that the planner
//! gives it, by turns in one process on the same memory. A choice is good where it takes at most
//! a tenth more than the fastest of all.

#[path = "experiments.rs"]
mod experiments;
#[path = "setting.rs"]
mod setting;
#[path = "shapes.rs"]
mod shapes;
#[path = "timing.rs"]
mod timing;

use clap::Parser;
use serde_json::json;
use setting::{Failure, check_names, ended, is_wanted, lines};
use shapes::{Outcome, Setup, Wanted};
use std::process::ExitCode;
use tilewright_driver::measure::statistics::Times;
use timing::Timing;

/// A choice that takes so many times as long as the fastest is still a good one.
const GOOD: f64 = 1.1;

/// What all are compared with in the last column.
const UNTILED: &str = "none";
/// The planner's choice.
const CHOICE: &str = "default";

/// Iterations of the time loop, and points in each dimension of space.
type Size = (i64, i64);

const LINES: [Size; 3] = [(2000, 8_000), (300, 160_000), (20, 4_000_000)];
const PLANES: [Size; 3] = [(600, 200), (40, 1000), (16, 3000)];
const VOLUMES: [Size; 3] = [(150, 40), (16, 100), (8, 200)];

/// A stencil of `examples/stencils` with its parameters: time first, then extents.
struct Stencil {
    name: &'static str,
    time: &'static str,
    space: &'static [&'static str],
    sizes: [Size; 3],
}

const fn stencil(name: &'static str, sizes: [Size; 3]) -> Stencil {
    Stencil {
        name,
        time: "tsteps",
        space: &["n"],
        sizes,
    }
}

const STENCILS: [Stencil; 15] = [
    stencil("heat-1d", LINES),
    stencil("heat-1d-periodic", LINES),
    stencil("jacobi-1d", LINES),
    stencil("jacobi-1d-5pt", LINES),
    // It keeps all steps.
    stencil("jacobi-1d-7pt", [(40, 1000), (40, 40_000), (40, 800_000)]),
    stencil("two-statements", LINES),
    stencil("heat-2d", PLANES),
    stencil("heat-2d-9pt", PLANES),
    stencil("jacobi-2d", PLANES),
    stencil("poisson-2d", PLANES),
    stencil("seidel-2d", [(100, 200), (10, 1000), (6, 2000)]),
    stencil("wave-2d", PLANES),
    stencil("life", PLANES),
    Stencil {
        name: "fdtd-2d",
        time: "tmax",
        space: &["nx", "ny"],
        sizes: PLANES,
    },
    stencil("heat-3d", VOLUMES),
];

/// The planner's choice among shapes of tiles, beside what it did not choose.
#[derive(Debug, Parser)]
#[command(name = "auto")]
struct Arguments {
    /// Stencils to run [default: all]
    stencils: Vec<String>,
    /// Which sizes: 0 for the smallest of each, up to 2
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [0, 1, 2])]
    sizes: Vec<usize>,
    /// Shapes besides the planner's choice
    #[arg(long, value_name = "SHAPE[:SIZES],...", value_delimiter = ',',
          default_values_t = ["none", "split", "diamond", "hexagonal", "parallelogram", "scalene"]
              .map(str::to_owned))]
    shapes: Vec<String>,
    #[command(flatten)]
    timing: Timing,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let names = STENCILS.each_ref().map(|stencil| stencil.name);
    check_names("stencil", &names, &arguments.stencils)?;
    if arguments.sizes.iter().any(|&size| size > 2) {
        return Err("--sizes are 0, 1 and 2".into());
    }
    let mut shapes = vec![Wanted::parse(CHOICE)?];
    for text in arguments.shapes.iter().filter(|text| *text != CHOICE) {
        shapes.push(Wanted::parse(text)?);
    }
    let timing = &arguments.timing;
    let setup = Setup::new(shapes, timing);
    let json = timing.building.json;
    if !json {
        timing.print_head();
        println!("{} timed runs each, minima in ms", timing.runs);
        println!();
        println!(
            "| stencil | steps | points | threads | choice | it takes | fastest | it takes | choice / fastest | untiled / choice |"
        );
        println!("|---|---:|---:|---:|---|---:|---|---:|---:|---:|");
    }
    let (mut good, mut all) = (0, 0);
    let wanted = |stencil: &&Stencil| is_wanted(&arguments.stencils, stencil.name);
    for stencil in STENCILS.iter().filter(wanted) {
        for &size in &arguments.sizes {
            for &threads in &timing.threads {
                let (steps, points) = stencil.sizes[size];
                let mut values = vec![(stencil.time, steps)];
                values.extend(stencil.space.iter().map(|&name| (name, points)));
                let outcome = setup
                    .contest(stencil.name, &values, threads, Vec::new())
                    .map_err(|all| format!("{}: {}", stencil.name, lines(&all)))?;
                let found = Found {
                    stencil,
                    size: (steps, points),
                    threads,
                    outcome,
                };
                all += 1;
                good += usize::from(found.ratio() <= GOOD);
                if json {
                    println!("{}", found.to_json());
                } else {
                    println!("{}", found.row());
                }
            }
        }
    }
    if !json {
        println!();
        println!("{good} of {all} choices take at most {GOOD} times as long as the fastest");
    }
    Ok(())
}

/// What was found out about one stencil in one size.
struct Found<'a> {
    stencil: &'a Stencil,
    size: Size,
    threads: usize,
    outcome: Outcome,
}

impl Found<'_> {
    /// Names and the least times, in milliseconds.
    fn times(&self) -> Vec<(&str, f64)> {
        let standings = self.outcome.standings.iter();
        let mut all: Vec<(&str, f64)> = standings
            .map(|s| (s.name.as_str(), Times::new(s.times.clone()).min))
            .collect();
        for (name, twin) in &self.outcome.same {
            let time = all.iter().find(|(known, _)| known == twin);
            if let Some(&(_, time)) = time {
                all.push((name, time));
            }
        }
        all
    }

    fn time(&self, name: &str) -> f64 {
        let times = self.times();
        let found = times.iter().find(|(known, _)| *known == name);
        found.map_or(f64::NAN, |(_, time)| *time)
    }

    fn fastest(&self) -> (&str, f64) {
        let times = self.times().into_iter();
        times
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or(("", 0.0))
    }

    /// The choice's time over the fastest one's.
    fn ratio(&self) -> f64 {
        self.time(CHOICE) / self.fastest().1
    }

    /// What the planner chose.
    fn choice(&self) -> String {
        let first = self.outcome.predicted.first();
        first.map_or_else(
            || "no stencil".to_owned(),
            |cost| {
                let sizes: Vec<String> = cost.tile_sizes.iter().map(i64::to_string).collect();
                format!("{:?} {}", cost.shape, sizes.join("x")).to_lowercase()
            },
        )
    }

    fn row(&self) -> String {
        let (fastest, least) = self.fastest();
        let (steps, points) = self.size;
        let choice = self.time(CHOICE);
        format!(
            "| {} | {steps} | {points} | {} | {} | {choice:.2} | {fastest} | {least:.2} | {:.2} | {:.2} |",
            self.stencil.name,
            self.threads,
            self.choice(),
            self.ratio(),
            self.time(UNTILED) / choice,
        )
    }

    fn to_json(&self) -> serde_json::Value {
        json!({
            "stencil": self.stencil.name,
            "steps": self.size.0,
            "points": self.size.1,
            "threads": self.threads,
            "choice": self.choice(),
            "ratio": self.ratio(),
            "ms": self.times().into_iter().collect::<std::collections::BTreeMap<_, _>>(),
            "predicted": self.outcome.predicted,
            "refused": self.outcome.refused,
            "same": self.outcome.same,
        })
    }
}
