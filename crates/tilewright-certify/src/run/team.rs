//! Threads that share work: parallel regions, worksharing loops, barriers.

use super::{Calls, Machine, Order, Sharing, Status, Team, Thread};
use crate::arith::{Cond, wrap};
use crate::storage::memory::Fault;

/// How many iterations a loop has; `None` where that is not to be counted.
pub(super) fn count(cond: Cond, first: i64, bound: i64, step: i64) -> Option<u64> {
    let (first, bound, step) = (i128::from(first), i128::from(bound), i128::from(step));
    let up = bound - first;
    let steps = match cond {
        Cond::Lt if step > 0 => (up + step - 1).div_euclid(step),
        Cond::Le if step > 0 => up.div_euclid(step) + 1,
        Cond::Gt if step < 0 => (-up - step - 1).div_euclid(-step),
        Cond::Ge if step < 0 => (-up).div_euclid(-step) + 1,
        Cond::Ne if step != 0 && up % step == 0 => up / step,
        _ => return None,
    };
    u64::try_from(steps.max(0)).ok()
}

fn mixed(seed: u64, value: u64) -> u64 {
    let mut x = seed ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 29;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 32)
}

/// Numbers below a limit in some order.
pub(super) fn turns(count: u64, order: Order) -> Vec<u64> {
    let mut turns: Vec<u64> = (0..count).collect();
    match order {
        Order::Forward => {}
        Order::Backward => turns.reverse(),
        Order::Shuffled(seed) => turns.sort_by_key(|t| mixed(seed, *t)),
    }
    turns
}

impl Machine<'_> {
    pub(super) fn next_epoch(&mut self) -> u32 {
        self.parallel.epoch += 1;
        self.parallel.epoch
    }

    /// Executes a parallel region by a team. Where to go on.
    pub(super) fn parallel(
        &mut self,
        parent: &mut Thread,
        regs: &[u64],
        (begin, end): (usize, usize),
    ) -> Result<usize, (Fault, usize)> {
        if !parent.teams.is_empty() {
            // Within another region: a team of one.
            parent.teams.push(Team { number: 0, size: 1 });
            return Ok(begin);
        }
        let function = &self.program.functions[parent.calls.function as usize];
        let frame = regs[parent.base..parent.base + function.registers as usize + 1].to_vec();
        let locals = function.locals as usize;
        let before = self.memory.watch;
        let size = self.parallel.threads.max(1);
        let mut team: Vec<Thread> = Vec::new();
        for number in 0..size {
            self.parallel.thread_count += 1;
            let mut watch = before;
            watch.on = true;
            watch.parallel = true;
            watch.thread = self.parallel.thread_count;
            team.push(Thread {
                regs: frame.clone(),
                pc: begin,
                calls: Calls {
                    locals: vec![0; locals],
                    function: parent.calls.function,
                    ..Calls::default()
                },
                teams: vec![Team { number, size }],
                number: self.parallel.thread_count,
                watch,
                ..Thread::default()
            });
        }
        let turns = turns(size, self.parallel.order);
        let mut ended = vec![false; team.len()];
        loop {
            let base = self.next_epoch();
            let mut waiting = false;
            for turn in turns.iter().map(|turn| *turn as usize) {
                if ended[turn] {
                    continue;
                }
                let thread = &mut team[turn];
                thread.watch.base = base;
                thread.watch.epoch = self.next_epoch();
                match self.run(thread) {
                    Ok(Status::End) => ended[turn] = true,
                    Ok(Status::Barrier) => waiting = true,
                    Ok(_) => return Err((Fault::Internal("a return"), thread.pc)),
                    Err(fault) => return Err((fault, thread.pc)),
                }
            }
            if !waiting {
                break;
            }
        }
        for thread in team {
            for local in thread.calls.locals {
                if local != 0 {
                    self.memory.release(local as usize);
                }
            }
        }
        self.memory.watch = before;
        Ok(end)
    }

    /// Begins a worksharing loop. Where to go on.
    pub(super) fn share(&mut self, thread: &mut Thread, regs: &mut [u64], share: u32) -> usize {
        let program = self.program;
        let what = &program.shares[share as usize];
        let mut total = 1u64;
        for one in &what.loops {
            total = total.saturating_mul(regs[thread.base + one.count as usize]);
        }
        let team = thread.teams.last().copied();
        let Team { number, size } = team.unwrap_or(Team { number: 0, size: 1 });
        // Portions of neighbours, as even as possible.
        let cut = |n: u64| (u128::from(total) * u128::from(n) / u128::from(size)) as u64;
        thread.sharing.push(Sharing {
            share,
            next: cut(number),
            end: cut(number + 1),
            total,
        });
        self.share_next(thread, regs)
    }

    /// Goes to a thread's next iteration, or behind the loop.
    pub(super) fn share_next(&mut self, thread: &mut Thread, regs: &mut [u64]) -> usize {
        let program = self.program;
        let Some(sharing) = thread.sharing.last_mut() else {
            return usize::MAX;
        };
        let what = &program.shares[sharing.share as usize];
        self.parallel.epoch += 1;
        self.memory.watch.epoch = self.parallel.epoch;
        if sharing.next >= sharing.end {
            thread.sharing.pop();
            return what.end as usize;
        }
        let mut at = sharing.next;
        sharing.next += 1;
        debug_assert!(at < sharing.total);
        for one in what.loops.iter().rev() {
            let base = thread.base;
            let count = regs[base + one.count as usize].max(1);
            let step = regs[base + one.step as usize];
            let first = regs[base + one.first as usize];
            let value = first.wrapping_add((at % count).wrapping_mul(step));
            regs[base + one.variable as usize] = wrap(one.kind, value);
            at /= count;
        }
        what.body as usize
    }

    pub(super) fn simd_begins(&mut self, thread: &mut Thread) {
        thread.simd += 1;
        if thread.simd == 1 {
            let epoch = self.next_epoch();
            let watch = &mut self.memory.watch;
            (watch.on, watch.lanes.on) = (true, true);
            (watch.lanes.base, watch.lanes.epoch) = (epoch, epoch);
        }
    }

    pub(super) fn simd_goes_on(&mut self, thread: &Thread) {
        if thread.simd == 1 {
            self.memory.watch.lanes.epoch = self.next_epoch();
        }
    }

    pub(super) fn simd_ends(&mut self, thread: &mut Thread) {
        thread.simd = thread.simd.saturating_sub(1);
        if thread.simd == 0 {
            let watch = &mut self.memory.watch;
            watch.lanes.on = false;
            watch.on = watch.parallel;
        }
    }
}
