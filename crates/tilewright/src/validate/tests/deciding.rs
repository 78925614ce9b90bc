//! Which check decides about an array: that of the order where it is enough, the search for a write
//! in between where it is complete, else the comparison of all last writers. With and without what
//! is seen at once.

use super::build::{Build, refusal};
use super::right::{histogram, pipeline, seidel};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::scop::Scop;
use crate::scop::testing::ScopBuilder;
use crate::transform::Transformed;
use crate::validate::checks::order;
use crate::validate::program::Program;
use crate::validate::search;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decides {
    Order,
    Search,
    Flow,
    /// The order, against the plan.
    Refusal,
}
use Decides::{Flow, Order, Refusal, Search};

pub(super) fn decides(scop: &Scop, plan: &Transformed, array: &str) -> Decides {
    let dataflow = Dataflow::compute(scop).unwrap();
    let array = scop.array_named(array).unwrap();
    let [seen, exact] = [true, false].map(|shortcuts| {
        let program = Program::new(scop, &dataflow, plan, shortcuts);
        let program = program.unwrap().unwrap();
        match order::check(&program, array).unwrap() {
            order::Verdict::Preserved => Order,
            order::Verdict::Violated(_) => Refusal,
            order::Verdict::Unknown if search::applies(&program, array).unwrap() => Search,
            order::Verdict::Unknown => Flow,
        }
    });
    assert_eq!(seen, exact, "with and without what is seen at once");
    seen
}

/// An update in tiles of four that overlap by some cells on the right, in the array or in a local
/// buffer that the tile fills first.
fn updated(overlap: i64, local: bool) -> (Scop, Transformed) {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("in", 1)
        .temporary("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &["in[i]"], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i]"], &["A[i]"])
        .statement("S2[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .build();
    let domain = |name: &str, last: i64| {
        format!("[n] -> {{ {name}[t, i] : 0 <= t and 0 <= i < n and 4t <= i <= 4t + {last} }}")
    };
    let locals: &[&str] = if local { &["A_tile"] } else { &[] };
    let plan = Build::new(&scop)
        .local("A_tile", "A", 0, &[("{ [t] -> [4t] }", 8, false)])
        .lifted("S0", 1, &domain("S0", 3 + overlap), locals)
        .lifted("S1", 1, &domain("S1", 3 + overlap), locals)
        .lifted("S2", 1, &domain("S2", 3), locals)
        .tiles(
            "[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t)]; S2[t, i] -> [(t)] }]",
            &["scope:0"],
            &[
                "[{ S0[t, i] -> [(i)] }]",
                "[{ S1[t, i] -> [(i)] }]",
                "[{ S2[t, i] -> [(i)] }]",
            ],
        );
    (scop, plan)
}

/// What two copies of an instance update is updated twice, unless each has memory of its own, or
/// as here each sets it before: then who wrote what is read has to be found out.
#[test]
fn updates_by_several_copies() {
    for (overlap, local, wanted) in [
        (0, false, Order),
        (0, true, Order),
        (1, true, Order),
        (3, true, Order),
        (1, false, Flow),
    ] {
        let (scop, plan) = updated(overlap, local);
        assert_eq!(decides(&scop, &plan, "A"), wanted, "{overlap} {local}");
        assert_eq!(decides(&scop, &plan, "B"), Order);
        assert_eq!(refusal(&scop, &plan), "accepted", "{overlap} {local}");
    }
}

/// The same of values from before the region, which nothing sets again.
#[test]
fn updates_of_inputs_by_several_copies() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .inout("A", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["A[i]"])
        .build();
    let plan = |last: i64| {
        let domain = format!("S0[t, i] : 0 <= t and 0 <= i < n and 4t <= i <= 4t + {last}");
        Build::new(&scop)
            .lifted("S0", 1, &format!("[n] -> {{ {domain} }}"), &[])
            .schedule(&format!(
                "{{ domain: \"[n] -> {{ {domain} }}\", child: {{ schedule: \"[{{ S0[t, i] -> [(t)] \
                 }}, {{ S0[t, i] -> [(i)] }}]\" }} }}"
            ))
    };
    assert_eq!(decides(&scop, &plan(3), "A"), Order);
    assert_eq!(refusal(&scop, &plan(3)), "accepted");
    assert_eq!(decides(&scop, &plan(4), "A"), Flow);
    assert_eq!(
        refusal(&scop, &plan(4)),
        "Flow: S0(i=4) in tile (1) would read A[4] as S0(i=4) has overwritten it, not the value \
         from before the region (n = 5)"
    );
}

