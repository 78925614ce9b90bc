//! The graph that is grouped, and the same graph with groups collapsed to vertices.

use crate::planner::overlap::grouping::{GroupingError, StageSet};

/// Stages and who reads whom, numbered so that producers come before their consumers.
#[derive(Clone, Debug)]
pub struct Dag {
    producers: Vec<StageSet>,
    consumers: Vec<StageSet>,
    /// Per stage the consumers that it may share no group with.
    apart: Vec<StageSet>,
    ancestors: Vec<StageSet>,
    descendants: Vec<StageSet>,
    live_out: StageSet,
}

impl Dag {
    /// The graph of `stages` stages with edges `(producer, consumer)`.
    ///
    /// `live_out` are the stages that are read after the region; one without consumers counts as
    /// such, or it would be dead. A stage that is not in `may_be_inner` is in no group with one of
    /// its consumers. Edges from a stage to itself say nothing about groups and are left out.
    ///
    /// # Errors
    /// More stages than a [`StageSet`] holds, an edge against the numbering, an edge of a stage
    /// that does not exist.
    pub fn new(
        stages: usize,
        edges: &[(usize, usize)],
        live_out: StageSet,
        may_be_inner: StageSet,
    ) -> Result<Dag, GroupingError> {
        if stages > StageSet::CAPACITY {
            return Err(GroupingError::TooManyStages { stages });
        }
        let mut consumers = vec![StageSet::EMPTY; stages];
        for &(producer, consumer) in edges {
            if producer.max(consumer) >= stages {
                return Err(GroupingError::UnknownStage {
                    stage: producer.max(consumer),
                });
            }
            if producer > consumer {
                return Err(GroupingError::Backward { producer, consumer });
            }
            if producer < consumer {
                consumers[producer] |= StageSet::single(consumer);
            }
        }
        let apart = (0..stages).map(|stage| {
            if may_be_inner.contains(stage) {
                StageSet::EMPTY
            } else {
                consumers[stage]
            }
        });
        let apart = apart.collect();
        Ok(Dag::complete(consumers, apart, live_out))
    }

    /// What follows from the edges, which go from smaller to greater numbers.
    fn complete(consumers: Vec<StageSet>, apart: Vec<StageSet>, live_out: StageSet) -> Dag {
        let stages = consumers.len();
        let mut dag = Dag {
            producers: vec![StageSet::EMPTY; stages],
            consumers,
            apart,
            ancestors: vec![StageSet::EMPTY; stages],
            descendants: vec![StageSet::EMPTY; stages],
            live_out,
        };
        for stage in (0..stages).rev() {
            let consumers = dag.consumers[stage];
            let mut descendants = consumers;
            for consumer in &consumers {
                dag.producers[consumer] |= StageSet::single(stage);
                descendants |= dag.descendants[consumer];
            }
            dag.descendants[stage] = descendants;
            for descendant in &descendants {
                dag.ancestors[descendant] |= StageSet::single(stage);
            }
            if consumers.is_empty() {
                dag.live_out |= StageSet::single(stage);
            }
        }
        dag
    }

    /// The number of stages.
    #[must_use]
    pub fn stages(&self) -> usize {
        self.consumers.len()
    }

    /// Every stage.
    #[must_use]
    pub fn all(&self) -> StageSet {
        StageSet::below(self.stages())
    }

    /// What `stage` reads; no stage where there is no such stage.
    #[must_use]
    pub fn producers(&self, stage: usize) -> StageSet {
        at(&self.producers, stage)
    }

    /// What reads `stage`.
    #[must_use]
    pub fn consumers(&self, stage: usize) -> StageSet {
        at(&self.consumers, stage)
    }

    /// The consumers that `stage` may share no group with.
    pub(crate) fn apart(&self, stage: usize) -> StageSet {
        at(&self.apart, stage)
    }

    /// What reads `stage`, directly or through other stages.
    #[must_use]
    pub fn descendants(&self, stage: usize) -> StageSet {
        at(&self.descendants, stage)
    }

    /// What is read from all stages of `set`, directly or through others.
    pub(crate) fn ancestors_of(&self, set: &StageSet) -> StageSet {
        union(set.iter().map(|stage| at(&self.ancestors, stage)))
    }

