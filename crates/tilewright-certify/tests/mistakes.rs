//! Results with a mistake in them: each is found, and named with its place.

use tilewright_certify::{Effort, Kind, Options, Text, Verdict, certify};

fn judged(original: &str, result: &str, effort: Effort) -> tilewright_certify::Certificate {
    let text = |preprocessed| Text {
        name: "f.c",
        preprocessed,
    };
    let options = Options {
        effort,
        ..Options::default()
    };
    certify(&text(original), &text(result), &options)
}

#[track_caller]
fn differs(original: &str, result: &str, kind: Kind, words: &[&str]) {
    let found = judged(original, result, Effort::Quick);
    let Verdict::Differs(difference) = found.verdict else {
        panic!("{:?}", found.verdict);
    };
    let text = difference.to_string();
    assert_eq!(difference.kind, kind, "{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
}

#[track_caller]
fn equal(original: &str, result: &str) {
    let found = judged(original, result, Effort::Quick);
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{:?}",
        found.verdict
    );
    assert!(found.runs > 10, "{} runs", found.runs);
}

const COPY: &str = "void f(int n, const int a[restrict n], int b[restrict n])\n{\n    \
                    for (int i = 0; i < n; i++) {\n        int t = a[i];\n        \
                    int u = t * 2;\n        b[i] = u;\n    }\n}\n";

fn copy(body: &str) -> String {
    format!("void f(int n, const int a[restrict n], int b[restrict n])\n{{\n{body}\n}}\n")
}

#[test]
fn a_temporary_that_is_never_written() {
    let result = copy("int t; for (long c = 0; c < n; c++) b[c] = (int)((t & 1023) * 2);");
    let original = copy("for (int i = 0; i < n; i++) { int t = a[i]; b[i] = (t & 1023) * 2; }");
    differs(&original, &result, Kind::Unwritten, &["b[", "`t`"]);
}

#[test]
fn memory_that_is_never_written() {
    let body = "int *m = __builtin_malloc(sizeof(int[n + 1])); for (int i = 1; i < n; i++) m[i] = a[i] & 7; \
                for (int i = 0; i < n; i++) b[i] = m[i]; __builtin_free(m);";
    let original = copy("for (int i = 0; i < n; i++) b[i] = a[i] & 7;");
    differs(
        &original,
        &copy(body),
        Kind::Unwritten,
        &["b[0]", "line 3 allocated"],
    );
}

#[test]
fn a_bound_that_is_one_off() {
    let result = copy("for (int i = 0; i < n - 1; i++) b[i] = a[i];");
    let original = copy("for (int i = 0; i < n; i++) b[i] = a[i];");
    differs(&original, &result, Kind::Value, &["b["]);
    let result = copy("for (int i = 0; i <= n; i++) b[i] = a[i];");
    differs(
        &original,
        &result,
        Kind::Outside,
        &["a[", "a read of 4 bytes"],
    );
    let result = copy("for (int i = n - 1; i >= -1; i--) b[i] = 5;");
    let original = copy("for (int i = 0; i < n; i++) b[i] = 5;");
    differs(
        &original,
        &result,
        Kind::Outside,
        &["b[-1]", "a write of 4 bytes"],
    );
}

#[test]
fn a_row_that_is_left() {
    let head = "void f(int n, int m, int a[restrict n][m])\n";
    let original =
        format!("{head}{{ for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 0; }}");
    let result = format!("{head}{{ for (int j = 0; j < n * m; j++) a[0][j] = 0; }}");
    differs(&original, &result, Kind::Outside, &["of a row of"]);
}

#[test]
fn a_whole_tile_too_many() {
    let original = copy("for (int i = 0; i < n; i++) b[i] = a[i] ^ 3;");
    let tiled = |limit: &str| {
        copy(&format!(
            "#define tw_min(a, b) ((a) < (b) ? (a) : (b))\nfor (long t = 0; t <= {limit}; t++) {{ \
             const long last = tw_min(n - 1, 32 * t + 31);\n#pragma omp simd\n\
             for (long i = 32 * t; i <= last; i++) b[i] = a[i] ^ 3; }}\n#undef tw_min"
        ))
    };
    equal(&original, &tiled("((long)n + 31) / 32 - 1"));
    // One tile is missing where n is not small.
    differs(
        &original,
        &tiled("((long)n + 30) / 32 - 1 - (n > 40)"),
        Kind::Value,
        &["b["],
    );
}

