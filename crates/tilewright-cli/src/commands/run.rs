//! `tilewright run`

use super::{Outcome, Work, milliseconds, report};
use crate::arguments::RunArguments;
use crate::diagnostics::{self, Renderer};
use crate::progress::Progress;
use crate::terminal::{Failure, print, print_json};
use clap::error::ErrorKind;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::frontend::c::interface::{ArgumentKind, Interface};
use tilewright_driver::data::picture;
use tilewright_driver::experiment::{self, DEFAULT_FLOAT, Experiment, Values};
use tilewright_driver::job::{Comparison, Timing};
use tilewright_driver::output;
use tilewright_driver::run::{Progress as Event, Runner};
use tilewright_driver::statistics::Times;

/// What came out.
struct Findings {
    comparison: Comparison,
    timing: Option<Timing>,
    build_ms: f64,
    notes: Vec<String>,
}

/// Compiles a file, runs original and result, compares and times.
pub fn run(arguments: &RunArguments, colour: bool) -> Result<Outcome, Failure> {
    let values = values(arguments)?;
    let inputs = files(&arguments.input, "--input")?;
    let outputs = files(&arguments.output, "--output")?;
    if arguments.file.exists() {
        let mut read: Vec<&Path> = inputs.iter().map(|(_, path)| &**path).collect();
        read.push(&arguments.file);
        for (_, path) in &outputs {
            output::check(path, &read)?;
        }
    }
    let toolchain = arguments.toolchain();
    let progress = Progress::new(colour);
    let options = arguments.plan.options();
    let plan = arguments.plan.plan.as_deref();
    let work = Work::new(&arguments.file, &toolchain, &options, plan, &progress)?;
    let interface = choose(&work.compiled.interfaces, arguments)?;
    check_names(interface, arguments, &values)?;

    let threads = match arguments.threads {
        Some(threads) => threads as usize,
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let program = std::env::current_exe().map_err(|error| {
        let message = format!("cannot find out where tilewright itself is: {error}");
        Box::new(Diagnostic::error(Code::Internal, message))
    })?;
    let runner = Runner {
        program,
        arguments: vec![OsString::from("measure")],
        threads,
        limit: Duration::from_secs_f64(arguments.time_limit),
    };
    let experiment = Experiment {
        source: &work.source,
        path: &arguments.file,
        result: &work.compiled.text,
        interface,
        toolchain: &toolchain,
        runner,
        values,
        fill: arguments.fill,
        seed: arguments.seed,
        inputs,
        outputs,
        runs: arguments.runs,
    };
    let found = measure(&experiment, &progress).map_err(|diagnostic| {
        progress.end();
        Failure::refused(vec![*diagnostic], Some(work.source.clone()))
    })?;
    progress.end();
    work.warn(colour);
    for note in &found.notes {
        eprintln!("note: {note}");
    }
    if arguments.json {
        print_json(&object(arguments, &work, &experiment, &found))?;
    } else {
        print(&text(&work, &experiment, &found))?;
    }
    if found.comparison.identical() {
        return Ok(Outcome::Done);
    }
    eprintln!(
        "{}",
        Renderer::new(colour).render(&difference(&found.comparison), None)
    );
    Ok(Outcome::Differs)
}

fn measure(
    experiment: &Experiment<'_>,
    progress: &Progress,
) -> tilewright_driver::Result<Findings> {
    progress.at("build");
    let begin = Instant::now();
    let built = experiment.build()?;
    let build_ms = milliseconds(begin);
    let mut notes: Vec<String> = Vec::new();
    let observe = |step: &'static str| {
        move |event: Event, notes: &mut Vec<String>| match event {
            Event::Call { side, of: 1, .. } => progress.at(format!("{step}: {}", side.name())),
            Event::Call { run, of, .. } | Event::Turn { run, of, .. } => {
                progress.run(step, run, of);
            }
            Event::At(what) => progress.at(format!("{step}: {what}")),
            Event::Note(note) if notes.contains(&note) => {}
            Event::Note(note) => notes.push(note),
        }
    };
    let check = observe("check");
    let comparison = experiment.check(&built, &mut |event| check(event, &mut notes))?;
    let time = observe("time");
    let timing = match experiment.runs {
        Some(0) => None,
        _ => Some(experiment.time(&built, &mut |event| time(event, &mut notes))?),
    };
    for (shape, difference) in &comparison.arrays {
        if difference.not_a_number > 0 {
            let (name, count, all) = (&shape.name, difference.not_a_number, shape.elements());
            notes.push(format!(
                "{count} of {all} elements of `{name}` are not a number: a function \
                 `{}_init` with the same parameters could fill the arrays better",
                experiment.interface.function
            ));
        }
    }
    Ok(Findings {
        comparison,
        timing,
        build_ms,
        notes,
    })
}

