//! Tiles over time of iterated stencils: that plans with them are applied and found right, and
//! what of the program stands in the way of others.

use super::{example, source};
use tilewright::compile::{Compiled, Options, compile};
use tilewright::diagnostic::Diagnostic;
use tilewright::plan::{Figure, Interleave, Plan, Shape};
use tilewright::source::Source;
use tilewright_cases::share;

const SHAPES: [Shape; 3] = [Shape::Split, Shape::Diamond, Shape::Hexagonal];

/// Those that compute some values in several tiles.
const OVERLAPPED: [Shape; 2] = [Shape::Scalene, Shape::Right];

fn tiled(source: &Source, shape: Shape, sizes: &[i64]) -> Result<Compiled, Vec<Diagnostic>> {
    let mut options = Options::default();
    options.wishes.shape = Some(shape);
    options.wishes.tile_sizes = Some(sizes.to_vec());
    compile(source, &options, None, &mut |_| {})
}

fn accepted(source: &Source, shape: Shape, sizes: &[i64]) {
    match tiled(source, shape, sizes) {
        Ok(compiled) => {
            assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
            assert_eq!(compiled.plan.regions[0].groups[0].shape(), shape);
        }
        Err(errors) => panic!("{shape:?} {sizes:?}: {errors:?}"),
    }
}

/// A function over `double A[m][n], B[m][n]`, for `m` steps.
fn stencil(body: &str) -> Source {
    source(&format!(
        "void f(int m, int n, double A[restrict m][n], double B[restrict m][n], double c[restrict n])
{{
#pragma scop
{body}
#pragma endscop
}}
"
    ))
}

/// Each stencil has each shape, with sizes for some dimensions or for all, by turns.
fn stencils_accepted(shapes: &[Shape]) {
    for (place, file) in ["jacobi-1d", "jacobi-2d", "fdtd-2d"].iter().enumerate() {
        let source = example(&format!("stencils/{file}.c"));
        for (number, shape) in shapes.iter().enumerate() {
            let sizes: &[i64] = match (place + number) % 2 {
                0 => &[4, 6],
                _ => &[7, 3, 5],
            };
            accepted(&source, *shape, sizes);
        }
    }
}

#[test]
fn stencils_are_tiled() {
    stencils_accepted(&SHAPES);
    let heat = example("stencils/heat-3d.c");
    for shape in SHAPES {
        accepted(&heat, shape, &[4, 5, 6, 0]);
    }
}

/// The forms that time has in storage: an array of all steps, planes that take turns, a copy back.
const FORMS: [&str; 4] = [
    "for (int t = 2; t < m; t++)
            for (int i = 3; i < n - 1; i++)
                A[t][i] = A[t - 1][i + 1] + A[t - 2][i - 3];",
    "for (int t = 0; t < m; t++)
            for (int i = 1; i < n - 1; i++)
                A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i + 1];",
    "for (int t = 0; t < m; t++) {
            for (int i = 1; i < n - 1; i++) c[i] = A[0][i - 1] + A[0][i + 1];
            for (int i = 1; i < n - 1; i++) A[0][i] = c[i];
        }",
    "for (int t = 0; t < m; t += 2) {
            A[0][0] = A[0][1];
            A[0][n - 1] = A[0][n - 2];
            for (int i = 1; i < n - 1; i++) c[i] = A[0][i - 1] + A[0][i + 1];
            for (int i = 1; i < n - 1; i++) {
                double old = A[0][i];
                A[0][i] = 0.5 * (old + c[i]);
            }
        }",
];

#[test]
fn storage_may_have_any_form() {
    for body in FORMS {
        for shape in SHAPES {
            accepted(&stencil(body), shape, &[5, 3]);
        }
    }
}

/// Overlapped tiles extend over time where the stages read each other in a circle.
#[test]
fn tiles_overlap_over_time() {
    stencils_accepted(&OVERLAPPED);
    let heat = example("stencils/heat-3d.c");
    accepted(&heat, Shape::Scalene, &[4, 5, 6, 7]);
    for (form, body) in FORMS.iter().enumerate() {
        for (number, shape) in share(OVERLAPPED.into_iter().enumerate(), 2, form % 2) {
            let sizes = [[5, 3], [8, 4]][(form / 2 + number) % 2];
            accepted(&stencil(body), shape, &sizes);
        }
    }
}

