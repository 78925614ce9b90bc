//! What messages say: the words that matter, and that what they advise is accepted.

use super::{lowered, preprocess, render};
use tilewright::frontend::c::read;

/// What is said of a program; nothing where it is accepted without a word.
fn said(text: &str) -> String {
    let source = preprocess(text);
    match lowered(&isl::Ctx::new(), &source) {
        Ok(lowered) => render(&source, &lowered.warnings),
        Err(errors) => render(&source, &errors),
    }
}

fn function(arguments: &str, before: &str, body: &str) -> String {
    format!(
        "#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct inner {{ int v[9]; int m; }};
struct outer {{ int i; struct inner in; struct inner *far; int *p; }};
int next(int);
void touch(int *, int);
void note(int);
static int *seen;
static int last(int x) {{ static int calls; seen = &calls; return x + calls++; }}
void f(int n, {arguments}) {{
  {before}
#pragma scop
  {body}
#pragma endscop
}}"
    )
}

#[track_caller]
fn says(text: &str, words: &[&str]) {
    let messages = said(text);
    for words in words {
        match words.strip_prefix('!') {
            Some(words) => assert!(!messages.contains(words), "{words}: {messages}"),
            None => assert!(messages.contains(words), "no {words}: {messages}"),
        }
    }
}

/// A member behind a pointer is no pointer: the pointer that leads to it is.
#[test]
fn members_behind_pointers() {
    let every = "for (int i = 0; i < n; i++)";
    let arguments = "struct outer *st, int *at";
    for member in ["st->i", "st->in.m", "st->in.v[at[i] & 7]"] {
        let body = format!("{every} {member} += at[at[at[i]]];");
        let words = [
            "declare `st` with `restrict`",
            "rewrite: struct outer *restrict st",
        ];
        says(&function(arguments, "", &body), &words);
    }
    let body = format!("{every} st->far->m += at[at[at[i]]];");
    says(
        &function(arguments, "", &body),
        &[
            "`struct outer *st` `st->far` is a pointer without `restrict`",
            "copy the pointer `st->far` into one with `restrict`",
            "!rewrite",
        ],
    );
    let body = format!("{every} far->m += at[at[at[i]]];");
    let copied = function(arguments, "struct inner *restrict far = st->far;", &body);
    assert_eq!(said(&copied), "");
    let body = format!("{every} st->p[at[at[i]]] += at[at[i] + 1];");
    let words = ["`int *restrict p = st->p;`", "!rewrite"];
    says(&function(arguments, "", &body), &words);
}

/// Statements that are executed, and of which nothing is left.
#[test]
fn regions_that_leave_nothing() {
    let arguments = "int *restrict a";
    let nothing = [
        "TW0107: nothing that the region does is to be seen behind it",
        "!executed",
    ];
    for body in [
        "for (int i = 0; i < 10; i++) { i = 2; }",
        "const int b = 3;",
        "float b[n];",
        "for (int i = 0; i < n; i++) { int j = i; j++; }",
        "for (int i = 0; i < n; i++) ;",
    ] {
        says(&function(arguments, "", body), &nothing);
    }
    let body = "for (int i = 3; i < 2; i++) a[i] = 1;";
    let words = ["TW0107: no statement of the region is ever executed"];
    says(&function(arguments, "", body), &words);
}

