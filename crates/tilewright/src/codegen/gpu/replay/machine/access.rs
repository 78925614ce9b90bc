//! Visits of cells while something executes: where they are, who was there before, and who wrote
//! what is there.

use super::{Machine, OnDevice};
use crate::codegen::gpu::program::Size;
use crate::codegen::gpu::replay::cells::{Kind, Log, Visit, Who, mixed};
use crate::codegen::gpu::replay::traffic::Address;
use crate::codegen::gpu::replay::{Finding, Met};
use crate::codegen::kernel::{Place, PlaceIndex};
use crate::transform::{BufferId, BufferKind};

/// Where a cell is.
enum Memory {
    /// No one else goes there.
    Own,
    /// Units of the block's local memory: first ones, and how many each.
    Local(Vec<i64>, i64),
    /// The device's memory, by the array's position in the program.
    Global(usize),
}

pub(super) struct Cell {
    pub(super) buffer: BufferId,
    /// Under what its last writer is noted; of a cell that data picks, the same for all of them.
    pub(super) key: u64,
    /// The same for all cells among which data picks, somewhere; none where it does nowhere.
    row: Option<u64>,
    /// Data picks it.
    picked: bool,
    memory: Memory,
}

impl Cell {
    /// Where visits of known cells of its row are noted, and those of cells that data picks.
    fn rows(&self) -> Option<[u64; 2]> {
        self.row.map(rows)
    }
}

/// Different memories have different cells.
const GLOBAL: u64 = 1;
const LOCAL: u64 = 2;
const OWN: u64 = 3;

/// In place of a source: parts of the cell were written by different instances.
const TORN: u64 = 1;

/// The same: somebody copied a cell that had no value.
const NOTHING: u64 = 2;

/// Values from before the region are apart from those that instances write.
const BEFORE: u64 = 4;

