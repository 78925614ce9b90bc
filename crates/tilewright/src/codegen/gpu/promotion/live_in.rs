//! Which cells of an array a tile reads before it writes them.
//!
//! Everything a level executes has a time, a vector of positions in the code and values of loop
//! variables, and what comes first has the lexicographically smaller one. A read is covered if a
//! write of the same cell has a smaller time; reads of an instance come before its write.

use crate::codegen::gpu::conflicts::cells::{Access, Accesses, Reader};
use crate::codegen::kernel::{Index, PlaceIndex};
use crate::plan::defaults::PROMOTED_ACCESSES;
use crate::scop::AccessKind;
use crate::transform::BufferId;
use isl::{DimType, Map, Result, Set};

/// The cells of a buffer whose first access is a read; `read`, which has them all and no others
/// than the tile reads, where it is the simpler set, or to find out takes too much.
pub(crate) fn live_in(
    reader: &Reader<'_>,
    buffer: BufferId,
    accesses: &Accesses<'_>,
    read: &Set,
) -> Result<Set> {
    let own: Vec<&Access<'_>> = distinct(accesses, buffer);
    if own.len() > PROMOTED_ACCESSES {
        return Ok(read.clone());
    }
    let steps = steps(&own);
    let rank = own.first().map_or(0, |access| access.place.indices.len());
    let mut written: Option<Set> = None;
    let mut reads = Vec::new();
    for access in own {
        let Some(points) = timed(reader, accesses, access, &steps)? else {
            return Ok(read.clone());
        };
        match access.kind {
            AccessKind::Read => reads.push(points),
            AccessKind::Write => {
                written = Some(match written {
                    Some(before) => before.union(&points)?,
                    None => points,
                });
            }
        }
    }
    let Some(written) = written else {
        return Ok(read.clone());
    };
    let covered = written
        .coalesce()?
        .apply(&later(reader, rank, steps.len())?)?;
    let mut all = Set::empty(&read.get_space()?)?;
    for points in reads {
        let first = points.subtract(&covered)?;
        all = all.union(&first.project_out(DimType::Set, rank, steps.len())?)?;
    }
    let all = all.coalesce()?;
    // Corners of tiles make many parts of it: then loops over all that is read are shorter.
    if all.n_basic_set()? > read.n_basic_set()? {
        Ok(read.clone())
    } else {
        Ok(all)
    }
}

/// The accesses to a buffer, without repetitions.
pub(crate) fn distinct<'x, 'k>(
    accesses: &'x Accesses<'k>,
    buffer: BufferId,
) -> Vec<&'x Access<'k>> {
    let mut all: Vec<&Access<'_>> = Vec::new();
    for access in accesses.all.iter().filter(|a| a.place.buffer == buffer) {
        let same = |other: &&Access<'_>| {
            other.place == access.place
                && other.kind == access.kind
                && other.reach == access.reach
                && other.time == access.time
        };
        if !all.iter().any(same) {
            all.push(access);
        }
    }
    all
}

/// The components of times that can differ.
pub(crate) fn steps(accesses: &[&Access<'_>]) -> Vec<usize> {
    let longest = accesses.iter().map(|a| a.time.len()).max().unwrap_or(0);
    let constant = |step: &usize| {
        let mut values = accesses.iter().map(|a| a.time.get(*step));
        let first = values.next().flatten();
        matches!(first, Some(Index::Int(_))) && values.all(|value| value == first)
    };
    (0..longest).filter(|step| !constant(step)).collect()
}

/// Cells and times of an access.
pub(crate) fn timed(
    reader: &Reader<'_>,
    accesses: &Accesses<'_>,
    access: &Access<'_>,
    steps: &[usize],
) -> Result<Option<Set>> {
    let mut values = Vec::new();
    for index in &access.place.indices {
        let PlaceIndex::Affine(index) = index else {
            return Ok(None);
        };
        values.push(index.clone());
    }
    let at = |&step: &usize| access.time.get(step).cloned().unwrap_or(Index::Int(0));
    values.extend(steps.iter().map(at));
    reader.points(&values, &accesses.reaches[access.reach])
}

/// From a cell and a time to the cell and all later times.
pub(crate) fn later(reader: &Reader<'_>, rank: usize, steps: usize) -> Result<Map> {
    let list = |stem: &str, count: usize| -> Vec<String> {
        (0..count).map(|k| format!("{stem}{k}")).collect()
    };
    let (cell, before, after) = (list("x", rank), list("s", steps), list("t", steps));
    let mut ways = Vec::new();
    for step in 0..steps {
        let equal = (0..step).map(|k| format!("s{k} = t{k} and "));
        ways.push(format!("({}s{step} < t{step})", equal.collect::<String>()));
    }
    let condition = if ways.is_empty() {
        "1 = 0".to_owned()
    } else {
        ways.join(" or ")
    };
    let from = [cell.clone(), before].concat().join(", ");
    let to = [cell, after].concat().join(", ");
    let text = format!("{{ [{from}] -> [{to}] : {condition} }}");
    Map::read_from_str(&reader.scop.ctx, &text)
}
