//! Tiles: for each shape what a plan says of it.

use super::shape::Shape;
use super::steps::LoopStep;
use serde::{Deserialize, Serialize};

/// The tiles of a group, with what means something for their shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Tiles {
    /// None.
    Written(Written),
    /// Those of the affine scheduler.
    Affine(Affine),
    /// What neighbours need of each other they compute themselves.
    Overlapped(Overlapped),
    /// Over the time loop of an iterated stencil, nothing computed twice.
    OverTime(OverTime),
}

/// Loops as written ([`Shape::None`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// What is done to the loops, in this order.
    pub loops: Vec<LoopStep>,
    /// Move the innermost parallel loop inside the sequential ones in it, where another one is
    /// left outside: additions to one cell then do not wait for each other.
    pub spread: bool,
    /// Variables of parallel loops that run inside the sequential ones in them, in strips of
    /// [`LANES`](super::defaults::LANES) iterations: sums of neighbouring cells are made in vector lanes.
    pub lanes: Vec<String>,
    /// Variables: of parallel loops over them, [`ROWS`](super::defaults::ROWS) iterations at a time run
    /// side by side in the sequential loops inside, so that sums and recurrences do not wait for each
    /// other.
    pub rows: Vec<String>,
    /// Arrays that loops only add to, at places that depend on data, and whose updates are atomic,
    /// so that these loops run in parallel.
    pub atomic: Vec<String>,
    /// Fold temporaries of the region to one cell per thread where that is legal.
    pub contract: bool,
}

/// Bands of loops that are tiled ([`Shape::Parallelogram`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Affine {
    /// One per band member, outermost first, the last one repeated where a band has more. 0: the
    /// dimension is kept whole.
    pub tile_sizes: Vec<i64>,
    /// Tile size of the loop that is moved innermost for the vector unit, in place of its size in
    /// `tile_sizes`; 0: as there.
    pub vector_tile: i64,
    /// Point loops that are unrolled and jammed into the loop inside them.
    pub jam: Vec<Jam>,
    /// What is done to the loops as written, in this order, with [`Fuse::Written`].
    pub loops: Vec<LoopStep>,
    /// How loops are fused.
    pub fuse: Fuse,
    /// Skew tile loops into wavefronts where no outer loop is parallel.
    pub wavefront: bool,
    /// On a device, such tiles are skewed by all of their loops, and their points along wavefronts,
    /// too: the threads of a block share those of each.
    pub wavefront_points: bool,
    /// As [`Written::contract`].
    pub contract: bool,
    /// Generate full tiles apart from partial ones.
    pub separate: bool,
}

/// Tiles that overlap ([`Shape::Scalene`], [`Shape::Right`], [`Shape::Polymage`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Overlapped {
    /// What their sides are like.
    pub trapezoids: Trapezoids,
    /// One per dimension of the live-out stage. 0: the dimension is kept whole.
    ///
    /// Where stages read each other in a circle ([`super::Group::overlaps_over_time`]), first the
    /// height in logical time, as in [`OverTime::tile_sizes`], then one per dimension of space, the
    /// last one repeated: the cells that a tile leaves behind at the end of a band of time. Only
    /// the dimension of `interleave` may be whole, if all stages are in `folded`. The height is
    /// rounded up to whole iterations of the time loop.
    pub tile_sizes: Vec<i64>,
    /// Order of the tile loops, outermost first, as dimensions of the live-out stage's array; those
    /// that are not named come before, in the array's order.
    pub tile_order: Vec<usize>,
    /// Stages whose arrays become tile-local scratchpads.
    pub local: Vec<String>,
    /// Stages whose point loops are one, in the order of execution; stages that are in none have
    /// loops of their own, in the order of `stages`.
    pub nests: Vec<Vec<String>>,
    /// Stages whose values are only read in their own nest, and so need one variable instead of
    /// a scratchpad.
    pub registers: Vec<String>,
    /// Outer point loops that all stages of the tile share, outermost first; in the other
    /// dimensions every nest has its own. Over time at most one, a dimension of space.
    pub interleave: Vec<Interleave>,
    /// Stages whose scratchpad is folded along the first dimension of `interleave` to the cells
    /// that are alive at once.
    pub folded: Vec<String>,
    /// Stages of `local` whose scratchpads are the same memory, as lists: no two of a list hold
    /// values that are still needed at the same time.
    pub share: Vec<Vec<String>>,
    /// As [`Affine::jam`].
    pub jam: Vec<Jam>,
    /// Generate full tiles apart from partial ones (not over time).
    pub separate: bool,
}

