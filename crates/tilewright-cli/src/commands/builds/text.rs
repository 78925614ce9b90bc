//! The process that makes a text of one file of a build.

use super::{NESTS, PRAGMAS, THREADS};
use crate::arguments::TextArguments;
use crate::commands::{Outcome, Work};
use crate::progress::Progress;
use crate::terminal::Failure;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tilewright::codegen::c::PARALLEL;
use tilewright::compile::{BuildOptions, Options};
use tilewright::frontend::c::rewrite::Edit;
use tilewright::source::{Chosen, Macro, Source};
use tilewright_driver::cache::{Cache, Parts};
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::Toolchain;
use tilewright_driver::launch::invocation::Invocation;
use tilewright_driver::launch::lines::{self, Marks};
use tilewright_driver::launch::nests::nests;
use tilewright_driver::launch::{LIBRARY, given, in_one, names_openmp, preamble};

/// Makes a text of one file, and says so.
pub fn run(arguments: &TextArguments) -> Result<Outcome, Failure> {
    let left = |why: String| {
        println!("{}", json!({ "left": why }));
        Ok(Outcome::Done)
    };
    let Some(call) = Invocation::of(arguments.words.clone()) else {
        return left("there is no compiler".to_owned());
    };
    let Some(toolchain) = toolchain(&call) else {
        return left("its arguments are no text".to_owned());
    };
    let path = call.path(arguments.source);
    if arguments.alone && given(&call) {
        return left("the build has threads of its own".to_owned());
    }
    let source = match preprocess(path, &toolchain) {
        Ok(source) => source,
        Err(error) => return left(error.message),
    };
    let has_pragmas = !given(&call) && has_pragmas(&source);
    let options = options(arguments, &call, has_pragmas)?;
    let standard = call.has_beginning("-pedantic") || call.has("-Wpedantic");
    let parts = Parts::new("cc")
        .with("name", &source.name)
        .with("text", &source.text)
        .with("preprocessed", behind_command_line(&source.preprocessed))
        .with("macros", &format!("{:?} {standard}", named(&source)));
    let key = parts.compiled_with(&options, None).key();
    let made = Cache::open().text(&key, || {
        let work = Work::of(source, 0.0, &options, None, &Progress::new(false));
        Ok::<_, String>(match work {
            Ok(work) => written(&work, &options, standard, has_pragmas),
            Err(Failure::Refused(refusal)) => {
                let first = refusal.diagnostics.first();
                let why = first.map_or(String::new(), |one| one.message.clone());
                format!("{}\n", json!({ "left": why }))
            }
            Err(_) => format!("{}\n", json!({ "left": "its arguments do not fit" })),
        })
    });
    let made = made.unwrap_or_default();
    let (said, text) = made.split_once('\n').unwrap_or((&made, ""));
    if !text.is_empty() && fs::write(&arguments.output, text).is_err() {
        return left("there is no place for the text".to_owned());
    }
    println!("{said}");
    Ok(Outcome::Done)
}

/// A preprocessed text without what stands in front of it for the macros of the command line, which
/// [`named`] knows.
fn behind_command_line(preprocessed: &str) -> &str {
    let mut behind = 0;
    let mut at = 0;
    for line in preprocessed.split_inclusive('\n') {
        at += line.len();
        let marks = line.starts_with("# ") && line.contains('"');
        if marks && line.contains("\"<command-line>\"") {
            behind = at;
        } else if !marks && !line.trim().is_empty() {
            break;
        }
    }
    &preprocessed[behind..]
}

/// The macros that may make a difference to a text: those that it names, and those that what is generated
/// may name, in which nothing is in capitals but what the text names. Builds have many more, as for objects
/// of a shared library.
fn named(source: &Source) -> Vec<&Macro> {
    let words: BTreeSet<&str> = source
        .text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .collect();
    let in_capitals = |name: &str| !name.contains(|c: char| c.is_ascii_lowercase());
    let all = source.macros.iter();
    all.filter(|one| !in_capitals(&one.name) || words.contains(&*one.name))
        .collect()
}

/// The compiler of a build, as it sees a file.
fn toolchain(call: &Invocation) -> Option<Toolchain> {
    let flags = call.for_preprocessor();
    let exact: Option<Vec<String>> = flags
        .iter()
        .map(|flag| flag.to_str().map(str::to_owned))
        .collect();
    Some(Toolchain {
        cc: in_one(&call.compiler)?,
        cflags: Vec::new(),
        chosen: Chosen::Loops,
        exact: Some(exact?),
        ..Toolchain::default()
    })
}

fn options(
    arguments: &TextArguments,
    call: &Invocation,
    has_pragmas: bool,
) -> Result<Options, Failure> {
    arguments.plan.check()?;
    let mut options = arguments.plan.options(&arguments.plan.model.known()?);
    options.limits.region_time = arguments.limits.region();
    // Pragmas that mean nothing in this build are not to mean something.
    let alone = arguments.alone || has_pragmas;
    options.build = BuildOptions {
        library: (!alone && !given(call) && !call.links).then(|| LIBRARY.to_owned()),
        stays: true,
        alone,
    };
    Ok(options)
}

/// Whether the file or one of the program's that it includes has pragmas of OpenMP, or asks whether it is
/// built with it.
fn has_pragmas(source: &Source) -> bool {
    let mut seen = BTreeSet::new();
    let files = source.preprocessed.lines().filter_map(|line| {
        let mut quotes = line.strip_prefix("# ")?.split('"');
        let (name, flags) = (quotes.nth(1)?, quotes.next()?);
        // Those of the system are the same either way.
        let system = flags.split_whitespace().any(|flag| flag == "3");
        (!system && seen.insert(name)).then(|| Path::new(name))
    });
    source.has_openmp() || files.into_iter().any(names_openmp)
}

/// What is said of a file, on a line, and its text behind it.
fn written(work: &Work, options: &Options, standard: bool, has_pragmas: bool) -> String {
    let Work {
        source, compiled, ..
    } = work;
    let mut edits: Vec<Edit> = compiled.edits.clone();
    let parallel = edits.iter().any(|edit| edit.text.contains(PARALLEL));
    let threads = parallel && !options.build.alone;
    let weak = threads && options.build.library.is_some();
    if weak {
        for edit in &mut edits {
            edit.text = edit.text.replace("omp_get_max_threads", "tw_max_threads");
        }
    }
    let said = json!({
        THREADS: threads,
        PRAGMAS: has_pragmas,
        NESTS: nests(source, compiled),
    });
    let text = match edits.is_empty() {
        true => String::new(),
        false => {
            let marks = Marks {
                name: &source.name,
                standard,
            };
            let front = if weak { preamble() } else { String::new() };
            front + &lines::marked(&source.text, &edits, marks)
        }
    };
    format!("{said}\n{text}")
}
