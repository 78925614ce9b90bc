//! Programs on a device: `cargo bench --bench devices -- --help`.
//!
//! Figures 25 and 26 of Zhao & Cohen, TACO 2019, and figure 7 of *Split Tiling for GPUs* (2013):
//! the image pipelines in overlapped tiles, the heat equations and five more stencils in tiles over
//! time, against what PPCG does without: a launch for every loop nest or time step, with blocks of
//! threads over its points. Each version is compiled, built, run and compared with the original by
//! `tilewright run`.

// The smallest sizes are for a test.
#[allow(dead_code)]
#[path = "devices/cases.rs"]
mod cases;
#[path = "devices/count.rs"]
mod count;
#[path = "devices/measure.rs"]
mod measure;
#[path = "setting.rs"]
mod setting;
#[path = "devices/table.rs"]
mod table;

use cases::{CASES, Case, Size, Version};
use clap::Parser;
use measure::{Bench, device, triad};
use setting::{Failure, check_names, ended, is_wanted, machine};
use std::process::ExitCode;

/// Programs on a device, in overlapped tiles and tiles over time.
#[derive(Debug, Parser)]
#[command(name = "devices")]
struct Arguments {
    /// Programs to run [default: all]
    programs: Vec<String>,
    /// `opencl` or `cuda`
    #[arg(long, default_value = "opencl")]
    target: String,
    /// Sizes for a try: seconds without a GPU
    #[arg(long)]
    quick: bool,
    /// Run nothing: count what warps ask of the memories, at sizes for a try, planned for `--device`
    #[arg(long)]
    count: bool,
    /// For `--count`: `generic`, `a100`, `h100` or `h200`
    #[arg(long, value_name = "NAME", default_value = "generic")]
    device: String,
    /// Timed runs of each version
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: usize,
    /// Versions that are built and compared at a time; timed is one after the other
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Seconds that a call may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    time_limit: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let names: Vec<&str> = CASES.iter().map(|case| case.name).collect();
    check_names("program", &names, &arguments.programs)?;
    let wanted = CASES
        .iter()
        .filter(|case| is_wanted(&arguments.programs, case.name));
    if arguments.count {
        let mut rows = Vec::new();
        for case in wanted {
            for version in case.figure.versions() {
                eprintln!("{}, {}", case.name, version.name);
                rows.push(count::row(case, version, Size::Quick, &arguments.device)?);
            }
        }
        if arguments.json {
            println!("{:#}", count::to_json(&arguments.device, &rows))
        } else {
            print!("{}", count::text(&rows))
        }
        return Ok(());
    }
    let bench = Bench {
        target: arguments.target.clone(),
        size: if arguments.quick {
            Size::Quick
        } else {
            Size::Full
        },
        runs: arguments.runs,
        jobs: arguments.jobs,
        time_limit: arguments.time_limit,
        environment: Vec::new(),
    };
    let device = device(&bench)?;
    let triad = triad(&bench)?;
    eprintln!("Device: {device}; triad: {:.1} GB/s", triad / 1e9);
    let versions = |case: &'static Case| case.figure.versions().iter().map(move |v| (case, v));
    let wanted: Vec<(&Case, &Version)> = wanted.flat_map(versions).collect();
    let rows = bench.rows(&wanted, |row| {
        eprintln!("{}", table::line(triad, row, None))
    })?;
    if arguments.json {
        println!("{:#}", table::to_json(&machine(), &device, triad, &rows));
    } else {
        println!("Device: {device}, host: {}", machine());
        print!("{}", table::text(triad, &rows));
    }
    Ok(())
}
