//! Sizes that conditions ask for.

use super::*;
use crate::run::sides::Side;

/// What is seen of one condition: for these sizes it never held, by so much.
fn targets(seen: &[(&[i64], u64)]) -> Targets {
    let mut targets = Targets {
        leads: vec![(0, None, Some(7))],
        ..Targets::default()
    };
    for (sizes, distance) in seen {
        let side = Side {
            taken: true,
            passed: false,
            distance: *distance,
        };
        targets.learn(sizes, &Sides(vec![side]), &|line| line == 7);
    }
    targets
}

fn all(mut targets: Targets) -> Vec<Vec<i64>> {
    std::iter::from_fn(|| {
        targets.waiting.pop_front().or_else(|| {
            targets.look(&|line| line == 7);
            targets.waiting.pop_front()
        })
    })
    .take(MOST)
    .collect()
}

/// Each size is moved by itself, and all together.
#[test]
fn sizes_are_moved_to_see_what_they_do() {
    let found = all(targets(&[(&[3, 4], 90)]));
    assert_eq!(found, [vec![3, 20], vec![19, 4], vec![19, 20]]);
}

/// 90 away, and 32 nearer with 16 more of the second: 45 more are enough.
#[test]
fn a_distance_is_solved_for_a_size() {
    let seen: [(&[i64], u64); 3] = [(&[3, 4], 90), (&[19, 4], 90), (&[3, 20], 58)];
    let found = all(targets(&seen));
    // From the nearest: 58 away.
    assert!(found.contains(&vec![3, 50]), "{found:?}");
}

/// Where nothing changed, a larger step may: quotients.
#[test]
fn quotients_need_larger_steps() {
    let found = all(targets(&[(&[3], 1), (&[19], 1)]));
    assert_eq!(found, [vec![67]]);
}

/// Nothing is asked for a line that was reached.
#[test]
fn reached_lines_ask_for_nothing() {
    let mut targets = targets(&[(&[3, 4], 90)]);
    assert_eq!(targets.next(&|_| false), None);
}

/// One size is moved by a step; only several may have to grow together.
#[test]
fn a_single_size_is_moved_alone() {
    assert_eq!(all(targets(&[(&[20], 5)])), [vec![36]]);
    // Several: by a step, or to twice as much.
    let found = all(targets(&[(&[20, 3], 5)]));
    assert_eq!(found, [vec![20, 19], vec![36, 3], vec![40, 19]]);
}

/// What a size does may ask for a smaller one.
#[test]
fn sizes_that_have_to_shrink() {
    // Farther by two for each: 45 fewer, and one more for what rounding leaves.
    let found = all(targets(&[(&[10], 90), (&[26], 122)]));
    assert_eq!(found, [vec![-36]]);
    let found = all(targets(&[(&[10], 58), (&[-6], 90)]));
    assert_eq!(found, [vec![40]]);
    // Not beyond what can be executed.
    assert_eq!(all(targets(&[(&[10], 90), (&[26], 91)])), [[0; 0]; 0]);
    assert_eq!(all(targets(&[(&[4990], 5)])), [[0; 0]; 0]);
    assert_eq!(all(targets(&[(&[4984], 5)])), [vec![5000]]);
}

/// Of several moves the one that changed something says most, then the farther one.
#[test]
fn the_move_that_says_most() {
    let seen: [Seen; 4] = [
        (vec![3], 90),
        (vec![19], 90),
        (vec![35], 26),
        (vec![67], 10),
    ];
    // 80 for 64.
    assert_eq!(slope(&seen, &[3], 90, 0), Some((20, 64)));
    assert_eq!(slope(&seen[..2], &[3], 90, 0), Some((0, 16)));
    assert_eq!(slope(&seen[..1], &[3], 90, 0), None);
    let others: [Seen; 3] = [(vec![3, 4], 90), (vec![19, 5], 10), (vec![3, 20], 58)];
    // Where another size is another one, too, nothing is known.
    assert_eq!(slope(&others, &[3, 4], 90, 0), None);
    assert_eq!(slope(&others, &[3, 4], 90, 1), Some((32, 16)));
}

