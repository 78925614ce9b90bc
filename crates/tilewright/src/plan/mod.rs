//! The decision: what is grouped, how it is tiled and stored, what runs in parallel.
//!
//! Plain data, readable and editable TOML. Planners ([`crate::planner`]) make one; transforms apply one
//! and never decide. A plan names things by the program's own names: a *stage* is the set of
//! statements that write one array, and has the array's name ([`crate::analysis::stages`]).

pub mod defaults;
pub mod entries;
pub mod gpu;
pub(crate) mod limits;
pub mod machine;
pub mod rates;
pub mod steps;

use entries::{Form, Parts, Picks};
use serde::{Deserialize, Serialize};
use steps::LoopStep;

/// Decisions for all regions of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// Format of this file: 1.
    pub version: u32,
    /// One entry per region, in the order of the file.
    #[serde(rename = "region", default)]
    pub regions: Vec<RegionPlan>,
}

/// Decisions for one region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RegionPlan {
    /// The function that holds the region.
    pub function: String,
    /// Which region of the file, from 0.
    pub index: usize,
    /// Who decided: a way to group pipelines ([`crate::planner::Fusion`]), `affine`, `original`, `manual`.
    #[serde(default = "manual")]
    pub planner: String,
    /// Form of the arrays of a loop over compressed rows ([`crate::rewrite::ell`]): before everything
    /// else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Form>,
    /// Bounds of loops that are data, by the names of the temporaries that hold them, whose largest
    /// or smallest value is computed in front of the region ([`crate::transform::inspect`]):
    /// before everything else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inspect: Vec<String>,
    /// Scalars that are gone: their readers compute what they hold
    /// ([`crate::rewrite::substitute`]), behind what stands above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub substitute: Vec<String>,
    /// Arrays that a loop only adds to, at places that depend on data, and copies between which
    /// its iterations are divided ([`crate::rewrite::partial`]): first of all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partial: Vec<Parts>,
    /// Arrays and stages that pick from them at places that depend on data: what the reader computes from a picked cell is computed for all cells, by a stage of its own
    /// ([`crate::rewrite::tabulate`]), before stages are inlined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tabulate: Vec<Picks>,
    /// Stages that are gone: their consumers compute their values where they read them
    /// ([`crate::rewrite::inline`]). They are in no group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inline: Vec<String>,
    /// Executed one after another.
    #[serde(rename = "group", default)]
    pub groups: Vec<Group>,
}

fn manual() -> String {
    "manual".to_owned()
}

