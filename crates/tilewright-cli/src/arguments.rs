//! The command line, as its own help text describes it.

mod cache;
mod calibrate;
mod cc;
mod certify;
mod model;
mod plan;
mod requests;
mod reuse;
mod run;
mod scan;
mod trust;
mod tune;

pub use cache::{CacheAction, CacheArguments};
pub use calibrate::CalibrateArguments;
pub use cc::{CcArguments, TextArguments, ThreadChoice};
pub use certify::{CertifyArguments, CertifyChoice};
pub use model::MachineArguments;
pub use plan::{PlanArguments, ShapeChoice, TargetChoice};
pub use reuse::{ReuseArguments, TextChoice};
pub use run::{ExperimentArguments, RunArguments};
pub use scan::ScanArguments;
pub use tune::TuneArguments;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use tilewright::plan::defaults;
use tilewright::source::Chosen;
use tilewright_driver::host::toolchain::Toolchain;

const STATUS: &str = "\
Exit status: 0 success, 1 the program was refused (messages say why), 2 bad usage, 3 a run \
differed from the original, 130 `tune` was interrupted.";

/// A polyhedral loop compiler: C with `#pragma scop` regions in, verified and faster C out.
#[derive(Debug, Parser)]
#[command(name = "tilewright", version, after_help = STATUS, propagate_version = true)]
#[command(max_term_width = 100)]
pub struct Arguments {
    /// Colours in messages.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Colours in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile a C file with marked regions to faster C, or a C++ file to C++.
    Compile(CompileArguments),
    /// Compile, build, run original and result on the same data, compare, time.
    Run(Box<RunArguments>),
    /// Search for the plan with which a file is fastest on this machine, and save it.
    Tune(Box<TuneArguments>),
    /// Measure what moving bytes and starting loops takes on this machine, and save it for the
    /// cost model.
    Calibrate(CalibrateArguments),
    /// List the devices that `--target opencl`, `cuda` or `hip` would find.
    Devices(DevicesArguments),
    /// Say what would be done with a file and why; or what a code such as TW0203 means.
    Explain(ExplainArguments),
    /// Draw the tiles that a file gets, as an SVG picture.
    View(ViewArguments),
    /// Is this plan legal? If not, name a pair of instances that it would put in the wrong order.
    Check(CheckArguments),
    /// Execute two C files on the same small inputs, thread by thread, and say where they differ.
    Certify(CertifyArguments),
    /// Say what each tile loads and stores, for tile sizes as parameters, and what local memory it
    /// needs; generate such loops.
    Reuse(Box<ReuseArguments>),
    /// Say what is kept on disk of what was compiled and built; or remove it.
    Cache(CacheArguments),
    /// List the loops of a program's files: which would have another text, and why others not.
    Scan(ScanArguments),
    /// Stand in front of a C compiler: `make CC="tilewright cc gcc"`.
    Cc(CcArguments),
    /// The process that makes a text of one file for `cc`.
    #[command(hide = true, name = "cc-text")]
    CcText(Box<TextArguments>),
    /// The process that runs programs for `run` and `tune`.
    #[command(hide = true, name = "measure")]
    Measure,
}

impl Command {
    /// Reports are wanted as JSON.
    pub fn json(&self) -> bool {
        match self {
            Command::Compile(options) => options.json,
            Command::Run(options) => options.json,
            Command::Tune(options) => options.json,
            Command::Calibrate(options) => options.json,
            Command::Devices(options) => options.json,
            Command::Explain(options) => options.json,
            Command::Check(options) => options.json,
            Command::Certify(options) => options.json,
            Command::Reuse(options) => options.json,
            Command::Cache(options) => options.json,
            Command::Scan(options) => options.json,
            Command::View(_) | Command::Cc(_) | Command::CcText(_) | Command::Measure => false,
        }
    }

    /// As on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Command::Compile(_) => "compile",
            Command::Run(_) => "run",
            Command::Tune(_) => "tune",
            Command::Calibrate(_) => "calibrate",
            Command::Devices(_) => "devices",
            Command::Explain(_) => "explain",
            Command::View(_) => "view",
            Command::Check(_) => "check",
            Command::Certify(_) => "certify",
            Command::Reuse(_) => "reuse",
            Command::Cache(_) => "cache",
            Command::Scan(_) => "scan",
            Command::Cc(_) => "cc",
            Command::CcText(_) => "cc-text",
            Command::Measure => "measure",
        }
    }
}

