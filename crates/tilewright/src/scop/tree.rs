//! Schedule trees as plain data, for passes that take them apart many times.
//!
//! isl restricts a schedule to a few statements by going through all of it, with sets of instances
//! at every node. Where whole statements are kept or left out, as here, none of that is needed.

use isl::{
    AstLoopType, DimType, Id, MultiUnionPwAff, PwAff, Result, Schedule, ScheduleNode,
    ScheduleNodeType, Set, UnionPwAff, UnionPwAffList, UnionPwMultiAff, UnionSet,
};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) mod marks;
mod restructure;
pub(crate) mod walk;

pub(crate) use restructure::Restructure;

/// A schedule tree of loops, marks and sequences of whole statements. Statements are known by
/// their names.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    /// Nothing is said of the order below.
    Leaf,
    /// Loops.
    Band(Band, Box<Tree>),
    /// A mark.
    Mark(Id, Box<Tree>),
    /// One after the other; each statement is in one of them.
    Sequence(Vec<(BTreeSet<String>, Tree)>),
}

/// Loops that follow each other.
#[derive(Clone, Debug)]
pub(crate) struct Band {
    partial: MultiUnionPwAff,
    permutable: bool,
    /// Whether the loop is coincident, and how it is generated.
    members: Vec<(bool, AstLoopType)>,
}

impl Tree {
    /// The tree of a schedule; `None` where it has nodes of other kinds, or parts of a statement
    /// in different places.
    pub fn of(schedule: &Schedule) -> Result<Option<Tree>> {
        let root = schedule.get_root()?;
        match root.get_type()? {
            ScheduleNodeType::Domain => Tree::below(&root.child(0)?),
            _ => Ok(None),
        }
    }

    fn below(node: &ScheduleNode) -> Result<Option<Tree>> {
        let inner =
            || -> Result<Option<Box<Tree>>> { Ok(Tree::below(&node.child(0)?)?.map(Box::new)) };
        Ok(match node.get_type()? {
            ScheduleNodeType::Leaf => Some(Tree::Leaf),
            ScheduleNodeType::Mark => {
                let id = node.mark_get_id()?;
                inner()?.map(|inner| Tree::Mark(id, inner))
            }
            ScheduleNodeType::Band => match Band::of(node)? {
                Some(band) => inner()?.map(|inner| Tree::Band(band, inner)),
                None => None,
            },
            ScheduleNodeType::Sequence => {
                let mut parts = Vec::new();
                let mut seen = BTreeSet::new();
                for child in node.children()? {
                    let mut names = BTreeSet::new();
                    for set in child.filter_get_filter()?.sets()? {
                        let name = set.get_tuple_name()?;
                        if !seen.insert(name.clone()) {
                            return Ok(None);
                        }
                        names.insert(name);
                    }
                    match Tree::below(&child.child(0)?)? {
                        Some(inner) => parts.push((names, inner)),
                        None => return Ok(None),
                    }
                }
                Some(Tree::Sequence(parts))
            }
            _ => None,
        })
    }

    /// The schedule of those statements that are given with their instances, in the order of this
    /// tree; nothing where none is given. The instances must be among those of the tree; or, with
    /// `moved`, what this function maps to them, under the same names.
    pub fn over(
        &self,
        domains: &BTreeMap<String, Set>,
        moved: Option<&UnionPwMultiAff>,
    ) -> Result<Option<Schedule>> {
        let names = domains.keys().map(String::as_str).collect();
        self.schedule(&names, domains, moved)
    }

    /// Those of some statements that stand next to each other in a sequence, with nothing in or
    /// between them, by sequence; every other one by itself.
    pub fn bodies(&self, names: &BTreeSet<&str>, found: &mut Vec<Vec<String>>) {
        match self {
            Tree::Leaf => found.extend(names.iter().map(|&name| vec![name.to_owned()])),
            Tree::Band(_, inner) | Tree::Mark(_, inner) => inner.bodies(names, found),
            Tree::Sequence(parts) => {
                let mut body = Vec::new();
                for (own, inner) in parts {
                    let own: BTreeSet<&str> = own.iter().map(String::as_str).collect();
                    let own: BTreeSet<&str> = own.intersection(names).copied().collect();
                    match (inner, own.len()) {
                        (_, 0) => {}
                        (Tree::Leaf, 1) => body.extend(own.iter().map(|&name| name.to_owned())),
                        _ => {
                            found.push(std::mem::take(&mut body));
                            inner.bodies(&own, found);
                        }
                    }
                }
                found.push(body);
            }
        }
    }

