//! Which writes of a tile are the last to their cells: those that have to reach the device's memory.
//!
//! As in [`crate::codegen::gpu::promotion::live_in`], everything has a time. A write is replaced where a write of the same cell
//! has a larger one. To store what is replaced, too, is right: no other block of the launch goes to a
//! cell that this one writes. So where to find out takes many conditions, everything is stored.

use crate::codegen::gpu::conflicts::cells::{Access, Accesses, Reader};
use crate::codegen::gpu::promotion::copy_loops::{Walker, tests};
use crate::codegen::gpu::promotion::live_in::{distinct, later, steps, timed};
use crate::codegen::kernel::{Index, PlaceIndex};
use crate::plan::defaults::{PROMOTED_ACCESSES, PROMOTED_CONDITIONS};
use crate::scop::AccessKind;
use crate::transform::BufferId;
use isl::{Result, Set};

/// What is stored of the values that an access writes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Store {
    /// All of them.
    Always,
    /// Those for which the condition holds.
    Where(Index),
    /// Those for which it does not.
    Unless(Index),
}

/// For all accesses that write a buffer, in order, what of them is stored.
///
/// # Errors
/// isl's own.
pub(crate) fn stores(
    reader: &Reader<'_>,
    walker: &Walker<'_>,
    buffer: BufferId,
    accesses: &Accesses<'_>,
) -> Result<Vec<Store>> {
    let write = |access: &&Access<'_>| access.kind == AccessKind::Write;
    let all = accesses.all.iter().filter(|a| a.place.buffer == buffer);
    let all: Vec<&Access<'_>> = all.filter(write).collect();
    let own: Vec<&Access<'_>> = distinct(accesses, buffer)
        .into_iter()
        .filter(write)
        .collect();
    let everything = vec![Store::Always; all.len()];
    if own.len() > PROMOTED_ACCESSES {
        return Ok(everything);
    }
    let steps = steps(&own);
    let mut written: Option<Set> = None;
    for access in own {
        let Some(points) = timed(reader, accesses, access, &steps)? else {
            return Ok(everything);
        };
        written = Some(match written {
            Some(before) => before.union(&points)?,
            None => points,
        });
    }
    let Some(written) = written else {
        return Ok(everything);
    };
    let written = written.coalesce()?;
    let mut stores = Vec::new();
    for access in all {
        stores.push(store(reader, walker, accesses, access, &steps, &written)?);
    }
    Ok(stores)
}

fn store(
    reader: &Reader<'_>,
    walker: &Walker<'_>,
    accesses: &Accesses<'_>,
    access: &Access<'_>,
    steps: &[usize],
    written: &Set,
) -> Result<Store> {
    let Some(points) = timed(reader, accesses, access, steps)? else {
        return Ok(Store::Always);
    };
    let rank = access.place.indices.len();
    let replaced = later(reader, rank, steps.len())?
        .intersect_domain(&points)?
        .intersect_range(written)?
        .domain()?
        .coalesce()?;
    if replaced.is_empty()? {
        return Ok(Store::Always);
    }
    let affine = |index: &PlaceIndex| match index {
        PlaceIndex::Affine(index) => Some(index.clone()),
        PlaceIndex::Data { .. } => None,
    };
    let mut values: Vec<Index> = access.place.indices.iter().filter_map(affine).collect();
    let at = |&step: &usize| access.time.get(step).cloned().unwrap_or(Index::Int(0));
    values.extend(steps.iter().map(at));
    let reach = &accesses.reaches[access.reach];
    let (Some(reached), Some(replaced)) =
        (&reach.domain, reader.reaching(&values, reach, &replaced)?)
    else {
        return Ok(Store::Always);
    };
    let mut ways = Vec::new();
    let kept = reached.subtract(&replaced)?.coalesce()?;
    for (set, way) in [
        (replaced.coalesce()?, Store::Unless as fn(Index) -> Store),
        (kept, Store::Where as fn(Index) -> Store),
    ] {
        if let Some(condition) = walker.condition(reached, &set)? {
            ways.push((tests(&condition), way(condition)));
        }
    }
    let best = ways.into_iter().min_by_key(|(tests, _)| *tests);
    let best = best.filter(|(tests, _)| *tests <= PROMOTED_CONDITIONS);
    Ok(best.map_or(Store::Always, |(_, store)| store))
}
