//! What the planner and the code generator are asked for.

use super::CertifyChoice;
use super::model::{self, ModelArguments};
use super::trust::TrustArguments;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tilewright::compile::{Options, Target};
use tilewright::plan::gpu::Gpu;
use tilewright::plan::steps::LoopStep;
use tilewright::plan::{Fuse, IndexType, Shape, defaults};
use tilewright::planner::{
    DeviceWishes, Format, Inline, InnerTile, Inspect, LocalCopies, Reductions, Wishes,
};
use tilewright_driver::host::machine::Known;

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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shape", "fuse", "tile_sizes", "separate", "inline", "overlap", "inner_tile", "point_loops", "fusion", "group_limit", "cost", "estimates", "loops"])]
    pub plan: Option<PathBuf>,
    /// Generate full tiles apart from partial ones.
    #[arg(long)]
    pub separate: bool,
    /// Do not run loops in parallel.
    #[arg(long)]
    pub no_parallel: bool,
    /// Operations and accesses from which on a region, and a parallel loop in it, is worth threads:
    /// below, the loops run as they were written; 0: always.
    #[arg(long, value_name = "N", default_value_t = defaults::FORK, value_parser = clap::value_parser!(i64).range(0..=1 << 40))]
    pub fork_operations: i64,
    /// Do not mark loops `simd`.
    #[arg(long)]
    pub no_simd: bool,
    /// Do not skew tile loops into wavefronts.
    #[arg(long)]
    pub no_wavefront: bool,
    /// Portions that a parallel loop is divided into where a loop inside has a bound that is data;
    /// with 1 each thread gets as many iterations as every other.
    #[arg(long, value_name = "N", default_value_t = defaults::PORTIONS, value_parser = clap::value_parser!(i64).range(1..=1 << 20))]
    pub portions: i64,
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
    /// What becomes of loops that only add to an array, at places that data picks.
    #[arg(long, value_enum, default_value_t = ReductionsChoice::Auto)]
    pub reductions: ReductionsChoice,
    /// Sums of floating-point numbers may be added up in another order.
    #[arg(long)]
    pub reassociate: bool,
    /// A change of the loops as written, named by their variables: `interchange:OUTER,INNER`,
    /// `distribute:LOOP` or `fuse:LOOP`; several are done one after another.
    #[arg(long, value_name = "STEP", value_parser = LoopStep::parse)]
    pub loops: Vec<LoopStep>,
    /// Form of sparse matrices in compressed rows: as the program has them, or packed in front of
    /// the region.
    #[arg(long, value_enum, default_value_t = FormatChoice::Given)]
    pub format: FormatChoice,
    /// Bounds of loops that are data, where an order or a grid needs a static bound and only that of
    /// their type is known.
    #[arg(long, value_enum, default_value_t = InspectChoice::Auto)]
    pub inspect: InspectChoice,
    /// What to generate.
    #[arg(long, value_enum, default_value_t = TargetChoice::Openmp)]
    pub target: TargetChoice,
    /// For devices: the one for which tile sizes and threads are chosen [default: `generic`; for
    /// `run` the device that it takes].
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(Gpu::names()))]
    pub device: Option<String>,
    /// For devices: threads of a block, along x (neighbouring cells) and y [default: the cost
    /// model's choice for pipelines, else 32,8].
    #[arg(long, value_name = "X,Y", value_delimiter = ',', value_parser = clap::value_parser!(i64).range(1..=defaults::MOST_THREADS))]
    pub block_size: Option<Vec<i64>>,
    /// For devices: loops whose bounds are data become part of the grid, up to their static
    /// bounds, and every block computes the bounds for itself.
    #[arg(long)]
    pub sink_bounds: bool,
    /// For devices: parallel loops directly inside each other that are distributed to blocks together.
    #[arg(long, value_name = "N", default_value_t = defaults::GRID_LOOPS, value_parser = clap::value_parser!(i64).range(1..=3))]
    pub grid: i64,
    /// For devices: whether full tiles get loops of their own, without minima and maxima.
    #[arg(long, value_enum, default_value_t = FullTiles::Auto)]
    pub full_tiles: FullTiles,
    /// For devices: iterations of a thread's innermost loop that are written as one; 1: the
    /// compiler's choice.
    #[arg(long, value_name = "N", default_value_t = defaults::DEVICE_UNROLL, value_parser = clap::value_parser!(i64).range(1..=1024))]
    pub unroll: i64,
    /// For devices: bits of the integers that kernels count and address with; with 32 the host
    /// compares sizes first, and launches kernels with 64 where they are too large.
    #[arg(long, value_name = "BITS", default_value = "32", value_parser = index_type)]
    pub index_bits: IndexType,
    /// For devices: bytes of local (shared) memory that a block may have; `K` is 1024 [default: that of
    /// `--device`; for `run` what the device has].
    #[arg(long, value_name = "BYTES", value_parser = model::size)]
    pub max_shared_memory: Option<i64>,
    /// For devices: whether arrays of tiles are copied to local memory.
    #[arg(long, value_enum, default_value_t = LocalMemory::Auto)]
    pub local_memory: LocalMemory,
    /// For devices: execute what is generated thread by thread, with these values of parameters, and
    /// compare what happens with the loops it was made of.
    #[arg(long, value_name = "NAME=VALUE,...", value_delimiter = ',', value_parser = model::estimate)]
    pub replay: Vec<(String, i64)>,
    /// How much of the result is executed beside the original, in the compiler, before it is
    /// written.
    #[arg(long, value_enum, default_value_t = CertifyChoice::Quick, value_name = "HOW")]
    pub certify: CertifyChoice,
    #[command(flatten)]
    pub trust: TrustArguments,
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
                fork: self.fork_operations,
                wavefront: !self.no_wavefront,
                portions: self.portions,
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
                reductions: self.reductions.reductions(),
                reassociate: self.reassociate,
                loops: self.loops.clone(),
                inspect: self.inspect.inspect(),
                format: self.format.format(),
                estimates: self.model.estimates(),
                device: self.target.target().is_device().then(|| DeviceWishes {
                    gpu: self.gpu(),
                    most_threads: self.gpu().block_threads,
                    threads: self.block_size.clone(),
                    sink: self.sink_bounds,
                    grid: self.grid,
                    full_tiles: self.full_tiles.wanted(),
                    unroll: self.unroll,
                    local_memory: self.max_shared_memory.unwrap_or(self.gpu().block_memory),
                    promote: match self.local_memory {
                        LocalMemory::Auto => LocalCopies::Paying,
                        LocalMemory::All => LocalCopies::All,
                        LocalMemory::None => LocalCopies::None,
                    },
                    index: self.index_bits,
                }),
            },
            target: self.target.target(),
            budget: self.budget,
            trust: self.trust.trust(),
            certify: self.certify.certify(),
            replay: (!self.replay.is_empty()).then(|| self.replay.iter().cloned().collect()),
            ..Options::default()
        }
    }
}

