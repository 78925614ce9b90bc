//! Messages to the user: the place, the reason, and a rewrite that would be accepted.
//!
//! The model is apart from its rendering (the driver renders with `annotate-snippets`,
//! `--json` prints it as it is). Every refusal has a [`Code`] that never changes its meaning.

use crate::source::Span;
use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The program (or the plan) is refused; nothing is written.
    Error,
    /// The result is right but something the user may have wanted was not done.
    Warning,
    /// Further information.
    Note,
}

/// A place in the file with a few words on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    /// First byte in the original file.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What is to be seen there; may be empty.
    pub text: String,
    /// The first primary label is where the message points.
    pub primary: bool,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// A stable code, `TW0101`; see [`Code`].
    pub code: &'static str,
    /// One sentence without a full stop.
    pub message: String,
    /// Places; may be empty when there is no file to point into.
    pub labels: Vec<Label>,
    /// Further sentences.
    pub notes: Vec<String>,
    /// What to do, in one sentence.
    pub help: Option<String>,
    /// C text that would be accepted in place of what the primary label marks.
    pub rewrite: Option<String>,
}

impl Diagnostic {
    /// An error with a code and a message.
    pub fn error(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message)
    }

    /// A warning with a code and a message.
    pub fn warning(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    fn new(severity: Severity, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            code: code.name(),
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            rewrite: None,
        }
    }

    /// Adds the place the message is about.
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label {
            start: span.start,
            end: span.end,
            text: text.into(),
            primary: true,
        });
        self
    }

    /// Adds another place that explains it.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label {
            start: span.start,
            end: span.end,
            text: text.into(),
            primary: false,
        });
        self
    }

    /// Adds the places of another message that says the same.
    pub fn also_of(&mut self, other: Diagnostic) {
        for label in other.labels {
            if self.labels.iter().all(|known| known.start != label.start) {
                self.labels.push(Label {
                    primary: false,
                    ..label
                });
            }
        }
    }

    /// Adds a sentence.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Says what to do.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Gives C text that would be accepted in place of what the primary label marks.
    pub fn rewrite(mut self, text: impl Into<String>) -> Diagnostic {
        self.rewrite = Some(text.into());
        self
    }

    /// What a program says of itself that takes the rewrite, where the compiler cannot know it.
    pub fn promise(&self) -> Option<&'static str> {
        let restrict = |text: &String| text.contains("restrict");
        let promises = self.code == Code::Aliasing.name();
        (promises && self.rewrite.as_ref().is_some_and(restrict))
            .then_some("nothing else names the memory behind it")
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $code:literal;)+) => {
        /// What kind of message; the number never changes its meaning.
        ///
        /// 01xx the file and its syntax, 02xx what the region may hold, 03xx analysis and
        /// planning, 04xx plans and their validation, 05xx building and running, 09xx the
        /// compiler's own limits and mistakes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[doc = $doc])+ $name,)+ }

        impl Code {
            /// `TW0101` and so on.
            pub fn name(self) -> &'static str {
                match self { $(Code::$name => $code,)+ }
            }

            /// What the code means, as its documentation says.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$name => concat!($($doc),+),)+ }
            }

            /// All codes in order.
            pub fn all() -> &'static [Code] {
                &[$(Code::$name,)+]
            }
        }
    };
}

codes! {
    /// The input file cannot be read.
    MissingFile = "TW0101";
    /// The output file cannot be written.
    UnwritableOutput = "TW0102";
    /// The C preprocessor failed.
    Preprocessor = "TW0103";
    /// The file is not C that the parser understands.
    Syntax = "TW0104";
    /// `#pragma scop` and `#pragma endscop` do not pair up inside one block.
    UnbalancedPragmas = "TW0105";
    /// The file has no marked region.
    NoRegion = "TW0106";
    /// The region holds no statement.
    EmptyRegion = "TW0107";
    /// A `switch` that is no chain of `if`, or a `goto`, a label that one leads to, a `return`, `break` or `continue` that is not taken.
    ControlFlow = "TW0201";
    /// A loop that is not a counted `for` loop.
    LoopForm = "TW0202";
    /// A loop bound or condition that is not affine in loop variables and parameters.
    NonAffineBound = "TW0203";
    /// A subscript that cannot be handled.
    NonAffineSubscript = "TW0204";
    /// A call to a function that is not known to be free of side effects.
    UnknownCall = "TW0205";
    /// Two pointers may name the same memory.
    Aliasing = "TW0206";
    /// A statement of a kind that cannot be in a region.
    UnsupportedStatement = "TW0207";
    /// An expression of a kind that cannot be in a region.
    UnsupportedExpression = "TW0208";
    /// A type that cannot be handled.
    UnsupportedType = "TW0209";
    /// A variable that bounds or subscripts depend on is written inside the region.
    ParameterWritten = "TW0210";
    /// A name without a declaration in sight.
    Undeclared = "TW0211";
    /// A loop whose end is known only in the iteration that ends it.
    InductiveExit = "TW0212";
    /// A variable of the region that is read before it has a value.
    Unwritten = "TW0213";
    /// A construct of C++ that a region cannot hold.
    CPlusPlus = "TW0214";
    /// A planner or transformation fell back to something simpler.
    Fallback = "TW0301";
    /// An option does not apply to this program.
    NotApplicable = "TW0302";
    /// A loop runs over all that a static bound allows, though data says how few iterations count.
    Enumerated = "TW0303";
    /// What a region needs is not compared when the program runs: `--no-assume` rules it out, or it is too much.
    NotChecked = "TW0304";
    /// The plan is not for this program, or cannot be read.
    PlanMismatch = "TW0401";
    /// The plan would change what the program computes.
    IllegalPlan = "TW0402";
    /// A plan asks for something that this version cannot do.
    UnsupportedPlan = "TW0403";
    /// A machine file cannot be read.
    BadMachine = "TW0404";
    /// The system's C compiler failed.
    CompilerFailed = "TW0501";
    /// A run failed, crashed or took too long.
    RunFailed = "TW0502";
    /// The result differs from the original.
    ResultDiffers = "TW0503";
    /// A parameter needs a value, or its value cannot be used.
    BadParameter = "TW0504";
    /// An input array cannot be read or does not fit.
    BadInput = "TW0505";
    /// There is no device, or not what is needed to build for one.
    NoDevice = "TW0506";
    /// An option has no meaning with the others, or for the target.
    NoMeaning = "TW0507";
    /// The compiler's own mistake; the message says what to report.
    Internal = "TW0901";
    /// An analysis took more than its budget, or a region more than its time.
    Budget = "TW0902";
    /// The result does something else than the original when both are executed.
    Uncertified = "TW0903";
}
