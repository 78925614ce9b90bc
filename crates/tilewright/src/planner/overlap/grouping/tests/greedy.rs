//! The heuristics of others on the examples of the paper's section 2.4.

use super::*;
use crate::planner::overlap::grouping::*;

/// Figure 4: two groups of a chain gain most, which keeps the best grouping from being found.
#[test]
fn halide_takes_the_best_pair_and_stays_there() {
    let graph = Graph::chain(5);
    let dag = graph.dag();
    let mut cost = |group: &StageSet| match mask(group) {
        0b1_1000 => 10.0, // gains 10, more than any other pair
        0b0_0110 => 15.0,
        0b0_1110 => 5.0, // B, C, D: gains 25
        group if group.count_ones() == 1 => 10.0,
        _ => 100.0,
    };
    let mut costs = Costs::new(&mut cost);
    let greedy = halide(&dag, Space::AnyOutputs, &mut costs).unwrap();
    assert_eq!(greedy.groups, [0b1, 0b110, 0b1_1000].map(set));
    assert_eq!(greedy.cost, 35.0);
    let best = optimal(&dag, Space::AnyOutputs, None, &mut costs, Bounds::default()).unwrap();
    assert_eq!(best.best.groups, [0b1, 0b1110, 0b1_0000].map(set));
    assert_eq!(best.best.cost, 25.0);
    assert_eq!(best.runner_up.unwrap().cost, 35.0);
}

#[test]
fn halide_closes_no_circle() {
    // Merging 0 with 2 alone would leave 1 between them.
    let dag = Graph::of(3, &[(0, 1), (0, 2), (1, 2)]).dag();
    let mut cost = |group: &StageSet| match mask(group) {
        0b101 => -100.0,
        group => f64::from(group.count_ones()),
    };
    let mut costs = Costs::new(&mut cost);
    let greedy = halide(&dag, Space::AnyOutputs, &mut costs).unwrap();
    assert_eq!(greedy.groups, apart(&dag));
}

#[test]
fn polymage_merges_the_largest_group_with_its_only_reader() {
    // 0 and 1 are read by 2 alone, 2 by 3 and 4.
    let dag = Graph::of(5, &[(0, 2), (1, 2), (2, 3), (2, 4)]).dag();
    let mut asked = Vec::new();
    let size = |group: &StageSet| group.iter().map(|s| [5.0, 9.0, 1.0, 1.0, 1.0][s]).sum();
    let groups = polymage(&dag, Space::AnyOutputs, size, |group, reader| {
        asked.push((mask(group), mask(reader)));
        (*group | *reader).len() < 3
    });
    assert_eq!(groups, [0b1, 0b110, 0b1000, 0b1_0000].map(set));
    assert_eq!(asked, [(0b10, 0b100), (0b1, 0b110)]);
}

#[test]
fn polymage_keeps_to_the_space() {
    let mut graph = Graph::chain(3);
    graph.live_out = vec![1];
    let dag = graph.dag();
    let size = |group: &StageSet| group.len() as f64;
    let one = polymage(&dag, Space::OneOutput, size, |_, _| true);
    assert_eq!(one, [0b11, 0b100].map(set));
    let any = polymage(&dag, Space::AnyOutputs, size, |_, _| true);
    assert_eq!(any, [0b111].map(set));
}
