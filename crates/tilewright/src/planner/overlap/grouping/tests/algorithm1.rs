//! TOPLAS 2020, Algorithm 1, line by line, for what it does differently and for its counts.

use super::*;
use crate::planner::overlap::grouping::*;
use std::collections::{BTreeMap, BTreeSet};

type Groups = BTreeSet<u128>;

struct Transcription<'a> {
    graph: &'a Graph,
    cost: &'a dyn Fn(u128) -> f64,
    /// Entries of T; the algorithm is given up beyond this many.
    most: usize,
    table: BTreeMap<Groups, (f64, Groups)>,
    /// Per stage, itself and what is reachable from it.
    reached: Vec<u128>,
}

impl Transcription<'_> {
    /// From the only source, or from one that is made up, which is stage `stages` and costs
    /// nothing. Returns the grouping without the latter, and the number of entries of T.
    fn run(graph: &Graph, cost: &dyn Fn(u128) -> f64, most: usize) -> Option<(f64, Groups, usize)> {
        let mut with_source = graph.clone();
        let source = graph.stages;
        let is_source = |s: &usize| !graph.edges.iter().any(|(_, c)| c == s);
        let sources: Vec<usize> = (0..graph.stages).filter(is_source).collect();
        let start = match sources[..] {
            [only] => only,
            _ => source,
        };
        if start == source {
            with_source
                .edges
                .extend(sources.iter().map(|&s| (source, s)));
        }
        let priced = |group: u128| {
            if group == 1 << source {
                0.0
            } else {
                cost(group & !(1 << source))
            }
        };
        let mut this = Transcription {
            graph: &with_source,
            cost: &priced,
            most,
            table: BTreeMap::new(),
            reached: (0..=source).map(|stage| 1 << stage).collect(),
        };
        for from in (0..=source).rev().cycle().skip(1).take(source + 1) {
            for next in this.successors(1 << from) {
                this.reached[from] |= this.reached[next];
            }
        }
        let (cost, groups) = this.group(Groups::from([1 << start]))?;
        let without = groups.into_iter().map(|g| g & !(1 << source));
        Some((
            cost,
            without.filter(|&g| g != 0).collect(),
            this.table.len(),
        ))
    }

    fn successors(&self, group: u128) -> BTreeSet<usize> {
        let edges = self.graph.edges.iter();
        let out = edges.filter(|(p, c)| group >> p & 1 == 1 && group >> c & 1 == 0);
        out.map(|&(_, c)| c).collect()
    }

    fn is_reachable(&self, to: usize, from: usize) -> bool {
        self.reached[from] >> to & 1 == 1
    }

    fn group(&mut self, groups: Groups) -> Option<(f64, Groups)> {
        if let Some(known) = self.table.get(&groups) {
            return Some(known.clone());
        }
        if self.table.len() >= self.most {
            return None;
        }
        let in_groups = groups.iter().fold(0, |all, group| all | group);
        let outside = |successors: BTreeSet<usize>| {
            let new = successors.into_iter().filter(|s| in_groups >> s & 1 == 0);
            new.collect::<BTreeSet<usize>>()
        };
        let next: BTreeSet<usize> = groups
            .iter()
            .flat_map(|&group| outside(self.successors(group)))
            .collect();
        let own: f64 = groups.iter().map(|&group| (self.cost)(group)).sum();
        if next.is_empty() {
            self.table.insert(groups.clone(), (own, groups.clone()));
            return Some((own, groups));
        }
        let mut best = (f64::INFINITY, Groups::new());
        for &group in &groups {
            let successors = self.successors(group);
            for joined in outside(successors.clone()) {
                let is_cycle = successors
                    .iter()
                    .any(|&other| other != joined && self.is_reachable(joined, other));
                if !is_cycle {
                    let mut grown = groups.clone();
                    grown.remove(&group);
                    grown.insert(group | 1 << joined);
                    let found = self.group(grown)?;
                    if found.0 < best.0 {
                        best = found;
                    }
                }
            }
        }
        let mut rest = (f64::INFINITY, Groups::new());
        let next: Vec<usize> = next.into_iter().collect();
        for partition in partitions(&next) {
            let found = self.group(partition)?;
            if found.0 < rest.0 {
                rest = found;
            }
        }
        if own + rest.0 < best.0 {
            best = (own + rest.0, groups.union(&rest.1).copied().collect());
        }
        self.table.insert(groups, best.clone());
        Some(best)
    }
}

