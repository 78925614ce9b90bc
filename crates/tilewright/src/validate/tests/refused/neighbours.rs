//! Plans that are wrong by one number, each beside the right one.

use crate::analysis::region::Region;
use crate::scop::Scop;
use crate::scop::testing::{ScopBuilder, region};
use crate::transform::Transformed;
use crate::validate::tests::build::{Build, refusal};
use crate::validate::tests::right::two_stages;

/// Two statements in one loop, the second one so many iterations behind.
fn behind(scop: &Scop, by: i64) -> Transformed {
    let domain = scop.domain().unwrap();
    Build::unlifted(scop).schedule(&format!(
        r#"
domain: "{domain}"
child:
  schedule: "[{{ S0[i] -> [(i)]; S1[i] -> [(i + {by})] }}]"
  child:
    sequence:
    - filter: "{{ S0[i] }}"
    - filter: "{{ S1[i] }}"
"#
    ))
}

#[test]
fn a_consumer_one_iteration_too_early() {
    let scop = two_stages();
    assert_eq!(refusal(&scop, &behind(&scop, 1)), "accepted");
    assert_eq!(
        refusal(&scop, &behind(&scop, 0)),
        "Flow: S1(i=1) would read what S0(i=2) has not yet written to A[2] (n = 1)"
    );
}

#[test]
fn a_last_writer_one_iteration_too_early() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["B[i]"])
        .statement("S1[i] : 0 <= i < n", &[], &["B[i + 1]"])
        .build();
    assert_eq!(refusal(&scop, &behind(&scop, 1)), "accepted");
    assert_eq!(
        refusal(&scop, &behind(&scop, 0)),
        "LiveOut: S0(i=1) would be the last to write B[1], not S1(i=0) (n = 2)"
    );
}

/// A value from before the region that is overwritten too early.
#[test]
fn a_reader_of_inputs_one_iteration_too_late() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .inout("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i + 1]"], &["B[i]"])
        .statement("S1[i] : 0 <= i < n", &[], &["A[i]"])
        .build();
    assert_eq!(refusal(&scop, &behind(&scop, -1)), "accepted");
    assert_eq!(
        refusal(&scop, &behind(&scop, -2)),
        "Flow: S0(i=0) would read A[1] as S1(i=1) has overwritten it, not the value from before \
         the region (n = 2)"
    );
}

/// Writes that a loop in the original's order keeps apart, at a distance.
fn strips(distance: i64, size: i64) -> String {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .inout("A", 1)
        .statement(
            "S0[i] : 0 <= i < n",
            &[&format!("A[i - {distance}]")],
            &["A[i]"],
        )
        .build();
    let plan = Build::unlifted(&scop).schedule(&format!(
        r#"
domain: "[n] -> {{ S0[i] : 0 <= i < n }}"
child:
  schedule: "[{{ S0[i] -> [(floor(i/{size}))] }}]"
  child:
    mark: "simd"
    child:
      schedule: "[{{ S0[i] -> [(i)] }}]"
"#
    ));
    refusal(&scop, &plan)
}

#[test]
fn vectors_one_lane_too_long() {
    for size in [2, 4, 8] {
        assert_eq!(strips(size, size), "accepted");
        let last = size - 1;
        assert_eq!(
            strips(size - 1, size),
            format!(
                "Race: S0(i=0) would write A[0] while S0(i={last}), in another iteration of the \
                 same vector loop, reads it (n = {size})"
            )
        );
    }
}

/// Nobody reads what these write: two iterations may still not write the same cell.
#[test]
fn iterations_that_write_one_cell() {
    let verdict = |cell: &str| {
        let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
            .input("in", 1)
            .output("B", 1)
            .output("C", 1)
            .statement("S0[i] : 0 <= i < n", &["in[0]", "in[i]"], &["C[i]", cell])
            .build();
        let plan = Build::unlifted(&scop).schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n }"
child:
  mark: "parallel"
  child:
    schedule: "[{ S0[i] -> [(i)] }]"
"#,
        );
        refusal(&scop, &plan)
    };
    assert_eq!(verdict("B[i]"), "accepted");
    assert_eq!(verdict("B[2i]"), "accepted");
    assert_eq!(
        verdict("B[floor(i/2)]"),
        "Race: S0(i=0) would write B[0] while S0(i=1), in another iteration of the same parallel \
         loop, writes it (n = 2)"
    );
    assert_eq!(
        verdict("B[0]"),
        "Race: S0(i=0) would write B[0] while S0(i=1), in another iteration of the same parallel \
         loop, writes it (n = 2)"
    );
}

