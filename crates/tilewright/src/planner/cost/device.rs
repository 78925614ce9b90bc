//! Cost as predicted time on a device, where a tile is a block of threads.
//!
//! The parts are those of equation (2) of TOPLAS 2020, as for processors ([`super::time`]), in
//! nanoseconds of the whole device:
//!
//! - `traffic`: bytes that tiles load and store, rows of inputs in whole sectors, at the device's
//!   bandwidth;
//! - `overlap`: operations on cells that other tiles compute, too, at the device's rate, and their
//!   accesses of local memory or the first cache, where these are counted;
//! - `work`: the same on all other cells. It is not the same for all tiles: what a launch for every
//!   step waits for memory, tiles over time do with local memory. Nothing of it is taken to be done
//!   while memory is waited for: with the sum, times measured on an H200 are within a half of the
//!   predicted ones ([results](../../../../../docs/src/results/devices.md));
//! - `extents`: threads that have nothing to do, because rows and columns of a stage are no
//!   multiples of a block's threads, and barriers between stages;
//! - `cleanup`: what is waited for. Too few threads at a time hide neither the latency of memory nor
//!   that of operations; blocks that are not a multiple of the processors leave some of these
//!   without work; and a launch takes its time.
//!
//! How many blocks a processor holds at a time follows from their threads, their local memory, and
//! an estimate of registers ([`Gpu::resident`]): larger tiles compute less twice, and leave fewer
//! threads to hide latencies. Tiles whose scratchpads do not fit are not considered. No rate was
//! fitted to what was measured.

use super::time::outer_and;
use super::{Priced, Pricing, Terms};
use crate::analysis::model::tile::{InTile, add, own, volume};
use crate::analysis::stages::StageId;
use crate::plan::defaults;
use crate::plan::defaults::WARP;
use crate::plan::gpu::Gpu;
use crate::plan::rates::Rates;
use crate::scop::ArrayId;

/// For which device, and what of its blocks is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnDevice {
    /// The device.
    pub gpu: Gpu,
    /// Threads of a block along x and y, where they are not to be chosen.
    pub threads: Option<[i64; 2]>,
}

/// One tile, whatever its threads.
pub(in crate::planner) struct Work {
    /// Bytes of scratchpads that are needed at the same time, at most.
    pub local: i64,
    /// Bytes that are loaded and stored.
    pub moved: f64,
    /// What is computed.
    pub nests: Vec<Nest>,
    /// How often its threads wait for each other.
    pub barriers: f64,
}

/// The points of one stage in a tile.
#[derive(Clone)]
pub(in crate::planner) struct Nest {
    /// Points along x and y that are distributed to threads.
    pub points: [i64; 2],
    /// How many planes of these there are, one after another.
    pub planes: f64,
    /// Operations on a point, those on `double` twice.
    pub operations: f64,
    /// Bytes on a point that go through a processor's local memory or first cache, where those
    /// are counted.
    pub near: f64,
    /// The part of its points that other tiles compute, too.
    pub again: f64,
}

