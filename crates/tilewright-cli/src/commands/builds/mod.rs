//! Files of builds: `cc` compiles them, `scan` says what would become of them.
//!
//! Each file's text is made by a process of its own ([`text`]), which may crash or be ended when the time is
//! over; the compiler then gets the original.

pub mod cc;
pub mod scan;
pub mod text;

use crate::apart;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tilewright_driver::host::process;
use tilewright_driver::launch::Made;
use tilewright_driver::launch::invocation::Invocation;

/// Seconds that a region may take: builds have many.
const REGION: f64 = 1.0;

/// What a process of its own says of a text.
const THREADS: &str = "threads";
const PRAGMAS: &str = "pragmas";
const NESTS: &str = "nests";

/// Has a text made in a process of its own; it, if there is one, and what is to be said of it.
pub fn made(
    call: &Invocation,
    source: usize,
    threads: bool,
    limit: Duration,
    directory: Option<&Path>,
) -> Result<(Option<Made>, Value), Value> {
    let failed = |why: &str| json!({ "left": why });
    let path = directory.unwrap_or(Path::new("")).join(call.path(source));
    if fs::read(path).is_ok_and(|text| !has_loops(&text)) {
        return Err(failed("it has no loops"));
    }
    let folder = tempfile::tempdir().map_err(|_| failed("there is no place for files"))?;
    let output = folder.path().join("text.c");
    let own = std::env::current_exe().map_err(|_| failed("the program is gone"))?;
    let mut command = Command::new(own);
    command.args(["cc-text", "--source", &source.to_string(), "--output"]);
    command.arg(&output);
    command.args(["--time-limit", &REGION.to_string()]);
    if !threads {
        command.arg("--alone");
    }
    command.arg("--").args(&call.compiler).args(&call.arguments);
    apart::with_small_pages(&mut command);
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    let finished = process::run(&mut command, limit);
    let finished = finished.map_err(|_| failed("no process could be started"))?;
    let Some(status) = finished.status else {
        return Err(failed("it took too long"));
    };
    if !status.success() {
        return Err(failed("the compiler of loops crashed"));
    }
    let said: Value =
        serde_json::from_slice(&finished.stdout).map_err(|_| failed("it said nothing"))?;
    let flag = |name: &str| said.get(name).and_then(Value::as_bool).unwrap_or(false);
    let made = fs::read_to_string(&output).ok().map(|text| Made {
        text,
        threads: flag(THREADS),
        has_pragmas: flag(PRAGMAS),
    });
    Ok((made, said))
}

/// Whether a text has words that loops begin with; most of a build's smallest files do not.
fn has_loops(text: &[u8]) -> bool {
    let has = |word: &[u8]| text.windows(word.len()).any(|part| part == word);
    has(b"for") || has(b"while")
}
