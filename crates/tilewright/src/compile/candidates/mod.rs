//! Which plans are tried for a region: the planner's, then simpler ones.

pub(crate) mod accumulated;
pub(crate) mod format;
pub(crate) mod inspect;
pub(crate) mod loops;
pub(crate) mod over_time;
pub(crate) mod reductions;
pub(crate) mod smaller;

use super::Region;
use super::messages::{Setback, fallback, refusal};
use crate::compile::candidates::accumulated::accumulated;
use crate::compile::candidates::over_time::for_shape;
use crate::compile::candidates::smaller::smaller;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::plan::{Fuse, Group, RegionPlan, Rewrites, Shape};
use crate::planner::stages::{inlining, pointwise, tabulation};
use crate::planner::{self, Inline, Planned, ShapeCost, Why, Wishes};
use crate::planner::{device, requests};
use crate::scop::{Array, Origin, Scop};
use std::borrow::Cow;

/// A plan to try.
#[derive(Clone)]
pub(super) struct Candidate<'r> {
    /// The region that it is for: with what the plan inlines inlined.
    pub region: Cow<'r, Region>,
    pub plan: RegionPlan,
    /// Why stages are grouped so, where the cost model decided.
    pub why: Option<Why>,
    /// What was predicted for each shape of tiles.
    pub shapes: Vec<ShapeCost>,
}

impl Candidate<'_> {
    /// The same with a rewrite in front, which makes its region of another one.
    fn behind<'r>(mut self, rewrite: impl FnOnce(&mut Rewrites)) -> Candidate<'r> {
        rewrite(&mut self.plan.rewrites);
        Candidate {
            region: Cow::Owned(self.region.into_owned()),
            plan: self.plan,
            why: self.why,
            shapes: self.shapes,
        }
    }
}

/// The planner's plan, then simpler ones.
pub(super) fn candidates<'r>(
    region: &'r Region,
    wishes: &Wishes,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<Candidate<'r>>, Box<Diagnostic>> {
    let mut plans = Vec::new();
    region.scop.ctx.reset_operations();
    let pipeline = matches!(wishes.shape, None | Some(Shape::Scalene | Shape::Right))
        && wishes.fuse != Some(Fuse::No)
        && region.scop.loops.bounds.is_empty()
        && region.scop.loops.independent.is_empty()
        && wishes.loops.is_empty();
    // Where the budget is not enough to find out, there is a way without.
    let (tabulated, tabulate) = match (&wishes.pipelines.inline, pipeline) {
        (Inline::Auto, true) => match tabulation::choose(region) {
            Ok(Some((names, with))) => (Cow::Owned(with), names),
            Ok(None) | Err(_) => (Cow::Borrowed(region), Vec::new()),
        },
        _ => (Cow::Borrowed(region), Vec::new()),
    };
    let (inlined, inline) = match &wishes.pipelines.inline {
        Inline::Auto if pipeline => match inlining::choose(&tabulated) {
            Ok(Some((names, without))) => (Cow::Owned(without), names),
            Ok(None) | Err(_) => (tabulated, Vec::new()),
        },
        Inline::Pointwise if pipeline => match pointwise::choose(region) {
            Ok(Some((names, without))) => (Cow::Owned(without), names),
            Ok(None) | Err(_) => (Cow::Borrowed(region), Vec::new()),
        },
        Inline::Auto | Inline::Pointwise | Inline::None => (Cow::Borrowed(region), Vec::new()),
        Inline::Stages(names) => (region.inlined(names)?, names.clone()),
    };
    let Region {
        scop,
        dataflow,
        graph,
        ..
    } = &*inlined;
    scop.ctx.reset_operations();
    let planned = planner::plan(scop, dataflow, graph, wishes);
    if let Ok(planned) = &planned {
        requests::check_groups(wishes, &planned.plan.groups, graph.is_cyclic())
            .map_err(|refused| Box::new(refused.at(scop.place.span, "this region")))?;
    }
    match planned.map(|planned| in_shape(&inlined, planned, wishes)) {
        Ok(Err(error)) if error.code == Code::Budget.name() => warnings.push(Diagnostic {
            severity: Severity::Warning,
            message: format!("a simpler plan is used: {}", error.message),
            ..*error
        }),
        Ok(Err(error)) => return Err(error),
        Ok(Ok((bands, planned))) => {
            let mut plan = planned.plan;
            plan.rewrites.tabulate = tabulate;
            plan.rewrites.inline = inline;
            plans.extend(accumulated(&inlined, &plan, wishes));
            plans.push(Candidate {
                region: bands.clone(),
                plan: plan.clone(),
                why: planned.why,
                shapes: planned.shapes.clone(),
            });
            if wishes.device.is_some() {
                for (region, plan) in smaller(&inlined, &plan, &bands) {
                    plans.push(Candidate {
                        region,
                        plan,
                        why: None,
                        shapes: planned.shapes.clone(),
                    });
                }
            }
            // What was not asked for by name need not be over time.
            let over_time =
                |g: &Group| g.over_time().is_some() || g.overlaps_over_time(graph.is_cyclic());
            if wishes.shape.is_none() && plan.groups.iter().any(over_time) {
                let affine = Wishes {
                    fuse: Some(Fuse::default()),
                    ..wishes.clone()
                };
                scop.ctx.reset_operations();
                if let Ok(planned) = planner::plan(scop, dataflow, graph, &affine) {
                    plans.push(Candidate {
                        region: inlined.clone(),
                        plan: planned.plan,
                        why: None,
                        shapes: Vec::new(),
                    });
                }
            }
            if let Some(plan) = without_contraction(scop, &plan) {
                plans.push(Candidate {
                    region: inlined.clone(),
                    plan,
                    why: None,
                    shapes: Vec::new(),
                });
            }
            if let Some(plan) = without_vector_loops(plan) {
                plans.push(Candidate {
                    region: inlined.clone(),
                    plan,
                    why: None,
                    shapes: Vec::new(),
                });
            }
        }
        Err(error) if !wishes.loops.is_empty() => {
            return Err(Box::new(refusal(Setback::Isl(error))));
        }
        Err(error) => {
            warnings.push(fallback(
                scop,
                &Setback::Isl(error),
                "a simpler plan is used",
            ));
        }
    }
    // No other order is what was asked for.
    if !wishes.loops.is_empty() {
        return Ok(plans);
    }
    for contract in [true, false] {
        let mut group = planner::everything(&region.graph, Shape::None);
        group.parallel = wishes.processor.parallel;
        group.vectorise = wishes.processor.vectorise && wishes.device.is_none();
        device::decide(&mut group, wishes);
        if let Some(written) = group.written_mut() {
            written.contract = contract;
        }
        let plan = RegionPlan::new(
            &scop.place.function,
            scop.place.index,
            "original",
            vec![group],
        );
        if plans.iter().all(|other| other.plan != plan) {
            plans.push(Candidate {
                region: Cow::Borrowed(region),
                plan,
                why: None,
                shapes: Vec::new(),
            });
        }
    }
    Ok(plans)
}

