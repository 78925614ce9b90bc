use super::*;
use crate::scop::testing::{ScopBuilder, access_named};

/// Under the assumptions.
fn assert_map(scop: &Scop, actual: &isl::UnionMap, expected: &str) {
    let expected = isl::UnionMap::read_from_str(actual.ctx(), expected).unwrap();
    let actual = actual.intersect_params(&scop.context).unwrap();
    assert!(
        actual.is_equal(&expected).unwrap(),
        "\n{actual}\nis not\n{expected}"
    );
}

fn sources(scop: &Scop, flow: &Dataflow, statement: &str, cell: &str) -> isl::UnionMap {
    let reader = scop.statement_named(statement).unwrap();
    let access = access_named(scop, statement, cell);
    let edge = flow
        .edges
        .iter()
        .find(|e| e.reader == reader && e.access == access);
    edge.unwrap().sources.clone()
}

fn within(scop: &Scop, text: &str) -> String {
    let map = isl::UnionMap::read_from_str(&scop.ctx, text).unwrap();
    map.intersect_params(&scop.context).unwrap().to_string()
}

#[test]
fn each_read_of_a_stencil_has_sources_of_its_own() {
    let scop = ScopBuilder::new("[n] -> { : n >= 4 }")
        .input("A", 1)
        .temporary("B", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .statement(
            "S1[i] : 1 <= i < n - 1",
            &["B[i - 1]", "B[i]", "B[i + 1]"],
            &["C[i]"],
        )
        .build();
    let flow = Dataflow::compute(&scop).unwrap();
    assert_eq!(flow.edges.len(), 4);
    assert_map(
        &scop,
        &sources(&scop, &flow, "S1", "B[i - 1]"),
        &within(&scop, "[n] -> { S0[i] -> S1[i + 1] : 0 <= i < n - 2 }"),
    );
    assert_map(
        &scop,
        &sources(&scop, &flow, "S1", "B[i + 1]"),
        &within(&scop, "[n] -> { S0[i] -> S1[i - 1] : 2 <= i < n }"),
    );
    assert_map(&scop, &sources(&scop, &flow, "S0", "A[i]"), "{ }");
    assert_map(
        &scop,
        &flow.live_in,
        &within(&scop, "[n] -> { S0[i] -> A[i] : 0 <= i < n }"),
    );
    assert_map(
        &scop,
        &flow.live_out,
        &within(&scop, "[n] -> { S1[i] -> C[i] : 0 < i < n - 1 }"),
    );
    assert_map(&scop, &flow.anti, "{ }");
}

#[test]
fn a_reduction_flows_from_one_iteration_to_the_next() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .output("s", 0)
        .statement("S0[]", &[], &["s[]"])
        .statement("S1[i] : 0 <= i < n", &["s[]", "A[i]"], &["s[]"])
        .build();
    let flow = Dataflow::compute(&scop).unwrap();
    assert_map(
        &scop,
        &sources(&scop, &flow, "S1", "s[]"),
        &within(
            &scop,
            "[n] -> { S0[] -> S1[0]; S1[i] -> S1[i + 1] : 0 <= i < n - 1 }",
        ),
    );
    assert_map(
        &scop,
        &flow.live_out,
        &within(&scop, "[n] -> { S1[n - 1] -> s[] }"),
    );
    // Memory-based: every earlier access of `s`.
    assert_map(
        &scop,
        &flow.output,
        &within(
            &scop,
            "[n] -> { S0[] -> S1[i] : 0 <= i < n; S1[i] -> S1[j] : 0 <= i < j < n }",
        ),
    );
    assert_map(
        &scop,
        &flow.anti,
        &within(&scop, "[n] -> { S1[i] -> S1[j] : 0 <= i < j < n }"),
    );
}