/// A parallel loop that executes some instances of a statement, of which others conflict.
#[test]
fn parallel_loops_over_a_part() {
    let verdict = |first: &str, second: &str| {
        let scop = ScopBuilder::new("[n, m] -> { : n >= 1 and m >= 1 }")
            .inout("A", 2)
            .statement(
                "S0[t, i] : 0 <= t < m and 0 <= i < n",
                &["A[0, i - 10]", "A[0, i]"],
                &["A[0, i]"],
            )
            .build();
        let loops = |mark: &str| {
            format!("{{ mark: \"{mark}\", child: {{ schedule: \"[{{ S0[t, i] -> [(i)] }}]\" }} }}")
        };
        let plan = Build::unlifted(&scop).schedule(&format!(
            "{{ domain: \"[n, m] -> {{ S0[t, i] : 0 <= t < m and 0 <= i < n }}\", child: {{ \
             schedule: \"[{{ S0[t, i] -> [(t)] }}]\", child: {{ sequence: [ {{ filter: \"{{ S0[t, i] \
             : i < 10 }}\", child: {} }}, {{ filter: \"{{ S0[t, i] : i >= 10 }}\", child: {} }} ] }} \
             }} }}",
            loops(first),
            loops(second)
        ));
        refusal(&scop, &plan)
    };
    assert_eq!(verdict("parallel", "other"), "accepted");
    assert_eq!(
        verdict("other", "parallel"),
        "Race: S0(t=0, i=10) would write A[0][10] while S0(t=0, i=20), in another iteration of \
         the same parallel loop, reads it (n = 21, m = 1)"
    );
}

/// The element behind the last one is read and never written, as in the original: it has to be in
/// the buffer all the same.
fn read_beyond(extent: i64) -> String {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .temporary("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i]", "A[i + 1]"], &["B[i]"])
        .build();
    let domain = |name: &str, last: i64| {
        format!("[n] -> {{ {name}[t, i] : 0 <= t and 0 <= i < n and 8t <= i <= 8t + {last} }}")
    };
    let plan = Build::new(&scop)
        .local("A_tile", "A", 0, &[("{ [t] -> [8t] }", extent, false)])
        .lifted("S0", 1, &domain("S0", 8), &["A_tile"])
        .lifted("S1", 1, &domain("S1", 7), &["A_tile"])
        .tiles(
            "[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t)] }]",
            &["parallel", "scope:0"],
            &["[{ S0[t, i] -> [(i)] }]", "[{ S1[t, i] -> [(i)] }]"],
        );
    refusal(&scop, &plan)
}

#[test]
fn reads_and_writes_one_element_too_far() {
    assert_eq!(read_beyond(9), "accepted");
    assert_eq!(
        read_beyond(8),
        "Bounds: S0(i=8) in tile (0) would access A[8], element 8 of 8 in dimension 0 of buffer \
         `A_tile` (n = 9)"
    );
}

