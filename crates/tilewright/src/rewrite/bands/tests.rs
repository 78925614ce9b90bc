use super::*;
use crate::plan::Shape;
use crate::scop::testing::region;

fn in_bands(body: &str, height: i64) -> Result<(Region, Banded)> {
    let region = region(
        "int m, int n, double A[restrict n], double B[restrict n], double U[restrict 2][n]",
        body,
    );
    let all: Vec<StatementId> = (0..region.scop.statements.len()).collect();
    let bands = Bands::find(&region.scop, &region.dataflow, &all, height)
        .map_err(|reason| no_cone(Shape::Scalene, reason))?;
    let banded = banded(&region.scop, &region.dataflow, &bands)?;
    Ok((region, banded))
}

const JACOBI: &str = "for (int t = 0; t < m; t++) {
    for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] + A[i + 1];
    for (int i = 1; i < n - 1; i++) A[i] = B[i];
}";

fn names(scop: &Scop, ids: impl IntoIterator<Item = StatementId>) -> Vec<&str> {
    let ids = ids.into_iter();
    ids.map(|id| scop.statements[id].name.as_str()).collect()
}

/// `A` passes from band to band and is overwritten in place: it alternates with a second array.
/// Of `B` only what the last band leaves behind leaves it, and nothing enters.
#[test]
fn arrays_that_are_overwritten_alternate() {
    let (_, banded) = in_bands(JACOBI, 4).unwrap();
    let Rounds {
        phases,
        before,
        after,
        ..
    } = &banded.rounds;
    let scop = &banded.scop;
    assert_eq!(names(scop, before.iter().copied()), ["prepare_A_next"]);
    assert_eq!(names(scop, after.iter().copied()), ["finish_A"]);
    let loads = |p: usize| names(scop, phases[p].loads.iter().map(|load| load.0));
    let stores = |p: usize| names(scop, phases[p].stores.iter().map(|store| store.0));
    assert_eq!(phases.len(), 2);
    assert_eq!(loads(0), ["load_A_tile"]);
    assert_eq!(loads(1), ["load_A_tile1"]);
    assert_eq!(stores(0), ["store_A_next", "store_B"]);
    assert_eq!(stores(1), ["store_A", "store_B1"]);
}

/// What stays the same for several bands, and is then overwritten, is in neither array.
#[test]
fn values_that_skip_a_band_are_refused() {
    let body = "for (int t = 2; t < m; t++)
        for (int i = 1; i < n - 1; i++)
            U[t % 2][i] = U[(t + 1) % 2][i - 1] + U[t % 2][i];";
    let refused = in_bands(body, 1).err().unwrap().to_string();
    assert!(refused.contains("two bands after"), "{refused}");
    in_bands(body, 2).unwrap();
}

/// The comparison of the dataflow sees each copy that is missing.
#[test]
fn a_missing_copy_is_seen() {
    let (region, banded) = in_bands(JACOBI, 4).unwrap();
    banded.check(&region.scop, &region.dataflow).unwrap();
    let copies: Vec<StatementId> = (0..banded.scop.statements.len())
        .filter(|&id| banded.is_copy(id))
        .collect();
    assert_eq!(copies.len(), 8);
    for id in copies {
        let mut less = banded.clone();
        let statement = &mut less.scop.statements[id];
        let name = statement.name.clone();
        // All but the cell 1 or, of the rim, the cell 0.
        let cell = statement.domain.tuple_dim().unwrap() - 1;
        let at = if name.starts_with("prepare") { 0 } else { 1 };
        let gone = statement.domain.fix_si(DimType::Set, cell, at).unwrap();
        statement.domain = statement.domain.subtract(&gone).unwrap();
        for access in &mut statement.accesses {
            access.relation = access.relation.intersect_domain(&statement.domain).unwrap();
        }
        let domain = less.scop.domain().unwrap();
        less.scop.schedule = less.scop.schedule.intersect_domain(&domain).unwrap();
        less.dataflow = Dataflow::compute(&less.scop).unwrap();
        let refused = less.check(&region.scop, &region.dataflow);
        assert!(refused.is_err(), "{name}");
    }
}
