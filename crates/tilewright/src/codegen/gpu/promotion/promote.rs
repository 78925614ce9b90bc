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
//! This is done at levels ([`crate::codegen::gpu::grids::levels`]). The cells of an array that are touched at and below
//! a level are a set whose parameters are the loop variables around it ([`crate::codegen::gpu::conflicts::cells`],
//! [`crate::codegen::gpu::promotion::footprint`]); where it lies in a box of constant size, the array has a buffer there.
//! Where it does not, and the level only reads the array, groups of references may each have such a
//! box, and a buffer ([`crate::codegen::gpu::promotion::references`]).
//!
//! Neither copy goes to a cell that another block of the launch writes: copied in are cells that
//! the tile reads, or that nobody writes meanwhile, copied out exactly those that it writes, and
//! tiles of one launch do not depend on each other. These are sets with many cases at the corners
//! of tiles; [`crate::codegen::gpu::promotion::transfer`] finds simple ones. Barriers are for [`crate::codegen::gpu::conflicts::barriers`] to place:
//! copies are statements like others.
//!
//! [`find`] does all that takes sets; [`promote`] only rewrites the code.

use crate::codegen::CodegenOptions;
use crate::codegen::gpu::conflicts::cells;
use crate::codegen::gpu::conflicts::cells::Accesses;
use crate::codegen::gpu::conflicts::other_blocks::Block;
use crate::codegen::gpu::grids::levels::{AtLevel, Level, Levels};
use crate::codegen::gpu::promotion::copies::{Boxed, Copier};
use crate::codegen::gpu::promotion::copy_loops::Walker;
use crate::codegen::gpu::promotion::footprint::Footprint;
use crate::codegen::gpu::promotion::references::{References, grouped};
use crate::codegen::gpu::promotion::transfer::{Outwards, Transfer, Transfers};
use crate::codegen::kernel::{Index, Kernel, Node, Place, PlaceIndex};
use crate::codegen::names::Names;
use crate::plan::defaults::{PROMOTION_ATTEMPTS, PROMOTION_EXCESSES};
use crate::planner::promotion::{Candidate, Obstacle, Refused};
use crate::scop::Scop;
use crate::transform::{BufferId, BufferKind, Transformed};
use isl::{ErrorKind, Result, Set};

/// A program some of whose arrays are in local memory.
pub struct Promoted {
    /// With statements that copy.
    pub scop: Scop,
    /// With the buffers.
    pub transformed: Transformed,
    /// With copies, and accesses to the buffers.
    pub kernel: Kernel,
}

/// An array, or a group of references to one, that can be promoted at a level.
pub struct Found {
    /// For the planner.
    pub candidate: Candidate,
    /// The number of the level.
    level: usize,
    buffer: BufferId,
    references: References,
    footprint: Footprint,
    transfer: Transfer,
}

/// What can be promoted, in every launch; where the plan says nothing, no further inside than at
/// the first level at which an array fits. With it, what cannot be at some level, and why.
/// `sparingly` bounds the work for one array at one level.
///
/// # Errors
/// isl's own.
pub fn find(
    scop: &Scop,
    transformed: &Transformed,
    kernel: &Kernel,
    options: &CodegenOptions,
    sparingly: &Sparingly<'_>,
) -> Result<(Vec<Found>, Vec<Refused>)> {
    let device = &options.device;
    let levels = Levels::new(scop, kernel, device);
    let prefix = Names::new(scop, &options.taken_names).loop_prefix();
    let mut search = Search {
        pass: Pass {
            scop,
            transformed,
            levels: &levels,
            prefix: &prefix,
            picked: picked(kernel),
            local_memory: device.local_memory,
            sparingly,
        },
        most: if device.groups.iter().all(|blocks| blocks.promote.is_empty()) {
            device.local_memory
        } else {
            0
        },
        settled: Vec::new(),
        block: None,
        attempts: PROMOTION_ATTEMPTS,
        excesses: PROMOTION_EXCESSES,
        found: Vec::new(),
        refused: Vec::new(),
    };
    levels.visit(kernel, &mut search)?;
    Ok((search.found, search.refused))
}

