//! Innermost loops are split where conditions in them change: the same iterations in the same
//! order, and nothing to decide in between.

use super::harness::*;
use crate::codegen::Target;
use crate::codegen::kernel::{
    Comparison, DynamicBounds, Index, Instance, Loop, Node, Place, PlaceIndex,
};
use crate::codegen::passes::index_sets::split;
use crate::codegen::terms::substitute::{all_replaced, all_with};
use crate::scop::Scop;
use crate::scop::testing::{ScopBuilder, region};
use proptest::prelude::*;

fn x() -> Index {
    Index::var("x")
}

fn n(offset: i64) -> Index {
    Index::Param(0).plus(&Index::Int(offset))
}

fn compare(comparison: Comparison, a: Index, b: Index) -> Index {
    Index::Compare(comparison, Box::new(a), Box::new(b))
}

/// A scop with one statement of one write and one read.
fn one_read() -> Scop {
    ScopBuilder::new("[n] -> { : n >= 0 }")
        .input("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .build()
}

fn statement(read: Index) -> Node {
    let place = |index: Index| Place {
        buffer: 0,
        indices: vec![PlaceIndex::Affine(index)],
    };
    Node::Statement(Instance {
        statement: 0,
        group: 0,
        iterators: vec![x()],
        accesses: vec![place(read), place(x())],
        certain: Vec::new(),
        decided: Vec::new(),
    })
}

fn each(lower: Index, upper: Index, body: Vec<Node>) -> Loop {
    Loop {
        var: "x".to_owned(),
        lower,
        upper,
        step: 1,
        parallel: false,
        collapse: 1,
        simd: true,
        unroll: 1,
        dynamic: DynamicBounds::default(),
        rows: 1,
        worth: None,
        body,
    }
}

/// The instances that are executed with values for `n` and `t`, in order: `x` and what is read.
fn executed(nodes: &[Node], n: i64, t: i64) -> Vec<(i64, i64)> {
    fn below(nodes: &[Node], all: &mut Vec<(i64, i64)>) {
        for node in nodes {
            match node {
                Node::For(each) => {
                    let (Index::Int(lower), Index::Int(upper)) = (&each.lower, &each.upper) else {
                        panic!("{each:?}")
                    };
                    for value in *lower..=*upper {
                        below(&all_with(&each.body, &each.var, &Index::Int(value)), all);
                    }
                }
                Node::Statement(instance) => {
                    let [Index::Int(x)] = instance.iterators[..] else {
                        panic!("{instance:?}")
                    };
                    let [PlaceIndex::Affine(Index::Int(read))] = instance.accesses[0].indices[..]
                    else {
                        panic!("{instance:?}")
                    };
                    all.push((x, read));
                }
                other => panic!("{other:?}"),
            }
        }
    }
    let known = |part: &Index| match part {
        Index::Param(_) => Some(Index::Int(n)),
        Index::Var(name) if name == "t" => Some(Index::Int(t)),
        _ => None,
    };
    let mut all = Vec::new();
    let nodes = all_replaced(nodes, &|index| index.replaced(&known));
    below(&nodes, &mut all);
    all
}

/// Splits a loop, compares what it executes for small sizes, and returns the pieces.
fn checked(each: Loop) -> Vec<Node> {
    let before = vec![Node::For(each)];
    let pieces = split(&one_read(), before.clone());
    for n in 0..=12 {
        for t in -1..=3 {
            let expected = executed(&before, n, t);
            assert_eq!(
                executed(&pieces, n, t),
                expected,
                "n = {n}, t = {t}: {pieces:?}"
            );
        }
    }
    pieces
}

/// The comparisons that are left in the vector loops among some pieces, and how many loops these
/// are.
fn left_in_vector_loops(pieces: &[Node]) -> (usize, usize) {
    let (mut comparisons, mut loops) = (0, 0);
    let mut look = |index: &Index| {
        index.walk(&mut |part| {
            comparisons += usize::from(matches!(
                part,
                Index::Compare(..) | Index::Min(_) | Index::Max(_)
            ));
        });
    };
    for piece in pieces {
        let Node::For(each) = piece else { continue };
        if !each.simd {
            continue;
        }
        loops += 1;
        for node in &each.body {
            let Node::Statement(instance) = node else {
                return (usize::MAX, loops);
            };
            for index in instance.accesses.iter().flat_map(|place| &place.indices) {
                let PlaceIndex::Affine(index) = index else {
                    continue;
                };
                look(index);
            }
        }
    }
    (comparisons, loops)
}

/// `x == 0 ? n - 1 : x - 1` and `x == n - 1 ? 0 : x + 1`
fn around() -> [Index; 2] {
    let select = |condition, a: Index, b: Index| {
        Index::Select(Box::new(condition), Box::new(a), Box::new(b))
    };
    let first = compare(Comparison::Equal, x(), Index::Int(0));
    let last = compare(Comparison::Equal, x(), n(-1));
    [
        select(first, n(-1), x().plus(&Index::Int(-1))),
        select(last, Index::Int(0), x().plus(&Index::Int(1))),
    ]
}

#[test]
fn the_ends_of_a_ring_stand_alone() {
    let [before, behind] = around();
    let body = vec![statement(before), statement(behind)];
    let pieces = checked(each(Index::Int(0), n(-1), body));
    let [Node::If { .. }, Node::For(middle), Node::If { .. }] = &pieces[..] else {
        panic!("{pieces:?}")
    };
    assert_eq!((&middle.lower, &middle.upper), (&Index::Int(1), &n(-2)));
    assert_eq!(left_in_vector_loops(&pieces), (0, 1));
}

/// A tile does not say that its first point is the first of all.
#[test]
fn tiles_of_a_ring_are_split_twice() {
    let [before, behind] = around();
    let begin = Index::var("t").times(4);
    let end = Index::min_of(vec![begin.plus(&Index::Int(15)), n(-1)]);
    let body = vec![statement(before), statement(behind)];
    let pieces = checked(each(begin, end, body));
    assert_eq!(pieces.len(), 3, "{pieces:?}");
    assert_eq!(left_in_vector_loops(&pieces), (0, 1));
}

/// Cells beyond a picture's rim are those at the rim.
#[test]
fn clamped_subscripts_are_plain_in_the_middle() {
    let left = Index::max_of(vec![x().plus(&Index::Int(-2)), Index::Int(0)]);
    let both = Index::min_of(vec![
        Index::max_of(vec![x().plus(&Index::Int(-1)), Index::Int(0)]),
        n(-1),
    ]);
    let pieces = checked(each(Index::Int(0), n(-1), vec![statement(left)]));
    assert_eq!(left_in_vector_loops(&pieces), (0, 1));
    let pieces = checked(each(Index::Int(0), n(-1), vec![statement(both)]));
    let (_, loops) = left_in_vector_loops(&pieces);
    assert_eq!(loops, 1, "{pieces:?}");
}

/// Halves, and one iteration somewhere, make pieces of which none has a condition.
#[test]
fn loops_are_cut_in_the_middle() {
    let guard = |condition| Node::If {
        condition,
        then: vec![statement(x())],
        otherwise: vec![statement(Index::Int(7))],
    };
    let half = Index::FloorDiv(Box::new(n(0)), 2);
    for comparison in [
        Comparison::Less,
        Comparison::LessEqual,
        Comparison::Greater,
        Comparison::GreaterEqual,
    ] {
        let condition = compare(comparison, x(), half.clone());
        let pieces = checked(each(Index::Int(0), n(-1), vec![guard(condition)]));
        assert_eq!(left_in_vector_loops(&pieces), (0, 2), "{pieces:?}");
    }
    let condition = compare(Comparison::Equal, x().times(2), half);
    let pieces = checked(each(Index::Int(0), n(-1), vec![guard(condition)]));
    assert_eq!(left_in_vector_loops(&pieces), (0, 3), "{pieces:?}");
}

/// The middle of a parallel loop is all that is distributed, and it is not cut.
#[test]
fn parallel_loops_keep_one_parallel_piece() {
    let [before, behind] = around();
    let half = Index::FloorDiv(Box::new(n(0)), 2);
    let guard = Node::If {
        condition: compare(Comparison::Less, x(), half),
        then: vec![statement(before)],
        otherwise: vec![statement(behind)],
    };
    let parallel = Loop {
        parallel: true,
        simd: false,
        ..each(Index::Int(0), n(-1), vec![guard])
    };
    let pieces = checked(parallel);
    let loops = pieces.iter().filter_map(|piece| match piece {
        Node::For(each) => Some(each.parallel),
        _ => None,
    });
    assert_eq!(loops.collect::<Vec<bool>>(), [true], "{pieces:?}");
}

/// What compilers write out, and conditions on data or remainders, stay.
#[test]
fn other_loops_stay() {
    let [before, _] = around();
    let short = each(Index::Int(0), Index::Int(3), vec![statement(before)]);
    assert_eq!(checked(short.clone()), [Node::For(short)]);
    let odd = Index::Mod(Box::new(x()), 2);
    let select = Index::Select(
        Box::new(compare(Comparison::Equal, odd, Index::Int(0))),
        Box::new(x()),
        Box::new(Index::Int(0)),
    );
    let remainder = each(Index::Int(0), n(-1), vec![statement(select)]);
    assert_eq!(checked(remainder.clone()), [Node::For(remainder)]);
    let by_three = Loop {
        step: 3,
        ..each(Index::Int(0), n(-1), vec![statement(around()[0].clone())])
    };
    let before = vec![Node::For(by_three)];
    assert_eq!(split(&one_read(), before.clone()), before);
}

fn linear() -> impl Strategy<Value = Index> {
    let atom = prop_oneof![
        2 => Just(Index::Int(0)),
        2 => Just(Index::Param(0)),
        1 => Just(Index::var("t")),
        1 => Just(Index::FloorDiv(Box::new(Index::Param(0)), 2)),
    ];
    (atom, -3i64..=3).prop_map(|(atom, offset)| atom.plus(&Index::Int(offset)))
}

fn condition() -> impl Strategy<Value = Index> {
    let comparison = prop_oneof![
        Just(Comparison::Equal),
        Just(Comparison::Less),
        Just(Comparison::LessEqual),
        Just(Comparison::Greater),
        Just(Comparison::GreaterEqual),
    ];
    let one = (comparison, -3i64..=3, linear())
        .prop_map(|(comparison, factor, value)| compare(comparison, x().times(factor), value))
        .boxed();
    prop_oneof![
        4 => one.clone(),
        1 => (one.clone(), one.clone()).prop_map(|(a, b)| Index::All(vec![a, b])),
        1 => (one.clone(), one).prop_map(|(a, b)| Index::Any(vec![a, b])),
    ]
}

fn bound() -> impl Strategy<Value = Index> {
    let two = || (linear(), linear()).prop_map(|(a, b)| vec![a, b.plus(&Index::Param(0))]);
    prop_oneof![
        2 => linear(),
        1 => two().prop_map(Index::max_of),
        1 => two().prop_map(Index::min_of),
    ]
}

fn subscript() -> impl Strategy<Value = Index> {
    let moved = || (-2i64..=2).prop_map(|offset| x().plus(&Index::Int(offset)));
    prop_oneof![
        moved(),
        (condition(), moved(), linear()).prop_map(|(condition, a, b)| Index::Select(
            Box::new(condition),
            Box::new(a),
            Box::new(b)
        )),
        (moved(), linear(), linear()).prop_map(|(a, b, c)| Index::max_of(vec![a, b, c])),
        (moved(), linear()).prop_map(|(a, b)| Index::min_of(vec![x().times(-1), a, b])),
    ]
}

fn body() -> impl Strategy<Value = Node> {
    prop_oneof![
        2 => subscript().prop_map(statement),
        1 => (condition(), subscript(), subscript()).prop_map(|(condition, a, b)| Node::If {
            condition,
            then: vec![statement(a)],
            otherwise: vec![statement(b)],
        }),
        1 => (condition(), subscript()).prop_map(|(condition, a)| Node::If {
            condition,
            then: vec![statement(a)],
            otherwise: Vec::new(),
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// Bounds, conditions and subscripts of any kind: the same is read in the same order.
    #[test]
    fn any_loop_executes_the_same(
        lower in bound(),
        upper in bound(),
        nodes in prop::collection::vec(body(), 1..4),
        parallel: bool,
    ) {
        let each = Loop { parallel, ..each(lower, upper, nodes) };
        checked(each);
    }
}

/// The text of a region in its own order, compiled and run beside the original for sizes up to 20.
fn ran(declared: &str, body: &str) -> String {
    let parameters = format!("int n, {declared} A[restrict n], {declared} B[restrict n]");
    let region = region(&parameters, body);
    let transformed = unlifted(&region.scop, None);
    let check = format!(
        "
    {declared} A[20], B[20], C[20];
    for (int n = 1; n <= 20; n++) {{
        for (int i = 0; i < 20; i++) A[i] = i * 37 % 11 + 1, B[i] = C[i] = -i;
        original(n, A, B);
        result(n, A, C);
        if (memcmp(B, C, sizeof B)) return printf(\"n = %d\\n\", n), 1;
    }}
    return 0;"
    );
    let program = Program {
        prelude: "",
        parameters: &parameters,
        locals: "",
        original: body,
        check: &check,
    };
    program.run(&region.scop, &transformed);
    print(&region.scop, &transformed, Target::C)
}

#[test]
fn rings_are_read_without_conditions() {
    let text = ran(
        "double",
        "for (int i = 0; i < n; i++)
    B[i] = 0.25 * (A[i == n - 1 ? 0 : i + 1] + 2.0 * A[i] + A[i == 0 ? n - 1 : i - 1]);",
    );
    insta::assert_snapshot!(text);
    // The same ring by remainders.
    let remainders = ran(
        "double",
        "for (int i = 0; i < n; i++)
    B[i] = 0.25 * (A[(i + 1) % n] + 2.0 * A[i] + A[(i + n - 1) % n]);",
    );
    assert_eq!(remainders, text);
}

/// Choices in a statement's value, of one type and of two.
#[test]
fn choices_are_made_in_front_of_the_loop() {
    let text = ran(
        "float",
        "for (int i = 0; i < n; i++)
    B[i] = i > 0 && i != n - 1 ? A[i - 1] + A[i + 1] : A[i];",
    );
    insta::assert_snapshot!(text);
    let text = ran(
        "float",
        "for (int i = 0; i < n; i++)
    B[i] = (i < n - 1 ? A[i + 1] : 1) / 3 + (!(i >= 2) ? 1.5 : A[i - 2]) + (i > 4 ? 1 : 2.5) / 2;",
    );
    insta::assert_snapshot!(text);
}

/// What a cast to a narrower type makes of a value, and numbers with a zero in front, are no affine
/// conditions.
#[test]
fn choices_are_what_c_says() {
    ran(
        "double",
        "for (int i = 0; i < n; i++)
    B[i] = (int)((long)i * 65536 * 65536) == 0 ? A[i] : 0.0;",
    );
    ran(
        "double",
        "for (int i = 0; i < n; i++)
    B[i] = (i == 011 ? 3.0 : A[i]) + ((int)((long)i * 65536 * 32768 + 1) < i ? 1.0 : A[i]);",
    );
    ran(
        "int",
        "for (int i = 0; i < n; i++)
    B[i] = ((long)i > (long)n - 2 ? 7 : A[i]) + (i < (int)(n * 65536L * 65536L + 4) ? 1 : 2);",
    );
}

/// Conditions that sizes make of loop variables are bounds of the innermost loop, or stand in front
/// of it.
#[test]
fn conditions_by_sizes_leave_the_loop() {
    let text = ran(
        "int",
        "for (int k = 0; k < 3; k++)
  for (int i = 0; i < n; i++)
    if (i + k * n >= 2 * n - 3)
      B[i] += A[i];",
    );
    assert!(!text.contains("if ("), "{text}");
    assert!(text.contains("tw_max(0, "), "{text}");
    ran(
        "int",
        "for (int k = 0; k < 3; k++)
  for (int i = 0; i < n; i++)
    if (k * n < 12 && i >= 2) {
      if (A[i] > 3)
        B[i] += A[i];
    } else {
      B[i] -= k;
    }",
    );
    let text = ran(
        "int",
        "for (int k = 0; k < 3; k++)
  for (int i = 0; i < n; i++)
    if (k * n < 12)
      B[i] += A[i];",
    );
    let around = text
        .find("if (c0 * n < 12)")
        .expect("a condition in front of the loop");
    assert!(text[around..].contains("for (long c1 "), "{text}");
}

/// What an `if` declares stays in it.
#[test]
fn branches_with_variables_of_their_own_stay() {
    ran(
        "int",
        "for (int k = 0; k < 3; k++)
  for (int i = 0; i < n; i++) {
    if (i >= k * n - 5) {
      int t = A[i] * 2;
      B[i] += t;
    }
    int t = A[i] + k;
    B[i] -= t;
  }",
    );
}