#[test]
fn races() {
    let original = copy("for (int i = 0; i < n; i++) b[a[i] & 1 ? 0 : n - 1] = 1;");
    let result =
        copy("#pragma omp parallel for\nfor (int i = 0; i < n; i++) b[a[i] & 1 ? 0 : n - 1] = 1;");
    differs(&original, &result, Kind::Race, &["b[", "between threads"]);
    let head = "void f(int n, double x[restrict n], double s[restrict 1])\n";
    let sum = |pragma: &str| {
        format!(
            "{head}{{ double t = 0;\n{pragma}\nfor (int i = 0; i < n; i++) t += 1; s[0] = t; }}"
        )
    };
    differs(
        &sum(""),
        &sum("#pragma omp parallel for"),
        Kind::Race,
        &["t"],
    );
    equal(&sum(""), &sum("#pragma omp parallel for reduction(+: t)"));
    equal(&sum(""), &sum("#pragma omp simd reduction(+: t)"));
    let prefix = |pragma: &str| {
        format!("{head}{{\n{pragma}\nfor (int i = 1; i < n; i++) x[i] += x[i - 1]; }}")
    };
    differs(
        &prefix(""),
        &prefix("#pragma omp simd"),
        Kind::Race,
        &["x[", "`simd`"],
    );
    differs(
        &prefix(""),
        &prefix("#pragma omp parallel for"),
        Kind::Race,
        &["x[", "threads"],
    );
}

#[test]
fn atomic_updates_do_not_race() {
    let head = "void f(int n, const unsigned char a[restrict n], unsigned h[restrict 256])\n";
    let text = |parallel: &str, atomic: &str| {
        format!("{head}{{\n{parallel}\nfor (int i = 0; i < n; i++)\n{atomic}\nh[a[i]] += 3; }}")
    };
    let original = text("", "");
    equal(
        &original,
        &text("#pragma omp parallel for", "#pragma omp atomic"),
    );
    differs(
        &original,
        &text("#pragma omp parallel for", ""),
        Kind::Race,
        &["h["],
    );
}

#[test]
fn memory_of_a_thread_is_not_carried_over() {
    let original = copy("for (int i = 0; i < n; i++) b[i] = a[i] & 15;");
    let result = |first: &str| {
        copy(&format!(
            "#pragma omp parallel\n{{ int *m = __builtin_malloc(4 * sizeof(int));\n#pragma omp for\n\
             for (int i = 0; i < n; i++) {{ {first} m[i & 3] = a[i] & 15; b[i] = m[i & 3]; }}\n__builtin_free(m); }}"
        ))
    };
    equal(&original, &result(""));
    // What an iteration before wrote, if the same thread had it.
    let stale = copy(
        "#pragma omp parallel\n{ int m[2] = {0, 0};\n#pragma omp for\nfor (int i = 0; i < n; i++) { \
         if (i % 2 == 0) m[0] = a[i] & 15; b[i] = i % 2 == 0 ? m[0] : m[0] - a[i - 1] % 16 + (a[i] & 15) + (a[i - 1] % 16 - (a[i - 1] & 15)); } }",
    );
    differs(&original, &stale, Kind::Value, &["b["]);
}

#[test]
fn overflow_that_the_original_does_not_have() {
    let head = "void f(unsigned n, const unsigned a[restrict n], unsigned b[restrict n])\n";
    let original = format!("{head}{{ for (unsigned i = 0; i < n; i++) b[i] = a[i] * 3; }}");
    let result = format!("{head}{{ for (unsigned i = 0; i < n; i++) b[i] = (int)a[i] * 3; }}");
    differs(&original, &result, Kind::Overflow, &["line 2"]);
    let result =
        format!("{head}{{ for (unsigned i = 0; i < n; i++) b[i] = 3 * a[i] + 0 / (a[i] % 2); }}");
    differs(&original, &result, Kind::DivisionByZero, &["line 2"]);
    let result = format!(
        "{head}{{ for (unsigned i = 0; i < n; i++) b[i] = 3 * a[i] + (0 << (a[i] & 63)); }}"
    );
    differs(&original, &result, Kind::Shift, &["line 2"]);
}

