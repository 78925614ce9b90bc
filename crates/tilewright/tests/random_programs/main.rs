//! Random programs: generated, compiled by tilewright, built, run, and compared bit for bit.
//!
//! The seed is fixed, so that a failure comes back; `TILEWRIGHT_RANDOM_CASES` and
//! `TILEWRIGHT_RANDOM_SEED` widen the search. A failing program is shrunk and printed with its
//! options, ready to be kept as a file of `tests/regressions`, which a second test runs.

mod batch;
mod general;
mod pipeline;
mod stencil;

use batch::{Case, Verdict, run_batch};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tilewright::plan::{Fuse, Shape};

/// Programs per C file: large enough that the C compiler's start does not count, small enough
/// that one file builds in a few seconds.
const BATCH: usize = 50;

/// Programs in a normal run, all kinds together.
const CASES: usize = 2_000;

fn shape() -> impl Strategy<Value = Option<Shape>> {
    prop_oneof![
        4 => Just(None),
        1 => Just(Some(Shape::None)),
        2 => Just(Some(Shape::Parallelogram)),
        2 => Just(Some(Shape::Scalene)),
        2 => Just(Some(Shape::Right)),
        2 => Just(Some(Shape::Polymage)),
    ]
}

fn options() -> impl Strategy<Value = batch::Choices> {
    let fuse = prop_oneof![4 => Just(None), 1 => Just(Some(Fuse::No)), 2 => Just(Some(Fuse::Max))];
    let sizes = proptest::option::weighted(0.9, proptest::collection::vec(1i64..9, 1..4));
    // Full tiles apart take isl several times as long: a few cases are enough.
    let separate = proptest::bool::weighted(0.15);
    let inline = proptest::collection::vec(0usize..12, 0..3);
    let jam = prop_oneof![3 => Just(1i64), 2 => 2i64..5];
    let flags = (any::<bool>(), separate);
    let overlap = prop_oneof![3 => Just(None), 1 => (0usize..3).prop_map(Some)];
    (shape(), fuse, sizes, flags, inline, jam, overlap).prop_map(
        |(shape, fuse, tile_sizes, (vectorise, separate), inline, jam, overlap)| batch::Choices {
            shape,
            fuse,
            tile_sizes,
            vectorise,
            separate,
            inline,
            jam,
            overlap,
        },
    )
}

fn case() -> impl Strategy<Value = Case> {
    let program = prop_oneof![
        5 => pipeline::program(),
        2 => stencil::program(),
        2 => general::program(),
    ];
    (program, options()).prop_map(|(program, choices)| Case { program, choices })
}

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

#[test]
fn random_programs_compute_the_same() {
    let cases = number("TILEWRIGHT_RANDOM_CASES", CASES);
    let seed = number("TILEWRIGHT_RANDOM_SEED", 1) as u64;
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    let batches: Vec<usize> = (0..cases.div_ceil(BATCH)).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let tally = std::sync::Mutex::new(batch::Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let mine = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(&number) = batches.get(mine) else {
                        break;
                    };
                    let size = BATCH.min(cases - number * BATCH);
                    let one = check_batch(
                        seed.wrapping_mul(0x9E37_79B9).wrapping_add(number as u64),
                        size,
                    );
                    tally.lock().expect("no worker panicked").add(&one);
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no worker panicked");
    println!("{tally}");
    assert_eq!(tally.compared, cases);
    // A generator that makes only programs nobody can transform would prove nothing.
    assert!(
        tally.transformed * 10 >= cases * 9,
        "too few programs were transformed: {tally}"
    );
}

/// Generates, runs and compares one batch; panics with a shrunk program where one fails.
fn check_batch(seed: u64, size: usize) -> batch::Tally {
    let mut bytes = [0u8; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut trees: Vec<_> = (0..size)
        .map(|_| {
            case()
                .new_tree(&mut runner)
                .expect("the strategies do not reject")
        })
        .collect();
    let cases: Vec<Case> = trees.iter().map(ValueTree::current).collect();
    let (verdicts, tally) = run_batch(&cases);
    for (index, verdict) in verdicts.into_iter().enumerate() {
        if let Verdict::Failed(reason) = verdict {
            let (shrunk, reason) = shrink(&mut trees[index], reason);
            panic!("{reason}\n{shrunk}");
        }
    }
    tally
}

/// Makes a failing case as small as it still fails.
fn shrink(tree: &mut impl ValueTree<Value = Case>, reason: String) -> (Case, String) {
    let mut smallest = (tree.current(), reason);
    for _ in 0..200 {
        if !tree.simplify() {
            break;
        }
        loop {
            let now = tree.current();
            let (verdicts, _) = run_batch(std::slice::from_ref(&now));
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

/// Programs that once failed, were slow, or are typical of a group of failures.
#[test]
fn regressions_compute_the_same() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let mut names = Vec::new();
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("readable").path();
        let text = std::fs::read_to_string(&path).expect("readable");
        let case =
            Case::parse(&text).unwrap_or_else(|| panic!("{} cannot be read", path.display()));
        assert_eq!(
            case.to_string(),
            text,
            "{} is not written as cases are",
            path.display()
        );
        names.push(path);
        cases.push(case);
    }
    assert!(!cases.is_empty());
    for (name, verdict) in names.iter().zip(run_batch(&cases).0) {
        if let Verdict::Failed(reason) = verdict {
            panic!("{}: {reason}", name.display());
        }
    }
}
