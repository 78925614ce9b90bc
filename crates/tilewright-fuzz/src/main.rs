//! The command `tilewright-fuzz`.

use clap::{Parser, Subcommand};
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tilewright_fuzz::generate::{KINDS, generate};
use tilewright_fuzz::harness::Outcome;
use tilewright_fuzz::mutants;
use tilewright_fuzz::reduce;
use tilewright_fuzz::run::state::{Order, State};
use tilewright_fuzz::run::worker::{self, Engine, Job, Message};

/// Compiles random programs of ordinary C and compares them with their originals.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Action>,
    /// How long to go on.
    #[arg(long)]
    hours: Option<f64>,
    /// How many programs to try.
    #[arg(long)]
    cases: Option<u64>,
    /// Where the numbers at random begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Processes [default: one per core].
    #[arg(long)]
    jobs: Option<usize>,
    /// A state file to go on from, and to write.
    #[arg(long)]
    resume: Option<PathBuf>,
    /// Where cases, state and report go.
    #[arg(long, default_value = "out/fuzz")]
    out: PathBuf,
    /// Programs of one kind only.
    #[arg(long, value_parser = KINDS)]
    kind: Option<String>,
    /// Seconds to spend on making one failing program smaller; 0 leaves it as it is.
    #[arg(long, default_value_t = 120)]
    reduce: u64,
    /// What compares originals with results.
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
}

#[derive(Subcommand)]
enum Action {
    /// Compiles and compares one case.
    Check {
        /// The case.
        file: PathBuf,
    },
    /// Makes a failing case smaller; writes it beside, as `NAME.reduced.c`.
    Reduce {
        /// The case; its program is made again from its seed.
        file: PathBuf,
        /// How long to go on.
        #[arg(long, default_value_t = 300)]
        seconds: u64,
    },
    /// Prints programs.
    Show {
        /// Seed of the run.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Number of the program.
        #[arg(default_value_t = 0)]
        index: u64,
        /// Of this kind.
        #[arg(long, value_parser = KINDS)]
        kind: Option<String>,
    },
    /// Changes plans, schedules, storage, kernels and text, and sees that each change is refused or
    /// computes the same.
    Mutants {
        /// How many.
        #[arg(long, default_value_t = 1_000)]
        count: u64,
        /// Seed of the run.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Tries per region.
        #[arg(long, default_value_t = 120)]
        each: usize,
        /// Of a hundred equal ones, so many are executed with more inputs.
        #[arg(long, default_value_t = 100)]
        again: u64,
        /// Of a hundred of these, so many are built and executed, too.
        #[arg(long, default_value_t = 20)]
        built: u64,
        /// Where counts and findings go; a run goes on from what is there.
        #[arg(long, default_value = "out/mutants")]
        out: PathBuf,
        /// An option that files are compiled with, and its value: `--option "--format ell"`;
        /// without any, options are at random.
        #[arg(long = "option", allow_hyphen_values = true)]
        words: Vec<String>,
        /// Files whose mutants are made beside those of random programs.
        files: Vec<PathBuf>,
    },
    /// Compares the models of files' regions with the accesses that an interpreter of C does.
    Lowering {
        /// Inputs for each region.
        #[arg(long, default_value_t = 6)]
        inputs: usize,
        /// No size is larger.
        #[arg(long, default_value_t = 9)]
        largest: i64,
        /// Seed of the inputs.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The files.
        files: Vec<PathBuf>,
    },
    /// Compiles a file whose first line holds its options.
    #[command(hide = true)]
    Compile { file: PathBuf },
    /// Works on batches that its standard input names.
    #[command(hide = true)]
    Worker {
        #[arg(long)]
        seed: u64,
        #[arg(long)]
        kind: Option<String>,
        #[arg(long)]
        skip: Vec<String>,
        #[arg(long, value_enum, default_value_t)]
        engine: Engine,
    },
}

