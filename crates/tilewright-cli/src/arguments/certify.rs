//! Options of `certify`.

use super::{CArguments, seconds};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tilewright::compile::Certify;
use tilewright_certify::Effort;

/// How much of a result is executed beside the original before it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CertifyChoice {
    /// Nothing.
    Never,
    /// About a tenth of a second for a file.
    #[default]
    Quick,
    /// More sizes, data and orders of parallel loops.
    Full,
}

impl CertifyChoice {
    /// The same for the library.
    pub fn certify(self) -> Certify {
        match self {
            CertifyChoice::Never => Certify::Never,
            CertifyChoice::Quick => Certify::Quick,
            CertifyChoice::Full => Certify::Full,
        }
    }
}

/// How much is tried by `certify`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EffortChoice {
    /// About a tenth of a second.
    Quick,
    /// Seconds.
    Full,
}

impl EffortChoice {
    /// The same for the interpreter.
    pub fn effort(self) -> Effort {
        match self {
            EffortChoice::Quick => Effort::Quick,
            EffortChoice::Full => Effort::Full,
        }
    }
}

/// Options of `certify`.
#[derive(Debug, Args)]
pub struct CertifyArguments {
    /// A C file.
    pub original: PathBuf,
    /// A C file with the same functions, such as a result of `compile`.
    pub result: PathBuf,
    /// Only this function; may be repeated [default: those whose text differs].
    #[arg(long, value_name = "NAME")]
    pub function: Vec<String>,
    /// How much is tried.
    #[arg(long, value_enum, default_value_t = EffortChoice::Full)]
    pub effort: EffortChoice,
    /// Seconds after which no further input is tried [default: as many as the effort takes].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<f64>,
    /// Seed of sizes, data and orders.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub c: CArguments,
}