/// Tiles over time without overlap ([`Shape::Split`], [`Shape::Diamond`], [`Shape::Hexagonal`]).
#[derive(Clone, Debug, PartialEq)]
pub struct OverTime {
    /// What they are.
    pub figure: Figure,
    /// First the height in logical time, where statements of one iteration that depend on each
    /// other are one after another ([`crate::analysis::over_time::cone`]), then one per dimension of space, the
    /// last one repeated. 0: the dimension is kept whole.
    ///
    /// - [`Figure::Split`]: the extent of a pyramid at its top.
    /// - [`Figure::Diamond`]: nothing for the dimensions of diamonds, whose extent follows from the
    ///   height; the width of parallelograms for the others.
    /// - [`Figure::Hexagonal`]: the extent of a hexagon at its top and bottom for the first, which
    ///   cannot be whole; the width of parallelograms for the others. An odd height is rounded up.
    pub tile_sizes: Vec<i64>,
    /// As [`Affine::jam`].
    pub jam: Vec<Jam>,
    /// Temporaries that only one nest uses are variables of its innermost loop.
    pub contract: bool,
}

/// Sides of overlapped tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trapezoids {
    /// [`Shape::Scalene`].
    Scalene,
    /// [`Shape::Right`].
    Right,
    /// [`Shape::Polymage`].
    Polymage,
}

/// Tiles in time and space.
///
/// Rows of parallelograms along the innermost dimension of space begin at multiples of `align`
/// cells, which makes their sides flatter than the dependences need. Widths are multiples of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// [`Shape::Split`].
    Split,
    /// [`Shape::Diamond`].
    Diamond {
        /// In how many dimensions of space, from the first, tiles are diamonds that start
        /// together; 0: in all.
        concurrent: usize,
        /// Of rows in the other dimensions.
        align: i64,
    },
    /// [`Shape::Hexagonal`].
    Hexagonal {
        /// Of rows in all dimensions but the first.
        align: i64,
    },
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
    #[serde(default = "one_cell")]
    pub block: i64,
}

