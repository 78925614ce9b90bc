//! The greedy heuristics that others use, for comparison on the same graph and costs.

use crate::planner::overlap::grouping::{Costs, Dag, Grouping, GroupingError, Space, StageSet};

/// No fusion: every stage a group.
#[must_use]
pub fn apart(dag: &Dag) -> Vec<StageSet> {
    (0..dag.stages()).map(StageSet::single).collect()
}

/// PolyMage's heuristic (TOPLAS 2020, section 2.2): among the groups that a single group reads,
/// the largest that may be merged with that one is, until there is none.
///
/// `size` is the size of a group. `may_merge` is asked with a group and the one that reads it; in
/// PolyMage it says whether dependences can be made constant and tiles overlap by less than the
/// tolerance. Merging a group with its only reader closes no circle, but what comes out must be a
/// group of `space`, too. Of groups of one size, the later one is merged first.
pub fn polymage(
    dag: &Dag,
    space: Space,
    mut size: impl FnMut(&StageSet) -> f64,
    mut may_merge: impl FnMut(&StageSet, &StageSet) -> bool,
) -> Vec<StageSet> {
    let mut groups = apart(dag);
    loop {
        let mut candidates = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            let mut readers = readers(dag, &groups, number);
            if let (Some(reader), None) = (readers.next(), readers.next()) {
                candidates.push((size(group), number, reader));
            }
        }
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        let merged = candidates.into_iter().find(|&(_, group, reader)| {
            let (group, reader) = (groups[group], groups[reader]);
            space.allows(dag, &(group | reader)) && may_merge(&group, &reader)
        });
        let Some((_, group, reader)) = merged else {
            return groups;
        };
        groups = merge(dag, &groups, group, reader).unwrap_or(groups);
    }
}

/// Halide's heuristic (Mullapudi et al., SIGGRAPH 2016, as in TOPLAS 2020, section 2.3): among the
/// pairs of groups one of which reads the other, the pair that gains most by being merged is, until
/// no pair gains anything. Of pairs that gain equally much, the one of the earliest groups.
///
/// # Errors
/// [`GroupingError::Interrupted`].
pub fn halide(dag: &Dag, space: Space, costs: &mut Costs) -> Result<Grouping, GroupingError> {
    let mut groups = apart(dag);
    loop {
        let mut best: Option<(f64, Vec<StageSet>)> = None;
        for producer in 0..groups.len() {
            for reader in readers(dag, &groups, producer) {
                let union = groups[producer] | groups[reader];
                if !space.allows(dag, &union) {
                    continue;
                }
                let Some(merged) = merge(dag, &groups, producer, reader) else {
                    continue;
                };
                let before = costs.of(&groups[producer])? + costs.of(&groups[reader])?;
                let gain = before - costs.of(&union)?;
                let least = best.as_ref().map_or(0.0, |(gain, _)| *gain);
                if gain > least {
                    best = Some((gain, merged));
                }
            }
        }
        let Some((_, merged)) = best else {
            return priced(groups, costs);
        };
        groups = merged;
    }
}

/// `groups` with what they cost together.
///
/// # Errors
/// [`GroupingError::Interrupted`].
pub fn priced(groups: Vec<StageSet>, costs: &mut Costs) -> Result<Grouping, GroupingError> {
    let mut cost = 0.0;
    for group in &groups {
        cost += costs.of(group)?;
    }
    Ok(Grouping { groups, cost })
}

/// The numbers of the groups that read group `producer`.
pub(crate) fn readers<'a>(
    dag: &Dag,
    groups: &'a [StageSet],
    producer: usize,
) -> impl Iterator<Item = usize> + use<'a> {
    let group = groups.get(producer).copied().unwrap_or_default();
    let consumers = dag.consumers_of(&group) - group;
    let numbered = groups.iter().enumerate();
    numbered.filter_map(move |(number, group)| group.intersects(&consumers).then_some(number))
}

/// `groups` in order with two of them as one, or `None` if these then read each other in a circle.
pub(crate) fn merge(dag: &Dag, groups: &[StageSet], a: usize, b: usize) -> Option<Vec<StageSet>> {
    let union = *groups.get(a)? | *groups.get(b)?;
    let others = groups.iter().filter(|group| !group.intersects(&union));
    let merged: Vec<StageSet> = others.copied().chain([union]).collect();
    dag.sorted(&merged)
}
