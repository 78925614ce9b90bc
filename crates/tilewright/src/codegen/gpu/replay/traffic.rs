//! What kernels ask of the memories of a device, counted warp by warp during a replay.
//!
//! Threads of a warp execute the same instruction at a time. Two of them execute the same access
//! together if each is in the same iteration, counted from its own first one, of all loops around
//! the access in its piece; what they go to then is one request. A request to the device's memory
//! moves whole sectors, one to local memory takes a turn for every cell that meets another one in
//! its bank.
//!
//! Each access in the text is a request, but for one of a cell that the same instance reads twice:
//! what a compiler keeps in registers from one instance to the next is not known here. Not counted
//! are cells that data picks, bounds that a whole block reads, and accesses to arrays whose extents
//! follow from no parameter.

use super::cells::{Cells, mixed};
use crate::plan::defaults::{BANKS, DEVICE_SECTOR, WARP};
use crate::transform::BufferId;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a word of a bank of local memory.
const WORD: i64 = 4;

/// Requests to one memory for cells of one buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Requests {
    /// Of warps.
    pub requests: u64,
    /// Bytes of the cells in them, each cell once in a request.
    pub bytes: u64,
    /// Sectors of 32 bytes that requests move; in local memory, turns that they take.
    pub moved: u64,
    /// Sectors, or turns, that would be enough for the bytes.
    pub enough: u64,
    /// Sectors of 32 bytes that each launch moves at least, whatever is in its caches: read before
    /// the launch writes them, or written. In local memory 0.
    pub distinct: u64,
}

/// One buffer in one kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BufferTraffic {
    /// Its name.
    pub buffer: String,
    /// It is in local memory.
    pub local: bool,
    /// Loads.
    pub loads: Requests,
    /// Stores, and atomic updates.
    pub stores: Requests,
}

/// One kernel, over all its launches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KernelTraffic {
    /// Its number.
    pub kernel: usize,
    /// Threads of a block, along x and y.
    pub threads: [i64; 2],
    /// Bytes of local memory of a block.
    pub local_bytes: i64,
    /// How often it was launched.
    pub launches: u64,
    /// Blocks of all launches.
    pub blocks: u64,
    /// Warps of all blocks.
    pub warps: u64,
    /// Those of them that executed no statement.
    pub idle_warps: u64,
    /// Barriers that blocks came to.
    pub barriers: u64,
    /// Statement instances, copies to and from local memory among them.
    pub instances: u64,
    /// How often a warp executed a statement, for one thread or several.
    pub warp_instances: u64,
    /// Cells that data picks, or in arrays of unknown extents: how often one was accessed.
    pub uncounted: u64,
    /// The buffers that it accesses, by their order in the program.
    pub buffers: Vec<BufferTraffic>,
}

impl KernelTraffic {
    /// The share of warps that do nothing.
    pub fn idle(&self) -> f64 {
        self.idle_warps as f64 / self.warps.max(1) as f64
    }

    /// The share of threads that work when their warp does.
    pub fn active(&self) -> f64 {
        self.instances as f64 / (self.warp_instances * WARP as u64).max(1) as f64
    }
}

/// Where an access goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub buffer: BufferId,
    pub local: bool,
    /// The first byte: in its array, or in the block's local memory.
    pub byte: i64,
    /// Bytes of the cell.
    pub size: i64,
    pub store: bool,
}

/// A place in the text, in some iterations of the loops around it.
type Moment = (usize, u64);

/// What is executed by the threads of a warp together.
#[derive(Default)]
struct Warp {
    accesses: BTreeMap<Moment, Vec<Address>>,
    instances: BTreeMap<Moment, u64>,
}

/// Counts.
#[derive(Default)]
pub(super) struct Counter {
    kernels: BTreeMap<usize, (KernelTraffic, BTreeMap<BufferId, [Requests; 2]>)>,
    local: Vec<BufferId>,
    kernel: usize,
    warp: Warp,
    number: i64,
    /// The warps of this block that have executed something.
    busy: BTreeSet<i64>,
    /// Sectors that this launch moves: read first, and written.
    sectors: Cells<[bool; 2]>,
}

impl Counter {
    pub fn launch(&mut self, kernel: usize, threads: [i64; 2], local_bytes: i64) {
        self.kernel = kernel;
        self.sectors.clear();
        let counted = self.counted();
        counted.kernel = kernel;
        counted.threads = threads;
        counted.local_bytes = local_bytes;
        counted.launches += 1;
    }

    fn counted(&mut self) -> &mut KernelTraffic {
        &mut self.kernels.entry(self.kernel).or_default().0
    }