#[test]
fn where_the_original_overflows_anything_may_be() {
    equal(
        COPY,
        &copy("for (int i = 0; i < n; i++) { long t = a[i] * 2l; b[i] = (int)t; }"),
    );
}

#[test]
fn unsigned_wrap() {
    let head = "void f(unsigned n, const int b[restrict n], int h[restrict 64])\n";
    let text =
        |e: &str| format!("{head}{{ for (unsigned i = 0; i < n; i++) h[{e}] = 1 + (b[i] & 3); }}");
    let original = text("(i * 2654435761u) >> 26");
    equal(
        &original,
        &text("((i & 0xffff) * 2654435761u + (i >> 16 << 16) * 2654435761u) >> 26"),
    );
    differs(
        &original,
        &text("(i * 2654435761ul) >> 26"),
        Kind::Outside,
        &["h["],
    );
}

#[test]
fn conversions_of_large_parameters() {
    let head = "void f(int n, unsigned u, long l, int b[restrict n])\n";
    let text = |e: &str| format!("{head}{{ for (int i = 0; i < n; i++) b[i] = {e}; }}");
    differs(
        &text("i > (int)u"),
        &text("i > (long)u"),
        Kind::Value,
        &["b["],
    );
    differs(&text("i == (int)l"), &text("i == l"), Kind::Value, &["b["]);
    differs(
        &text("i < (unsigned)l"),
        &text("i < l"),
        Kind::Value,
        &["b["],
    );
    differs(
        &text("i < u * 2"),
        &text("i < u * 2l"),
        Kind::Value,
        &["b["],
    );
}

#[test]
fn another_order_of_additions_shows() {
    let head = "double f(int n, const double a[restrict n])\n";
    let original =
        format!("{head}{{ double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }}");
    let result =
        format!("{head}{{ double s = 0; for (int i = n - 1; i >= 0; i--) s += a[i]; return s; }}");
    differs(&original, &result, Kind::Value, &["the returned value"]);
}

#[test]
fn a_loop_without_end() {
    let original = copy("for (int i = 0; i < n; i++) b[i] = 1;");
    let result = copy("for (unsigned i = 0; i <= n - 1u; i++) if ((int)i < n) b[i] = 1;");
    differs(&original, &result, Kind::Endless, &["n = 0"]);
}

#[test]
fn arrays_that_overlap() {
    let head = "void f(int n, int *a, int *b)\n";
    let original = format!("{head}{{ for (int i = 0; i < n; i++) b[i] = a[i] / 2 + 1; }}");
    let backwards = format!("{head}{{ for (int i = n - 1; i >= 0; i--) b[i] = a[i] / 2 + 1; }}");
    differs(&original, &backwards, Kind::Value, &[" = a + "]);
    let head = "void f(int n, int *restrict a, int *restrict b)\n";
    let original = format!("{head}{{ for (int i = 0; i < n; i++) b[i] = a[i] / 2 + 1; }}");
    let backwards = format!("{head}{{ for (int i = n - 1; i >= 0; i--) b[i] = a[i] / 2 + 1; }}");
    equal(&original, &backwards);
}

#[test]
fn stores_behind_a_structure() {
    let head = "typedef struct { float *out; } L;\nvoid f(int n, L l, const int *in)\n";
    let text = |store: &str| {
        format!(
            "{head}{{ for (int i = 0; i < n; i++) {{ float m = -1; for (int j = 0; j < 3; j++) \
             m += in[3 * i + j] & 255; {store} }} }}"
        )
    };
    equal(&text("l.out[i] = m;"), &text("*(l.out + i) = m + 0.0f;"));
    differs(
        &text("l.out[i] = m;"),
        &text(""),
        Kind::Value,
        &["l.out[0]"],
    );
}