/// Memory that a worker may have: a compile that wants more ends it.
const MEMORY: u64 = 6 << 30;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments.command {
        None => run(&arguments),
        Some(Action::Check { file }) => return check(file),
        Some(Action::Reduce { file, seconds }) => {
            worker::keep_panics();
            reduce::file(file, Duration::from_secs(*seconds)).map(|text| println!("{text}"))
        }
        Some(Action::Show { seed, index, kind }) => {
            let program = generate(*seed, *index, kind.as_deref(), "");
            let words = worker::plans(*seed, *index, program.kind).remove(0);
            println!(
                "{}",
                worker::case(*seed, kind.as_deref(), *index, &program, &words, "")
            );
            Ok(())
        }
        Some(Action::Mutants {
            count,
            seed,
            each,
            again,
            built,
            out,
            words,
            files,
        }) => {
            worker::keep_panics();
            limit_memory();
            let order = mutants::run::Order {
                mutants: *count,
                seed: *seed,
                files: files.clone(),
                words: words.clone(),
                each: *each,
                again: *again,
                built: *built,
                out: out.clone(),
            };
            mutants::run::run(&order).map(|tally| println!("{}", tally.table(true)))
        }
        Some(Action::Lowering {
            inputs,
            largest,
            seed,
            files,
        }) => {
            let options = tilewright::validate::seen::Options {
                inputs: *inputs,
                largest: *largest,
                seed: *seed,
                ..tilewright::validate::seen::Options::default()
            };
            tilewright_fuzz::seen::files(files, &options)
        }
        Some(Action::Compile { file }) => {
            limit_memory();
            reduce::compile_only(file)
        }
        Some(Action::Worker {
            seed,
            kind,
            skip,
            engine,
        }) => work(*seed, kind.as_deref(), skip, *engine),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let mut state = State {
        seed: arguments.seed,
        kind: arguments.kind.clone(),
        ..State::default()
    };
    if let Some(file) = arguments.resume.as_ref().filter(|f| f.exists()) {
        let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
        state = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cases = match (arguments.cases, arguments.hours) {
        (None, None) => Some(1_000),
        (cases, _) => cases,
    };
    let order = Order {
        cases,
        time: arguments.hours.map(|h| Duration::from_secs_f64(h * 3600.0)),
        jobs: arguments.jobs.unwrap_or(cores).max(1),
        out: arguments.out.clone(),
        resume: arguments.resume.clone(),
        reduce: arguments.reduce,
        engine: arguments.engine,
    };
    state.run(&order).map_err(|e| e.to_string())?;
    println!("{}", state.report());
    Ok(())
}

fn check(file: &Path) -> ExitCode {
    worker::keep_panics();
    let outcome = reduce::check(file);
    match outcome {
        Ok(Outcome::Same(runs)) => {
            println!("same in {runs} runs");
            ExitCode::SUCCESS
        }
        Ok(Outcome::Undefined(what)) => {
            println!("the original is undefined: {what}");
            ExitCode::from(2)
        }
        Ok(Outcome::Wrong(what)) | Err(what) => {
            println!("wrong: {what}");
            ExitCode::FAILURE
        }
    }
}

fn limit_memory() {
    // Programs under sanitizers reserve more, so that the hard limit stays.
    let limit = libc::rlimit {
        rlim_cur: MEMORY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the structure is complete, and nothing else is passed.
    unsafe {
        libc::setrlimit(libc::RLIMIT_AS, &limit);
    }
}

fn work(seed: u64, kind: Option<&str>, skip: &[String], engine: Engine) -> Result<(), String> {
    worker::keep_panics();
    limit_memory();
    let skip: Vec<(u64, usize)> = skip
        .iter()
        .filter_map(|s| s.split_once(':'))
        .filter_map(|(i, p)| Some((i.parse().ok()?, p.parse().ok()?)))
        .collect();
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut say = |message: Message| {
        if let Ok(line) = serde_json::to_string(&message) {
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "{line}");
            let _ = out.flush();
        }
    };
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split_whitespace().map(str::parse::<u64>);
        if let (Some(Ok(first)), Some(Ok(count))) = (words.next(), words.next()) {
            let job = Job {
                seed,
                kind,
                skip: &skip,
                folder: folder.path(),
                engine,
            };
            job.batch(first, count, &mut say);
        }
    }
    Ok(())
}