    pub fn block(&mut self) {
        self.busy.clear();
        let counted = self.counted();
        let [x, y] = counted.threads;
        let warps = u64::try_from((x * y + WARP - 1) / WARP).unwrap_or(0);
        counted.blocks += 1;
        counted.warps += warps;
        counted.idle_warps += warps;
    }

    pub fn barrier(&mut self) {
        self.counted().barriers += 1;
    }

    pub fn uncounted(&mut self) {
        self.counted().uncounted += 1;
    }

    /// What follows is done by this thread of the block.
    pub fn thread(&mut self, number: i64) {
        if number / WARP != self.number {
            self.flush();
            self.number = number / WARP;
        }
    }

    pub fn instance(&mut self, text: usize, path: u64) {
        *self.warp.instances.entry((text, path)).or_default() += 1;
    }

    pub fn access(&mut self, text: usize, path: u64, address: Address) {
        let together = self.warp.accesses.entry((text, path)).or_default();
        together.push(address);
    }

    /// Counts what a warp has done. To be called at the end of each piece.
    pub fn flush(&mut self) {
        let warp = std::mem::take(&mut self.warp);
        let (counted, buffers) = self.kernels.entry(self.kernel).or_default();
        if !warp.instances.is_empty() && self.busy.insert(self.number) {
            counted.idle_warps -= 1;
        }
        counted.warp_instances += warp.instances.len() as u64;
        counted.instances += warp.instances.values().sum::<u64>();
        for together in warp.accesses.values() {
            let Some(&Address {
                buffer,
                local,
                store,
                size,
                ..
            }) = together.first()
            else {
                continue;
            };
            let mut bytes: Vec<i64> = together.iter().map(|a| a.byte).collect();
            bytes.sort_unstable();
            bytes.dedup();
            let of = &mut buffers.entry(buffer).or_default()[usize::from(store)];
            of.requests += 1;
            of.bytes += bytes.len() as u64 * size as u64;
            if local {
                if !self.local.contains(&buffer) {
                    self.local.push(buffer);
                }
                let [moved, enough] = turns(together);
                of.moved += moved;
                of.enough += enough;
                continue;
            }
            let mut sectors: Vec<i64> = bytes.iter().map(|b| b / DEVICE_SECTOR).collect();
            sectors.dedup();
            of.moved += sectors.len() as u64;
            of.enough +=
                (bytes.len() as i64 * size + DEVICE_SECTOR - 1) as u64 / DEVICE_SECTOR as u64;
            for sector in sectors {
                let key = mixed(buffer as u64 + 1, sector as u64);
                let seen = self.sectors.entry(key).or_default();
                let new = if store {
                    !std::mem::replace(&mut seen[1], true)
                } else {
                    !seen[1] && !std::mem::replace(&mut seen[0], true)
                };
                of.distinct += u64::from(new);
            }
        }
    }

    /// What was counted, by kernel.
    pub fn counts(self, name: &dyn Fn(BufferId) -> String) -> Vec<KernelTraffic> {
        let local = self.local;
        let all = self.kernels.into_values();
        let one = |(mut kernel, buffers): (KernelTraffic, BTreeMap<BufferId, [Requests; 2]>)| {
            let named = buffers
                .into_iter()
                .map(|(buffer, [loads, stores])| BufferTraffic {
                    buffer: name(buffer),
                    local: local.contains(&buffer),
                    loads,
                    stores,
                });
            kernel.buffers = named.collect();
            kernel
        };
        all.map(one).collect()
    }
}

