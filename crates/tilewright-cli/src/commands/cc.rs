//! `tilewright cc`: in front of a C compiler.
//!
//! Each file's text is made by a process of its own ([`text`]), which may crash or be ended when the time is
//! over; the compiler then gets the original.

use super::{Outcome, Work, milliseconds};
use crate::apart;
use crate::arguments::{CcArguments, TextArguments, ThreadChoice};
use crate::progress::Progress;
use crate::terminal::Failure;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use tilewright::codegen::c::PARALLEL;
use tilewright::compile::{Compiled, Options, Target};
use tilewright::frontend::c::rewrite::Edit;
use tilewright::source::{Chosen, Macro, Source};
use tilewright_driver::cache::{Cache, Parts};
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::process;
use tilewright_driver::host::toolchain::Toolchain;
use tilewright_driver::launch::invocation::Invocation;
use tilewright_driver::launch::lines::{self, Marks};
use tilewright_driver::launch::{LIBRARY, Launch, Made, behind, given, in_one, preamble};

/// What shells say of a program that cannot be started.
const NOT_FOUND: u8 = 127;
/// The compiler unless one is named.
const USUAL: &str = "cc";
/// Parts of the names of compilers.
const COMPILERS: [&str; 5] = ["cc", "gcc", "clang", "c99", "c17"];
/// Seconds that a region may take: builds have many.
const REGION: f64 = 1.0;
/// How long a link with OpenMP may take, when it is tried.
const LINK: Duration = Duration::from_secs(20);

/// What a process of its own says of a text.
const THREADS: &str = "threads";
const PRAGMAS: &str = "pragmas";

/// Does what the compiler was called for, and ends as it does.
pub fn run(arguments: &CcArguments) -> ExitCode {
    let Some(call) = Invocation::of(arguments.words.clone()) else {
        return ExitCode::from(NOT_FOUND);
    };
    let launch = Launch {
        threads: arguments.threads == ThreadChoice::Auto,
        limit: LINK,
    };
    let limit = Duration::from_secs_f64(arguments.time_limit);
    let mut make = |call: &Invocation, source: usize, threads: bool| {
        let begin = Instant::now();
        let made = made(call, source, threads, limit);
        if let Some(log) = &arguments.log {
            let said = match &made {
                Ok((_, said)) | Err(said) => said.clone(),
            };
            let entry = json!({
                "file": call.path(source),
                "directory": std::env::current_dir().unwrap_or_default(),
                "ms": milliseconds(begin),
                "result": said,
            });
            note(log, &entry);
        }
        made.ok()?.0
    };
    match launch.run(&call, &mut make) {
        Ok(status) => {
            let code = status.code().or_else(|| Some(128 + status.signal()?));
            ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
        }
        Err(error) => {
            let program = call.compiler.join(" ".as_ref());
            eprintln!(
                "tilewright: cannot start {}: {error}",
                program.to_string_lossy()
            );
            ExitCode::from(NOT_FOUND)
        }
    }
}

/// The words of a command line, where the program may be called by the name of a compiler: this one's own
/// `tilewright-cc`, or that of a link to it, which stands for the next program of the name in the search path.
///
/// # Errors
/// There is none.
pub fn by_name(words: Vec<OsString>) -> Result<Vec<OsString>, ExitCode> {
    let own = |words: &[OsString], compiler: OsString| {
        let front = ["tilewright".into(), "cc".into(), compiler];
        [&front, words].concat()
    };
    let Some((program, rest)) = words.split_first() else {
        return Ok(words);
    };
    let name = Path::new(program).file_name().unwrap_or_default();
    if name == "tilewright-cc" {
        // The first word is a compiler, or an argument of the usual one.
        let is_compiler = |word: &OsString| {
            let path = Path::new(word);
            !word.as_encoded_bytes().starts_with(b"-") && path.extension().is_none()
        };
        return Ok(match rest.split_first() {
            Some((compiler, rest)) if is_compiler(compiler) => own(rest, compiler.clone()),
            _ => own(rest, USUAL.into()),
        });
    }
    let parts = name.to_str().unwrap_or_default().split('-');
    if !parts.clone().any(|part| COMPILERS.contains(&part)) {
        return Ok(words);
    }
    match std::env::current_exe()
        .ok()
        .and_then(|here| behind(name, &here))
    {
        Some(compiler) => Ok(own(rest, compiler.into())),
        None => {
            let name = name.to_string_lossy();
            eprintln!("tilewright: there is no other {name} in the search path");
            Err(ExitCode::from(NOT_FOUND))
        }
    }
}

