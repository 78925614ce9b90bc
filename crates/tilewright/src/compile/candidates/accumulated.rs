//! Plans for a region with temporaries in the cells that get them
//! ([`crate::rewrite::accumulate`]), where loops are reordered.

use super::{Candidate, has_temporaries, in_full};
use crate::analysis::region::Region;
use crate::compile::profit::has_no_model;
use crate::plan::{RegionPlan, Rewrites, Shape};
use crate::planner::{self, Wishes};
use crate::rewrite::accumulate;
use std::borrow::Cow;

/// The plans to try in front of one that reorders loops. Stages of pipelines are better as they are:
/// they are kept for one tile only.
pub(super) fn accumulated<'r>(
    region: &Region,
    plan: &RegionPlan,
    wishes: &Wishes,
) -> Vec<Candidate<'r>> {
    let Some(first) = first(region, plan, wishes) else {
        return Vec::new();
    };
    let full = Candidate {
        plan: in_full(&first.plan),
        ..first.clone()
    };
    let differs = full.plan != first.plan && has_temporaries(&full.region.scop);
    let full = differs.then_some(full);
    std::iter::once(first).chain(full).collect()
}

fn first<'r>(region: &Region, plan: &RegionPlan, wishes: &Wishes) -> Option<Candidate<'r>> {
    let reorders = |plan: &RegionPlan| {
        let mut groups = plan.groups.iter();
        has_no_model(plan) && groups.any(|group| group.shape() == Shape::Parallelogram)
    };
    if wishes.device.is_some() || !wishes.loops.is_empty() || !reorders(plan) {
        return None;
    }
    region.scop.ctx.reset_operations();
    // Where the budget is not enough to find out, there is a way without.
    let (names, with) = accumulate::choose(region).ok()??;
    region.scop.ctx.reset_operations();
    let planned = planner::plan(&with.scop, &with.dataflow, &with.graph, wishes).ok()?;
    let plan = RegionPlan {
        rewrites: Rewrites {
            tabulate: plan.rewrites.tabulate.clone(),
            inline: plan.rewrites.inline.clone(),
            accumulate: names,
            ..planned.plan.rewrites
        },
        ..planned.plan
    };
    reorders(&plan).then(|| Candidate {
        region: Cow::Owned(with),
        plan,
        why: planned.why,
        shapes: planned.shapes,
    })
}
