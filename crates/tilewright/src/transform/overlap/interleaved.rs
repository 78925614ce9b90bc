//! The dates at which the stages of a tile take turns (right trapezoids, Zhao & Cohen, TACO 2019,
//! section 3.2, per dimension as in section 3.6; hybrid tiling, section 3.7).
//!
//! In an interleaved dimension all nests of the tile share one loop, over dates
//! ([`crate::analysis::overlap::alignment`]): at each date every stage computes the cells that are due, in
//! the order of the nests. What a stage leaves is read soon after, so that its scratchpad can be
//! folded to the cells that are alive: the sliding window of hand-written pipelines.

use crate::analysis::overlap::alignment::{Alignment, align, written_coordinate};
use crate::analysis::overlap::footprint::{GroupTiles, group_tiles};
use crate::analysis::stages::{StageGraph, StageId};
use crate::plan::Overlapped;
use crate::scop::Scop;
use crate::transform::{Lifted, TransformError};
use isl::{DimType, Map, MultiUnionPwAff, UnionMap, Val};

/// One interleaved dimension.
#[derive(Clone, Debug)]
pub(crate) struct Dates {
    /// The dates of every stage.
    pub alignment: Alignment,
    /// Dates that are one turn.
    pub turn: i64,
}

impl Dates {
    /// Strips of `factor` consecutive cells of each of the statements, which the stages of one
    /// nest write, along the dates; `None` where the loop directly above their innermost one does
    /// not run along this dimension.
    pub fn strips(
        &self,
        scop: &Scop,
        graph: &StageGraph,
        statements: &[&Lifted],
        factor: i64,
    ) -> Result<Option<MultiUnionPwAff>, TransformError> {
        let mut scale = 1;
        for lifted in statements {
            let aligned = graph
                .stages
                .iter()
                .position(|s| s.statements.contains(&lifted.statement));
            let Some(aligned) = aligned.and_then(|s| self.alignment.of(s)) else {
                return Ok(None);
            };
            let cell = written_coordinate(scop, lifted.statement, aligned.dimension);
            let row = scop.statements[lifted.statement]
                .iterators
                .len()
                .checked_sub(2);
            let (Some(cell), Some(row)) = (cell, row) else {
                return Ok(None);
            };
            if !cell.involves_dims(DimType::In, row, 1usize)? {
                return Ok(None);
            }
            scale = aligned.scale;
        }
        let strips = Dates {
            alignment: self.alignment.clone(),
            turn: scale * factor,
        };
        let statements = statements.iter().copied();
        Ok(Some(strips.member(scop, graph, statements)?))
    }

    /// The loop over turns, as a schedule of the lifted statements.
    pub fn member<'l>(
        &self,
        scop: &Scop,
        graph: &StageGraph,
        statements: impl IntoIterator<Item = &'l Lifted>,
    ) -> Result<MultiUnionPwAff, TransformError> {
        let mut all = UnionMap::empty_ctx(&scop.ctx)?;
        for lifted in statements {
            let stage = graph
                .stages
                .iter()
                .position(|s| s.statements.contains(&lifted.statement));
            let aligned = stage.and_then(|s| self.alignment.of(s));
            let date = aligned.and_then(|a| {
                written_coordinate(scop, lifted.statement, a.dimension).map(|cell| (a, cell))
            });
            let Some((aligned, cell)) = date else {
                return Err(cannot_interleave(0));
            };
            let value = |v: i64| Val::int_from_si(&scop.ctx, v);
            let mut turn = cell
                .scale_val(&value(aligned.scale)?)?
                .add_constant_val(&value(aligned.shift)?)?;
            if self.turn > 1 {
                turn = turn.scale_down_val(&value(self.turn)?)?.floor()?;
            }
            let map = lifted
                .projection(scop)?
                .apply_range(&Map::from_pw_aff(&turn)?)?;
            all = all.union(&UnionMap::from_map(&map)?)?;
        }
        Ok(MultiUnionPwAff::from_union_map(&all)?)
    }
}

/// The dates of every dimension that the plan interleaves, outermost first.
///
/// # Errors
/// [`TransformError::Plan`] where the stages cannot be aligned.
pub(crate) fn dates(
    scop: &Scop,
    graph: &StageGraph,
    plan: &Overlapped,
    stages: &[StageId],
    nests: &[Vec<StageId>],
    tiles: &GroupTiles,
) -> Result<Vec<Dates>, TransformError> {
    let mut all = Vec::new();
    for along in &plan.interleave {
        if along.block < 1 {
            return Err(TransformError::Plan(
                "a block of `interleave` must have at least one cell".to_owned(),
            ));
        }
        // Where the dimension is not tiled, tiles of the block's size tell how stages move.
        let hypothetical;
        let mut sizes = plan.tile_sizes.clone();
        let mut tiles = tiles;
        if !tiles.tiled.contains(&along.dimension) {
            sizes.resize(sizes.len().max(along.dimension + 1), 0);
            sizes[along.dimension] = along.block;
            let out = *stages
                .last()
                .ok_or_else(|| cannot_interleave(along.dimension))?;
            hypothetical = group_tiles(scop, graph, stages, out, &sizes)
                .map_err(|_| cannot_interleave(along.dimension))?;
            tiles = &hypothetical;
        }
        let coordinate = tiles.tiled.iter().position(|&d| d == along.dimension);
        let coordinate = coordinate.ok_or_else(|| cannot_interleave(along.dimension))?;
        let alignment = align(scop, graph, nests, tiles, &sizes, coordinate)?
            .ok_or_else(|| cannot_interleave(along.dimension))?;
        let out = stages.last().and_then(|&s| alignment.of(s));
        let turn = out.map_or(1, |s| s.scale) * along.block;
        all.push(Dates { alignment, turn });
    }
    Ok(all)
}

fn cannot_interleave(dimension: usize) -> TransformError {
    TransformError::Plan(format!(
        "the stages of the group cannot be interleaved along dimension {dimension}: what they \
         read there is not at a constant distance"
    ))
}
