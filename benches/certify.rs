//! What the second opinion costs and reaches: `cargo bench --bench certify -- --help`.
//!
//! Every file of `examples` is compiled with default options; how long that takes in all, how much of
//! it the certifier takes, on how many inputs it executed the regions' text, and how many of its
//! lines these reached.

#[path = "setting.rs"]
mod setting;

use clap::Parser;
use setting::{Failure, ended, is_wanted, lines, machine, root};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tilewright::compile::{Options, Step, compile};
use tilewright_certify::{Text, certify};
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::Toolchain;

/// Cost and reach of the certifier, by example.
#[derive(Debug, Parser)]
#[command(name = "certify")]
struct Arguments {
    /// Files by their name without `.c` [default: all]
    examples: Vec<String>,
    /// Compiles of each; the fastest counts
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Show the lines that no input reached
    #[arg(long)]
    never: bool,
    /// Write each example's preprocessed original and result here
    #[arg(long, value_name = "FOLDER")]
    pairs: Option<PathBuf>,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

/// What was found for one file.
struct Found {
    compile: Duration,
    certify: Duration,
    inputs: usize,
    lines: usize,
    reached: usize,
    unknown: Vec<String>,
    text: String,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut files = Vec::new();
    c_files(&root().join("examples"), &mut files)?;
    files.sort();
    println!("{}; fastest of {} compiles", machine(), arguments.runs);
    println!();
    println!(
        "| example | compile, ms | certify, ms | share | inputs | lines | reached | % | unknown |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---|");
    let (mut compiles, mut certifies) = (Duration::ZERO, Duration::ZERO);
    let (mut all, mut reached, mut enough, mut slow, mut count) = (0, 0, 0, 0, 0);
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        if !is_wanted(&arguments.examples, &name) {
            continue;
        }
        let found = measured(&file, arguments)?;
        println!(
            "| {name} | {:.0} | {:.1} | {:.0} % | {} | {} | {} | {} | {} |",
            ms(found.compile),
            ms(found.certify),
            100.0 * ms(found.certify) / ms(found.compile),
            found.inputs,
            found.lines,
            found.reached,
            percent(found.reached, found.lines),
            found.unknown.join("; "),
        );
        compiles += found.compile;
        certifies += found.certify;
        all += found.lines;
        reached += found.reached;
        count += 1;
        enough += usize::from(100 * found.reached >= 95 * found.lines);
        slow += usize::from(found.certify >= Duration::from_millis(100));
        if arguments.never {
            show_never(&file, &found.text)?;
        }
    }
    println!(
        "| all | {:.0} | {:.1} | {:.1} % | | {all} | {reached} | {} | |",
        ms(compiles),
        ms(certifies),
        100.0 * ms(certifies) / ms(compiles),
        percent(reached, all),
    );
    println!();
    println!("{enough} of {count} files reach 95 % of their lines; {slow} take 0.1 s or longer");
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn percent(part: usize, of: usize) -> String {
    match of {
        0 => String::new(),
        _ => format!("{:.1}", 100.0 * part as f64 / of as f64),
    }
}

fn c_files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            c_files(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
    Ok(())
}

fn measured(file: &Path, arguments: &Arguments) -> Result<Found, Failure> {
    let toolchain = Toolchain::default();
    let mut best: Option<Found> = None;
    for _ in 0..arguments.runs.max(1) {
        let start = Instant::now();
        let source = preprocess(file, &toolchain).map_err(|e| setting::words(&e))?;
        let mut certify = Duration::ZERO;
        let mut since: Option<Instant> = None;
        let mut observe = |step: Step| {
            if let Some(since) = since.take() {
                certify += since.elapsed();
            }
            since = (step == Step::Certify).then(Instant::now);
        };
        let compiled =
            compile(&source, &Options::default(), None, &mut observe).map_err(|all| lines(&all))?;
        let compile = start.elapsed();
        if best.as_ref().is_some_and(|best| best.compile <= compile) {
            continue;
        }
        let mut found = Found {
            compile,
            certify,
            inputs: 0,
            lines: 0,
            reached: 0,
            unknown: Vec::new(),
            text: compiled.text,
        };
        for one in compiled
            .regions
            .iter()
            .filter_map(|r| r.executed.certified.as_ref())
        {
            found.inputs += one.runs;
            found.lines += one.lines;
            found.reached += one.reached;
            found.unknown.extend(one.unknown.clone());
        }
        best = Some(found);
    }
    let found = best.ok_or("no run")?;
    if let Some(folder) = &arguments.pairs {
        let (original, result) = pair(file, &found.text)?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(format!("{name}.original.i")), original)?;
        std::fs::write(folder.join(format!("{name}.result.i")), result)?;
    }
    Ok(found)
}

/// Original and result, preprocessed.
fn pair(file: &Path, text: &str) -> Result<(String, String), Failure> {
    let mut toolchain = Toolchain::default();
    toolchain
        .include_dirs
        .extend(file.parent().map(Path::to_owned));
    let folder = tempfile::tempdir()?;
    let result = folder.path().join("result.c");
    std::fs::write(&result, text)?;
    let done = |path: &Path| preprocess(path, &toolchain).map_err(|e| setting::words(&e));
    Ok((done(file)?.preprocessed, done(&result)?.preprocessed))
}

/// The lines of the result that are not reached when it is executed by itself.
fn show_never(file: &Path, text: &str) -> Result<(), Failure> {
    let (original, result) = pair(file, text)?;
    let named = |preprocessed| Text {
        name: "",
        preprocessed,
    };
    let found = certify(&named(&original), &named(&result), &Default::default());
    let lines: Vec<&str> = text.lines().collect();
    for number in found.coverage.never {
        let line = lines.get(number as usize - 1).unwrap_or(&"");
        println!("    {number}: {}", line.trim());
    }
    Ok(())
}
