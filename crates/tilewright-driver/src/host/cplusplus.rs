//! Files of C++: preprocessed by the C++ compiler, which also says what their names are
//! ([`tilewright::frontend::cpp`]), and asked whether it takes what comes out.

use crate::host::toolchain::{self, Toolchain};
use crate::host::{output, preprocess, process};
use std::env;
use std::io;
use std::path::Path;
use std::process::Command;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::frontend::cpp::{self, Lifted};
use tilewright::source::Source;

/// Extensions of files of C++.
const EXTENSIONS: [&str; 5] = ["cpp", "cc", "cxx", "c++", "C"];

/// Whether a file is C++, by its name.
pub fn is_cplusplus(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

/// Refuses a file of C++ where a command takes C only.
///
/// # Errors
/// It is one.
pub fn only_c(path: &Path) -> crate::Result<()> {
    if !is_cplusplus(path) {
        return Ok(());
    }
    let message = format!("{} is C++, which is compiled only", path.display());
    let help = "use `tilewright compile`, and build the result in place of the file";
    Err(Box::new(
        Diagnostic::error(Code::NotApplicable, message).help(help),
    ))
}

/// The C++ compiler: `$CXX`, or the C compiler that was named, or `c++`.
fn compiler(toolchain: &Toolchain) -> Toolchain {
    let given = toolchain.cc != Toolchain::from_environment().cc;
    let named = env::var("CXX").ok().filter(|name| !name.trim().is_empty());
    let cc = match given {
        true => toolchain.cc.clone(),
        false => named.unwrap_or_else(|| "c++".to_owned()),
    };
    Toolchain {
        cc,
        ..toolchain.clone()
    }
}

fn run(command: &mut Command, compiler: &Toolchain) -> crate::Result<process::Finished> {
    tracing::debug!(?command, "C++");
    process::run(command, compiler.limit).map_err(|error| cannot_start(compiler, &error))
}

/// What to say where there is no C++ compiler.
pub(super) fn cannot_start(compiler: &Toolchain, error: &io::Error) -> Box<Diagnostic> {
    let reason = output::words(error);
    let message = format!("cannot start the C++ compiler `{}`: {reason}", compiler.cc);
    let help = "install g++ or clang++, or name one in the environment variable CXX";
    Box::new(Diagnostic::error(Code::CompilerFailed, message).help(help))
}

/// A file of C++ as far as it was read, and what is wrong with it.
pub type Unlifted = (Option<Box<Source>>, Vec<Diagnostic>);

/// Reads a file of C++: its regions in C.
///
/// # Errors
/// The file cannot be read, the compiler refuses it, its pragmas do not pair up. With the file as far
/// as it was read.
pub fn lift(path: &Path, toolchain: &Toolchain) -> Result<(Source, Lifted), Unlifted> {
    let compiler = compiler(toolchain);
    let source =
        preprocess::preprocess_as(path, &compiler, "c++").map_err(|error| (None, vec![*error]))?;
    let lifted = lift_source(&source, path, &compiler);
    match lifted {
        Ok(lifted) => Ok((source, lifted)),
        Err(errors) => Err((Some(Box::new(source)), errors)),
    }
}

fn lift_source(
    source: &Source,
    path: &Path,
    compiler: &Toolchain,
) -> Result<Lifted, Vec<Diagnostic>> {
    let reading = cpp::read(source)?;
    let Some(question) = reading.question() else {
        return Ok(reading.lift(""));
    };
    let one = |error: Box<Diagnostic>| vec![*error];
    let file = output::passing(&env::temp_dir().join("tilewright"), ".ii").map_err(one)?;
    output::write(&file, question.as_bytes()).map_err(one)?;
    let mut command = compiler.command();
    command.args(compiler.preprocessor_flags());
    command
        .args(["-fsyntax-only", "-fmax-errors=0", "-x", "c++-cpp-output"])
        .arg(&*file);
    let finished = run(&mut command, compiler).map_err(one)?;
    let messages = String::from_utf8_lossy(&finished.stderr);
    if !finished.success() && !reading.is_answered(&messages) {
        // Is it the program, or the questions?
        let original = syntax(compiler, path, None).map_err(one)?;
        if !original.success() {
            return Err(vec![compiler.failure(&original, Some(source))]);
        }
    }
    Ok(reading.lift(&messages))
}

/// Why the compiler does not take a text.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Its first error.
    pub message: String,
    /// The line of the text, from 1.
    pub line: Option<usize>,
}

/// Asks the compiler whether it takes a text in place of a file.
///
/// # Errors
/// It does not.
pub fn check(text: &str, path: &Path, toolchain: &Toolchain) -> Result<(), Refused> {
    let compiler = compiler(toolchain);
    let of_machine = |error: Box<Diagnostic>| Refused {
        message: error.message,
        line: None,
    };
    let file = output::passing(&env::temp_dir().join("tilewright"), ".cpp").map_err(of_machine)?;
    output::write(&file, text.as_bytes()).map_err(of_machine)?;
    let directory = path
        .parent()
        .filter(|directory| !directory.as_os_str().is_empty());
    let finished = syntax(&compiler, &file, Some(directory.unwrap_or(Path::new("."))));
    let finished = finished.map_err(of_machine)?;
    if finished.success() {
        return Ok(());
    }
    let messages = String::from_utf8_lossy(&finished.stderr);
    let name = file.to_string_lossy();
    // Where it is about a template, the line is in the text all the same.
    let complaints = toolchain::complaints(&messages);
    let first = complaints.into_iter().find(|complaint| complaint.is_error);
    Err(Refused {
        line: first
            .as_ref()
            .filter(|first| first.file.as_deref() == Some(&*name))
            .map(|first| first.line),
        message: first.map_or_else(|| "it failed".to_owned(), |first| first.message),
    })
}

fn syntax(
    compiler: &Toolchain,
    file: &Path,
    includes: Option<&Path>,
) -> crate::Result<process::Finished> {
    let mut command = compiler.command();
    command.args(compiler.preprocessor_flags());
    command.args(["-fopenmp", "-fsyntax-only", "-w"]);
    if let Some(directory) = includes {
        command.arg("-iquote").arg(directory);
    }
    command.args(["-x", "c++"]).arg(file);
    run(&mut command, compiler)
}
