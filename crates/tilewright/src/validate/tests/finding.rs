//! Where values come from in local buffers: what is seen of writers in several pieces, with strides,
//! and of cells that data picks.

use super::build::{Build, refusal};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::scop::Scop;
use crate::scop::testing::ScopBuilder;
use crate::transform::Transformed;
use crate::validate::numbers::model::Model;
use crate::validate::program::Program;
use crate::validate::storage::Touch;

/// All statements one after the other, `A` in one local buffer for all of them.
fn in_local(scop: &Scop, extent: i64) -> Transformed {
    let domain = scop.domain().unwrap();
    let filters = scop.statements.iter().map(|statement| {
        let space = isl::Set::universe(&statement.domain.get_space().unwrap());
        format!("{{ filter: \"{}\" }}", space.unwrap())
    });
    let filters: Vec<String> = filters.collect();
    Build::unlifted(scop)
        .local("A_local", "A", 0, &[("{ [] -> [(0)] }", extent, false)])
        .bind("A_local")
        .schedule(&format!(
            "{{ domain: \"{domain}\", child: {{ mark: \"scope:0\", child: {{ sequence: [ {} ] }} }} }}",
            filters.join(", ")
        ))
}

fn with<T>(scop: &Scop, plan: &Transformed, ask: impl FnOnce(&Program, &Model) -> T) -> T {
    let dataflow = Dataflow::compute(scop).unwrap();
    let program = Program::new(scop, &dataflow, plan, true).unwrap().unwrap();
    ask(&program, program.model.as_ref().unwrap())
}

/// Whether it is seen that all reads of `A` find what they read, and the verdict.
fn found(scop: &Scop, extent: i64) -> (bool, String) {
    let plan = in_local(scop, extent);
    let array = scop.array_named("A").unwrap();
    let seen = with(scop, &plan, |program, model| {
        let own = |touch: &&Touch| touch.array == array;
        let (reads, writes): (Vec<&Touch>, Vec<&Touch>) = program
            .touches
            .iter()
            .filter(own)
            .partition(|t| t.is_read());
        reads.iter().all(|read| {
            let sources = program.sources(model, read).unwrap().unwrap();
            model.finds_sources(read, &writes, &sources).unwrap()
        })
    });
    (seen, refusal(scop, &plan))
}

/// Elements that so many statements write, each a tenth of them; the reader reads all.
fn pieces(count: usize, reader: &str) -> Scop {
    let mut scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .temporary("A", 1)
        .output("B", 1);
    for s in 0..count {
        let (low, high) = (10 * s, 10 * s + 10);
        scop = scop.statement(&format!("S{s}[i] : {low} <= i < {high}"), &[], &["A[i]"]);
    }
    scop.statement(&format!("S{count}[i] : {reader}"), &["A[i]"], &["B[i]"])
        .build()
}

/// Facts are split in two three times, one half after the other: that is enough for four writers
/// and cannot be for nine.
#[test]
fn writers_of_several_pieces() {
    for (count, seen) in [(1, true), (2, true), (3, true), (4, true), (9, false)] {
        let scop = pieces(count, &format!("0 <= i < {}", 10 * count));
        let (found, text) = found(&scop, 90);
        assert_eq!((found, &text[..]), (seen, "accepted"), "{count}");
        // One more is read than is written: nobody minds, but it is not seen to be found.
        let scop = pieces(count, &format!("0 <= i <= {}", 10 * count));
        assert!(!self::found(&scop, 91).0, "{count}");
    }
}

/// Elements by their remainder, one writer for each.
fn remainders(modulo: i64, written: i64) -> Scop {
    let mut scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .temporary("A", 1)
        .output("B", 1);
    for s in 0..written {
        let access = format!("A[{modulo}i + {s}]");
        scop = scop.statement(&format!("S{s}[i] : 0 <= i < 8"), &[], &[&access]);
    }
    let reader = format!("S{written}[i] : 0 <= i < {}", 8 * modulo);
    scop.statement(&reader, &["A[i]"], &["B[i]"]).build()
}