/// One dimension of space may be whole, in which the steps of a tile take turns.
#[test]
fn tiles_need_not_overlap_in_all_dimensions() {
    let source = example("stencils/jacobi-2d.c");
    let along = |dimension, block| Interleave { dimension, block };
    for (sizes, overlap, expected) in [
        (&[6, 0, 8][..], None, (&[6, 0, 8][..], along(0, 1))),
        (&[6, 8, 0], None, (&[6, 8, 0], along(1, 256))),
        (&[6, 3, 8], Some(vec![1]), (&[6, 0, 8], along(0, 3))),
        (&[6, 3, 8], None, (&[6, 3, 8], along(0, 1))),
    ] {
        let mut options = Options::default();
        options.wishes.shape = Some(Shape::Right);
        options.wishes.tile_sizes = Some(sizes.to_vec());
        options.wishes.pipelines.overlap = overlap;
        let compiled = compile(&source, &options, None, &mut |_| {}).expect("accepted");
        let tiles = super::tiles(&compiled.plan);
        let found = (&tiles.tile_sizes[..], tiles.interleave[0]);
        assert_eq!(found, expected);
    }
}

#[test]
fn overlapped_tiles_over_time_need_all_sizes() {
    let source = example("stencils/jacobi-2d.c");
    for (shape, sizes) in [(Shape::Scalene, [4, 8, 0]), (Shape::Right, [4, 0, 0])] {
        let errors = tiled(&source, shape, &sizes).expect_err("refused");
        let message = &errors[0].message;
        assert!(
            message.contains("a size for every dimension of space but one"),
            "{message}"
        );
    }
}

#[test]
fn diamonds_may_extend_in_all_dimensions() {
    let source = example("stencils/jacobi-2d.c");
    let compiled = tiled(&source, Shape::Diamond, &[6, 8]).expect("accepted");
    let mut plan = compiled.plan;
    assert_eq!(*concurrent(&mut plan), 1);
    for dimensions in [0, 2] {
        *concurrent(&mut plan) = dimensions;
        compile(&source, &Options::default(), Some(&plan), &mut |_| {}).expect("accepted");
    }
    *concurrent(&mut plan) = 3;
    let message = refusal(&source, &plan);
    assert!(message.contains("at most 2 dimensions"), "{message}");
}

/// Five points in a plane: rows begin at whole vectors and go by fours; where rows are as short as
/// the way they would move over a tile's height, or no whole vectors, they are not aligned.
#[test]
fn rows_are_aligned_and_jammed() {
    let source = example("stencils/heat-2d.c");
    let plan = |n: i64| {
        let mut options = Options::default();
        options.wishes.shape = Some(Shape::Hexagonal);
        options.wishes.tile_sizes = Some(vec![16, 8, 64]);
        options.wishes.machine.vector = 32;
        options.wishes.estimates = [("n".to_owned(), n)].into();
        let compiled = compile(&source, &options, None, &mut |_| {}).expect("accepted");
        assert_eq!(compiled.warnings, []);
        compiled
    };
    let mut wide = plan(1000);
    assert_eq!(figure(&mut wide.plan).align(), Some(4));
    let jam = wide.plan.regions[0].groups[0].jam();
    assert_eq!(jam.len(), 1);
    assert_eq!(jam[0].factors, [4]);
    // All values of the four rows are computed before the first is stored.
    let text = &wide.text;
    let stored = text
        .find("A[(c3 + 1) & 1][c6_first][c5] = tw_A0;")
        .expect(text);
    assert!(text.find("double tw_A3 =").expect(text) < stored, "{text}");
    assert_eq!(figure(&mut plan(1002).plan).align(), Some(1));
    assert_eq!(figure(&mut plan(200).plan).align(), Some(1));
    let mut wrong = wide.plan.clone();
    *figure(&mut wrong) = Figure::Hexagonal { align: 0 };
    let message = refusal(&source, &wrong);
    assert!(message.contains("multiples of 0 cells"), "{message}");
}

/// What the tiles of the only group are.
fn figure(plan: &mut Plan) -> &mut Figure {
    let tiles = plan.regions[0].groups[0].over_time_mut();
    &mut tiles.expect("tiles over time").figure
}

/// In how many dimensions the tiles of the only group are diamonds.
fn concurrent(plan: &mut Plan) -> &mut usize {
    match figure(plan) {
        Figure::Diamond { concurrent, .. } => concurrent,
        other => panic!("{other:?}"),
    }
}

fn refusal(source: &Source, plan: &Plan) -> String {
    let refused = compile(source, &Options::default(), Some(plan), &mut |_| {});
    refused.expect_err("refused").remove(0).message
}

#[test]
fn plans_are_read_back() {
    let source = example("stencils/jacobi-1d.c");
    for shape in SHAPES {
        let plan = tiled(&source, shape, &[6, 8]).expect("accepted").plan;
        let text = plan.to_toml().expect("written");
        let name = shape.name();
        assert!(text.contains(&format!("shape = \"{name}\"")), "{text}");
        assert_eq!(Plan::from_toml(&text).expect("read"), plan);
    }
}

