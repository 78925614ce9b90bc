//! Loops that run to static bounds in place of data: which are left early, after how many
//! iterations, and which must not be.

use super::harness::*;
use crate::codegen::Target;
use crate::codegen::kernel::{Kernel, Loop, Node};
use crate::codegen::passes::dynamic::exits::with_exits;
use crate::frontend::c::lower::lower;
use crate::frontend::c::read;
use crate::scop::Scop;
use crate::source::Source;

const PARAMETERS: &str =
    "int n, int u, int last[restrict n], double s[restrict u], double a[restrict u][n]";

/// A region over ragged rows, of which `last` says where they end.
fn rows(region: &str) -> Scop {
    let text = format!("void f({PARAMETERS})\n{{\n#pragma scop\n{region}\n#pragma endscop\n}}\n");
    let source = Source {
        name: "test.c".to_owned(),
        text: text.clone(),
        preprocessed: text,
        ..Source::default()
    };
    lower(&isl::Ctx::new(), &read(&source).unwrap(), 0).unwrap()
}

/// Every row from its begin on.
const RAGGED: &str = "    for (int i = 0; i < n; i++)
        for (int j = 0; j < last[i]; j++)
            s[j] = s[j] * 0.5 + a[j][i];";

/// Rows like those of a triangle: the first of them begin at once, and end at once.
const LATER: &str = "    for (int i = 0; i < n; i++)
        for (int j = i; j < last[i]; j++)
            s[j] = s[j] * 0.5 + a[j][i];";

fn ending(kernel: &Kernel, scop: &Scop) -> Vec<String> {
    fn below(nodes: &[Node], all: &mut Vec<String>) {
        for node in nodes {
            if let Node::For(Loop { dynamic, var, .. }) = node
                && dynamic.ends_early
            {
                all.push(var.clone());
            }
            node.children()
                .for_each(|child| below(std::slice::from_ref(child), all));
        }
    }
    let mut all = Vec::new();
    below(&with_exits(scop, kernel.body.clone(), &[]), &mut all);
    all
}

/// A schedule of S0, which computes a row's bound, in front of S1, the row.
fn bounds_first(scop: &Scop, rows: &str) -> String {
    format!(
        r#"
domain: "{}"
child:
  sequence:
  - filter: "{{ S0[i] }}"
    child:
      schedule: "[{{ S0[i] -> [(i)] }}]"
  - filter: "{{ S1[i, j] }}"
    child:
      schedule: "{rows}"
"#,
        scop.domain().unwrap()
    )
}

/// Runs a region in another order with 1000 as the static bound, and returns the loops that end
/// early. For each case of rows' ends these make as many iterations as expected, all together.
fn run(region: &str, order: &dyn Fn(&Scop) -> String, cases: &[(&str, u32)]) -> Vec<String> {
    let scop = rows(region);
    let transformed = unlifted(&scop, Some(&order(&scop)));
    let early = ending(&kernel(&scop, &transformed), &scop);
    let calls = cases.iter().map(|(ends, expected)| {
        format!(
            "    {{
        int last[n] = {{ {ends} }};
        fill(s, a);
        fill(t, b);
        iterations = 0;
        original(n, u, last, s, a);
        result(n, u, last, t, b);
        printf(\"%ld iterations of {expected}\\n\", iterations);
        if (memcmp(s, t, sizeof s) || memcmp(a, b, sizeof a) || iterations != {expected})
            return 1;
    }}\n"
        )
    });
    let program = Program {
        prelude: "static long iterations;
enum { n = 9, u = 1000 };
static double s[u], t[u], a[u][n], b[u][n];
static void fill(double *s, double (*a)[n])
{
    for (int j = 0; j < u; j++) {
        s[j] = j;
        for (int i = 0; i < n; i++)
            a[j][i] = i + 0.25 * j;
    }
}",
        parameters: PARAMETERS,
        locals: "",
        original: region,
        check: &(calls.collect::<String>() + "    return 0;"),
    };
    let text = print(&scop, &transformed, Target::OpenMp);
    program.run_text(&text.replace("_goes_on = 0;", "_goes_on = 0;\niterations++;"));
    early
}

