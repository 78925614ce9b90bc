//! `--fix`: the file with what its messages offer, compiled in its place.

use crate::arguments::CompileArguments;
use crate::commands::Work;
use crate::progress::Progress;
use crate::terminal::{Failure, say as print};
use serde_json::{Value, json};
use std::path::Path;
use tilewright::compile::Options;
use tilewright::source::Source;
use tilewright_driver::fix::{Fix, Fixed, Idle, Kept, fix, writable};
use tilewright_driver::host::cplusplus::is_cplusplus;
use tilewright_driver::host::toolchain::Toolchain;

/// Compiles a file, where that is asked for with what its messages offer. Where the file would be
/// refused with that, too, it is compiled as it is.
pub fn work(
    arguments: &CompileArguments,
    toolchain: &Toolchain,
    options: &Options,
    plan: Option<&Path>,
    progress: &Progress,
) -> Result<(Work, Option<Fixed>), Failure> {
    let file = &arguments.file;
    if arguments.fix && is_cplusplus(file) {
        let message = "--fix puts nothing into C++: leave it out";
        return Err(Failure::usage(message.to_owned()));
    }
    if arguments.fix && file.is_file() {
        writable(file)?;
        progress.at("fix");
        // What cannot be read or preprocessed is refused below.
        let in_vain = match fix(file, toolchain, options) {
            Ok(Fix::Done(fixed)) => {
                match Work::of(fixed.source.clone(), 0.0, options, plan, progress) {
                    Ok(work) => return Ok((work, Some(*fixed))),
                    Err(_) => true,
                }
            }
            Ok(Fix::Idle(source, idle)) => {
                progress.end();
                say_idle(&source, &idle);
                false
            }
            Ok(Fix::InVain) => true,
            Ok(Fix::Nothing) | Err(_) => false,
        };
        if in_vain {
            progress.end();
            print(format_args!(
                "{}: nothing is put in: with what is offered, the file would be refused, or the \
                 message would stay\n",
                file.display()
            ));
        }
    }
    let work = Work::new(file, toolchain, options, plan, progress)?;
    Ok((work, None))
}

/// Says on standard error what was put in, a line each.
pub fn say(fixed: &Fixed) {
    for kept in &fixed.kept {
        let (line, column) = fixed.source.line_column(kept.start);
        let one_line = |text: &str| text.replace('\n', "\\n");
        let promise = kept.promise.map_or(String::new(), |promise| {
            format!("; the program now promises that {promise}")
        });
        print(format_args!(
            "{}:{line}:{column}: {}: `{}` in place of `{}`{promise}",
            fixed.source.name,
            kept.code,
            one_line(&kept.rewrite),
            one_line(&kept.before),
        ));
    }
    say_idle(&fixed.source, &fixed.idle);
}

/// Says which promises are not put in.
fn say_idle(source: &Source, idle: &[Idle]) {
    for idle in idle.iter().rev() {
        let (line, column) = source.line_column(idle.start);
        let why = match &idle.why {
            Some(why) => format!("the region would be left as it was all the same: {why}"),
            None => "what is generated would be the same".to_owned(),
        };
        print(format_args!(
            "{}:{line}:{column}: {}: `{}` is not put in: {why}",
            source.name, idle.code, idle.rewrite,
        ));
    }
}

/// The same as JSON.
pub fn to_json(fixed: &Fixed) -> Value {
    let one = |kept: &Kept| {
        let mut value = json!(kept);
        let (line, column) = fixed.source.line_column(kept.start);
        value["line"] = json!(line);
        value["column"] = json!(column);
        value
    };
    fixed.kept.iter().map(one).collect()
}
