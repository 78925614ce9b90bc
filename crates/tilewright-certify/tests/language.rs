//! C as it is read: the same function written in two ways is equal, and differs from one that is
//! written almost in the same way.

use tilewright_certify::{Certificate, Effort, Options, Text, Verdict, certify};

fn judged(original: &str, result: &str) -> Certificate {
    let text = |preprocessed| Text {
        name: "f.c",
        preprocessed,
    };
    let options = Options {
        effort: Effort::Quick,
        steps: Some(400_000),
        functions: Some(vec!["f".to_owned()]),
        ..Options::default()
    };
    certify(&text(original), &text(result), &options)
}

/// `plain` and `other` are the same, `wrong` is not.
#[track_caller]
fn same_but(plain: &str, other: &str, wrong: &str) {
    let found = judged(plain, other);
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{other}\n{:?}",
        found.verdict
    );
    assert!(found.runs > 3, "{} runs of {other}", found.runs);
    let found = judged(plain, wrong);
    assert!(
        matches!(found.verdict, Verdict::Differs(_)),
        "{wrong}\n{:?}",
        found.verdict
    );
}

const HEAD: &str = "void f(int n, const int a[restrict n], const double x[restrict n], int b[restrict n], double y[restrict n])";

/// Bodies of a function with arrays to read and to write.
#[track_caller]
fn bodies(plain: &str, other: &str, wrong: &str) {
    let whole = |body: &str| format!("{HEAD}\n{{\n{body}\n}}\n");
    same_but(&whole(plain), &whole(other), &whole(wrong));
}

/// Statements for each `i`.
#[track_caller]
fn each(plain: &str, other: &str, wrong: &str) {
    let all = |body: &str| format!("for (int i = 0; i < n; i++) {{ {body} }}");
    bodies(&all(plain), &all(other), &all(wrong));
}

#[test]
fn reductions_of_every_kind() {
    for (ty, first, step, operator, wrong) in [
        ("int", "0", "s = s + (a[i] & 7);", "+", "*"),
        ("unsigned", "1u", "s = s * (unsigned)(a[i] & 3);", "*", "+"),
        (
            "int",
            "-2147483647 - 1",
            "s = a[i] > s ? a[i] : s;",
            "max",
            "min",
        ),
        (
            "int",
            "2147483647",
            "s = a[i] < s ? a[i] : s;",
            "min",
            "max",
        ),
        ("int", "0", "s = s | a[i];", "|", "&"),
        ("int", "-1", "s = s & a[i];", "&", "|"),
        ("int", "0", "s = s ^ a[i];", "^", "&"),
        ("int", "1", "s = s && (a[i] & 3);", "&&", "^"),
        ("int", "0", "s = s || (a[i] & 64);", "||", "&&"),
    ] {
        let whole = |pragma: &str| {
            format!(
                "{ty} s = {first};\n{pragma}\nfor (int i = 0; i < n; i++) {{ {step} }}\nif (n > 0) b[0] = (int)s;"
            )
        };
        let reduction = |op: &str| whole(&format!("#pragma omp parallel for reduction({op}: s)"));
        bodies(&whole(""), &reduction(operator), &reduction(wrong));
    }
}

#[test]
fn parallel_loops_in_every_direction() {
    let plain = "for (int i = 0; i < n; i++) b[i] = a[i] ^ i;";
    for head in [
        "for (int i = n - 1; i >= 0; i--)",
        "for (int i = n - 1; i > -1; i -= 1)",
        "for (int i = 0; i <= n - 1; i += 1)",
        "for (int i = 0; n > i; i = i + 1)",
        "for (long i = 0; i < n; ++i)",
    ] {
        for schedule in [
            "",
            " schedule(static)",
            " schedule(dynamic, 2)",
            " num_threads(3)",
        ] {
            let loops = format!("#pragma omp parallel for{schedule}\n{head}");
            let right = format!("{loops} b[i] = a[i] ^ i;");
            bodies(plain, &right, &format!("{loops} b[i / 2] = a[i] ^ i;"));
        }
    }
    let twice = |barrier: &str| {
        format!(
            "#pragma omp parallel\n{{\n#pragma omp for nowait\nfor (int i = 0; i < n; i++) b[i] = a[i];\n{barrier}\n\
             #pragma omp for\nfor (int i = 0; i < n; i++) b[n - 1 - i] ^= 5;\n}}"
        )
    };
    let plain = "for (int i = 0; i < n; i++) b[i] = a[i] ^ 5;";
    bodies(plain, &twice("#pragma omp barrier"), &twice(""));
    // The barrier behind a loop is one, too, also for a team of one thread.
    let implied = twice("").replace(" nowait", "");
    bodies(plain, &implied, &twice(""));
}

