//! Does every read see the same write as in the original, and is the last write of every
//! live-out cell the same? For arrays with instances that run more than once.
//!
//! Exact: isl's `compute_flow` on the new schedule with memory cells in place of array elements,
//! its sources brought back to original instances.

use crate::analysis::dependences::dataflow::{last_writers, slots};
use crate::scop::ArrayId;
use crate::validate::checks::domain::{first_map, statement_of};
use crate::validate::explain;
use crate::validate::program::{Program, union_of};
use crate::validate::storage::{Effect, Touch};
use crate::validate::witness;
use crate::validate::{Violation, ViolationKind};

/// Reads of values that the same instance wrote: both must be bound to the same buffer.
pub(crate) fn check_internal_reads(program: &Program) -> isl::Result<Option<Violation>> {
    for read in &program.touches {
        if !read.is_read() {
            continue;
        }
        let same = |write: &&Touch| {
            write.lifted == read.lifted && !write.is_read() && write.array == read.array
        };
        let Some(write) = program
            .touches
            .iter()
            .filter(same)
            .find(|w| w.buffer != read.buffer)
        else {
            continue;
        };
        let internal = read.cells()?.subtract(&read.exposed()?)?;
        if !program.scop.is_possible(&internal)? {
            continue;
        }
        let sample = witness::sample(program.scop, &internal.domain()?)?;
        return Ok(Some(Violation {
            message: format!(
                "{} would read from `{}` what it wrote to `{}`",
                witness::lifted(
                    program.scop,
                    program.lifted(read.lifted),
                    &sample.coordinates
                ),
                program.buffer(read.buffer).name,
                program.buffer(write.buffer).name,
            ),
            parameters: sample.parameters(program.scop),
            kind: ViolationKind::Flow,
        }));
    }
    Ok(None)
}

/// Reads of values from before the region find them in full arrays only.
pub(crate) fn check_live_in(program: &Program) -> isl::Result<Option<Violation>> {
    for read in program
        .touches
        .iter()
        .filter(|touch| !program.is_full(touch.buffer))
    {
        if !read.is_read() {
            continue;
        }
        if !program.scop.arrays[read.array].live_in {
            continue;
        }
        let lifted = program.lifted(read.lifted);
        let statement = &program.scop.statements[lifted.statement];
        let space = statement.accesses[read.access].relation.get_space()?;
        let live_in = program.dataflow.live_in.extract_map(&space)?;
        let elements = program.original(read.lifted).apply_range(&live_in)?;
        let elements = elements.intersect(&read.elements()?)?;
        let readers = elements.intersect_domain(&read.exposed()?.domain()?)?;
        if !program.scop.is_possible(&readers)? {
            continue;
        }
        let sample = witness::sample(program.scop, &readers.wrap()?)?;
        let (instance, element) = sample.split(lifted.domain.tuple_dim()?);
        return Ok(Some(Violation {
            message: format!(
                "{} would read {} from buffer `{}`, where the value from before the region is not",
                witness::lifted(program.scop, lifted, instance),
                witness::cell(program.scop, read.array, element),
                program.buffer(read.buffer).name,
            ),
            parameters: sample.parameters(program.scop),
            kind: ViolationKind::Flow,
        }));
    }
    Ok(None)
}

