//! What the user asks planners for.

use super::cost::Objective;
use crate::plan::gpu::Gpu;
use crate::plan::machine::Machine;
use crate::plan::rates::Rates;
use crate::plan::steps::LoopStep;
use crate::plan::{Fuse, IndexType, Shape, defaults};
use std::collections::BTreeMap;

/// What the user asks for; everything that is `None` is the planner's choice.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// Shape of tiles.
    pub shape: Option<Shape>,
    /// Tile sizes.
    pub tile_sizes: Option<Vec<i64>>,
    /// Fusion of the affine scheduler, and (`no`) of pipelines.
    pub fuse: Option<Fuse>,
    /// What is done to the loops as written, in this order ([`crate::plan::Written::loops`]).
    pub loops: Vec<LoopStep>,
    /// Of pipelines of stages.
    pub pipelines: PipelineWishes,
    /// Of threads and vector units.
    pub processor: ProcessorWishes,
    /// Of a device, where blocks of threads are to do the work.
    pub device: Option<DeviceWishes>,
    /// Of sums.
    pub sums: SumWishes,
    /// Of what is data: bounds of loops, and matrices.
    pub data: DataWishes,
    /// What groups cost.
    pub objective: Objective,
    /// For which machine tiles are made.
    pub machine: Machine,
    /// Values that parameters may be expected to have, by their C spelling; others are taken to be
    /// [`defaults::ESTIMATE`].
    pub estimates: BTreeMap<String, i64>,
}

/// What is asked of pipelines: which stages share tiles, and what such a tile is.
#[derive(Clone, Debug)]
pub struct PipelineWishes {
    /// Stages that their consumers compute.
    pub inline: Inline,
    /// How stages are grouped.
    pub fusion: Fusion,
    /// Most stages in a group of the first round (TOPLAS 2020, section 6); groups are then grouped
    /// again, until no round could join more. `None`: as many as can be compared in time.
    pub group_limit: Option<usize>,
    /// See [`defaults::OVERLAP_TOLERANCE`].
    pub overlap_tolerance: f64,
    /// Dimensions, of the last stage's array, in which tiles overlap; in the outermost other one
    /// they are ordinary ones. `None`: in all dimensions that are tiled.
    pub overlap: Option<Vec<usize>>,
    /// Tiles inside overlapped tiles.
    pub inner_tile: InnerTile,
    /// Whether stages of a tile share point loops (TOPLAS 2020, section 5.3).
    pub share_loops: bool,
}

/// What is asked of the threads and vector units of processors.
#[derive(Clone, Debug)]
pub struct ProcessorWishes {
    /// Run loops in parallel.
    pub parallel: bool,
    /// Operations and accesses of a parallel loop from which on threads are started for it
    /// ([`defaults::FORK`]); 0: always.
    pub fork: i64,
    /// Portions that a parallel loop around loops whose bounds are data is divided into
    /// ([`defaults::PORTIONS`]); with 1 each thread gets as many iterations as every other.
    pub portions: i64,
    /// Skew for wavefronts.
    pub wavefront: bool,
    /// Mark loops `simd`.
    pub vectorise: bool,
    /// Full tiles apart from partial ones.
    pub separate: bool,
}

/// What is asked of sums.
#[derive(Clone, Debug, Default)]
pub struct SumWishes {
    /// What becomes of sums into cells that data picks.
    pub reductions: Reductions,
    /// Sums of floating-point numbers may be reordered.
    pub reassociate: bool,
}

/// What is asked where loops and matrices are data.
#[derive(Clone, Debug, Default)]
pub struct DataWishes {
    /// Bounds that are data and have no static bound.
    pub inspect: Inspect,
    /// Form of sparse matrices.
    pub format: Format,
}

/// Which arrays of tiles are copied to a device's local memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LocalCopies {
    /// None; scratchpads of overlapped tiles are there nonetheless.
    None,
    /// Those for which it pays.
    #[default]
    Paying,
    /// All that are accessed more often than they would be copied, as far as they fit.
    All,
}

/// What is asked for on a device.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceWishes {
    /// The device, for which tile sizes and threads are chosen.
    pub gpu: Gpu,
    /// Threads of a block along x and y; `None`: the planner's choice, or
    /// [`defaults::BLOCK_THREADS`].
    pub threads: Option<Vec<i64>>,
    /// Loops whose bounds are data are part of grids, see [`crate::plan::Device::sink`].
    pub sink: bool,
    /// Parallel loops that are distributed to blocks together ([`crate::plan::Device::grid`]).
    pub grid: i64,
    /// Full tiles apart from partial ones ([`crate::plan::Device::full_tiles`]); `None`: where that pays.
    pub full_tiles: Option<bool>,
    /// See [`crate::plan::Device::unroll`].
    pub unroll: i64,
    /// Threads that a block of the device may have.
    pub most_threads: i64,
    /// Bytes of local memory that the scratchpads of a block may have.
    pub local_memory: i64,
    /// Whether arrays of tiles go to local memory ([`super::promotion`]).
    pub promote: LocalCopies,
    /// See [`crate::plan::Device::index`].
    pub index: IndexType,
}

