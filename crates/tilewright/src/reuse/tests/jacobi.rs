//! The paper's running example, `jacobi_1d_imper`: sections 2.2, 3.1 and 4.

use crate::analysis::region::Region;
use crate::reuse::{Accesses, LiveOut, Mapping, Memory, Overlap, Precision, Tiling, Transfers, folding};
use crate::scop::testing::region;

/// The program of section 2.1, with θ as the paper gives it.
fn jacobi() -> (Region, Tiling) {
    let region = region(
        "int M, int N, double A[restrict N], double B[restrict N]",
        "for (int t = 0; t < M; t++) {
             for (int i = 1; i < N - 1; i++)
                 B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
             for (int j = 1; j < N - 1; j++)
                 A[j] = B[j];
         }",
    );
    let text = "{ S0[t, i] -> [t, 2t + i, 0]; S1[t, j] -> [t, 2t + j + 1, 1] }";
    let mapping = Mapping::parse(&region, text, None).unwrap();
    assert_eq!((mapping.outer, mapping.band), (0, 2));
    let tiling = Tiling::new(&region.scop, mapping, 1, None).unwrap();
    (region, tiling)
}

#[test]
fn sizes() {
    let (region, tiling) = jacobi();
    let accesses = Accesses::of(&region, &tiling.mapping).unwrap();
    let transfers = Transfers::of(&region, &tiling, &accesses, LiveOut::All).unwrap();
    for own in &transfers.arrays {
        println!("load {}\nstore {}", own.load, own.store);
    }
    let context = tiling.context(&region.scop).unwrap();
    let full = folding::two_full_tiles(&region.scop, &tiling, &context).unwrap();
    println!("{full}");
    for overlap in [Overlap::Sequential, Overlap::Double] {
        for context in [&context, &full] {
            let memory = Memory::of(&tiling, &accesses, &transfers, overlap, Precision::Integer, context).unwrap();
            for local in &memory.arrays {
                println!("{} {}", local.array, local.formulas(context).unwrap()[0]);
            }
        }
    }
}