/// PARTS: all partitions of a set.
fn partitions(set: &[usize]) -> Vec<Groups> {
    let Some((first, others)) = set.split_first() else {
        return vec![Groups::new()];
    };
    let mut all = Vec::new();
    for partition in partitions(others) {
        for part in &partition {
            let mut joined = partition.clone();
            joined.remove(part);
            joined.insert(part | 1 << first);
            all.push(joined);
        }
        let mut alone = partition;
        alone.insert(1 << first);
        all.push(alone);
    }
    all
}

fn best(graph: &Graph, cost: &dyn Fn(u128) -> f64) -> Grouping {
    let mut model = |group: &StageSet| cost(u128::from(mask(group)));
    let mut costs = Costs::new(&mut model);
    let found = optimal(
        &graph.dag(),
        Space::AnyOutputs,
        None,
        &mut costs,
        Bounds::default(),
    );
    found.unwrap().best
}

/// a = 0, c = 1, b = 2, d = 3; a→b, c→b, a→d, c→d.
#[test]
fn the_published_algorithm_returns_groups_in_a_circle() {
    let graph = Graph::of(4, &[(0, 2), (1, 2), (0, 3), (1, 3)]);
    let (ad, cb) = (0b1001, 0b0110);
    let cost = |group: u128| {
        if group == ad || group == cb {
            1.0
        } else {
            10.0
        }
    };
    let (published, groups, _) = Transcription::run(&graph, &cost, 1000).unwrap();
    assert_eq!((published, groups), (2.0, Groups::from([ad, cb])));
    assert!(graph.in_circle(&[ad as u32, cb as u32]));
    let ours = best(&graph, &cost);
    assert_eq!(ours.cost, 10.0);
    assert_eq!(ours.groups, [set(0b1111)]);
}

/// a = 0, b = 1, d = 2, c = 3; a→c, a→b, b→d, d→c.
#[test]
fn the_published_algorithm_counts_stages_twice() {
    let graph = Graph::of(4, &[(0, 3), (0, 1), (1, 2), (2, 3)]);
    // No fusion is best, but for {b, d}, which is only a little worse.
    let cost = |group: u128| match group {
        0b0110 => 21.0,
        group if group.count_ones() == 1 => 10.0,
        _ => 100.0,
    };
    let (published, groups, _) = Transcription::run(&graph, &cost, 1000).unwrap();
    assert_eq!(
        (published, groups),
        (41.0, Groups::from([1, 0b0110, 0b1000]))
    );
    let ours = best(&graph, &cost);
    assert_eq!(ours.cost, 40.0);
    assert_eq!(ours.groups, apart(&graph.dag()));

    // With {d, c} best, it is in the grouping besides {c}.
    let cost = |group: u128| match group {
        0b1100 => -100.0,
        group if group.count_ones() == 1 => 10.0,
        _ => 100.0,
    };
    let (published, groups, _) = Transcription::run(&graph, &cost, 1000).unwrap();
    assert_eq!(groups, Groups::from([1, 0b0010, 0b1000, 0b1100]));
    assert_eq!(published, -70.0);
    assert_eq!(best(&graph, &cost).cost, -80.0);
}

/// Where there is one path only, both find the same and look at as many groups.
#[test]
fn on_chains_the_published_algorithm_is_ours() {
    for stages in 1..12 {
        let graph = Graph::chain(stages);
        let cost = |group: u128| random_cost(stages as u64, 3, group as u32);
        let (published, groups, entries) = Transcription::run(&graph, &cost, 1000).unwrap();
        let ours = best(&graph, &cost);
        assert_eq!(published, ours.cost);
        let ours: Groups = ours.groups.iter().map(|g| u128::from(mask(g))).collect();
        assert_eq!(groups, ours);
        assert_eq!(entries, stages * (stages + 1) / 2);
    }
}

/// The entries of T for a graph, if there are at most so many. For chains and unsharp mask they are
/// the paper's "groupings enumerated" (tables 1 and 9). For our Harris they are 3671, and over
/// 100 000 for the larger pipelines, where the paper has 104 and up to 27 108: what was measured
/// there is not the algorithm as it is printed, or not on these graphs.
pub fn entries(graph: &Graph, most: usize) -> Option<usize> {
    let cost = |group: u128| -f64::from(group.count_ones()).powi(2);
    Transcription::run(graph, &cost, most).map(|(_, _, entries)| entries)
}