/// Does some work within a budget.
pub type Sparingly<'s> = dyn Fn(&mut dyn FnMut() -> Result<()>) -> Result<()> + 's;

/// What came of an array at a level: itself, or its groups of references.
type Attempt = std::result::Result<Vec<Found>, Obstacle>;

struct Search<'a> {
    pass: Pass<'a>,
    /// Bytes up to which an array is not looked for further inside.
    most: i64,
    /// Per level around, arrays that are not.
    settled: Vec<Vec<BufferId>>,
    /// The block that the pass is in.
    block: Option<Block>,
    /// How many arrays and levels may still be tried.
    attempts: usize,
    /// How many of them may still exceed their budget.
    excesses: usize,
    found: Vec<Found>,
    refused: Vec<Refused>,
}

impl AtLevel for Search<'_> {
    fn enter(&mut self, level: &Level, nodes: &[Node]) -> Result<()> {
        let reader = &self.pass.levels.reader;
        let accesses = reader.accesses(&level.outer, nodes)?;
        if level.depth == 0 {
            self.block = Some(Block::new(reader, level, &accesses)?);
        }
        let mut settled = Vec::new();
        for buffer in arrays(&accesses) {
            if self.settled.iter().flatten().any(|&other| other == buffer) {
                continue;
            }
            let attempt = match self.pass.obstacle(buffer, &accesses) {
                None => self.attempt(buffer, level, nodes, &accesses)?,
                Some(Obstacle::Cell) => continue,
                Some(obstacle) => Err(obstacle),
            };
            match attempt {
                Ok(found) => {
                    let bytes = found.iter().map(|one| one.candidate.bytes);
                    if bytes.fold(0, i64::saturating_add) <= self.most {
                        settled.push(buffer);
                    }
                    self.found.extend(found);
                }
                Err(Obstacle::Cell) => {}
                Err(obstacle) => self.refused.push(Refused {
                    group: level.group,
                    launch: level.launch,
                    array: self.pass.name(buffer),
                    obstacle,
                }),
            }
        }
        self.settled.push(settled);
        Ok(())
    }

    fn leave(&mut self, _: &Level, nodes: Vec<Node>) -> Result<Vec<Node>> {
        self.settled.pop();
        Ok(nodes)
    }
}

impl Search<'_> {
    /// Tries an array, if there is something left of the budget for all of them.
    fn attempt(
        &mut self,
        buffer: BufferId,
        level: &Level,
        nodes: &[Node],
        accesses: &Accesses<'_>,
    ) -> Result<Attempt> {
        if self.attempts == 0 || self.excesses == 0 {
            return Ok(Err(Obstacle::Budget));
        }
        self.attempts -= 1;
        let (pass, Some(block)) = (&self.pass, &self.block) else {
            return Ok(Err(Obstacle::Data));
        };
        let mut attempt = Err(Obstacle::Budget);
        let outcome = (pass.sparingly)(&mut || {
            attempt = pass.attempt(buffer, level, nodes, accesses, block)?;
            Ok(())
        });
        match outcome {
            Ok(()) => Ok(attempt),
            Err(error) if error.is_quota() => {
                self.excesses -= 1;
                Ok(Err(Obstacle::Budget))
            }
            // Something has no form in C.
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                Ok(Err(Obstacle::Conditions(usize::MAX)))
            }
            Err(error) => Err(error),
        }
    }
}

/// Arrays and buffers that are accessed.
fn arrays(accesses: &Accesses<'_>) -> Vec<BufferId> {
    let mut all: Vec<BufferId> = Vec::new();
    for access in &accesses.all {
        let buffer = access.place.buffer;
        if !all.contains(&buffer) {
            all.push(buffer);
        }
    }
    all
}

/// Promotes what was found and chosen, by position.
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
) -> Result<Promoted> {
    let mut names = Names::new(scop, &options.taken_names);
    for buffer in &kernel.buffers {
        names.take(&buffer.name);
    }
    for temporary in &kernel.temporaries {
        names.take(&temporary.name);
    }
    let mut application = Application {
        copier: Copier::new(scop, transformed, kernel, names),
        found,
        chosen,
    };
    let levels = Levels::new(scop, kernel, &options.device);
    let body = levels.visit(kernel, &mut application)?;
    Ok(application.copier.finish(kernel, body))
}

