//! From a path to a [`Source`]: the file's text, and what the C preprocessor makes of it.

use crate::Result;
use crate::host::dialect::of_c11;
use crate::host::output::words;
use crate::host::process;
use crate::host::toolchain::Toolchain;
use crate::host::{input, wide};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::source::Source;

/// How long the preprocessor may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Definitions that take away what the parser does not know and the region cannot contain (of
/// attributes it does so itself), or say it in C11's words. Only the region is rewritten, in the
/// original text, so that nothing is lost. And the macro by which programs know that PENCIL's
/// statements are understood; and the one by which glibc leaves `isalpha` a function.
const DEFINED: [&str; 4] = [
    "-D__PENCIL__",
    "-D__NO_CTYPE",
    "-D__extension__=",
    "-D__thread=_Thread_local",
];

/// Reads a C file and runs the preprocessor on it; behind what that gives comes what the other files of
/// the program say of functions that this one calls.
///
/// # Errors
/// `TW0101` where the file cannot be read or is not UTF-8, `TW0103` with the preprocessor's own
/// words where it fails, `TW0501` where there is no C compiler.
pub fn preprocess(path: &Path, toolchain: &Toolchain) -> Result<Source> {
    let mut source = alone(path, toolchain)?;
    source.chosen = toolchain.chosen;
    if !toolchain.others.is_empty() {
        let others = toolchain.others.iter();
        let others: Result<Vec<Source>> = others.map(|other| alone(other, toolchain)).collect();
        let declared = tilewright::frontend::c::parse::others::declarations(&source, &others?)?;
        source.preprocessed += &format!("\n# 1 \"<other files>\" 1\n{declared}");
    }
    Ok(source)
}

/// The same without what other files define.
fn alone(path: &Path, toolchain: &Toolchain) -> Result<Source> {
    super::cplusplus::only_c(path)?;
    let source = preprocess_as(path, toolchain, "c")?;
    let preprocessed = wide::narrowed(&source.preprocessed);
    Ok(Source {
        preprocessed: of_c11(&preprocessed).into_owned(),
        ..source
    })
}

/// The same for a language, of which the preprocessor's output is as it is.
pub(super) fn preprocess_as(path: &Path, toolchain: &Toolchain, language: &str) -> Result<Source> {
    let text = read(path)?;
    let mut argument = OsString::from(path);
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        argument = Path::new(".").join(path).into_os_string();
    }
    let name = argument.to_string_lossy().into_owned();
    let mut command = toolchain.command();
    command
        .args(["-E", "-dD"])
        .args(toolchain.preprocessor_flags());
    if language == "c" {
        command.args(DEFINED);
    }
    command.args(["-x", language]).arg(&argument);
    tracing::debug!(?command, "preprocess");
    let finished =
        process::run(&mut command, toolchain.limit.min(LIMIT)).map_err(|error| match language {
            "c" => toolchain.cannot_start(&error),
            _ => super::cplusplus::cannot_start(toolchain, &error),
        })?;
    if finished.success() {
        let output = String::from_utf8_lossy(&finished.stdout);
        let mut source = Source::with_macros(name, text, &output);
        source.macros.retain(|one| !is_ours(&one.name));
        return Ok(source);
    }
    Err(Box::new(failure(&name, &text, &command, &finished)))
}

/// Whether it is only the parser that needs this macro.
fn is_ours(name: &str) -> bool {
    let mut defined = DEFINED
        .iter()
        .filter_map(|define| define.strip_prefix("-D"));
    defined.any(|define| define.split('=').next() == Some(name))
}

fn failure(name: &str, text: &str, command: &Command, finished: &process::Finished) -> Diagnostic {
    let program = command.get_program().to_string_lossy();
    if finished.too_much {
        let most = process::MOST_OUTPUT >> 20;
        let message = format!("`{program} -E` makes more than {most} MiB of {name}");
        let help = "macros that expand to each other several times may double the text each time";
        return Diagnostic::error(Code::Preprocessor, message).help(help);
    }
    if finished.status.is_none() {
        let message = format!("`{program} -E` did not come to an end on {name}");
        return Diagnostic::error(Code::Preprocessor, message);
    }
    let stderr = String::from_utf8_lossy(&finished.stderr);
    let complaints = crate::host::toolchain::complaints(&stderr);
    let Some(first) = complaints.iter().find(|complaint| complaint.is_error) else {
        let message = format!("the C preprocessor failed on {name}");
        let last = stderr.lines().last().unwrap_or("it said nothing");
        return Diagnostic::error(Code::Preprocessor, message).note(format!("{program}: {last}"));
    };
    let message = format!("the C preprocessor failed: {}", first.message);
    let mut diagnostic = Diagnostic::error(Code::Preprocessor, message);
    match first.span(name, text) {
        Some(span) => diagnostic = diagnostic.at(span, ""),
        None => diagnostic = diagnostic.note(format!("at {}", first.place())),
    }
    if first.message.contains("No such file") || first.message.contains("file not found") {
        diagnostic = diagnostic.help("give the directory of the included file with -I DIR");
    }
    diagnostic
}

fn read(path: &Path) -> Result<String> {
    let refuse = |message: String| Diagnostic::error(Code::MissingFile, message);
    let name = path.display();
    // The preprocessor reads it again.
    if let Some(reason) = input::unfit(path) {
        return Err(Box::new(refuse(format!("cannot read {name}: {reason}"))));
    }
    let bytes = input::bytes(path)
        .map_err(|error| Box::new(refuse(format!("cannot read {name}: {}", words(&error)))))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = bytes[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let message = format!(
            "cannot read {name}: line {line} holds the byte 0x{:02x}, which is not UTF-8",
            bytes[valid]
        );
        let help = "convert the file first, for example with `iconv -f LATIN1 -t UTF-8`";
        Box::new(refuse(message).help(help))
    })
}
