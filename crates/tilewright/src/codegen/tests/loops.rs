//! Loops: bounds, steps, marks, names.

use super::harness::*;
use crate::codegen::generation::build;
use crate::codegen::kernel::{Index, Node};
use crate::codegen::{CodegenOptions, Dealing, Target};
use crate::scop::testing::ScopBuilder;
use crate::scop::{Action, BinaryOp, Scop};

fn scale() -> Scop {
    let mut scop = ScopBuilder::new("[n, m] -> { : n >= 1 and m >= 1 }")
        .input("A", 2)
        .output("B", 2)
        .statement(
            "S0[i, j] : 0 <= i < n and 0 <= j < m",
            &["A[i, j]"],
            &["B[i, j]"],
        )
        .build();
    scop.statements[0].body = vec![Action::Assign {
        target: 1,
        value: binary(BinaryOp::Mul, read(0), literal("2.0f")),
    }];
    scop
}

const SCALE: Program<'_> = Program {
    prelude: "",
    parameters: "int n, int m, float A[restrict n][m], float B[restrict n][m]",
    locals: "",
    original: "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) B[i][j] = A[i][j] * 2.0f;",
    check: "
    enum { N = 37, M = 70 };
    static float A[N][M], B[N][M], C[N][M];
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) A[i][j] = i * 100 + j;
    original(N, M, A, B);
    result(N, M, A, C);
    return memcmp(B, C, sizeof B) != 0;",
};

const PARALLEL_SIMD: &str = r#"
domain: "[n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }"
child:
  mark: parallel
  child:
    schedule: "[{ S0[i, j] -> [(i)] }]"
    child:
      mark: simd
      child:
        schedule: "[{ S0[i, j] -> [(j)] }]"
"#;

#[test]
fn plain_loops() {
    let scop = scale();
    let transformed = unlifted(&scop, Some(PARALLEL_SIMD));
    insta::assert_snapshot!(print(&scop, &transformed, Target::OpenMp));
    insta::assert_snapshot!(print(&scop, &transformed, Target::C));
    SCALE.run(&scop, &transformed);
}

#[test]
fn rectangular_parallel_loops_collapse() {
    let scop = scale();
    let both = PARALLEL_SIMD.replace("simd", "parallel");
    let mut transformed = unlifted(&scop, Some(&both));
    let kernel = kernel(&scop, &transformed);
    let counts: Vec<(bool, usize)> = loops(&kernel)
        .iter()
        .map(|each| (each.parallel, each.collapse))
        .collect();
    assert_eq!(counts, [(true, 2), (true, 1)]);
    let dynamic = CodegenOptions {
        dealing: Dealing::Dynamic { chunk: 4 },
        ..options(Target::OpenMp)
    };
    let text = print_with(&scop, &transformed, &dynamic);
    assert!(
        text.contains("#pragma omp parallel for schedule(dynamic, 4) collapse(2) firstprivate("),
        "{text}"
    );
    assert_eq!(text.matches("#pragma").count(), 1, "{text}");
    SCALE.run_text(&text);
    // A triangle does not.
    let triangle = both.replace("j < m", "j <= i");
    transformed = unlifted(&scop, Some(&triangle));
    let kernel = build::generate(&scop, &transformed, &options(Target::OpenMp)).unwrap();
    assert!(loops(&kernel).iter().all(|each| each.collapse == 1));
}

#[test]
fn marks_of_dropped_loops_are_dropped() {
    let scop = scale();
    let one_row = PARALLEL_SIMD
        .replace("0 <= i < n", "i = 3")
        .replace("mark: simd", "mark: other");
    let transformed = unlifted(&scop, Some(&one_row));
    let kernel = kernel(&scop, &transformed);
    let all = loops(&kernel);
    assert_eq!(all.len(), 1);
    assert!(!all[0].parallel && !all[0].simd);
}

#[test]
fn strided_and_downward_loops() {
    let mut scop = ScopBuilder::new("[n] -> { : n >= 0 }")
        .inout("A", 1)
        .statement("S0[i] : 2 <= i < n and (i - 2) mod 3 = 0", &["A[i - 2]"], &["A[i]"])
        .statement(
            "S1[i] : 0 <= i < n - 1 and (n - 1 - i) mod 2 = 0",
            &["A[i + 1]"],
            &["A[i]"],
        )
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 2 <= i < n and (i - 2) mod 3 = 0; S1[i] : 0 <= i < n - 1 and (n - 1 - i) mod 2 = 0 }"
child:
  sequence:
  - filter: "{ S0[i] }"
    child:
      schedule: "[{ S0[i] -> [(i)] }]"
  - filter: "{ S1[i] }"
    child:
      schedule: "[{ S1[i] -> [(-i)] }]"
