//! Lines that come from behind the first cache.
//!
//! A cell that the next iteration of a loop uses again is still there if everything that one
//! iteration runs through fits in the cache. So an access fetches its different lines, and those once
//! for each iteration of a loop that uses them again and is too long. Lines whose addresses differ by
//! a multiple of a power of two, as those of a column of 512 numbers, share few sets of a cache and
//! evict each other long before it is full.

use super::places::Values;
use super::{Model, middle};
use crate::codegen::kernel::{Loop, Node};
use crate::scop::AccessKind;
use crate::transform::BufferId;
use std::collections::BTreeSet;

/// Bytes of a line.
const LINE: f64 = 64.0;

/// A cache.
#[derive(Clone, Copy, Debug)]
struct Cache {
    /// How much it holds.
    bytes: f64,
    /// Cycles of a line that is not in there and whose turn comes in order.
    line: f64,
    /// Lines that a set holds, and bytes after which lines are in the same set again.
    sets: Option<(f64, u64)>,
}

/// As current processors have them. Second caches have sets, too, but misses of columns in these
/// overlap: a lower triangular matrix times its transpose, tiled such that vectors go down columns, took
/// 1.5 ns for a product of 1024 rows and 1.2 of 2048 (a Xeon with other work on it, once).
const CACHES: [Cache; 3] = [
    Cache {
        bytes: 32e3,
        line: 1.0,
        sets: Some((8.0, 4 << 10)),
    },
    Cache {
        bytes: 1.5e6,
        line: 4.0,
        sets: None,
    },
    Cache {
        bytes: 16e6,
        line: 12.0,
        sets: None,
    },
];
/// How many times as long lines take that evict each other: chosen such that what was measured is
/// predicted to be a loss. That product took 0.5 ns with 1000 rows; attention with 1024 channels 16.9 ms
/// such, 7.3 with its rows as they were written, and 8.0 either way with 1000.
const CROWDED: f64 = 4.0;
/// How many times as long lines take that come in no order.
const SCATTERED: f64 = 2.5;

/// Bytes between accesses of one line.
const WITHIN: u64 = 64;
/// Iterations of a loop between accesses of one line, as rows of a window, at most.
const NEAR: i64 = 16;

/// An access in its loops.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stream {
    buffer: BufferId,
    offset: i64,
    write: bool,
    /// Its loops by number, outermost first.
    loops: Vec<usize>,
    /// Bytes from one iteration of each to the next.
    strides: Vec<i64>,
}

/// A loop around a statement.
struct Around<'k> {
    /// Its number in [`Streams::trips`].
    number: usize,
    each: &'k Loop,
    /// Which of its iterations is looked at.
    iteration: i64,
}

/// What a nest runs through.
#[derive(Debug, Default)]
struct Streams {
    /// At which part of their iterations the outermost loops are looked at.
    part: f64,
    /// Iterations of each loop.
    trips: Vec<i64>,
    all: BTreeSet<Stream>,
}

