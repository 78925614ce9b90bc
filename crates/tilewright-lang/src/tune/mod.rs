//! Searching for the plan with which a pipeline is fastest on this machine: what `tilewright tune`
//! does for C.

mod rig;

use crate::call::Number;
use crate::kernel::{Options, plain, save};
use crate::planned::compiled;
use rig::Rig;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tilewright::diagnostic::Diagnostic;
use tilewright::frontend::pipeline::{Pipeline, Problem, Problems};
use tilewright::plan::Plan;
use tilewright::scop::ScalarKind;
use tilewright_driver::data::element::Element;
pub use tilewright_driver::tune::Space;
use tilewright_driver::tune::{BUDGET, Candidate, Event, Findings, Log, RUNS, Search, Settings};

/// How many rejected candidates a message names.
const NAMED: usize = 3;

/// How to search for the fastest plan, and on which data.
///
/// Candidates are compiled, compared with the pipeline as it is written, bit by bit, and timed; at
/// the end the best few are timed again, by turns. All of this happens in this process and with
/// its OpenMP threads.
pub struct Tuning<'d> {
    options: Options,
    numbers: Vec<(String, Number)>,
    images: Vec<Given<'d>>,
    space: Space,
    seed: u64,
    budget: Duration,
    runs: usize,
    log: Option<PathBuf>,
    progress: Option<Box<Watch<'d>>>,
}

/// Is told how far a search is, and says whether it goes on.
type Watch<'d> = dyn FnMut(&Progress) -> ControlFlow<()> + 'd;

/// An image that somebody else keeps.
struct Given<'d> {
    name: String,
    kind: ScalarKind,
    address: *mut c_void,
    cells: usize,
    shape: Vec<usize>,
    data: PhantomData<&'d ()>,
}

impl<'d> Tuning<'d> {
    /// With [`Options::for_this_machine`].
    ///
    /// # Errors
    /// As there.
    pub fn for_this_machine() -> Result<Tuning<'d>, Problems> {
        Ok(Tuning::new(Options::for_this_machine()?))
    }

    /// With these options, whose plan is not looked at. Unless it is told otherwise a search
    /// takes ten minutes at most and forgets its measurements.
    pub fn new(options: Options) -> Tuning<'d> {
        Tuning {
            options: Options {
                plan: None,
                ..options
            },
            numbers: Vec::new(),
            images: Vec::new(),
            space: Space::default(),
            seed: 0,
            budget: BUDGET,
            runs: RUNS,
            log: None,
            progress: None,
        }
    }

    /// Gives a size, or a floating parameter a whole number. All sizes have to be known, by this
    /// or from an image; floating parameters are 0.5 otherwise.
    #[must_use]
    pub fn size(mut self, name: &str, value: i64) -> Tuning<'d> {
        self.numbers.push((name.to_owned(), Number::Int(value)));
        self
    }

    /// Gives a floating parameter.
    #[must_use]
    pub fn scalar(mut self, name: &str, value: f64) -> Tuning<'d> {
        self.numbers.push((name.to_owned(), Number::Float(value)));
        self
    }

    /// Gives an image, row by row. Images that are not given hold random numbers: floating ones
    /// from 0 to 1, others from 0 to 255, or what was promised of them.
    #[must_use]
    pub fn image<T: Element>(mut self, name: &str, cells: &'d [T], shape: &[usize]) -> Tuning<'d> {
        self.images.push(Given {
            name: name.to_owned(),
            kind: T::KIND,
            address: cells.as_ptr().cast_mut().cast(),
            cells: cells.len(),
            shape: shape.to_vec(),
            data: PhantomData,
        });
        self
    }

    /// Gives an image by its address.
    ///
    /// # Safety
    /// `address` is that of as many cells of this kind as `shape` says, row by row, aligned for
    /// it. Until the search is over nobody writes them.
    #[must_use]
    pub unsafe fn image_at(
        mut self,
        name: &str,
        kind: ScalarKind,
        address: *const c_void,
        shape: &[usize],
    ) -> Tuning<'d> {
        self.images.push(Given {
            name: name.to_owned(),
            kind,
            address: address.cast_mut(),
            cells: shape.iter().product(),
            shape: shape.to_vec(),
            data: PhantomData,
        });
        self
    }

    /// Which plans are tried.
    #[must_use]
    pub fn space(mut self, space: Space) -> Tuning<'d> {
        self.space = space;
        self
    }

    /// For the order of candidates and for random images.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Tuning<'d> {
        self.seed = seed;
        self
    }

    /// How long the search may take. The default plan is always measured, and the best few are
    /// always timed again.
    #[must_use]
    pub fn budget(mut self, budget: Duration) -> Tuning<'d> {
        self.budget = budget;
        self
    }

    /// How often a candidate is timed, unless it is clearly slower than the best so far. At least
    /// once.
    #[must_use]
    pub fn runs(mut self, runs: usize) -> Tuning<'d> {
        self.runs = runs.max(1);
        self
    }

    /// A file for the measurements. A later search with the same file goes on where this one
    /// ended; one of another pipeline, or on other data, refuses it.
    #[must_use]
    pub fn log(mut self, file: impl Into<PathBuf>) -> Tuning<'d> {
        self.log = Some(file.into());
        self
    }

    /// Is told after each candidate how far the search is. Where it breaks off, the search ends
    /// with the best so far.
    #[must_use]
    pub fn progress(mut self, watch: impl FnMut(&Progress) -> ControlFlow<()> + 'd) -> Tuning<'d> {
        self.progress = Some(Box::new(watch));
        self
    }
}