/// Stages that are tiled together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Group {
    /// Stages by name, producers first. Every stage of the region is in exactly one group.
    pub stages: Vec<String>,
    /// Shape of the tiles.
    pub shape: Shape,
    /// Tile sizes. For overlapped shapes one per dimension of the live-out stage, for
    /// [`Shape::Parallelogram`] one per band member, outermost first, the last one repeated where
    /// a band has more. 0: the dimension is kept whole.
    ///
    /// For shapes over time ([`Shape::is_over_time`]) first the height in logical time, where
    /// statements of one iteration that depend on each other are one after another
    /// ([`crate::analysis::over_time::cone`]), then one per dimension of space, the last one repeated:
    ///
    /// - [`Shape::Scalene`] and [`Shape::Right`] of stages that read each other in a circle: the
    ///   cells that a tile leaves behind at the end of a band of time. Only the dimension of
    ///   `interleave` may be whole, if all stages are in `folded`. The height is rounded up to
    ///   whole iterations of the time loop.
    /// - [`Shape::Split`]: the extent of a pyramid at its top.
    /// - [`Shape::Diamond`]: nothing for the dimensions of diamonds, whose extent follows from the
    ///   height; the width of parallelograms for the others.
    /// - [`Shape::Hexagonal`]: the extent of a hexagon at its top and bottom for the first, which
    ///   cannot be whole; the width of parallelograms for the others. An odd height is rounded up.
    #[serde(default)]
    pub tile_sizes: Vec<i64>,
    /// Order of the tile loops, outermost first, as dimensions of the live-out stage's array
    /// (overlapped shapes); those that are not named come before, in the array's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tile_order: Vec<usize>,
    /// Tile size of the loop that is moved innermost for the vector unit, in place of its size in
    /// `tile_sizes` ([`Shape::Parallelogram`]); 0: as there.
    #[serde(default)]
    pub vector_tile: i64,
    /// Stages whose arrays become tile-local scratchpads (overlapped shapes).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub local: Vec<String>,
    /// Stages whose point loops are one (overlapped shapes), in the order of execution; stages
    /// that are in none have loops of their own, in the order of `stages`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nests: Vec<Vec<String>>,
    /// Stages whose values are only read in their own nest, and so need one variable instead of
    /// a scratchpad (overlapped shapes).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub registers: Vec<String>,
    /// Outer point loops that all stages of the tile share, outermost first ([`Shape::Right`]);
    /// in the other dimensions every nest has its own. Over time at most one, a dimension of
    /// space.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interleave: Vec<Interleave>,
    /// Stages whose scratchpad is folded along the first dimension of `interleave` to the cells
    /// that are alive at once ([`Shape::Right`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folded: Vec<String>,
    /// Stages of `local` whose scratchpads are the same memory, as lists: no two of a list hold
    /// values that are still needed at the same time (overlapped shapes).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub share: Vec<Vec<String>>,
    /// Point loops that are unrolled and jammed into the loop inside them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jam: Vec<Jam>,
    /// What is done to the loops as written, in this order ([`Shape::None`], [`Shape::Parallelogram`]
    /// with [`Fuse::Written`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<LoopStep>,
    /// Arrays and scalars whose updates, `a[…] += …`, may be made in another order than the
    /// program's; sums of floating-point numbers then have other last bits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reorder: Vec<String>,
    /// How the affine scheduler fuses loops ([`Shape::Parallelogram`]).
    #[serde(default)]
    pub fuse: Fuse,
    /// Run tiles (or, untiled, the outermost parallel loop) in parallel.
    #[serde(default = "yes")]
    pub parallel: bool,
    /// Skew tile loops into wavefronts where no outer loop is parallel.
    #[serde(default = "yes")]
    pub wavefront: bool,
    /// On a device, such tiles are skewed by all of their loops, and their points along wavefronts,
    /// too: the threads of a block share those of each.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wavefront_points: bool,
    /// Mark the innermost parallel loop `simd`.
    #[serde(default = "yes")]
    pub vectorise: bool,
    /// Fold temporaries of the region to one cell per thread where that is legal.
    #[serde(default = "yes")]
    pub contract: bool,
    /// Generate full tiles apart from partial ones (not over time).
    #[serde(default)]
    pub separate: bool,
    /// Move the innermost parallel loop inside the sequential ones in it ([`Shape::None`]), where
    /// another one is left outside: additions to one cell then do not wait for each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spread: bool,
    /// In how many dimensions of space, from the first, tiles are diamonds that start together
    /// ([`Shape::Diamond`]); 0: in all.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub concurrent: usize,
    /// Rows of parallelograms along the innermost dimension of space begin at multiples of so many
    /// cells, which makes their sides flatter than the dependences need
    /// ([`Shape::Diamond`], [`Shape::Hexagonal`]). Widths are multiples of it.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub align: i64,
    /// On a device, threads of the block that executes a tile, along x (neighbouring cells) and y;
    /// none: as many as [`defaults::BLOCK_THREADS`], in a shape that suits short loops.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<i64>,
    /// On a device, how many parallel loops directly inside each other, from the outermost one on,
    /// are distributed to blocks together, where their bounds do not depend on each other
    /// ([`Shape::None`], [`Shape::Parallelogram`]).
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub grid: i64,
    /// On a device, loops with a minimum or maximum in their bounds get a second version without,
    /// behind a test of the whole block (`codegen::gpu::grids::full_tiles`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub full_tiles: bool,
    /// On a device, iterations of a thread's innermost loop that are written as one, where it has a
    /// constant number of them; 1: the compiler's choice.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub unroll: i64,
    /// Arrays that loops only add to, at places that depend on data, and whose updates are atomic,
    /// so that these loops run in parallel ([`Shape::None`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub atomic: Vec<String>,
    /// On a device, independent loops inside the grid whose bounds are data become part of it, up
    /// to their static bounds; every block computes the bounds for itself
    /// (`codegen::gpu::grids::data`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sink: bool,
    /// On a device, arrays whose cells a tile keeps in local memory, copied there and back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub promote: Vec<Promotion>,
    /// On a device, banks of local memory, a power of two: rows of arrays there are longer than
    /// they need to be where neighbouring threads would need the same bank
    /// (`codegen::gpu::conflicts::banks`). 0: rows are as long as they are.
    #[serde(default = "banks", skip_serializing_if = "are_usual")]
    pub banks: i64,
    /// On a device, integers for loop variables and indices.
    #[serde(default, skip_serializing_if = "IndexType::is_usual")]
    pub index: IndexType,
}