impl Pricing<'_> {
    pub(super) fn on_device(&self, members: &[StageId], device: &OnDevice) -> Option<Priced> {
        let &out = members.last()?;
        if members.len() == 1 {
            return self.untiled_on_device(out, device);
        }
        let fixed = self.fixed.as_ref().and_then(|fixed| fixed.get(&out));
        let candidates = match fixed {
            Some(sizes) => vec![sizes.clone()],
            None => self.device_tiles(out),
        };
        let mut best: Option<Priced> = None;
        for sizes in candidates {
            let Some((tiles, sizes)) = self.tiles(members, sizes, &Rates::default()) else {
                continue;
            };
            let found = members.iter().map(|&m| tiles.in_tile(m));
            let Some(found) = found.collect::<Option<Vec<&InTile>>>() else {
                continue;
            };
            let work = self.work(members, &found, &tiles.all.sizes);
            for threads in blocks_of(device) {
                // Sizes that are given are for others to refuse.
                let local = match fixed {
                    Some(_) => work.local.min(device.gpu.block_memory),
                    None => work.local,
                };
                let count = [tiles.full, tiles.count];
                let Some(terms) = timed(&work, local, threads, count, &device.gpu) else {
                    continue;
                };
                let total = terms.total();
                if best.as_ref().is_none_or(|b| total < b.terms.total()) {
                    best = Some(Priced {
                        terms,
                        sizes: Some(sizes.clone()),
                        levels: None,
                        threads: Some(threads),
                    });
                }
            }
        }
        best
    }

    /// Tile sizes to try: all of them only where there are few groups to price.
    fn device_tiles(&self, out: StageId) -> Vec<Vec<i64>> {
        let rank = self.model.stages[out].cells.len();
        let all = &defaults::DEVICE_TILES;
        let count = if self.thorough {
            all.len()
        } else {
            defaults::FEW_DEVICE_TILES
        };
        all[..count]
            .iter()
            .map(|tile| outer_and(tile, rank))
            .collect()
    }

    fn work(&self, members: &[StageId], found: &[&InTile], sizes: &[i64]) -> Work {
        let mut inputs = Vec::new();
        let mut nests = Vec::new();
        let mut moved = 0.0;
        // Bytes of each scratchpad, and the last stage that reads it.
        let mut scratchpads: Vec<(ArrayId, f64, usize)> = Vec::new();
        let (mut alive, mut most) = (0.0, 0.0f64);
        for (number, (&member, found)) in members.iter().zip(found).enumerate() {
            let cells = volume(&found.sides);
            let once = own(&found.sides, sizes);
            let stage = &self.model.stages[member];
            let length = |from_last: usize| {
                let at = found.sides.len().checked_sub(from_last);
                at.map_or(1, |at| found.sides[at].cells.len()).max(1)
            };
            let points = [length(1), length(2)];
            nests.push(Nest {
                points,
                planes: cells / (points[0] * points[1]) as f64,
                operations: self.operations(member),
                near: 0.0,
                again: 1.0 - once / cells.max(1.0),
            });
            for (array, sides) in &found.reads {
                let mut before = scratchpads.iter_mut();
                match before.find(|(other, ..)| other == array) {
                    Some((_, _, last)) => *last = number,
                    None => add(&mut inputs, *array, sides.clone()),
                }
            }
            if number + 1 == members.len() {
                moved += once * self.bytes(member);
            } else {
                scratchpads.push((stage.array, cells * self.bytes(member), number));
            }
        }
        // A scratchpad's memory is free behind its last reader.
        for number in 0..members.len() {
            alive += scratchpads.get(number).map_or(0.0, |(_, bytes, _)| *bytes);
            most = most.max(alive);
            let over = scratchpads.iter().filter(|(_, _, last)| *last == number);
            alive -= over.map(|(_, bytes, _)| bytes).sum::<f64>();
        }
        for (array, sides) in &inputs {
            let row = sides.last().map_or(1, |side| side.cells.len()).max(1) as f64;
            let bytes = row * self.model.bytes[*array] as f64 + defaults::DEVICE_SECTOR as f64;
            moved += volume(sides) / row * bytes;
        }
        Work {
            local: most.ceil() as i64,
            moved,
            barriers: members.len().saturating_sub(1) as f64,
            nests,
        }
    }

    /// A stage whose loops stay as they are: a launch of its own, with a thread for each cell.
    fn untiled_on_device(&self, stage: StageId, device: &OnDevice) -> Option<Priced> {
        let read: f64 = self.reads_of(stage).iter().map(|(_, bytes)| bytes).sum();
        let cells = &self.model.stages[stage].cells;
        let length = |from_last: usize| {
            let at = cells.len().checked_sub(from_last);
            at.map_or(1, |at| cells[at].len()).max(1)
        };
        let [columns, rows] = [length(1), length(2)];
        let planes: f64 = (cells.iter().rev().skip(2))
            .map(|cells| cells.len().max(1) as f64)
            .product();
        let threads = *blocks_of(device).first()?;
        let [x, y] = match rows {
            1 => [threads[0] * threads[1], 1],
            _ => threads,
        };
        let count = |length: i64, by: i64| (length as u64).div_ceil(by.max(1) as u64) as f64;
        let count = planes * count(columns, x) * count(rows, y);
        let full = planes * (columns * rows) as f64 / (columns.min(x) * rows.min(y)) as f64;
        let work = Work {
            local: 0,
            moved: (read + self.whole_bytes(stage)) / full,
            nests: vec![Nest {
                points: [columns.min(x), rows.min(y)],
                planes: 1.0,
                operations: self.operations(stage),
                near: 0.0,
                again: 0.0,
            }],
            barriers: 0.0,
        };
        Some(Priced {
            terms: timed(&work, 0, threads, [full, count], &device.gpu)?,
            sizes: None,
            levels: None,
            threads: None,
        })
    }

    /// On one cell; those on `double` count twice.
    fn operations(&self, stage: StageId) -> f64 {
        let wide = if self.bytes(stage) > 4.0 { 2.0 } else { 1.0 };
        (self.model.stages[stage].operations + 1.0) * wide
    }
}