struct Application<'a> {
    copier: Copier,
    found: &'a [Found],
    chosen: &'a [usize],
}

impl AtLevel for Application<'_> {
    fn enter(&mut self, _: &Level, _: &[Node]) -> Result<()> {
        Ok(())
    }

    fn leave(&mut self, level: &Level, mut nodes: Vec<Node>) -> Result<Vec<Node>> {
        let own = self.chosen.iter().filter_map(|&at| self.found.get(at));
        let own: Vec<&Found> = own.filter(|one| one.level == level.number).collect();
        for (at, one) in own.iter().enumerate() {
            let of_array = |other: &&&Found| other.buffer == one.buffer;
            if own[..at].iter().any(|other| of_array(&other)) {
                continue;
            }
            // References are counted before any of them goes to a buffer.
            let boxes = own[at..].iter().filter(of_array).map(|one| Boxed {
                references: &one.references,
                footprint: &one.footprint,
                transfer: &one.transfer,
            });
            let boxes: Vec<Boxed<'_>> = boxes.collect();
            let copier = &mut self.copier;
            nodes = copier.with_copies(one.buffer, &boxes, level.group, nodes)?;
        }
        Ok(nodes)
    }
}

struct Pass<'a> {
    scop: &'a Scop,
    transformed: &'a Transformed,
    levels: &'a Levels<'a>,
    prefix: &'a str,
    /// Buffers whose cells data picks, somewhere.
    picked: Vec<BufferId>,
    /// Bytes of a block's.
    local_memory: i64,
    sparingly: &'a Sparingly<'a>,
}

