//! Which lines of a result are reached: sizes are chosen by what the text says.

use tilewright_certify::{Certificate, Options, Text, Verdict, certify};

fn judged(original: &str, result: &str) -> Certificate {
    let text = |preprocessed| Text {
        name: "f.c",
        preprocessed,
    };
    certify(&text(original), &text(result), &Options::default())
}

/// Both are equal, and all lines but these of the result are reached.
#[track_caller]
fn reached(original: &str, result: &str, never: &[u32]) -> Certificate {
    let found = judged(original, result);
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{:?}",
        found.verdict
    );
    assert_eq!(found.coverage.never, never, "{:?}", found.inputs);
    found
}

fn vector(body: &str) -> String {
    format!("void f(int n, const int a[restrict n], int b[restrict n])\n{{\n{body}\n}}\n")
}

const LOOP: &str = "for (int i = 0; i < n; i++) b[i] = a[i];";

#[test]
fn sizes_beyond_a_tile() {
    let tiles = "for (int t = 0; t * 96 < n; t++)
        if (t * 96 + 96 <= n) {
            for (int i = t * 96; i < t * 96 + 96; i++)
                b[i] = a[i];
        } else {
            for (int i = t * 96; i < n; i++)
                b[i] = a[i];
        }";
    reached(&vector(LOOP), &vector(tiles), &[]);
}

/// No constant of the text is near the size that is needed: what the condition lacks is.
#[test]
fn sizes_that_a_condition_asks_for() {
    let result = "int q = n / 8 - 20;
        if (q * 3 - 45 >= 12)
            for (int i = 0; i < n; i++)
                b[i] = a[i];
        else
            for (int i = n - 1; i >= 0; i--)
                b[i] = a[i];";
    reached(&vector(LOOP), &vector(result), &[]);
}

/// Both sizes have to be large at the same time.
#[test]
fn sizes_that_conditions_ask_for_together() {
    let plane = |body: &str| {
        format!(
            "void f(int n, int m, const float a[restrict n][m], float b[restrict n][m])\n{{\n\
             {body}\n}}\n"
        )
    };
    let original =
        plane("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = a[i][j];");
    let result = plane(
        "for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                if (i / 4 >= 6 && j / 4 >= 7)
                    b[i][j] = a[i][j];
                else
                    b[i][j] = a[i][j];
            }",
    );
    reached(&original, &result, &[]);
}

/// A line that no size reaches is named.
#[test]
fn lines_that_are_never_reached() {
    let result = "for (int i = 0; i < n; i++) {
        b[i] = a[i];
        if (i > n)
            b[i] = 0;
    }";
    reached(&vector(LOOP), &vector(result), &[6]);
}

/// There are no arrays for small sizes.
#[test]
fn extents_that_have_to_be_possible() {
    let text = |step: &str| {
        format!(
            "void f(int n, int m, const short a[restrict n][m], short b[restrict 3][n - 48][m - 64])\n\
             {{\n for (int c = 0; c < 3; c++) for (int i = 0; i < n - 48; i++)\n\
             for (int j = 0; j < m - 64; j{step})\n b[c][i][j] = a[i][j + c];\n}}\n"
        )
    };
    let found = reached(&text("++"), &text(" += 1"), &[]);
    assert!(found.runs > 20, "{} runs", found.runs);
}

/// Rows of no elements are not C; yet nothing is wrong with a loop over none.
#[test]
fn rows_without_elements() {
    let text = |body: &str| {
        format!(
            "void f(int n, int m, const int a[restrict n][m], int b[restrict n])\n{{\n{body}\n}}\n"
        )
    };
    let original = text(
        "for (int i = 0; i < n; i++) { b[i] = 1; for (int j = 0; j < m; j++) b[i] ^= a[i][j]; }",
    );
    let result = text(
        "for (int i = 0; i < n; i++) {
            b[i] = 1;
            for (int j = 0; j < m; j++)
                b[i] ^= a[i][j];
            if (m == 0)
                b[i] = 1;
        }",
    );
    reached(&original, &result, &[]);
}

/// What follows an allocation that fails is looked at; that it goes on is not the same as that it
/// stops.
#[test]
fn memory_that_runs_out() {
    let body = |then: &str| {
        vector(&format!(
            "int *m = __builtin_malloc(sizeof(int[n < 0 ? 1 : n + 1]));
            if (!m)
                {then}
            for (int i = 0; i < n; i++) m[i] = a[i];
            for (int i = 0; i < n; i++) b[i] = m[i];
            __builtin_free(m);"
        ))
    };
    reached(&vector(LOOP), &body("__builtin_trap();"), &[]);
    reached(&vector(LOOP), &body("return;"), &[5]);
}

