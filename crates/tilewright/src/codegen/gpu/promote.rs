//! Arrays of a tile in local memory (*Split tiling for GPUs*, 2013, section 5.1: what a tile uses
//! is loaded at its begin and stored at its end, and all between goes to shared memory).
//!
//! ```text
//! block (c1)                          block (c1)
//!   for (t…)                            copy in    what is read before it is written
//!     A[…] = … A[…] …          →        for (t…)
//!                                         tile[…] = … tile[…] …
//!                                       copy out   what was written
//! ```
//!
//! This is done at levels ([`super::levels`]). The cells of an array that are touched at and below
//! a level are a set whose parameters are the loop variables around it ([`super::cells`]); where
//! it lies in a box of constant size, the array has a buffer there.
//!
//! Neither copy goes to a cell that another block of the launch writes: copied in are cells that
//! the tile reads, copied out exactly those that it writes, and tiles of one launch do not depend
//! on each other. An array of which that is not known exactly stays where it is. Barriers are for
//! [`super::barriers`] to place: copies are statements like others.

use super::cells::{self, Access, Accesses};
use super::copies::{Copier, Spot};
use super::levels::{Level, Levels};
use super::live::live_in;
use super::mapping::Device;
use crate::codegen::kernel::{Index, Kernel, Node, Place, PlaceIndex};
use crate::codegen::names::Names;
use crate::plan::Promotion;
use crate::plan::promotion::Candidate;
use crate::scop::{AccessKind, Scop};
use crate::transform::{BufferId, BufferKind, Transformed};
use isl::{Result, Set};
use std::collections::BTreeSet;

/// A program some of whose arrays are in local memory.
pub struct Promoted {
    /// With statements that copy.
    pub scop: Scop,
    /// With the buffers.
    pub transformed: Transformed,
    /// With copies, and accesses to the buffers.
    pub kernel: Kernel,
}

/// An array's cells at a level.
pub(super) struct Footprint {
    /// Cells that are read before the tile writes them.
    pub live_in: Set,
    /// Cells that the tile writes.
    pub written: Set,
    /// Extents of a box with all of them.
    pub extents: Vec<i64>,
    /// Where that begins, per dimension.
    pub origin: Vec<isl::Aff>,
    /// At most so many accesses.
    times: i64,
}

/// What could be promoted: every array at every level where that is possible.
///
/// # Errors
/// isl's own.
pub fn candidates(
    scop: &Scop,
    transformed: &Transformed,
    kernel: &Kernel,
    device: &Device,
) -> Result<Vec<Candidate>> {
    let pass = Pass::new(scop, transformed, kernel, device);
    let mut all: Vec<Candidate> = Vec::new();
    let mut at_level = |level: &Level, nodes: &[Node], new: Vec<Node>| -> Result<Vec<Node>> {
        let accesses = pass.levels.reader.accesses(&level.outer, nodes)?;
        for buffer in pass.possible(&accesses) {
            if let Some(footprint) = pass.footprint(buffer, &accesses)? {
                all.push(pass.candidate(buffer, level, nodes, &footprint)?);
            }
        }
        Ok(new)
    };
    pass.levels.visit(kernel, &mut at_level)?;
    Ok(all)
}

