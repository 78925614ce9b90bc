//! Temporaries and small local buffers: where they are declared, and what may be vectorised.

use super::harness::*;
use crate::codegen::Target;
use crate::scop::testing::ScopBuilder;
use crate::scop::{Action, BinaryOp, Scop};

/// `for i { float t = A[i] * A[i]; B[i] = t + t; }`, with `t` expanded to `t[i]`.
fn squares() -> Scop {
    let mut scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .output("B", 1)
        .region("t", 1, 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["t[i]"])
        .statement("S1[i] : 0 <= i < n", &["t[i]"], &["B[i]"])
        .build();
    scop.statements[0].body = vec![Action::Assign {
        target: 1,
        value: binary(BinaryOp::Mul, read(0), read(0)),
    }];
    scop.statements[1].body = vec![Action::Assign {
        target: 1,
        value: binary(BinaryOp::Add, read(0), read(0)),
    }];
    scop
}

const SQUARES: Program<'_> = Program {
    prelude: "",
    parameters: "int n, const float A[restrict n], float B[restrict n]",
    locals: "",
    original: "for (int i = 0; i < n; i++) { float t = A[i] * A[i]; B[i] = t + t; }",
    check: "
    static float A[100], B[2][100];
    for (int i = 0; i < 100; i++) A[i] = i * 0.3f;
    for (int n = 0; n < 100; n += 9) {
        original(n, A, B[0]);
        result(n, A, B[1]);
        if (memcmp(B[0], B[1], sizeof B[0])) return 1;
    }
    return 0;",
};

const FUSED: &str = r#"
domain: "[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }"
child:
  mark: "scope:0"
  child:
    mark: simd
    child:
      schedule: "[{ S0[i] -> [(i)]; S1[i] -> [(i)] }]"
      child:
        sequence:
        - filter: "{ S0[i] }"
        - filter: "{ S1[i] }"
"#;

#[test]
fn temporaries_in_full() {
    let scop = squares();
    let transformed = unlifted(&scop, None);
    insta::assert_snapshot!(print(&scop, &transformed, Target::OpenMp));
    SQUARES.run(&scop, &transformed);
}

#[test]
fn temporaries_start_where_they_are_used() {
    let mut scop = ScopBuilder::new("[n] -> { : n >= 10 }")
        .input("A", 1)
        .output("B", 1)
        .region("t", 2, 1)
        .statement(
            "S0[i, k] : -5 <= i < n - 5 and 0 <= k < 3",
            &["A[i + 5]"],
            &["t[i, k]"],
        )
        .statement(
            "S1[i] : -5 <= i < n - 5",
            &["t[i, 0]", "t[i, 2]"],
            &["B[i + 5]"],
        )
        .build();
    scop.statements[0].body[0] = Action::Assign {
        target: 1,
        value: binary(BinaryOp::Mul, read(0), crate::scop::Expr::Iterator(1)),
    };
    let transformed = unlifted(&scop, None);
    let text = print(&scop, &transformed, Target::C);
    insta::assert_snapshot!(text);
    Program {
        original: "for (int i = -5; i < n - 5; i++) {
        float t[3];
        for (int k = 0; k < 3; k++) t[k] = A[i + 5] * k;
        B[i + 5] = t[0] + t[2];
    }",
        check: "
    static float A[100], B[2][100];
    for (int i = 0; i < 100; i++) A[i] = i * 0.3f;
    original(100, A, B[0]);
    result(100, A, B[1]);
    return memcmp(B[0], B[1], sizeof B[0]) != 0;",
        ..SQUARES
    }
    .run(&scop, &transformed);
}

#[test]
fn a_scalar_is_declared_where_it_is_defined() {
    let scop = squares();
    let mut transformed = unlifted(&scop, Some(FUSED));
    localise(
        &scop,
        &mut transformed,
        "t",
        0,
        &["{ [] -> [(0)] }"],
        &[1],
        &[true],
    );
    let text = print(&scop, &transformed, Target::OpenMp);
    insta::assert_snapshot!(text);
    SQUARES.run(&scop, &transformed);
}

