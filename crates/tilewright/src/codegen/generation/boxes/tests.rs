//! The code of small nests is executed, and what it executes compared with what the sets say, which
//! stands here a second time, as conditions on integers.

use crate::codegen::generation::boxes::{Nest, generate};
use crate::codegen::kernel::{Comparison, Index, Instance, Loop, Node};
use isl::{Ctx, Schedule, Set};
use std::collections::HashMap;

/// Which statement is executed, with which values of its dimensions.
type Instances = Vec<(usize, Vec<i64>)>;

/// The code of a schedule, where it is a nest of boxes; statements are `S0`, `S1` and so on, `N` and
/// `M` parameters.
fn code(schedule: &str, context: &str) -> Option<Vec<Node>> {
    let ctx = Ctx::new();
    let schedule = Schedule::read_from_str(&ctx, schedule).expect("a schedule");
    let context = Set::read_from_str(&ctx, context).expect("a set");
    let name = |name: &str| match name {
        "N" => Index::Param(0),
        "M" => Index::Param(1),
        _ => Index::var(name),
    };
    let nest = Nest {
        number: &|tuple| tuple.strip_prefix('S')?.parse().ok(),
        instance: &|statement, dims, site| {
            site.check()?;
            Ok(Instance {
                statement,
                group: 0,
                iterators: dims.to_vec(),
                accesses: Vec::new(),
                certain: Vec::new(),
                decided: Vec::new(),
            })
        },
        context: &context,
        prefix: "c",
        depth: 0,
        name: &name,
        room: 9,
    };
    let domain = schedule.get_domain().expect("a domain");
    let tree = schedule
        .get_root()
        .and_then(|root| root.child(0))
        .expect("a tree");
    generate(&nest, &domain.sets().expect("sets"), &tree).expect("isl")
}

fn value(index: &Index, params: [i64; 2], vars: &HashMap<String, i64>) -> i64 {
    let of = |index: &Index| value(index, params, vars);
    match index {
        Index::Int(value) => *value,
        Index::Var(name) => vars[name],
        Index::Param(param) => params[*param],
        Index::Data(..) => panic!("boxes know no data"),
        Index::Add(a, b) => of(a) + of(b),
        Index::Sub(a, b) => of(a) - of(b),
        Index::Mul(a, b) => of(a) * of(b),
        Index::Neg(a) => -of(a),
        Index::FloorDiv(a, d) => of(a).div_euclid(*d),
        Index::ExactDiv(a, d) => of(a) / d,
        Index::Mod(a, d) => of(a).rem_euclid(*d),
        Index::PlainMod(a, d) => of(a) % d,
        Index::Min(all) => all.iter().map(of).min().expect("an operand"),
        Index::Max(all) => all.iter().map(of).max().expect("an operand"),
        Index::Select(c, a, b) => match of(c) {
            0 => of(b),
            _ => of(a),
        },
        Index::Compare(comparison, a, b) => i64::from(match comparison {
            Comparison::Equal => of(a) == of(b),
            Comparison::LessEqual => of(a) <= of(b),
            Comparison::Less => of(a) < of(b),
            Comparison::GreaterEqual => of(a) >= of(b),
            Comparison::Greater => of(a) > of(b),
        }),
        Index::All(all) => i64::from(all.iter().all(|a| of(a) != 0)),
        Index::Any(all) => i64::from(all.iter().any(|a| of(a) != 0)),
    }
}

