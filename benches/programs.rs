//! One program in the versions that benches over several programs compare: original, tilewright's
//! result, and peers, by turns in one process on the same memory.

// Each bench uses a part of it.
#![allow(dead_code)]

use crate::experiments::{Example, interface, options, rounds};
use crate::setting::words;
use crate::timing::Building;
use std::path::PathBuf;
use tilewright::compile::compile;
use tilewright::diagnostic::Diagnostic;
use tilewright::plan::Shape;
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::Toolchain;
use tilewright_driver::measure::contest::{Contest, Peer};
use tilewright_driver::measure::experiment::{Experiment, Values};
use tilewright_driver::measure::job::{Standing, Turns};

/// An example and what it is called with.
pub struct Program<'a> {
    /// What messages call it.
    pub name: &'a str,
    pub file: PathBuf,
    pub function: &'a str,
    pub values: &'a Values,
}

/// What was found out about one program.
pub struct Versions {
    /// tilewright's results were bit-identical to the original's, without contraction.
    pub identical: bool,
    /// Shapes of the groups that were planned.
    pub shapes: Vec<Shape>,
    /// For each C compiler the original and tilewright's result, then the peers.
    pub standings: Vec<Standing>,
}

impl Program<'_> {
    /// Compiles, builds with every C compiler, compares and times.
    pub fn versions(
        &self,
        toolchains: &[Toolchain],
        peers: Vec<Peer>,
        building: &Building,
        (threads, runs): (usize, usize),
    ) -> Result<Versions, Vec<Diagnostic>> {
        let one = |diagnostic: Box<Diagnostic>| vec![*diagnostic];
        let say = |what: &str| eprintln!("{}: {what}", self.name);
        let source = preprocess(&self.file, &toolchains[0]).map_err(one)?;
        say("compile");
        let options = options(threads, self.values);
        let compiled = compile(&source, &options, None, &mut |_| {})?;
        for warning in &compiled.warnings {
            say(&words(warning));
        }
        let example = Example {
            file: &self.file,
            source: &source,
            interface: interface(&compiled, self.function)?,
            values: self.values,
            runs,
        };
        let runner = building.runner(threads);
        let experiments: Vec<Experiment<'_>> = toolchains
            .iter()
            .map(|toolchain| example.experiment(&compiled.text, toolchain, runner.clone()))
            .collect();
        let mut builds = Vec::new();
        let mut identical = true;
        for experiment in &experiments {
            say(&format!("build with {}", experiment.toolchain.cc));
            let built = experiment.build().map_err(one)?;
            identical &= experiment
                .check(&built, &mut |_| {})
                .map_err(one)?
                .identical();
            builds.push(built);
        }
        let contest = Contest {
            builds: experiments
                .iter()
                .zip(&builds)
                .map(|(experiment, built)| (experiment.toolchain.cc.clone(), experiment, built))
                .collect(),
            originals: true,
            peers,
            turns: Turns::of_one_call(runs),
        };
        let standings = contest.run(&mut rounds(say)).map_err(one)?;
        let groups = compiled
            .regions
            .iter()
            .flat_map(|region| &region.order.groups);
        Ok(Versions {
            identical,
            shapes: groups.map(|group| group.shape).collect(),
            standings,
        })
    }
}
