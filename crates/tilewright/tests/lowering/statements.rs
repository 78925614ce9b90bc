//! What statements, declarations and pragmas of a region become, as lines of the model's text.

use crate::{lowered, plain, render};
use tilewright::scop::dump::dump;

pub const HEAD: &str =
    "int abs(int); void *malloc(unsigned long); int visible; typedef unsigned char byte;
struct p { float x; int y[2]; };
struct last { int n; int row[9]; }; struct front { int row[9]; int n; };
struct outer { int k; struct last in; }; struct other { struct last in; int k; };
struct nested { int k; struct front in; };
";

/// The model as lines, or the messages.
pub fn lines(text: &str) -> Result<Vec<String>, String> {
    let source = plain(&format!("{HEAD}{text}"));
    let ctx = isl::Ctx::new();
    let found = lowered(&ctx, &source).map_err(|e| render(&source, &e))?;
    crate::examples::check(&found.scop);
    let text = dump(&found.scop).expect("a dump") + &render(&source, &found.warnings);
    Ok(text.lines().map(|line| line.trim().to_owned()).collect())
}

/// A loop over `i` around some statements.
pub fn region(inside: &str) -> String {
    format!(
        "void f(int n, float a[restrict n], float b[restrict n], int d[restrict n], byte c[restrict n],
       struct last *restrict pl, struct front *restrict pf, struct outer *restrict po,
       struct other *restrict pt, struct nested *restrict pn, struct last v) {{
int count; static int kept; float real;
#pragma scop
for (int i = 0; i < n; i++) {{ {inside} }}
#pragma endscop
}}"
    )
}

/// Affine conditions in a body split it; four of them one after the other, no more.
#[test]
fn branches_that_split_a_body() {
    let ctx = isl::Ctx::new();
    for (conditions, expected) in [(0, 1), (1, 2), (3, 8), (4, 16), (5, 16), (6, 16)] {
        let mut inside = "float t = b[i];".to_owned();
        for k in 0..conditions {
            let bit = 1 << k;
            inside += &format!(" if (i / {bit} % 2) t += {bit}; else t = t * t;");
        }
        let text = region(&format!("if (i >= 0) {{ {inside} a[i] = t; }}"));
        let source = plain(&format!("{HEAD}{text}"));
        let found = lowered(&ctx, &source).unwrap_or_else(|e| panic!("{}", render(&source, &e)));
        assert_eq!(found.scop.statements.len(), expected, "{conditions}");
    }
}

/// `while` loops over a variable that the last statement moves by one.
#[test]
fn while_loops_that_count() {
    let counted = [
        (
            "count = (int)a[i]; while (count < n) { a[count] = 1; count++; }",
            "count = (count < n) ? n : count",
        ),
        (
            "count = (int)a[i]; while (n > count) { a[count] = 1; count += 1; }",
            "count = (count < n) ? n : count",
        ),
        (
            "count = (int)a[i]; while (count <= n) { a[count] = 1; count = count + 1; }",
            "count = (count <= n) ? (n + 1) : count",
        ),
        (
            "count = (int)a[i]; while (count > 0) { a[count] = 1; count--; }",
            "count = (count > 0) ? 0 : count",
        ),
        (
            "count = (int)a[i]; while (0 <= count) { a[count] = 1; --count; }",
            "count = (count >= 0) ? (0 - 1) : count",
        ),
    ];
    for (inside, after) in counted {
        let found = lines(&region(inside)).unwrap_or_else(|e| panic!("{inside}: {e}"));
        assert!(
            found.iter().any(|line| line == after),
            "{inside}\n{}",
            found.join("\n")
        );
    }
    // Where the test and the steps stand does not matter.
    for inside in [
        "count = 0; while (count < n) { count++; a[count - 1] = 1; }",
        "count = 0; do { a[count] = 1; } while (++count < n);",
        "count = n; do a[--count] = 1; while (count != 0);",
        "count = 0; while (1) { if (count >= n) break; a[count] = 1; count++; }",
        "count = 3; for (;;) { a[count] = 1; count++; if (!(count < n)) break; }",
        "count = 0; int other = n - 1; while (count < other) { a[count++] = 1; a[other--] = 2; }",
    ] {
        let found = lines(&region(inside)).unwrap_or_else(|e| panic!("{inside}: {e}"));
        let turns = found.iter().any(|line| line.starts_with("while "));
        assert!(!turns, "{inside}\n{}", found.join("\n"));
    }
    // Each turn decides: a step of a statement.
    let known = "turns";
    let refused = [
        (
            "count = 0; while (count < n) { if (d[0]) count++; a[count] = 1; }",
            known,
        ),
        (
            "count = 0; do { a[count] = 1; count++; } while (count < a[n - 1]);",
            known,
        ),
        (
            "count = 0; while (count < n) { a[count] = 1; count += 2; }",
            known,
        ),
        (
            "count = 0; while (count < n) { a[count] = 1; count--; }",
            known,
        ),
        (
            "count = 0; while (count > n) { a[count] = 1; count++; }",
            known,
        ),
        (
            "count = 0; while (count < n) { if (d[0]) count = 3; a[count] = 1; count++; }",
            known,
        ),
        (
            "count = 0; while (count != n) { a[count] = 1; count++; }",
            known,
        ),
        ("count = 0; while (count < n) count++;", known),
        ("while (1) { a[i] = 1; }", "`while`"),
        // It waits for somebody else.
        ("for (;;) { if (a[i] > 0) break; }", "`while`"),
        ("real = 0; while (real < n) { a[i] = 1; real++; }", "TW0212"),
        ("kept = 0; while (kept < n) { a[i] = 1; kept++; }", "TW0212"),
        (
            "visible = 0; while (visible < n) { a[i] = 1; visible++; }",
            "TW0212",
        ),
        ("while (n > 0) { a[i] = 1; }", known),
    ];
    let mut wrong = Vec::new();
    for (inside, message) in refused {
        match lines(&region(inside)) {
            Ok(lines) if message == "turns" && lines.iter().any(|l| l.starts_with("while ")) => {}
            Err(errors) if message != "turns" && errors.contains(message) => {}
            Ok(lines) => wrong.push(format!("{inside}: {}", lines.join("\n"))),
            Err(errors) => wrong.push(format!("{inside}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    // The variable of a loop around it; and one whose address is known elsewhere.
    for (inside, before) in [
        ("while (i < n) { a[i] = 1; i++; }", ""),
        (
            "count = 0; while (count < n) { a[count] = 1; count++; }",
            "int *q = &count;",
        ),
    ] {
        let text = region(inside).replace("#pragma scop", &format!("{before}\n#pragma scop"));
        assert!(lines(&text).is_err(), "{inside}");
    }
    // The word is what messages mark.
    let inside = "count = 0; while (count < b[0]) { a[count] = 1; count++; }";
    let errors = lines(&region(inside)).expect_err("a bound that is no integer");
    assert!(errors.contains("`while` its loop"), "{errors}");
}
