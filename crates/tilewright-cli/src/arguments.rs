//! The command line, as its own help text describes it.

mod calibrate;
mod model;
mod reuse;
mod tune;

pub use calibrate::CalibrateArguments;
pub use model::{MachineArguments, ModelArguments};
pub use reuse::ReuseArguments;
pub use tune::TuneArguments;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use tilewright::compile::{Options, Target};
use tilewright::plan::planner::{DeviceWishes, Inline, InnerTile, Wishes};
use tilewright::plan::{Fuse, Shape, defaults};
use tilewright_driver::data::fill::Fill;
use tilewright_driver::machine::Known;
use tilewright_driver::toolchain::{DEFAULT_CFLAGS, Toolchain, split};

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
    /// Compile a C file with marked regions to faster C.
    Compile(CompileArguments),
    /// Compile, build, run original and result on the same data, compare, time.
    Run(Box<RunArguments>),
    /// Search for the plan with which a file is fastest on this machine, and save it.
    Tune(Box<TuneArguments>),
    /// Measure what moving bytes and starting loops takes on this machine, and save it for the
    /// cost model.
    Calibrate(CalibrateArguments),
    /// List the devices that `--target opencl` or `--target cuda` would find.
    Devices(DevicesArguments),
    /// Say what would be done with a file and why; or what a code such as TW0203 means.
    Explain(ExplainArguments),
    /// Draw the tiles that a file gets, as an SVG picture.
    View(ViewArguments),
    /// Is this plan legal? If not, name a pair of instances that it would put in the wrong order.
    Check(CheckArguments),
    /// Say what each tile loads and stores, for tile sizes as parameters, and what local memory it
    /// needs; generate such loops.
    Reuse(Box<ReuseArguments>),
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
            Command::Reuse(options) => options.json,
            Command::View(_) | Command::Measure => false,
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
            Command::Reuse(_) => "reuse",
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

/// What the planner is asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Planning")]
pub struct PlanArguments {
    /// Shape of tiles.
    #[arg(long, value_enum, default_value_t = ShapeChoice::Auto)]
    pub shape: ShapeChoice,
    /// Fusion by the affine scheduler; `no` also keeps pipelines' stages apart.
    #[arg(long, value_enum)]
    pub fuse: Option<FuseChoice>,
    /// Tile sizes, outermost dimension first; 0 keeps a dimension whole.
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(i64).range(0..=defaults::WHOLE))]
    pub tile_sizes: Option<Vec<i64>>,
    /// Stages that their consumers compute where they read them: `auto`, `none`,
    /// `pointwise`, or names.
    #[arg(
        long,
        value_name = "NAME,NAME",
        value_delimiter = ',',
        default_value = "auto"
    )]
    pub inline: Vec<String>,
    /// Take all decisions from a plan, as `--emit plan` writes it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shape", "fuse", "tile_sizes", "separate", "inline", "overlap", "inner_tile", "point_loops", "fusion", "group_limit", "cost", "estimates"])]
    pub plan: Option<PathBuf>,
    /// Generate full tiles apart from partial ones.
    #[arg(long)]
    pub separate: bool,
    /// Do not run loops in parallel.
    #[arg(long)]
    pub no_parallel: bool,
    /// Do not mark loops `simd`.
    #[arg(long)]
    pub no_simd: bool,
    /// Do not skew tile loops into wavefronts.
    #[arg(long)]
    pub no_wavefront: bool,
    /// Greatest share of a tile that its neighbours may compute too before fusion stops.
    #[arg(long, value_name = "SHARE", default_value_t = defaults::OVERLAP_TOLERANCE)]
    pub overlap_tolerance: f64,
    /// Dimensions of a pipeline's result, outermost 0, in which tiles overlap; in the outermost
    /// other one tiles are ordinary ones, executed in sequence.
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    pub overlap: Option<Vec<usize>>,
    /// Tiles inside the overlapped tiles of pipelines, executed in sequence: `auto`, `none`, `l1`
    /// (as many rows as fit the first cache), or a number of rows.
    #[arg(long, value_name = "ROWS", default_value = "auto", value_parser = inner_tile, conflicts_with_all = ["shape", "overlap"])]
    pub inner_tile: InnerTile,
    /// Whether stages of a tile that compute the same cells share their loops, and so registers.
    #[arg(long, value_enum, default_value_t = PointLoops::Shared)]
    pub point_loops: PointLoops,
    /// What to generate.
    #[arg(long, value_enum, default_value_t = TargetChoice::Openmp)]
    pub target: TargetChoice,
    /// For devices: threads of a block, along x (neighbouring cells) and y.
    #[arg(long, value_name = "X,Y", value_delimiter = ',', value_parser = clap::value_parser!(i64).range(1..=defaults::MOST_THREADS))]
    pub block_size: Option<Vec<i64>>,
    /// For devices: bytes of local (shared) memory that a block may have; `K` is 1024.
    #[arg(long, value_name = "BYTES", value_parser = model::size, default_value = "48K")]
    pub max_shared_memory: i64,
    /// isl operations that one step of the analysis may take before a simpler way is tried.
    #[arg(long, value_name = "N", default_value_t = defaults::ISL_OPERATIONS)]
    pub budget: u64,
    #[command(flatten)]
    pub model: ModelArguments,
}

