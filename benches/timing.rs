//! What the command lines of benches share that build and time programs.

// Each bench uses a part of it.
#![allow(dead_code)]

use crate::setting::{machine, version};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use tilewright_driver::host::toolchain::{DEFAULT_CFLAGS, Toolchain, split};
use tilewright_driver::measure::run::Runner;
use tilewright_driver::tune::parse_duration;

/// How programs are built and run, and how results are told.
#[derive(Debug, clap::Args)]
pub struct Building {
    /// Flags of the builds that are timed
    #[arg(long, value_name = "FLAGS", default_value = DEFAULT_CFLAGS, allow_hyphen_values = true)]
    pub cflags: String,
    /// How long one call may take
    #[arg(long, value_name = "TIME", default_value = "300s", value_parser = parse_duration)]
    time_limit: Duration,
    /// Print JSON: one object, or one per line as results come
    #[arg(long)]
    pub json: bool,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

impl Building {
    /// A compiler with the flags.
    pub fn toolchain(&self, cc: &str) -> Toolchain {
        Toolchain {
            cc: cc.to_owned(),
            cflags: split(&self.cflags),
            ..Toolchain::default()
        }
    }

    /// Runs in processes of the command, with so many threads.
    pub fn runner(&self, threads: usize) -> Runner {
        Runner {
            program: PathBuf::from(env!("CARGO_BIN_EXE_tilewright")),
            arguments: vec![OsString::from("measure")],
            threads,
            limit: self.time_limit,
        }
    }
}

/// How often, with what compiler and how many threads.
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
    #[command(flatten)]
    pub building: Building,
}

impl Timing {
    /// The compiler with the flags.
    pub fn toolchain(&self) -> Toolchain {
        self.building.toolchain(&self.cc)
    }

    /// Says what the times are of.
    pub fn print_head(&self) {
        let (cc, cflags) = (&self.cc, &self.building.cflags);
        println!("Machine: {}", machine());
        println!("{cc}: {}, {cflags}", version(cc));
    }

    /// All results as one object.
    pub fn print_json(&self, results: &[Value]) {
        let object = json!({
            "machine": machine(),
            "compiler": version(&self.cc),
            "cflags": self.building.cflags,
            "runs": self.runs,
            "results": results,
        });
        println!("{object:#}");
    }
}