impl Machine<'_> {
    pub(super) fn indices(&mut self, place: &Place) -> Result<Vec<Option<i64>>, Finding> {
        let one = |index: &PlaceIndex| match index {
            PlaceIndex::Affine(index) => self.number(index).map(Some),
            PlaceIndex::Data { .. } => Ok(None),
        };
        place.indices.iter().map(one).collect()
    }

    /// Where a place is. `None` as an index: anywhere in the dimension.
    pub(super) fn cell(&self, buffer: BufferId, indices: &[Option<i64>]) -> Result<Cell, Finding> {
        let facts = self.facts;
        let among = &facts.picked[buffer];
        let picked = indices.iter().any(Option::is_none);
        let of = |memory: u64, whole: bool| {
            let known = indices.iter().enumerate();
            let known = known.filter(|(at, _)| whole || !among.contains(at));
            known.fold(mixed(memory, buffer as u64), |hash, (_, index)| {
                mixed(hash, index.unwrap_or(0) as u64)
            })
        };
        let cell = |memory: u64, place: Memory| {
            let row = (!among.is_empty()).then(|| of(memory, false));
            Cell {
                buffer,
                key: match (picked, row) {
                    (true, Some(row)) => rows(row)[1],
                    _ => of(memory, true),
                },
                row,
                picked,
                memory: place,
            }
        };
        let Some(device) = &self.device else {
            // Other buffers keep what they hold, as local memory does.
            let scope = facts.scopes.get(&buffer).filter(|_| !among.is_empty());
            let life = scope.and_then(|scope| self.lives.get(scope)).unwrap_or(&0);
            return Ok(match scope {
                Some(_) => cell(mixed(OWN, *life), Memory::Own),
                None => cell(GLOBAL, Memory::Own),
            });
        };
        let own = device.own.iter().rev().find(|(v, _)| v.contains(&buffer));
        if let Some((_, life)) = own {
            return Ok(cell(mixed(OWN, *life), Memory::Own));
        }
        if let Some((_, begin)) = device.kernel.local.iter().find(|(b, _)| *b == buffer) {
            let (units, size) = self.units(buffer, *begin, indices)?;
            let first = device.unit_key(units[0]);
            let mut cell = cell(mixed(LOCAL, device.block), Memory::Local(units, size));
            if cell.row.is_none() {
                cell.key = first;
            }
            return Ok(cell);
        }
        let array = facts.program.arrays.iter().position(|a| a.buffer == buffer);
        let array = array.ok_or_else(|| Finding::Nowhere {
            name: facts.name(buffer).to_owned(),
        })?;
        Ok(cell(GLOBAL, Memory::Global(array)))
    }

    /// The first units of local memory of each element that a place may be, and how many an
    /// element has.
    pub(super) fn units(
        &self,
        buffer: BufferId,
        begin: i64,
        indices: &[Option<i64>],
    ) -> Result<(Vec<i64>, i64), Finding> {
        let facts = self.facts;
        let outside = || Finding::Outside {
            cell: facts.name(buffer).to_owned() + &subscripts(indices),
            kernel: self.device.as_ref().map_or(0, |d| d.number),
        };
        let local = facts.program.buffers.iter().find(|b| b.buffer == buffer);
        let (Some(local), Some(device)) = (local, &self.device) else {
            return Err(outside());
        };
        let size = local.element.kind.bytes() as i64;
        let mut elements = vec![0];
        for (index, &extent) in indices.iter().zip(&local.extents) {
            let (first, last) = match index {
                Some(index) => (*index, *index),
                None => (0, extent - 1),
            };
            if first < 0 || last >= extent {
                return Err(outside());
            }
            let mut next = Vec::new();
            for before in elements {
                next.extend((first..=last).map(|index| before * extent + index));
            }
            elements = next;
        }
        let end = |element: &i64| begin + (element + 1) * size;
        if elements.iter().map(end).max() > Some(device.kernel.local_bytes) {
            return Err(outside());
        }
        let units = elements.iter();
        let units = units.map(|element| (begin + element * size) / device.unit);
        Ok((units.collect(), size / device.unit))
    }

    /// Notes a visit, by no statement for bounds.
    pub(super) fn visit(
        &mut self,
        cell: &Cell,
        kind: Kind,
        statement: Option<usize>,
        indices: &[Option<i64>],
    ) -> Result<(), Finding> {
        let facts = self.facts;
        let Some(device) = &mut self.device else {
            return Ok(());
        };
        if facts.by_word(cell.buffer) {
            return Ok(());
        }
        let alone = device.kernel.threads == [1, 1];
        let thread = match device.thread {
            Who::ALL if alone => Who::one(0),
            thread => thread,
        };
        let statement = statement.unwrap_or(facts.scop.statements.len());
        let by_thread = Visit {
            since: device.interval,
            who: thread,
            kind,
            statement,
        };
        let number = device.number;
        let met = |visit: &Visit, (other, theirs): (Who, usize)| {
            let name = |id: usize| {
                let statement = facts.scop.statements.get(id);
                statement.map_or("a bound", |s| &s.name).to_owned()
            };
            Met {
                cell: facts.name(cell.buffer).to_owned() + &subscripts(indices),
                kernel: number,
                who: [other.number(), visit.who.number()],
                statements: [name(theirs), name(statement)],
            }
        };
        match &cell.memory {
            Memory::Own => {}
            Memory::Local(units, size) => {
                for unit in units.iter().flat_map(|&first| first..first + size) {
                    let key = device.unit_key(unit);
                    if let Some(found) = device.in_block.visit(key, &by_thread) {
                        return Err(Finding::Threads(met(&by_thread, found)));
                    }
                }
            }
            Memory::Global(_) => {
                if let Some(found) = visit_in(&mut device.in_block, cell, &by_thread) {
                    return Err(Finding::Threads(met(&by_thread, found)));
                }
                let by_block = Visit {
                    since: device.launch,
                    who: Who::one(device.block_number),
                    ..by_thread
                };
                if let Some(found) = visit_in(&mut device.among_blocks, cell, &by_block) {
                    return Err(Finding::Blocks(met(&by_block, found)));
                }
            }
        }
        Ok(())
    }

    /// Counts an access by a thread, at a place in the text.
    pub(super) fn count(&mut self, cell: &Cell, indices: &[Option<i64>], text: usize, store: bool) {
        let (Some(counter), Some(device)) = (&mut self.counter, &self.device) else {
            return;
        };
        let (size, byte) = match &cell.memory {
            Memory::Own => return,
            // What all threads of a block read together, they read as one.
            _ if device.thread == Who::ALL => return,
            _ if cell.picked => return counter.uncounted(),
            Memory::Local(units, size) => (size * device.unit, units[0] * device.unit),
            Memory::Global(array) => {
                let Some(strides) = &self.facts.strides[*array] else {
                    return counter.uncounted();
                };
                let known = indices.iter().map(|index| index.unwrap_or(0));
                let element: i64 = known.zip(strides).map(|(i, stride)| i * stride).sum();
                let size = self.facts.program.arrays[*array].element.kind.bytes() as i64;
                (size, element * size)
            }
        };
        let address = Address {
            buffer: cell.buffer,
            local: matches!(cell.memory, Memory::Local(..)),
            byte,
            size,
            store,
        };
        counter.access(text, self.around.path, address);
    }

    /// Whose value a cell has: its last writer's, or its own from before, if it is a program's. 0: no
    /// value.
    pub(super) fn origin(&self, cell: &Cell) -> u64 {
        let full = matches!(
            self.facts.transformed.buffers[cell.buffer].kind,
            BufferKind::Full
        );
        match self.source(cell) {
            0 if full && cell.row.is_none() => mixed(BEFORE, cell.key),
            source => source,
        }
    }

    /// Notes that a cell has a value that another one had.
    pub(super) fn moved(&mut self, cell: &Cell, origin: u64) {
        let origin = match origin {
            0 => NOTHING,
            origin => origin,
        };
        self.set(cell, origin);
    }

    /// Who wrote a cell last; 0: nobody. Where data picks, all who may have.
    pub(super) fn source(&self, cell: &Cell) -> u64 {
        let of = |key: u64| self.memory.sources.get(&key).copied().unwrap_or(0);
        let source = of(cell.key);
        if let Some([known, picked]) = cell.rows() {
            let other = of(if cell.picked { known } else { picked });
            return match (source, other) {
                (0, 0) => 0,
                (source, other) => mixed(source, other),
            };
        }
        if let (Memory::Local(units, size), Some(device)) = (&cell.memory, &self.device) {
            if !(1..*size).all(|at| of(device.unit_key(units[0] + at)) == source) {
                return TORN;
            }
        }
        source
    }

    pub(super) fn written(&mut self, cell: &Cell, identity: u64, exact: bool, update: bool) {
        let old = self.memory.sources.get(&cell.key).copied().unwrap_or(0);
        // Updates, and cells that data picks, have many sources in any order.
        let new = match exact {
            _ if update || cell.picked => old.wrapping_add(identity),
            true => mixed(identity, 0),
            false => mixed(self.origin(cell), identity),
        };
        self.set(cell, new);
        if let Some([known, _]) = cell.rows().filter(|_| !cell.picked) {
            // The sum over the sources of its cells.
            let all = self.memory.sources.entry(known).or_default();
            *all = all.wrapping_add(new.wrapping_sub(old));
        }
        if let Some(bound) = self.facts.bounds.get(&cell.buffer) {
            self.memory.values.insert(cell.key, bound.value(identity));
        }
    }

    /// Gives a cell a source.
    fn set(&mut self, cell: &Cell, source: u64) {
        self.memory.sources.insert(cell.key, source);
        if let (None, Memory::Local(units, size), Some(device)) =
            (cell.rows(), &cell.memory, &self.device)
        {
            for unit in units[0]..units[0] + size {
                self.memory.sources.insert(device.unit_key(unit), source);
            }
        }
        let arrays = &self.facts.program.arrays;
        if arrays.iter().any(|a| a.buffer == cell.buffer && a.copy_out) {
            self.memory.results.insert(cell.key, source);
        }
    }

    /// Values from before the region have to be copied.
    pub(super) fn check_copied(
        &self,
        cell: &Cell,
        source: u64,
        exact: bool,
    ) -> Result<(), Finding> {
        let Memory::Global(array) = cell.memory else {
            return Ok(());
        };
        let array = &self.facts.program.arrays[array];
        let programs = matches!(array.size, Size::Program { .. });
        if source == 0 && exact && programs && !array.copy_in {
            return Err(Finding::NotCopied {
                name: self.facts.name(cell.buffer).to_owned(),
            });
        }
        Ok(())
    }
}

impl OnDevice<'_> {
    /// A unit of the block's local memory.
    fn unit_key(&self, unit: i64) -> u64 {
        mixed(mixed(LOCAL, self.block), unit as u64)
    }
}

/// Where visits of a row are noted: no cell's own number, which is made of the row and an index.
fn rows(row: u64) -> [u64; 2] {
    [mixed(!row, 1), mixed(!row, 2)]
}

/// Notes a visit of a cell in the device's memory. Cells that data picks are met by all visits of
/// their row.
fn visit_in(log: &mut Log, cell: &Cell, visit: &Visit) -> Option<(Who, usize)> {
    match cell.rows() {
        None => log.visit(cell.key, visit),
        Some([known, picked]) if cell.picked => {
            log.look(known, visit).or_else(|| log.visit(picked, visit))
        }
        Some([known, picked]) => {
            log.note(known, visit);
            log.look(picked, visit)
                .or_else(|| log.visit(cell.key, visit))
        }
    }
}

/// `[3][*]`
fn subscripts(indices: &[Option<i64>]) -> String {
    let one = |index: &Option<i64>| match index {
        Some(index) => format!("[{index}]"),
        None => "[*]".to_owned(),
    };
    indices.iter().map(one).collect()
}
