use super::*;
use crate::scop::testing::{region, region_of};

/// What is left of a region without the scalars that can be substituted: their names, and the
/// arrays that statements write, in order.
fn left(parameters: &str, body: &str) -> (Vec<String>, Vec<String>) {
    let before = region(parameters, body);
    match choose(&before).unwrap() {
        None => (Vec::new(), written(&before)),
        Some((names, after)) => {
            let again = before.substituted(&names).unwrap();
            assert_eq!(written(&again), written(&after));
            (names, written(&after))
        }
    }
}

fn written(region: &Region) -> Vec<String> {
    let scop = &region.scop;
    let statements = scop.statements.iter();
    let writes = statements.flat_map(|s| s.accesses.iter().filter(|a| a.kind == AccessKind::Write));
    writes.map(|a| scop.arrays[a.array].name.clone()).collect()
}

const ROWS: &str = "int n, int nnz, int first[restrict n + 1], int col[restrict nnz],
    double x[restrict n], double y[restrict n]";

#[test]
fn places_and_bounds_are_substituted() {
    let body = "int at, end, c;
    for (int i = 0; i < n; i++) {
        at = first[i];
        end = first[i + 1];
        y[i] = x[at];
        at++;
        while (at < end) {
            c = col[at];
            y[i] += x[c];
            at++;
        }
    }";
    // The variables belong to the function and not to the region.
    let (declarations, body) = body.split_once(";\n").unwrap();
    let source = format!("{declarations};\n#pragma scop\n{body}\n#pragma endscop\n");
    let text = format!("void f({ROWS})\n{{\n{source}}}\n");
    let source = crate::source::Source {
        name: "test.c".to_owned(),
        preprocessed: format!("# 1 \"test.c\"\n{text}"),
        text,
        ..crate::source::Source::default()
    };
    let budget = crate::plan::defaults::ISL_OPERATIONS;
    let before = crate::compile::regions(&source, budget).unwrap().remove(0);
    let (mut names, after) = choose(&before).unwrap().unwrap();
    names.sort();
    assert_eq!(names, ["at", "c", "end"]);
    // What is left of them are the bounds of the loop.
    assert_eq!(written(&after), ["y", "at_begin", "at_end", "y"]);
}

#[test]
fn values_that_change_stay() {
    // Set once, read behind a change of what it was computed from.
    let (names, _) = left(
        "int n, int first[restrict n + 1], int y[restrict n]",
        "for (int i = 0; i < n; i++) { int t = first[i]; first[i] = 0; y[i] = t; }",
    );
    assert_eq!(names, [""; 0]);
    // One of two values.
    let (names, _) = left(
        "int n, int first[restrict n + 1], int y[restrict n]",
        "for (int i = 0; i < n; i++) { int t = 1; if (first[i]) t = 2; y[i] = t; }",
    );
    assert_eq!(names, [""; 0]);
    // The value of another iteration.
    let (names, _) = left(
        "int n, int first[restrict n + 1], int y[restrict n]",
        "for (int i = 0; i < n; i++) { int t[1]; t[0] = i; for (int j = 0; j < n; j++) { y[j] = t[0]; t[0] = j; } }",
    );
    assert_eq!(names, [""; 0]);
}

#[test]
fn narrow_scalars_narrow_their_values() {
    let before = region(
        "int n, int first[restrict n + 1], int y[restrict n]",
        "for (int i = 0; i < n; i++) { unsigned char t = first[i]; for (int j = 0; j < 2; j++) y[i] = t; }",
    );
    let (names, after) = choose(&before).unwrap().unwrap();
    assert_eq!((names.len(), after.scop.statements.len()), (1, 1));
    let [Action::Assign { value, .. }] = &after.scop.statements[0].body[..] else {
        panic!("no assignment");
    };
    let Expr::Cast(to, _) = value else {
        panic!("{value:?}");
    };
    assert_eq!(to.spelling, "unsigned char");
}

/// What a plan names and what is no such scalar.
#[test]
fn other_names_are_refused() {
    let region = region_of(
        "",
        "int n, int first[restrict n + 1], double y[restrict n]",
        "for (int i = 0; i < n; i++) { int t[2]; t[0] = i; t[1] = 1; y[i] = first[t[0]]; }",
    );
    let refusal = |name: &str| {
        let error = region.substituted(&[name.to_owned()]).unwrap_err();
        error.to_string()
    };
    assert!(refusal("nothing").contains("there is no such scalar"));
    assert!(refusal("y").contains("used outside of the function"));
    assert!(refusal("t").contains("it is no scalar"));
}
