//! What callers need to know.

use super::unit;
use crate::frontend::c::interface::interface;
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