#[test]
fn global_arrays_and_returned_values() {
    let head = "int g[8]; int n;\nint f(int k)\n";
    let text = |e: &str| {
        format!(
            "{head}{{ int s = 0; for (int i = 0; i < 8; i++) {{ g[i] = {e}; s ^= g[i]; }} return s; }}"
        )
    };
    differs(
        &text("(g[i] & 7) + i"),
        &text("(g[i] & 7) + (i == 7 ? 6 : i)"),
        Kind::Value,
        &["returned"],
    );
    let silent = text("i").replace("return s", "return 0");
    differs(
        &silent,
        &silent.replace("= i;", "= i & 3;"),
        Kind::Value,
        &["g[4]"],
    );
}

#[test]
fn pointers_that_dangle() {
    let original = copy("for (int i = 0; i < n; i++) b[i] = 1;");
    let result = copy(
        "int *m = __builtin_malloc(4); *m = 1; __builtin_free(m); for (int i = 0; i < n; i++) b[i] = *m;",
    );
    differs(&original, &result, Kind::Pointer, &[]);
    let result = copy(
        "int *m = __builtin_malloc(4); __builtin_free(m); for (int i = 0; i < n; i++) b[i] = 1; __builtin_free(m);",
    );
    differs(&original, &result, Kind::Free, &[]);
}

#[test]
fn texts_that_are_not_understood() {
    let unknown = |result: &str, word: &str| {
        let found = judged(&copy("b[0] = 1;"), result, Effort::Quick);
        match found.verdict {
            Verdict::Unknown(why) => assert!(why.contains(word), "{why}"),
            other => panic!("{other:?}"),
        }
    };
    unknown(&copy("b[0] = g(1);"), "`g`");
    unknown(&copy("_Decimal64 x = 1; b[0] = x;"), "an extension");
    unknown(&copy("b[0] = 1 +;"), "syntax");
    unknown(&copy("#if 1 ? 2 : 3\nb[0] = 1;\n#endif"), "condition");
    unknown(&copy("#include <complex.h>\nb[0] = 1;"), "#include");
    unknown(
        &copy(&format!(
            "b[0] = {}1{};",
            "(".repeat(5000),
            ")".repeat(5000)
        )),
        "nesting",
    );
    unknown(&copy(&"{".repeat(100_000)), "nesting");
    unknown("\u{0}\u{ff}\"'\\", "");
    unknown(
        &copy("#define F(x) F2(x, x)\n#define F2(x, y) F(x) F(y)\nb[0] = F(1);"),
        "",
    );
}

#[test]
fn the_same_texts_give_the_same_certificate() {
    let result = copy("for (int i = n - 1; i >= 0; i--) b[i] = a[i] / 3;");
    let original = copy("for (int i = 0; i < n; i++) b[i] = a[i] / 3;");
    let (one, two) = (
        judged(&original, &result, Effort::Quick),
        judged(&original, &result, Effort::Quick),
    );
    assert_eq!((one.steps, one.inputs), (two.steps, two.inputs));
    assert_eq!(one.coverage, two.coverage);
    assert_eq!(one.coverage.ratio(), 1.0);
}

#[test]
fn lines_that_are_never_reached_are_named() {
    let original = copy("for (int i = 0; i < n; i++) b[i] = 1;");
    let result = copy("for (int i = 0; i < n; i++)\nif (n > 100000)\nb[i] = 2;\nelse\nb[i] = 1;");
    let found = judged(&original, &result, Effort::Quick);
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{:?}",
        found.verdict
    );
    assert_eq!(found.coverage.never, [5]);
}

#[test]
fn an_unsigned_subscript_beyond_all_arrays() {
    // Its address is that of the element -6: nothing has to be the same there.
    let head = "void f(unsigned long n, int *restrict a, const int *restrict b)\n";
    let original = format!("{head}{{ for (int i = 0; i < 7; i++) a[i] = b[n]; }}");
    let limit = "4611686018427387904";
    let result = format!(
        "{head}{{ const long m = n < {limit} ? n : {limit}; for (int i = 0; i < 7; i++) a[i] = b[m]; }}"
    );
    equal(&original, &result);
    let wrong = format!("{head}{{ for (int i = 0; i < 7; i++) a[i] = b[n + 1]; }}");
    differs(&original, &wrong, Kind::Outside, &["b["]);
}
