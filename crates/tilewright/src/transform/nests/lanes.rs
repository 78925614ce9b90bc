//! A parallel loop inside the sequential ones in it, strip by strip: sums of neighbouring cells
//! are made side by side in vector lanes.
//!
//! ```text
//! parallel x                      strips of x
//!   s = 0                           x in the strip: s[x] = 0
//!   j                        →      j
//!     s += a[j][x]                    x in the strip: s[x] += a[j][x]
//!   b[x] = s                        x in the strip: b[x] = s[x]
//! ```
//!
//! Each sum keeps its order. Points are counted from a strip's first one, so that a temporary's
//! cell is the point. The loop has to be parallel; what becomes of storage is for validation to say.

use super::named::Named;
use crate::plan::defaults::LANES;
use crate::scop::tree::walk;
use crate::scop::{Scop, Statement};
use crate::transform::TransformError;
use isl::{
    DimType, MultiUnionPwAff, Result, Schedule, ScheduleNode, ScheduleNodeType, UnionMap,
    UnionPwAff, Val,
};

/// Moves all loops over the variables `names` inside those in them.
///
/// # Errors
/// [`TransformError::Plan`] where there is no such loop with one in it, or one that is not
/// parallel; isl's own.
pub(crate) fn inside(
    scop: &Scop,
    schedule: &Schedule,
    dependences: &UnionMap,
    names: &[String],
) -> std::result::Result<Schedule, TransformError> {
    let what = Named {
        scop,
        dependences,
        asked: "lanes",
    };
    what.each(schedule, names, &|node, name, parallel| {
        if !parallel {
            return Err(TransformError::Plan(format!(
                "`lanes`: the iterations of loop `{name}` depend on each other"
            )));
        }
        Ok(Some(moved(node, is_whole(scop, node, name)?)?))
    })
}

/// Whether one strip holds all iterations of a loop.
fn is_whole(scop: &Scop, node: &ScheduleNode, name: &str) -> Result<bool> {
    for set in node.get_domain()?.sets()? {
        let tuple = set.get_tuple_name()?;
        let statement = scop.statement_named(&tuple).map(|id| &scop.statements[id]);
        let own = |s: &Statement| s.iterators.iter().position(|own| own.name == name);
        let Some(iterator) = statement.and_then(own) else {
            return Ok(false);
        };
        let bounded = set.dim_has_lower_bound(DimType::Set, iterator)?
            && set.dim_has_upper_bound(DimType::Set, iterator)?;
        let within = |value: &Val| value.to_i64().is_some_and(|at| (0..LANES).contains(&at));
        if !bounded || !within(&set.dim_min_val(iterator)?) || !within(&set.dim_max_val(iterator)?)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The loop of a node at the leaves below it, in strips unless one holds the `whole`.
fn moved(node: &ScheduleNode, whole: bool) -> Result<ScheduleNode> {
    let points = node.band_get_partial_schedule()?;
    let width = Val::int_from_si(node.ctx(), LANES)?;
    let node = node.delete()?;
    if whole {
        return at_leaves(&node, &points);
    }
    let strips = points.scale_down_val(&width)?.floor()?;
    let points: UnionPwAff = points.get_at(0)?.mod_val(&width)?;
    let points = MultiUnionPwAff::from_union_pw_aff(&points)?;
    let inner = at_leaves(&node, &points)?;
    inner.insert_partial_schedule(&strips)
}

/// A loop at every leaf below a node; returns the node at the same position.
fn at_leaves(node: &ScheduleNode, points: &MultiUnionPwAff) -> Result<ScheduleNode> {
    if node.get_type()? == ScheduleNodeType::Leaf {
        return node.insert_partial_schedule(points);
    }
    walk::with_children(node, |child| at_leaves(child, points))
}