/// Up to four remainders are looked at one after the other.
#[test]
fn writers_of_remainders() {
    for (modulo, seen) in [(1, true), (2, true), (3, true), (4, true), (5, false)] {
        let scop = remainders(modulo, modulo);
        let (found, text) = found(&scop, 8 * modulo);
        assert_eq!((found, &text[..]), (seen, "accepted"), "{modulo}");
    }
    // One of them is missing.
    for modulo in [2, 3, 4] {
        assert!(
            !found(&remainders(modulo, modulo - 1), 8 * modulo).0,
            "{modulo}"
        );
    }
}

/// Rows of the reader's number divided, with a number that is too large on one side or the other.
#[test]
fn writers_of_quotients() {
    for (divisor, shift, last, seen) in [
        (2, 0, 15, true),
        (2, 0, 16, false),
        (2, 1, 14, true),
        (2, 1, 15, false),
        (3, 2, 21, true),
        (3, 2, 22, false),
        (3, -1, 24, false),
    ] {
        let access = format!("A[floor((i + {shift})/{divisor})]");
        let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
            .temporary("A", 1)
            .output("B", 1)
            .statement("S0[i] : 0 <= i < 8", &[], &["A[i]"])
            .statement(&format!("S1[i] : 0 <= i <= {last}"), &[&access], &["B[i]"])
            .build();
        let (found, _) = found(&scop, 9);
        assert_eq!(found, seen, "{access} up to {last}");
    }
}

/// Every other element is there: those that are read have to be even.
#[test]
fn writers_with_strides() {
    for (access, seen) in [
        ("A[2i]", true),
        ("A[4i]", true),
        ("A[2i + 2]", true),
        ("A[i]", false),
        ("A[2i + 1]", false),
        ("A[3i]", false),
    ] {
        let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
            .temporary("A", 1)
            .output("B", 1)
            .statement("S0[i] : 0 <= i < 90", &[], &["A[2i]"])
            .statement("S1[i] : 0 <= i < 8", &[access], &["B[i]"])
            .build();
        assert_eq!(found(&scop, 180).0, seen, "{access}");
    }
}

/// Multiples of three are written and multiples of six read, as far as there are any.
#[test]
fn writers_of_multiples() {
    for (last, seen) in [(12, true), (24, false)] {
        let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
            .temporary("A", 1)
            .output("B", 1)
            .statement("S0[i] : 0 <= i <= 12 and i mod 3 = 0", &[], &["A[i]"])
            .statement(
                &format!("S1[i] : 0 <= i <= {last} and i mod 6 = 0"),
                &["A[i]"],
                &["B[i]"],
            )
            .build();
        assert_eq!(found(&scop, 30).0, seen, "up to {last}");
    }
}

/// Of a writer's two elements one is in the local buffer, and only that can be read there.
#[test]
fn writers_of_two_elements() {
    for (picked, seen) in [("y = 3", true), ("y = 4", false)] {
        let read = format!("?A[x, y] : 0 <= x < 8 and {picked}");
        let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
            .temporary("A", 2)
            .output("B", 1)
            .statement("S0[i] : 0 <= i < 8", &[], &["A[i, 3]", "A[i, 4]"])
            .statement("S1[i] : 0 <= i < n", &[&read], &["B[i]"])
            .build();
        let domain = scop.domain().unwrap();
        let dims = [("{ [] -> [(0)] }", 8, false); 2];
        let mut plan = Build::unlifted(&scop)
            .local("A_local", "A", 0, &dims)
            .bind("A_local")
            .schedule(&format!(
                "{{ domain: \"{domain}\", child: {{ mark: \"scope:0\", child: {{ sequence: [ {{ \
                 filter: \"{{ S0[i] }}\" }}, {{ filter: \"{{ S1[i] }}\" }} ] }} }} }}"
            ));
        plan.statements[0].bindings[1] = scop.array_named("A").unwrap();
        let found = with(&scop, &plan, |program, model| {
            let own = |touch: &&Touch| program.scop.arrays[touch.array].name == "A";
            let (reads, writes): (Vec<&Touch>, Vec<&Touch>) = program
                .touches
                .iter()
                .filter(own)
                .partition(|t| t.is_read());
            let sources = program.sources(model, reads[0]).unwrap().unwrap();
            model.finds_sources(reads[0], &writes, &sources).unwrap()
        });
        assert_eq!(found, seen, "{picked}");
        assert_eq!(refusal(&scop, &plan) == "accepted", seen, "{picked}");
    }
}

