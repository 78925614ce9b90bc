//! Statements inside expressions, as GNU's macros write them, commas, and `typeof`: what one would
//! write without them.

use crate::functions::found;
use crate::normal::{around, same as same_as_written};

/// Regions in which `MAX`, `MIN`, `BOUNDED` and `SWAP` are what GNU's programs make of them.
fn same(rows: &[(&str, &str)]) {
    let rows: Vec<(String, String)> = rows
        .iter()
        .map(|(given, plain)| (expanded(given), plain.to_string()))
        .collect();
    let rows: Vec<(&str, &str)> = rows.iter().map(|(a, b)| (&**a, &**b)).collect();
    same_as_written(&rows);
}

/// A text in which such calls are what the macros make of them.
fn expanded(text: &str) -> String {
    const MACROS: [(&str, &str); 4] = [
        ("BOUNDED(", "MIN(MAX($0, $1), $2)"),
        (
            "MAX(",
            "({ __typeof__($0) x_ = ($0); __typeof__($1) y_ = ($1); (void)(&x_ == &y_); x_ > y_ ? x_ : y_; })",
        ),
        (
            "MIN(",
            "({ typeof($0) x_ = ($0); typeof($1) y_ = ($1); x_ < y_ ? x_ : y_; })",
        ),
        (
            "SWAP(",
            "do { typeof($0) t_ = ($0); ($0) = ($1); ($1) = t_; } while (0)",
        ),
    ];
    let Some((at, name, becomes)) = MACROS
        .iter()
        .find_map(|(name, becomes)| text.find(name).map(|at| (at, name, becomes)))
    else {
        return text.to_owned();
    };
    let (mut arguments, mut depth) = (vec![String::new()], 1);
    let mut rest = text[at + name.len()..].chars();
    for c in rest.by_ref() {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        match c {
            ')' if depth == 0 => break,
            ',' if depth == 1 => arguments.push(String::new()),
            _ => arguments.last_mut().expect("one").push(c),
        }
    }
    let mut becomes = (*becomes).to_owned();
    for (number, argument) in arguments.iter().enumerate() {
        becomes = becomes.replace(&format!("${number}"), argument.trim());
    }
    expanded(&format!("{}{becomes}{}", &text[..at], rest.as_str()))
}

#[test]
fn values_with_names() {
    same(&[
        (
            "for (int i = 0; i < n; i++) a[i] = MAX(a[i], b[i]);",
            "for (int i = 0; i < n; i++) a[i] = a[i] > b[i] ? a[i] : b[i];",
        ),
        // A byte stays one.
        (
            "for (int i = 0; i < n; i++) v[i] = ({ unsigned char w = v[i] + 1; w; });",
            "for (int i = 0; i < n; i++) v[i] = (unsigned char)(v[i] + 1);",
        ),
        // Where nothing can be in front.
        (
            "for (int i = 0; i < n; i++) if (v[i] > 0 && MAX(v[i], l) < 9) a[i] = 1;",
            "for (int i = 0; i < n; i++) if (v[i] > 0 && (v[i] > l ? v[i] : l) < 9) a[i] = 1;",
        ),
        (
            "for (int i = 0; i < MIN(n, m); i++) a[i] = 1;",
            "for (int i = 0; i < (n < m ? n : m); i++) a[i] = 1;",
        ),
        (
            "for (int i = 0; i < n; i++) a[i] = i > 2 ? MAX(a[i - 1], a[i - 2]) : 0;",
            "for (int i = 0; i < n; i++) a[i] = i > 2 ? (a[i - 1] > a[i - 2] ? a[i - 1] : a[i - 2]) : 0;",
        ),
        (
            "for (int i = 0; i < n; i++) v[i] = BOUNDED(v[i], 0, 9);",
            "for (int i = 0; i < n; i++) v[i] = (v[i] > 0 ? v[i] : 0) < 9 ? (v[i] > 0 ? v[i] : 0) : 9;",
        ),
    ]);
}

#[test]
fn statements_in_front() {
    same(&[
        (
            "for (int i = 0; i < n / 2; i++) SWAP(a[i], a[n - 1 - i]);",
            "for (int i = 0; i < n / 2; i++) { double t_ = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t_; }",
        ),
        (
            "for (int i = 0; i < n; i++) a[i] = ({ double s = 0; for (int j = 0; j < m; j++) s += A[i][j]; s; }) + b[i];",
            "for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j < m; j++) s += A[i][j]; a[i] = s + b[i]; }",
        ),
        (
            "for (int i = 0; i < n; i++) if (({ int w = v[i]; w *= w; w; }) > 3) a[i] = 1;",
            "for (int i = 0; i < n; i++) { int w = v[i]; w *= w; if (w > 3) a[i] = 1; }",
        ),
        (
            "for (int i = 0; i < n; i++) { double w = ({ double q = a[i]; q += 1; q; }); b[i] = w; }",
            "for (int i = 0; i < n; i++) { double q = a[i]; q += 1; double w = q; b[i] = w; }",
        ),
        // Names that are the same in different places.
        (
            "for (int i = 0; i < n; i++) a[i] = ({ int q = v[i]; q++; q; }) + ({ double q = b[i]; q *= 2; q; });",
            "for (int i = 0; i < n; i++) { int q = v[i]; q++; double q_2 = b[i]; q_2 *= 2; a[i] = q + q_2; }",
        ),
    ]);
}

