//! The commands, and what they share: from a path to a compiled file.

pub mod builds;
pub mod cache;
pub mod calibrate;
pub mod certify;
pub mod check;
pub mod compile;
pub mod data;
pub mod devices;
pub mod explain;
pub mod report;
pub mod reuse;
pub mod run;
pub mod tune;
pub mod view;

use crate::progress::Progress;
use crate::terminal::{self, Failure};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;
use tilewright::compile::{Compiled, Options, Step, Target};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::frontend::cpp;
use tilewright::plan::Plan;
use tilewright::source::Source;
use tilewright_driver::diagnostics::Renderer;
use tilewright_driver::host::output::words;
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::Toolchain;
use tilewright_driver::host::{cplusplus, input};

/// How a command ended that did what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Done,
    /// The result differs from the original.
    Differs,
    /// Somebody interrupted it.
    Interrupted,
}

/// A compiled file.
pub struct Work {
    /// The file.
    pub source: Source,
    /// What became of it.
    pub compiled: Compiled,
    /// Milliseconds that the preprocessor took.
    pub preprocess_ms: f64,
    /// Milliseconds that the compiler took.
    pub compile_ms: f64,
    /// The same, step by step, in the order in which the steps began.
    pub steps: Vec<(Step, f64)>,
}

impl Work {
    /// Reads, preprocesses and compiles a file.
    pub fn new(
        path: &Path,
        toolchain: &Toolchain,
        options: &Options,
        plan: Option<&Path>,
        progress: &Progress,
    ) -> Result<Work, Failure> {
        if cplusplus::is_cplusplus(path) {
            return Work::of_cplusplus(path, toolchain, options, plan, progress);
        }
        progress.at("preprocess");
        let begin = Instant::now();
        let source = preprocessed(path, toolchain)?;
        let preprocess_ms = milliseconds(begin);
        Work::of(source, preprocess_ms, options, plan, progress)
    }

    /// Reads and compiles a file of C++.
    fn of_cplusplus(
        path: &Path,
        toolchain: &Toolchain,
        options: &Options,
        plan: Option<&Path>,
        progress: &Progress,
    ) -> Result<Work, Failure> {
        if !matches!(options.target, Target::C | Target::OpenMp) {
            let message = "regions of C++ run on processors only: leave out `--target`";
            let error = Diagnostic::error(Code::NotApplicable, message);
            return Err(Box::new(error).into());
        }
        progress.at("preprocess");
        let begin = Instant::now();
        let (original, lifted) = cplusplus::lift(path, toolchain).map_err(|(source, errors)| {
            let unread = || Source {
                name: path.display().to_string(),
                text: readable(path),
                ..Source::default()
            };
            Failure::refused(errors, Some(source.map_or_else(unread, |source| *source)))
        })?;
        let preprocess_ms = milliseconds(begin);
        let Some(source) = lifted.source else {
            let compiled = Compiled::unchanged(&original, lifted.warnings);
            return Ok(Work::unchanged(original, compiled, preprocess_ms));
        };
        let mut openings = lifted.openings;
        let mut refused: Vec<Diagnostic> = Vec::new();
        let mut work = loop {
            let options = Options {
                openings: Some(openings.clone()),
                ..options.clone()
            };
            let work = Work::of(source.clone(), preprocess_ms, &options, plan, progress)?;
            if work.compiled.text == original.text {
                break work;
            }
            let Err(error) = cplusplus::check(&work.compiled.text, path, toolchain) else {
                break work;
            };
            let function = error
                .line
                .and_then(|line| cpp::generated_for(&work.compiled.text, line));
            let opening = function.and_then(|function| openings.get_mut(function));
            let what = match &opening {
                Some(_) => "the region is left as it was",
                None => "the file is left as it was",
            };
            let message = format!("{what}: the C++ compiler does not take what was generated");
            let mut warning = Diagnostic::warning(Code::CPlusPlus, message).note(error.message);
            let own = work.compiled.regions.iter();
            let own = own.filter(|region| Some(&*region.function) == function);
            for region in own {
                warning = warning.at(region.span, "");
            }
            refused.push(warning.help("report it, with the file"));
            match opening.filter(|opening| !opening.stays) {
                Some(opening) => opening.stays = true,
                None => {
                    let compiled = Compiled::unchanged(&original, Vec::new());
                    break Work::unchanged(original, compiled, preprocess_ms);
                }
            }
        };
        for warning in &mut work.compiled.warnings {
            if let Some(text) = &mut warning.rewrite {
                *text = cpp::printed(text, &BTreeMap::new()).trim_end().to_owned();
            }
        }
        work.compiled.warnings.splice(0..0, refused);
        work.compiled.warnings.splice(0..0, lifted.warnings);
        Ok(work)
    }

