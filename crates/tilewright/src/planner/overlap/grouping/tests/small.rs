//! Sets, graphs that are refused, chains, bounds.

use super::*;
use crate::planner::overlap::grouping::*;

#[test]
fn sets_hold_stages_of_all_words() {
    let stages = [0, 1, 63, 64, 127, 128, 200, 255];
    let set = StageSet::of(stages).unwrap();
    assert_eq!(set.iter().collect::<Vec<_>>(), stages);
    assert_eq!(set.iter().rev().count(), 8);
    assert_eq!(set.iter().next_back(), Some(255));
    assert_eq!(
        (set.len(), set.first(), set.last()),
        (8, Some(0), Some(255))
    );
    assert!(set.contains(64) && !set.contains(65) && !set.contains(1000));
    let low = StageSet::below(64);
    assert_eq!((low.len(), StageSet::below(256).len()), (64, 256));
    assert_eq!((set & low).len(), 3);
    assert_eq!((set - low).first(), Some(64));
    assert!((set & low).is_subset(&low) && set.intersects(&low) && !set.is_subset(&low));
    assert!(StageSet::EMPTY.is_empty() && StageSet::EMPTY.last().is_none());
    let too_many = Err(GroupingError::TooManyStages { stages: 257 });
    assert_eq!(StageSet::of([256]), too_many);
}

#[test]
fn graphs_that_are_refused() {
    let error = |stages, edges: &[(usize, usize)]| Graph::of(stages, edges).build().unwrap_err();
    assert_eq!(
        error(3, &[(2, 1)]),
        GroupingError::Backward {
            producer: 2,
            consumer: 1
        }
    );
    assert_eq!(
        error(3, &[(2, 3)]),
        GroupingError::UnknownStage { stage: 3 }
    );
    assert_eq!(
        error(257, &[]),
        GroupingError::TooManyStages { stages: 257 }
    );
    assert!(Graph::of(2, &[(0, 0), (0, 1)]).build().is_ok());
}

/// Connected and convex, each of them, and still no grouping.
#[test]
fn groups_that_read_each_other_have_no_order() {
    let dag = Graph::of(4, &[(0, 2), (1, 2), (0, 3), (1, 3)]).dag();
    let groups = [0b1001, 0b0110].map(set);
    let space = Space::AnyOutputs;
    assert!(groups.iter().all(|group| space.allows(&dag, group)));
    assert_eq!(dag.sorted(&groups), None);
    assert!(!space.is_grouping(&dag, &groups));
    let mut cost = |group: &StageSet| if groups.contains(group) { 0.0 } else { 10.0 };
    let greedy = halide(&dag, space, &mut Costs::new(&mut cost)).unwrap();
    assert_eq!(greedy.cost, 20.0);
}

#[test]
fn nothing_to_group() {
    let dag = Graph::of(0, &[]).dag();
    let mut cost = |_: &StageSet| 1.0;
    let found = optimal(
        &dag,
        Space::OneOutput,
        None,
        &mut Costs::new(&mut cost),
        Bounds::default(),
    );
    assert_eq!(found.unwrap().best.groups, []);
}

/// Section 3.3: n(n + 1)/2 groups for a chain of n stages, and the best of all 2^(n - 1) groupings.
#[test]
fn chains_take_quadratic_time() {
    for stages in [1, 2, 3, 10, 41, 256] {
        let dag = Graph::chain(stages).dag();
        for space in [Space::OneOutput, Space::AnyOutputs] {
            if space == Space::AnyOutputs && stages > 100 {
                continue;
            }
            let mut cost = |group: &StageSet| (group.len() as f64 - 3.0).powi(2);
            let mut costs = Costs::new(&mut cost);
            let found = optimal(&dag, space, None, &mut costs, Bounds::default()).unwrap();
            let all = (stages * (stages + 1) / 2) as u64;
            let states = stages as u64;
            let (tried, costed) = (all, all);
            assert_eq!(
                found.effort,
                Effort {
                    tried,
                    states,
                    costed
                }
            );
            // Groups of three, but for one of two or of four.
            let expected = [0.0, if stages == 1 { 4.0 } else { 1.0 }, 1.0][stages % 3];
            assert_eq!(found.best.cost, expected);
            assert!(space.is_grouping(&dag, &found.best.groups));
            assert_eq!(found.runner_up.is_some(), stages > 1);
        }
    }
}

#[test]
fn equal_costs_are_decided_for_less_fusion() {
    let dag = Graph::of(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]).dag();
    let mut cost = |group: &StageSet| group.len() as f64;
    let mut costs = Costs::new(&mut cost);
    for space in [Space::OneOutput, Space::AnyOutputs] {
        let found = optimal(&dag, space, None, &mut costs, Bounds::default()).unwrap();
        assert_eq!(found.best.groups, apart(&dag));
        assert_eq!(found.runner_up.unwrap().cost, 4.0);
    }
}

