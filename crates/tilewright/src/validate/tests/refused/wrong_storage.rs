//! Plans whose storage or overlap is wrong: each is refused with the pair of instances that goes
//! wrong.

use crate::scop::Scop;
use crate::scop::testing::ScopBuilder;
use crate::transform::Transformed;
use crate::validate::tests::build::{Build, refusal};
use crate::validate::tests::right::{
    POINT_LOOPS, TILE_LOOP, line_buffer, overlapped, pipeline, two_stages,
};

#[test]
fn an_overlap_one_too_small() {
    let scop = pipeline();
    let plan = overlapped(&scop, (2, 0), (2, 1), (36, 34)).tiles(
        TILE_LOOP,
        &["parallel", "scope:0"],
        &POINT_LOOPS,
    );
    // In the first tile there is nobody else to compute it, and that is seen first.
    assert_eq!(
        refusal(&scop, &plan),
        "Domain: S1(i=1) would not be executed, but S2(i=2) reads what it wrote (n = 1)"
    );
    let plan = overlapped(&scop, (2, 1), (1, 1), (36, 34)).tiles(
        TILE_LOOP,
        &["parallel", "scope:0"],
        &POINT_LOOPS,
    );
    assert_eq!(
        refusal(&scop, &plan),
        "Domain: S0(i=35) would not be executed, but S1(i=34) reads what it wrote (n = 32)"
    );
}

#[test]
fn an_overlap_one_too_small_between_tiles() {
    let scop = pipeline();
    let plan = with_inner_overlap(&scop, 0, 1);
    assert_eq!(
        refusal(&scop, &plan),
        "Flow: S2(i=34) in tile (1) would read what S1(i=33) has not written to B[33] in buffer \
         `B_tile` (n = 33)"
    );
    let plan = with_inner_overlap(&scop, 1, 0);
    assert_eq!(
        refusal(&scop, &plan),
        "Flow: S2(i=33) in tile (0) would read what S1(i=34) has not written to B[34] in buffer \
         `B_tile` (n = 33)"
    );
}

/// Overlapped tiles of the pipeline; S1 reaches so far beyond the tile on the left and right, but
/// is complete at the ends of the program.
fn with_inner_overlap(scop: &Scop, left: i64, right: i64) -> Transformed {
    let domain = |name: &str, low: i64, high: i64, left: i64, right: i64| {
        format!(
            "[n] -> {{ {name}[t, i] : 0 <= t and 32t < n and {low} <= i < n + {high} and \
             (32t + 2 - {left} <= i or t = 0) and (i < 32t + 34 + {right} or 32t + 32 >= n) }}"
        )
    };
    Build::new(scop)
        .local("A_tile", "A", 0, &[("{ [t] -> [32t] }", 36, false)])
        .local("B_tile", "B", 0, &[("{ [t] -> [32t + 1] }", 34, false)])
        .lifted("S0", 1, &domain("S0", 0, 4, 2, 2), &["A_tile", "B_tile"])
        .lifted(
            "S1",
            1,
            &domain("S1", 1, 3, left, right),
            &["A_tile", "B_tile"],
        )
        .lifted("S2", 1, &domain("S2", 2, 2, 0, 0), &["A_tile", "B_tile"])
        .tiles(TILE_LOOP, &["parallel", "scope:0"], &POINT_LOOPS)
}

#[test]
fn a_scratchpad_one_too_short() {
    let scop = pipeline();
    let plan = overlapped(&scop, (2, 1), (2, 1), (36, 33)).tiles(
        TILE_LOOP,
        &["parallel", "scope:0"],
        &POINT_LOOPS,
    );
    assert_eq!(
        refusal(&scop, &plan),
        "Bounds: S1(i=34) in tile (0) would access B[34], element 33 of 33 in dimension 0 of \
         buffer `B_tile` (n = 32)"
    );
}

#[test]
fn a_scratchpad_that_starts_too_late() {
    let scop = pipeline();
    let mut plan = overlapped(&scop, (2, 1), (2, 1), (36, 34)).tiles(
        TILE_LOOP,
        &["parallel", "scope:0"],
        &POINT_LOOPS,
    );
    let late = isl::Aff::read_from_str(&scop.ctx, "{ [t] -> [(32t + 2)] }").unwrap();
    if let crate::transform::BufferKind::Local { origin, .. } = &mut plan.buffers[5].kind {
        *origin = vec![late];
    }
    assert_eq!(
        refusal(&scop, &plan),
        "Bounds: S1(i=1) in tile (0) would access B[1], element -1 of 34 in dimension 0 of \
         buffer `B_tile` (n = 1)"
    );
}

#[test]
fn a_folded_buffer_one_too_small() {
    let scop = two_stages();
    assert_eq!(
        refusal(&scop, &line_buffer(&scop, 2)),
        "Flow: S1(i=1) would read A[0] as S0(i=2) has overwritten it, not as S0(i=0) wrote it \
         (n = 1)"
    );
}

#[test]
fn an_intermediate_shared_between_overlapping_tiles() {
    let scop = pipeline();
    let mut plan = overlapped(&scop, (2, 1), (2, 1), (36, 34)).tiles(
        TILE_LOOP,
        &["parallel", "scope:0"],
        &POINT_LOOPS,
    );
    // B in full: every value is right, but two tiles write the same cells.
    let b = scop.array_named("B").unwrap();
    for lifted in &mut plan.statements {
        for binding in &mut lifted.bindings {
            if plan.buffers[*binding].name == "B_tile" {
                *binding = b;
            }
        }
    }
    assert_eq!(
        refusal(&scop, &plan),
        "Race: S1(i=33) in tile (0) would write B[33] while S1(i=33) in tile (1), in another \
         iteration of the same parallel loop, writes it (n = 33)"
    );
}

