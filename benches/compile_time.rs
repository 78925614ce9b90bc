//! How long compiling takes: `cargo bench --bench compile_time [-- NAME…]`.
//!
//! Each C file in `benches/compile_time` is compiled several times by the command; the least time
//! counts. Prints a histogram and the files above a limit, for the book.

#[path = "setting.rs"]
mod setting;

use clap::Parser;
use setting::{Failure, ended, root};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Compile times of ordinary files.
#[derive(Debug, Parser)]
#[command(name = "compile_time")]
struct Arguments {
    /// Files whose names hold one of these; all of them if none is given
    names: Vec<String>,
    /// How often each is compiled
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Files that take longer than so many seconds are listed
    #[arg(long, default_value_t = 0.3)]
    above: f64,
    /// Options for the compiler, in one argument
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    options: String,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

/// Upper ends of the histogram's rows, in seconds.
const ENDS: [f64; 7] = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0, f64::INFINITY];

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(root().join("benches/compile_time"))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let asked = arguments.names.is_empty()
            || arguments
                .names
                .iter()
                .any(|part| name.contains(part.as_str()));
        if asked && path.extension().is_some_and(|e| e == "c") {
            files.push(path);
        }
    }
    files.sort();
    let scratch = tempfile::tempdir()?;
    let mut times: Vec<(f64, String)> = Vec::new();
    for file in &files {
        let mut least = Duration::MAX;
        for _ in 0..arguments.runs.max(1) {
            let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
            command.arg("compile").arg(file);
            command.arg("-o").arg(scratch.path().join("out.c"));
            command.args(arguments.options.split_whitespace());
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let begun = Instant::now();
            if !command.status()?.success() {
                return Err(format!("{} is refused", file.display()).into());
            }
            least = least.min(begun.elapsed());
        }
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        times.push((least.as_secs_f64(), name.into_owned()));
    }
    println!("| seconds | files |\n|---|---:|");
    let mut from = 0.0;
    for end in ENDS {
        let count = times
            .iter()
            .filter(|(t, _)| (from..end).contains(t))
            .count();
        match end {
            f64::INFINITY => println!("| {from} and more | {count} |"),
            _ => println!("| below {end} | {count} |"),
        }
        from = end;
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("\n| file | seconds |\n|---|---:|");
    for (time, name) in times.iter().filter(|(time, _)| *time > arguments.above) {
        println!("| {name} | {time:.2} |");
    }
    Ok(())
}