#[test]
fn scalars_of_one_block_share_it() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .output("B", 1)
        .region("t", 1, 1)
        .region("u", 1, 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["t[i]"])
        .statement("S1[i] : 0 <= i < n", &["t[i]", "A[i]"], &["u[i]"])
        .statement("S2[i] : 0 <= i < n", &["t[i]", "u[i]"], &["B[i]"])
        .build();
    let schedule = FUSED
        .replace(
            "S1[i] : 0 <= i < n }",
            "S1[i] : 0 <= i < n; S2[i] : 0 <= i < n }",
        )
        .replace("S1[i] -> [(i)] }", "S1[i] -> [(i)]; S2[i] -> [(i)] }")
        .replace(
            "- filter: \"{ S1[i] }\"",
            "- filter: \"{ S1[i] }\"\n        - filter: \"{ S2[i] }\"",
        );
    let mut transformed = unlifted(&scop, Some(&schedule));
    for array in ["t", "u"] {
        localise(
            &scop,
            &mut transformed,
            array,
            0,
            &["{ [] -> [(0)] }"],
            &[1],
            &[true],
        );
    }
    let text = print(&scop, &transformed, Target::OpenMp);
    let body: Vec<&str> = text.lines().skip(5).take(3).map(str::trim).collect();
    assert_eq!(
        body,
        [
            "float tw_t = A[c0];",
            "float tw_u = tw_t + A[c0];",
            "B[c0] = tw_t + tw_u;"
        ],
        "{text}"
    );
    Program {
        original: "for (int i = 0; i < n; i++) B[i] = A[i] + (A[i] + A[i]);",
        ..SQUARES
    }
    .run(&scop, &transformed);
}

#[test]
fn lanes_do_not_share_a_variable() {
    // t survives from one iteration to the next: it stays outside, and the loop is no simd loop.
    let mut scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .output("B", 1)
        .temporary("t", 0)
        .statement("S0[i] : 0 <= i < n", &["t[]", "A[i]"], &["t[]"])
        .statement("S1[i] : 0 <= i < n", &["t[]"], &["B[i]"])
        .build();
    let mut transformed = unlifted(&scop, Some(FUSED));
    localise(&scop, &mut transformed, "t", 0, &[], &[], &[]);
    let text = print(&scop, &transformed, Target::OpenMp);
    assert!(!text.contains("simd"), "{text}");
    assert!(
        text.find("float tw_t;").unwrap() < text.find("for").unwrap(),
        "{text}"
    );
    // A definition under a condition is none.
    scop.statements[0].body = vec![Action::If {
        condition: read(1),
        then: vec![Action::Assign {
            target: 2,
            value: read(1),
        }],
        otherwise: Vec::new(),
    }];
    let text = print(&scop, &transformed, Target::OpenMp);
    assert!(!text.contains("simd"), "{text}");
    scop.statements[0].body = vec![Action::Assign {
        target: 2,
        value: read(1),
    }];
    let text = print(&scop, &transformed, Target::OpenMp);
    assert!(text.contains("simd"), "{text}");
}

#[test]
fn small_arrays_are_block_variables() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .output("B", 1)
        .region("t", 2, 1)
        .statement(
            "S0[i, k] : 0 <= i < n and 0 <= k < 3",
            &["A[i]"],
            &["t[i, k]"],
        )
        .statement("S1[i] : 0 <= i < n", &["t[i, 0]", "t[i, 2]"], &["B[i]"])
        .build();
    let schedule = r#"
domain: "[n] -> { S0[i, k] : 0 <= i < n and 0 <= k < 3; S1[i] : 0 <= i < n }"
child:
  mark: parallel
  child:
    schedule: "[{ S0[i, k] -> [(i)]; S1[i] -> [(i)] }]"
    child:
      mark: "scope:0"
      child:
        sequence:
        - filter: "{ S0[i, k] }"
          child:
            mark: simd
            child:
              schedule: "[{ S0[i, k] -> [(k)] }]"
        - filter: "{ S1[i] }"
"#;
    let mut transformed = unlifted(&scop, Some(schedule));
    let origin = ["{ [] -> [(0)] }", "{ [] -> [(0)] }"];
    localise(
        &scop,
        &mut transformed,
        "t",
        0,
        &origin,
        &[1, 3],
        &[true, false],
    );
    let text = print(&scop, &transformed, Target::OpenMp);
    insta::assert_snapshot!(text);
    Program {
        original: "for (int i = 0; i < n; i++) {
        float t[3];
        for (int k = 0; k < 3; k++) t[k] = A[i];
        B[i] = t[0] + t[2];
    }",
        ..SQUARES
    }
    .run(&scop, &transformed);
}