/// A table of eight cells, of which data picks one.
fn table(written: i64, picked: &str) -> Scop {
    ScopBuilder::new("[n] -> { : n >= 1 }")
        .temporary("A", 1)
        .output("B", 1)
        .statement(&format!("S0[i] : 0 <= i < {written}"), &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &[picked], &["B[i]"])
        .build()
}

#[test]
fn tables_in_local_buffers() {
    assert_eq!(
        found(&table(8, "?A[x] : 0 <= x < 8"), 8),
        (true, "accepted".to_owned())
    );
    // Who writes more than is looked at leaves that to isl.
    let (_, text) = found(&table(9, "?A[x] : 0 <= x < 8"), 9);
    assert_eq!(text, "accepted");
    let (_, text) = found(&table(9, "?A[x] : 0 <= x < 8"), 8);
    assert!(
        text.starts_with("Bounds: S0(i=8) would access A[8], element 8 of 8"),
        "{text}"
    );
}

/// Writes of cells that data picks, in two dimensions.
#[test]
fn bounds_of_cells_that_data_picks() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .temporary("A", 2)
        .output("B", 1)
        .statement(
            "S0[i] : 0 <= i < n",
            &[],
            &["?A[x, y] : 0 <= x < 4 and 2 <= y < 8"],
        )
        .statement(
            "S1[i] : 0 <= i < n",
            &["?A[x, y] : 0 <= x < 4 and 2 <= y < 8"],
            &["B[i]"],
        )
        .build();
    for (extents, inside) in [
        ((4, 6), true),
        ((3, 6), false),
        ((4, 5), false),
        ((9, 9), true),
    ] {
        let dims = [
            ("{ [] -> [(0)] }", extents.0, false),
            ("{ [] -> [(2)] }", extents.1, false),
        ];
        let domain = scop.domain().unwrap();
        let plan = Build::unlifted(&scop)
            .local("A_local", "A", 0, &dims)
            .bind("A_local")
            .schedule(&format!(
                r#"
domain: "{domain}"
child:
  mark: "scope:0"
  child:
    sequence:
    - filter: "{{ S0[i] }}"
      child:
        schedule: "[{{ S0[i] -> [(i)] }}]"
    - filter: "{{ S1[i] }}"
      child:
        schedule: "[{{ S1[i] -> [(i)] }}]"
"#
            ));
        with(&scop, &plan, |program, model| {
            let writes = program.touches.iter().filter(|t| !t.is_read());
            let local: Vec<&Touch> = writes.filter(|t| !program.is_full(t.buffer)).collect();
            assert!(!local.is_empty());
            for touch in local {
                assert_eq!(model.in_bounds(touch).unwrap(), inside, "{extents:?}");
            }
        });
        let text = refusal(&scop, &plan);
        match extents {
            (3, _) => assert!(
                text.contains("A[3][2], element 3 of 3 in dimension 0"),
                "{text}"
            ),
            (_, 5) => assert!(
                text.contains("A[0][7], element 5 of 5 in dimension 1"),
                "{text}"
            ),
            _ => assert!(!text.starts_with("Bounds: "), "{text}"),
        }
    }
}
