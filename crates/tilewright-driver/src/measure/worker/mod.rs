//! The measuring process: loads both versions, gives them the same data, runs, compares, times.
//!
//! It is started by [`crate::measure::run`] and may be killed by it at any time.

mod contest;
mod state;
mod trial;

use crate::Result;
use crate::data::picture;
use crate::host::clock;
use crate::host::clock::Clock;
use crate::measure::compare::compare;
use crate::measure::job::{Comparison, Event, Failure, Job, Side, Task, Timing};
use crate::measure::library::{Program, keep_freed_memory};
use state::{Arrays, Pristine};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::{process, thread};
use tilewright::diagnostic::{Code, Diagnostic};

/// Stack of the thread that calls the program: programs keep arrays there. Only what is used
/// takes memory.
const STACK: usize = 512 << 20;

/// The whole life of a measuring process: a job on standard input, events into its file.
///
/// Standard input has to stay open: when it ends, the process that asked for this is gone, and
/// this one ends too.
pub fn main() -> ExitCode {
    keep_freed_memory();
    let mut line = String::new();
    if io::stdin().lock().read_line(&mut line).is_err() {
        return ExitCode::FAILURE;
    }
    let Ok(job) = serde_json::from_str::<Job>(&line) else {
        return ExitCode::FAILURE;
    };
    let Ok(events) = OpenOptions::new()
        .append(true)
        .create(true)
        .open(&job.events)
    else {
        return ExitCode::FAILURE;
    };
    let listener = thread::Builder::new().spawn(|| {
        let mut rest = [0];
        while io::stdin().read(&mut rest).is_ok_and(|count| count > 0) {}
        process::exit(1);
    });
    if listener.is_err() {
        return ExitCode::FAILURE;
    }
    let work = move || {
        let mut worker = Worker {
            job: &job,
            events,
            clock: Clock::from_environment(),
        };
        match worker.run() {
            Ok(event) => worker.tell(&event),
            Err(diagnostic) => worker.tell(&Event::Failed(Failure::from(&*diagnostic))),
        }
    };
    match thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .map(thread::JoinHandle::join)
    {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(_)) | Err(_) => ExitCode::FAILURE,
    }
}

struct Worker<'a> {
    job: &'a Job,
    events: File,
    clock: Clock,
}