/// Compares the flow through the given arrays, and their live-out writers.
pub(crate) fn check(program: &Program, arrays: &[ArrayId]) -> isl::Result<Option<Violation>> {
    if arrays.is_empty() {
        return Ok(None);
    }
    let mut must = isl::UnionMap::empty_ctx(&program.scop.ctx)?;
    let mut may = must.clone();
    let touches: Vec<&Touch> = program
        .touches
        .iter()
        .filter(|touch| arrays.contains(&touch.array))
        .collect();
    let assumed = |touch: &Touch, cells: &isl::Map| {
        let statement = program.lifted(touch.lifted).statement;
        cells.intersect_params(program.scop.assumed(statement))
    };
    for touch in &touches {
        match touch.effect {
            Effect::Read => {}
            Effect::Write => must = must.add_map(&assumed(touch, &touch.cells()?)?)?,
            Effect::MayWrite => may = may.add_map(&assumed(touch, &touch.cells()?)?)?,
        }
    }
    let reads: Vec<&Touch> = touches
        .iter()
        .copied()
        .filter(|touch| touch.is_read())
        .collect();
    for slot in slots(&reads, |touch| touch.lifted) {
        let mut sinks = isl::UnionMap::empty_ctx(&program.scop.ctx)?;
        for touch in &slot {
            sinks = sinks.add_map(&assumed(touch, &touch.exposed()?)?)?;
        }
        let found = isl::UnionAccessInfo::from_sink(&sinks)?
            .set_must_source(&must)?
            .set_may_source(&may)?
            .set_schedule(&program.transformed.schedule)?
            .compute_flow()?
            .get_may_dependence()?
            .reverse()?
            .apply_range(&program.to_original()?)?;
        for touch in slot {
            let found = found.intersect_domain(&program.universe(touch.lifted)?)?;
            if let Some(violation) = compare(program, touch, &found)? {
                return Ok(Some(violation));
            }
        }
    }
    check_live_out(program, arrays, &must, &may)
}

/// Compares the sources of one read: lifted readers to original writers.
fn compare(
    program: &Program,
    read: &Touch,
    found: &isl::UnionMap,
) -> isl::Result<Option<Violation>> {
    let wanted = union_of(&program.scop.ctx, &program.wanted_sources(read)?)?;
    if let Some(missing) = first_map(program.scop, &wanted.subtract(found)?)? {
        let scop = program.scop;
        let sample = witness::sample(scop, &missing.wrap()?)?;
        let (reader, writer) = sample.split(program.lifted(read.lifted).domain.tuple_dim()?);
        let writer = (statement_of(scop, &missing, isl::DimType::Out)?, writer);
        return explain::lost_value(program, read, &sample, reader, writer).map(Some);
    }
    let mut extra = found.subtract(&wanted)?;
    if !program.scop.arrays[read.array].live_in {
        // Nothing was there to be read: whatever comes is as good.
        extra = extra.intersect_domain(&wanted.domain()?)?;
    }
    let Some(extra) = first_map(program.scop, &extra)? else {
        return Ok(None);
    };
    let sample = witness::sample(program.scop, &extra.wrap()?)?;
    let (reader, _) = sample.split(program.lifted(read.lifted).domain.tuple_dim()?);
    explain::lost_input(program, read, &sample, reader).map(Some)
}

/// Compares the last writers of live-out cells; they write to full arrays.
fn check_live_out(
    program: &Program,
    arrays: &[ArrayId],
    must: &isl::UnionMap,
    may: &isl::UnionMap,
) -> isl::Result<Option<Violation>> {
    let scop = program.scop;
    let mut wanted = isl::UnionMap::empty_ctx(&scop.ctx)?;
    let mut cells = isl::UnionSet::empty_ctx(&scop.ctx)?;
    for &array in arrays.iter().filter(|&&array| scop.arrays[array].live_out) {
        wanted = wanted.union(&program.live_out(array)?)?;
        for touch in program.touches.iter().filter(|touch| {
            touch.array == array && !touch.is_read() && program.is_full(touch.buffer)
        }) {
            cells = cells.add_set(&touch.cells()?.range()?)?;
        }
    }
    let found = last_writers(scop, &program.transformed.schedule, must, may, &cells)?
        .apply_domain(&program.to_original()?)?
        .apply_range(&program.full_cells_to_elements()?)?;

    let map = match first_map(program.scop, &wanted.subtract(&found)?)? {
        Some(lost) => lost,
        None => match first_map(program.scop, &found.subtract(&wanted)?)? {
            Some(extra) => extra,
            None => return Ok(None),
        },
    };
    let sample = witness::sample(scop, &map.wrap()?)?;
    let writer_id = statement_of(scop, &map, isl::DimType::In)?;
    let (writer, element) = sample.split(scop.statements[writer_id].iterators.len());
    let array_name = map.get_tuple_name(isl::DimType::Out)?;
    let array = scop.array_named(&array_name).unwrap_or_default();
    explain::lost_output(program, array, &sample, element, (writer_id, writer)).map(Some)
}
