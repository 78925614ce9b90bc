//! Arguments of every shape: what they hold, how long they are, what may point to the same memory.

use crate::common::{differs, equal, judged, unknown, within};
use tilewright_certify::Verdict;

/// Objects behind pointers behind pointers take time to make: with half of a compile's budget.
#[track_caller]
fn equal_in_time(original: &str, result: &str) {
    let found = within(original, result, Some(1_000_000));
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{result}\n{:?}",
        found.verdict
    );
    assert!(found.runs > 0, "{} runs of {result}", found.runs);
}

#[track_caller]
fn differs_in_time(original: &str, result: &str, word: &str) {
    let found = within(original, result, Some(3_000_000));
    let Verdict::Differs(difference) = &found.verdict else {
        panic!("{result}\n{:?}", found.verdict);
    };
    assert!(
        difference.to_string().contains(word),
        "{result}\n{difference}"
    );
}

/// Parameters and the place of their last element, and one beyond it: both where `n` and `m` are at
/// least 1.
const ARRAYS: &[(&str, &str, &str)] = &[
    ("int a[restrict n]", "a[n - 1]", "a[n]"),
    ("int (a)[restrict n]", "a[n - 1]", "a[n]"),
    ("int a[restrict static n]", "a[n - 1]", "a[n]"),
    ("int a[const restrict n + 1]", "a[n]", "a[n + 1]"),
    ("int a[2 * n - 1]", "a[2 * n - 2]", "a[2 * n - 1]"),
    ("int a[7]", "a[6]", "a[7]"),
    ("int a[n][m]", "a[n - 1][m - 1]", "a[n][0]"),
    ("int a[3][m]", "a[2][m - 1]", "a[3][0]"),
    ("int a[n][4]", "a[n - 1][3]", "a[n][3]"),
    ("int a[n][m + 1][2]", "a[n - 1][m][1]", "a[n][0][0]"),
    ("long a[n]", "a[n - 1]", "a[n]"),
    ("unsigned char a[n]", "a[n - 1]", "a[n]"),
    ("T a", "a[4]", "a[5]"),
    ("T a[n]", "a[n - 1][4]", "a[n][0]"),
    ("struct p a[n]", "a[n - 1].v[1]", "a[n].k"),
];

const FRONT: &str = "typedef int T[5]; struct p { int k; short v[2]; };";

#[test]
fn arrays_are_as_long_as_declared() {
    for (parameter, last, beyond) in ARRAYS {
        let text = |value: &str| {
            format!(
                "{FRONT}\nlong f(int n, int m, {parameter})\n{{\nif (n < 1 || m < 1) return 0;\nreturn {value};\n}}\n"
            )
        };
        equal(&text(last), &text(&format!("({last}) + 0")));
        differs(
            &text(last),
            &text(&format!("{last} + 0 * {beyond}")),
            &["an access outside"],
        );
        differs(
            &text(last),
            &text(&format!("{last} + 1")),
            &["the returned value"],
        );
    }
}

