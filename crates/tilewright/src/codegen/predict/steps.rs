//! Innermost loops: what C compilers make of them.
//!
//! Some successive iterations are executed on addresses: that shows with which strides accesses
//! walk, what is used again in the next iteration, and whether vector instructions would read what
//! is not yet written.

use super::operations::Work;
use super::places::{FAR, Values};
use super::{Model, UNROLLED};
use crate::codegen::kernel::{Instance, Loop, Node};
use crate::scop::AccessKind;
use crate::transform::BufferId;
use std::collections::{BTreeMap, BTreeSet};

/// Iterations that are looked at.
const LOOKED_AT: i64 = 8;
/// Bytes of a vector.
const VECTOR: i64 = 32;
/// Cycles of a load, and of a store, of a scalar or a vector.
const LOAD: f64 = 0.5;
const STORE: f64 = 1.0;
/// Cycles of a load or store of one lane in a vector instruction.
const LANE: f64 = 1.3;
/// Instructions in a cycle.
const WIDTH: f64 = 4.0;
/// Cycles to begin a vector loop and to end it.
const VECTOR_LOOP: f64 = 12.0;
/// Cycles of a branch that depends on data or on the loop's variable.
const BRANCH: f64 = 1.5;
/// Instructions that are executed out of order.
const WINDOW: f64 = 500.0;

/// One access of an iteration.
#[derive(Clone, Copy, Debug)]
struct Touch {
    buffer: BufferId,
    offset: i64,
    write: bool,
    /// Cycles from what is read to what is stored.
    latency: f64,
    reduced: bool,
}

/// One iteration, with all that is unrolled in it.
#[derive(Clone, Debug, Default)]
struct Iteration {
    touches: Vec<Touch>,
    cycles: f64,
    /// Cycles of divisions, and of those for each number of a vector.
    divisions: [f64; 2],
    calls: bool,
    branches: usize,
}

