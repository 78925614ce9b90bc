//! `tilewright certify`

use super::{Outcome, preprocessed, readable};
use crate::arguments::CertifyArguments;
use crate::progress::Progress;
use crate::terminal::{Failure, print, print_json};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::source::Source;
use tilewright_certify::{Certificate, Options, Text, Verdict};
use tilewright_driver::host::toolchain::Toolchain;

/// Executes two files on the same inputs and says what differs.
pub fn run(arguments: &CertifyArguments, colour: bool) -> Result<Outcome, Failure> {
    let progress = Progress::new(colour);
    progress.at("preprocess");
    let toolchain = arguments.c.toolchain();
    let original = preprocessed(&arguments.original, &toolchain)?;
    let result = with_device(
        preprocessed_result(&arguments.result, &toolchain)?,
        arguments,
    );
    progress.at("certify");
    let options = Options {
        effort: arguments.effort.effort(),
        time: arguments.time.map(Duration::from_secs_f64),
        seed: arguments.seed,
        functions: (!arguments.function.is_empty()).then(|| arguments.function.clone()),
        ..Options::default()
    };
    let [first, second] = [&original, &result].map(|source| Text {
        name: &source.name,
        preprocessed: &source.preprocessed,
    });
    let certificate = tilewright_certify::certify(&first, &second, &options);
    progress.end();
    let outcome = match &certificate.verdict {
        Verdict::Equal => Outcome::Done,
        Verdict::Differs(_) => Outcome::Differs,
        Verdict::Unknown(why) => {
            let message = format!("the files cannot be compared: {why}");
            let diagnostic = Diagnostic::error(Code::Uncertified, message);
            return Err(Box::new(diagnostic).into());
        }
    };
    if arguments.json {
        print_json(&as_json(&certificate))?
    } else {
        print(&as_text(&certificate))?
    }
    Ok(outcome)
}

/// The result through the preprocessor. Where OpenCL is not installed, an empty header is in place of
/// its own: the certifier knows what it declares.
fn preprocessed_result(path: &Path, toolchain: &Toolchain) -> Result<Source, Failure> {
    let as_it_is = preprocessed(path, toolchain);
    if as_it_is.is_ok() || !readable(path).contains(OPENCL_HEADER) {
        return as_it_is;
    }
    let without = |folder: &Path| -> std::io::Result<Toolchain> {
        let header = folder.join(OPENCL_HEADER);
        fs::create_dir_all(header.parent().unwrap_or(folder))?;
        fs::write(header, "extern int opencl_is_not_installed;\n")?;
        let mut toolchain = toolchain.clone();
        toolchain.include_dirs.push(folder.to_owned());
        Ok(toolchain)
    };
    let found = tempfile::tempdir().and_then(|folder| {
        let toolchain = without(folder.path())?;
        Ok(preprocessed(path, &toolchain))
    });
    found.unwrap_or(as_it_is)
}

const OPENCL_HEADER: &str = "CL/cl.h";

/// The result with the file for CUDA or HIP beside it that it calls, if there is one: its lines have
/// the numbers behind those of the result.
fn with_device(result: Source, arguments: &CertifyArguments) -> Source {
    let beside = ["cu", "hip"].map(|extension| arguments.result.with_extension(extension));
    let Some(device) = beside.iter().find(|path| path.is_file()) else {
        return result;
    };
    let (name, lines) = (&result.name, result.text.lines().count() + 1);
    let device = readable(device);
    let preprocessed = format!(
        "# {lines} {name:?}\n{device}\n# 1 {name:?}\n{}",
        result.preprocessed
    );
    Source {
        preprocessed,
        ..result
    }
}

fn as_text(certificate: &Certificate) -> String {
    let coverage = &certificate.coverage;
    let mut text = match &certificate.verdict {
        Verdict::Differs(difference) => format!("differs: {difference}\n"),
        _ if certificate.runs == 0 => return "the same text; nothing was executed\n".to_owned(),
        _ => "equal on all inputs that were tried\n".to_owned(),
    };
    text += &format!(
        "{} inputs executed, {} more on which the original is undefined or takes too long; {} steps\n",
        certificate.runs, certificate.refused, certificate.steps
    );
    text += &format!(
        "{} of {} lines of the result were reached\n",
        coverage.reached, coverage.lines
    );
    if !coverage.never.is_empty() {
        let lines: Vec<String> = coverage.never.iter().map(u32::to_string).collect();
        text += &format!("never: {}\n", lines.join(", "));
    }
    text
}

fn as_json(certificate: &Certificate) -> serde_json::Value {
    let difference = match &certificate.verdict {
        Verdict::Differs(found) => json!({
            "function": found.function,
            "arguments": found.arguments,
            "kind": found.kind.to_string(),
            "place": found.place,
            "expected": found.expected,
            "found": found.found,
            "line": found.line,
            "execution": found.execution,
        }),
        _ => serde_json::Value::Null,
    };
    json!({
        "equal": matches!(certificate.verdict, Verdict::Equal),
        "difference": difference,
        "runs": certificate.runs,
        "refused": certificate.refused,
        "steps": certificate.steps,
        "lines": certificate.coverage.lines,
        "reached": certificate.coverage.reached,
        "never": certificate.coverage.never,
        "inputs": certificate.inputs,
    })
}