impl fmt::Debug for Tuning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let images: Vec<&str> = self.images.iter().map(|image| &image.name[..]).collect();
        f.debug_struct("Tuning")
            .field("numbers", &self.numbers)
            .field("images", &images)
            .field("space", &self.space)
            .field("budget", &self.budget)
            .field("log", &self.log)
            .finish_non_exhaustive()
    }
}

/// How far a search is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Candidates that are done, those of earlier searches included.
    pub done: usize,
    /// Candidates of the space; where the budget ends the search some are left.
    pub of: usize,
    /// The best so far in words, and its shortest run in milliseconds.
    pub best: Option<(String, f64)>,
    /// Candidates are done with: the best few are timed again.
    pub finals: bool,
}

/// `12 of 1597 candidates, best: scalene 16 × 272, tolerance 0.4 (1.93 ms)`
impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} candidates", self.done, self.of)?;
        if let Some((candidate, ms)) = &self.best {
            write!(f, ", best: {candidate} ({ms:.2} ms)")?;
        }
        if self.finals {
            f.write_str(", timing the best again")
        } else {
            Ok(())
        }
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The fastest plan, for [`Options::plan`].
    pub plan: Plan,
    /// What the planner was asked for, in words.
    pub candidate: String,
    /// Its median time in milliseconds.
    pub ms: f64,
    /// The median time of the plan that the planner chooses by itself, timed by turns with it.
    pub default_ms: Option<f64>,
    /// The median time of the pipeline stage by stage, as it is written, timed by turns with it.
    pub reference_ms: Option<f64>,
    /// Candidates that were tried, earlier ones included.
    pub tried: usize,
    /// Candidates of the space.
    pub candidates: usize,
    /// The search was broken off, and the best few were not timed again: `ms` is the plan's
    /// shortest run.
    pub interrupted: bool,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Tuned {
    /// Writes the plan to a file, for [`Options::load_plan`] and `--plan` of the command line.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn save_plan(&self, file: &Path) -> Result<(), Problems> {
        save(&self.plan, &format!("# {self}\n\n"), file)
    }
}

/// `scalene 16 × 272, tolerance 0.4: 1.93 ms; default plan 2.11 ms, stage by stage 9.80 ms`
impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:.3} ms", self.candidate, self.ms)?;
        let others = [
            ("default plan", self.default_ms),
            ("stage by stage", self.reference_ms),
        ];
        let others = others.iter().filter_map(|(what, ms)| Some((what, (*ms)?)));
        for (number, (what, ms)) in others.enumerate() {
            let separator = if number == 0 { ";" } else { "," };
            write!(f, "{separator} {what} {ms:.3} ms")?;
        }
        Ok(())
    }
}

