//! Memory: objects with bounds, which of their bytes were written, and who touched them in parallel.
//!
//! A pointer is the number of an object in its upper 24 bits and an address in the lower 40. The
//! address of an object's first byte is [`FIRST`] or a little more, so that pointers in front of an
//! object are representable, and pointers as numbers are aligned as addresses would be.

use crate::kernels::Wanted;
use crate::storage::race::{Access, Between, Shadow, Watch};
use crate::storage::spare::Buffers;
use crate::storage::written::Written;
use std::ops::Range;
use std::rc::Rc;

const ADDRESS_BITS: u32 = 40;
const ADDRESS_MASK: u64 = (1 << ADDRESS_BITS) - 1;
const FIRST: u64 = 1 << 39;
/// No index moves a pointer as far as this.
pub(crate) const FARTHEST: i64 = 1 << 37;
/// Bytes of all objects together.
pub(crate) const MOST_BYTES: u64 = 1 << 30;

/// What stops an execution.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    Overflow,
    Shift,
    DivisionByZero,
    Conversion,
    /// An access of `size` bytes outside the object it points into.
    Outside {
        at: u64,
        size: u64,
        write: bool,
    },
    /// A pointer that points nowhere, or to what is no more.
    Null,
    Dangling,
    BadFree,
    Race {
        at: u64,
        between: Between,
    },
    /// A barrier that not all work-items of a group reach.
    Barrier,
    /// Kernels that are to be built.
    Wanted(Box<Wanted>),
    /// Instructions beyond the limit.
    Fuel,
    /// Calls nested too deeply.
    Depth,
    /// Memory beyond the limit.
    Memory,
    Trap,
    /// Rows of no elements.
    Extent,
    ReadOnly,
    /// A construct that is not executed.
    Unsupported(&'static str),
    Internal(&'static str),
}

/// An object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    /// What unwritten bytes hold here is no one's concern: reading them gives junk.
    pub data: Vec<u8>,
    /// Which bytes were written. None: all were.
    pub written: Option<Written>,
    /// The address of the first byte.
    pub base: u64,
    pub live: bool,
    pub heap: bool,
    pub read_only: bool,
    /// Memory of a device.
    pub device: bool,
    /// The thread that made it, 0 outside parallel regions.
    pub owner: u32,
    /// What it is: index into the machine's list of names, or the local's declaration.
    pub label: Label,
    /// Range of bytes touched, where that is asked for.
    pub tracked: bool,
    pub touched: (u64, u64),
    shadow: Shadow,
}

impl Object {
    /// Whether all of some bytes were written.
    pub fn is_written(&self, range: Range<usize>) -> bool {
        let written = self.written.as_ref();
        written.is_none_or(|written| written.is_set(range))
    }

    fn wrote(&mut self, range: Range<usize>) {
        if let Some(written) = &mut self.written {
            written.set(range);
        }
    }

    fn track(&mut self, offset: usize, size: u64) {
        if self.tracked {
            self.touched.0 = self.touched.0.min(offset as u64);
            self.touched.1 = self.touched.1.max(offset as u64 + size);
        }
    }
}

/// What an object is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Label {
    #[default]
    None,
    /// Made from outside: its number there.
    Input(u32),
    Global(u32),
    Local(u32),
    /// Allocated by this instruction.
    Heap(u32),
    /// What a function got for a parameter.
    Argument(u32, u16),
}

/// All objects.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub objects: Vec<Object>,
    /// Numbers of dead objects, oldest first.
    dead: std::collections::VecDeque<u32>,
    bytes: u64,
    /// What bytes hold that nobody wrote.
    pub junk: u8,
    /// Reads of bytes that nobody wrote: how many, and the first.
    pub unwritten: u64,
    pub first_unwritten: Option<(u64, usize)>,
    pub watch: Watch,
    /// A byte whose writers are looked for, and the instruction that wrote it last.
    pub spied: u64,
    pub writer: Option<usize>,
    buffers: Rc<Buffers>,
}

impl Drop for Memory {
    fn drop(&mut self) {
        for object in std::mem::take(&mut self.objects) {
            self.keep(object.data, object.written, object.shadow);
        }
    }
}

pub(crate) fn object_of(pointer: u64) -> usize {
    (pointer >> ADDRESS_BITS) as usize
}

impl Memory {
    pub fn new(junk: u8, buffers: &Rc<Buffers>) -> Memory {
        let mut memory = Memory::default();
        memory.objects.push(Object::default());
        memory.junk = junk;
        memory.buffers = Rc::clone(buffers);
        memory
    }

    fn keep(&self, data: Vec<u8>, written: Option<Written>, shadow: Shadow) {
        self.buffers.bytes.give(data);
        if let Some(written) = written {
            written.end(&self.buffers.written);
        }
        shadow.end(&self.buffers.cells);
    }

