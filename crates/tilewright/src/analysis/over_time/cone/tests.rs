use super::*;
use crate::scop::testing::region;

/// The cone of all statements of a region with these parameters and this body.
fn cone(parameters: &str, body: &str) -> Result<Cone, String> {
    let region = region(parameters, body);
    let all: Vec<_> = (0..region.scop.statements.len()).collect();
    Cone::find(&region.scop, &region.dataflow, &all).map_err(|error| error.to_string())
}

fn steps(cone: &Cone) -> Vec<i64> {
    cone.statements.iter().map(|placed| placed.step).collect()
}

fn slopes(cone: &Cone) -> Vec<(i64, i64, i64)> {
    let numbers = |s: &Slopes| (s.lower, s.upper, s.per);
    cone.slopes.iter().map(numbers).collect()
}

fn point(cone: &Cone, statement: usize) -> String {
    cone.statements[statement]
        .point
        .drop_unused_params()
        .unwrap()
        .to_string()
}

/// A three-point stencil reads one cell to each side, one step earlier. Writing over what another
/// point still reads goes the same way: `B[i]` is read by `A[i - 1 .. i + 1]`.
#[test]
fn jacobi_with_copies_goes_one_cell_per_sweep() {
    let cone = cone(
        "int m, int n, double A[restrict n], double B[restrict n]",
        "for (int t = 0; t < m; t++) {
            for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] + A[i] + A[i + 1];
            for (int i = 1; i < n - 1; i++) A[i] = B[i - 1] + B[i] + B[i + 1];
        }",
    )
    .unwrap();
    assert_eq!(cone.steps, 2);
    assert_eq!(steps(&cone), [0, 1]);
    assert_eq!(slopes(&cone), [(-1, 1, 1)]);
    assert_eq!(point(&cone, 1), "{ S1[t, i] -> [1 + 2t, i] }");
}

/// A copy reads at distance zero: two cells in two steps, but one cell per step where the values
/// come from the step before; the read of a neighbour in `A` has one step, the copy the other.
#[test]
fn a_copy_back_takes_a_step_of_its_own() {
    let cone = cone(
        "int m, int n, double A[restrict n], double B[restrict n]",
        "for (int t = 0; t < m; t++) {
            for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] + A[i] + A[i + 1];
            for (int i = 1; i < n - 1; i++) A[i] = B[i];
        }",
    )
    .unwrap();
    assert_eq!(steps(&cone), [0, 1]);
    // A[i + 1] is read at T and written at T + 1.
    assert_eq!(slopes(&cone), [(-1, 1, 1)]);
}

/// Two dimensions, the first with a reach of two to one side.
#[test]
fn each_dimension_has_its_own_slopes() {
    let cone = cone(
        "int m, int n, float A[restrict m][n][n]",
        "for (int t = 1; t < m; t++)
            for (int i = 2; i < n; i++)
                for (int j = 1; j < n - 1; j++)
                    A[t][i][j] = A[t - 1][i - 2][j] + A[t - 1][i][j - 1] + A[t - 1][i][j + 1];",
    )
    .unwrap();
    assert_eq!(cone.steps, 1);
    assert_eq!(slopes(&cone), [(0, 2, 1), (-1, 1, 1)]);
}

/// The second-order example of the paper (figure 5): `A[t - 1][i + 1]` and `A[t - 2][i - 3]` go
/// by -1 and by 3 / 2.
#[test]
fn values_of_two_steps_ago_make_rational_slopes() {
    let cone = cone(
        "int m, int n, float A[restrict m][n]",
        "for (int t = 2; t < m; t++)
            for (int i = 3; i < n - 1; i++)
                A[t][i] += A[t - 1][i + 1] + A[t - 2][i - 3];",
    )
    .unwrap();
    assert_eq!(slopes(&cone), [(-2, 3, 2)]);
}

/// Two planes that take turns: what is overwritten was read two steps ago, at most one cell away.
#[test]
fn ping_pong_needs_no_more_than_its_reads() {
    let cone = cone(
        "int m, int n, float A[restrict 2][n]",
        "for (int t = 0; t < m; t++)
            for (int i = 1; i < n - 1; i++)
                A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i] + A[t % 2][i + 1];",
    )
    .unwrap();
    assert_eq!(cone.steps, 1);
    assert_eq!(slopes(&cone), [(-1, 1, 1)]);
}

