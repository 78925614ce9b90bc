//! What benches share: messages, names on the command line, the repository, and what is said of
//! the machine.

// Each bench uses a part of it.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tilewright::diagnostic::Diagnostic;

/// Whatever ends a bench.
pub type Failure = Box<dyn std::error::Error>;

/// A diagnostic in one line.
pub fn words(diagnostic: &Diagnostic) -> String {
    let mut text = format!("{}: {}", diagnostic.code, diagnostic.message);
    for more in diagnostic.notes.iter().chain(&diagnostic.help) {
        text += &format!("; {more}");
    }
    text
}

/// The same for several, each on its line.
pub fn lines(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> = diagnostics.iter().map(words).collect();
    lines.join("\n")
}

/// How a bench ends; what made it fail is said.
pub fn ended(done: Result<(), Failure>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Refuses a name that none of those that are there has.
pub fn check_names<'n>(
    what: &str,
    there: &[&str],
    given: impl IntoIterator<Item = &'n String>,
) -> Result<(), Failure> {
    let mut given = given.into_iter();
    match given.find(|name| !there.contains(&&***name)) {
        None => Ok(()),
        Some(name) => {
            let there = there.join(", ");
            Err(format!("there is no {what} `{name}`: there are {there}").into())
        }
    }
}

/// Whether one is to be run: where some are named, only these are.
pub fn is_wanted(named: &[String], name: &str) -> bool {
    named.is_empty() || named.iter().any(|one| one == name)
}

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The first line of what a program says about its version; nothing where it is not there.
pub fn version(cc: &str) -> String {
    let mut words = cc.split_whitespace();
    let output = Command::new(words.next().unwrap_or("cc"))
        .args(words)
        .arg("--version")
        .output();
    let text = output.ok().and_then(|o| String::from_utf8(o.stdout).ok());
    let line = text.as_deref().and_then(|text| text.lines().next());
    line.unwrap_or_default().to_owned()
}

/// Processor and cores.
pub fn machine() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = cpuinfo.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split(':').nth(1))
            .map_or("unknown", str::trim)
            .to_owned()
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!(
        "{} (family {}, model {}), {cores} cores",
        field("model name"),
        field("cpu family"),
        field("model"),
    )
}
