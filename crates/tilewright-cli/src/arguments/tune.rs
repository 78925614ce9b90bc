//! Options of `tune`.

use super::{ExperimentArguments, MachineArguments, ShapeChoice, TargetChoice};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use tilewright_driver::tune::{BUDGET, RUNS, Space, duration_words, parse_duration};

/// Options of `tune`.
#[derive(Debug, Args)]
pub struct TuneArguments {
    #[command(flatten)]
    pub experiment: ExperimentArguments,
    #[command(flatten)]
    pub machine: MachineArguments,
    /// Where the plan goes [default: the file's name with .plan.toml, in this directory].
    #[arg(short, long, value_name = "PLAN")]
    pub output: Option<PathBuf>,
    /// Where measurements are kept, so that the next call goes on from there [default: beside
    /// the plan, with .tune.jsonl].
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// What runs the program: the processor, or a device, where kernels are timed without the
    /// copies there and back.
    #[arg(long, value_enum, default_value_t = TargetChoice::Openmp)]
    pub target: TargetChoice,
    /// What to search: `polymage`, PolyMage's tile sizes and tolerances in its shape; `taco`,
    /// sizes near those that are no powers of two, as scalene tiles; `wide`, both and more, as
    /// scalene and right tiles and parallelograms; `blocks`, for devices, tile sizes, threads of
    /// blocks, local memory, unrolling and full tiles [default: `wide`; for devices `blocks`].
    #[arg(long, value_name = "SPACE")]
    pub space: Option<Space>,
    /// Shapes in place of the space's own.
    #[arg(long, value_name = "SHAPE,SHAPE", value_enum, value_delimiter = ',')]
    pub shape: Option<Vec<ShapeChoice>>,
    /// How long the search may take: 30s, 10m, 1h30m.
    #[arg(long, value_name = "TIME", default_value_t = Time(BUDGET), value_parser = time)]
    pub budget: Time,
    /// Timed runs of each candidate that is not clearly slower than the best, and of each of the
    /// best few at the end.
    #[arg(long, value_name = "N", default_value_t = RUNS, value_parser = runs)]
    pub runs: usize,
    /// Seed of random contents, and of the order of the candidates.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

impl TuneArguments {
    /// What is searched.
    ///
    /// # Errors
    /// It is for others than the target.
    pub fn space(&self) -> Result<Space, String> {
        let device = self.target.target().is_device();
        match self.space {
            None if device => Ok(Space::Blocks),
            None => Ok(Space::default()),
            Some(Space::Blocks) if !device => {
                Err("--space blocks is for devices: add --target opencl, cuda or hip".to_owned())
            }
            Some(space) => Ok(space),
        }
    }
}

/// A length of time.
#[derive(Clone, Copy, Debug)]
pub struct Time(pub Duration);

impl std::fmt::Display for Time {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&duration_words(self.0).replace(" min", "m").replace(' ', ""))
    }
}

fn time(text: &str) -> Result<Time, String> {
    parse_duration(text).map(Time)
}

fn runs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(value @ 1..=1000) => Ok(value),
        _ => Err("write a number from 1 to 1000".to_owned()),
    }
}
