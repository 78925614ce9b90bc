//! What becomes of other people's files: `cargo bench --bench accepted -- FOLDER…`.
//!
//! Each C file below the folders is compiled; what gcc takes and what has a marked region counts. A
//! program that can be linked before and after is run, and what it prints is compared, but for lines
//! that are a time (`1.5s`). Prints tables for the book.

#[path = "setting.rs"]
mod setting;

use clap::Parser;
use serde_json::Value;
use setting::version;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Files of other projects, and what becomes of them.
#[derive(Debug, Parser)]
#[command(name = "accepted")]
struct Arguments {
    /// Folders with C files, also in folders below
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Print a line for each file
    #[arg(long)]
    each: bool,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    NoC,
    Unmarked,
    Whole,
    Parts,
    Left,
    Refused,
}

impl Outcome {
    fn name(self) -> &'static str {
        match self {
            Outcome::NoC => "not C that gcc takes",
            Outcome::Unmarked => "C without a marked region",
            Outcome::Whole => "all of it modelled",
            Outcome::Parts => "some of it modelled",
            Outcome::Left => "left as it was",
            Outcome::Refused => "refused",
        }
    }
}

fn main() {
    let arguments = Arguments::parse();
    let scratch = tempfile::tempdir().expect("a folder for results");
    println!("{}", version("gcc"));
    for folder in &arguments.folders {
        let mut files = Vec::new();
        collect(folder, &mut files);
        files.sort();
        let mut outcomes: BTreeMap<Outcome, usize> = BTreeMap::new();
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        let mut runs: BTreeMap<&'static str, usize> = BTreeMap::new();
        for file in &files {
            let (outcome, codes) = outcome(file, scratch.path());
            *outcomes.entry(outcome).or_default() += 1;
            let mut run = "";
            if outcome > Outcome::Unmarked {
                for code in &codes {
                    *reasons.entry(code.clone()).or_default() += 1;
                }
                if outcome != Outcome::Refused {
                    run = compared(file, scratch.path());
                    *runs.entry(run).or_default() += 1;
                }
            }
            if arguments.each {
                let name = file.strip_prefix(folder).unwrap_or(file).display();
                println!("{name}: {} {} {run}", outcome.name(), codes.join(" "));
            }
        }
        println!("\n{}: {} files\n", folder.display(), files.len());
        println!("| file | how many |\n|---|---:|");
        for (outcome, count) in outcomes {
            println!("| {} | {count} |", outcome.name());
        }
        println!("\n| the result | how many |\n|---|---:|");
        for (run, count) in runs {
            println!("| {run} | {count} |");
        }
        println!("\n| reason | files |\n|---|---:|");
        for (reason, count) in reasons {
            println!("| {reason} | {count} |");
        }
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "c") {
            files.push(path);
        }
    }
}

/// Runs a command, which may take so many seconds.
fn within(seconds: u32, program: &str, arguments: &[&Path]) -> Output {
    let mut command = Command::new("timeout");
    command.arg(seconds.to_string()).arg(program);
    command.args(arguments).output().expect("coreutils")
}

fn built(file: &Path, more: &[&str], to: &Path, home: &Path) -> bool {
    let flags = "-std=gnu17 -w -O1 -ffp-contract=off -fopenmp";
    let mut command = Command::new("gcc");
    command.args(flags.split(' ')).args(more);
    command.arg("-I").arg(home).arg(file).arg("-o").arg(to);
    let built = command.arg("-lm").output().expect("gcc");
    built.status.success()
}

/// What becomes of a file, and the codes of what is said of it.
fn outcome(file: &Path, scratch: &Path) -> (Outcome, Vec<String>) {
    let home = file.parent().expect("a folder");
    if !built(file, &["-c"], &scratch.join("file.o"), home) {
        return (Outcome::NoC, Vec::new());
    }
    let text = fs::read(file).expect("the file");
    let text = String::from_utf8_lossy(&text).into_owned();
    let marked = text.lines().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        matches!(
            words[..],
            ["#pragma", "scop", ..] | ["#", "pragma", "scop", ..]
        )
    });
    if !marked {
        return (Outcome::Unmarked, Vec::new());
    }
    let result = scratch.join("result.c");
    let arguments = ["compile", "--json", "--certify", "never", "-o"].map(Path::new);
    let mut arguments = arguments.to_vec();
    arguments.extend([&result, file, Path::new("-I"), home]);
    let done = within(300, env!("CARGO_BIN_EXE_tilewright"), &arguments);
    let report: Value = serde_json::from_slice(&done.stdout).unwrap_or_default();
    let said = |key: &str| report[key].as_array().cloned().unwrap_or_default();
    let code = |message: &Value| message["code"].as_str().unwrap_or("?").to_owned();
    if !done.status.success() {
        let mut codes: Vec<String> = said("diagnostics").iter().map(code).collect();
        codes.dedup();
        return (Outcome::Refused, codes);
    }
    let left = |message: &&Value| {
        let text = message["message"].as_str().unwrap_or_default();
        text.contains("left as it was")
    };
    let mut codes: Vec<String> = said("warnings").iter().filter(left).map(code).collect();
    codes.sort();
    codes.dedup();
    let stages = |region: &Value| region["stages"].as_array().is_some_and(|s| !s.is_empty());
    let outcome = match (codes.is_empty(), said("regions").iter().any(stages)) {
        (true, _) => Outcome::Whole,
        (false, true) => Outcome::Parts,
        (false, false) => Outcome::Left,
    };
    (outcome, codes)
}

/// Builds the result, and where it is a program runs it beside the original.
fn compared(file: &Path, scratch: &Path) -> &'static str {
    let home = file.parent().expect("a folder");
    let result = scratch.join("result.c");
    if !built(&result, &["-c"], &scratch.join("result.o"), home) {
        return "does not compile";
    }
    let (before, after) = (scratch.join("before"), scratch.join("after"));
    if !built(file, &[], &before, home) {
        return "compiles, no program";
    }
    if !built(&result, &[], &after, home) {
        return "cannot be linked";
    }
    let (before, after) = [before, after]
        .map(|p| within(120, &p.to_string_lossy(), &[]))
        .into();
    if before.status.code() == Some(124) {
        return "the original takes longer than two minutes";
    }
    let printed = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let is_time = |line: &&str| {
            let number = line.trim().strip_suffix('s');
            number.is_none_or(|number| number.parse::<f64>().is_err())
        };
        text.lines()
            .filter(is_time)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let same = before.status == after.status && printed(&before) == printed(&after);
    if same { "prints the same" } else { "differs" }
}
