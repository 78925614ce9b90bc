//! What the affine scheduler makes of general loops.

use super::{compiled, example, source};
use tilewright::compile::Options;
use tilewright::plan::{Fuse, Shape};

fn schedule(text: &str, fuse: Fuse) -> String {
    let mut options = Options {
        listings: true,
        ..Options::default()
    };
    options.wishes.shape = Some(Shape::Parallelogram);
    options.wishes.fuse = Some(fuse);
    let compiled = compiled(&source(text), &options);
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    compiled.regions[0].listings.schedule.clone()
}

/// A row of the matrix is all that the two products share: together their tiles wait for each other.
const PRODUCTS: &str = "void f(int n, double t[restrict n], double y[restrict n],
       const double a[restrict n][n], const double x[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            t[i] += a[i][j] * x[j];
        for (int j = 0; j < n; j++)
            y[j] += a[i][j] * t[i];
    }
#pragma endscop
}
";

/// Whether the outermost loops of a schedule are parallel: those of each child where it begins with a
/// sequence, or the one that all statements share.
fn begins_in_parallel(schedule: &str) -> bool {
    let paths: Vec<&str> = schedule.split("filter:").collect();
    let loops = match &paths[..] {
        [_] => &paths[..],
        [first, ..] if first.contains("schedule:") => &paths[..1],
        [_, children @ ..] => children,
        [] => panic!("no schedule"),
    };
    loops.iter().all(|path| {
        let mark = path.find("mark: \"parallel\"");
        mark.is_some_and(|mark| path.find("schedule:").is_some_and(|band| mark < band))
    })
}

#[test]
fn fusion_does_not_cost_parallelism() {
    let apart = schedule(PRODUCTS, Fuse::Smart);
    assert!(begins_in_parallel(&apart), "{apart}");
    let together = schedule(PRODUCTS, Fuse::Max);
    assert!(!begins_in_parallel(&together), "{together}");
}

#[test]
fn temporaries_that_a_new_order_needs_several_of_are_arrays() {
    let compiled = compiled(&example("linear-algebra/symm.c"), &Options::default());
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    let tiles = compiled.plan.regions[0].groups[0].affine();
    assert!(!tiles.expect("tiles").contract);
}

/// Loops of several statements inside shared ones are generated as nests of their own; what is known
/// of them comes along.
#[test]
fn products_are_vectorised() {
    for (file, rows) in [("gemm", true), ("syrk", false)] {
        let compiled = compiled(
            &example(&format!("linear-algebra/{file}.c")),
            &Options::default(),
        );
        let jam = compiled.plan.regions[0].groups[0].jam();
        assert_eq!(!jam.is_empty(), rows, "{file}");
        assert!(compiled.text.contains("#pragma omp simd\n"), "{file}");
    }
}
