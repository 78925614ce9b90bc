//! Plans with sums in parts or with atomic updates, in front of those that leave them as they are.

use crate::compile::Region;
use crate::compile::calls;
use crate::compile::candidates::{Candidate, candidates};
use crate::compile::messages::{Setback, fallback};
use crate::diagnostic::Diagnostic;
use crate::plan::{Group, RegionPlan, Shape, Tiles};
use crate::planner::reductions;
use crate::planner::{Reductions, Wishes};
use crate::scop::Scop;
use crate::transform::TransformError;
use std::collections::BTreeSet;

/// The plans to try.
pub(crate) fn with_reductions<'r>(
    region: &'r Region,
    wishes: &Wishes,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<Candidate<'r>>, Box<Diagnostic>> {
    let wishes = &*calls::wishes(&region.scop, wishes);
    let plain = candidates(region, wishes, warnings)?;
    region.scop.ctx.reset_operations();
    let alone = plain.first().is_some_and(|one| one.plan.planner == "alone");
    let Ok(choice) = reductions::choose(&region.scop, wishes, alone) else {
        return Ok(plain);
    };
    if choice.is_empty() {
        return Ok(plain);
    }
    let mut all = Vec::new();
    // Together, as they may be in one loop; what was not asked for by name also one by one.
    let mut tries = vec![choice.partial.clone()];
    if wishes.sums.reductions == Reductions::Auto && choice.partial.len() > 1 {
        tries.extend(choice.partial.iter().map(|entry| vec![entry.clone()]));
    }
    tries.retain(|entries| !entries.is_empty());
    for entries in &tries {
        if !all.is_empty() {
            break;
        }
        match region.in_parts(entries) {
            Ok(with) => {
                let mut more = candidates(&with, wishes, &mut Vec::new())?;
                // The loop over parts is parallel as it was made; another order may lose that, and
                // that the sum of them is not is no reason to stay on one thread.
                let free = wishes.shape.is_none()
                    && wishes.fuse.is_none()
                    && wishes.tile_sizes.is_none()
                    && wishes.device.is_none();
                let affine = |candidate: &Candidate| {
                    let mut shapes = candidate.plan.groups.iter().map(Group::shape);
                    shapes.any(|shape| shape == Shape::Parallelogram)
                };
                let alone = |candidate: &Candidate| candidate.plan.planner == "alone";
                if free && more.first().is_some_and(|one| affine(one) || alone(one)) {
                    let written = Wishes {
                        shape: Some(Shape::None),
                        ..wishes.clone()
                    };
                    more = candidates(&with, &written, &mut Vec::new())?;
                }
                let behind = |candidate: Candidate| {
                    candidate.behind(|rewrites| rewrites.partial.clone_from(entries))
                };
                all.extend(more.into_iter().take(1).map(behind));
            }
            // What was not asked for need not be explained.
            Err(_) if wishes.sums.reductions == Reductions::Auto => {}
            Err(TransformError::Plan(reason)) => {
                let setback = Setback::Plan(reason);
                warnings.push(fallback(&region.scop, &setback, "a sum stays as it is"));
            }
            Err(TransformError::Isl(error)) => {
                let setback = Setback::Isl(error);
                warnings.push(fallback(&region.scop, &setback, "a sum stays as it is"));
            }
        }
    }
    // Tiles over time are made, or refused with a reason.
    let over_time = wishes.shape.is_some_and(Shape::is_over_time);
    if !choice.atomic.is_empty() && !over_time {
        let as_written = plain.iter().find(|candidate| {
            let mut groups = candidate.plan.groups.iter();
            groups.all(|group| group.written().is_some())
        });
        if let Some(candidate) = as_written {
            let mut candidate = candidate.clone();
            candidate.plan.planner = "original".to_owned();
            for group in &mut candidate.plan.groups {
                group.parallel = wishes.processor.parallel;
                if let Tiles::Written(tiles) = &mut group.tiles {
                    let own = choice.atomic.iter();
                    let own = own.filter(|name| group.stages.contains(name));
                    tiles.atomic = own.cloned().collect();
                }
            }
            all.push(candidate);
        }
    }
    all.extend(plain);
    Ok(all)
}

/// The arrays of floating-point numbers that a plan has added up in another order.
pub(crate) fn reordered(scop: &Scop, plan: &RegionPlan) -> Vec<String> {
    let parts = plan
        .rewrites
        .partial
        .iter()
        .map(|parts| parts.array.clone());
    let groups = plan.groups.iter();
    let other = groups.flat_map(|group| group.atomic().iter().chain(&group.reorder).cloned());
    let mut names: Vec<String> = parts.chain(other).collect();
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let float = |name: &String| {
        let array = scop.array_named(name).map(|array| &scop.arrays[array]);
        array.is_some_and(|array| array.element.kind.is_float())
    };
    names.into_iter().filter(float).collect()
}
