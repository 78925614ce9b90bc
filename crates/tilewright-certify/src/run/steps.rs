//! One instruction after the other.

use super::sides::Sides;
use super::{Frame, Machine, Status, Thread};
use crate::arith::extended;
use crate::arith::{self, arith, bits32, f32_of, f64_of, wrap};
use crate::program::Op;
use crate::storage::memory::{FARTHEST, Fault, Label, MOST_BYTES, object_of};
use crate::types::Kind;

/// Calls within calls.
const DEEPEST: usize = 1000;
/// Arguments of what hosts call.
const HOST_ARGUMENTS: usize = 9;

/// A sum of pointer and offset.
#[inline(always)]
pub(super) fn moved(base: u64, index: u64, scale: i64) -> Result<u64, Fault> {
    match (index as i64).checked_mul(scale) {
        Some(by) if (-FARTHEST..FARTHEST).contains(&by) => Ok(base.wrapping_add(by as u64)),
        _ => Err(Fault::Outside {
            at: base,
            size: 0,
            write: false,
        }),
    }
}

/// What a variable holds that nobody wrote: a number that shows in sums.
pub(super) fn junk(kind: Kind, byte: u8) -> u64 {
    match kind {
        Kind::F32 => bits32(f32::from(byte) + 0.5),
        _ if kind.is_float() => {
            let value = (f64::from(byte) + 0.5).to_bits();
            arith::convert(Kind::F64, kind, value).unwrap_or(value)
        }
        Kind::Bool => u64::from(byte >> 7),
        _ => u64::from(byte >> 2),
    }
}

