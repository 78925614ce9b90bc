//! For which cache tiles are: multi-level tiling (TOPLAS 2020, section 5.2, Algorithm 4).
//!
//! Tiles for the first cache are taken where they overlap no more than they are large. Where they
//! overlap more, tiles are for the second cache, and inside them there are tiles for the first one,
//! executed in sequence, which need no overlap.
//!
//! The paper says of what the overlap is compared with that it is "the total volume of computation"
//! (section 4.1) and "the tile size" (sections 4.2 and 5.2). Here it is the size, the cells that
//! the tile has of the live-out stage: only so Harris, whose tiles for the first cache compute
//! 5 x 256 cells of six stages, gets the two levels of table 7.

use super::Pricing;
use crate::analysis::model::tile::{Side, Tile, volume};
use crate::analysis::stages::StageId;

/// What decides between one level of tiles and two.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Levels {
    /// Tile sizes for the first cache, one per dimension of the live-out stage, 0: whole.
    pub first_cache: Vec<i64>,
    /// Cells, of all members, that such a tile computes and others compute, too; `None` where
    /// there are no such tiles: of one row, say, where a stage has every other one.
    pub overlap: Option<f64>,
    /// Cells of the live-out stage in such a tile.
    pub tile: f64,
    /// The number of the cache for which the group's own tiles were chosen, if they were.
    pub cache: Option<u32>,
}

impl Levels {
    /// Whether tiles are for the second cache, with others for the first one inside.
    pub fn two(&self) -> bool {
        self.overlap.is_none_or(|overlap| overlap > self.tile)
    }
}

impl Pricing<'_> {
    /// Tiles for the first cache, with so many cells in the innermost dimension. `None` for a group
    /// without stages.
    pub(in crate::planner) fn levels(&self, members: &[StageId], innermost: i64) -> Option<Levels> {
        let &out = members.last()?;
        let footprint = self.footprint(members, self.machine.cache_l1);
        let first_cache = self.tile_sizes(members, footprint, innermost);
        let again = |tile: &Tile| -> f64 {
            let cells = self.computed_again(tile).into_iter();
            cells.map(|(_, cells)| cells).sum()
        };
        let tile = self.model.tile(members, &first_cache);
        let sizes = first_cache.iter().zip(&self.model.stages[out].cells);
        let sizes = sizes.map(|(&size, all)| if size > 0 { size } else { all.len() } as f64);
        Some(Levels {
            overlap: tile.ok().as_ref().map(again),
            tile: sizes.product(),
            first_cache,
            cache: None,
        })
    }

    /// Cells of each member that a tile computes and others compute, too, in the paper's tiles:
    /// those of PolyMage, with one slope per side for all members ([`crate::analysis::overlap::wide`]).
    /// The slope is the steepest that a member asks for: the cells by which its own box reaches
    /// out of the tile, divided by the length of the longest path from there to the live-out
    /// stage, rounded up. Boxes are taken to reach out on both sides alike, as PolyMage's programs
    /// are written.
    pub(super) fn computed_again(&self, tile: &Tile) -> Vec<(StageId, f64)> {
        let heights = self.heights(tile);
        let mut slopes = vec![[0i64; 2]; tile.sizes.len()];
        for ((_, sides), &height) in tile.stages.iter().zip(&heights) {
            for side in sides {
                let (Some((along, ratio)), true) = (side.moves, height > 0) else {
                    continue;
                };
                let reach = side.cells.len() as f64 / ratio.value() - tile.sizes[along] as f64;
                let reach = reach.max(0.0).ceil() as i64;
                let ends = [reach / 2, reach - reach / 2];
                for (slope, end) in slopes[along].iter_mut().zip(ends) {
                    *slope = (*slope).max((end + height - 1) / height);
                }
            }
        }
        let stages = tile.stages.iter().zip(&heights);
        stages
            .map(|((stage, sides), &height)| {
                let cells = |side: &Side| match side.moves {
                    Some((along, ratio)) => {
                        let grown = slopes[along][0] + slopes[along][1];
                        let wide = (tile.sizes[along] + grown * height) as f64 * ratio.value();
                        wide.max(side.cells.len() as f64)
                    }
                    None => side.cells.len() as f64,
                };
                let wide: f64 = sides.iter().map(cells).product();
                (*stage, wide.max(volume(sides)) - tile.own(sides))
            })
            .collect()
    }

    /// The longest path from each stage of a tile to the live-out stage, in stages; levels are
    /// counted from those that read no other member.
    fn heights(&self, tile: &Tile) -> Vec<i64> {
        let mut levels: Vec<i64> = Vec::new();
        for (stage, _) in &tile.stages {
            let reads = self.model.stages[*stage].reads.iter();
            let producers = reads.filter_map(|read| {
                let producer = self.model.producer[read.array]?;
                let mut before = tile.stages.iter().zip(&levels);
                before.find(|((s, _), _)| *s == producer)
            });
            levels.push(producers.map(|(_, level)| level + 1).max().unwrap_or(0));
        }
        let top = levels.last().copied().unwrap_or(0);
        levels.into_iter().map(|level| top - level).collect()
    }
}