/// Loops that move by more than one, and loops inside of others that only their turns end.
#[test]
fn loops_that_hide_others() {
    let arguments = "int *restrict a";
    let inside = "for (int i = 0; i < j; i++) a[i] += 2;";
    // From zero on distances are numbers of the type; below, nobody knows.
    for (step, condition, counts) in [("j -= 3", "j > 0", true), ("j -= 2", "j >= n / 2", false)] {
        let head = format!("for (; {condition}; {step})");
        let moved = format!("while ({condition}) {{ {inside} {step}; }}");
        match counts {
            true => assert_eq!(said(&function(arguments, "int j = n;", &moved)), ""),
            false => says(
                &function(arguments, "int j = n;", &moved),
                &["TW0212", "does not move by one", &format!("`{head}`")],
            ),
        }
        let counted = format!("{head} {{ {inside} }}");
        assert_eq!(said(&function(arguments, "int j = n;", &counted)), "");
    }
    for body in [
        "for (int i = 0; i < n; i++) { int j = i; while (j > 0) { for (int k = 0; k < n; k++) a[k] += j; j /= 3; } }",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a[j] = 2; if (j > i) break; for (int k = 0; k < n; k++) a[k] += 2; }",
    ] {
        says(
            &function(arguments, "", body),
            &[
                "a loop inside of one that ends when its turns say so",
                "!unsupported kind",
            ],
        );
    }
    let inside = "for (int k = 0; k < n; k++) a[k] += i;";
    for (test, stays) in [
        ("if (i > 10) break;", "i < n && i <= 10"),
        ("if (i == m) { break; }", "i < n && i != m"),
    ] {
        let arguments = "int m, int *restrict a";
        let body = format!("for (int i = 0; i < n; i++) {{ {test} {inside} }}");
        let words = [
            "TW0201",
            &format!("let the condition of its loop say so: `{stays}`"),
        ];
        says(&function(arguments, "", &body), &words);
    }
    let accepted = format!("for (int i = 0; i < n && i <= 10; i++) {{ {inside} }}");
    assert_eq!(said(&function(arguments, "", &accepted)), "");
    // Where it is no number, neither of two comparisons holds.
    let body = format!("for (int i = 0; i < n; i++) {{ if (x[i] > 1) break; {inside} }}");
    let words = [
        "put what it skips, in this turn and in those that follow, under `if (!done)`",
        "!x[i] <= 1",
    ];
    says(
        &function("double *restrict x, int *restrict a", "", &body),
        &words,
    );
}

/// What to do about calls depends on what is called.
#[test]
fn calls() {
    let every = "for (int i = 0; i < n; i++)";
    for (call, words) in [
        ("vprintf(\"%d\", a);", "print behind the region"),
        (
            "vscanf(\"%d\", a + i);",
            "read into an array in front of the region",
        ),
        ("printf(title, a[i]);", "give it a literal with conversions"),
        ("printf(\"%d%n\", 1, a);", "none of them `%n`"),
        ("a[rand() % n] = 1;", "assign its result to a variable"),
        ("a[i] = clock();", "between two readings of a clock"),
        (
            "memset(a + i, 1, 3);",
            "write it as a loop over the elements",
        ),
        ("a[i] = rand_r(a);", "each call gives another value"),
        ("free(malloc(a[i]));", "allocate in front of the region"),
        ("touch(a, i);", "access summary (`pencil_access`)"),
        ("a[i] = next(i);", "declare it `__attribute__((const))`"),
        ("note(a[i]);", "help: move the call out of the region"),
        (
            "a[i] = last(i);",
            "compute its result from its arguments alone",
        ),
    ] {
        let text = function("int *restrict a", "", &format!("{every} {{ {call} }}"));
        says(&text, &["TW0205", words, "!of its scalar arguments"]);
    }
    let text = function("int *restrict a", "", &format!("{every} a[i] = next(i);"));
    let accepted = text.replace("int next(int)", "__attribute__((const)) int next(int)");
    assert_eq!(said(&accepted), "");
}

/// One message for each pointer that is set and followed, with the first place.
#[test]
fn pointers_that_move() {
    let body = "for (int i = 0; i < n; i++) { if (c[i]) { *a = 0; a = c; } if (c[n - i]) { *a += 1; a = c + 1; } if (*b) b = c; }";
    let text = function(
        "int *restrict a, int *restrict b, int *restrict c",
        "",
        body,
    );
    let text = text.replace("void f", "int *f").replace(
        "#pragma endscop\n",
        "#pragma endscop\n  return n > 3 ? a : b;\n",
    );
    let messages = said(&text);
    assert_eq!(messages.matches("error TW0210").count(), 2, "{messages}");
    assert_eq!(messages.matches("changed here").count(), 2, "{messages}");
}

