//! Orders that a user asks for by name: loops as written, but interchanged, distributed and fused.
//!
//! The schedules of equake in Zhao's thesis (2018, section 6.3) are such orders: "2D band"
//! distributes the three parts of the loop over nodes, "(2+1)D band" interchanges the `while` loop
//! with the loop over components and fuses what that leaves, "3D band" interchanges and
//! distributes.
//!
//! A step applies wherever its loops are found by the names of their variables, outer nests first,
//! and steps are done one after another ([`crate::transform::nests::restructured`]). Whether an order is
//! legal is not asked here, but for one thing: which sums it adds up in another order, as that has
//! to be allowed.

use super::wishes::Wishes;
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::dependences::times::Times;
use crate::analysis::reductions::{Reduction, sums};
use crate::plan::Group;
use crate::plan::steps::LoopStep;
use crate::scop::{Scop, StatementId};
use crate::transform::TransformError;
use crate::transform::nests::restructured;

/// The sums whose updates an order of all statements makes in another order than the program.
///
/// # Errors
/// isl's own.
fn reordered(
    scop: &Scop,
    dataflow: &Dataflow,
    schedule: &isl::Schedule,
) -> isl::Result<Vec<Reduction>> {
    let times = Times::of(schedule)?;
    let mut found = Vec::new();
    for sum in sums(scop) {
        if is_reordered(scop, dataflow, &times, &sum)? {
            found.push(sum);
        }
    }
    Ok(found)
}

fn is_reordered(
    scop: &Scop,
    dataflow: &Dataflow,
    times: &Times,
    sum: &Reduction,
) -> isl::Result<bool> {
    let edges = dataflow.edges.iter().filter(|e| e.array == sum.array);
    let through = std::iter::once(&dataflow.through[sum.array]);
    for pairs in through.chain(edges.map(|edge| &edge.sources)) {
        for map in pairs.maps()? {
            let update = |side| -> isl::Result<bool> {
                let id = scop.statement_named(&map.get_tuple_name(side)?);
                Ok(id.is_some_and(|id| sum.has(id)))
            };
            if update(isl::DimType::In)?
                && update(isl::DimType::Out)?
                && times.first_not_before(scop, &map)?.is_some()
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Decides which sums a group may add up in another order: those that its steps reorder, as far as
/// that is allowed.
///
/// # Errors
/// isl's own.
pub(super) fn decide(
    scop: &Scop,
    dataflow: &Dataflow,
    group: &mut Group,
    wishes: &Wishes,
) -> isl::Result<()> {
    if group.loops().is_empty() {
        return Ok(());
    }
    let mut found = reordered_by(scop, dataflow, group.loops())?;
    found.retain(|sum| sum.exact || sum.said || wishes.sums.reassociate);
    let name = |sum: Reduction| scop.arrays[sum.array].name.clone();
    group.reorder = found.into_iter().map(name).collect();
    Ok(())
}

/// The sums that steps reorder; none where a step applies
/// nowhere, which whoever applies the plan finds out.
///
/// # Errors
/// isl's own.
pub fn reordered_by(
    scop: &Scop,
    dataflow: &Dataflow,
    steps: &[LoopStep],
) -> isl::Result<Vec<Reduction>> {
    let all: Vec<StatementId> = (0..scop.statements.len()).collect();
    match restructured::schedule(scop, &all, steps) {
        Ok(schedule) => reordered(scop, dataflow, &schedule),
        Err(TransformError::Plan(_)) => Ok(Vec::new()),
        Err(TransformError::Isl(error)) => Err(error),
    }
}
