//! Original against result: build both, compare them, time them.

use crate::Result;
use crate::data::element::{self, Value};
use crate::data::fill::Fill;
use crate::host::device;
use crate::host::toolchain::{Purpose, Toolchain};
use crate::measure::job::{Comparison, Job, Side, Task, Timing, Trial, Variable, VariableKind};
use crate::measure::run::{Progress, Runner};
use crate::measure::wrapper;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use tempfile::TempDir;
use tilewright::compile::Target;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::frontend::c::interface::{Argument, ArgumentKind, Interface};
use tilewright::scop::ScalarKind;
use tilewright::source::Source;

/// Value of floating scalars that none is given for.
pub const DEFAULT_FLOAT: f64 = 0.5;

/// How many timed runs there are of each version, unless the user says.
pub const RUNS: std::ops::RangeInclusive<usize> = 5..=11;

/// Seconds for all timed runs together, from which the number of runs follows.
pub const TIME_BUDGET: f64 = 10.0;

/// What versions are built for.
const BOTH: [Purpose; 2] = [Purpose::Check, Purpose::Time];

/// Values given for scalars, as text by name.
pub type Values = BTreeMap<String, String>;

/// A scalar that values are needed for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// C type as spelled.
    pub ctype: String,
}

/// Integer arguments of a function that `values` has none for.
pub fn missing(interface: &Interface, values: &Values) -> Vec<Parameter> {
    scalars(&interface.arguments)
        .filter(|(name, _, kind)| !kind.is_float() && !values.contains_key(*name))
        .map(|(name, ctype, _)| Parameter {
            name: name.to_owned(),
            ctype: ctype.to_owned(),
        })
        .collect()
}

/// Floating arguments that `values` has none for; they get [`DEFAULT_FLOAT`].
pub fn defaulted(interface: &Interface, values: &Values) -> Vec<String> {
    scalars(&interface.arguments)
        .filter(|(name, _, kind)| kind.is_float() && !values.contains_key(*name))
        .map(|(name, _, _)| name.to_owned())
        .collect()
}

/// Names that values can be given for.
pub fn scalar_names(interface: &Interface) -> Vec<String> {
    let all = scalars(&interface.arguments).chain(scalars(&interface.globals));
    all.map(|(name, _, _)| name.to_owned()).collect()
}

/// Names of arrays that can be read and written.
pub fn array_names(interface: &Interface) -> Vec<String> {
    let all = interface.arguments.iter().chain(&interface.globals);
    all.filter(|argument| matches!(argument.kind, ArgumentKind::Array { .. }))
        .map(|argument| argument.name.clone())
        .collect()
}

fn scalars(arguments: &[Argument]) -> impl Iterator<Item = (&str, &str, ScalarKind)> {
    arguments
        .iter()
        .filter_map(|argument| match &argument.kind {
            ArgumentKind::Scalar { ctype } => {
                Some((&argument.name[..], &ctype.spelling[..], ctype.kind))
            }
            _ => None,
        })
}

/// Reads a scalar's value and checks that its type can hold it.
///
/// # Errors
/// `TW0504` with the reason.
pub fn parse(name: &str, ctype: &str, kind: ScalarKind, text: &str) -> Result<Value> {
    let refuse = |reason: String| {
        let message = format!("`{name}` cannot be `{text}`: {reason}");
        Err(Box::new(Diagnostic::error(Code::BadParameter, message)))
    };
    let Some((low, high)) = element::range(kind) else {
        return match text.parse() {
            Ok(value) => Ok(Value::Float(value)),
            Err(_) => refuse(format!("its type is {ctype}, and this is no number")),
        };
    };
    match text.parse::<i128>() {
        Ok(value) if (low..=high).contains(&value) => Ok(Value::Int(value)),
        Ok(_) => refuse(format!("{ctype} holds {low} to {high}")),
        Err(_) => refuse(format!("its type is {ctype}, and this is no integer")),
    }
}

/// What to run and on which data.
#[derive(Clone, Debug)]
pub struct Experiment<'a> {
    /// The user's file.
    pub source: &'a Source,
    /// Where it is.
    pub path: &'a Path,
    /// The file as compiled.
    pub result: &'a str,
    /// For which device, where a region runs on one.
    pub device: Option<OnDevice<'a>>,
    /// The function to call.
    pub interface: &'a Interface,
    /// The C compiler.
    pub toolchain: &'a Toolchain,
    /// How to run.
    pub runner: Runner,
    /// What the function gets.
    pub arguments: Arguments,
    /// Timed runs of each version; `None`: as many as [`RUNS`] and [`TIME_BUDGET`] say.
    pub runs: Option<usize>,
}

