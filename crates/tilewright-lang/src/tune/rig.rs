//! How candidates are compiled, compared and timed: in this process, on arrays of its own.

use super::Tuning;
use crate::build::build;
use crate::call::{Call, Number, Ready, threads};
use crate::kernel::{Compile, Options};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::thread;
use std::time::Duration;
use tilewright::compile::{self, Compiled};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::frontend::c::interface::Interface;
use tilewright::frontend::pipeline::{
    ArrayArgument, Direction, Pipeline, Problem, Problems, Program,
};
use tilewright::plan::Plan;
use tilewright::scop::ScalarKind;
use tilewright_driver::Result;
use tilewright_driver::cache::Cache;
use tilewright_driver::data::element::{self, Value};
use tilewright_driver::data::fill::{Fill, fill};
use tilewright_driver::data::{Buffer, Shape};
use tilewright_driver::host::clock::Clock;
use tilewright_driver::measure::compare::compare;
use tilewright_driver::measure::experiment::DEFAULT_FLOAT;
use tilewright_driver::measure::job::Turns;
use tilewright_driver::measure::library;
use tilewright_driver::tune::{
    Bench, Candidate, FIRST_RUNS, Identity, Measurement, Subject, Version, hash, is_clearly_slower,
};

/// What candidates are measured with.
pub(super) struct Rig<'a> {
    program: &'a Program,
    options: Options,
    interface: Interface,
    /// Of scalars, by name.
    values: BTreeMap<String, String>,
    /// Of images, by name: a hash of what they hold.
    inputs: Vec<(String, String)>,
    /// Points to images, given or of `_images`, and to `outputs`.
    arguments: Ready<'a>,
    _images: Vec<Buffer>,
    outputs: Vec<Output>,
    /// The pipeline as it is written, built to be timed.
    original: Rc<library::Program>,
    kept: Vec<(Plan, Rc<library::Program>)>,
    clock: Clock,
    /// Hundreds of candidates would push out what is worth keeping.
    nothing_kept: Cache,
}

struct Output {
    shape: Shape,
    memory: Buffer,
    /// What it holds before a call: cells of no case keep it.
    before: Vec<u8>,
    /// What it holds after a call of the pipeline as it is written.
    expected: Vec<u8>,
}

