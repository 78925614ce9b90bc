//! Tile sizes of an overlapped group, by dimension of its live-out stage.

use crate::analysis::stages::{StageGraph, StageId};
use crate::plan::defaults;
use crate::planner::wishes::Wishes;
use crate::scop::{AccessKind, Scop};

/// Dimensions of what a stage computes.
fn rank(scop: &Scop, graph: &StageGraph, stage: StageId) -> usize {
    let array = graph.stages[stage].arrays.first();
    array.map_or(0, |&array| scop.arrays[array].extents.len())
}

/// Whether a dimension of what a stage computes has few cells, whatever the parameters.
pub(crate) fn is_short(
    scop: &Scop,
    graph: &StageGraph,
    stage: StageId,
    dimension: usize,
) -> isl::Result<bool> {
    for &statement in &graph.stages[stage].statements {
        let writes = scop.statements[statement].accesses.iter();
        for write in writes.filter(|a| a.kind == AccessKind::Write) {
            let cells = write.relation.range()?;
            let first = cells.dim_min_val(dimension)?.to_i64();
            let last = cells.dim_max_val(dimension)?.to_i64();
            match (first, last) {
                (Some(first), Some(last)) if last - first < defaults::SHORT_DIMENSION => {}
                _ => return Ok(false),
            }
        }
    }
    Ok(true)
}

/// Tile sizes for the dimensions of the live-out stage.
pub(crate) fn pipeline_sizes(
    scop: &Scop,
    graph: &StageGraph,
    out: StageId,
    wishes: &Wishes,
    right: bool,
) -> Vec<i64> {
    let rank = rank(scop, graph, out);
    if let Some(sizes) = &wishes.tile_sizes {
        // As many as given for the innermost dimensions; the planner's choice for the others.
        let mut all = vec![defaults::PIPELINE_OUTER_TILE; rank.saturating_sub(sizes.len())];
        all.extend(sizes.iter().skip(sizes.len().saturating_sub(rank)));
        return all;
    }
    let inner = if right {
        defaults::RIGHT_TILE
    } else {
        defaults::PIPELINE_TILE
    };
    let mut all = vec![defaults::PIPELINE_OUTER_TILE; rank.saturating_sub(inner.len())];
    all.extend(inner.iter().skip(inner.len().saturating_sub(rank)));
    all
}
