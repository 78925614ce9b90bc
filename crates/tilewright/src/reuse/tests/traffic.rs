//! Traffic: formulas and choices against counts.

use super::kernels::kernel;
use crate::reuse::counts::summation::Uncounted;
use crate::reuse::traffic::Traffic;
use crate::reuse::{LiveOut, Overlap, Precision};

/// What the sizes chosen by the model move, beside the least of all sizes that fit, counted.
fn chosen(name: &str, values: &[(&str, i64)], limit: i64) {
    let found = kernel(name).found(1, LiveOut::Read);
    let (scop, tiling) = (&found.region.scop, &found.tiling);
    let memory = found.memory(Overlap::Sequential, Precision::Rational, &found.context());
    let traffic = Traffic::of(scop, tiling, &found.transfers).unwrap();
    let values: Vec<(String, i64)> = values.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    let choice = traffic
        .least(scop, tiling, &memory, &values, limit)
        .unwrap()
        .unwrap();
    let counted = |sizes: &[i64]| {
        let mut all = values.clone();
        all.extend(tiling.sizes.iter().cloned().zip(sizes.iter().copied()));
        let bytes = traffic.bytes(scop, &memory, &all).unwrap();
        (bytes <= limit).then(|| traffic.counted(scop, tiling, &all).unwrap())
    };
    let own = counted(&choice.sizes).unwrap();
    // Sizes within the strip do not matter for traffic: the smallest leaves most memory.
    let cut = tiling.first_in_strip();
    let mut all = vec![Vec::new()];
    for k in 0..tiling.sizes.len() {
        let most = if k < cut { 24 } else { 1 };
        all = all
            .into_iter()
            .flat_map(|before: Vec<i64>| (1..=most).map(move |s| [&before[..], &[s]].concat()))
            .collect();
    }
    let best = all
        .iter()
        .filter_map(|sizes| counted(sizes))
        .min_by_key(|m| m.bytes)
        .unwrap();
    let share = own.bytes as f64 / best.bytes as f64;
    // For the results page.
    println!(
        "| {name} | {limit} | {:?} | {} | {} | {share:.3} |",
        choice.sizes, own.bytes, best.bytes
    );
    assert!(
        share <= 1.05,
        "{name}: {:?} moves {share} times the least",
        choice.sizes
    );
}

#[test]
fn chosen_sizes_move_little_more_than_the_best() {
    chosen("jacobi-1d-imper", &[("M", 20), ("N", 30)], 300);
    chosen("gemm", &[("ni", 18), ("nj", 20), ("nk", 12)], 800);
    chosen("syrk", &[("ni", 16), ("nj", 12)], 1200);
    chosen("atax", &[("nx", 18), ("ny", 14)], 1500);
    chosen("mvt", &[("n", 20)], 600);
    chosen("trisolv", &[("n", 20)], 600);
}

/// Formulas known from the programs: rows, columns and blocks of matrices.
#[test]
fn formulas_are_those_of_the_programs() {
    let found = kernel("gemm").found(1, LiveOut::Read);
    let (region, tiling) = (&found.region, &found.tiling);
    let traffic = Traffic::of(&region.scop, tiling, &found.transfers).unwrap();
    for (array, loads, stores) in [
        ("C", "s1 s2", "s1 s2"),
        ("A", "nk s1", "0"),
        ("B", "nk s2", "0"),
    ] {
        let id = region.scop.array_named(array).unwrap();
        let own = traffic.arrays.iter().find(|own| own.array == id).unwrap();
        assert_eq!(own.load_formula.as_ref().unwrap().to_string(), loads);
        assert_eq!(own.store_formula.as_ref().unwrap().to_string(), stores);
    }
    let values = [
        ("ni", 7),
        ("nj", 9),
        ("nk", 5),
        ("s1", 3),
        ("s2", 4),
        ("s3", 2),
    ];
    let values: Vec<(String, i64)> = values.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    let counted = traffic.counted(&region.scop, tiling, &values).unwrap();
    // Three strips of rows by three of columns: C once, A for each strip of columns, B of rows.
    assert_eq!((counted.loads, counted.stores), (63 + 3 * 35 + 3 * 45, 63));
    let predicted = traffic.predicted(&region.scop, tiling, &values).unwrap();
    assert_eq!(predicted, Some(counted));
}

