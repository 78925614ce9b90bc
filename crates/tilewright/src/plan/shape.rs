//! Names of the shapes of tiles.

use serde::{Deserialize, Serialize};

/// Shapes of tiles; the names of the papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// The loops as they were written, the outermost parallel loop run in parallel.
    None,
    /// Affine scheduling, then rectangles in the scheduled space (parallelograms in the original).
    Parallelogram,
    /// Overlapped tiles, tight on each side (TACO 2019, section 3.1): of the stages of a pipeline,
    /// or of the steps of an iterated stencil ([`super::Group::overlaps_over_time`]).
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
    /// All of them.
    pub const ALL: [Shape; 8] = [
        Shape::None,
        Shape::Parallelogram,
        Shape::Scalene,
        Shape::Right,
        Shape::Polymage,
        Shape::Split,
        Shape::Diamond,
        Shape::Hexagonal,
    ];

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
