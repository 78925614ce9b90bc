//! The tiles of each shape in numbers.

use super::sweep::Sweep;
use crate::plan::Shape;
use crate::plan::defaults::SPLIT_DIMENSIONS;

/// Tiles that run at once, all alike, and how often that happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Phase {
    /// How many times such tiles are executed in parallel.
    pub times: f64,
    /// How many tiles there are each time.
    pub tiles: f64,
    /// Points that a tile computes, in iterations of the time loop.
    pub volume: f64,
    /// Those of them that no other tile computes, too, on average.
    pub own: f64,
    /// Points of space that a tile's inner loops work on at a time.
    pub cells: f64,
    /// Points of space that are loaded for a tile, and stored from it.
    pub loaded: f64,
    /// Length of the innermost loops.
    pub row: f64,
    /// How often a tile begins to load an array elsewhere in memory than the tile before it, or
    /// its own row before, ended: rows between those of pyramids are short, and on a line a
    /// hexagon or diamond leaves out its neighbour's points. Rows of tiles in strips are long.
    pub starts: f64,
}

/// The phases of a shape with sizes as in a plan; `None` for those that have no tiles over time,
/// or whose tiles are larger than what there is to compute.
pub(super) fn phases(sweep: &Sweep, shape: Shape, sizes: &[i64]) -> Option<Vec<Phase>> {
    match shape {
        Shape::Split => {
            let tiled = (0..sweep.space.len()).filter(|&axis| sweep.width(sizes, axis).is_some());
            (tiled.count() <= SPLIT_DIMENSIONS).then(|| split(sweep, sizes))
        }
        Shape::Diamond => diamond(sweep, sizes),
        Shape::Hexagonal => hexagonal(sweep, sizes),
        Shape::Scalene => scalene(sweep, sizes),
        _ => None,
    }
}

impl Sweep {
    /// By how much a tile widens in each unit of logical time.
    pub(super) fn spread(&self, axis: usize) -> f64 {
        let slopes = &self.slopes[axis];
        (slopes.upper - slopes.lower) as f64 / slopes.per as f64
    }

    fn height(&self, sizes: &[i64]) -> f64 {
        sizes.first().copied().unwrap_or(1).max(1) as f64
    }

    /// The width of tiles along a dimension; `None` where it is whole.
    pub(super) fn width(&self, sizes: &[i64], axis: usize) -> Option<f64> {
        let size = sizes.get(axis + 1).or(sizes.last()).copied();
        size.filter(|&size| size > 0).map(|size| size as f64)
    }

    /// The part of the tiles' size that is inside of the grid, where tiles are larger.
    fn within(&self, axis: usize, width: f64) -> f64 {
        width.min(self.space[axis] as f64)
    }
}

/// [`crate::transform::over_time::split`]: 2^d phases in each band of time.
fn split(sweep: &Sweep, sizes: &[i64]) -> Vec<Phase> {
    let dimensions = sweep.space.len();
    let whole = |axis: usize| sweep.width(sizes, axis).is_none();
    let height = sweep.height(sizes);
    let bands = (sweep.time as f64 / height).ceil();
    let tall = height.min(sweep.time as f64) / sweep.steps as f64;
    let mut all = Vec::new();
    // Nothing is between pyramids in a dimension that is whole.
    let tiled: Vec<usize> = (0..dimensions).filter(|&axis| !whole(axis)).collect();
    for number in 0..1usize << tiled.len() {
        let set = tiled
            .iter()
            .enumerate()
            .filter(|(bit, _)| number >> bit & 1 == 1)
            .fold(0usize, |set, (_, &axis)| set | 1 << axis);
        let mut phase = Phase {
            times: bands,
            tiles: 1.0,
            volume: tall,
            own: tall,
            cells: 1.0,
            loaded: 1.0,
            row: 1.0,
            starts: 0.0,
        };
        for axis in 0..dimensions {
            let Some(summit) = sweep.width(sizes, axis) else {
                phase.volume *= sweep.space[axis] as f64;
                phase.own = phase.volume;
                phase.cells *= sweep.space[axis] as f64;
                phase.row = sweep.space[axis] as f64;
                continue;
            };
            let grown = sweep.spread(axis) * (height - 1.0);
            let (mean, widest) = match set >> axis & 1 {
                0 => (summit + grown / 2.0, summit + grown),
                _ => (grown / 2.0, grown),
            };
            phase.tiles *= (sweep.space[axis] as f64 / (summit + grown)).ceil();
            phase.volume *= sweep.within(axis, mean);
            phase.own = phase.volume;
            phase.cells *= sweep.within(axis, widest);
            phase.row = sweep.within(axis, mean);
            if axis > 0 && set >> axis & 1 == 1 {
                phase.starts = phase.cells / sweep.within(axis, widest);
            }
        }
        phase.loaded = phase.cells;
        all.push(phase);
    }
    all
}

