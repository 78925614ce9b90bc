//! In which order iterations are executed.

use clap::{Args, ValueEnum};
use tilewright::plan::steps::LoopStep;
use tilewright::plan::{Fuse, Shape, defaults};

/// Tiles, fusion and changes of loops.
#[derive(Debug, Args)]
pub struct OrderArguments {
    /// Shape of tiles.
    #[arg(long, value_enum, default_value_t = ShapeChoice::Auto)]
    pub shape: ShapeChoice,
    /// Tile sizes, outermost dimension first; 0 keeps a dimension whole.
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(i64).range(0..=defaults::WHOLE))]
    pub tile_sizes: Option<Vec<i64>>,
    /// Fusion by the affine scheduler; `no` also keeps pipelines' stages apart.
    #[arg(long, value_enum)]
    pub fuse: Option<FuseChoice>,
    /// A change of the loops as written, named by their variables: `interchange:OUTER,INNER`,
    /// `distribute:LOOP` or `fuse:LOOP`; several are done one after another.
    #[arg(long, value_name = "STEP", value_parser = LoopStep::parse)]
    pub loops: Vec<LoopStep>,
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
    pub(super) fn fuse(self) -> Fuse {
        match self {
            FuseChoice::No => Fuse::No,
            FuseChoice::Smart => Fuse::Smart,
            FuseChoice::Max => Fuse::Max,
            FuseChoice::Written => Fuse::Written,
        }
    }
}