    fn schedule(
        &self,
        names: &BTreeSet<&str>,
        domains: &BTreeMap<String, Set>,
        moved: Option<&UnionPwMultiAff>,
    ) -> Result<Option<Schedule>> {
        match self {
            Tree::Leaf => {
                let mut all: Option<UnionSet> = None;
                for set in names.iter().filter_map(|name| domains.get(*name)) {
                    all = Some(match all {
                        Some(all) => all.add_set(set)?,
                        None => UnionSet::from_set(set)?,
                    });
                }
                all.map(|all| Schedule::from_domain(&all)).transpose()
            }
            Tree::Mark(id, inner) => {
                let inner = inner.schedule(names, domains, moved)?;
                let insert = |inner: Schedule| walk::top(&inner)?.insert_mark(id)?.get_schedule();
                inner.map(insert).transpose()
            }
            Tree::Band(band, inner) => {
                let inner = inner.schedule(names, domains, moved)?;
                let insert = |inner: Schedule| {
                    band.insert(&walk::top(&inner)?, names, moved)?
                        .get_schedule()
                };
                inner.map(insert).transpose()
            }
            Tree::Sequence(parts) => {
                let mut all = Vec::new();
                for (own, inner) in parts {
                    let names: BTreeSet<&str> = names
                        .iter()
                        .copied()
                        .filter(|&name| own.contains(name))
                        .collect();
                    if !names.is_empty() {
                        all.extend(inner.schedule(&names, domains, moved)?);
                    }
                }
                in_sequence(all)
            }
        }
    }
}

impl Band {
    /// `None` where the loops have options beyond how each is generated.
    fn of(node: &ScheduleNode) -> Result<Option<Band>> {
        let known = ["atomic", "separate", "unroll"];
        for option in node.band_get_ast_build_options()?.sets()? {
            if !known.contains(&option.get_tuple_name()?.as_str()) {
                return Ok(None);
            }
        }
        let members = (0..node.band_n_member()?).map(|member| {
            Ok((
                node.band_member_get_coincident(member)?,
                node.band_member_get_ast_loop_type(member)?,
            ))
        });
        Ok(Some(Band {
            partial: node.band_get_partial_schedule()?,
            permutable: node.band_get_permutable()?,
            members: members.collect::<Result<_>>()?,
        }))
    }

    /// Inserts these loops of some statements above a node.
    fn insert(
        &self,
        node: &ScheduleNode,
        names: &BTreeSet<&str>,
        moved: Option<&UnionPwMultiAff>,
    ) -> Result<ScheduleNode> {
        let mut values = Vec::new();
        for value in self.partial.elements()? {
            let value = of_statements(&value, names)?;
            values.push(match moved {
                Some(moved) => value.pullback_union_pw_multi_aff(moved)?,
                None => value,
            });
        }
        let list = UnionPwAffList::from_slice(node.ctx(), &values)?;
        let space = self.partial.get_space()?;
        let partial = MultiUnionPwAff::from_union_pw_aff_list(&space, &list)?;
        let mut node = node.insert_partial_schedule(&partial)?;
        node = node.band_set_permutable(self.permutable)?;
        for (member, &(coincident, how)) in self.members.iter().enumerate() {
            node = node.band_member_set_coincident(member, coincident)?;
            if how != AstLoopType::Default {
                node = node.band_member_set_ast_loop_type(member, how)?;
            }
        }
        Ok(node)
    }
}

/// A loop's values for some statements. Where one expression gives them all, it is not restricted
/// to the statement's domain, which the schedule has already.
fn of_statements(value: &UnionPwAff, names: &BTreeSet<&str>) -> Result<UnionPwAff> {
    let mut all: Option<UnionPwAff> = None;
    for own in value.pw_affs()? {
        let name = own.get_domain_space()?.get_tuple_name(DimType::Set)?;
        if !names.contains(name.as_str()) {
            continue;
        }
        let own = match own.n_piece()? {
            1 => match own.pieces()?.first() {
                Some((_, one)) => PwAff::from_aff(one)?,
                None => own,
            },
            _ => own,
        };
        all = Some(match all {
            Some(all) => all.add_pw_aff(&own)?,
            None => UnionPwAff::from_pw_aff(&own)?,
        });
    }
    match all {
        Some(all) => Ok(all),
        None => UnionPwAff::empty_space(&value.get_space()?),
    }
}

