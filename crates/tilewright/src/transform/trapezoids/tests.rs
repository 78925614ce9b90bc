use crate::analysis::bands::Rounds;
use crate::analysis::region::Region;
use crate::plan::planner::everything;
use crate::plan::{RegionPlan, Shape};
use crate::scop::testing::region;
use crate::transform::{BufferKind, Transformed, apply_over_time};
use crate::validate::{Violation, ViolationKind, validate};

const PAIR: &str = "int m, int n, double A[restrict n], double B[restrict n]";

/// Reads two cells to the left and one to the right of its own.
const UNEVEN: &str = "for (int t = 0; t < m; t++) {
    for (int i = 2; i < n - 1; i++) B[i] = A[i - 2] + A[i + 1];
    for (int i = 2; i < n - 1; i++) A[i] = B[i];
}";

fn in_bands(parameters: &str, body: &str, sizes: &[i64]) -> (Region, RegionPlan) {
    let region = region(parameters, body);
    let mut group = everything(&region.graph, Shape::Scalene);
    group.tile_sizes = sizes.to_vec();
    let banded = region.in_bands(&group).unwrap();
    let plan = RegionPlan {
        function: region.scop.function.clone(),
        index: 0,
        planner: "manual".to_owned(),
        tabulate: Vec::new(),
        inline: Vec::new(),
        groups: vec![group],
    };
    (banded, plan)
}

/// The program with tiles as `change` makes them, and what validation says.
fn tiled(
    parameters: &str,
    body: &str,
    sizes: &[i64],
    change: impl Fn(&mut Rounds),
) -> (Transformed, Option<Violation>) {
    let (region, plan) = in_bands(parameters, body, sizes);
    let mut rounds = (**region.rounds.as_ref().unwrap()).clone();
    change(&mut rounds);
    let (scop, dataflow) = (&region.scop, &region.dataflow);
    let transformed = apply_over_time(scop, dataflow, &rounds, &plan).unwrap();
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