impl Worker<'_> {
    /// Events that cannot be written are lost; the other process will notice their absence.
    fn tell(&mut self, event: &Event) {
        if let Ok(mut line) = serde_json::to_string(event) {
            line.push('\n');
            let _ = self.events.write_all(line.as_bytes());
        }
    }

    fn at(&mut self, what: &str) {
        self.tell(&Event::At(what.to_owned()));
    }

    fn run(&mut self) -> Result<Event> {
        if self.clock == Clock::Processor && !matches!(self.job.task, Task::Check) {
            let (variable, value) = (clock::VARIABLE, clock::PROCESSOR);
            let note =
                format!("{variable}={value}: times are of the processor, all threads together");
            self.tell(&Event::Note(note));
        }
        self.at("loading the built programs");
        if let Task::Contest { entrants, turns } = &self.job.task {
            return self.contest(entrants, *turns);
        }
        let original = Program::load(&self.job.original)?;
        let result = Program::load(&self.job.result)?;
        let pristine = self.prepare(&[&original, &result])?;
        match self.job.task {
            Task::Check | Task::Contest { .. } => self.check(&pristine, &original, &result),
            Task::Time {
                runs,
                fewest,
                most,
                budget,
                alone,
            } => {
                let choose = |pair: f64| {
                    runs.unwrap_or(((budget / pair) as usize).clamp(fewest, most))
                        .max(1)
                };
                let versions = [(Side::Original, &original), (Side::Result, &result)];
                self.time(&pristine, &versions[usize::from(alone)..], choose)
            }
            Task::Trial { first, runs, limit } => {
                self.trial(&pristine, &result, first, runs, limit)
            }
        }
    }

    /// Fills the arrays as the first of the programs, the original, wants them.
    fn prepare(&mut self, programs: &[&Program]) -> Result<Pristine> {
        let original = programs[0];
        self.at("filling the arrays");
        let (mut pristine, notes) = Pristine::new(self.job, original)?;
        for note in notes {
            self.tell(&Event::Note(note));
        }
        if self.job.init {
            self.at("the program's init function");
            // Once for each version, so that whatever else it sets up is there in all.
            let initialise = |program: &Program| -> Result<Arrays> {
                let mut arrays = Arrays::new(&pristine)?;
                arrays.restore(&pristine, program);
                program.call_init(&mut arrays.addresses());
                Ok(arrays)
            };
            for program in &programs[1..] {
                initialise(program)?;
            }
            let arrays = initialise(original)?;
            pristine.take(&arrays, original);
        }
        Ok(pristine)
    }

    fn check(
        &mut self,
        pristine: &Pristine,
        original: &Program,
        result: &Program,
    ) -> Result<Event> {
        let mut sides = Vec::new();
        for (side, program) in [(Side::Original, original), (Side::Result, result)] {
            self.at("copying the arrays");
            let mut arrays = Arrays::new(pristine)?;
            arrays.restore(pristine, program);
            self.tell(&Event::Call {
                side,
                run: 1,
                of: 1,
            });
            program.call(&mut arrays.addresses());
            arrays.take_globals(program);
            if let Some(name) = arrays.overrun() {
                let message = format!("{} wrote outside of `{name}`", side.name());
                let size = arrays.size_of(name);
                let note = format!("`{name}` was taken to have {size} elements");
                return Err(Box::new(
                    Diagnostic::error(Code::RunFailed, message).note(note),
                ));
            }
            sides.push(arrays);
        }
        self.at("comparing");
        let mut comparison = Comparison::default();
        for (left, right) in sides[0].all().zip(sides[1].all()) {
            let (shape, bytes) = left;
            let difference = compare(shape.element, bytes, right.1);
            comparison.arrays.push((shape.clone(), difference));
        }
        for (name, path) in &self.job.outputs {
            self.at("writing");
            if let Some((shape, bytes)) = sides[1].all().find(|(shape, _)| shape.name == *name) {
                if let Some(note) = write(path, shape, bytes)? {
                    self.tell(&Event::Note(note));
                }
            }
        }
        Ok(Event::Compared(comparison))
    }

    /// Times versions by turns: the original, unless it is left out, and the result.
    fn time(
        &mut self,
        pristine: &Pristine,
        versions: &[(Side, &Program)],
        choose: impl Fn(f64) -> usize,
    ) -> Result<Event> {
        self.at("copying the arrays");
        // Both versions work on the same memory, so that its place favours neither.
        let mut arrays = Arrays::new(pristine)?;
        let mut timing = Timing::default();

        let mut warm_up = 0.0;
        let mut after_original = None;
        for &(side, program) in versions {
            arrays.restore(pristine, program);
            warm_up += self.call(side, 0, 0, program, &mut arrays);
            arrays.take_globals(program);
            match &after_original {
                None if side == Side::Original => after_original = Some(arrays.written()),
                None => {}
                Some(before) => {
                    let pairs = arrays.pairs(before);
                    let differences = pairs.map(|(kind, left, right)| compare(kind, left, right));
                    let most = differences.map(|difference| difference.max_abs_diff);
                    timing.max_abs_diff = Some(most.fold(0.0, f64::max));
                }
            }
        }
        drop(after_original);

        let runs = choose(warm_up);
        let forwards: Vec<_> = versions.to_vec();
        let backwards: Vec<_> = versions.iter().rev().copied().collect();
        for run in 1..=runs {
            // Whoever comes second finds other things in the caches: take turns in that too.
            let order = if run % 2 == 1 { &forwards } else { &backwards };
            for &(side, program) in order {
                arrays.restore(pristine, program);
                let seconds = self.call(side, run, runs, program, &mut arrays);
                match side {
                    Side::Original => timing.original.push(seconds * 1e3),
                    Side::Result => {
                        timing.result.push(seconds * 1e3);
                        if let Some((seconds, launches)) = program.device_seconds() {
                            timing.kernels.push(seconds * 1e3);
                            timing.launches = launches;
                        }
                    }
                }
            }
        }
        Ok(Event::Timed(timing))
    }

    /// One call; its time in seconds.
    fn call(
        &mut self,
        side: Side,
        run: usize,
        of: usize,
        program: &Program,
        arrays: &mut Arrays,
    ) -> f64 {
        self.tell(&Event::Call { side, run, of });
        let mut addresses = arrays.addresses();
        let time = self.clock.time(|| program.call(&mut addresses));
        time.as_secs_f64()
    }
}

/// Writes an array as a picture or an `.npy` file.
fn write(path: &Path, shape: &crate::data::Shape, bytes: &[u8]) -> Result<Option<String>> {
    if !picture::is_picture(path) {
        crate::host::output::write(path, &crate::data::npy::write(shape, bytes))?;
        return Ok(None);
    }
    let (file, note) = picture::save(path, shape, bytes).map_err(|reason| {
        let message = format!("cannot write {}: {reason}", path.display());
        Box::new(Diagnostic::error(Code::UnwritableOutput, message))
    })?;
    crate::host::output::write(path, &file)?;
    Ok(note)
}
