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

use crate::analysis::dependences::carried::parallel_members;
use crate::plan::defaults::LANES;
use crate::scop::Scop;
use crate::transform::TransformError;
use crate::transform::loops::has_loop_below;
use isl::{
    DimType, MultiUnionPwAff, PwAff, Result, Schedule, ScheduleNode, ScheduleNodeType, UnionMap,
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
    let mut schedule = schedule.clone();
    for name in names {
        let mut work = Work {
            scop,
            dependences,
            name,
            moved: 0,
        };
        schedule = work.below(&schedule.get_root()?)?.root()?.get_schedule()?;
        if work.moved == 0 {
            return Err(TransformError::Plan(format!(
                "`lanes`: there is no loop `{name}` with another one in it"
            )));
        }
    }
    Ok(schedule)
}

/// The loops over one variable.
struct Work<'a> {
    scop: &'a Scop,
    dependences: &'a UnionMap,
    name: &'a str,
    /// How many were moved.
    moved: usize,
}

impl Work<'_> {
    /// Works on the subtree of `node` and returns the node at the same position.
    fn below(&mut self, node: &ScheduleNode) -> std::result::Result<ScheduleNode, TransformError> {
        let mut node = node.clone();
        if node.get_type()? == ScheduleNodeType::Band && node.band_n_member()? > 0 {
            if node.band_n_member()? > 1 {
                node = node.band_split(1)?;
            }
            let has_loops = has_loop_below(&node.child(0)?)?;
            if has_loops && let Some(whole) = runs_over(self.scop, &node, self.name)? {
                if !parallel_members(&node, self.dependences, true)?[0] {
                    return Err(TransformError::Plan(format!(
                        "`lanes`: the iterations of loop `{}` depend on each other",
                        self.name
                    )));
                }
                self.moved += 1;
                return Ok(moved(&node, whole)?);
            }
        }
        for child in 0..node.n_children()? {
            node = self.below(&node.child(child)?)?.parent()?;
        }
        Ok(node)
    }
}

/// Whether a band of one member is the loop over the variable; if so, whether one strip holds it.
fn runs_over(scop: &Scop, node: &ScheduleNode, name: &str) -> Result<Option<bool>> {
    let loops = node.band_get_partial_schedule()?.get_at(0)?;
    let mut whole = true;
    for set in node.get_domain()?.sets()? {
        let tuple = set.get_tuple_name()?;
        let Some(statement) = scop.statement_named(&tuple).map(|id| &scop.statements[id]) else {
            return Ok(None);
        };
        let Some(iterator) = statement.iterators.iter().position(|own| own.name == name) else {
            return Ok(None);
        };
        let space = set.get_space()?;
        let value = loops.extract_pw_aff(&space.from_domain()?.add_dims(DimType::Out, 1)?)?;
        let variable = PwAff::var_on_domain(
            &isl::LocalSpace::from_space(&space)?,
            DimType::Set,
            iterator,
        )?;
        let value = value.intersect_domain(&set)?;
        if !value.is_equal(&variable.intersect_domain(&set)?)? {
            return Ok(None);
        }
        let bounded = set.dim_has_lower_bound(DimType::Set, iterator)?
            && set.dim_has_upper_bound(DimType::Set, iterator)?;
        whole &= bounded && {
            let (first, last) = (set.dim_min_val(iterator)?, set.dim_max_val(iterator)?);
            let within = |value: &Val| value.to_i64().is_some_and(|at| (0..LANES).contains(&at));
            within(&first) && within(&last)
        };
    }
    Ok(Some(whole))
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
    let mut node = node.clone();
    for child in 0..node.n_children()? {
        node = at_leaves(&node.child(child)?, points)?.parent()?;
    }
    Ok(node)
}
