//! Cost as predicted time, for tiles as this compiler makes them.
//!
//! The parts are those of equation (2) of TOPLAS 2020, in nanoseconds of one core: bytes that move
//! times what a byte costs from where it lies, cells computed again times their operations, loops
//! that start, and cores that wait. What is the same for every grouping, the arithmetic itself,
//! only counts where it is done twice.
//!
//! What a tile computes of a stage is the same in all groups with the same live-out stage
//! ([`Model::tile_of_all`]), so that the price of a group is a sum of numbers that are known, but
//! for what it reads of other groups.
//!
//! [`Model::tile_of_all`]: crate::analysis::model::Model::tile_of_all

use super::{Priced, Pricing, Terms};
use crate::analysis::model::tile::{AllInTile, Box, InTile, NoTile, add, overlaps, own, volume};
use crate::analysis::stages::StageId;
use crate::plan::defaults;
use crate::plan::rates::Rates;
use crate::scop::ArrayId;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Tiles of one live-out stage and size, priced stage by stage.
pub(super) type Known = Rc<Tiles>;

/// What is known of the tiles of live-out stages by their sizes.
pub(in crate::planner) type Memory = RefCell<HashMap<(StageId, Vec<i64>), Known>>;

#[derive(Debug)]
pub(in crate::planner) struct Tiles {
    pub(super) all: AllInTile,
    /// By stage, as in `all`.
    parts: Vec<Option<Part>>,
    /// So many full tiles are as much work as all tiles.
    pub(super) full: f64,
    /// The number of tiles.
    pub(super) count: f64,
}

/// One stage in one tile: nanoseconds, and bytes.
#[derive(Clone, Copy, Debug)]
struct Part {
    again: f64,
    work: f64,
    rows: f64,
    /// Stored in a scratchpad and read again.
    moved: f64,
    /// Of the scratchpad.
    live: f64,
    /// The part that is computed again: between 0 and 1.
    overlap: f64,
}