/// What a function gets, and where its results go.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// Values of scalars.
    pub values: Values,
    /// Contents of arrays without a file.
    pub fill: Fill,
    /// Seed of random contents.
    pub seed: u64,
    /// Arrays by name and the files that hold their contents.
    pub inputs: Vec<(String, PathBuf)>,
    /// Arrays by name and the files that the result's go to.
    pub outputs: Vec<(String, PathBuf)>,
}

/// What more a program for a device consists of.
#[derive(Clone, Copy, Debug)]
pub struct OnDevice<'a> {
    /// The target.
    pub target: Target,
    /// The device's own file, where the target has one.
    pub file: Option<&'a str>,
}

/// Versions, built.
#[derive(Debug)]
pub struct Built {
    directory: Arc<TempDir>,
    /// Where the original is, if it was built before.
    original: Option<Arc<TempDir>>,
    pub(crate) job: Job,
}

impl Built {
    /// Where what belongs to the builds may be put; it goes when `self` does.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The shared library of one version.
    pub(crate) fn library(&self, side: Side, purpose: Purpose) -> PathBuf {
        let directory = match (side, &self.original) {
            (Side::Original, Some(directory)) => directory,
            _ => &self.directory,
        };
        directory.path().join(library_name(side, purpose))
    }
}

impl Experiment<'_> {
    /// Builds both versions, for comparing and for timing.
    ///
    /// # Errors
    /// `TW0501` where the C compiler fails, `TW0504` where a value is unusable, `TW0209` where
    /// the function has an argument that cannot be made up.
    pub fn build(&self) -> Result<Built> {
        self.build_sides(&[Side::Original, Side::Result], &BOTH, None)
    }

    /// Builds both versions for comparing only.
    ///
    /// # Errors
    /// As [`Experiment::build`].
    pub fn build_to_compare(&self) -> Result<Built> {
        let sides = [Side::Original, Side::Result];
        self.build_sides(&sides, &[Purpose::Check], None)
    }

    /// Builds the original alone, for [`Experiment::build_result`].
    ///
    /// # Errors
    /// As [`Experiment::build`].
    pub fn build_original(&self) -> Result<Built> {
        self.build_sides(&[Side::Original], &BOTH, None)
    }

    /// Builds the result beside an original that is built already.
    ///
    /// # Errors
    /// As [`Experiment::build`].
    pub fn build_result(&self, original: &Built) -> Result<Built> {
        self.build_sides(&[Side::Result], &BOTH, Some(original))
    }

    /// The same, only for timing: of a result that was compared before.
    ///
    /// # Errors
    /// As [`Experiment::build`].
    pub fn build_compared_result(&self, original: &Built) -> Result<Built> {
        self.build_sides(&[Side::Result], &[Purpose::Time], Some(original))
    }

    /// Whether the function does the same whenever it is called with the same.
    fn comparable(&self) -> Result<()> {
        let Some(asked) = &self.interface.asks else {
            return Ok(());
        };
        let function = &self.interface.function;
        let message = format!(
            "`{function}` is not run: it calls `{asked}`, which gives the original other values than \
             the result"
        );
        let help = "compile it, and run the program that calls it";
        Err(Box::new(
            Diagnostic::error(Code::UnknownCall, message).help(help),
        ))
    }

    fn build_sides(
        &self,
        sides: &[Side],
        purposes: &[Purpose],
        before: Option<&Built>,
    ) -> Result<Built> {
        self.comparable()?;
        let arguments = self.variables(&self.interface.arguments, true)?;
        let globals = self.variables(&self.interface.globals, false)?;
        let io = |error: std::io::Error| {
            let reason = crate::host::output::words(&error);
            let message = format!("cannot use the directory for temporary files: {reason}");
            Box::new(Diagnostic::error(Code::UnwritableOutput, message))
        };
        let directory = tempfile::Builder::new()
            .prefix("tilewright-")
            .tempdir()
            .map_err(io)?;
        let at = |name: &str| directory.path().join(name);
        let original = self.path.canonicalize().map_err(io)?;
        let result = at("result.c");
        fs::write(&result, self.result).map_err(io)?;
        for &side in sides {
            let program = match side {
                Side::Original => &original,
                Side::Result => &result,
            };
            let text = match (side, self.device) {
                (Side::Result, Some(_)) => wrapper::on_device(self.interface, program),
                _ => wrapper::text(self.interface, program),
            };
            fs::write(at(wrapper_name(side)), text).map_err(io)?;
        }
        let mut toolchain = self.toolchain.clone();
        if let (Some(device), true) = (self.device, sides.contains(&Side::Result)) {
            let (mut source, object) = (at("result"), at("result.o"));
            if let (Some(file), Some(extension)) = (device.file, device.target.own_file()) {
                source.set_extension(extension);
                fs::write(&source, file).map_err(io)?;
            }
            let flags = device::build(device.target, &source, &object, &toolchain)?;
            let flags = flags.into_iter().map(|f| f.to_string_lossy().into_owned());
            toolchain.ldflags.extend(flags);
        }
        let beside = original.parent();
        let builds: Vec<(Side, Purpose)> = purposes
            .iter()
            .flat_map(|&purpose| sides.iter().map(move |&side| (side, purpose)))
            .collect();
        let build = |&(side, purpose): &(Side, Purpose)| {
            let input = at(wrapper_name(side));
            let library = at(library_name(side, purpose));
            let toolchain = match side {
                Side::Original => self.toolchain,
                Side::Result => &toolchain,
            };
            toolchain
                .build(&input, &library, purpose, beside, Some(self.source))
                .map_err(|diagnostic| blame(side, diagnostic))
        };
        // One compiler per processor, the builds of one purpose together.
        let width = thread::available_parallelism()
            .map_or(1, usize::from)
            .min(builds.len());
        for some in builds.chunks(width) {
            let done: Vec<Result<()>> = thread::scope(|scope| {
                let build = &build;
                let running: Vec<_> = some
                    .iter()
                    .map(|one| {
                        let thread = thread::Builder::new();
                        thread
                            .spawn_scoped(scope, move || build(one))
                            .map_err(|_| one)
                    })
                    .collect();
                let done = running.into_iter().map(|one| match one {
                    Ok(thread) => thread.join().unwrap_or_else(|_| Err(panicked())),
                    // Where there are no more threads.
                    Err(one) => build(one),
                });
                done.collect()
            });
            // The original's mistakes first: the result has them too.
            done.into_iter().collect::<Result<Vec<()>>>()?;
        }
        let job = Job {
            task: Task::Check,
            original: PathBuf::new(),
            result: PathBuf::new(),
            arguments,
            globals,
            init: self.interface.init.is_some(),
            fill: self.arguments.fill,
            seed: self.arguments.seed,
            inputs: self.arguments.inputs.clone(),
            outputs: self.arguments.outputs.clone(),
            events: at("events"),
        };
        let mut built = Built {
            directory: Arc::new(directory),
            original: before.map(|before| {
                before
                    .original
                    .as_ref()
                    .unwrap_or(&before.directory)
                    .clone()
            }),
            job,
        };
        built.job.original = built.library(Side::Original, Purpose::Check);
        built.job.result = built.library(Side::Result, Purpose::Check);
        Ok(built)
    }

    fn variables(&self, arguments: &[Argument], defaults: bool) -> Result<Vec<Variable>> {
        let variable = |argument: &Argument| {
            let name = argument.name.clone();
            let kind = match &argument.kind {
                ArgumentKind::Scalar { ctype } => {
                    let value = match self.arguments.values.get(&name) {
                        Some(text) => Some(parse(&name, &ctype.spelling, ctype.kind, text)?),
                        None if defaults && ctype.kind.is_float() => {
                            Some(Value::Float(DEFAULT_FLOAT))
                        }
                        None if defaults => {
                            let message = format!("`{name}` needs a value");
                            let diagnostic = Diagnostic::error(Code::BadParameter, message)
                                .help(format!("give it with --param {name}=VALUE"));
                            return Err(Box::new(diagnostic));
                        }
                        None => None,
                    };
                    let bytes = value.map(|value| {
                        let mut bytes = vec![0; ctype.kind.bytes()];
                        element::set(ctype.kind, value, &mut bytes);
                        bytes
                    });
                    VariableKind::Scalar {
                        element: ctype.kind,
                        bytes,
                    }
                }
                ArgumentKind::Array {
                    element,
                    pointer,
                    extents,
                    read_only,
                    struct_bytes,
                } => VariableKind::Array {
                    element: element.kind,
                    structs: struct_bytes.is_some(),
                    pointer: !pointer.is_empty(),
                    read_only: *read_only,
                    extents: extents.clone(),
                },
                ArgumentKind::Unsupported { reason } => {
                    let function = &self.interface.function;
                    let message =
                        format!("no value can be made up for `{name}` of `{function}`: {reason}");
                    let error = Diagnostic::error(Code::UnsupportedType, message);
                    return Err(Box::new(error.help(format!(
                        "declare `{name}` as an array with its extents, `{name}[n][m]`, or call \
                         `{function}` from a program of your own, and compile that"
                    ))));
                }
            };
            Ok(Variable { name, kind })
        };
        arguments.iter().map(variable).collect()
    }

    /// What builds, of this program with whatever values, are to do with the values here.
    pub(crate) fn job(&self, built: &Built) -> Result<Job> {
        Ok(Job {
            arguments: self.variables(&self.interface.arguments, true)?,
            globals: self.variables(&self.interface.globals, false)?,
            ..built.job.clone()
        })
    }

    /// Runs the builds for comparing.
    ///
    /// # Errors
    /// See [`Runner::check`].
    pub fn check(&self, built: &Built, progress: &mut dyn FnMut(Progress)) -> Result<Comparison> {
        self.runner.check(&built.job, progress)
    }

    /// Runs the builds for comparing with other values of scalars, and writes no arrays to files.
    ///
    /// # Errors
    /// As [`Experiment::check`], and `TW0504` where a value is unusable.
    pub fn check_with(
        &self,
        built: &Built,
        values: &Values,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Comparison> {
        let other = Experiment {
            arguments: Arguments {
                values: values.clone(),
                ..self.arguments.clone()
            },
            ..self.clone()
        };
        let job = Job {
            outputs: Vec::new(),
            ..other.job(built)?
        };
        self.runner.check(&job, progress)
    }

    /// Runs the builds for timing.
    ///
    /// # Errors
    /// See [`Runner::time`].
    pub fn time(&self, built: &Built, progress: &mut dyn FnMut(Progress)) -> Result<Timing> {
        self.time_versions(built, false, progress)
    }

    /// The same without the original.
    ///
    /// # Errors
    /// See [`Runner::time`].
    pub fn time_alone(&self, built: &Built, progress: &mut dyn FnMut(Progress)) -> Result<Timing> {
        self.time_versions(built, true, progress)
    }

    fn time_versions(
        &self,
        built: &Built,
        alone: bool,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Timing> {
        let job = Job {
            original: built.library(Side::Original, Purpose::Time),
            result: built.library(Side::Result, Purpose::Time),
            ..built.job.clone()
        };
        let task = Task::Time {
            runs: self.runs,
            fewest: *RUNS.start(),
            most: *RUNS.end(),
            budget: TIME_BUDGET,
            alone,
        };
        self.runner.time(&job, task, progress)
    }

    /// Runs the result's build for timing alone: `first` runs and, unless all of them took longer
    /// than `limit` milliseconds, up to `runs`.
    ///
    /// # Errors
    /// See [`Runner::trial`].
    pub fn trial(
        &self,
        built: &Built,
        (first, runs): (usize, usize),
        limit: Option<f64>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Trial> {
        let job = Job {
            original: built.library(Side::Original, Purpose::Time),
            result: built.library(Side::Result, Purpose::Time),
            ..built.job.clone()
        };
        let task = Task::Trial { first, runs, limit };
        self.runner.trial(&job, task, progress)
    }
}

fn wrapper_name(side: Side) -> &'static str {
    match side {
        Side::Original => "original.wrapper.c",
        Side::Result => "result.wrapper.c",
    }
}

fn library_name(side: Side, purpose: Purpose) -> &'static str {
    match (side, purpose) {
        (Side::Original, Purpose::Check) => "original.check.so",
        (Side::Original, Purpose::Time) => "original.time.so",
        (Side::Result, Purpose::Check) => "result.check.so",
        (Side::Result, Purpose::Time) => "result.time.so",
    }
}

/// Says which version the C compiler refused, where it was not the user's text.
fn blame(side: Side, mut diagnostic: Box<Diagnostic>) -> Box<Diagnostic> {
    if side == Side::Result && diagnostic.labels.is_empty() {
        diagnostic
            .notes
            .push("this is about the generated code".to_owned());
        diagnostic.help.get_or_insert_with(|| {
            "`tilewright compile` writes it to a file; please report what you find".to_owned()
        });
    }
    diagnostic
}

fn panicked() -> Box<Diagnostic> {
    Box::new(Diagnostic::error(
        Code::Internal,
        "a build ended unexpectedly",
    ))
}
