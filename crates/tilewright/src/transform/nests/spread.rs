//! Additions to one cell are spread out in time.
//!
//! ```text
//! parallel i                      parallel i
//!   j                               y
//!     y                               x
//!       x                     →         j
//!         h[i][j][…] += …                 h[i][j][…] += …
//! ```
//!
//! Inside `x` each addition waits for the one before it, through memory where the cell depends on
//! data. With the parallel loop `j` innermost neighbouring additions are to different cells.
//! Windows that move with `j` (`8 j <= x < 8 j + 9`) are counted from their first cell, so that
//! the loops stay rectangles. Nothing is moved where that cell is no single affine function, or
//! where no other parallel loop is outside. Legality is for validation to say.

use crate::analysis::dependences::carried::parallel_members;
use crate::scop::tree::walk;
use isl::{Map, MultiUnionPwAff, PwMultiAff, Result, Schedule, ScheduleNode, UnionMap, UnionPwAff};

/// Moves the innermost parallel loop inside the sequential ones in it, on every path.
pub(crate) fn spread(schedule: &Schedule, dependences: &UnionMap) -> Result<Schedule> {
    let root = schedule.get_root()?;
    spread_below(&root, dependences, false)?
        .root()?
        .get_schedule()
}

/// Works on the subtree of `node` and returns the node at the same position.
fn spread_below(
    node: &ScheduleNode,
    dependences: &UnionMap,
    parallel_above: bool,
) -> Result<ScheduleNode> {
    let mut node = node.clone();
    let mut parallel = false;
    if walk::is_loop(&node)? {
        node = walk::outermost(node)?;
        parallel = parallel_members(&node, dependences, true)?[0];
        if parallel && parallel_above {
            if let Some(moved) = moved_inside(&node, dependences)? {
                return Ok(moved);
            }
        }
    }
    walk::with_children(&node, |child| {
        spread_below(child, dependences, parallel_above || parallel)
    })
}

/// The loop of `node` inside those directly in it, if all of these are sequential and there is no
/// further loop in them.
fn moved_inside(node: &ScheduleNode, dependences: &UnionMap) -> Result<Option<ScheduleNode>> {
    let mut loops = vec![node.band_get_partial_schedule()?];
    let mut inner = node.child(0)?;
    while walk::is_loop(&inner)? {
        inner = walk::outermost(inner)?;
        if parallel_members(&inner, dependences, true)?[0] {
            return Ok(None);
        }
        loops.push(inner.band_get_partial_schedule()?);
        inner = inner.child(0)?;
    }
    if loops.len() == 1 || walk::has_loop(&inner)? {
        return Ok(None);
    }
    let Some(counted) = from_the_first(node, &loops)? else {
        return Ok(None);
    };
    let mut node = node.clone();
    for _ in &loops {
        node = node.delete()?;
    }
    node = node.insert_partial_schedule(&loops[0])?;
    for sequential in counted.iter().rev() {
        node = node.insert_partial_schedule(sequential)?;
    }
    Ok(Some(node))
}

/// The loops inside the first, each counted from its first value in the loops outside of it.
fn from_the_first(
    node: &ScheduleNode,
    loops: &[MultiUnionPwAff],
) -> Result<Option<Vec<MultiUnionPwAff>>> {
    let prefix = node.get_prefix_schedule_multi_union_pw_aff()?;
    let ctx = node.ctx();
    let mut counted = vec![UnionPwAff::empty_ctx(ctx)?; loops.len() - 1];
    for domain in node.get_domain()?.sets()? {
        let space = domain.get_space()?;
        let function = |all: &MultiUnionPwAff, member: usize| {
            let one = all.get_at(member)?.extract_pw_aff(&pw_aff_space(&space)?)?;
            one.intersect_domain(&domain)
        };
        // From an instance to the loops around the one in question.
        let mut around = Map::from_pw_aff(&function(&loops[0], 0)?)?;
        for member in (0..prefix.size()?).rev() {
            around = Map::from_pw_aff(&function(&prefix, member)?)?.flat_range_product(&around)?;
        }
        for (position, inner) in loops[1..].iter().enumerate() {
            let value = function(inner, 0)?;
            let values = Map::from_pw_aff(&value)?;
            let first = around
                .reverse()?
                .apply_range(&values)?
                .coalesce()?
                .lexmin()?;
            let first = PwMultiAff::from_map(&first.coalesce()?)?;
            if first.n_piece()? != 1 {
                return Ok(None);
            }
            let first = first
                .pullback_pw_multi_aff(&PwMultiAff::from_map(&around)?)?
                .get_at(0)?;
            counted[position] = counted[position].add_pw_aff(&value.sub(&first)?)?;
            around = around.flat_range_product(&values)?;
        }
    }
    let counted = counted.iter().map(MultiUnionPwAff::from_union_pw_aff);
    Ok(Some(counted.collect::<Result<Vec<_>>>()?))
}

/// The space of a function of one value on a set's space.
fn pw_aff_space(space: &isl::Space) -> Result<isl::Space> {
    space.from_domain()?.add_dims(isl::DimType::Out, 1)
}