fn values(arguments: &RunArguments) -> Result<Values, Failure> {
    let mut values = Values::new();
    for (name, value) in &arguments.params {
        if values.insert(name.clone(), value.clone()).is_some() {
            return Err(Failure::usage(format!("--param {name} is given twice")));
        }
    }
    Ok(values)
}

fn files(given: &[(String, String)], option: &str) -> Result<Vec<(String, PathBuf)>, Failure> {
    let mut names = BTreeSet::new();
    let mut files = Vec::new();
    for (name, path) in given {
        let path = PathBuf::from(path);
        let npy = path.extension().is_some_and(|extension| extension == "npy");
        if !npy && !picture::is_picture(&path) {
            let known = picture::EXTENSIONS
                .map(|known| format!(".{known}"))
                .join(", ");
            let path = path.display();
            let message = format!("{option} {name}={path}: the name has to end in .npy, {known}");
            return Err(Failure::usage(message));
        }
        if !names.insert(name) && option == "--input" {
            return Err(Failure::usage(format!("{option} {name} is given twice")));
        }
        files.push((name.clone(), path));
    }
    Ok(files)
}

/// The function to run.
fn choose<'a>(
    interfaces: &'a [Interface],
    arguments: &RunArguments,
) -> Result<&'a Interface, Failure> {
    let names: Vec<&str> = interfaces.iter().map(|one| &*one.function).collect();
    let listed = names.join(", ");
    match (&arguments.function, interfaces) {
        (Some(name), _) => interfaces
            .iter()
            .find(|one| one.function == *name)
            .ok_or_else(|| {
                Failure::usage(format!(
                    "no region is in a function `{name}`; there are: {listed}"
                ))
            }),
        (None, [one]) => Ok(one),
        (None, []) => {
            let message = "the file has no function with a region that could be run";
            Err(Box::new(Diagnostic::error(Code::NoRegion, message)).into())
        }
        (None, _) => Err(Failure::Usage(
            ErrorKind::MissingRequiredArgument,
            format!("regions are in several functions: choose one with --function: {listed}"),
        )),
    }
}

/// Checks names and values that were given against what the function has.
fn check_names(
    interface: &Interface,
    arguments: &RunArguments,
    values: &Values,
) -> Result<(), Failure> {
    let function = &interface.function;
    let unfit = |message: String, note: String, help: Option<String>| {
        let mut diagnostic = Diagnostic::error(Code::BadParameter, message).note(note);
        diagnostic.help = help;
        Err(Failure::Unfit(Box::new(diagnostic)))
    };
    let there_are = |what: &str, names: &[String]| match names {
        [] => format!("it has no {what}"),
        names => format!("its {what} are {}", names.join(", ")),
    };
    let scalars = experiment::scalar_names(interface);
    for (name, text) in values {
        if !scalars.contains(name) {
            let message = format!("`{function}` has no scalar `{name}`");
            return unfit(message, there_are("scalars", &scalars), None);
        }
        let all = interface.arguments.iter().chain(&interface.globals);
        for argument in all.filter(|argument| argument.name == *name) {
            if let ArgumentKind::Scalar { ctype } = &argument.kind {
                experiment::parse(name, &ctype.spelling, ctype.kind, text)
                    .map_err(Failure::Unfit)?;
            }
        }
    }
    let arrays = experiment::array_names(interface);
    for (name, _) in arguments.input.iter().chain(&arguments.output) {
        if !arrays.contains(name) {
            let message = format!("`{function}` has no array `{name}`");
            return unfit(message, there_are("arrays", &arrays), None);
        }
    }
    let missing = experiment::missing(interface, values);
    if missing.is_empty() {
        return Ok(());
    }
    let mut names: Vec<String> = missing
        .iter()
        .map(|parameter| format!("`{} {}`", parameter.ctype, parameter.name))
        .collect();
    let last = names.pop().unwrap_or_default();
    let names = if names.is_empty() {
        last
    } else {
        format!("{} and {last}", names.join(", "))
    };
    let mut command = format!("tilewright run {}", arguments.file.display());
    for (name, value) in values {
        command += &format!(" --param {name}={value}");
    }
    for parameter in &missing {
        command += &format!(" --param {}={EXAMPLE}", parameter.name);
    }
    let message = format!("`{function}` needs values for {names}");
    let note = "sizes and other integers have no default".to_owned();
    unfit(message, note, Some(format!("for example: {command}")))
}

/// The value of parameters in an example.
const EXAMPLE: i64 = 1000;

fn difference(comparison: &Comparison) -> Diagnostic {
    let mut diagnostic =
        Diagnostic::error(Code::ResultDiffers, "the result differs from the original");
    for (shape, difference) in &comparison.arrays {
        let (Some(first), Some((original, result))) = (difference.first, &difference.values) else {
            continue;
        };
        let (name, count, all) = (&shape.name, difference.differing, shape.elements());
        let at = shape.subscripts(usize::try_from(first).unwrap_or(usize::MAX));
        diagnostic = diagnostic.note(format!(
            "{count} of {all} elements of `{name}`; first {name}{at}: {original} became {result}"
        ));
    }
    diagnostic
        .help("this is a mistake of tilewright: please report it with the file and the command")
}

