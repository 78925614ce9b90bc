//! Regions that call functions with arrays, or functions that have hidden state: such a
//! function needs its arrays where the program has them, and is called as often as the program calls
//! it, so that no plan may keep arrays anywhere else, compute anything twice, or do without the
//! statements.

use super::messages::Setback;
use crate::codegen::Target;
use crate::codegen::gpu::Refusal;
use crate::plan::{RegionPlan, Shape};
use crate::planner::{Inline, Reductions, Wishes};
use crate::scop::{Outside, Scop};
use crate::transform::{BufferKind, Transformed};
use std::borrow::Cow;

/// What may be wished for: orders of loops, but no other places for values.
pub(super) fn wishes<'w>(scop: &Scop, wishes: &'w Wishes) -> Cow<'w, Wishes> {
    if scop.outside().is_none() {
        return Cow::Borrowed(wishes);
    }
    let reordered = wishes.fuse.is_some() || wishes.tile_sizes.is_some();
    let shape = match wishes.shape {
        Some(Shape::Parallelogram) => Shape::Parallelogram,
        None if reordered => Shape::Parallelogram,
        _ => Shape::None,
    };
    let mut wishes = wishes.clone();
    wishes.shape = Some(shape);
    wishes.pipelines.inline = Inline::None;
    wishes.sums.reductions = Reductions::None;
    Cow::Owned(wishes)
}

/// Whether a plan keeps all values where the program has them.
///
/// # Errors
/// What it does instead.
pub(super) fn keeps(scop: &Scop, plan: &RegionPlan) -> Result<(), Setback> {
    let Some(call) = scop.outside() else {
        return Ok(());
    };
    let plain = |shape| matches!(shape, Shape::None | Shape::Parallelogram);
    let moves = !plan.rewrites.partial.is_empty()
        || !plan.rewrites.substitute.is_empty()
        || !plan.rewrites.tabulate.is_empty()
        || !plan.rewrites.inline.is_empty()
        || !plan.rewrites.accumulate.is_empty()
        || !plan.groups.iter().all(|group| plain(group.shape()));
    if moves {
        Err(Setback::Plan(format!(
            "{}: the region takes the shapes `none` and `parallelogram` only, and no substitution, \
             accumulation, inlining, tables or sums in parts",
            call.reason()
        )))
    } else {
        Ok(())
    }
}

/// Whether every function gets its arrays from the program's own memory.
///
/// # Errors
/// Which one does not.
pub(super) fn reachable(
    scop: &Scop,
    transformed: &Transformed,
    target: Target,
) -> Result<(), Setback> {
    for lifted in &transformed.statements {
        for call in scop.statements[lifted.statement].outside() {
            let name = call.name;
            if target.is_device() {
                return Err(Setback::Device(Refusal::Unsupported(match call.why {
                    Outside::Arrays => {
                        format!("`{name}` is called with arrays, and is on the host only")
                    }
                    Outside::State => {
                        format!("`{name}` changes state that is on the host only")
                    }
                })));
            }
            let local = call.accesses.iter().find(|&&access| {
                let buffer = lifted.bindings.get(access);
                let kind = buffer.map(|&buffer| &transformed.buffers[buffer].kind);
                !matches!(kind, Some(BufferKind::Full))
            });
            if local.is_some() {
                return Err(Setback::Plan(match call.why {
                    Outside::Arrays => {
                        format!("`{name}` gets an array that the plan keeps in other memory")
                    }
                    Outside::State => call.reason(),
                }));
            }
        }
    }
    Ok(())
}
