//! What measured times depend on besides the candidate.

use crate::Result;
use crate::clock::{self, Clock};
use crate::data::fill::fnv1a;
use crate::experiment::Experiment;
use crate::output::words;
use crate::process;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;
use tilewright::diagnostic::{Code, Diagnostic};

/// How long the C compiler may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(10);

/// Beginnings of environment variables that OpenMP's libraries look at.
const ENVIRONMENT: [&str; 3] = ["OMP_", "GOMP_", "KMP_"];

/// Everything that identifies a measurement but the candidate, by name: the program, its data,
/// how it is built and where it runs.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Identity(pub BTreeMap<String, String>);

impl Identity {
    /// What differs from an earlier one, in words.
    pub fn differences(&self, earlier: &Identity) -> Vec<String> {
        let names: std::collections::BTreeSet<&String> =
            self.0.keys().chain(earlier.0.keys()).collect();
        let mut found = Vec::new();
        for name in names {
            let (now, then) = (self.0.get(name), earlier.0.get(name));
            if now != then {
                let text = |value: Option<&String>| match value {
                    Some(value) => format!("`{value}`"),
                    None => "nothing".to_owned(),
                };
                found.push(format!("{name}: {} there, {} now", text(then), text(now)));
            }
        }
        found
    }
}

/// A short name of a text that changes when the text does.
pub fn hash(bytes: &[u8]) -> String {
    format!("{:016x}", fnv1a(bytes))
}

/// The identity of an experiment whose result is the default plan's: a tilewright that generates
/// other code has another identity, whatever version it says it has.
///
/// # Errors
/// `TW0505` where an input cannot be read.
pub fn identify(experiment: &Experiment<'_>) -> Result<Identity> {
    let mut all = BTreeMap::new();
    let mut add = |name: &str, value: String| all.insert(name.to_owned(), value);
    let source = experiment.source;
    add("tilewright", env!("CARGO_PKG_VERSION").to_owned());
    add("file", hash(source.text.as_bytes()));
    add(
        "file with headers",
        hash(without_line_markers(&source.preprocessed).as_bytes()),
    );
    add(
        "code of the default plan",
        hash(experiment.result.as_bytes()),
    );
    add("function", experiment.interface.function.clone());
    for (name, value) in &experiment.values {
        add(&format!("parameter {name}"), value.clone());
    }
    for (name, path) in &experiment.inputs {
        let bytes = fs::read(path).map_err(|error| {
            let message = format!("cannot read {}: {}", path.display(), words(&error));
            Box::new(Diagnostic::error(Code::BadInput, message))
        })?;
        add(&format!("input {name}"), hash(&bytes));
    }
    add("fill", format!("{:?}", experiment.fill).to_lowercase());
    add("seed", experiment.seed.to_string());
    add("threads", experiment.runner.threads.to_string());
    let toolchain = experiment.toolchain;
    add("compiler", toolchain.cc.clone());
    let finished = process::run(toolchain.command().arg("--version"), VERSION_LIMIT);
    if let Ok(finished) = finished {
        let said = String::from_utf8_lossy(&finished.stdout).into_owned();
        add(
            "compiler version",
            said.lines().next().unwrap_or("").to_owned(),
        );
    }
    add("cflags", toolchain.cflags.join(" "));
    add("ldflags", toolchain.ldflags.join(" "));
    add("machine", machine());
    if Clock::from_environment() == Clock::Processor {
        add("clock", clock::PROCESSOR.to_owned());
    }
    for (name, value) in std::env::vars() {
        let known = ENVIRONMENT.iter().any(|prefix| name.starts_with(prefix));
        // The number of threads is set for each run.
        if known && name != "OMP_NUM_THREADS" {
            add(&name, value);
        }
    }
    Ok(Identity(all))
}

/// The preprocessor's `# 1 "file"` say where files are, not what is in them.
fn without_line_markers(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("# "));
    lines.collect::<Vec<_>>().join("\n")
}

fn machine() -> String {
    let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or(std::env::consts::ARCH, |(_, model)| model);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {processors} processors")
}
