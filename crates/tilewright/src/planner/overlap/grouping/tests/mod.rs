//! What the tests share: graphs, costs without a meaning, and the definitions once more, naively.

use crate::planner::overlap::grouping::{Dag, GroupingError, Space, StageSet};

mod algorithm1;
mod graphs;
mod greedy;
mod random;
mod small;

/// A graph as the tests write it down.
#[derive(Clone, Debug)]
pub struct Graph {
    pub stages: usize,
    pub edges: Vec<(usize, usize)>,
    pub live_out: Vec<usize>,
    /// Stages that are in no group with their consumers.
    pub not_inner: Vec<usize>,
}

impl Graph {
    pub fn of(stages: usize, edges: &[(usize, usize)]) -> Graph {
        Graph {
            stages,
            edges: edges.to_vec(),
            live_out: Vec::new(),
            not_inner: Vec::new(),
        }
    }

    pub fn chain(stages: usize) -> Graph {
        let edges: Vec<(usize, usize)> = (1..stages).map(|stage| (stage - 1, stage)).collect();
        Graph::of(stages, &edges)
    }

    pub fn build(&self) -> Result<Dag, GroupingError> {
        let inner = (0..self.stages).filter(|stage| !self.not_inner.contains(stage));
        Dag::new(
            self.stages,
            &self.edges,
            StageSet::of(self.live_out.iter().copied())?,
            StageSet::of(inner.take(StageSet::CAPACITY))?,
        )
    }

    pub fn dag(&self) -> Dag {
        self.build().unwrap()
    }

    /// Whether stages can be a group, from the definition.
    fn allows(&self, space: Space, group: u32) -> bool {
        let has = |stage: usize| group >> stage & 1 == 1;
        let inside: Vec<&(usize, usize)> = self
            .edges
            .iter()
            .filter(|&&(producer, consumer)| has(producer) && has(consumer))
            .collect();
        if inside.iter().any(|(p, _)| self.not_inner.contains(p)) {
            return false;
        }
        match space {
            Space::OneOutput => {
                let read_outside = |&stage: &usize| {
                    let mut consumers = self.edges.iter().filter(|(p, _)| *p == stage);
                    let last = !self.edges.iter().any(|(p, _)| *p == stage);
                    last || self.live_out.contains(&stage) || consumers.any(|&(_, c)| !has(c))
                };
                (0..self.stages)
                    .filter(|&s| has(s))
                    .filter(read_outside)
                    .count()
                    == 1
            }
            Space::AnyOutputs => {
                let mut reached = group & group.wrapping_neg();
                for _ in 0..self.stages {
                    for &&(p, c) in &inside {
                        if reached >> p & 1 == 1 || reached >> c & 1 == 1 {
                            reached |= 1 << p | 1 << c;
                        }
                    }
                }
                group != 0 && reached == group
            }
        }
    }

    /// Whether groups read each other in a circle, from the definition.
    fn in_circle(&self, groups: &[u32]) -> bool {
        let group_of = |stage: usize| groups.iter().position(|g| g >> stage & 1 == 1).unwrap();
        let mut left: Vec<(usize, usize)> = self
            .edges
            .iter()
            .map(|&(p, c)| (group_of(p), group_of(c)))
            .filter(|(p, c)| p != c)
            .collect();
        // Edges from groups that nothing is read by go, until none is left or none can go.
        loop {
            let before = left.len();
            let read: Vec<usize> = left.iter().map(|&(_, c)| c).collect();
            left.retain(|(p, _)| read.contains(p));
            if left.len() == before {
                return before > 0;
            }
        }
    }

    /// All groupings of a space with groups of at most `limit` stages.
    pub fn groupings(&self, space: Space, limit: usize) -> Vec<Vec<u32>> {
        let small = |group: &u32| group.count_ones() as usize <= limit;
        let groups: Vec<u32> = (1..1u32 << self.stages)
            .filter(small)
            .filter(|&group| self.allows(space, group))
            .collect();
        let mut found = Vec::new();
        self.extend(&groups, 0, &mut Vec::new(), &mut found);
        found
    }

    fn extend(&self, groups: &[u32], used: u32, chosen: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        let next = used.trailing_ones();
        if next as usize == self.stages {
            if !self.in_circle(chosen) {
                found.push(chosen.clone());
            }
            return;
        }
        for &group in groups {
            if group.trailing_zeros() == next && group & used == 0 {
                chosen.push(group);
                self.extend(groups, used | group, chosen, found);
                chosen.pop();
            }
        }
    }
}

pub fn mask(group: &StageSet) -> u32 {
    group.iter().fold(0, |mask, stage| mask | 1 << stage)
}

pub fn set(mask: u32) -> StageSet {
    StageSet::of((0..32).filter(|stage| mask >> stage & 1 == 1)).unwrap()
}

pub fn mix(seed: u64, value: u64) -> u64 {
    let mut z = (seed ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x1234_5678_9abc);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A cost without a meaning: a whole number, so that sums do not depend on their order; negative
/// for some groups, infinite for `infinite` of 16 groups of several stages.
pub fn random_cost(seed: u64, infinite: u64, group: u32) -> f64 {
    let number = mix(seed, u64::from(group));
    if group.count_ones() > 1 && (number >> 32) % 16 < infinite {
        return f64::INFINITY;
    }
    (number % 120) as f64 - 10.0
}