/// Threads of blocks to try.
pub(in crate::planner) fn blocks_of(device: &OnDevice) -> Vec<[i64; 2]> {
    match device.threads {
        Some(threads) => vec![threads],
        None => {
            let fits = |[x, y]: &&[i64; 2]| x * y <= device.gpu.block_threads;
            let some: Vec<[i64; 2]> = (defaults::DEVICE_BLOCKS.iter())
                .filter(fits)
                .copied()
                .collect();
            if some.is_empty() {
                vec![[device.gpu.block_threads.max(1), 1]]
            } else {
                some
            }
        }
    }
}

/// So many tiles, as work and as blocks; `None` where a processor does not hold one.
pub(in crate::planner) fn timed(
    work: &Work,
    local: i64,
    [x, y]: [i64; 2],
    [full, count]: [f64; 2],
    gpu: &Gpu,
) -> Option<Terms> {
    let resident = gpu.resident(x * y, local);
    if resident == 0 {
        return None;
    }
    let processors = gpu.processors.max(1) as f64;
    let each = (count / processors).max(f64::MIN_POSITIVE);
    // No more than there are.
    let blocks = (resident as f64).min(each.ceil());
    let (mut acting, mut all_turns) = (0.0, 0.0);
    let (mut once, mut again, mut idle) = (0.0, 0.0, 0.0);
    for nest in &work.nests {
        let [columns, rows] = nest.points;
        // A loop alone gets all threads.
        let [x, y] = match rows {
            1 => [x * y, 1],
            _ => [x, y],
        };
        let cells = nest.planes * (columns * rows) as f64;
        let turns = (columns as u64).div_ceil(x as u64) * (rows as u64).div_ceil(y as u64);
        // Warps without a point do not turn; rows of a plane wait for each other.
        let in_turn = match rows {
            1 => (columns as u64).next_multiple_of(WARP as u64) as f64,
            _ => (turns as i64 * x * y) as f64,
        };
        let all = nest.planes * in_turn;
        acting += all;
        all_turns += nest.planes * turns as f64;
        // Local memory has other units than operations, and those wait for its values.
        let each = nest.operations / gpu.operations + nest.near / gpu.near;
        once += cells * each;
        again += cells * nest.again * each;
        idle += (all - cells) * each;
    }
    let barriers = work.barriers * defaults::DEVICE_BARRIER;
    let traffic = full * work.moved / gpu.bandwidth;
    let overlap = full * again;
    let extents = full * idle + count * barriers / (processors * blocks);
    let computed = full * once;
    // Threads that have something to do, for those that it takes.
    let threads = if all_turns > 0.0 {
        blocks * acting / all_turns
    } else {
        blocks * (x * y) as f64
    };
    let hidden = |needed: f64| (needed / threads).max(1.0) - 1.0;
    let in_flight = gpu.bandwidth / processors * gpu.latency / defaults::DEVICE_IN_FLIGHT;
    let late = traffic * hidden(in_flight)
        + (computed + full * idle) * hidden(defaults::DEVICE_BUSY_THREADS);
    let uneven = each.ceil() / each - 1.0;
    Some(Terms {
        traffic,
        cleanup: late + uneven * (traffic + computed + extents + late) + gpu.launch,
        overlap,
        extents,
        work: computed - overlap,
    })
}