impl<'a> Rig<'a> {
    pub(super) fn new(
        pipeline: &Pipeline,
        program: &'a Program,
        tuning: &'a Tuning<'_>,
        choice: &Compiled,
    ) -> std::result::Result<Rig<'a>, Problems> {
        let Some(interface) = choice.interfaces.first() else {
            let message = format!("pipeline {}: nothing was compiled", program.name());
            return Err(Problems(vec![Problem::new(message)]));
        };
        let options = &tuning.options;
        let as_written = pipeline.reference(&Options {
            exact: true,
            ..options.clone()
        })?;
        let mut call: Call<'_, 'a> = Call::new(program, as_written.entry());
        for (name, value) in &tuning.numbers {
            call.scalar_named(name, *value);
        }
        for scalar in &program.scalars {
            let is_given = tuning.numbers.iter().any(|(name, _)| *name == scalar.name);
            if scalar.kind != ScalarKind::I32 && !is_given {
                call.scalar_named(&scalar.name, Number::Float(DEFAULT_FLOAT));
            }
        }
        let mut inputs = Vec::new();
        for image in &tuning.images {
            let (shape, address) = (Some(&image.shape[..]), image.address);
            let direction = Direction::Input;
            call.array(
                &image.name,
                direction,
                image.kind,
                address,
                image.cells,
                shape,
            );
            let bytes = image.cells * image.kind.bytes();
            // SAFETY: the image was given as a slice of so many cells, or by somebody who promised
            // that it is one; bytes have no alignment.
            let bytes = unsafe { std::slice::from_raw_parts(image.address.cast(), bytes) };
            inputs.push((image.name.clone(), hash(bytes)));
        }
        let (mut images, mut outputs) = (Vec::new(), Vec::new());
        for array in &program.arrays {
            let is_given = tuning.images.iter().any(|image| image.name == array.name);
            if array.direction == Direction::Input && is_given {
                continue;
            }
            let extents = call.shape_of(&array.name)?;
            let shape = Shape {
                name: array.name.clone(),
                element: array.kind,
                extents,
            };
            let mut memory =
                Buffer::new(&shape).map_err(|d| Problems(vec![Problem::new(d.message)]))?;
            fill(&shape, Fill::Random, tuning.seed, memory.bytes_mut());
            keep_promise(array, &mut memory);
            let (extents, address) = (Some(&shape.extents[..]), memory.address().cast());
            let cells = shape.elements();
            call.array(
                &array.name,
                array.direction,
                array.kind,
                address,
                cells,
                extents,
            );
            match array.direction {
                Direction::Input => {
                    inputs.push((array.name.clone(), hash(memory.bytes())));
                    images.push(memory);
                }
                Direction::Output => outputs.push(Output {
                    before: memory.bytes().to_vec(),
                    expected: Vec::new(),
                    shape,
                    memory,
                }),
            }
        }
        let values = call.values();
        let mut arguments = call.ready()?;
        arguments.run(as_written.entry());
        for output in &mut outputs {
            output.expected = output.memory.bytes().to_vec();
        }
        let original = Rc::new(pipeline.reference(options)?.into_entry());
        Ok(Rig {
            program,
            options: options.clone(),
            interface: interface.clone(),
            values,
            inputs,
            arguments,
            _images: images,
            outputs,
            original,
            kept: Vec::new(),
            clock: Clock::from_environment(),
            nothing_kept: Cache::in_directory(None, 0),
        })
    }

    /// What measurements depend on besides the candidate. `choice` is the default plan's text.
    pub(super) fn identity(&self, tuning: &Tuning<'_>, choice: &str) -> Identity {
        let mut identity = Identity::of(&Subject {
            source: self.program.source(),
            result: choice,
            function: self.program.name(),
            values: &self.values,
            inputs: self.inputs.clone(),
            fill: Fill::Random,
            seed: tuning.seed,
            threads: threads(),
            toolchain: &self.options.toolchain,
        });
        let exact = self.options.exact.to_string();
        identity.0.insert("exact".to_owned(), exact);
        // What candidates mean depends on it.
        let wishes = format!("{:?}", self.options.compile.wishes);
        let options = hash(wishes.as_bytes());
        identity.0.insert("options".to_owned(), options);
        identity
    }

    fn compiled(
        &self,
        options: &compile::Options,
        plan: Option<&Plan>,
    ) -> std::result::Result<Version, String> {
        let done = compile::compile(self.program.source(), options, plan, &mut |_| {});
        match done {
            Ok(done) => Ok(Version {
                plan: done.plan,
                text: done.text,
                device: None,
                exact: true,
            }),
            Err(all) => {
                let all: Vec<Problem> = all.iter().map(|d| self.program.problem(d)).collect();
                Err(Problems(all).to_string())
            }
        }
    }

    fn build(&self, version: &Version, exact: bool) -> Result<library::Program> {
        let (name, toolchain) = (self.program.name(), &self.options.toolchain);
        let text = &version.text;
        build(
            name,
            text,
            &self.interface,
            toolchain,
            exact,
            &self.nothing_kept,
        )
        .map_err(|problems| {
            let message = problems.to_string();
            Box::new(Diagnostic::error(Code::CompilerFailed, message))
        })
    }

    /// Builds and compares; what differs, in words.
    fn checked(&mut self, version: &Version) -> Result<Option<String>> {
        let exact = self.build(version, true)?;
        self.call(&exact);
        for output in &self.outputs {
            let name = &output.shape.name;
            if !output.memory.guards_intact() {
                return Ok(Some(format!("cells outside of {name} are written")));
            }
            let difference = compare(
                output.shape.element,
                &output.expected,
                output.memory.bytes(),
            );
            if let (Some(first), Some((wanted, is))) = (difference.first, difference.values) {
                let place = output.shape.subscripts(first as usize);
                let count = difference.differing;
                return Ok(Some(format!(
                    "{count} cells of {name} differ, the first at {place}: {is}, not {wanted}"
                )));
            }
        }
        let timed = if self.options.exact {
            exact
        } else {
            self.build(version, false)?
        };
        self.kept.push((version.plan.clone(), Rc::new(timed)));
        Ok(None)
    }

    /// One call, its time in milliseconds.
    fn call(&mut self, entry: &library::Program) -> f64 {
        for output in &mut self.outputs {
            output.memory.bytes_mut().copy_from_slice(&output.before);
        }
        let arguments = &mut self.arguments;
        let time: Duration = self.clock.time(|| arguments.run(entry));
        time.as_secs_f64() * 1e3
    }

    /// A build that was kept; the original's for no plan.
    fn entry(&self, plan: Option<&Plan>) -> Result<Rc<library::Program>> {
        let Some(plan) = plan else {
            return Ok(self.original.clone());
        };
        let found = self.kept.iter().find(|(kept, _)| kept == plan);
        found.map(|(_, entry)| entry.clone()).ok_or_else(|| {
            let message = "a build of the search is gone";
            Box::new(Diagnostic::error(Code::Internal, message))
        })
    }
}