/// What cannot be tiled over time is refused, with the dependence that is in the way, and nothing
/// else is done in its place.
#[test]
fn other_loops_are_refused() {
    for (body, reason) in [
        (
            "for (int t = 0; t < m; t++)
                for (int i = 1; i < n; i++) c[i] = c[i] + c[i - 1];",
            "S0 depends on S0 at distance (0, 1) in time and space, in one sweep over space",
        ),
        (
            "for (int t = 1; t < m; t++) {
                A[t][0] = A[t - 1][n - 1];
                for (int i = 1; i < n; i++) A[t][i] = A[t - 1][i - 1];
            }",
            "and at others without bound",
        ),
        (
            "for (int t = 0; t < m; t++)
                for (int i = 0; i < n; i++) A[t][i] = c[i];
            for (int t = 0; t < m; t++)
                for (int i = 0; i < n; i++) B[t][i] = A[m - 1 - t][i];",
            "the statements share no time loop",
        ),
    ] {
        for shape in SHAPES {
            let errors = tiled(&stencil(body), shape, &[4, 4]).expect_err("refused");
            let message = &errors[0].message;
            assert_eq!(errors[0].code, "TW0401");
            let start = format!("{} tiles need an iterated stencil: ", shape.name());
            assert!(message.starts_with(&start), "{message}");
            assert!(message.contains(reason), "{message}");
        }
    }
}

#[test]
fn sizes_that_mean_nothing_are_refused() {
    let source = example("stencils/jacobi-2d.c");
    let message = |shape, sizes: &[i64]| {
        let errors = tiled(&source, shape, sizes).expect_err("refused");
        errors[0].message.clone()
    };
    for shape in SHAPES {
        let message = message(shape, &[0, 8]);
        assert!(message.contains("need a height in time"), "{message}");
    }
    let too_large = message(Shape::Split, &[4, 1 << 30]);
    assert!(too_large.contains("too large"), "{too_large}");
    let message = message(Shape::Hexagonal, &[4, 0]);
    assert!(
        message.contains("need a size for the first dimension"),
        "{message}"
    );
}

/// What is computed and used at one place shares its loops, and stays a variable.
#[test]
fn statements_at_one_place_share_their_loops() {
    let source = source(
        "void f(int m, int n, double A[restrict n], double B[restrict n], double C[restrict n])
{
    double change;
#pragma scop
    for (int t = 0; t < m; t++) {
        for (int i = 1; i < n - 1; i++) {
            change = A[i - 1] - 2 * A[i] + A[i + 1];
            B[i] = A[i] + change;
            C[i] = C[i] + change;
        }
        for (int i = 1; i < n - 1; i++)
            A[i] = B[i];
    }
#pragma endscop
}
",
    );
    for (shape, sweeps) in [
        (Shape::Split, 4),
        (Shape::Diamond, 2),
        (Shape::Hexagonal, 2),
    ] {
        let text = tiled(&source, shape, &[6, 4]).expect("accepted").text;
        let generated = text.split("tilewright: begin").nth(1).expect("a region");
        // Two nests in each phase.
        assert_eq!(
            generated.matches("#pragma omp simd").count(),
            sweeps,
            "{generated}"
        );
        let variables = generated.matches("double tw_change = ").count();
        assert_eq!(variables, sweeps / 2, "{generated}");
    }
}

/// Tiles that nobody asked for stand where there are enough of them, and with one thread where the
/// last cache does not hold the arrays.
#[test]
fn where_tiles_stand_for_the_loops_as_written() {
    let mut options = Options::default();
    let source = example("stencils/jacobi-2d.c");
    let made = |options: &Options| compile(&source, options, None, &mut |_| {}).unwrap();
    let compiled = made(&options);
    let plan = &compiled.plan.regions[0];
    assert!(plan.groups[0].over_time().is_some());
    // Two planes of 8 bytes in 16 MiB.
    assert_eq!(
        (plan.least.points, plan.least.points_alone),
        (7000, 1 << 20)
    );
    let points = "((double)n - 2.0) * ((double)n - 2.0)";
    for part in [
        format!("&& {points} >= 7000)\n            tw_threads = omp_get_max_threads();"),
        format!("if (tw_threads > 1 || ({points} >= 1100000 && tsteps >= 4)) {{"),
    ] {
        assert!(compiled.text.contains(&part), "{part}\n{}", compiled.text);
    }
    let again = Plan::from_toml(&compiled.plan.to_toml().unwrap()).unwrap();
    let same = compile(&source, &options, Some(&again), &mut |_| {}).unwrap();
    assert_eq!(same.text, compiled.text);
    // Without threads.
    options.wishes.processor.parallel = false;
    let alone = made(&options).text;
    let condition = format!("if ({points} >= 1100000 && tsteps >= 4) {{");
    assert!(
        alone.contains(&condition) && !alone.contains("tw_threads"),
        "{alone}"
    );
    // Asked for by name.
    let asked = tiled(&source, Shape::Diamond, &[64, 64, 256]).unwrap().text;
    assert!(!asked.contains("} else {\n    for"), "{asked}");
}