#[test]
fn commas() {
    same(&[
        (
            "for (int i = 0; i < n; i++) a[i] = (b[i] += 1, v[i]);",
            "for (int i = 0; i < n; i++) { b[i] += 1; a[i] = v[i]; }",
        ),
        (
            "for (int i = 1; i < n; i++) r = a[i], a[i] = b[i], b[i] = r;",
            "for (int i = 1; i < n; i++) { r = a[i]; a[i] = b[i]; b[i] = r; }",
        ),
        (
            "for (int i = 0; i < n; i++) if ((r = a[i], r > 2)) b[i] = r;",
            "for (int i = 0; i < n; i++) { r = a[i]; if (r > 2) b[i] = r; }",
        ),
        (
            "for (int i = 0; i < n; i++) a[i] = (v[i], (void)l, b[i]);",
            "for (int i = 0; i < n; i++) a[i] = b[i];",
        ),
        (
            "for (int i = 0; i < n; i++) a[i] = v[i] > 3 ? (b[i] = 1, 2.0) : 3.0;",
            "for (int i = 0; i < n; i++) if (v[i] > 3) { b[i] = 1; a[i] = 2.0; } else a[i] = 3.0;",
        ),
    ]);
}

/// Types of expressions.
#[test]
fn types_of_values() {
    same(&[
        (
            "for (int i = 0; i < n; i++) { typeof(v[i] + 1L) w = v[i]; a[i] = w; }",
            "for (int i = 0; i < n; i++) { long w = v[i]; a[i] = w; }",
        ),
        (
            "for (int i = 0; i < n; i++) { typeof(s[i]) w = s[i]; a[i] = w.x + w.y; }",
            "for (int i = 0; i < n; i++) { struct p w = s[i]; a[i] = w.x + w.y; }",
        ),
        // A parameter that is declared as an array is a pointer.
        (
            "for (int i = 0; i < n; i++) { typeof(&A[i][0]) w = A[i]; for (int j = 0; j < m; j++) w[j] = 1; }",
            "for (int i = 0; i < n; i++) { double *w = A[i]; for (int j = 0; j < m; j++) w[j] = 1; }",
        ),
        (
            "for (int i = 0; i < n; i++) { typeof(({ long w = l++; w; })) w = v[i]; a[i] = w; }",
            "for (int i = 0; i < n; i++) { long w = v[i]; a[i] = w; }",
        ),
    ]);
}

/// What happens at times only, or in an order of calls that C leaves open.
#[test]
fn what_stays() {
    let ctx = isl::Ctx::new();
    for region in [
        "for (int i = 0; i < n; i++) v[i] = v[i] > 3 && (l++, l > 9);",
        "for (int i = 0; i < n; i++) v[i] = v[i] > 3 || ({ l += 2; l; }) > 3;",
        "for (int i = 0; i < n; i++) v[i] = 1 + (v[i] > 3 ? ({ int w = 0; while (w < v[i]) w += 3; w; }) : 2);",
        "for (int i = 0; (l++, i < n); i++) v[i] = 1;",
        "for (int i = 0; i < n; i++) v[i] = seen + ({ unknown(&seen); 2; });",
    ] {
        let said = found(&ctx, &around(region)).map(|_| "a model").unwrap_err();
        assert!(
            [
                "comma",
                "statement expression",
                "`l`",
                "side effect",
                "for` loop"
            ]
            .iter()
            .any(|what| said.contains(what)),
            "{region}\n{said}"
        );
    }
}

/// What says something to the compiler is the value that it is about.
#[test]
fn promises() {
    same(&[
        (
            "for (int i = 0; i < n; i++) if (__builtin_expect(!!(v[i] > 3), 1)) a[i] = 1;",
            "for (int i = 0; i < n; i++) if (!!(v[i] > 3)) a[i] = 1;",
        ),
        (
            "for (int i = 0; __builtin_expect(i < n, 1); i++) if (__builtin_expect(i > 2, 0) && i < m) a[i] = 1;",
            "for (int i = 0; i < n; i++) if (i > 2 && i < m) a[i] = 1;",
        ),
        // What is asked is the truth of a `long`.
        (
            "for (int i = 0; i < n; i++) if (__builtin_expect(a[i], 1)) b[i] = __builtin_expect(v[i], 3);",
            "for (int i = 0; i < n; i++) if ((long)a[i]) b[i] = (long)v[i];",
        ),
        (
            "for (int i = 0; i < n; i++) { double *w = __builtin_assume_aligned(a, 8); w[i] = 1; }",
            "for (int i = 0; i < n; i++) { double *w = a; w[i] = 1; }",
        ),
    ]);
}

/// A case that declares something has it for itself where no other names it.
#[test]
fn declarations_in_cases() {
    same(&[(
        "for (int i = 0; i < n; i++) switch (v[i]) { case 1:; int w = 2; a[i] = w; break; default: a[i] = 3; }",
        "for (int i = 0; i < n; i++) if (v[i] == 1) { ; int w = 2; a[i] = w; } else a[i] = 3;",
    )]);
    let ctx = isl::Ctx::new();
    let shared = "for (int i = 0; i < n; i++) switch (v[i]) { case 1:; int w = 2; a[i] = w; break; default: w = 3; a[i] = w; }";
    let said = found(&ctx, &around(shared)).map(|_| "a model");
    assert!(said.is_err_and(|said| said.contains("`switch`")));
}

/// Functions that do not come back, by the word of C11.
#[test]
fn functions_that_do_not_come_back() {
    let ctx = isl::Ctx::new();
    for words in ["_Noreturn", "static _Noreturn", "__attribute__((noreturn))"] {
        let text = format!(
            "{words} void fail(int code);
void f(int n, int *restrict a) {{
#pragma scop
    for (int i = 0; i < n; i++) {{ if (n > 1000000) fail(2); a[i] = i; }}
#pragma endscop
}}"
        );
        let said = found(&ctx, &text);
        assert!(said.is_ok(), "{words}: {}", said.err().unwrap_or_default());
    }
}
