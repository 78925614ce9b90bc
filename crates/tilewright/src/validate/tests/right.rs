//! Right plans, which must be accepted.

use super::build::{Build, refusal};
use crate::scop::Scop;
use crate::scop::testing::ScopBuilder;

/// Three stages with halos 0, 1 and 2: A and B intermediate, C live-out.
pub(super) fn pipeline() -> Scop {
    ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("in", 1)
        .temporary("A", 1)
        .temporary("B", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n + 4", &["in[i]"], &["A[i]"])
        .statement(
            "S1[i] : 1 <= i < n + 3",
            &["A[i - 1]", "A[i]", "A[i + 1]"],
            &["B[i]"],
        )
        .statement(
            "S2[i] : 2 <= i < n + 2",
            &["B[i - 1]", "B[i]", "B[i + 1]"],
            &["C[i]"],
        )
        .build()
}

/// Its overlapped tiles of 32 points: how far S0 and S1 reach beyond the tile on the left and on
/// the right, and the extents of the scratchpads.
pub(super) fn overlapped<'a>(
    scop: &'a Scop,
    left: (i64, i64),
    right: (i64, i64),
    extents: (i64, i64),
) -> Build<'a> {
    let lifted = |name: &str, low: i64, high: i64, left: i64, right: i64| {
        format!(
            "[n] -> {{ {name}[t, i] : 0 <= t and 32t + 2 < n + 2 and {low} <= i < n + {high} and \
             32t + 2 - {left} <= i < 32t + 34 + {right} }}"
        )
    };
    Build::new(scop)
        .local("A_tile", "A", 0, &[("{ [t] -> [32t] }", extents.0, false)])
        .local(
            "B_tile",
            "B",
            0,
            &[("{ [t] -> [32t + 1] }", extents.1, false)],
        )
        .lifted(
            "S0",
            1,
            &lifted("S0", 0, 4, left.0, right.0),
            &["A_tile", "B_tile"],
        )
        .lifted(
            "S1",
            1,
            &lifted("S1", 1, 3, left.1, right.1),
            &["A_tile", "B_tile"],
        )
        .lifted("S2", 1, &lifted("S2", 2, 2, 0, 0), &["A_tile", "B_tile"])
}

pub(super) const TILE_LOOP: &str = "[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t)]; S2[t, i] -> [(t)] }]";
pub(super) const POINT_LOOPS: [&str; 3] = [
    "[{ S0[t, i] -> [(i)] }]",
    "[{ S1[t, i] -> [(i)] }]",
    "[{ S2[t, i] -> [(i)] }]",
];

/// A five-point in-place sweep.
pub(super) fn seidel() -> Scop {
    ScopBuilder::new("[n, steps] -> { : n >= 3 and steps >= 1 }")
        .inout("A", 1)
        .statement(
            "S0[t, i] : 0 <= t < steps and 1 <= i < n - 1",
            &["A[i - 1]", "A[i]", "A[i + 1]"],
            &["A[i]"],
        )
        .build()
}

/// Jacobi with copy-back.
pub(super) fn jacobi() -> Scop {
    ScopBuilder::new("[n, steps] -> { : n >= 3 and steps >= 1 }")
        .inout("A", 1)
        .temporary("B", 1)
        .statement(
            "S0[t, i] : 0 <= t < steps and 1 <= i < n - 1",
            &["A[i - 1]", "A[i]", "A[i + 1]"],
            &["B[i]"],
        )
        .statement("S1[t, i] : 0 <= t < steps and 1 <= i < n - 1", &["B[i]"], &["A[i]"])
        .schedule(
            r#"
domain: "[n, steps] -> { S0[t, i] : 0 <= t < steps and 1 <= i < n - 1; S1[t, i] : 0 <= t < steps and 1 <= i < n - 1 }"
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
        )
        .build()
}

#[test]
fn the_program_itself() {
    for scop in [pipeline(), seidel(), jacobi()] {
        assert_eq!(
            refusal(&scop, &Build::unlifted(&scop).original_order()),
            "accepted"
        );
    }
}

#[test]
fn parallelogram_tiles_of_a_skewed_sweep() {
    let scop = seidel();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n, steps] -> { S0[t, i] : 0 <= t < steps and 1 <= i < n - 1 }"
child:
  schedule: "[{ S0[t, i] -> [(floor(t/8))] }, { S0[t, i] -> [(floor((t + i)/8))] }]"
  child:
    schedule: "[{ S0[t, i] -> [(t)] }, { S0[t, i] -> [(t + i)] }]"