/// Arrays without an extent are as long as the original has them.
#[test]
fn arrays_are_as_long_as_they_are_used() {
    for (parameter, first, next) in [
        ("int *a", "a[n]", "a[n + 1]"),
        ("int a[]", "a[n]", "a[n + 1]"),
        ("int *a", "a[-n]", "a[-n - 1]"),
        ("int a[][m + 1]", "a[n][m]", "a[n + 1][0]"),
        ("int (*a)[3]", "a[n][2]", "a[n + 1][0]"),
        ("int (*restrict a)[m + 1]", "a[n][m]", "a[n + 1][m]"),
        ("struct p *a", "a[n].k", "a[n + 1].k"),
        ("double **a", "a[1][n]", "a[1][n + 1]"),
        ("double **a", "a[n][1]", "a[n + 1][1]"),
        ("int *a[n + 1]", "a[n][2]", "a[n][3]"),
        ("void *a", "((char *)a)[n]", "((char *)a)[n + 1]"),
        ("struct q a", "a.d[n]", "a.d[n + 1]"),
        ("struct q *a", "a->d[n]", "a->d[n + 1]"),
        ("struct q *a", "a[1].rows[n][2]", "a[1].rows[n + 1][0]"),
        ("struct q *a", "a->pair[1][n]", "a->pair[1][n + 1]"),
    ] {
        let text = |value: &str| {
            format!(
                "{FRONT} struct q {{ double *d; int (*rows)[3]; long *pair[2]; }};\nlong f(int n, int m, {parameter})\n{{\nif (n < 0 || m < 0 || n > 99) return 0;\nreturn {value} > 1;\n}}\n"
            )
        };
        equal_in_time(&text(first), &text(&format!("({first}) + 0")));
        differs_in_time(
            &text(first),
            &text(&format!("{first} + 0 * {next}")),
            "an access outside",
        );
        differs_in_time(
            &text(first),
            &text(&format!("{first} - 200")),
            "the returned value",
        );
    }
}

#[test]
fn all_parts_of_objects_have_values() {
    let front = "struct in { signed char c; double x[2]; }; union u { short s[4]; long l; };\n\
                 struct all { struct in in[2]; int *p; union u u; float f; unsigned m[2][2]; struct all *next; };";
    let text = |sum: &str| {
        format!(
            "{front}\ndouble f(int n, struct all *a, struct all b, const struct all c[restrict 2])\n{{\nif (n < 2) return 0;\nreturn {sum};\n}}\n"
        )
    };
    let parts = [
        "a->in[0].c",
        "a->in[1].x[1]",
        "a->p[2]",
        "a->u.s[0]",
        "a->f",
        "a->m[0][1]",
        "a->m[1][1]",
        "a[1].m[1][0]",
        "a->next->f",
        "a->next->in[1].c",
        "a->next->next->in[0].x[0]",
        "a->next->p[0]",
        "b.in[1].x[0]",
        "b.p[1]",
        "b.next->m[0][0]",
        "c[1].in[0].x[1]",
        "c[1].next->f",
    ];
    equal_in_time(&text(&parts.join(" + ")), &text(&parts.join(" + 0 + ")));
    for part in parts {
        differs_in_time(&text(part), &text("0"), "the returned value");
    }
    // No two of them have the same values.
    for pair in parts.windows(2) {
        differs_in_time(&text(pair[0]), &text(pair[1]), " at ");
    }
    // Chains end.
    let chain = |most: &str| {
        format!(
            "struct n {{ int v; struct n *next; }};\nint f(struct n *p, int *o)\n{{\nint k = 0;\nwhile (p && k < {most}) {{ o[k++] = p->v; p = p->next; }}\nreturn k;\n}}\n"
        )
    };
    equal_in_time(&chain("9"), &chain("5"));
    differs_in_time(
        &chain("9"),
        &chain("3"),
        "the returned value: 3 in place of 4",
    );
    // Functions cannot be made, and members that are not known.
    unknown(
        "int f(int (*g)(void)) { return g != 0; }",
        "int f(int (*g)(void)) { return !!g; }",
        "a pointer to a function",
    );
}