fn banks() -> i64 {
    defaults::BANKS
}

fn are_usual(banks: &i64) -> bool {
    *banks == defaults::BANKS
}

fn is_one(number: &i64) -> bool {
    *number == 1
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn yes() -> bool {
    true
}

/// A dimension along which the stages of a tile are executed interleaved.
///
/// Where the dimension has a tile size, tiles overlap in it, and each is executed in turns. Where
/// it has none (size 0), turns are ordinary tiles, skewed by the stages' shifts and executed in
/// sequence inside the overlapped tiles of the other dimensions (hybrid tiling, TACO 2019,
/// section 3.7): nothing is computed twice along it. The scratchpads then hold what is alive, if
/// it is the first dimension of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Interleave {
    /// The dimension, of the live-out stage's array.
    pub dimension: usize,
    /// Cells of the live-out stage that are executed in one turn.
    #[serde(default = "one")]
    pub block: i64,
}

fn one() -> i64 {
    1
}

/// An array in local memory on a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Promotion {
    /// The array.
    pub array: String,
    /// Where it is copied: inside so many loops of the block that executes a tile, not counting
    /// those that are distributed to threads; in launches where it has no box of constant size
    /// there, inside the fewest more for which it has one. 0: once for the whole tile.
    #[serde(default)]
    pub depth: usize,
}

/// Integers that a device counts and addresses with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IndexType {
    /// 32 bits in kernels for which they are enough with most sizes; which it is the host finds out
    /// before the first launch, and launches kernels with 64 bits otherwise
    /// (`codegen::gpu::index_types`).
    #[default]
    Int,
    /// 64 bits.
    Long,
}

impl IndexType {
    fn is_usual(&self) -> bool {
        *self == IndexType::default()
    }
}

/// Unroll-and-jam of one nest: iterations of its outer point loops are executed together in each
/// iteration of the innermost one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Jam {
    /// A stage of the nest.
    pub stage: String,
    /// Iterations of the loops above the innermost one, outermost first: the last one is for the
    /// loop directly above it. 1 leaves a loop as it is.
    pub factors: Vec<i64>,
}

/// Shapes of tiles; the names of the papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// The loops as they were written, the outermost parallel loop run in parallel.
    None,
    /// Affine scheduling, then rectangles in the scheduled space (parallelograms in the original).
    Parallelogram,
    /// Overlapped tiles, tight on each side (TACO 2019, section 3.1): of the stages of a pipeline,
    /// or of the steps of an iterated stencil ([`Group::overlaps_over_time`]).
    #[serde(alias = "acute")]
    Scalene,
    /// Overlapped tiles of stages that are shifted until they only read to their left, executed
    /// interleaved along some dimensions (TACO 2019, section 3.2).
    #[serde(alias = "rectangle")]
    Right,
    /// Overlapped tiles with one slope per side for all stages: PolyMage's, wider than necessary
    /// (TACO 2019, section 2.1, figure 4). For comparisons.
    Polymage,
    /// Iterated stencils: bands of time in which pyramids are computed first, then what is between
    /// them (*Split tiling for GPUs*, 2013).
    Split,
    /// Iterated stencils: diamonds in time and space that start together (*Tiling stencil
    /// computations to maximize parallelism*, SC 2012).
    Diamond,
    /// Iterated stencils: hexagons in time and the first dimension of space, parallelograms in the
    /// others (*Hybrid hexagonal/classical tiling for GPUs*, CGO 2014).
    Hexagonal,
}

impl Shape {
    /// As plans and the command line call it.
    pub fn name(self) -> &'static str {
        match self {
            Shape::None => "none",
            Shape::Parallelogram => "parallelogram",
            Shape::Scalene => "scalene",
            Shape::Right => "right",
            Shape::Polymage => "polymage",
            Shape::Split => "split",
            Shape::Diamond => "diamond",
            Shape::Hexagonal => "hexagonal",
        }
    }

    /// Whether tiles overlap: what neighbours need of each other they compute themselves.
    pub fn is_overlapped(self) -> bool {
        matches!(self, Shape::Scalene | Shape::Right | Shape::Polymage)
    }

    /// Whether tiles extend over the time loop of an iterated stencil, and compute nothing twice.
    pub fn is_over_time(self) -> bool {
        matches!(self, Shape::Split | Shape::Diamond | Shape::Hexagonal)
    }
}

