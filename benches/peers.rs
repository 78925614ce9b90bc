//! Image pipelines against peers: `cargo bench --bench peers -- --help`.
//!
//! For each pipeline the original and tilewright's result, built by every C compiler that is
//! there, and any number of peers: functions with the same C signature in shared libraries that
//! something else made. All of them run by turns in one process on the same memory, and each one's
//! results are compared with the first original's. How to bring a peer is in the book.

#[path = "peer_argument.rs"]
mod peer_argument;
mod pipelines;
#[path = "setting.rs"]
mod setting;

use clap::Parser;
use peer_argument::peer;
use pipelines::{PIPELINES, usual};
use serde_json::{Value, json};
use setting::{Failure, machine, root, version, words};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tilewright::compile::{Options, compile};
use tilewright::diagnostic::Diagnostic;
use tilewright_driver::contest::{Contest, Peer};
use tilewright_driver::data::fill::Fill;
use tilewright_driver::experiment::{Experiment, Values};
use tilewright_driver::job::Standing;
use tilewright_driver::machine::this_machine;
use tilewright_driver::preprocess::preprocess;
use tilewright_driver::run::{Progress, Runner};
use tilewright_driver::statistics::Times;
use tilewright_driver::toolchain::{DEFAULT_CFLAGS, Toolchain, split};

/// Names under which clang may be installed, best first.
const CLANGS: [&str; 8] = [
    "clang", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15",
];

/// Image pipelines: originals, tilewright's results, and peers, by turns.
#[derive(Debug, Parser)]
#[command(name = "peers")]
struct Arguments {
    /// Pipelines to run [default: all]
    pipelines: Vec<String>,
    /// A peer: a shared library and the function in it [default: named like the pipeline], which
    /// has the C signature of the example's
    #[arg(long = "peer", value_name = "PIPELINE=LIBRARY[:SYMBOL[:LABEL]]")]
    peers: Vec<String>,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Timed runs of each version; 0 only compares
    #[arg(long, value_name = "N", default_value_t = 11)]
    runs: usize,
    /// C compiler, may be repeated; all are compared with the first one's original
    /// [default: gcc, and clang where there is one]
    #[arg(long, value_name = "COMMAND")]
    cc: Vec<String>,
    /// Flags of the builds that are timed
    #[arg(long, value_name = "FLAGS", default_value = DEFAULT_CFLAGS, allow_hyphen_values = true)]
    cflags: String,
    /// Value of a scalar argument, for every pipeline that has it
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// Seconds that one call may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0)]
    time_limit: f64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut peers: BTreeMap<String, Vec<Peer>> = BTreeMap::new();
    for text in &arguments.peers {
        let (pipeline, peer) = peer(text)?;
        peers.entry(pipeline).or_default().push(peer);
    }
    let known = |name: &String| PIPELINES.iter().any(|(pipeline, _)| pipeline == name);
    if let Some(name) = arguments
        .pipelines
        .iter()
        .chain(peers.keys())
        .find(|name| !known(name))
    {
        let names = PIPELINES.map(|(name, _)| name).join(", ");
        return Err(format!("there is no pipeline `{name}`: there are {names}").into());
    }
    let mut params = Values::new();
    for text in &arguments.params {
        let (name, value) = text.split_once('=').ok_or("write --param NAME=VALUE")?;
        params.insert(name.to_owned(), value.to_owned());
    }
    let toolchains = toolchains(arguments)?;
    let compilers: Vec<(String, String)> = toolchains
        .iter()
        .map(|toolchain| (toolchain.cc.clone(), version(&toolchain.cc)))
        .collect();
    let cflags = &arguments.cflags;
    if !arguments.json {
        println!("Machine: {}", machine());
        for (cc, version) in &compilers {
            println!("{cc}: {version}, {cflags}");
        }
        println!(
            "{} threads, {} timed runs each, times in ms",
            arguments.threads, arguments.runs
        );
    }

