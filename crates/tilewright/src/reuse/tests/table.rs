//! Table 1 of the paper, row by row, and that programs run right in such memories.

use super::kernels::{KERNELS, MORE, kernel};
use super::machine::{Run, at, folded, instances};
use crate::reuse::{LiveOut, Overlap, Precision, folding};
use isl::{PwAff, Set};
use tilewright_cases::share;

/// Compares a row: `sequential` and `pipelined` are lists of `array: modulus, modulus`, as isl
/// writes expressions. `also` is assumed beside the restriction of the table.
fn row(name: &str, also: &str, sequential: &[(&str, &[&str])], pipelined: &[(&str, &[&str])]) {
    let found = kernel(name).found(1, LiveOut::All);
    let scop = &found.region.scop;
    let ctx = &scop.ctx;
    let full = folding::two_full_tiles(scop, &found.tiling, &found.context())
        .unwrap()
        .intersect(&Set::read_from_str(ctx, also).unwrap())
        .unwrap();
    assert!(!full.is_empty().unwrap(), "{name}: nothing is compared");
    for (overlap, rows) in [
        (Overlap::Sequential, sequential),
        (Overlap::Double, pipelined),
    ] {
        let memory = found.memory(overlap, Precision::Rational, &full);
        for (array, moduli) in rows {
            let id = found.array(array);
            let local = memory.arrays.iter().find(|l| l.array == id).unwrap();
            assert_eq!(local.parts[0].moduli.len(), moduli.len());
            for (own, paper) in local.parts[0].moduli.iter().zip(*moduli) {
                let text = format!("[{PARAMS}] -> {{ [({paper})] }}");
                let paper = PwAff::read_from_str(ctx, &text).unwrap();
                let same = own.eq_set(&paper).unwrap().params().unwrap();
                assert!(
                    full.is_subset(&same).unwrap(),
                    "{name} {overlap:?} {array}: {paper} is not {}",
                    crate::reuse::counts::formula::Formula::of(own, &full).unwrap()
                );
            }
        }
    }
}

/// What expressions may mention.
pub(super) const PARAMS: &str =
    "N, M, T, n, nx, ny, ni, nj, nk, nl, np, nq, nr, len, maxgrid, c1, s1, s2, s3, s4";

const ALWAYS: &str = "{ : }";

#[test]
fn jacobi_1d() {
    row(
        "jacobi-1d-imper",
        ALWAYS,
        &[("A", &["2s1 + s2"]), ("B", &["2s1 + s2 - 1"])],
        &[("A", &["2s1 + 2s2"]), ("B", &["2s1 + 2s2 - 2"])],
    );
}

#[test]
fn jacobi_2d() {
    row(
        "jacobi-2d-imper",
        ALWAYS,
        &[
            ("A", &["2s1 + s2", "min(2s1, s2 + 1) + s3"]),
            ("B", &["2s1 + s2 - 1", "min(2s1, s2) + s3 - 1"]),
        ],
        &[
            ("A", &["2s1 + s2", "min(2s1, s2 + 1) + 2s3"]),
            ("B", &["2s1 + s2 - 1", "min(2s1, s2 + 1) + 2s3 - 2"]),
        ],
    );
}

#[test]
fn fdtd_2d() {
    row(
        "fdtd-2d",
        ALWAYS,
        &[
            ("hz", &["s1 + s2", "min(s1, s2) + s3"]),
            ("ex", &["s1 + s2", "min(s1, s2) + s3"]),
            ("ey", &["s1 + s2", "min(s1, s2 - 1) + s3"]),
            ("fict", &["min(s1, s2)"]),
        ],
        &[
            ("hz", &["s1 + s2", "min(s1, s2) + 2s3"]),
            ("ex", &["s1 + s2", "min(s1, s2) + 2s3"]),
            // The paper has `min(s1, s2) + 2s3`.
            ("ey", &["s1 + s2", "min(s1, s2 - 1) + 2s3"]),
            ("fict", &["min(s1, s2)"]),
        ],
    );
}