/// One statement as two, which execute these parts.
fn in_halves(first: &str, second: &str, update: bool) -> (Scop, Transformed) {
    let read = if update { &["A[i]"][..] } else { &[] };
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .inout("A", 1)
        .statement("S0[i] : 0 <= i < n", read, &["A[i]"])
        .build();
    let domain = |name: &str, half: &str| format!("{name}[i] : 0 <= i < n and {half}");
    let (low, high) = (domain("Low", first), domain("High", second));
    let plan = Build::new(&scop)
        .lifted("S0", 0, &format!("[n] -> {{ {low} }}"), &[])
        .lifted("S0", 0, &format!("[n] -> {{ {high} }}"), &[])
        .schedule(&format!(
            r#"
domain: "[n] -> {{ {low}; {high} }}"
child:
  sequence:
  - filter: "{{ Low[i] }}"
  - filter: "{{ High[i] }}"
"#
        ));
    (scop, plan)
}

#[test]
fn one_statement_as_two() {
    let verdict =
        |(scop, plan): (Scop, Transformed)| (decides(&scop, &plan, "A"), refusal(&scop, &plan));
    let (decided, text) = verdict(in_halves("i < 5", "i >= 5", true));
    assert_eq!((decided, &text[..]), (Order, "accepted"));
    let (decided, text) = verdict(in_halves("i <= 5", "i >= 5", true));
    assert_eq!(decided, Flow);
    assert!(
        text.starts_with("Flow: ") && text.contains("(i=5)"),
        "{text}"
    );
    // What writes and reads nothing may do so twice.
    let (decided, text) = verdict(in_halves("i <= 5", "i >= 5", false));
    assert_eq!((decided, &text[..]), (Order, "accepted"));
}

/// Three writes of each element, of which the first two may change places; copies of the third one
/// where tiles overlap.
fn overwritten(tiled: bool, order: [usize; 3]) -> (Scop, Transformed) {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .output("B", 1)
        .output("C", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["B[i]"])
        .statement("S1[i] : 0 <= i < n", &[], &["B[i]"])
        .statement("S2[i] : 0 <= i < n", &[], &["B[i]"])
        .statement("S3[i] : 0 <= i < n", &["B[i]"], &["C[i]"])
        .build();
    let plain = |s: usize| format!("S{s}[i] : 0 <= i < n");
    let (dims, third) = if tiled {
        (
            1,
            "S2[t, i] : 0 <= t and 0 <= i < n and 4t <= i <= 4t + 4".to_owned(),
        )
    } else {
        (0, plain(2))
    };
    let all = [plain(0), plain(1), third, plain(3)];
    let mut build = Build::new(&scop);
    for (s, domain) in all.iter().enumerate() {
        let dims = if s == 2 { dims } else { 0 };
        build = build.lifted(
            &format!("S{s}"),
            dims,
            &format!("[n] -> {{ {domain} }}"),
            &[],
        );
    }
    let space = |s: usize| all[s].split(" :").next().unwrap().to_owned();
    let filters = order.iter().copied().chain([3]);
    let filters = filters.map(|s| format!("{{ filter: \"{{ {} }}\" }}", space(s)));
    let filters: Vec<String> = filters.collect();
    let plan = build.schedule(&format!(
        "{{ domain: \"[n] -> {{ {} }}\", child: {{ sequence: [ {} ] }} }}",
        all.join("; "),
        filters.join(", ")
    ));
    (scop, plan)
}

#[test]
fn values_that_nobody_sees_come_in_any_order() {
    for (tiled, order, wanted, text) in [
        (false, [0, 1, 2], Order, "accepted"),
        (true, [0, 1, 2], Order, "accepted"),
        (false, [1, 0, 2], Search, "accepted"),
        (true, [1, 0, 2], Flow, "accepted"),
        (
            false,
            [0, 2, 1],
            Search,
            "Flow: S3(i=0) would read B[0] as S1(i=0) has overwritten it, not as S2(i=0) wrote it \
             (n = 1)",
        ),
        (
            true,
            [0, 2, 1],
            Flow,
            "Flow: S3(i=0) would read B[0] as S1(i=0) has overwritten it, not as S2(i=0) wrote it \
             (n = 1)",
        ),
        // The last of two who overwrite it is named.
        (
            false,
            [2, 0, 1],
            Search,
            "Flow: S3(i=0) would read B[0] as S1(i=0) has overwritten it, not as S2(i=0) wrote it \
             (n = 1)",
        ),
        (
            false,
            [2, 1, 0],
            Search,
            "Flow: S3(i=0) would read B[0] as S0(i=0) has overwritten it, not as S2(i=0) wrote it \
             (n = 1)",
        ),
    ] {
        let (scop, plan) = overwritten(tiled, order);
        assert_eq!(decides(&scop, &plan, "B"), wanted, "{tiled} {order:?}");
        assert_eq!(refusal(&scop, &plan), text, "{tiled} {order:?}");
    }
}

