//! What is special about shapes over time: some need the region in bands, and where one of them was
//! asked for, no other shape takes its place.

use crate::compile::Region;
use crate::compile::messages::{Setback, refusal};
use crate::diagnostic::Diagnostic;
use crate::plan::RegionPlan;
use crate::scop::Scop;
use std::borrow::Cow;

/// The region in bands of time, where the plan has overlapped tiles over time
/// ([`crate::plan::Group::overlaps_over_time`]).
///
/// # Errors
/// Why it is no iterated stencil, or cannot be in bands.
pub(crate) fn for_shape<'r>(
    region: &Cow<'r, Region>,
    plan: &RegionPlan,
) -> Result<Cow<'r, Region>, Box<Diagnostic>> {
    let tiles = match &plan.groups[..] {
        [group] if group.overlaps_over_time(region.graph.is_cyclic()) => group.overlapped(),
        _ => None,
    };
    let Some(tiles) = tiles else {
        return Ok(region.clone());
    };
    region.scop.ctx.reset_operations();
    match region.in_bands(tiles) {
        Ok(banded) => Ok(Cow::Owned(banded)),
        Err(error) => {
            let setback = Setback::from(error);
            Err(Box::new(not_over_time(&region.scop, setback)))
        }
    }
}

/// Of a shape over time that was asked for.
pub(crate) fn not_over_time(scop: &Scop, setback: Setback) -> Diagnostic {
    refusal(setback)
        .at(scop.place.span, "this region")
        .help("`--shape parallelogram` tiles every loop nest, over time too")
}