"#,
    );
    assert_eq!(refusal(&scop, &plan), "accepted");
}

#[test]
fn wavefronts_of_tiles_in_parallel() {
    let scop = seidel();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n, steps] -> { S0[t, i] : 0 <= t < steps and 1 <= i < n - 1 }"
child:
  schedule: "[{ S0[t, i] -> [(floor(t/8) + floor((t + i)/8))] }]"
  child:
    mark: "parallel"
    child:
      schedule: "[{ S0[t, i] -> [(floor(t/8))] }]"
      child:
        schedule: "[{ S0[t, i] -> [(t)] }, { S0[t, i] -> [(t + i)] }]"
"#,
    );
    assert_eq!(refusal(&scop, &plan), "accepted");
}

#[test]
fn skewed_tiles_of_two_statements() {
    let scop = jacobi();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n, steps] -> { S0[t, i] : 0 <= t < steps and 1 <= i < n - 1; S1[t, i] : 0 <= t < steps and 1 <= i < n - 1 }"
child:
  schedule: "[{ S0[t, i] -> [(floor(t/4))]; S1[t, i] -> [(floor(t/4))] }, { S0[t, i] -> [(floor((2t + i)/16))]; S1[t, i] -> [(floor((2t + i + 1)/16))] }]"
  child:
    schedule: "[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t)] }, { S0[t, i] -> [(2t + i)]; S1[t, i] -> [(2t + i + 1)] }]"
    child:
      sequence:
      - filter: "{ S0[t, i] }"
      - filter: "{ S1[t, i] }"
"#,
    );
    assert_eq!(refusal(&scop, &plan), "accepted");
}

#[test]
fn overlapped_tiles_with_scratchpads() {
    let scop = pipeline();
    let plan = overlapped(&scop, (2, 1), (2, 1), (36, 34)).tiles(
        TILE_LOOP,
        &["parallel", "scope:0"],
        &POINT_LOOPS,
    );
    assert_eq!(refusal(&scop, &plan), "accepted");
}

#[test]
fn overlapped_tiles_that_compute_more_than_needed() {
    let scop = pipeline();
    let plan = overlapped(&scop, (2, 1), (5, 3), (39, 36)).tiles(
        TILE_LOOP,
        &["parallel", "scope:0"],
        &POINT_LOOPS,
    );
    assert_eq!(refusal(&scop, &plan), "accepted");
}

#[test]
fn overlapped_tiles_through_an_expansion_node() {
    let scop = pipeline();
    let build = overlapped(&scop, (2, 1), (2, 1), (36, 34));
    let plan = build.schedule(
        r#"
domain: "[n] -> { T[t] : 0 <= t and 32t + 2 < n + 2 }"
child:
  mark: "parallel"
  child:
    schedule: "[{ T[t] -> [(t)] }]"
    child:
      mark: "scope:0"
      child:
        contraction: "{ S0[t, i] -> T[(t)]; S1[t, i] -> T[(t)]; S2[t, i] -> T[(t)] }"
        expansion: "[n] -> { T[t] -> S0[t, i] : 0 <= i < n + 4 and 32t <= i < 32t + 36; T[t] -> S1[t, i] : 1 <= i < n + 3 and 32t + 1 <= i < 32t + 35; T[t] -> S2[t, i] : 2 <= i < n + 2 and 32t + 2 <= i < 32t + 34 }"
        child:
          sequence:
          - filter: "{ S0[t, i] }"
            child:
              schedule: "[{ S0[t, i] -> [(i)] }]"
          - filter: "{ S1[t, i] }"
            child:
              schedule: "[{ S1[t, i] -> [(i)] }]"
          - filter: "{ S2[t, i] }"
            child:
              schedule: "[{ S2[t, i] -> [(i)] }]"
"#,
    );
    assert_eq!(refusal(&scop, &plan), "accepted");
}

/// A producer and a consumer of three neighbours, interleaved, so that three cells are alive.
pub(super) fn line_buffer(scop: &Scop, cells: i64) -> crate::transform::Transformed {
    Build::unlifted(scop)
        .local("A_lines", "A", 0, &[("{ [] -> [(0)] }", cells, true)])
        .bind("A_lines")
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n + 2; S1[i] : 1 <= i < n + 1 }"
child:
  mark: "scope:0"
  child:
    schedule: "[{ S0[i] -> [(i)]; S1[i] -> [(i + 1)] }]"
    child:
      sequence:
      - filter: "{ S0[i] }"
      - filter: "{ S1[i] }"
