use super::*;
use crate::scop::testing::region;

/// The temporaries of a region that can be in the cells that get them, and the texts that are left.
fn chosen(parameters: &str, body: &str) -> Option<(Vec<String>, usize)> {
    let before = region(parameters, body);
    let (names, after) = choose(&before).unwrap()?;
    let again = before.accumulated(&names).unwrap();
    assert_eq!(again.scop.statements.len(), after.scop.statements.len());
    for statement in &after.scop.statements {
        for access in &statement.accesses {
            let array = &after.scop.arrays[access.array];
            assert!(!names.contains(&array.name), "{}", array.name);
            assert_eq!(access.subscripts.len(), array.extents.len());
        }
    }
    Some((names, after.scop.statements.len()))
}

fn refused(parameters: &str, body: &str) {
    assert_eq!(chosen(parameters, body), None, "{body}");
}

const SQUARES: &str =
    "int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]";

#[test]
fn sums_are_in_the_cells_that_get_them() {
    let product = "for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++) {
                double t = A[i][k] - B[k][j];
                s += t * t;
            }
            C[i][j] = s;
        }";
    assert_eq!(chosen(SQUARES, product), Some((vec!["s".into()], 2)));
    // At another place than the loops' own.
    let moved = product.replace("C[i][j]", "C[n - 1 - j][i]");
    assert_eq!(chosen(SQUARES, &moved), Some((vec!["s".into()], 2)));
    // Read behind it, in another loop too.
    let read = format!(
        "{product} for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] += C[j][i];"
    );
    assert_eq!(chosen(SQUARES, &read), Some((vec!["s".into()], 3)));
}

#[test]
fn what_is_copied_twice_is_copied_from_its_cell() {
    let body = "for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += A[i][k] * A[j][k];
            C[i][j] = s;
            C[j][i] = s;
        }";
    assert_eq!(chosen(SQUARES, body), Some((vec!["s".into()], 3)));
}

/// Factors of a matrix in its place: cells of other iterations are read that are finished, the own
/// one in front.
#[test]
fn cells_of_other_iterations_may_be_read() {
    let body = "for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double s = A[i][j];
            for (int k = 0; k < j; k++)
                s -= A[i][k] * A[j][k];
            A[i][j] = s;
        }";
    // What the cell begins with is in it.
    assert_eq!(chosen(SQUARES, body), Some((vec!["s".into()], 1)));
}

#[test]
fn the_last_statement_may_go_on_with_the_value() {
    let body = "for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double s = A[i][j];
            for (int k = 0; k < j; k++)
                s -= A[i][k] * A[k][j];
            A[i][j] = s / A[j][j];
        }";
    assert_eq!(chosen(SQUARES, body), Some((vec!["s".into()], 2)));
    // It reads what was in the cell in front of the sum.
    refused(
        SQUARES,
        "for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++)
                    s += A[i][k];
                C[i][j] = s + C[i][j];
            }",
    );
    // Neither the place of another array that it names is the sum.
    refused(
        "int n, int m, const int A[restrict n][n], const int T[restrict m], int C[restrict n], int B[restrict n]",
        "for (int i = 0; i < n; i++) {
            int s = 0;
            for (int k = 0; k < n; k++)
                s += A[i][k];
            C[i] = T[s];
            B[i] += s;
        }",
    );
    // What is read behind it is the sum, not what it made of it.
    refused(
        SQUARES,
        "for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++)
                    s += A[i][k];
                C[i][j] = s * 2;
                B[i][j] += s;
            }",
    );
}

#[test]
fn cells_that_others_see_before_the_end_are_no_place() {
    // The old value is read while the sum is made.
    refused(
        SQUARES,
        "for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++)
                    s += A[i][k] * C[i][j];
                C[i][j] = s;
            }",
    );
    // Of another iteration.
    refused(
        SQUARES,
        "for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++)
                    s += A[i][k] * C[i][k];
                C[i][j] = s;
            }",
    );
    // Another statement writes it between a read of the sum and the next.
    refused(
        SQUARES,
        "for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++)
                    s += A[i][k];
                C[i][j] = s;
                C[i][j] = 1;
                B[i][j] += s;
            }",
    );
}

#[test]
fn places_are_of_one_sum_and_of_its_type() {
    // All sums of a row end in one cell.
    refused(
        SQUARES,
        "for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++)
                    s += A[j][k];
                C[i][0] = s;
            }",
    );
    // Not every sum is copied.
    refused(
        SQUARES,
        "for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++)
                    s += A[j][k];
                if (i > j)
                    C[i][j] = s;
            }",
    );
    // Sums of numbers that are rounded otherwise.
    refused(
        "int n, float A[restrict n][n], float C[restrict n]",
        "for (int i = 0; i < n; i++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += A[i][k];
            C[i] = s;
        }",
    );
    // More is added behind the copy.
    refused(
        SQUARES,
        "for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++) {
                    s += A[j][k];
                }
                C[i][j] = s;
                s += 1;
                B[i][j] += s;
            }",
    );
}

#[test]
fn names_are_refused_with_a_reason() {
    let region = region(
        "int n, double A[restrict n][n], double C[restrict n]",
        "for (int i = 0; i < n; i++) { double s = 0; for (int k = 0; k < n; k++) s += A[i][k]; C[i] += s; }",
    );
    let reason = |name: &str| {
        let refused = region.accumulated(&[name.to_owned()]).unwrap_err();
        refused.to_string()
    };
    assert!(
        reason("s").contains("no cell gets it at last"),
        "{}",
        reason("s")
    );
    assert!(reason("t").contains("no such temporary"));
    assert!(reason("A").contains("no scalar"));
}