/// The same with nobody to read it: what is left behind. S0 writes B alone, the others D, too.
fn left(tiled: bool, order: [usize; 3]) -> (Decides, String) {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .output("B", 1)
        .output("D", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["B[i]"])
        .statement("S1[i] : 0 <= i < n", &[], &["B[i]", "D[i]"])
        .statement("S2[i] : 0 <= i < n", &[], &["B[i]", "D[i]"])
        .build();
    let last = if tiled {
        "S2[t, i] : 0 <= t and 0 <= i < n and 4t <= i <= 4t + 4"
    } else {
        "S2[i] : 0 <= i < n"
    };
    let all = ["S0[i] : 0 <= i < n", "S1[i] : 0 <= i < n", last];
    let mut build = Build::new(&scop);
    for (s, domain) in all.iter().enumerate() {
        let dims = usize::from(tiled && s == 2);
        let domain = format!("[n] -> {{ {domain} }}");
        build = build.lifted(&format!("S{s}"), dims, &domain, &[]);
    }
    let filters = order.map(|s| {
        let space = all[s].split(" :").next().unwrap();
        format!("{{ filter: \"{{ {space} }}\" }}")
    });
    let plan = build.schedule(&format!(
        "{{ domain: \"[n] -> {{ {} }}\", child: {{ sequence: [ {} ] }} }}",
        all.join("; "),
        filters.join(", ")
    ));
    (decides(&scop, &plan, "B"), refusal(&scop, &plan))
}

#[test]
fn what_is_left_is_of_the_last_writer() {
    let wrong = "LiveOut: S1(i=0) would be the last to write B[0], not S2(i=0) (n = 1)";
    for (order, kept, text) in [
        ([0, 1, 2], true, "accepted"),
        ([1, 0, 2], false, "accepted"),
        ([0, 2, 1], false, wrong),
    ] {
        for (tiled, check) in [(false, Search), (true, Flow)] {
            let wanted = if kept { Order } else { check };
            assert_eq!(
                left(tiled, order),
                (wanted, text.to_owned()),
                "{tiled} {order:?}"
            );
        }
    }
}

/// A write of a known cell under a condition is no access to an unknown one: its order is not all
/// that can be asked for.
#[test]
fn writes_under_conditions() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["?B[i]"])
        .statement("S1[i] : 0 <= i < n", &[], &["B[i]"])
        .statement("S2[i] : 0 <= i < n", &[], &["B[i]"])
        .build();
    let plan = |order: [usize; 3]| {
        let filters = order.map(|s| format!("{{ filter: \"{{ S{s}[i] }}\" }}"));
        Build::unlifted(&scop).schedule(&format!(
            "{{ domain: \"{}\", child: {{ sequence: [ {} ] }} }}",
            scop.domain().unwrap(),
            filters.join(", ")
        ))
    };
    assert_eq!(decides(&scop, &plan([0, 1, 2]), "B"), Order);
    assert_eq!(decides(&scop, &plan([1, 0, 2]), "B"), Search);
    assert_eq!(refusal(&scop, &plan([1, 0, 2])), "accepted");
    assert!(refusal(&scop, &plan([1, 2, 0])).starts_with("LiveOut: "));
}

/// A result that is missing beside an array in a local buffer.
#[test]
fn missing_results_beside_scratchpads() {
    let scop = super::right::two_stages();
    let plan = |last: &str| {
        let domains = [
            "[n] -> { S0[i] : 0 <= i < n + 2 }".to_owned(),
            format!("[n] -> {{ S1[i] : 1 <= i < {last} }}"),
        ];
        let all = format!("[n] -> {{ S0[i] : 0 <= i < n + 2; S1[i] : 1 <= i < {last} }}");
        Build::new(&scop)
            .local("A_lines", "A", 0, &[("{ [] -> [(0)] }", 3, true)])
            .lifted("S0", 0, &domains[0], &["A_lines"])
            .lifted("S1", 0, &domains[1], &["A_lines"])
            .schedule(&format!(
                r#"
domain: "{all}"
child:
  mark: "scope:0"
  child:
    schedule: "[{{ S0[i] -> [(i)]; S1[i] -> [(i + 1)] }}]"
    child:
      sequence:
      - filter: "{{ S0[i] }}"
      - filter: "{{ S1[i] }}"
"#
            ))
    };
    assert_eq!(refusal(&scop, &plan("n + 1")), "accepted");
    assert_eq!(
        refusal(&scop, &plan("n")),
        "Domain: S1(i=1) would not be executed, which leaves the final value in B[1] (n = 1)"
    );
}

