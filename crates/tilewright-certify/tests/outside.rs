//! Calls of functions that do something outside the program's memory: each is written down, with what
//! it gets, and those that change the same have to come in the same order.

use crate::common::{differs, equal};

const FRONT: &str =
    "typedef unsigned long size_t; typedef struct stream stream; extern stream *out;
int printf(const char *, ...); int fprintf(stream *, const char *, ...); int puts(const char *);
int putchar(int); size_t fwrite(const void *, size_t, size_t, stream *); int rand(void);
size_t fread(void *, size_t, size_t, stream *); void srand(unsigned); double drand48(void);
int sprintf(char *, const char *, ...); int snprintf(char *, size_t, const char *, ...); int scanf(const char *, ...);
int sscanf(const char *, const char *, ...);\n";

fn text(body: &str) -> String {
    format!("{FRONT}void f(int n, int a[restrict n], const char s[restrict 8])\n{{\n{body}\n}}\n")
}

/// What prints the same in the same order is the same, whatever is around it; streams and random
/// numbers are different state.
#[test]
fn the_same_calls_are_equal() {
    for (original, result) in [
        (
            "for (int i = 0; i < n; i++) { printf(\"%d\\n\", i); a[i] = i; }",
            "for (int i = 0; i < n; i++) a[i] = i;\nfor (long i = 0; i < n; i++) printf(\"%d\\n\", (int)i);",
        ),
        (
            "for (int i = 0; i < n; i++) { a[i] = rand(); putchar('a'); }",
            "for (int i = 0; i < n; i++) putchar(97);\nfor (int i = 0; i < n; i++) a[i] = rand();",
        ),
        (
            "srand(3); if (n > 0) a[0] = drand48() < 0.5;",
            "srand(1 + 2); if (n > 0) a[0] = 2 * drand48() < 1;",
        ),
        (
            "fprintf(out, \"x\"); puts(\"y\");",
            "fprintf(out, \"x\"); puts(\"\" \"y\");",
        ),
        ("fwrite(a, 4, n, out);", "fwrite(&a[0], sizeof *a, n, out);"),
    ] {
        equal(&text(original), &text(result));
    }
}

/// An order that changed, a call too much or too few, other arguments, and values that such calls give
/// in another order.
#[test]
fn other_calls_are_found() {
    for (original, result, word) in [
        (
            "printf(\"%d\\n\", n); printf(\"%d\\n\", n + 1);",
            "printf(\"%d\\n\", n + 1); printf(\"%d\\n\", n);",
            "another call: printf(",
        ),
        (
            "for (int i = 0; i < n; i++) putchar(i);",
            "for (int i = n - 1; i >= 0; i--) putchar(i);",
            "another call: putchar(",
        ),
        (
            "puts(\"a\");",
            "puts(\"a\"); puts(\"a\");",
            "in place of nothing",
        ),
        (
            "puts(\"a\");",
            "",
            "another call: nothing in place of puts(\"a",
        ),
        ("puts(\"a\");", "puts(\"b\");", "another call: puts(\"b"),
        (
            "printf(\"%f\", 0.5);",
            "printf(\"%f\", 0.25);",
            "another call",
        ),
        ("fprintf(out, \"a\");", "printf(\"a\");", "another call"),
        (
            "for (int i = 0; i < n; i++) a[i] = rand();",
            "for (int i = n - 1; i >= 0; i--) a[i] = rand();",
            "another value at a[",
        ),
        (
            "for (int i = 0; i < n; i++) a[i] = i;\nfwrite(a, 4, n, out);",
            "fwrite(a, 4, n, out);\nfor (int i = 0; i < n; i++) a[i] = i;",
            "another call: fwrite(",
        ),
        (
            "fread(a, 4, n, out);",
            "fread(a, 4, n, out); if (n > 0) a[0] = 1;",
            "another value at a[0]",
        ),
    ] {
        differs(&text(original), &text(result), &[word]);
    }
}

/// What iterations print side by side comes in an order that nobody knows.
#[test]
fn printing_in_parallel_is_found() {
    let original = "for (int i = 0; i < n; i++) printf(\"%d\", i);";
    let result = format!("#pragma omp parallel for\n{original}");
    differs(&text(original), &text(&result), &["another call: printf("]);
}

