//! What comes into the region and what is read behind it: whether variables and arrays are alive
//! before and afterwards, and loop variables that nobody may read.

use crate::{lowered, plain, render};

/// The function around a region that writes, but never reads, the scalar `x` and the array `a`.
pub fn text(before: &str, inside: &str, after: &str) -> String {
    format!(
        "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
void use(int); void see(const int *); int *kept; static int shared, unseen;
int other(void) {{ return shared; }}
int f(int n, int p, int *restrict q, int c) {{
{before}
#pragma scop
{inside}
#pragma endscop
{after}
}}
"
    )
}

/// Whether the array or scalar of this name comes in, and goes out.
fn life(name: &str, before: &str, inside: &str, after: &str) -> Result<(bool, bool), String> {
    let source = plain(&text(before, inside, after));
    let ctx = isl::Ctx::new();
    let found = lowered(&ctx, &source).map_err(|e| render(&source, &e))?;
    let mut arrays = found.scop.arrays.iter();
    let array = arrays.find(|array| array.name == name);
    let array = array.ok_or_else(|| format!("no `{name}`"))?;
    Ok((array.live_in, array.live_out))
}

/// The array, what stands before, inside and behind the region, and the life.
type Row<'r> = (&'r str, &'r str, &'r str, &'r str, (bool, bool));

