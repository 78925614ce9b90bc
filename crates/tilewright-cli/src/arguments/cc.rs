//! Options of `cc`.

use super::{LimitArguments, PlanArguments, seconds};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Whether results may start threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ThreadChoice {
    /// Where they are worth it, and OpenMP's library is there.
    Auto,
    /// Never: what one thread gains.
    Never,
}

/// Options of `cc`.
///
/// Calls that compile C files with -O1 and above compile a faster text of them, all others are passed on as
/// they are. Whatever goes wrong, the compiler gets the original.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  make CC=\"tilewright cc gcc\"
  cmake -DCMAKE_C_COMPILER_LAUNCHER=\"tilewright;cc\" -DCMAKE_C_LINKER_LAUNCHER=\"tilewright;cc\" …
  ./configure CC=\"tilewright cc --threads never gcc\"

A link to this program by the name of a compiler, in front of it in the search path, stands for it.")]
pub struct CcArguments {
    /// Whether results may start threads.
    #[arg(long, value_enum, default_value_t = ThreadChoice::Auto, env = "TILEWRIGHT_CC_THREADS")]
    pub threads: ThreadChoice,
    /// Seconds that a file may take; behind that it is left as it was.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds, env = "TILEWRIGHT_CC_TIME_LIMIT")]
    pub time_limit: f64,
    /// A file to which a line of JSON is added for each C file: what became of it, and why.
    #[arg(long, value_name = "FILE", env = "TILEWRIGHT_CC_LOG")]
    pub log: Option<PathBuf>,
    /// The compiler, and what it is given.
    #[arg(
        value_name = "COMPILER",
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true
    )]
    pub words: Vec<OsString>,
}

/// What a process is given that makes a text of one file.
#[derive(Debug, Args)]
pub struct TextArguments {
    /// Which of the compiler's arguments is the file.
    #[arg(long)]
    pub source: usize,
    /// Where the text goes.
    #[arg(long)]
    pub output: PathBuf,
    /// Whether there is one thread.
    #[arg(long)]
    pub alone: bool,
    #[command(flatten)]
    pub plan: PlanArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// The compiler, and what it is given.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    pub words: Vec<OsString>,
}
