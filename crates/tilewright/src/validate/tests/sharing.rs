//! Buffers that share memory: right plans, and wrong ones, which are refused with the instance
//! that overwrites a value and the pair that the value was for.

use super::build::{Build, refusal};
use crate::scop::Scop;
use crate::scop::testing::ScopBuilder;
use crate::transform::{BufferKind, Transformed};

/// Three stages one after the other in each tile.
fn chain() -> Scop {
    ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("in", 1)
        .temporary("A", 1)
        .temporary("B", 1)
        .temporary("D", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n", &["in[i]"], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .statement("S2[i] : 0 <= i < n", &["B[i]"], &["D[i]"])
        .statement("S3[i] : 0 <= i < n", &["D[i]"], &["C[i]"])
        .build()
}

/// Tiles of eight in which the scratchpads with these names share memory.
fn with_shared(scop: &Scop, names: &[&str]) -> Transformed {
    let locals = ["A_tile", "B_tile", "D_tile"];
    let mut build = Build::new(scop);
    for (name, array) in locals.iter().zip(["A", "B", "D"]) {
        build = build.local(name, array, 0, &[("{ [t] -> [8t] }", 8, false)]);
    }
    for s in 0..4 {
        let domain = format!("[n] -> {{ S{s}[t, i] : 0 <= i < n and 8t <= i < 8t + 8 }}");
        build = build.lifted(&format!("S{s}"), 1, &domain, &locals);
    }
    let loops: Vec<String> = (0..4)
        .map(|s| format!("[{{ S{s}[t, i] -> [(i)] }}]"))
        .collect();
    let loops: Vec<&str> = loops.iter().map(String::as_str).collect();
    let tile = "[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t)]; S2[t, i] -> [(t)]; S3[t, i] -> [(t)] }]";
    let plan = build.tiles(tile, &["parallel", "scope:0"], &loops);
    let shared = names
        .iter()
        .filter_map(|name| plan.buffers.iter().position(|b| b.name == *name));
    let shared = vec![shared.collect()];
    Transformed { shared, ..plan }
}

#[test]
fn memory_shared_while_it_is_needed() {
    let scop = chain();
    assert_eq!(
        refusal(&scop, &with_shared(&scop, &["A_tile", "B_tile"])),
        "Flow: S1(i=1) in tile (0) would read what S0(i=1) in tile (0) wrote to `A` after S1(i=0) in \
         tile (0) has written to `B`, which shares its memory (n = 2)"
    );
    // A is read for the last time before D is written.
    assert_eq!(
        refusal(&scop, &with_shared(&scop, &["A_tile", "D_tile"])),
        "accepted"
    );
    assert_eq!(
        refusal(&scop, &with_shared(&scop, &["A_tile", "D_tile", "B_tile"])),
        "Flow: S1(i=1) in tile (0) would read what S0(i=1) in tile (0) wrote to `A` after S1(i=0) in \
         tile (0) has written to `B`, which shares its memory (n = 2)"
    );
}

/// In either order of the list, and where the value of one buffer is kept around the use of the
/// other one, whatever the loops in between say.
#[test]
fn memory_shared_around_another_value() {
    let scop = chain();
    for names in [
        ["A_tile", "B_tile"],
        ["B_tile", "A_tile"],
        ["D_tile", "B_tile"],
    ] {
        let text = refusal(&scop, &with_shared(&scop, &names));
        assert!(
            text.contains("which shares its memory"),
            "{names:?}: {text}"
        );
    }
    assert_eq!(
        refusal(&scop, &with_shared(&scop, &["D_tile", "A_tile"])),
        "accepted"
    );
    let scop = ScopBuilder::new("[n] -> { : 1 <= n <= 8 }")
        .temporary("A", 1)
        .temporary("D", 1)
        .output("B", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &[], &["D[i]"])
        .statement("S2[i] : 0 <= i < n", &["D[i]"], &["C[i]"])
        .statement("S3[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .build();
    for (order, text) in [
        ([0, 3, 1, 2], "accepted"),
        ([1, 2, 0, 3], "accepted"),
        (
            [0, 1, 2, 3],
            "Flow: S3(i=0) would read what S0(i=0) wrote to `A` after S1(i=0) has written to `D`, \
             which shares its memory (n = 1)",
        ),
        (
            [1, 0, 3, 2],
            "Flow: S2(i=0) would read what S1(i=0) wrote to `D` after S0(i=0) has written to `A`, \
             which shares its memory (n = 1)",
        ),
    ] {
        // Inside, the users of one buffer come before those of the other one.
        let inner = [0, 1, 1, 0];
        let parts = order.map(|s: usize| {
            format!(
                "{{ filter: \"{{ S{s}[i] }}\", child: {{ schedule: \"[{{ S{s}[i] -> [({})] }}]\" }} }}",
                inner[s]
            )
        });
        let domain = scop.domain().unwrap();
        let mut plan = Build::unlifted(&scop)
            .local("A_tile", "A", 0, &[("{ [] -> [(0)] }", 8, false)])
            .local("D_tile", "D", 0, &[("{ [] -> [(0)] }", 8, false)])
            .bind("A_tile")
            .bind("D_tile")
            .schedule(&format!(
                "{{ domain: \"{domain}\", child: {{ mark: \"scope:0\", child: {{ sequence: [ {} ] }} \
                 }} }}",
                parts.join(", ")
            ));
        plan.shared = vec![vec![4, 5]];
        assert_eq!(refusal(&scop, &plan), text, "{order:?}");
    }
}

#[test]
fn memory_that_cannot_be_shared() {
    let scop = chain();
    let right = with_shared(&scop, &["A_tile", "D_tile"]);
    let number = |name: &str| right.buffers.iter().position(|b| b.name == name).unwrap();
    let (a, b, d) = (number("A_tile"), number("B_tile"), number("D_tile"));
    let sharing = |shared: &[&[usize]]| Transformed {
        shared: shared.iter().map(|list| list.to_vec()).collect(),
        ..right.clone()
    };
    assert_eq!(refusal(&scop, &sharing(&[&[a, d]])), "accepted");
    // In two lists, or twice in one.
    let refused = |shared: &[&[usize]]| refusal(&scop, &sharing(shared));
    assert!(refused(&[&[a, d], &[d]]).contains("cannot be the same memory"));
    assert!(refused(&[&[a, d, d]]).contains("cannot be the same memory"));
    // With memory of the whole program.
    let full = scop.array_named("C").unwrap();
    assert!(refused(&[&[a, full]]).contains("cannot be the same memory"));
    assert!(refused(&[&[full, a]]).contains("cannot be the same memory"));
    // Of two scopes.
    let mut apart = sharing(&[&[a, d]]);
    if let BufferKind::Local { scope, .. } = &mut apart.buffers[d].kind {
        *scope = 7;
    }
    assert_ne!(refusal(&scop, &apart), "accepted");
    assert_ne!(refused(&[&[a, b, d]]), "accepted");
}

/// Three rows of A are alive while the stages take turns; B is read in the turn that writes it.
fn in_turns(scop: &Scop, shared: &[&str]) -> Transformed {
    let mut plan = Build::unlifted(scop)
        .local("A_lines", "A", 0, &[("{ [] -> [(0)] }", 3, true)])
        .local("B_line", "B", 0, &[("{ [] -> [(0)] }", 1, true)])
        .local("D_line", "D", 0, &[("{ [] -> [(0)] }", 1, true)])
        .bind("A_lines")
        .bind("B_line")
        .bind("D_line")
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n + 2; S1[i] : 1 <= i < n + 1; S2[i] : 1 <= i < n + 1; S3[i] : 1 <= i < n + 1; S4[i] : 1 <= i < n + 1 }"
child:
  mark: "scope:0"
  child:
    schedule: "[{ S0[i] -> [(i)]; S1[i] -> [(i + 1)]; S2[i] -> [(i + 1)]; S3[i] -> [(i + 1)]; S4[i] -> [(i + 1)] }]"
    child:
      sequence:
      - filter: "{ S0[i] }"
      - filter: "{ S1[i] }"
      - filter: "{ S2[i] }"
      - filter: "{ S3[i] }"
      - filter: "{ S4[i] }"
"#,
        );
    let position = |name: &&str| plan.buffers.iter().position(|b| b.name == **name);
    plan.shared = vec![shared.iter().filter_map(position).collect()];
    plan
}

