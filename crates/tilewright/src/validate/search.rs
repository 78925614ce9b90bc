//! Does every read see the same write as in the original, and is the last write of every
//! live-out cell the same? For arrays none of whose cells is written by two copies of an instance.
//!
//! Exact, by looking for a counterexample: a write between the right write and the read, or
//! after the last write. Every question is whether a set is empty, which stays cheap where
//! computing the last writers as functions ([`crate::validate::checks::flow`]) does not: tiled schedules, folded
//! buffers.

use super::Violation;
use super::explain;
use super::program::{Program, union_of};
use super::storage::{Effect, Touch};
use super::witness;
use crate::scop::ArrayId;
use crate::validate::checks::domain::{first_map, statement_of};
use crate::validate::checks::order::tile_of_life;

/// Whether the search is complete for these accesses: every write is certain, and no memory cell
/// is written by two copies of one instance.
pub(crate) fn applies(program: &Program, array: ArrayId) -> isl::Result<bool> {
    let touches: Vec<&Touch> = program
        .touches
        .iter()
        .filter(|t| t.array == array)
        .collect();
    for touch in &touches {
        if matches!(touch.effect, Effect::MayWrite) {
            return Ok(false);
        }
        let lifted = program.lifted(touch.lifted);
        let twice = touches.iter().any(|other| {
            other.lifted != touch.lifted
                && other.buffer == touch.buffer
                && program.lifted(other.lifted).statement == lifted.statement
        });
        if twice {
            return Ok(false);
        }
        if lifted.tile_dims == 0 {
            continue;
        }
        // Copies differ in their tile, and so in the life of the buffer; or there are none.
        let apart = match tile_of_life(program, touch)? {
            Some(tile) => tile.is_single_valued()?,
            None => program.original(touch.lifted).is_injective()?,
        };
        if !apart {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Searches.
pub(crate) fn check(program: &Program, array: ArrayId) -> isl::Result<Option<Violation>> {
    for read in program
        .touches
        .iter()
        .filter(|t| t.array == array && t.is_read())
    {
        if let Some(violation) = check_read(program, read)? {
            return Ok(Some(violation));
        }
    }
    if program.scop.arrays[array].live_out {
        check_live_out(program, array)
    } else {
        Ok(None)
    }
}

fn check_read(program: &Program, read: &Touch) -> isl::Result<Option<Violation>> {
    if !read.is_read() {
        return Ok(None);
    }
    let exposed = read.exposed()?;
    let writes: Vec<&Touch> = program
        .touches
        .iter()
        .filter(|t| !t.is_read() && t.buffer == read.buffer)
        .collect();

    // Readers to the instances that write their cell, not after them.
    let mut earlier = Vec::new();
    for &write in &writes {
        let sharing = exposed.apply_range(&write.cells()?.reverse()?)?;
        earlier.push((write, program.not_before(&sharing)?));
    }

    let wanted = program.wanted_sources(read)?;
    for sources in wanted.iter() {
        let writer_id = statement_of(program.scop, sources, isl::DimType::Out)?;
        // The same with lifted writers, where they do write what is read.
        let mut present = isl::Map::empty(&sources.get_space()?)?;
        for &write in &writes {
            if program.lifted(write.lifted).statement != writer_id {
                continue;
            }
            let back = program.original(write.lifted);
            let sharing = exposed.apply_range(&write.cells()?.reverse()?)?;
            let pairs = sources.apply_range(&back.reverse()?)?;
            let pairs = pairs.intersect(&sharing)?.coalesce()?;
            present = present.union(&pairs.apply_range(back)?)?;
            let late = program.first_not_before(&pairs.reverse()?)?;
            if let Some(late) = late {
                let late = late.reverse()?.apply_range(back)?;
                return lost_value(program, read, &late).map(Some);
            }
            for (other, earlier) in &earlier {
                for between in between(program, write, other, (earlier, &pairs))? {
                    let lost = pairs.intersect(&between)?;
                    if program.scop.is_possible(&lost)? {
                        let lost = lost.apply_range(back)?;
                        return lost_value(program, read, &lost).map(Some);
                    }
                }
            }
        }
        let missing = sources.subtract(&present)?;
        if program.scop.is_possible(&missing)? {
            return lost_value(program, read, &missing).map(Some);
        }
    }

    if !program.scop.arrays[read.array].live_in {
        return Ok(None);
    }
    let with_source = union_of(&program.scop.ctx, &wanted)?.domain()?;
    for (_, earlier) in &earlier {
        for earlier in earlier {
            let foreign = isl::UnionMap::from_map(earlier)?.subtract_domain(&with_source)?;
            if let Some(foreign) = first_map(program.scop, &foreign)? {
                let sample = witness::sample(program.scop, &foreign.domain()?)?;
                let reader = &sample.coordinates;
                return explain::lost_input(program, read, &sample, reader).map(Some);
            }
        }
    }
    Ok(None)
}

/// From readers to instances of `write` behind which `other` may write before the reader does:
/// `earlier` maps readers to instances of `other` that do not come after them. What certainly has
/// none of the `wanted` pairs is left out.
fn between(
    program: &Program,
    write: &Touch,
    other: &Touch,
    (earlier, wanted): (&[isl::Map], &isl::Map),
) -> isl::Result<Vec<isl::Map>> {
    if earlier.is_empty() {
        return Ok(Vec::new());
    }
    let pairs = other.cells()?.apply_range(&write.cells()?.reverse()?)?;
    let wanted = around(wanted)?;
    let mut all = Vec::new();
    for later in program.not_before(&pairs)? {
        let later_around = around(&later)?;
        for earlier in earlier {
            let both = around(earlier)?.apply_range(&later_around)?;
            if !both.intersect(&wanted)?.is_empty()? {
                all.push(earlier.apply_range(&later)?);
            }
        }
    }
    Ok(all)
}

/// A map around all parts of another one: the parts of two that are composed multiply, and mostly
/// the order alone decides.
fn around(map: &isl::Map) -> isl::Result<isl::Map> {
    if map.n_basic_map()? > 1 {
        isl::Map::from_basic_map(&map.unshifted_simple_hull()?)
    } else {
        Ok(map.clone())
    }
}

fn lost_value(program: &Program, read: &Touch, lost: &isl::Map) -> isl::Result<Violation> {
    let sample = witness::sample(program.scop, &lost.wrap()?)?;
    let writer_id = statement_of(program.scop, lost, isl::DimType::Out)?;
    let dims = program.lifted(read.lifted).domain.tuple_dim()?;
    let (reader, writer) = sample.split(dims);
    explain::lost_value(program, read, &sample, reader, (writer_id, writer))
}

fn check_live_out(program: &Program, array: ArrayId) -> isl::Result<Option<Violation>> {
    let writes: Vec<&Touch> = program
        .touches
        .iter()
        .filter(|t| t.array == array && !t.is_read() && program.is_full(t.buffer))
        .collect();
    for last in program.live_out(array)?.maps()? {
        let writer_id = statement_of(program.scop, &last, isl::DimType::In)?;
        let mut present = isl::Map::empty(&last.get_space()?)?;
        let mut lost = Vec::new();
        for write in &writes {
            let lifted = program.lifted(write.lifted);
            if lifted.statement != writer_id {
                continue;
            }
            let to_original = program.original(write.lifted);
            let elements = to_original
                .apply_range(&last)?
                .intersect(&write.elements()?)?;
            present = present.union(&to_original.reverse()?.apply_range(&elements)?)?;
            for other in &writes {
                let sharing = other.elements()?.apply_range(&elements.reverse()?)?;
                for after in program.not_before(&sharing)? {
                    // The elements that an instance of `other` writes later.
                    let overwritten = after.reverse()?.apply_range(&other.elements()?)?;
                    let overwritten = elements.intersect(&overwritten)?;
                    lost.push(to_original.reverse()?.apply_range(&overwritten)?);
                }
            }
        }
        lost.insert(0, last.subtract(&present)?);
        for lost in lost {
            if program.scop.is_possible(&lost)? {
                let sample = witness::sample(program.scop, &lost.wrap()?)?;
                let dims = program.scop.statements[writer_id].iterators.len();
                let (writer, element) = sample.split(dims);
                let writer = (writer_id, writer);
                return explain::lost_output(program, array, &sample, element, writer).map(Some);
            }
        }
    }
    Ok(None)
}