#[test]
fn a_result_left_in_a_scratchpad() {
    let scop = pipeline();
    let build = overlapped(&scop, (2, 1), (2, 1), (36, 34));
    let plan = build
        .local("C_tile", "C", 0, &[("{ [t] -> [(32t + 2)] }", 32, false)])
        .bind("C_tile")
        .tiles(TILE_LOOP, &["parallel", "scope:0"], &POINT_LOOPS);
    assert_eq!(
        refusal(&scop, &plan),
        "LiveOut: S2(i=2) would not leave its value in C[2] at the end (n = 1)"
    );
}

#[test]
fn a_buffer_used_outside_of_its_life() {
    let scop = two_stages();
    let plan = Build::unlifted(&scop)
        .local("A_tile", "A", 0, &[("{ [] -> [(0)] }", 1000, true)])
        .bind("A_tile")
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n + 2; S1[i] : 1 <= i < n + 1 }"
child:
  sequence:
  - filter: "{ S0[i] }"
    child:
      mark: "scope:0"
      child:
        schedule: "[{ S0[i] -> [(i)] }]"
  - filter: "{ S1[i] }"
    child:
      schedule: "[{ S1[i] -> [(i)] }]"
"#,
        );
    assert_eq!(
        refusal(&scop, &plan),
        "Bounds: S1(i=1) would access A[0] in buffer `A_tile` outside of its life, the subtrees \
         of mark `scope` (n = 1)"
    );
}

#[test]
fn a_value_that_passes_from_one_life_of_a_buffer_to_another() {
    let scop = two_stages();
    let plan = Build::unlifted(&scop)
        .local("A_tile", "A", 0, &[("{ [] -> [(0)] }", 3, true)])
        .bind("A_tile")
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n + 2; S1[i] : 1 <= i < n + 1 }"
child:
  schedule: "[{ S0[i] -> [(i)]; S1[i] -> [(i + 1)] }]"
  child:
    mark: "scope:0"
    child:
      sequence:
      - filter: "{ S0[i] }"
      - filter: "{ S1[i] }"
"#,
        );
    assert_eq!(
        refusal(&scop, &plan),
        "Flow: S1(i=1) would read what S0(i=0) has not written to A[0] in buffer `A_tile` (n = 1)"
    );
}

#[test]
fn a_value_from_before_the_region_in_a_scratchpad() {
    let scop = ScopBuilder::new("[n] -> { : n >= 2 }")
        .inout("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n - 1", &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .build();
    let plan = Build::unlifted(&scop)
        .local("A_copy", "A", 0, &[("{ [] -> [(0)] }", 1000, true)])
        .bind("A_copy")
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n - 1; S1[i] : 0 <= i < n }"
child:
  mark: "scope:0"
  child:
    sequence:
    - filter: "{ S0[i] }"
    - filter: "{ S1[i] }"
"#,
        );
    assert_eq!(
        refusal(&scop, &plan),
        "Flow: S1(i=1) would read A[1] from buffer `A_copy`, where the value from before the \
         region is not (n = 2)"
    );
}

#[test]
fn unknown_cells_in_a_folded_buffer() {
    let scop = ScopBuilder::new("[n, bins] -> { : n >= 1 and bins >= 1 }")
        .input("in", 1)
        .temporary("H", 1)
        .output("out", 1)
        .statement("S0[i] : 0 <= i < n", &["in[i]"], &["?H[x] : 0 <= x < bins"])
        .statement(
            "S1[i] : 0 <= i < n",
            &["?H[x] : 0 <= x < bins"],
            &["out[i]"],
        )
        .build();
    let plan = Build::unlifted(&scop)
        .local("H_folded", "H", 0, &[("{ [] -> [(0)] }", 8, true)])
        .bind("H_folded")
        .schedule(
            r#"
domain: "[n, bins] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }"
child:
  mark: "scope:0"
  child:
    sequence:
    - filter: "{ S0[i] }"
      child:
        schedule: "[{ S0[i] -> [(i)] }]"
    - filter: "{ S1[i] }"
      child:
        schedule: "[{ S1[i] -> [(i)] }]"
"#,
        );
    assert!(refusal(&scop, &plan).starts_with("Flow: which elements of `H` are accessed"));
}

#[test]
fn a_body_whose_own_value_goes_elsewhere() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .temporary("t", 1)
        .output("B", 1)
        .statement_with_steps(
            "S0[i] : 0 <= i < n",
            &[("t[i]", &["A[i]"]), ("B[i]", &["t[i]"])],
        )
        .build();
    let mut plan = Build::unlifted(&scop)
        .local("t_cell", "t", 0, &[("{ [] -> [(0)] }", 1, true)])
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n }"
child:
  mark: "scope:0"
  child:
    schedule: "[{ S0[i] -> [(i)] }]"
"#,
        );
    plan.statements[0].bindings[1] = 3;
    assert_eq!(
        refusal(&scop, &plan),
        "Flow: S0(i=0) would read from `t` what it wrote to `t_cell` (n = 1)"
    );
}
