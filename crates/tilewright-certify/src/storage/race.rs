//! Accesses of parallel iterations to the same memory.
//!
//! Each piece of work that may run at the same time as another has an *epoch* of its own: an
//! iteration of a worksharing loop, and what a thread does outside of such loops between two
//! barriers. Epochs from `base` on may be concurrent. For each cell the last epochs that wrote and
//! read it are kept; two of them that differ, of which one wrote, are a race. Iterations of `simd`
//! loops are watched in the same way, on their own, and so are work-groups of a device, whose
//! work-items meet at barriers while the groups never do.

use crate::storage::spare::Spare;
use std::ops::RangeInclusive;

/// Who is executing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watch {
    /// Whether accesses are noted at all.
    pub on: bool,
    /// Whether the piece of work is one of several threads'.
    pub parallel: bool,
    pub epoch: u32,
    pub base: u32,
    /// Within `atomic` or `critical`.
    pub atomic: bool,
    pub thread: u32,
    pub lanes: Lanes,
    pub device: OnDevice,
}

/// The iteration of a `simd` loop.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lanes {
    /// Whether there is one.
    pub on: bool,
    pub epoch: u32,
    pub base: u32,
}

/// On a device: the work-group, where the launch began, and the epochs between barriers that order
/// memory of the device, not only of the group.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OnDevice {
    /// Whether a device executes it.
    pub on: bool,
    pub group: u32,
    pub launch: u32,
    pub epoch: u32,
    pub base: u32,
}

/// Between what a race is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    Threads,
    Simd,
    Items,
    Groups,
}

/// Marks a cell that several epochs have read.
const SEVERAL: u32 = 1 << 31;

/// The epochs that wrote and read last.
type Cell = [u32; 2];

/// An access to an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub offset: usize,
    pub size: usize,
    pub write: bool,
    /// Whether a work-item writes what is there: several that write the same do not race with each
    /// other, as where they vote.
    pub same: bool,
    /// Whether the object is the thread's own.
    pub private: bool,
    /// Whether it is memory of a device that all groups see.
    pub shared: bool,
}

/// What pieces of work did to cells, by themselves and within `atomic`; empty where none did
/// anything.
#[derive(Clone, Debug, Default)]
struct Level {
    plain: Vec<Cell>,
    atomic: Vec<Cell>,
}

/// Accesses to one object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shadow {
    /// Bytes per cell: two to this power.
    grain: u32,
    threads: Level,
    /// Of work-groups.
    groups: Level,
    /// Of iterations of `simd` loops.
    simd: Vec<Cell>,
}

/// Notes an access; whether it races with one before.
#[inline(always)]
fn touch([wrote, read]: &mut Cell, epoch: u32, base: u32, (write, same): (bool, bool)) -> bool {
    let other = |seen: u32| seen >= base && seen != epoch;
    let mut race = other(*wrote) && !same;
    if write {
        // What several have read is no single epoch.
        race |= *read & !SEVERAL >= base && *read != epoch;
        *wrote = epoch;
    } else if *read & !SEVERAL < base {
        *read = epoch;
    } else if *read != epoch {
        *read |= SEVERAL;
    }
    race
}

impl Level {
    /// Notes an access to some of `count` cells; whether it races with one before.
    #[inline(always)]
    fn touch(
        &mut self,
        cells: RangeInclusive<usize>,
        count: usize,
        (epoch, base): (u32, u32),
        (is_atomic, write, same): (bool, bool, bool),
        spare: &Spare<Cell>,
    ) -> bool {
        if self.plain.is_empty() {
            self.plain = spare.take(count);
        }
        let other = |seen: u32| seen >= base && seen != epoch;
        if is_atomic {
            if self.atomic.is_empty() {
                self.atomic = spare.take(count);
            }
            for at in cells {
                let [wrote, read] = self.plain[at];
                let mut race = other(wrote);
                // Reads in there are of what is updated, or harmless.
                if write {
                    race |= read & !SEVERAL >= base && read != epoch;
                    self.atomic[at][0] = epoch;
                }
                if race {
                    return true;
                }
            }
            return false;
        }
        for at in cells {
            let atomic = self.atomic.get(at).is_some_and(|cell| other(cell[0]));
            if touch(&mut self.plain[at], epoch, base, (write, same)) || atomic {
                return true;
            }
        }
        false
    }
}

impl Shadow {
    fn buffers(self) -> [Vec<Cell>; 5] {
        let Shadow {
            threads, groups, ..
        } = self;
        let (plain, atomic) = (threads.plain, threads.atomic);
        [plain, atomic, groups.plain, groups.atomic, self.simd]
    }

    fn is_empty(&self) -> bool {
        // Nothing is atomic where nothing is plain.
        self.threads.plain.is_empty() && self.groups.plain.is_empty() && self.simd.is_empty()
    }

    /// Cells for accesses of `size` bytes, a power of two, at a place in an object, which need be no
    /// multiple of so many: complex numbers are aligned as their parts.
    fn fit(&mut self, size: usize, offset: usize, spare: &Spare<Cell>) {
        let grain = (size.max(1) | offset).trailing_zeros();
        if grain < self.grain || self.is_empty() {
            // What was noted with coarser cells is forgotten.
            let old = std::mem::take(self);
            old.end(spare);
            self.grain = grain;
        }
    }

    /// Gives its buffers back.
    pub fn end(self, spare: &Spare<Cell>) {
        for buffer in self.buffers() {
            spare.give(buffer);
        }
    }

    /// Forgets what iterations of `simd` loops did.
    pub fn forget_simd(&mut self) {
        self.simd.fill(Cell::default());
    }

    /// Notes an access to an object of so many bytes; what it races with.
    #[inline(always)]
    pub fn touch(
        &mut self,
        watch: &Watch,
        access: Access,
        bytes: usize,
        spare: &Spare<Cell>,
    ) -> Option<Between> {
        let Access {
            offset,
            size,
            write,
            same,
            private,
            shared,
        } = access;
        self.fit(size, offset, spare);
        let (first, last) = (offset >> self.grain, (offset + size - 1) >> self.grain);
        let count = (bytes >> self.grain) + 1;
        let how = (watch.atomic, write, same);
        if watch.parallel && !private {
            let when = if shared {
                (watch.device.epoch, watch.device.base)
            } else {
                (watch.epoch, watch.base)
            };
            if self.threads.touch(first..=last, count, when, how, spare) {
                return Some(if watch.device.on {
                    Between::Items
                } else {
                    Between::Threads
                });
            }
            if shared {
                let when = (watch.device.group, watch.device.launch);
                if self.groups.touch(first..=last, count, when, how, spare) {
                    return Some(Between::Groups);
                }
            }
        }
        if watch.lanes.on {
            if self.simd.is_empty() {
                self.simd = spare.take(count);
            }
            for cell in &mut self.simd[first..=last] {
                if touch(cell, watch.lanes.epoch, watch.lanes.base, (write, false)) {
                    return Some(Between::Simd);
                }
            }
        }
        None
    }
}
