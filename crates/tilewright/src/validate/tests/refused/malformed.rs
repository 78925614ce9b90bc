//! What is no program at all: names, buffers and marks that are not what the other checks rest on,
//! and instances that are executed twice. Each beside its neighbour that is right.

use crate::scop::Scop;
use crate::scop::testing::ScopBuilder;
use crate::transform::{BufferKind, Transformed};
use crate::validate::tests::build::{Build, refusal};
use crate::validate::tests::right::two_stages;

/// One statement that adds one to each element, in two loops one after another.
fn in_two_loops(first: &str, second: &str) -> String {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .inout("A", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["A[i]"])
        .build();
    let plan = Build::unlifted(&scop).schedule(&format!(
        r#"
domain: "[n] -> {{ S0[i] : 0 <= i < n }}"
child:
  sequence:
  - filter: "[n] -> {{ S0[i] : {first} }}"
    child:
      schedule: "[{{ S0[i] -> [(i)] }}]"
  - filter: "[n] -> {{ S0[i] : {second} }}"
    child:
      schedule: "[{{ S0[i] -> [(i)] }}]"
"#
    ));
    refusal(&scop, &plan)
}

#[test]
fn instances_of_two_loops() {
    assert_eq!(in_two_loops("i < 5", "i >= 5"), "accepted");
    assert_eq!(
        in_two_loops("i <= 5", "i >= 5"),
        "Domain: S0(i=5) would be executed twice (n = 6)"
    );
    assert_eq!(
        in_two_loops("i < 5", "i > 5"),
        "Domain: S0(i=5) belongs to the program but not to its schedule (n = 6)"
    );
    // Twice where n is odd, once elsewhere.
    assert_eq!(
        in_two_loops("2i < n", "2i >= n - 1"),
        "Domain: S0(i=0) would be executed twice (n = 1)"
    );
    assert_eq!(in_two_loops("2i < n", "2i >= n"), "accepted");
    // There are no parameters for which it is.
    assert_eq!(
        in_two_loops("i <= 5", "i >= 5 or n < 1"),
        in_two_loops("i <= 5", "i >= 5")
    );
    assert_eq!(
        in_two_loops("i < 5 or n < 0", "i >= 5 or n < 0"),
        "accepted"
    );
}