fn execute(
    nodes: &[Node],
    params: [i64; 2],
    vars: &mut HashMap<String, i64>,
    executed: &mut Instances,
) {
    for node in nodes {
        match node {
            Node::For(each) => {
                let (lower, upper) = (
                    value(&each.lower, params, vars),
                    value(&each.upper, params, vars),
                );
                for now in (lower..=upper).step_by(each.step as usize) {
                    vars.insert(each.var.clone(), now);
                    execute(&each.body, params, vars, executed);
                }
                vars.remove(&each.var);
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => match value(condition, params, vars) {
                0 => execute(otherwise, params, vars, executed),
                _ => execute(then, params, vars, executed),
            },
            Node::Statement(instance) => {
                let values = instance.iterators.iter();
                let values = values.map(|index| value(index, params, vars)).collect();
                executed.push((instance.statement, values));
            }
            Node::Scope { body, .. } => execute(body, params, vars, executed),
            _ => panic!("boxes have no such node"),
        }
    }
}

/// Checks what is executed for all small values of the parameters that the context allows: the
/// instances `(statement, [i, j])` that are in the set, in the order of their dates.
fn check(
    nodes: &[Node],
    allowed: impl Fn(i64, i64) -> bool,
    statements: usize,
    member: impl Fn(usize, [i64; 2], [i64; 2]) -> bool,
    date: impl Fn(usize, [i64; 2]) -> Vec<i64>,
) {
    let mut any = false;
    for n in -4..14i64 {
        for m in (-4..14i64).filter(|&m| allowed(n, m)) {
            let mut expected: Instances = Vec::new();
            for statement in 0..statements {
                for i in -20..40i64 {
                    for j in -20..40i64 {
                        if member(statement, [n, m], [i, j]) {
                            expected.push((statement, vec![i, j]));
                        }
                    }
                }
            }
            expected.sort_by_key(|(statement, dims)| date(*statement, [dims[0], dims[1]]));
            let mut executed = Instances::new();
            execute(nodes, [n, m], &mut HashMap::new(), &mut executed);
            assert_eq!(executed, expected, "N = {n}, M = {m}:\n{nodes:#?}");
            any |= !expected.is_empty();
        }
    }
    assert!(any, "a test of nothing");
}

/// Two loops over the first and second dimension of `S0`.
fn rows(set: &str) -> String {
    let params = "[N, M] -> ";
    format!(
        r#"{{ domain: "{params}{{ S0[i, j] : {set} }}",
             child: {{ schedule: "{params}[{{ S0[i, j] -> [(i)] }}]",
             child: {{ schedule: "{params}[{{ S0[i, j] -> [(j)] }}]" }} }} }}"#
    )
}

const ANY: &str = "[N, M] -> { : }";

fn in_order(_: usize, dims: [i64; 2]) -> Vec<i64> {
    dims.to_vec()
}

fn loops(nodes: &[Node]) -> Vec<&Loop> {
    let mut found = Vec::new();
    for node in nodes {
        if let Node::For(each) = node {
            found.push(each);
        }
        for child in node.children() {
            found.extend(loops(std::slice::from_ref(child)));
        }
    }
    found
}

#[test]
fn a_box() {
    let nodes = code(&rows("0 <= i < N and 3 <= j <= M and j <= N"), ANY).expect("a box");
    check(
        &nodes,
        |_, _| true,
        1,
        |_, [n, m], [i, j]| 0 <= i && i < n && 3 <= j && j <= m && j <= n,
        in_order,
    );
    assert_eq!(loops(&nodes).len(), 2);
}

#[test]
fn bounds_that_others_imply_are_dropped() {
    let context = "[N, M] -> { : N <= M }";
    let nodes = code(&rows("0 <= i < N and i < M + 2 and 0 <= j <= 5"), context).expect("a box");
    let upper = &loops(&nodes)[0].upper;
    assert_eq!(*upper, Index::Param(0).plus(&Index::Int(-1)));
}

#[test]
fn bounds_with_factors() {
    let set = "3i >= N and 2i <= M and 0 <= j <= 2";
    let nodes = code(&rows(set), ANY).expect("a box");
    check(
        &nodes,
        |_, _| true,
        1,
        |_, [n, m], [i, j]| 3 * i >= n && 2 * i <= m && (0..=2).contains(&j),
        in_order,
    );
}

