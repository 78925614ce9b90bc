//! Vector loops whose iterations C compilers would not execute in their order are plain loops.

use super::harness::*;
use crate::codegen::Target;
use crate::scop::testing::ScopBuilder;

const VECTOR_LOOP: &str = r#"
domain: "[n, m] -> { S0[x] : 0 <= x < n; S1[x] : 0 <= x < n }"
child:
  mark: simd
  child:
    schedule: "[{ S0[x] -> [(x)]; S1[x] -> [(x)] }]"
    child:
      sequence:
        - filter: "{ S0[x] }"
        - filter: "{ S1[x] }"
"#;

/// `C[m][x] = A[x / by]; B[x] = read;`, with `x` in steps of blocks where `by` is 2.
fn text(by: usize, read: &str) -> String {
    let scop = ScopBuilder::new("[n, m] -> { : n >= 1 and 0 <= m < n }")
        .input("A", 1)
        .input("D", 2)
        .output("C", 2)
        .output("B", 1)
        .statement(
            "S0[x] : 0 <= x < n",
            &[&format!("A[floor(x/{by})]")],
            &["C[m, x]"],
        )
        .statement("S1[x] : 0 <= x < n", &[read], &["B[x]"])
        .build();
    let transformed = unlifted(&scop, Some(VECTOR_LOOP));
    print(&scop, &transformed, Target::OpenMp)
}

#[test]
fn cells_that_are_sometimes_the_same() {
    // `C[m][2 b + 1]` is stored behind `C[2 b][2 b]`, which it is not.
    for (by, read, simd) in [
        (2, "C[x, x]", false),
        (2, "C[x, m]", false),
        (2, "D[x, x]", true),
        (2, "C[m, x]", true),
        (2, "C[m + 1, x]", true),
        // No two cells are neighbours.
        (1, "C[m, x]", true),
        (1, "C[m + 1, x]", true),
    ] {
        let text = text(by, read);
        assert_eq!(text.contains("omp simd"), simd, "{read}, {by}:\n{text}");
    }
}