/// What a function keeps from one call to the next is compared behind the last call.
#[test]
fn what_functions_keep_is_compared() {
    let front = "static int next(void) { static int last = 3; return last = last * 5 % 17; }
static int count(int x) { static int last; { static int last; last += x; } return ++last; }\n";
    let text = |body: &str| format!("{front}void f(int n, int a[restrict n])\n{{\n{body}\n}}\n");
    equal(
        &text("for (int i = 0; i < n; i++) { a[i] = next(); count(i); }"),
        &text("for (int i = 0; i < n; i++) count(i);\nfor (int i = 0; i < n; i++) a[i] = next();"),
    );
    for (original, result) in [
        (
            "for (int i = 0; i < n; i++) a[i] = next();",
            "for (int i = n - 1; i >= 0; i--) a[i] = next();",
        ),
        (
            "for (int i = 0; i < n; i++) { next(); a[i] = i; }",
            "for (int i = 0; i < n; i++) a[i] = i;",
        ),
        (
            "for (int i = 0; i < n; i++) count(i);",
            "for (int i = 0; i < n; i++) count(i + 1);",
        ),
    ] {
        differs(&text(original), &text(result), &["another value at"]);
    }
}

/// What is printed into memory is what C's library prints there.
#[test]
fn texts_in_memory() {
    for (call, expected) in [
        ("sprintf(t, \"%d,%u|%c\", -5, 7u, 'x')", "-5,7|x"),
        (
            "sprintf(t, \"%5d|%-4d|%05d|%+d\", 42, 42, -42, 42)",
            "   42|42  |-0042|+42",
        ),
        (
            "sprintf(t, \"%x %X %o %hhu\", 255, 255, 8, 257)",
            "ff FF 10 1",
        ),
        ("sprintf(t, \"%.3f %f\", 2.0 / 3, 0.5f)", "0.667 0.500000"),
        (
            "sprintf(t, \"%g %g %g %g\", 100000.0, 1000000.0, 0.0001, 0.00001234)",
            "100000 1e+06 0.0001 1.234e-05",
        ),
        (
            "sprintf(t, \"%.2e|%8.1e\", 12345.0, 0.001)",
            "1.23e+04| 1.0e-03",
        ),
        (
            "sprintf(t, \"%s-%.2s|%4s\", \"ab\", \"cde\", \"f\")",
            "ab-cd|   f",
        ),
        ("sprintf(t, \"%*d%%%-*d|\", 3, 1, 2, 2)", "  1%2 |"),
        (
            "sprintf(t, \"%ld %llu\", -1L, ~0ULL)",
            "-1 18446744073709551615",
        ),
        ("snprintf(t, 4, \"%d\", 123456)", "123"),
    ] {
        let length = match call.starts_with("snprintf") {
            true => 6,
            false => expected.len(),
        };
        let stores: String = expected
            .bytes()
            .chain([0])
            .enumerate()
            .map(|(k, byte)| format!("t[{k}] = {byte}; "))
            .collect();
        let all = "for (int k = 0; k < 64; k++) a[k] = t[k];";
        let text = |body: String| {
            format!(
                "{FRONT}void f(int a[restrict 65])\n{{\nchar t[64] = \"\";\n{body}\n{all}\n}}\n"
            )
        };
        equal(
            &text(format!("a[64] = {call};")),
            &text(format!("a[64] = {length}; {stores}")),
        );
    }
    differs(
        &text("char t[16]; sprintf(t, \"%d\", n); if (n > 0) a[0] = t[0];"),
        &text("char t[16]; sprintf(t, \"%d\", n + 1); if (n > 0) a[0] = t[0];"),
        &["another value at a[0]"],
    );
}

/// What is read from streams is the same where the same was read before; from memory, where the text is.
#[test]
fn what_formats_read() {
    let body = "int x = 0; char w[8] = \"\"; for (int i = 0; i < n; i++) { a[i] = scanf(\"%d %4s\", &x, w); a[i] += x + w[0]; }";
    equal(&text(body), &text(body));
    let other = body.replace("a[i] += x + w[0];", "a[i] += x - w[0];");
    differs(&text(body), &text(&other), &["another value at a["]);
    let twice = format!("{body} if (n > 0) scanf(\"%d\", &x);");
    differs(&text(body), &text(&twice), &["another call"]);
    let inside = "char t[8] = \"12.5ab%\"; double d = 0; int r = sscanf(t, \"%lf%*[a-z]%%\", &d); if (n > 1) { a[0] = r; a[1] = d * 4; }";
    equal(&text(inside), &text(&format!("{{ {inside} }} {inside}")));
}
