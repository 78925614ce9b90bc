//! Folded buffers and lives of buffers: that the order decides about them, with and without what is
//! seen at once.

use super::build::{Build, refusal};
use super::deciding::Decides::{Order, Search};
use super::deciding::decides;
use crate::scop::testing::ScopBuilder;

/// One cell per strip of four, for which a life of a cell is a strip; strips in either direction.
#[test]
fn one_element_in_each_life() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .temporary("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= 4i < n", &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &["A[floor(i/4)]"], &["B[i]"])
        .build();
    for (direction, extent) in [("", 1), ("-", 1), ("", 3), ("-", 3)] {
        let plan = Build::unlifted(&scop)
            .local("A_cell", "A", 0, &[("{ [] -> [(0)] }", extent, true)])
            .bind("A_cell")
            .schedule(&format!(
                r#"
domain: "[n] -> {{ S0[i] : 0 <= 4i < n; S1[i] : 0 <= i < n }}"
child:
  schedule: "[{{ S0[i] -> [({direction}i)]; S1[i] -> [({direction}floor(i/4))] }}]"
  child:
    mark: "scope:0"
    child:
      sequence:
      - filter: "{{ S0[i] }}"
      - filter: "{{ S1[i] }}"
        child:
          schedule: "[{{ S1[i] -> [(i)] }}]"
"#
            ));
        assert_eq!(decides(&scop, &plan, "A"), Order, "{direction} {extent}");
        assert_eq!(refusal(&scop, &plan), "accepted", "{direction} {extent}");
    }
}

/// A window whose newest element is read first and its oldest one last.
#[test]
fn windows_read_from_the_end() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .temporary("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n + 2", &[], &["A[i]"])
        .statement(
            "S1[i] : 1 <= i < n + 1",
            &["A[i + 1]", "A[i]", "A[i - 1]"],
            &["B[i]"],
        )
        .build();
    let lines = |cells: i64| super::right::line_buffer(&scop, cells);
    assert_eq!(refusal(&scop, &lines(3)), "accepted");
    assert_eq!(decides(&scop, &lines(3), "A"), Order);
    assert_eq!(decides(&scop, &lines(2), "A"), Search);
    assert_eq!(
        refusal(&scop, &lines(2)),
        "Flow: S1(i=1) would read A[0] as S0(i=2) has overwritten it, not as S0(i=0) wrote it \
         (n = 1)"
    );
}

/// A window over one dimension of two, the other one in full.
#[test]
fn windows_of_two_dimensions() {
    for (dim, reads) in [
        (0, ["A[i - 1, j]", "A[i + 1, j]"]),
        (1, ["A[i, j - 1]", "A[i, j + 1]"]),
    ] {
        let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
            .temporary("A", 2)
            .output("B", 2)
            .statement("S0[i, j] : 0 <= i <= 9 and 0 <= j <= 9", &[], &["A[i, j]"])
            .statement(
                "S1[i, j] : 1 <= i <= 8 and 1 <= j <= 8",
                &reads,
                &["B[i, j]"],
            )
            .build();
        // The loop of the window is the outer one.
        let [outer, inner] = if dim == 0 { ["i", "j"] } else { ["j", "i"] };
        let plan = |cells: i64| {
            let origin = "{ [] -> [(0)] }";
            let mut dims = [(origin, 10, false); 2];
            dims[dim] = (origin, cells, true);
            Build::unlifted(&scop)
                .local("A_lines", "A", 0, &dims)
                .bind("A_lines")
                .schedule(&format!(
                    r#"
domain: "{}"
child:
  mark: "scope:0"
  child:
    schedule: "[{{ S0[i, j] -> [({outer})]; S1[i, j] -> [({outer} + 1)] }}]"
    child:
      sequence:
      - filter: "{{ S0[i, j] }}"
        child:
          schedule: "[{{ S0[i, j] -> [({inner})] }}]"
      - filter: "{{ S1[i, j] }}"
        child:
          schedule: "[{{ S1[i, j] -> [({inner})] }}]"
"#,
                    scop.domain().unwrap()
                ))
        };
        assert_eq!(decides(&scop, &plan(3), "A"), Order, "{dim}");
        assert_eq!(refusal(&scop, &plan(3)), "accepted", "{dim}");
        assert_eq!(decides(&scop, &plan(2), "A"), Search, "{dim}");
        assert!(refusal(&scop, &plan(2)).starts_with("Flow: S1("), "{dim}");
    }
}

/// Two lives of a buffer, one of them two loops further inside.
#[test]
fn lives_at_different_depths() {
    let scop = ScopBuilder::new("[n] -> { : 1 <= n <= 8 }")
        .temporary("A", 1)
        .output("B", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .statement("S2[i] : 0 <= i < n", &[], &["A[i]"])
        .statement("S3[i] : 0 <= i < n", &["A[i]"], &["C[i]"])
        .build();
    let plan = Build::unlifted(&scop)
        .local("A_tile", "A", 0, &[("{ [] -> [(0)] }", 8, false)])
        .bind("A_tile")
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n; S2[i] : 0 <= i < n; S3[i] : 0 <= i < n }"
child:
  sequence:
  - filter: "{ S0[i]; S1[i] }"
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
  - filter: "{ S2[i]; S3[i] }"
    child:
      schedule: "[{ S2[i] -> [(floor(i/4))]; S3[i] -> [(floor(i/4))] }, { S2[i] -> [(i)]; S3[i] -> [(i)] }]"
      child:
        mark: "scope:0"
        child:
          sequence:
          - filter: "{ S2[i] }"
          - filter: "{ S3[i] }"
"#,
        );
    assert_eq!(decides(&scop, &plan, "A"), Order);
    assert_eq!(refusal(&scop, &plan), "accepted");
}

/// The reader of a life is of the tile before: what is in a cell depends on whom one asks, unless
/// all tiles have the same origin.
#[test]
fn two_tiles_in_one_life() {
    let scop = ScopBuilder::new("[n] -> { : 1 <= n <= 80 }")
        .temporary("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < n - 4", &["A[i + 4]"], &["B[i]"])
        .build();
    for (origin, extent, accepted) in [("0", 90, true), ("4t", 90, false)] {
        let origin = format!("{{ [t] -> [({origin})] }}");
        let domain = |name: &str, end: &str| {
            format!("[n] -> {{ {name}[t, i] : 0 <= t and 0 <= i < {end} and 4t <= i <= 4t + 3 }}")
        };
        let plan = Build::new(&scop)
            .local("A_tile", "A", 0, &[(&origin, extent, false)])
            .lifted("S0", 1, &domain("S0", "n"), &["A_tile"])
            .lifted("S1", 1, &domain("S1", "n - 4"), &["A_tile"])
            .tiles(
                "[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t + 1)] }]",
                &["scope:0"],
                &["[{ S0[t, i] -> [(i)] }]", "[{ S1[t, i] -> [(i)] }]"],
            );
        assert_eq!(decides(&scop, &plan, "A") == Order, accepted, "{origin}");
        assert_eq!(refusal(&scop, &plan) == "accepted", accepted, "{origin}");
    }
}
