//! Stencils whose neighbours lie around a ring, or at the rim beyond it: identical to the original
//! at sizes with no iteration between the ends, with one, and around a tile, in every shape that
//! they can have.

use crate::running::{self, compiled, difference, in_parallel, program, run};

/// A torus: both neighbours in both dimensions by remainders, time in two arrays.
const TORUS: &str = "
void torus(int steps, int n, int m, double A[restrict n][m], double B[restrict n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                B[i][j] = 0.25 * (A[(i + 1) % n][j] + A[(i + n - 1) % n][j]
                                  + A[i][(j + 1) % m] + A[i][(j + m - 1) % m]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                A[i][j] = B[i][j] + 0.125 * B[i][j == 0 ? m - 1 : j - 1];
    }
#pragma endscop
}
";

/// A line of two stages that reads what is at its rim for what is beyond.
const CLAMPED: &str = "
#define least(a, b) ((a) < (b) ? (a) : (b))
#define largest(a, b) ((a) > (b) ? (a) : (b))
void clamped(int n, float in[restrict n], float out[restrict n])
{
    float blurred[n];
#pragma scop
    for (int i = 0; i < n; i++)
        blurred[i] = in[largest(i - 1, 0)] + in[i] + in[least(i + 1, n - 1)];
    for (int i = 0; i < n; i++)
        out[i] = blurred[largest(i - 2, 0)] - (i < n - 1 ? blurred[i + 1] : 2.0f * blurred[i]);
#pragma endscop
}
";

/// One point that is different from all others, in a triangle.
const DIAGONAL: &str = "
void diagonal(int n, double A[restrict n][n], double B[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i == j)
                B[i][j] = 1.0 + A[i][j];
            else if (j < n / 2)
                B[i][j] = 0.5 * A[j][i];
            else
                B[i][j] = A[i][j];
        }
#pragma endscop
}
";

struct Ring {
    file: String,
    /// The first one is what the plan is made for.
    sizes: &'static [&'static str],
    shapes: &'static [&'static str],
}

fn rings() -> Vec<Ring> {
    vec![
        Ring {
            file: "stencils/heat-1d-periodic.c".to_owned(),
            sizes: &[
                "tsteps=9 n=17",
                "tsteps=5 n=1",
                "tsteps=5 n=2",
                "tsteps=5 n=3",
                "tsteps=1 n=15",
                "tsteps=8 n=16",
            ],
            shapes: &["none", "parallelogram", "auto"],
        },
        Ring {
            file: program("torus", TORUS),
            sizes: &[
                "steps=3 n=9 m=17",
                "steps=3 n=1 m=1",
                "steps=3 n=2 m=3",
                "steps=3 n=3 m=2",
                "steps=2 n=7 m=15",
                "steps=2 n=8 m=16",
            ],
            shapes: &["none", "parallelogram", "auto"],
        },
        Ring {
            file: program("clamped", CLAMPED),
            sizes: &["n=33", "n=1", "n=2", "n=3", "n=4", "n=7", "n=8", "n=9"],
            shapes: &["none", "parallelogram", "scalene", "right", "auto"],
        },
        Ring {
            file: program("diagonal", DIAGONAL),
            sizes: &["n=17", "n=1", "n=2", "n=3", "n=7", "n=8", "n=9"],
            shapes: &["none", "parallelogram"],
        },
    ]
}

#[test]
fn rings_are_identical() {
    let rings = rings();
    let mut cases = Vec::new();
    for ring in &rings {
        for shape in ring.shapes {
            let one_thread = (*shape == "none").then_some("c");
            for target in ["openmp"].into_iter().chain(one_thread) {
                cases.push((ring, *shape, target));
            }
        }
    }
    let failures = in_parallel(&cases, |(ring, shape, target)| {
        let mut command = run(&ring.file, ring.sizes);
        command.args(running::tiled(shape, "8"));
        command.args(["--target", target]);
        difference(
            command,
            &format!("{} --shape {shape} --target {target}", ring.file),
        )
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// No row of a ring has a condition in its innermost loop.
#[test]
fn loops_around_a_ring_have_no_conditions() {
    let (text, _) = compiled("examples/stencils/heat-1d-periodic.c", &["--shape", "none"]);
    let mut loops = text
        .lines()
        .skip_while(|line| !line.contains("for (long c1 ="));
    let body = loops.nth(1).expect("a loop with a body");
    assert!(
        body.contains("A[c0 & 1][c1 - 1]") && !body.contains('?'),
        "{text}"
    );
}