#[test]
fn a_search_beyond_its_bounds_is_given_up() {
    let dag = Graph::chain(20).dag();
    let mut cost = |group: &StageSet| -(group.len() as f64);
    let mut costs = Costs::new(&mut cost);
    let bounds = Bounds {
        tried: 100,
        costed: 1000,
    };
    let error = optimal(&dag, Space::OneOutput, None, &mut costs, bounds).unwrap_err();
    assert!(matches!(error, GroupingError::TooMuchWork { effort } if effort.tried == 101));
    // Costs are remembered: what was given up is not asked again.
    let bounds = Bounds {
        tried: 1000,
        costed: 109,
    };
    let found = optimal(&dag, Space::OneOutput, None, &mut costs, bounds).unwrap();
    assert_eq!((found.effort.tried, found.effort.costed), (210, 109));
}

#[test]
fn a_model_that_cannot_go_on_ends_the_search() {
    struct Fails(u32);
    impl GroupCost for Fails {
        fn cost(&mut self, _: &StageSet) -> Result<f64, Interrupted> {
            self.0 = self.0.checked_sub(1).ok_or(Interrupted)?;
            Ok(1.0)
        }
    }
    let dag = Graph::chain(5).dag();
    let mut model = Fails(7);
    let mut costs = Costs::new(&mut model);
    let found = optimal(&dag, Space::OneOutput, None, &mut costs, Bounds::default());
    assert_eq!(found, Err(GroupingError::Interrupted));
    assert_eq!(costs.evaluated(), 7);
}

#[test]
fn no_grouping_has_a_finite_cost() {
    let dag = Graph::chain(3).dag();
    let mut cost = |group: &StageSet| if group.contains(1) { f64::NAN } else { 1.0 };
    let mut costs = Costs::new(&mut cost);
    let found = optimal(&dag, Space::AnyOutputs, None, &mut costs, Bounds::default());
    assert_eq!(found, Err(GroupingError::NoGrouping));
}

#[test]
fn larger_groups_are_left_out_when_the_model_says_so() {
    struct Model {
        prunes: bool,
    }
    impl GroupCost for Model {
        fn cost(&mut self, group: &StageSet) -> Result<f64, Interrupted> {
            Ok(if group.contains(4) && group.contains(6) {
                f64::INFINITY
            } else {
                -(group.len() as f64).powi(2)
            })
        }
        fn rules_out_larger(&mut self, group: &StageSet) -> bool {
            self.prunes && group.contains(4) && group.contains(6)
        }
    }
    let dag = Graph::chain(12).dag();
    let found = [false, true].map(|prunes| {
        let mut model = Model { prunes };
        let mut costs = Costs::new(&mut model);
        optimal(&dag, Space::OneOutput, None, &mut costs, Bounds::default()).unwrap()
    });
    assert_eq!(found[0].best, found[1].best);
    assert_eq!(found[0].runner_up, found[1].runner_up);
    assert_eq!(found.map(|f| f.effort.tried), [78, 78 - 6 * 4]);
}

/// Algorithm 5 on a chain whose best grouping is one group: rounds of four, and of four of those.
#[test]
fn rounds_grow_groups_of_groups() {
    let dag = Graph::chain(40).dag();
    let mut cost = |group: &StageSet| -(group.len() as f64).powi(2);
    let mut costs = Costs::new(&mut cost);
    let bounds = Bounds::default();
    let found = incremental(&dag, Space::OneOutput, 4, Some(4), &mut costs, bounds).unwrap();
    let rounds: Vec<_> = found.rounds.iter().map(|r| (r.limit, r.vertices)).collect();
    assert_eq!(rounds, [(Some(4), 40), (Some(4), 10), (Some(4), 3)]);
    assert_eq!(found.grouping.groups, [dag.all()]);
    assert!(!found.cut_short);
    let found = incremental(&dag, Space::OneOutput, 4, None, &mut costs, bounds).unwrap();
    let rounds: Vec<_> = found.rounds.iter().map(|r| (r.limit, r.vertices)).collect();
    assert_eq!(rounds, [(Some(4), 40), (None, 10)]);
    assert_eq!(found.grouping.groups, [dag.all()]);
    assert!(found.runner_up.is_some_and(|other| other.groups.len() > 1));
}

