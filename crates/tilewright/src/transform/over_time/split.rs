//! Split tiling (Grosser et al., *Split tiling for GPUs: automatic parallelization using
//! trapezoidal tiles*, 2013, section 4).
//!
//! Time is cut into bands. In a band, the first phase computes pyramids, which narrow upwards by
//! the slopes of the dependences on each side and so need nothing of each other; what is left
//! between them widens upwards:
//!
//! ```text
//! T ↑   \ 1 /  0  \ 1 /  0  \ 1 /
//!   │    \ /       \ /       \ /
//! ```
//!
//! The base of a pyramid is a rectangle (section 4.2), so this holds for every dimension of space
//! apart from the others, and a point is in a pyramid or between two of them in each: 2^d phases
//! for d dimensions, one for each set of dimensions in which its tiles are between pyramids
//! (section 4.1: the colours that come from stretching along these dimensions). What a point
//! depends on is between pyramids in no other dimensions than the point itself; so phases come in
//! the order of how many dimensions that are. Sizes of pyramids are those of their summits: the
//! paper stretches a pyramid that ends in a point.

use crate::analysis::over_time::cone::Slopes;
use crate::plan::defaults::SPLIT_DIMENSIONS;
use crate::transform::TransformError;
use crate::transform::over_time::phased::{Loop, Sizes, Tiles, within};
use crate::transform::overlap::linear::{Condition, Linear};

/// The tiles: coordinate 0 is the band, one more for each dimension of space that is tiled.
pub(crate) fn tiles(slopes: &[Slopes], sizes: &Sizes) -> Result<Tiles, TransformError> {
    let tiled: Vec<(usize, i64)> = sizes
        .widths
        .iter()
        .enumerate()
        .filter_map(|(x, width)| width.map(|width| (x, width)))
        .collect();
    if tiled.len() > SPLIT_DIMENSIONS {
        return Err(TransformError::Plan(format!(
            "split tiles would have 2^{} phases; keep all but {SPLIT_DIMENSIONS} dimensions whole",
            tiled.len()
        )));
    }
    let height = sizes.height;
    let mut sets: Vec<usize> = (0..1 << tiled.len()).collect();
    sets.sort_by_key(|set| set.count_ones());
    let phases = sets.into_iter().map(|set| {
        let first = Linear::tile(0) * height;
        let mut conditions = within(&Linear::time(), first.clone(), first + height).to_vec();
        for (number, &(x, summit)) in tiled.iter().enumerate() {
            let between = set >> number & 1 == 1;
            conditions.extend(side(&slopes[x], height, number + 1, x, summit, between));
        }
        conditions
    });
    let mut loops = vec![Loop::Parallel; tiled.len() + 1];
    loops[0] = Loop::Sequential;
    Ok(Tiles {
        loops,
        phases: phases.collect(),
    })
}

/// The conditions for a point to be in pyramid `c` along one dimension, or between it and the one
/// before.
fn side(
    slopes: &Slopes,
    height: i64,
    c: usize,
    dimension: usize,
    summit: i64,
    between: bool,
) -> [Condition; 2] {
    let period = slopes.per * summit + (slopes.upper - slopes.lower) * (height - 1);
    let base = Linear::tile(c) * period;
    let time = Linear::time() - Linear::tile(0) * height;
    let (up, down) = (time.clone() * slopes.upper, time * slopes.lower);
    let place = Linear::space(dimension) * slopes.per;
    if between {
        within(&place, base.clone() + down, base + up)
    } else {
        within(&place, base.clone() + up, base + down + period)
    }
}
