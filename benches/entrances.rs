//! One pipeline through every entrance: `cargo bench --bench entrances -- --help`.
//!
//! What `tilewright compile` writes, called as C; the pipeline as stages, called as Rust programs
//! call it, checks included; and the library that a build script links, as C and by its wrapper in
//! Rust. All of them run by turns in this process on the same memory. Entrances of other languages
//! are programs that answer (`--other`).

#[path = "experiments.rs"]
mod experiments;
#[path = "entrances/linked.rs"]
mod linked;
#[path = "entrances/memory.rs"]
mod memory;
#[path = "entrances/other.rs"]
mod other;
mod pipelines;
#[path = "setting.rs"]
mod setting;
// The pipelines as stages are those of the language's own tests.
#[path = "../crates/tilewright-lang/tests/pipelines/stages/mod.rs"]
mod stages;

use clap::Parser;
use experiments::interface;
use linked::Linked;
use memory::Memory;
use other::Other;
use pipelines::{Asked, Pipeline};
use setting::{Failure, ended, lines, machine, version, words};
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use tilewright::compile;
use tilewright::diagnostic::Diagnostic;
use tilewright::frontend::c::interface::Interface;
use tilewright_driver::host::clock::{Clock, PROCESSOR, VARIABLE};
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::{DEFAULT_CFLAGS, Purpose, Toolchain};
use tilewright_driver::measure::library::Program;
use tilewright_driver::measure::statistics::Times;
use tilewright_driver::measure::wrapper;
use tilewright_lang::{Compile, Kernel, Options};

/// Image pipelines through every entrance, by turns. Threads are those of `OMP_NUM_THREADS`.
#[derive(Debug, Parser)]
#[command(name = "entrances")]
struct Arguments {
    #[command(flatten)]
    asked: Asked,
    /// Another entrance: a program that is started with the pipeline's name and its arguments,
    /// `harris R=4256 C=2832`, makes one call for each line that it reads, and answers each with
    /// the call's milliseconds on a line. May be repeated
    #[arg(long = "other", value_name = "LABEL=COMMAND")]
    others: Vec<String>,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let pipelines = arguments.asked.pipelines([])?;
    let toolchain = Toolchain::from_environment();
    println!("Machine: {}", machine());
    println!("{}, {DEFAULT_CFLAGS}", version(&toolchain.cc));
    let clock = match Clock::from_environment() {
        Clock::Wall => "elapsed".to_owned(),
        Clock::Processor => format!("of the processor ({VARIABLE}={PROCESSOR})"),
    };
    let runs = arguments.asked.runs;
    println!("{runs} timed runs each, {clock} times in ms\n");
    println!("| pipeline | entrance | median | minimum | median / C's | minimum / C's |");
    println!("|---|---|---:|---:|---:|---:|");
    for pipeline in pipelines {
        let times = times(&pipeline, &toolchain, arguments)?;
        let reference = &times[0].1;
        for (label, times) in &times {
            println!(
                "| {} | {label} | {:.2} | {:.2} | {:.2} | {:.2} |",
                pipeline.name,
                times.median,
                times.min,
                times.median / reference.median,
                times.min / reference.min
            );
        }
    }
    Ok(())
}

/// A way to call a pipeline.
enum Entrance {
    Compiled(Program),
    Stages(Box<Kernel>),
    Other(Other),
}

/// Times of one pipeline by entrance, C's first.
fn times(
    pipeline: &Pipeline,
    toolchain: &Toolchain,
    arguments: &Arguments,
) -> Result<Vec<(String, Times)>, Failure> {
    let Pipeline { name, values } = pipeline;
    let directory = tempfile::tempdir()?;
    let said = |all: Vec<Diagnostic>| lines(&all);
    let one = |diagnostic: Box<Diagnostic>| words(&diagnostic);
    eprintln!("{name}: compile");
    // As `tilewright compile` does without further options; so do the other two.
    let file = pipeline.file();
    let source = preprocess(&file, toolchain).map_err(one)?;
    let options = Options::for_this_machine()?;
    let compiled = compile::compile(&source, &options.compile, None, &mut |_| {}).map_err(said)?;
    let interface = interface(&compiled, name).map_err(said)?;
    let c = build_c(directory.path(), &compiled.text, interface, toolchain).map_err(one)?;

    let kernel = stages::pipeline(name).compile_with(&Options {
        toolchain: toolchain.clone(),
        ..options
    })?;
    let mut memory = Memory::new(interface, values, &c).map_err(one)?;
    let linked = Linked::new(&file, directory.path(), interface, toolchain)?;
    let mut entrances = vec![
        ("C".to_owned(), Entrance::Compiled(c)),
        (
            "Rust, stages".to_owned(),
            Entrance::Stages(Box::new(kernel)),
        ),
        (
            "build script, C".to_owned(),
            Entrance::Compiled(linked.function()?),
        ),
        (
            "build script, Rust".to_owned(),
            Entrance::Compiled(linked.wrapper(&memory)?),
        ),
    ];
    for text in &arguments.others {
        let (label, command) = text.split_once('=').ok_or("write --other LABEL=COMMAND")?;
        let other = Other::start(command, name, values)?;
        entrances.push((label.to_owned(), Entrance::Other(other)));
    }

    let mut results = Vec::new();
    let mut times = vec![Vec::new(); entrances.len()];
    for run in 0..=arguments.asked.runs {
        // Whoever comes after another finds other things in the caches: take turns in that.
        for turn in 0..entrances.len() {
            let at = (turn + run) % entrances.len();
            let time = call(&mut entrances[at].1, &mut memory)?;
            match run {
                // The first call warms up, and its results are compared.
                0 if matches!(entrances[at].1, Entrance::Other(_)) => {}
                0 => results.push(memory.written()),
                _ => times[at].push(time),
            }
        }
    }
    // Different builds may contract differently.
    for (result, (label, _)) in results.iter().zip(&entrances).skip(1) {
        memory.check_close(&results[0], result, label)?;
    }
    let labels = entrances.into_iter().map(|(label, _)| label);
    Ok(labels.zip(times.into_iter().map(Times::new)).collect())
}

/// One call, its time in milliseconds.
fn call(entrance: &mut Entrance, memory: &mut Memory) -> Result<f64, Failure> {
    let mut done = Ok(());
    let time = Clock::from_environment().time(|| match entrance {
        Entrance::Compiled(program) => program.call(&mut memory.addresses()),
        Entrance::Stages(kernel) => done = memory.call(kernel),
        Entrance::Other(_) => {}
    });
    match entrance {
        Entrance::Other(other) => other.call(),
        _ => done.map(|()| time.as_secs_f64() * 1e3),
    }
}

fn build_c(
    directory: &Path,
    text: &str,
    interface: &Interface,
    toolchain: &Toolchain,
) -> Result<Program, Box<Diagnostic>> {
    let program = directory.join("program.c");
    let library = directory.join("program.so");
    let wrapped = directory.join("wrapper.c");
    let _ = fs::write(&program, text);
    let _ = fs::write(&wrapped, wrapper::text(interface, &program));
    toolchain.build(&wrapped, &library, Purpose::Time, None, None)?;
    Program::load(&library)
}
