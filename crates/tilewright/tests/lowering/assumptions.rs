//! What a program says of itself with `__pencil_assume`: what is taken for granted of parameters,
//! which loops it bounds, and which statements say nothing.

use crate::{lowered, plain, render};
use tilewright::scop::Scop;

fn found(ctx: &isl::Ctx, text: &str) -> Scop {
    let source = plain(&format!(
        "void __pencil_assume(int); void __pencil_kill(); void __pencil_use(); void __pencil_def();
int abs(int); struct s {{ int *list, *other; int n; struct s *next; }};
void f(int n, int m, const int *restrict length, const int *restrict data, const long *restrict far,
       const struct s *restrict g, const struct s *restrict q, struct s h, double *restrict open) {{
#pragma scop
{text}
#pragma endscop
}}"
    ));
    match lowered(ctx, &source) {
        Ok(found) => found.scop,
        Err(errors) => panic!("{text}\n{}", render(&source, &errors)),
    }
}

/// Compares a set with a condition on the model's parameters.
fn is(set: &isl::Set, scop: &Scop, space: &str, condition: &str) -> bool {
    let names: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    let text = format!("[{}] -> {{ {space} : {condition} }}", names.join(", "));
    let wanted = isl::Set::read_from_str(&scop.ctx, &text).expect("a set");
    set.is_equal(&wanted).expect("a comparison")
}