#[test]
fn steps_and_strides() {
    for step in [2, 3, 7] {
        let down = format!(
            "#pragma omp parallel for\nfor (int i = n - 1; i >= 0; i -= {step}) b[i] = a[i];"
        );
        let plain = format!("for (int i = n - 1; i >= 0; i -= {step}) b[i] = a[i];");
        let wrong = format!("for (int i = n - 1; i > 0; i -= {step}) b[i] = a[i];");
        bodies(&plain, &down, &wrong);
    }
}

#[test]
fn choices_and_jumps() {
    let plain = "int k = a[i] & 3; b[i] = k == 0 ? 5 : k == 1 ? 6 : k == 2 ? 6 : -1;";
    let switch = |value: &str| {
        format!(
            "switch (a[i] & 3) {{ case 0: b[i] = 5; break; case 1: case 2: b[i] = {value}; break; default: b[i] = -1; }}"
        )
    };
    each(plain, &switch("6"), &switch("7"));
    let plain = "int s = 0; for (int k = 0; k < 5; k++) if (k != 3) s += a[i] & k; b[i] = s;";
    let skip = |at: i32| {
        format!(
            "int s = 0, k = -1; while (1) {{ k++; if (k == {at}) continue; if (k >= 5) break; s += a[i] & k; }} b[i] = s;"
        )
    };
    each(plain, &skip(3), &skip(2));
    let plain = "int k = 0; while (k < 4 && a[i] >> k & 1) k++; b[i] = k;";
    let other = |most: i32| {
        format!("int k; for (k = 0; k < {most}; ++k) if (!(a[i] >> k & 1)) break; b[i] = k;")
    };
    each(plain, &other(4), &other(5));
}

#[test]
fn operators_of_every_kind() {
    for (plain, other, wrong) in [
        (
            "b[i] = a[i] % 7;",
            "b[i] = a[i] - a[i] / 7 * 7;",
            "b[i] = (a[i] % 7 + 7) % 7;",
        ),
        ("b[i] = ~a[i];", "b[i] = a[i] ^ -1;", "b[i] = a[i];"),
        ("b[i] = !a[i];", "b[i] = a[i] == 0;", "b[i] = a[i] != 0;"),
        (
            "b[i] = (a[i] & 255) << 3;",
            "b[i] = (a[i] & 255) * 8;",
            "b[i] = (a[i] & 255) << 2;",
        ),
        (
            "b[i] = a[i] >> 31;",
            "b[i] = a[i] < 0 ? -1 : 0;",
            "b[i] = (int)((unsigned)a[i] >> 31);",
        ),
        (
            "b[i] = (signed char)a[i];",
            "int t = a[i] & 255; b[i] = t > 127 ? t - 256 : t;",
            "b[i] = (unsigned char)a[i];",
        ),
        (
            "b[i] = (short)a[i];",
            "int t = a[i] & 65535; b[i] = t > 32767 ? t - 65536 : t;",
            "b[i] = (unsigned short)a[i];",
        ),
        (
            "b[i] = (unsigned)a[i] > 5u;",
            "b[i] = a[i] < 0 || a[i] > 5;",
            "b[i] = a[i] > 5;",
        ),
        (
            "b[i] = a[i] > -7;",
            "b[i] = -7 < a[i];",
            "b[i] = a[i] > 5u - 12;",
        ),
        (
            "y[i] = x[i] * 0.1f;",
            "float t = 0.1f; y[i] = x[i] * (double)t;",
            "y[i] = x[i] * 0.1;",
        ),
        (
            "y[i] = (float)x[i];",
            "float t = x[i]; y[i] = t;",
            "y[i] = x[i];",
        ),
        ("y[i] = -x[i];", "y[i] = x[i] * -1.0;", "y[i] = 0.0 - x[i];"),
        (
            "b[i] = x[i] < 0.5;",
            "b[i] = 0.5 > x[i];",
            "b[i] = !(x[i] >= 0.5);",
        ),
        ("b[i] = x[i] == x[i];", "b[i] = x[i] <= x[i];", "b[i] = 1;"),
        (
            "b[i] = sizeof(int[3]) + sizeof a[0];",
            "b[i] = 16;",
            "b[i] = 12;",
        ),
        (
            "int k = 3; b[i] = k++ + a[i] % 9; b[i] += k;",
            "b[i] = 7 + a[i] % 9;",
            "b[i] = 6 + a[i] % 9;",
        ),
        (
            "int k = 3; b[i] = --k + a[i] % 9;",
            "b[i] = 2 + a[i] % 9;",
            "b[i] = 3 + a[i] % 9;",
        ),
        ("b[i] = (i, a[i]);", "b[i] = a[i];", "b[i] = i;"),
        (
            "b[i] = 'a' + '\\n' + '\\x41' + '\\0';",
            "b[i] = 172;",
            "b[i] = 171;",
        ),
        ("b[i] = 017 + 0x1F + 10;", "b[i] = 56;", "b[i] = 58;"),
        (
            "long t = 2147483647L + 1; b[i] = t >> 4;",
            "b[i] = 134217728;",
            "b[i] = -134217728;",
        ),
    ] {
        each(plain, other, wrong);
    }
}