#[test]
fn instances_of_no_statement() {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .output("A", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
        .build();
    let verdict = |more: &str| {
        let plan = Build::unlifted(&scop).schedule(&format!(
            "{{ domain: \"[n] -> {{ S0[i] : 0 <= i < n; X[i] : {more} }}\", child: {{ schedule: \
             \"[{{ S0[i] -> [(i)]; X[i] -> [(i)] }}]\" }} }}"
        ));
        refusal(&scop, &plan)
    };
    assert_eq!(verdict("i = 3 and n <= 0"), "accepted");
    assert_eq!(
        verdict("i = 3 and n >= 7"),
        "Domain: X is scheduled but is no statement of the program"
    );
}

/// A in a local buffer.
fn with_local(scop: &Scop) -> Transformed {
    Build::unlifted(scop)
        .local("A_lines", "A", 0, &[("{ [] -> [(0)] }", 3, true)])
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

#[test]
fn buffers_of_another_array() {
    let scop = two_stages();
    let right = with_local(&scop);
    assert_eq!(refusal(&scop, &right), "accepted");
    let [input, a, b, lines] = [0, 1, 2, 3];
    assert_eq!(right.buffers[lines].name, "A_lines");
    // The write of S0, the last of its two accesses.
    for (buffer, text) in [
        (
            input,
            "S0 would access `A` in buffer `in`, which holds another array",
        ),
        (
            b,
            "S0 would access `A` in buffer `B`, which holds another array",
        ),
        (7, "S0 would access `A` nowhere"),
    ] {
        let mut plan = right.clone();
        plan.statements[0].bindings[1] = buffer;
        assert_eq!(refusal(&scop, &plan), format!("Bounds: {text}"));
    }
    let mut plan = right.clone();
    plan.statements[0].bindings[1] = a;
    assert!(refusal(&scop, &plan).starts_with("Flow: "));
    // A read.
    let mut plan = right.clone();
    plan.statements[1].bindings[0] = b;
    assert_eq!(
        refusal(&scop, &plan),
        "Bounds: S1 would access `A` in buffer `B`, which holds another array"
    );
    let mut plan = right.clone();
    plan.statements[1].bindings.pop();
    assert_eq!(
        refusal(&scop, &plan),
        "Bounds: S1 has accesses without a buffer"
    );
}

#[test]
fn arrays_that_are_not_there_once() {
    let scop = two_stages();
    let right = with_local(&scop);
    let mut plan = right.clone();
    plan.buffers.swap(0, 1);
    assert_eq!(
        refusal(&scop, &plan),
        "Bounds: buffer 0 is not the array `in`"
    );
    let mut plan = right.clone();
    plan.buffers.truncate(2);
    assert_eq!(
        refusal(&scop, &plan),
        "Bounds: buffer 2 is not the array `B`"
    );
    let mut plan = right.clone();
    plan.buffers[1].kind = right.buffers[3].kind.clone();
    assert_eq!(
        refusal(&scop, &plan),
        "Bounds: buffer 1 is not the array `A`"
    );
    // The same memory under two numbers.
    let mut plan = right.clone();
    plan.buffers[3].kind = BufferKind::Full;
    assert_eq!(
        refusal(&scop, &plan),
        "Bounds: buffer `A_lines` is a second array of the program"
    );
}

/// Of a buffer's origin, its extents, and what of it is folded.
type Change = dyn Fn(&mut Vec<isl::Aff>, &mut Vec<i64>, &mut Vec<bool>);

#[test]
fn buffers_of_other_dimensions() {
    let scop = two_stages();
    let right = with_local(&scop);
    let changed = |change: &Change| {
        let mut plan = right.clone();
        if let BufferKind::Local {
            origin,
            extents,
            folded,
            ..
        } = &mut plan.buffers[3].kind
        {
            change(origin, extents, folded);
        }
        refusal(&scop, &plan)
    };
    assert_eq!(changed(&|_, _, _| {}), "accepted");
    let text = "Bounds: buffer `A_lines` does not have 1 dimensions";
    assert_eq!(changed(&|origin, _, _| origin.clear()), text);
    assert_eq!(changed(&|_, extents, _| extents.push(3)), text);
    assert_eq!(changed(&|_, _, folded| folded.push(true)), text);
    let text = "Bounds: buffer `A_lines` is folded to nothing";
    assert_eq!(changed(&|_, extents, _| extents[0] = 0), text);
    assert_eq!(changed(&|_, extents, _| extents[0] = -3), text);
    assert!(changed(&|_, extents, _| extents[0] = 1).starts_with("Flow: "));
}

#[test]
fn two_statements_with_one_name() {
    let scop = two_stages();
    let mut plan = with_local(&scop);
    plan.statements.push(plan.statements[0].clone());
    assert_eq!(refusal(&scop, &plan), "Bounds: there are two statements S0");
}

/// A mark of a scope around the program and others in it.
fn marked(first: &str, second: &str, around: &str) -> String {
    let scop = ScopBuilder::new("[n] -> { : 1 <= n <= 90 }")
        .input("in", 1)
        .temporary("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &["in[i]"], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .build();
    let plan = Build::unlifted(&scop)
        .local("A_tile", "A", 0, &[("{ [] -> [(0)] }", 90, false)])
        .bind("A_tile")
        .schedule(&format!(
            r#"
domain: "[n] -> {{ S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }}"
child:
  mark: "{around}"
  child:
    sequence:
    - filter: "{{ S0[i] }}"
      child:
        mark: "{first}"
        child:
          schedule: "[{{ S0[i] -> [(i)] }}]"
    - filter: "{{ S1[i] }}"
      child:
        mark: "{second}"
        child:
          schedule: "[{{ S1[i] -> [(i)] }}]"
"#
        ));
    refusal(&scop, &plan)
}

#[test]
fn marks_inside_of_each_other() {
    assert_eq!(marked("scope:1", "scope:2", "scope:0"), "accepted");
    let text = "Bounds: a mark `scope:0` stands inside another one";
    assert_eq!(marked("scope:0", "other", "scope:0"), text);
    assert_eq!(marked("other", "scope:0", "scope:0"), text);
    assert_eq!(marked("scope:0", "scope:0", "scope:0"), text);
    // Beside each other they are two lives.
    assert_eq!(
        marked("scope:0", "scope:0", "other"),
        "Flow: S1(i=0) would read what S0(i=0) has not written to A[0] in buffer `A_tile` (n = 1)"
    );
    assert!(marked("scope:0", "other", "other").contains("outside of its life"));
}

/// S0 in two loops, of which the second one is outside of the life of what it writes to.
#[test]
fn instances_outside_of_a_life() {
    let verdict = |second: &str| {
        let scop = ScopBuilder::new("[n] -> { : 1 <= n <= 90 }")
            .input("in", 1)
            .temporary("A", 1)
            .statement("S0[i] : 0 <= i < n", &["in[i]"], &["A[i]"])
            .build();
        let plan = Build::unlifted(&scop)
            .local("A_tile", "A", 0, &[("{ [] -> [(0)] }", 90, false)])
            .bind("A_tile")
            .schedule(&format!(
                r#"
domain: "[n] -> {{ S0[i] : 0 <= i < n }}"
child:
  sequence:
  - filter: "{{ S0[i] : i < 5 }}"
    child:
      mark: "scope:0"
      child:
        schedule: "[{{ S0[i] -> [(i)] }}]"
  - filter: "{{ S0[i] : i >= 5 }}"
    child:
      mark: "{second}"
      child:
        schedule: "[{{ S0[i] -> [(i)] }}]"
"#
            ));
        refusal(&scop, &plan)
    };
    assert_eq!(verdict("scope:0"), "accepted");
    assert_eq!(
        verdict("other"),
        "Bounds: S0(i=5) would access A[5] in buffer `A_tile` outside of its life, the subtrees \
         of mark `scope` (n = 6)"
    );
}