/// Adds a line to the log. Builds add many at once, each in one piece; one that cannot be written is lost.
fn note(log: &Path, entry: &Value) {
    let file = fs::OpenOptions::new().create(true).append(true).open(log);
    if let Ok(mut file) = file {
        let _ = file.write_all(format!("{entry}\n").as_bytes());
    }
}

/// Has a text made in a process of its own; it, if there is one, and what is to be said of it.
fn made(
    call: &Invocation,
    source: usize,
    threads: bool,
    limit: Duration,
) -> Result<(Option<Made>, Value), Value> {
    let failed = |why: &str| json!({ "left": why });
    let folder = tempfile::tempdir().map_err(|_| failed("there is no place for files"))?;
    let output = folder.path().join("text.c");
    let own = std::env::current_exe().map_err(|_| failed("the program is gone"))?;
    let mut command = Command::new(own);
    command.args(["cc-text", "--source", &source.to_string(), "--output"]);
    command.arg(&output);
    command.args(["--time-limit", &REGION.to_string()]);
    if !threads {
        command.args(["--target", "c"]);
    }
    command.arg("--").args(&call.compiler).args(&call.arguments);
    apart::with_small_pages(&mut command);
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

/// Makes a text of one file, and says so.
pub fn text(arguments: &TextArguments) -> Result<Outcome, Failure> {
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
    let loops = |text: &[u8]| {
        [&b"for"[..], b"while"]
            .iter()
            .any(|word| text.windows(word.len()).any(|part| part == *word))
    };
    if fs::read(path).is_ok_and(|bytes| !loops(&bytes)) {
        return left("it has no loops".to_owned());
    }
    let source = match preprocess(path, &toolchain) {
        Ok(source) => source,
        Err(error) => return left(error.message),
    };
    let has_pragmas =
        !given(&call) && (source.text.contains("_OPENMP") || has_pragmas(&source.preprocessed));
    let options = options(arguments, &call, has_pragmas)?;
    let standard = call.has_beginning("-pedantic") || call.has("-Wpedantic");
    let parts = Parts::new("cc")
        .with("name", &source.name)
        .with("text", &source.text)
        .with("preprocessed", &source.preprocessed)
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
    options.stays = true;
    // Pragmas that mean nothing in this build are not to mean something.
    if has_pragmas {
        options.target = Target::C;
    }
    if options.target != Target::C && !given(call) {
        options.library = Some(LIBRARY.to_owned());
    }
    Ok(options)
}

fn has_pragmas(preprocessed: &str) -> bool {
    preprocessed.lines().any(|line| {
        let words = line
            .trim_start()
            .strip_prefix('#')
            .map(str::split_whitespace);
        words.is_some_and(|mut words| words.next() == Some("pragma") && words.next() == Some("omp"))
    })
}

/// What is said of a file, on a line, and its text behind it.
fn written(work: &Work, options: &Options, standard: bool, has_pragmas: bool) -> String {
    let Work {
        source, compiled, ..
    } = work;
    let mut edits: Vec<Edit> = compiled.edits.clone();
    let threads = edits.iter().any(|edit| edit.text.contains(PARALLEL));
    let weak = threads && options.library.is_some();
    if weak {
        for edit in &mut edits {
            edit.text = edit.text.replace("omp_get_max_threads", "tw_max_threads");
        }
    }
    let said = json!({
        THREADS: threads,
        PRAGMAS: has_pragmas,
        "regions": regions(source, compiled),
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

/// What became of each region, and of what is none.
fn regions(source: &Source, compiled: &Compiled) -> Value {
    let line = |offset: usize| source.line_column(offset).0;
    let taken = compiled.regions.iter().map(|region| {
        json!({
            "function": region.function,
            "line": line(region.span.start),
            "taken": !region.order.groups.is_empty(),
            "left": region.original.left,
        })
    });
    let refused = compiled.warnings.iter().map(|warning| {
        let place = warning.labels.first().map(|label| line(label.start));
        json!({ "line": place, "code": warning.code, "message": warning.message })
    });
    taken.chain(refused).collect()
}
