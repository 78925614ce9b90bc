//! Parallel loops that are none: each is refused with the pair of instances that conflict.

use crate::scop::testing::ScopBuilder;
use crate::transform::Transformed;
use crate::validate::tests::build::{Build, refusal};
use crate::validate::tests::right::{
    POINT_LOOPS, TILE_LOOP, histogram, overlapped, pipeline, seidel, two_stages,
};

#[test]
fn a_parallel_loop_that_carries_a_dependence() {
    let scop = seidel();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n, steps] -> { S0[t, i] : 0 <= t < steps and 1 <= i < n - 1 }"
child:
  schedule: "[{ S0[t, i] -> [(t)] }]"
  child:
    mark: "parallel"
    child:
      schedule: "[{ S0[t, i] -> [(i)] }]"
"#,
    );
    assert_eq!(
        refusal(&scop, &plan),
        "Race: S0(t=0, i=1) would write A[1] while S0(t=0, i=2), in another iteration of the \
         same parallel loop, reads it (n = 4, steps = 1)"
    );
}

#[test]
fn a_vector_loop_that_carries_a_dependence() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .inout("A", 1)
        .statement("S0[i] : 3 <= i < n", &["A[i - 3]"], &["A[i]"])
        .build();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n] -> { S0[i] : 3 <= i < n }"
child:
  mark: "simd"
  child:
    schedule: "[{ S0[i] -> [(i)] }]"
"#,
    );
    assert_eq!(
        refusal(&scop, &plan),
        "Race: S0(i=3) would write A[3] while S0(i=6), in another iteration of the same vector \
         loop, reads it (n = 7)"
    );
}

#[test]
fn a_scratchpad_shared_by_the_tiles_of_a_parallel_loop() {
    let scop = pipeline();
    let build = overlapped(&scop, (2, 1), (2, 1), (36, 34));
    let plan = build.tiles(TILE_LOOP, &["scope:0", "parallel"], &POINT_LOOPS);
    // The same tree with the scope around the loop.
    let text = plan.schedule.to_string();
    let text = text.replacen("mark: \"scope:0\"", "mark: \"inside\"", 1);
    let at = text.find("mark: \"parallel\"").unwrap();
    let text = format!(
        "{}mark: \"scope:0\", child: {{ {} }}",
        &text[..at],
        &text[at..]
    );
    let schedule = isl::Schedule::read_from_str(&scop.ctx, &text).unwrap();
    let plan = Transformed { schedule, ..plan };
    assert_eq!(
        refusal(&scop, &plan),
        "Race: S0(i=0) in tile (0) would write A[0] while S0(i=32) in tile (1), in another \
         iteration of the same parallel loop, writes it (n = 33)"
    );
}

#[test]
fn unknown_cells_counted_in_parallel() {
    let scop = histogram();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n, bins] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }"
child:
  sequence:
  - filter: "{ S0[i] }"
    child:
      mark: "parallel"
      child:
        schedule: "[{ S0[i] -> [(i)] }]"
  - filter: "{ S1[i] }"
    child:
      schedule: "[{ S1[i] -> [(i)] }]"
"#,
    );
    assert_eq!(
        refusal(&scop, &plan),
        "Race: S0(i=0) would write H[0] while S0(i=1), in another iteration of the same parallel \
         loop, writes it (n = 2, bins = 1)"
    );
}

/// That a statement's updates are atomic says nothing where it makes none: what is meant to be one
/// is looked at again.
#[test]
fn atomic_statements_that_are_no_updates() {
    let scop = histogram();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n, bins] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }"
child:
  sequence:
  - filter: "{ S0[i] }"
    child:
      mark: "parallel"
      child:
        schedule: "[{ S0[i] -> [(i)] }]"
  - filter: "{ S1[i] }"
    child:
      schedule: "[{ S1[i] -> [(i)] }]"
"#,
    );
    let plan = Transformed {
        atomic: vec![0],
        ..plan
    };
    let adds = crate::analysis::reductions::update_of(&scop, 0, scop.array_named("H").unwrap());
    assert_eq!(adds, None);
    assert!(refusal(&scop, &plan).starts_with("Race: S0(i=0) would write H[0]"));
}

#[test]
fn a_temporary_of_an_iteration_shared_by_all() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("in", 1)
        .region("t", 1, 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &["in[i]"], &["t[i]"])
        .statement("S1[i] : 0 <= i < n", &["t[i]"], &["B[i]"])
        .build();
    let plan = Build::unlifted(&scop)
        .local("t_cell", "t", 0, &[("{ [] -> [(0)] }", 1, true)])
        .bind("t_cell")
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }"
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
    assert_eq!(
        refusal(&scop, &plan),
        "Flow: S1(i=0) would read t as S0(i=1) has overwritten it, not as S0(i=0) wrote it (n = 2)"
    );
}

#[test]
fn a_mark_that_is_not_above_a_loop() {
    let scop = two_stages();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n] -> { S0[i] : 0 <= i < n + 2; S1[i] : 1 <= i < n + 1 }"
child:
  mark: "parallel"
  child:
    sequence:
    - filter: "{ S0[i] }"
    - filter: "{ S1[i] }"
"#,
    );
    assert_eq!(
        refusal(&scop, &plan),
        "Race: the mark `parallel` does not stand above a loop"
    );
}