#[test]
fn what_may_point_to_the_same_memory_does() {
    for (a, b, shared) in [
        ("int *a", "int *b", true),
        ("int *restrict a", "int *b", false),
        ("int *a", "int *restrict b", false),
        ("int a[]", "int b[]", true),
        ("int a[n + 9]", "int b[n + 9]", true),
        ("int a[restrict n + 9]", "int b[n + 9]", false),
        ("int a[n + 9]", "int *b", true),
        ("const int *a", "int *b", true),
        ("long *a", "int *b", false),
    ] {
        let text = |head: &str| {
            format!("void f(int n, {a}, {b})\n{{\nfor ({head}) b[i] = a[i] / 2 + 1;\n}}\n")
        };
        let (up, down) = (
            text("int i = 0; i < n; i++"),
            text("int i = n - 1; i >= 0; i--"),
        );
        if shared {
            differs(&up, &down, &["another value", " = a + "])
        } else {
            equal(&up, &down)
        }
    }
    // The same memory, at its begin and apart.
    let text = |value: &str| {
        format!(
            "int f(int n, int *a, int *b)\n{{\nif (n < 4) return 0;\na[0] = 1; b[0] = 2; b[1] = 3; a[3] = 4;\nreturn {value};\n}}\n"
        )
    };
    equal(
        &text("a[0] * 100 + b[0] * 10 + b[1]"),
        &text("b[1] + 10 * *b + a[0] * 100"),
    );
    for (value, word) in [
        ("100 + b[0] * 10 + b[1]", "b = a"),
        ("a[0] * 100 + 20 + b[1]", "b = a + 3"),
    ] {
        differs(
            &text("a[0] * 100 + b[0] * 10 + b[1]"),
            &text(value),
            &[word],
        );
    }
    // What is declared of one of them is there.
    let text = |value: &str| {
        format!(
            "int f(int n, const int a[32], int *b)\n{{\nint all = 0, k = a[0] & 31;\nfor (int i = 0; i < 32; i++) all += a[i] & 0;\nreturn {value};\n}}\n"
        )
    };
    let one = text("a[k]").replace("for (int i = 0; i < 32; i++) all += a[i] & 0;", ";");
    equal(&one, &text("a[k] + all"));
}

#[test]
fn objects_of_static_storage() {
    let front = "int filled[8]; int set[3] = { 1, 2, 3 }; int one; double real; int *none; static int hidden[4]; extern int far[5]; const int fixed = 6; struct s { int k; } rec;";
    let text =
        |sum: &str, store: &str| format!("{front}\nint f(int n)\n{{\n{store}\nreturn {sum};\n}}\n");
    for place in ["filled[7]", "one", "far[4]", "hidden[3]"] {
        // Other functions may have left anything there.
        differs(&text(place, ""), &text("0", ""), &["the returned value"]);
        differs(
            &text("0", ""),
            &text("0", &format!("{place} = {place} + 1;")),
            &["another value at"],
        );
    }
    equal(&text("set[1]", ""), &text("2", ""));
    equal(&text("fixed", ""), &text("6", ""));
    equal(&text("none == 0", ""), &text("1", ""));
    differs(
        &text("real > 0.5", ""),
        &text("0", ""),
        &["the returned value"],
    );
    differs(
        &text("one > 8", ""),
        &text("0", ""),
        &["the returned value"],
    );
    equal(&text("one < 12 && one >= 0", ""), &text("1", ""));
    equal(
        &text("filled[0] == filled[0]", "set[0] = 5;"),
        &text("1", "set[0] = 4 + 1;"),
    );
    // Where a text has no such object, or another one, there is nothing to compare.
    let found = judged(&text("1", "one = 3;"), "int f(int n) { return 1; }");
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{:?}",
        found.verdict
    );
}

/// Threads begin in the function that opens the region, whichever it is.
#[test]
fn regions_in_functions_that_are_called() {
    let texts = |pragma: &str| {
        format!(
            "static int twice(int v) {{ return 2 * v; }}\nstatic void g(int n, int k, const int *a, int *b)\n{{\nint p = k, q = k + 1, r = k + 2, s = k ^ 3, t[2] = {{ p, q }};\n{pragma}\nfor (int i = 0; i < n; i++) {{ int u = twice(a[i] & 7) + p, v[2] = {{ q, r }}; b[i] = u * v[i & 1] + s + t[i & 1]; }}\n}}\nvoid f(int n, int k, const int a[restrict n], int b[restrict n])\n{{\nk &= 15;\ng(n, k, a, b);\n}}\n"
        )
    };
    equal(&texts(""), &texts("#pragma omp parallel for"));
    differs(
        &texts(""),
        &texts("#pragma omp parallel for").replace("+ s +", "+ 1 + s +"),
        &["another value at b[0]"],
    );
    let inner = texts("").replace(
        "int u =",
        "\n#pragma omp parallel\n{\n#pragma omp single\nq = q; }\nint u =",
    );
    equal(&texts(""), &inner);
}