/// The region for a plan, and the plan; where nobody asked for tiles over time and they cannot be,
/// the next best that needs no bands.
///
/// # Errors
/// Why the shape that was asked for cannot be.
fn in_shape<'r>(
    region: &Cow<'r, Region>,
    planned: Planned,
    wishes: &Wishes,
) -> Result<(Cow<'r, Region>, Planned), Box<Diagnostic>> {
    let error = match for_shape(region, &planned.plan) {
        Ok(bands) => return Ok((bands, planned)),
        Err(error) => error,
    };
    let mut shapes = planned.shapes;
    shapes.retain(|other| !other.shape.is_overlapped());
    let next = shapes.first().map(|next| next.shape);
    if wishes.shape.is_some() || next.is_none() {
        return Err(error);
    }
    let wishes = Wishes {
        shape: next,
        ..wishes.clone()
    };
    region.scop.ctx.reset_operations();
    match planner::plan(&region.scop, &region.dataflow, &region.graph, &wishes) {
        Ok(other) => {
            let plan = RegionPlan {
                planner: planned.plan.planner,
                ..other.plan
            };
            let planned = Planned {
                plan,
                shapes,
                ..other
            };
            Ok((region.clone(), planned))
        }
        Err(_) => Err(error),
    }
}

/// The plan with temporaries in full, where there are any: a new order of loops often needs those of
/// several iterations at once.
fn without_contraction(scop: &Scop, plan: &RegionPlan) -> Option<RegionPlan> {
    let full = in_full(plan);
    (full != *plan && has_temporaries(scop)).then_some(full)
}

fn has_temporaries(scop: &Scop) -> bool {
    let temporary = |array: &Array| matches!(array.origin, Origin::Region { .. });
    scop.arrays.iter().any(temporary)
}

/// A plan with the temporaries of reordered loops in full.
pub(super) fn in_full(plan: &RegionPlan) -> RegionPlan {
    let mut plan = plan.clone();
    for reordered in plan.groups.iter_mut().filter_map(Group::affine_mut) {
        reordered.contract = false;
    }
    plan
}

/// The plan with innermost loops as they come, where it has skewed tiles with vector loops of
/// their own: what is most often too much for AST generation.
fn without_vector_loops(mut plan: RegionPlan) -> Option<RegionPlan> {
    let skewed = |group: &&mut Group| {
        let vector_tile = group.affine().map_or(0, |tiles| tiles.vector_tile);
        group.vectorise && vector_tile > 0
    };
    let mut changed = false;
    for group in plan.groups.iter_mut().filter(skewed) {
        group.vectorise = false;
        changed = true;
    }
    changed.then_some(plan)
}