#[test]
fn compound_assignments() {
    for (operator, apart, wrong) in [
        ("+=", "b[i] = b[i] + (a[i] & 7)", "b[i] = b[i] - (a[i] & 7)"),
        ("-=", "b[i] = b[i] - (a[i] & 7)", "b[i] = b[i] + (a[i] & 7)"),
        ("*=", "b[i] = b[i] * (a[i] & 7)", "b[i] = b[i] + (a[i] & 7)"),
        ("&=", "b[i] = b[i] & (a[i] & 7)", "b[i] = b[i] | (a[i] & 7)"),
        ("|=", "b[i] = b[i] | (a[i] & 7)", "b[i] = b[i] ^ (a[i] & 7)"),
        ("^=", "b[i] = b[i] ^ (a[i] & 7)", "b[i] = b[i] & (a[i] & 7)"),
        (
            "<<=",
            "b[i] = b[i] << (a[i] & 7)",
            "b[i] = b[i] >> (a[i] & 7)",
        ),
        (
            ">>=",
            "b[i] = b[i] >> (a[i] & 7)",
            "b[i] = b[i] << (a[i] & 7)",
        ),
    ] {
        let set = "b[i] = i & 63;";
        each(
            &format!("{set} b[i] {operator} a[i] & 7;"),
            &format!("{set} {apart};"),
            &format!("{set} {wrong};"),
        );
    }
    each(
        "b[i] = 100; b[i] /= (a[i] & 7) + 1;",
        "b[i] = 100 / ((a[i] & 7) + 1);",
        "b[i] = 100 % ((a[i] & 7) + 1);",
    );
    each(
        "b[i] = 100; b[i] %= (a[i] & 7) + 1;",
        "b[i] = 100 % ((a[i] & 7) + 1);",
        "b[i] = 100 / ((a[i] & 7) + 1);",
    );
}

