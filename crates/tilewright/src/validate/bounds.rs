//! Do accesses stay inside their local buffers?

use super::program::{Program, index_in_buffer};
use super::witness;
use super::{Violation, ViolationKind};
use crate::transform::BufferKind;

/// Every element that an access to a local buffer may touch lies in `[origin, origin + extent)`,
/// in dimensions that are not folded.
pub(super) fn check(program: &Program) -> isl::Result<Option<Violation>> {
    let scop = program.scop;
    for touch in &program.touches {
        let buffer = program.buffer(touch.buffer);
        let BufferKind::Local {
            extents, folded, ..
        } = &buffer.kind
        else {
            continue;
        };
        let lifted = program.lifted(touch.lifted);
        let index = index_in_buffer(lifted, buffer, &touch.elements)?;
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
            if outside.is_empty()? {
                continue;
            }
            let dims = lifted.domain.tuple_dim()?;
            let sample = witness::sample(scop, &outside.wrap()?)?;
            let (instance, at) = sample.split(dims);
            let elements = witness::images(scop, &touch.elements, &sample.parameters, instance)?;
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
    }
    Ok(None)
}
