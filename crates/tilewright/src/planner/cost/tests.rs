//! Costs of small pipelines, beside numbers of the paper or worked out by hand.

use super::{Objective, Pricing, Rates, Weights};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::model::Model;
use crate::analysis::stages::StageGraph;
use crate::plan::machine::Machine;
use crate::scop::Scop;
use crate::scop::testing::ScopBuilder;
use std::collections::BTreeMap;

const SIDE: i64 = 2048;

pub(super) fn model(scop: &Scop) -> Model {
    let graph = StageGraph::build(scop, &Dataflow::compute(scop).unwrap()).unwrap();
    Model::new(scop, &graph, &vec![SIDE; scop.params.len()]).unwrap()
}

pub(super) fn pricing(model: &Model, objective: Objective) -> Pricing<'_> {
    Pricing {
        model,
        machine: Machine {
            cache_l1: 32 << 10,
            cache_l2: 256 << 10,
            cache_l3: 20 << 20,
            cores: 2,
            vector: 32,
        },
        objective,
        fixed: None,
        given: 0,
        right: false,
        tolerance: 0.4,
        thorough: false,
        memory: Default::default(),
    }
}

/// Harris as TOPLAS 2020 has it after inlining: two derivatives, three sums of products, the result.
pub(super) fn harris() -> Scop {
    let domain = |name: &str, rim: i64| {
        format!("{name}[i, j] : {rim} <= i < n - {rim} and {rim} <= j < n - {rim}")
    };
    let mut cross = Vec::new();
    for i in ["i - 1", "i", "i + 1"] {
        for j in ["j - 1", "j", "j + 1"] {
            cross.push((i, j));
        }
    }
    let around = |array: &str| -> Vec<String> {
        let cells = cross.iter();
        cells.map(|(i, j)| format!("{array}[{i}, {j}]")).collect()
    };
    let mut builder = ScopBuilder::new("[n] -> { : n >= 16 }").input("img", 2);
    for name in ["Ix", "Iy", "Sxx", "Sxy", "Syy"] {
        builder = builder.temporary(name, 2);
    }
    builder = builder.output("harris", 2);
    let statements: [(&str, i64, Vec<String>); 6] = [
        ("Ix", 1, around("img")),
        ("Iy", 1, around("img")),
        ("Sxx", 2, around("Ix")),
        ("Sxy", 2, [around("Ix"), around("Iy")].concat()),
        ("Syy", 2, around("Iy")),
        (
            "harris",
            2,
            ["Sxx[i, j]", "Sxy[i, j]", "Syy[i, j]"]
                .map(str::to_owned)
                .to_vec(),
        ),
    ];
    for (number, (target, rim, reads)) in statements.iter().enumerate() {
        let reads: Vec<&str> = reads.iter().map(String::as_str).collect();
        let target = format!("{target}[i, j]");
        builder = builder.statement(&domain(&format!("S{number}"), *rim), &reads, &[&target]);
    }
    builder.build()
}

/// TOPLAS 2020, table 7: tiles of 42 x 256 for the second cache of the Xeon, 5 x 256 for the first.
#[test]
fn tile_sizes_of_harris_are_those_of_the_paper() {
    let scop = harris();
    let model = model(&scop);
    let pricing = pricing(&model, Objective::Toplas(Weights::XEON));
    let all: Vec<usize> = (0..6).collect();
    let sizes = |cache: i64| pricing.tile_sizes(&all, cache as f64, Weights::XEON.innermost);
    assert_eq!(sizes(256 << 10), [42, 256]);
    assert_eq!(sizes(32 << 10), [5, 256]);
}

/// Algorithm 4 for Harris, TOPLAS 2020, table 7: 42 x 5 x 256, tiles for the second cache with tiles
/// of five rows for the first one inside. The overlap of 5 x 256, by hand: the derivatives are two
/// levels below the result and the sums one, each side has a slope of one, so that the derivatives
/// have 9 x 260 cells and the sums 7 x 258.
#[test]
fn harris_has_two_levels() {
    let scop = harris();
    let model = model(&scop);
    let pricing = pricing(&model, Objective::Toplas(Weights::XEON));
    let priced = pricing.price(&[0, 1, 2, 3, 4, 5]).unwrap();
    assert_eq!(priced.sizes, Some(vec![42, 256]));
    let levels = priced.levels.unwrap();
    assert_eq!(levels.first_cache, [5, 256]);
    let tile = 5 * 256;
    let again = 2 * (9 * 260 - tile) + 3 * (7 * 258 - tile);
    assert_eq!(
        (levels.overlap, levels.tile),
        (Some(again as f64), tile as f64)
    );
    assert!(levels.two());
    assert_eq!(levels.cache, Some(2));
}

/// Our own tiles of the same size, tight on each side, compute less again than they are large: with
/// them one level would do. The preset counts as the paper does.
#[test]
fn tight_tiles_of_harris_would_have_one_level() {
    let scop = harris();
    let model = model(&scop);
    let tile = model.tile(&[0, 1, 2, 3, 4, 5], &[5, 256]).unwrap();
    let cells = tile.stages.iter();
    let again: f64 = cells
        .map(|(_, sides)| crate::analysis::model::tile::volume(sides) - tile.own(sides))
        .sum();
    assert_eq!(again, 2.0 * (7 * 258 - 5 * 256) as f64);
    assert!(again < (5 * 256) as f64);
}

