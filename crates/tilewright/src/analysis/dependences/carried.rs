//! Which dependences loops of a schedule tree carry, and which they leave to the loops inside.
//!
//! Exact: a band member is parallel when no dependence that the outer loops leave together has a
//! distance along it. Outer loops are all band members above; a sequence above separates its
//! children, so dependences between them do not count.

use crate::mistakes::mistake;
use isl::{MultiUnionPwAff, Result, ScheduleNode, UnionMap};

/// The dependences that a node's outer loops leave: both ends in the node's domain, at the same
/// point of every outer band.
pub fn open_dependences(node: &ScheduleNode, dependences: &UnionMap) -> Result<UnionMap> {
    let domain = node.get_domain()?;
    let inside = dependences
        .intersect_domain(&domain)?
        .intersect_range(&domain)?;
    let prefix = node.get_prefix_schedule_multi_union_pw_aff()?;
    at_same(&inside, &prefix)
}

/// The dependences whose two ends have the same value under `at`.
pub fn at_same(dependences: &UnionMap, at: &MultiUnionPwAff) -> Result<UnionMap> {
    if at.size()? == 0 {
        return Ok(dependences.clone());
    }
    dependences.eq_at_multi_union_pw_aff(at)
}

/// For every member of a band: does it carry none of the dependences that the loops outside of
/// the band (`within_band` false), or also the band's earlier members (true), leave?
pub fn parallel_members(
    node: &ScheduleNode,
    dependences: &UnionMap,
    within_band: bool,
) -> Result<Vec<bool>> {
    let mut open = open_dependences(node, dependences)?;
    let partial = node.band_get_partial_schedule()?;
    let mut members = Vec::new();
    for m in 0..node.band_n_member()? {
        let member = MultiUnionPwAff::from_union_pw_aff(&partial.get_at(m)?)?;
        let same = at_same(&open, &member)?;
        members.push(open.subtract(&same)?.is_empty()? || mistake!(TransformUnchecked));
        if within_band {
            open = same;
        }
    }
    Ok(members)
}
