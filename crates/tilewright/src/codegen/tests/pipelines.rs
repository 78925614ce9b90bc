//! Overlapped tiles with local buffers, folded buffers.

use super::harness::*;
use crate::codegen::generation::build;
use crate::codegen::kernel::Node;
use crate::codegen::{CodegenOptions, Target};
use crate::scop::testing::ScopBuilder;
use crate::scop::{Action, BinaryOp, Scop};
use crate::transform::{BufferKind, Transformed};

/// `A` from the picture, `B` from `A` down the columns, `C` from `B` along the rows.
fn blur() -> Scop {
    let mut scop = ScopBuilder::new("[n, m] -> { : n >= 5 and m >= 5 }")
        .input("img", 2)
        .temporary("A", 2)
        .temporary("B", 2)
        .output("C", 2)
        .statement(
            "S0[i, j] : 0 <= i < n and 0 <= j < m",
            &["img[i, j]"],
            &["A[i, j]"],
        )
        .statement(
            "S1[i, j] : 1 <= i < n - 1 and 0 <= j < m",
            &["A[i - 1, j]", "A[i, j]", "A[i + 1, j]"],
            &["B[i, j]"],
        )
        .statement(
            "S2[i, j] : 1 <= i < n - 1 and 1 <= j < m - 1",
            &["B[i, j - 1]", "B[i, j]", "B[i, j + 1]"],
            &["C[i, j]"],
        )
        .build();
    scop.statements[0].body = vec![Action::Assign {
        target: 1,
        value: binary(BinaryOp::Mul, read(0), literal("0.5f")),
    }];
    scop
}

const BLUR: Program<'_> = Program {
    prelude: "",
    parameters: "int n, int m, const float img[restrict n][m], float C[restrict n][m]",
    locals: "float (*restrict A)[m] = malloc(sizeof(float[n][m]));
    float (*restrict B)[m] = malloc(sizeof(float[n][m]));
    (void)A, (void)B;",
    original: "
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[i][j] = img[i][j] * 0.5f;
    for (int i = 1; i < n - 1; i++) for (int j = 0; j < m; j++)
        B[i][j] = A[i - 1][j] + A[i][j] + A[i + 1][j];
    for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)
        C[i][j] = B[i][j - 1] + B[i][j] + B[i][j + 1];
    free(B); free(A);",
    check: "
    static float img[100 * 100], C[2][100 * 100];
    for (int i = 0; i < 100 * 100; i++) img[i] = i % 97 * 0.37f;
    for (int n = 5; n < 100; n += 13) for (int m = 5; m < 100; m += 11) {
        original(n, m, (void *)img, (void *)C[0]);
        result(n, m, (void *)img, (void *)C[1]);
        if (memcmp(C[0], C[1], sizeof C[0])) return printf(\"n = %d, m = %d\\n\", n, m), 1;
    }
    return 0;",
};

const DOMAINS: [&str; 3] = [
    "[n, m] -> { S0[t, u, i, j] : 8t - 1 <= i <= 8t + 8 and 32u - 1 <= j <= 32u + 32 \
     and 0 <= i < n and 0 <= j < m and 0 <= 8t < n - 1 and 0 <= 32u < m - 1 }",
    "[n, m] -> { S1[t, u, i, j] : 8t <= i <= 8t + 7 and 32u - 1 <= j <= 32u + 32 \
     and 1 <= i < n - 1 and 0 <= j < m and 0 <= 8t < n - 1 and 0 <= 32u < m - 1 }",
    "[n, m] -> { S2[t, u, i, j] : 8t <= i <= 8t + 7 and 32u <= j <= 32u + 31 \
     and 1 <= i < n - 1 and 1 <= j < m - 1 and 0 <= 8t < n - 1 and 0 <= 32u < m - 1 }",
];

