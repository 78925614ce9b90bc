//! `tilewright calibrate`

use super::{Outcome, report};
use crate::arguments::CalibrateArguments;
use crate::progress::Progress;
use crate::terminal::{Failure, print, print_json, say};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::plan::defaults;
use tilewright::plan::machine::{Machine, MachineFile};
use tilewright::plan::rates::Rates;
use tilewright_driver::calibrate::calibrate;
use tilewright_driver::host::machine::{default_file, this_machine};
use tilewright_driver::host::output;

/// Measures the rates of the time model and writes a machine file.
pub fn run(arguments: &CalibrateArguments, colour: bool) -> Result<Outcome, Failure> {
    let file = place(arguments)?;
    let printed = file == Path::new("-");
    if printed && arguments.json {
        let message = "--json and the machine file cannot both go to standard output";
        return Err(Failure::usage(message.to_owned()));
    }
    if !printed {
        output::check(&file, &[])?;
    }
    let mut machine = this_machine();
    if let Some(threads) = arguments.threads {
        machine.cores = i64::from(threads);
    }
    let toolchain = arguments.toolchain();
    let progress = Progress::new(colour);
    let rates = calibrate(&toolchain, &machine, arguments.seconds, &mut |what| {
        progress.at(format!("measure: {what}"));
    });
    progress.end();
    let rates = rates?;
    for note in notes(rates) {
        say(format_args!("note: {note}"));
    }
    let setting = format!(
        "{}, `{} {}`",
        threads(machine.cores),
        toolchain.cc,
        toolchain.cflags.join(" ")
    );
    let saved = saved(&machine, rates, &setting)?;
    if printed {
        print(&saved)?;
        return Ok(Outcome::Done);
    }
    output::write(&file, saved.as_bytes())?;
    if arguments.json {
        print_json(&json!({
            "machine": machine,
            "rates": rates,
            "built_in": defaults::RATES,
            "cc": toolchain.cc,
            "cflags": toolchain.cflags.join(" "),
            "file": file,
        }))?;
    } else {
        print(&text(rates, &setting, &file, arguments.output.is_none()))?;
    }
    Ok(Outcome::Done)
}

/// Where the machine file goes; the directory of the default one is made.
fn place(arguments: &CalibrateArguments) -> Result<PathBuf, Failure> {
    if let Some(file) = &arguments.output {
        return Ok(file.clone());
    }
    let refuse = |reason: String| {
        let diagnostic = Diagnostic::error(Code::UnwritableOutput, reason);
        Failure::from(Box::new(
            diagnostic.help("name a machine file with --output"),
        ))
    };
    let file = default_file();
    let file = file.ok_or_else(|| {
        refuse("neither XDG_CONFIG_HOME nor HOME says where the machine file goes".to_owned())
    })?;
    if let Some(directory) = file.parent() {
        fs::create_dir_all(directory)
            .map_err(|error| refuse(format!("cannot make {}: {error}", directory.display())))?;
    }
    Ok(file)
}

/// How many times the built-in rate a measured one may be before there is a note: more than
/// machines differ by, and less than what comes out where threads have to wait for each other
/// because other programs have the processors.
const ODD: f64 = 20.0;

/// What looks as if other programs had been at work.
fn notes(rates: Rates) -> Vec<String> {
    let odd = rows(rates).into_iter().filter(|row| row.1 > ODD * row.2);
    let note = |(name, measured, built_in, _): (&str, f64, f64, &str)| {
        format!(
            "`{name}` is {:.0} times the built-in rate: if the machine does other work, measure \
             again when it does not, or take the line out of the file",
            measured / built_in
        )
    };
    odd.map(note).collect()
}

/// Name, measured rate, built-in rate and unit.
fn rows(rates: Rates) -> [(&'static str, f64, f64, &'static str); 6] {
    let built_in = defaults::RATES;
    [
        ("memory", rates.memory, built_in.memory, "ns per byte"),
        ("cache-l3", rates.cache_l3, built_in.cache_l3, "ns per byte"),
        ("cache-l2", rates.cache_l2, built_in.cache_l2, "ns per byte"),
        (
            "operation",
            rates.operation,
            built_in.operation,
            "ns per operation, vectors of 64 bytes",
        ),
        ("row", rates.row, built_in.row, "ns per row of a tile"),
        (
            "region",
            rates.region,
            built_in.region,
            "ns per parallel loop",
        ),
    ]
}

fn threads(count: i64) -> String {
    match count {
        1 => "1 thread".to_owned(),
        count => format!("{count} threads"),
    }
}

fn saved(machine: &Machine, rates: Rates, setting: &str) -> Result<String, Failure> {
    let text = MachineFile::new(machine, rates)
        .to_toml()
        .map_err(|reason| {
            let message = format!("the machine file cannot be written: {reason}");
            Box::new(Diagnostic::error(Code::Internal, message))
        })?;
    let vector = defaults::RATED_VECTOR;
    Ok(format!(
        "# Measured by `tilewright calibrate`: {setting}\n\
         # Sizes are bytes, rates nanoseconds of one core; that of an operation is for vectors of \
         {vector} bytes.\n\n{text}"
    ))
}

fn text(rates: Rates, setting: &str, file: &Path, is_default: bool) -> String {
    let mut table = report::table(["", "measured", "built in", ""]);
    for (name, measured, built_in, unit) in rows(rates) {
        table.add_row([
            name.into(),
            report::number(report::significant(measured)),
            report::number(report::significant(built_in)),
            unit.into(),
        ]);
    }
    let used = if is_default {
        "from now on all commands plan with it".to_owned()
    } else {
        format!("to plan with it, add --machine {}", file.display())
    };
    format!(
        " {setting}\n\n{}\n written to {}; {used}\n",
        report::lines(&table),
        file.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_rates_are_noted() {
        assert!(notes(defaults::RATES).is_empty());
        let rates = Rates {
            region: 5e6,
            ..defaults::RATES
        };
        let notes = notes(rates);
        assert_eq!(notes.len(), 1);
        assert!(notes[0].starts_with("`region` is 2500 times"), "{notes:?}");
    }
}