/// What tiles have of the dimensions that are cut into parallelograms one after another: points
/// of all of them, points of space of one, and the length of its rows.
fn strips(sweep: &Sweep, sizes: &[i64], height: f64) -> (f64, f64, Option<f64>) {
    let (mut all, mut one, mut row) = (1.0, 1.0, None);
    for axis in 1..sweep.space.len() {
        all *= sweep.space[axis] as f64;
        let Some(width) = sweep.width(sizes, axis) else {
            one *= sweep.space[axis] as f64;
            row = Some(sweep.space[axis] as f64);
            continue;
        };
        let width = sweep.within(axis, width);
        one *= width + sweep.spread(axis) * height;
        row = Some(width);
    }
    (all, one, row)
}

/// [`crate::transform::over_time::diamond`] with diamonds in the first dimension of space.
fn diamond(sweep: &Sweep, sizes: &[i64]) -> Option<Vec<Phase>> {
    let height = sweep.height(sizes);
    let widest = sweep.spread(0).max(1.0) * height / 2.0;
    (widest >= 1.0).then(|| {
        let (all, one, row) = strips(sweep, sizes, height);
        let area = widest * height / 2.0 / sweep.steps as f64;
        vec![Phase {
            times: (sweep.time as f64 * 2.0 / height).ceil() + 1.0,
            tiles: (sweep.space[0] as f64 / widest).ceil(),
            volume: area * all,
            own: area * all,
            cells: widest * one,
            loaded: sweep.within(0, widest) * all,
            row: row.unwrap_or(widest / 2.0),
            starts: f64::from(u8::from(sweep.space.len() == 1)),
        }]
    })
}

/// [`crate::transform::over_time::hexagonal`].
fn hexagonal(sweep: &Sweep, sizes: &[i64]) -> Option<Vec<Phase>> {
    let height = sweep.height(sizes);
    let half = (height / 2.0).ceil();
    let summit = sweep.width(sizes, 0)?;
    let period = 2.0 * summit + sweep.spread(0) * half;
    let widest = summit + sweep.spread(0) * half;
    (period <= sweep.space[0] as f64).then(|| {
        let (all, one, row) = strips(sweep, sizes, height);
        vec![Phase {
            times: (sweep.time as f64 / half).ceil() + 1.0,
            tiles: (sweep.space[0] as f64 / period).ceil(),
            volume: period * half / sweep.steps as f64 * all,
            own: period * half / sweep.steps as f64 * all,
            cells: widest * one,
            loaded: widest * all,
            row: row.unwrap_or(period / 2.0),
            starts: f64::from(u8::from(sweep.space.len() == 1)),
        }]
    })
}

/// [`crate::transform::over_time::trapezoids`]: in each band of time all tiles at once, which overlap in every
/// dimension of space.
fn scalene(sweep: &Sweep, sizes: &[i64]) -> Option<Vec<Phase>> {
    let height = sweep.height(sizes);
    let bands = (sweep.time as f64 / height).ceil();
    let tall = height.min(sweep.time as f64) / sweep.steps as f64;
    let mut phase = Phase {
        times: bands,
        tiles: 1.0,
        volume: tall,
        own: tall,
        cells: 1.0,
        loaded: 1.0,
        row: 1.0,
        starts: 0.0,
    };
    for axis in 0..sweep.space.len() {
        let all = sweep.space[axis] as f64;
        let width = sweep.width(sizes, axis)?.min(all);
        let grown = if width < all {
            sweep.spread(axis) * (height - 1.0)
        } else {
            0.0
        };
        phase.tiles *= (all / width).ceil();
        phase.volume *= width + grown / 2.0;
        phase.own *= width;
        phase.cells *= width + grown;
        phase.row = width + grown / 2.0;
    }
    phase.loaded = phase.cells;
    Some(vec![phase])
}
