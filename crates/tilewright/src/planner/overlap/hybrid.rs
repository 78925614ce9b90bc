//! Hybrid tiling (Zhao & Cohen, TACO 2019, section 3.7): overlap in a subset of the dimensions,
//! ordinary tiles in another one.
//!
//! Along the ordinary dimension nothing is computed twice. The stages are shifted as in right
//! trapezoids (section 3.2), until no dependence points backwards; then any tiles in sequence are
//! legal, inside each overlapped tile, and scratchpads persist from one to the next, folded to
//! what is alive. In a plan these are turns along a dimension without tile size
//! ([`crate::planner::Interleave`]).
//!
//! Only one dimension: in a second one, what the next tile of the first one reads would have to be
//! kept in whole rows.

use crate::analysis::overlap::alignment::{Alignment, align};
use crate::analysis::overlap::footprint::{NoFootprint, group_tiles};
use crate::analysis::stages::{StageGraph, StageId};
use crate::plan::{Interleave, Overlapped, Shape, Trapezoids, defaults, widths_over_time};
use crate::planner::Wishes;
use crate::planner::jam;
use crate::scop::Scop;

/// The dimension of ordinary tiles, and their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ordinary {
    pub dimension: usize,
    pub size: i64,
}

/// Takes the outermost dimension with tiles of more than one cell that are not asked to overlap
/// out of the tile sizes, if some other one remains.
pub(crate) fn split(wishes: &Wishes, mut sizes: Vec<i64>) -> (Vec<i64>, Option<Ordinary>) {
    let Some(overlap) = &wishes.pipelines.overlap else {
        return (sizes, None);
    };
    if !matches!(wishes.shape, None | Some(Shape::Right)) {
        return (sizes, None);
    }
    let long = |&d: &usize| sizes[d] > 1;
    let dimension = (0..sizes.len()).filter(long).find(|d| !overlap.contains(d));
    let ordinary = dimension.map(|dimension| Ordinary {
        dimension,
        size: sizes[dimension],
    });
    let Some(ordinary) =
        ordinary.filter(|_| overlap.iter().any(|&d| d < sizes.len() && sizes[d] > 0))
    else {
        return (sizes, None);
    };
    sizes[ordinary.dimension] = 0;
    (sizes, Some(ordinary))
}

/// Makes right trapezoids of the group whose stages take turns along the ordinary dimension, and
/// folds its scratchpads. `None` where the stages cannot be aligned.
///
/// Ordinary tiles have the size that was asked for. The default is as long as in right
/// trapezoids, one row or as many as are jammed: more rows only make scratchpads larger.
pub(crate) fn turns(
    scop: &Scop,
    graph: &StageGraph,
    wishes: &Wishes,
    nests: &[Vec<StageId>],
    ordinary: Ordinary,
    plan: &mut Overlapped,
) -> isl::Result<Option<Alignment>> {
    let mut stages = nests.concat();
    stages.sort_unstable();
    let Some(&out) = stages.last() else {
        return Ok(None);
    };
    // How far stages move from tile to tile does not depend on the size.
    let mut sizes = plan.tile_sizes.clone();
    sizes[ordinary.dimension] = ordinary.size;
    let tiles = match group_tiles(scop, graph, &stages, out, &sizes) {
        Ok(tiles) => tiles,
        Err(NoFootprint::Isl(error)) => return Err(error),
        Err(_) => return Ok(None),
    };
    let coordinate = tiles.tiled.iter().position(|&d| d == ordinary.dimension);
    let Some(coordinate) = coordinate else {
        return Ok(None);
    };
    let Some(alignment) = align(scop, graph, nests, &tiles, &sizes, coordinate)? else {
        return Ok(None);
    };
    let block = match (&wishes.tile_sizes, wishes.processor.vectorise) {
        (Some(_), _) => ordinary.size,
        (None, true) => jam::rows(scop, graph, nests, &alignment, None, plan)?,
        (None, false) => 1,
    };
    plan.trapezoids = Trapezoids::Right;
    plan.interleave = vec![Interleave {
        dimension: ordinary.dimension,
        block,
    }];
    for footprint in &tiles.footprints {
        let name = &graph.stages[footprint.stage].name;
        if plan.local.contains(name) {
            plan.folded.push(name.clone());
        }
    }
    Ok(Some(alignment))
}

/// Makes turns of the tiles of an iterated stencil, which are right trapezoids over time: along the
/// outermost dimension of space that is whole, or is not asked to overlap, else along the first
/// one. Local arrays are folded to what is alive, unless that is in the innermost dimension and
/// they need not be: addresses modulo their extent are no good for vector loops.
pub(crate) fn turns_over_time(
    scop: &Scop,
    graph: &StageGraph,
    wishes: &Wishes,
    plan: &mut Overlapped,
) {
    let loops = scop.statements.iter().map(|s| s.iterators.len());
    let dimensions = loops.max().unwrap_or(0).saturating_sub(1).max(1);
    let widths = widths_over_time(&plan.tile_sizes, dimensions);
    let ordinary = |&x: &usize| match &wishes.pipelines.overlap {
        Some(overlap) => !overlap.contains(&x),
        None => widths[x].is_none(),
    };
    let hybrid = (0..dimensions).find(ordinary);
    let dimension = hybrid.unwrap_or(0);
    let innermost = dimension + 1 == dimensions;
    let mut block = if innermost {
        defaults::TURN_OF_CELLS
    } else {
        defaults::TURN_OF_ROWS
    };
    if let (Some(x), Some(height)) = (hybrid, plan.tile_sizes.first().copied()) {
        // Its size is that of the ordinary tiles.
        if let (Some(width), true) = (widths[x], wishes.tile_sizes.is_some()) {
            block = width;
        }
        let sizes = widths.iter().map(|width| width.unwrap_or(0));
        plan.tile_sizes = [height].into_iter().chain(sizes).collect();
        plan.tile_sizes[1 + x] = 0;
    }
    plan.interleave = vec![Interleave { dimension, block }];
    if hybrid.is_some() || !innermost {
        plan.folded = graph.stages.iter().map(|s| s.name.clone()).collect();
    }
}