/// Applies what the plan says. Groups and arrays for which nothing could be done are given back.
///
/// # Errors
/// isl's own.
pub fn promote(
    scop: &Scop,
    transformed: &Transformed,
    kernel: &Kernel,
    device: &Device,
    taken: &BTreeSet<String>,
) -> Result<(Promoted, Vec<(usize, String)>)> {
    let mut names = Names::new(scop, taken);
    let prefix = names.loop_prefix();
    for buffer in &kernel.buffers {
        names.take(&buffer.name);
    }
    for temporary in &kernel.temporaries {
        names.take(&temporary.name);
    }
    let pass = Pass::new(scop, transformed, kernel, device);
    let mut copier = Copier::new(scop, transformed, kernel, names, prefix);
    let mut done: BTreeSet<(usize, String)> = BTreeSet::new();
    let mut at_level = |level: &Level, nodes: &[Node], mut new: Vec<Node>| -> Result<Vec<Node>> {
        let here = |one: &&Promotion| one.depth == level.depth;
        let wanted = device.promote.get(level.group).into_iter().flatten();
        let wanted: Vec<&Promotion> = wanted.filter(here).collect();
        if wanted.is_empty() {
            return Ok(new);
        }
        let accesses = pass.levels.reader.accesses(&level.outer, nodes)?;
        let possible = pass.possible(&accesses);
        let spot = Spot {
            outer: &level.outer,
            vars: &level.vars,
            group: level.group,
        };
        for one in wanted {
            let buffer = scop.array_named(&one.array);
            let Some(buffer) = buffer.filter(|buffer| possible.contains(buffer)) else {
                continue;
            };
            let Some(footprint) = pass.footprint(buffer, &accesses)? else {
                continue;
            };
            if let Some(with) = copier.with_copies(buffer, &footprint, &spot, &new)? {
                new = with;
                done.insert((level.group, one.array.clone()));
            }
        }
        Ok(new)
    };
    let body = pass.levels.visit(kernel, &mut at_level)?;
    let mut missed = Vec::new();
    for (group, wanted) in device.promote.iter().enumerate() {
        for one in wanted {
            let key = (group, one.array.clone());
            if !done.contains(&key) && !missed.contains(&key) {
                missed.push(key);
            }
        }
    }
    Ok((copier.finish(kernel, body), missed))
}

struct Pass<'a> {
    scop: &'a Scop,
    transformed: &'a Transformed,
    levels: Levels<'a>,
}

