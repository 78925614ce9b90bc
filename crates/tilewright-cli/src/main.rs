//! The command `tilewright`: C with a marked loop region in, verified and faster C out.
//!
//! Exit status: 0 success, 1 the program was refused (diagnostics say why), 2 bad usage, 3 a run
//! differed from the original, 130 a search was interrupted.

mod apart;
mod arguments;
#[cfg(test)]
mod cases;
mod commands;
mod progress;
mod terminal;

use apart::Apart;
use arguments::{Arguments, Command};
use clap::{CommandFactory, Parser};
use std::process::ExitCode;
use terminal::Failure;
use tilewright::diagnostic::Diagnostic;
use tilewright::source::Source;
use tilewright_driver::diagnostics::{self, Renderer};

/// Compiling allocates a great deal, most of it in isl and in small pieces. The crate takes the place of
/// C's `malloc` as well (its feature `override`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The program was refused.
const REFUSED: u8 = 1;
/// The command line was wrong.
const USAGE: u8 = 2;
/// The result differed from the original.
const DIFFERS: u8 = 3;
/// Interrupted: what shells say of a program that SIGINT ended.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let words = match commands::builds::cc::by_name(std::env::args_os().collect()) {
        Ok(words) => words,
        Err(code) => return code,
    };
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are 'errors' with status 0.
            return match (error.print(), error.use_stderr()) {
                (_, true) => ExitCode::from(USAGE),
                (Err(error), false) if !terminal::is_closed(&error) => ExitCode::from(REFUSED),
                _ => ExitCode::SUCCESS,
            };
        }
    };
    terminal::log();
    let colour = terminal::colour(arguments.color);
    let json = arguments.command.json();
    let done = match &arguments.command {
        Command::Compile(options) => match apart::run() {
            Apart::Ended(code) => return code,
            Apart::Here => commands::compile::run(options, false, colour),
            Apart::Crashed => commands::compile::run(options, true, colour),
        },
        Command::Run(options) => commands::run::run(options, colour),
        Command::Tune(options) => commands::tune::run(options, colour),
        Command::Calibrate(options) => commands::calibrate::run(options, colour),
        Command::Devices(options) => commands::devices::run(options),
        Command::Explain(options) => commands::explain::run(options, colour),
        Command::View(options) => commands::view::run(options, colour),
        Command::Check(options) => commands::check::run(options, colour),
        Command::Certify(options) => commands::certify::run(options, colour),
        Command::Reuse(options) => commands::reuse::run(options, colour),
        Command::Cache(options) => commands::cache::run(options),
        Command::Cc(options) => return commands::builds::cc::run(options),
        Command::CcText(options) => commands::builds::text::run(options),
        Command::Scan(options) => commands::builds::scan::run(options, colour),
        Command::Measure => return tilewright_driver::measure::worker::main(),
    };
    match done {
        Ok(commands::Outcome::Done) => ExitCode::SUCCESS,
        Ok(commands::Outcome::Differs) => ExitCode::from(DIFFERS),
        Ok(commands::Outcome::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(Failure::Refused(refusal)) => {
            show(&refusal.diagnostics, refusal.source.as_ref(), colour, json);
            ExitCode::from(REFUSED)
        }
        Err(Failure::Unfit(diagnostic)) => {
            show(&[*diagnostic], None, colour, json);
            ExitCode::from(USAGE)
        }
        Err(Failure::Usage(kind, message)) => {
            let mut command = Arguments::command();
            command.build();
            let name = arguments.command.name();
            let error = match command.find_subcommand_mut(name) {
                Some(command) => command.error(kind, message),
                None => command.error(kind, message),
            };
            let _ = error.print();
            ExitCode::from(USAGE)
        }
        // Whoever read our output has had enough.
        Err(Failure::Closed) => ExitCode::SUCCESS,
    }
}

/// Shows diagnostics on standard error and, where reports are wanted as JSON, on standard output.
fn show(diagnostics: &[Diagnostic], source: Option<&Source>, colour: bool, json: bool) {
    let renderer = Renderer::new(colour);
    for diagnostic in diagnostics {
        terminal::say(format_args!("{}\n", renderer.render(diagnostic, source)));
    }
    if json {
        let list = diagnostics::to_json(diagnostics, source);
        // Where it cannot be printed, the status still says it.
        let _ = terminal::print_json(&serde_json::json!({ "diagnostics": list }));
    }
}
