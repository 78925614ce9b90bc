//! `tilewright cc`: in front of a C compiler.

use super::made;
use crate::arguments::{CcArguments, ThreadChoice};
use crate::commands::milliseconds;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tilewright_driver::launch::invocation::Invocation;
use tilewright_driver::launch::{Launch, behind};

/// What shells say of a program that cannot be started.
const NOT_FOUND: u8 = 127;
/// The compiler unless one is named.
const USUAL: &str = "cc";
/// Parts of the names of compilers.
const COMPILERS: [&str; 5] = ["cc", "gcc", "clang", "c99", "c17"];
/// How long a link with OpenMP may take, when it is tried.
const LINK: Duration = Duration::from_secs(20);

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
        let made = made(call, source, threads, limit, None);
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
