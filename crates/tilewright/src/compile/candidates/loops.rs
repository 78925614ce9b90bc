//! Plans with steps that a user asks for by the names of loops ([`crate::planner::loops`]): in front
//! of them scalars are substituted that would keep loops apart, and where the order is illegal, it
//! is refused with what would allow it.

use crate::compile::Region;
use crate::compile::attempts::checked;
use crate::compile::candidates::Candidate;
use crate::compile::candidates::inspect::explained;
use crate::compile::candidates::reductions::with_reductions;
use crate::compile::messages::{Setback, refusal};
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::{RegionPlan, Shape};
use crate::planner::Wishes;
use crate::planner::loops::reordered_by;
use crate::rewrite::substitute;

/// The plans to try.
pub(crate) fn with_loops<'r>(
    region: &'r Region,
    wishes: &Wishes,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<Candidate<'r>>, Box<Diagnostic>> {
    if wishes.loops.is_empty() {
        return with_reductions(region, wishes, warnings);
    }
    if !matches!(
        wishes.shape,
        None | Some(Shape::None | Shape::Parallelogram)
    ) {
        let message = "loops are interchanged, distributed and fused by name only with the shapes \
                       `none` and `parallelogram`";
        return Err(Box::new(Diagnostic::error(Code::PlanMismatch, message)));
    }
    region.scop.ctx.reset_operations();
    // Where the budget is not enough to find out, there is a way without.
    let Ok(Some((names, with))) = substitute::choose(region) else {
        return with_reductions(region, wishes, warnings);
    };
    let plans = with_reductions(&with, wishes, warnings)?;
    let plans = plans.into_iter();
    let named = plans.map(|one| one.behind(|rewrites| rewrites.substitute.clone_from(&names)));
    Ok(named.collect())
}

/// Of steps that were asked for, by options or a plan: why they are refused, and what would allow
/// them.
pub(crate) fn refused(
    region: &Region,
    plan: &RegionPlan,
    setback: Setback,
    given: bool,
) -> Diagnostic {
    let illegal = matches!(setback, Setback::Violation(_));
    let setback = match explained(&region.scop, setback) {
        Setback::Isl(error) if error.kind() == isl::ErrorKind::Unsupported => {
            Setback::Plan(error.to_string())
        }
        setback => setback,
    };
    let mut diagnostic = refusal(setback);
    if !given {
        diagnostic = diagnostic.at(region.scop.place.span, "this region");
    }
    let sums = if illegal {
        allowed_by_reordering(region, plan)
    } else {
        Vec::new()
    };
    if sums.is_empty() {
        return diagnostic;
    }
    let quoted: Vec<String> = sums.iter().map(|name| format!("`{name}`")).collect();
    let note = format!(
        "what is added to {} would be added in another order, which changes the last bits of sums",
        quoted.join(", ")
    );
    let help = if given {
        let listed: Vec<String> = sums.iter().map(|name| format!("{name:?}")).collect();
        format!(
            "allow that with `reorder = [{}]` in the group",
            listed.join(", ")
        )
    } else {
        "allow that with `--reassociate`".to_owned()
    };
    diagnostic.note(note).help(help)
}

/// The sums of which nothing but their order is in the way of a plan.
fn allowed_by_reordering(region: &Region, plan: &RegionPlan) -> Vec<String> {
    let scop = &region.scop;
    let mut plan = plan.clone();
    let [group] = &mut plan.groups[..] else {
        return Vec::new();
    };
    if group.loops().is_empty() {
        return Vec::new();
    }
    scop.ctx.reset_operations();
    let Ok(found) = reordered_by(scop, &region.dataflow, group.loops()) else {
        return Vec::new();
    };
    let names = found.iter().map(|sum| scop.arrays[sum.array].name.clone());
    let more: Vec<String> = names.filter(|name| !group.reorder.contains(name)).collect();
    group.reorder.extend(more.iter().cloned());
    if !more.is_empty() && checked(region, &plan, &mut |_| {}).is_ok() {
        more
    } else {
        Vec::new()
    }
}
