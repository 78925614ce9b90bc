//! Options of `scan`.

use super::cc::ThreadChoice;
use super::{CArguments, seconds};
use clap::Args;
use std::path::PathBuf;

/// Options of `scan`.
#[derive(Debug, Args)]
pub struct ScanArguments {
    /// C files; with `-p`, only these of the build [default: all of it].
    #[arg(value_name = "FILE", required_unless_present = "build")]
    pub files: Vec<PathBuf>,
    /// A build's `compile_commands.json`, or its directory.
    #[arg(short = 'p', long = "build", value_name = "PATH")]
    pub build: Option<PathBuf>,
    /// Say of every file and of all its loops what becomes of them, as JSON.
    #[arg(long)]
    pub json: bool,
    /// Whether texts may start threads.
    #[arg(long, value_enum, default_value_t = ThreadChoice::Auto)]
    pub threads: ThreadChoice,
    /// Seconds that a file may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub time_limit: f64,
    #[command(flatten)]
    pub c: CArguments,
}