impl Default for DeviceWishes {
    fn default() -> DeviceWishes {
        DeviceWishes {
            gpu: Gpu::default(),
            threads: None,
            sink: false,
            grid: defaults::GRID_LOOPS,
            full_tiles: None,
            unroll: defaults::DEVICE_UNROLL,
            most_threads: defaults::MOST_THREADS,
            local_memory: defaults::LOCAL_MEMORY,
            promote: LocalCopies::default(),
            index: IndexType::default(),
        }
    }
}

impl DeviceWishes {
    /// The device with the limits that are asked for.
    pub(super) fn limited(&self) -> Gpu {
        Gpu {
            block_threads: self.most_threads,
            block_memory: self.local_memory,
            ..self.gpu
        }
    }
}

/// What becomes of bounds that are data, where an order or a grid needs a static bound and none but
/// that of a type is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inspect {
    /// Code in front of the region computes one, if the region does not change the data.
    #[default]
    Auto,
    /// There is none.
    None,
}

/// Form of sparse matrices in compressed rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// As the program has them.
    #[default]
    Given,
    /// Packed in ELLPACK form in front of the region.
    Ell,
}

/// How stages of pipelines are grouped (TOPLAS 2020).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fusion {
    /// By dynamic programming over what groups cost (section 3).
    #[default]
    Optimal,
    /// As PolyMage does: a group is fused into its only consumer as long as overlap is tolerable
    /// (section 2.2), with tiles of one size.
    Polymage,
    /// As Halide's scheduler does: the pair that gains most, again and again (section 2.3).
    Halide,
    /// Every stage apart.
    Apart,
}

impl Fusion {
    /// As plans and the command line call it.
    pub fn name(self) -> &'static str {
        match self {
            Fusion::Optimal => "optimal",
            Fusion::Polymage => "polymage",
            Fusion::Halide => "halide",
            Fusion::Apart => "apart",
        }
    }
}

/// Tiles inside overlapped tiles, executed in sequence: multi-level tiling (TOPLAS 2020, section
/// 5.2). They are parallelograms whose slope is that of the right face, which are the turns of
/// right trapezoids ([`crate::plan::Interleave`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InnerTile {
    /// With the paper's cost as its Algorithm 4 says ([`super::cost::Levels`]); with predicted
    /// time as many rows as the model of loads and registers finds ([`super::jam`]).
    #[default]
    Auto,
    /// None: one level, scalene tiles.
    None,
    /// As many rows as the tile for the first cache has (Algorithm 4, line 4).
    FirstCache,
    /// So many rows; more than zero.
    Rows(i64),
}

/// Which stages are inlined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Inline {
    /// Those where it is likely to pay: [`crate::planner::stages::inlining`].
    #[default]
    Auto,
    /// None.
    None,
    /// All point-wise ones, as TOPLAS 2020 does: [`crate::planner::stages::pointwise`].
    Pointwise,
    /// These, by name.
    Stages(Vec<String>),
}

/// What becomes of loops that only add to an array at places that data picks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reductions {
    /// What is likely to be faster: [`super::reductions`].
    #[default]
    Auto,
    /// They stay sequential.
    None,
    /// They run in parallel with atomic updates.
    Atomic,
    /// They run in parallel on copies of the array, which are added up.
    Privatise,
}

impl Default for PipelineWishes {
    fn default() -> PipelineWishes {
        PipelineWishes {
            inline: Inline::default(),
            fusion: Fusion::default(),
            group_limit: None,
            overlap_tolerance: defaults::OVERLAP_TOLERANCE,
            overlap: None,
            inner_tile: InnerTile::default(),
            share_loops: true,
        }
    }
}

impl Default for ProcessorWishes {
    fn default() -> ProcessorWishes {
        ProcessorWishes {
            parallel: true,
            fork: defaults::FORK,
            portions: defaults::PORTIONS,
            wavefront: true,
            vectorise: true,
            separate: false,
        }
    }
}

impl Default for Wishes {
    fn default() -> Wishes {
        Wishes {
            shape: None,
            tile_sizes: None,
            fuse: None,
            loops: Vec::new(),
            pipelines: PipelineWishes::default(),
            processor: ProcessorWishes::default(),
            device: None,
            sums: SumWishes::default(),
            data: DataWishes::default(),
            objective: Objective::Time(Rates::default()),
            machine: Machine::default(),
            estimates: BTreeMap::new(),
        }
    }
}