impl PlanArguments {
    /// Options of the compiler, for a machine.
    pub fn options(&self, known: &Known) -> Options {
        Options {
            wishes: Wishes {
                shape: self.shape.shape(),
                fuse: self.fuse.map(FuseChoice::fuse),
                tile_sizes: self.tile_sizes.clone(),
                parallel: !self.no_parallel,
                wavefront: !self.no_wavefront,
                vectorise: !self.no_simd,
                separate: self.separate,
                overlap_tolerance: self.overlap_tolerance,
                overlap: self.overlap.clone(),
                inner_tile: self.inner_tile,
                share_loops: self.point_loops == PointLoops::Shared,
                inline: match &self.inline[..] {
                    [only] if only == "auto" => Inline::Auto,
                    [only] if only == "none" => Inline::None,
                    [only] if only == "pointwise" => Inline::Pointwise,
                    names => Inline::Stages(names.to_vec()),
                },
                fusion: self.model.fusion.fusion(),
                group_limit: self.model.group_limit,
                objective: self.model.cost.objective(known.rates),
                machine: known.machine.clone(),
                estimates: self.model.estimates(),
                device: self.target.target().is_device().then(|| DeviceWishes {
                    threads: self.block_size.clone(),
                    local_memory: self.max_shared_memory,
                }),
            },
            target: self.target.target(),
            budget: self.budget,
            ..Options::default()
        }
    }
}

/// Shapes of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShapeChoice {
    /// The planner's choice.
    Auto,
    /// The loops as written, the outermost parallel one run in parallel.
    None,
    /// Affine scheduling, then rectangles in the scheduled space.
    Parallelogram,
    /// Overlapped tiles, as tight on each side as the dependences allow; also `acute`.
    #[value(alias = "acute")]
    Scalene,
    /// Overlapped tiles whose stages take turns row by row, in small folded scratchpads; also
    /// `rectangle`.
    #[value(alias = "rectangle")]
    Right,
    /// Overlapped tiles with one slope per side for all stages, as PolyMage has them; wider than
    /// `scalene`, for comparisons.
    Polymage,
    /// Iterated stencils: bands of time with pyramids, then what is between them. Sizes: height in
    /// time, then what a pyramid has at its top in each dimension.
    Split,
    /// Iterated stencils: diamonds in time and the first dimension, parallelograms in the others.
    /// Sizes: height in time, then space; the first dimension's follows from the height.
    Diamond,
    /// Iterated stencils: hexagons in time and the first dimension, parallelograms in the others.
    /// Sizes: height in time, a hexagon's top, then the others.
    Hexagonal,
}

impl ShapeChoice {
    pub(crate) fn shape(self) -> Option<Shape> {
        match self {
            ShapeChoice::Auto => None,
            ShapeChoice::None => Some(Shape::None),
            ShapeChoice::Parallelogram => Some(Shape::Parallelogram),
            ShapeChoice::Scalene => Some(Shape::Scalene),
            ShapeChoice::Right => Some(Shape::Right),
            ShapeChoice::Polymage => Some(Shape::Polymage),
            ShapeChoice::Split => Some(Shape::Split),
            ShapeChoice::Diamond => Some(Shape::Diamond),
            ShapeChoice::Hexagonal => Some(Shape::Hexagonal),
        }
    }
}

/// Loops inside tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PointLoops {
    /// Stages that read each other in the same iteration only, or the same cells.
    Shared,
    /// Every stage has loops of its own.
    Apart,
}

/// Fusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FuseChoice {
    /// Nothing is fused.
    No,
    /// What does not cost parallelism or tilable loops.
    Smart,
    /// As much as is legal.
    Max,
    /// Loops keep their order; perfectly nested ones are tiled.
    Written,
}

