//! What the command lines of benches share that time builds of one compiler.

use std::time::Duration;
use tilewright_driver::toolchain::{DEFAULT_CFLAGS, Toolchain, split};

/// How often, with what and how long.
#[derive(Debug, clap::Args)]
pub struct Timing {
    /// Numbers of threads
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [1, 2])]
    pub threads: Vec<usize>,
    /// Timed runs of each version
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub runs: usize,
    /// C compiler
    #[arg(long, value_name = "COMMAND", default_value = "cc")]
    pub cc: String,
    /// Flags of the builds that are timed
    #[arg(long, value_name = "FLAGS", default_value = DEFAULT_CFLAGS, allow_hyphen_values = true)]
    pub cflags: String,
    /// Seconds that one call may take
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0)]
    time_limit: f64,
    /// Print JSON: one object, or one per line as results come
    #[arg(long)]
    pub json: bool,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

impl Timing {
    /// The compiler with the flags.
    pub fn toolchain(&self) -> Toolchain {
        Toolchain {
            cc: self.cc.clone(),
            cflags: split(&self.cflags),
            ..Toolchain::default()
        }
    }

    /// What one call may take.
    pub fn limit(&self) -> Duration {
        Duration::from_secs_f64(self.time_limit)
    }
}
