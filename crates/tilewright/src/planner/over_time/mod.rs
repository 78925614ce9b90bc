//! Iterated stencils: which shape tiles over time have, and how large they are.
//!
//! A stencil in numbers ([`sweep`]) is all that is needed: for each shape it says how many tiles
//! there are, how many of them run at once, and what each computes and loads ([`tiles`]); predicted
//! time ([`price`]) is then the same sum for all shapes, with the rates of the pipelines' model
//! ([`super::cost::Rates`]). The sizes of [`defaults::TIME_HEIGHTS`] and those that go with them
//! are all tried. Where a device is to do the work, [`device`] has a sum of its own. No published system chooses among the shapes; TACO 2019, section 6, names it as
//! open.

mod device;
mod price;
mod rows;
mod sweep;
mod tiles;

#[cfg(test)]
mod device_tests;
#[cfg(test)]
mod tests;

use super::cost::Objective;
use super::wishes::Wishes;
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::model::estimates::estimates;
use crate::analysis::over_time::cone::{Cone, NoCone};
use crate::plan::machine::Machine;
use crate::plan::rates::Rates;
use crate::plan::{Shape, defaults};
use crate::scop::{Scop, StatementId};
pub(super) use device::{best as on_device, fixed as fixed_on_device};
pub(super) use rows::rows;
use sweep::Sweep;

/// A shape with the sizes that suit it best, and what it is predicted to take.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ShapeCost {
    /// The shape.
    pub shape: Shape,
    /// Tile sizes as in a plan; empty for loops as written.
    pub tile_sizes: Vec<i64>,
    /// Threads of a block along x and y, on a device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<[i64; 2]>,
    /// Bytes from and to a device's memory, where tiles' are counted for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<f64>,
    /// Nanoseconds of the region.
    pub time: f64,
    /// From where on tiles stand in place of the loops as written.
    #[serde(skip)]
    pub least_points: LeastPoints,
}

/// Points of space, the product of the loops over it, from which on tiles over time are faster than
/// the loops as written on one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeastPoints {
    /// With several threads.
    pub threads: i64,
    /// With one.
    pub alone: i64,
}

impl LeastPoints {
    /// On one thread what the caches hold is loaded as fast as it is used, and tiles only have more
    /// and shorter loops; on several there have to be enough of them
    /// (`docs/src/results/polybench.md`).
    fn of(sweep: &Sweep, machine: &Machine) -> LeastPoints {
        let threads = &defaults::TIME_POINTS;
        let dimensions = sweep.space.len().clamp(1, threads.len());
        let held = machine.cache_l3 as f64 / sweep.bytes.alive.max(1.0);
        LeastPoints {
            threads: threads[dimensions - 1],
            alone: held as i64,
        }
    }
}

/// Shapes that are compared. Parallelograms are not: hexagons are as fast at least (three heat
/// equations, `docs/src/results/shapes.md`), and do not wait at the ends of a wavefront.
const SHAPES: [Shape; 4] = [Shape::None, Shape::Split, Shape::Diamond, Shape::Hexagonal];

/// What a region takes with each shape, the fastest first; `None` where it is no iterated stencil.
///
/// # Errors
/// isl's own.
pub(super) fn shapes(
    scop: &Scop,
    dataflow: &Dataflow,
    wishes: &Wishes,
) -> isl::Result<Option<Vec<ShapeCost>>> {
    if wishes.device.is_some() {
        return device::shapes(scop, dataflow, wishes).map(Some);
    }
    let Some(sweep) = sweep_of(scop, dataflow, wishes, Cone::find)? else {
        return Ok(None);
    };
    let rates = rates(wishes);
    let mut all: Vec<ShapeCost> = SHAPES
        .iter()
        .filter_map(|&shape| best(&sweep, shape, &wishes.machine, &rates))
        .collect();
    all.sort_by(|a, b| a.time.total_cmp(&b.time));
    Ok(Some(all))
}

/// The sizes of a shape that suit a region best; `None` where it is no iterated stencil.
///
/// # Errors
/// isl's own.
pub(super) fn sizes(
    scop: &Scop,
    dataflow: &Dataflow,
    shape: Shape,
    wishes: &Wishes,
) -> isl::Result<Option<Vec<i64>>> {
    // Tiles with storage of their own keep what others overwrite.
    let cone = match shape {
        Shape::Scalene => Cone::of_flow,
        _ => Cone::find,
    };
    let sweep = sweep_of(scop, dataflow, wishes, cone)?;
    let best = sweep.and_then(|sweep| best(&sweep, shape, &wishes.machine, &rates(wishes)));
    Ok(best.map(|best| best.tile_sizes))
}

