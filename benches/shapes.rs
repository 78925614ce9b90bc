//! Shapes of tiles against each other on one stencil, for the benches that do so.

use crate::experiments::{Example, interface, options, rounds};
use crate::setting::{Failure, root, words};
use crate::timing::Timing;
use serde_json::Value;
use tilewright::compile::{Compiled, compile};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::plan::Shape;
use tilewright::planner::ShapeCost;
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::Toolchain;
use tilewright_driver::measure::contest::{Contest, Peer};
use tilewright_driver::measure::experiment::{Experiment, Values};
use tilewright_driver::measure::job::{Standing, Turns};

/// A shape that takes part.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// As the command line says it.
    pub name: String,
    /// `None`: the planner's choice.
    shape: Option<Shape>,
    tile_sizes: Option<Vec<i64>>,
}

impl Wanted {
    /// `SHAPE[:SIZES]` by the names that plans have for them, `default` for the planner's choice.
    pub fn parse(text: &str) -> Result<Wanted, Failure> {
        let (name, sizes) = match text.split_once(':') {
            Some((name, sizes)) => (name, Some(sizes)),
            None => (text, None),
        };
        let shape = match name {
            "default" => None,
            name => Some(
                serde_json::from_value(Value::String(name.to_owned()))
                    .map_err(|error| format!("no shape `{name}`: {error}"))?,
            ),
        };
        let sizes = sizes.map(|sizes| sizes.split('x').map(str::parse).collect());
        Ok(Wanted {
            name: text.to_owned(),
            shape,
            tile_sizes: sizes
                .transpose()
                .map_err(|_| format!("sizes in `{text}`"))?,
        })
    }
}

/// What is the same for all stencils.
pub struct Setup<'t> {
    /// The first one is what all are compared with.
    pub shapes: Vec<Wanted>,
    pub toolchain: Toolchain,
    timing: &'t Timing,
}

impl<'t> Setup<'t> {
    /// These shapes, built and timed as the command line says.
    pub fn new(shapes: Vec<Wanted>, timing: &'t Timing) -> Setup<'t> {
        Setup {
            shapes,
            toolchain: timing.toolchain(),
            timing,
        }
    }

    /// Compiles, builds, compares and times all shapes and the peers.
    ///
    /// The stencil is a file of `examples/stencils` with a function of its name, `_` for `-`, and
    /// these values of its parameters.
    pub fn contest(
        &self,
        stencil: &str,
        values: &[(&str, i64)],
        threads: usize,
        peers: Vec<Peer>,
    ) -> Result<Outcome, Vec<Diagnostic>> {
        let one = |diagnostic: Box<Diagnostic>| vec![*diagnostic];
        let say = |what: &str| eprintln!("{stencil}, {threads} threads: {what}");
        let file = root()
            .join("examples/stencils")
            .join(format!("{stencil}.c"));
        let source = preprocess(&file, &self.toolchain).map_err(one)?;
        let values: Values = (values.iter())
            .map(|&(name, v)| (name.to_owned(), v.to_string()))
            .collect();
        let mut results: Vec<(&Wanted, Compiled)> = Vec::new();
        let mut refused = Vec::new();
        let mut same = Vec::new();
        let mut predicted = Vec::new();
        for wanted in &self.shapes {
            say(&format!("compile {}", wanted.name));
            let mut options = options(threads, &values);
            options.wishes.shape = wanted.shape;
            options.wishes.tile_sizes.clone_from(&wanted.tile_sizes);
            let compiled = match compile(&source, &options, None, &mut |_| {}) {
                Ok(compiled) => compiled,
                Err(errors) if wanted.shape.is_some() => {
                    let why: Vec<String> = errors.iter().map(words).collect();
                    refused.push((wanted.name.clone(), why.join("; ")));
                    continue;
                }
                Err(errors) => return Err(errors),
            };
            let groups = || {
                compiled
                    .regions
                    .iter()
                    .flat_map(|region| &region.order.groups)
            };
            let done =
                groups().count() > 0 && wanted.shape.is_none_or(|s| groups().all(|g| g.shape == s));
            if wanted.shape.is_none() {
                predicted = (compiled.regions.iter())
                    .flat_map(|region| region.order.shapes.clone())
                    .collect();
            }
            let twin = results
                .iter()
                .find(|(_, other)| code(&other.text) == code(&compiled.text));
            if let (true, Some((twin, _))) = (done, twin) {
                same.push((wanted.name.clone(), twin.name.clone()));
            } else if done {
                results.push((wanted, compiled));
            } else {
                let mut why: Vec<String> = compiled.warnings.iter().map(words).collect();
                let planned: Vec<String> = groups().map(|g| format!("{:?}", g.shape)).collect();
                why.push(format!("planned instead: {}", planned.join(", ")));
                refused.push((wanted.name.clone(), why.join("; ")));
            }
        }
        let Some((_, first)) = results.first() else {
            let message = "none of the shapes applies";
            return Err(vec![Diagnostic::error(Code::BadInput, message)]);
        };
        let example = Example {
            file: &file,
            source: &source,
            interface: interface(first, &stencil.replace('-', "_"))?,
            values: &values,
            runs: self.timing.runs,
        };
        let runner = self.timing.building.runner(threads);
        let experiments: Vec<Experiment<'_>> = results
            .iter()
            .map(|(_, of)| example.experiment(&of.text, &self.toolchain, runner.clone()))
            .collect();
        say("build");
        let original = experiments[0].build_original().map_err(one)?;
        let mut builds = Vec::new();
        for (experiment, (wanted, _)) in experiments.iter().zip(&results) {
            let built = experiment.build_result(&original).map_err(one)?;
            say(&format!("compare {}", wanted.name));
            let comparison = experiment.check(&built, &mut |_| {}).map_err(one)?;
            if !comparison.identical() {
                return Err(vec![comparison.difference()]);
            }
            builds.push(built);
        }
        let contest = Contest {
            builds: (results.iter().zip(experiments.iter().zip(&builds)))
                .map(|((wanted, _), (experiment, built))| (wanted.name.clone(), experiment, built))
                .collect(),
            originals: false,
            peers,
            turns: Turns::of_one_call(self.timing.runs),
        };
        let standings = contest.run(&mut rounds(say));
        Ok(Outcome {
            standings: standings.map_err(one)?,
            refused,
            same,
            predicted,
        })
    }
}

/// A text without the lines that only say how it was made.
fn code(text: &str) -> Vec<&str> {
    let lines = text.lines();
    lines
        .filter(|l| !l.trim_start().starts_with("/*"))
        .collect()
}

/// What came of all versions. All shapes' results were bit-identical to the original's, without
/// contraction.
pub struct Outcome {
    /// In the order of the shapes, then peers.
    pub standings: Vec<Standing>,
    /// Shapes that do not apply, and why.
    pub refused: Vec<(String, String)>,
    /// Shapes whose code is the same as another's before them, and which: measured once.
    pub same: Vec<(String, String)>,
    /// What the planner predicts, the fastest shape first, where it was asked to choose.
    pub predicted: Vec<ShapeCost>,
}
