//! Temporaries declared inside the region, folded back to what C declared.
//!
//! The scop sees `float t` under `d` loops as an array with `d` dimensions (one cell per
//! iteration), so that it causes no false dependences. Here its buffer is folded to one cell per
//! thread: every leading dimension modulo 1. Whether the new order allows that is for
//! [`crate::validate`] to say; the compiler then tries again without.

use super::loops::PARALLEL;
use super::{Buffer, BufferKind, TransformError};
use crate::plan::Group;
use crate::scop::{Origin, Scop, StatementId};
use isl::{Id, Schedule, ScheduleNode, ScheduleNodeType};

/// Local buffers for the region's own temporaries, and the schedule with `scope` marks.
///
/// # Errors
/// isl's own.
pub fn contract(
    scop: &Scop,
    schedule: &Schedule,
    statements: &[StatementId],
    group: &Group,
    number: usize,
) -> Result<(Schedule, Vec<Buffer>), TransformError> {
    let mut buffers = Vec::new();
    if group.contract {
        for array in 0..scop.arrays.len() {
            buffers.extend(contracted(scop, array, statements, number)?);
        }
    }
    if buffers.is_empty() {
        return Ok((schedule.clone(), buffers));
    }
    let id = Id::alloc(&scop.ctx, &format!("scope:{number}"))?;
    let node = insert_scopes(&schedule.get_root()?.child(0)?, &id)?;
    Ok((node.get_schedule()?, buffers))
}

/// The folded buffer of an array that is declared under loops and only used in this group.
fn contracted(
    scop: &Scop,
    array: usize,
    statements: &[StatementId],
    number: usize,
) -> Result<Option<Buffer>, TransformError> {
    let Origin::Region { depth } = scop.arrays[array].origin else {
        return Ok(None);
    };
    let used_elsewhere =
        scop.statements.iter().enumerate().any(|(id, s)| {
            !statements.contains(&id) && s.accesses.iter().any(|a| a.array == array)
        });
    if used_elsewhere {
        return Ok(None);
    }
    let tile_space = isl::Space::set_alloc(&scop.ctx, 0, 0)?;
    let mut extents = Vec::new();
    let mut origin = Vec::new();
    for (dimension, extent) in scop.arrays[array].extents.iter().enumerate() {
        origin.push(isl::Aff::zero_on_domain_space(&tile_space)?);
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
    let kind = BufferKind::Local {
        scope: number,
        origin,
        extents,
        folded,
    };
    Ok(Some(Buffer {
        name: scop.arrays[array].name.clone(),
        array,
        kind,
    }))
}

/// Puts the mark inside every outermost parallel loop, and around what has none.
fn insert_scopes(node: &ScheduleNode, id: &Id) -> Result<ScheduleNode, TransformError> {
    if is_parallel_mark(node)? {
        let inside = node.child(0)?.child(0)?.insert_mark(id)?;
        return Ok(inside.parent()?.parent()?);
    }
    if !has_parallel_mark(node)? {
        let around = match node.get_type()? {
            ScheduleNodeType::Filter => node.child(0)?.insert_mark(id)?.parent()?,
            _ => node.insert_mark(id)?,
        };
        return Ok(around);
    }
    let mut node = node.clone();
    for child in 0..node.n_children()? {
        node = insert_scopes(&node.child(child)?, id)?.parent()?;
    }
    Ok(node)
}

fn is_parallel_mark(node: &ScheduleNode) -> isl::Result<bool> {
    Ok(node.get_type()? == ScheduleNodeType::Mark && node.mark_get_id()?.get_name()? == PARALLEL)
}

fn has_parallel_mark(node: &ScheduleNode) -> isl::Result<bool> {
    if is_parallel_mark(node)? {
        return Ok(true);
    }
    for child in 0..node.n_children()? {
        if has_parallel_mark(&node.child(child)?)? {
            return Ok(true);
        }
    }
    Ok(false)
}
