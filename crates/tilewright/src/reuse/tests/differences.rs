//! Where Table 1 of the paper and we differ: which is right, by execution and by enumeration.

use super::kernels::{Found, kernel};
use super::machine::{Run, Wrong, at, folded, instances, number};
use super::table::PARAMS;
use crate::reuse::{LiveOut, Overlap, Precision};
use crate::scop::ArrayId;
use isl::PwAff;

/// Runs a kernel with moduli of some dimensions replaced.
fn run(
    found: &Found,
    overlap: Overlap,
    values: &[(&str, i64)],
    replaced: &[(&str, usize, &str)],
) -> Result<(usize, usize), Wrong> {
    let ctx = &found.region.scop.ctx;
    let context = found.context();
    let context = context.intersect(&at(ctx, values)).unwrap();
    let memory = found.memory(overlap, Precision::Integer, &context);
    let own = folded(&found.tiling, &memory, values, ctx);
    let local = |array: ArrayId, outer: &[i64]| {
        let mut pieces = own(array, outer);
        for (name, dim, value) in replaced {
            if found.array(name) == array {
                let text = format!("[{PARAMS}] -> {{ [({value})] }}");
                let value = PwAff::read_from_str(ctx, &text).unwrap();
                let mut all = values.to_vec();
                all.extend(outer.first().map(|c| ("c1", *c)));
                pieces[0].moduli[*dim] = number(&value, &at(ctx, &all));
            }
        }
        pieces
    };
    let instances = instances(&found.region, &found.tiling, values);
    let run = Run {
        region: &found.region,
        tiling: &found.tiling,
        transfers: &found.transfers,
        local: &local,
        overlap,
    };
    run.execute(&instances, values, &vec![0; found.tiling.mapping.band])
}

/// Runs a kernel with other moduli and says whether it computed the same.
fn right(
    name: &str,
    overlap: Overlap,
    values: &[(&str, i64)],
    replaced: &[(&str, usize, &str)],
) -> bool {
    match run(
        &kernel(name).found(1, LiveOut::All),
        overlap,
        values,
        replaced,
    ) {
        Ok(_) => true,
        Err(wrong) => {
            assert_eq!(wrong, Wrong::Differs, "{name}");
            false
        }
    }
}

/// Sizes of reg-detect for which what the table has and we are told apart.
const REG_DETECT: &[(&str, i64)] = &[
    ("niter", 4),
    ("maxgrid", 9),
    ("len", 8),
    ("s1", 2),
    ("s2", 5),
    ("s3", 2),
    ("s4", 2),
];

/// Where Table 1 and we differ, execution decides.
#[test]
fn differences_to_the_table_are_decided_by_execution() {
    use Overlap::{Double, Sequential};
    // Tiles of all rows: two rows share memory with the paper's modulus.
    let floyd = &[("n", 4), ("s1", 4), ("s2", 2)];
    assert!(right("floyd-warshall", Sequential, floyd, &[]));
    let paper = &[("path", 0, "max(c1 + 1, n - c1)")];
    assert!(!right("floyd-warshall", Sequential, floyd, paper));
    // One cell less than the paper's is enough, and two less are not.
    let trmm = &[("ni", 8), ("s1", 2), ("s2", 2)];
    assert!(right("trmm", Double, trmm, &[]));
    assert!(right(
        "trmm",
        Double,
        trmm,
        &[("A", 1, "min(c1, s1 + 2s2 - 1)")]
    ));
    assert!(!right(
        "trmm",
        Double,
        trmm,
        &[("A", 1, "min(c1, s1 + 2s2 - 2)")]
    ));
    let reg = REG_DETECT;
    assert!(right("reg-detect", Sequential, reg, &[]));
    let paper = &[
        ("path", 0, "min(s1 - 1, s4) + s2 + s3 - 1"),
        ("path", 1, "min(s1 + s3 - 1, s2, s3 + s4)"),
    ];
    assert!(!right("reg-detect", Sequential, reg, paper));
    assert!(right("reg-detect", Double, reg, &[]));
    let paper = &[
        ("sum_diff", 0, "s1 + s2 + s3 - 2"),
        ("sum_diff", 1, "min(s1 + s3 - 1, s2)"),
        ("sum_diff", 2, "min(s1, s3) + s4"),
    ];
    assert!(!right("reg-detect", Double, reg, paper));
}

