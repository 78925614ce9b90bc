//! How candidates are compiled, compared and timed.

use super::{Candidate, FIRST_RUNS, hash};
use crate::Result;
use crate::measure::contest;
use crate::measure::experiment::{Built, Experiment, OnDevice};
use crate::measure::job::LIBRARY_TOLERANCE;
use crate::measure::run::Progress;
use tilewright::compile::{Options, compile};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::plan::Plan;

/// A candidate, compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// What the planner made of it, for all regions of the file.
    pub plan: Plan,
    /// The file as compiled.
    pub text: String,
    /// The device's own text, where a region runs on one.
    pub device: Option<String>,
    /// Its results are the original's bit for bit; else up to [`LIBRARY_TOLERANCE`].
    pub exact: bool,
}

impl Version {
    /// A short name of the code, which changes when the code does.
    pub fn code(&self) -> String {
        match &self.device {
            None => hash(self.text.as_bytes()),
            Some(device) => hash((self.text.clone() + device).as_bytes()),
        }
    }
}

/// What became of a version that was built.
#[derive(Clone, Debug, PartialEq)]
pub enum Measurement {
    /// It computes something else; in words.
    Differs(String),
    /// It computes what the original does.
    Timed {
        /// Times of its runs in milliseconds; on a device without the copies there and back.
        times: Vec<f64>,
        /// It was given up after its first runs.
        stopped: bool,
        /// Times of the original, where it was asked for.
        original: Vec<f64>,
    },
}

/// Compiles and measures candidates.
pub trait Bench {
    /// Compiles a candidate.
    ///
    /// # Errors
    /// Why tilewright refuses to, in words.
    fn compile(&mut self, candidate: &Candidate) -> std::result::Result<Version, String>;

    /// Compiles a plan.
    ///
    /// # Errors
    /// Why tilewright refuses to, in words.
    fn replay(&mut self, plan: &Plan) -> std::result::Result<Version, String>;

    /// Builds a version, compares it with the original and, where it computes the same, times it
    /// by turns with the original.
    ///
    /// # Errors
    /// It cannot be built or run.
    fn measure_with_original(&mut self, version: &Version, runs: usize) -> Result<Measurement>;

    /// The same without the original's times, and with no more than the first runs where all of
    /// them take longer than `limit` milliseconds.
    ///
    /// # Errors
    /// It cannot be built or run.
    fn measure(&mut self, version: &Version, runs: usize, limit: f64) -> Result<Measurement>;

    /// Versions that may be measured again; whatever belongs to others can go.
    fn keep(&mut self, plans: &[&Plan]);

    /// Times the original and some versions by turns: the times of the original first, in
    /// milliseconds.
    ///
    /// # Errors
    /// One cannot be built or run.
    fn contest(&mut self, versions: &[Version], runs: usize) -> Result<Vec<Vec<f64>>>;
}

/// The bench that is no rehearsal: this machine's C compiler, and processes of their own.
pub struct Laboratory<'a> {
    experiment: Experiment<'a>,
    options: Options,
    /// What the planner chooses for all regions.
    choice: Plan,
    original: Built,
    kept: Vec<(Plan, Built)>,
    notes: Vec<String>,
    progress: &'a dyn Fn(&str),
}

impl<'a> Laboratory<'a> {
    /// Builds the original. `choice` is the default plan: regions of functions that are not
    /// measured have it. `progress` is told what is being done.
    ///
    /// # Errors
    /// As [`Experiment::build`].
    pub fn new(
        experiment: Experiment<'a>,
        options: Options,
        choice: Plan,
        progress: &'a dyn Fn(&str),
    ) -> Result<Laboratory<'a>> {
        progress("build the original");
        let original = experiment.build_original()?;
        Ok(Laboratory {
            experiment,
            options,
            choice,
            original,
            kept: Vec::new(),
            notes: Vec::new(),
            progress,
        })
    }

    /// What the user should know about the runs.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    fn compiled(
        &self,
        options: &Options,
        plan: Option<&Plan>,
    ) -> std::result::Result<Version, String> {
        let words = |diagnostics: Vec<Diagnostic>| {
            let all: Vec<String> = diagnostics.iter().map(in_words).collect();
            all.join("; ")
        };
        let done = compile(self.experiment.source, options, plan, &mut |_| {});
        let done = done.map_err(words)?;
        if options.target.is_device() && done.device.is_none() {
            let warnings = words(done.warnings);
            return Err(format!("no region runs on the device: {warnings}"));
        }
        Ok(Version {
            plan: done.plan,
            text: done.text,
            device: done.device,
            exact: done.inexact.is_empty() && done.reordered.is_empty(),
        })
    }

    fn with_result<'r>(&'r self, version: &'r Version) -> Experiment<'r> {
        (self.progress)("build");
        let target = self.options.target;
        let device = version.device.as_deref().map(|text| OnDevice {
            target,
            file: target.own_file().map(|_| text),
        });
        Experiment {
            result: &version.text,
            device,
            ..self.experiment.clone()
        }
    }

    /// Builds and compares; what differs, in words.
    fn checked(&mut self, version: &Version) -> Result<(Built, Option<String>)> {
        let experiment = self.with_result(version);
        let built = experiment.build_result(&self.original)?;
        (self.progress)("compare");
        let notes = &mut self.notes;
        let comparison = self.experiment.check(&built, &mut |event| {
            note(notes, event);
        })?;
        for text in comparison.not_numbers(&self.experiment.interface.function) {
            note(&mut self.notes, Progress::Note(text));
        }
        let same = comparison.identical() || !version.exact && comparison.within(LIBRARY_TOLERANCE);
        let different = if same {
            None
        } else {
            Some(in_words(&comparison.difference()))
        };
        Ok((built, different))
    }

    fn keep_built(&mut self, version: &Version, built: Built) {
        self.kept.push((version.plan.clone(), built));
    }
}

