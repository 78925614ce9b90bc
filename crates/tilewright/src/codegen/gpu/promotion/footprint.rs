//! The cells of an array that are touched at and below a level.

use crate::codegen::gpu::conflicts::cells;
use crate::codegen::gpu::conflicts::cells::{Access, Accesses, Reader};
use crate::codegen::gpu::promotion::live_in::live_in;
use crate::scop::AccessKind;
use crate::transform::BufferId;
use isl::{Aff, Result, Set};

/// An array's cells at a level.
pub(crate) struct Footprint {
    /// Cells that are read, other than `live_in` with those that the tile writes before.
    pub read: Set,
    /// Cells that are read before the tile writes them.
    pub live_in: Set,
    /// Cells that the tile writes.
    pub written: Set,
    /// Extents of a box with all of them.
    pub extents: Vec<i64>,
    /// Where that begins, per dimension.
    pub origin: Vec<Aff>,
    /// At most so many accesses.
    pub times: i64,
    /// At most so many of them write.
    pub writes: i64,
}

impl Footprint {
    /// The footprint of a buffer whose accesses are all known exactly. `None` where there is no
    /// box of constant size.
    ///
    /// # Errors
    /// isl's own.
    pub fn new(
        reader: &Reader<'_>,
        buffer: BufferId,
        accesses: &Accesses<'_>,
    ) -> Result<Option<Footprint>> {
        let own = accesses.all.iter().filter(|a| a.place.buffer == buffer);
        let mut sets: [Option<Set>; 2] = [None, None];
        let (mut times, mut writes) = (0i64, 0i64);
        let mut seen: Vec<&Access<'_>> = Vec::new();
        for access in own {
            let reach = &accesses.reaches[access.reach];
            let own_times = reader.times(reach)?;
            times = times.saturating_add(own_times);
            if access.kind == AccessKind::Write {
                writes = writes.saturating_add(own_times);
            }
            if seen.iter().any(|other| is_same(other, access)) {
                continue;
            }
            seen.push(access);
            let Some(own) = reader.cells(access.place, reach)? else {
                return Ok(None);
            };
            // Where one access has none, all together have none: known before it is dear.
            if cells::extents(&own)?.is_none() {
                return Ok(None);
            }
            let set = &mut sets[usize::from(access.kind == AccessKind::Write)];
            *set = Some(match set.take() {
                Some(before) => before.union(&own)?,
                None => own,
            });
        }
        let touched = match &sets {
            [Some(read), Some(written)] => read.union(written)?,
            [Some(one), None] | [None, Some(one)] => one.clone(),
            [None, None] => return Ok(None),
        };
        let touched = touched.coalesce()?;
        if touched.is_empty()? {
            return Ok(None);
        }
        let Some((origin, extents)) = boxed(&touched)? else {
            return Ok(None);
        };
        let none = Set::empty(&touched.get_space()?)?;
        let or_none = |set: Option<Set>| match set {
            Some(set) => set.coalesce(),
            None => Ok(none.clone()),
        };
        let [read, written] = sets;
        let (read, written) = (or_none(read)?, or_none(written)?);
        let live_in = if read.is_empty()? || written.is_empty()? {
            read.clone()
        } else {
            live_in(reader, buffer, accesses, &read)?
        };
        Ok(Some(Footprint {
            read,
            live_in,
            written,
            extents,
            origin,
            times,
            writes,
        }))
    }

    /// Cells of the box.
    pub fn volume(&self) -> i64 {
        cells::volume(&self.extents)
    }
}

/// A box of constant size around some cells, where there is one: where it begins, and its extents.
///
/// # Errors
/// isl's own.
pub(crate) fn boxed(cells: &Set) -> Result<Option<(Vec<Aff>, Vec<i64>)>> {
    let mut hull = cells.get_simple_fixed_box_hull()?;
    if !hull.is_valid()? {
        // What is around all parts together may be a box though no part's is around the others.
        hull = Set::from_basic_set(&cells.simple_hull()?)?.get_simple_fixed_box_hull()?;
    }
    if !hull.is_valid()? {
        return Ok(None);
    }
    let origin = hull.get_offset()?.elements()?;
    Ok(hull.get_size()?.to_i64s()?.map(|extents| (origin, extents)))
}

/// Whether two accesses go to the same cells in the same way.
pub(crate) fn is_same(one: &Access<'_>, other: &Access<'_>) -> bool {
    other.place == one.place && other.kind == one.kind && other.reach == one.reach
}

/// The cells of a buffer that are read or written, with the step: the outermost iterator of the
/// statement that does it. `None` where nobody does, or nothing is known of the step.
///
/// # Errors
/// isl's own.
pub(crate) fn in_steps(
    reader: &Reader<'_>,
    buffer: BufferId,
    accesses: &Accesses<'_>,
    kind: AccessKind,
) -> Result<Option<Set>> {
    let own = accesses.all.iter();
    let own = own.filter(|a| a.place.buffer == buffer && a.kind == kind);
    let mut seen: Vec<&Access<'_>> = Vec::new();
    let mut all: Option<Set> = None;
    for access in own {
        let same = |other: &&Access<'_>| {
            is_same(other, access) && other.iterators.first() == access.iterators.first()
        };
        if seen.iter().any(same) {
            continue;
        }
        seen.push(access);
        let Some(points) = reader.in_steps(access, &accesses.reaches[access.reach])? else {
            return Ok(None);
        };
        all = Some(match all {
            Some(before) => before.union(&points)?,
            None => points,
        });
    }
    all.map(|all| all.coalesce()).transpose()
}
