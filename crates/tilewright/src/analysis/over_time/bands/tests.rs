use super::*;
use crate::scop::testing::region;

fn bands(parameters: &str, body: &str, height: i64) -> (Scop, Bands) {
    let region = region(parameters, body);
    let all: Vec<StatementId> = (0..region.scop.statements.len()).collect();
    let bands = Bands::find(&region.scop, &region.dataflow, &all, height).unwrap();
    (region.scop, bands)
}

fn traffic<'b>(scop: &Scop, bands: &'b Bands, array: &str) -> &'b Traffic {
    let array = scop.array_named(array).unwrap();
    bands.traffic.iter().find(|one| one.array == array).unwrap()
}

#[track_caller]
fn assert_cells(scop: &Scop, found: &Set, expected: &str) {
    let expected = Set::read_from_str(&scop.ctx, &format!("[m, n] -> {{ {expected} }}")).unwrap();
    let expected = expected.intersect_params(&scop.context).unwrap();
    let found = found.intersect_params(&scop.context).unwrap();
    assert!(found.is_equal(&expected).unwrap(), "{found}");
}

/// Two sweeps per iteration, so that four units of time are two iterations. A band reads what it
/// finds in `A`, and of `B` the ends, which nobody writes; later bands read `A`, and `B` is left by
/// the last one.
#[test]
fn jacobi_passes_on_one_of_two_arrays() {
    let (scop, bands) = bands(
        "int m, int n, double A[restrict n], double B[restrict n]",
        "for (int t = 0; t < m; t++) {
            for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] + A[i] + A[i + 1];
            for (int i = 1; i < n - 1; i++) A[i] = B[i - 1] + B[i] + B[i + 1];
        }",
        4,
    );
    assert_eq!(bands.iterations, 2);
    let (a, b) = (traffic(&scop, &bands, "A"), traffic(&scop, &bands, "B"));
    let last = "[b, x] : m - 2 <= 2b < m and 0 <= b and 0 < x < n - 1";
    assert_cells(
        &scop,
        &a.entering,
        "[b, x] : 0 <= 2b < m and 0 <= x < n and n > 2",
    );
    assert_cells(
        &scop,
        &a.recent,
        "[b, x] : 0 < b and 2b < m and 0 < x < n - 1",
    );
    assert_cells(&scop, &a.leaving, "[b, x] : 0 <= 2b < m and 0 < x < n - 1");
    assert_cells(&scop, &a.last, last);
    assert!(a.is_in_place(&scop).unwrap());
    let ends = "[b, x] : 0 <= 2b < m and n > 2 and (x = 0 or x = n - 1)";
    assert_cells(&scop, &b.entering, ends);
    assert_cells(&scop, &b.leaving, last);
    assert!(!b.is_in_place(&scop).unwrap());
}

/// Each band reads the last plane of the one before, and the ends of the planes that it reads.
#[test]
fn arrays_with_a_time_dimension_are_not_overwritten() {
    let (scop, bands) = bands(
        "int m, int n, double A[restrict m + 1][n]",
        "for (int t = 0; t < m; t++)
            for (int i = 1; i < n - 1; i++) A[t + 1][i] = A[t][i - 1] + A[t][i] + A[t][i + 1];",
        3,
    );
    let a = traffic(&scop, &bands, "A");
    assert_cells(
        &scop,
        &a.recent,
        "[b, t, x] : 0 < b and t = 3b < m and 0 < x < n - 1",
    );
    let own = "[b, t, x] : 0 <= b and 3b < t <= 3b + 3 and t <= m and 0 < x < n - 1";
    assert_cells(&scop, &a.leaving, own);
    assert!(!a.is_in_place(&scop).unwrap());
}

/// An odd number of iterations changes the plane. The last band leaves the other one behind, too.
#[test]
fn planes_that_take_turns_are_overwritten_by_the_last_band() {
    for (height, iterations) in [(3, 3), (4, 4)] {
        let (scop, bands) = bands(
            "int m, int n, double A[restrict 2][n]",
            "for (int t = 0; t < m; t++)
                for (int i = 1; i < n - 1; i++)
                    A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i] + A[t % 2][i + 1];",
            height,
        );
        assert_eq!(bands.iterations, iterations);
        let a = traffic(&scop, &bands, "A");
        let plane = format!("(p - {iterations} b) mod 2 = 0");
        let recent = format!(
            "[b, p, x] : 0 < b and {iterations} b < m and {plane} and 0 <= p < 2 and 0 < x < n - 1"
        );
        assert_cells(&scop, &a.recent, &recent);
        assert!(a.is_in_place(&scop).unwrap());
    }
}