fn overlapped(scop: &Scop) -> Transformed {
    let mut domain = isl::UnionSet::read_from_str(&scop.ctx, "{ }").unwrap();
    for text in DOMAINS {
        domain = domain
            .union(&isl::UnionSet::read_from_str(&scop.ctx, text).unwrap())
            .unwrap();
    }
    let schedule = format!(
        r#"
domain: "{domain}"
child:
  mark: parallel
  child:
    schedule: "[{{ S0[t, u, i, j] -> [(t)]; S1[t, u, i, j] -> [(t)]; S2[t, u, i, j] -> [(t)] }}]"
    child:
      mark: parallel
      child:
        schedule: "[{{ S0[t, u, i, j] -> [(u)]; S1[t, u, i, j] -> [(u)]; S2[t, u, i, j] -> [(u)] }}]"
        child:
          mark: "scope:0"
          child:
            sequence:
            - filter: "{{ S0[t, u, i, j] }}"
              child:
                schedule: "[{{ S0[t, u, i, j] -> [(i)] }}]"
                child:
                  mark: simd
                  child:
                    schedule: "[{{ S0[t, u, i, j] -> [(j)] }}]"
            - filter: "{{ S1[t, u, i, j] }}"
              child:
                schedule: "[{{ S1[t, u, i, j] -> [(i)] }}]"
                child:
                  mark: simd
                  child:
                    schedule: "[{{ S1[t, u, i, j] -> [(j)] }}]"
            - filter: "{{ S2[t, u, i, j] }}"
              child:
                schedule: "[{{ S2[t, u, i, j] -> [(i)] }}]"
                child:
                  mark: simd
                  child:
                    schedule: "[{{ S2[t, u, i, j] -> [(j)] }}]"
"#
    );
    let mut transformed = Transformed {
        schedule: isl::Schedule::read_from_str(&scop.ctx, &schedule).unwrap(),
        statements: (0..3)
            .map(|s| lifted(scop, s, 2, Some(DOMAINS[s])))
            .collect(),
        buffers: full(scop),
        shared: Vec::new(),
        atomic: Vec::new(),
        reordered: Vec::new(),
        tiled: Vec::new(),
    };
    let origins = ["{ [t, u] -> [(8t - 1)] }", "{ [t, u] -> [(32u - 1)] }"];
    localise(
        scop,
        &mut transformed,
        "A",
        0,
        &origins,
        &[10, 34],
        &[false, false],
    );
    let origins = ["{ [t, u] -> [(8t)] }", "{ [t, u] -> [(32u - 1)] }"];
    localise(
        scop,
        &mut transformed,
        "B",
        0,
        &origins,
        &[8, 34],
        &[false, false],
    );
    transformed
}

#[test]
fn overlapped_tiles() {
    let scop = blur();
    let transformed = overlapped(&scop);
    let settings = CodegenOptions {
        group_titles: vec!["A, B, C: scalene overlapped tiles of 8 x 32".to_owned()],
        ..options(Target::OpenMp)
    };
    let text = print_with(&scop, &transformed, &settings);
    insta::assert_snapshot!(text);
    BLUR.assert_vectorised(&text);
    insta::assert_snapshot!(print(&scop, &transformed, Target::C));
    BLUR.run(&scop, &transformed);
}

#[test]
fn scopes_keep_their_place_in_the_kernel() {
    let scop = blur();
    let transformed = overlapped(&scop);
    let kernel = build::generate(&scop, &transformed, &options(Target::OpenMp)).unwrap();
    let names: Vec<(&str, &[i64])> = kernel
        .buffers
        .iter()
        .map(|b| (b.name.as_str(), b.extents.as_slice()))
        .collect();
    assert_eq!(names, [("tw_A", &[10, 34][..]), ("tw_B", &[8, 34])]);
    let all = loops(&kernel);
    assert_eq!(all[0].collapse, 2);
    assert!(matches!(
        all[1].body.as_slice(),
        [Node::Scope { scope: 0, .. }]
    ));
}

/// Tile coordinates that do not move the origin by a multiple, degenerate tile loops, isolation.
#[test]
fn isolated_full_tiles() {
    let scop = blur();
    let mut transformed = overlapped(&scop);
    let isolate =
        "[n, m] -> { isolate[[t] -> [u]] : 1 <= t and 8t + 9 < n and 1 <= u and 32u + 33 < m }";
    let options = isl::UnionSet::read_from_str(&scop.ctx, isolate).unwrap();
    let node = transformed.schedule.get_root().unwrap();
    let node = node
        .child(0)
        .unwrap()
        .child(0)
        .unwrap()
        .child(0)
        .unwrap()
        .child(0)
        .unwrap();
    transformed.schedule = node
        .band_set_ast_build_options(&options)
        .unwrap()
        .get_schedule()
        .unwrap();
    let text = print(&scop, &transformed, Target::OpenMp);
    assert!(text.contains("c3 <= 32 * c1 + 32; c3++"), "{text}");
    BLUR.assert_vectorised(&text);
    BLUR.run(&scop, &transformed);
}

