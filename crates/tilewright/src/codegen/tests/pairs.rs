//! Vector loops over even and odd cells become one over pairs.

use super::harness::*;
use crate::codegen::Target;
use crate::scop::testing::ScopBuilder;
use crate::scop::{Action, BinaryOp, Expr, Scop};

const EVEN_THEN_ODD: &str = r#"
domain: "[n, m] -> { S0[x] : 0 <= x and 2x < n; S1[x] : m <= x and 2x + 1 < n }"
child:
  sequence:
  - filter: "{ S0[x] }"
    child:
      mark: simd
      child:
        schedule: "[{ S0[x] -> [(x)] }]"
  - filter: "{ S1[x] }"
    child:
      mark: simd
      child:
        schedule: "[{ S1[x] -> [(x)] }]"
"#;

/// Cells of `B` from two of `A`; `odd` is what the odd ones read.
fn sampled_up(odd: &str) -> Scop {
    let mut scop = ScopBuilder::new("[n, m] -> { : n >= 1 and m >= 0 }")
        .input("A", 1)
        .output("B", 1)
        .statement("S0[x] : 0 <= x and 2x < n", &["A[x]"], &["B[2x]"])
        .statement("S1[x] : m <= x and 2x + 1 < n", &[odd], &["B[2x + 1]"])
        .build();
    for (statement, factor) in [(0, "2.0f"), (1, "3.0f")] {
        scop.statements[statement].body = vec![Action::Assign {
            target: 1,
            value: binary(BinaryOp::Mul, read(0), literal(factor)),
        }];
    }
    scop
}

fn program(original: &str) -> Program<'_> {
    Program {
        prelude: "",
        parameters: "int n, int m, float A[restrict n], float B[restrict n]",
        locals: "",
        original,
        check: "
    enum { N = 23 };
    for (int n = 1; n <= N; n++)
        for (int m = 0; m <= N; m++) {
            float A[N], B[N], C[N];
            for (int i = 0; i < N; i++) A[i] = i + 1, B[i] = C[i] = -1;
            original(n, m, A, B);
            result(n, m, A, C);
            if (memcmp(B, C, sizeof B)) return printf(\"n = %d, m = %d\\n\", n, m), 1;
        }
    return 0;",
    }
}

/// The rows begin and end at different cells: what only one loop has comes before and behind.
#[test]
fn pairs_fill_a_row() {
    let scop = sampled_up("A[x]");
    let transformed = unlifted(&scop, Some(EVEN_THEN_ODD));
    insta::assert_snapshot!(print(&scop, &transformed, Target::C));
    let kernel = kernel(&scop, &transformed);
    let all = loops(&kernel);
    let vector: Vec<_> = all.iter().filter(|each| each.simd).collect();
    let [pairs] = vector[..] else {
        panic!("{all:?}")
    };
    assert_eq!(pairs.body.len(), 2);
    program(
        "for (int x = 0; 2 * x < n; x++) B[2 * x] = A[x] * 2.0f;
         for (int x = m; 2 * x + 1 < n; x++) B[2 * x + 1] = A[x] * 3.0f;",
    )
    .run(&scop, &transformed);
}

/// All odd cells read what the first loop has written last.
#[test]
fn loops_that_depend_on_each_other_stay_apart() {
    let scop = sampled_up("B[2x + 2]");
    let transformed = unlifted(&scop, Some(EVEN_THEN_ODD));
    let kernel = kernel(&scop, &transformed);
    assert!(loops(&kernel).iter().all(|each| each.body.len() == 1));
}

/// Two statements that write the same cells are no pair, whatever they read.
#[test]
fn loops_over_the_same_cells_stay_apart() {
    let mut scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .output("B", 1)
        .statement("S0[x] : 0 <= x < n", &["A[x]"], &["B[2x]"])
        .statement("S1[x] : 0 <= x < n", &["A[x]"], &["B[2x + 2]"])
        .build();
    for statement in 0..2 {
        scop.statements[statement].body = vec![Action::Assign {
            target: 1,
            value: read(0),
        }];
    }
    let schedule = EVEN_THEN_ODD
        .replace("[n, m]", "[n]")
        .replace("0 <= x and 2x < n", "0 <= x < n")
        .replace("m <= x and 2x + 1 < n", "0 <= x < n");
    let transformed = unlifted(&scop, Some(&schedule));
    let kernel = kernel(&scop, &transformed);
    assert_eq!(loops(&kernel).len(), 2);
}