"#,
        )
}

pub(super) fn two_stages() -> Scop {
    ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("in", 1)
        .temporary("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n + 2", &["in[i]"], &["A[i]"])
        .statement(
            "S1[i] : 1 <= i < n + 1",
            &["A[i - 1]", "A[i]", "A[i + 1]"],
            &["B[i]"],
        )
        .build()
}

#[test]
fn folding_to_exactly_what_is_alive() {
    let scop = two_stages();
    assert_eq!(refusal(&scop, &line_buffer(&scop, 3)), "accepted");
    assert_eq!(refusal(&scop, &line_buffer(&scop, 4)), "accepted");
}

#[test]
fn a_temporary_of_an_iteration_in_one_cell_per_thread() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("in", 1)
        .region("t", 1, 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &["in[i]"], &["t[i]"])
        .statement("S1[i] : 0 <= i < n", &["t[i]"], &["B[i]"])
        .build();
    let plan = Build::unlifted(&scop)
        .local("t_cell", "t", 3, &[("{ [] -> [(0)] }", 1, true)])
        .bind("t_cell")
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }"
child:
  mark: "parallel"
  child:
    schedule: "[{ S0[i] -> [(i)]; S1[i] -> [(i)] }]"
    child:
      mark: "scope:3"
      child:
        sequence:
        - filter: "{ S0[i] }"
        - filter: "{ S1[i] }"
"#,
        );
    assert_eq!(refusal(&scop, &plan), "accepted");
}

#[test]
fn reversed_loops_without_dependences() {
    let scop = two_stages();
    let plan = Build::unlifted(&scop).schedule(
        r#"
domain: "[n] -> { S0[i] : 0 <= i < n + 2; S1[i] : 1 <= i < n + 1 }"
child:
  sequence:
  - filter: "{ S0[i] }"
    child:
      mark: "parallel"
      child:
        schedule: "[{ S0[i] -> [(-i)] }]"
  - filter: "{ S1[i] }"
    child:
      mark: "simd"
      child:
        schedule: "[{ S1[i] -> [(-i)] }]"
"#,
    );
    assert_eq!(refusal(&scop, &plan), "accepted");
}

#[test]
fn unneeded_instances_may_go() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("in", 1)
        .temporary("A", 1)
        .temporary("dead", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n + 2", &["in[i]"], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i]"], &["dead[i]"])
        .statement("S2[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .build();
    let plan = Build::new(&scop)
        .lifted("S0", 0, "[n] -> { S0[i] : 0 <= i < n }", &[])
        .lifted("S2", 0, "[n] -> { S2[i] : 0 <= i < n }", &[])
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n; S2[i] : 0 <= i < n }"
child:
  schedule: "[{ S0[i] -> [(i)]; S2[i] -> [(i)] }]"
  child:
    sequence:
    - filter: "{ S0[i] }"
    - filter: "{ S2[i] }"
"#,
        );
    assert_eq!(refusal(&scop, &plan), "accepted");
}

#[test]
fn updates_of_unknown_cells_in_their_order() {
    let scop = histogram();
    assert_eq!(
        refusal(&scop, &Build::unlifted(&scop).original_order()),
        "accepted"
    );
}

/// A histogram and its scaling; which bin is counted depends on data.
pub(super) fn histogram() -> Scop {
    ScopBuilder::new("[n, bins] -> { : n >= 1 and bins >= 1 }")
        .input("in", 1)
        .inout("H", 1)
        .output("out", 1)
        .statement("S0[i] : 0 <= i < n", &["in[i]"], &["?H[x] : 0 <= x < bins"])
        .statement(
            "S1[i] : 0 <= i < n",
            &["?H[x] : 0 <= x < bins"],
            &["out[i]"],
        )
        .build()
}

