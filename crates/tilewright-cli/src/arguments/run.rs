//! Options of `run`, and what `tune` shares with it.

use super::{
    Assignments, CArguments, OtherArguments, PlanArguments, assignment, assignments, seconds,
};
use clap::Args;
use std::path::PathBuf;
use tilewright_driver::data::fill::Fill;
use tilewright_driver::host::toolchain::{DEFAULT_CFLAGS, Toolchain, split};

/// The program that is run, its data, and how it is built: for `run` and `tune`.
#[derive(Debug, Args)]
pub struct ExperimentArguments {
    /// C file with `#pragma scop` … `#pragma endscop` around loops.
    pub file: PathBuf,
    /// Value of a scalar argument. Integers need one; floating ones default to 0.5.
    #[arg(short, long = "param", value_name = "NAME=VALUE", value_parser = assignment)]
    pub params: Vec<(String, String)>,
    /// The function to run, where the file has regions in several.
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Contents of an array: a picture (PNG, JPEG, PNM) or an .npy file.
    #[arg(long, value_name = "ARRAY=FILE", value_parser = assignment)]
    pub input: Vec<(String, String)>,
    /// Contents of other arrays: auto, chart, random, zeros. `auto` draws a test chart into
    /// arrays that are only read and look like pictures when a picture is read or written, and is
    /// random otherwise.
    #[arg(long, default_value = "auto", value_name = "CONTENTS")]
    pub fill: Fill,
    /// OpenMP threads [default: one per processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub threads: Option<u32>,
    /// Seconds that one call may take, and, of the processor, the compiler for each region.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub time_limit: f64,
    /// Flags of the builds that are timed.
    #[arg(long, value_name = "FLAGS", default_value = DEFAULT_CFLAGS, allow_hyphen_values = true)]
    pub cflags: String,
    /// Further libraries, sources or objects.
    #[arg(
        long,
        value_name = "FLAGS",
        default_value = "",
        allow_hyphen_values = true
    )]
    pub ldflags: String,
    #[command(flatten)]
    pub others: OtherArguments,
    #[command(flatten)]
    pub c: CArguments,
}

impl ExperimentArguments {
    /// The C compiler with all flags.
    pub fn toolchain(&self) -> Toolchain {
        let cflags = split(&self.cflags);
        Toolchain {
            cflags,
            ldflags: split(&self.ldflags),
            ..self.others.added(self.c.toolchain())
        }
    }
}

/// Options of `run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    #[command(flatten)]
    pub experiment: ExperimentArguments,
    /// Other values of scalars with which the same builds are compared too, not timed; may be
    /// repeated.
    #[arg(long, value_name = "NAME=VALUE,...", value_parser = assignments, conflicts_with = "input")]
    pub also: Vec<Assignments>,
    /// Where the result's array goes: a picture or an .npy file.
    #[arg(long, value_name = "ARRAY=FILE", value_parser = assignment)]
    pub output: Vec<(String, String)>,
    /// Seed of random contents.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Timed runs of each version; 0 only compares [default: 5 to 11, as fit into 10 s].
    #[arg(long, value_name = "N")]
    pub runs: Option<usize>,
    /// Time the result alone: the original is called once, to compare.
    #[arg(long, conflicts_with = "fair")]
    pub alone: bool,
    /// After the comparison, say `compared` on standard output and wait for a line on standard
    /// input before anything is timed: for whoever prepares several runs at a time.
    #[arg(long, hide = true)]
    pub hold: bool,
    /// Build original and result with gcc and with clang, and compare the faster ones.
    #[arg(long)]
    pub fair: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub plan: PlanArguments,
}
