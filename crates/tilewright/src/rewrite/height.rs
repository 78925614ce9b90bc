//! What plans say of tiles over time, where they fit the program.

use super::TransformError;
use crate::analysis::over_time::cone::NoCone;
use crate::plan::Shape;

/// The largest size: products with slopes stay far within 64 bits.
pub const LARGEST: i64 = 1 << 20;

/// Of a shape over time.
pub fn no_cone(shape: Shape, reason: NoCone) -> TransformError {
    match reason {
        NoCone::Refused(reason) => TransformError::Plan(format!(
            "{} tiles need an iterated stencil: {reason}",
            shape.name()
        )),
        NoCone::Isl(error) => TransformError::Isl(error),
    }
}

/// The height in logical time that a plan gives, none of whose sizes is too large.
pub fn height(shape: Shape, tile_sizes: &[i64]) -> Result<i64, TransformError> {
    if let Some(large) = tile_sizes.iter().find(|&&size| size > LARGEST) {
        return Err(TransformError::Plan(format!(
            "tiles over time of size {large} are too large; sizes up to {LARGEST} are possible, \
             and 0 for whole dimensions"
        )));
    }
    let given = tile_sizes.first().copied();
    given.filter(|&size| size > 0).ok_or_else(|| {
        TransformError::Plan(format!(
            "{} tiles need a height in time, the first of the tile sizes",
            shape.name()
        ))
    })
}
