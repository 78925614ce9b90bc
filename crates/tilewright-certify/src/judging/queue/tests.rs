//! Which input comes next, with how many instructions.

use super::*;
use crate::judging::inputs::Data;
use crate::judging::trial::{Execution, Outcome};
use crate::program::Program;
use crate::run::Order;
use std::rc::Rc;

/// Instructions of the function, and its text.
const SHARE: u64 = 1_000_000;
const VECTOR: &str = "void f(int n, int m, int a[restrict n][m], int b[restrict n])\n{\nfor (int i = 0; i < n; i++)\nfor (int j = 0; j < m; j++)\na[i][j] = b[i];\n}\n";

/// Does something with a queue of inputs for both texts.
fn with<T>(text: &str, share: u64, what: impl FnOnce(Queue) -> T) -> T {
    let compiled = |text: &str| -> Program {
        let parsed = crate::read::cut("f.c", text).expect("C");
        parsed.compile(&["f".to_owned()], true).expect("C")
    };
    let (original, result) = (compiled(text), compiled(text));
    let buffers = Rc::default();
    let halved = crate::judging::setup::Halved::default();
    let pair = Pair {
        original: &original,
        result: &result,
        functions: (0, 0),
        init: None,
        buffers: &buffers,
        halved: &halved,
    };
    let inputs = Inputs::new(&result, &result.functions[0], 1, false);
    what(Queue::new(pair, inputs, share))
}

fn input(sizes: &[i64]) -> Input {
    Input {
        sizes: sizes.to_vec(),
        data: Data::Small,
        seed: 1,
        alias: None,
    }
}

/// What executing an input took, as if it was so much.
fn took(queue: &Queue, steps: u64, charged: u64) -> Trial {
    let execution = Execution {
        threads: 1,
        order: Order::Forward,
        few: false,
        junk: 0x41,
        notes: false,
    };
    let mut trial = queue.pair.trial(&input(&[2, 2]), execution, 100_000);
    assert!(matches!(trial.outcome, Outcome::Equal));
    (trial.steps, trial.charged) = (steps, charged);
    trial
}

#[test]
fn elements_of_arrays() {
    with(VECTOR, SHARE, |queue| {
        assert_eq!(queue.elements(&input(&[3, 4])), Some(15));
        assert_eq!(queue.elements(&input(&[1, 1])), Some(2));
        assert_eq!(queue.elements(&input(&[5, 0])), Some(5));
        // Of negative extents there are none.
        assert_eq!(queue.elements(&input(&[-3, 4])), Some(0));
        assert_eq!(queue.least(&input(&[3, 4])), 3);
        assert_eq!(queue.least(&input(&[30, 4])), 4);
    });
    let open = VECTOR.replace("b[restrict n]", "b[restrict]");
    with(&open, SHARE, |queue| {
        assert_eq!(queue.elements(&input(&[3, 4])), None)
    });
    // Extents that no size changes do not count as small ones.
    let fixed = VECTOR.replace("b[restrict n]", "b[restrict 2]");
    with(&fixed, SHARE, |queue| {
        assert_eq!(queue.elements(&input(&[3, 4])), Some(14));
        assert_eq!(queue.least(&input(&[30, 40])), 30);
    });
}

/// Time grows as elements do.
#[test]
fn what_an_input_will_take() {
    with(VECTOR, SHARE, |mut queue| {
        // A quarter of the instructions for each element of an array, as long as nothing is known.
        let each = queue.pair.original.ops.len() as u64 / 4;
        assert_eq!(queue.guess(&input(&[3, 4])), 15 / 2 * each);
        assert_eq!(queue.guess(&input(&[30, 9])), 150 * each);
        let trial = took(&queue, 3000, 1000);
        queue.executed(&input(&[5, 5]), &trial, false);
        // 2,000 steps for 30 elements.
        assert_eq!(queue.guess(&input(&[10, 5])), 4000);
        assert_eq!(queue.guess(&input(&[5, 5])), 2000);
        // What took more for its elements says less of them.
        let trial = took(&queue, 90_000, 0);
        queue.executed(&input(&[5, 5]), &trial, false);
        assert_eq!(queue.guess(&input(&[5, 5])), 2000);
        let trial = took(&queue, 1000, 0);
        queue.executed(&input(&[5, 5]), &trial, false);
        assert_eq!(queue.guess(&input(&[5, 5])), 1000);
        // Of few threads, memory counts as all else does.
        let trial = took(&queue, 900, 800);
        queue.executed(&input(&[5, 5]), &trial, true);
        assert_eq!(queue.guess(&input(&[5, 5])), 900);
        // One of small sizes says nothing once there is another one.
        let trial = took(&queue, 1, 0);
        queue.executed(&input(&[1, 29]), &trial, false);
        assert_eq!(queue.guess(&input(&[5, 5])), 900);
    });
    with(VECTOR, SHARE, |mut queue| {
        let trial = took(&queue, 60, 0);
        queue.executed(&input(&[1, 29]), &trial, false);
        assert_eq!(queue.guess(&input(&[5, 5])), 60);
        let trial = took(&queue, 6000, 0);
        queue.executed(&input(&[5, 5]), &trial, false);
        assert_eq!(queue.guess(&input(&[5, 5])), 6000);
    });
}

