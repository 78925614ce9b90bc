//! Sentences for values that come from elsewhere, at one point.

use super::program::Program;
use super::storage::Touch;
use super::witness::{self, Sample};
use super::{Violation, ViolationKind};
use crate::scop::{ArrayId, StatementId};
use crate::transform::BufferId;

/// A read that does not get what `writer`, an original instance, wrote.
pub(super) fn lost_value(
    program: &Program,
    read: &Touch,
    sample: &Sample,
    reader: &[i64],
    (writer_id, writer): (StatementId, &[i64]),
) -> isl::Result<Violation> {
    let scop = program.scop;
    let reader_text = witness::lifted(scop, program.lifted(read.lifted), reader);
    let writer_text = witness::instance(scop, writer_id, writer);
    let element = element(program, read, sample, reader)?;
    let read_at = time(program, sample, read.lifted, reader)?;
    let writes = writes(program, read, sample, reader)?;
    let mut own = writes
        .iter()
        .filter(|write| (write.statement, &write.instance[..]) == (writer_id, writer))
        .peekable();

    let message = if own.peek().is_none() {
        format!(
            "{reader_text} would read what {writer_text} has not written to {element} in buffer \
             `{}`",
            program.buffer(read.buffer).name
        )
    } else if own.all(|write| write.time >= read_at) {
        format!("{reader_text} would read what {writer_text} has not yet written to {element}")
    } else {
        let actual = last_before(&writes, &read_at);
        let actual = actual.map(|write| witness::instance(scop, write.statement, &write.instance));
        format!(
            "{reader_text} would read {element} as {} has overwritten it, not as {writer_text} \
             wrote it",
            actual.as_deref().unwrap_or("another instance")
        )
    };
    Ok(Violation {
        message,
        parameters: sample.parameters(scop),
        kind: ViolationKind::Flow,
    })
}

/// A read of a value from before the region that gets something else.
pub(super) fn lost_input(
    program: &Program,
    read: &Touch,
    sample: &Sample,
    reader: &[i64],
) -> isl::Result<Violation> {
    let scop = program.scop;
    let read_at = time(program, sample, read.lifted, reader)?;
    let writes = writes(program, read, sample, reader)?;
    let actual = last_before(&writes, &read_at)
        .map(|write| witness::instance(scop, write.statement, &write.instance));
    Ok(Violation {
        message: format!(
            "{} would read {} as {} has overwritten it, not the value from before the region",
            witness::lifted(scop, program.lifted(read.lifted), reader),
            element(program, read, sample, reader)?,
            actual.as_deref().unwrap_or("another instance"),
        ),
        parameters: sample.parameters(scop),
        kind: ViolationKind::Flow,
    })
}

/// A live-out element whose last writer is not `writer`, an original instance.
pub(super) fn lost_output(
    program: &Program,
    array: ArrayId,
    sample: &Sample,
    element: &[i64],
    (writer_id, writer): (StatementId, &[i64]),
) -> isl::Result<Violation> {
    let scop = program.scop;
    let full = program
        .touches
        .iter()
        .find(|touch| touch.array == array && program.is_full(touch.buffer));
    let writes = match full {
        Some(touch) => writes_to(program, touch.buffer, sample, element)?,
        None => Vec::new(),
    };
    let last = writes.into_iter().max_by(|a, b| a.time.cmp(&b.time));
    let cell = witness::cell(scop, array, element);
    let writer_text = witness::instance(scop, writer_id, writer);
    let last = last.filter(|write| (write.statement, &write.instance[..]) != (writer_id, writer));
    Ok(Violation {
        message: match last {
            Some(last) => format!(
                "{} would be the last to write {cell}, not {writer_text}",
                witness::instance(scop, last.statement, &last.instance)
            ),
            None => format!("{writer_text} would not leave its value in {cell} at the end"),
        },
        parameters: sample.parameters(scop),
        kind: ViolationKind::LiveOut,
    })
}

/// One write of a memory cell, by its original instance.
struct Write {
    statement: StatementId,
    instance: Vec<i64>,
    time: Vec<i64>,
}

/// All writes of the cell that an instance reads.
fn writes(
    program: &Program,
    read: &Touch,
    sample: &Sample,
    reader: &[i64],
) -> isl::Result<Vec<Write>> {
    let mut found = Vec::new();
    for cell in witness::images(program.scop, &read.cells()?, &sample.parameters, reader)? {
        found.extend(writes_to(program, read.buffer, sample, &cell)?);
    }
    Ok(found)
}

fn writes_to(
    program: &Program,
    buffer: BufferId,
    sample: &Sample,
    cell: &[i64],
) -> isl::Result<Vec<Write>> {
    let mut found = Vec::new();
    for write in program
        .touches
        .iter()
        .filter(|t| !t.is_read() && t.buffer == buffer)
    {
        let lifted = program.lifted(write.lifted);
        let from_cell = write.cells()?.reverse()?;
        for copy in witness::images(program.scop, &from_cell, &sample.parameters, cell)? {
            found.push(Write {
                statement: lifted.statement,
                time: time(program, sample, write.lifted, &copy)?,
                instance: copy[lifted.tile_dims..].to_vec(),
            });
        }
    }
    Ok(found)
}

fn last_before<'w>(writes: &'w [Write], time: &[i64]) -> Option<&'w Write> {
    let before = writes.iter().filter(|write| write.time[..] < *time);
    before.max_by(|a, b| a.time.cmp(&b.time))
}

/// When an instance is executed.
fn time(
    program: &Program,
    sample: &Sample,
    lifted: usize,
    instance: &[i64],
) -> isl::Result<Vec<i64>> {
    let space = program.lifted(lifted).domain.get_space()?;
    let domain = isl::UnionSet::from_set(&isl::Set::universe(&space)?)?;
    let mut times = Vec::new();
    for map in program
        .transformed
        .schedule
        .get_map()?
        .intersect_domain(&domain)?
        .maps()?
    {
        times.extend(witness::images(
            program.scop,
            &map,
            &sample.parameters,
            instance,
        )?);
    }
    Ok(times.into_iter().next().unwrap_or_default())
}

/// The (first) element that an instance touches.
fn element(
    program: &Program,
    touch: &Touch,
    sample: &Sample,
    instance: &[i64],
) -> isl::Result<String> {
    let elements = witness::images(
        program.scop,
        &touch.elements()?,
        &sample.parameters,
        instance,
    )?;
    let first = elements.first().map_or(&[][..], Vec::as_slice);
    Ok(witness::cell(program.scop, touch.array, first))
}
