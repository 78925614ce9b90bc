//! Random iterated stencils, in every shape of tiles that whole regions can have: generated,
//! compiled, validated, built, run, and compared bit for bit.
//!
//! Seed, number of programs and what to do with one that fails: as for `random_programs`, whose
//! harness this is.

use super::random_programs::{batch, search, stencil};
use batch::{Case, Choices};
use proptest::prelude::*;
use proptest::strategy::Union;
use tilewright::plan::{Fuse, Shape};
use tilewright_cases::amount;

/// A shape of tiles for whole regions.
struct Tried {
    shape: Shape,
    wavefront: bool,
    /// How often, beside the others.
    weight: u32,
    /// Percentage of stencils for which the shape may be refused: updates in place are for
    /// parallelograms only, and some take more than the budget.
    refused: usize,
}

/// The shapes that are tried. A new one needs a line here.
const SHAPES: &[Tried] = &[
    Tried {
        shape: Shape::Parallelogram,
        wavefront: true,
        // isl's code generation takes longest for these.
        weight: 2,
        // What takes more than the budget of operations, or of time.
        refused: 10,
    },
    Tried {
        shape: Shape::Parallelogram,
        wavefront: false,
        weight: 1,
        refused: 10,
    },
    Tried {
        shape: Shape::None,
        wavefront: true,
        weight: 1,
        refused: 0,
    },
    Tried {
        shape: Shape::Split,
        wavefront: true,
        weight: 4,
        refused: 45,
    },
    Tried {
        shape: Shape::Diamond,
        wavefront: true,
        weight: 4,
        refused: 45,
    },
    Tried {
        shape: Shape::Hexagonal,
        wavefront: true,
        weight: 4,
        refused: 45,
    },
    Tried {
        shape: Shape::Scalene,
        wavefront: true,
        weight: 3,
        refused: 70,
    },
    Tried {
        shape: Shape::Right,
        wavefront: true,
        weight: 3,
        refused: 70,
    },
];

/// Shapes for which a dimension of space may be kept whole.
const WITH_WHOLE_DIMENSIONS: [Shape; 2] = [Shape::Right, Shape::Split];

/// Programs in a normal run, and where `TILEWRIGHT_TEST_ALL` is set.
const CASES: [usize; 2] = [30, 100];

fn case() -> impl Strategy<Value = Case> {
    let shapes = SHAPES
        .iter()
        .map(|tried| (tried.weight, Just((tried.shape, tried.wavefront)).boxed()));
    let shape = Union::new_weighted(shapes.collect());
    let fuse = prop_oneof![4 => Just(None), 1 => Just(Some(Fuse::No)), 1 => Just(Some(Fuse::Max))];
    // Full tiles apart take isl several times as long: a few cases are enough.
    let separate = proptest::bool::weighted(0.05);
    let whole = proptest::option::weighted(0.3, 0usize..3);
    (
        stencil::stencil(),
        shape,
        fuse,
        any::<bool>(),
        separate,
        whole,
    )
        .prop_map(
            |((program, mut sizes), (shape, wavefront), fuse, vectorise, separate, whole)| {
                if let Some(x) = whole.filter(|_| WITH_WHOLE_DIMENSIONS.contains(&shape)) {
                    let dimensions = sizes.len() - 1;
                    sizes[1 + x % dimensions] = 0;
                }
                let choices = Choices {
                    shape: Some(shape),
                    fuse,
                    tile_sizes: Some(sizes),
                    vectorise,
                    separate,
                    inline: Vec::new(),
                    jam: 1,
                    overlap: None,
                    wavefront,
                    insist: true,
                };
                Case { program, choices }
            },
        )
}

#[test]
fn random_stencils_compute_the_same() {
    let tally = search::search(amount(CASES[0], CASES[1]), case);
    for (shape, (tried, refused)) in &tally.insisted {
        let allowed = SHAPES
            .iter()
            .filter(|tried| format!("{:?}", tried.shape) == *shape)
            .map(|tried| tried.refused)
            .max()
            .unwrap_or(0);
        // Twice the deviation that so few programs have by chance.
        let (tried, share) = (*tried as f64, allowed as f64 / 100.0);
        let most = tried * share + 2.0 * (tried * share * (1.0 - share)).sqrt();
        assert!(
            *refused as f64 <= most,
            "{shape} is refused too often: {tally}"
        );
    }
}