/// What is `restrict` points to memory of its own; what is not may share it.
#[test]
fn pointers_that_may_share_memory() {
    for (a, b, one, other) in [
        ("int *restrict a", "int *restrict b", "*a", "*b"),
        ("int *a", "int *restrict b", "*a", "*b"),
        ("int *restrict a", "int *b", "*a", "*b"),
        ("int a[restrict n]", "int b[restrict n]", "a[0]", "b[0]"),
        ("int a[restrict static 3]", "int b[3]", "a[0]", "b[0]"),
        ("int (a)[restrict 3]", "int (*b)", "a[0]", "b[0]"),
        (
            "int (*restrict a)[4]",
            "int (*restrict b)[4]",
            "a[0][1]",
            "b[0][1]",
        ),
        ("int (*restrict a)[4]", "int b[][4]", "a[0][1]", "b[0][1]"),
        ("int *restrict (a)", "int *b", "*a", "*b"),
        ("int *a", "long *b", "*a", "*b"),
    ] {
        let text = |value: &str| {
            format!(
                "int f(int n, {a}, {b})\n{{\nif (n < 1) return 0;\n{one} = 1; {other} = 2; return {value};\n}}\n"
            )
        };
        equal(&text(one), &text("1"));
    }
    for (a, b, one, other) in [
        ("int *a", "int *b", "*a", "*b"),
        ("int a[n]", "int b[n]", "a[0]", "b[0]"),
        ("int (*a)[4]", "int b[][4]", "a[0][1]", "b[0][1]"),
        ("int (*a)", "int b[3]", "a[0]", "b[0]"),
        ("int *const a", "int *volatile b", "*a", "*b"),
    ] {
        let text = |value: &str| {
            format!(
                "int f(int n, {a}, {b})\n{{\nif (n < 1) return 0;\n{one} = 1; {other} = 2; return {value};\n}}\n"
            )
        };
        differs(
            &text(one),
            &text("1"),
            &["the returned value: 1 in place of 2"],
        );
    }
}

/// `static` says how many elements there are at least; but PENCIL's arrays have as many as that.
#[test]
fn arrays_with_at_least_so_many_elements() {
    for qualifiers in [
        "static",
        "restrict static",
        "const static",
        "static volatile",
    ] {
        let text = |value: &str| {
            format!(
                "int f(int n, int a[{qualifiers} n])\n{{\nif (n < 1) return 0;\nreturn a[n + 1]{value};\n}}\n"
            )
        };
        equal(&text(""), &text(" + 0"));
    }
    for qualifiers in ["static const restrict", "const restrict static", ""] {
        let text = |value: &str| {
            format!(
                "int f(int n, int a[{qualifiers} n])\n{{\nreturn a[n > 0 ? n + 1 : 1]{value};\n}}\n"
            )
        };
        unknown(&text(""), &text(" + 0"), "an access outside of its array");
    }
}

/// Structures that lead to others, of which each may be an array: there is memory for a few of each.
#[test]
fn structures_that_lead_to_structures() {
    let text = |last: &str| {
        format!(
            "struct block {{ unsigned long size; double *data; }};
struct vector {{ unsigned long size; double *data; struct block *block; }};
struct matrix {{ unsigned long rows, columns; double *data; struct block *block; }};
struct state {{ struct matrix *a, *b; struct vector *x, *y, *z; struct block *p, *q; }};
void f(double mu, const struct vector *d, struct matrix *a, struct state *state)
{{
    (void)state;
    for (unsigned long i = 0; i < d->size; i++)
        a->data[i * a->columns + i] += mu * d->data[i]{last};
}}
"
        )
    };
    equal_in_time(&text(""), &text(" * 1.0"));
    differs(&text(""), &text(" * 2.0"), &[]);
}
