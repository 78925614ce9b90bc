//! Enumerates the groups that can be taken from a part of the graph, each once.

use crate::planner::overlap::grouping::{Dag, StageSet};

/// The connected sets of stages of a part that contain, with a stage, all its consumers in the
/// part, and have at most so many stages. Smaller ones come before those that contain them.
///
/// A set grows by a producer of one of its stages, and by what in the part is on paths from that
/// producer. Every larger set can be reached like this. That it is reached once is because each
/// growth is tried in two ways: with the producer, and then without it for good. No set is built
/// in vain, so that the time is that of some set operations per set that is returned.
pub(crate) struct Candidates<'d> {
    dag: &'d Dag,
    part: StageSet,
    limit: usize,
    pending: Vec<Candidate>,
    last: Option<Candidate>,
}

#[derive(Clone, Copy)]
struct Candidate {
    group: StageSet,
    /// Stages that neither this group nor those grown from it contain.
    without: StageSet,
    /// Producers of the group's stages that are in the part and not in the group.
    frontier: StageSet,
}

impl<'d> Candidates<'d> {
    pub fn new(dag: &'d Dag, part: StageSet, limit: usize) -> Candidates<'d> {
        let mut pending = Vec::new();
        let mut without = StageSet::EMPTY;
        if limit > 0 {
            for sink in part.iter().rev() {
                if !dag.consumers(sink).intersects(&part) {
                    let group = StageSet::single(sink);
                    pending.push(Candidate {
                        group,
                        without,
                        frontier: dag.producers(sink) & part,
                    });
                    without |= group;
                }
            }
        }
        pending.reverse();
        Candidates {
            dag,
            part,
            limit,
            pending,
            last: None,
        }
    }

    /// Leaves out all groups that contain the one that was returned last.
    pub fn skip_larger(&mut self) {
        self.last = None;
    }

    /// Notes what `from` can grow to.
    fn grow(&mut self, from: Candidate) {
        let start = self.pending.len();
        let mut without = from.without;
        for producer in (from.frontier - from.without).iter().rev() {
            let paths = StageSet::single(producer) | (self.dag.descendants(producer) & self.part);
            let added = paths - from.group;
            let group = from.group | paths;
            if !added.intersects(&without) && group.len() <= self.limit && self.fits(&added, &group)
            {
                let frontier = from.frontier | (self.dag.producers_of(&added) & self.part);
                self.pending.push(Candidate {
                    group,
                    without,
                    frontier: frontier - group,
                });
            }
            without |= StageSet::single(producer);
        }
        self.pending[start..].reverse();
    }

    /// Whether none of the stages added to a group is kept apart from a consumer in it.
    fn fits(&self, added: &StageSet, group: &StageSet) -> bool {
        !added
            .iter()
            .any(|stage| self.dag.apart(stage).intersects(group))
    }
}

impl Iterator for Candidates<'_> {
    type Item = StageSet;

    fn next(&mut self) -> Option<StageSet> {
        if let Some(last) = self.last.take() {
            self.grow(last);
        }
        let next = self.pending.pop()?;
        self.last = Some(next);
        Some(next.group)
    }
}
