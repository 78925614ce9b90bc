//! Which scratchpads of a tile are the same memory (Zhao & Cohen, TACO 2019, section 3.5).
//!
//! A scratchpad is needed from the first nest that writes it to the last one that reads it. Two
//! scratchpads of one tile whose intervals do not overlap share memory. Where stages take turns,
//! the nests are executed once per turn: what is read in later turns is needed all the time, and
//! the intervals of the others lie within a turn.
//!
//! The intervals are coloured greedily, the largest scratchpad first, each into the first memory
//! that is free while it is needed: the first one of each list is the largest. Scratchpads share
//! only with those of the same element type.

use crate::analysis::overlap::alignment::Alignment;
use crate::analysis::overlap::footprint::{Footprint, GroupTiles};
use crate::analysis::stages::{StageGraph, StageId};
use crate::plan::Overlapped;
use crate::plan::defaults::LOCAL_ALIGNMENT as ALIGNMENT;
use crate::scop::{ScalarType, Scop};

/// A scratchpad and the nests between which it is needed.
#[derive(Clone, Debug)]
struct Interval<'s> {
    name: &'s str,
    element: &'s ScalarType,
    bytes: i64,
    first: usize,
    last: usize,
}

impl Interval<'_> {
    fn overlaps(&self, other: &Interval) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

/// Decides [`Overlapped::share`] for a group whose scratchpads and turns are decided: `alignment` is
/// that of its interleaved dimension. `nests` are in the order of execution.
pub(crate) fn share(
    scop: &Scop,
    graph: &StageGraph,
    nests: &[Vec<StageId>],
    tiles: &GroupTiles,
    alignment: Option<&Alignment>,
    plan: &mut Overlapped,
) {
    let mut intervals = intervals(scop, graph, nests, tiles, alignment, plan);
    // The sort is stable: of equal ones the first in the order of execution comes first.
    intervals.sort_by_key(|interval| -interval.bytes);
    plan.share = colour(&intervals);
}

/// The scratchpads that are not needed all the time, in the order of execution.
fn intervals<'s>(
    scop: &'s Scop,
    graph: &'s StageGraph,
    nests: &[Vec<StageId>],
    tiles: &GroupTiles,
    alignment: Option<&Alignment>,
    plan: &Overlapped,
) -> Vec<Interval<'s>> {
    let mut intervals = Vec::new();
    let nest_of = |stage: StageId| nests.iter().position(|nest| nest.contains(&stage));
    for &stage in nests.iter().flatten() {
        let name = &graph.stages[stage].name;
        let footprint = tiles.footprints.iter().find(|f| f.stage == stage);
        let Some(footprint) = footprint.filter(|_| plan.local.contains(name)) else {
            continue;
        };
        let mut extents = footprint.extents.clone();
        if let Some(alignment) = alignment {
            let turn = turn(nests, alignment, plan);
            let (Some(aligned), Some(turn)) = (alignment.of(stage), turn) else {
                continue;
            };
            if !aligned.dies_in_its_turn(turn) {
                continue;
            }
            if plan.folded.contains(name) {
                let alive = aligned.folded(turn);
                extents[aligned.dimension] = match extents[aligned.dimension] {
                    0 => alive,
                    whole => alive.min(whole),
                };
            }
        }
        let Some(first) = nest_of(stage) else {
            continue;
        };
        let element = &scop.arrays[footprint.array].element;
        let cells: i64 = extents.iter().product();
        intervals.push(Interval {
            name,
            element,
            bytes: cells.saturating_mul(element.kind.bytes() as i64),
            first,
            last: graph
                .consumers(stage)
                .filter_map(nest_of)
                .max()
                .unwrap_or(first),
        });
    }
    intervals
}

/// Bytes of all scratchpads of a group, those that share memory once; folded ones as if they were
/// not.
pub(crate) fn bytes(scop: &Scop, graph: &StageGraph, tiles: &GroupTiles, plan: &Overlapped) -> i64 {
    let of = |name: &String| {
        let named = |f: &&Footprint| graph.stages[f.stage].name == *name;
        tiles.footprints.iter().find(named).map_or(0, |footprint| {
            let element = scop.arrays[footprint.array].element.kind.bytes() as i64;
            let bytes = footprint.cells().saturating_mul(element);
            bytes.saturating_add(ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT
        })
    };
    let alone = |name: &&String| !plan.share.iter().any(|list| list.contains(name));
    let alone = plan.local.iter().filter(alone).map(of);
    let together = plan.share.iter();
    let together = together.map(|list| list.iter().map(of).max().unwrap_or(0));
    alone.chain(together).fold(0, i64::saturating_add)
}

/// Dates per turn in the one dimension in which the stages take turns.
fn turn(nests: &[Vec<StageId>], alignment: &Alignment, plan: &Overlapped) -> Option<i64> {
    let [along] = plan.interleave[..] else {
        return None;
    };
    let &out = nests.iter().flatten().max()?;
    Some(alignment.of(out)?.scale * along.block)
}

/// Lists of names, each of at least two whose intervals are disjoint.
fn colour(intervals: &[Interval]) -> Vec<Vec<String>> {
    let mut colours: Vec<Vec<&Interval>> = Vec::new();
    for interval in intervals {
        let fits = |colour: &&mut Vec<&Interval>| {
            let alike =
                |other: &&Interval| other.element == interval.element && !other.overlaps(interval);
            colour.iter().all(alike)
        };
        match colours.iter_mut().find(fits) {
            Some(colour) => colour.push(interval),
            None => colours.push(vec![interval]),
        }
    }
    colours.retain(|colour| colour.len() > 1);
    let names = |colour: Vec<&Interval>| colour.iter().map(|i| i.name.to_owned()).collect();
    colours.into_iter().map(names).collect()
}