impl Model<'_> {
    /// Cycles of an innermost loop of so many iterations, of which the one in the middle is at hand.
    pub(super) fn innermost<'k>(
        &self,
        each: &'k Loop,
        trips: i64,
        middle: i64,
        values: &mut Values<'k>,
    ) -> Option<f64> {
        let looked_at = LOOKED_AT.min(trips);
        let mut iterations = Vec::new();
        for number in 0..looked_at {
            values.push((&each.var, middle + (number - looked_at / 2) * each.step));
            let mut iteration = Iteration::default();
            let done = self.iterate(&each.body, &each.var, values, &mut iteration);
            values.pop();
            done?;
            iterations.push(iteration);
        }
        Some(self.cycles(each, trips, &iterations))
    }

    /// Cycles of some nodes without loops.
    pub(super) fn straight<'k>(&self, nodes: &'k [Node], values: &mut Values<'k>) -> Option<f64> {
        let mut iteration = Iteration::default();
        self.iterate(nodes, "", values, &mut iteration)?;
        let (loads, stores) = self.unique(&iteration, &[]);
        let (loads, stores) = (loads.len() as f64, stores.len() as f64);
        Some(busy(
            iteration.cycles,
            LOAD * loads,
            STORE * stores,
            loads + stores,
        ))
    }

    /// Executes nodes whose loops are unrolled.
    fn iterate<'k>(
        &self,
        nodes: &'k [Node],
        var: &str,
        values: &mut Values<'k>,
        into: &mut Iteration,
    ) -> Option<()> {
        for node in nodes {
            match node {
                Node::For(each) => {
                    let first = self.memory.value(&each.lower, values)?;
                    let last = self.memory.value(&each.upper, values)?;
                    let mut at = first;
                    let mut number = 0;
                    while at <= last && number < UNROLLED {
                        values.push((&each.var, at));
                        let done = self.iterate(&each.body, var, values, into);
                        values.pop();
                        done?;
                        at += each.step;
                        number += 1;
                    }
                }
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    if condition.mentions(var) {
                        into.branches += 1;
                    }
                    let holds = self.memory.value(condition, values)? != 0;
                    let branch = if holds { then } else { otherwise };
                    self.iterate(branch, var, values, into)?;
                }
                Node::Statement(instance) => {
                    let work = self.work(instance);
                    into.cycles += work.cycles;
                    into.divisions[0] += work.divisions;
                    into.divisions[1] += work.divisions_in_vectors;
                    into.calls |= work.calls;
                    into.branches += usize::from(work.branches);
                    self.touch(instance, &work, values, into);
                }
                Node::Copies(copies) => {
                    for copy in copies {
                        self.iterate(copy, var, values, into)?;
                    }
                }
                Node::Scope { body, .. }
                | Node::Block { body, .. }
                | Node::Allocate { body, .. } => self.iterate(body, var, values, into)?,
                Node::GoesOn { .. } => return None,
            }
        }
        Some(())
    }

    fn touch(&self, instance: &Instance, work: &Work, values: &Values<'_>, into: &mut Iteration) {
        let statement = &self.memory.scop.statements[instance.statement];
        for kind in [AccessKind::Read, AccessKind::Write] {
            for (number, access) in statement.accesses.iter().enumerate() {
                if access.kind == kind {
                    into.touches.push(Touch {
                        buffer: instance.accesses[number].buffer,
                        offset: self.memory.offset(instance, number, values),
                        write: kind == AccessKind::Write,
                        latency: work.latencies[number],
                        reduced: work.reduced[number],
                    });
                }
            }
        }
    }

    /// Loads and stores that an iteration cannot do without: each cell once, what is stored first
    /// not loaded, variables and the cells of `kept` not at all.
    fn unique(&self, iteration: &Iteration, kept: &[(BufferId, i64)]) -> (Vec<usize>, Vec<usize>) {
        let mut seen: BTreeSet<(BufferId, i64)> = kept.iter().copied().collect();
        let mut stored = BTreeSet::new();
        let (mut loads, mut stores) = (Vec::new(), Vec::new());
        for (number, touch) in iteration.touches.iter().enumerate() {
            if self.memory.shape(touch.buffer).variable {
                continue;
            }
            let cell = (touch.buffer, touch.offset);
            if touch.write {
                if !kept.contains(&cell) && stored.insert(cell) {
                    stores.push(number);
                }
                seen.insert(cell);
            } else if seen.insert(cell) {
                loads.push(number);
            }
        }
        (loads, stores)
    }

    fn cycles(&self, each: &Loop, trips: i64, iterations: &[Iteration]) -> f64 {
        let Some(first) = iterations.first() else {
            return 0.0;
        };
        let next = iterations.get(1).unwrap_or(first);
        let alike = next.touches.len() == first.touches.len();
        let stride = |number: usize| -> Option<i64> {
            let (a, b) = (&first.touches[number], next.touches.get(number)?);
            alike.then(|| b.offset.wrapping_sub(a.offset))
        };
        let carried = self.carried(iterations);
        // What no iteration moves away from is in a register.
        let mut kept = Vec::new();
        for (number, touch) in first.touches.iter().enumerate() {
            if stride(number) == Some(0) && iterations.len() > 1 {
                kept.push((touch.buffer, touch.offset));
            }
        }
        let (loads, stores) = self.unique(first, &kept);
        let widest = first
            .touches
            .iter()
            .map(|t| self.memory.shape(t.buffer).element);
        let lanes = VECTOR / widest.max().unwrap_or(8).max(2);
        let (mut vectors, mut single) = ([0.0; 2], [0.0; 2]);
        for &number in loads.iter().chain(&stores) {
            let touch = &first.touches[number];
            let (kind, one) = if touch.write { (1, STORE) } else { (0, LOAD) };
            let element = self.memory.shape(touch.buffer).element;
            match stride(number) {
                Some(stride) if stride.abs() <= element => vectors[kind] += one,
                // Every second one: two vectors, and one that is put together.
                Some(stride) if stride.abs() <= 4 * element => {
                    vectors[kind] += one * (stride.abs() / element) as f64 * 1.5;
                }
                _ => single[kind] += LANE,
            }
        }
        let accesses = (loads.len() + stores.len()) as f64;
        let branches = first.branches as f64;
        let own = [LOAD * loads.len() as f64, STORE * stores.len() as f64];
        let plain = busy(first.cycles, own[0], own[1], accesses) + branches * BRANCH;
        let instructions =
            2.0 * first.cycles + 0.5 * loads.len() as f64 + stores.len() as f64 + 1.0;
        let waiting = carried.latency;
        // Short loops run beside those of the next iterations outside.
        let beside = (WINDOW / (instructions * trips as f64)).clamp(1.0, 8.0);
        let scalar = trips as f64 * plain.max(waiting / beside) + waiting.min(8.0);
        // Nobody has asked compilers to replace calls by those of a library of vectors.
        let possible = !first.calls && (each.simd || !carried.serial);
        if !possible || trips < lanes {
            return scalar;
        }
        let lane = lanes as f64;
        let one = branches
            + busy(
                first.cycles - first.divisions[0] + lane * first.divisions[1],
                vectors[0] + lane * single[0],
                vectors[1] + lane * single[1],
                accesses,
            );
        // Sizes are rarely those that are compared at: half a vector is left over.
        let rest = match each.iterations() {
            Some(_) => trips % lanes,
            None => (trips % lanes).max(lanes / 2),
        };
        let mut touches = first.touches.iter();
        let in_registers = touches.any(|t| self.memory.shape(t.buffer).in_registers);
        let begin = match each.iterations() {
            Some(_) if in_registers => 0.0,
            _ => VECTOR_LOOP,
        };
        let vector = (trips / lanes) as f64 * one + rest as f64 * plain + begin;
        if each.simd {
            vector
        } else {
            vector.min(scalar)
        }
    }

    /// What iterations need of those in front of them.
    fn carried(&self, iterations: &[Iteration]) -> Carried {
        let mut carried = Carried::default();
        // By cell, in which iteration it was written last.
        let mut written: BTreeMap<(BufferId, i64), usize> = BTreeMap::new();
        let mut data: BTreeMap<BufferId, i64> = BTreeMap::new();
        for (number, iteration) in iterations.iter().enumerate() {
            let mut own = BTreeSet::new();
            // A sum in several steps waits for each of them.
            let mut chains: BTreeMap<(BufferId, i64), f64> = BTreeMap::new();
            for touch in &iteration.touches {
                let cell = (touch.buffer, touch.offset);
                if touch.write {
                    own.insert(cell);
                    data.entry(touch.buffer).or_insert(touch.offset);
                    continue;
                }
                let before = written.contains_key(&cell);
                let chained = chains.contains_key(&cell);
                if before && (!own.contains(&cell) || chained) {
                    if !touch.reduced {
                        carried.serial = true;
                    }
                    let distance = number - written[&cell].min(number);
                    let latency = if touch.reduced {
                        touch.latency.min(1.0)
                    } else {
                        touch.latency
                    };
                    *chains.entry(cell).or_default() += latency / distance.max(1) as f64;
                }
                // It may be the same cell, for all that is known.
                let apart = data.get(&touch.buffer);
                let apart = apart.map(|other| other.wrapping_sub(touch.offset).unsigned_abs());
                carried.serial |= apart.is_some_and(|bytes| bytes >= FAR as u64 / 2);
            }
            let longest = chains.values().copied().fold(0.0, f64::max);
            carried.latency = carried.latency.max(longest);
            for cell in own {
                written.insert(cell, number);
            }
        }
        carried
    }
}

/// Cycles of operations, loads and stores that run side by side, so many accesses among them.
fn busy(operations: f64, loads: f64, stores: f64, accesses: f64) -> f64 {
    let instructions = 2.0 * operations + accesses + 1.0;
    operations.max(loads).max(stores).max(instructions / WIDTH)
}

/// What a loop's iterations wait for.
#[derive(Clone, Copy, Debug, Default)]
struct Carried {
    /// They have to be executed one after another.
    serial: bool,
    /// Cycles from one to the next.
    latency: f64,
}