#[test]
fn seidel_2d() {
    row(
        "seidel-2d",
        ALWAYS,
        &[("A", &["s1 + s2 + 1", "min(2s1 + 2, s1 + s2, 2s2 + 2) + s3"])],
        &[(
            "A",
            &["s1 + s2 + 1", "min(2s1 + 2, s1 + s2, 2s2 + 2) + 2s3"],
        )],
    );
}

#[test]
fn floyd_warshall() {
    // The paper has no `s1`: for tiles of at most half the rows.
    row(
        "floyd-warshall",
        "[n, s1] -> { : 2s1 <= n }",
        &[("path", &["max(c1 + 1, n - c1)", "max(c1 + 1, n - c1)"])],
        &[("path", &["max(c1 + 1, n - c1)", "max(c1 + 1, n - c1, 2s2)"])],
    );
    row(
        "floyd-warshall",
        ALWAYS,
        &[("path", &["max(c1 + 1, n - c1, s1)", "max(c1 + 1, n - c1)"])],
        &[(
            "path",
            &["max(c1 + 1, n - c1, s1)", "max(c1 + 1, n - c1, 2s2)"],
        )],
    );
}

#[test]
fn reg_detect() {
    // The paper's row is another one, with which results are wrong (see below).
    row(
        "reg-detect",
        ALWAYS,
        &[
            ("sum_tang", &["s1 + s2 + s3 - 2", "min(s1 + s3 - 1, s2)"]),
            (
                "sum_diff",
                &[
                    "s1 + s2 + s3 - 2",
                    "min(s1 + s3 - 1, s2)",
                    "min(s1, s3) + s4",
                ],
            ),
            (
                "diff",
                &[
                    "s1 + s2 + s3 - 2",
                    "min(s1 + s3 - 1, s2)",
                    "min(s1, s3) + s4 - 1",
                ],
            ),
        ],
        &[("sum_tang", &["s1 + s2 + s3 - 2", "min(s1 + s3 - 1, s2)"])],
    );
}

#[test]
fn dynprog() {
    row(
        "dynprog",
        "[s2] -> { : s2 >= 3 }",
        &[
            // The paper has `min` for the first and `st` for the third.
            ("sum_c", &["max(s1, s2 + s3 - 1)", "s2 + s3 - 2", "s1 + 1"]),
            ("W", &["min(s1, s2) + s3 - 1", "min(s1, s2, s3)"]),
            ("c", &["len - 1", "len - 2"]),
        ],
        &[
            (
                "sum_c",
                &["max(s1, s2 + 2s3 - 1)", "s2 + 2s3 - 3", "s1 + 1"],
            ),
            ("W", &["min(s1, s2) + 2s3 - 1", "min(s1, s2, 2s3)"]),
            ("c", &["len - 1", "len - 2"]),
        ],
    );
}

#[test]
fn lu() {
    let both: &[(&str, &[&str])] = &[("A", &["n", "n"])];
    row("lu", ALWAYS, both, both);
}

#[test]
fn atax() {
    row(
        "atax",
        ALWAYS,
        &[
            ("A", &["s1", "ny"]),
            ("x", &["s2"]),
            ("y", &["ny"]),
            ("tmp", &["s1"]),
        ],
        &[
            ("A", &["s1", "ny"]),
            ("x", &["2s2"]),
            ("y", &["ny"]),
            ("tmp", &["s1"]),
        ],
    );
}

#[test]
fn doitgen() {
    row(
        "doitgen",
        ALWAYS,
        &[
            ("A", &["s1", "s2", "np"]),
            ("sum", &["s1", "s2", "s3 + s4 - 1"]),
            ("C4", &["s4", "s3"]),
        ],
        &[
            ("A", &["s1", "s2", "np"]),
            ("sum", &["s1", "s2", "s3 + 2s4 - 1"]),
            ("C4", &["2s4", "s3"]),
        ],
    );
}