/// Searches.
pub(crate) fn tune(pipeline: &Pipeline, mut tuning: Tuning<'_>) -> Result<Tuned, Problems> {
    let program = pipeline.program()?;
    let choice = compiled(&program, &tuning.options)?;
    let mut progress = tuning.progress.take();
    let mut rig = Rig::new(pipeline, &program, &tuning, &choice)?;
    let refused = |diagnostic: Box<Diagnostic>| Problems(vec![program.problem(&diagnostic)]);
    // Without a file the log is one that goes with the search.
    let directory = match tuning.log {
        Some(_) => None,
        None => Some(tempfile::tempdir().map_err(|error| {
            let message = format!("no file can be made for the measurements: {error}");
            Problems(vec![Problem::new(message)])
        })?),
    };
    let file = match (&tuning.log, &directory) {
        (Some(file), _) => file.clone(),
        (None, Some(directory)) => directory.path().join("log"),
        (None, None) => PathBuf::from("log"),
    };
    let mut log = Log::open(&file, &rig.identity(&tuning, &choice.text)).map_err(|d| {
        let mut problem = plain(&d);
        for note in &d.notes {
            problem.message += &format!("; {note}");
        }
        if d.help.is_some() {
            problem.help = Some("name another file for the log, or delete this one".to_owned());
        }
        Problems(vec![problem])
    })?;
    let candidates = tuning.space.candidates(None, tuning.seed);
    let over = Cell::new(false);
    let last = RefCell::new(Progress {
        done: 0,
        of: candidates.len(),
        best: None,
        finals: false,
    });
    let mut best: Option<Candidate> = None;
    let search = Search {
        bench: &mut rig,
        log: &mut log,
        candidates: &candidates,
        settings: Settings {
            budget: tuning.budget,
            runs: tuning.runs,
        },
        interrupted: &|| over.get(),
        observe: &mut |event| {
            let mut now = last.borrow_mut();
            match event {
                Event::Known { count, .. } => now.done = count,
                Event::Begin { .. } => return,
                Event::End {
                    number, best: b, ..
                } => {
                    now.done = number;
                    now.best = b.map(|(candidate, ms)| (candidate.to_string(), ms));
                    best = b.map(|(candidate, _)| candidate.clone());
                }
                Event::Finals { .. } => now.finals = true,
            }
            if let Some(watch) = &mut progress {
                over.set(over.get() || watch(&now).is_break());
            }
        },
    };
    let found = search.run().map_err(refused)?;
    let mut notes = found.notes.clone();
    if log.unreadable() > 0 {
        let (path, lines) = (log.path().display(), log.unreadable());
        notes.push(format!(
            "{lines} of the lines of {path} could not be read and count for nothing"
        ));
    }
    let rejected = found.rejected.iter().take(NAMED);
    notes.extend(rejected.map(|(candidate, reason)| format!("rejected {candidate}: {reason}")));
    let tuned = |plan: &Plan, candidate: &Candidate, ms: f64| Tuned {
        plan: plan.clone(),
        candidate: candidate.to_string(),
        ms,
        default_ms: found.default_plan().map(|times| times.median),
        reference_ms: (found.original.runs > 0).then_some(found.original.median),
        tried: found.counts.candidates - found.counts.left,
        candidates: found.counts.candidates,
        interrupted: found.interrupted,
        notes: notes.clone(),
    };
    if let Some((candidate, plan, times)) = found.winner() {
        return Ok(tuned(plan, candidate, times.median));
    }
    let unfinished = best.as_ref().and_then(|candidate| log.find(candidate));
    if let Some(record) = unfinished.filter(|_| found.interrupted) {
        if let (Some(plan), Some(ms)) = (record.found.plan(), record.minimum()) {
            return Ok(tuned(plan, &record.candidate, ms));
        }
    }
    Err(Problems(vec![Problem::new(without_winner(
        pipeline.name(),
        &found,
        &notes,
    ))]))
}

fn without_winner(name: &str, found: &Findings, notes: &[String]) -> String {
    let reason = match (found.interrupted, found.counts.differing) {
        (true, _) => "the search was broken off before anything was measured",
        (false, 0) => "no plan could be measured",
        (false, _) => "no plan computes what the pipeline as it is written does",
    };
    let mut message = format!("pipeline {name}: {reason}");
    for note in notes {
        message += &format!("; {note}");
    }
    message
}