#[test]
fn a_box_with_strides() {
    let set = "N <= i <= 20 and (i - 2) mod 3 = 0 and 0 <= j <= M and (j + N) mod 2 = 0";
    let nodes = code(&rows(set), ANY).expect("a box");
    check(
        &nodes,
        |_, _| true,
        1,
        |_, [n, m], [i, j]| {
            (n..=20).contains(&i)
                && (i - 2).rem_euclid(3) == 0
                && (0..=m).contains(&j)
                && (j + n).rem_euclid(2) == 0
        },
        in_order,
    );
    let steps: Vec<i64> = loops(&nodes).iter().map(|each| each.step).collect();
    assert_eq!(steps, [3, 2]);
}

#[test]
fn conditions_on_parameters_are_checked_around_the_loops() {
    let set = "0 <= i <= 3 and 0 <= j <= N and M >= 2 and N mod 3 = 1";
    let nodes = code(&rows(set), ANY).expect("a box");
    check(
        &nodes,
        |_, _| true,
        1,
        |_, [n, m], [i, j]| {
            (0..=3).contains(&i) && (0..=n).contains(&j) && m >= 2 && n.rem_euclid(3) == 1
        },
        in_order,
    );
    assert!(matches!(&nodes[..], [Node::If { then, .. }] if matches!(then[..], [Node::For(_)])));
}

#[test]
fn conditions_that_the_context_says_are_not_checked() {
    let nodes = code(
        &rows("0 <= i <= N and 0 <= j <= 1"),
        "[N, M] -> { : N >= 3 }",
    );
    assert!(matches!(nodes.expect("a box")[..], [Node::For(_)]));
}

/// The division is mentioned by the row and by the condition.
#[test]
fn a_row_that_parameters_give() {
    let set = "4i = N + 5 and (N - 3) mod 8 = 0 and 0 <= j <= M";
    let nodes = code(&rows(set), ANY).expect("a box");
    check(
        &nodes,
        |_, _| true,
        1,
        |_, [n, m], [i, j]| 4 * i == n + 5 && (n - 3).rem_euclid(8) == 0 && (0..=m).contains(&j),
        in_order,
    );
}

#[test]
fn quotients_of_parameters_are_bounds() {
    let set = "2 * floor(N / 3) <= i <= 9 and floor((N + M) / 2) <= j <= floor(N / 3) + 9";
    let nodes = code(&rows(set), ANY).expect("a box");
    check(
        &nodes,
        |_, _| true,
        1,
        |_, [n, m], [i, j]| {
            let third = n.div_euclid(3);
            (2 * third..=9).contains(&i) && ((n + m).div_euclid(2)..=third + 9).contains(&j)
        },
        in_order,
    );
}

#[test]
fn disjuncts_that_exclude_each_other() {
    let set = "(N >= 5 and 0 <= i <= M and 0 <= j <= 1) or (N <= 3 and 2 <= i <= 6 and j = i)";
    // A diagonal is no box.
    assert!(code(&rows(set), ANY).is_none());
    let nodes = code(&rows(&set.replace("j = i", "j = N")), ANY).expect("boxes");
    check(
        &nodes,
        |_, _| true,
        1,
        |_, [n, m], [i, j]| {
            (n >= 5 && (0..=m).contains(&i) && (0..=1).contains(&j))
                || (n <= 3 && (2..=6).contains(&i) && j == n)
        },
        in_order,
    );
}

/// Rows above and below are the same code.
#[test]
fn disjuncts_with_the_same_loops_share_them() {
    let set = "(N >= 5 or N <= 3) and 0 <= i <= M and 0 <= j <= 1";
    let nodes = code(&rows(set), ANY).expect("boxes");
    check(
        &nodes,
        |_, _| true,
        1,
        |_, [n, m], [i, j]| (n >= 5 || n <= 3) && (0..=m).contains(&i) && (0..=1).contains(&j),
        in_order,
    );
    assert_eq!(loops(&nodes).len(), 2);
}

