//! Lowering beside what was seen: the accesses of a region's model against those that an interpreter
//! of C does.
//!
//! `tilewright-certify` executes the function as text, on small inputs, and records each access in the
//! region: where in the text, which bytes, read or written, with which values of the loops' variables.
//! The model says the same with its sizes fixed: instances, their times, cells. What is compared:
//!
//! - what is executed is an instance of the domain, and each access is in a relation of its statement;
//! - instances are executed in the order of the original schedule, but for reads of what nobody wrote
//!   in between (bounds are read anew in every iteration, and once in the model);
//! - what the model writes for certain is written, also where nothing else is executed; what it reads
//!   for certain is read where the statement is executed;
//! - cells are within the extents of their arrays, values that a body keeps stay in its instance, and
//!   nothing is written of which the model does not know;
//! - what the model takes as given of the parameters holds.
//!
//! The model is that of the text as it is written: what [`normalise`](crate::frontend::c::read)
//! rewrites has no instances and accesses that a line of the text had.
//!
//! Where a condition of the region's [`Checks`](crate::scop::Checks) does not hold, the original
//! statements are executed, and there is nothing to compare.

mod compare;
mod model;
mod text;

use crate::diagnostic::Diagnostic;
use crate::frontend::c::lower::lower_region;
use crate::frontend::c::parse::parse;
use crate::scop::new_context;
use crate::source::Source;
use compare::Comparison;
use model::Model;
use std::fmt;
use text::{Noting, one_line_each};
use tilewright_certify::Text;
use tilewright_certify::storage::trace::{Request, trace};

/// Why a comparison ends early.
enum Found {
    Mismatch(Box<Mismatch>),
    /// The program goes beyond the rows that it declares: that does not happen.
    Beyond,
    Isl(isl::Error),
}

impl From<isl::Error> for Found {
    fn from(error: isl::Error) -> Found {
        Found::Isl(error)
    }
}

/// How much is executed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Inputs for each region.
    pub inputs: usize,
    /// No size is larger.
    pub largest: i64,
    /// Instructions of one execution.
    pub steps: u64,
    /// Where random choices begin.
    pub seed: u64,
    /// isl's operations, as for a compile.
    pub budget: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            inputs: 6,
            largest: 9,
            steps: 2_000_000,
            seed: 1,
            budget: 20_000_000,
        }
    }
}

/// What came of one region.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Number of the region in the file.
    pub region: usize,
    /// Executions of the region that were compared.
    pub runs: usize,
    /// Accesses that were compared.
    pub accesses: usize,
    /// Instances that were seen.
    pub instances: usize,
    /// Why it was not compared, where it was not.
    pub not_compared: Option<String>,
    /// What differs.
    pub mismatch: Option<Mismatch>,
}

/// Where the model differs from what was seen.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The statement of the model; empty where it has none.
    pub statement: String,
    /// Line of the text that was compared ([`one_line_each`]), and the line itself.
    pub line: (usize, String),
    /// The instance, with the loops' variables.
    pub instance: String,
    /// What the model says, and what was seen.
    pub what: String,
    /// The function's arguments.
    pub arguments: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch {
            statement,
            line: (line, text),
            instance,
            what,
            arguments,
        } = self;
        write!(
            f,
            "{statement}[{instance}] ({arguments}): {what}, at line {line}: `{text}`"
        )
    }
}

/// Compares all regions of a file that have a model.
///
/// # Errors
/// What is wrong with the file.
pub fn compare(source: &Source, options: &Options) -> Result<Vec<Compared>, Vec<Diagnostic>> {
    let source = one_line_each(source);
    let unit = parse(&source)?;
    let mut all = Vec::new();
    for region in 0..unit.regions.len() {
        let mut compared = Compared {
            region,
            runs: 0,
            accesses: 0,
            instances: 0,
            not_compared: None,
            mismatch: None,
        };
        if let Err(why) = one(&source, &unit, options, &mut compared) {
            compared.not_compared = Some(why);
        }
        all.push(compared);
    }
    Ok(all)
}

/// Compares one region.
///
/// # Errors
/// Why it was not, or not further.
fn one(
    source: &Source,
    unit: &crate::frontend::c::syntax::Unit,
    options: &Options,
    compared: &mut Compared,
) -> Result<(), String> {
    let isl = |error: isl::Error| format!("isl: {error}");
    let ctx = new_context(options.budget).map_err(isl)?;
    let lowered = lower_region(&ctx, unit, compared.region).map_err(|errors| {
        let messages: Vec<_> = errors.iter().map(|e| e.message.clone()).collect();
        format!("it has no model: {}", messages.join("; "))
    })?;
    let scop = lowered.scop;
    // There is no one place from which all of their cells are counted.
    let rows = |array: &&crate::scop::Array| array.members.are_behind_pointers();
    if let Some(array) = scop.arrays.iter().find(rows) {
        return Err(format!("rows of `{}` are behind pointers", array.name));
    }
    let noting = Noting::of(&scop, unit);
    let variables = noting.variables();
    let text = noting.marked(source, &unit.regions[compared.region]);
    let request = Request {
        function: &scop.place.function,
        variables: &variables,
        inputs: options.inputs,
        largest: options.largest,
        steps: options.steps,
        seed: options.seed,
    };
    let text = Text {
        name: &source.name,
        preprocessed: &text,
    };
    for traced in trace(&text, &request)? {
        for run in &traced.runs {
            let noted = noting.read(&run.notes)?;
            if noted.is_one_memory() {
                continue;
            }
            if !Model::is_given(&scop, &noted.parameters).map_err(isl)? {
                let parameters = scop.params.iter().map(|p| p.name.as_str());
                let parameters = parameters.zip(&noted.parameters);
                let parameters: Vec<_> = parameters.map(|(p, v)| format!("{p} = {v}")).collect();
                compared.mismatch = Some(Mismatch {
                    statement: String::new(),
                    line: (0, String::new()),
                    instance: parameters.join(", "),
                    what: format!(
                        "the parameters are none of {}",
                        scop.conditions.checks.given
                    ),
                    arguments: traced.arguments.clone(),
                });
                return Ok(());
            }
            let Some(model) = Model::at(&scop, &noted.parameters).map_err(isl)? else {
                continue;
            };
            let mut comparison = Comparison::new(&source.text, unit, &model, &noting, &noted);
            let found = comparison.run(run);
            compared.runs += 1;
            compared.accesses += comparison.seen.accesses;
            compared.instances += comparison.seen.executed.len();
            match found {
                Ok(()) | Err(Found::Beyond) => {}
                Err(Found::Isl(error)) => return Err(isl(error)),
                Err(Found::Mismatch(mut mismatch)) => {
                    mismatch.arguments.clone_from(&traced.arguments);
                    compared.mismatch = Some(*mismatch);
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}