/// Predictions are exact where every strip is counted: also triangles, skewed programs, and the
/// last strip, which stores what the others leave to it.
#[test]
fn predictions_are_counts() {
    for (name, params) in [
        ("jacobi-1d-imper", &[("M", 11), ("N", 14)][..]),
        ("trisolv", &[("n", 13)]),
        ("lu", &[("n", 10)]),
        ("trmm", &[("ni", 9)]),
        ("floyd-warshall", &[("n", 7)]),
        ("atax", &[("nx", 9), ("ny", 7)]),
    ] {
        let found = kernel(name).found(1, LiveOut::Read);
        let (scop, tiling) = (&found.region.scop, &found.tiling);
        let traffic = Traffic::of(scop, tiling, &found.transfers).unwrap();
        for own in &traffic.arrays {
            let array = &scop.arrays[own.array].name;
            assert!(
                own.load_count.is_some() && own.store_count.is_some(),
                "{name} {array}"
            );
        }
        for sizes in [[3, 2, 4], [4, 5, 1], [20, 3, 2]] {
            let values = found.values(params, &sizes[..tiling.sizes.len()]);
            let values: Vec<(String, i64)> =
                values.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
            let counted = traffic.counted(scop, tiling, &values).unwrap();
            let predicted = traffic.predicted(scop, tiling, &values).unwrap();
            assert_eq!(predicted, Some(counted), "{name} {values:?}");
        }
    }
}

/// Formulas of triangles: what is right of, or below, the strip.
#[test]
fn formulas_of_triangles_depend_on_the_strip() {
    let found = kernel("trisolv").found(1, LiveOut::Read);
    let traffic = Traffic::of(&found.region.scop, &found.tiling, &found.transfers).unwrap();
    let of = |name: &str| {
        let id = found.array(name);
        traffic.arrays.iter().find(|own| own.array == id).unwrap()
    };
    // The strip of columns from i0 on has a triangle of A, and a rectangle below it.
    let a = of("A").load_formula.as_ref().unwrap();
    let values = |n: i64, s1: i64, i0: i64| -> Vec<(String, i64)> {
        let all = [("n", n), ("s1", s1), ("s2", 2), ("i0", i0)];
        all.map(|(name, value)| (name.to_owned(), value)).to_vec()
    };
    for (n, s1, i0) in [(24, 3, 9), (40, 4, 16), (100, 10, 20)] {
        let wanted = s1 * (s1 + 1) / 2 + s1 * (n - i0 - s1);
        assert_eq!(a.value(&values(n, s1, i0)), Some(wanted), "{a}");
    }
    let x = of("x").store_formula.as_ref().unwrap();
    assert_eq!(x.value(&values(50, 5, 20)), Some(30), "{x}");
}

/// Totals known from the programs.
#[test]
fn totals_are_those_of_the_programs() {
    for (name, total) in [
        // Each of the M / s1 strips loads the line and stores what is inside, the last one B, too.
        ("jacobi-1d-imper", "2 (M/s1) N - 2 (M/s1) + N - 2"),
        // A once for each block of columns, B for each of rows, C twice.
        (
            "gemm",
            "(ni/s1) (nj/s2) s1 nk + (ni/s1) (nj/s2) s2 nk + 2 (ni/s1) (nj/s2) s1 s2",
        ),
    ] {
        let found = kernel(name).found(1, LiveOut::Read);
        let traffic = Traffic::of(&found.region.scop, &found.tiling, &found.transfers).unwrap();
        let formula = traffic.total(&found.region.scop, &found.tiling).unwrap();
        let terms = |text: &str| -> std::collections::BTreeSet<String> {
            text.replace(" - ", " + -")
                .split(" + ")
                .map(str::to_owned)
                .collect()
        };
        let formula = formula.unwrap().elements.to_string();
        assert_eq!(terms(&formula), terms(total), "{name}: {formula}");
    }
}

/// Strips of skewed loops in two dimensions of space, inside: a tile of `s1` steps and `s2` rows
/// writes `s2` rows at each step, one row (jacobi: two) further up than the step before, and reads
/// a row more on both sides.
#[test]
fn formulas_of_skewed_stencils_are_those_of_strips_inside() {
    for (name, array, loads, stores) in [
        (
            "seidel-2d",
            "A",
            "N s2 + N s1 + N",
            "N s2 + N s1 - 2 s2 - 2 s1 - N + 2",
        ),
        // Without the two ends of the outermost rows, which are read in their columns only.
        (
            "jacobi-2d-imper",
            "A",
            "N s2 + 2 N s1 - 4",
            "N s2 + 2 N s1 - 2 s2 - 4 s1 - 2 N + 4",
        ),
        // The row that the strip before has computed, at each step.
        ("jacobi-2d-imper", "B", "N s1 - 2 s1", "N s1 - 2 s1"),
    ] {
        let found = kernel(name).found(1, LiveOut::Read);
        let traffic = Traffic::of(&found.region.scop, &found.tiling, &found.transfers).unwrap();
        let id = found.array(array);
        let own = traffic.arrays.iter().find(|own| own.array == id).unwrap();
        assert_eq!(
            own.load_formula.as_ref().unwrap().to_string(),
            loads,
            "{name} {array}"
        );
        assert_eq!(
            own.store_formula.as_ref().unwrap().to_string(),
            stores,
            "{name} {array}"
        );
        // Every other row of B: no polynomial at the borders.
        let why = (name == "jacobi-2d-imper").then_some(Uncounted::Strides);
        assert_eq!(own.uncounted, why, "{name} {array}");
    }
}