fn check(rows: &[Row<'_>]) {
    let mut wrong = Vec::new();
    for &(name, before, inside, after, expected) in rows {
        let found = life(name, before, inside, after);
        if found != Ok(expected) {
            wrong.push(format!("{before} | {after}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const SETS: &str = "for (int i = 0; i < n; i++) x = i;";
const IN: (bool, bool) = (true, false);
const OUT: (bool, bool) = (false, true);
const BOTH: (bool, bool) = (true, true);
const NEITHER: (bool, bool) = (false, false);

/// What the code behind the region does first with a local scalar.
#[test]
fn scalars_are_read_behind_the_region() {
    let rows = [
        ("return x;", OUT),
        ("return 0;", NEITHER),
        // Calls that do not come back read their arguments.
        ("exit(x);", OUT),
        ("abort(); return x;", OUT),
        ("exit(1);", NEITHER),
        ("return n; use(x);", NEITHER),
        ("x = 1; return x;", NEITHER),
        ("x = x + 1; return 0;", OUT),
        ("x += 1; return 0;", OUT),
        ("x++; return 0;", OUT),
        ("use(x); return 0;", OUT),
        ("use(n); return n;", NEITHER),
        ("q[x] = 1; return 0;", OUT),
        ("q[0] = x; return 0;", OUT),
        ("q[0] = 1; return 0;", NEITHER),
        ("int y = x; return 0;", OUT),
        ("int y; x = 2; y = x; return y;", NEITHER),
        ("int y[x]; return 0;", OUT),
        ("return sizeof(int[x]);", OUT),
        ("return (long)(int (*)[x])q;", OUT),
        ("return (long)x;", OUT),
        // Branches: what only one of them overwrites may be read behind them.
        ("if (x) use(1); return 0;", OUT),
        ("if (c) use(x); return 0;", OUT),
        ("if (c) use(1); else use(x); return 0;", OUT),
        ("if (c) x = 1; return x;", OUT),
        ("if (c) x = 1; else use(1); return x;", OUT),
        ("if (c) use(1); else x = 1; return x;", OUT),
        ("if (c) x = 1; else x = 2; return x;", NEITHER),
        ("if (c) return 1; else x = 2; return x;", NEITHER),
        ("if (c) { x = 1; use(x); } return 0;", NEITHER),
        ("c && (x = 1); return x;", OUT),
        ("c || (x = 1); return x;", OUT),
        ("(x = 1) && c; return x;", NEITHER),
        ("c && x; return 0;", OUT),
        ("c ? (x = 1) : (x = 2); return x;", NEITHER),
        ("c ? (x = 1) : 2; return x;", OUT),
        ("(x = 1) ? n : c; return x;", NEITHER),
        ("c ? x : 1; return 0;", OUT),
        ("c ? 1 : x; return 0;", OUT),
        ("c ? 1 : 2; return 0;", NEITHER),
        // Loops: the body may not run.
        ("for (x = 0; x < n; x++) use(x); return x;", NEITHER),
        ("for (int j = 0; j < n; j++) x = j; return x;", OUT),
        (
            "for (int j = 0; j < n; j++) { x = j; use(x); } return 0;",
            NEITHER,
        ),
        ("for (int j = x; j < n; j++) use(j); return 0;", OUT),
        ("for (int j = 0; j < x; j++) use(j); return 0;", OUT),
        ("for (int j = 0; j < n; j += x) use(j); return 0;", OUT),
        ("for (int j = 0; j < n; j++) use(x); return 0;", OUT),
        (
            "for (int j = 0; j < n; j++) { if (c) break; x = 1; } return 0;",
            NEITHER,
        ),
        (
            "for (int j = 0; j < n; j++) { if (c) continue; use(x); } return 0;",
            OUT,
        ),
        ("for (;;) { x = 1; if (x) return x; }", NEITHER),
        ("while (x) use(1); return 0;", OUT),
        ("while (c) use(x); return 0;", OUT),
        ("while (c) x = 1; return x;", OUT),
        ("while ((x = c)) use(1); return x;", NEITHER),
        ("do use(x); while (c); return 0;", OUT),
        ("do use(1); while (x); return 0;", OUT),
        ("do { x = 1; use(x); } while (c); return 0;", NEITHER),
        ("do { if (c) break; use(x); } while (c); return 0;", OUT),
        // A `switch` may begin anywhere.
        (
            "switch (c) { case 0: x = 1; break; case 1: use(x); } return 0;",
            OUT,
        ),
        (
            "switch (c) { case 0: x = 1; break; default: x = 2; } return 0;",
            NEITHER,
        ),
        ("switch (x) { case 0: use(1); } return 0;", OUT),
        (
            "switch (c) { case 0: { int y[x]; use(y[0]); } } return 0;",
            OUT,
        ),
        ("switch (c) { case 0: for (;;) use(x); } return 0;", OUT),
        ("switch (c) { case 0: use(1); } x = 1; return x;", NEITHER),
        // A `goto` may lead to any label.
        ("if (c) goto end; x = 1; end: return x;", OUT),
        ("if (c) goto end; use(1); end: return 0;", NEITHER),
        ("if (c) goto end; use(1); end: x = 1; return x;", NEITHER),
        ("goto end; other: return x; end: return 0;", OUT),
        ("goto end; other: use(x); end: return 0;", OUT),
        (
            "goto end; other: for (;;) goto end; end: use(1); return 0;",
            NEITHER,
        ),
        ("if (c) return 0; other: goto other;", NEITHER),
        ("label: x = 1; return x;", NEITHER),
        (";{ ; } x = 1; return x;", NEITHER),
    ];
    let rows = rows.map(|(after, expected)| ("x", "int x;", SETS, after, expected));
    check(&rows);
}

/// What stands before the region, and around it.
#[test]
fn scalars_come_from_before_the_region() {
    let sum = "for (int i = 0; i < n; i++) x += i;";
    check(&[
        ("x", "int x;", sum, "return x;", OUT),
        ("x", "int x = 0;", sum, "return x;", BOTH),
        ("x", "int x; x = 0;", sum, "return 0;", IN),
        ("x", "int x; x++;", sum, "return 0;", IN),
        ("x", "int x, y = 0; y = 1;", sum, "return y;", NEITHER),
        ("x", "int x; use(n);", sum, "x = 1; return x;", NEITHER),
        ("x", "int x; int *r = &x; use(*r);", sum, "return 0;", BOTH),
        ("x", "static int x;", sum, "return 0;", BOTH),
        ("x", "static int x;", sum, "return x;", BOTH),
        (
            "shared",
            "",
            "for (int i = 0; i < n; i++) shared = i;",
            "return 0;",
            BOTH,
        ),
        (
            "unseen",
            "",
            "for (int i = 0; i < n; i++) unseen = i;",
            "return 0;",
            BOTH,
        ),
        (
            "p",
            "",
            "for (int i = 0; i < n; i++) p = i;",
            "return 0;",
            IN,
        ),
        (
            "p",
            "",
            "for (int i = 0; i < n; i++) p = i;",
            "return p;",
            BOTH,
        ),
        (
            "q",
            "",
            "for (int i = 0; i < n; i++) q[i] = i;",
            "return 0;",
            BOTH,
        ),
        // Loops around the region bring its values back.
        (
            "x",
            "int x; for (int k = 0; k < 2; k++) {",
            SETS,
            "} return 0;",
            IN,
        ),
        (
            "x",
            "int x; for (int k = 0; k < 2; k++) { use(x);",
            SETS,
            "} return 0;",
            BOTH,
        ),
        (
            "x",
            "int x; for (int k = 0; k < 2; k++) { x = 1; use(x);",
            SETS,
            "} return 0;",
            IN,
        ),
        (
            "x",
            "int x; for (int k = 0; k < 2; k++) {",
            SETS,
            "use(x); } return 0;",
            BOTH,
        ),
        (
            "x",
            "int x; for (int k = 0; k < x; k++) {",
            SETS,
            "} return 0;",
            BOTH,
        ),
        (
            "x",
            "int x; for (int k = 0; k < 2; k += x) {",
            SETS,
            "} return 0;",
            BOTH,
        ),
        (
            "x",
            "int x; for (int k = 0; k < 2; x = 1, k++) { use(x);",
            SETS,
            "} return 0;",
            IN,
        ),
        (
            "x",
            "int x; for (int k = 0; k < 2; k++) { if (c) x = 1;",
            SETS,
            "} return x;",
            BOTH,
        ),
        ("x", "int x; while (c) {", SETS, "} return 0;", IN),
        (
            "x",
            "int x; while (c) {",
            SETS,
            "if (p) break; x = 1; } return x;",
            BOTH,
        ),
        (
            "x",
            "int x; while (c) { use(x);",
            SETS,
            "if (p) continue; x = 1; } return 0;",
            BOTH,
        ),
        ("x", "int x; while (x) {", SETS, "} return 0;", BOTH),
        ("x", "int x; while (c) { use(x);", SETS, "} return 0;", BOTH),
        (
            "x",
            "int x; do { use(x);",
            SETS,
            "} while (c); return 0;",
            BOTH,
        ),
        (
            "x",
            "int x; do { x = 1; use(x);",
            SETS,
            "} while (c); return 0;",
            IN,
        ),
        ("x", "int x; do {", SETS, "} while (x); return 0;", BOTH),
        // Branches around it do not.
        (
            "x",
            "int x; if (c) {",
            SETS,
            "} else { use(x); } return 0;",
            NEITHER,
        ),
        (
            "x",
            "int x; if (c) { use(x); } else {",
            SETS,
            "} return 0;",
            NEITHER,
        ),
        ("x", "int x; if (c) {", SETS, "use(x); } return 0;", OUT),
        ("x", "int x; if (c) {", SETS, "} return x;", OUT),
        (
            "x",
            "int x; if (c) { use(1); } else {",
            SETS,
            "use(x); } return 0;",
            OUT,
        ),
        (
            "x",
            "int x; for (int k = 0; k < 2; k++) use(k);",
            SETS,
            "return 0;",
            NEITHER,
        ),
        (
            "x",
            "int x;",
            SETS,
            "for (int k = 0; k < 2; k++) use(k); return 0;",
            NEITHER,
        ),
        // A `goto` back does.
        (
            "x",
            "int x; again: ;",
            SETS,
            "if (c) goto again; return 0;",
            IN,
        ),
        (
            "x",
            "int x; again: ;",
            sum,
            "if (c) goto again; return 0;",
            BOTH,
        ),
        ("x", "int x; again: use(1);", SETS, "return 0;", NEITHER),
    ]);
}

/// Local arrays, and memory that the function allocates.
#[test]
fn arrays_are_used_around_the_region() {
    let sets = "for (int i = 0; i < n; i++) x[i] = i;";
    let given = "for (int i = 0; i < n; i++) x[i] += i;";
    let rows = [
        ("int x[99];", sets, "return 0;", NEITHER),
        ("int x[99] = {0};", sets, "return 0;", IN),
        ("int x[99]; x[0] = 1;", given, "return 0;", IN),
        ("int x[99];", sets, "return x[0];", OUT),
        ("int x[99];", sets, "return *x;", OUT),
        ("int x[99];", sets, "return *(n + x);", OUT),
        ("int x[99];", sets, "use(x[x[1]]); return 0;", OUT),
        ("int x[99];", sets, "see(x); return 0;", BOTH),
        ("int x[99];", sets, "see(&x[1]); return 0;", BOTH),
        ("int x[99];", sets, "see(x + 1); return 0;", BOTH),
        ("int x[99];", sets, "kept = x; return 0;", BOTH),
        ("int x[99];", sets, "int *r = x; return 0;", BOTH),
        ("static int x[99];", sets, "return 0;", BOTH),
        (
            "int x[99]; for (int k = 0; k < 2; k++) {",
            sets,
            "} return 0;",
            BOTH,
        ),
        ("int x[99]; do {", sets, "} while (c); return 0;", BOTH),
        (
            "int x[99]; for (int k = 0; k < 2; k++) use(k);",
            sets,
            "return 0;",
            NEITHER,
        ),
        (
            "int x[99]; again: ;",
            sets,
            "if (c) goto again; return 0;",
            BOTH,
        ),
        ("int x[99]; again: ;", sets, "return 0;", NEITHER),
        (
            "int x[99]; if (c) goto again; again: ;",
            sets,
            "return 0;",
            NEITHER,
        ),
        (
            "int x[99];",
            sets,
            "if (c) goto end; end: return 0;",
            NEITHER,
        ),
        (
            "int *x = malloc(4 * n);",
            sets,
            "free(x); return 0;",
            NEITHER,
        ),
        (
            "int *x = (int *)malloc(4 * n);",
            sets,
            "free((void *)x); return 0;",
            NEITHER,
        ),
        ("int *x = calloc(n, 4);", sets, "free(x); return 0;", IN),
        (
            "int *x = (int *)calloc(n, 4);",
            sets,
            "free(x); return 0;",
            IN,
        ),
        (
            "int *x; x = malloc(4 * n);",
            sets,
            "free(x); return 0;",
            NEITHER,
        ),
        (
            "int *x = 0; x = malloc(4 * n);",
            sets,
            "free(x); return 0;",
            NEITHER,
        ),
        (
            "int *x = (int *)0; x = malloc(4 * n);",
            sets,
            "free(x); return 0;",
            NEITHER,
        ),
        (
            "int *x = malloc(4 * n); if (!x) return 1;",
            sets,
            "return 0;",
            NEITHER,
        ),
        (
            "int *x = malloc(4 * n); if (x == 0) return 1;",
            sets,
            "return 0;",
            NEITHER,
        ),
        (
            "int *x = malloc(4 * n); if (0 != x) return 1;",
            sets,
            "return 0;",
            NEITHER,
        ),
        (
            "int *x = malloc(4 * n); if (x == kept) return 1;",
            sets,
            "return 0;",
            NEITHER,
        ),
        ("int *x = malloc(4 * n); x[0] = 1;", given, "return 0;", IN),
        ("int *x = malloc(4 * n);", sets, "return x[0];", OUT),
        ("int *x = malloc(4 * n);", sets, "see(x); return 0;", BOTH),
        ("int *x = malloc(4 * n);", sets, "kept = x; return 0;", BOTH),
        ("int *x; kept = x = malloc(4 * n);", sets, "return 0;", BOTH),
        (
            "int *x; int *r = x = malloc(4 * n);",
            sets,
            "return 0;",
            BOTH,
        ),
        (
            "int *x; int *r = (int *)(x = malloc(4 * n));",
            sets,
            "return 0;",
            BOTH,
        ),
        ("int *x; see(x = malloc(4 * n));", sets, "return 0;", BOTH),
        (
            "int *x; use(!(x = malloc(4 * n)));",
            sets,
            "return 0;",
            NEITHER,
        ),
        ("int *x = kept;", sets, "return 0;", BOTH),
        (
            "int *x = malloc(4 * n); x = c ? x : kept;",
            sets,
            "return 0;",
            BOTH,
        ),
        ("int *x = malloc(4 * n); x++;", sets, "return 0;", BOTH),
        ("int *x = q;", sets, "return 0;", BOTH),
        ("int x[99];", sets, "return !x[0];", OUT),
        ("int x[99];", sets, "return x[0] == 1;", OUT),
        ("int x[99];", sets, "return 1 == x[0];", OUT),
        ("int x[99];", sets, "return *(x + x[1]);", OUT),
        ("int x[99]; x[0] = x[1];", given, "return 0;", IN),
        ("int x[99];", sets, "x[0] = 2; return 0;", OUT),
        ("int x[99];", sets, "use(n); kept = q; return 0;", NEITHER),
        // A cast of the array is not followed.
        ("int x[99];", sets, "return ((int *)x)[0];", BOTH),
        (
            "int *x, *r; kept = r = x = malloc(4 * n);",
            sets,
            "return 0;",
            BOTH,
        ),
        (
            "int *x; if (c) return (long)(x = malloc(4 * n)); x = malloc(4 * n);",
            sets,
            "free(x); return 0;",
            BOTH,
        ),
        (
            "int *x = malloc(4 * n); free(kept);",
            sets,
            "free(x); return 0;",
            NEITHER,
        ),
        (
            "int *x = malloc(4 * n); if (x[0] == 0) return 1;",
            given,
            "return 0;",
            IN,
        ),
    ];
    let rows = rows.map(|(before, inside, after, expected)| ("x", before, inside, after, expected));
    check(&rows);
}

/// A loop variable from outside the region has a value behind it that nobody may read.
#[test]
fn loop_variables_are_not_read_behind_the_region() {
    let rows = [
        ("int j;", "return j;", Some("return j;")),
        ("int j;", "return 0;", None),
        ("int j;", "j = 1; return j;", None),
        ("int j;", "for (j = 0; j < 2; j++) use(j); return 0;", None),
        ("int j;", "if (c) j = 0; return j;", Some("return j;")),
        ("static int j;", "return j;", Some("return j;")),
        ("int j; int *r = &j;", "return *r;", Some("int j;")),
        ("int j; while (c) { use(j);", "} return 0;", Some("use(j);")),
        ("int j; while (c) { j = 1; use(j);", "} return 0;", None),
    ];
    for (before, after, read) in rows {
        // How far it comes is not one comparison.
        let inside = "for (j = 0; j <= n && j < p; j++) q[j] = 1;";
        let text = text(before, inside, after);
        let source = plain(&text);
        match (lowered(&isl::Ctx::new(), &source), read) {
            (Ok(_), None) => {}
            (Err(errors), Some(read)) => {
                let place = text.find(read).expect("the place that reads");
                assert_eq!(errors.len(), 1, "{before} | {after}");
                let said = &errors[0].message;
                assert_eq!(said, "the loop variable `j` is used after the region");
                let label = errors[0]
                    .labels
                    .iter()
                    .find(|l| l.primary)
                    .expect("a label");
                let inside = place..place + read.len();
                assert!(
                    inside.contains(&label.start),
                    "{}",
                    render(&source, &errors)
                );
            }
            (found, _) => panic!("{before} | {after}: {}", found.is_ok()),
        }
    }
    // The loops of other functions are other variables'.
    let text = "static int j; int g(void) { return j; }
void f(int n, int *restrict q) {
#pragma scop
for (j = 0; j <= n && j < 7; j++) q[j] = 1;
#pragma endscop
}";
    let source = plain(text);
    let errors = lowered(&isl::Ctx::new(), &source).expect_err("`g` reads it");
    assert_eq!(
        errors[0].message,
        "the loop variable `j` is used after the region"
    );
}