/// What is said of parameters where the region always comes past holds; what is said elsewhere, or
/// of something else, says nothing of them.
#[test]
fn what_holds_of_parameters() {
    let rows = [
        ("__pencil_assume(m > 3);", "m > 3"),
        ("__pencil_assume(m > 3 && n < 7);", "m > 3 and n < 7"),
        (
            "__pencil_assume(m > 3); __pencil_assume(n < m);",
            "n < m and m > 3",
        ),
        ("{ { __pencil_assume(m > 3); } }", "m > 3"),
        (
            "int t = data[0]; __pencil_assume(m > 3); open[1] = t;",
            "m > 3",
        ),
        // What never holds is not believed.
        ("__pencil_assume(m > 3); __pencil_assume(m < 3);", "m > 3"),
        ("__pencil_assume(m > 3, n > 3);", "true"),
        ("__pencil_assume(data[0] > 3);", "true"),
        ("__pencil_use(m);", "true"),
        ("__pencil_def(m);", "true"),
        ("__pencil_kill(m);", "true"),
        // Not for all values of the parameters, or only if there is an iteration.
        ("if (data[0]) __pencil_assume(m > 3);", "true"),
        (
            "if (data[0]) open[1] = 1; else __pencil_assume(m > 3);",
            "true",
        ),
        ("if (n > 2) __pencil_assume(m > 3);", "true"),
        (
            "if (n > 2) open[1] = 1; else { __pencil_assume(m > 3); }",
            "true",
        ),
        (
            "int t = data[0]; if (n > 2) __pencil_assume(m > 3); open[1] = t;",
            "true",
        ),
        (
            "__pencil_assume(n > 2); if (n > 2) __pencil_assume(m > 3);",
            "n > 2 and m > 3",
        ),
        (
            "for (int i = 0; i < n; i++) { __pencil_assume(m > 3); open[i] = 1; }",
            "true",
        ),
        (
            "for (int i = 0; i < data[0]; i++) { __pencil_assume(m > 3); open[i] = 1; }",
            "true",
        ),
        (
            "if (data[0]) for (int i = 0; i < n; i++) { __pencil_assume(m > 3); open[i] = 1; }",
            "true",
        ),
        (
            "if (data[0]) { __pencil_assume(m > 3); for (int i = 0; i < n; i++) open[i] = 1; }",
            "true",
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (said, expected) in rows {
        let scop = found(
            &ctx,
            &format!("{said} for (int i = 0; i < m + n; i++) open[i] = 1;"),
        );
        if !is(&scop.context, &scop, "", expected) {
            wrong.push(format!("{said}: {}", scop.context));
        }
        assert!(scop.conditions.checks.parameters.is_empty(), "{said}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Bounds of `j` that follow from what is said of the datum that bounds it.
#[test]
fn what_bounds_loops() {
    let (least, most) = (i32::MIN, i32::MAX);
    let rows: &[(&str, &str, &str)] = &[
        ("length[i] <= 8", "j = 0; j < length[i]; j++", "0 <= j < 8"),
        ("length[i] < 8", "j = 0; j < length[i]; j++", "0 <= j < 7"),
        (
            "length[i] <= 8",
            "j = 0; j <= length[i]; j++",
            "0 <= j <= 8",
        ),
        ("length[i] < 8", "j = 0; j <= length[i]; j++", "0 <= j < 8"),
        ("8 >= length[i]", "j = 0; j < length[i]; j++", "0 <= j < 8"),
        ("8 > length[i]", "j = 0; length[i] > j; j++", "0 <= j < 7"),
        (
            "length[i] >= 2",
            "j = 9; j >= length[i]; j--",
            "2 <= j <= 9",
        ),
        ("length[i] > 2", "j = 9; j >= length[i]; j--", "2 < j <= 9"),
        ("length[i] >= 2", "j = 9; j > length[i]; j--", "2 < j <= 9"),
        ("length[i] > 2", "j = 9; j > length[i]; j--", "3 < j <= 9"),
        ("2 < length[i]", "j = 9; length[i] < j; j--", "3 < j <= 9"),
        ("length[i] <= n", "j = 0; j < length[i]; j++", "0 <= j < n"),
        (
            "length[i] <= i + 3",
            "j = 0; j < length[i]; j++",
            "0 <= j < i + 3",
        ),
        (
            "length[i] <= 8 && length[i] <= n",
            "j = 0; j < length[i]; j++",
            "0 <= j < 8 and j < n",
        ),
    ];
    let unknown = format!("0 <= j < {most}");
    let nothing: &[(&str, &str)] = &[
        // The other side, no bound, or a bound of something else.
        ("length[i] >= 8", "length[i]"),
        ("length[i] == 8", "length[i]"),
        ("length[i] != 8", "length[i]"),
        ("length[i] <= 8 || n > 3", "length[i]"),
        ("length[i] <= data[i]", "length[i]"),
        ("length[i] - 1 <= 8", "length[i]"),
        ("length[i + 1] <= 8", "length[i]"),
        ("length[0] <= 8", "length[i]"),
        ("length[m] <= 8", "length[n]"),
        ("data[i] <= 8", "length[i]"),
        ("g->list[i] <= 8", "g->other[i]"),
        ("g->list[i] <= 8", "q->list[i]"),
        ("g->list[i] <= 8", "h.list[i]"),
        ("h.list[i] <= 8", "h.other[i]"),
        ("*(data + i) <= 8", "*(length + i)"),
        ("-length[i] <= 8", "+length[i]"),
        ("length[i] + 1 <= 8", "length[i] - 1"),
        ("length[i] + 'a' <= 8", "length[i] + 'b'"),
        ("(short)far[i] <= 8", "(int)far[i]"),
        ("(int)length[i] <= 8", "(int)data[i]"),
        ("abs(length[i]) <= 8", "abs(data[i])"),
        (
            "(data[i] ? length[i] : 3) <= 8",
            "(data[i] ? length[i] : 4)",
        ),
        (
            "length[i] + (int)sizeof(int) <= 8",
            "length[i] + (int)sizeof(short)",
        ),
    ];
    let same: &[&str] = &[
        "length[i + 1]",
        "g->list[i]",
        "h.list[i]",
        "*(data + i)",
        "-length[i]",
        "length[i] + 'a'",
        "(int)far[i]",
        "abs(length[i])",
        "(data[i] ? length[i] : 3)",
        "length[i] + (int)sizeof(int)",
    ];
    let mut all: Vec<(String, String, &str)> = Vec::new();
    for &(said, head, domain) in rows {
        all.push((said.to_owned(), head.to_owned(), domain));
    }
    for &(said, bound) in nothing {
        all.push((
            said.to_owned(),
            format!("j = 0; j < {bound}; j++"),
            &unknown,
        ));
    }
    for bound in same {
        all.push((
            format!("{bound} <= 8"),
            format!("j = 0; j < {bound}; j++"),
            "0 <= j < 8",
        ));
    }
    let down = format!("{least} < j <= 9");
    all.push((
        "length[i] <= 2".to_owned(),
        "j = 9; j > length[i]; j--".to_owned(),
        &down,
    ));
    let mut wrong = Vec::new();
    let ctx = isl::Ctx::new();
    for (said, head, domain) in all {
        wrong.extend(check(
            &ctx,
            &format!("__pencil_assume({said}); for (int {head}) open[j] = 1;"),
            domain,
        ));
    }
    // Where it is said, and whether the region changes what it is about.
    let places = [
        (
            "{ __pencil_assume(length[i] <= 8); } for (int j = 0; j < length[i]; j++) open[j] = 1;",
            false,
        ),
        (
            "if (i > 2) __pencil_assume(length[i] <= 8); for (int j = 0; j < length[i]; j++) open[j] = 1;",
            false,
        ),
        (
            "if (data[i]) __pencil_assume(length[i] <= 8); for (int j = 0; j < length[i]; j++) open[j] = 1;",
            false,
        ),
        (
            "int t = data[i]; if (i > 2) __pencil_assume(length[i] <= 8); open[i] = t; for (int j = 0; j < length[i]; j++) open[j] = 1;",
            false,
        ),
        (
            "int t = data[i]; __pencil_assume(length[i] <= 8); open[i] = t; for (int j = 0; j < length[i]; j++) open[j] = 1;",
            true,
        ),
        (
            "__pencil_use(length[i] <= 8); for (int j = 0; j < length[i]; j++) open[j] = 1;",
            false,
        ),
        (
            "__pencil_assume(length[i] <= 8); { for (int j = 0; j < length[i]; j++) open[j] = 1; }",
            true,
        ),
        (
            "__pencil_assume(length[i] <= 8); if (i < m) for (int j = 0; j < length[i]; j++) open[j] = 1;",
            true,
        ),
        (
            "int k = 0; k = data[i]; __pencil_assume(length[k] <= 8); for (int j = 0; j < length[k]; j++) open[j] = 1;",
            true,
        ),
    ];
    for (text, bounds) in places {
        let domain = if bounds { "0 <= j < 8" } else { &unknown };
        let domain = match text.contains("i < m") {
            true => format!("{domain} and i < m"),
            false => domain.to_owned(),
        };
        wrong.extend(check(&ctx, text, &domain));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Compares the domain of the last statement of a loop over `i`.
fn check(ctx: &isl::Ctx, inside: &str, domain: &str) -> Option<String> {
    let scop = found(ctx, &format!("for (int i = 0; i < n; i++) {{ {inside} }}"));
    let last = scop.statements.last().expect("a statement");
    let positive = isl::Set::read_from_str(ctx, "[n, m] -> { : n > 0 and m > 0 }").expect("a set");
    let found = last.domain.intersect_params(&positive).expect("a set");
    let text = format!(
        "[n, m] -> {{ {}[i, j] : 0 <= i < n and n > 0 and m > 0 and {domain} }}",
        last.name
    );
    let wanted = isl::Set::read_from_str(ctx, &text).expect("a set");
    let same = found.is_equal(&wanted).expect("a comparison");
    (!same).then(|| format!("{inside}: {found}"))
}

/// Calls that do not come back are compared away where sizes decide of them.
#[test]
fn calls_that_do_not_come_back() {
    let around = |text: &str| {
        plain(&format!(
            "void abort(void); void __assert_fail(const char *, int);
void fail(int) __attribute__((noreturn)); void warn(int);
void f(int n, int m, const int *restrict data, double *restrict open, float few[restrict 100]) {{
#pragma scop
{text}
#pragma endscop
}}"
        ))
    };
    let ctx = isl::Ctx::new();
    // What is compared; the loops follow from it.
    for (text, compared) in [
        (
            "for (int i = 0; i < n; i++) { if (i >= m) abort(); open[i] = 1; }",
            "n <= m",
        ),
        (
            "for (int i = 0; i < n; i++) { if (i < n) open[i] = 1; else fail(3); }",
            "true",
        ),
        (
            "for (int i = 0; i < n; i++) { ((i < m) ? (void)0 : __assert_fail(\"i < m\", 7)); open[i] = 1; }",
            "n <= m",
        ),
        (
            "for (int i = 0; i < n; i++) { ((void)sizeof(i < m), ({ if (i < m) ; else fail(3); })); open[i] = 1; }",
            "n <= m",
        ),
        (
            "if (m < 3) { open[2] = 1; fail(4); } for (int i = 0; i < n; i++) open[i] = 1;",
            "m >= 3",
        ),
        // From behind its bound on, this one ends the program.
        (
            "for (int i = 0; i != n; i++) { if (i >= m) abort(); open[i] = 1; }",
            "0 <= n <= m",
        ),
        (
            "if (n > 0 && m < 3) __builtin_unreachable(); open[n] = 1;",
            "m >= 3",
        ),
        // More than that are a mistake, whatever sizes are usual.
        (
            "for (int j = 0; j < n; j++) { if (j >= 100) fail(3); few[j] = j; }",
            "n <= 100",
        ),
        (
            "for (int j = m; j < n; j++) { if (j >= 100) fail(3); few[j] = j; }",
            "n <= 100",
        ),
    ] {
        let source = around(text);
        let found = lowered(&ctx, &source);
        let scop = found
            .unwrap_or_else(|e| panic!("{text}: {}", render(&source, &e)))
            .scop;
        let mut good =
            isl::Set::universe(&scop.context.get_space().expect("a space")).expect("a set");
        for check in &scop.conditions.checks.parameters {
            good = good.intersect(&check.good).expect("a set");
        }
        assert!(is(&good, &scop, "", compared), "{text}: {good:?}");
        let bodies = scop.statements.iter().map(|s| format!("{:?}", s.body));
        assert!(
            bodies.into_iter().all(|body| !body.contains("Call")),
            "{text}"
        );
    }
    // Data decides, they are called in any case, or they may come back.
    for text in [
        "for (int i = 0; i < n; i++) { if (data[i] < 0) abort(); open[i] = 1; }",
        "for (int i = 0; i < n; i++) open[i] = 1; abort();",
        "for (int i = 0; i < n; i++) { if (i >= m) fail(i); open[i] = 1; }",
        "for (int i = 0; i < n; i++) { if (i >= m) warn(i); open[i] = 1; }",
        // What is accessed behind the call says nothing of whether it is called.
        "for (int j = 0; j < data[n - 1]; j++) { if (j >= 100) fail(3); few[j] = j; }",
        "for (int j = 0; j < data[n - 1]; j++) { { few[1] = 2; if (j >= 100) abort(); } few[j] = j; }",
    ] {
        let source = around(text);
        let errors = lowered(&ctx, &source).expect_err(text);
        assert!(render(&source, &errors).contains("error TW0205"), "{text}");
    }
}