/// Algorithm 4 for unsharp mask after the paper's inlining (a blur down the columns, and the result,
/// which reads it along the rows), TOPLAS 2020, table 6: one level, 5 x 256, with all channels:
/// 32 KiB are 2 buffers of 3 channels of 5.3 x 256 floats. The blur reaches four columns further.
#[test]
fn unsharp_mask_has_one_level() {
    let scop = ScopBuilder::new("[n] -> { : n >= 16 }")
        .input("img", 3)
        .temporary("blurx", 3)
        .output("mask", 3)
        .statement(
            "S0[c, i, j] : 0 <= c < 3 and 0 <= i < n and 0 <= j < n + 4",
            &["img[c, i, j]", "img[c, i + 2, j]", "img[c, i + 4, j]"],
            &["blurx[c, i, j]"],
        )
        .statement(
            "S1[c, i, j] : 0 <= c < 3 and 0 <= i < n and 0 <= j < n",
            &["blurx[c, i, j]", "blurx[c, i, j + 2]", "blurx[c, i, j + 4]"],
            &["mask[c, i, j]"],
        )
        .build();
    let model = model(&scop);
    let pricing = pricing(&model, Objective::Toplas(Weights::XEON));
    let priced = pricing.price(&[0, 1]).unwrap();
    assert_eq!(priced.sizes, Some(vec![0, 5, 256]));
    let levels = priced.levels.unwrap();
    assert_eq!(levels.first_cache, [0, 5, 256]);
    assert_eq!(levels.overlap, Some((3 * 5 * 4) as f64));
    assert_eq!(levels.tile, (3 * 5 * 256) as f64);
    assert!(!levels.two());
    assert_eq!(levels.cache, Some(1));
}

/// Equation (2) for one point-wise stage, by hand: it reads and writes four bytes per cell, never
/// computes one twice, and the tiles keep both cores busy to the end or do not.
#[test]
fn terms_of_a_pointwise_stage() {
    let scop = ScopBuilder::new("[n] -> { : n >= 16 }")
        .input("A", 2)
        .output("B", 2)
        .statement(
            "S0[i, j] : 0 <= i < n and 0 <= j < n",
            &["A[i, j]"],
            &["B[i, j]"],
        )
        .build();
    let model = model(&scop);
    let pricing = pricing(&model, Objective::Toplas(Weights::XEON));
    let terms = pricing.price(&[0]).unwrap().terms;
    assert_eq!(terms.traffic, (4.0 + 4.0) * Weights::XEON.traffic);
    assert_eq!(terms.overlap, 0.0);
    assert_eq!(terms.extents, 0.0);
    // 2048 · 2048 · 4 bytes in footprints of 32 KiB are 512 tiles: (512 + 2 - 1) mod 2 is 1.
    assert_eq!(terms.cleanup, -Weights::XEON.cleanup);
}

/// A value that is stored and read again costs time; three taps cost little again.
#[test]
fn stages_of_a_blur_are_cheaper_together() {
    let scop = ScopBuilder::new("[n] -> { : n >= 16 }")
        .input("img", 2)
        .temporary("x", 2)
        .output("y", 2)
        .statement(
            "S0[i, j] : 0 <= i < n and 1 <= j < n - 1",
            &["img[i, j - 1]", "img[i, j]", "img[i, j + 1]"],
            &["x[i, j]"],
        )
        .statement(
            "S1[i, j] : 1 <= i < n - 1 and 1 <= j < n - 1",
            &["x[i - 1, j]", "x[i, j]", "x[i + 1, j]"],
            &["y[i, j]"],
        )
        .build();
    let model = model(&scop);
    let rates = Rates::default();
    let pricing = pricing(&model, Objective::Time(rates));
    let cost = |members: &[usize]| pricing.price(members).unwrap().terms;
    let (x, y, both) = (cost(&[0]), cost(&[1]), cost(&[0, 1]));
    assert!(both.total() < x.total() + y.total(), "{both:?} {x:?} {y:?}");
    assert!(both.overlap > 0.0 && x.overlap == 0.0);
    // What is saved: x is not stored (which loads its lines, too) and not read, on two cores.
    let bytes = (SIDE * SIDE * 4) as f64;
    let saved = x.traffic + y.traffic - both.traffic;
    let expected = 3.0 * bytes * rates.cache_l3 / 2.0;
    let least = expected.min(3.0 * bytes * rates.memory / 2.0);
    assert!(saved > 0.9 * least, "{saved} {least}");
}

/// Two stages of which one is transposed for the other do not move alike.
#[test]
fn what_cannot_be_aligned_has_no_price() {
    let scop = ScopBuilder::new("[n] -> { : n >= 16 }")
        .input("img", 2)
        .temporary("x", 2)
        .output("y", 2)
        .statement(
            "S0[i, j] : 0 <= i < n and 0 <= j < n",
            &["img[i, j]"],
            &["x[i, j]"],
        )
        .statement(
            "S1[i, j] : 0 <= i < n and 0 <= j < n",
            &["x[i, j]", "x[j, i]"],
            &["y[i, j]"],
        )
        .build();
    let model = model(&scop);
    for objective in [
        Objective::Toplas(Weights::XEON),
        Objective::Time(Rates::default()),
    ] {
        let pricing = pricing(&model, objective);
        assert_eq!(pricing.price(&[0, 1]), None);
        assert!(pricing.price(&[0]).is_some() && pricing.price(&[1]).is_some());
    }
}

/// Tile sizes that are given are kept, and priced.
#[test]
fn fixed_sizes_stay() {
    let scop = harris();
    let model = model(&scop);
    let mut pricing = pricing(&model, Objective::Time(Rates::default()));
    pricing.fixed = Some(BTreeMap::from([(5, vec![17, 33])]));
    pricing.given = 2;
    let all: Vec<usize> = (0..6).collect();
    assert_eq!(pricing.price(&all).unwrap().sizes, Some(vec![17, 33]));
}
