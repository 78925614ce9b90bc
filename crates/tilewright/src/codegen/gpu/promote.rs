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
use super::levels::{AtLevel, Level, Levels};
use super::live::live_in;
use super::mapping::Device;
use crate::codegen::CodegenOptions;
use crate::codegen::kernel::{Index, Kernel, Node, Place, PlaceIndex};
use crate::codegen::names::Names;
use crate::plan::promotion::Candidate;
use crate::scop::{AccessKind, Scop};
use crate::transform::{BufferId, BufferKind, Transformed};
use isl::{Result, Set};

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

/// An array that can be promoted at a level.
pub struct Found {
    /// For the planner.
    pub candidate: Candidate,
    /// The number of the level.
    level: usize,
    buffer: BufferId,
    footprint: Footprint,
}

/// What can be promoted, in every launch; where the plan says nothing, no further inside than at
/// the first level at which an array fits.
///
/// # Errors
/// isl's own.
pub fn find(
    scop: &Scop,
    transformed: &Transformed,
    kernel: &Kernel,
    device: &Device,
) -> Result<Vec<Found>> {
    let levels = Levels::new(scop, kernel, device);
    let mut search = Search {
        pass: Pass {
            scop,
            transformed,
            levels: &levels,
        },
        most: match device.groups.iter().all(|blocks| blocks.promote.is_empty()) {
            true => device.local_memory,
            false => 0,
        },
        settled: Vec::new(),
        found: Vec::new(),
    };
    levels.visit(kernel, &mut search)?;
    Ok(search.found)
}

struct Search<'a> {
    pass: Pass<'a>,
    /// Bytes up to which an array is not looked for further inside.
    most: i64,
    /// Per level around, arrays that are not.
    settled: Vec<Vec<BufferId>>,
    found: Vec<Found>,
}

impl AtLevel for Search<'_> {
    fn enter(&mut self, level: &Level, nodes: &[Node]) -> Result<()> {
        let accesses = self.pass.levels.reader.accesses(&level.outer, nodes)?;
        let mut settled = Vec::new();
        for buffer in self.pass.possible(&accesses) {
            if self.settled.iter().flatten().any(|&other| other == buffer) {
                continue;
            }
            let Some(footprint) = self.pass.footprint(buffer, &accesses)? else {
                continue;
            };
            let candidate = self.pass.candidate(buffer, level, nodes, &footprint)?;
            if candidate.bytes <= self.most {
                settled.push(buffer);
            }
            self.found.push(Found {
                candidate,
                level: level.number,
                buffer,
                footprint,
            });
        }
        self.settled.push(settled);
        Ok(())
    }

    fn leave(&mut self, _: &Level, nodes: Vec<Node>) -> Result<Vec<Node>> {
        self.settled.pop();
        Ok(nodes)
    }
}

/// Promotes what was found and chosen, by position. Those for which copies would be too much text
/// are given back.
///
/// # Errors
/// isl's own.
pub fn promote(
    scop: &Scop,
    transformed: &Transformed,
    kernel: &Kernel,
    options: &CodegenOptions,
    found: &[Found],
    chosen: &[usize],
) -> Result<(Promoted, Vec<usize>)> {
    let mut names = Names::new(scop, &options.taken_names);
    let prefix = names.loop_prefix();
    for buffer in &kernel.buffers {
        names.take(&buffer.name);
    }
    for temporary in &kernel.temporaries {
        names.take(&temporary.name);
    }
    let mut application = Application {
        copier: Copier::new(scop, transformed, kernel, names, prefix),
        found,
        chosen,
        missed: Vec::new(),
    };
    let levels = Levels::new(scop, kernel, &options.device);
    let body = levels.visit(kernel, &mut application)?;
    Ok((application.copier.finish(kernel, body), application.missed))
}

struct Application<'a> {
    copier: Copier,
    found: &'a [Found],
    chosen: &'a [usize],
    missed: Vec<usize>,
}

impl AtLevel for Application<'_> {
    fn enter(&mut self, _: &Level, _: &[Node]) -> Result<()> {
        Ok(())
    }

    fn leave(&mut self, level: &Level, mut nodes: Vec<Node>) -> Result<Vec<Node>> {
        let spot = Spot {
            outer: &level.outer,
            vars: &level.vars,
            group: level.group,
        };
        for &position in self.chosen {
            let Some(one) = self.found.get(position).filter(|f| f.level == level.number) else {
                continue;
            };
            let with = self
                .copier
                .with_copies(one.buffer, &one.footprint, &spot, &nodes)?;
            match with {
                Some(with) => nodes = with,
                None => self.missed.push(position),
            }
        }
        Ok(nodes)
    }
}

struct Pass<'a> {
    scop: &'a Scop,
    transformed: &'a Transformed,
    levels: &'a Levels<'a>,
}

impl Pass<'_> {
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
    fn footprint(&self, buffer: BufferId, accesses: &Accesses<'_>) -> Result<Option<Footprint>> {
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
        let (Some(extents), origin) = (hull.get_size()?.to_i64s()?, hull.get_offset()?.elements()?)
        else {
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
