//! What callers need to know.

use super::{render, unit};
use crate::frontend::c::interface::{ArgumentKind, interface};
use crate::frontend::c::lower::lower;
use insta::assert_snapshot;

fn described(text: &str, name: &str) -> String {
    let (_, unit) = unit(text);
    let function = unit
        .functions
        .iter()
        .position(|f| f.name == name)
        .expect("the function");
    let described = interface(&unit, function, &[]);
    let mut out = String::new();
    for (what, list) in [
        ("argument", &described.arguments),
        ("global", &described.globals),
    ] {
        for argument in list {
            out += &format!(
                "{what} {}: {}\n",
                argument.name,
                serde_json::to_string(&argument.kind).expect("JSON")
            );
        }
    }
    format!("{out}init: {:?}\n", described.init)
}

#[test]
fn kinds_of_arguments() {
    assert_snapshot!(described(
        "#include <stdint.h>
         typedef struct { float x, y; } point; typedef struct { int n; float *v; } vector; typedef float real;
         void f(int n, double w, real out[restrict 3][n + 4][2 * n], const float img[n][n], const uint8_t (*p)[n],
                point pts[n], point pt, vector v, vector *vs, float **rows, void *any, int (*call)(void),
                long double x, int only_read[n], int passed[n][n], int kept[n], int, float *unknown) {
           int *k = kept;
         #pragma scop
           out[0][1][2] = only_read[img[0][0] > 1] + w + passed[1][1] + pts[0].x;
           any_function(passed[1]);
         #pragma endscop
         }",
        "f"
    ));
}

#[test]
fn globals_that_regions_mention() {
    assert_snapshot!(described(
        "#define N 8
         static float table[N][N + 1]; float other[N]; const float fixed[3] = {1, 2, 3}; int count; enum { M = 3 };
         int sizes[M];
         void f(void) {
           other[0] = 1;
         #pragma scop
           for (int i = 0; i < N; i++) table[i][0] = fixed[i % 3] * count + sizes[M - 1];
         #pragma endscop
         }",
        "f"
    ));
}

#[test]
fn init_functions() {
    let with = |init: &str| {
        let text = format!(
            "{init}\nvoid f(int n, const double a[n][n]) {{\n#pragma scop\n;n;\n#pragma endscop\n}}\n"
        );
        let described = described(&text, "f");
        described.lines().last().expect("a line").to_string()
    };
    let yes = "init: Some(\"f_init\")";
    let no = "init: None";
    assert_eq!(with("void f_init(int n, double b[restrict n][n]) {}"), yes);
    assert_eq!(with("static void f_init(int m, double (*b)[m]) {}"), yes);
    assert_eq!(with("void f_init(int n, float b[n][n]) {}"), no);
    assert_eq!(with("void f_init(int n, double b[n]) {}"), no);
    assert_eq!(with("void f_init(double b[4][4], int n) {}"), no);
    assert_eq!(with("void f_init(int n, double b[n][n], int k) {}"), no);
    assert_eq!(with("void f_init(int n, double b[n][n]);"), no);
}

/// The extents of an array argument, with the regions' models.
fn extents(text: &str, name: &str) -> String {
    let (source, unit) = unit(text);
    let ctx = isl::Ctx::new();
    let scops: Vec<_> = (0..unit.regions.len())
        .map(|region| {
            lower(&ctx, &unit, region).unwrap_or_else(|d| panic!("{}", render(&source, &d)))
        })
        .collect();
    let described = interface(&unit, 0, &scops.iter().collect::<Vec<_>>());
    let argument = described
        .arguments
        .iter()
        .find(|a| a.name == name)
        .expect("the argument");
    match &argument.kind {
        ArgumentKind::Array { extents, .. } => extents.join(" | "),
        ArgumentKind::Unsupported { reason } => format!("unsupported: {reason}"),
        ArgumentKind::Scalar { .. } => "a scalar".to_string(),
    }
}

/// A remainder of a remainder is of as many cases as both divisors make.
#[test]
fn extents_of_many_cases_are_the_largest_one() {
    for (subscript, extent) in [
        ("m % 97 * 2 & 31", "31"),
        ("m % 97 * 3 % 32", "32"),
        ("k % 12 & 15", "k % 12 + 1"),
        ("k & 63", "k % 64 + 1"),
    ] {
        let text = format!(
            "void f(int n, int m, unsigned k, double *p) {{\n#pragma scop\n\
             for (int i = 1; i < n; i++) p[{subscript}] = i;\n#pragma endscop\n}}\n"
        );
        assert_eq!(extents(&text, "p"), extent, "{subscript}");
    }
}

#[test]
fn extents_of_pointers_are_what_is_reached() {
    let with = |parameters: &str, body: &str| {
        extents(
            &format!("void f({parameters}) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"),
            "p",
        )
    };
    let loop_of = |bound: &str, body: &str| format!("for (int i = 0; i < {bound}; i++) {body}");
    assert_eq!(
        with("int n, float *restrict p", &loop_of("n", "p[i] = 1;")),
        "n"
    );
    assert_eq!(
        with("int n, float p[]", &loop_of("n - 1", "p[i] = p[i + 3];")),
        "n + 2"
    );
    assert_eq!(
        with(
            "int n, float (*restrict p)[n]",
            &loop_of("n", "p[2 * i][0] = 1;")
        ),
        "2 * n - 1 | n"
    );
    assert_eq!(
        with(
            "int n, int m, float *restrict p",
            &(loop_of("n", "p[i] = 1;") + &loop_of("m", "p[i] = 2;"))
        ),
        "n >= 1 && n >= m + 1 ? n : m"
    );
    assert_eq!(
        with(
            "int n, int m, float *restrict p",
            "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) p[i * m + j] = 1;"
        ),
        "(n) * (m)"
    );
    assert_eq!(with("int n, float *restrict p", "*p = n;"), "1");
    assert_eq!(
        extents(
            "void f(int n, float *restrict p) {\n int m = n / 2;\n#pragma scop\nfor (int i = 0; i < m; i++) p[i] = 1;\n#pragma endscop\n}\n",
            "p"
        ),
        "n / 2"
    );
    let twice = "void f(int n, float *restrict p) {\n#pragma scop\nfor (int i = 0; i < n; i++) p[i] = 1;\n#pragma endscop\n#pragma scop\np[7] = 0;\n#pragma endscop\n}\n";
    assert_eq!(extents(twice, "p"), "(n) > (8) ? (n) : (8)");
    let unknown = "int g(void);\nvoid f(float *restrict p) {\n int m = g();\n#pragma scop\nfor (int i = 0; i < m; i++) p[i] = 1;\n#pragma endscop\n}\n";
    assert_eq!(
        extents(unknown, "p"),
        "unsupported: its size depends on `m`, which no argument gives"
    );
    let at_data = "void f(int n, const int a[n], float *restrict p) {\n#pragma scop\nfor (int i = 0; i < n; i++) p[a[i]] = 1;\n#pragma endscop\n}\n";
    assert_eq!(
        extents(at_data, "p"),
        "unsupported: the regions' accesses have no bound"
    );
}