/// A value that is kept in a tile and overwritten in the array.
fn kept(result_in_tile: bool) -> (Scop, Transformed) {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("in", 1)
        .output("X", 1)
        .statement("S0[i] : 0 <= i < n", &["in[i]"], &["X[i]"])
        .statement("S1[i] : 0 <= i < n", &["X[i]"], &["X[i]"])
        .build();
    let domain = |name: &str| {
        format!("[n] -> {{ {name}[t, i] : 0 <= t and 0 <= i < n and 4t <= i <= 4t + 3 }}")
    };
    let mut plan = Build::new(&scop)
        .local("X_tile", "X", 0, &[("{ [t] -> [4t] }", 4, false)])
        .lifted("S0", 1, &domain("S0"), &["X_tile"])
        .lifted("S1", 1, &domain("S1"), &["X_tile"])
        .tiles(
            "[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t)] }]",
            &["parallel", "scope:0"],
            &["[{ S0[t, i] -> [(i)] }]", "[{ S1[t, i] -> [(i)] }]"],
        );
    if !result_in_tile {
        plan.statements[1].bindings[1] = scop.array_named("X").unwrap();
    }
    (scop, plan)
}

#[test]
fn results_of_arrays_with_scratchpads() {
    let (scop, plan) = kept(false);
    assert_eq!(decides(&scop, &plan, "X"), Order);
    assert_eq!(refusal(&scop, &plan), "accepted");
    let (scop, plan) = kept(true);
    assert_eq!(decides(&scop, &plan, "X"), Search);
    assert_eq!(
        refusal(&scop, &plan),
        "LiveOut: S1(i=0) would not leave its value in X[0] at the end (n = 1)"
    );
}

#[test]
fn orders_that_are_not_kept() {
    let scop = seidel();
    let plan = |text: &str| {
        Build::unlifted(&scop).schedule(&format!(
            "{{ domain: \"[n, steps] -> {{ S0[t, i] : 0 <= t < steps and 1 <= i < n - 1 }}\", \
             child: {{ schedule: \"[{{ S0[t, i] -> [({text})] }}]\", child: {{ schedule: \"[{{ \
             S0[t, i] -> [(t)] }}, {{ S0[t, i] -> [(i)] }}]\" }} }} }}"
        ))
    };
    assert_eq!(decides(&scop, &plan("floor((t + i)/4)"), "A"), Order);
    assert_eq!(decides(&scop, &plan("floor(i/4)"), "A"), Search);
    // Which cells it is about is data: then only the order can say.
    let scop = histogram();
    let plan = |text: &str| {
        Build::unlifted(&scop).schedule(&format!(
            "{{ domain: \"[n, bins] -> {{ S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }}\", child: {{ \
             sequence: [ {{ filter: \"{{ S0[i] }}\", child: {{ schedule: \"[{{ S0[i] -> [({text})] \
             }}]\" }} }}, {{ filter: \"{{ S1[i] }}\" }} ] }} }}"
        ))
    };
    assert_eq!(decides(&scop, &plan("i"), "H"), Order);
    assert_eq!(decides(&scop, &plan("-i"), "H"), Refusal);
}

#[test]
fn scratchpads_of_tiles() {
    let scop = pipeline();
    let plan = super::right::overlapped(&scop, (2, 1), (2, 1), (36, 34)).tiles(
        super::right::TILE_LOOP,
        &["parallel", "scope:0"],
        &super::right::POINT_LOOPS,
    );
    for array in ["in", "A", "B", "C"] {
        assert_eq!(decides(&scop, &plan, array), Order, "{array}");
    }
}

/// A result without whose only writer nothing else is missing.
#[test]
fn results_of_statements_that_read_nothing() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .output("B", 1)
        .statement("S0[i] : 0 <= i <= n", &[], &["B[i]"])
        .build();
    let plan = |last: &str| {
        let domain = format!("[n] -> {{ S0[i] : 0 <= i <= {last} }}");
        Build::new(&scop)
            .lifted("S0", 0, &domain, &[])
            .schedule(&format!(
                "{{ domain: \"{domain}\", child: {{ schedule: \"[{{ S0[i] -> [(i)] }}]\" }} }}"
            ))
    };
    assert_eq!(refusal(&scop, &plan("n")), "accepted");
    assert_eq!(
        refusal(&scop, &plan("n - 1")),
        "Domain: S0(i=1) would not be executed, which leaves the final value in B[1] (n = 1)"
    );
}

/// What a body reads of its own goes where it wrote it, whatever else it writes.
#[test]
fn own_values_of_a_body() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .temporary("t", 1)
        .output("B", 1)
        .statement_with_steps(
            "S0[i] : 0 <= i < n",
            &[("t[i]", &["A[i]"]), ("B[i]", &["t[i]"])],
        )
        .build();
    let plan = Build::unlifted(&scop)
        .local("t_cell", "t", 0, &[("{ [] -> [(0)] }", 1, true)])
        .bind("t_cell")
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n }"
child:
  mark: "scope:0"
  child:
    schedule: "[{ S0[i] -> [(i)] }]"
"#,
        );
    assert_eq!(refusal(&scop, &plan), "accepted");
}
