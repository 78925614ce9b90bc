//! Diamond tiling (Bandishti, Pananilath & Bondhugula, *Tiling stencil computations to maximize
//! parallelism*, SC 2012).
//!
//! Strips along faces of the cone of dependences, in `n + 1` directions for `n` dimensions of
//! space: `x - lower T` for each of these, and the sum of `upper T - x` over them. No dependence
//! goes back in any of them, so that tiles with the same sum of coordinates need nothing of each
//! other; and since the directions add up to a multiple of time, all tiles along space start
//! together.
//!
//! ```text
//! T ↑   /\  /\  /\
//!   │  /  \/  \/  \
//!   │  \  /\  /\  /
//! ```
//!
//! With `n` less than all dimensions (the partial concurrent start of the paper) tiles are
//! parallelograms in the others, executed one after another inside a tile of the first ones.

use crate::analysis::over_time::cone::Slopes;
use crate::scop::linear::lcm;
use crate::transform::TransformError;
use crate::transform::over_time::phased::{Loop, Sizes, Tiles, within};
use crate::transform::overlap::linear::Linear;

/// The tiles: coordinate 0 is the sum of a diamond's coordinates, one more for each dimension of
/// space that is tiled. The first `concurrent` dimensions are those of diamonds, all for 0.
pub(crate) fn tiles(
    slopes: &[Slopes],
    sizes: &Sizes,
    concurrent: usize,
) -> Result<Tiles, TransformError> {
    if concurrent > slopes.len() {
        return Err(TransformError::Plan(format!(
            "diamonds extend in at most {} dimensions of space here, not in {concurrent}",
            slopes.len()
        )));
    }
    let count = match concurrent {
        0 => slopes.len(),
        some => some,
    };
    let widths: Vec<i64> = slopes[..count]
        .iter()
        .map(|slopes| width(&slopes.spread(), sizes.height, count))
        .collect();
    let common = widths
        .iter()
        .try_fold(1, |all, &width| least_multiple(all, width))
        .ok_or_else(|| {
            TransformError::Plan(
                "diamonds of this height have no common measure in all dimensions".to_owned(),
            )
        })?;
    let mut conditions = Vec::new();
    // The coordinate along the last direction, and where a point is along it.
    let mut last = Linear::tile(0);
    let mut distance = Linear::default();
    for (x, (slopes, &width)) in slopes.iter().zip(&widths).enumerate() {
        let Slopes { lower, upper, per } = slopes.spread();
        let coordinate = Linear::tile(x + 1);
        let place = Linear::space(x) * per;
        let begin = coordinate.clone() * width;
        let along = place.clone() - Linear::time() * lower;
        conditions.extend(within(&along, begin.clone(), begin + width));
        last = last - coordinate;
        distance = distance + (Linear::time() * upper - place) * (common / width);
    }
    let begin = last * common;
    conditions.extend(within(&distance, begin.clone(), begin + common));
    let mut loops = vec![Loop::Parallel; count + 1];
    loops[0] = Loop::Sequential;
    let mut tiles = Tiles {
        loops,
        phases: vec![conditions],
    };
    tiles.parallelograms(slopes, sizes, count);
    Ok(tiles)
}

/// How wide strips of one dimension are, in parts of a cell, for a tile to extend over `height`
/// units of time: the directions, each divided by the width of its strips, add up to
/// `count * (upper - lower) / width` times the time, and to `count + 1` over a tile.
fn width(slopes: &Slopes, height: i64, count: usize) -> i64 {
    let count = i64::try_from(count).unwrap_or(1);
    let spread = (slopes.upper - slopes.lower) * height * count;
    (spread / (count + 1)).max(1)
}

/// `None` where it, times a slope, might leave 64 bits.
fn least_multiple(a: i64, b: i64) -> Option<i64> {
    Some(lcm(a, b)).filter(|&all| all < 1 << 40)
}