/// The C compiler as far as the preprocessor needs it.
#[derive(Debug, Args)]
pub struct CArguments {
    /// Directory of included files.
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Macro for the preprocessor.
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// C compiler [default: $CC, else cc].
    #[arg(long, value_name = "COMMAND")]
    pub cc: Option<String>,
}

impl CArguments {
    /// The C compiler with default flags.
    pub fn toolchain(&self) -> Toolchain {
        let mut toolchain = Toolchain::from_environment();
        if let Some(cc) = &self.cc {
            toolchain.cc = cc.clone();
        }
        toolchain.include_dirs = self.include.clone();
        toolchain.defines = self.define.clone();
        toolchain
    }
}

/// What is read of the program.
#[derive(Debug, Args)]
pub struct OtherArguments {
    /// Take loops that nobody marked, too, in functions without `#pragma scop`.
    #[arg(long)]
    pub auto: bool,
    /// Another C file of the program: what its functions do is read from their definitions there.
    #[arg(long = "with", value_name = "FILE")]
    pub with: Vec<PathBuf>,
}

impl OtherArguments {
    /// A C compiler that knows these files and what a region is.
    pub fn added(&self, toolchain: Toolchain) -> Toolchain {
        Toolchain {
            others: self.with.clone(),
            chosen: match self.auto {
                true => Chosen::Loops,
                false => Chosen::Marked,
            },
            ..toolchain
        }
    }
}

/// What `compile` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The whole C file.
    C,
    /// The text for the device alone (`--target opencl` or `cuda`).
    Device,
    /// The plan, to be edited and given to `--plan`.
    Plan,
    /// The regions as sets and maps.
    Scop,
    /// The new schedule trees.
    Schedule,
}

/// How long commands that only compile may take.
#[derive(Debug, Args)]
pub struct LimitArguments {
    /// Seconds of the processor that a region may take; behind that it is left as it was.
    #[arg(long, value_name = "SECONDS", default_value_t = defaults::REGION_TIME.as_secs_f64(), value_parser = seconds)]
    pub time_limit: f64,
}

impl LimitArguments {
    /// The limit for a region.
    pub fn region(&self) -> Duration {
        Duration::from_secs_f64(self.time_limit)
    }
}