#[test]
fn gemm() {
    row(
        "gemm",
        ALWAYS,
        &[
            ("A", &["s1", "s3"]),
            ("B", &["s3", "s2"]),
            ("C", &["s1", "s2"]),
        ],
        &[
            ("A", &["s1", "2s3"]),
            ("B", &["2s3", "s2"]),
            ("C", &["s1", "s2"]),
        ],
    );
}

#[test]
fn mvt() {
    row(
        "mvt",
        "[c1] -> { : c1 = 1 }",
        &[("A", &["s1", "s2"]), ("x1", &["s1"]), ("y_1", &["s2"])],
        &[("A", &["s1", "2s2"]), ("x1", &["s1"]), ("y_1", &["2s2"])],
    );
    row(
        "mvt",
        "[c1] -> { : c1 = 0 }",
        &[("A", &["s2", "s1"]), ("x2", &["s1"]), ("y_2", &["s2"])],
        &[("A", &["2s2", "s1"]), ("x2", &["s1"]), ("y_2", &["2s2"])],
    );
}

#[test]
fn syr2k() {
    row(
        "syr2k",
        ALWAYS,
        &[
            ("A", &["ni", "s3"]),
            ("B", &["ni", "s3"]),
            ("C", &["s1", "s2"]),
        ],
        &[
            ("A", &["ni", "2s3"]),
            ("B", &["ni", "2s3"]),
            ("C", &["s1", "s2"]),
        ],
    );
}

#[test]
fn syrk() {
    row(
        "syrk",
        ALWAYS,
        &[("A", &["ni", "s3"]), ("C", &["s1", "s2"])],
        &[("A", &["ni", "2s3"]), ("C", &["s1", "s2"])],
    );
}

#[test]
fn trisolv() {
    row(
        "trisolv",
        ALWAYS,
        &[("A", &["s2", "s1"]), ("x", &["n"]), ("c", &["s2"])],
        &[("A", &["2s2", "s1"]), ("x", &["n"]), ("c", &["2s2"])],
    );
}

#[test]
fn trmm() {
    row(
        "trmm",
        ALWAYS,
        &[
            ("A", &["1", "min(c1, s1 + s2 - 1)"]),
            ("B", &["max(ni - c1, c1 + 1)", "min(ni, s1 + c1, s2 + c1)"]),
        ],
        &[
            // The paper has `min(c1, s1 + 2s2)`.
            ("A", &["1", "min(c1, s1 + 2s2 - 1)"]),
            ("B", &["max(ni - c1, c1 + 1)", "min(ni, s1 + c1, 2s2 + c1)"]),
        ],
    );
}

/// Beyond the table, with isl's mappings: what the tiled loops subscript is as large as they are
/// in a tile, twice that along the innermost one with double buffering where it is loaded or
/// stored by each tile, and what a loop around reads again is there as a whole.
#[test]
fn further_programs() {
    row(
        "gesummv",
        ALWAYS,
        &[
            ("A", &["s1", "s2"]),
            ("B", &["s1", "s2"]),
            ("x", &["s2"]),
            ("y", &["s1"]),
            ("tmp", &["s1"]),
        ],
        &[("A", &["s1", "2s2"]), ("x", &["2s2"]), ("y", &["s1"])],
    );
    row(
        "gemver",
        ALWAYS,
        &[
            ("A", &["n", "s1"]),
            ("u1", &["s2"]),
            ("v1", &["s1"]),
            ("x", &["s1"]),
            ("w", &["s2"]),
        ],
        &[("u1", &["2s2"]), ("v1", &["s1"]), ("w", &["2s2"])],
    );
    row(
        "2mm",
        // Products over nothing read nothing of A.
        &format!("[{PARAMS}] -> {{ : nk >= 1 and nl >= 1 }}"),
        &[
            ("tmp", &["s1", "s2"]),
            ("A", &["s1", "min(nk, s3)"]),
            ("B", &["min(nk, s3)", "s2"]),
            ("C", &["s2", "min(nl, s3)"]),
            ("D", &["s1", "min(nl, s3)"]),
        ],
        &[
            ("tmp", &["s1", "s2"]),
            ("A", &["s1", "min(nk, 2s3)"]),
            ("D", &["s1", "min(nl, 2s3)"]),
        ],
    );
    row(
        "fdtd-apml",
        ALWAYS,
        &[
            ("Ex", &["s1", "s2 + 1", "s3"]),
            ("Ey", &["s1", "s2", "s3 + 1"]),
            ("Hz", &["s1", "s2", "s3"]),
            ("clf", &["s1", "s2"]),
        ],
        &[
            ("Ex", &["s1", "s2 + 1", "2s3"]),
            ("Ey", &["s1", "s2", "2s3 + 1"]),
            ("Hz", &["s1", "s2", "2s3"]),
            ("clf", &["s1", "s2"]),
        ],
    );
}