impl Model<'_> {
    /// Cycles until all lines are there.
    pub(super) fn lines(&self, nodes: &[Node], part: f64) -> Option<f64> {
        let mut streams = Streams {
            part,
            ..Streams::default()
        };
        self.collect(nodes, &mut Values::new(), &mut Vec::new(), &mut streams)?;
        let whole: f64 = self.distinct(&streams, None);
        // Of one iteration of each loop.
        let iterations: Vec<f64> = (0..streams.trips.len())
            .map(|number| self.distinct(&streams, Some(number)))
            .collect();
        let mut cycles = 0.0;
        for cache in CACHES {
            let Cache {
                bytes, line: one, ..
            } = cache;
            let fits = whole * LINE <= bytes;
            let stays =
                |number: usize, turns: i64| turns as f64 * iterations[number] * LINE <= bytes;
            for stream in streams.merged(0, &stays) {
                let crowds = |from: usize| self.crowds(stream, from, &streams.trips, cache);
                // In the next iteration of a loop along a line another one is in its place.
                let along = stream.strides.iter().enumerate();
                let mut along = along.filter(|(_, stride)| (stride.abs() as f64) < LINE);
                let crowded = along.any(|(at, _)| crowds(at + 1));
                if fits && !crowded {
                    continue;
                }
                let again = |number: usize| {
                    let at = stream.loops.iter().position(|&other| other == number);
                    iterations[number] * LINE > bytes || at.is_some_and(|at| crowds(at + 1))
                };
                let lines = self.fetched(stream, &streams.trips, &again);
                let nearest = stream.strides.iter().rev().find(|stride| **stride != 0);
                let ordered = nearest.is_none_or(|one| one.abs() <= 64);
                let ways = if stream.write { 2.0 } else { 1.0 };
                let order = match (ordered, crowded) {
                    (true, _) => 1.0,
                    (false, false) => SCATTERED,
                    (false, true) => CROWDED,
                };
                cycles += lines * one * ways * order;
            }
        }
        Some(cycles)
    }

    fn collect<'k>(
        &self,
        nodes: &'k [Node],
        values: &mut Values<'k>,
        around: &mut Vec<Around<'k>>,
        into: &mut Streams,
    ) -> Option<()> {
        for node in nodes {
            match node {
                Node::For(each) => {
                    let (first, trips) = self.trips(each, values)?;
                    if trips == 0 {
                        continue;
                    }
                    let iteration = if around.is_empty() {
                        ((trips - 1) as f64 * into.part).round() as i64
                    } else {
                        middle(trips, around.len())
                    };
                    into.trips.push(trips);
                    around.push(Around {
                        number: into.trips.len() - 1,
                        each,
                        iteration,
                    });
                    values.push((&each.var, first + iteration * each.step));
                    let done = self.collect(&each.body, values, around, into);
                    values.pop();
                    around.pop();
                    done?;
                }
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let holds = self.memory.value(condition, values)? != 0;
                    let branch = if holds { then } else { otherwise };
                    self.collect(branch, values, around, into)?;
                }
                Node::Statement(instance) => {
                    let statement = &self.memory.scop.statements[instance.statement];
                    for (number, access) in statement.accesses.iter().enumerate() {
                        let buffer = instance.accesses[number].buffer;
                        if self.memory.shape(buffer).variable {
                            continue;
                        }
                        let offset = self.memory.offset(instance, number, values);
                        let next = (0..around.len()).map(|depth| {
                            let next = self.next(around, depth, values)?;
                            Some(self.memory.offset(instance, number, &next))
                        });
                        let next = next.collect::<Option<Vec<i64>>>()?;
                        let strides = next.iter().map(|next| next.wrapping_sub(offset));
                        into.all.insert(Stream {
                            buffer,
                            offset,
                            write: access.kind == AccessKind::Write,
                            loops: around.iter().map(|around| around.number).collect(),
                            strides: strides.collect(),
                        });
                    }
                }
                Node::GoesOn { .. } => return None,
                other => {
                    for child in other.children() {
                        self.collect(std::slice::from_ref(child), values, around, into)?;
                    }
                }
            }
        }
        Some(())
    }

    /// Values of variables in the next iteration of one of the loops around a statement, and in the
    /// same iterations of those inside, which may begin elsewhere there: where it is over tiles.
    fn next<'k>(
        &self,
        around: &[Around<'k>],
        depth: usize,
        values: &Values<'k>,
    ) -> Option<Values<'k>> {
        let mut next = values[..depth].to_vec();
        next.push((values[depth].0, values[depth].1 + around[depth].each.step));
        for inside in &around[depth + 1..] {
            let first = self.memory.value(&inside.each.lower, &next)?;
            let value = first + inside.iteration * inside.each.step;
            next.push((&inside.each.var, value));
        }
        Some(next)
    }

    /// Lines that one iteration of a loop runs through, or all that is executed.
    fn distinct(&self, streams: &Streams, number: Option<usize>) -> f64 {
        let from = |stream: &Stream| match number {
            None => Some(0),
            Some(number) => {
                let at = stream.loops.iter().position(|&other| other == number);
                at.map(|at| at + 1)
            }
        };
        // A loop has the same ones around it wherever it is.
        let Some(from) = streams.all.iter().find_map(from) else {
            return 0.0;
        };
        let within = |stream: &&Stream| {
            number.is_none_or(|number| stream.loops.get(from - 1) == Some(&number))
        };
        let merged = streams.merged(from, &|_, _| true);
        let lines = merged
            .into_iter()
            .filter(within)
            .map(|stream| self.dense(stream, from, &streams.trips, &|_| false));
        lines.sum()
    }

    /// Whether lines of a stream, in its loops from one on, are more than the sets of a cache hold that
    /// they are in.
    fn crowds(&self, stream: &Stream, from: usize, trips: &[i64], cache: Cache) -> bool {
        let Some((ways, period)) = cache.sets else {
            return false;
        };
        let mut steps: Vec<(u64, f64)> = (stream.strides.iter().zip(&stream.loops).skip(from))
            .filter(|(stride, _)| **stride != 0)
            .map(|(stride, number)| (stride.unsigned_abs(), trips[*number] as f64))
            .collect();
        steps.sort_by_key(|(stride, _)| *stride);
        let (mut sets, mut span) = (1.0, self.memory.shape(stream.buffer).element as f64);
        for (stride, trips) in steps {
            if stride as f64 <= span.max(LINE) {
                span += stride as f64 * (trips - 1.0);
            } else {
                // `stride` is not zero, `period` a power of two: their greatest common divisor.
                let common = (1 << stride.trailing_zeros().min(63)).min(period);
                sets *= trips.min((period / common) as f64);
            }
        }
        let sets = (sets * (span / LINE).max(1.0)).min(period as f64 / LINE);
        self.dense(stream, from, trips, &|_| false) > sets * ways
    }

    /// Lines of a stream that are fetched, where those of the last iteration of a loop are not there
    /// any more, or `again` says so of it.
    fn fetched(&self, stream: &Stream, trips: &[i64], again: &dyn Fn(usize) -> bool) -> f64 {
        let mut lines = self.dense(stream, 0, trips, again);
        for (&stride, &number) in stream.strides.iter().zip(&stream.loops) {
            let near = (stride.abs() as f64) < LINE;
            if near && again(number) {
                lines *= trips[number] as f64;
            }
        }
        lines
    }

    /// Different lines of a stream in its loops from one on, without those that walk within lines
    /// and of which `again` is true.
    fn dense(
        &self,
        stream: &Stream,
        from: usize,
        trips: &[i64],
        again: &dyn Fn(usize) -> bool,
    ) -> f64 {
        let mut steps = Vec::new();
        for (&stride, &number) in stream.strides.iter().zip(&stream.loops).skip(from) {
            let trips = trips[number] as f64;
            match stride {
                0 => {}
                stride if (stride.abs() as f64) < LINE && again(number) => {}
                stride => steps.push((stride.abs() as f64, trips)),
            }
        }
        steps.sort_by(|a, b| a.0.total_cmp(&b.0));
        let element = self.memory.shape(stream.buffer).element as f64;
        let (mut lines, mut span) = (1.0, element);
        for (stride, trips) in steps {
            if stride <= span.max(LINE) {
                span += stride * (trips - 1.0);
            } else {
                lines *= trips;
            }
        }
        let most = (self.memory.shape(stream.buffer).all / LINE).max(1.0);
        (lines * (span / LINE).max(1.0)).min(most)
    }
}

