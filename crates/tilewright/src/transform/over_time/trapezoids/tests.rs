use crate::analysis::over_time::bands::Rounds;
use crate::analysis::region::Region;
use crate::plan::{Group, Interleave, RegionPlan, Shape};
use crate::planner::everything;
use crate::scop::testing::region;
use crate::transform::{BufferKind, Transformed, apply_over_time};
use crate::validate::{Violation, ViolationKind, validate};

const PAIR: &str = "int m, int n, double A[restrict n], double B[restrict n]";

/// Reads two cells to the left and one to the right of its own.
const UNEVEN: &str = "for (int t = 0; t < m; t++) {
    for (int i = 2; i < n - 1; i++) B[i] = A[i - 2] + A[i + 1];
    for (int i = 2; i < n - 1; i++) A[i] = B[i];
}";

/// The group of a plan that is everything, with tiles of such a shape.
fn group(region: &Region, shape: Shape, sizes: &[i64]) -> Group {
    let mut group = everything(&region.graph, shape);
    let tiles = group.overlapped_mut().unwrap();
    tiles.tile_sizes = sizes.to_vec();
    if shape == Shape::Right {
        tiles.interleave = vec![Interleave {
            dimension: 0,
            block: 2,
        }];
        tiles.folded = region.graph.stages.iter().map(|s| s.name.clone()).collect();
    }
    group
}

fn in_bands(parameters: &str, body: &str, shape: Shape, sizes: &[i64]) -> (Region, RegionPlan) {
    let region = region(parameters, body);
    let group = group(&region, shape, sizes);
    let banded = region.in_bands(group.overlapped().unwrap()).unwrap();
    let plan = RegionPlan::new(&region.scop.place.function, 0, "manual", vec![group]);
    (banded, plan)
}

/// The program with tiles as `change` makes them, and what validation says.
fn tiled(
    parameters: &str,
    body: &str,
    sizes: &[i64],
    change: impl Fn(&mut Rounds),
) -> (Transformed, Option<Violation>) {
    shaped((parameters, body), Shape::Scalene, sizes, change, |_| {})
}

/// The same with tiles of any shape, and something else changed in what comes out.
fn shaped(
    (parameters, body): (&str, &str),
    shape: Shape,
    sizes: &[i64],
    change: impl Fn(&mut Rounds),
    change_result: impl Fn(&mut Transformed),
) -> (Transformed, Option<Violation>) {
    let (region, plan) = in_bands(parameters, body, shape, sizes);
    let mut rounds = (**region.rounds.as_ref().unwrap()).clone();
    change(&mut rounds);
    let (scop, dataflow) = (&region.scop, &region.dataflow);
    let mut transformed = apply_over_time(scop, dataflow, &rounds, &plan).unwrap();
    change_result(&mut transformed);
    let violation = validate(scop, dataflow, &transformed).unwrap();
    (transformed, violation)
}

/// Extents of the local arrays, by name.
fn extents(transformed: &Transformed) -> Vec<(&str, Vec<i64>)> {
    let mut all = Vec::new();
    for buffer in &transformed.buffers {
        if let BufferKind::Local { extents, .. } = &buffer.kind {
            all.push((buffer.name.as_str(), extents.clone()));
        }
    }
    all
}

/// The copy back is at the same place, so that each of six units of time is an iteration: the last
/// one computes 10 cells of `B`, each one before 3 more, and the first one reads 3 more of `A`.
#[test]
fn local_arrays_hold_a_trapezoid() {
    let (transformed, violation) = tiled(PAIR, UNEVEN, &[6, 10], |_| {});
    assert_eq!(violation, None);
    let expected = [("A_tile", vec![28]), ("B_tile", vec![25])];
    assert_eq!(extents(&transformed)[..2], expected);
}

/// Sides one cell too steep leave out what the next step reads.
#[test]
fn a_halo_that_is_too_small_is_refused() {
    for narrow in [
        |rounds: &mut Rounds| rounds.bands.cone.slopes[0].upper -= 1,
        |rounds: &mut Rounds| rounds.bands.cone.slopes[0].lower += 1,
    ] {
        let (_, violation) = tiled(PAIR, UNEVEN, &[6, 10], narrow);
        assert_eq!(violation.unwrap().kind, ViolationKind::Flow);
    }
}