#[test]
fn structures_arrays_and_pointers() {
    let head =
        "struct in { char c; double d; short s[3]; };\nstruct out { int k; struct in in[2]; };\n";
    let whole =
        |body: &str| format!("{head}{HEAD}\n{{\nfor (int i = 0; i < n; i++) {{ {body} }}\n}}\n");
    let plain = "b[i] = (short)(a[i] % 100) * 3 + 7; y[i] = x[i] + 2;";
    let fields = |last: &str| {
        format!(
            "struct out o = {{ .k = 7, .in = {{ {{ 1, 2.0, {{ 3, 4, 5 }} }}, {{ .s = {{ 9 }} }} }} }}; \
             o.in[1].s[2] = a[i] % 100; struct out p = o; struct in *q = &p.in[{last}]; \
             b[i] = q->s[2] * p.in[0].s[0] + p.k; y[i] = x[i] + (*(q - {last})).d;"
        )
    };
    same_but(&whole(plain), &whole(&fields("1")), &whole(&fields("0")));
    let plain = "int t[4] = { 1, 2, 3, 4 }; b[i] = t[a[i] & 3];";
    each(
        plain,
        "int t[] = { 1, [2] = 3, [1] = 2, [3] = 4 }; const int *p = t + 3; b[i] = p[(a[i] & 3) - 3];",
        "int t[4] = { 1, 3, 2 }; b[i] = t[a[i] & 3];",
    );
    each(
        "b[i] = a[i];",
        "const int *p = a; p += i; b[i] = *p;",
        "const int *p = &a[n - 1]; p -= i; b[i] = *p;",
    );
    each(
        "b[i] = n - i;",
        "const int *p = a + n, *q = &a[i]; b[i] = p - q;",
        "const int *p = a + n, *q = &a[i]; b[i] = q - p;",
    );
    each(
        "int m[2][3] = { { 0 } }; m[1][2] = a[i]; b[i] = m[1][2] + m[0][2];",
        "int m[2][3] = { 0 }; int (*r)[3] = m; r[1][2] = a[i]; b[i] = (*(r + 1))[2];",
        "int m[2][3] = { 0 }; m[1][1] = a[i]; b[i] = m[1][2];",
    );
    each(
        "b[i] = a[i] & 1 ? a[i] : 9;",
        "int t = 9; const int *p = a[i] & 1 ? &a[i] : (void *)0; b[i] = p ? *p : t;",
        "int t = 9; const int *p = a[i] & 1 ? &a[i] : &t; b[i] = *p + (p == &t);",
    );
    each(
        "union { unsigned u; unsigned char c[4]; } t; t.u = a[i]; b[i] = t.c[1];",
        "b[i] = a[i] >> 8 & 255;",
        "b[i] = a[i] & 255;",
    );
}

#[test]
fn functions_globals_and_macros() {
    let whole = |front: &str, body: &str| {
        format!("{front}\n{HEAD}\n{{\nfor (int i = 0; i < n; i++) {{ {body} }}\n}}\n")
    };
    let plain = whole("", "b[i] = a[i] > 9 ? 9 : a[i];");
    let by_function = |most: &str| {
        whole(
            &format!(
                "enum {{ MOST = {most} }};\nstatic inline int clip(int v) {{ if (v > MOST) return MOST; return v; }}"
            ),
            "b[i] = clip(a[i]);",
        )
    };
    same_but(&plain, &by_function("9"), &by_function("10"));
    let by_macro = |most: &str| {
        whole(
            &format!(
                "#define MOST {most}\n#define CLIP(v, w) \\\n    ((v) > (w) ? (w) : (v)) /* of */\n"
            ),
            "b[i] = CLIP(a[i], MOST);",
        )
    };
    same_but(&plain, &by_macro("9"), &by_macro("8"));
    let by_global = |most: &str| {
        whole(
            &format!("static const int limits[2][2] = {{ {{ 1, 2 }}, {{ 3, {most} }} }};"),
            "int m = limits[1][1]; b[i] = a[i] > m ? m : a[i];",
        )
    };
    same_but(&plain, &by_global("9"), &by_global("7"));
    let recursive = |first: &str| {
        whole(
            &format!("static int sum(int k) {{ return k <= 0 ? {first} : k + sum(k - 1); }}"),
            "b[i] = sum(a[i] & 7);",
        )
    };
    let plain = whole("", "int k = a[i] & 7; b[i] = k * (k + 1) / 2;");
    same_but(&plain, &recursive("0"), &recursive("1"));
    let attribute = whole(
        "__attribute__((always_inline)) static inline int g(int v) __attribute__((const));\nstatic inline int g(int v) { return v & 7; }",
        "int k __attribute__((aligned(8))) = g(a[i]); b[i] = k * (k + 1) / 2;",
    );
    same_but(&plain, &attribute, &recursive("2"));
    let statics = |first: &str| {
        whole(
            &format!("static int twice(int v) {{ static const int by = {first}; return v * by; }}"),
            "b[i] = twice(a[i] & 7);",
        )
    };
    same_but(
        &whole("", "b[i] = (a[i] & 7) * 2;"),
        &statics("2"),
        &statics("3"),
    );
}

