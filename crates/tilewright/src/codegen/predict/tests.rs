//! What is predicted to be faster than what, for loops of which that is known.

use super::{forks, sizes, time};
use crate::codegen::{CodegenOptions, generation, passes};
use crate::scop::testing::region_of;
use crate::transform;

/// Cycles of loops as they are written, with all sizes alike.
fn cycles(parameters: &str, body: &str, size: i32) -> f64 {
    let scop = region_of("", parameters, body).scop;
    let transformed = transform::as_written(&scop).unwrap();
    let settings = CodegenOptions::default();
    let kernel = generation::build::generate(&scop, &transformed, &settings).unwrap();
    let kernel = passes::finish(&scop, &transformed, &kernel, &settings);
    let sizes = sizes(&scop, &|_| size).unwrap().unwrap();
    assert_eq!(
        forks(&scop, &transformed, &kernel, &sizes).unwrap(),
        Some(0.0)
    );
    time(&scop, &transformed, &kernel, &sizes, 1)
        .unwrap()
        .unwrap()
}

const MATRICES: &str = "int n, double a[restrict n][n], double b[restrict n][n]";

#[test]
fn rows_are_faster_than_columns_the_more_so_in_memory() {
    let rows = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = 2 * b[i][j];";
    let columns = "for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) a[i][j] = 2 * b[i][j];";
    let ratio = |size| cycles(MATRICES, columns, size) / cycles(MATRICES, rows, size);
    assert!(ratio(40) > 1.5, "{}", ratio(40));
    assert!(
        ratio(2000) > 3.0 && ratio(2000) > ratio(40),
        "{}",
        ratio(2000)
    );
}

/// Blocks of rows read other lines each, and together as many as rows do.
#[test]
fn blocks_read_as_much_of_memory_as_rows() {
    let rows = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = 2 * b[i][j];";
    let blocks = "for (int jj = 0; jj < n; jj += 256) for (int i = 0; i < n; i++)
        for (int j = jj; j < (jj + 256 < n ? jj + 256 : n); j++) a[i][j] = 2 * b[i][j];";
    for size in [512, 2048] {
        let ratio = cycles(MATRICES, blocks, size) / cycles(MATRICES, rows, size);
        assert!((0.95..1.3).contains(&ratio), "{size}: {ratio}");
    }
}

/// The rows of a window are read from memory once, and again where they are too long for the caches.
#[test]
fn rows_of_a_window_are_the_same_a_turn_later() {
    let window = "for (int i = 1; i < n - 1; i++) for (int j = 0; j < n; j++)
        a[i][j] = b[i - 1][j] + b[i][j] + b[i + 1][j];";
    let other = "for (int i = 1; i < n - 1; i++) for (int j = 0; j < n; j++)
        a[i][j] = b[i][j] + b[i][j] + b[i][j];";
    let ratio = |size| cycles(MATRICES, window, size) / cycles(MATRICES, other, size);
    assert!(ratio(2000) < 1.2, "{}", ratio(2000));
    // Four rows are longer than the second cache.
    let long = ratio(60_000);
    assert!(long > ratio(2000) + 0.05, "{long} {}", ratio(2000));
}

#[test]
fn sums_of_floating_point_numbers_wait() {
    let sum = |number: &str| {
        let parameters = format!("int n, {number} s[restrict 1], {number} a[restrict n]");
        cycles(
            &parameters,
            "for (int i = 0; i < n; i++) s[0] += a[i];",
            400,
        ) / 400.0
    };
    assert!((3.5..5.0).contains(&sum("float")), "{}", sum("float"));
    assert!(sum("int") < 1.0, "{}", sum("int"));
}

#[test]
fn recurrences_wait_and_what_runs_ahead_of_them_does_not() {
    let each = |read: &str| {
        let body = format!("for (int i = 1; i < n - 1; i++) a[i] = a[{read}] * c + b[i];");
        let parameters = "int n, double c, double a[restrict n], double b[restrict n]";
        cycles(parameters, &body, 400) / 400.0
    };
    assert!(
        each("i - 1") > 3.0 * each("i + 1"),
        "{} {}",
        each("i - 1"),
        each("i + 1")
    );
}

#[test]
fn short_constant_loops_are_unrolled_in_vector_loops() {
    let parameters = "int n, float w[restrict 3], float a[restrict n], float b[restrict n + 3]";
    let taps = "for (int i = 0; i < n; i++) for (int k = 0; k < 3; k++) a[i] += w[k] * b[i + k];";
    let line =
        "for (int i = 0; i < n; i++) a[i] += w[0] * b[i] + w[1] * b[i + 1] + w[2] * b[i + 2];";
    let (taps, line) = (cycles(parameters, taps, 400), cycles(parameters, line, 400));
    assert!(taps < 2.0 * line, "{taps} {line}");
}

#[test]
fn rows_that_data_picks_are_rows() {
    let parameters = "int n, int p[restrict n], float a[restrict n][n], float b[restrict n][n]";
    let rows = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = b[p[i]][j];";
    let cells = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = b[i][p[j]];";
    let plain = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = b[i][j];";
    let of = |body| cycles(parameters, body, 100);
    assert!(of(rows) < 1.5 * of(plain), "{} {}", of(rows), of(plain));
    assert!(of(cells) > 2.0 * of(rows), "{} {}", of(cells), of(rows));
}

#[test]
fn sizes_are_those_that_the_program_allows() {
    let scop = |body: &str| region_of("", "int n, int r, float a[restrict n]", body).scop;
    let free = scop("for (int i = 0; i < n; i++) a[i] = r;");
    assert_eq!(sizes(&free, &|_| 400).unwrap().unwrap()[0], 400);
    // Not where nothing would be executed.
    let inside = scop("for (int i = r; i < n - r; i++) a[i] = 0;");
    let found = sizes(&inside, &|_| 400).unwrap().unwrap();
    let named = |name| inside.params.iter().position(|p| p.name == name).unwrap();
    assert!(found[named("n")] > 2 * found[named("r")], "{found:?}");
}