impl Pricing<'_> {
    pub(super) fn time(&self, members: &[StageId], rates: &Rates) -> Option<Priced> {
        let &out = members.last()?;
        if members.len() == 1 {
            return Some(self.untiled_time(out, rates));
        }
        let fixed = self.fixed.as_ref().and_then(|fixed| fixed.get(&out));
        let candidates = match fixed {
            Some(sizes) => vec![sizes.clone()],
            None => self.candidates(out),
        };
        let mut best: Option<Priced> = None;
        for sizes in candidates {
            let Some((tiles, sizes)) = self.tiles(members, sizes, rates) else {
                continue;
            };
            let terms = self.timed(members, &tiles, rates);
            let total = terms.total();
            if best.as_ref().is_none_or(|b| total < b.terms.total()) {
                best = Some(Priced {
                    terms,
                    sizes: Some(sizes),
                    levels: None,
                    threads: None,
                });
            }
        }
        best
    }

    /// Tile sizes to try: many of them only where there are few groups to price.
    fn candidates(&self, out: StageId) -> Vec<Vec<i64>> {
        let cells = &self.model.stages[out].cells;
        let rank = cells.len();
        let count = |all: usize| {
            if self.thorough {
                all
            } else {
                defaults::FEW_TILES
            }
        };
        let third = rank.checked_sub(3).map(|d| cells[d].len());
        let blocks = match third {
            Some(extent) if extent > defaults::SHORT_DIMENSION => {
                &defaults::BLOCKS[..count(defaults::BLOCKS.len())]
            }
            _ => &[],
        };
        let tiles = defaults::TILES[..count(defaults::TILES.len())].iter();
        let blocks = blocks.iter().map(|block| outer_and(block, rank));
        tiles
            .map(|tile| outer_and(tile, rank))
            .chain(blocks)
            .collect()
    }

    /// The tiles of a group with these sizes, but for short dimensions that have to be whole (as
    /// [`Pricing::tile`] does it for one group).
    pub(super) fn tiles(
        &self,
        members: &[StageId],
        mut sizes: Vec<i64>,
        rates: &Rates,
    ) -> Option<(Known, Vec<i64>)> {
        let &out = members.last()?;
        loop {
            let tiles = self.known(out, &sizes, rates);
            let mut obstacle = None;
            for &member in members {
                match (
                    tiles.all.stages.get(member)?.as_ref()?,
                    &tiles.parts[member],
                ) {
                    (Ok(_), Some(part)) if part.overlap <= self.tolerance => {}
                    (Ok(_), _) => obstacle = obstacle.or(Some(None)),
                    (Err(NoTile::Still(_, d) | NoTile::Unaligned(_, Some(d))), _) => {
                        obstacle = Some(Some(*d));
                    }
                    (Err(_), _) => return None,
                }
            }
            let dimension = match obstacle {
                None => return Some((tiles, sizes)),
                Some(Some(dimension)) => dimension,
                Some(None) => (0..sizes.len()).find(|&d| {
                    let members = members.iter().filter_map(|&m| tiles.in_tile(m));
                    tiles.all.tiled[d]
                        && self.is_short(out, d)
                        && members
                            .into_iter()
                            .any(|m| overlaps(&m.sides, &tiles.all.sizes, d))
                })?,
            };
            if !self.is_short(out, dimension) || sizes[dimension] == 0 {
                return None;
            }
            sizes[dimension] = 0;
        }
    }

    fn known(&self, out: StageId, sizes: &[i64], rates: &Rates) -> Known {
        let key = (out, sizes.to_vec());
        if let Some(known) = self.memory.borrow().get(&key) {
            return known.clone();
        }
        let all = self.model.tile_of_all(out, sizes);
        let in_tile = all.stages.iter().enumerate();
        let members: Vec<(StageId, &Box)> = in_tile
            .filter_map(|(stage, found)| Some((stage, &found.as_ref()?.as_ref().ok()?.sides)))
            .collect();
        let along = self.turns(&all);
        let alive = along.map(|d| self.model.alive(&members, d));
        let mut parts = vec![None; all.stages.len()];
        for (number, &(stage, sides)) in members.iter().enumerate() {
            let alive = alive.as_ref().zip(along).map(|(a, d)| (a[number], d));
            parts[stage] = Some(self.part(stage, sides, &all.sizes, alive, rates));
        }
        let cells = self.model.stages[out].cells.iter();
        let along = cells.zip(&all.sizes);
        let along = along.map(|(cells, &size)| cells.len() as f64 / size.max(1) as f64);
        // Those at a rim are smaller: so much work as so many full ones, but each has its turn.
        let (full, count) = along.fold((1.0, 1.0), |(full, count), along| {
            (full * along, count * along.ceil())
        });
        let known = Rc::new(Tiles {
            all,
            parts,
            full,
            count,
        });
        self.memory.borrow_mut().insert(key, known.clone());
        known
    }

    /// A stage in a tile. `alive`: how many cells along which dimension a folded scratchpad holds.
    fn part(
        &self,
        stage: StageId,
        sides: &Box,
        sizes: &[i64],
        alive: Option<(i64, usize)>,
        rates: &Rates,
    ) -> Part {
        let cells = volume(sides);
        let once = own(sides, sizes);
        let vectors = defaults::RATED_VECTOR as f64 / self.machine.vector.max(1) as f64;
        let operations = (self.model.stages[stage].operations + 1.0) * rates.operation * vectors;
        let row = sides.last().map_or(1, |s| s.cells.len()).max(1) as f64;
        let bytes = cells * self.bytes(stage);
        let folded = alive.map_or(1.0, |(alive, along)| {
            let mut sides = sides.iter();
            let long = sides.find(|s| s.moves.is_some_and(|(d, _)| d == along));
            let length = long.map_or(1, |s| s.cells.len()).max(1);
            alive.min(length) as f64 / length as f64
        });
        Part {
            again: (cells - once) * operations,
            work: cells * operations,
            rows: cells / row * rates.row,
            // Written once, read once or more; the rest comes from registers.
            moved: 2.0 * bytes,
            live: bytes * folded,
            overlap: 1.0 - once / cells.max(1.0),
        }
    }

    fn timed(&self, members: &[StageId], tiles: &Tiles, rates: &Rates) -> Terms {
        let cores = self.machine.cores.max(1) as f64;
        let (mut again, mut work, mut rows) = (0.0, 0.0, 0.0);
        let (mut moved, mut live) = (0.0, 0.0);
        let mut inputs: Vec<(ArrayId, Box)> = Vec::new();
        let mut stored = 0.0;
        for (number, &member) in members.iter().enumerate() {
            let (Some(part), Some(found)) = (&tiles.parts[member], tiles.in_tile(member)) else {
                continue;
            };
            again += part.again;
            work += part.work;
            rows += part.rows;
            if number + 1 < members.len() {
                moved += part.moved;
                live += part.live;
            } else {
                let array = self.model.stages[member].array;
                let once = own(&found.sides, &tiles.all.sizes);
                // A line that is stored to is loaded first.
                stored = 2.0 * once * self.bytes(member) * self.byte(array, rates);
            }
            for (array, sides) in &found.reads {
                let producer = self.model.producer[*array];
                if producer.is_none_or(|p| members.binary_search(&p).is_err()) {
                    add(&mut inputs, *array, sides.clone());
                }
            }
        }
        let loaded: f64 = inputs
            .iter()
            .map(|(array, sides)| {
                let bytes = volume(sides) * self.model.bytes[*array] as f64;
                bytes * self.byte(*array, rates)
            })
            .sum();
        let traffic = loaded + stored + self.scratch(moved, live, work, rates);
        let waiting = (tiles.count / cores).ceil() * cores / tiles.count - 1.0;
        let each = tiles.full / cores;
        Terms {
            traffic: traffic * each,
            cleanup: waiting * (work + traffic + rows) * each + rates.region,
            overlap: again * each,
            extents: rows * each,
            work: 0.0,
        }
    }

    /// What a byte of an array costs that lies in memory or, if it is small, in the last cache.
    fn byte(&self, array: ArrayId, rates: &Rates) -> f64 {
        let whole = self.model.producer[array].map(|stage| self.whole_bytes(stage));
        if whole.is_some_and(|bytes| bytes <= self.machine.cache_l3 as f64 / 2.0) {
            rates.cache_l3
        } else {
            rates.memory
        }
    }

    /// What it costs to store to scratchpads that are so large together and to read them again,
    /// beside `work` on the same cells. Rows of inputs and of the result pass through the caches,
    /// too, and take half of them. Processors load from the second cache while they compute: only
    /// what that takes longer than the work counts. Local Laplacian with rows of 1536 columns in the
    /// second cache is 3 % faster than with 514 in the first, unsharp mask with 2048 columns 3 %
    /// faster than with 1024 (one thread, gcc; `docs/src/results/ablation.md`).
    fn scratch(&self, moved: f64, live: f64, work: f64, rates: &Rates) -> f64 {
        match live * 2.0 {
            twice if twice <= self.machine.cache_l1 as f64 => 0.0,
            twice if twice <= self.machine.cache_l2 as f64 => {
                (moved * rates.cache_l2 - work).max(0.0)
            }
            twice if twice <= self.machine.cache_l3 as f64 => moved * rates.cache_l3,
            _ => moved * rates.memory,
        }
    }

    /// The dimension along which stages take turns: the outermost one that is tiled by more than
    /// one cell, the innermost excepted.
    fn turns(&self, tiles: &AllInTile) -> Option<usize> {
        let long = |&d: &usize| tiles.tiled[d] && tiles.sizes[d] > 1;
        let mut long = (0..tiles.tiled.len()).filter(long);
        let first = long.next()?;
        (self.right && long.next().is_some()).then_some(first)
    }

    /// A stage whose loops stay as they are.
    fn untiled_time(&self, stage: StageId, rates: &Rates) -> Priced {
        let array = self.model.stages[stage].array;
        let cells = &self.model.stages[stage].cells;
        let row = cells.last().map_or(1, |c| c.len()).max(1) as f64;
        let all: f64 = cells.iter().map(|c| c.len() as f64).product();
        let read = self.reads_of(stage);
        let read = read.iter().map(|&(a, bytes)| bytes * self.byte(a, rates));
        let stored = 2.0 * self.whole_bytes(stage) * self.byte(array, rates);
        let cores = self.machine.cores.max(1) as f64;
        Priced {
            terms: Terms {
                traffic: (read.sum::<f64>() + stored) / cores,
                cleanup: rates.region,
                overlap: 0.0,
                extents: all / row * rates.row / cores,
                work: 0.0,
            },
            sizes: None,
            levels: None,
            threads: None,
        }
    }
}

impl Tiles {
    pub(super) fn in_tile(&self, stage: StageId) -> Option<&InTile> {
        self.all.stages.get(stage)?.as_ref()?.as_ref().ok()
    }
}

/// Sizes for all dimensions of a stage, from those of the innermost ones.
pub(super) fn outer_and(tile: &[i64], rank: usize) -> Vec<i64> {
    let mut sizes = vec![defaults::PIPELINE_OUTER_TILE; rank.saturating_sub(tile.len())];
    sizes.extend(tile.iter().skip(tile.len().saturating_sub(rank)));
    sizes
}