/// The smallest size takes most of what there is: larger ones are not begun.
#[test]
fn programs_that_take_long() {
    let text = |first: &str| {
        format!(
            "void f(int n, double a[restrict 40 * n + 90][40 * n + 90])\n{{\n\
             for (int t = 0; t < 9; t++) for (int i = {first}; i < 40 * n + 89; i++)\n\
             for (int j = 1; j < 40 * n + 89; j++)\n\
             a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);\n}}\n"
        )
    };
    let found = reached(&text("1"), &text("0 + 1"), &[]);
    assert!(found.runs >= 2, "{} runs", found.runs);
}

/// Numbers of lines come again behind a line marker: those of generated text are its own.
#[test]
fn lines_behind_a_marker() {
    let original = vector(LOOP);
    let result = "# 1 \"f.c\"
void f(int n, const int a[restrict n], int b[restrict n])
{
/* tilewright: begin */
for (int i = 0; i < n; i++)
    b[i] = a[i];
if (n > 1 << 29)
    b[0] = 0;
/* tilewright: end */
# 3 \"f.c\"
if (0)
    b[0] = 0;
b[0] += 0;
}
";
    let original = original.replace("a[i];\n", "a[i]; if (0) b[0] = 0; b[0] += 0;\n");
    let found = reached(&original, result, &[7]);
    assert_eq!(found.coverage.lines, 4);
}

/// What a function does not mention may be what it will: it is not read.
#[test]
fn text_that_nobody_asks_for() {
    let more = "typedef struct { int x : 3; __int128 y; } odd;\n\
                static inline odd g(odd v) { __asm__ volatile(\"\" : : : \"memory\"); return v; }\n\
                enum { WIDE = 5 };\nstruct s { struct t { int v; } t; };\n";
    let body = "struct t t = {WIDE}; for (int i = 0; i < n; i++) b[i] = a[i] + t.v;";
    let original = format!("{more}{}", vector(body));
    let result = format!("{more}{}", vector(&body.replace("i++", "i += 1")));
    reached(&original, &result, &[]);
}

/// What is done when there is no memory counts as reached, as far as the text comes to an end there
/// without touching memory.
#[test]
fn lines_for_failed_allocations() {
    let allocate = "int *t = __builtin_malloc(sizeof(int[n < 0 ? 1 : n + 1]));\n";
    let rest = "for (int i = 0; i < n; i++) { t[i] = a[i]; b[i] = t[i]; }\n__builtin_free(t);";
    for fails in [
        "if (!t)\n__builtin_trap();\n",
        "if (t == 0)\n__builtin_abort();\n",
        "if (!t) {\nint why = 3;\nif (why > 2)\nexit(why);\n}\n",
        "int why = 0;\nif (!t)\nwhy = 1;\nif (why)\n__builtin_trap();\n",
        "long far = 5000000000l;\nif (t == (int *)0 && far > 4000000000l)\n__builtin_trap();\n",
        "unsigned long at = (unsigned long)t;\nif (at == 0ul)\n__builtin_trap();\n",
        "int why;\nif (t) ; else {\nwhy = 2;\n__builtin_trap();\n}\n",
        "_Bool there = t != 0;\nif (!there)\n__builtin_trap();\n",
        "unsigned char there = (unsigned char)(t != 0);\nunsigned u = n;\nif (there < 1u && u < 4000000000u)\n__builtin_trap();\n",
        "if (!t || n < -5000)\n__builtin_trap();\n",
    ] {
        let result = vector(&format!("{allocate}{fails}{rest}"));
        reached(&vector(LOOP), &result, &[]);
    }
    // Nothing is known of what is done with memory first, or goes on.
    for (fails, never) in [
        ("if (!t) {\nb[0] = 1;\n__builtin_trap();\n}\n", &[5, 6][..]),
        ("if (!t) {\n;\nreturn;\n}\n", &[6]),
        ("if (!t) {\nn = n + 1;\n__builtin_trap();\n}\n", &[5, 6]),
        ("if (t && n > 100000)\n__builtin_trap();\n", &[5]),
    ] {
        let result = vector(&format!("{allocate}{fails}{rest}"));
        reached(&vector(LOOP), &result, never);
    }
}

/// Memory costs instructions: what takes too much of it takes too long.
#[test]
fn memory_is_no_gift() {
    let busy = |count: u64| {
        vector(&format!(
            "for (int k = 0; k < {count}; k++) {{ int *t = __builtin_malloc(1 << 20); t[0] = 1; __builtin_free(t); }} {LOOP}"
        ))
    };
    let found = judged(&busy(1), &busy(2));
    assert!(matches!(found.verdict, Verdict::Equal) && found.runs > 30);
    let found = judged(&busy(1), &busy(100_000));
    assert!(
        !matches!(found.verdict, Verdict::Equal),
        "{} runs",
        found.runs
    );
}
