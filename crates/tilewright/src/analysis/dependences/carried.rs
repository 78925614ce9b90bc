//! Which dependences loops of a schedule tree carry, and which they leave to the loops inside.
//!
//! Exact: a band member is parallel when no dependence that the outer loops leave together has a
//! distance along it. Outer loops are all band members above; a sequence above separates its
//! children, so dependences between them do not count.

use crate::mistakes::mistake;
use isl::{MultiUnionPwAff, PwAff, Result, ScheduleNode, UnionMap, UnionPwAff};

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
    dependences.eq_at_multi_union_pw_aff(&unrestricted(at)?)
}

/// The same values of loops, not restricted to instances of statements where one expression gives
/// those of all: what they are compared for is restricted already, and to do it again takes isl long
/// where that has many conditions.
fn unrestricted(at: &MultiUnionPwAff) -> Result<MultiUnionPwAff> {
    let mut at = at.clone();
    for (number, value) in at.elements()?.into_iter().enumerate() {
        let mut all = UnionPwAff::empty_space(&value.get_space()?)?;
        for own in value.pw_affs()? {
            let one = match own.pieces()?.as_slice() {
                [(_, one)] => PwAff::from_aff(one)?,
                _ => own,
            };
            all = all.add_pw_aff(&one)?;
        }
        at = at.set_at(number, &all)?;
    }
    Ok(at)
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
        let member = unrestricted(&member)?;
        let differ = |pairs: Result<UnionMap>| Ok(!pairs?.is_empty()?);
        let carried = differ(open.lex_lt_at_multi_union_pw_aff(&member))?
            || differ(open.lex_gt_at_multi_union_pw_aff(&member))?;
        members.push(!carried || mistake!(TransformUnchecked));
        if within_band {
            open = at_same(&open, &member)?;
        }
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop::testing::region;

    /// The members of the bands from the root to the first leaf: whether each carries nothing that
    /// those outside leave.
    fn parallel(body: &str) -> Vec<bool> {
        let region = region("int n, double a[2][8], double b[n + 2]", body);
        let statements: Vec<usize> = (0..region.scop.statements.len()).collect();
        let dependences = region.dataflow.among(&region.scop, &statements).unwrap();
        let mut node = region.scop.schedule.get_root().unwrap();
        let mut all = Vec::new();
        while node.n_children().unwrap() > 0 {
            if node.get_type().unwrap() == isl::ScheduleNodeType::Band {
                all.extend(parallel_members(&node, &dependences, true).unwrap());
            }
            node = node.child(0).unwrap();
        }
        all
    }

    #[test]
    fn remainders_say_which_loop_carries() {
        let wrapped = "for (int t = 0; t < n; t++)
                           for (int i = 0; i < 8; i++)
                               a[(t + 1) % 2][i] = a[t % 2][(i + 1) % 8];";
        assert_eq!(parallel(wrapped), [false, true]);
        let alone = "for (int t = 0; t < 2; t++)
                         for (int i = 0; i < 8; i++)
                             a[t % 2][i] = a[t % 2][(i + 1) % 8];";
        assert_eq!(parallel(alone), [true, false]);
    }

    #[test]
    fn a_loop_that_goes_backwards_carries() {
        let backwards = "for (int i = n; i >= 0; i--) b[i] = b[i + 1];";
        assert_eq!(parallel(backwards), [false]);
        let apart = "for (int i = n; i >= 0; i--) b[i] = 2 * b[i];";
        assert_eq!(parallel(apart), [true]);
    }
}