/// The electric fields do not depend on each other within an iteration, and share a step with the
/// source on the first row; the magnetic field reads one cell further in each, they one cell back
/// in it.
#[test]
fn fields_share_a_step() {
    let cone = cone(
        "int m, int n, double ex[restrict n][n], double ey[restrict n][n], double hz[restrict n][n], double fict[restrict m]",
        "for (int t = 0; t < m; t++) {
            for (int j = 0; j < n; j++) ey[0][j] = fict[t];
            for (int i = 1; i < n; i++)
                for (int j = 0; j < n; j++) ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
            for (int i = 0; i < n; i++)
                for (int j = 1; j < n; j++) ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
            for (int i = 0; i < n - 1; i++)
                for (int j = 0; j < n - 1; j++)
                    hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
        }",
    )
    .unwrap();
    assert_eq!(cone.steps, 2);
    assert_eq!(steps(&cone), [0, 0, 0, 1]);
    assert_eq!(slopes(&cone), [(-1, 1, 1), (-1, 1, 1)]);
    assert_eq!(point(&cone, 0), "{ S0[t, j] -> [2t, 0, j] }");
}

/// What is read at the place where it was just written takes no time of its own, and what uses it
/// moves with it.
#[test]
fn statements_at_one_place_share_a_step() {
    let cone = cone(
        "int m, int n, double A[restrict m][n], double B[restrict m][n]",
        "for (int t = 1; t < m; t++)
            for (int i = 1; i < n - 1; i++) {
                double sum = A[t - 1][i - 1] + A[t - 1][i + 1];
                A[t][i] = B[t - 1][i - 1] + sum;
                B[t][i] = A[t][i];
            }",
    )
    .unwrap();
    assert_eq!(cone.steps, 1);
    // The variable's declaration is part of the statement that uses it.
    assert_eq!(steps(&cone), [0, 0]);
    assert_eq!(slopes(&cone), [(-1, 1, 1)]);
}

/// Boundaries are where they write: the cells at both ends. For `n = 1` these are one cell, and
/// one place.
#[test]
fn boundaries_have_places() {
    let cone = cone(
        "int m, int n, double A[restrict n], double B[restrict n]",
        "for (int t = 0; t < m; t++) {
            B[0] = A[1];
            B[n - 1] = A[n - 2];
            for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] + A[i] + A[i + 1];
            for (int i = 0; i < n; i++) A[i] = B[i];
        }",
    )
    .unwrap();
    assert_eq!(steps(&cone), [0, 0, 0, 1]);
    assert_eq!(slopes(&cone), [(-1, 1, 1)]);
    assert_eq!(point(&cone, 1), "[n] -> { S1[t] -> [2t, -1 + n] }");
}

/// `B` is written one cell to the left of what it is the mean of: moved back, the cone is that of
/// Jacobi's, narrower than the (-2, 1) that the subscripts give.
#[test]
fn statements_are_shifted_to_make_the_cone_narrow() {
    let cone = cone(
        "int m, int n, double A[restrict n], double B[restrict n]",
        "for (int t = 0; t < m; t++) {
            for (int i = 0; i < n - 2; i++) B[i] = A[i] + A[i + 1] + A[i + 2];
            for (int i = 0; i < n - 2; i++) A[i + 1] = B[i];
        }",
    )
    .unwrap();
    assert_eq!(slopes(&cone), [(-1, 1, 1)]);
}

#[test]
fn updates_in_place_are_refused() {
    let message = cone(
        "int m, int n, double A[restrict n]",
        "for (int t = 0; t < m; t++)
            for (int i = 1; i < n - 1; i++)
                A[i] = A[i - 1] + A[i] + A[i + 1];",
    )
    .unwrap_err();
    assert_eq!(
        message,
        "S0 depends on S0 at distance (0, 1) in time and space, in one sweep over space"
    );
}

#[test]
fn periodic_boundaries_are_refused() {
    let message = cone(
        "int m, int n, double A[restrict m][n]",
        "for (int t = 1; t < m; t++) {
            A[t][0] = A[t - 1][n - 1];
            for (int i = 1; i < n; i++)
                A[t][i] = A[t - 1][i - 1];
        }",
    )
    .unwrap_err();
    assert!(
        message.contains("S0 depends on S1 at distance (1, -"),
        "{message}"
    );
    assert!(
        message.ends_with("and at others without bound"),
        "{message}"
    );
}

#[test]
fn what_is_no_time_loop_is_refused() {
    let message = cone(
        "int n, double A[restrict n], double B[restrict n]",
        "for (int i = 1; i < n; i++) A[i] = A[i - 1];",
    )
    .unwrap_err();
    assert_eq!(message, "there is no loop over space inside the time loop");
    let message = cone(
        "int m, int n, double A[restrict n]",
        "A[0] = 0;
        for (int t = 0; t < m; t++)
            for (int i = 1; i < n; i++) A[i] = A[0];",
    )
    .unwrap_err();
    assert_eq!(message, "S0 is in no time loop");
}
