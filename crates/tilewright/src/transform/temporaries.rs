//! Temporaries declared inside the region, folded back to what C declared.
//!
//! The scop sees `float t` under `d` loops as an array with `d` dimensions (one cell per
//! iteration), so that it causes no false dependences. Here its buffer is folded to one cell:
//! every leading dimension modulo 1, alive in a scope as far inside the new loops as all values
//! that pass through it stay within one execution of the scope. Whether the new order allows the
//! folding is for [`crate::validate`] to say; the compiler then tries again without.

use super::{Buffer, BufferKind, Scopes, TransformError, domain_of};
use crate::analysis::dependences::carried;
use crate::analysis::dependences::dataflow::Dataflow;
use crate::plan::{Group, defaults};
use crate::scop::tree::{marks::Mark, walk};
use crate::scop::{ArrayId, Origin, Scop, StatementId};
use isl::{DimType, Schedule, ScheduleNode, ScheduleNodeType, UnionMap};

/// Local buffers for the region's own temporaries, and the schedule with their `scope` marks.
///
/// # Errors
/// isl's own.
pub(crate) fn contract(
    scop: &Scop,
    dataflow: &Dataflow,
    schedule: &Schedule,
    statements: &[StatementId],
    group: &Group,
    scopes: &mut Scopes,
) -> Result<(Schedule, Vec<Buffer>), TransformError> {
    let mut buffers = Vec::new();
    let mut schedule = schedule.clone();
    for array in 0..scop.arrays.len() {
        let users = users(scop, array);
        if users.is_empty() || users.iter().any(|user| !statements.contains(user)) {
            continue;
        }
        if group.reorder.contains(&scop.arrays[array].name) {
            continue;
        }
        let Some((origin, mut extents, folded)) = folding(scop, array, 0)? else {
            continue;
        };
        let lanes = group.written().map_or(&[][..], |written| &written.lanes);
        let around = &scop.statements[users[0]].iterators;
        for (dimension, extent) in extents.iter_mut().enumerate() {
            if folded[dimension] && lanes.contains(&around[dimension].name) {
                *extent = defaults::LANES;
            }
        }
        let place = innermost_scope(scop, dataflow, &schedule, array, &users)?;
        // Loops that were one may be several now, with values on their way from one to the next.
        if !group.loops().is_empty() && !is_one_cell(scop, &place, array, &users)? {
            continue;
        }
        let scope = scopes.fresh();
        schedule = Mark::Scope(scope).above(&place)?.get_schedule()?;
        let kind = BufferKind::Local {
            scope,
            origin,
            extents,
            folded,
        };
        buffers.push(Buffer {
            name: scop.arrays[array].name.clone(),
            array,
            kind,
        });
    }
    Ok((schedule, buffers))
}

pub(super) fn users(scop: &Scop, array: ArrayId) -> Vec<StatementId> {
    (0..scop.statements.len())
        .filter(|&s| scop.statements[s].accesses.iter().any(|a| a.array == array))
        .collect()
}

pub(super) type Folding = (Vec<isl::Aff>, Vec<i64>, Vec<bool>);

/// Origin, extents and folding of a temporary's buffer, for tiles of `tile_dims` coordinates;
/// `None` for other arrays, and where C's extents are not constant.
pub(super) fn folding(
    scop: &Scop,
    array: ArrayId,
    tile_dims: usize,
) -> Result<Option<Folding>, TransformError> {
    let Origin::Region { depth } = scop.arrays[array].origin else {
        return Ok(None);
    };
    let no_tile = isl::Space::set_alloc(&scop.ctx, 0, tile_dims)?;
    let mut extents = Vec::new();
    let mut origin = Vec::new();
    for (dimension, extent) in scop.arrays[array].extents.iter().enumerate() {
        origin.push(isl::Aff::zero_on_domain_space(&no_tile)?);
        if dimension < depth {
            extents.push(1);
            continue;
        }
        let constant = match &extent.affine {
            Some(affine) if affine.is_cst()? => affine.max_val()?.to_i64(),
            _ => None,
        };
        let Some(constant) = constant else {
            return Ok(None);
        };
        extents.push(constant);
    }
    let folded = (0..extents.len()).map(|d| d < depth).collect();
    Ok(Some((origin, extents, folded)))
}

/// The innermost node that holds all users, and below whose outer loops every value of the array
/// is written and read.
fn innermost_scope(
    scop: &Scop,
    dataflow: &Dataflow,
    schedule: &Schedule,
    array: ArrayId,
    users: &[StatementId],
) -> Result<ScheduleNode, TransformError> {
    let domain = domain_of(scop, users)?;
    let mut flow = UnionMap::empty_ctx(&scop.ctx)?;
    for edge in dataflow.edges.iter().filter(|e| e.array == array) {
        flow = flow.union(&edge.sources)?;
    }
    let mut node = walk::top(schedule)?;
    let mut best = node.clone();
    loop {
        if may_hold_mark(&node)? {
            let prefix = node.get_prefix_schedule_multi_union_pw_aff()?;
            let open = flow.subtract(&carried::at_same(&flow, &prefix)?)?;
            if scop.is_possible(&open)? {
                return Ok(best);
            }
            best = node.clone();
        }
        let mut inside = None;
        for child in node.children()? {
            // What reaches a filter is more than what passes it.
            let inner = match child.get_type()? {
                ScheduleNodeType::Filter => child.child(0)?.get_domain()?,
                _ => child.get_domain()?,
            };
            if domain.is_subset(&inner)? {
                inside = Some(child);
                break;
            }
        }
        match inside {
            Some(child) => node = child,
            None => return Ok(best),
        }
    }
}

/// Whether the leading subscripts of a temporary, those of the loops around its declaration, are the
/// same for all its accesses in one execution of a node: then folding changes nothing.
fn is_one_cell(
    scop: &Scop,
    place: &ScheduleNode,
    array: ArrayId,
    users: &[StatementId],
) -> isl::Result<bool> {
    let Origin::Region { depth } = scop.arrays[array].origin else {
        return Ok(false);
    };
    let executions = place.get_prefix_schedule_union_map()?.reverse()?;
    let mut cells = UnionMap::empty_ctx(&scop.ctx)?;
    for access in users.iter().flat_map(|&id| &scop.statements[id].accesses) {
        if access.array == array {
            let rank = access.affine.len();
            let leading = access
                .relation
                .project_out(DimType::Out, depth, rank - depth)?;
            cells = cells.union(&executions.apply_range(&UnionMap::from_map(&leading)?)?)?;
        }
    }
    cells.is_single_valued()
}

/// A mark cannot stand above a filter, nor between a loop's own mark and its band.
fn may_hold_mark(node: &ScheduleNode) -> isl::Result<bool> {
    if node.get_type()? == ScheduleNodeType::Filter {
        return Ok(false);
    }
    let above = Mark::of(&node.parent()?)?;
    Ok(!matches!(above, Some(Mark::Parallel | Mark::Simd)))
}