    let mut results = Vec::new();
    for (name, sizes) in PIPELINES {
        let wanted = &arguments.pipelines;
        if !wanted.is_empty() && !wanted.iter().any(|one| one == name) {
            continue;
        }
        let mut values = usual(sizes);
        values.extend(params.clone());
        let file = root().join("examples/pipelines").join(format!("{name}.c"));
        if !file.is_file() {
            eprintln!("{name}: no example of this name yet");
            continue;
        }
        let peers = peers.remove(name).unwrap_or_default();
        match pipeline(name, &file, &values, &toolchains, peers, arguments) {
            Ok(result) if arguments.json => results.push(result.to_json()),
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
    if arguments.json {
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
    Ok(commands
        .into_iter()
        .map(|cc| Toolchain {
            cc,
            cflags: split(&arguments.cflags),
            ..Toolchain::default()
        })
        .collect())
}

/// What was found out about one pipeline.
struct Found {
    pipeline: String,
    values: Values,
    /// tilewright's results were bit-identical to the original's, without contraction.
    identical: bool,
    standings: Vec<Standing>,
}

fn pipeline(
    name: &str,
    file: &Path,
    values: &Values,
    toolchains: &[Toolchain],
    peers: Vec<Peer>,
    arguments: &Arguments,
) -> Result<Found, Vec<Diagnostic>> {
    let one = |diagnostic: Box<Diagnostic>| vec![*diagnostic];
    let say = |what: &str| eprintln!("{name}: {what}");
    let source = preprocess(file, &toolchains[0]).map_err(one)?;
    say("compile");
    // Planned as `tilewright run` does it: for these sizes and threads.
    let mut options = Options::default();
    options.wishes.machine = this_machine();
    options.wishes.machine.cores = arguments.threads as i64;
    let sizes = values
        .iter()
        .filter_map(|(n, v)| Some((n.clone(), v.parse().ok()?)));
    options.wishes.estimates = sizes.collect();
    let compiled = compile(&source, &options, None, &mut |_| {})?;
    for warning in &compiled.warnings {
        say(&words(warning));
    }
    let interface = compiled
        .interfaces
        .iter()
        .find(|interface| interface.function == name)
        .ok_or_else(|| {
            let code = tilewright::diagnostic::Code::NoRegion;
            vec![Diagnostic::error(code, format!("no function `{name}`"))]
        })?;
    let experiments: Vec<Experiment<'_>> = toolchains
        .iter()
        .map(|toolchain| Experiment {
            source: &source,
            path: file,
            result: &compiled.text,
            device: None,
            interface,
            toolchain,
            runner: Runner {
                program: PathBuf::from(env!("CARGO_BIN_EXE_tilewright")),
                arguments: vec![OsString::from("measure")],
                threads: arguments.threads,
                limit: Duration::from_secs_f64(arguments.time_limit),
            },
            values: values.clone(),
            fill: Fill::Auto,
            seed: 1,
            inputs: Vec::new(),
            outputs: Vec::new(),
            runs: Some(arguments.runs),
        })
        .collect();
    let mut builds = Vec::new();
    let mut identical = true;
    for experiment in &experiments {
        say(&format!("build with {}", experiment.toolchain.cc));
        let built = experiment.build().map_err(one)?;
        identical &= experiment
            .check(&built, &mut |_| {})
            .map_err(one)?
            .identical();
        builds.push(built);
    }
    let contest = Contest {
        builds: experiments
            .iter()
            .zip(&builds)
            .map(|(experiment, built)| (experiment.toolchain.cc.clone(), experiment, built))
            .collect(),
        originals: true,
        peers,
        runs: arguments.runs,
    };
    let mut last = usize::MAX;
    let standings = contest
        .run(&mut |progress| {
            if let Progress::Turn { run, of, .. } = progress {
                if run != last {
                    say(&format!("run {run} of {of}"));
                    last = run;
                }
            }
        })
        .map_err(one)?;
    Ok(Found {
        pipeline: name.to_owned(),
        values: values.clone(),
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

    fn title(&self) -> String {
        let values: Vec<String> = self
            .values
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        format!("{}, {}", self.pipeline, values.join(", "))
    }

    fn print(&self) {
        let (original, ours) = self.references();
        println!();
        println!("{}", self.title());
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
            "pipeline": self.pipeline,
            "params": self.values,
            "identical": self.identical,
            "versions": versions,
        })
    }
}