/// The same where nobody writes the last element of a tile.
#[test]
fn reads_one_element_too_far() {
    let scop = ScopBuilder::new("{ : }")
        .temporary("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < 8", &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < 8", &["A[i]", "A[i + 1]"], &["B[i]"])
        .build();
    let plan = |extent: i64| {
        Build::unlifted(&scop)
            .local("A_tile", "A", 0, &[("{ [] -> [(0)] }", extent, false)])
            .bind("A_tile")
            .schedule(
                r#"
domain: "{ S0[i] : 0 <= i < 8; S1[i] : 0 <= i < 8 }"
child:
  mark: "scope:0"
  child:
    sequence:
    - filter: "{ S0[i] }"
    - filter: "{ S1[i] }"
"#,
            )
    };
    assert_eq!(refusal(&scop, &plan(9)), "accepted");
    assert_eq!(
        refusal(&scop, &plan(8)),
        "Bounds: S1(i=7) would access A[8], element 8 of 8 in dimension 0 of buffer `A_tile`"
    );
}

/// Loops with sums, in one loop each with a mark.
fn with_marks(region: &Region, marks: &[&str], atomic: &[usize], reordered: bool) -> String {
    let nests = marks.iter().enumerate().map(|(s, mark)| {
        let band = format!("{{ schedule: \"[{{ S{s}[i] -> [(i)] }}]\" }}");
        let below = match *mark {
            "" => band,
            "backwards" => format!("{{ schedule: \"[{{ S{s}[i] -> [(-i)] }}]\" }}"),
            mark => format!("{{ mark: \"{mark}\", child: {band} }}"),
        };
        format!("{{ filter: \"{{ S{s}[i] }}\", child: {below} }}")
    });
    let nests: Vec<String> = nests.collect();
    let domain = region.scop.domain().unwrap();
    let all = nests.join(", ");
    let text = format!("{{ domain: \"{domain}\", child: {{ sequence: [ {all} ] }} }}");
    let array = region.scop.array_named("w").unwrap();
    let plan = Transformed {
        atomic: atomic.to_vec(),
        reordered: if reordered { vec![array] } else { Vec::new() },
        ..Build::unlifted(&region.scop).schedule(&text)
    };
    refusal(&region.scop, &plan)
}

#[test]
fn updates_that_are_not_atomic() {
    let loops = region(
        "int n, int key[restrict n], int a[restrict n], int w[restrict n]",
        "for (int i = 0; i < n; i++) w[key[i]] += a[i];
         for (int i = 0; i < n; i++) w[key[i]] += 3;",
    );
    let both = ["parallel", "parallel"];
    assert_eq!(with_marks(&loops, &both, &[0, 1], false), "accepted");
    assert_eq!(
        with_marks(&loops, &["parallel", ""], &[0], false),
        "accepted"
    );
    let race = |verdict: String, statement: &str, of: &str| {
        let start = format!("Race: {statement}(i=0) would write w[0] while {statement}(i=1), in");
        assert!(verdict.starts_with(&start), "{verdict}");
        assert!(
            verdict.contains(&format!("the same {of} loop")),
            "{verdict}"
        );
    };
    race(with_marks(&loops, &both, &[0], false), "S1", "parallel");
    race(with_marks(&loops, &both, &[1], false), "S0", "parallel");
    race(with_marks(&loops, &both, &[], false), "S0", "parallel");
    // Lanes of a vector are not atomic.
    race(
        with_marks(&loops, &["simd", ""], &[0], false),
        "S0",
        "vector",
    );
    // Another order of the updates does not make them atomic.
    race(
        with_marks(&loops, &["parallel", ""], &[], true),
        "S0",
        "parallel",
    );
}

/// A loop whose iterations do not touch the same cells, by the program's word.
#[test]
fn iterations_that_are_said_to_be_independent() {
    let verdict = |said: &str| {
        let loops = region(
            "int n, int key[restrict n], int a[restrict n], int w[restrict n]",
            &format!(
                "{said}
                 for (int i = 0; i < n; i++) w[key[i]] = a[i];
                 for (int i = 0; i < n; i++) w[i] += 1;"
            ),
        );
        with_marks(&loops, &["parallel", "parallel"], &[], false)
    };
    assert_eq!(verdict("#pragma pencil independent"), "accepted");
    let text = verdict("");
    assert!(
        text.starts_with("Race: S0(i=0) would write w[0] while S0(i=1)"),
        "{text}"
    );
}

#[test]
fn a_sum_in_another_order() {
    let loops = region(
        "int n, int a[restrict n], int w[restrict 1], int b[restrict n]",
        "for (int i = 0; i < n; i++) w[0] += a[i];
         for (int i = 0; i < n; i++) b[i] = w[0];",
    );
    assert_eq!(
        with_marks(&loops, &["backwards", ""], &[], true),
        "accepted"
    );
    assert_eq!(
        with_marks(&loops, &["backwards", ""], &[], false),
        "Flow: S0(i=1) would read what S0(i=0) has not yet written to w[0] (n = 2)"
    );
    // What is no addition has one order only.
    let loops = region(
        "int n, int a[restrict n], int w[restrict 1], int b[restrict n]",
        "for (int i = 0; i < n; i++) w[0] = 2 * w[0] + a[i];
         for (int i = 0; i < n; i++) b[i] = w[0];",
    );
    assert_eq!(
        with_marks(&loops, &["backwards", ""], &[], true),
        "Flow: S0(i=1) would read what S0(i=0) has not yet written to w[0] (n = 2)"
    );
}

/// Three stages of a cell each; the third one uses the first one's memory, an iteration too early
/// or not.
fn turns(by: i64, lines: i64) -> String {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .temporary("A", 1)
        .temporary("D", 1)
        .output("B", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .statement("S2[i] : 0 <= i < n", &[], &["D[i]"])
        .statement("S3[i] : 0 <= i < n", &["D[i]"], &["C[i]"])
        .build();
    let domain = scop.domain().unwrap();
    let mut plan = Build::unlifted(&scop)
        .local("A_lines", "A", 0, &[("{ [] -> [(0)] }", lines, true)])
        .local("D_line", "D", 0, &[("{ [] -> [(0)] }", 1, true)])
        .bind("A_lines")
        .bind("D_line")
        .schedule(&format!(
            r#"
domain: "{domain}"
child:
  mark: "scope:0"
  child:
    schedule: "[{{ S0[i] -> [(i)]; S1[i] -> [(i + {by})]; S2[i] -> [(i)]; S3[i] -> [(i)] }}]"
    child:
      sequence:
      - filter: "{{ S0[i] }}"
      - filter: "{{ S1[i] }}"
      - filter: "{{ S2[i] }}"
      - filter: "{{ S3[i] }}"
"#
        ));
    plan.shared = vec![vec![4, 5]];
    assert_eq!(plan.buffers[4].name, "A_lines");
    refusal(&scop, &plan)
}

#[test]
fn memory_that_is_needed_one_iteration_longer() {
    assert_eq!(turns(0, 1), "accepted");
    assert_eq!(
        turns(1, 2),
        "Flow: S1(i=0) would read what S0(i=0) wrote to `A` after S2(i=0) has written to `D`, \
         which shares its memory (n = 1)"
    );
}

/// A cell for each iteration, or one for all of them.
fn in_scope(of_loop: bool, parallel: bool) -> String {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .temporary("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .build();
    let (around, inside) = if of_loop {
        ("other", "scope:0")
    } else {
        ("scope:0", "other")
    };
    let mark = if parallel { "parallel" } else { "other" };
    let plan = Build::unlifted(&scop)
        .local("A_cell", "A", 0, &[("{ [] -> [(0)] }", 1, true)])
        .bind("A_cell")
        .schedule(&format!(
            r#"
domain: "[n] -> {{ S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }}"
child:
  mark: "{around}"
  child:
    mark: "{mark}"
    child:
      schedule: "[{{ S0[i] -> [(i)]; S1[i] -> [(i)] }}]"
      child:
        mark: "{inside}"
        child:
          sequence:
          - filter: "{{ S0[i] }}"
          - filter: "{{ S1[i] }}"
"#
        ));
    refusal(&scop, &plan)
}

#[test]
fn a_cell_of_all_iterations() {
    assert_eq!(in_scope(true, true), "accepted");
    assert_eq!(in_scope(true, false), "accepted");
    assert_eq!(in_scope(false, false), "accepted");
    assert_eq!(
        in_scope(false, true),
        "Race: S0(i=0) would write A[0] while S0(i=1), in another iteration of the same parallel \
         loop, writes it (n = 2)"
    );
}