impl Pass<'_> {
    fn name(&self, buffer: BufferId) -> String {
        let array = self.transformed.buffers[buffer].array;
        self.scop.arrays[array].name.clone()
    }

    /// What keeps an array from being promoted, as far as its accesses say.
    fn obstacle(&self, buffer: BufferId, accesses: &Accesses<'_>) -> Option<Obstacle> {
        let of_program = self.transformed.buffers.get(buffer);
        let of_program = of_program.filter(|b| matches!(b.kind, BufferKind::Full));
        let array = of_program.map(|b| &self.scop.arrays[b.array]);
        // What is in a tile already, and scalars.
        if array.is_none_or(|array| array.extents.is_empty()) {
            return Some(Obstacle::Cell);
        }
        if self.is_atomic(buffer) {
            return Some(Obstacle::Atomic);
        }
        let mut own = accesses.all.iter().filter(|a| a.place.buffer == buffer);
        let known = own.all(|access| {
            let reach = &accesses.reaches[access.reach];
            access.exact && reach.domain.is_some()
        });
        let known = known && !self.picked.contains(&buffer);
        (!known || accesses.in_bounds.contains(&buffer)).then_some(Obstacle::Data)
    }

    fn attempt(
        &self,
        buffer: BufferId,
        level: &Level,
        nodes: &[Node],
        accesses: &Accesses<'_>,
        block: &Block,
    ) -> Result<Attempt> {
        let reader = &self.levels.reader;
        let whole = Footprint::new(reader, buffer, accesses)?;
        let groups = match &whole {
            Some(whole) if self.bytes(buffer, whole) <= self.local_memory => None,
            _ => grouped(reader, buffer, accesses)?,
        };
        let footprints = match (groups, whole) {
            (Some(groups), _) => {
                let mut all = Vec::new();
                for references in groups {
                    let own = references.of(buffer, accesses);
                    if let Some(footprint) = Footprint::new(reader, buffer, &own)? {
                        all.push((references, footprint));
                    }
                }
                all
            }
            (None, Some(whole)) => vec![(References::All, whole)],
            (None, None) => return Ok(Err(Obstacle::Box)),
        };
        let transfers = Transfers {
            reader,
            transformed: self.transformed,
            walker: Walker::new(self.scop, self.prefix, level)?,
            level,
            block,
        };
        let mut scattered = Vec::new();
        for node in nodes {
            self.scattered(node, buffer, &mut scattered);
        }
        let mut all = Vec::new();
        for (part, (references, footprint)) in footprints.into_iter().enumerate() {
            // A single cell stays in a register as it is.
            if footprint.volume() < 2 {
                continue;
            }
            let own = references.of(buffer, accesses);
            let transfer = match transfers.of(buffer, &own, &footprint)? {
                Ok(transfer) => transfer,
                Err(tests) => return Ok(Err(Obstacle::Conditions(tests))),
            };
            let mut scattered = scattered.iter().enumerate();
            all.push(Found {
                candidate: Candidate {
                    part: (references != References::All).then_some(part),
                    scattered: scattered.any(|(number, &is)| is && references.has(number)),
                    ..self.candidate(buffer, level, &footprint, &transfer)?
                },
                level: level.number,
                buffer,
                references,
                footprint,
                transfer,
            });
        }
        Ok(if all.is_empty() {
            Err(Obstacle::Cell)
        } else {
            Ok(all)
        })
    }

    /// An array that is promoted as a whole, and whose neighbouring cells neighbours go to.
    fn candidate(
        &self,
        buffer: BufferId,
        level: &Level,
        footprint: &Footprint,
        transfer: &Transfer,
    ) -> Result<Candidate> {
        let copied = |set: &Set| -> Result<i64> {
            if set.is_empty()? {
                Ok(0)
            } else {
                Ok(cells::extents(set)?.map_or(i64::MAX, |e| cells::volume(&e)))
            }
        };
        let inwards = copied(&footprint.live_in)?;
        let outwards = match &transfer.outwards {
            Outwards::Copied(_) => copied(&footprint.written)?,
            Outwards::Stored(_) => footprint.writes,
        };
        Ok(Candidate {
            group: level.group,
            launch: level.launch,
            array: self.name(buffer),
            depth: level.depth,
            part: None,
            bytes: self.bytes(buffer, footprint),
            accesses: footprint.times,
            copied: inwards.saturating_add(outwards),
            scattered: false,
        })
    }

    /// Bytes of a buffer.
    fn bytes(&self, buffer: BufferId, footprint: &Footprint) -> i64 {
        let array = &self.scop.arrays[self.transformed.buffers[buffer].array];
        let size = array.element.kind.bytes() as i64;
        footprint.volume().saturating_mul(size)
    }

    fn is_atomic(&self, buffer: BufferId) -> bool {
        let atomic = self.transformed.atomic.iter();
        let mut accesses = atomic.flat_map(|&id| &self.scop.statements[id].accesses);
        accesses.any(|access| access.array == self.transformed.buffers[buffer].array)
    }

    /// For each reference to an array, in the order of the text, whether neighbouring threads go to
    /// cells that are not neighbours.
    fn scattered(&self, node: &Node, buffer: BufferId, all: &mut Vec<bool>) {
        let dealt = match node {
            Node::For(each) => self.levels.builder.dealt(each).pop(),
            _ => None,
        };
        if dealt.is_none() && !matches!(node, Node::Statement(_)) {
            let children = node.children();
            return children.for_each(|child| self.scattered(child, buffer, all));
        }
        node.instances(&mut |instance| {
            let own = instance.accesses.iter().filter(|p| p.buffer == buffer);
            all.extend(own.map(|place| match &dealt {
                Some(dealt) => is_scattered(place, &dealt.var),
                None => false,
            }));
        });
    }
}

/// Buffers whose cells data picks, in some launch.
fn picked(kernel: &Kernel) -> Vec<BufferId> {
    let mut all = Vec::new();
    for node in &kernel.body {
        node.instances(&mut |instance| {
            let affine = |index: &PlaceIndex| matches!(index, PlaceIndex::Affine(_));
            let by_data = |place: &&Place| !place.indices.iter().all(affine);
            let places = instance.accesses.iter().filter(by_data);
            all.extend(places.map(|place| place.buffer));
        });
    }
    all
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