impl Bench for Rig<'_> {
    fn compile(&mut self, candidate: &Candidate) -> std::result::Result<Version, String> {
        let options = compile::Options {
            wishes: candidate.wishes(&self.options.compile.wishes),
            ..self.options.compile.clone()
        };
        self.compiled(&options, None)
    }

    fn replay(&mut self, plan: &Plan) -> std::result::Result<Version, String> {
        self.compiled(&self.options.compile, Some(plan))
    }

    fn measure_with_original(&mut self, version: &Version, runs: usize) -> Result<Measurement> {
        if let Some(reason) = self.checked(version)? {
            return Ok(Measurement::Differs(reason));
        }
        let sides = [self.entry(None)?, self.entry(Some(&version.plan))?];
        let mut times = [Vec::new(), Vec::new()];
        for run in 0..=runs {
            // Whoever comes second finds other things in the caches: take turns in that.
            for at in [run % 2, 1 - run % 2] {
                let time = self.call(&sides[at]);
                // The first call warms up.
                if run > 0 {
                    times[at].push(time);
                }
            }
        }
        let [original, times] = times;
        Ok(Measurement::Timed {
            times,
            stopped: false,
            original,
        })
    }

    fn measure(&mut self, version: &Version, runs: usize, limit: f64) -> Result<Measurement> {
        if let Some(reason) = self.checked(version)? {
            return Ok(Measurement::Differs(reason));
        }
        let entry = self.entry(Some(&version.plan))?;
        self.call(&entry);
        let mut times = Vec::new();
        let mut stopped = false;
        while times.len() < runs && !stopped {
            times.push(self.call(&entry));
            let is_slow = times.len() >= FIRST_RUNS && is_clearly_slower(&times, limit);
            stopped = is_slow && times.len() < runs;
        }
        Ok(Measurement::Timed {
            times,
            stopped,
            original: Vec::new(),
        })
    }

    fn keep(&mut self, plans: &[&Plan]) {
        self.kept.retain(|(plan, _)| plans.contains(&plan));
    }

    fn contest(&mut self, versions: &[Version], runs: usize) -> Result<Vec<Vec<f64>>> {
        let mut entries = vec![self.entry(None)?];
        for version in versions {
            if !self.kept.iter().any(|(plan, _)| *plan == version.plan) {
                let built = Rc::new(self.build(version, self.options.exact)?);
                self.kept.push((version.plan.clone(), built));
            }
            entries.push(self.entry(Some(&version.plan))?);
        }
        let mut times = vec![Vec::new(); entries.len()];
        for run in 0..runs {
            for at in (0..entries.len()).map(|at| (at + run) % entries.len()) {
                // The threads of another version go on looking for work for a while.
                thread::sleep(Duration::from_millis(Turns::PAUSE));
                // A call that is not timed wakes this version's own.
                self.call(&entries[at]);
                times[at].push(self.call(&entries[at]));
            }
        }
        Ok(times)
    }
}

/// Takes random values into the range that an image's cells are promised to be in.
fn keep_promise(array: &ArrayArgument, memory: &mut Buffer) {
    let Some((low, high)) = array.values else {
        return;
    };
    let kind = array.kind;
    let inside = |value: Value| match value {
        // From 0 to 1.
        Value::Float(value) => Value::Float((low + value * (high - low)).clamp(low, high)),
        Value::Int(value) => {
            let (low, high) = (low.ceil() as i128, high.floor() as i128);
            Value::Int(low + value % (high - low + 1).max(1))
        }
    };
    let bytes = memory.bytes_mut();
    for cell in bytes.chunks_exact_mut(kind.bytes()) {
        element::set(kind, inside(element::get(kind, cell)), cell);
    }
}