#[test]
fn functions_of_the_library() {
    let head = "extern double fabs(double), sqrt(double), floor(double), ceil(double), fmin(double, double), fmax(double, double), pow(double, double);\nextern float fabsf(float), fminf(float, float);\nextern int abs(int);\nextern void *memcpy(void *, const void *, unsigned long);\nextern void *memset(void *, int, unsigned long);\n";
    let whole =
        |body: &str| format!("{head}{HEAD}\n{{\nfor (int i = 0; i < n; i++) {{ {body} }}\n}}\n");
    for (plain, other, wrong) in [
        (
            "y[i] = fabs(x[i] * 0.5);",
            "double t = x[i] * 0.5; y[i] = fabs(-t);",
            "y[i] = x[i] * 0.5;",
        ),
        (
            "y[i] = fmin(fabs(x[i]), 1.0);",
            "double t = fabs(x[i]); y[i] = t < 1.0 ? t : 1.0;",
            "y[i] = fmax(fabs(x[i]), 1.0);",
        ),
        (
            "y[i] = floor(x[i]);",
            "y[i] = -ceil(-x[i]);",
            "y[i] = ceil(x[i]);",
        ),
        (
            "y[i] = sqrt(fabs(x[i]));",
            "double t = fabs(x[i]); y[i] = sqrt(t);",
            "y[i] = fabs(x[i]);",
        ),
        (
            "b[i] = abs(a[i] % 50);",
            "int t = a[i] % 50; b[i] = t < 0 ? -t : t;",
            "b[i] = a[i] % 50;",
        ),
        (
            "b[i] = a[i];",
            "memcpy(b + i, &a[i], sizeof(int));",
            "memset(b + i, 0, sizeof(int));",
        ),
        (
            "y[i] = fabsf(x[i]);",
            "float t = x[i]; y[i] = fabsf(-t);",
            "y[i] = fabs(x[i]);",
        ),
    ] {
        same_but(&whole(plain), &whole(other), &whole(wrong));
    }
}

#[test]
fn every_type_of_element_is_compared() {
    for ty in [
        "signed char",
        "unsigned char",
        "short",
        "unsigned short",
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "float",
        "double",
    ] {
        let whole = |value: &str| {
            format!(
                "void f(int n, const {ty} a[restrict n][2], {ty} b[restrict n][2])\n{{\nfor (int i = 0; i < n; i++) {{ b[i][0] = a[i][1]; b[i][1] = {value}; }}\n}}\n"
            )
        };
        // The last bit of one element, in the last place that is written.
        let last = format!("a[i][0] + (i == n - 1 && n > 3 ? ({ty})1 : ({ty})0)");
        let wrapped = format!("({ty})(a[i][0])");
        same_but(
            &whole("a[i][0]"),
            &whole(&wrapped),
            &whole(&format!("({ty})({last})")),
        );
    }
    let whole = |value: &str| {
        format!(
            "struct p {{ short k; float v; }};\nvoid f(int n, struct p b[restrict n])\n{{\nfor (int i = 0; i < n; i++) {{ b[i].k = i; b[i].v = {value}; }}\n}}\n"
        )
    };
    same_but(
        &whole("0.1f"),
        &whole("0.1f"),
        &whole("0.10000001f * 1.0000001f"),
    );
}

