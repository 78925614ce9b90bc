//! Loops that the program says are independent (`#pragma pencil independent`).
//!
//! No two iterations of such a loop access the same cell of an array, one of them writing, but for
//! arrays that the pragma names as reductions. What that leaves out are dependences that access
//! relations cannot do without: subscripts that are data, and loops whose bounds are. Scalars keep
//! their dependences: they are one cell, and either private or not.
//!
//! Dependences through an array with such an access are memory-based: in value-based ones, an
//! iteration that may have written a cell would hide what was written before the loop.

use crate::analysis::dependences::dataflow::{Dataflow, FlowEdge, Touched, conflicts};
use crate::scop::{ArrayId, Origin, Scop};
use isl::{DimType, Map, Result, UnionMap};

/// Pairs of instances that do not share a cell of an array, whatever the relations say; `None`
/// where nothing is said of it.
///
/// # Errors
/// isl's own.
pub(crate) fn apart(scop: &Scop, array: ArrayId) -> Result<Option<UnionMap>> {
    let a = &scop.arrays[array];
    if a.extents.is_empty() || matches!(a.origin, Origin::Region { .. }) {
        return Ok(None);
    }
    let mut pairs: Option<UnionMap> = None;
    for said in &scop.loops.independent {
        if said.except.contains(&a.base) {
            continue;
        }
        let users = scop.statements.iter().filter(|s| {
            said.statements.contains(&s.name) && s.accesses.iter().any(|x| x.array == array)
        });
        let users: Vec<_> = users.collect();
        for first in &users {
            for second in &users {
                let mut same = Map::from_domain_and_range(
                    &isl::Set::universe(&first.domain.get_space()?)?,
                    &isl::Set::universe(&second.domain.get_space()?)?,
                )?;
                for outer in 0..said.depth {
                    same = same.equate(DimType::In, outer, DimType::Out, outer)?;
                }
                let (from, to) = (said.depth, said.depth);
                let other = same
                    .order_lt(DimType::In, from, DimType::Out, to)?
                    .union(&same.order_gt(DimType::In, from, DimType::Out, to)?)?;
                let all = match pairs.take() {
                    Some(pairs) => pairs,
                    None => UnionMap::empty_ctx(&scop.ctx)?,
                };
                pairs = Some(all.add_map(&other)?);
            }
        }
    }
    Ok(pairs)
}

/// Leaves dependences out that the program says there are none.
///
/// # Errors
/// isl's own.
pub(crate) fn forget(scop: &Scop, touched: &[Touched], dataflow: &mut Dataflow) -> Result<()> {
    if scop.loops.independent.is_empty() {
        return Ok(());
    }
    let mut changed = false;
    for array in 0..scop.arrays.len() {
        let Some(apart) = apart(scop, array)? else {
            continue;
        };
        changed = true;
        let empty = UnionMap::empty_ctx(&scop.ctx)?;
        let (mut reads, mut writes) = (empty.clone(), empty);
        for touch in touched.iter().filter(|touch| touch.array == array) {
            match touch.role {
                None => reads = reads.add_map(&touch.relation)?,
                Some(_) => writes = writes.add_map(&touch.relation)?,
            }
        }
        let before = |first: &UnionMap, second: &UnionMap| -> Result<UnionMap> {
            let all = conflicts(&scop.schedule, first, second)?.instances;
            all.subtract(&apart)
        };
        dataflow.edges.retain(|edge| edge.array != array);
        for touch in touched.iter().filter(|touch| touch.array == array) {
            if touch.role.is_some() {
                continue;
            }
            let sources = before(&writes, &UnionMap::from_map(&touch.relation)?)?;
            if !sources.is_empty()? {
                dataflow.edges.push(FlowEdge {
                    reader: touch.statement,
                    access: touch.access,
                    array,
                    sources,
                });
            }
        }
        dataflow.through[array] = before(&reads, &writes)?.union(&before(&writes, &writes)?)?;
        dataflow.live_in = dataflow.live_in.union(&reads)?;
        if scop.arrays[array].live_out {
            dataflow.live_out = dataflow.live_out.union(&writes)?;
        }
    }
    if changed {
        dataflow
            .edges
            .sort_by_key(|edge| (edge.reader, edge.access));
        // Which of them are anti and which output dependences makes no difference.
        let mut memory = UnionMap::empty_ctx(&scop.ctx)?;
        for through in &dataflow.through {
            memory = memory.union(through)?;
        }
        dataflow.anti = memory;
        dataflow.output = UnionMap::empty_ctx(&scop.ctx)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::c::lower::lower;
    use crate::frontend::c::read;
    use crate::source::Source;

    /// Buckets are copied to where they begin: `above` stands above the outer loop.
    fn gather(above: &str) -> Scop {
        let text = format!(
            "void gather(int n, int first[restrict n], float a[restrict n][8], float b[restrict 8 * n])
{{
#pragma scop
{above}
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            b[first[i] + j] = a[i][j];
#pragma endscop
}}
"
        );
        let source = Source {
            name: "test.c".to_owned(),
            preprocessed: text.clone(),
            text,
            ..Source::default()
        };
        let unit = read(&source).unwrap();
        lower(&isl::Ctx::new(), &unit, 0).unwrap()
    }

    fn pair(scop: &Scop, from: &str, to: &str) -> UnionMap {
        let text = format!("[n] -> {{ S0[{from}] -> S0[{to}] : n > 5 }}");
        UnionMap::read_from_str(&scop.ctx, &text).unwrap()
    }

    const INDEPENDENT: &str = "#pragma pencil independent";

    /// Iterations of the loop are apart, those of the loop inside are not.
    #[test]
    fn iterations_are_apart() {
        let scop = gather(INDEPENDENT);
        let array = scop.array_named("b").unwrap();
        let apart = apart(&scop, array).unwrap().unwrap();
        assert!(pair(&scop, "0, 3", "1, 2").is_subset(&apart).unwrap());
        assert!(pair(&scop, "1, 2", "0, 3").is_subset(&apart).unwrap());
        assert!(pair(&scop, "1, 2", "1, 3").is_disjoint(&apart).unwrap());
        assert!(pair(&scop, "1, 2", "1, 2").is_disjoint(&apart).unwrap());
    }

    /// Of reductions nothing is said, and nothing where the program says nothing.
    #[test]
    fn nothing_is_said_of_reductions() {
        let reduction = format!("{INDEPENDENT} reduction(+: b)");
        for (above, arrays) in [(reduction.as_str(), ["b"].as_slice()), ("", &["a", "b"])] {
            let scop = gather(above);
            for name in arrays {
                let array = scop.array_named(name).unwrap();
                assert!(apart(&scop, array).unwrap().is_none(), "{above}: {name}");
            }
        }
    }

    /// Writes to cells that are data may meet in any two iterations; as the program says, in two
    /// of the same row only.
    #[test]
    fn dependences_across_rows_are_forgotten() {
        for (above, across) in [("", true), (INDEPENDENT, false)] {
            let scop = gather(above);
            let array = scop.array_named("b").unwrap();
            let through = &Dataflow::compute(&scop).unwrap().through[array];
            let rows = pair(&scop, "0, 0", "1, 0");
            assert_eq!(rows.is_subset(through).unwrap(), across, "{above}");
            let columns = pair(&scop, "0, 0", "0, 1");
            assert!(columns.is_subset(through).unwrap(), "{above}");
        }
    }
}