/// Values of all scalars, given or by default.
fn parameters(experiment: &Experiment<'_>) -> Vec<(String, String)> {
    let defaulted = experiment::defaulted(experiment.interface, &experiment.values);
    let defaults = defaulted
        .into_iter()
        .map(|name| (name, DEFAULT_FLOAT.to_string()));
    experiment
        .values
        .clone()
        .into_iter()
        .chain(defaults)
        .collect()
}

fn object(
    arguments: &RunArguments,
    work: &Work,
    experiment: &Experiment<'_>,
    found: &Findings,
) -> Value {
    let times =
        |of: fn(&Timing) -> &Vec<f64>| found.timing.as_ref().map(|t| Times::new(of(t).clone()));
    let (original, result) = (times(|t| &t.original), times(|t| &t.result));
    let speedup = original
        .as_ref()
        .zip(result.as_ref())
        .map(|(o, r)| o.median / r.median);
    let arrays: Vec<Value> = found
        .comparison
        .arrays
        .iter()
        .map(|(shape, difference)| {
            json!({
                "name": shape.name,
                "extents": shape.extents,
                "differing": difference.differing,
                "first": difference.first,
                "max_abs_diff": difference.max_abs_diff,
                "not_a_number": difference.not_a_number,
            })
        })
        .collect();
    let number = |text: &String| {
        text.parse::<f64>().map_or_else(
            |_| json!(text),
            |value| {
                text.parse::<i64>()
                    .map_or_else(|_| json!(value), |value| json!(value))
            },
        )
    };
    let parameters: serde_json::Map<String, Value> = parameters(experiment)
        .iter()
        .map(|(name, text)| (name.clone(), number(text)))
        .collect();
    json!({
        "file": arguments.file,
        "function": experiment.interface.function,
        "identical": found.comparison.identical(),
        "max_abs_diff": found.comparison.max_abs_diff(),
        "threads": experiment.runner.threads,
        "original_ms": original,
        "result_ms": result,
        "speedup": speedup,
        "timed_max_abs_diff": found.timing.as_ref().map(|timing| timing.max_abs_diff),
        "params": parameters,
        "seed": experiment.seed,
        "arrays": arrays,
        "regions": work.compiled.regions,
        "plan": work.compiled.plan,
        "cc": experiment.toolchain.cc,
        "cflags": experiment.toolchain.cflags.join(" "),
        "preprocess_ms": work.preprocess_ms,
        "compile_ms": work.compile_ms,
            "steps": work.steps_json(),
        "build_ms": found.build_ms,
        "warnings": diagnostics::to_json(&work.compiled.warnings, Some(&work.source)),
        "notes": found.notes,
    })
}

fn text(work: &Work, experiment: &Experiment<'_>, found: &Findings) -> String {
    let mut text = String::new();
    let function = &experiment.interface.function;
    for region in work
        .compiled
        .regions
        .iter()
        .filter(|region| region.function == *function)
    {
        text += &report::stages(region);
        text += "\n";
        text += &report::groups(region);
        text += "\n";
    }
    let parameters: Vec<String> = parameters(experiment)
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let defaulted = experiment::defaulted(experiment.interface, &experiment.values);
    text += &format!(" {function}({})", parameters.join(", "));
    if !defaulted.is_empty() {
        text += &format!(", {} by default", defaulted.join(" and "));
    }
    let threads = experiment.runner.threads;
    text += &format!(
        ", {threads} thread{}\n",
        if threads == 1 { "" } else { "s" }
    );
    text += &format!(
        " compiled in {:.0} ms, built by `{} {}`\n\n",
        work.compile_ms,
        experiment.toolchain.cc,
        experiment.toolchain.cflags.join(" ")
    );
    if let Some(timing) = &found.timing {
        let (original, result) = (
            Times::new(timing.original.clone()),
            Times::new(timing.result.clone()),
        );
        let mut table = report::table(["", "median", "minimum", "runs"]);
        for (name, times) in [("original", &original), ("result", &result)] {
            table.add_row([
                name.into(),
                report::number(format!("{} ms", significant(times.median))),
                report::number(format!("{} ms", significant(times.min))),
                report::number(times.runs),
            ]);
        }
        text += &report::lines(&table);
        let speedup = original.median / result.median;
        text += &match speedup {
            speedup if speedup >= 1.0 => format!("\n {speedup:.2}× faster\n"),
            speedup => format!("\n {:.2}× slower\n", 1.0 / speedup),
        };
    }
    if found.comparison.identical() {
        text += " identical to the original\n";
    }
    for (name, path) in &experiment.outputs {
        text += &format!(" {name} written to {}\n", path.display());
    }
    text
}

/// At least three digits.
fn significant(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}
