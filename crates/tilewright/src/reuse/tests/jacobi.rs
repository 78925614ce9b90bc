//! The paper's running example, `jacobi_1d_imper`: sections 2.2, 3.1 and 4.

use super::kernels::kernel;
use crate::analysis::region::Region;
use crate::reuse::transfers::ArrayTransfers;
use crate::reuse::{Accesses, LiveOut, Mapping, Overlap, Precision, Tiling, Transfers};
use isl::{Map, PwAff};

/// The program of section 2.1, with θ as the paper gives it, in strips of `strip` dimensions.
fn jacobi(strip: usize) -> (Region, Tiling, Transfers) {
    let found = kernel("jacobi-1d-imper").found(strip, LiveOut::All);
    (found.region, found.tiling, found.transfers)
}

#[test]
fn the_band_is_found_without_being_told() {
    let kernel = kernel("jacobi-1d-imper");
    let mapping = Mapping::parse(&kernel.region(), kernel.mapping, None).unwrap();
    assert_eq!((mapping.outer, mapping.band), (0, 2));
}

fn of<'a>(region: &Region, transfers: &'a Transfers, name: &str) -> &'a ArrayTransfers {
    transfers
        .of_array(region.scop.array_named(name).unwrap())
        .unwrap()
}

/// The union of the sets of section 3.1 for an array, each as the conditions that the paper gives.
fn paper(region: &Region, tiling: &Tiling, array: &str, sets: &[&str]) -> Map {
    let parts: Vec<String> = sets
        .iter()
        .map(|set| format!("[I1, I2] -> {array}[m] : {set}"))
        .collect();
    let text = format!("[M, N, s1, s2] -> {{ {} }}", parts.join("; "));
    let map = Map::read_from_str(&region.scop.ctx, &text).unwrap();
    map.intersect_params(&tiling.context(&region.scop).unwrap())
        .unwrap()
}

fn assert_equal(own: &Map, paper: &Map) {
    assert!(!paper.is_empty().unwrap());
    let (less, more) = (paper.subtract(own).unwrap(), own.subtract(paper).unwrap());
    assert!(less.is_empty().unwrap(), "only in the paper: {less}");
    assert!(more.is_empty().unwrap(), "not in the paper: {more}");
}

#[test]
fn load_is_the_papers() {
    let (region, tiling, transfers) = jacobi(1);
    // The last but one prints `1 ≤ I2 − 2I1 ≥ 2 − s2`, which must be `2 − s2 ≤ I2 − 2I1 ≤ 1`.
    let sets = [
        "1 <= m + 2I1 - I2 <= s2 and s1 >= 1 and I1 >= 0 and m >= 1 and I1 <= -1 + M and \
         I2 >= 2 - s2 + 2I1 and m <= -1 + N and N >= 3",
        "m >= 1 + I2 and m >= 1 and M >= 1 and m <= -1 + N and I1 <= -1 and I1 >= 1 - s1 and \
         I2 >= 2 - s2 and N >= 3 and m <= s2 + I2",
        "m = 1 and I2 = 1 + 2I1 and 0 <= I1 <= -1 + M and N >= 3 and s1 >= 1 and s2 >= 1",
        "0 <= m <= 1 and I2 = 1 and 1 <= s2 and 1 - s1 <= I1 <= -1 and M >= 1 and N >= 3",
        "m = 0 and 0 <= I1 <= M - 1 and N >= 3 and s1 >= 1 and 2 - s2 <= I2 - 2I1 <= 1",
        "m = 0 and 1 - s1 <= I1 <= -1 and M >= 1 and N >= 3 and I2 >= 2 - s2 and I2 <= 0",
    ];
    let paper = paper(&region, &tiling, "A", &sets);
    assert_equal(&of(&region, &transfers, "A").load, &paper);
    assert!(of(&region, &transfers, "B").load.is_empty().unwrap());
}

#[test]
fn store_is_the_papers() {
    let (region, tiling, transfers) = jacobi(1);
    let b = [
        "m >= 1 and m >= 2 - 2M + s2 + I2 and m <= -2 + N and I1 >= 1 - s1 and \
         2 <= m + 2s1 + 2I1 - I2 <= 1 + s2 and s1 >= 1",
        "m >= 1 and s1 >= 1 and m <= -2 + N and I1 <= -1 + M and m <= 1 - 2M + s2 + I2 and \
         m >= 2 - 2s1 - 2I1 + I2 and I1 >= 1 - s1 and M >= 1 and m >= 2 - 2M + I2",
    ];
    let a = [
        "m >= 1 and m >= 1 - 2M + s2 + I2 and m <= -2 + N and I1 >= 1 - s1 and \
         1 <= m + 2s1 + 2I1 - I2 <= s2 and s1 >= 1",
        "m >= 1 and s1 >= 1 and m <= -2 + N and I1 <= -1 + M and m <= -2M + s2 + I2 and \
         m >= 1 - 2s1 - 2I1 + I2 and I1 >= 1 - s1 and M >= 1 and m >= 1 - 2M + I2",
    ];
    for (name, sets) in [("B", b), ("A", a)] {
        let paper = paper(&region, &tiling, name, &sets);
        assert_equal(&of(&region, &transfers, name).store, &paper);
    }
}

