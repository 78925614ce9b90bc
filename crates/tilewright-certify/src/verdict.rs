//! What is asked, and what is answered.

use crate::judging::judge;
use std::fmt;
use std::time::Duration;

/// Stack for reading texts: trees are as deep as texts are nested. Only what is used takes memory.
const STACK_BYTES: usize = 256 << 20;

/// A text of C, as `cc -E` leaves it: line markers and pragmas are in it. Macros that it defines
/// itself are expanded.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The main file's name as the line markers spell it.
    pub name: &'a str,
    /// The text.
    pub preprocessed: &'a str,
}

/// How much is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// About a tenth of a second.
    #[default]
    Quick,
    /// Seconds: more sizes, orders and data.
    Full,
}

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How much is tried.
    pub effort: Effort,
    /// Stops between two inputs once so much time has passed. What was found then depends on the
    /// machine; without it, on texts, steps and seed alone.
    pub time: Option<Duration>,
    /// Where random choices begin.
    pub seed: u64,
    /// The functions that are executed. By default those whose text differs.
    pub functions: Option<Vec<String>>,
    /// Instructions of both programs together, in place of the effort's number.
    pub steps: Option<u64>,
    /// Among how many texts a quick effort is shared, such as the regions of a file; 0 is as 1.
    pub parts: u64,
    /// No two arguments point into the same memory, although C allows it: somebody promises that.
    pub apart: bool,
}

/// How the texts compare.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The same values on all inputs that were tried.
    Equal,
    /// Something differs.
    Differs(Box<Difference>),
    /// Why the texts could not be executed: a construct and its line, or that no input was found
    /// on which the original is defined.
    Unknown(String),
}

/// What kind of difference it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Another value.
    Value,
    /// A call of the library that does something outside of memory (it prints, or asks for a random
    /// number), in place of another one, or with other arguments.
    Calls,
    /// A value that depends on memory or a variable that was never written.
    Unwritten,
    /// An access outside of its array.
    Outside,
    /// Two iterations or threads access the same memory, one of them to write.
    Race,
    /// A barrier that not all work-items of a group reach.
    Barrier,
    /// Signed overflow.
    Overflow,
    /// A shift by too much, or of what cannot be shifted.
    Shift,
    /// A division by zero.
    DivisionByZero,
    /// A floating-point number that the integer type does not hold.
    Conversion,
    /// Use of a pointer that points nowhere, or to what is no more.
    Pointer,
    /// Memory that is freed twice, or was never allocated.
    Free,
    /// It does not end.
    Endless,
    /// It stops by itself.
    Trap,
    /// Memory beyond all measure.
    Memory,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Value => "another value",
            Kind::Calls => "another call",
            Kind::Unwritten => "a value that depends on what was never written",
            Kind::Outside => "an access outside of its array",
            Kind::Race => "a race",
            Kind::Barrier => "a barrier that not all work-items of a group reach",
            Kind::Overflow => "signed overflow",
            Kind::Shift => "an undefined shift",
            Kind::DivisionByZero => "a division by zero",
            Kind::Conversion => "a conversion out of the type's range",
            Kind::Pointer => "use of a pointer that points nowhere",
            Kind::Free => "an invalid `free`",
            Kind::Endless => "a loop that does not end",
            Kind::Trap => "a trap",
            Kind::Memory => "memory beyond all measure",
        })
    }
}

/// Where the texts differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The function.
    pub function: String,
    /// The arguments, as text.
    pub arguments: String,
    /// The place, such as `b[3][2]`; empty where there is none.
    pub place: String,
    /// The original's value; empty where there is none.
    pub expected: String,
    /// The result's value, or more about what it does.
    pub found: String,
    /// What kind of difference.
    pub kind: Kind,
    /// The line of the result at which it happens, where that is known: of a value, at which it is
    /// written.
    pub line: Option<u32>,
    /// How the result was executed: how many threads, in which order.
    pub execution: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}): {}", self.function, self.arguments, self.kind)?;
        if !self.place.is_empty() {
            write!(f, " at {}", self.place)?;
        }
        match (self.expected.is_empty(), self.found.is_empty()) {
            (false, _) => write!(f, ": {} in place of {}", self.found, self.expected)?,
            (true, false) => write!(f, ": {}", self.found)?,
            (true, true) => {}
        }
        if let Some(line) = self.line {
            write!(f, " (line {line} of the result)")?;
        }
        write!(f, "; {}", self.execution)
    }
}

/// Which lines of the result were reached.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coverage {
    /// Lines that were reached.
    pub reached: usize,
    /// Lines that hold code, in generated regions where these are marked, or else in the functions
    /// that were executed.
    pub lines: usize,
    /// Those that never were.
    pub never: Vec<u32>,
}

impl Coverage {
    /// The part that was reached, from 0 to 1.
    pub fn ratio(&self) -> f64 {
        match self.lines {
            0 => 1.0,
            lines => self.reached as f64 / lines as f64,
        }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// How the texts compare.
    pub verdict: Verdict,
    /// On how many inputs both were executed.
    pub runs: usize,
    /// Inputs on which the original is undefined, or takes too long.
    pub refused: usize,
    /// Instructions executed.
    pub steps: u64,
    /// Lines of the result that were reached.
    pub coverage: Coverage,
    /// The inputs, as text.
    pub inputs: Vec<String>,
}

impl Certificate {
    pub(crate) fn unknown(why: impl Into<String>) -> Certificate {
        Certificate {
            verdict: Verdict::Unknown(why.into()),
            runs: 0,
            refused: 0,
            steps: 0,
            coverage: Coverage::default(),
            inputs: Vec::new(),
        }
    }
}

/// Executes two texts on the same inputs and compares what they leave behind.
///
/// Never panics, whatever the texts are. Deterministic unless [`Options::time`] is given.
pub fn certify(original: &Text, result: &Text, options: &Options) -> Certificate {
    let judged = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("certify".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || judge::judge(original, result, options))
            .map(|thread| thread.join())
    });
    match judged {
        Ok(Ok(certificate)) => certificate,
        Ok(Err(_)) => Certificate::unknown("the interpreter stopped"),
        Err(error) => Certificate::unknown(format!("no memory for the interpreter: {error}")),
    }
}
