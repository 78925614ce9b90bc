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
    let times = Times::of(program, sample)?;
    let read_at = times.of_instance(read.lifted, reader)?;
    let cells = witness::fixed(scop, &read.cells()?, &sample.parameters, reader)?;
    let own = times.first_of(read.buffer, &cells, (writer_id, writer))?;

    let message = match own {
        None => format!(
            "{reader_text} would read what {writer_text} has not written to {element} in buffer \
             `{}`",
            program.buffer(read.buffer).name
        ),
        Some(first) if first >= read_at => {
            format!("{reader_text} would read what {writer_text} has not yet written to {element}")
        }
        Some(_) => {
            let actual = times.last_write(read.buffer, &cells, Some(&read_at))?;
            let actual = actual.map(|w| witness::instance(scop, w.statement, &w.instance));
            format!(
                "{reader_text} would read {element} as {} has overwritten it, not as {writer_text} \
                 wrote it",
                actual.as_deref().unwrap_or("another instance")
            )
        }
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
    let times = Times::of(program, sample)?;
    let read_at = times.of_instance(read.lifted, reader)?;
    let cells = witness::fixed(scop, &read.cells()?, &sample.parameters, reader)?;
    let actual = times
        .last_write(read.buffer, &cells, Some(&read_at))?
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
    let last = match full {
        Some(touch) => {
            let mut cell = isl::Set::universe(&touch.cells()?.range()?.get_space()?)?;
            for (dim, &value) in element.iter().enumerate() {
                let value = isl::Val::int_from_si(&scop.ctx, value)?;
                cell = cell.fix_val(isl::DimType::Set, dim, &value)?;
            }
            Times::of(program, sample)?.last_write(touch.buffer, &cell, None)?
        }
        None => None,
    };
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

/// When instances are executed, at the parameters of a sample.
///
/// What writes a cell may be as many instances as a tile or a loop has: of the last one isl says
/// which it is.
struct Times<'a, 'p> {
    program: &'a Program<'p>,
    sample: &'a Sample,
    all: isl::UnionMap,
}

impl<'a, 'p> Times<'a, 'p> {
    fn of(program: &'a Program<'p>, sample: &'a Sample) -> isl::Result<Times<'a, 'p>> {
        Ok(Times {
            program,
            sample,
            all: program.transformed.schedule.get_map()?,
        })
    }

    /// The times of a statement's instances.
    fn of_statement(&self, lifted: usize) -> isl::Result<Vec<isl::Map>> {
        let space = self.program.lifted(lifted).domain.get_space()?;
        let domain = isl::UnionSet::from_set(&isl::Set::universe(&space)?)?;
        let parameters = &self.sample.parameters;
        let maps = self.all.intersect_domain(&domain)?.maps()?;
        maps.iter()
            .map(|map| witness::at(self.program.scop, map, parameters))
            .collect()
    }

    /// When one instance is executed.
    fn of_instance(&self, lifted: usize, instance: &[i64]) -> isl::Result<Vec<i64>> {
        for map in self.of_statement(lifted)? {
            let scop = self.program.scop;
            let times = witness::fixed(scop, &map, &self.sample.parameters, instance)?;
            if !times.is_empty()? {
                return witness::point(&times.sample_point()?);
            }
        }
        Ok(Vec::new())
    }

    /// What writes the cells: the lifted statement and its instances, with their times.
    fn writers(&self, buffer: BufferId, cells: &isl::Set) -> isl::Result<Vec<(usize, isl::Map)>> {
        let mut found = Vec::new();
        let touches = self.program.touches.iter();
        for write in touches.filter(|t| !t.is_read() && t.buffer == buffer) {
            let writes = write.cells()?;
            let writes = witness::at(self.program.scop, &writes, &self.sample.parameters)?;
            let instances = writes.intersect_range(cells)?.domain()?;
            for times in self.of_statement(write.lifted)? {
                found.push((write.lifted, times.intersect_domain(&instances)?));
            }
        }
        Ok(found)
    }

    /// When the first copy of an original instance writes the cells.
    fn first_of(
        &self,
        buffer: BufferId,
        cells: &isl::Set,
        (statement, instance): (StatementId, &[i64]),
    ) -> isl::Result<Option<Vec<i64>>> {
        let mut first: Option<Vec<i64>> = None;
        for (lifted, mut times) in self.writers(buffer, cells)? {
            let lifted = self.program.lifted(lifted);
            if lifted.statement != statement {
                continue;
            }
            for (dim, &value) in instance.iter().enumerate() {
                let value = isl::Val::int_from_si(&self.program.scop.ctx, value)?;
                times = times.fix_val(isl::DimType::In, lifted.tile_dims + dim, &value)?;
            }
            let times = times.range()?;
            if !times.is_empty()? {
                let time = witness::point(&times.lexmin()?.sample_point()?)?;
                first = Some(first.map_or(time.clone(), |first| first.min(time)));
            }
        }
        Ok(first)
    }

    /// The last write of the cells, before a time or of all.
    fn last_write(
        &self,
        buffer: BufferId,
        cells: &isl::Set,
        before: Option<&[i64]>,
    ) -> isl::Result<Option<Write>> {
        let mut last: Option<Write> = None;
        for (lifted, times) in self.writers(buffer, cells)? {
            let statement = self.program.lifted(lifted).statement;
            let tile_dims = self.program.lifted(lifted).tile_dims;
            let mut all = times.range()?;
            if let Some(before) = before {
                all = all.intersect(&earlier(&all, before)?)?;
            }
            if all.is_empty()? {
                continue;
            }
            let latest = all.lexmax()?;
            let time = witness::point(&latest.sample_point()?)?;
            if last.as_ref().is_none_or(|last| last.time < time) {
                let copies = times.intersect_range(&latest)?.domain()?;
                let copy = witness::point(&copies.sample_point()?)?;
                last = Some(Write {
                    statement,
                    instance: copy[tile_dims..].to_vec(),
                    time,
                });
            }
        }
        Ok(last)
    }
}

/// The times before another one.
fn earlier(times: &isl::Set, before: &[i64]) -> isl::Result<isl::Set> {
    let dims = times.tuple_dim()?;
    let names: Vec<String> = (0..dims).map(|dim| format!("t{dim}")).collect();
    let mut cases = Vec::new();
    for (dim, value) in before.iter().enumerate().take(dims) {
        let mut parts: Vec<String> = (0..dim).map(|d| format!("t{d} = {}", before[d])).collect();
        parts.push(format!("t{dim} < {value}"));
        cases.push(parts.join(" and "));
    }
    let condition = if cases.is_empty() {
        "false".to_owned()
    } else {
        cases.join(" or ")
    };
    let text = format!("{{ [{}] : {condition} }}", names.join(", "));
    isl::Set::read_from_str(times.ctx(), &text)
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