#[test]
fn memory_that_is_much() {
    with(VECTOR, SHARE, |mut queue| {
        queue.took(SHARE, SHARE / HEAVY);
        assert!(!queue.is_heavy);
        queue.took(1, SHARE / HEAVY + 1);
        assert!(queue.is_heavy);
        queue.took(1, 0);
        assert!(queue.is_heavy);
    });
}

#[test]
fn inputs_that_are_put_off() {
    with(VECTOR, SHARE, |mut queue| {
        for (n, m) in [(20, 30), (10, 12), (100, 2), (12, 14)] {
            queue.put_off((n * m + n) as u64, input(&[n, m]), 0);
        }
        assert_eq!(queue.put_off.later.len(), 4);
        queue.put_off(1, input(&[12, 14]), 5);
        assert_eq!(queue.put_off.later.len(), 4);
        // The smallest one with some elements in each dimension, and half of what is left.
        let mut order = Vec::new();
        while let Some(Next { input, fuel }) = queue.longest(SHARE) {
            assert_eq!(fuel, SHARE / 2);
            order.push(input.sizes);
        }
        assert_eq!(
            order,
            [vec![10, 12], vec![12, 14], vec![20, 30], vec![100, 2]]
        );
        // Not one for which that was not enough.
        queue.put_off(130, input(&[10, 12]), 500);
        assert!(queue.longest(1000).is_none());
        assert!(queue.longest(1002).is_none_or(|next| next.fuel == 501));
    });
    with(VECTOR, SHARE, |mut queue| {
        // Nor what will take more.
        let trial = took(&queue, 3000, 0);
        queue.executed(&input(&[5, 5]), &trial, false);
        queue.put_off(130, input(&[10, 12]), 0);
        assert!(queue.longest(12_999).is_none());
        assert!(queue.longest(13_000).is_some());
        // There are never too many.
        for n in 0..200 {
            queue.put_off(10, input(&[n + 10, 10]), 0);
        }
        assert_eq!(queue.put_off.later.len(), MOST);
    });
}

#[test]
fn inputs_that_took_too_long() {
    with(VECTOR, SHARE, |mut queue| {
        queue.too_long(input(&[10, 12]), 500);
        assert_eq!(queue.put_off.barrier, Some((130, 500)));
        // A smaller one, or one with more instructions, says more.
        queue.too_long(input(&[20, 12]), 400);
        assert_eq!(queue.put_off.barrier, Some((130, 500)));
        queue.too_long(input(&[10, 12]), 400);
        assert_eq!(queue.put_off.barrier, Some((130, 500)));
        queue.too_long(input(&[20, 12]), 600);
        assert_eq!(queue.put_off.barrier, Some((260, 600)));
        queue.too_long(input(&[5, 12]), 300);
        assert_eq!(queue.put_off.barrier, Some((65, 300)));
        let sizes: Vec<_> = queue
            .put_off
            .later
            .iter()
            .map(|one| (one.elements, one.spent))
            .collect();
        assert_eq!(sizes, [(130, 500), (260, 400), (65, 300)]);
        queue.too_long(input(&[6000, 1]), 900);
        assert_eq!(queue.put_off.later.len(), 3);
    });
    let open = VECTOR.replace("b[restrict n]", "b[restrict]");
    with(&open, SHARE, |mut queue| {
        queue.too_long(input(&[10, 12]), 500);
        assert!(queue.put_off.barrier.is_none() && queue.put_off.later.is_empty());
    });
}

