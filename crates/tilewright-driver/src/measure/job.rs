//! What the measuring process is told and what it tells: the job as one line of JSON on its
//! standard input, events as lines of JSON in a file.
//!
//! The program that is measured may write to its standard output, crash or run for ever; the
//! events, written one by one, then still say how far it came.

use crate::data::fill::Fill;
use crate::data::{Shape, picture};
use crate::measure::compare::Difference;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::scop::ScalarKind;

/// Which version of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// As the user wrote it.
    Original,
    /// As it was compiled.
    Result,
}

impl Side {
    /// `the original`, `the result`
    pub fn name(self) -> &'static str {
        match self {
            Side::Original => "the original",
            Side::Result => "the result",
        }
    }
}

/// What to do with two built versions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// Compare or time.
    pub task: Task,
    /// Shared library of the original.
    pub original: PathBuf,
    /// Shared library of the result.
    pub result: PathBuf,
    /// The function's arguments in order.
    pub arguments: Vec<Variable>,
    /// The file's variables that it uses, in the wrapper's order.
    pub globals: Vec<Variable>,
    /// The program has an init function.
    pub init: bool,
    /// Contents of arrays without a file.
    pub fill: Fill,
    /// Seed of random contents.
    pub seed: u64,
    /// Arrays by name and the files that hold their contents.
    pub inputs: Vec<(String, PathBuf)>,
    /// Arrays by name and the files that the result's go to.
    pub outputs: Vec<(String, PathBuf)>,
    /// Where events go.
    pub events: PathBuf,
}

impl Job {
    /// Whether any array comes from a picture or goes into one.
    pub fn with_pictures(&self) -> bool {
        self.inputs
            .iter()
            .chain(&self.outputs)
            .any(|(_, path)| picture::is_picture(path))
    }
}

/// Tasks of the measuring process.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Run both versions once and compare all arrays.
    Check,
    /// Run both versions by turns.
    Time {
        /// How often each; `None`: from `fewest` to `most`, as many as fit the budget.
        runs: Option<usize>,
        /// At least so many.
        fewest: usize,
        /// At most so many.
        most: usize,
        /// Seconds that all runs together may take.
        budget: f64,
        /// Whether the original is left out.
        alone: bool,
    },
    /// Run any number of versions by turns and compare each with the first.
    Contest {
        /// Whoever takes part, the version to compare with first.
        entrants: Vec<Entrant>,
        /// How often each, and for how long.
        turns: Turns,
    },
    /// Run the result alone, and no longer than it takes to see that it is slow.
    Trial {
        /// Timed runs before anything is decided.
        first: usize,
        /// Timed runs of a version that is not slow.
        runs: usize,
        /// Milliseconds: a version all of whose first runs took longer is slow. `None`: none is.
        limit: Option<f64>,
    },
}

/// Turns of each version in a contest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turns {
    /// Timed turns of each.
    pub runs: usize,
    /// Milliseconds without work before every turn.
    pub pause: u64,
    /// Milliseconds of a turn: the function is called again, on what it left behind, as often as
    /// the first version's first call fits in. 0: one call.
    pub least: f64,
}

impl Turns {
    /// Milliseconds without work before each turn. The threads of LLVM's OpenMP look for work for
    /// 200 ms after a parallel loop (`KMP_BLOCKTIME`) before they sleep, those of GNU's for less; as
    /// long as they do, another version has to share its cores with them.
    pub const PAUSE: u64 = 250;

    /// Turns of one call.
    pub fn of_one_call(runs: usize) -> Turns {
        Turns {
            runs,
            pause: Turns::PAUSE,
            least: 0.0,
        }
    }
}

/// A version in a contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// What tables call it.
    pub name: String,
    /// Shared library built from its wrapper.
    pub library: PathBuf,
    /// For a peer's wrapper: the library that the peer is in, and its name there.
    pub peer: Option<(PathBuf, String)>,
}

/// An argument or a global variable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: VariableKind,
}

/// Kinds of variables.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VariableKind {
    /// A scalar.
    Scalar {
        /// Its type.
        element: ScalarKind,
        /// Its bytes; `None` (globals only): what the program's file says.
        bytes: Option<Vec<u8>>,
    },
    /// An array.
    Array {
        /// Element type; bytes for structs.
        element: ScalarKind,
        /// An array of structs.
        structs: bool,
        /// A pointer rather than an array itself (globals only).
        pointer: bool,
        /// The function does not write it.
        read_only: bool,
        /// The extents as the program spells them, for messages.
        extents: Vec<String>,
    },
}

/// What the measuring process has to say.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// It is at something that is not a call: loading, filling, comparing.
    At(String),
    /// A call begins.
    Call {
        /// Of which version.
        side: Side,
        /// From 1; 0 for the warm-up.
        run: usize,
        /// How many runs there will be.
        of: usize,
    },
    /// A turn of a contest begins.
    Turn {
        /// Whose.
        name: String,
        /// From 1; 0 for the comparison.
        run: usize,
        /// How many there will be.
        of: usize,
    },
    /// Something the user should know.
    Note(String),
    /// The last event of a comparison.
    Compared(Comparison),
    /// The last event of a timing.
    Timed(Timing),
    /// The last event of a contest: one for each entrant, in the order of the job.
    Contested(Vec<Standing>),
    /// The last event of a trial.
    Tried(Trial),
    /// The last event when it cannot go on.
    Failed(Failure),
}

