//! Calls of functions that do something outside the program's memory: each is written down, with what
//! it gets, and those that change the same have to come in the same order.

use crate::common::{differs, equal};

const FRONT: &str =
    "typedef unsigned long size_t; typedef struct stream stream; extern stream *out;
int printf(const char *, ...); int fprintf(stream *, const char *, ...); int puts(const char *);
int putchar(int); size_t fwrite(const void *, size_t, size_t, stream *); int rand(void);
size_t fread(void *, size_t, size_t, stream *); void srand(unsigned); double drand48(void);\n";

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
