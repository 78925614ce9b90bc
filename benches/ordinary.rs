//! Ordinary loops against the better of two C compilers: `cargo bench --bench ordinary -- --help`.
//!
//! The loops of `benches/ordinary`, each in a text of its own: as it stands, built by each C
//! compiler, and tilewright's result with default options, built by the same, by turns in one process
//! for each compiler, on the same memory. A loop that stays as it was written, byte for byte, counts as 1.

#[path = "experiments.rs"]
mod experiments;
#[path = "ordinary/loops.rs"]
mod loops;
#[path = "setting.rs"]
mod setting;
#[path = "ordinary/table.rs"]
mod table;
#[path = "timing.rs"]
mod timing;

use clap::Parser;
use experiments::{Example, interface};
use loops::{Loop, loops};
use setting::{Failure, check_names, ended, is_wanted, lines, machine, version, words};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use table::{Row, print_head, print_row, print_summary};
use tilewright::compile::{Compiled, Options, compile};
use tilewright::diagnostic::Diagnostic;
use tilewright::source::Source;
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::Toolchain;
use tilewright_driver::measure::contest::Contest;
use tilewright_driver::measure::experiment::{Built, Experiment, Values};
use tilewright_driver::measure::job::Turns;
use tilewright_driver::measure::statistics::Times;
use timing::Building;

/// Loops as they are written, and what tilewright makes of them.
#[derive(Debug, Parser)]
#[command(name = "ordinary")]
struct Arguments {
    /// Loops or kinds of loops to run [default: all]
    names: Vec<String>,
    /// Where other loops are: files of functions, and `loops.toml` with their names and sizes, as in
    /// `benches/ordinary`
    #[arg(long, value_name = "FOLDER")]
    folder: Option<std::path::PathBuf>,
    /// Numbers of threads
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [1, 2])]
    threads: Vec<usize>,
    /// Sizes: tiny, small, medium or large [default: all that a loop has]
    #[arg(long, value_name = "SIZE,...", value_delimiter = ',')]
    sizes: Vec<String>,
    /// Timed turns of each version
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: usize,
    /// Milliseconds of a turn: the function is called as often as fits in
    #[arg(long, value_name = "MS", default_value_t = 5.0)]
    turn: f64,
    /// Milliseconds without work before a turn; with several threads long enough for those of
    /// LLVM's OpenMP, see KMP_BLOCKTIME
    #[arg(long, value_name = "MS", default_value_t = 20)]
    pause: u64,
    /// Two C compilers
    #[arg(long, value_name = "COMMAND,...", value_delimiter = ',', default_values_t = ["gcc".to_owned(), "clang".to_owned()])]
    cc: Vec<String>,
    /// Another way to build the originals, with its name: a compiler with arguments of its own
    #[arg(long = "peer", value_name = "NAME=COMMAND")]
    peers: Vec<String>,
    /// Write each loop's text and result here
    #[arg(long, value_name = "FOLDER")]
    texts: Option<std::path::PathBuf>,
    #[command(flatten)]
    building: Building,
}

impl Arguments {
    /// What is built beside the original in the place of a toolchain: others build originals only.
    fn text_for<'a>(&self, place: usize, compiled: &'a Compiled, source: &'a Source) -> &'a str {
        if place < self.cc.len() {
            &compiled.text
        } else {
            &source.text
        }
    }
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let all = loops(arguments.folder.as_deref())?;
    let sizes = ["tiny", "small", "medium", "large"];
    check_names("size", &sizes, &arguments.sizes)?;
    let mut peers = Vec::new();
    for peer in &arguments.peers {
        let parts = peer.split_once('=').ok_or("write --peer NAME=COMMAND")?;
        peers.push(parts);
    }
    let labels: Vec<String> = peers.iter().map(|(name, _)| (*name).to_owned()).collect();
    let names = all.iter().flat_map(|one| [&*one.function, &*one.kind]);
    let names: Vec<&str> = names.collect();
    check_names("loop or kind", &names, &arguments.names)?;
    let wanted: Vec<&Loop> = all
        .iter()
        .filter(|one| {
            let named = |name| is_wanted(&arguments.names, name);
            named(&one.function) || named(&one.kind)
        })
        .collect();
    if !arguments.building.json {
        println!("Machine: {}", machine());
        for cc in &arguments.cc {
            println!("{cc}: {}, {}", version(cc), arguments.building.cflags);
        }
        for (name, command) in &peers {
            println!("{name}: {command}, {}", arguments.building.cflags);
        }
        println!("{} turns of each, times in microseconds", arguments.runs);
        println!();
        print_head(&arguments.cc, &labels);
    }
    let mut rows = Vec::new();
    let mut compiles = Vec::new();
    let mut refused = Vec::new();
    for (number, one) in wanted.iter().enumerate() {
        eprintln!("{} of {}: {}", number + 1, wanted.len(), one.function);
        let (time, some) = match contests(one, arguments, &peers) {
            Ok(found) => found,
            Err(why) => {
                eprintln!("error: {}: {}", one.function, lines(&why));
                refused.push(one.function.as_str());
                continue;
            }
        };
        compiles.push((one.function.clone(), time));
        for row in some {
            if arguments.building.json {
                println!("{}", row.to_json());
            } else {
                print_row(&row);
            }
            rows.push(row);
        }
    }
    if !arguments.building.json {
        print_summary(&rows, &compiles, &labels);
    }
    if !refused.is_empty() {
        eprintln!("refused, or not measured: {}", refused.join(", "));
    }
    let wrong = rows.iter().filter(|row| row.differs);
    match wrong.map(|row| row.function.as_str()).next() {
        None => Ok(()),
        Some(function) => Err(format!("{function} and others: NOT IDENTICAL").into()),
    }
}

