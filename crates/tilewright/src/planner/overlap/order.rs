//! The order of the tile loops of an overlapped group.
//!
//! All of them are parallel, so any order is legal. Tiles that read the same input should follow
//! one another, while it is in the cache (reuse along a dimension: TOPLAS 2020, section 4.2).

use crate::analysis::overlap::footprint::GroupTiles;
use crate::analysis::stages::{StageGraph, StageId};
use crate::planner::overlap::sizes::is_short;
use crate::scop::{AccessKind, Scop};
use isl::{DimType, Map, Result};

/// Dimensions whose tile loops go innermost: short ones along which no input changes, tables
/// excepted (the levels of brightness to which one picture is remapped).
///
/// # Errors
/// isl's own.
pub(crate) fn innermost(
    scop: &Scop,
    graph: &StageGraph,
    out: StageId,
    members: &[StageId],
    tiles: &GroupTiles,
) -> Result<Vec<usize>> {
    let mut inner = Vec::new();
    // The innermost dimension has its tiles one after another already.
    for coordinate in 0..tiles.tiled.len().saturating_sub(1) {
        let dimension = tiles.tiled[coordinate];
        if is_short(scop, graph, out, dimension)?
            && inputs_stay(scop, graph, members, tiles, coordinate)?
        {
            inner.push(dimension);
        }
    }
    Ok(inner)
}

/// Whether tiles that differ in one coordinate only read the same cells of every input, and there
/// is one.
fn inputs_stay(
    scop: &Scop,
    graph: &StageGraph,
    members: &[StageId],
    tiles: &GroupTiles,
    coordinate: usize,
) -> Result<bool> {
    let own = |array| {
        members
            .iter()
            .any(|&s| graph.stages[s].arrays.contains(&array))
    };
    let mut inputs = 0;
    for (statement, instances) in &tiles.instances {
        for access in &scop.statements[*statement].accesses {
            let table = access.affine.iter().all(Option::is_none);
            if access.kind != AccessKind::Read || own(access.array) || table {
                continue;
            }
            inputs += 1;
            let cells = instances.apply_range(&access.relation)?;
            if !is_independent(&cells, coordinate)? {
                return Ok(false);
            }
        }
    }
    Ok(inputs > 0)
}

/// Whether what a map gives is the same whatever one of its inputs is.
fn is_independent(map: &Map, input: usize) -> Result<bool> {
    let any = map
        .project_out(DimType::In, input, 1)?
        .insert_dims(DimType::In, input, 1)?
        .intersect_domain(&map.domain()?.reset_tuple_id()?)?;
    any.is_subset(&map.reset_tuple_id(DimType::In)?)
}
