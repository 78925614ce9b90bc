//! What the user asks planners for.

use super::{Fuse, Shape, defaults};

/// What the user asks for; everything that is `None` is the planner's choice.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// Shape of tiles.
    pub shape: Option<Shape>,
    /// Fusion of the affine scheduler, and (`no`) of pipelines.
    pub fuse: Option<Fuse>,
    /// Tile sizes.
    pub tile_sizes: Option<Vec<i64>>,
    /// Run loops in parallel.
    pub parallel: bool,
    /// Skew for wavefronts.
    pub wavefront: bool,
    /// Mark loops `simd`.
    pub vectorise: bool,
    /// Full tiles apart from partial ones.
    pub separate: bool,
    /// See [`defaults::OVERLAP_TOLERANCE`].
    pub overlap_tolerance: f64,
    /// Dimensions, of the last stage's array, in which tiles overlap; in the outermost other one
    /// they are ordinary ones. `None`: in all dimensions that are tiled.
    pub overlap: Option<Vec<usize>>,
    /// Stages that their consumers compute.
    pub inline: Inline,
}

/// Which stages are inlined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Inline {
    /// Those where it is likely to pay: [`super::inlining`].
    #[default]
    Auto,
    /// None.
    None,
    /// These, by name.
    Stages(Vec<String>),
}

impl Default for Wishes {
    fn default() -> Wishes {
        Wishes {
            shape: None,
            fuse: None,
            tile_sizes: None,
            parallel: true,
            wavefront: true,
            vectorise: true,
            separate: false,
            overlap_tolerance: defaults::OVERLAP_TOLERANCE,
            overlap: None,
            inline: Inline::default(),
        }
    }
}