/// The paper has `min(s1, s2) + 2s3` for the second modulus of `ey`.
#[test]
fn one_cell_less_than_the_table_is_enough_for_fdtd_2d() {
    let values = &[
        ("T", 2),
        ("nx", 4),
        ("ny", 7),
        ("s1", 2),
        ("s2", 2),
        ("s3", 2),
    ];
    assert!(right(
        "fdtd-2d",
        Overlap::Double,
        values,
        &[("ey", 1, "min(s1, s2 - 1) + 2s3")]
    ));
    assert!(!right(
        "fdtd-2d",
        Overlap::Double,
        values,
        &[("ey", 1, "min(s1, s2 - 1) + 2s3 - 1")]
    ));
}

/// The table's `mean` of reg-detect is too small, and so is its `sum_c` of dynprog: its first
/// modulus gives wrong results even with a third one, for which the table has a name that is no
/// parameter, as large as the array.
#[test]
fn smaller_moduli_of_the_table_give_wrong_results() {
    use Overlap::{Double, Sequential};
    let mean = &[("mean", 0, "s2 + s3 - 1"), ("mean", 1, "min(s2, s3 - 1)")];
    assert!(!right("reg-detect", Sequential, REG_DETECT, mean));
    for (overlap, first, sizes) in [
        (Sequential, "min(s1, s2 + s3 - 1)", [2, 3, 3]),
        (Double, "min(s1, s2 + 2s3 - 1)", [2, 3, 2]),
    ] {
        let [s1, s2, s3] = sizes;
        let values = &[("T", 1), ("len", 10), ("s1", s1), ("s2", s2), ("s3", s3)];
        assert!(right("dynprog", overlap, values, &[]));
        let paper = &[("sum_c", 0, first), ("sum_c", 2, "len")];
        assert!(!right("dynprog", overlap, values, paper));
    }
}

/// The table's `diff` of reg-detect is one less than ours in two dimensions, and enough in the
/// runs that were tried. But there are cells at one place of it that are both between the first
/// and the last tile that touches them, which is how long section 4 keeps cells.
#[test]
fn smaller_moduli_of_the_table_keep_cells_shorter() {
    let paper = &[
        ("diff", 0, "s1 + s2 + s3 - 3"),
        ("diff", 1, "min(s1 + s3 - 2, s2)"),
    ];
    assert!(right("reg-detect", Overlap::Sequential, REG_DETECT, paper));
    let found = kernel("reg-detect").found(1, LiveOut::All);
    let ctx = &found.region.scop.ctx;
    let own = found.array("diff");
    let own = found
        .accesses
        .arrays
        .iter()
        .find(|a| a.array == own)
        .unwrap();
    let live = crate::reuse::lifetimes::live(&found.tiling, own).unwrap();
    let live = live.intersect_params(&at(ctx, REG_DETECT)).unwrap();
    let together = live.reverse().unwrap().apply_range(&live).unwrap();
    let share = |moduli: [i64; 3]| {
        let [a, b, c] = moduli;
        let text = format!(
            "{{ diff[x, y, z] -> diff[x1, y1, z1] : exists (k, l, m : x1 = x + {a}k and \
             y1 = y + {b}l and z1 = z + {c}m and (k != 0 or l != 0 or m != 0)) }}"
        );
        let same = isl::Map::read_from_str(ctx, &text).unwrap();
        !together.intersect(&same).unwrap().is_empty().unwrap()
    };
    assert!(share([6, 2, 3]), "the table's");
    assert!(!share([7, 3, 3]), "ours");
}
