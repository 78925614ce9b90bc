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

use super::cost::{Objective, Rates};
use super::machine::Machine;
use super::wishes::Wishes;
use super::{Shape, defaults};
use crate::analysis::cone::{Cone, NoCone};
use crate::analysis::dataflow::Dataflow;
use crate::analysis::model::estimates::estimates;
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
    let candidates = match shape {
        Shape::None => vec![Vec::new()],
        _ => candidates(sweep),
    };
    let mut best: Option<ShapeCost> = None;
    for tile_sizes in candidates {
        let Some(time) = price::price(sweep, shape, &tile_sizes, machine, rates) else {
            continue;
        };
        if best.as_ref().is_none_or(|best| time < best.time) {
            best = Some(ShapeCost {
                shape,
                tile_sizes,
                threads: None,
                moved: None,
                time,
            });
        }
    }
    best
}

/// Heights and widths to try, heights as multiples of an iteration of the time loop.
fn candidates(sweep: &Sweep) -> Vec<Vec<i64>> {
    let iterations = (sweep.time / sweep.steps).max(1);
    let heights = &defaults::TIME_HEIGHTS;
    // Up to the first that holds them all: of two bands, the last would be low.
    let last = heights.partition_point(|&height| height < iterations);
    let heights = &heights[..heights.len().min(last + 1)];
    let mut all: Vec<Vec<i64>> = heights
        .iter()
        .map(|height| vec![height * sweep.steps])
        .collect();
    for (axis, _) in sweep.space.iter().enumerate() {
        let rows = &defaults::TIME_ROWS;
        let widths: &[i64] = match (axis, axis + 1 == sweep.space.len()) {
            // Without tiles in space nothing would run in parallel.
            (0, true) => &rows[..rows.len() - 1],
            (_, true) => rows,
            (_, false) => &defaults::TIME_WIDTHS,
        };
        all = all
            .iter()
            .flat_map(|sizes| widths.iter().map(|&width| [&sizes[..], &[width]].concat()))
            .collect();
    }
    all
}
