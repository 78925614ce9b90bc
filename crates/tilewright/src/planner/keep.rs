//! Whether loops stay as they were written, and run in parallel.
//!
//! Tiles, interchange and distribution of loops pay where a cell is used again in another iteration
//! of an outer loop, after more than a cache holds: products of matrices. What has a parallel loop
//! outside, walks through memory in its order inside, and uses rows at most again, as elementwise
//! loops, windows and recurrences along rows do, has nothing to gain: its order is the best one for
//! caches and for a C compiler's vector loops.

use super::jam::{Linear, subscripts};
use super::{Wishes, everything, of_groups};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::stages::StageGraph;
use crate::plan::{Shape, defaults};
use crate::scop::{AccessKind, Array, ArrayId, Origin, Scop, StatementId};
use crate::transform::{self, loops::PARALLEL};
use isl::{DimType, Result, ScheduleNode, ScheduleNodeType};
use std::collections::BTreeSet;

/// Whether the order of the region as it is is the best one, with its outermost loops in parallel.
///
/// # Errors
/// isl's own.
pub(super) fn as_written(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
) -> Result<bool> {
    let asked = wishes.shape.is_some()
        || wishes.fuse.is_some()
        || wishes.tile_sizes.is_some()
        || wishes.separate
        || wishes.device.is_some()
        || !wishes.parallel;
    if asked {
        return Ok(false);
    }
    let mut loops = Vec::new();
    for statement in 0..scop.statements.len() {
        loops.push(long_loops(scop, statement)?);
    }
    let deepest = loops.iter().map(Vec::len).max().unwrap_or(0);
    for (statement, long) in loops.iter().enumerate() {
        if gains(scop, statement, long, long.len() == deepest)? {
            return Ok(false);
        }
    }
    let plan = of_groups(scop, "original", vec![everything(graph, Shape::None)]);
    let Ok(transformed) = transform::apply(scop, dataflow, graph, &plan) else {
        return Ok(false);
    };
    let root = transformed.schedule.get_root()?.child(0)?;
    parallel_outside(scop, &root)
}

/// Whether a statement would gain from another order: a matrix, or more, whose cells are used again
/// in another iteration of some of its `long` loops, or, if it is one of the `deepest`, a walk across
/// rows, or a cell of an array that all iterations of the innermost loop write.
fn gains(scop: &Scop, statement: StatementId, long: &[usize], deepest: bool) -> Result<bool> {
    let Some(&innermost) = long.last() else {
        return Ok(false);
    };
    for access in &scop.statements[statement].accesses {
        let Some(cell) = subscripts(access)? else {
            continue;
        };
        let rows: Vec<Vec<i64>> = cell
            .iter()
            .map(|subscript| long.iter().map(|&k| subscript.iterators()[k]).collect())
            .collect();
        let rank = rank(rows);
        if rank >= 2 && rank < long.len() {
            return Ok(true);
        }
        if deepest && across_rows(&scop.arrays[access.array], &cell, innermost)? {
            return Ok(true);
        }
        // Sums of rows are one chain of additions each; several rows at once are vector lanes. A
        // variable of the body is a register as it is.
        let array = &scop.arrays[access.array];
        let variable = matches!(array.origin, Origin::Region { depth } if depth == cell.len());
        let summed = access.kind == AccessKind::Write
            && !cell.is_empty()
            && !variable
            && cell.iter().all(|s| s.iterators()[innermost] == 0);
        if deepest && summed {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether cells that follow one another along a loop are in different rows, or far apart in one.
/// Channels of a pixel, whose number is a constant, are no row.
fn across_rows(array: &Array, cell: &[Linear], along: usize) -> Result<bool> {
    let (mut step, mut size) = (0u64, Some(1u64));
    for (k, subscript) in cell.iter().enumerate().rev() {
        let own = subscript.iterators()[along].unsigned_abs();
        match size {
            Some(size) => step = step.saturating_add(own.saturating_mul(size)),
            None if own != 0 => return Ok(true),
            None => {}
        }
        let extent = match array
            .extents
            .get(k)
            .and_then(|extent| extent.affine.as_ref())
        {
            Some(extent) => extent.max_val()?.to_i64(),
            None => None,
        };
        let extent = extent.and_then(|extent| u64::try_from(extent).ok());
        size = size
            .zip(extent)
            .and_then(|(size, extent)| size.checked_mul(extent));
    }
    Ok(step > defaults::SHORT_STRIDE)
}

/// A statement's loops but for those of a few iterations, whatever the sizes are.
fn long_loops(scop: &Scop, statement: StatementId) -> Result<Vec<usize>> {
    let statement = &scop.statements[statement];
    let mut long = Vec::new();
    for k in 0..statement.iterators.len() {
        let bounded = statement.domain.dim_has_upper_bound(DimType::Set, k)?
            && statement.domain.dim_has_lower_bound(DimType::Set, k)?;
        let trips = if bounded {
            let (first, last) = (
                statement.domain.dim_min_val(k)?,
                statement.domain.dim_max_val(k)?,
            );
            match (first.to_i64(), last.to_i64()) {
                (Some(first), Some(last)) => last.saturating_sub(first).saturating_add(1),
                _ => i64::MAX,
            }
        } else {
            i64::MAX
        };
        if trips > defaults::SHORT_LOOP {
            long.push(k);
        }
    }
    Ok(long)
}

/// The rank of a matrix of integers.
fn rank(rows: Vec<Vec<i64>>) -> usize {
    let mut rows: Vec<Vec<i128>> = rows
        .into_iter()
        .map(|row| row.into_iter().map(i128::from).collect())
        .collect();
    let columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..columns {
        let Some(pivot) = (rank..rows.len()).find(|&r| rows[r][column] != 0) else {
            continue;
        };
        rows.swap(rank, pivot);
        for r in rank + 1..rows.len() {
            let (own, its) = (rows[r][column], rows[rank][column]);
            let pivot = rows[rank].clone();
            for (value, other) in rows[r].iter_mut().zip(pivot) {
                *value = value
                    .saturating_mul(its)
                    .saturating_sub(other.saturating_mul(own));
            }
        }
        rank += 1;
    }
    rank
}

/// Whether what is at a node of a schedule tree is a parallel loop, or several one after the other
/// that have no array in common.
fn parallel_outside(scop: &Scop, node: &ScheduleNode) -> Result<bool> {
    match node.get_type()? {
        ScheduleNodeType::Mark if node.mark_get_id()?.get_name()? == PARALLEL => Ok(true),
        ScheduleNodeType::Mark | ScheduleNodeType::Filter | ScheduleNodeType::Context => {
            parallel_outside(scop, &node.child(0)?)
        }
        ScheduleNodeType::Sequence => {
            let mut seen = BTreeSet::new();
            for k in 0..node.n_children()? {
                let child = node.child(k)?;
                if !parallel_outside(scop, &child.child(0)?)? {
                    return Ok(false);
                }
                for array in arrays(scop, &child)? {
                    if !seen.insert(array) {
                        return Ok(false);
                    }
                }
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// The arrays with extents that statements below a node access.
fn arrays(scop: &Scop, node: &ScheduleNode) -> Result<BTreeSet<ArrayId>> {
    let mut found = BTreeSet::new();
    let domain = node.get_domain()?;
    for statement in &scop.statements {
        let own = domain.extract_set(&statement.domain.get_space()?)?;
        if own.plain_is_empty()? {
            continue;
        }
        let all = statement.accesses.iter().map(|access| access.array);
        found.extend(all.filter(|&array| !scop.arrays[array].extents.is_empty()));
    }
    Ok(found)
}