impl FuseChoice {
    fn fuse(self) -> Fuse {
        match self {
            FuseChoice::No => Fuse::No,
            FuseChoice::Smart => Fuse::Smart,
            FuseChoice::Max => Fuse::Max,
            FuseChoice::Written => Fuse::Written,
        }
    }
}

/// Targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetChoice {
    /// C for one thread.
    C,
    /// C with OpenMP pragmas.
    Openmp,
    /// OpenCL C for a device and C for the host, in one file.
    Opencl,
    /// CUDA C in a file beside the output, which calls it.
    Cuda,
}

impl TargetChoice {
    /// As the compiler calls it.
    pub fn target(self) -> Target {
        match self {
            TargetChoice::C => Target::C,
            TargetChoice::Openmp => Target::OpenMp,
            TargetChoice::Opencl => Target::OpenCl,
            TargetChoice::Cuda => Target::Cuda,
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

/// Options of `compile`.
#[derive(Debug, Args)]
pub struct CompileArguments {
    /// C file with `#pragma scop` … `#pragma endscop` around loops.
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
    #[command(flatten)]
    pub c: CArguments,
    #[command(flatten)]
    pub plan: PlanArguments,
}

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
    /// Seconds that one call may take.
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
    pub c: CArguments,
}

impl ExperimentArguments {
    /// The C compiler with all flags.
    pub fn toolchain(&self) -> Toolchain {
        let cflags = split(&self.cflags);
        Toolchain {
            cflags,
            ldflags: split(&self.ldflags),
            ..self.c.toolchain()
        }
    }
}

/// Options of `run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    #[command(flatten)]
    pub experiment: ExperimentArguments,
    /// Where the result's array goes: a picture or an .npy file.
    #[arg(long, value_name = "ARRAY=FILE", value_parser = assignment)]
    pub output: Vec<(String, String)>,
    /// Seed of random contents.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Timed runs of each version; 0 only compares [default: 5 to 11, as fit into 10 s].
    #[arg(long, value_name = "N")]
    pub runs: Option<usize>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub plan: PlanArguments,
}

/// Options of `devices`.
#[derive(Debug, Args)]
pub struct DevicesArguments {
    /// For which target: `opencl` or `cuda`.
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
    pub c: CArguments,
    #[command(flatten)]
    pub plan: PlanArguments,
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
}

fn inner_tile(text: &str) -> Result<InnerTile, String> {
    let rows = || {
        text.parse()
            .ok()
            .filter(|rows| (1..=defaults::WHOLE).contains(rows))
    };
    match text {
        "auto" => Ok(InnerTile::Auto),
        "none" => Ok(InnerTile::None),
        "l1" => Ok(InnerTile::FirstCache),
        _ => rows()
            .map(InnerTile::Rows)
            .ok_or_else(|| "inner tiles are `auto`, `none`, `l1`, or a number of rows".to_owned()),
    }
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write NAME=VALUE".to_owned()),
    }
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
    use tilewright::plan::cost::{Objective, Rates, Weights};
    use tilewright::plan::machine::Machine;
    use tilewright::plan::planner::Fusion;

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
        assert_eq!(wishes.fusion, Fusion::Halide);
        assert_eq!(wishes.inner_tile, InnerTile::FirstCache);
        assert!(!wishes.share_loops);
        assert_eq!(wishes.objective, Objective::Toplas(Weights::XEON));
        let machine = wishes.machine;
        let sizes = (machine.cache_l1, machine.cache_l2, machine.cache_l3);
        assert_eq!(sizes, (48 << 10, 2 << 20, 32 << 20));
        assert_eq!(machine.cores, 3);
        assert_eq!(wishes.estimates.get("R"), Some(&100));
        assert_eq!(wishes.group_limit, Some(8));
        assert_eq!(wishes.inline, Inline::Pointwise);
        let options = parse(
            "tilewright compile a.c --shape scalene --fuse max --tile-sizes 8,0 --no-simd \
             --no-parallel --no-wavefront --separate --target c",
        );
        let options = options.plan.options(&known);
        assert_eq!(options.wishes.shape, Some(Shape::Scalene));
        assert_eq!(options.wishes.fuse, Some(Fuse::Max));
        assert_eq!(options.wishes.tile_sizes, Some(vec![8, 0]));
        assert!(!options.wishes.parallel && !options.wishes.vectorise && options.wishes.separate);
        assert!(!options.wishes.wavefront);
        assert_eq!(options.target, Target::C);
    }
}