#[test]
fn an_intermediate_in_full_and_in_scratchpads() {
    // B is live-out too: each tile computes what it needs, and its owner stores it.
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("in", 1)
        .output("B", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n + 1", &["in[i]"], &["B[i]"])
        .statement("S1[i] : 0 <= i < n", &["B[i]", "B[i + 1]"], &["C[i]"])
        .build();
    let plan = Build::new(&scop)
        .local("B_tile", "B", 0, &[("{ [t] -> [(16t)] }", 17, false)])
        .lifted(
            "S0",
            1,
            "[n] -> { S0[t, i] : 0 <= i <= n and 16t <= i <= 16t + 16 and 0 <= t and 16t < n }",
            &["B_tile"],
        )
        .lifted(
            "S0",
            1,
            "[n] -> { Own[t, i] : 0 <= i <= n and 16t <= i < 16t + 16 and 0 <= t }",
            &[],
        )
        .lifted(
            "S1",
            1,
            "[n] -> { S1[t, i] : 0 <= i < n and 16t <= i < 16t + 16 and 0 <= t }",
            &["B_tile"],
        )
        .tiles(
            "[{ S0[t, i] -> [(t)]; Own[t, i] -> [(t)]; S1[t, i] -> [(t)] }]",
            &["parallel", "scope:0"],
            &[
                "[{ S0[t, i] -> [(i)] }]",
                "[{ Own[t, i] -> [(i)] }]",
                "[{ S1[t, i] -> [(i)] }]",
            ],
        );
    assert_eq!(refusal(&scop, &plan), "accepted");
}

/// Stages of 3×3 reads on two dimensions, the last one live-out.
fn stages(count: usize) -> Scop {
    let mut builder = ScopBuilder::new("[n, m] -> { : n >= 100 and m >= 100 }").input("A0", 2);
    for stage in 1..=count {
        let name = format!("A{stage}");
        builder = if stage == count {
            builder.output(&name, 2)
        } else {
            builder.temporary(&name, 2)
        };
        let mut reads = Vec::new();
        for di in -1..=1 {
            for dj in -1..=1 {
                reads.push(format!("A{}[i + {di}, j + {dj}]", stage - 1));
            }
        }
        let reads: Vec<&str> = reads.iter().map(String::as_str).collect();
        let domain =
            format!("S{stage}[i, j] : {stage} <= i < n - {stage} and {stage} <= j < m - {stage}");
        builder = builder.statement(&domain, &reads, &[&format!("A{stage}[i, j]")]);
    }
    builder.build()
}

#[test]
fn twenty_overlapped_stages_are_checked_quickly() {
    const STAGES: usize = 20;
    let scop = stages(STAGES);
    let mut build = Build::new(&scop);
    let names: Vec<String> = (1..STAGES).map(|s| format!("A{s}_tile")).collect();
    for (name, stage) in names.iter().zip(1..) {
        let reach = (STAGES - stage) as i64;
        build = build.local(
            name,
            &format!("A{stage}"),
            0,
            &[
                (
                    &format!("{{ [t, u] -> [(32t + {STAGES} - {reach})] }}"),
                    32 + 2 * reach,
                    false,
                ),
                (
                    &format!("{{ [t, u] -> [(128u + {STAGES} - {reach})] }}"),
                    128 + 2 * reach,
                    false,
                ),
            ],
        );
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut tile = [Vec::new(), Vec::new()];
    let mut nests = Vec::new();
    for stage in 1..=STAGES {
        let reach = STAGES - stage;
        build = build.lifted(
            &format!("S{stage}"),
            2,
            &format!(
                "[n, m] -> {{ S{stage}[t, u, i, j] : {stage} <= i < n - {stage} and \
                 {stage} <= j < m - {stage} and 0 <= t, u and 32t < n - {e} and 128u < m - {e} and \
                 32t + {STAGES} - {reach} <= i < 32t + {STAGES} + 32 + {reach} and \
                 128u + {STAGES} - {reach} <= j < 128u + {STAGES} + 128 + {reach} }}",
                e = 2 * STAGES
            ),
            &names,
        );
        tile[0].push(format!("S{stage}[t, u, i, j] -> [(t)]"));
        tile[1].push(format!("S{stage}[t, u, i, j] -> [(u)]"));
        nests.push(format!(
            "[{{ S{stage}[t, u, i, j] -> [(i)] }}, {{ S{stage}[t, u, i, j] -> [(j)] }}]"
        ));
    }
    let nests: Vec<&str> = nests.iter().map(String::as_str).collect();
    let plan = build.tiles(
        &format!(
            "[{{ {} }}, {{ {} }}]",
            tile[0].join("; "),
            tile[1].join("; ")
        ),
        &["parallel", "scope:0"],
        &nests,
    );
    let dataflow = crate::analysis::dependences::dataflow::Dataflow::compute(&scop).unwrap();
    // isl's own count of operations: what a test can rely on. The bound is about 0.15 s of a
    // core of 2026.
    scop.ctx.reset_operations();
    scop.ctx.set_max_operations(1_000_000).unwrap();
    let verdict = crate::validate::validate(&scop, &dataflow, &plan).unwrap();
    assert_eq!(verdict, None);
}
