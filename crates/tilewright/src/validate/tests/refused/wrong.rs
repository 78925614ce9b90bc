//! Orders that are wrong, and instances that are missing: each is refused with the pair of instances
//! that goes wrong.

use crate::scop::testing::ScopBuilder;
use crate::validate::tests::build::{Build, refusal};
use crate::validate::tests::right::{histogram, jacobi, pipeline, seidel, two_stages};

#[test]
fn tiles_without_the_skew_that_the_sweep_needs() {
    let scop = seidel();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n, steps] -> { S0[t, i] : 0 <= t < steps and 1 <= i < n - 1 }"
child:
  schedule: "[{ S0[t, i] -> [(floor(t/4))] }, { S0[t, i] -> [(floor(i/4))] }]"
  child:
    schedule: "[{ S0[t, i] -> [(t)] }, { S0[t, i] -> [(i)] }]"
"#,
    );
    assert_eq!(
        refusal(&scop, &plan),
        "Flow: S0(t=0, i=4) would read A[3] as S0(t=1, i=3) has overwritten it, not as \
         S0(t=0, i=3) wrote it (n = 6, steps = 2)"
    );
}

#[test]
fn a_skew_too_small_for_two_statements() {
    let scop = jacobi();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n, steps] -> { S0[t, i] : 0 <= t < steps and 1 <= i < n - 1; S1[t, i] : 0 <= t < steps and 1 <= i < n - 1 }"
child:
  schedule: "[{ S0[t, i] -> [(floor((t + i)/16))]; S1[t, i] -> [(floor((t + i)/16))] }]"
  child:
    schedule: "[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t)] }]"
    child:
      sequence:
      - filter: "{ S0[t, i] }"
        child:
          schedule: "[{ S0[t, i] -> [(i)] }]"
      - filter: "{ S1[t, i] }"
        child:
          schedule: "[{ S1[t, i] -> [(i)] }]"
"#,
    );
    assert_eq!(
        refusal(&scop, &plan),
        "Flow: S0(t=14, i=2) would read A[1] as S1(t=14, i=1) has overwritten it, not as \
         S1(t=13, i=1) wrote it (n = 4, steps = 15)"
    );
}

#[test]
fn a_reduction_in_another_order() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .inout("s", 0)
        .statement("S0[i] : 0 <= i < n", &["s[]", "A[i]"], &["s[]"])
        .build();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n] -> { S0[i] : 0 <= i < n }"
child:
  schedule: "[{ S0[i] -> [(-i)] }]"
"#,
    );
    assert_eq!(
        refusal(&scop, &plan),
        "Flow: S0(i=1) would read what S0(i=0) has not yet written to s (n = 2)"
    );
}

#[test]
fn two_writers_swapped() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i + 1]"], &["B[i]"])
        .build();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }"
child:
  sequence:
  - filter: "{ S1[i] }"
  - filter: "{ S0[i] }"
"#,
    );
    assert_eq!(
        refusal(&scop, &plan),
        "LiveOut: S0(i=0) would be the last to write B[0], not S1(i=0) (n = 1)"
    );
}

/// Two sweeps between two arrays, overlapped, written in place: the tile on the left has already
/// replaced what the tile on the right needs.
#[test]
fn ping_pong_arrays_under_overlapped_tiles() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .inout("A", 1)
        .inout("B", 1)
        .statement(
            "S0[i] : 1 <= i < n + 3",
            &["A[i - 1]", "A[i]", "A[i + 1]"],
            &["B[i]"],
        )
        .statement(
            "S1[i] : 2 <= i < n + 2",
            &["B[i - 1]", "B[i]", "B[i + 1]"],
            &["A[i]"],
        )
        .build();
    let plan = Build::new(&scop)
        .lifted(
            "S0",
            1,
            "[n] -> { S0[t, i] : 1 <= i < n + 3 and 0 <= t and 16t < n and 16t + 1 <= i < 16t + 19 }",
            &[],
        )
        .lifted(
            "S1",
            1,
            "[n] -> { S1[t, i] : 2 <= i < n + 2 and 0 <= t and 16t + 2 <= i < 16t + 18 }",
            &[],
        )
        .tiles(
            "[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t)] }]",
            &[],
            &["[{ S0[t, i] -> [(i)] }]", "[{ S1[t, i] -> [(i)] }]"],
        );
    assert_eq!(
        refusal(&scop, &plan),
        "Flow: S0(i=17) in tile (1) would read A[16] as S1(i=16) has overwritten it, not the \
         value from before the region (n = 17)"
    );
}