/// What a contest found out about one entrant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// Its results beside those of the first entrant.
    pub comparison: Comparison,
    /// Times of its timed turns in milliseconds.
    pub times: Vec<f64>,
}

/// Where a device computes functions of C's library with its own last bits, or sums are added up in
/// another order, results may differ by this share of their array's largest value: a few units in
/// the last place of a `float` (6e-8) for each of a long chain of operations.
pub const LIBRARY_TOLERANCE: f64 = 1e-5;

/// Both versions' arrays, compared.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Comparison {
    /// One entry per array and per global scalar that may be written.
    pub arrays: Vec<(Shape, Difference)>,
}

impl Comparison {
    /// No element of any array differs.
    pub fn identical(&self) -> bool {
        self.arrays
            .iter()
            .all(|(_, difference)| difference.differing == 0)
    }

    /// No element differs by more than functions of C's library do between devices: by this share
    /// of the largest value of its array, or, among integers, by one.
    pub fn within(&self, tolerance: f64) -> bool {
        self.arrays.iter().all(|(shape, difference)| {
            let most = if shape.element.is_float() {
                tolerance * difference.largest
            } else {
                1.0
            };
            difference.differing == 0 || difference.max_abs_diff <= most
        })
    }

    /// The largest absolute difference in any array.
    pub fn max_abs_diff(&self) -> f64 {
        self.arrays
            .iter()
            .map(|(_, difference)| difference.max_abs_diff)
            .fold(0.0, f64::max)
    }

    /// What differs, for the user.
    pub fn difference(&self) -> Diagnostic {
        let message = "the result differs from the original";
        let mut diagnostic = Diagnostic::error(Code::ResultDiffers, message);
        for (shape, difference) in &self.arrays {
            let (Some(first), Some((original, result))) = (difference.first, &difference.values)
            else {
                continue;
            };
            let (name, count, all) = (&shape.name, difference.differing, shape.elements());
            let at = shape.subscripts(usize::try_from(first).unwrap_or(usize::MAX));
            diagnostic = diagnostic.note(format!(
                "{count} of {all} elements of `{name}`; first {name}{at}: {original} became {result}"
            ));
        }
        let help =
            "this is a mistake of tilewright: please report it with the file and the command";
        diagnostic.help(help)
    }

    /// Notes about arrays of which a comparison says little because their values are no numbers.
    pub fn not_numbers(&self, function: &str) -> Vec<String> {
        let mut notes = Vec::new();
        for (shape, difference) in &self.arrays {
            if difference.not_a_number > 0 {
                let (name, count, all) = (&shape.name, difference.not_a_number, shape.elements());
                notes.push(format!(
                    "{count} of {all} elements of `{name}` are not a number: a function \
                     `{function}_init` with the same parameters could fill the arrays better"
                ));
            }
        }
        notes
    }

    /// The share of all elements that differ at all.
    pub fn share_differing(&self) -> f64 {
        let count = |of: fn(&(Shape, Difference)) -> u64| self.arrays.iter().map(of).sum::<u64>();
        let differing = count(|(_, difference)| difference.differing);
        let all = count(|(shape, _)| shape.elements() as u64);
        differing as f64 / all.max(1) as f64
    }
}

/// Times of both versions' runs in milliseconds.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Timing {
    /// Of the original; empty where the result is timed alone.
    pub original: Vec<f64>,
    /// Of the result.
    pub result: Vec<f64>,
    /// Of the result between its copies to and from a device; empty where there are none.
    #[serde(default)]
    pub kernels: Vec<f64>,
    /// Kernels that a call of the result launches.
    #[serde(default)]
    pub launches: u64,
    /// The largest absolute difference between the builds that were timed: what the user's own
    /// flags let the C compiler change. `None` where the original's was not run.
    pub max_abs_diff: Option<f64>,
}

/// Times of the result alone.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Trial {
    /// Of its runs, in milliseconds.
    pub times: Vec<f64>,
    /// It was found slow after its first runs.
    pub stopped: bool,
}

/// A diagnostic without a place, as it travels between processes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    code: String,
    message: String,
    notes: Vec<String>,
    help: Option<String>,
}

impl From<&Diagnostic> for Failure {
    fn from(diagnostic: &Diagnostic) -> Failure {
        Failure {
            code: diagnostic.code.to_owned(),
            message: diagnostic.message.clone(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
        }
    }
}

impl From<Failure> for Diagnostic {
    fn from(failure: Failure) -> Diagnostic {
        let code = Code::all().iter().find(|code| code.name() == failure.code);
        let code = code.copied().unwrap_or(Code::RunFailed);
        let mut diagnostic = Diagnostic::error(code, failure.message);
        diagnostic.notes = failure.notes;
        diagnostic.help = failure.help;
        diagnostic
    }
}