"#,
        )
        .build();
    for statement in 0..2 {
        scop.statements[statement].body = vec![Action::Assign {
            target: 1,
            value: binary(BinaryOp::Sub, read(0), literal("0.5f")),
        }];
    }
    let transformed = unlifted(&scop, None);
    insta::assert_snapshot!(print(&scop, &transformed, Target::C));
    Program {
        prelude: "",
        parameters: "int n, float A[restrict n]",
        locals: "",
        original: "
    for (int i = 2; i < n; i += 3) A[i] = A[i - 2] - 0.5f;
    for (int i = n - 3; i >= 0; i -= 2) A[i] = A[i + 1] - 0.5f;",
        check: "
    static float A[40], B[40];
    for (int n = 1; n < 40; n++) {
        for (int i = 0; i < n; i++) A[i] = B[i] = i * i % 17;
        original(n, A);
        result(n, B);
        if (memcmp(A, B, sizeof A)) return printf(\"n = %d\\n\", n), 1;
    }
    return 0;",
    }
    .run(&scop, &transformed);
}

#[test]
fn tiles_have_bounds_before_the_loop() {
    let scop = scale();
    let tiled = r#"
domain: "[n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }"
child:
  mark: parallel
  child:
    schedule: "[{ S0[i, j] -> [(floor(i/16))] }]"
    child:
      mark: parallel
      child:
        schedule: "[{ S0[i, j] -> [(floor(j/33))] }]"
        child:
          schedule: "[{ S0[i, j] -> [(i)] }]"
          child:
            mark: simd
            child:
              schedule: "[{ S0[i, j] -> [(j)] }]"
"#;
    let transformed = unlifted(&scop, Some(tiled));
    insta::assert_snapshot!(print(&scop, &transformed, Target::OpenMp));
    SCALE.run(&scop, &transformed);
}

#[test]
fn full_tiles_apart_from_partial_ones() {
    let scop = scale();
    let isolated = r#"
domain: "[n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }"
child:
  mark: parallel
  child:
    schedule: "[{ S0[i, j] -> [(floor(i/16))] }]"
    child:
      schedule: "[{ S0[i, j] -> [(floor(j/32))] }]"
      options: "[n, m] -> { isolate[[t] -> [u]] : 0 <= t and 16t + 15 < n and 0 <= u and 32u + 31 < m }"
      child:
        schedule: "[{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]"
        options: "{ separate[x] }"
"#;
    let transformed = unlifted(&scop, Some(isolated));
    let text = print(&scop, &transformed, Target::OpenMp);
    insta::assert_snapshot!(text);
    SCALE.run(&scop, &transformed);
}

#[test]
fn wavefront() {
    let mut scop = ScopBuilder::new("[n] -> { : n >= 2 }")
        .inout("A", 2)
        .statement(
            "S0[i, j] : 1 <= i < n and 1 <= j < n",
            &["A[i - 1, j]", "A[i, j - 1]"],
            &["A[i, j]"],
        )
        .build();
    scop.statements[0].body = vec![Action::Assign {
        target: 2,
        value: binary(
            BinaryOp::Mul,
            binary(BinaryOp::Add, read(0), read(1)),
            literal("0.5f"),
        ),
    }];
    let schedule = r#"
domain: "[n] -> { S0[i, j] : 1 <= i < n and 1 <= j < n }"
child:
  schedule: "[{ S0[i, j] -> [(floor(i/8) + floor(j/8))] }]"
  child:
    mark: parallel
    child:
      schedule: "[{ S0[i, j] -> [(floor(j/8))] }]"
      child:
        schedule: "[{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]"
"#;
    let transformed = unlifted(&scop, Some(schedule));
    insta::assert_snapshot!(print(&scop, &transformed, Target::OpenMp));
    Program {
        prelude: "",
        parameters: "int n, float A[restrict n][n]",
        locals: "",
        original: "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++)
        A[i][j] = (A[i - 1][j] + A[i][j - 1]) * 0.5f;",
        check: "
    enum { N = 45 };
    static float A[N][N], B[N][N];
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) A[i][j] = B[i][j] = i * 7 % 11 + j;
    original(N, A);
    result(N, B);
    return memcmp(A, B, sizeof A) != 0;",
    }
    .run(&scop, &transformed);
}

#[test]
fn names_avoid_the_program_s() {
    let mut scop = scale();
    scop.arrays[0].base = "c1".to_owned();
    let mut settings = options(Target::OpenMp);
    settings.taken_names.insert("tw_c4x".to_owned());
    let transformed = unlifted(&scop, Some(PARALLEL_SIMD));
    let text = print_with(&scop, &transformed, &settings);
    assert!(text.contains("long tw_tw_c0 = 0"), "{text}");
}