impl<'a> Pass<'a> {
    fn new(
        scop: &'a Scop,
        transformed: &'a Transformed,
        kernel: &'a Kernel,
        device: &'a Device,
    ) -> Pass<'a> {
        Pass {
            scop,
            transformed,
            levels: Levels::new(scop, kernel, device),
        }
    }

    fn candidate(
        &self,
        buffer: BufferId,
        level: &Level,
        nodes: &[Node],
        footprint: &Footprint,
    ) -> Result<Candidate> {
        let array = &self.scop.arrays[self.transformed.buffers[buffer].array];
        let size = array.element.kind.bytes() as i64;
        let copied = |set: &Set| -> Result<i64> {
            match set.is_empty()? {
                true => Ok(0),
                false => Ok(cells::extents(set)?.map_or(i64::MAX, |e| cells::volume(&e))),
            }
        };
        let inwards = copied(&footprint.live_in)?;
        Ok(Candidate {
            group: level.group,
            launch: level.launch,
            array: array.name.clone(),
            depth: level.depth,
            bytes: cells::volume(&footprint.extents).saturating_mul(size),
            accesses: footprint.times,
            copied: inwards.saturating_add(copied(&footprint.written)?),
            scattered: nodes.iter().any(|node| self.scattered(node, buffer)),
        })
    }

    /// Arrays whose cells below a level are known exactly.
    fn possible(&self, accesses: &Accesses<'_>) -> Vec<BufferId> {
        let mut all: Vec<BufferId> = Vec::new();
        for access in &accesses.all {
            let buffer = access.place.buffer;
            if !all.contains(&buffer) {
                all.push(buffer);
            }
        }
        all.retain(|&buffer| {
            let Some(Some(kind)) = (self.transformed.buffers.get(buffer)).map(|b| {
                matches!(b.kind, BufferKind::Full).then_some(&self.scop.arrays[b.array].extents)
            }) else {
                return false;
            };
            let mut own = accesses.all.iter().filter(|a| a.place.buffer == buffer);
            !kind.is_empty()
                && !accesses.in_bounds.contains(&buffer)
                && !self.is_atomic(buffer)
                && own.all(|access| {
                    let reach = &accesses.reaches[access.reach];
                    access.exact && reach.domain.is_some() && is_affine(access.place)
                })
        });
        all
    }

    fn is_atomic(&self, buffer: BufferId) -> bool {
        let atomic = self.transformed.atomic.iter();
        let mut accesses = atomic.flat_map(|&id| &self.scop.statements[id].accesses);
        accesses.any(|access| access.array == self.transformed.buffers[buffer].array)
    }

    /// `None` where there is no box.
    fn footprint(
        &self,
        buffer: BufferId,
        accesses: &Accesses<'_>,
    ) -> Result<Option<Footprint>> {
        let own = accesses.all.iter().filter(|a| a.place.buffer == buffer);
        let mut touched: Option<Set> = None;
        let mut sets: [Option<Set>; 2] = [None, None];
        let mut times = 0i64;
        let mut seen: Vec<&Access<'_>> = Vec::new();
        for access in own {
            let reach = &accesses.reaches[access.reach];
            times = times.saturating_add(self.levels.reader.times(reach)?);
            let same = |other: &&Access<'_>| {
                other.place == access.place
                    && other.kind == access.kind
                    && other.reach == access.reach
            };
            if seen.iter().any(same) {
                continue;
            }
            seen.push(access);
            let Some(cells) = self.levels.reader.cells(access.place, reach)? else {
                return Ok(None);
            };
            for set in [
                &mut touched,
                &mut sets[usize::from(access.kind == AccessKind::Write)],
            ] {
                *set = Some(match set.take() {
                    Some(before) => before.union(&cells)?,
                    None => cells.clone(),
                });
            }
        }
        let Some(touched) = touched else {
            return Ok(None);
        };
        let touched = touched.coalesce()?;
        if touched.is_empty()? {
            return Ok(None);
        }
        let hull = touched.get_simple_fixed_box_hull()?;
        if !hull.is_valid()? {
            return Ok(None);
        }
        let (Some(extents), origin) = (
            hull.get_size()?.to_i64s()?,
            hull.get_offset()?.elements()?,
        ) else {
            return Ok(None);
        };
        // A single cell stays in a register as it is.
        if cells::volume(&extents) < 2 {
            return Ok(None);
        }
        let none = Set::empty(&touched.get_space()?)?;
        let or_none = |set: Option<Set>| match set {
            Some(set) => set.coalesce(),
            None => Ok(none.clone()),
        };
        let [read, written] = sets;
        let (read, written) = (or_none(read)?, or_none(written)?);
        eprintln!("DBG {buffer} read {} written {}", read.n_basic_set()?, written.n_basic_set()?);
        let live_in = match read.is_empty()? || written.is_empty()? {
            true => read,
            false => live_in(&self.levels.reader, buffer, accesses, &read)?,
        };
        Ok(Some(Footprint {
            live_in,
            written,
            extents,
            origin,
            times,
        }))
    }

    /// Whether neighbouring threads go to cells of an array that are not neighbours.
    fn scattered(&self, node: &Node, buffer: BufferId) -> bool {
        let Node::For(each) = node else {
            return node.children().any(|child| self.scattered(child, buffer));
        };
        let Some(dealt) = self.levels.builder.dealt(each).pop() else {
            return node.children().any(|child| self.scattered(child, buffer));
        };
        let mut found = false;
        node.instances(&mut |instance| {
            let mut own = instance.accesses.iter().filter(|p| p.buffer == buffer);
            found |= own.any(|place| is_scattered(place, &dealt.var));
        });
        found
    }
}

fn is_affine(place: &Place) -> bool {
    let affine = |index: &PlaceIndex| matches!(index, PlaceIndex::Affine(_));
    place.indices.iter().all(affine)
}

/// Whether the next value of a variable is not at the same or the next cell.
fn is_scattered(place: &Place, var: &str) -> bool {
    let Some((last, outer)) = place.indices.split_last() else {
        return false;
    };
    let mentions = |index: &PlaceIndex| matches!(index, PlaceIndex::Affine(i) if i.mentions(var));
    let near = |index: &Index| index.coefficient(var).is_some_and(|c| c.abs() <= 1);
    outer.iter().any(mentions) || !matches!(last, PlaceIndex::Affine(index) if near(index))
}
