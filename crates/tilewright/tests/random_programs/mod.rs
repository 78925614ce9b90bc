//! Random programs: generated, compiled by tilewright, built, run, and compared bit for bit.
//!
//! The seed is fixed, so that a failure comes back; `TILEWRIGHT_RANDOM_CASES` and
//! `TILEWRIGHT_RANDOM_SEED` widen the search. A failing program is shrunk and printed with its
//! options, ready to be kept as a file of `tests/regressions`, which a second test runs.

pub mod batch;
mod devices;
mod general;
mod pipeline;
mod regressions;
pub mod search;
pub mod stencil;
mod steps;

use batch::{Case, Program};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use steps::Steps;
use tilewright::compile::{Options, Target};
use tilewright::plan::{Fuse, Shape};
use tilewright_cases::amount;

/// Programs in a normal run, all kinds together, and where `TILEWRIGHT_TEST_ALL` is set.
const CASES: [usize; 2] = [30, 100];

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
    let fuse = prop_oneof![
        4 => Just(None),
        1 => Just(Some(Fuse::No)),
        2 => Just(Some(Fuse::Max)),
        1 => Just(Some(Fuse::Written)),
    ];
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
            wavefront: true,
            insist: false,
        },
    )
}

fn case() -> impl Strategy<Value = Case> {
    let program = prop_oneof![
        10 => pipeline::program(),
        // They have a test of their own, too, in shapes that are asked for.
        1 => stencil::stencil().prop_map(|(program, _)| program),
        4 => general::program(),
    ];
    (program, options()).prop_map(|(program, choices)| Case { program, choices })
}

/// Programs with bounds that are data in a normal run.
const DYNAMIC_CASES: [usize; 2] = [16, 24];

#[test]
fn random_programs_with_bounds_that_are_data_compute_the_same() {
    let case =
        || (general::dynamic(), options()).prop_map(|(program, choices)| Case { program, choices });
    let tally = search::search(amount(DYNAMIC_CASES[0], DYNAMIC_CASES[1]), case);
    assert!(
        tally.transformed * 10 >= tally.compared * 7,
        "too few programs were transformed: {tally}"
    );
}

/// Of these, programs that are also run on a device: building kernels takes long.
const DEVICE_CASES: usize = 10;

#[test]
fn random_programs_with_bounds_that_are_data_compute_the_same_on_devices() {
    let case = (general::dynamic(), options());
    let case = case.prop_map(|(program, choices)| Case { program, choices });
    let trees = search::trees(1, DEVICE_CASES, &case);
    let cases: Vec<Case> = trees.iter().map(ValueTree::current).collect();
    let programs: Vec<&Program> = cases.iter().map(|case| &case.program).collect();
    let mut options = Options {
        target: Target::OpenCl,
        ..Options::default()
    };
    options.wishes.device = Some(Default::default());
    if let Some(kernels) = devices::compare(&programs, &options) {
        assert!(kernels > DEVICE_CASES, "only {kernels} kernels");
    }
}

/// Programs with steps outside of columns, which are executed in the compiler by all threads of a
/// device.
const STEPS_CASES: usize = 36;

/// Of these, the most programs with loops that blocks or the host leave that are also run on a
/// device.
const STEPS_RUN: usize = 24;

#[test]
fn random_steps_are_left_in_time() {
    let seed = search::number("TILEWRIGHT_RANDOM_SEED", 1);
    let count = search::number("TILEWRIGHT_RANDOM_CASES", STEPS_CASES);
    let trees = search::trees(seed as u64, count, &steps::steps());
    let all: Vec<Steps> = trees.iter().map(ValueTree::current).collect();
    let left = devices::replay(&all);
    println!("{left:?}");
    for level in ["Thread", "Block", "Host"] {
        assert!(
            count < STEPS_CASES || left.by.contains_key(level),
            "{left:?}"
        );
    }
    // Those in one order are one file.
    let plain = |steps: &&Steps| steps.order.shape == Shape::None && steps.order.loops.len() == 1;
    let together = left.together.iter().map(|&place| &all[place]);
    let run: Vec<&Steps> = together.filter(plain).take(STEPS_RUN).collect();
    if let Some(first) = run.first() {
        let programs: Vec<&Program> = run.iter().map(|steps| &steps.program).collect();
        devices::compare(&programs, &devices::options(&first.order));
    }
}

#[test]
fn random_programs_compute_the_same() {
    let tally = search::search(amount(CASES[0], CASES[1]), case);
    // A generator that makes only programs nobody can transform would prove nothing.
    assert!(
        tally.transformed * 10 >= tally.compared * 9,
        "too few programs were transformed: {tally}"
    );
}
