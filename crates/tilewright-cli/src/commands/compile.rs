//! `tilewright compile`

mod fixes;
mod remarks;

use super::Outcome;
use crate::arguments::{CompileArguments, Emit};
use crate::progress::Progress;
use crate::terminal::{Failure, print, print_json};
use serde_json::json;
use std::path::Path;
use tilewright::compile::{Compiled, CompiledRegion, Options, Target};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright_driver::diagnostics;
use tilewright_driver::host::cplusplus::is_cplusplus;
use tilewright_driver::host::output;

/// Compiles a file and writes the result; once this `crashed`, as it was.
pub fn run(arguments: &CompileArguments, crashed: bool, colour: bool) -> Result<Outcome, Failure> {
    let standard = arguments.output == Path::new("-");
    if standard && arguments.json {
        let message = "--json prints a report where the result would go: add --output FILE";
        return Err(Failure::usage(message.to_owned()));
    }
    if !standard && arguments.file.exists() {
        let plan = arguments.plan.plan.as_deref();
        let inputs: Vec<&Path> = [&*arguments.file].into_iter().chain(plan).collect();
        output::check(&arguments.output, &inputs)?;
    }
    let options = options(arguments, crashed)?;
    let remarks = arguments.remarks.as_deref();
    let remarks = match remarks.map(remarks::Format::of).transpose()? {
        Some(format) => remarks.zip(Some(format)),
        None => None,
    };
    let progress = Progress::new(colour);
    let plan = arguments.plan.plan.as_deref();
    if is_cplusplus(&arguments.file) && !arguments.others.with.is_empty() {
        let message = "--with says what functions of C do: leave it out for C++";
        return Err(Failure::usage(message.to_owned()));
    }
    let toolchain = arguments.others.added(arguments.c.toolchain());
    let (work, fixed) = fixes::work(arguments, &toolchain, &options, plan, &progress)?;
    work.check_estimates(&arguments.plan.model.estimates)?;
    progress.end();
    work.warn(colour);
    if let Some((path, format)) = remarks {
        let text = remarks::text(&work.compiled, &work.source, format);
        if path == Path::new("-") {
            eprint!("{text}");
        } else {
            output::check(path, &[&*arguments.file])?;
            output::write(path, text.as_bytes())?;
        }
    }
    let text = emitted(&work.compiled, arguments.emit, options.target)?;
    let extension = options.target.own_file();
    let extension = extension.filter(|_| arguments.emit == Emit::C);
    let beside = extension.zip(work.compiled.device.as_ref());
    let beside = beside.map(|(extension, text)| (arguments.output.with_extension(extension), text));
    if standard && beside.is_some() {
        let message = "the device has a file of its own: add --output FILE, or print it alone \
                       with --emit device";
        return Err(Failure::usage(message.to_owned()));
    }
    if let Some(fixed) = &fixed {
        fixed.write(&arguments.file)?;
        fixes::say(fixed);
    }
    if standard {
        print(&text)?;
    } else {
        output::write(&arguments.output, text.as_bytes())?;
        if let Some((path, text)) = &beside {
            output::write(path, text.as_bytes())?;
        }
    }
    if arguments.json {
        print_json(&json!({
            "file": arguments.file,
            "output": arguments.output,
            "regions": work.compiled.regions,
            "plan": work.compiled.plan,
            "preprocess_ms": work.preprocess_ms,
            "compile_ms": work.compile_ms,
            "steps": work.steps_json(),
            "fixed": fixed.as_ref().map_or(json!([]), fixes::to_json),
            "warnings": diagnostics::to_json(&work.compiled.warnings, Some(&work.source)),
        }))?;
    }
    Ok(Outcome::Done)
}

/// What is asked of the compiler.
pub fn options(arguments: &CompileArguments, crashed: bool) -> Result<Options, Failure> {
    arguments.plan.check()?;
    let mut options = Options {
        listings: matches!(arguments.emit, Emit::Scop | Emit::Schedule),
        untouched: crashed,
        ..arguments.plan.options(&arguments.plan.model.known()?)
    };
    options.limits.region_time = arguments.limits.region();
    Ok(options)
}

fn emitted(compiled: &Compiled, emit: Emit, target: Target) -> Result<String, Failure> {
    let of_regions = |text: fn(&CompiledRegion) -> &str| {
        let parts = compiled.regions.iter().map(|region| {
            let head = format!("# region {} in function {}", region.index, region.function);
            format!("{head}\n{}\n", text(region).trim_end())
        });
        parts.collect::<Vec<_>>().join("\n")
    };
    Ok(match emit {
        Emit::C => compiled.text.clone(),
        Emit::Device => match &compiled.device {
            Some(text) => text.clone(),
            None => {
                let message = match target.is_device() {
                    true => "no region of the file runs on the device",
                    false => "nothing runs on a device: choose one with `--target`",
                };
                return Err(Box::new(Diagnostic::error(Code::NotApplicable, message)).into());
            }
        },
        Emit::Scop => of_regions(|region| &region.listings.scop),
        Emit::Schedule => of_regions(|region| &region.listings.schedule),
        Emit::Plan => compiled.plan.to_toml().map_err(|reason| {
            let message = format!("the plan cannot be written: {reason}");
            Box::new(Diagnostic::error(Code::Internal, message))
        })?,
    })
}