#[test]
fn code_that_explodes_is_an_error() {
    let scop = scale();
    let transformed = unlifted(&scop, Some(PARALLEL_SIMD));
    let settings = CodegenOptions {
        max_instances: 0,
        ..CodegenOptions::default()
    };
    let error = build::generate(&scop, &transformed, &settings).unwrap_err();
    assert!(error.is_quota(), "{error}");
    scop.ctx.set_max_operations(10).unwrap();
    let error = build::generate(&scop, &transformed, &CodegenOptions::default()).unwrap_err();
    assert!(error.is_quota(), "{error}");
}

#[test]
fn a_bound_that_is_one_less_than_a_parameter() {
    let scop = scale();
    let transformed = unlifted(&scop, None);
    let kernel = kernel(&scop, &transformed);
    let Node::For(each) = &kernel.body[0] else {
        panic!()
    };
    assert_eq!(each.lower, Index::Int(0));
    assert_eq!(each.upper, Index::Param(0).minus(&Index::Int(1)));
}

#[test]
fn parameters_that_are_not_plain_ints_are_copied() {
    let mut scop = scale();
    scop.params[0].spelling = "s->height".to_owned();
    scop.params[1].ctype.kind = crate::scop::ScalarKind::U32;
    let transformed = unlifted(&scop, Some(PARALLEL_SIMD));
    let text = print(&scop, &transformed, Target::OpenMp);
    assert!(text.contains("const long tw_n = s->height;"), "{text}");
    assert!(text.contains("const long tw_m = m;"), "{text}");
    assert!(text.contains("c0 < tw_n;"), "{text}");
}

const JAMMED: &str = r#"
domain: "[n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }"
child:
  schedule: "[{ S0[i, j] -> [(floor(i/2))] }]"
  child:
    mark: simd
    child:
      schedule: "[{ S0[i, j] -> [(j)] }]"
      child:
        mark: "unroll:2"
        child:
          schedule: "[{ S0[i, j] -> [(i)] }]"
"#;

/// Complete strips and an incomplete one, each without a condition in the vector loop.
#[test]
fn rows_are_jammed() {
    let scop = scale();
    let transformed = unlifted(&scop, Some(JAMMED));
    let text = print(&scop, &transformed, Target::OpenMp);
    insta::assert_snapshot!(text);
    SCALE.run(&scop, &transformed);
    SCALE.assert_vectorised(&text);
}

/// `C` is loaded and stored once for the steps of `k` that stand together.
#[test]
fn sums_stay_in_variables() {
    let mut scop = ScopBuilder::new("[n, m, l] -> { : n >= 1 and m >= 1 and l >= 1 }")
        .input("A", 2)
        .input("B", 2)
        .output("C", 2)
        .statement(
            "S0[i, j, k] : 0 <= i < n and 0 <= j < m and 0 <= k < l",
            &["C[i, j]", "A[i, k]", "B[k, j]"],
            &["C[i, j]"],
        )
        .build();
    let product = binary(BinaryOp::Mul, read(1), read(2));
    scop.statements[0].body = vec![Action::Assign {
        target: 3,
        value: binary(BinaryOp::Add, read(0), product),
    }];
    let schedule = r#"
domain: "[n, m, l] -> { S0[i, j, k] : 0 <= i < n and 0 <= j < m and 0 <= k < l }"
child:
  schedule: "[{ S0[i, j, k] -> [(floor(i/2))] }, { S0[i, j, k] -> [(floor(k/2))] }]"
  child:
    mark: simd
    child:
      schedule: "[{ S0[i, j, k] -> [(j)] }]"
      child:
        mark: "unroll:2"
        child:
          schedule: "[{ S0[i, j, k] -> [(i)] }]"
          child:
            mark: "unroll:2"
            child:
              schedule: "[{ S0[i, j, k] -> [(k)] }]"
"#;
    let transformed = unlifted(&scop, Some(schedule));
    let program = Program {
        prelude: "",
        parameters: "int n, int m, int l, float A[restrict n][l], float B[restrict l][m], \
                     float C[restrict n][m]",
        locals: "",
        original: "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) \
                   for (int k = 0; k < l; k++) C[i][j] = C[i][j] + A[i][k] * B[k][j];",
        check: "
    static float A[400], B[400], C[2][400];
    for (int i = 0; i < 400; i++) A[i] = i % 17 * 0.37f, B[i] = i % 13 * 0.77f;
    for (int n = 1; n < 20; n += 3) for (int m = 1; m < 20; m += 4) for (int l = 1; l < 20; l++) {
        for (int i = 0; i < 400; i++) C[0][i] = C[1][i] = i;
        original(n, m, l, (void *)A, (void *)B, (void *)C[0]);
        result(n, m, l, (void *)A, (void *)B, (void *)C[1]);
        if (memcmp(C[0], C[1], sizeof C[0])) return printf(\"%d %d %d\\n\", n, m, l), 1;
    }
    return 0;",
    };
    insta::assert_snapshot!(print(&scop, &transformed, Target::C));
    program.run(&scop, &transformed);
}