/// Compiles a loop, and lets its versions and peers run by turns with all sizes and numbers of
/// threads.
fn contests(
    one: &Loop,
    arguments: &Arguments,
    peers: &[(&str, &str)],
) -> Result<(Duration, Vec<Row>), Vec<Diagnostic>> {
    let single = |diagnostic: Box<Diagnostic>| vec![*diagnostic];
    let own = arguments.cc.iter().map(String::as_str);
    let commands = own.chain(peers.iter().map(|(_, command)| *command));
    let toolchains: Vec<Toolchain> = commands
        .map(|cc| arguments.building.toolchain(cc))
        .collect();
    let source = preprocess(one.path(), &toolchains[0]).map_err(single)?;
    let start = Instant::now();
    let compiled = compile(&source, &Options::default(), None, &mut |_| {})?;
    let time = start.elapsed();
    for warning in &compiled.warnings {
        eprintln!("{}: {}", one.function, words(warning));
    }
    if let Some(folder) = &arguments.texts {
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::copy(one.path(), folder.join(format!("{}.c", one.function))))
            .and_then(|_| {
                std::fs::write(
                    folder.join(format!("{}.tw.c", one.function)),
                    &compiled.text,
                )
            });
        if let Err(error) = written {
            eprintln!("{}: {error}", folder.display());
        }
    }
    let sizes = one.sizes.iter().map(|(size, _)| size.as_str());
    let sizes: Vec<&str> = sizes
        .filter(|size| is_wanted(&arguments.sizes, size))
        .collect();
    let mut rows: Vec<Row> = Vec::new();
    for threads in &arguments.threads {
        rows.extend(sizes.iter().map(|size| Row {
            kind: one.kind.clone(),
            function: one.function.clone(),
            size: (*size).to_owned(),
            threads: *threads,
            differs: false,
            as_written: compiled.text == source.text,
            own: Vec::new(),
            peers: Vec::new(),
        }));
    }
    if compiled.text == source.text && peers.is_empty() {
        return Ok((time, rows));
    }
    let interface = interface(&compiled, &one.function)?;
    let values = one.values(sizes.first().unwrap_or(&""));
    let example = Example {
        file: one.path(),
        source: &source,
        interface,
        values: &values,
        runs: arguments.runs,
    };
    let mut builds = Vec::new();
    let mut differs = false;
    for (place, toolchain) in toolchains.iter().enumerate() {
        let text = arguments.text_for(place, &compiled, &source);
        let experiment = example.experiment(text, toolchain, arguments.building.runner(2));
        let built = experiment.build().map_err(single)?;
        // On two threads and bit for bit; large sizes are above all conditions on them.
        for size in &sizes {
            if place < arguments.cc.len() {
                let check = experiment.check_with(&built, &one.values(size), &mut |_| {});
                differs |= !check.map_err(single)?.identical();
            }
        }
        builds.push((toolchain, built));
    }
    for row in &mut rows {
        let much = (one.values(&row.size), row.threads);
        let mut times = contest(arguments, &compiled, &example, &builds, &much)?;
        let rest = times.split_off(2 * arguments.cc.len());
        row.differs = differs;
        row.own = times;
        row.peers = rest.into_iter().step_by(2).collect();
    }
    Ok((time, rows))
}

/// Times of original and result for each compiler, in ms.
fn contest(
    arguments: &Arguments,
    compiled: &Compiled,
    example: &Example<'_>,
    builds: &[(&Toolchain, Built)],
    (values, threads): &(Values, usize),
) -> Result<Vec<Times>, Vec<Diagnostic>> {
    let example = Example { values, ..*example };
    let runner = arguments.building.runner(*threads);
    let experiments: Vec<Experiment<'_>> = builds
        .iter()
        .enumerate()
        .map(|(place, (toolchain, _))| {
            let text = arguments.text_for(place, compiled, example.source);
            example.experiment(text, toolchain, runner.clone())
        })
        .collect();
    let mut times = Vec::new();
    // Two libraries of OpenMP in one process would bind threads to the same core.
    for ((toolchain, built), experiment) in builds.iter().zip(&experiments) {
        let contest = Contest {
            builds: vec![(toolchain.cc.clone(), experiment, built)],
            originals: true,
            peers: Vec::new(),
            turns: Turns {
                runs: arguments.runs,
                pause: arguments.pause,
                least: arguments.turn,
            },
        };
        let standings = contest.run(&mut |_| {}).map_err(|one| vec![*one])?;
        times.extend(standings.into_iter().map(|one| Times::new(one.times)));
    }
    Ok(times)
}