#[test]
fn inputs_are_of_many_kinds() {
    // Each of these is only seen where a certain kind of numbers is tried.
    for condition in [
        "a[i] == 0",
        "a[i] < -1000000",
        "a[i] > 1000000",
        "a[i] == -1",
        "a[i] & 1",
        "x[i] != x[i]",
        "x[i] > 1e30",
        "x[i] == 0 && 1 / x[i] < 0",
        "x[i] < 0",
        "x[i] > 0 && x[i] < 1",
        "n == 1",
        "n > 16",
        "i > 0 && a[i] == a[i - 1]",
        "i > 0 && a[i] < a[i - 1]",
        "i > 0 && a[i] > a[i - 1]",
        "n % 2 == 0 && a[i] > 0",
        "n % 3 == 2",
    ] {
        let whole =
            |value: &str| format!("{HEAD}\n{{\nfor (int i = 0; i < n; i++) b[i] = {value};\n}}\n");
        let found = judged(&whole("1"), &whole(&format!("({condition}) ? 2 : 1")));
        assert!(
            matches!(found.verdict, Verdict::Differs(_)),
            "{condition}: {:?}",
            found.inputs
        );
    }
    let found = judged(
        "void f(int n, int b[restrict n]) { for (int i = 0; i < n; i++) b[i] = 1; }",
        "void f(int n, int b[restrict n]) { for (int i = 0; i < n; i++) b[i] = n == 37 ? 2 : 1; }",
    );
    // Sizes around the constants of the result.
    assert!(
        matches!(found.verdict, Verdict::Differs(_)),
        "{:?}",
        found.inputs
    );
}

#[test]
fn extents_from_globals() {
    let whole = |value: &str| {
        format!(
            "int g, width = 3; extern int h;\nvoid f(int *b, int a[g][width + 1][h + 2]) {{\nfor (int i = 0; i < g; i++) b[i] = {value};\n}}\n"
        )
    };
    let plain = whole("a[i][3][h + 1]");
    let beside = plain.replace("[3]", "[4]").replace("[i]", "[i - 1]");
    same_but(&plain, &whole("*(&a[i][3][0] + h + 1)"), &beside);
}

/// All functions of two texts are compared, whichever are executed.
fn whole_texts(original: &str, result: &str) -> Certificate {
    let text = |preprocessed| Text {
        name: "f.c",
        preprocessed,
    };
    certify(&text(original), &text(result), &Options::default())
}

#[test]
fn what_functions_mean_may_differ_where_their_text_does_not() {
    let of = |constant: &str, ty: &str| {
        format!(
            "enum {{ K = {constant} }}; struct s {{ {ty} v; }};\nvoid f(int n, int a[restrict n]) {{\nfor (int i = 0; i < n; i++) {{ struct s t = {{ i * 300 }}; a[i] = t.v + K; }}\n}}\n"
        )
    };
    let found = whole_texts(&of("3", "int"), &of("3", "int"));
    assert!(matches!(found.verdict, Verdict::Equal) && found.runs == 0);
    let found = whole_texts(&of("3", "int"), &of("2 + 1", "int"));
    assert!(matches!(found.verdict, Verdict::Equal) && found.runs > 3);
    for other in [of("4", "int"), of("3", "unsigned char")] {
        let found = whole_texts(&of("3", "int"), &other);
        assert!(matches!(found.verdict, Verdict::Differs(_)), "{other}");
    }
}

#[test]
fn functions_that_are_gone_are_not_equal() {
    let one = "void f(int *a) { *a = 1; }\n";
    let two = format!("{one}void g(int *a) {{ *a = 2; }}\n");
    let found = whole_texts(&two, one);
    let Verdict::Unknown(why) = &found.verdict else {
        panic!("{:?}", found.verdict);
    };
    assert!(why.contains("there is no function `g`"), "{why}");
    // Nobody else can call a static one.
    let inlined = two.replace("void g", "static void g");
    let found = whole_texts(&inlined, one);
    assert!(matches!(found.verdict, Verdict::Equal));
}

/// Filling and comparing them counts as work: quick stays quick.
#[test]
fn large_globals_are_few_inputs() {
    let of = |value: &str| {
        format!(
            "double big[4000000];\nvoid f(int n, const int a[restrict n]) {{\nfor (int i = 0; i < n; i++) big[i * 65521] += {value};\n}}\n"
        )
    };
    let found = judged(&of("a[i]"), &of("(a[i] + 0)"));
    assert!(matches!(found.verdict, Verdict::Equal), "{found:?}");
    assert!((1..10).contains(&found.runs), "{} runs", found.runs);
    let found = judged(&of("a[i]"), &of("a[i] + 1"));
    assert!(matches!(found.verdict, Verdict::Differs(_)), "{found:?}");
}