/// The loop over a row outside of the loop over rows (figure 5.4): it ends behind the longest row.
#[test]
fn interchanged_loops_end_with_the_longest_row() {
    let order = |scop: &Scop| bounds_first(scop, "[{ S1[i, j] -> [(j)] }, { S1[i, j] -> [(i)] }]");
    let cases = [("0, 3, 0, 7, 0, 2", 8), ("0", 1), ("0, 0, 1000", 1000)];
    assert_eq!(run(RAGGED, &order, &cases), ["c0"]);
}

/// The same where the first iteration computes the bounds, too.
#[test]
fn bounds_that_the_first_iteration_computes() {
    let order = |scop: &Scop| {
        format!(
            r#"
domain: "{}"
child:
  schedule: "[{{ S0[i] -> [(0)]; S1[i, j] -> [(j)] }}, {{ S0[i] -> [(i)]; S1[i, j] -> [(i)] }}]"
  child:
    sequence:
    - filter: "{{ S0[i] }}"
    - filter: "{{ S1[i, j] }}"
"#,
            scop.domain().unwrap()
        )
    };
    // Whether the loop goes on is not asked in the first one.
    let cases = [("0, 3, 0, 7, 0, 2", 8), ("0", 2), ("1", 2)];
    assert_eq!(run(RAGGED, &order, &cases), ["c0"]);
}

/// Tiles of rows, several rows in a tile: exits of loops over tiles (figure 5.6, labels 2 and 3,
/// which ask for the last row's bound alone).
#[test]
fn loops_over_tiles_end_with_the_longest_row_of_the_tile() {
    let order = |scop: &Scop| {
        bounds_first(
            scop,
            "[{ S1[i, j] -> [(floor(i/3))] }, { S1[i, j] -> [(floor(j/4))] }, \
             { S1[i, j] -> [(i)] }, { S1[i, j] -> [(j)] }]",
        )
    };
    // Tiles of 0 to 8, of 0 to 0 and of 0 to 3, each with one more that is empty.
    let early = run(RAGGED, &order, &[("0, 9, 1, 0, 0, 0, 0, 4, 3", 4 + 1 + 2)]);
    assert_eq!(early, ["c1"]);
}

/// Points of a tile outside of rows: both loops are left.
#[test]
fn tiles_and_points_outside_of_rows() {
    let order = |scop: &Scop| {
        bounds_first(
            scop,
            "[{ S1[i, j] -> [(floor(j/4))] }, { S1[i, j] -> [(j)] }, { S1[i, j] -> [(i)] }]",
        )
    };
    // Tiles 0, 1 and, empty, 2; 4 points, 3 and an empty one, and an empty one.
    let early = run(RAGGED, &order, &[("0, 3, 0, 7, 0, 2", 3 + 4 + 4 + 1)]);
    assert_eq!(early, ["c0", "c1"]);
}

/// Later iterations look at more rows: that no row so far goes on says nothing.
#[test]
fn loops_whose_rows_come_later_are_not_left() {
    let order = |scop: &Scop| bounds_first(scop, "[{ S1[i, j] -> [(j)] }, { S1[i, j] -> [(i)] }]");
    assert!(run(LATER, &order, &[("0, 0, 0, 9, 0, 0, 20", 0)]).is_empty());
}

/// Diagonals: the bounds that an iteration looks at are others than those of the one before.
#[test]
fn diagonals_are_not_left() {
    let order =
        |scop: &Scop| bounds_first(scop, "[{ S1[i, j] -> [(i + j)] }, { S1[i, j] -> [(i)] }]");
    assert!(run(RAGGED, &order, &[("0, 0, 0, 9, 0, 0, 20", 0)]).is_empty());
}

