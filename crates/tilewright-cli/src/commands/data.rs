//! The data of an experiment as the command line says it: for `run` and `tune`.

use crate::arguments::{Assignments, ExperimentArguments};
use crate::terminal::Failure;
use clap::error::ErrorKind;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::frontend::c::interface::{ArgumentKind, Interface};
use tilewright::planner::Wishes;
use tilewright_driver::data::picture;
use tilewright_driver::measure::experiment::{self, DEFAULT_FLOAT, Experiment, Values};
use tilewright_driver::measure::run::Runner;

/// Values by name.
pub fn values(arguments: &ExperimentArguments) -> Result<Values, Failure> {
    let mut values = Values::new();
    for (name, value) in &arguments.params {
        if values.insert(name.clone(), value.clone()).is_some() {
            return Err(Failure::usage(format!("--param {name} is given twice")));
        }
    }
    Ok(values)
}

/// The values with which builds are compared besides: those of `--param`, with others in the place
/// of some.
pub fn other_values(values: &Values, also: &[Assignments]) -> Vec<Values> {
    let other = |assignments: &Assignments| {
        let mut values = values.clone();
        values.extend(assignments.iter().cloned());
        values
    };
    also.iter().map(other).collect()
}

/// Tells the planner what will be run: the sizes and the threads, where it was not told others.
pub fn plan_for(arguments: &ExperimentArguments, wishes: &mut Wishes, cores: Option<i64>) {
    for (name, value) in &arguments.params {
        if let Ok(value) = value.parse() {
            wishes.estimates.entry(name.clone()).or_insert(value);
        }
    }
    if let (Some(threads), None) = (arguments.threads, cores) {
        wishes.machine.cores = i64::from(threads);
    }
}

/// Arrays and the files that were given for them.
pub fn files(given: &[(String, String)], option: &str) -> Result<Vec<(String, PathBuf)>, Failure> {
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
pub fn choose<'a>(
    interfaces: &'a [Interface],
    arguments: &ExperimentArguments,
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
///
/// `command` is the one that was called, `output` what else is said of arrays.
pub fn check_names(
    command: &str,
    interface: &Interface,
    arguments: &ExperimentArguments,
    output: &[(String, String)],
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
    for (name, _) in arguments.input.iter().chain(output) {
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
    let mut command = format!("tilewright {command} {}", arguments.file.display());
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

/// How measuring processes are started.
pub fn runner(arguments: &ExperimentArguments) -> Result<Runner, Failure> {
    let threads = match arguments.threads {
        Some(threads) => threads as usize,
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let program = std::env::current_exe().map_err(|error| {
        let message = format!("cannot find out where tilewright itself is: {error}");
        Box::new(Diagnostic::error(Code::Internal, message))
    })?;
    Ok(Runner {
        program,
        arguments: vec![OsString::from("measure")],
        threads,
        limit: Duration::from_secs_f64(arguments.time_limit),
    })
}

/// Values of all scalars, given or by default.
pub fn parameters(experiment: &Experiment<'_>) -> Vec<(String, String)> {
    let defaulted = experiment::defaulted(experiment.interface, &experiment.arguments.values);
    let defaults = defaulted
        .into_iter()
        .map(|name| (name, DEFAULT_FLOAT.to_string()));
    experiment
        .arguments
        .values
        .clone()
        .into_iter()
        .chain(defaults)
        .collect()
}

/// The same as JSON: numbers where they are numbers.
pub fn parameters_json(experiment: &Experiment<'_>) -> serde_json::Map<String, Value> {
    values_json(
        parameters(experiment)
            .iter()
            .map(|(name, text)| (name, text)),
    )
}

/// Values by name as JSON: numbers where they are numbers.
pub fn values_json<'a>(
    values: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> serde_json::Map<String, Value> {
    let number = |text: &String| {
        text.parse::<f64>().map_or_else(
            |_| json!(text),
            |value| {
                text.parse::<i64>()
                    .map_or_else(|_| json!(value), |value| json!(value))
            },
        )
    };
    values
        .into_iter()
        .map(|(name, text)| (name.clone(), number(text)))
        .collect()
}

/// `blur(n = 600, gain = 0.5), gain by default, 2 threads`
pub fn heading(experiment: &Experiment<'_>) -> String {
    let function = &experiment.interface.function;
    let mut text = String::new();
    let parameters: Vec<String> = parameters(experiment)
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let defaulted = experiment::defaulted(experiment.interface, &experiment.arguments.values);
    text += &format!(" {function}({})", parameters.join(", "));
    if !defaulted.is_empty() {
        text += &format!(", {} by default", defaulted.join(" and "));
    }
    let threads = experiment.runner.threads;
    text += &format!(
        ", {threads} thread{}\n",
        if threads == 1 { "" } else { "s" }
    );
    text
}
