//! Options of `calibrate`.

use super::seconds;
use clap::Args;
use std::path::PathBuf;
use tilewright_driver::host::toolchain::{DEFAULT_CFLAGS, Toolchain, split};

/// Options of `calibrate`.
#[derive(Debug, Args)]
pub struct CalibrateArguments {
    /// Where the machine file goes; `-` is standard output [default: tilewright/machine.toml in
    /// $XDG_CONFIG_HOME, else in ~/.config, where other commands look for it].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// OpenMP threads that measure at once, and cores of the machine file [default: one per
    /// processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub threads: Option<u32>,
    /// Seconds that each of the six measurements takes at least.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.5, value_parser = seconds)]
    pub seconds: f64,
    /// C compiler [default: $CC, else cc].
    #[arg(long, value_name = "COMMAND")]
    pub cc: Option<String>,
    /// Flags of the C compiler: those of the programs that are planned for.
    #[arg(long, value_name = "FLAGS", default_value = DEFAULT_CFLAGS, allow_hyphen_values = true)]
    pub cflags: String,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

impl CalibrateArguments {
    /// The C compiler with its flags.
    pub fn toolchain(&self) -> Toolchain {
        let mut toolchain = Toolchain::from_environment();
        if let Some(cc) = &self.cc {
            toolchain.cc = cc.clone();
        }
        toolchain.cflags = split(&self.cflags);
        toolchain
    }
}