#[test]
fn the_driver_takes_the_largest_limit_within_bounds() {
    let dag = Graph::chain(40).dag();
    let limits = defaults::GROUP_LIMITS;
    let run = |tried| {
        let mut cost = |group: &StageSet| -(group.len() as f64).powi(2);
        let mut costs = Costs::new(&mut cost);
        let bounds = Bounds {
            tried,
            ..Bounds::default()
        };
        group(&dag, Space::OneOutput, &limits, &mut costs, bounds)
    };
    let limits_of = |found: &Decision| found.rounds.iter().map(|r| r.limit).collect::<Vec<_>>();
    let found = run(820).unwrap();
    assert_eq!(limits_of(&found), [None]);
    assert_eq!(found.effort.costed, 820);
    let found = run(819).unwrap();
    assert_eq!(limits_of(&found), [Some(32), None]);
    // 40 stages in groups of at most 2, 4, 8 and 16 are 79, 154, 292 and 520 groups. The second
    // round has 5 vertices: 9, 14 and 15 groups.
    let found = run(292).unwrap();
    assert_eq!(limits_of(&found), [Some(8), None]);
    assert_eq!(found.grouping.groups, [dag.all()]);
    assert_eq!(found.effort.tried, 79 + 154 + 292 + 293 + 9 + 14 + 15);
    assert!(!found.cut_short);
    let found = run(100).unwrap();
    assert_eq!(limits_of(&found), [Some(2), Some(4), None]);
    assert!(matches!(run(50), Err(GroupingError::TooMuchWork { .. })));
}

/// Many stages between one producer and one consumer: nothing is too wide for groups with one
/// output whose inner stages have to be outputs, but the orders of the others explode.
#[test]
fn the_driver_starts_from_groups_with_one_output_where_others_are_too_many() {
    let edges = (1..30).flat_map(|s| [(0, s), (s, 30), (s, 31)]);
    let graph = Graph::of(32, &edges.collect::<Vec<_>>());
    let dag = graph.dag();
    let mut cost = |group: &StageSet| group.len() as f64;
    let mut costs = Costs::new(&mut cost);
    let bounds = Bounds {
        tried: 1000,
        costed: 1000,
    };
    let limits = defaults::GROUP_LIMITS;
    let found = group(&dag, Space::AnyOutputs, &limits, &mut costs, bounds).unwrap();
    assert_eq!(found.rounds[0].space, Space::OneOutput);
    assert!(found.cut_short);
    assert_eq!(found.grouping.groups.len(), 32);
}

/// The groupings enumerated in table 9 of the paper for l = ∞, 32, 16 and 8, of the benchmarks
/// where they are those of a chain.
#[test]
fn chains_are_the_multigrid_cycles_of_the_paper() {
    let rows = [
        (76, [2926, 1936, 1096, 580]),
        (37, [703, 688, 472, 268]),
        (36, [666, 656, 456, 260]),
        (79, [3160, 2032, 1144, 604]),
    ];
    for (stages, counts) in rows {
        let dag = Graph::chain(stages).dag();
        let mut cost = |_: &StageSet| 1.0;
        let mut costs = Costs::new(&mut cost);
        let tried = [None, Some(32), Some(16), Some(8)].map(|limit| {
            let found = optimal(&dag, Space::OneOutput, limit, &mut costs, Bounds::default());
            found.unwrap().effort.tried
        });
        assert_eq!(tried, counts);
    }
}

#[test]
fn neighbours_and_what_merging_them_would_have_cost() {
    // 0 is read by 1 and 2, 1 and 2 by 3, and 3 by 4.
    let dag = Graph::of(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)]).dag();
    let mut cost = |group: &StageSet| 10.0 + group.len() as f64;
    let mut costs = Costs::new(&mut cost);
    let groups = [0b1, 0b10, 0b1100, 0b1_0000].map(set).to_vec();
    let grouping = priced(groups, &mut costs).unwrap();
    assert_eq!(grouping.cost, 45.0);
    let pairs = |space, costs: &mut Costs| {
        let found = neighbours(&dag, space, &grouping, costs).unwrap();
        let pairs = found
            .into_iter()
            .map(|n| (n.producer, n.consumer, n.apart, n.merged));
        pairs.collect::<Vec<_>>()
    };
    assert_eq!(
        pairs(Space::OneOutput, &mut costs),
        [
            (0, 1, 22.0, None),
            (0, 2, 23.0, None),
            (1, 2, 23.0, Some(13.0)),
            (2, 3, 23.0, Some(13.0))
        ]
    );
    // {0, 2, 3} reads 1, which reads 0: no group in any space. {0, 1} has two outputs.
    assert_eq!(
        pairs(Space::AnyOutputs, &mut costs)[..2],
        [(0, 1, 22.0, Some(12.0)), (0, 2, 23.0, None)]
    );
}
