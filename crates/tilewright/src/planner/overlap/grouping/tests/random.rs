//! Random graphs with costs without a meaning, compared with all groupings there are.

use super::*;
use crate::planner::overlap::grouping::*;
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Case {
    graph: Graph,
    limit: Option<usize>,
    seed: u64,
    infinite: u64,
}

fn case(most_stages: usize) -> impl Strategy<Value = Case> {
    let share = prop_oneof![Just(2usize), Just(4), Just(7)];
    let parts = (1..=most_stages, share, any::<u64>(), any::<u64>());
    let rest = (
        0..=8u64,
        prop_oneof![Just(0u64), Just(4), Just(10)],
        0..=2u64,
    );
    (parts, rest).prop_map(
        |((stages, share, shape, seed), (limit, infinite, special))| {
            let chance = |kind: u64, number: usize, of: usize, among: u64| {
                mix(shape ^ kind, number as u64) % among < of as u64
            };
            let mut edges = Vec::new();
            for producer in 0..stages {
                for consumer in producer + 1..stages {
                    if chance(1, producer * 16 + consumer, share, 12) {
                        edges.push((producer, consumer));
                    }
                }
            }
            let some = |kind| {
                (0..stages)
                    .filter(|&s| special > 0 && chance(kind, s, 1, 6))
                    .collect()
            };
            Case {
                graph: Graph {
                    stages,
                    edges,
                    live_out: some(2),
                    not_inner: some(3),
                },
                limit: (1..=5).contains(&limit).then_some(limit as usize),
                seed,
                infinite,
            }
        },
    )
}

fn check(case: &Case, space: Space) {
    let Case {
        graph,
        limit,
        seed,
        infinite,
    } = case;
    let dag = graph.dag();
    let cost_of = |group: u32| random_cost(*seed, *infinite, group);
    let mut all: Vec<(f64, Vec<u32>)> = graph
        .groupings(space, limit.unwrap_or(usize::MAX))
        .into_iter()
        .map(|groups| (groups.iter().map(|&g| cost_of(g)).sum(), groups))
        .filter(|(cost, _): &(f64, _)| cost.is_finite())
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));

    let mut model = |group: &StageSet| cost_of(mask(group));
    let mut costs = Costs::new(&mut model);
    let bounds = Bounds::default();
    let found = optimal(&dag, space, *limit, &mut costs, bounds).unwrap();
    let is_listed = |grouping: &Grouping| {
        let mut groups: Vec<u32> = grouping.groups.iter().map(mask).collect();
        groups.sort_by_key(|group| group.trailing_zeros());
        all.iter()
            .any(|(cost, listed)| *cost == grouping.cost && *listed == groups)
    };
    assert_eq!(found.best.cost, all[0].0);
    assert!(is_listed(&found.best));
    assert!(space.is_grouping(&dag, &found.best.groups));
    assert_eq!(
        dag.sorted(&found.best.groups).as_ref(),
        Some(&found.best.groups)
    );
    match &found.runner_up {
        None => assert_eq!(all.len(), 1),
        Some(other) => {
            assert_eq!(other.cost, all[1].0);
            assert!(is_listed(other));
            assert_ne!(other.groups, found.best.groups);
        }
    }
    if space == Space::OneOutput && *infinite == 0 {
        let mut groups: Vec<u32> = all.iter().flat_map(|(_, groups)| groups.clone()).collect();
        groups.sort_unstable();
        groups.dedup();
        let every = groups.len() as u64;
        assert_eq!((found.effort.tried, found.effort.costed), (every, every));
        assert_eq!(found.effort.states, graph.stages as u64);
    }

    if limit.is_none() {
        for (initial, step) in [(1, None), (2, Some(2)), (3, Some(3)), (4, None), (64, None)] {
            let rounds = incremental(&dag, space, initial, step, &mut costs, bounds).unwrap();
            assert!(rounds.grouping.cost >= all[0].0);
            assert!(is_listed(&rounds.grouping));
            assert!(rounds.rounds.is_sorted_by(|a, b| a.cost >= b.cost));
            if initial == 1 || initial == 64 {
                assert_eq!(rounds.grouping.cost, all[0].0);
            }
            if let Some(other) = &rounds.runner_up {
                assert!(is_listed(other) && other.groups != rounds.grouping.groups);
            }
        }
        for tried in [1, 5, 20, 60] {
            let bounds = Bounds { tried, ..bounds };
            let limits = defaults::GROUP_LIMITS;
            match group(&dag, space, &limits, &mut costs, bounds) {
                Ok(decision) => {
                    assert!(is_listed(&decision.grouping));
                    assert!(!decision.optimal || decision.grouping.cost == all[0].0);
                    let pairs = halide(&dag, space, &mut costs).unwrap();
                    assert!(decision.grouping.cost <= pairs.cost);
                    if let Some(other) = &decision.runner_up {
                        assert!(is_listed(other) && other.groups != decision.grouping.groups);
                        assert!(other.cost >= decision.grouping.cost || !decision.pairwise);
                    }
                }
                Err(error) => assert!(matches!(error, GroupingError::TooMuchWork { .. })),
            }
        }
    }

    let merged = halide(&dag, space, &mut costs).unwrap();
    assert!(limit.is_some() || is_listed(&merged));
    let mut answers = *seed;
    let merged = polymage(
        &dag,
        space,
        |group| group.len() as f64,
        |_, _| {
            answers = mix(answers, 1);
            answers % 3 > 0
        },
    );
    assert!(space.is_grouping(&dag, &merged));
    assert!(!graph.in_circle(&merged.iter().map(mask).collect::<Vec<_>>()));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("TILEWRIGHT_RANDOM_CASES").map_or(150, |c| c.parse().unwrap()),
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(
            std::env::var("TILEWRIGHT_RANDOM_SEED").map_or(20, |s| s.parse().unwrap()),
        ),
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_best_of_all_groupings_with_one_output(case in case(10)) {
        check(&case, Space::OneOutput);
    }

    #[test]
    fn the_best_of_all_groupings_with_any_outputs(case in case(10)) {
        check(&case, Space::AnyOutputs);
    }

    /// What is said of a set of stages is what the definition says.
    #[test]
    fn spaces_allow_what_they_should(case in case(7)) {
        let dag = case.graph.dag();
        for space in [Space::OneOutput, Space::AnyOutputs] {
            let groupings = case.graph.groupings(space, usize::MAX);
            for group in 1..1u32 << case.graph.stages {
                let part_of_one = groupings.iter().any(|groups| groups.contains(&group));
                prop_assert_eq!(space.allows(&dag, &set(group)), part_of_one);
            }
        }
    }
}