    /// A file that stays as it is.
    fn unchanged(source: Source, compiled: Compiled, preprocess_ms: f64) -> Work {
        Work {
            source,
            compiled,
            preprocess_ms,
            compile_ms: 0.0,
            steps: Vec::new(),
        }
    }

    /// Compiles a file that is preprocessed.
    pub fn of(
        source: Source,
        preprocess_ms: f64,
        options: &Options,
        plan: Option<&Path>,
        progress: &Progress,
    ) -> Result<Work, Failure> {
        let plan = plan.map(read_plan).transpose()?;
        let begin = Instant::now();
        let mut began: Vec<(Step, f64)> = Vec::new();
        let compiled = tilewright::compile::compile(&source, options, plan.as_ref(), &mut |step| {
            began.push((step, milliseconds(begin)));
            progress.step(step);
        });
        let compile_ms = milliseconds(begin);
        let ends = began.iter().skip(1).map(|&(_, at)| at).chain([compile_ms]);
        let steps = began.iter().zip(ends);
        let steps = steps.map(|(&(step, at), end)| (step, end - at)).collect();
        match compiled {
            Ok(compiled) => Ok(Work {
                source,
                compiled,
                preprocess_ms,
                compile_ms,
                steps,
            }),
            Err(diagnostics) => {
                progress.end();
                Err(Failure::refused(diagnostics, Some(source)))
            }
        }
    }

    /// Refuses expected values of parameters that no region has.
    pub fn check_estimates(&self, estimates: &[(String, i64)]) -> Result<(), Failure> {
        let known = &self.compiled.parameters;
        match estimates.iter().find(|(name, _)| !known.contains(name)) {
            None => Ok(()),
            Some((name, _)) => Err(Failure::usage(format!(
                "no region has the parameter `{name}` of --estimate; there are: {}",
                known.iter().cloned().collect::<Vec<_>>().join(", ")
            ))),
        }
    }

    /// The steps as JSON.
    pub fn steps_json(&self) -> serde_json::Value {
        let steps = self.steps.iter();
        let step = |(step, ms): &(Step, f64)| serde_json::json!({"step": step.name(), "ms": ms});
        steps.map(step).collect()
    }

    /// Shows the compiler's warnings on standard error.
    pub fn warn(&self, colour: bool) {
        let renderer = Renderer::new(colour);
        for warning in &self.compiled.warnings {
            terminal::say(format_args!(
                "{}\n",
                renderer.render(warning, Some(&self.source))
            ));
        }
    }
}

/// Reads and preprocesses a file.
pub fn preprocessed(path: &Path, toolchain: &Toolchain) -> Result<Source, Failure> {
    preprocess(path, toolchain).map_err(|diagnostic| {
        // The text for the place that the preprocessor complained about.
        let source = Source {
            name: path.display().to_string(),
            text: readable(path),
            preprocessed: String::new(),
            ..Source::default()
        };
        Failure::refused(vec![*diagnostic], Some(source))
    })
}

/// Milliseconds since then.
pub fn milliseconds(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e3
}

/// The text of a file to show places of; nothing where it cannot be read.
pub fn readable(path: &Path) -> String {
    match input::unfit(path) {
        None => fs::read_to_string(path).unwrap_or_default(),
        Some(_) => String::new(),
    }
}

fn read_plan(path: &Path) -> Result<Plan, Failure> {
    let refuse = |reason: String| {
        let message = format!("cannot use the plan {}: {reason}", path.display());
        Failure::from(Box::new(Diagnostic::error(Code::PlanMismatch, message)))
    };
    let text = input::text(path).map_err(|error| refuse(words(&error)))?;
    Plan::from_toml(&text).map_err(|reason| refuse(reason.trim_end().to_owned()))
}
