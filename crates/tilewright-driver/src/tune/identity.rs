//! What measured times depend on besides the candidate.

use crate::Result;
use crate::data::fill::{Fill, fnv1a};
use crate::host::clock;
use crate::host::clock::Clock;
use crate::host::output::words;
use crate::host::process;
use crate::host::toolchain::Toolchain;
use crate::measure::experiment::{Experiment, Values};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::source::Source;

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

/// What is measured, besides how it is built and where.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The original.
    pub source: &'a Source,
    /// As the default plan has it: a tilewright that generates other code gives measurements
    /// another identity, whatever version it says it has.
    pub result: &'a str,
    /// The function that is called.
    pub function: &'a str,
    /// Values of scalars by name.
    pub values: &'a Values,
    /// Arrays by name with a hash of what they hold, where that was given.
    pub inputs: Vec<(String, String)>,
    /// Contents of the others.
    pub fill: Fill,
    /// Seed of random contents.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// The C compiler.
    pub toolchain: &'a Toolchain,
}

/// The identity of an experiment whose result is the default plan's.
///
/// # Errors
/// `TW0505` where an input cannot be read.
pub fn identify(experiment: &Experiment<'_>) -> Result<Identity> {
    let mut inputs = Vec::new();
    for (name, path) in &experiment.arguments.inputs {
        let bytes = crate::host::input::bytes(path).map_err(|error| {
            let message = format!("cannot read {}: {}", path.display(), words(&error));
            Box::new(Diagnostic::error(Code::BadInput, message))
        })?;
        inputs.push((name.clone(), hash(&bytes)));
    }
    Ok(Identity::of(&Subject {
        source: experiment.source,
        result: experiment.result,
        function: &experiment.interface.function,
        values: &experiment.arguments.values,
        inputs,
        fill: experiment.arguments.fill,
        seed: experiment.arguments.seed,
        threads: experiment.runner.threads,
        toolchain: experiment.toolchain,
    }))
}

impl Identity {
    /// Of measurements on this machine.
    pub fn of(subject: &Subject<'_>) -> Identity {
        let mut all = BTreeMap::new();
        let mut add = |name: &str, value: String| all.insert(name.to_owned(), value);
        let source = subject.source;
        add("tilewright", env!("CARGO_PKG_VERSION").to_owned());
        add("file", hash(source.text.as_bytes()));
        add(
            "file with headers",
            hash(without_line_markers(&source.preprocessed).as_bytes()),
        );
        add("code of the default plan", hash(subject.result.as_bytes()));
        add("function", subject.function.to_owned());
        for (name, value) in subject.values {
            add(&format!("parameter {name}"), value.clone());
        }
        for (name, hash) in &subject.inputs {
            add(&format!("input {name}"), hash.clone());
        }
        add("fill", format!("{:?}", subject.fill).to_lowercase());
        add("seed", subject.seed.to_string());
        add("threads", subject.threads.to_string());
        let toolchain = subject.toolchain;
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
        for other in &toolchain.others {
            // One that cannot be read was refused before.
            let text = fs::read(other).unwrap_or_default();
            add(&format!("with {}", other.display()), hash(&text));
        }
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
        Identity(all)
    }
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
