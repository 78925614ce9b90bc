//! Runs batches of generated programs on all processors, and shrinks one that fails.

use super::batch::{Case, OPTIMISED, PLAIN, Tally, Verdict, run_batch};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Most programs per C file: large enough that the C compiler's start does not count, small enough
/// that one file builds in a few seconds.
const BATCH: usize = 50;

/// Every how many batches the C compiler optimises.
const OPTIMISED_EVERY: usize = 4;

/// Generates, runs and compares `TILEWRIGHT_RANDOM_CASES` programs, unless set so many as are
/// given, from the seed `TILEWRIGHT_RANDOM_SEED`; panics with a shrunk program where one fails.
pub fn search<S>(cases: usize, case: impl Fn() -> S + Sync) -> Tally
where
    S: Strategy<Value = Case>,
{
    let cases = number("TILEWRIGHT_RANDOM_CASES", cases);
    let seed = number("TILEWRIGHT_RANDOM_SEED", 1) as u64;
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    // Two at least, so that a few cases have two processors.
    let batch = BATCH.min(cases.div_ceil(2));
    let batches: Vec<usize> = (0..cases.div_ceil(batch)).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let tally = std::sync::Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let mine = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(&number) = batches.get(mine) else {
                        break;
                    };
                    let size = batch.min(cases - number * batch);
                    let seed = seed.wrapping_mul(0x9E37_79B9).wrapping_add(number as u64);
                    let level = if number % OPTIMISED_EVERY == 0 {
                        OPTIMISED
                    } else {
                        PLAIN
                    };
                    let one = check_batch(seed, size, &case(), level);
                    tally.lock().expect("no worker panicked").add(&one);
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no worker panicked");
    println!("{tally}");
    assert_eq!(tally.compared, cases);
    tally
}

pub fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

/// So many cases, which can be shrunk.
pub fn trees<S: Strategy>(seed: u64, size: usize, case: &S) -> Vec<S::Tree> {
    let mut bytes = [0u8; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let one = |_| {
        case.new_tree(&mut runner)
            .expect("the strategies do not reject")
    };
    (0..size).map(one).collect()
}

fn check_batch(seed: u64, size: usize, case: &impl Strategy<Value = Case>, level: &str) -> Tally {
    let mut trees = trees(seed, size, case);
    let cases: Vec<Case> = trees.iter().map(ValueTree::current).collect();
    let (verdicts, tally) = run_batch(&cases, level);
    for (index, verdict) in verdicts.into_iter().enumerate() {
        if let Verdict::Failed(reason) = verdict {
            // Shrinking may take longer than somebody waits.
            eprintln!("to be shrunk: {reason}\n{}", cases[index]);
            let (shrunk, reason) = shrink(&mut trees[index], reason, level);
            panic!("{reason}\n{shrunk}");
        }
    }
    tally
}

/// Makes a failing case as small as it still fails.
fn shrink(tree: &mut impl ValueTree<Value = Case>, reason: String, level: &str) -> (Case, String) {
    let mut smallest = (tree.current(), reason);
    for _ in 0..200 {
        if !tree.simplify() {
            break;
        }
        loop {
            let now = tree.current();
            let (verdicts, _) = run_batch(std::slice::from_ref(&now), level);
            if let Some(Verdict::Failed(reason)) = verdicts.into_iter().next() {
                smallest = (now, reason);
                break;
            }
            if !tree.complicate() {
                return smallest;
            }
        }
    }
    smallest
}
