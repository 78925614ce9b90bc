//! What benches share that compile examples and time them beside their originals.

// Each bench uses a part of it.
#![allow(dead_code)]

use std::path::Path;
use tilewright::compile::{Compiled, Options};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::frontend::c::interface::Interface;
use tilewright::source::Source;
use tilewright_driver::data::fill::Fill;
use tilewright_driver::host::machine::this_machine;
use tilewright_driver::host::toolchain::Toolchain;
use tilewright_driver::measure::experiment::{Arguments, Experiment, Values};
use tilewright_driver::measure::run::{Progress, Runner};

/// Options as `tilewright run` has them: planned for these sizes and threads.
pub fn options(threads: usize, values: &Values) -> Options {
    let mut options = Options::default();
    let wishes = &mut options.wishes;
    wishes.machine = this_machine();
    wishes.machine.cores = threads as i64;
    let sizes = values.iter();
    let sizes = sizes.filter_map(|(name, value)| Some((name.clone(), value.parse().ok()?)));
    wishes.estimates = sizes.collect();
    options
}

/// How to call the function of that name.
pub fn interface<'a>(
    compiled: &'a Compiled,
    function: &str,
) -> Result<&'a Interface, Vec<Diagnostic>> {
    let mut all = compiled.interfaces.iter();
    all.find(|one| one.function == function).ok_or_else(|| {
        let message = format!("no function `{function}`");
        vec![Diagnostic::error(Code::NoRegion, message)]
    })
}

/// An example and what it is called with.
#[derive(Clone, Copy)]
pub struct Example<'a> {
    pub file: &'a Path,
    pub source: &'a Source,
    pub interface: &'a Interface,
    pub values: &'a Values,
    /// Timed runs of each version.
    pub runs: usize,
}

impl<'a> Example<'a> {
    /// What was made of it beside the original, on made-up data.
    pub fn experiment(
        &self,
        result: &'a str,
        toolchain: &'a Toolchain,
        runner: Runner,
    ) -> Experiment<'a> {
        Experiment {
            source: self.source,
            path: self.file,
            result,
            device: None,
            interface: self.interface,
            toolchain,
            runner,
            arguments: Arguments {
                values: self.values.clone(),
                fill: Fill::Auto,
                seed: 1,
                inputs: Vec::new(),
                outputs: Vec::new(),
            },
            runs: Some(self.runs),
        }
    }
}

/// What says which round of a contest has begun.
pub fn rounds(say: impl Fn(&str)) -> impl FnMut(Progress) {
    let mut last = usize::MAX;
    move |progress| {
        if let Progress::Turn { run, of, .. } = progress {
            if run != last {
                say(&format!("run {run} of {of}"));
                last = run;
            }
        }
    }
}
