//! Accesses of parallel iterations to the same memory.
//!
//! Each piece of work that may run at the same time as another has an *epoch* of its own: an
//! iteration of a worksharing loop, and what a thread does outside of such loops between two
//! barriers. Epochs from `base` on may be concurrent. For each cell the last epochs that wrote and
//! read it are kept; two of them that differ, of which one wrote, are a race. Iterations of `simd`
//! loops are watched in the same way, on their own.

/// Who is executing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watch {
    /// Whether accesses are noted at all.
    pub on: bool,
    /// Whether the piece of work is one of several threads'.
    pub parallel: bool,
    pub simd: bool,
    pub epoch: u32,
    pub base: u32,
    pub simd_epoch: u32,
    pub simd_base: u32,
    /// Within `atomic` or `critical`.
    pub atomic: bool,
    pub thread: u32,
}

/// Marks a cell that several epochs have read.
const SEVERAL: u32 = 1 << 31;

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    wrote: u32,
    read: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cells {
    plain: Cell,
    atomic: u32,
    simd: Cell,
}

/// Accesses to one object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shadow {
    /// Bytes per cell, a power of two.
    grain: usize,
    cells: Vec<Cells>,
}

impl Cell {
    /// Notes an access; whether it races with one before.
    fn touch(&mut self, epoch: u32, base: u32, write: bool) -> bool {
        let other = |seen: u32| seen >= base && seen != epoch;
        let mut race = other(self.wrote);
        if write {
            let several = self.read & SEVERAL != 0 && self.read & !SEVERAL >= base;
            race |= several || (self.read & SEVERAL == 0 && other(self.read));
            self.wrote = epoch;
        } else if self.read & !SEVERAL < base {
            self.read = epoch;
        } else if self.read != epoch {
            self.read |= SEVERAL;
        }
        race
    }
}

impl Shadow {
    /// Notes an access. `Some(true)`: a race of iterations of a `simd` loop, `Some(false)`: of
    /// threads.
    pub fn touch(
        &mut self,
        watch: &Watch,
        offset: usize,
        size: usize,
        bytes: usize,
        write: bool,
        private: bool,
    ) -> Option<bool> {
        if self.grain == 0 || self.grain > size {
            // What was noted with coarser cells is forgotten.
            self.grain = size.max(1);
            self.cells = vec![Cells::default(); bytes / self.grain + 1];
        }
        let last = (offset + size - 1) / self.grain;
        for at in offset / self.grain..=last {
            let Some(cells) = self.cells.get_mut(at) else {
                continue;
            };
            if watch.parallel && !private {
                let other = |seen: u32| seen >= watch.base && seen != watch.epoch;
                let race = match (watch.atomic, write) {
                    // Reads in there are of what is updated, or harmless.
                    (true, false) => other(cells.plain.wrote),
                    (true, true) => {
                        let read = cells.plain.read;
                        let race = other(cells.plain.wrote)
                            || (read & !SEVERAL >= watch.base
                                && (read & SEVERAL != 0 || read != watch.epoch));
                        cells.atomic = watch.epoch;
                        race
                    }
                    (false, _) => {
                        other(cells.atomic) | cells.plain.touch(watch.epoch, watch.base, write)
                    }
                };
                if race {
                    return Some(false);
                }
            }
            if watch.simd && cells.simd.touch(watch.simd_epoch, watch.simd_base, write) {
                return Some(true);
            }
        }
        None
    }
}