impl PlanArguments {
    /// The device that is named, or the usual one.
    fn gpu(&self) -> Gpu {
        let named = self.device.as_deref().and_then(Gpu::named);
        named.unwrap_or_default()
    }
}

/// Whether full tiles are apart from partial ones on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FullTiles {
    /// Where it is likely to pay.
    Auto,
    /// Everywhere.
    Apart,
    /// Nowhere.
    Together,
}

impl FullTiles {
    fn wanted(self) -> Option<bool> {
        match self {
            FullTiles::Auto => None,
            FullTiles::Apart => Some(true),
            FullTiles::Together => Some(false),
        }
    }
}

/// What becomes of sums into cells that data picks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReductionsChoice {
    /// What is likely to be faster.
    Auto,
    /// They stay sequential.
    None,
    /// Atomic updates in parallel.
    Atomic,
    /// In parallel on copies of the array, which are added up.
    Privatise,
}

impl ReductionsChoice {
    fn reductions(self) -> Reductions {
        match self {
            ReductionsChoice::Auto => Reductions::Auto,
            ReductionsChoice::None => Reductions::None,
            ReductionsChoice::Atomic => Reductions::Atomic,
            ReductionsChoice::Privatise => Reductions::Privatise,
        }
    }
}

/// What becomes of bounds without a static bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InspectChoice {
    /// Code in front of the region computes one, if the region does not change the data.
    Auto,
    /// There is none.
    None,
}

impl InspectChoice {
    fn inspect(self) -> Inspect {
        match self {
            InspectChoice::Auto => Inspect::Auto,
            InspectChoice::None => Inspect::None,
        }
    }
}

/// Form of sparse matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatChoice {
    /// As the program has them.
    Given,
    /// ELLPACK, unless the longest row would make it too large.
    Ell,
}

impl FormatChoice {
    fn format(self) -> Format {
        match self {
            FormatChoice::Given => Format::Given,
            FormatChoice::Ell => Format::Ell,
        }
    }
}

/// Arrays of tiles on devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LocalMemory {
    /// Those for which copies pay: that are accessed often, or by neighbouring threads in cells that
    /// are not neighbours; not those of overlapped tiles, which have scratchpads.
    Auto,
    /// Those that are accessed more often than they would be copied, as far as they fit.
    All,
    /// None; scratchpads of overlapped tiles are there nonetheless.
    None,
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
    /// HIP in a file beside the output, which calls it.
    Hip,
}

impl TargetChoice {
    /// As the compiler calls it.
    pub fn target(self) -> Target {
        match self {
            TargetChoice::C => Target::C,
            TargetChoice::Openmp => Target::OpenMp,
            TargetChoice::Opencl => Target::OpenCl,
            TargetChoice::Cuda => Target::Cuda,
            TargetChoice::Hip => Target::Hip,
        }
    }
}

fn index_type(text: &str) -> Result<IndexType, String> {
    match text {
        "32" => Ok(IndexType::Int),
        "64" => Ok(IndexType::Long),
        _ => Err("indices have 32 or 64 bits".to_owned()),
    }
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
