//! Spaces of groupings: which sets of stages are groups, which groups make a grouping.

use crate::planner::overlap::grouping::Dag;
use crate::planner::overlap::grouping::StageSet;
use crate::planner::overlap::grouping::dag::union;

/// Which groupings are searched. In both, every stage is in one group, and a stage that may not be
/// inner is in no group with a consumer of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// In a group, exactly one stage, its output, is read outside the group or after the region;
    /// all consumers of every other member are in the group. Such groups never read each other in
    /// a circle.
    OneOutput,
    /// Groups are connected, and do not read each other in a circle: the space of TOPLAS 2020,
    /// section 3, as it is meant there.
    AnyOutputs,
}

impl Space {
    /// Whether these stages can be a group of some grouping of the space.
    #[must_use]
    pub fn allows(self, dag: &Dag, group: &StageSet) -> bool {
        if group.is_empty() || !group.is_subset(&dag.all()) {
            return false;
        }
        if group.iter().any(|s| dag.apart(s).intersects(group)) {
            return false;
        }
        match self {
            Space::OneOutput => {
                let read_outside = |stage: &usize| {
                    dag.live_out().contains(*stage) || !dag.consumers(*stage).is_subset(group)
                };
                group.iter().filter(read_outside).count() == 1
            }
            Space::AnyOutputs => {
                let between = dag.descendants_of(group) & dag.ancestors_of(group);
                let connected = components(dag, group).len() == 1;
                connected && between.is_subset(group)
            }
        }
    }

    /// Whether `groups` are a grouping of the space.
    #[must_use]
    pub fn is_grouping(self, dag: &Dag, groups: &[StageSet]) -> bool {
        let members: usize = groups.iter().map(StageSet::len).sum();
        members == dag.stages()
            && union(groups.iter().copied()) == dag.all()
            && groups.iter().all(|group| self.allows(dag, group))
            && dag.sorted(groups).is_some()
    }

    /// Splits stages that are not grouped yet into parts that no group has stages of two of, and
    /// that can be grouped independently of each other, those with later stages first. What is
    /// grouped already is everything else that reads them.
    pub(crate) fn parts(self, dag: &Dag, ungrouped: &StageSet) -> Vec<StageSet> {
        match self {
            Space::OneOutput => dominated(dag, ungrouped),
            Space::AnyOutputs => components(dag, ungrouped),
        }
    }

    /// Whether `group`, all whose consumers in `part` it contains, is worth a try as the next of
    /// the groups of `part`, which have at most `limit` stages.
    ///
    /// Among the orders in which a grouping can be taken apart, consumers first, there is one in
    /// which the group with the last stage `r` of the part comes next, unless a group has to come
    /// before it because it reads that one. All others may wait. A group that has to come before
    /// contains a descendant of the group of `r`, which therefore contains an ancestor of it; so
    /// it is at least as large as the shortest chain of neighbours from `r` to such a stage. That
    /// is looked at where the limit may be too small for it.
    pub(crate) fn may_come_next(
        self,
        dag: &Dag,
        part: &StageSet,
        group: &StageSet,
        limit: usize,
    ) -> bool {
        let Some(last) = part.last() else {
            return false;
        };
        if self == Space::OneOutput || group.contains(last) || limit >= part.len() {
            return true;
        }
        let rest = *part - *group;
        let ancestors = dag.ancestors_of(group) & rest;
        let mut reached = StageSet::single(last);
        let mut newest = reached;
        for _ in 1..limit {
            let mut next = StageSet::EMPTY;
            for stage in &newest {
                next |= dag.consumers(stage) - dag.apart(stage);
                let producers = dag.producers(stage).iter();
                let joined = producers.filter(|&p| !dag.apart(p).contains(stage));
                next |= union(joined.map(StageSet::single));
            }
            newest = (next & rest) - reached;
            if newest.intersects(&ancestors) {
                return true;
            }
            if newest.is_empty() {
                break;
            }
            reached |= newest;
        }
        false
    }
}

/// The connected components of the graph that `stages` induce.
fn components(dag: &Dag, stages: &StageSet) -> Vec<StageSet> {
    let mut components = Vec::new();
    let mut left = *stages;
    while let Some(last) = left.last() {
        let mut component = StageSet::single(last);
        let mut newest = component;
        while !newest.is_empty() {
            let neighbours = dag.producers_of(&newest) | dag.consumers_of(&newest);
            newest = (neighbours & left) - component;
            component |= newest;
        }
        left = left - component;
        components.push(component);
    }
    components
}

/// For groups with one output: each part is a stage that has to be an output, and the stages from
/// which every path leads to it, before any other stage that has to be one.
///
/// A stage has to be an output if it is live-out, may not be inner, has a consumer that is not in
/// `stages` (and so is in another group already), or has consumers in two parts. From the last
/// stage to the first, this decides for each stage whether it is an output or in the part of its
/// consumers. Which stages are in the part of an output does not depend on what was grouped
/// before: there is one part per stage in the whole search.
fn dominated(dag: &Dag, stages: &StageSet) -> Vec<StageSet> {
    let mut parts: Vec<StageSet> = Vec::new();
    let outputs = dag.live_out();
    let mut part_of = [0u8; StageSet::CAPACITY];
    for stage in stages.iter().rev() {
        let consumers = dag.consumers(stage);
        let free = !outputs.contains(stage) && dag.apart(stage).is_empty();
        let shared = match consumers.first() {
            Some(first) if free && stages.contains(first) => Some(usize::from(part_of[first])),
            _ => None,
        };
        let shared = shared.filter(|&part| consumers.is_subset(&parts[part]));
        let part = shared.unwrap_or(parts.len());
        match shared {
            Some(part) => parts[part] |= StageSet::single(stage),
            None => parts.push(StageSet::single(stage)),
        }
        // At most 256 parts, numbered from 0.
        part_of[stage] = part as u8;
    }
    parts
}