/// What is costly is not executed again and again.
#[test]
fn sizes_that_are_costly() {
    with(VECTOR, SHARE, |mut queue| {
        let cheap = took(&queue, SHARE / COSTLY, 0);
        let costly = took(&queue, SHARE / COSTLY + 1, 0);
        for _ in 0..5 {
            queue.executed(&input(&[5, 5]), &cheap, false);
        }
        assert!(!queue.known(&input(&[5, 5])));
        queue.executed(&input(&[6, 6]), &costly, false);
        assert!(!queue.known(&input(&[6, 6])));
        queue.executed(&input(&[6, 6]), &costly, false);
        assert!(queue.known(&input(&[6, 6])) && !queue.known(&input(&[5, 5])));
        // While others wait, not even twice.
        queue.executed(&input(&[7, 7]), &costly, false);
        assert!(!queue.known(&input(&[7, 7])));
        queue.put_off(10, input(&[8, 8]), 0);
        assert!(queue.known(&input(&[7, 7])));
        // Of those that wait, none that was executed twice.
        queue.put_off(10, input(&[6, 6]), 0);
        let next = queue.longest(u64::MAX).expect("one waits");
        assert_eq!(next.input.sizes, [8, 8]);
        assert!(queue.longest(u64::MAX).is_none());
    });
}

/// Small inputs come first, with a small part of all instructions.
#[test]
fn the_first_inputs() {
    with(VECTOR, SHARE, |mut queue| {
        let next = queue.next(SHARE, &|_| false).expect("an input");
        assert_eq!(
            (next.input.sizes, next.fuel),
            (vec![3, 3], SHARE / FIRST_PART)
        );
        let next = queue.next(1000, &|_| false).expect("an input");
        assert_eq!((next.input.sizes, next.fuel), (vec![5, 5], 1000));
        let trial = took(&queue, 1000, 0);
        queue.executed(&input(&[5, 5]), &trial, false);
        let next = queue.next(SHARE, &|_| false).expect("an input");
        assert_eq!((next.input.sizes, next.fuel), (vec![1, 1], SHARE / PART));
        let mut sizes = Vec::new();
        for _ in 0..100 {
            let next = queue.next(SHARE, &|_| false).expect("an input");
            // None that is expected to take more than it may, but for what ends at once.
            let long = !next.input.is_extreme() && queue.guess(&next.input) > next.fuel;
            assert!(
                !long || next.fuel == SHARE / 2 || next.fuel == SHARE / 4,
                "{:?}",
                next.input.sizes
            );
            if next.input.is_extreme() {
                let elements = queue.elements(&next.input).unwrap_or(0);
                assert!(elements <= SHARE / COSTLY);
            }
            sizes.push(next.input.sizes);
        }
        assert!(sizes.iter().any(|s| s.iter().any(|n| *n < 0)));
    });
    // Where all take too long the smallest ones come.
    with(VECTOR, 2000, |mut queue| {
        let trial = took(&queue, 4000, 0);
        queue.executed(&input(&[2, 2]), &trial, false);
        let mut found = 0;
        while let Some(next) = queue.next(2000, &|_| false) {
            assert!(queue.guess(&next.input) <= 2000 || next.input.is_extreme());
            found += 1;
            assert!(found < 500);
        }
    });
}

/// A text with a line that small inputs do not reach.
const FAR_LINE: &str = "void f(int n, int m, int a[restrict n][m], int b[restrict n])\n{\nfor (int i = 0; i < n; i++)\nb[i] = 1;\nif (n > 3000)\nb[0] = 2;\n}\n";

/// Which of the next inputs are for lines that were never reached.
fn for_lines(queue: &mut Queue, left: u64, turns: i64) -> Vec<u64> {
    let execution = Execution {
        threads: 1,
        order: Order::Forward,
        few: false,
        junk: 0x41,
        notes: true,
    };
    let mut found = Vec::new();
    for turn in 1..=turns {
        // Something new is seen before each of them.
        let seen = input(&[40 + 17 * turn, 3]);
        let trial = queue.pair.trial(&seen, execution, 1_000_000);
        let sides = trial.sides.expect("they were asked for");
        queue
            .aims
            .targets
            .learn(&seen.sizes, &sides, &|line| line == 5);
        let next = queue.next(left, &|line| line == 5).expect("an input");
        if queue.aims.is_target {
            found.push(queue.turn);
            assert_eq!(next.fuel, (left / 3).min(SHARE / PART));
        }
    }
    found
}

