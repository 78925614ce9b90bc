//! What stands outside of all else in a schedule: nests one after the other, and their loops.

use crate::scop::Scop;
use crate::scop::tree::{marks::Mark, walk};
use isl::{Result, ScheduleNode, ScheduleNodeType, UnionSet};

/// The outermost loops of a schedule, which stand one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outside {
    /// All of them are parallel, and there is one.
    pub(super) parallel: bool,
    /// Several access the same cells.
    pub(super) shared: bool,
}

impl Outside {
    pub(super) fn of(scop: &Scop, root: &ScheduleNode) -> Result<Outside> {
        let (mut seen, mut shared) = (UnionSet::empty_ctx(&scop.ctx)?, false);
        let (mut loops, mut parallel) = (0, true);
        for nest in sequence(root)? {
            if !walk::has_loop(&nest)? {
                continue;
            }
            loops += 1;
            parallel &= is_parallel(&nest)?;
            let own = cells(scop, &nest)?;
            shared = shared || !seen.intersect(&own)?.is_empty()?;
            seen = seen.union(&own)?;
        }
        Ok(Outside {
            parallel: parallel && loops > 0,
            shared,
        })
    }
}

/// How many nests as deep as the deepest one stand one after the other.
pub(super) fn nests(scop: &Scop, root: &ScheduleNode) -> Result<usize> {
    let mut depths = Vec::new();
    for nest in sequence(root)? {
        let domain = nest.get_domain()?;
        let mut depth = 0;
        for statement in &scop.statements {
            let own = domain.extract_set(&statement.domain.get_space()?)?;
            if !own.plain_is_empty()? {
                depth = depth.max(statement.iterators.len());
            }
        }
        depths.push(depth);
    }
    let deepest = depths.iter().max();
    Ok(depths
        .iter()
        .filter(|depth| Some(*depth) == deepest)
        .count())
}

/// The nodes of sequences that are executed one after the other, outside of all loops.
fn sequence(node: &ScheduleNode) -> Result<Vec<ScheduleNode>> {
    match node.get_type()? {
        ScheduleNodeType::Filter | ScheduleNodeType::Context => sequence(&node.child(0)?),
        ScheduleNodeType::Sequence => {
            let mut all = Vec::new();
            for child in node.children()? {
                all.extend(sequence(&child)?);
            }
            Ok(all)
        }
        // What lives as long as all of them.
        ScheduleNodeType::Mark if !is_parallel(node)? => {
            let inner = sequence(&node.child(0)?)?;
            Ok(match inner.len() {
                1 => vec![node.clone()],
                _ => inner,
            })
        }
        _ => Ok(vec![node.clone()]),
    }
}

/// Whether a node is a parallel loop, but for marks.
fn is_parallel(node: &ScheduleNode) -> Result<bool> {
    match node.get_type()? {
        ScheduleNodeType::Mark if Mark::of(node)? == Some(Mark::Parallel) => Ok(true),
        ScheduleNodeType::Mark => is_parallel(&node.child(0)?),
        _ => Ok(false),
    }
}

/// The cells of arrays with extents that statements below a node access.
fn cells(scop: &Scop, node: &ScheduleNode) -> Result<UnionSet> {
    let mut found = UnionSet::empty_ctx(&scop.ctx)?;
    let domain = node.get_domain()?;
    for statement in &scop.statements {
        let own = domain.extract_set(&statement.domain.get_space()?)?;
        if own.plain_is_empty()? {
            continue;
        }
        for access in &statement.accesses {
            if !scop.arrays[access.array].extents.is_empty() {
                let range = access.relation.intersect_domain(&own)?.range()?;
                found = found.union(&range.to_union_set()?)?;
            }
        }
    }
    Ok(found)
}
