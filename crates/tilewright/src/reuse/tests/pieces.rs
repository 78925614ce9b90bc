//! Arrays in several pieces: what they need, and that programs run right in them.

use super::kernels::kernel;
use super::machine::{Run, folded, instances};
use crate::reuse::folding::LocalArray;
use crate::reuse::{LiveOut, Overlap, Precision, folding};
use isl::PwAff;

/// Whether a piece has these moduli: for all sizes of the table's restriction at most these, and
/// for some, which are those with more rows and columns than a tile, no less.
fn has(own: &LocalArray, moduli: &[&str], full: &isl::Set) -> bool {
    own.parts.iter().any(|part| {
        part.moduli.iter().zip(moduli).all(|(own, wanted)| {
            let text = format!("[n, ni, nj, c1, s1, s2, s3] -> {{ [({wanted})] }}");
            let wanted = PwAff::read_from_str(full.ctx(), &text).unwrap();
            let most = own.le_set(&wanted).unwrap().params().unwrap();
            let same = own.eq_set(&wanted).unwrap().params().unwrap();
            let large = "[n, ni, s1, s2, c1] -> { : s1 >= 3 and s2 >= 3 and ni >= 4s1 + 4s2 and \
                         n >= 4s1 + 4s2 and 4s1 + 4s2 <= 2c1 <= n }";
            let large = isl::Set::read_from_str(full.ctx(), large).unwrap();
            full.is_subset(&most).unwrap()
                && full.intersect(&large).unwrap().is_subset(&same).unwrap()
        })
    })
}

/// Memory in proportion to the tile, where one modulus per dimension needs the whole array: a tile
/// of `path[i][j]`, its part of the row `path[k][j]`, and of the column `path[i][k]`, which a strip
/// along `j` reads again and again.
#[test]
fn floyd_warshall_needs_a_tile_a_row_and_a_column() {
    let found = kernel("floyd-warshall").found(1, LiveOut::All);
    let full = folding::two_full_tiles(&found.region.scop, &found.tiling, &found.context());
    let full = full.unwrap();
    for (overlap, row, tile) in [
        (Overlap::Sequential, ["1", "s2"], ["s1", "s2"]),
        (Overlap::Double, ["1", "2s2"], ["s1", "2s2"]),
    ] {
        let memory = found
            .folding(overlap, Precision::Rational, &full)
            .in_pieces();
        let memory = memory.unwrap();
        let path = &memory.arrays[0];
        assert_eq!(path.parts.len(), 3);
        for moduli in [row, ["s1", "1"], tile] {
            assert!(has(path, &moduli, &full), "{overlap:?} {moduli:?} {path:?}");
        }
    }
}

/// Rows of the tile and rows of the strip: `ni` of them without pieces.
#[test]
fn products_with_a_transposed_matrix_need_two_blocks() {
    let found = kernel("syrk").found(1, LiveOut::All);
    let full = folding::two_full_tiles(&found.region.scop, &found.tiling, &found.context());
    let full = full.unwrap();
    let memory = found.folding(Overlap::Sequential, Precision::Rational, &full);
    let memory = memory.in_pieces().unwrap();
    let of = |name: &str| {
        memory
            .arrays
            .iter()
            .find(|l| l.array == found.array(name))
            .unwrap()
    };
    assert!(has(of("A"), &["s1", "s3"], &full) && has(of("A"), &["s2", "s3"], &full));
    assert_eq!(of("C").parts.len(), 1, "one access, one piece");
}

#[test]
fn programs_run_right_in_pieces() {
    for (name, params, sizes) in [
        (
            "floyd-warshall",
            &[("n", 6)][..],
            &[&[2i64, 3][..], &[1, 1], &[7, 2], &[4, 9]][..],
        ),
        ("syrk", &[("ni", 5), ("nj", 4)], &[&[2, 3, 2], &[4, 2, 1]]),
        ("trmm", &[("ni", 6)], &[&[2, 3], &[3, 1]]),
        ("jacobi-1d-imper", &[("M", 4), ("N", 9)], &[&[2, 3]]),
    ] {
        let found = kernel(name).found(1, LiveOut::Read);
        for overlap in [Overlap::Sequential, Overlap::Double] {
            let context = found.context();
            let memory = found.folding(overlap, Precision::Rational, &context);
            let memory = memory.in_pieces().unwrap();
            for sizes in sizes {
                let values = found.values(params, sizes);
                let local = folded(&found.tiling, &memory, &values, &found.region.scop.ctx);
                let run = Run {
                    region: &found.region,
                    tiling: &found.tiling,
                    transfers: &found.transfers,
                    local: &local,
                    overlap,
                };
                let instances = instances(&found.region, &found.tiling, &values);
                let counts = run.execute(&instances, &values, &vec![0; sizes.len()]);
                assert!(counts.is_ok(), "{name} {values:?} {overlap:?}: {counts:?}");
            }
        }
    }
}
