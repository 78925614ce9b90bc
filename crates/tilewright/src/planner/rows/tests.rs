use super::*;
use crate::scop::testing::region;

fn chosen(parameters: &str, body: &str) -> Vec<String> {
    let region = region(parameters, body);
    choose(&region.scop, &region.dataflow, &region.graph).unwrap()
}

const ROWS: &str =
    "int n, int m, double A[restrict n][m], double x[restrict m], double y[restrict n]";

#[test]
fn sums_and_recurrences_of_rows() {
    for body in [
        "for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j < m; j++) s += A[i][j] * x[j]; y[i] = s; }",
        "for (int i = 0; i < n; i++) { y[i] = 0; for (int j = 0; j < m; j++) y[i] += A[i][j]; }",
        "for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) A[i][j] += A[i][j - 1] * x[j];",
        "for (int i = 0; i < n; i++) for (int j = m - 3; j >= 0; j--) A[i][j] += A[i][j + 2] * x[j];",
    ] {
        assert_eq!(chosen(ROWS, body), ["i"], "{body}");
    }
    let body = "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) {
        double s = 0;
        for (int k = 0; k < m; k++) s += A[i][k] * A[j][k];
        C[i][j] = s;
    }";
    let squares = "int n, int m, double A[restrict n][m], double C[restrict n][n]";
    assert_eq!(chosen(squares, body), ["j"]);
}

/// What is nearest around the sums waits for the least so far: the next loop does not.
#[test]
fn sums_of_which_the_least_is_looked_for() {
    let body = "for (int i = 0; i < n; i++) {
        double best = 1e30;
        int at = 0;
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < m; k++) s += (A[i][k] - A[j][k]) * x[k];
            if (s < best) { best = s; at = j; }
        }
        y[i] = at;
    }";
    assert_eq!(chosen(ROWS, body), ["i"]);
}

#[test]
fn neighbours_are_for_vectors() {
    // Columns next to each other.
    let body = "for (int j = 0; j < m; j++) { double s = 0; for (int i = 0; i < n; i++) s += A[i][j]; x[j] = s; }";
    assert!(chosen(ROWS, body).is_empty());
    // They are next to each other along the loop around the sums, and rows along the one outside.
    let body = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < m; k++)
        C[i][j] += A[i][k] * B[k][j];";
    let product =
        "int n, int m, double A[restrict n][m], double B[restrict m][m], double C[restrict n][m]";
    assert!(chosen(product, body).is_empty());
}

#[test]
fn what_does_not_wait_stays() {
    for body in [
        // Iterations inside that do not depend on each other.
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[i][j] *= x[j];",
        // Few of them, of which compilers make straight code.
        "for (int i = 0; i < n; i++) { y[i] = 0; for (int j = 0; j < 4; j++) y[i] += x[j]; }",
        // Few outside.
        "for (int i = 0; i < 3; i++) { y[i] = 0; for (int j = 0; j < m; j++) y[i] += x[j]; }",
        // Others in each row.
        "for (int i = 0; i < n; i++) { y[i] = 0; for (int j = 0; j < i; j++) y[i] += x[j]; }",
        // Rows that are made from each other.
        "for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) A[i][j] += A[i][j - 1] * A[i - 1][j];",
    ] {
        assert!(chosen(ROWS, body).is_empty(), "{body}");
    }
    // Integers: compilers reorder their sums.
    let body =
        "for (int i = 0; i < n; i++) { y[i] = 0; for (int j = 0; j < m; j++) y[i] += A[i][j]; }";
    assert!(
        chosen(
            "int n, int m, int A[restrict n][m], int y[restrict n]",
            body
        )
        .is_empty()
    );
}
