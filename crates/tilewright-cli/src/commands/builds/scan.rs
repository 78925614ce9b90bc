//! `tilewright scan`: the loops of a program's files, and what would become of them.

use super::{NESTS, made};
use crate::arguments::{ScanArguments, ThreadChoice};
use crate::commands::{Outcome, report};
use crate::progress::Progress;
use crate::terminal::{Failure, print, print_json};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use tilewright_driver::host::toolchain::split;
use tilewright_driver::launch::database::{self, Entry};
use tilewright_driver::launch::invocation::Invocation;
use tilewright_driver::launch::nests::{Nest, State};

/// What is known of a file.
struct File {
    path: PathBuf,
    nests: Vec<Nest>,
    /// Why nothing is known of its loops.
    left: Option<String>,
}

/// Looks at all files, some side by side.
pub fn run(arguments: &ScanArguments, colour: bool) -> Result<Outcome, Failure> {
    let entries = entries(arguments)?;
    let progress = Progress::new(colour);
    let next = AtomicUsize::new(0);
    let files: Mutex<BTreeMap<usize, File>> = Mutex::default();
    let most = thread::available_parallelism().map_or(1, usize::from);
    let limit = Duration::from_secs_f64(arguments.time_limit);
    let threads = arguments.threads == ThreadChoice::Auto;
    thread::scope(|scope| {
        for _ in 0..most.min(entries.len()) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(entry) = entries.get(number) else {
                        break;
                    };
                    let file = scanned(entry, threads, limit);
                    if let Ok(mut files) = files.lock() {
                        files.insert(number, file);
                        progress.run("scan", files.len(), entries.len());
                    }
                }
            });
        }
    });
    progress.end();
    let files: Vec<File> = files
        .into_inner()
        .unwrap_or_default()
        .into_values()
        .collect();
    if arguments.json {
        print_json(&as_json(&files))?;
    } else {
        print(&table(&files))?;
    }
    Ok(Outcome::Done)
}

/// How each file is compiled, with optimisation.
fn entries(arguments: &ScanArguments) -> Result<Vec<Entry>, Failure> {
    if let Some(build) = &arguments.build {
        let mut entries = database::read(build)?;
        let same = |entry: &Entry, file: &Path| {
            let path = entry.directory.join(&entry.file);
            path == file
                || file
                    .canonicalize()
                    .is_ok_and(|file| path.canonicalize().is_ok_and(|path| path == file))
        };
        if !arguments.files.is_empty() {
            entries.retain(|entry| arguments.files.iter().any(|file| same(entry, file)));
        }
        return Ok(entries);
    }
    let toolchain = arguments.c.toolchain();
    let here = std::env::current_dir().unwrap_or_default();
    let of = |file: &PathBuf| {
        let mut words: Vec<OsString> = split(&toolchain.cc)
            .into_iter()
            .map(OsString::from)
            .collect();
        let folders = toolchain
            .include_dirs
            .iter()
            .flat_map(|folder| ["-I".into(), folder.into()]);
        words.extend(folders);
        words.extend(
            toolchain
                .defines
                .iter()
                .flat_map(|define| ["-D".into(), define.into()]),
        );
        words.extend(["-c".into(), file.into()]);
        Entry {
            directory: here.clone(),
            file: file.clone(),
            words,
        }
    };
    Ok(arguments.files.iter().map(of).collect())
}

fn scanned(entry: &Entry, threads: bool, limit: Duration) -> File {
    let path = entry.directory.join(&entry.file);
    let left = |why: &str| File {
        path: entry.file.clone(),
        nests: Vec::new(),
        left: Some(why.to_owned()),
    };
    if !path.is_file() {
        return left("there is no such file");
    }
    let Some(call) = Invocation::of(entry.words.clone()) else {
        return left("nothing is said of how it is compiled");
    };
    let own = |source: &&usize| {
        call.path(**source) == entry.file || entry.directory.join(call.path(**source)) == path
    };
    let Some(&source) = call.sources.iter().find(own) else {
        return left("its compiler is not given the file");
    };
    let said = match made(&call, source, threads, limit, Some(&entry.directory)) {
        Ok((_, said)) | Err(said) => said,
    };
    if let Some(why) = said.get("left").and_then(Value::as_str) {
        return left(why);
    }
    let nests = said.get(NESTS).cloned().map(serde_json::from_value);
    File {
        path: entry.file.clone(),
        nests: nests.and_then(Result::ok).unwrap_or_default(),
        left: None,
    }
}

fn as_json(files: &[File]) -> Value {
    let files = files
        .iter()
        .map(|file| json!({ "file": file.path, "left": file.left, "nests": file.nests }));
    json!({ "files": files.collect::<Vec<_>>() })
}

/// The loops that are taken, those with the greatest gain first; how many others there are, and why.
fn table(files: &[File]) -> String {
    let mut all: Vec<(&File, &Nest)> = files
        .iter()
        .flat_map(|file| file.nests.iter().map(move |nest| (file, nest)))
        .collect();
    let gain = |nest: &Nest| nest.gain.unwrap_or(1.0);
    all.sort_by(|(_, a), (_, b)| gain(b).total_cmp(&gain(a)));
    let mut table = report::table([
        "loops",
        "function",
        "on one thread",
        "threads",
        "compared at run time",
    ]);
    let mut reasons: BTreeMap<(State, &str), usize> = BTreeMap::new();
    let mut counts: BTreeMap<State, usize> = BTreeMap::new();
    for (file, nest) in all {
        *counts.entry(nest.state).or_default() += 1;
        if nest.state != State::Taken {
            let why = nest.code.as_deref().or(nest.why.as_deref()).unwrap_or("");
            *reasons.entry((nest.state, why)).or_default() += 1;
            continue;
        }
        let threads = if nest.threads_alone { "alone" } else { "" };
        let gain = nest.gain.map_or(String::new(), |gain| format!("{gain:.2}"));
        table.add_row([
            format!("{}:{}", file.path.display(), nest.line).into(),
            nest.function.clone().into(),
            report::number(gain),
            threads.into(),
            nest.assumes.join(", ").into(),
        ]);
    }
    let count = |state: State| counts.get(&state).copied().unwrap_or(0);
    let mut text = String::new();
    if count(State::Taken) > 0 {
        text += &report::lines(&table);
        text += "\nOn one thread: the time that is predicted for the loops as they are over that of their new \
                 text, where a model decided. Alone: only threads are gained.\n\n";
    }
    let read = files.iter().filter(|file| file.left.is_none()).count();
    let _ = writeln!(
        text,
        "{read} of {} files: {} runs of loops have another text, {} stay as there is nothing to gain, {} places have no model.",
        files.len(),
        count(State::Taken),
        count(State::Left),
        count(State::Refused)
    );
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|((state, _), count)| (*state, usize::MAX - count));
    for ((state, why), count) in reasons {
        let what = if state == State::Left {
            "stay"
        } else {
            "no model"
        };
        let _ = writeln!(text, "{count:6}  {what}: {why}");
    }
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for why in files.iter().filter_map(|file| file.left.as_deref()) {
        *left.entry(why).or_default() += 1;
    }
    for (why, count) in left {
        let _ = writeln!(text, "{count:6}  files: {why}");
    }
    text
}