/// Rows of `A` and `B` interleaved: three rows of `A` are alive.
#[test]
fn folded_buffers() {
    let scop = blur();
    let schedule = r#"
domain: "[n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j < m; S1[i, j] : 1 <= i < n - 1 and 0 <= j < m; S2[i, j] : 1 <= i < n - 1 and 1 <= j < m - 1 }"
child:
  mark: "scope:0"
  child:
    schedule: "[{ S0[i, j] -> [(i)]; S1[i, j] -> [(i + 1)]; S2[i, j] -> [(i + 1)] }]"
    child:
      sequence:
      - filter: "{ S0[i, j] }"
        child:
          mark: simd
          child:
            schedule: "[{ S0[i, j] -> [(j)] }]"
      - filter: "{ S1[i, j] }"
        child:
          mark: simd
          child:
            schedule: "[{ S1[i, j] -> [(j)] }]"
      - filter: "{ S2[i, j] }"
        child:
          mark: simd
          child:
            schedule: "[{ S2[i, j] -> [(j)] }]"
"#;
    let mut transformed = unlifted(&scop, Some(schedule));
    let origins = ["{ [] -> [(-7)] }", "{ [] -> [(0)] }"];
    localise(
        &scop,
        &mut transformed,
        "A",
        0,
        &origins,
        &[3, 100],
        &[true, false],
    );
    let origins = ["{ [] -> [(0)] }", "{ [] -> [(0)] }"];
    localise(
        &scop,
        &mut transformed,
        "B",
        0,
        &origins,
        &[1, 100],
        &[true, false],
    );
    let text = print(&scop, &transformed, Target::OpenMp);
    insta::assert_snapshot!(text);
    BLUR.assert_vectorised(&text);
    BLUR.run(&scop, &transformed);
}

/// A fold along the vector loop: its lanes would share cells.
#[test]
fn a_folded_dimension_is_not_vectorised() {
    let mut scop = ScopBuilder::new("[n] -> { : n >= 3 }")
        .input("img", 1)
        .temporary("A", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n", &["img[i]"], &["A[i]"])
        .statement("S1[i] : 2 <= i < n", &["A[i - 2]", "A[i]"], &["C[i]"])
        .build();
    scop.statements[0].body = vec![Action::Assign {
        target: 1,
        value: binary(BinaryOp::Mul, read(0), literal("0.5f")),
    }];
    let schedule = r#"
domain: "[n] -> { S0[i] : 0 <= i < n; S1[i] : 2 <= i < n }"
child:
  mark: "scope:3"
  child:
    mark: simd
    child:
      schedule: "[{ S0[i] -> [(i)]; S1[i] -> [(i)] }]"
      child:
        sequence:
        - filter: "{ S0[i] }"
        - filter: "{ S1[i] }"
"#;
    let mut transformed = unlifted(&scop, Some(schedule));
    let buffer = localise(
        &scop,
        &mut transformed,
        "A",
        3,
        &["{ [] -> [(0)] }"],
        &[4],
        &[true],
    );
    let text = print(&scop, &transformed, Target::OpenMp);
    assert!(
        !text.contains("simd") && text.contains("tw_A[c0 & 3]"),
        "{text}"
    );
    Program {
        prelude: "",
        parameters: "int n, const float img[restrict n], float C[restrict n]",
        locals: "float A[n]; (void)A;",
        original: "for (int i = 0; i < n; i++) A[i] = img[i] * 0.5f;
    for (int i = 2; i < n; i++) C[i] = A[i - 2] + A[i];",
        check: "
    static float img[50], C[2][50];
    for (int i = 0; i < 50; i++) img[i] = i * i;
    original(50, img, C[0]);
    result(50, img, C[1]);
    return memcmp(C[0], C[1], sizeof C[0]) != 0;",
    }
    .run(&scop, &transformed);
    // Extents that are no power of two.
    if let BufferKind::Local { extents, .. } = &mut transformed.buffers[buffer].kind {
        extents[0] = 3;
    }
    let text = print(&scop, &transformed, Target::OpenMp);
    assert!(text.contains("tw_A[c0 % 3]"), "{text}");
}