/// Subscripts that cannot be taken apart: the program's names, and what comes of it.
#[test]
fn subscripts() {
    let body = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) c[i * m + j + off] = c[i * m + j];";
    let words = [
        "every access to `c` is taken to touch all of it, so this loop stays sequential",
        "give `c` one subscript for each dimension",
        "!T (*a)",
    ];
    says(
        &function("int m, int off, int *restrict c", "", body),
        &words,
    );
}

/// What is no name of an array with subscripts behind it: why, and what to do, which is accepted.
#[test]
fn places_that_nobody_follows() {
    let every = "for (int i = 0; i < n; i++)";
    let arguments = "int *restrict a, int *restrict b, long p, int which";
    let rows = [
        (
            "(which ? a : b)[i] = i;",
            "`which ? a : b` is one of two places",
            "`if (which) …` with `a`, `else …` with `b`",
            ("", "if (which) a[i] = i; else b[i] = i;"),
        ),
        (
            "a[i] += row(3)[i];",
            "where the result of `row` is in memory is not known",
            "call it in front of the region",
            ("int *r = row(3);", "a[i] += r[i];"),
        ),
        (
            "a[i] += \"abc\"[i & 1];",
            "the string \"abc\" has no name",
            "`static const char text[] = \"abc\";`",
            (
                "static const char text[] = \"abc\";",
                "a[i] += text[i & 1];",
            ),
        ),
        (
            "a[i] += ((int *)p)[i];",
            "`p` is a number that is used as a pointer",
            "`int *place = (int *)p;`",
            ("int *place = (int *)p;", "a[i] += place[i];"),
        ),
        (
            "a[i] += ((short *)b)[i];",
            "`b` is used as memory of another type",
            "`short *place = (short *)b;`",
            ("short *place = (short *)b;", "a[i] += place[i];"),
        ),
    ];
    for (body, reason, help, (before, instead)) in rows {
        let text = |before: &str, body: &str| {
            let text = function(arguments, before, &format!("{every} {body}"));
            format!("int *row(int);\n{text}")
        };
        says(&text("", body), &["TW0208", reason, help]);
        says(&text(before, instead), &["!TW02"]);
    }
}

/// Heads that set nothing, where what they begin with cannot be named in front of the region.
#[test]
fn heads_that_go_on() {
    let arguments = "int m, int *restrict a, short k";
    let body = "for (; k < n; k += 2) a[k] = k;";
    let reason = "the loop goes on with what `k` holds in front of it";
    let help = "`for (int first = k; …)`, and set `k` behind the loop";
    let text =
        |body: &str| function(arguments, "", body).replace("endscop\n}", "endscop\nnote(k);\n}");
    says(&text(body), &["TW0202", reason, help]);
    let instead = "for (int first = k; first < n; first += 2) a[first] = first; if (k < n) k = n + (n - k) % 2;";
    says(&text(instead), &["!TW0202"]);
}

/// Functions inside of functions: what is around them stays, with a word, and nothing else.
#[test]
fn functions_inside_of_functions() {
    let other = "void g(int n, int *a) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] = i;
#pragma endscop
}";
    let nested = "int twice(int x) { return 2 * x + n; }";
    let outer = function(
        "int *a",
        nested,
        "for (int i = 0; i < n; i++) a[i] = twice(i);",
    );
    says(
        &format!("{outer}\n{other}"),
        &[
            "`f` holds a function of its own, `twice`, which may change its variables",
            "move `twice` in front of `f`",
        ],
    );
    says(&format!("{other}\n{outer}"), &["!TW"]);
    // Their calls are not inlined, and are not pure, whatever else has the name.
    let holder = format!("static int f(int n) {{ {nested} return twice(n); }}");
    let call = other.replace("a[i] = i", "a[i] = f(i)");
    says(
        &format!("{holder}\n{call}"),
        &["TW0205", "`f` may have side effects"],
    );
    // Regions inside of them have no place.
    let inside = format!("void f(int n, int *a) {{ {other} g(n, a); }}");
    let source = preprocess(&inside);
    let messages = render(&source, &read(&source).expect_err("a refusal"));
    let reason = "a marked region in `g`, a function inside of `f`";
    assert!(messages.contains(reason), "{messages}");
}
