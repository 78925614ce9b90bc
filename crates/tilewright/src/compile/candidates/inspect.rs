//! Plans for regions with bounds that are inspected ([`crate::transform::inspect`]).

use crate::codegen::{self, CodegenOptions, Target};
use crate::compile::Region;
use crate::compile::candidates::Candidate;
use crate::compile::candidates::loops::with_loops;
use crate::compile::messages::Setback;
use crate::diagnostic::Diagnostic;
use crate::plan::{Group, RegionPlan};
use crate::planner::{Inspect, Wishes};
use crate::scop::Scop;
use crate::transform::inspect::{self, Bound};

/// The plans to try. Where an order needs static bounds that only inspection finds, plans with it
/// come behind the one without; on devices in front, as grids need fixed sizes.
pub(crate) fn with_inspections<'r>(
    region: &'r Region,
    wishes: &Wishes,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<Candidate<'r>>, Box<Diagnostic>> {
    let mut plain = with_loops(region, wishes, warnings)?;
    if wishes.data.inspect == Inspect::None || region.scop.loops.bounds.is_empty() {
        return Ok(plain);
    }
    region.scop.ctx.reset_operations();
    // Where the budget is not enough to find out, there is a way without.
    let Ok(bounds) = inspect::unbounded(&region.scop) else {
        return Ok(plain);
    };
    let fit = bounds.iter().filter(|bound| bound.obstacle.is_none());
    let fit: Vec<&Bound> = fit.collect();
    let moved = |g: &Group| g.written().is_none_or(|written| !written.loops.is_empty());
    let reordered = |plan: &RegionPlan| plan.groups.iter().any(moved);
    let ordered = plain.first().is_some_and(|first| reordered(&first.plan));
    let grid = wishes.device.as_ref().is_some_and(|device| {
        let outermost = |bound: &&Bound| bound.loops == 0;
        device.sink || fit.iter().any(outermost)
    });
    if fit.is_empty() || !(ordered || grid) {
        return Ok(plain);
    }
    let names: Vec<String> = fit.iter().map(|bound| bound.name.clone()).collect();
    let Ok(with) = region.inspected(&names) else {
        return Ok(plain);
    };
    let more = with_loops(&with, wishes, &mut Vec::new())?;
    let more = more.into_iter();
    let more = more.map(|one| one.behind(|rewrites| rewrites.inspect.clone_from(&names)));
    let at = usize::from(wishes.device.is_none());
    let more: Vec<Candidate<'r>> = match at {
        0 => more.collect(),
        // The loops as written need no inspection.
        _ => more
            .filter(|candidate| reordered(&candidate.plan))
            .collect(),
    };
    plain.splice(at..at, more);
    Ok(plain)
}

/// A setback for want of static bounds, with the reason why they cannot be inspected.
pub(crate) fn explained(scop: &Scop, setback: Setback) -> Setback {
    let Setback::Isl(error) = &setback else {
        return setback;
    };
    if error.kind() != isl::ErrorKind::Unsupported {
        return setback;
    }
    scop.ctx.reset_operations();
    let bounds = inspect::unbounded(scop).unwrap_or_default();
    let reason = bounds.into_iter().find_map(|bound| bound.obstacle);
    match reason {
        Some(reason) => Setback::Plan(format!("{error}; {reason}")),
        None => setback,
    }
}

/// The text in front of a region that has inspections.
///
/// # Errors
/// isl's own; names that the program has.
pub(crate) fn texts(scop: &Scop, settings: &CodegenOptions) -> Result<Vec<String>, Setback> {
    // They run on the host, also where the region does not.
    let settings = CodegenOptions {
        target: match settings.target {
            target if target.is_device() => Target::C,
            target => target,
        },
        group_titles: Vec::new(),
        ..settings.clone()
    };
    let mut texts = Vec::new();
    for inspection in &scop.edges.inspections {
        if settings.taken_names.contains(&inspection.variable) {
            return Err(Setback::Plan(format!(
                "`{}` is a name of the program, and would be one of the inspection",
                inspection.variable
            )));
        }
        let (alone, transformed) = inspect::program(scop, inspection)?;
        let kernel = codegen::generation::build::generate(&alone, &transformed, &settings)
            .map_err(Setback::Isl)?;
        texts.push(codegen::c::inspection(
            &alone,
            &transformed,
            &kernel,
            &settings,
            inspection,
        ));
    }
    Ok(texts)
}
