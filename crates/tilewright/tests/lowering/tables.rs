//! Tables of constants: declared once in front of the loops, or values where numbers name elements.

use crate::bodies::statements;
use crate::functions::found;
use crate::normal::around;

/// Regions with functions in front of their own, and what they are without.
fn same(rows: &[(&str, &str, &str)]) {
    let ctx = isl::Ctx::new();
    for (functions, given, plain) in rows {
        let model = |region: &str| {
            let text = format!("{functions}\n{}", around(region));
            found(&ctx, &text).map(|scop| statements(&scop))
        };
        let (given_is, plain_is) = (model(given), model(plain));
        assert!(
            given_is.is_ok() && given_is == plain_is,
            "{given}\n{given_is:?}\n{plain_is:?}"
        );
    }
}

#[test]
fn elements_that_numbers_name() {
    same(&[
        (
            "static int w(const int *p) { static const int w[3] = {1, 2, -1}; return p[0] * w[0] + p[1] * w[1] + p[2] * w[2]; }",
            "for (int i = 0; i < n; i++) a[i] = w(v + i);",
            "for (int i = 0; i < n; i++) a[i] = v[i] * 1 + v[i + 1] * 2 + v[i + 2] * (-1);",
        ),
        // As an `int` where it is narrower, converted where it is not a number of its type.
        (
            "static int w(void) { static const unsigned char w[] = {7, 200}; static const char t[] = \"ab\"; return w[1] + t[2] + t[0]; }",
            "for (int i = 0; i < n; i++) a[i] = w();",
            "for (int i = 0; i < n; i++) a[i] = 200 + 0 + 97;",
        ),
        (
            "",
            "for (int i = 0; i < n; i++) { static const float w[2] = {1, 0.1}; a[i] = w[1] * 3; }",
            "for (int i = 0; i < n; i++) a[i] = (float)0.1 * 3;",
        ),
        (
            "",
            "for (int i = 0; i < n; i++) a[i] = (int[2][2]){{1, 2}, {3}}[1][0] + (int[]){5, 6}[1];",
            "for (int i = 0; i < n; i++) a[i] = 3 + 6;",
        ),
        // What is evaluated at times only.
        (
            "static int w(int x) { const int w[2] = {4, 5}; return x * w[1]; }",
            "for (int i = 0; i < n; i++) if (v[i] > 3 && w(v[i]) < 9) a[i] = 1;",
            "for (int i = 0; i < n; i++) if (v[i] > 3 && v[i] * 5 < 9) a[i] = 1;",
        ),
    ]);
}

#[test]
fn tables_in_front_of_the_loops() {
    same(&[
        (
            "static int w(int x) { static const int t[4] = {4, 3, 2, 1}; return t[x & 3]; }",
            "for (int i = 0; i < n; i++) a[i] = w(v[i]);",
            "int t[4] = {4, 3, 2, 1}; for (int i = 0; i < n; i++) a[i] = t[v[i] & 3];",
        ),
        (
            "",
            "for (int i = 0; i < n; i++) { static const int t[] = {4, 3}; a[i] = t[v[i] & 1]; }",
            "int t[2] = {4, 3}; for (int i = 0; i < n; i++) a[i] = t[v[i] & 1];",
        ),
        // Rows without braces of their own.
        (
            "static int w(const int *p) { static const int t[2][2] = {1, 2, 3, 4}; int s = 0; for (int row = 0; row < 2; row++) s += t[1][row] * p[row]; return s; }",
            "for (int i = 0; i < n; i++) a[i] = w(v + i);",
            "int t[2][2] = {{1, 2}, {3, 4}}; for (int i = 0; i < n; i++) { int s = 0; for (int row = 0; row < 2; row++) s += t[1][row] * v[i + row]; a[i] = s; }",
        ),
    ]);
}

/// What changes, or what something else may lead to, is no table.
#[test]
fn variables_that_are_no_tables() {
    let ctx = isl::Ctx::new();
    for region in [
        "for (int i = 0; i < n; i++) { int t[2] = {1, 2}; t[v[i] & 1] = 3; a[i] = t[0]; }",
        "for (int i = 0; i < n; i++) { int t[2] = {1, 2}; int *q = t; q[0] = v[i]; a[i] = t[0]; }",
    ] {
        let model = found(&ctx, &around(region)).map(|scop| statements(&scop));
        if let Ok(text) = model {
            assert!(
                text.contains("t Write") || text.contains("t_2 Write"),
                "{region}\n{text}"
            );
            assert!(
                text.contains("t Read") || text.contains("t_2 Read"),
                "{region}\n{text}"
            );
        }
    }
    let kept = format!(
        "static int count(int x) {{ static int calls = 0; return x + ++calls; }}\n{}",
        around("for (int i = 0; i < n; i++) a[i] = count(i);")
    );
    let scop = found(&ctx, &kept).unwrap_or_else(|e| panic!("{e}"));
    assert!(scop.has_effects());
}
