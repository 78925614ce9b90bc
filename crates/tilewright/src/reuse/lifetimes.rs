//! Which cells of an array are in the local memory at the same time (section 4).
//!
//! A cell is there from the first tile of the strip that touches it to the last one. Both are
//! known without naming tiles: the cell is touched by a point up to the end of the tile, and by one
//! from its begin on.
//!
//! With double buffering, `Load(I3)` comes before `Store(I2)` and behind `Store(I1)`, for tiles
//! `I1`, `I2`, `I3` in a row. So a cell that lives up to a tile and one that lives from the next
//! tile on are there together if the first is stored or the second loaded; where the first is only
//! read and the second only computed, the order of computations keeps them apart. In strips of
//! several dimensions transfers overlap along the innermost one; at the end of each row the last
//! stores are waited for.

use super::accesses::ArrayAccesses;
use super::tiling::Tiling;
use super::transfers::ArrayTransfers;
use isl::{DimType, Map, Set};

/// How loads, computations and stores of successive tiles overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// Not at all: a tile loads, computes and stores before the next one begins.
    Sequential,
    /// A tile's loads run beside the computations of the one before, and its stores beside those
    /// of the one behind.
    Double,
}

/// How sets are taken for sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Without what only integers have, such as that one cell in two is touched: an upper bound
    /// that is simple and found fast.
    Rational,
    /// As they are.
    Integer,
}

/// From tiles to the cells of an array that are in local memory while the tile computes.
///
/// # Errors
/// isl's own.
pub fn live(tiling: &Tiling, own: &ArrayAccesses) -> isl::Result<Map> {
    let begun = tiling.up_to()?.apply_range(&own.touched)?;
    let needed = tiling.from_on()?.apply_range(&own.touched)?;
    begun.intersect(&needed)?.coalesce()
}

/// Cells of an array that must not share memory: in each pair, a cell of a tile in the first
/// function and another one of the same tile in the second. From tiles inside the loops around all
/// tiles, whose counters are parameters ([`counter`]), of which `context` may say something.
///
/// # Errors
/// isl's own.
pub fn conflicts(
    tiling: &Tiling,
    own: &ArrayAccesses,
    transfers: &ArrayTransfers,
    overlap: Overlap,
    precision: Precision,
    context: &Set,
    part: Option<&Map>,
) -> isl::Result<Vec<(Map, Map)>> {
    let prepared = |cells: &Map| -> isl::Result<Map> {
        let own = match part {
            Some(part) => cells.intersect(part)?,
            None => cells.clone(),
        };
        let cells = counters_fixed(&own, tiling.mapping.outer)?.intersect_params(context)?;
        match precision {
            Precision::Rational => cells.remove_divs()?.coalesce(),
            Precision::Integer => Ok(cells),
        }
    };
    let live = live(tiling, own)?;
    let at_once = prepared(&live)?;
    let mut all = vec![(at_once.clone(), at_once.clone())];
    if overlap == Overlap::Double {
        let next = tiling.next(context.ctx())?;
        // Stored while the next tile computes, or read while it loads.
        let live_next = prepared(&next.apply_range(&live)?)?;
        let load_next = prepared(&next.apply_range(&transfers.load)?)?;
        all.push((prepared(&transfers.store)?, live_next));
        all.push((at_once, load_next));
    }
    Ok(all)
}

/// The name of the counter of the `k`-th loop around all tiles, in sizes.
pub fn counter(k: usize) -> String {
    format!("c{}", k + 1)
}

/// Turns the outer dimensions of origins into parameters.
pub(super) fn counters_fixed(map: &Map, outer: usize) -> isl::Result<Map> {
    let mut map = map.clone();
    for k in 0..outer {
        map = map.set_dim_name(DimType::In, k, &counter(k))?;
    }
    let params = map.dim(DimType::Param)?;
    map.move_dims(DimType::Param, params, DimType::In, 0, outer)
}