/// Turns that a request to local memory takes, and those that would be enough: of the words that
/// the banks serve at a time, one in each bank.
fn turns(together: &[Address]) -> [u64; 2] {
    let size = together.iter().map(|a| a.size).max().unwrap_or(WORD);
    // As many threads at a time as have a word for each bank.
    let at_a_time = (BANKS * WORD / size.max(WORD)).max(1) as usize;
    let mut all = [0, 0];
    for part in together.chunks(at_a_time) {
        let words = part
            .iter()
            .flat_map(|a| a.byte / WORD..=(a.byte + a.size - 1) / WORD);
        let mut words: Vec<i64> = words.collect();
        words.sort_unstable();
        words.dedup();
        let mut banks = [0_u64; BANKS as usize];
        for word in words {
            banks[(word % BANKS) as usize] += 1;
        }
        all[0] += banks.iter().max().copied().unwrap_or(0);
        all[1] += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a warp asks whose threads go to these cells of so many bytes.
    fn asked(local: bool, size: i64, store: bool, cells: &[i64]) -> Requests {
        let mut counter = Counter::default();
        counter.launch(0, [32, 1], 0);
        for (thread, &cell) in cells.iter().enumerate() {
            counter.thread(thread as i64);
            let byte = cell * size;
            let address = Address {
                buffer: 0,
                local,
                byte,
                size,
                store,
            };
            counter.access(1, 1, address);
        }
        counter.flush();
        let kernels = counter.counts(&|_| "a".to_owned());
        let of = &kernels[0].buffers[0];
        assert_eq!(of.local, local);
        if store { of.stores } else { of.loads }
    }

    fn every(step: i64) -> Vec<i64> {
        (0..32).map(|thread| thread * step).collect()
    }

    #[test]
    fn sectors_of_a_request() {
        // 32 floats side by side are 128 bytes, 4 sectors; from the second on, they begin and end
        // inside of one.
        let side_by_side = asked(false, 4, false, &every(1));
        assert_eq!((side_by_side.requests, side_by_side.bytes), (1, 128));
        assert_eq!((side_by_side.moved, side_by_side.enough), (4, 4));
        let shifted: Vec<i64> = (1..33).collect();
        assert_eq!(asked(false, 4, false, &shifted).moved, 5);
        // Every second one of 64: half in vain; a column: a sector for each.
        assert_eq!(asked(false, 4, false, &every(2)).moved, 8);
        assert_eq!(asked(false, 4, true, &every(100)).moved, 32);
        // Doubles side by side take eight, and one cell for all takes one.
        assert_eq!(asked(false, 8, false, &every(1)).moved, 8);
        let same = asked(false, 8, false, &[7; 32]);
        assert_eq!((same.bytes, same.moved, same.enough), (8, 1, 1));
    }

    #[test]
    fn turns_of_the_banks() {
        let turns = |size, cells: &[i64]| {
            let asked = asked(true, size, false, cells);
            [asked.moved, asked.enough]
        };
        assert_eq!(turns(4, &every(1)), [1, 1]);
        assert_eq!(turns(4, &[5; 32]), [1, 1]);
        assert_eq!(turns(4, &every(2)), [2, 1]);
        // A row of 32 cells apart, all in one bank; of 33, in one each.
        assert_eq!(turns(4, &every(32)), [32, 1]);
        assert_eq!(turns(4, &every(33)), [1, 1]);
        // Half a warp of doubles has a word for each bank.
        assert_eq!(turns(8, &every(1)), [2, 2]);
        assert_eq!(turns(8, &every(16)), [32, 2]);
        // Four bytes side by side are a word.
        assert_eq!(turns(1, &every(1)), [1, 1]);
    }

    #[test]
    fn sectors_that_a_launch_moves_at_least() {
        let mut counter = Counter::default();
        let at = |cell: i64, store| Address {
            buffer: 3,
            local: false,
            byte: cell * 8,
            size: 8,
            store,
        };
        for _ in 0..2 {
            counter.launch(0, [1, 1], 0);
            // Read twice; written, then read: nothing has to come from memory again.
            for (text, (cell, store)) in [(0, false), (1, false), (8, true), (9, false), (0, true)]
                .into_iter()
                .enumerate()
            {
                counter.access(text, 0, at(cell, store));
                counter.flush();
            }
        }
        let kernels = counter.counts(&|_| String::new());
        let [of] = &kernels[0].buffers[..] else {
            panic!("one buffer: {kernels:?}");
        };
        assert_eq!(kernels[0].launches, 2);
        assert_eq!((of.loads.moved, of.loads.distinct), (6, 2));
        assert_eq!((of.stores.moved, of.stores.distinct), (4, 4));
    }

    /// A warp is idle in a block in which none of its threads executes a statement, however often the
    /// others do.
    #[test]
    fn warps_of_a_block() {
        let mut counter = Counter::default();
        counter.launch(0, [40, 2], 0);
        // 80 threads are three warps. In the first block threads of two of them work, one of these
        // twice; in the second one nobody does; in the third one the last warp.
        for working in [&[0, 31, 32, 33, 3][..], &[], &[79]] {
            counter.block();
            for &thread in working {
                counter.thread(thread);
                counter.instance(1, 0);
            }
            counter.flush();
        }
        let kernels = counter.counts(&|_| String::new());
        assert_eq!((kernels[0].warps, kernels[0].idle_warps), (9, 6));
        assert!((kernels[0].idle() - 6.0 / 9.0).abs() < 1e-9);
    }

    /// Threads beyond the 32nd are another warp, and those in other iterations execute alone.
    #[test]
    fn threads_at_work() {
        let mut counter = Counter::default();
        counter.launch(0, [48, 1], 0);
        counter.block();
        for thread in 0..48 {
            counter.thread(thread);
            counter.instance(1, 0);
            if thread == 5 {
                counter.instance(1, 1);
            }
        }
        counter.flush();
        let kernels = counter.counts(&|_| String::new());
        assert_eq!((kernels[0].instances, kernels[0].warp_instances), (49, 3));
        assert!((kernels[0].active() - 49.0 / 96.0).abs() < 1e-9);
    }
}