impl Machine<'_> {
    /// Executes a thread until it returns, ends, or waits for others.
    pub(super) fn run(&mut self, thread: &mut Thread) -> Result<Status, Fault> {
        self.memory.watch = thread.watch;
        let mut regs = std::mem::take(&mut thread.regs);
        let mut pc = thread.pc;
        let done = match self.sides.take() {
            Some(mut sides) => {
                let done = self.steps::<true>(thread, &mut regs, &mut pc, &mut sides);
                self.sides = Some(sides);
                done
            }
            None => self.steps::<false>(thread, &mut regs, &mut pc, &mut Sides::default()),
        };
        thread.regs = regs;
        thread.pc = pc;
        thread.watch = self.memory.watch;
        done
    }

    /// `NOTE`: whether it is noted which way conditions go.
    fn steps<const NOTE: bool>(
        &mut self,
        thread: &mut Thread,
        regs: &mut Vec<u64>,
        pc: &mut usize,
        sides: &mut Sides,
    ) -> Result<Status, Fault> {
        let program = self.program;
        let ops = &program.ops[..];
        let mut base = thread.base;
        macro_rules! r {
            ($a:expr) => {
                regs[base + $a as usize]
            };
        }
        loop {
            let at = *pc;
            let Some(op) = ops.get(at) else {
                return Err(Fault::Internal("no instruction"));
            };
            *pc = at + 1;
            match *op {
                Op::Nop => {}
                Op::Mark { line, cost } => {
                    let cost = u64::from(cost);
                    self.effort.steps += cost;
                    if self.effort.fuel < cost {
                        *pc = at;
                        return Err(Fault::Fuel);
                    }
                    self.effort.fuel -= cost;
                    self.reached[line as usize] = true;
                }
                Op::Imm { d, value } => r!(d) = i64::from(value) as u64,
                Op::Constant { d, index } => r!(d) = program.constants[index as usize],
                Op::Move { d, a } => r!(d) = r!(a),
                Op::AddI32 { d, a, b } => {
                    let value = r!(a) as i64 + r!(b) as i64;
                    if value != i64::from(value as i32) {
                        return fault(Fault::Overflow, pc, at);
                    }
                    r!(d) = value as u64;
                }
                Op::SubI32 { d, a, b } => {
                    let value = r!(a) as i64 - r!(b) as i64;
                    if value != i64::from(value as i32) {
                        return fault(Fault::Overflow, pc, at);
                    }
                    r!(d) = value as u64;
                }
                Op::MulI32 { d, a, b } => {
                    let value = (r!(a) as i64).wrapping_mul(r!(b) as i64);
                    if value != i64::from(value as i32) {
                        return fault(Fault::Overflow, pc, at);
                    }
                    r!(d) = value as u64;
                }
                Op::AddImm32 { d, a, value } => {
                    let value = r!(a) as i64 + i64::from(value);
                    if value != i64::from(value as i32) {
                        return fault(Fault::Overflow, pc, at);
                    }
                    r!(d) = value as u64;
                }
                Op::AddI64 { d, a, b } => match (r!(a) as i64).checked_add(r!(b) as i64) {
                    Some(value) => r!(d) = value as u64,
                    None => return fault(Fault::Overflow, pc, at),
                },
                Op::SubI64 { d, a, b } => match (r!(a) as i64).checked_sub(r!(b) as i64) {
                    Some(value) => r!(d) = value as u64,
                    None => return fault(Fault::Overflow, pc, at),
                },
                Op::MulI64 { d, a, b } => match (r!(a) as i64).checked_mul(r!(b) as i64) {
                    Some(value) => r!(d) = value as u64,
                    None => return fault(Fault::Overflow, pc, at),
                },
                Op::AddImm64 { d, a, value } => {
                    match (r!(a) as i64).checked_add(i64::from(value)) {
                        Some(value) => r!(d) = value as u64,
                        None => return fault(Fault::Overflow, pc, at),
                    }
                }
                Op::AddF64 { d, a, b } => r!(d) = (f64_of(r!(a)) + f64_of(r!(b))).to_bits(),
                Op::SubF64 { d, a, b } => r!(d) = (f64_of(r!(a)) - f64_of(r!(b))).to_bits(),
                Op::MulF64 { d, a, b } => r!(d) = (f64_of(r!(a)) * f64_of(r!(b))).to_bits(),
                Op::AddF32 { d, a, b } => r!(d) = bits32(f32_of(r!(a)) + f32_of(r!(b))),
                Op::SubF32 { d, a, b } => r!(d) = bits32(f32_of(r!(a)) - f32_of(r!(b))),
                Op::MulF32 { d, a, b } => r!(d) = bits32(f32_of(r!(a)) * f32_of(r!(b))),
                Op::Arith { op, kind, d, a, b } => match arith(op, kind, r!(a), r!(b)) {
                    Ok(value) => r!(d) = value,
                    Err(found) => return fault(found, pc, at),
                },
                Op::Negate { kind, d, a } => match arith::negate(kind, r!(a)) {
                    Ok(value) => r!(d) = value,
                    Err(found) => return fault(found, pc, at),
                },
                Op::Complement { kind, d, a } => r!(d) = wrap(kind, !r!(a)),
                Op::Compare { cond, how, d, a, b } => {
                    r!(d) = arith::compare(cond, how, r!(a), r!(b)).into()
                }
                Op::Convert { from, to, d, a } => match arith::convert(from, to, r!(a)) {
                    Ok(value) => r!(d) = value,
                    Err(found) => return fault(found, pc, at),
                },
                Op::Jump { to } => *pc = to as usize,
                Op::JumpIf { a, to } => {
                    if r!(a) != 0 {
                        *pc = to as usize;
                    }
                }
                Op::JumpUnless { a, to } => {
                    if r!(a) == 0 {
                        *pc = to as usize;
                    }
                }
                Op::JumpCompare { cond, a, b, to } => {
                    let (x, y) = (r!(a) as i64, r!(b) as i64);
                    let holds = cond.holds(x, y);
                    if NOTE {
                        sides.compares(at, cond, holds, x, y);
                    }
                    if holds {
                        *pc = to as usize;
                    }
                }
                Op::Element {
                    d,
                    base: pointer,
                    index,
                    scale,
                } => match moved(r!(pointer), r!(index), i64::from(scale)) {
                    Ok(value) => r!(d) = value,
                    Err(found) => return fault(found, pc, at),
                },
                Op::ElementBy {
                    d,
                    base: pointer,
                    index,
                    scale,
                } => match moved(r!(pointer), r!(index), r!(scale) as i64) {
                    Ok(value) => r!(d) = value,
                    Err(found) => return fault(found, pc, at),
                },
                Op::Countable { index } => {
                    if (r!(index) as i64) < 0 {
                        let (size, write) = (0, false);
                        let nowhere = Fault::Outside { at: 0, size, write };
                        return fault(nowhere, pc, at);
                    }
                }
                Op::Bounds { index, len } => {
                    if r!(index) >= u64::from(len) && self.noted.outside_row.is_none() {
                        self.noted.outside_row = Some((r!(index) as i64, u64::from(len), at));
                    }
                }
                Op::BoundsBy { index, len } => {
                    if r!(index) >= r!(len) && self.noted.outside_row.is_none() {
                        self.noted.outside_row = Some((r!(index) as i64, r!(len), at));
                    }
                }
                Op::Load { kind, d, at: from } => {
                    match self.memory.load(r!(from), kind.size(), at) {
                        Ok(raw) => r!(d) = extended(kind, raw),
                        Err(found) => return fault(found, pc, at),
                    }
                }
                Op::Store { kind, at: to, a } => {
                    if let Err(found) = {
                        let raw = crate::wide::stored(kind, r!(a));
                        self.memory.store(r!(to), kind.size(), raw, at)
                    } {
                        return fault(found, pc, at);
                    }
                }
                Op::Difference { d, a, b, scale } => {
                    let (x, y, scale) = (r!(a), r!(b), r!(scale) as i64);
                    if object_of(x) != object_of(y) || scale == 0 {
                        let what = "a difference of pointers into different objects";
                        return fault(Fault::Unsupported(what), pc, at);
                    }
                    r!(d) = ((x.wrapping_sub(y) as i64) / scale) as u64;
                }
                Op::Return { a } => {
                    let value = r!(a);
                    if self.returns(thread, pc, &mut base, Some(value), regs) {
                        return Ok(Status::Done(value));
                    }
                }
                Op::ReturnNothing => {
                    if self.returns(thread, pc, &mut base, None, regs) {
                        return Ok(Status::Done(0));
                    }
                }
                Op::Call { function, first, d } => {
                    if thread.calls.frames.len() >= DEEPEST {
                        return fault(Fault::Depth, pc, at);
                    }
                    self.calls(thread, pc, &mut base, (function, first, d), regs);
                }
                Op::Math1 { f, d, a } => r!(d) = f.apply(r!(a)),
                Op::Math2 { f, d, a, b } => r!(d) = f.apply(r!(a), r!(b)),
                Op::Math3 { f, d, a } => r!(d) = f.apply(r!(a), r!(a + 1), r!(a + 2)),
                Op::Complex { f, kind, d, a, b } => r!(d) = f.apply(kind, r!(a), r!(b)),
                Op::Global { d, global } => r!(d) = self.globals[global as usize],
                Op::Undefined { kind, d, flag } => {
                    r!(flag) = 0;
                    r!(d) = junk(kind, self.memory.junk);
                }
                Op::Defined { flag, name } => {
                    if r!(flag) == 0 && self.noted.undefined.is_none() {
                        self.noted.undefined = Some((name, at));
                    }
                }
                Op::Trap => return fault(Fault::Trap, pc, at),
                Op::Halt => {
                    if thread.prologue {
                        return Ok(Status::Prologue);
                    }
                }
                Op::Copy { to, from, n } => {
                    if let Err(found) = self.memory.copy(r!(to), r!(from), r!(n)) {
                        return fault(found, pc, at);
                    }
                }
                Op::Fill { to, value, n } => {
                    if let Err(found) = self.memory.fill(r!(to), r!(value) as u8, r!(n)) {
                        return fault(found, pc, at);
                    }
                }
                Op::Local { d, n, local } => match self.local(thread, local, r!(n)) {
                    Ok(pointer) => r!(d) = pointer,
                    Err(found) => return fault(found, pc, at),
                },
                Op::Allocate { d, n, zero } => match self.allocate(thread, r!(n), zero, at) {
                    Ok(pointer) => {
                        r!(d) = pointer;
                        if !self.failed.contains(&at) {
                            self.failed.push(at);
                            let function = &program.functions[thread.calls.function as usize];
                            let end = base + function.registers as usize + 1;
                            self.without_memory(&regs[base..end], *pc, d);
                        }
                    }
                    Err(found) => return fault(found, pc, at),
                },
                Op::Free { a } => {
                    if let Err(found) = self.memory.free(r!(a)) {
                        return fault(found, pc, at);
                    }
                }
                // What concerns several threads.
                // Also with one thread: iterations in front are not concurrent with those behind.
                Op::Barrier if thread.teams.len() == 1 => {
                    return Ok(Status::Barrier);
                }
                Op::Barrier => {}
                Op::Parallel { end } => {
                    thread.base = base;
                    if NOTE {
                        self.sides = Some(std::mem::take(sides));
                    }
                    let done = self.parallel(thread, regs, (at + 1, end as usize));
                    if NOTE {
                        *sides = self.sides.take().unwrap_or_default();
                    }
                    match done {
                        Ok(next) => *pc = next,
                        Err((found, place)) => {
                            return fault(found, pc, place);
                        }
                    }
                }
                Op::ParallelEnd => {
                    if thread.teams.len() <= 1 {
                        return Ok(Status::End);
                    }
                    thread.teams.pop();
                }
                Op::Share { share } => {
                    thread.base = base;
                    *pc = self.share(thread, regs, share);
                }
                Op::ShareNext => {
                    thread.base = base;
                    *pc = self.share_next(thread, regs);
                }
                Op::Count {
                    cond,
                    d,
                    first,
                    bound,
                } => {
                    let step = r!(bound + 1) as i64;
                    match super::team::count(cond, r!(first) as i64, r!(bound) as i64, step) {
                        Some(count) => r!(d) = count,
                        None => return fault(Fault::Overflow, pc, at),
                    }
                }
                Op::Single { to } => {
                    if thread.teams.last().is_some_and(|t| t.number != 0) {
                        *pc = to as usize;
                    }
                }
                Op::Item { what, d, a } => r!(d) = self.item(thread, what, r!(a)),
                Op::GroupLocal { d, n, local } => match self.group_object(local, r!(n)) {
                    Ok(pointer) => r!(d) = pointer,
                    Err(found) => return fault(found, pc, at),
                },
                Op::GroupBarrier { a } => {
                    thread.base = base;
                    return Ok(Self::waits(thread, r!(a), None));
                }
                Op::GroupAny { d, a } => {
                    thread.base = base;
                    let vote = Some((base + d as usize, r!(a)));
                    return Ok(Self::waits(thread, u64::MAX, vote));
                }
                Op::Host { call, first, d } => {
                    let from = base + first as usize;
                    let end = regs.len().min(from + HOST_ARGUMENTS);
                    let mut arguments = [0; HOST_ARGUMENTS];
                    arguments[..end - from].copy_from_slice(&regs[from..end]);
                    if NOTE {
                        self.sides = Some(std::mem::take(sides));
                    }
                    let done = self.host(thread, call, &arguments, at);
                    if NOTE {
                        *sides = self.sides.take().unwrap_or_default();
                    }
                    match done {
                        Ok(value) => r!(d) = value,
                        Err((found, place)) => return fault(found, pc, place),
                    }
                }
                Op::Launch {
                    function,
                    first,
                    count,
                } => {
                    let from = base + first as usize;
                    let values = regs[from..from + count as usize].to_vec();
                    if NOTE {
                        self.sides = Some(std::mem::take(sides));
                    }
                    let done = self.cuda_launch(function, &values, at);
                    if NOTE {
                        *sides = self.sides.take().unwrap_or_default();
                    }
                    if let Err((found, place)) = done {
                        return fault(found, pc, place);
                    }
                }
                Op::Format { first, count, d } => {
                    let from = base + first as usize;
                    let arguments = regs[from..from + count as usize].to_vec();
                    match self.format(&arguments) {
                        Ok(value) => r!(d) = value,
                        Err(found) => return fault(found, pc, at),
                    }
                }
                Op::Outside { call, first, d } => {
                    let count = self.program.recorded.outside[call as usize].handed.len();
                    let from = base + first as usize;
                    let arguments = regs[from..from + count].to_vec();
                    match self.outside(call, &arguments, at) {
                        Ok(value) => r!(d) = value,
                        Err(found) => return fault(found, pc, at),
                    }
                }
                Op::Atomic { on } => self.memory.watch.atomic = on,
                Op::SimdBegin => self.simd_begins(thread),
                Op::SimdNext => self.simd_goes_on(thread),
                Op::SimdEnd => self.simd_ends(thread),
                Op::Seen { site } => {
                    if let Err(found) = self.seen(thread, regs, base, site) {
                        return fault(found, pc, at);
                    }
                }
                Op::Note { kind, pointer, a } => self.note(kind, pointer, r!(a)),
                Op::Region { on } => self.region(thread, on),
            }
        }
    }

    fn calls(
        &mut self,
        thread: &mut Thread,
        pc: &mut usize,
        base: &mut usize,
        (function, first, d): (u32, u16, u16),
        regs: &mut Vec<u64>,
    ) {
        let callee = &self.program.functions[function as usize];
        thread.calls.frames.push(Frame {
            pc: *pc,
            base: *base,
            d,
            locals: thread.calls.local_base,
            function: thread.calls.function,
        });
        thread.calls.function = function;
        *base += first as usize;
        thread.calls.local_base = thread.calls.locals.len();
        let locals = thread.calls.local_base + callee.locals as usize;
        thread.calls.locals.resize(locals, 0);
        let end = *base + callee.registers as usize + 1;
        if regs.len() < end {
            regs.resize(end, 0);
        }
        let constants = *base + callee.first_constant as usize;
        regs[constants..constants + callee.constants.len()].copy_from_slice(&callee.constants);
        *pc = callee.entry as usize;
    }

    /// Ends a call; true where there is nobody to return to.
    fn returns(
        &mut self,
        thread: &mut Thread,
        pc: &mut usize,
        base: &mut usize,
        value: Option<u64>,
        regs: &mut [u64],
    ) -> bool {
        for at in thread.calls.local_base..thread.calls.locals.len() {
            if thread.calls.locals[at] != 0 {
                self.memory.release(thread.calls.locals[at] as usize);
            }
        }
        thread.calls.locals.truncate(thread.calls.local_base);
        let Some(frame) = thread.calls.frames.pop() else {
            return true;
        };
        *base = frame.base;
        *pc = frame.pc;
        thread.calls.local_base = frame.locals;
        thread.calls.function = frame.function;
        if let Some(value) = value {
            regs[frame.base + frame.d as usize] = value;
        }
        false
    }

    /// A local object; the same one when its declaration is reached again.
    fn local(&mut self, thread: &mut Thread, local: u32, n: u64) -> Result<u64, Fault> {
        let declared = &self.program.locals[local as usize];
        let slot = thread.calls.local_base + declared.slot as usize;
        let known = thread.calls.locals[slot] as usize;
        if known != 0 {
            let object = &self.memory.objects[known];
            if object.live && object.data.len() as u64 == n {
                let pointer = ((known as u64) << 40) | object.base;
                self.effort.steps += n / 64;
                self.effort.charged += n / 64;
                self.memory.forget(known);
                return Ok(pointer);
            }
            self.memory.release(known);
        }
        // An array of a negative number of elements is one of very many.
        self.charge(n)?;
        let pointer = self.memory.allocate(n, 0, false)?;
        if let Some(object) = self.memory.object(pointer) {
            object.label = Label::Local(local);
            object.owner = thread.number;
        }
        thread.calls.locals[slot] = object_of(pointer) as u32;
        Ok(pointer)
    }

    /// Memory costs time, too.
    pub(super) fn charge(&mut self, n: u64) -> Result<(), Fault> {
        if n > MOST_BYTES {
            return Err(Fault::Memory);
        }
        let cost = 20 + n / 64;
        self.effort.steps += cost;
        self.effort.charged += cost;
        let set_aside = cost.min(self.effort.memory_fuel);
        self.effort.memory_fuel -= set_aside;
        let rest = cost - set_aside;
        self.effort.fuel = self.effort.fuel.checked_sub(rest).ok_or(Fault::Fuel)?;
        Ok(())
    }

    pub(super) fn allocate(
        &mut self,
        thread: &Thread,
        n: u64,
        zero: bool,
        at: usize,
    ) -> Result<u64, Fault> {
        self.charge(n)?;
        // As the library aligns.
        let pointer = self.memory.allocate(n, 16, zero)?;
        if let Some(object) = self.memory.object(pointer) {
            object.label = Label::Heap(at as u32);
            object.heap = true;
            object.owner = thread.number;
        }
        Ok(pointer)
    }
}

/// Stops at an instruction.
#[cold]
fn fault(found: Fault, pc: &mut usize, at: usize) -> Result<Status, Fault> {
    *pc = at;
    Err(found)
}
