//! Standard output and error, and how commands end early.

use crate::apart;
use crate::arguments::Color;
use clap::error::ErrorKind;
use std::env;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::source::Source;
use tilewright_driver::host::output::words;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// The program, or something else that was given, was refused.
    Refused(Box<Refusal>),
    /// The command line was wrong.
    Usage(ErrorKind, String),
    /// The command line does not fit the program.
    Unfit(Box<Diagnostic>),
    /// Standard output is closed.
    Closed,
}

/// Diagnostics and the file they point into.
#[derive(Debug)]
pub struct Refusal {
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// The file.
    pub source: Option<Source>,
}

impl Failure {
    /// Refused for reasons that have places in a file, if there is one.
    pub fn refused(diagnostics: Vec<Diagnostic>, source: Option<Source>) -> Failure {
        Failure::Refused(Box::new(Refusal {
            diagnostics,
            source,
        }))
    }

    /// A value that cannot be used, or one that is missing.
    pub fn usage(message: String) -> Failure {
        Failure::Usage(ErrorKind::ValueValidation, message)
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Failure {
        Failure::refused(vec![*diagnostic], None)
    }
}

impl From<io::Error> for Failure {
    /// All that commands do themselves is print; files are the driver's.
    fn from(error: io::Error) -> Failure {
        if is_closed(&error) {
            return Failure::Closed;
        }
        let message = format!("cannot write standard output: {}", words(&error));
        Box::new(Diagnostic::error(Code::UnwritableOutput, message)).into()
    }
}

/// Whether whoever read our output has gone.
pub fn is_closed(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Says something on standard error, a line of its own. Nothing can be done where nobody listens.
pub fn say(words: fmt::Arguments) {
    let _ = writeln!(io::stderr().lock(), "{words}");
}

/// Prints to standard output.
pub fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// Prints a JSON value on lines of its own.
pub fn print_json(value: &serde_json::Value) -> io::Result<()> {
    print(&format!("{value:#}\n"))
}

/// Whether messages on standard error have colours.
pub fn colour(choice: Color) -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            io::stderr().is_terminal()
                && !set("NO_COLOR")
                && env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

/// Lets `TILEWRIGHT_LOG` (as `debug` or `tilewright_driver=trace`) show on standard error what is
/// going on inside.
pub fn log() {
    let Ok(said) = env::var("TILEWRIGHT_LOG") else {
        return;
    };
    match said.parse::<Targets>() {
        Ok(filter) => {
            let written = tracing_subscriber::fmt::layer().with_writer(io::stderr);
            tracing_subscriber::registry()
                .with(written.with_filter(filter))
                .init();
        }
        Err(_) if apart::is_inside() => {}
        Err(error) => eprintln!("warning: TILEWRIGHT_LOG is left aside: {error}"),
    }
}
