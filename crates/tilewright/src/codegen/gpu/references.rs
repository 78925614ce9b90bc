//! Groups of references to an array that a level only reads, each of which gets a buffer of its own
//! (the groups of references of PPCG: Verdoolaege et al., *Polyhedral parallel code generation for
//! CUDA*, 2013).
//!
//! ```text
//! C[i][j] += A[i][k] * A[j][k]        rows of the tile's i, and rows of the tile's j:
//!                                     no box around both has a constant size
//! ```
//!
//! Two buffers may hold the same cell, as on the diagonal here. That is right because nobody writes
//! it at the level, and it is why what is written has one buffer for all references.
//!
//! References whose cells are near each other share a buffer: those of a stencil, or the same ones
//! in the loops of a full tile and of any other. Two groups are one where the box around both has no
//! more cells than their two boxes.

use super::cells::{self, Access, Accesses, Reader};
use super::footprint::{boxed, is_same};
use crate::plan::defaults::PROMOTED_ACCESSES;
use crate::scop::AccessKind;
use crate::transform::BufferId;
use isl::{Result, Set};

/// References to an array at a level.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum References {
    /// All.
    All,
    /// Those of these numbers, counted in the order of the text.
    Some(Vec<usize>),
}

impl References {
    /// Whether a reference is one of them.
    pub fn has(&self, number: usize) -> bool {
        match self {
            References::All => true,
            References::Some(numbers) => numbers.contains(&number),
        }
    }

    /// Accesses of a level without those references to a buffer that are not among these.
    pub fn of<'k>(&self, buffer: BufferId, accesses: &Accesses<'k>) -> Accesses<'k> {
        let mut number = 0;
        let mut is_here = |access: &&Access<'k>| {
            let own = access.place.buffer == buffer;
            number += usize::from(own);
            !own || self.has(number - 1)
        };
        Accesses {
            all: accesses
                .all
                .iter()
                .filter(|access| is_here(access))
                .cloned()
                .collect(),
            reaches: accesses.reaches.clone(),
            in_bounds: accesses.in_bounds.clone(),
        }
    }
}

/// References with cells in a box of constant size.
struct Group {
    numbers: Vec<usize>,
    cells: Set,
    /// Of the box.
    volume: i64,
}

/// The groups of the references to a buffer, each of which has its cells in a box of constant size.
/// `None` where some reference writes or has no such box, where all are one group, and where there
/// are too many to compare.
///
/// # Errors
/// isl's own.
pub(super) fn grouped(
    reader: &Reader<'_>,
    buffer: BufferId,
    accesses: &Accesses<'_>,
) -> Result<Option<Vec<References>>> {
    let own = accesses.all.iter().filter(|a| a.place.buffer == buffer);
    let mut seen: Vec<(&Access<'_>, Group)> = Vec::new();
    for (number, access) in own.enumerate() {
        if access.kind == AccessKind::Write {
            return Ok(None);
        }
        if let Some((_, group)) = seen.iter_mut().find(|(other, _)| is_same(other, access)) {
            group.numbers.push(number);
            continue;
        }
        let reach = &accesses.reaches[access.reach];
        let Some(cells) = reader.cells(access.place, reach)? else {
            return Ok(None);
        };
        // Code that is never reached goes with anything.
        let volume = match cells.is_empty()? {
            true => 0,
            false => match volume(&cells)? {
                Some(volume) => volume,
                None => return Ok(None),
            },
        };
        if seen.len() == PROMOTED_ACCESSES {
            return Ok(None);
        }
        let numbers = vec![number];
        seen.push((
            access,
            Group {
                numbers,
                cells,
                volume,
            },
        ));
    }
    let mut groups: Vec<Group> = Vec::new();
    for (_, mut group) in seen {
        // What it takes in may be near others now.
        while let Some((at, both)) = near(&groups, &group)? {
            groups.remove(at);
            group = both;
        }
        groups.push(group);
    }
    if groups.len() < 2 {
        return Ok(None);
    }
    groups.iter_mut().for_each(|g| g.numbers.sort_unstable());
    groups.sort_by_key(|group| group.numbers.first().copied());
    let all = groups.into_iter().map(|g| References::Some(g.numbers));
    Ok(Some(all.collect()))
}

/// The position of a group that another one is better together with, and both.
fn near(groups: &[Group], one: &Group) -> Result<Option<(usize, Group)>> {
    for (at, other) in groups.iter().enumerate() {
        let cells = one.cells.union(&other.cells)?.coalesce()?;
        let Some(volume) = volume(&cells)? else {
            continue;
        };
        if volume <= one.volume.saturating_add(other.volume) {
            let numbers = [&other.numbers[..], &one.numbers].concat();
            let both = Group {
                numbers,
                cells,
                volume,
            };
            return Ok(Some((at, both)));
        }
    }
    Ok(None)
}

/// Cells of the box of constant size around some, where there is one.
fn volume(cells: &Set) -> Result<Option<i64>> {
    Ok(boxed(cells)?.map(|(_, extents)| cells::volume(&extents)))
}