impl Streams {
    /// Streams without those that run through the same lines as another one: in the same iteration of
    /// all loops, or so many iterations earlier or later of one from number `from` on that they `stay`.
    fn merged(&self, from: usize, stay: &dyn Fn(usize, i64) -> bool) -> Vec<&Stream> {
        let mut kept: Vec<&Stream> = Vec::new();
        for stream in &self.all {
            let same = |other: &&Stream| {
                other.buffer == stream.buffer
                    && other.loops == stream.loops
                    && other.strides == stream.strides
                    && self.meets(stream, other.offset.wrapping_sub(stream.offset), from, stay)
            };
            if !kept.iter().any(same) {
                kept.push(stream);
            }
        }
        kept
    }

    /// Whether a stream is where one at a distance is in the same iteration, or in a near one.
    fn meets(
        &self,
        stream: &Stream,
        distance: i64,
        from: usize,
        stay: &dyn Fn(usize, i64) -> bool,
    ) -> bool {
        if distance.unsigned_abs() < WITHIN {
            return true;
        }
        let loops = stream.strides.iter().zip(&stream.loops).skip(from);
        loops
            .filter(|(stride, _)| **stride != 0)
            .any(|(&stride, &number)| {
                // To the nearest number of iterations.
                let turns = (distance as f64 / stride as f64).round() as i64;
                let near = distance
                    .wrapping_sub(turns.wrapping_mul(stride))
                    .unsigned_abs()
                    < WITHIN;
                near && turns.abs() <= NEAR.min(self.trips[number] / 2) && stay(number, turns.abs())
            })
    }
}