/// How the affine scheduler fuses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fuse {
    /// Every strongly connected component apart.
    No,
    /// What the scheduler finds profitable without losing parallelism or band depth.
    #[default]
    Smart,
    /// As much as is legal.
    Max,
    /// Nothing is scheduled anew: loops keep their order, and perfectly nested ones are tiled.
    Written,
}

impl Group {
    /// A group with default decisions.
    pub fn new(stages: Vec<String>, shape: Shape) -> Group {
        Group {
            stages,
            shape,
            tile_sizes: Vec::new(),
            tile_order: Vec::new(),
            vector_tile: 0,
            local: Vec::new(),
            nests: Vec::new(),
            registers: Vec::new(),
            interleave: Vec::new(),
            folded: Vec::new(),
            share: Vec::new(),
            jam: Vec::new(),
            loops: Vec::new(),
            reorder: Vec::new(),
            fuse: Fuse::default(),
            parallel: true,
            wavefront: true,
            wavefront_points: false,
            vectorise: true,
            contract: true,
            separate: false,
            spread: false,
            concurrent: 0,
            align: 1,
            threads: Vec::new(),
            grid: 1,
            full_tiles: false,
            unroll: 1,
            atomic: Vec::new(),
            sink: false,
            promote: Vec::new(),
            banks: defaults::BANKS,
            index: IndexType::default(),
        }
    }

    /// Whether the group is an iterated stencil whose overlapped tiles extend over its time loop
    /// ([`crate::rewrite::bands`]), and not a pipeline: whether, all stages taken together, one
    /// reads values, of other cells, that go back to its own (`cyclic`,
    /// [`crate::analysis::stages::StageGraph::is_cyclic`]). Its tile sizes are then those of a shape
    /// over time.
    pub fn overlaps_over_time(&self, cyclic: bool) -> bool {
        matches!(self.shape, Shape::Scalene | Shape::Right) && cyclic
    }

    /// The sizes of tiles over time in so many dimensions of space; `None` for those that are
    /// whole.
    pub fn widths_over_time(&self, dimensions: usize) -> Vec<Option<i64>> {
        let size = |position: usize| {
            let given = self.tile_sizes.get(position).or(self.tile_sizes.last());
            given.copied().filter(|&size| size > 0)
        };
        (1..=dimensions).map(size).collect()
    }

    /// The dimensions in which tiles are ordinary ones, executed in sequence inside the
    /// overlapped ones, and their sizes ([`Interleave`]). `over_time`: whether tile sizes begin
    /// with a height ([`Group::overlaps_over_time`]).
    pub fn ordinary(&self, over_time: bool) -> impl Iterator<Item = Interleave> + '_ {
        let turns = self.interleave.iter().copied();
        turns.filter(move |along| self.size(along.dimension, over_time) == 0)
    }

    /// The tiles inside the overlapped ones, executed in sequence, of fewer cells than these
    /// along a dimension (TOPLAS 2020, section 5.2); `over_time` as in [`Group::ordinary`].
    pub fn inner(&self, over_time: bool) -> impl Iterator<Item = Interleave> + '_ {
        let turns = self.interleave.iter().copied();
        turns.filter(move |along| along.block < self.size(along.dimension, over_time))
    }

    /// The size of overlapped tiles along a dimension; 0: whole.
    fn size(&self, dimension: usize, over_time: bool) -> i64 {
        let size = match over_time {
            true => self.widths_over_time(dimension + 1)[dimension],
            false => self.tile_sizes.get(dimension).copied(),
        };
        size.unwrap_or(0)
    }
}

impl Plan {
    /// Reads a plan from TOML.
    ///
    /// # Errors
    /// What is wrong with the text, with the line.
    pub fn from_toml(text: &str) -> Result<Plan, String> {
        let plan: Plan = toml::from_str(text).map_err(|e| e.to_string())?;
        if plan.version != VERSION {
            return Err(format!(
                "the plan has version {}, this tilewright reads version {VERSION}",
                plan.version
            ));
        }
        Ok(plan)
    }

    /// Writes the plan as TOML that [`Plan::from_toml`] reads back to an equal plan.
    ///
    /// # Errors
    /// The serialiser's.
    pub fn to_toml(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|e| e.to_string())
    }
}

/// The version of the plan format.
pub const VERSION: u32 = 1;
