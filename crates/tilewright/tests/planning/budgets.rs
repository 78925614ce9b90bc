//! Work and time that run out: something simpler is done, at last nothing.

use super::{FIGURE_3, compiled, source};
use tilewright::compile::{Options, compile};
use tilewright::plan::Shape;

/// Without work allowed, the region stays as it was and the user is told.
#[test]
fn a_spent_budget_leaves_the_region_alone() {
    let mut options = Options::default();
    options.limits.budget = 1;
    let input = source(FIGURE_3);
    let compiled = compiled(&input, &options);
    assert_eq!(compiled.text, input.text);
    assert!(compiled.warnings.iter().any(|w| w.code == "TW0902"));
}

/// Nor without time.
#[test]
fn spent_time_leaves_the_region_alone() {
    let mut options = Options::default();
    options.limits.region_time = std::time::Duration::ZERO;
    let input = source(FIGURE_3);
    let compiled = compiled(&input, &options);
    assert_eq!(compiled.text, input.text);
    assert!(compiled.warnings.iter().any(|w| w.code == "TW0902"));
}

/// Wherever the budget runs out: something simpler is done, and the user is told of nothing else.
#[test]
fn any_budget_gives_a_result() {
    let stencil = "void f(int T, int n, int A[restrict T + 1][n + 2])
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i <= n; i++)
            A[t + 1][i] = A[t][i - 1] + A[t][i] + A[t][i + 1];
        A[t + 1][n / 2] ^= 1;
    }
#pragma endscop
}
";
    let rows = "void f(int n, int m, const int row[restrict n + 1], double v[restrict m],
       double s[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = row[i]; j < row[i + 1]; j++)
            s[i] += v[j];
#pragma endscop
}
";
    let product = "void f(int n, double a[restrict n][n], double b[restrict n][n],
       double c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
#pragma endscop
}
";
    let mut spent = 0;
    for text in [stencil, rows, product, FIGURE_3] {
        for shape in [None, Some(Shape::Right), Some(Shape::Parallelogram)] {
            let mut budget = 100;
            while budget <= 1_000_000 {
                let mut options = Options::default();
                options.limits.budget = budget;
                options.wishes.shape = shape;
                options.wishes.tile_sizes = shape.map(|_| vec![2, 7]);
                match compile(&source(text), &options, None, &mut |_| {}) {
                    Ok(compiled) => {
                        spent += usize::from(compiled.warnings.iter().any(|w| w.code == "TW0902"));
                        let told = compiled.warnings.iter().map(|w| &w.message);
                        for message in told {
                            assert!(!message.contains("isl"), "{shape:?}, {budget}: {message}");
                        }
                    }
                    // A shape that a program cannot have.
                    Err(errors) => {
                        let codes: Vec<&str> = errors.iter().map(|e| e.code).collect();
                        assert!(
                            shape.is_some() && codes == ["TW0401"],
                            "{budget}: {errors:?}"
                        );
                    }
                }
                budget = budget * 5 / 2;
            }
        }
    }
    assert!(spent > 30, "{spent} times");
}