/// Options of `compile`.
#[derive(Debug, Args)]
pub struct CompileArguments {
    /// C file, or C++ (.cpp, .cc, .cxx, .c++, .C), with `#pragma scop` … `#pragma endscop` around loops.
    pub file: PathBuf,
    /// Where the result goes; `-` is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// What to write.
    #[arg(long, value_enum, default_value_t = Emit::C)]
    pub emit: Emit,
    /// Print a report as JSON; needs `--output FILE`.
    #[arg(long)]
    pub json: bool,
    /// Say what was done with each region, what was not, and why: in LLVM's form (.yaml), as SARIF
    /// (.sarif) or a line each (.txt; `-`: on standard error).
    #[arg(long, value_name = "FILE")]
    pub remarks: Option<PathBuf>,
    /// Change FILE itself first: put in what messages offer in place of what they are about, as
    /// long as that helps.
    #[arg(long)]
    pub fix: bool,
    #[command(flatten)]
    pub others: OtherArguments,
    #[command(flatten)]
    pub c: CArguments,
    #[command(flatten)]
    pub plan: PlanArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// Options of `devices`.
#[derive(Debug, Args)]
pub struct DevicesArguments {
    /// For which target: `opencl`, `cuda` or `hip`.
    #[arg(long, value_enum, default_value_t = TargetChoice::Opencl)]
    pub target: TargetChoice,
    /// Print a JSON array.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub c: CArguments,
}

/// Options of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// A C file, or the code of a message.
    #[arg(value_name = "FILE|CODE")]
    pub subject: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub others: OtherArguments,
    #[command(flatten)]
    pub c: CArguments,
    #[command(flatten)]
    pub plan: PlanArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// Options of `view`.
#[derive(Debug, Args)]
pub struct ViewArguments {
    /// C file with `#pragma scop` … `#pragma endscop` around loops.
    pub file: PathBuf,
    /// Where the picture goes; `-` is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// What lies horizontally: `rows`, `columns`, a loop variable of a group's last stage, or
    /// the number of a dimension from 0 [default: the innermost in which tiles overlap, else the
    /// innermost that is tiled; for iterated loops the first loop inside].
    #[arg(long, value_name = "NAME")]
    pub dimension: Option<String>,
    #[command(flatten)]
    pub c: CArguments,
    #[command(flatten)]
    pub plan: PlanArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// Options of `check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// C file with marked regions.
    pub file: PathBuf,
    /// The plan.
    #[arg(long, value_name = "FILE")]
    pub plan: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// isl operations that one step of the analysis may take.
    #[arg(long, value_name = "N", default_value_t = defaults::ISL_OPERATIONS)]
    pub budget: u64,
    #[command(flatten)]
    pub c: CArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

/// Values by name, as they were given.
pub type Assignments = Vec<(String, String)>;

fn assignments(text: &str) -> Result<Assignments, String> {
    text.split(',').map(assignment).collect()
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < 1e6 => Ok(value),
        _ => Err("write a number of seconds above 0".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use tilewright::compile::{Options, Target};
    use tilewright::plan::machine::Machine;
    use tilewright::plan::rates::Rates;
    use tilewright::plan::{Fuse, Shape};
    use tilewright::planner::cost::{Objective, Weights};
    use tilewright::planner::{Fusion, Inline, InnerTile};
    use tilewright_driver::host::machine::Known;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_reach_the_compiler() {
        let parse = |line: &str| match Arguments::parse_from(line.split(' ')).command {
            Command::Compile(options) => options,
            _ => unreachable!("the line says compile"),
        };
        let known = Known {
            machine: Machine::default(),
            rates: Rates::default(),
            file: None,
        };
        let options = parse("tilewright compile a.c").plan.options(&known);
        let defaults = Options::default();
        assert_eq!(
            format!("{options:?}"),
            format!("{defaults:?}"),
            "same defaults"
        );
        let line = "tilewright compile a.c --fusion halide --cost xeon --cache-l1 48K --cache-l2 2M \
                    --cache-l3 32M --cores 3 --estimate R=100 --group-limit 8 --inline pointwise \
                    --inner-tile l1 --point-loops apart";
        let plan = parse(&format!("{line} --machine none")).plan;
        let wishes = plan.options(&plan.model.known().unwrap()).wishes;
        assert_eq!(wishes.pipelines.fusion, Fusion::Halide);
        assert_eq!(wishes.pipelines.inner_tile, InnerTile::FirstCache);
        assert!(!wishes.pipelines.share_loops);
        assert_eq!(wishes.objective, Objective::Toplas(Weights::XEON));
        let machine = wishes.machine;
        let sizes = (machine.cache_l1, machine.cache_l2, machine.cache_l3);
        assert_eq!(sizes, (48 << 10, 2 << 20, 32 << 20));
        assert_eq!(machine.cores, 3);
        assert_eq!(wishes.estimates.get("R"), Some(&100));
        assert_eq!(wishes.pipelines.group_limit, Some(8));
        assert_eq!(wishes.pipelines.inline, Inline::Pointwise);
        let options = parse(
            "tilewright compile a.c --shape scalene --fuse max --tile-sizes 8,0 --no-simd \
             --no-parallel --no-wavefront --separate --target c",
        );
        let options = options.plan.options(&known);
        assert_eq!(options.wishes.shape, Some(Shape::Scalene));
        assert_eq!(options.wishes.fuse, Some(Fuse::Max));
        assert_eq!(options.wishes.tile_sizes, Some(vec![8, 0]));
        assert!(
            !options.wishes.processor.parallel
                && !options.wishes.processor.vectorise
                && options.wishes.processor.separate
        );
        assert!(!options.wishes.processor.wavefront);
        assert_eq!(options.target, Target::C);
    }
}