const IN_LOOPS_OF_THEIR_OWN: &str = r#"
domain: "[n, m] -> { S0[c, x] : 0 <= c < 3 and 0 <= x and 2x < n; S1[c, x] : 0 <= c < 3 and m <= x and 2x + 1 < n }"
child:
  sequence:
  - filter: "{ S0[c, x] }"
    child:
      schedule: "[{ S0[c, x] -> [(c)] }]"
      child:
        mark: simd
        child:
          schedule: "[{ S0[c, x] -> [(x)] }]"
  - filter: "{ S1[c, x] }"
    child:
      schedule: "[{ S1[c, x] -> [(c)] }]"
      child:
        mark: simd
        child:
          schedule: "[{ S1[c, x] -> [(x)] }]"
"#;

/// Even and odd cells of three colours at `even` and `odd`, each parity with a loop over the
/// colours.
fn colours(dimensions: usize, even: &str, odd: &str) -> Scop {
    let mut scop = ScopBuilder::new("[n, m] -> { : n >= 1 and m >= 0 }")
        .input("A", 1)
        .output("B", dimensions)
        .statement(
            "S0[c, x] : 0 <= c < 3 and 0 <= x and 2x < n",
            &["A[x]"],
            &[even],
        )
        .statement(
            "S1[c, x] : 0 <= c < 3 and m <= x and 2x + 1 < n",
            &["A[x]"],
            &[odd],
        )
        .build();
    for (statement, factor) in [(0, "2.0f"), (1, "3.0f")] {
        let times = binary(BinaryOp::Mul, read(0), literal(factor));
        scop.statements[statement].body = vec![Action::Assign {
            target: 1,
            value: binary(BinaryOp::Add, times, Expr::Iterator(0)),
        }];
    }
    scop
}

/// The loops around them run over the same values.
#[test]
fn loops_around_pairs_are_joined() {
    let scop = colours(2, "B[c, 2x]", "B[c, 2x + 1]");
    let transformed = unlifted(&scop, Some(IN_LOOPS_OF_THEIR_OWN));
    let kernel = kernel(&scop, &transformed);
    let all = loops(&kernel);
    let vector: Vec<_> = all.iter().filter(|each| each.simd).collect();
    let [pairs] = vector[..] else {
        panic!("{all:?}")
    };
    assert_eq!(pairs.body.len(), 2);
    Program {
        parameters: "int n, int m, float A[restrict n], float B[restrict 3][23]",
        check: "
    enum { N = 23 };
    for (int n = 1; n <= N; n++)
        for (int m = 0; m <= N; m++) {
            float A[N], B[3][N], C[3][N];
            for (int i = 0; i < N; i++) A[i] = i + 1;
            for (int i = 0; i < 3 * N; i++) B[i / N][i % N] = C[i / N][i % N] = -1;
            original(n, m, A, B);
            result(n, m, A, C);
            if (memcmp(B, C, sizeof B)) return printf(\"n = %d, m = %d\\n\", n, m), 1;
        }
    return 0;",
        ..program(
            "for (int c = 0; c < 3; c++)
                 for (int x = 0; 2 * x < n; x++) B[c][2 * x] = A[x] * 2.0f + c;
             for (int c = 0; c < 3; c++)
                 for (int x = m; 2 * x + 1 < n; x++) B[c][2 * x + 1] = A[x] * 3.0f + c;",
        )
    }
    .run(&scop, &transformed);
}

/// The even cells of one colour are the odd ones of the next: the last loop says what they hold.
#[test]
fn loops_around_the_same_cells_stay_apart() {
    let scop = colours(1, "B[2x + c]", "B[2x + 1 + c]");
    let transformed = unlifted(&scop, Some(IN_LOOPS_OF_THEIR_OWN));
    let kernel = kernel(&scop, &transformed);
    assert!(loops(&kernel).iter().all(|each| each.body.len() == 1));
    assert_eq!(loops(&kernel).len(), 4);
}

/// What the odd cells are stored over may be loaded for even cells that come later.
#[test]
fn loops_that_load_what_shares_memory_stay_apart() {
    let scop = sampled_up("A[x]");
    let mut transformed = unlifted(&scop, Some(EVEN_THEN_ODD));
    let local = |transformed: &mut _, array| {
        localise(
            &scop,
            transformed,
            array,
            0,
            &["{ [] -> [(0)] }"],
            &[64],
            &[false],
        )
    };
    let buffers = vec![local(&mut transformed, "A"), local(&mut transformed, "B")];
    let bodies = |transformed: &_| -> Vec<usize> {
        let kernel = kernel(&scop, transformed);
        loops(&kernel).iter().map(|each| each.body.len()).collect()
    };
    assert!(bodies(&transformed).contains(&2));
    transformed.shared = vec![buffers];
    assert_eq!(bodies(&transformed), [1, 1]);
}