#[test]
fn memory_shared_with_what_later_turns_read() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("in", 1)
        .temporary("A", 1)
        .temporary("B", 1)
        .temporary("D", 1)
        .output("C", 1)
        .output("E", 1)
        .statement("S0[i] : 0 <= i < n + 2", &["in[i]"], &["A[i]"])
        .statement(
            "S1[i] : 1 <= i < n + 1",
            &["A[i - 1]", "A[i]", "A[i + 1]"],
            &["B[i]"],
        )
        .statement("S2[i] : 1 <= i < n + 1", &["B[i]"], &["C[i]"])
        .statement("S3[i] : 1 <= i < n + 1", &["in[i]"], &["D[i]"])
        .statement("S4[i] : 1 <= i < n + 1", &["D[i]"], &["E[i]"])
        .build();
    assert_eq!(
        refusal(&scop, &in_turns(&scop, &["B_line", "D_line"])),
        "accepted"
    );
    assert_eq!(
        refusal(&scop, &in_turns(&scop, &["A_lines", "D_line"])),
        "Flow: S1(i=2) would read what S0(i=1) wrote to `A` after S3(i=1) has written to `D`, which \
         shares its memory (n = 2)"
    );
}

/// Iterations of these loops are not executed one after the other.
#[test]
fn memory_shared_in_a_vector_loop() {
    let scop = chain();
    let verdict = |outer: &str, inner: &str| {
        let mut plan = Build::unlifted(&scop)
            .local("A_cell", "A", 0, &[("{ [] -> [(0)] }", 1, true)])
            .local("D_cell", "D", 0, &[("{ [] -> [(0)] }", 1, true)])
            .bind("A_cell")
            .bind("D_cell")
            .schedule(&format!(
                r#"
domain: "[n] -> {{ S0[i] : 0 <= i < n; S1[i] : 0 <= i < n; S2[i] : 0 <= i < n; S3[i] : 0 <= i < n }}"
child:
  mark: "{outer}"
  child:
    schedule: "[{{ S0[i] -> [(i)]; S1[i] -> [(i)]; S2[i] -> [(i)]; S3[i] -> [(i)] }}]"
    child:
      mark: "{inner}"
      child:
        sequence:
        - filter: "{{ S0[i] }}"
        - filter: "{{ S1[i] }}"
        - filter: "{{ S2[i] }}"
        - filter: "{{ S3[i] }}"
"#
            ));
        let ids = ["A_cell", "D_cell"].map(|name| plan.buffers.iter().position(|b| b.name == name));
        plan.shared = vec![ids.into_iter().flatten().collect()];
        plan
    };
    let around = |mark: &str| {
        let plan = verdict(mark, "other");
        let text = plan.schedule.to_string();
        let at = text.find(&format!("mark: \"{mark}\"")).unwrap();
        let text = format!(
            "{}mark: \"scope:0\", child: {{ {} }}",
            &text[..at],
            &text[at..]
        );
        let schedule = isl::Schedule::read_from_str(&scop.ctx, &text).unwrap();
        refusal(&scop, &Transformed { schedule, ..plan })
    };
    assert_eq!(around("other"), "accepted");
    for mark in ["simd", "parallel", "unroll:4"] {
        assert_eq!(
            around(mark),
            "Race: S0(i=0) and S2(i=0) are in the same vector or unrolled loop; `A` and `D` share \
             memory",
            "{mark}"
        );
        // Each iteration has memory of its own.
        assert_eq!(
            refusal(&scop, &verdict(mark, "scope:0")),
            "accepted",
            "{mark}"
        );
    }
}
