//! The cost function of TOPLAS 2020: equation (2), and Algorithms 2 and 4.
//!
//! What the paper leaves open is chosen here: overlap is that of the paper's tiles
//! ([`super::levels`]), in bytes, as the footprint that divides it; the reuse along a dimension is
//! the cells that reads reach along it; a dimension of few cells is whole, as two dimensions are
//! tiled in the paper's tables also where pictures have channels; a stage whose loops stay as they
//! are has traffic only.

use super::{Levels, Priced, Pricing, Terms};
use crate::analysis::model::tile::{Tile, volume};
use crate::analysis::model::{Model, Reach};
use crate::analysis::stages::StageId;

/// `w1` to `w4` of equation (2), and the innermost tile size of section 4.2.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Weights {
    /// `w1`, of live-in and live-out bytes per cell computed.
    pub traffic: f64,
    /// `w2`, of tiles that keep all cores busy in the last round.
    pub cleanup: f64,
    /// `w3`, of the relative overlap.
    pub overlap: f64,
    /// `w4`, of the standard deviation of extents.
    pub extents: f64,
    /// Cells of a tile in the innermost dimension.
    pub innermost: i64,
}

impl Weights {
    /// Table 2 and section 7.1, the Xeon.
    pub const XEON: Weights = Weights {
        traffic: 1.0,
        cleanup: 100.0,
        overlap: 46_875.0,
        extents: 1.5,
        innermost: 256,
    };

    /// Table 2 and section 7.1, the Opteron.
    pub const OPTERON: Weights = Weights {
        traffic: 0.3,
        cleanup: 100.0,
        overlap: 46_875.0,
        extents: 2.0,
        innermost: 128,
    };
}