/// Schedules one after the other; `None` where there are none. isl copies what it puts together:
/// neighbours first, so that each is copied a few times only.
pub(crate) fn in_sequence(mut parts: Vec<Schedule>) -> Result<Option<Schedule>> {
    while parts.len() > 1 {
        let pairs = parts.chunks(2).map(|pair| match pair {
            [one, other] => one.sequence(other),
            _ => Ok(pair[0].clone()),
        });
        parts = pairs.collect::<Result<_>>()?;
    }
    Ok(parts.pop())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = r#"{ domain: "[n] -> { S0[i] : 0 <= i < n; S1[i, j] : 0 <= i, j < n; S2[i, j] : 0 <= i < n and 0 < j < 9; S3[] : n > 5; S4[i] : 0 <= i <= 7 }",
        child: { sequence: [
            { filter: "{ S0[i] }", child: { schedule: "[{ S0[i] -> [-i] }]" } },
            { filter: "{ S3[] }" },
            { filter: "{ S1[i, j]; S2[i, j] }", child: {
                    mark: "parallel", child: {
                    schedule: "[{ S1[i, j] -> [i]; S2[i, j] -> [i] }]",
                    permutable: 1, coincident: [ 1 ], child: { sequence: [
                        { filter: "{ S1[i, j] }", child: { schedule: "[{ S1[i, j] -> [j] }]",
                            options: "{ separate[i0] }" } },
                        { filter: "{ S2[i, j] }", child: { schedule: "[{ S2[i, j] -> [2j] }]" } }
                    ] } } } },
            { filter: "{ S4[i] }", child: { schedule: "[{ S4[i] -> [i] }]" } }
        ] } }"#;

    fn schedule(ctx: &isl::Ctx, text: &str) -> Schedule {
        Schedule::read_from_str(ctx, text).unwrap()
    }

    /// The same instances, and the same tree but for parameters that it does not mention.
    fn assert_same(one: &Schedule, other: &Schedule) {
        let (first, second) = (one.get_domain().unwrap(), other.get_domain().unwrap());
        assert!(first.is_equal(&second).unwrap());
        let tree = |schedule: &Schedule| {
            let text = schedule.to_string();
            let tree = text.split_once(" child: ").map(|(_, tree)| tree.to_owned());
            tree.unwrap_or_default().replace("[n] -> ", "")
        };
        assert_eq!(tree(one), tree(other));
    }

    #[test]
    fn statements_are_left_out_as_by_isl() {
        let ctx = isl::Ctx::new();
        let schedule = schedule(&ctx, TREE);
        let tree = Tree::of(&schedule).unwrap().unwrap();
        let sets = schedule.get_domain().unwrap().sets().unwrap();
        for choice in 1..1 << sets.len() {
            let chosen = sets.iter().enumerate();
            let chosen = chosen.filter(|(number, _)| choice >> number & 1 == 1);
            let domains: BTreeMap<String, Set> = chosen
                .map(|(_, set)| (set.get_tuple_name().unwrap(), set.clone()))
                .collect();
            let mut all = UnionSet::empty_ctx(&ctx).unwrap();
            for set in domains.values() {
                all = all.add_set(set).unwrap();
            }
            let expected = schedule.intersect_domain(&all).unwrap();
            let found = tree.over(&domains, None).unwrap().unwrap();
            assert_same(&found, &expected);
        }
        assert!(tree.over(&BTreeMap::new(), None).unwrap().is_none());
    }

    #[test]
    fn instances_are_lifted_as_by_isl() {
        let ctx = isl::Ctx::new();
        let schedule = schedule(&ctx, TREE);
        let tree = Tree::of(&schedule).unwrap().unwrap();
        let set = |text: &str| Set::read_from_str(&ctx, text).unwrap();
        let down = "{ S1[t, i, j] -> S1[i, j]; S2[t, i, j] -> S2[i, j] }";
        let down = isl::UnionMap::read_from_str(&ctx, down).unwrap();
        let down = UnionPwMultiAff::from_union_map(&down).unwrap();
        let first = "[n] -> { S1[t, i, j] : 0 <= i - 4t < 6 and 0 <= t and 0 <= i, j < n }";
        let second = "[n] -> { S2[t, i, j] : 0 <= i - 4t < 4 and 0 <= i < n and 0 < j < 9 }";
        let domains = BTreeMap::from([
            ("S1".to_owned(), set(first)),
            ("S2".to_owned(), set(second)),
        ]);
        let all = UnionSet::from_set(&domains["S1"]).unwrap();
        let all = all.add_set(&domains["S2"]).unwrap();
        let own = "{ S1[i, j]; S2[i, j] }";
        let own = UnionSet::read_from_str(&ctx, own).unwrap();
        let expected = schedule
            .intersect_domain(&own)
            .and_then(|own| own.pullback_union_pw_multi_aff(&down))
            .and_then(|lifted| lifted.intersect_domain(&all))
            .unwrap();
        let found = tree.over(&domains, Some(&down)).unwrap().unwrap();
        assert_same(&found, &expected);
    }

    #[test]
    fn other_trees_are_left_to_isl() {
        let ctx = isl::Ctx::new();
        let split = r#"{ domain: "{ S0[i] : 0 <= i < 9 }", child: { sequence: [
            { filter: "{ S0[i] : i < 5 }" }, { filter: "{ S0[i] : i >= 5 }" } ] } }"#;
        assert!(Tree::of(&schedule(&ctx, split)).unwrap().is_none());
        let isolated = r#"{ domain: "{ S0[i] : 0 <= i < 9 }", child: {
            schedule: "[{ S0[i] -> [i] }]", options: "{ isolate[[] -> [i0]] : i0 < 5 }" } }"#;
        assert!(Tree::of(&schedule(&ctx, isolated)).unwrap().is_none());
        let set = r#"{ domain: "{ S0[i] : 0 <= i < 9; S1[] }", child: { set: [
            { filter: "{ S0[i] }" }, { filter: "{ S1[] }" } ] } }"#;
        assert!(Tree::of(&schedule(&ctx, set)).unwrap().is_none());
    }
}