/// Kernels run right in their own local memory, with partial tiles and sizes of 1 among others, in
/// both schedules, also in tilings that are shifted; every second one each time.
#[test]
fn kernels_run_in_their_local_memory() {
    let others = KERNELS.iter().filter(|k| !STENCILS.contains(&k.name));
    for kernel in share(others, 2, 0) {
        runs_right(kernel.name, LiveOut::Read, 4, &[[2, 3, 2, 2], [1, 2, 3, 1]]);
    }
}

/// Those that did not fit the table, with isl's mappings; every second one each time.
#[test]
fn further_programs_run_in_their_local_memory() {
    for kernel in share(MORE, 2, 1) {
        runs_right(kernel.name, LiveOut::Read, 3, &[[2, 2, 2, 2]]);
    }
}

/// Those with the most pieces in their sets: their sizes are found for the numbers that are run.
const STENCILS: [&str; 3] = ["fdtd-2d", "jacobi-2d-imper", "seidel-2d"];

#[test]
fn stencils_run_in_their_local_memory() {
    for name in STENCILS {
        runs_right(name, LiveOut::All, 3, &[[2, 3, 2, 2]]);
    }
}

fn runs_right(name: &str, live_out: LiveOut, extent: i64, all_sizes: &[[i64; 4]]) {
    let found = kernel(name).found(1, live_out);
    let scop = &found.region.scop;
    for overlap in [Overlap::Sequential, Overlap::Double] {
        // Rational sets: the fast way; they are supersets of the integer ones.
        let everywhere = (!STENCILS.contains(&name))
            .then(|| found.memory(overlap, Precision::Rational, &found.context()));
        for sizes in all_sizes {
            let mut values: Vec<(&str, i64)> = Vec::new();
            for (number, param) in scop.params.iter().enumerate() {
                values.push((&param.name, extent + (number as i64 % 2)));
            }
            for (name, size) in found.tiling.sizes.iter().zip(sizes) {
                values.push((name, *size));
            }
            let memory = everywhere.clone().unwrap_or_else(|| {
                let context = found.context().intersect(&at(&scop.ctx, &values));
                found.memory(overlap, Precision::Rational, &context.unwrap())
            });
            let local = folded(&found.tiling, &memory, &values, &scop.ctx);
            let instances = instances(&found.region, &found.tiling, &values);
            let shift = match overlap {
                Overlap::Sequential => [0, 0, 0, 0],
                Overlap::Double => [1, -1, 1, 0],
            };
            let run = Run {
                region: &found.region,
                tiling: &found.tiling,
                transfers: &found.transfers,
                local: &local,
                overlap,
            };
            let counts = run.execute(&instances, &values, &shift);
            assert!(
                counts.is_ok(),
                "{name} {values:?} {overlap:?} {shift:?}: {counts:?}"
            );
        }
    }
}