#[test]
fn an_instance_left_out() {
    let scop = pipeline();
    let plan = Build::new(&scop)
        .lifted("S0", 0, "[n] -> { S0[i] : 0 <= i < n + 4 }", &[])
        .lifted("S1", 0, "[n] -> { S1[i] : 1 <= i < n + 2 }", &[])
        .lifted("S2", 0, "[n] -> { S2[i] : 2 <= i < n + 2 }", &[])
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n + 4; S1[i] : 1 <= i < n + 2; S2[i] : 2 <= i < n + 2 }"
child:
  sequence:
  - filter: "{ S0[i] }"
  - filter: "{ S1[i] }"
  - filter: "{ S2[i] }"
"#,
        );
    assert_eq!(
        refusal(&scop, &plan),
        "Domain: S1(i=3) would not be executed, but S2(i=2) reads what it wrote (n = 1)"
    );
}

#[test]
fn a_result_that_nobody_computes() {
    let scop = two_stages();
    let plan = Build::new(&scop)
        .lifted("S0", 0, "[n] -> { S0[i] : 0 <= i < n + 2 }", &[])
        .lifted("S1", 0, "[n] -> { S1[i] : 1 <= i < n }", &[])
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n + 2; S1[i] : 1 <= i < n }"
child:
  sequence:
  - filter: "{ S0[i] }"
  - filter: "{ S1[i] }"
"#,
        );
    assert_eq!(
        refusal(&scop, &plan),
        "Domain: S1(i=1) would not be executed, which leaves the final value in B[1] (n = 1)"
    );
}

#[test]
fn an_instance_too_many() {
    let scop = two_stages();
    let plan = Build::new(&scop)
        .lifted("S0", 0, "[n] -> { S0[i] : 0 <= i < n + 3 }", &[])
        .lifted("S1", 0, "[n] -> { S1[i] : 1 <= i < n + 1 }", &[])
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n + 3; S1[i] : 1 <= i < n + 1 }"
child:
  sequence:
  - filter: "{ S0[i] }"
  - filter: "{ S1[i] }"
"#,
        );
    assert_eq!(
        refusal(&scop, &plan),
        "Domain: S0(i=3) would be executed, which is not an instance of the original (n = 1)"
    );
}

#[test]
fn a_schedule_that_drops_instances() {
    let scop = two_stages();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n] -> { S0[i] : 0 <= i < n + 2; S1[i] : 1 <= i < n + 1 }"
child:
  sequence:
  - filter: "{ S0[i] : i < 10 }"
  - filter: "{ S1[i] }"
"#,
    );
    assert_eq!(
        refusal(&scop, &plan),
        "Domain: S0(i=10) belongs to the program but not to its schedule (n = 9)"
    );
}

#[test]
fn unknown_cells_in_another_order() {
    let scop = histogram();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n, bins] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }"
child:
  sequence:
  - filter: "{ S0[i] }"
    child:
      schedule: "[{ S0[i] -> [(-i)] }]"
  - filter: "{ S1[i] }"
    child:
      schedule: "[{ S1[i] -> [(i)] }]"
"#,
    );
    assert_eq!(
        refusal(&scop, &plan),
        "Flow: S0(i=1) would read what S0(i=0) has not yet written to `H` (n = 2, bins = 1)"
    );
}