impl Pricing<'_> {
    /// Function MultiLevelCost of Algorithm 4: tiles for the first cache, and where they overlap
    /// too much, for the second one. COST of Algorithm 2 is the same without the inner tiles.
    pub(super) fn toplas(&self, members: &[StageId], weights: &Weights) -> Option<Priced> {
        let &out = members.last()?;
        if !self.model.stages[out].tileable {
            return (members.len() == 1).then(|| self.untiled(out, weights));
        }
        let levels = self.levels(members, weights.innermost)?;
        let (number, cache) = if levels.two() {
            (2, self.machine.cache_l2)
        } else {
            (1, self.machine.cache_l1)
        };
        let priced = self.for_cache(members, weights, cache)?;
        Some(Priced {
            levels: Some(Levels {
                cache: self.fixed.is_none().then_some(number),
                ..levels
            }),
            ..priced
        })
    }

    /// Bytes that a tile for a cache may compute: all that the members do, intermediate buffers
    /// and live-outs, shared among the cores, but no more than fit.
    pub(super) fn footprint(&self, members: &[StageId], cache: i64) -> f64 {
        let total: f64 = members.iter().map(|&s| self.whole_bytes(s)).sum();
        let cores = self.machine.cores.max(1) as f64;
        (total / cores).min(cache as f64).max(1.0)
    }

    /// Function CostForCacheSize.
    fn for_cache(&self, members: &[StageId], weights: &Weights, cache: i64) -> Option<Priced> {
        let &out = members.last()?;
        let cores = self.machine.cores.max(1) as f64;
        let total: f64 = members.iter().map(|&s| self.whole_bytes(s)).sum();
        let footprint = self.footprint(members, cache);
        let fixed = self.fixed.as_ref().and_then(|fixed| fixed.get(&out));
        let sizes = match fixed {
            Some(sizes) => sizes.clone(),
            None => self.tile_sizes(members, footprint, weights.innermost),
        };
        let (tile, sizes) = self.tile(members, &sizes)?;
        let live_in = self.live_in(&tile);
        let (_, last) = tile.stages.last()?;
        let live_out = tile.own(last) * self.bytes(out);
        let stages = tile.stages.iter();
        let computed: f64 = stages.map(|(_, sides)| volume(sides)).sum();
        let tiles = (total / footprint).ceil();
        let overlap = self.computed_again(&tile).into_iter();
        let overlap: f64 = overlap.map(|(s, cells)| cells * self.bytes(s)).sum();
        let terms = Terms {
            traffic: weights.traffic * (live_in + live_out) / computed.max(1.0),
            cleanup: -weights.cleanup * ((tiles + cores - 1.0) % cores),
            overlap: weights.overlap * overlap / footprint,
            extents: weights.extents * self.deviation(&tile),
            work: 0.0,
        };
        Some(Priced {
            terms,
            sizes: Some(sizes),
            levels: None,
            threads: None,
        })
    }

    /// Function ComputeTileSizes: the innermost size is fixed, the others are as the reuse along
    /// their dimensions, so that the tiles of all members fill the footprint; 0: whole.
    pub(super) fn tile_sizes(
        &self,
        members: &[StageId],
        footprint: f64,
        innermost: i64,
    ) -> Vec<i64> {
        let Some(&out) = members.last() else {
            return Vec::new();
        };
        let extents: Vec<i64> = self.model.stages[out]
            .cells
            .iter()
            .map(|c| c.len())
            .collect();
        let Some((&last, outer)) = extents.split_last() else {
            return Vec::new();
        };
        let widest = members.iter().map(|&s| self.bytes(s)).fold(1.0, f64::max);
        let inner = last.min(innermost);
        let mut tau = footprint / members.len() as f64 / widest / inner as f64;
        let whole = |d: usize| self.is_short(out, d);
        let reuse: Vec<f64> = (0..outer.len())
            .map(|d| self.model.reuse(members, d))
            .collect();
        let tiled: Vec<usize> = (0..outer.len()).filter(|&d| !whole(d)).collect();
        let most = tiled.iter().map(|&d| reuse[d]).fold(1.0, f64::max);
        for (d, &extent) in outer.iter().enumerate() {
            tau /= if whole(d) {
                extent as f64
            } else {
                reuse[d] / most
            };
        }
        tau = tau.powf(1.0 / tiled.len().max(1) as f64);
        let size = |(d, &extent): (usize, &i64)| {
            if whole(d) {
                0
            } else {
                extent.min((tau * reuse[d] / most) as i64).max(1)
            }
        };
        outer.iter().enumerate().map(size).chain([inner]).collect()
    }

    /// The standard deviation of the members' extents in each dimension of the live-out stage,
    /// added up (`dimSizeStandardDeviation`).
    fn deviation(&self, tile: &Tile) -> f64 {
        (0..tile.tiled.len())
            .filter(|&d| tile.tiled[d])
            .map(|dimension| {
                let mut extents = Vec::new();
                for (stage, sides) in &tile.stages {
                    for (d, side) in sides.iter().enumerate() {
                        if side.moves.is_some_and(|(along, _)| along == dimension) {
                            extents.push(self.model.stages[*stage].cells[d].len() as f64);
                        }
                    }
                }
                let count = extents.len().max(1) as f64;
                let mean = extents.iter().sum::<f64>() / count;
                let squares = extents.iter().map(|e| (e - mean).powi(2));
                (squares.sum::<f64>() / count).sqrt()
            })
            .sum()
    }

    /// A stage whose loops stay as they are: what it reads and writes, once.
    fn untiled(&self, stage: StageId, weights: &Weights) -> Priced {
        let model = &self.model.stages[stage];
        let cells: f64 = model.cells.iter().map(|c| c.len() as f64).product();
        let read: f64 = self.reads_of(stage).iter().map(|(_, bytes)| bytes).sum();
        let bytes = read + self.whole_bytes(stage);
        let terms = Terms {
            traffic: weights.traffic * bytes / cells.max(1.0),
            ..Terms::default()
        };
        Priced {
            terms,
            sizes: None,
            levels: None,
            threads: None,
        }
    }
}

impl Model {
    /// How often cells are read along one dimension: the score of section 4.2. One for the cell
    /// itself, and one for each further cell along the dimension that a read reaches.
    fn reuse(&self, members: &[StageId], dimension: usize) -> f64 {
        let mut score = 1.0;
        for &member in members {
            for read in &self.stages[member].reads {
                for reach in &read.reaches {
                    if let Reach::Along {
                        dimension: d,
                        low,
                        high,
                        divisor,
                        ..
                    } = *reach
                        && d == dimension
                    {
                        score += ((high - low) / divisor) as f64;
                    }
                }
            }
        }
        score
    }
}