fn one_cell() -> i64 {
    1
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
    /// Iterations of the innermost loop whose results stay in registers over the loops that add to
    /// them; 0: they are stored and loaded. With it, the innermost loops have the order: strips of
    /// so many iterations, strips of the jammed loop, the loops that add, the innermost loop. For
    /// parallelograms only.
    #[serde(default, skip_serializing_if = "super::region::is_zero")]
    pub columns: i64,
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

impl Tiles {
    /// Default decisions.
    pub fn new(shape: Shape) -> Tiles {
        let overlapped = |trapezoids| Tiles::Overlapped(Overlapped::new(trapezoids));
        let over_time = |figure| {
            Tiles::OverTime(OverTime {
                figure,
                tile_sizes: Vec::new(),
                jam: Vec::new(),
                contract: true,
            })
        };
        match shape {
            Shape::None => Tiles::Written(Written {
                loops: Vec::new(),
                spread: false,
                lanes: Vec::new(),
                rows: Vec::new(),
                atomic: Vec::new(),
                contract: true,
            }),
            Shape::Parallelogram => Tiles::Affine(Affine {
                tile_sizes: Vec::new(),
                vector_tile: 0,
                jam: Vec::new(),
                loops: Vec::new(),
                fuse: Fuse::default(),
                wavefront: true,
                wavefront_points: false,
                contract: true,
                separate: false,
            }),
            Shape::Scalene => overlapped(Trapezoids::Scalene),
            Shape::Right => overlapped(Trapezoids::Right),
            Shape::Polymage => overlapped(Trapezoids::Polymage),
            Shape::Split => over_time(Figure::Split),
            Shape::Diamond => over_time(Figure::Diamond {
                concurrent: 0,
                align: 1,
            }),
            Shape::Hexagonal => over_time(Figure::Hexagonal { align: 1 }),
        }
    }

    /// Their shape.
    pub fn shape(&self) -> Shape {
        match self {
            Tiles::Written(_) => Shape::None,
            Tiles::Affine(_) => Shape::Parallelogram,
            Tiles::Overlapped(overlapped) => overlapped.shape(),
            Tiles::OverTime(over_time) => over_time.shape(),
        }
    }
}

impl Overlapped {
    /// Default decisions.
    pub fn new(trapezoids: Trapezoids) -> Overlapped {
        Overlapped {
            trapezoids,
            tile_sizes: Vec::new(),
            tile_order: Vec::new(),
            local: Vec::new(),
            nests: Vec::new(),
            registers: Vec::new(),
            interleave: Vec::new(),
            folded: Vec::new(),
            share: Vec::new(),
            jam: Vec::new(),
            separate: false,
        }
    }

    /// Their shape.
    pub fn shape(&self) -> Shape {
        match self.trapezoids {
            Trapezoids::Scalene => Shape::Scalene,
            Trapezoids::Right => Shape::Right,
            Trapezoids::Polymage => Shape::Polymage,
        }
    }

    /// The dimensions in which tiles are ordinary ones, executed in sequence inside the
    /// overlapped ones, and their sizes ([`Interleave`]). `over_time`: whether tile sizes begin
    /// with a height ([`super::Group::overlaps_over_time`]).
    pub fn ordinary(&self, over_time: bool) -> impl Iterator<Item = Interleave> + '_ {
        let turns = self.interleave.iter().copied();
        turns.filter(move |along| self.size(along.dimension, over_time) == 0)
    }

    /// The tiles inside the overlapped ones, executed in sequence, of fewer cells than these
    /// along a dimension (TOPLAS 2020, section 5.2); `over_time` as in [`Overlapped::ordinary`].
    pub fn inner(&self, over_time: bool) -> impl Iterator<Item = Interleave> + '_ {
        let turns = self.interleave.iter().copied();
        turns.filter(move |along| along.block < self.size(along.dimension, over_time))
    }

    /// The size along a dimension; 0: whole.
    fn size(&self, dimension: usize, over_time: bool) -> i64 {
        let size = if over_time {
            widths_over_time(&self.tile_sizes, dimension + 1)[dimension]
        } else {
            self.tile_sizes.get(dimension).copied()
        };
        size.unwrap_or(0)
    }
}

impl OverTime {
    /// Their shape.
    pub fn shape(&self) -> Shape {
        match self.figure {
            Figure::Split => Shape::Split,
            Figure::Diamond { .. } => Shape::Diamond,
            Figure::Hexagonal { .. } => Shape::Hexagonal,
        }
    }
}

impl Figure {
    /// Where rows of parallelograms begin: at multiples of this. Without parallelograms `None`.
    pub fn align(self) -> Option<i64> {
        match self {
            Figure::Split => None,
            Figure::Diamond { align, .. } | Figure::Hexagonal { align } => Some(align),
        }
    }

    /// The same figure with rows that begin at other multiples, where it has rows.
    #[must_use]
    pub fn aligned(self, align: i64) -> Figure {
        match self {
            Figure::Split => self,
            Figure::Diamond { concurrent, .. } => Figure::Diamond { concurrent, align },
            Figure::Hexagonal { .. } => Figure::Hexagonal { align },
        }
    }
}

/// The sizes of tiles over time in so many dimensions of space, behind the height; `None` for those
/// that are whole.
pub fn widths_over_time(tile_sizes: &[i64], dimensions: usize) -> Vec<Option<i64>> {
    let size = |position: usize| {
        let given = tile_sizes.get(position).or(tile_sizes.last());
        given.copied().filter(|&size| size > 0)
    };
    (1..=dimensions).map(size).collect()
}