fn rates(wishes: &Wishes) -> Rates {
    match wishes.objective {
        Objective::Time(rates) => rates,
        Objective::Toplas(_) | Objective::Device(_) => Rates::default(),
    }
}

/// A way to find the cone of some statements.
type Find = fn(&Scop, &Dataflow, &[StatementId]) -> Result<Cone, NoCone>;

fn sweep_of(
    scop: &Scop,
    dataflow: &Dataflow,
    wishes: &Wishes,
    find: Find,
) -> isl::Result<Option<Sweep>> {
    let statements: Vec<StatementId> = (0..scop.statements.len()).collect();
    let cone = match find(scop, dataflow, &statements) {
        Ok(cone) => cone,
        Err(NoCone::Refused(_)) => return Ok(None),
        Err(NoCone::Isl(error)) => return Err(error),
    };
    Sweep::of(scop, &cone, &estimates(scop, &wishes.estimates)?)
}

/// A shape with the best of its sizes.
fn best(sweep: &Sweep, shape: Shape, machine: &Machine, rates: &Rates) -> Option<ShapeCost> {
    let price = |sizes: &[i64]| price::price(sweep, shape, sizes, machine, rates);
    let (tile_sizes, time) = match shape {
        Shape::None => (Vec::new(), price(&[])?),
        _ => cheapest(&heights(sweep), &widths(sweep), &price)?,
    };
    Some(ShapeCost {
        shape,
        tile_sizes,
        threads: None,
        moved: None,
        time,
        least_points: match shape {
            Shape::None => LeastPoints::default(),
            _ => LeastPoints::of(sweep, machine),
        },
    })
}

/// The cheapest sizes of tiles, a height and one of the widths of each dimension, and their price.
/// All are tried where they are not more than [`defaults::TIME_TRIED`].
fn cheapest(
    heights: &[i64],
    widths: &[&[i64]],
    price: &dyn Fn(&[i64]) -> Option<f64>,
) -> Option<(Vec<i64>, f64)> {
    let mut best: Option<(Vec<i64>, f64)> = None;
    let mut consider = |sizes: &[i64]| {
        let time = price(sizes)?;
        if best.as_ref().is_none_or(|(_, least)| time < *least) {
            best = Some((sizes.to_vec(), time));
        }
        Some(time)
    };
    let count = widths
        .iter()
        .try_fold(heights.len(), |count, w| count.checked_mul(w.len()));
    for &height in heights {
        if count.is_some_and(|count| count <= defaults::TIME_TRIED) {
            let mut all = vec![vec![height]];
            for widths in widths {
                let wider = |sizes: &Vec<i64>| {
                    let wider = widths.iter().map(|&width| [&sizes[..], &[width]].concat());
                    wider.collect::<Vec<_>>()
                };
                all = all.iter().flat_map(wider).collect();
            }
            for sizes in all {
                consider(&sizes);
            }
            continue;
        }
        // The narrowest tiles of some dimensions may be the only ones that a shape can have.
        for start in [0, usize::MAX] {
            let first = widths.iter().map(|w| w[start.min(w.len() - 1)]);
            let mut sizes: Vec<i64> = std::iter::once(height).chain(first).collect();
            let mut least = consider(&sizes);
            loop {
                let before = sizes.clone();
                for (axis, widths) in widths.iter().enumerate() {
                    for &width in *widths {
                        let old = std::mem::replace(&mut sizes[axis + 1], width);
                        match (consider(&sizes), least) {
                            (Some(time), Some(before)) if time >= before => sizes[axis + 1] = old,
                            (Some(time), _) => least = Some(time),
                            (None, _) => sizes[axis + 1] = old,
                        }
                    }
                }
                if sizes == before {
                    break;
                }
            }
        }
    }
    best
}

/// Heights to try, as multiples of an iteration of the time loop.
fn heights(sweep: &Sweep) -> Vec<i64> {
    let iterations = (sweep.time / sweep.steps).max(1);
    let heights = &defaults::TIME_HEIGHTS;
    // Up to the first that holds them all: of two bands, the last would be low.
    let last = heights.partition_point(|&height| height < iterations);
    let heights = &heights[..heights.len().min(last + 1)];
    heights.iter().map(|height| height * sweep.steps).collect()
}

/// Widths to try in each dimension of space.
fn widths(sweep: &Sweep) -> Vec<&'static [i64]> {
    let rows = &defaults::TIME_ROWS;
    let dimensions = sweep.space.len();
    let widths = |axis| match (axis, axis + 1 == dimensions) {
        // Without tiles in space nothing would run in parallel.
        (0, true) => &rows[..rows.len() - 1],
        (_, true) => &rows[..],
        (_, false) => &defaults::TIME_WIDTHS[..],
    };
    (0..dimensions).map(widths).collect()
}