impl Bench for Laboratory<'_> {
    fn compile(&mut self, candidate: &Candidate) -> std::result::Result<Version, String> {
        (self.progress)("compile");
        let options = Options {
            wishes: candidate.wishes(&self.options.wishes),
            ..self.options.clone()
        };
        let version = self.compiled(&options, None)?;
        // Only one function is measured.
        let function = &self.experiment.interface.function;
        let mut plan = version.plan.clone();
        for (region, choice) in plan.regions.iter_mut().zip(&self.choice.regions) {
            if region.function != *function {
                region.clone_from(choice);
            }
        }
        if plan == version.plan {
            Ok(version)
        } else {
            self.replay(&plan)
        }
    }

    fn replay(&mut self, plan: &Plan) -> std::result::Result<Version, String> {
        (self.progress)("compile");
        self.compiled(&self.options, Some(plan))
    }

    fn measure_with_original(&mut self, version: &Version, runs: usize) -> Result<Measurement> {
        let (built, different) = self.checked(version)?;
        if let Some(reason) = different {
            return Ok(Measurement::Differs(reason));
        }
        (self.progress)("time");
        let experiment = Experiment {
            runs: Some(runs),
            ..self.experiment.clone()
        };
        let notes = &mut self.notes;
        let timing = experiment.time(&built, &mut |event| note(notes, event))?;
        self.keep_built(version, built);
        Ok(Measurement::Timed {
            // On a device between the copies.
            times: if timing.kernels.is_empty() {
                timing.result
            } else {
                timing.kernels
            },
            stopped: false,
            original: timing.original,
        })
    }

    fn measure(&mut self, version: &Version, runs: usize, limit: f64) -> Result<Measurement> {
        let (built, different) = self.checked(version)?;
        if let Some(reason) = different {
            return Ok(Measurement::Differs(reason));
        }
        (self.progress)("time");
        let notes = &mut self.notes;
        let trial = self.experiment.trial(
            &built,
            (FIRST_RUNS.min(runs), runs),
            Some(limit),
            &mut |event| note(notes, event),
        )?;
        if !trial.stopped {
            self.keep_built(version, built);
        }
        Ok(Measurement::Timed {
            times: trial.times,
            stopped: trial.stopped,
            original: Vec::new(),
        })
    }

    fn keep(&mut self, plans: &[&Plan]) {
        self.kept.retain(|(plan, _)| plans.contains(&plan));
    }

    fn contest(&mut self, versions: &[Version], runs: usize) -> Result<Vec<Vec<f64>>> {
        for version in versions {
            if !self.kept.iter().any(|(plan, _)| *plan == version.plan) {
                let experiment = self.with_result(version);
                let built = experiment.build_compared_result(&self.original)?;
                self.keep_built(version, built);
            }
        }
        let mut entrants = Vec::new();
        for (number, version) in versions.iter().enumerate() {
            let found = self.kept.iter().find(|(plan, _)| *plan == version.plan);
            let (_, built) = found.ok_or_else(lost)?;
            entrants.push((format!("finalist {}", number + 1), built));
        }
        let progress = self.progress;
        let mut notes = Vec::new();
        let standings =
            contest::results(
                &self.experiment.runner,
                &entrants,
                runs,
                &mut |event| match event {
                    Progress::Turn { run, of, .. } => {
                        progress(&format!("finals: run {run} of {of}"))
                    }
                    event => note(&mut notes, event),
                },
            )?;
        Ok(standings.into_iter().map(|one| one.times).collect())
    }
}

fn note(notes: &mut Vec<String>, event: Progress) {
    if let Progress::Note(text) = event {
        if !notes.contains(&text) {
            notes.push(text);
        }
    }
}

/// A diagnostic on one line.
pub fn in_words(diagnostic: &Diagnostic) -> String {
    let mut text = format!("{}: {}", diagnostic.code, diagnostic.message);
    for note in &diagnostic.notes {
        text += &format!("; {}", note.replace('\n', " "));
    }
    text
}

fn lost() -> Box<Diagnostic> {
    let message = "a build of the search is gone";
    Box::new(Diagnostic::error(Code::Internal, message))
}
