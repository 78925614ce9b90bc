//! Loops in the order in which they were written, perfectly nested ones as one band.
//!
//! Where a bound is data, the statements that define it stand between loops, and the bands around
//! and below them stay apart (Zhao, thesis 2018, figure 4.4): the affine scheduler would gather
//! the definitions of all iterations before the first loop that uses one.

use crate::analysis::dependences::carried;
use crate::plan::steps::LoopStep;
use crate::scop::tree::walk;
use crate::scop::{Scop, StatementId};
use crate::transform::TransformError;
use crate::transform::nests::restructured;
use isl::{MultiUnionPwAff, Schedule, ScheduleNode, UnionMap};

/// The original schedule of some statements, after steps, with permutable bands.
///
/// # Errors
/// isl's own.
pub(crate) fn bands(
    scop: &Scop,
    statements: &[StatementId],
    steps: &[LoopStep],
    dependences: &UnionMap,
) -> Result<Schedule, TransformError> {
    let schedule = restructured::schedule(scop, statements, steps)?;
    let node = joined(&schedule.get_root()?, dependences)?;
    Ok(node.root()?.get_schedule()?)
}

/// Joins bands below a node, innermost first, and returns the node in its place.
fn joined(node: &ScheduleNode, dependences: &UnionMap) -> isl::Result<ScheduleNode> {
    let node = walk::with_children(node, |child| joined(child, dependences))?;
    if !walk::is_loop(&node)? {
        return Ok(node);
    }
    let inner = node.child(0)?;
    if walk::is_loop(&inner)? {
        let outer = node.band_get_partial_schedule()?;
        let whole = outer.flat_range_product(&inner.band_get_partial_schedule()?)?;
        if permutable(&node, &whole, dependences)? {
            // Not coincident by what is known: who asks looks at the dependences.
            let apart = node.delete()?.delete()?;
            return apart
                .insert_partial_schedule(&whole)?
                .band_set_permutable(1);
        }
    }
    Ok(node)
}

/// Whether no dependence that the loops outside leave goes back along a member.
fn permutable(
    node: &ScheduleNode,
    partial: &MultiUnionPwAff,
    dependences: &UnionMap,
) -> isl::Result<bool> {
    let open = carried::open_dependences(node, dependences)?;
    for member in 0..partial.size()? {
        let member = MultiUnionPwAff::from_union_pw_aff(&partial.get_at(member)?)?;
        let forward = carried::at_same(&open, &member)?
            .union(&open.lex_lt_at_multi_union_pw_aff(&member)?)?;
        if !open.is_subset(&forward)? {
            return Ok(false);
        }
    }
    Ok(true)
}