/// Backwards, the first iterations are the empty ones (section 5.6.1).
#[test]
fn reversed_loops_are_not_left() {
    let region = "    for (int i = 0; i < n; i++)
        for (int j = 0; j < last[i]; j++)
            a[j][i] = a[j][i] * 0.5 + j;
    for (int j = 0; j < u; j++)
        for (int i = 0; i < n; i++)
            s[j] = s[j] + a[j][i];";
    let order = |scop: &Scop| {
        format!(
            r#"
domain: "{}"
child:
  sequence:
  - filter: "{{ S0[i] }}"
    child:
      schedule: "[{{ S0[i] -> [(i)] }}]"
  - filter: "{{ S1[i, j] }}"
    child:
      schedule: "[{{ S1[i, j] -> [(-j)] }}, {{ S1[i, j] -> [(i)] }}]"
  - filter: "{{ S2[j, i] }}"
    child:
      schedule: "[{{ S2[j, i] -> [(j)] }}, {{ S2[j, i] -> [(i)] }}]"
"#,
            scop.domain().unwrap()
        )
    };
    assert!(run(region, &order, &[("0, 3, 0, 7, 0, 2", 0)]).is_empty());
}

/// A statement without a bound needs all iterations.
#[test]
fn loops_with_other_statements_are_not_left() {
    let region = "    for (int i = 0; i < n; i++)
        for (int j = 0; j < last[i]; j++)
            s[j] = s[j] * 0.5 + a[j][i];
    for (int j = 0; j < u; j++)
        s[j] = s[j] + 1.0;";
    let order = |scop: &Scop| {
        format!(
            r#"
domain: "{}"
child:
  sequence:
  - filter: "{{ S0[i] }}"
    child:
      schedule: "[{{ S0[i] -> [(i)] }}]"
  - filter: "{{ S1[i, j]; S2[j] }}"
    child:
      schedule: "[{{ S1[i, j] -> [(j)]; S2[j] -> [(j)] }}]"
      child:
        sequence:
        - filter: "{{ S1[i, j] }}"
          child:
            schedule: "[{{ S1[i, j] -> [(i)] }}]"
        - filter: "{{ S2[j] }}"
"#,
            scop.domain().unwrap()
        )
    };
    assert!(run(region, &order, &[("0, 3, 0, 7, 0, 2", 0)]).is_empty());
}

/// Rows that run in parallel, or as vector lanes, all say that the loop goes on.
#[test]
fn parallel_rows_are_asked_together() {
    let region = "    for (int i = 0; i < n; i++)
        for (int j = 0; j < last[i]; j++)
            a[j][i] = a[j][i] * 0.5 + j;
    for (int j = 0; j < u; j++)
        for (int i = 0; i < n; i++)
            s[j] = s[j] + a[j][i];";
    for mark in ["parallel", "simd"] {
        let order = |scop: &Scop| {
            format!(
                r#"
domain: "{}"
child:
  sequence:
  - filter: "{{ S0[i] }}"
    child:
      schedule: "[{{ S0[i] -> [(i)] }}]"
  - filter: "{{ S1[i, j] }}"
    child:
      schedule: "[{{ S1[i, j] -> [(j)] }}]"
      child:
        mark: "{mark}"
        child:
          schedule: "[{{ S1[i, j] -> [(i)] }}]"
  - filter: "{{ S2[j, i] }}"
    child:
      schedule: "[{{ S2[j, i] -> [(j)] }}, {{ S2[j, i] -> [(i)] }}]"
"#,
                scop.domain().unwrap()
            )
        };
        assert_eq!(run(region, &order, &[("0, 3, 0, 7, 0, 2", 8)]), ["c0"]);
        let scop = rows(region);
        let text = print(&scop, &unlifted(&scop, Some(&order(&scop))), Target::OpenMp);
        assert!(text.contains("reduction(|: c0_goes_on)"), "{text}");
    }
}
