//! Ordinary loops: which stay as they were written, and for which of them threads are started.

use super::{compiled, source};
use tilewright::compile::Options;
use tilewright::plan::Shape;

const ARRAYS: &str = "double A[restrict n][m], double B[restrict n][m], double C[restrict n][m], \
     double r[restrict n], double x[restrict m], const unsigned char rgb[restrict n][m][3], \
     unsigned char out[restrict n][m], double small[restrict 8]";

fn function(body: &str) -> String {
    format!("void f(int n, int m, {ARRAYS})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n")
}

fn shape(body: &str) -> Shape {
    let compiled = compiled(&source(&function(body)), &Options::default());
    compiled.plan.regions[0].groups[0].shape()
}

#[test]
fn what_no_other_order_helps_stays_as_written() {
    for body in [
        // Elementwise, in rows of any length, by hand four at once, of channels.
        "for (int j = 0; j < m; j++) x[j] = x[j] * 2.0;",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[i][j] = B[i][j] + C[i][j];",
        "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) A[i][j] = B[i][j] * 2.0;",
        "for (int j = 0; j < m / 2 * 2; j += 2) { x[j] = x[j] + 1.0; x[j + 1] = x[j + 1] - 1.0; }",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)\n\
         out[i][j] = (rgb[i][j][0] + 2 * rgb[i][j][1] + rgb[i][j][2]) >> 2;",
        // Windows.
        "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)\n\
         A[i][j] = B[i - 1][j] + B[i + 1][j] + B[i][j - 1] + B[i][j + 1];",
        // Along rows.
        "for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) A[i][j] = A[i][j - 1] * 0.5 + B[i][j];",
        // Variables of the body.
        "for (int i = 0; i < n; i++) {\n\
         double t = B[i][0];\n\
         for (int j = 1; j < m; j++) t = B[i][j] > t ? B[i][j] : t;\n\
         for (int j = 0; j < m; j++) A[i][j] = B[i][j] - t;\n}",
    ] {
        assert_eq!(shape(body), Shape::None, "{body}");
    }
    for body in [
        // A matrix that is used again, rows that are columns, sums of rows, no parallel loop outside.
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < n; k++)\n\
         C[i][j] += A[i][k] * B[k][j];",
        "for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) A[i][j] = B[i][j] + 1.0;",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) r[i] += A[i][j] * x[j];",
        "for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) A[i][j] = A[i - 1][j] + B[i][j];",
    ] {
        assert_ne!(shape(body), Shape::None, "{body}");
    }
}

#[test]
fn threads_are_started_where_there_is_enough_to_do() {
    let text = |body: &str, fork: i64| {
        let mut options = Options::default();
        options.wishes.fork = fork;
        compiled(&source(&function(body)), &options).text
    };
    let rows =
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[i][j] = B[i][j] + C[i][j];";
    // An operation and three accesses each.
    assert!(
        text(rows, 4000)
            .contains("#pragma omp parallel for if ((double)n * m >= 1000) schedule(static)"),
        "{}",
        text(rows, 4000)
    );
    let always = "#pragma omp parallel for schedule(static)";
    assert!(text(rows, 0).contains(always));
    assert!(text(rows, 4).contains(always));
    let constant = "for (int k = 0; k < 8; k++) small[k] = small[k] + 1.0;";
    assert!(!text(constant, 25).contains("#pragma omp parallel"));
    assert!(text(constant, 24).contains(always));
    // What runs inside counts, what is around does not.
    let inside = "for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) A[i][0] += A[i - 1][j];";
    assert!(
        !text(inside, 1000).contains("* m"),
        "{}",
        text(inside, 1000)
    );
    let steps = "for (int i = 1; i < n; i++) { for (int j = 1; j < m - 1; j++) x[j] += A[i][j] * B[i][j - 1]; \
                 for (int j = 1; j < m - 1; j++) A[i][j] += x[j + 1]; }";
    let mut options = Options::default();
    options.wishes.fork = 1000;
    options.wishes.shape = Some(Shape::None);
    let steps = compiled(&source(&function(steps)), &options).text;
    assert!(steps.contains("if ((double)"), "{steps}");
    assert!(!steps.contains("(double)n *"), "{steps}");
    // What is data says nothing.
    let data = "for (int i = 0; i < n; i++) for (int j = 0; j < (int)r[i]; j++) A[i][j] = 0.0;";
    assert!(
        !text(data, 1000).contains("if ((double)"),
        "{}",
        text(data, 1000)
    );
}