/// Inner conditions ask for one size, outer ones for another: for both at once.
#[test]
fn conditions_that_ask_together() {
    let mut targets = Targets {
        leads: vec![(0, None, Some(7)), (1, None, Some(7))],
        ..Targets::default()
    };
    let side = |distance: u64| Side {
        taken: true,
        passed: false,
        distance,
    };
    for (sizes, distances) in [([3, 4], [90, 80]), ([19, 4], [58, 80]), ([3, 20], [90, 64])] {
        let sides = Sides(distances.map(side).to_vec());
        targets.learn(&sizes, &sides, &|_| true);
    }
    // The first is nearest at 19, where 29 more are missing; the second at 20, where 64 more are.
    targets.look(&|_| true);
    let found: Vec<Vec<i64>> = targets.waiting.into_iter().collect();
    assert!(found.contains(&vec![49, 4]), "{found:?}");
    assert!(found.contains(&vec![3, 85]), "{found:?}");
    // Seen for the same sizes, both at once: 30 more of the one and 65 of the other.
    let mut targets = Targets {
        leads: vec![(0, None, Some(7)), (1, None, Some(7))],
        ..Targets::default()
    };
    for (sizes, distances) in [
        ([3, 4], [58, 64]),
        ([-13, 4], [90, 64]),
        ([3, -12], [58, 80]),
    ] {
        let sides = Sides(distances.map(side).to_vec());
        targets.learn(&sizes, &sides, &|_| true);
    }
    targets.look(&|_| true);
    let found: Vec<Vec<i64>> = targets.waiting.into_iter().collect();
    assert_eq!(found[0], [33, 69]);
    assert!(found.contains(&vec![33, 4]), "{found:?}");
}

/// What is remembered: each size once, the nearest, and the latest.
#[test]
fn what_is_remembered() {
    let mut seen: Vec<(Vec<i64>, u64)> = (0..40).map(|k| (vec![k, 1], 100 - k as u64)).collect();
    seen[5].1 = 3;
    let mut targets = Targets {
        leads: vec![(0, None, Some(7))],
        ..Targets::default()
    };
    let learn = |targets: &mut Targets, sizes: &[i64], side: Side| {
        targets.learn(sizes, &Sides(vec![side]), &|line| line == 7);
    };
    let once = |distance: u64| Side {
        taken: true,
        passed: false,
        distance,
    };
    for (sizes, distance) in &seen {
        learn(&mut targets, sizes, once(*distance));
        learn(&mut targets, sizes, once(1));
    }
    let kept = &targets.seen[&0];
    assert_eq!(kept.len(), MOST_SEEN);
    assert!(kept.contains(&(vec![5, 1], 3)) && kept.contains(&(vec![39, 1], 61)));
    assert!(kept.iter().all(|(_, distance)| *distance > 1));
    // Sizes that were tried are not asked for again.
    let mut targets = Targets {
        leads: vec![(0, None, Some(7))],
        ..Targets::default()
    };
    learn(&mut targets, &[20], once(5));
    assert_eq!(targets.next(&|_| true), Some(vec![36]));
    assert_eq!(targets.next(&|_| true), None);
    // Nothing is learnt of what went both ways, is no comparison, or leads nowhere.
    for side in [
        Side {
            passed: true,
            ..once(5)
        },
        Side {
            taken: false,
            ..once(5)
        },
        Side {
            taken: false,
            passed: true,
            distance: 5,
        },
        once((1 << 40) + 1),
    ] {
        let mut targets = Targets {
            leads: vec![(0, None, Some(7))],
            ..Targets::default()
        };
        learn(&mut targets, &[20], side);
        assert!(targets.seen.is_empty(), "{side:?}");
        assert_eq!(targets.next(&|_| true), None);
    }
    let mut targets = Targets {
        leads: vec![(0, Some(7), Some(8))],
        ..Targets::default()
    };
    learn(&mut targets, &[20], once(1 << 40));
    assert!(targets.seen.is_empty());
    learn(
        &mut targets,
        &[20],
        Side {
            taken: false,
            passed: true,
            distance: 1 << 40,
        },
    );
    assert_eq!(targets.seen[&0], [(vec![20], 1 << 40)]);
    // Once it went both ways, no more.
    learn(&mut targets, &[21], once(5));
    learn(
        &mut targets,
        &[22],
        Side {
            passed: true,
            ..once(5)
        },
    );
    assert_eq!(targets.next(&|_| true), None);
}