#[test]
fn conditional_writes_of_a_known_cell_are_updates() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .inout("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &[], &["?A[i]"])
        .statement("S2[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .build();
    let flow = Dataflow::compute(&scop).unwrap();
    assert_map(
        &scop,
        &sources(&scop, &flow, "S2", "A[i]"),
        &within(&scop, "[n] -> { S1[i] -> S2[i] : 0 <= i < n }"),
    );
    assert_map(
        &scop,
        &sources(&scop, &flow, "S1", "A[i]"),
        &within(&scop, "[n] -> { S0[i] -> S1[i] : 0 <= i < n }"),
    );
}

#[test]
fn writes_to_unknown_cells_are_possible_sources() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .inout("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &[], &["?A[x] : 0 <= x < n"])
        .statement("S2[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .build();
    let flow = Dataflow::compute(&scop).unwrap();
    assert_map(
        &scop,
        &sources(&scop, &flow, "S2", "A[i]"),
        &within(
            &scop,
            "[n] -> { S0[i] -> S2[i] : 0 <= i < n; S1[j] -> S2[i] : 0 <= i, j < n }",
        ),
    );
    // A possible writer leaves the cells of certain ones alive.
    let live_out = flow
        .live_out
        .intersect_domain(&isl::UnionSet::read_from_str(&scop.ctx, "{ S0[i]; S1[i] }").unwrap());
    assert_map(
        &scop,
        &live_out.unwrap(),
        &within(
            &scop,
            "[n] -> { S0[i] -> A[i] : 0 <= i < n; S1[j] -> A[i] : 0 <= i, j < n }",
        ),
    );
}

#[test]
fn a_body_that_reads_what_it_wrote_does_not_depend_on_others_for_it() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .temporary("t", 0)
        .output("B", 1)
        .statement_with_steps(
            "S0[i] : 0 <= i < n",
            &[("t[]", &["A[i]"]), ("B[i]", &["t[]", "A[i + 1]"])],
        )
        .build();
    let flow = Dataflow::compute(&scop).unwrap();
    assert_map(&scop, &flow.flow(&scop).unwrap(), "{ }");
    assert_map(
        &scop,
        &flow.live_in,
        &within(
            &scop,
            "[n] -> { S0[i] -> A[j] : 0 <= i < n and i <= j <= i + 1 }",
        ),
    );
    // The cell is still shared: instances must not interleave.
    assert!(!flow.anti.is_empty().unwrap());
    assert!(!flow.output.is_empty().unwrap());
}

#[test]
fn dependences_are_told_apart_by_array() {
    let scop = ScopBuilder::new("[n] -> { : n >= 2 }")
        .inout("A", 1)
        .inout("B", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[0]"])
        .statement("S1[i] : 0 <= i < n", &["B[0]"], &["A[i]"])
        .build();
    let flow = Dataflow::compute(&scop).unwrap();
    assert_map(
        &scop,
        &flow.through[0],
        &within(&scop, "[n] -> { S0[i] -> S1[i] : 0 <= i < n }"),
    );
    assert_map(
        &scop,
        &flow.through[1],
        &within(&scop, "[n] -> { S0[i] -> S0[j] : 0 <= i < j < n }"),
    );
    assert_map(
        &scop,
        &flow.flow(&scop).unwrap(),
        &within(&scop, "[n] -> { S0[n - 1] -> S1[i] : 0 <= i < n }"),
    );
}

#[test]
fn fifty_stages_of_nine_reads_are_cheap() {
    let mut builder = ScopBuilder::new("[n, m] -> { : n >= 200 and m >= 200 }").input("A0", 2);
    for stage in 1..=50 {
        builder = builder.temporary(&format!("A{stage}"), 2);
        let mut reads = Vec::new();
        for di in -1..=1 {
            for dj in -1..=1 {
                reads.push(format!("A{}[i + {di}, j + {dj}]", stage - 1));
            }
        }
        let reads: Vec<&str> = reads.iter().map(String::as_str).collect();
        builder = builder.statement(
            &format!("S{stage}[i, j] : {stage} <= i < n - {stage} and {stage} <= j < m - {stage}"),
            &reads,
            &[&format!("A{stage}[i, j]")],
        );
    }
    let scop = builder.build();
    // isl's own count of operations: what a test can rely on. The bound is about 0.3 s of a
    // core of 2026.
    scop.ctx.reset_operations();
    scop.ctx.set_max_operations(3_000_000).unwrap();
    let flow = Dataflow::compute(&scop).unwrap();
    assert_eq!(flow.edges.len(), 450);
}