    /// A new object of bytes that are zero or, if not `is_written`, unknown; a pointer to its first.
    pub fn allocate(
        &mut self,
        bytes: u64,
        misalignment: u64,
        is_written: bool,
    ) -> Result<u64, Fault> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MOST_BYTES {
            return Err(Fault::Memory);
        }
        let (data, written) = if is_written {
            (self.buffers.bytes.take(bytes as usize), None)
        } else {
            let written = Written::none(bytes as usize, &self.buffers.written);
            (self.buffers.bytes.take_any(bytes as usize), Some(written))
        };
        let object = Object {
            data,
            written,
            base: FIRST + misalignment,
            live: true,
            touched: (u64::MAX, 0),
            ..Object::default()
        };
        // Numbers are used again late, so that dangling pointers show.
        if self.dead.len() > 2000 {
            if let Some(number) = self.dead.pop_front() {
                self.objects[number as usize] = object;
                return Ok((u64::from(number) << ADDRESS_BITS) | (FIRST + misalignment));
            }
        }
        let number = self.objects.len() as u64;
        if number >= 1 << 24 {
            return Err(Fault::Memory);
        }
        self.objects.push(object);
        Ok((number << ADDRESS_BITS) | (FIRST + misalignment))
    }

    /// The object that a pointer points into, which may be none that lives.
    pub fn object(&mut self, pointer: u64) -> Option<&mut Object> {
        self.objects.get_mut(object_of(pointer))
    }

    /// Ends an object's life.
    pub fn release(&mut self, number: usize) {
        if let Some(object) = self.objects.get_mut(number) {
            if object.live {
                self.bytes = self.bytes.saturating_sub(object.data.len() as u64);
                object.live = false;
                let data = std::mem::take(&mut object.data);
                let written = object.written.take();
                let shadow = std::mem::take(&mut object.shadow);
                self.dead.push_back(number as u32);
                self.keep(data, written, shadow);
            }
        }
    }

    /// Frees what `malloc` gave.
    pub fn free(&mut self, pointer: u64) -> Result<(), Fault> {
        if pointer == 0 {
            return Ok(());
        }
        let Some(object) = self.object(pointer) else {
            return Err(Fault::BadFree);
        };
        if !object.live || !object.heap || object.base != pointer & ADDRESS_MASK {
            return Err(Fault::BadFree);
        }
        self.release(object_of(pointer));
        Ok(())
    }

    /// Where in its object an access begins.
    #[inline(always)]
    fn place(&mut self, at: u64, size: u64) -> Option<(&mut Object, usize)> {
        place(&mut self.objects, at, size)
    }

    #[cold]
    fn outside(&mut self, at: u64, size: u64, write: bool) -> Fault {
        match self.objects.get(object_of(at)) {
            _ if at >> ADDRESS_BITS == 0 => Fault::Null,
            Some(object) if object.live => Fault::Outside { at, size, write },
            _ => Fault::Dangling,
        }
    }

    /// A value of which some bytes were never written: these are junk.
    #[cold]
    fn unwritten_value(&mut self, value: u64, at: u64, size: u64, pc: usize) -> u64 {
        self.unwritten += 1;
        self.first_unwritten.get_or_insert((at, pc));
        let junk = self.junk;
        let mut bytes = value.to_le_bytes();
        if let Some((object, offset)) = self.place(at, size) {
            let size = (size as usize).min(8);
            for (k, byte) in bytes.iter_mut().take(size).enumerate() {
                if !object.is_written(offset + k..offset + k + 1) {
                    *byte = junk;
                }
            }
        }
        let mut kept = [0; 8];
        let size = (size as usize).min(8);
        kept[..size].copy_from_slice(&bytes[..size]);
        u64::from_le_bytes(kept)
    }

    /// Bytes as a number, not yet extended.
    #[inline(always)]
    pub fn load(&mut self, at: u64, size: u64, pc: usize) -> Result<u64, Fault> {
        let Some((object, offset)) = place(&mut self.objects, at, size) else {
            return Err(self.outside(at, size, false));
        };
        object.track(offset, size);
        let end = offset + size as usize;
        let value = match object.data[offset..end] {
            [a] => u64::from(a),
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            // The first bytes of a wide number hold it.
            [a, b, c, d, e, f, g, h, ..] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => return Err(Fault::Internal("a load of odd size")),
        };
        if self.watch.on {
            let place = (offset, size as usize);
            if let Some(between) =
                watched(object, &self.watch, place, (false, false), &self.buffers)
            {
                return Err(Fault::Race { at, between });
            }
        }
        let written = object.written.as_ref();
        if written.is_none_or(|written| written.has(offset, size as usize)) {
            Ok(value)
        } else {
            Ok(self.unwritten_value(value, at, size, pc))
        }
    }

    #[inline(always)]
    pub fn store(&mut self, at: u64, size: u64, value: u64, pc: usize) -> Result<(), Fault> {
        if self.spied.wrapping_sub(at) < size {
            self.writer = Some(pc);
        }
        let Some((object, offset)) = place(&mut self.objects, at, size) else {
            return Err(self.outside(at, size, true));
        };
        if object.read_only {
            return Err(Fault::ReadOnly);
        }
        object.track(offset, size);
        let end = offset + size as usize;
        // Who writes what is there.
        let same = self.watch.device.on
            && size <= 8
            && object.data[offset..end] == value.to_le_bytes()[..size as usize]
            && object.is_written(offset..end);
        let data = &mut object.data[offset..end];
        match size {
            8 => data.copy_from_slice(&value.to_le_bytes()),
            4 => data.copy_from_slice(&(value as u32).to_le_bytes()),
            1 => data[0] = value as u8,
            9.. => {
                data.fill(0);
                data[..8].copy_from_slice(&value.to_le_bytes());
            }
            _ => data.copy_from_slice(&(value as u16).to_le_bytes()),
        }
        if let Some(written) = &mut object.written {
            written.write(offset, size as usize);
        }
        if self.watch.on {
            let place = (offset, size as usize);
            if let Some(between) = watched(object, &self.watch, place, (true, same), &self.buffers)
            {
                return Err(Fault::Race { at, between });
            }
        }
        Ok(())
    }

    /// Copies bytes with their being written or not.
    pub fn copy(&mut self, to: u64, from: u64, n: u64) -> Result<(), Fault> {
        if n == 0 {
            return Ok(());
        }
        let Some((object, offset)) = self.place(from, n) else {
            return Err(self.outside(from, n, false));
        };
        object.track(offset, n);
        let range = offset..offset + n as usize;
        let data = object.data[range.clone()].to_vec();
        let written = object.written.as_ref().map(|w| w.flags(range));
        let Some((object, offset)) = self.place(to, n) else {
            return Err(self.outside(to, n, true));
        };
        if object.read_only {
            return Err(Fault::ReadOnly);
        }
        object.track(offset, n);
        let range = offset..offset + n as usize;
        object.data[range.clone()].copy_from_slice(&data);
        match written {
            None => object.wrote(range),
            Some(written) => {
                let size = object.data.len();
                let own = object.written.get_or_insert_with(|| Written::all(size));
                own.copy(range.start, &written);
            }
        }
        if self.watch.on {
            self.watched_range(from, n, false)?;
            self.watched_range(to, n, true)?;
        }
        Ok(())
    }

    pub fn fill(&mut self, to: u64, value: u8, n: u64) -> Result<(), Fault> {
        if n == 0 {
            return Ok(());
        }
        let Some((object, offset)) = self.place(to, n) else {
            return Err(self.outside(to, n, true));
        };
        if object.read_only {
            return Err(Fault::ReadOnly);
        }
        object.track(offset, n);
        let range = offset..offset + n as usize;
        object.data[range.clone()].fill(value);
        object.wrote(range);
        if self.watch.on {
            self.watched_range(to, n, true)?;
        }
        Ok(())
    }

    fn watched_range(&mut self, at: u64, n: u64, write: bool) -> Result<(), Fault> {
        let Some((object, offset)) = place(&mut self.objects, at, n) else {
            return Ok(());
        };
        for k in 0..n {
            let place = (offset + k as usize, 1);
            if let Some(between) =
                watched(object, &self.watch, place, (write, false), &self.buffers)
            {
                let at = at + k;
                return Err(Fault::Race { at, between });
            }
        }
        Ok(())
    }

    /// Makes an object's bytes unwritten again.
    pub fn forget(&mut self, number: usize) {
        if let Some(object) = self.objects.get_mut(number) {
            // Accesses of earlier iterations are those of the thread that it belongs to, or were in
            // front of the parallel region. Those of `simd` loops follow each other in one thread.
            if self.watch.lanes.on {
                object.shadow.forget_simd();
            }
            if let Some(written) = &mut object.written {
                written.clear();
            }
        }
    }

    /// The byte of its object that a pointer points to.
    pub fn offset_of(&self, pointer: u64) -> i64 {
        let base = self.objects.get(object_of(pointer)).map_or(0, |o| o.base);
        (pointer & ADDRESS_MASK) as i64 - base as i64
    }
}

/// Where in its object an access begins.
#[inline(always)]
fn place(objects: &mut [Object], at: u64, size: u64) -> Option<(&mut Object, usize)> {
    let object = objects.get_mut((at >> ADDRESS_BITS) as usize)?;
    let offset = (at & ADDRESS_MASK).wrapping_sub(object.base);
    let end = offset.checked_add(size)?;
    (end <= object.data.len() as u64).then_some((object, offset as usize))
}

/// Notes an access in a parallel region, `simd` loop or kernel; what it races with.
#[inline(always)]
fn watched(
    object: &mut Object,
    watch: &Watch,
    (offset, size): (usize, usize),
    (write, same): (bool, bool),
    buffers: &Buffers,
) -> Option<Between> {
    let private = object.owner != 0 && object.owner == watch.thread;
    if private && !watch.lanes.on {
        return None;
    }
    let access = Access {
        offset,
        size,
        write,
        same,
        private,
        shared: object.device && watch.device.on,
    };
    let bytes = object.data.len();
    object.shadow.touch(watch, access, bytes, &buffers.cells)
}