    /// What reads some stage of `set`, directly or through others.
    pub(crate) fn descendants_of(&self, set: &StageSet) -> StageSet {
        union(set.iter().map(|stage| self.descendants(stage)))
    }

    /// Producers of the stages of `set`, in the set or not.
    pub(crate) fn producers_of(&self, set: &StageSet) -> StageSet {
        union(set.iter().map(|stage| self.producers(stage)))
    }

    /// Consumers of the stages of `set`, in the set or not.
    pub(crate) fn consumers_of(&self, set: &StageSet) -> StageSet {
        union(set.iter().map(|stage| self.consumers(stage)))
    }

    /// Stages that are read after the region.
    #[must_use]
    pub fn live_out(&self) -> StageSet {
        self.live_out
    }

    /// The groups in an order in which they can be executed (the one whose last stage comes first
    /// where there is a choice), or `None` where they read each other in a circle.
    ///
    /// Each stage is in one group; stages in no group are not asked about.
    #[must_use]
    pub fn sorted(&self, groups: &[StageSet]) -> Option<Vec<StageSet>> {
        let mut waiting: Vec<(StageSet, StageSet)> = groups
            .iter()
            .map(|group| (*group, self.producers_of(group) - *group))
            .collect();
        waiting.sort_unstable_by_key(|(group, _)| group.last());
        let mut undone = union(groups.iter().copied());
        let mut sorted = Vec::new();
        while !waiting.is_empty() {
            let ready = |(_, needed): &(StageSet, StageSet)| !needed.intersects(&undone);
            let (group, _) = waiting.remove(waiting.iter().position(ready)?);
            undone = undone - group;
            sorted.push(group);
        }
        Some(sorted)
    }
}

fn at(sets: &[StageSet], stage: usize) -> StageSet {
    sets.get(stage).copied().unwrap_or_default()
}

pub(crate) fn union(sets: impl IntoIterator<Item = StageSet>) -> StageSet {
    sets.into_iter().fold(StageSet::EMPTY, |a, b| a | b)
}

/// A graph whose vertices stand for groups of stages of another one (TOPLAS 2020, section 6).
#[derive(Clone, Debug)]
pub(crate) struct Collapsed {
    /// The graph of the vertices.
    pub dag: Dag,
    /// The stages of each vertex.
    members: Vec<StageSet>,
}

impl Collapsed {
    /// Each stage a vertex.
    pub fn none(dag: &Dag) -> Collapsed {
        Collapsed {
            dag: dag.clone(),
            members: (0..dag.stages()).map(StageSet::single).collect(),
        }
    }

    /// The stages of these vertices.
    pub fn stages(&self, vertices: &StageSet) -> StageSet {
        union(vertices.iter().map(|vertex| at(&self.members, vertex)))
    }

    /// Each of `groups`, which are in the order of their execution, a vertex.
    ///
    /// Two vertices may be in one group only if all edges between them allow it. A vertex that
    /// holds a live-out stage is live-out: for groups with one output it is the output.
    pub fn of(dag: &Dag, groups: &[StageSet]) -> Collapsed {
        let mut vertex_of = vec![0; dag.stages()];
        for (number, group) in groups.iter().enumerate() {
            for stage in group {
                vertex_of[stage] = number;
            }
        }
        let mut consumers = vec![StageSet::EMPTY; groups.len()];
        let mut apart = consumers.clone();
        let mut live_out = StageSet::EMPTY;
        for (number, group) in groups.iter().enumerate() {
            let vertices = |stages: StageSet| {
                let outside = (stages - *group).iter();
                union(outside.map(|stage| StageSet::single(vertex_of[stage])))
            };
            for stage in group {
                consumers[number] |= vertices(dag.consumers(stage));
                apart[number] |= vertices(dag.apart(stage));
            }
            if group.intersects(&dag.live_out) {
                live_out |= StageSet::single(number);
            }
        }
        Collapsed {
            dag: Dag::complete(consumers, apart, live_out),
            members: groups.to_vec(),
        }
    }
}