#[test]
fn what_is_no_box_is_left_to_isl() {
    for set in [
        "0 <= i <= N and 0 <= j <= i",
        "0 <= i and 0 <= j <= N",
        "0 <= i <= N and 0 <= j <= 9 and (i + j) mod 2 = 0",
        "0 <= i <= N and (j = 0 or j = 5)",
        "0 <= i <= 9 and 2 * floor(i / 2) <= N and 0 <= j <= 2",
        "0 <= i <= 9 and 1 <= i mod 4 <= 2 and 0 <= j <= 2",
    ] {
        assert!(code(&rows(set), ANY).is_none(), "{set}");
    }
}

#[test]
fn a_dimension_without_a_loop_is_left_to_isl() {
    let tree = r#"{ domain: "{ S0[i, j] : 0 <= i <= 3 and 0 <= j <= 3 }",
                    child: { schedule: "[{ S0[i, j] -> [(i)] }]" } }"#;
    assert!(code(tree, "{ : }").is_none());
}

/// `S1`, with other columns, comes two iterations behind `S0`; `options` are those of the loop over
/// rows.
fn two(columns: &str, options: &str) -> String {
    let rows = "0 <= i <= N and 0 <= j <= 4";
    let later = format!("-2 <= i <= N - 2 and 0 <= j <= {columns}");
    format!(
        r#"{{ domain: "[N, M] -> {{ S0[i, j] : {rows}; S1[i, j] : {later} }}",
              child: {{ schedule: "[N, M] -> [{{ S0[i, j] -> [(i)]; S1[i, j] -> [(i + 2)] }}]"{options},
              child: {{ sequence: [
                {{ filter: "[N, M] -> {{ S0[i, j] }}",
                   child: {{ schedule: "[N, M] -> [{{ S0[i, j] -> [(j)] }}]" }} }},
                {{ filter: "[N, M] -> {{ S1[i, j] }}",
                   child: {{ schedule: "[N, M] -> [{{ S1[i, j] -> [(j)] }}]" }} }} ] }} }} }}"#
    )
}

#[test]
fn statements_share_loops_with_the_same_bounds() {
    let nodes = code(&two("M", ""), ANY).expect("boxes");
    check(
        &nodes,
        |_, _| true,
        2,
        |statement, [n, m], [i, j]| match statement {
            0 => (0..=n).contains(&i) && (0..=4).contains(&j),
            _ => (-2..=n - 2).contains(&i) && (0..=m).contains(&j),
        },
        |statement, [i, j]| vec![i + 2 * statement as i64, statement as i64, j],
    );
    assert_eq!(loops(&nodes).len(), 3);
}

#[test]
fn conditions_of_one_statement_are_checked_inside_shared_loops() {
    let nodes = code(&two("7 and M >= 3", ""), ANY).expect("boxes");
    check(
        &nodes,
        |_, _| true,
        2,
        |statement, [n, m], [i, j]| match statement {
            0 => (0..=n).contains(&i) && (0..=4).contains(&j),
            _ => (-2..=n - 2).contains(&i) && (0..=7).contains(&j) && m >= 3,
        },
        |statement, [i, j]| vec![i + 2 * statement as i64, statement as i64, j],
    );
}

#[test]
fn loops_that_are_to_fall_into_pieces_have_no_conditions_inside() {
    let options = r#", options: "{ separate[0] }""#;
    assert!(code(&two("7 and M >= 3", options), ANY).is_none());
}

#[test]
fn statements_with_other_bounds_are_left_to_isl() {
    assert!(code(&two("7 and i <= 3", ""), ANY).is_none());
}

#[test]
fn statements_that_a_sequence_cuts_are_left_to_isl() {
    let cut = two("7", "")
        .replace(
            "filter: \"[N, M] -> { S0[i, j] }",
            "filter: \"[N, M] -> { S0[i, j] : j <= 2 }",
        )
        .replace(
            "filter: \"[N, M] -> { S1[i, j] }",
            "filter: \"[N, M] -> { S1[i, j]; S0[i, j] : j > 2 }",
        )
        .replace(
            "[{ S1[i, j] -> [(j)] }]",
            "[{ S1[i, j] -> [(j)]; S0[i, j] -> [(j)] }]",
        );
    assert!(code(&cut, ANY).is_none());
}
