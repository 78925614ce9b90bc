//! Unroll-and-jam of point loops (Callahan, Cocke & Kennedy, *Estimating interlock and improving
//! balance for pipelined architectures*, 1988).
//!
//! Loops above the innermost one are strip-mined by their factors, and the strips moved inside:
//!
//! ```text
//! band [i]                band [⌊i / 2⌋]
//!   mark simd               mark simd
//!     band [j]       →        band [j]
//!       S                       mark unroll:2
//!                                 band [i]
//!                                   S
//! ```
//!
//! Where results stay in registers, the vector loop is cut into strips, too, which stand outside of
//! the loops that add to them:
//!
//! ```text
//! band [i]                band [⌊j / 24⌋]
//!   band [k]                band [⌊i / 4⌋]
//!     mark simd               band [k]
//!       band [j]       →        mark simd
//!         S                       band [j]
//!                                   mark unroll:4
//!                                     band [i]
//!                                       S
//! ```
//!
//! Code generation writes the marked loops out. Whether the order is legal is for validation to
//! say, as everywhere.

use super::TransformError;
use crate::scop::tree::{marks::Mark, walk};
use isl::{AstLoopType, MultiUnionPwAff, ScheduleNode, ScheduleNodeType, Val};

/// Jams the loops of the innermost bands at or below `node`: nests of loops with nothing between
/// them but marks. `factors` are those of the loops above the innermost one, the last one for the
/// loop directly above it. `strips`: which strip an instance of that loop is in, where it is not
/// its value divided by the factor. `columns`: iterations of the innermost loop that are a strip of
/// their own outside of the jammed loops; 0: none. Returns the node at the same position.
pub(super) fn jam(
    node: &ScheduleNode,
    factors: &[i64],
    strips: Option<&MultiUnionPwAff>,
    columns: i64,
) -> Result<ScheduleNode, TransformError> {
    if walk::is_loop(node)? {
        let depth = perfect_depth(node)?;
        if let Some(depth) = depth.filter(|&depth| depth > 1) {
            let innermost = match columns {
                0 => None,
                _ => Some(in_strips(&innermost(node, depth)?, columns)?),
            };
            return jam_nest(node, depth, factors, (strips, innermost));
        }
    }
    walk::with_children(node, |child| jam(child, factors, strips, columns))
}

/// Which strip of so many iterations an instance of a loop is in.
fn in_strips(rows: &MultiUnionPwAff, length: i64) -> Result<MultiUnionPwAff, TransformError> {
    let length = Val::int_from_si(rows.ctx(), length)?;
    Ok(rows.scale_down_val(&length)?.floor()?)
}

/// The innermost one of so many nested loops that begin with this band.
fn innermost(node: &ScheduleNode, depth: usize) -> Result<MultiUnionPwAff, TransformError> {
    let (mut node, mut loops) = (node.clone(), 0);
    loop {
        if walk::is_loop(&node)? {
            let members = node.band_n_member()?;
            if loops + members >= depth {
                let all = node.band_get_partial_schedule()?;
                let last = all.get_at(members - 1)?;
                return Ok(MultiUnionPwAff::from_union_pw_aff(&last)?);
            }
            loops += members;
        }
        node = node.child(0)?;
    }
}

/// How many loops are in the nest that begins with this band, or `None` where something else than
/// loops and marks stands between them.
fn perfect_depth(node: &ScheduleNode) -> Result<Option<usize>, TransformError> {
    let (mut node, mut loops) = (node.clone(), 0);
    loop {
        match node.get_type()? {
            ScheduleNodeType::Band => loops += node.band_n_member()?,
            ScheduleNodeType::Mark => {}
            _ => break,
        }
        node = node.child(0)?;
    }
    Ok((!walk::has_loop(&node)?).then_some(loops))
}

fn jam_nest(
    node: &ScheduleNode,
    depth: usize,
    factors: &[i64],
    (given, mut columns): (Option<&MultiUnionPwAff>, Option<MultiUnionPwAff>),
) -> Result<ScheduleNode, TransformError> {
    let factor = |position: usize| -> i64 {
        let above = depth - 1 - position;
        let known = above >= 1 && above <= factors.len();
        if known {
            factors[factors.len() - above]
        } else {
            1
        }
    };
    // Downwards: strip loops in place of the loops.
    let mut node = node.clone();
    let (mut levels, mut position) = (0, 0);
    let mut jammed: Vec<(MultiUnionPwAff, i64)> = Vec::new();
    let mut in_registers = false;
    loop {
        if walk::is_loop(&node)? {
            node = walk::outermost(node)?;
            let factor = factor(position);
            position += 1;
            if factor > 1 {
                let rows = node.band_get_partial_schedule()?;
                let strips = match given.filter(|_| position + 1 == depth) {
                    Some(strips) => strips.clone(),
                    None => in_strips(&rows, factor)?,
                };
                node = node.delete()?.insert_partial_schedule(&strips)?;
                if let Some(columns) = columns.take() {
                    node = node.insert_partial_schedule(&columns)?.child(0)?;
                    levels += 1;
                    in_registers = true;
                }
                jammed.push((rows, factor));
            } else if in_registers && position < depth {
                // Loops that add: conditions on their variables would be inside.
                node = node.band_member_set_ast_loop_type(0, AstLoopType::Separate)?;
            }
        }
        if position == depth {
            break;
        }
        node = node.child(0)?;
        levels += 1;
    }
    // Inside the innermost loop: what is left of the loops, outermost first.
    let mut inside = node.child(0)?;
    for (rows, factor) in jammed.iter().rev() {
        inside = Mark::Unroll(*factor).above(&inside.insert_partial_schedule(rows)?)?;
    }
    Ok(walk::up(&inside, levels + 1)?)
}
