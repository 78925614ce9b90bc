//! What a group of stages costs, and with which tiles (TOPLAS 2020, section 4).
//!
//! Two objectives price the same groups. [`toplas`] is the paper's Algorithm 2, a
//! weighted sum of four ratios, which are alike for large and small stages. [`time`] predicts
//! nanoseconds with the same four parts, so that the coarse levels of a pyramid, which cost next
//! to nothing, do not count as much as the finest ones; its weights are measured ([`Rates`]).
//! [`device`] does so for blocks of threads on a GPU, with figures of data sheets.

pub mod device;
mod levels;
pub mod time;
pub mod toplas;

#[cfg(test)]
mod device_tests;
#[cfg(test)]
mod tests;

pub use device::OnDevice;
pub use levels::Levels;
pub use toplas::Weights;

use crate::analysis::model::Model;
use crate::analysis::model::tile::{NoTile, Tile, volume};
use crate::analysis::stages::StageId;
use crate::plan::defaults;
use crate::plan::machine::Machine;
use crate::plan::rates::Rates;
use crate::scop::ArrayId;
use std::collections::{BTreeMap, BTreeSet};

/// The four parts of a cost: equation (2) of TOPLAS 2020.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Terms {
    /// Moving what is live into and out of tiles.
    pub traffic: f64,
    /// Cores that wait while the last tiles are computed.
    pub cleanup: f64,
    /// Computing again what a neighbouring tile computes, too.
    pub overlap: f64,
    /// Stages of different extents: short loops in long company.
    pub extents: f64,
    /// Computing what has to be computed, where that is not the same for all groups; 0 in the paper.
    pub work: f64,
}

impl Terms {
    /// All together.
    pub fn total(&self) -> f64 {
        self.traffic + self.cleanup + self.overlap + self.extents + self.work
    }
}

/// A group with its tiles and their cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Priced {
    /// The parts of the cost, weighted.
    pub terms: Terms,
    /// Tile sizes, one per dimension of the live-out stage, 0 where it is whole; `None` where the
    /// group is one stage whose loops stay as they are.
    pub sizes: Option<Vec<i64>>,
    /// For which caches they are, where the objective says so.
    pub levels: Option<Levels>,
    /// Threads of a block along x and y, where a device is to do the work.
    pub threads: Option<[i64; 2]>,
}

/// How groups are priced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// The paper's formula.
    Toplas(Weights),
    /// Predicted time.
    Time(Rates),
    /// Predicted time on a device.
    Device(OnDevice),
}

/// Prices the groups of one region.
#[derive(Clone, Debug)]
pub struct Pricing<'m> {
    /// The region in numbers.
    pub model: &'m Model,
    /// For which machine.
    pub machine: Machine,
    /// By what.
    pub objective: Objective,
    /// Tile sizes by live-out stage, where they are not to be chosen here.
    pub fixed: Option<BTreeMap<StageId, Vec<i64>>>,
    /// How many of the innermost dimensions have sizes that stay as they are.
    pub given: usize,
    /// Whether stages may take turns, so that scratchpads hold the rows alive ([`super::Shape::Right`]).
    pub right: bool,
    /// Greatest part of a stage that may be computed again ([`defaults::OVERLAP_TOLERANCE`]).
    pub tolerance: f64,
    /// Whether to try all tile sizes, for few groups, or few, for many.
    pub thorough: bool,
    /// What was found already, for these settings.
    pub(super) memory: time::Memory,
}

impl Pricing<'_> {
    /// The cheapest tiles of a group, producers first, or `None` where it cannot be tiled.
    pub fn price(&self, members: &[StageId]) -> Option<Priced> {
        match self.objective {
            Objective::Toplas(weights) => self.toplas(members, &weights),
            Objective::Time(rates) => self.time(members, &rates),
            Objective::Device(device) => self.on_device(members, &device),
        }
    }

    /// The tile of a group with these sizes, where short dimensions are whole along which some
    /// stage is the same for all tiles or overlaps too much: the channels of a picture of which
    /// the luminance is computed first.
    pub(super) fn tile(&self, members: &[StageId], sizes: &[i64]) -> Option<(Tile, Vec<i64>)> {
        let &out = members.last()?;
        let mut sizes = sizes.to_vec();
        let short = |d: usize| self.is_short(out, d);
        loop {
            let dimension = match self.model.tile(members, &sizes) {
                Ok(tile) => {
                    let mut stages = tile.stages.iter();
                    if stages.all(|(_, sides)| tile.overlap(sides) <= self.tolerance) {
                        return Some((tile, sizes));
                    }
                    tile.overlapping(short)?
                }
                Err(NoTile::Still(_, dimension) | NoTile::Unaligned(_, Some(dimension))) => {
                    dimension
                }
                Err(_) => return None,
            };
            if !short(dimension) || sizes[dimension] == 0 {
                return None;
            }
            sizes[dimension] = 0;
        }
    }

    /// Bytes of an element of what a stage computes.
    pub(super) fn bytes(&self, stage: StageId) -> f64 {
        self.model.bytes[self.model.stages[stage].array] as f64
    }

    /// Bytes of all that a stage computes.
    pub(super) fn whole_bytes(&self, stage: StageId) -> f64 {
        let cells = self.model.stages[stage].cells.iter();
        cells.map(|c| c.len() as f64).product::<f64>() * self.bytes(stage)
    }

    /// Whether a dimension of a stage may be kept whole: it has few cells, and nobody says what
    /// size its tiles have.
    fn is_short(&self, stage: StageId, dimension: usize) -> bool {
        let cells = &self.model.stages[stage].cells;
        let given = cells.len().saturating_sub(self.given);
        dimension < given && cells[dimension].len() <= defaults::SHORT_DIMENSION
    }

    /// What a stage reads when all of it is computed, array by array, in bytes: plane by plane,
    /// as what is read for one plane is no longer in a cache when the next one needs it.
    pub(super) fn reads_of(&self, stage: StageId) -> Vec<(ArrayId, f64)> {
        let cells = &self.model.stages[stage].cells;
        let planes = cells.len().saturating_sub(2);
        if let Ok(tile) = self.model.tile(&[stage], &vec![1; planes]) {
            let count: f64 = cells[..planes].iter().map(|c| c.len() as f64).product();
            let inputs = tile.inputs.iter();
            let bytes =
                inputs.map(|(a, box_)| (*a, count * volume(box_) * self.model.bytes[*a] as f64));
            return bytes.collect();
        }
        let reads = self.model.stages[stage].reads.iter();
        let arrays: BTreeSet<ArrayId> = reads.map(|r| r.array).collect();
        let whole = |array: ArrayId| match self.model.producer[array] {
            Some(producer) => self.whole_bytes(producer),
            // As many cells as it computes.
            None => self.whole_bytes(stage),
        };
        arrays.into_iter().map(|a| (a, whole(a))).collect()
    }

    /// Bytes that a tile reads of what other groups compute or nobody does.
    pub(super) fn live_in(&self, tile: &Tile) -> f64 {
        let inputs = tile.inputs.iter();
        inputs
            .map(|(array, sides)| volume(sides) * self.model.bytes[*array] as f64)
            .sum()
    }
}