#[test]
fn inputs_for_lines() {
    // Every second one, once the smallest are done.
    with(FAR_LINE, SHARE, |mut queue| {
        let even: Vec<u64> = (11..=40).filter(|turn| turn % 2 == 0).collect();
        assert_eq!(for_lines(&mut queue, SHARE, 40), even);
    });
    // Where inputs are costly, two of three, and from the first on.
    with(FAR_LINE, SHARE, |mut queue| {
        let left = SHARE / 5 * 4;
        assert_eq!(for_lines(&mut queue, left, 14), [12, 14]);
    });
    with(FAR_LINE, SHARE, |mut queue| {
        let costly: Vec<u64> = (1..=36)
            .filter(|turn| {
                if *turn <= 30 {
                    turn % 3 != 0
                } else {
                    turn % 2 == 0
                }
            })
            .collect();
        assert_eq!(for_lines(&mut queue, SHARE / 5 * 4 - 1, 36), costly);
    });
    // Not more than half of all instructions are for them.
    with(FAR_LINE, SHARE, |mut queue| {
        for_lines(&mut queue, SHARE, 12);
        assert!(queue.aims.is_target);
        queue.took(SHARE / 2, 0);
        assert_eq!(for_lines(&mut queue, SHARE, 2), [14]);
        queue.took(1, 0);
        assert_eq!(for_lines(&mut queue, SHARE, 4), [0; 0]);
    });
    // Nor where one is expected to take more than two thirds of what is left.
    with(FAR_LINE, SHARE, |mut queue| {
        let trial = took(&queue, 4000, 0);
        queue.executed(&input(&[2, 2]), &trial, false);
        assert_eq!(for_lines(&mut queue, SHARE, 14), [0; 0]);
    });
}

/// One of seven is one that was put off, if there is one.
#[test]
fn turns_of_what_was_put_off() {
    with(VECTOR, SHARE, |mut queue| {
        let trial = took(&queue, 100, 0);
        queue.executed(&input(&[2, 2]), &trial, false);
        queue.put_off(24 * 25, input(&[24, 24]), 0);
        for turn in 1..=7 {
            let next = queue.next(SHARE, &|_| false).expect("an input");
            let waited = next.input.sizes == [24, 24];
            assert_eq!(waited, turn == 7, "{turn}");
            let fuel = if waited { SHARE / 4 } else { SHARE / PART };
            assert_eq!(next.fuel, fuel);
        }
    });
    // As long as none was executed there is none.
    with(VECTOR, SHARE, |mut queue| {
        queue.put_off(24 * 25, input(&[24, 24]), 0);
        for _ in 0..9 {
            let next = queue.next(SHARE, &|_| false).expect("an input");
            assert_ne!(next.input.sizes, [24, 24]);
        }
    });
}

/// Inputs that would take as long as one that took too long wait, and those that are known.
#[test]
fn inputs_that_wait() {
    with(VECTOR, SHARE, |mut queue| {
        let costly = took(&queue, SHARE / COSTLY + 1, 0);
        queue.executed(&input(&[3, 3]), &costly, false);
        queue.executed(&input(&[3, 3]), &costly, false);
        let cheap = took(&queue, 10, 0);
        queue.executed(&input(&[4, 4]), &cheap, false);
        let next = queue.next(SHARE, &|_| false).expect("an input");
        assert_eq!(next.input.sizes, [5, 5]);
        assert!(queue.put_off.later.is_empty());
    });
    with(VECTOR, SHARE, |mut queue| {
        // 20 elements with all that there is now were not enough.
        queue.put_off.barrier = Some((20, SHARE));
        let sizes: Vec<Vec<i64>> = (0..3)
            .map(|_| queue.next(SHARE, &|_| false).expect("an input").input.sizes)
            .collect();
        assert_eq!(sizes[..2], [vec![3, 3], vec![1, 1]]);
        assert_eq!(queue.put_off.later[0].input.sizes, [5, 5]);
    });
    with(VECTOR, SHARE, |mut queue| {
        // With much less, they may be.
        queue.put_off.barrier = Some((20, 10));
        let first: Vec<Vec<i64>> = (0..2)
            .map(|_| queue.next(SHARE, &|_| false).expect("an input").input.sizes)
            .collect();
        assert_eq!(first, [vec![3, 3], vec![5, 5]]);
    });
}
