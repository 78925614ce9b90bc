//! Hybrid hexagonal and classical tiling (Grosser, Cohen, Holewinski, Sadayappan & Verdoolaege,
//! *Hybrid hexagonal/classical tiling for GPUs*, CGO 2014).
//!
//! In time and the first dimension of space tiles are hexagons. Each widens by the slopes of the
//! dependences for half of its height and narrows for the other half, and those of the next phase
//! fill what is between them:
//!
//! ```text
//! T ↑     \__/ 0  \__/          coordinate 0: 2
//!   │   0 /  \    /  \   0
//!   │    /  1 \__/  1 \         coordinate 0: 1
//!   │    \    /  \    /
//!   │   0 \__/ 0  \__/   0      coordinate 0: 0
//! ```
//!
//! In the other dimensions tiles are parallelograms, executed one after another inside a hexagon.

use crate::analysis::over_time::cone::Slopes;
use crate::transform::TransformError;
use crate::transform::over_time::phased::{Loop, Sizes, Tiles, within};
use crate::transform::overlap::linear::Linear;

/// The tiles: coordinate 0 counts half heights, coordinate 1 hexagons along the first dimension of
/// space, one more for each other dimension that is tiled.
pub(crate) fn tiles(slopes: &[Slopes], sizes: &Sizes) -> Result<Tiles, TransformError> {
    let (Some(first), Some(Some(summit))) = (slopes.first(), sizes.widths.first()) else {
        return Err(TransformError::Plan(
            "hexagonal tiles need a size for the first dimension of space".to_owned(),
        ));
    };
    let Slopes { lower, upper, per } = first;
    let half = (sizes.height + 1) / 2;
    let summit = summit * per;
    let period = 2 * summit + (upper - lower) * half;
    // Where the hexagon begins, at its lowest: with each half height hexagons move to between the
    // ones before.
    let begin = Linear::tile(1) * period + Linear::tile(0) * (summit + upper * half);
    let lowest = Linear::tile(0) * half;
    let below = Linear::time() - lowest.clone();
    let above = below.clone() - half;
    let place = Linear::space(0) * *per;
    let mut conditions = within(&Linear::time(), lowest.clone(), lowest + 2 * half).to_vec();
    conditions.extend(within(
        &place,
        begin.clone() + below.clone() * *lower,
        begin.clone() + below * *upper + summit,
    ));
    conditions.extend(within(
        &place,
        begin.clone() + above.clone() * *upper + lower * half,
        begin + above * *lower + (summit + upper * half),
    ));
    let mut tiles = Tiles {
        loops: vec![Loop::Sequential, Loop::Parallel],
        phases: vec![conditions],
    };
    tiles.parallelograms(slopes, sizes, 1);
    Ok(tiles)
}
