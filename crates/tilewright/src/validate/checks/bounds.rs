//! Do accesses stay inside their local buffers?

use crate::scop::ArrayId;
use crate::transform::BufferKind;
use crate::validate::numbers::questions::Question;
use crate::validate::program::Program;
use crate::validate::storage::{Touch, index_in_buffer};
use crate::validate::witness;
use crate::validate::{Violation, ViolationKind};

/// Writes: every element that they may touch lies in `[origin, origin + extent)`, in dimensions
/// that are not folded.
///
/// Reads of values that were written to the same buffer need no check then; [`check_reads`] is
/// for the others.
pub(crate) fn check_writes(program: &Program) -> isl::Result<Option<Violation>> {
    for touch in program.touches.iter().filter(|touch| !touch.is_read()) {
        if let Some(violation) = check(program, touch)? {
            return Ok(Some(violation));
        }
    }
    Ok(None)
}

/// The same for the reads of one array.
pub(crate) fn check_reads(program: &Program, array: ArrayId) -> isl::Result<Option<Violation>> {
    for touch in program
        .touches
        .iter()
        .filter(|t| t.is_read() && t.array == array)
    {
        if let Some(violation) = check(program, touch)? {
            return Ok(Some(violation));
        }
    }
    Ok(None)
}

fn check(program: &Program, touch: &Touch) -> isl::Result<Option<Violation>> {
    let scop = program.scop;
    let buffer = program.buffer(touch.buffer);
    let BufferKind::Local {
        extents, folded, ..
    } = &buffer.kind
    else {
        return Ok(None);
    };
    if let Some(model) = &program.model
        && program.seen(Question::Bounds, model.in_bounds(touch)?)
    {
        return Ok(None);
    }
    let lifted = program.lifted(touch.lifted);
    let index = index_in_buffer(lifted, buffer, &touch.elements()?)?;
    for (dim, (&extent, _)) in extents
        .iter()
        .zip(folded)
        .enumerate()
        .filter(|(_, (_, folded))| !**folded)
    {
        let universe = isl::Set::universe(&index.get_space()?.range()?)?;
        let zero = isl::Val::zero(&scop.ctx)?;
        let last = isl::Val::int_from_si(&scop.ctx, extent - 1)?;
        let inside = universe
            .lower_bound_val(isl::DimType::Set, dim, &zero)?
            .upper_bound_val(isl::DimType::Set, dim, &last)?;
        let outside = index.subtract_range(&inside)?;
        if !scop.is_possible(&outside)? {
            continue;
        }
        let dims = lifted.domain.tuple_dim()?;
        let sample = witness::sample(scop, &outside.wrap()?)?;
        let (instance, at) = sample.split(dims);
        let elements = witness::images(scop, &touch.elements()?, &sample.parameters, instance)?;
        let indices = witness::images(scop, &index, &sample.parameters, instance)?;
        // Both are the same set of points, one shifted against the other: in the same order.
        let position = indices.iter().position(|index| index == at).unwrap_or(0);
        let element = elements.get(position).cloned().unwrap_or_default();
        return Ok(Some(Violation {
            message: format!(
                "{} would access {}, element {} of {extent} in dimension {dim} of buffer `{}`",
                witness::lifted(scop, lifted, instance),
                witness::cell(scop, touch.array, &element),
                at[dim],
                buffer.name,
            ),
            parameters: sample.parameters(scop),
            kind: ViolationKind::Bounds,
        }));
    }
    Ok(None)
}
