//! Kernels: work-items of a group that meet at barriers, and groups in some order.

use super::team::turns;
use super::{Machine, Status, Thread};
use crate::kernels::Item;
use crate::storage::memory::{Fault, Label};

/// What is launched: a function, its arguments, how many groups of how many work-items.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    pub function: usize,
    pub arguments: Vec<u64>,
    pub groups: [u64; 3],
    pub size: [u64; 3],
    pub dimensions: u64,
    /// Of local memory whose size the launch says.
    pub bytes: u64,
}

/// The group whose work-items are executed.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    number: [u64; 3],
    groups: [u64; 3],
    size: [u64; 3],
    dimensions: u64,
    bytes: u64,
    /// Its objects by their declaration.
    objects: Vec<(u32, u64)>,
}

/// What a work-item has for itself alone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Own {
    number: [u64; 3],
    /// At a barrier: which memories it orders, and the register and value of a vote.
    fences: u64,
    vote: Option<(usize, u64)>,
}

/// Barriers order memory of the group, of the device.
const LOCAL_FENCE: u64 = 1;
const GLOBAL_FENCE: u64 = 2;
/// Work-items of a group, and groups, that are followed at all.
const MOST_ITEMS: u64 = 4096;
const MOST_GROUPS: u64 = 1 << 24;
/// What making a work-item costs, in instructions.
const ITEM_STEPS: u64 = 8;

/// The coordinates of a number.
pub(super) fn coordinates(mut number: u64, extents: [u64; 3]) -> [u64; 3] {
    extents.map(|extent| {
        let at = number % extent.max(1);
        number /= extent.max(1);
        at
    })
}

pub(super) fn product(extents: [u64; 3]) -> u64 {
    extents
        .iter()
        .fold(1, |all, n| u64::saturating_mul(all, *n))
}

impl Machine<'_> {
    /// Executes a launch; else the fault, and its instruction.
    pub(super) fn launch(&mut self, launch: &Launch, at: usize) -> Result<(), (Fault, usize)> {
        let (groups, items) = (product(launch.groups), product(launch.size));
        if groups > MOST_GROUPS || items > MOST_ITEMS {
            return Err((Fault::Fuel, at));
        }
        let before = self.memory.watch;
        let first = self.next_epoch();
        self.memory.watch.device.launch = first;
        for number in turns(groups, self.parallel.order) {
            self.group = Group {
                number: coordinates(number, launch.groups),
                groups: launch.groups,
                size: launch.size,
                dimensions: launch.dimensions,
                bytes: launch.bytes,
                objects: Vec::new(),
            };
            self.charge(items * ITEM_STEPS)
                .map_err(|fault| (fault, at))?;
            self.items(launch, items, first)?;
            for (_, pointer) in std::mem::take(&mut self.group.objects) {
                self.memory
                    .release(crate::storage::memory::object_of(pointer));
            }
        }
        self.memory.watch = before;
        Ok(())
    }

    /// Executes the work-items of a group.
    fn items(&mut self, launch: &Launch, items: u64, first: u32) -> Result<(), (Fault, usize)> {
        let order = turns(items, self.parallel.order);
        let group = self.next_epoch();
        let base = self.next_epoch();
        let mut all: Vec<Thread> = Vec::with_capacity(items as usize);
        for number in 0..items {
            let mut thread = self.thread(launch.function, &launch.arguments);
            self.parallel.thread_count += 1;
            thread.number = self.parallel.thread_count;
            thread.own.number = coordinates(number, launch.size);
            thread.watch.on = true;
            thread.watch.parallel = true;
            thread.watch.device.on = true;
            thread.watch.thread = self.parallel.thread_count;
            (thread.watch.device.group, thread.watch.device.launch) = (group, first);
            thread.watch.base = base;
            thread.watch.epoch = self.next_epoch();
            thread.watch.device.base = base;
            thread.watch.device.epoch = thread.watch.epoch;
            all.push(thread);
        }
        loop {
            let (mut waiting, mut ended) = (false, false);
            for &turn in &order {
                let thread = &mut all[turn as usize];
                if thread.finished {
                    continue;
                }
                thread.own.vote = None;
                match self.run(thread) {
                    Ok(Status::Done(_)) => {
                        thread.finished = true;
                        ended = true;
                    }
                    Ok(Status::Barrier) => waiting = true,
                    Ok(_) => return Err((Fault::Internal("a construct in a kernel"), thread.pc)),
                    Err(fault) => return Err((fault, thread.pc)),
                }
            }
            if !waiting {
                return Ok(());
            }
            self.met(&mut all, ended)?;
        }
    }

    /// All work-items are at a barrier: at the same one?
    fn met(&mut self, all: &mut [Thread], ended: bool) -> Result<(), (Fault, usize)> {
        let Some(one) = all.iter().find(|t| !t.finished) else {
            return Ok(());
        };
        // The instruction behind the barrier.
        let (pc, depth, fences) = (one.pc, one.calls.frames.len(), one.own.fences);
        let same =
            |t: &Thread| (t.pc, t.calls.frames.len()) == (pc, depth) && t.own.fences == fences;
        if ended || !all.iter().all(same) {
            return Err((Fault::Barrier, pc.saturating_sub(1)));
        }
        let base = self.next_epoch();
        for thread in all.iter_mut() {
            let epoch = self.next_epoch();
            if fences & LOCAL_FENCE != 0 {
                (thread.watch.base, thread.watch.epoch) = (base, epoch);
            }
            if fences & GLOBAL_FENCE != 0 {
                (thread.watch.device.base, thread.watch.device.epoch) = (base, epoch);
            }
        }
        let any = all
            .iter()
            .any(|t| t.own.vote.is_some_and(|(_, value)| value != 0));
        for thread in all {
            if let Some((register, _)) = thread.own.vote {
                thread.regs[register] = any.into();
            }
        }
        Ok(())
    }

    /// Waits for the other work-items of a group.
    pub(super) fn waits(thread: &mut Thread, fences: u64, vote: Option<(usize, u64)>) -> Status {
        (thread.own.fences, thread.own.vote) = (fences, vote);
        Status::Barrier
    }

    /// What a work-item asks about itself.
    pub(super) fn item(&self, thread: &Thread, what: Item, dimension: u64) -> u64 {
        let group = &self.group;
        let of = |values: [u64; 3], other: u64| {
            let at = usize::try_from(dimension).ok();
            at.and_then(|at| values.get(at)).copied().unwrap_or(other)
        };
        let size = of(group.size, 1);
        match what {
            Item::Local => of(thread.own.number, 0),
            Item::Group => of(group.number, 0),
            Item::Global => of(group.number, 0) * size + of(thread.own.number, 0),
            Item::LocalSize => size,
            Item::Groups => of(group.groups, 1),
            Item::GlobalSize => of(group.groups, 1) * size,
            Item::Dimensions => group.dimensions,
            Item::Bytes => group.bytes,
        }
    }

    /// An object of a group: the same one for all work-items.
    pub(super) fn group_object(&mut self, local: u32, n: u64) -> Result<u64, Fault> {
        let known = self
            .group
            .objects
            .iter()
            .find(|(declared, _)| *declared == local);
        if let Some((_, pointer)) = known {
            return Ok(*pointer);
        }
        self.charge(n)?;
        let pointer = self.memory.allocate(n, 0, false)?;
        if let Some(object) = self.memory.object(pointer) {
            object.label = Label::Local(local);
        }
        self.group.objects.push((local, pointer));
        Ok(pointer)
    }
}