#[test]
fn tiles_of_two_by_three_load_what_section_2_2_says() {
    let (region, tiling, transfers) = jacobi(1);
    let ctx = &region.scop.ctx;
    let aligned = "[s1, s2] -> { [T1, T2] -> [2T1, 3T2] : s1 = 2 and s2 = 3 }";
    let aligned = Map::read_from_str(ctx, aligned).unwrap();
    let own = aligned
        .apply_range(&of(&region, &transfers, "A").load)
        .unwrap();
    let paper = "[M, N, s1, s2] -> {
        [T1, T2] -> A[m] : s1 = 2 and s2 = 3 and 0 <= 2T1 <= M - 1 and 2 <= m <= N - 1 and
            1 <= m + 4T1 - 3T2 <= 3;
        [T1, T2] -> A[m] : s1 = 2 and s2 = 3 and 0 <= m <= 1 and 3 <= N and 0 <= 2T1 <= M - 1 and
            -1 <= 4T1 - 3T2 <= 1 }";
    let paper = Map::read_from_str(ctx, paper).unwrap();
    let paper = paper
        .intersect_params(&tiling.context(&region.scop).unwrap())
        .unwrap();
    // The paper's second inequality on `N` holds for the first set, too: there are inner cells.
    let three = isl::Set::read_from_str(ctx, "[N] -> { : N >= 3 }").unwrap();
    assert_equal(&own, &paper.intersect_params(&three).unwrap());
}

#[test]
fn what_values_live_out_of_a_strip_is_stored_only() {
    let (region, tiling, _) = jacobi(1);
    let accesses = Accesses::of(&region, &tiling.mapping).unwrap();
    let read = Transfers::of(&region, &tiling, &accesses, LiveOut::Read).unwrap();
    // B is written again by the next strip, but for the last one: section 3.1.
    let last = isl::Set::read_from_str(&region.scop.ctx, "[M, s1] -> { [I1, I2] : I1 + s1 >= M }")
        .unwrap();
    let store = &of(&region, &read, "B").store;
    assert!(!store.is_empty().unwrap());
    assert!(store.domain().unwrap().is_subset(&last).unwrap());
}

#[test]
fn strips_of_two_dimensions_load_everything_once() {
    let (region, _, transfers) = jacobi(2);
    // One strip: what it loads is what the program reads from before it, and B none of it.
    let all = of(&region, &transfers, "A").load.range().unwrap();
    let read = "[M, N, s1, s2] -> { A[m] : 0 <= m < N and N >= 3 and M >= 1 and s1 >= 1 and
        s2 >= 1 }";
    let read = isl::Set::read_from_str(&region.scop.ctx, read).unwrap();
    assert!(all.is_equal(&read).unwrap(), "{all}");
    assert!(of(&region, &transfers, "B").load.is_empty().unwrap());
}

/// The sizes of section 4, for all parameters where they are said for all.
#[test]
fn sizes_are_the_papers() {
    let found = kernel("jacobi-1d-imper").found(1, LiveOut::All);
    let region = &found.region;
    let context = found.context();
    // Where there is something to compute. With one point per tile in either dimension, what lives
    // in two tiles is less than the paper's pipelined sizes.
    let some = "[M, N] -> { : M >= 1 and N >= 3 }";
    let large = "[M, N, s1, s2] -> { : M >= 2 and N >= 3 and s1 >= 2 and s2 >= 2 }";
    for (overlap, where_, array, size) in [
        (
            Overlap::Sequential,
            some,
            "B",
            "min(N - 2, 2M + s2 - 1, 2s1 + s2 - 1)",
        ),
        (Overlap::Sequential, some, "A", "min(N, 2M + s2, 2s1 + s2)"),
        (
            Overlap::Double,
            large,
            "B",
            "min(N - 2, 2M + 2s2 - 2, 2s1 + 2s2 - 2)",
        ),
        (Overlap::Double, large, "A", "min(N, 2M + 2s2, 2s1 + 2s2)"),
    ] {
        let ctx = &region.scop.ctx;
        let context = context
            .intersect(&isl::Set::read_from_str(ctx, where_).unwrap())
            .unwrap();
        for precision in [Precision::Rational, Precision::Integer] {
            let memory = found.memory(overlap, precision, &context);
            let id = region.scop.array_named(array).unwrap();
            let local = memory.arrays.iter().find(|l| l.array == id).unwrap();
            let text = format!("[M, N, s1, s2] -> {{ [({size})] }}");
            let paper = PwAff::read_from_str(ctx, &text).unwrap();
            let same = local.parts[0].moduli[0]
                .eq_set(&paper)
                .unwrap()
                .params()
                .unwrap();
            let other = context.subtract(&same).unwrap();
            assert!(
                other.is_empty().unwrap(),
                "{array} {overlap:?} {precision:?}: {other}"
            );
        }
    }
}