/// Tiles that take more than they need are right, too.
#[test]
fn a_halo_may_be_too_large() {
    let (_, violation) = tiled(PAIR, UNEVEN, &[6, 10], |rounds| {
        rounds.bands.cone.slopes[0].upper += 1;
    });
    assert_eq!(violation, None);
}

/// An array of all time steps needs no second one; bands follow each other without rounds of two.
#[test]
fn time_may_be_a_dimension_of_the_array() {
    let (transformed, violation) = tiled(
        "int m, int n, int w, double A[restrict m][n][w]",
        "for (int t = 1; t < m; t++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < w - 1; j++)
                    A[t][i][j] = A[t - 1][i - 1][j] + A[t - 1][i][j + 1];",
        &[4, 8, 16],
        |_| {},
    );
    assert_eq!(violation, None);
    // Four steps and the one that the first reads; values go down and to the left.
    assert_eq!(extents(&transformed), [("A_tile", vec![5, 12, 20])]);
    let names: Vec<&str> = transformed
        .buffers
        .iter()
        .map(|b| b.name.as_str())
        .collect();
    assert!(!names.contains(&"A_next"), "{names:?}");
}

/// `UNEVEN` with rows in place of cells.
const ROWS: &str = "int m, int n, double A[restrict n][n], double B[restrict n][n]";
const UNEVEN_ROWS: &str = "for (int t = 0; t < m; t++) {
    for (int i = 2; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) B[i][j] = A[i - 2][j] + A[i + 1][j - 1];
    for (int i = 2; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) A[i][j] = B[i][j];
}";

/// Steps that take turns compute the same, in arrays that have not the extents of the tile.
#[test]
fn right_trapezoids_need_only_a_window() {
    let mut windows = Vec::new();
    for sizes in [&[6, 64, 10][..], &[6, 0, 10]] {
        let program = (ROWS, UNEVEN_ROWS);
        let (transformed, violation) = shaped(program, Shape::Right, sizes, |_| {}, |_| {});
        assert_eq!(violation, None);
        // How long a row is needed does not depend on how many rows there are.
        let rows: Vec<i64> = extents(&transformed).iter().map(|(_, e)| e[0]).collect();
        assert!(rows.iter().all(|&rows| rows < 64), "{rows:?}");
        windows.push(rows);
    }
    assert_eq!(windows[0], windows[1]);
}

/// Turns that follow the dependences one cell too slowly read what is not there yet.
#[test]
fn turns_with_too_little_skew_are_refused() {
    let skewed = |by: i64| {
        let change = move |rounds: &mut Rounds| {
            rounds.bands.order.as_mut().unwrap().slopes[0].lower += by;
        };
        shaped(
            (ROWS, UNEVEN_ROWS),
            Shape::Right,
            &[6, 64, 10],
            change,
            |_| {},
        )
        .1
    };
    assert_eq!(skewed(0), None);
    assert_eq!(skewed(-1), None);
    assert_eq!(skewed(1).unwrap().kind, ViolationKind::Flow);
}

/// Half the window is used for other rows while it is needed.
#[test]
fn a_window_that_is_too_small_is_refused() {
    let halved = |transformed: &mut Transformed| {
        for buffer in &mut transformed.buffers {
            if let BufferKind::Local {
                extents, folded, ..
            } = &mut buffer.kind
            {
                assert!(folded[0]);
                extents[0] /= 2;
            }
        }
    };
    let program = (ROWS, UNEVEN_ROWS);
    let (_, violation) = shaped(program, Shape::Right, &[6, 64, 10], |_| {}, halved);
    assert_eq!(violation.unwrap().kind, ViolationKind::Flow);
}

/// A sweep in place overwrites what the same sweep reads further on: one cell at a time, no step
/// may begin before the one before is through. Without turns tiles keep what others overwrite.
#[test]
fn turns_need_all_dependences_to_go_forward() {
    let region = region(
        "int m, int n, double A[restrict n]",
        "for (int t = 0; t < m; t++)
            for (int i = 0; i < n - 1; i++) A[i] = A[i] + A[i + 1];",
    );
    let in_bands = |shape| {
        let group = group(&region, shape, &[4, 8]);
        region.in_bands(group.overlapped().unwrap())
    };
    in_bands(Shape::Scalene).unwrap();
    let refused = in_bands(Shape::Right).err().unwrap().to_string();
    assert!(
        refused.contains("S0 depends on S0 at distance (0, 1)"),
        "{refused}"
    );
}
