//! Value-based dataflow with kills and live-out.
//!
//! isl's `compute_flow` on the original schedule tree. Each read access gets dependences of its
//! own: one call handles one read access of every statement.

use crate::analysis::memory::{WriteRole, exposed_reads, write_roles};
use crate::scop::{AccessId, AccessKind, ArrayId, Scop, StatementId};

/// Dependences of a region.
///
/// All maps are between statement instances, from the earlier to the later one, over the scop's
/// parameters, restricted to its context.
#[derive(Clone, Debug)]
pub struct Dataflow {
    /// Read after write, value-based: from the instance that wrote the value to the reader. With
    /// inexact accesses: every instance that may have written it.
    pub flow: isl::UnionMap,
    /// The same, per reading access.
    pub edges: Vec<FlowEdge>,
    /// Write after read, memory-based.
    pub anti: isl::UnionMap,
    /// Write after write, memory-based.
    pub output: isl::UnionMap,
    /// Live-in reads: `S[i] -> A[x]` for values from before the region.
    pub live_in: isl::UnionMap,
    /// Live-out writes: `S[i] -> A[x]` for the last (possible) writer of each cell of each
    /// live-out array.
    pub live_out: isl::UnionMap,
    /// Anti and output dependences through each array, by [`ArrayId`].
    pub through: Vec<isl::UnionMap>,
}

/// Where the value of one read comes from.
#[derive(Clone, Debug)]
pub struct FlowEdge {
    /// The reading statement.
    pub reader: StatementId,
    /// The reading access.
    pub access: AccessId,
    /// The array.
    pub array: ArrayId,
    /// From writing instances to reading instances; over several writing statements. An instance
    /// that reads what an earlier action of its own body wrote has no source for that.
    pub sources: isl::UnionMap,
}

impl Dataflow {
    /// Computes the dependences of `scop`.
    ///
    /// # Errors
    /// isl's own, among them that the budget of the context ran out.
    pub fn compute(scop: &Scop) -> isl::Result<Dataflow> {
        let accesses = Accesses::of(scop)?;
        let (edges, live_in) = flow_edges(scop, &accesses)?;
        let mut flow = isl::UnionMap::empty_ctx(&scop.ctx)?;
        for edge in &edges {
            flow = flow.union(&edge.sources)?;
        }

        let writes = accesses.must.union(&accesses.may)?;
        let anti = conflicts(scop, &accesses.reads, &writes)?;
        let output = conflicts(scop, &writes, &writes)?;
        let through = (0..scop.arrays.len())
            .map(|array| {
                anti.through(scop, array)?
                    .union(&output.through(scop, array)?)
            })
            .collect::<isl::Result<_>>()?;
        Ok(Dataflow {
            flow,
            edges,
            anti: anti.instances,
            output: output.instances,
            live_in,
            live_out: live_out(scop, &accesses)?,
            through,
        })
    }

    /// Flow, anti and output dependences together.
    pub fn all(&self) -> isl::Result<isl::UnionMap> {
        self.flow.union(&self.anti)?.union(&self.output)
    }
}

/// All accesses of a scop by what they do, within its context.
struct Accesses {
    /// Certain writes.
    must: isl::UnionMap,
    /// Possible writes.
    may: isl::UnionMap,
    /// All reads.
    reads: isl::UnionMap,
    /// Reads that see values of other instances, with their access and statement.
    exposed: Vec<(StatementId, AccessId, isl::Map)>,
}

impl Accesses {
    fn of(scop: &Scop) -> isl::Result<Accesses> {
        let empty = isl::UnionMap::empty_ctx(&scop.ctx)?;
        let mut all = Accesses {
            must: empty.clone(),
            may: empty.clone(),
            reads: empty,
            exposed: Vec::new(),
        };
        for (id, statement) in scop.statements.iter().enumerate() {
            let roles = write_roles(statement)?;
            let exposed = exposed_reads(statement)?;
            let properties = roles.into_iter().zip(exposed);
            for (number, (role, exposed)) in properties.enumerate() {
                let relation = statement.accesses[number]
                    .relation
                    .intersect_params(scop.assumed(id))?;
                let target = match role {
                    Some(WriteRole::Must { .. }) => &mut all.must,
                    Some(WriteRole::May) => &mut all.may,
                    None => &mut all.reads,
                };
                *target = target.add_map(&relation)?;
                if let Some(exposed) = exposed {
                    all.exposed
                        .push((id, number, exposed.intersect_params(scop.assumed(id))?));
                }
            }
        }
        Ok(all)
    }
}

/// The edges of all read accesses, and the reads of values from before the region.
fn flow_edges(scop: &Scop, accesses: &Accesses) -> isl::Result<(Vec<FlowEdge>, isl::UnionMap)> {
    let mut edges: Vec<FlowEdge> = Vec::new();
    let mut live_in = isl::UnionMap::empty_ctx(&scop.ctx)?;
    for slot in slots(&accesses.exposed, |&(statement, _, _)| statement) {
        let mut sinks = isl::UnionMap::empty_ctx(&scop.ctx)?;
        for (_, _, relation) in &slot {
            sinks = sinks.add_map(relation)?;
        }
        let flow = isl::UnionAccessInfo::from_sink(&sinks)?
            .set_must_source(&accesses.must)?
            .set_may_source(&accesses.may)?
            .set_schedule(&scop.schedule)?
            .compute_flow()?;
        let sources = flow.get_may_dependence()?;
        let no_source = flow.get_may_no_source()?;
        for (statement, access, relation) in slot {
            let array = scop.statements[*statement].accesses[*access].array;
            let instances =
                isl::UnionSet::from_set(&isl::Set::universe(&relation.get_space()?.domain()?)?)?;
            edges.push(FlowEdge {
                reader: *statement,
                access: *access,
                array,
                sources: sources.intersect_range(&instances)?.coalesce()?,
            });
            if scop.arrays[array].live_in {
                live_in = live_in.union(&no_source.intersect_domain(&instances)?)?;
            }
        }
    }
    edges.sort_by_key(|edge| (edge.reader, edge.access));
    Ok((edges, live_in.coalesce()?))
}

/// Splits `items` into lists in which no two have the same key: the first items of every key, the
/// second ones, and so on.
pub(crate) fn slots<T>(items: &[T], key: impl Fn(&T) -> usize) -> Vec<Vec<&T>> {
    let mut slots: Vec<Vec<&T>> = Vec::new();
    let mut seen = std::collections::HashMap::new();
    for item in items {
        let slot: &mut usize = seen.entry(key(item)).or_default();
        if *slot == slots.len() {
            slots.push(Vec::new());
        }
        slots[*slot].push(item);
        *slot += 1;
    }
    slots
}

/// Pairs of instances that touch one cell, in the original order.
struct Conflicts {
    /// From the earlier to the later instance.
    instances: isl::UnionMap,
    /// The same with the cell: `S[i] -> [T[j] -> A[x]]`.
    cells: isl::UnionMap,
}

impl Conflicts {
    /// Those through one array.
    fn through(&self, scop: &Scop, array: ArrayId) -> isl::Result<isl::UnionMap> {
        let name = &scop.arrays[array].name;
        let mut pairs = isl::UnionMap::empty_ctx(&scop.ctx)?;
        self.cells.foreach_map(&mut |map| {
            let map = map.uncurry()?;
            if map.get_tuple_name(isl::DimType::Out)? == *name {
                pairs = pairs.union(&isl::UnionSet::from_set(&map.domain()?)?.unwrap()?)?;
            }
            Ok(())
        })?;
        Ok(pairs)
    }
}

/// Every access of `first` that comes before one of `second` to the same cell.
fn conflicts(scop: &Scop, first: &isl::UnionMap, second: &isl::UnionMap) -> isl::Result<Conflicts> {
    let flow = isl::UnionAccessInfo::from_sink(second)?
        .set_may_source(first)?
        .set_schedule(&scop.schedule)?
        .compute_flow()?;
    Ok(Conflicts {
        instances: flow.get_may_dependence()?.coalesce()?,
        cells: flow.get_full_may_dependence()?,
    })
}

/// The last (possible) writers of the cells of live-out arrays: what an instance behind all
/// others would read.
fn live_out(scop: &Scop, accesses: &Accesses) -> isl::Result<isl::UnionMap> {
    let writes = accesses.must.union(&accesses.may)?;
    let written = writes.range()?;
    let mut cells = isl::UnionSet::empty_ctx(&scop.ctx)?;
    written.foreach_set(&mut |set| {
        let array = scop.array_named(&set.get_tuple_name()?);
        if array.is_some_and(|array| scop.arrays[array].live_out) {
            cells = cells.add_set(&set)?;
        }
        Ok(())
    })?;
    last_writers(scop, &scop.schedule, &accesses.must, &accesses.may, &cells)
}

/// Who wrote the given cells last (or may have): `S[i] -> A[x]`.
pub(crate) fn last_writers(
    scop: &Scop,
    schedule: &isl::Schedule,
    must: &isl::UnionMap,
    may: &isl::UnionMap,
    cells: &isl::UnionSet,
) -> isl::Result<isl::UnionMap> {
    if cells.is_empty()? {
        return isl::UnionMap::empty_ctx(&scop.ctx);
    }
    let end =
        isl::UnionSet::read_from_str(&scop.ctx, "{ __end[] }")?.intersect_params(&scop.context)?;
    let schedule = schedule.sequence(&isl::Schedule::from_domain(&end)?)?;
    let flow =
        isl::UnionAccessInfo::from_sink(&isl::UnionMap::from_domain_and_range(&end, cells)?)?
            .set_must_source(must)?
            .set_may_source(may)?
            .set_schedule(&schedule)?
            .compute_flow()?;
    flow.get_full_may_dependence()?
        .range_factor_range()?
        .coalesce()
}

/// Names of all arrays that `statement` touches with accesses of the given kind.
pub(crate) fn arrays_touched(
    scop: &Scop,
    statement: StatementId,
    kind: AccessKind,
) -> Vec<ArrayId> {
    let mut arrays: Vec<ArrayId> = scop.statements[statement]
        .accesses
        .iter()
        .filter(|access| access.kind == kind)
        .map(|access| access.array)
        .collect();
    arrays.sort_unstable();
    arrays.dedup();
    arrays
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop::testing::{ScopBuilder, access_named};

    fn assert_map(actual: &isl::UnionMap, expected: &str) {
        let expected = isl::UnionMap::read_from_str(actual.ctx(), expected).unwrap();
        assert!(
            actual.is_equal(&expected).unwrap(),
            "\n{actual}\nis not\n{expected}"
        );
    }

    fn sources(scop: &Scop, flow: &Dataflow, statement: &str, cell: &str) -> isl::UnionMap {
        let reader = scop.statement_named(statement).unwrap();
        let access = access_named(scop, statement, cell);
        let edge = flow
            .edges
            .iter()
            .find(|e| e.reader == reader && e.access == access);
        edge.unwrap().sources.clone()
    }

    fn within(scop: &Scop, text: &str) -> String {
        let map = isl::UnionMap::read_from_str(&scop.ctx, text).unwrap();
        map.intersect_params(&scop.context).unwrap().to_string()
    }

    #[test]
    fn each_read_of_a_stencil_has_sources_of_its_own() {
        let scop = ScopBuilder::new("[n] -> { : n >= 4 }")
            .input("A", 1)
            .temporary("B", 1)
            .output("C", 1)
            .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
            .statement(
                "S1[i] : 1 <= i < n - 1",
                &["B[i - 1]", "B[i]", "B[i + 1]"],
                &["C[i]"],
            )
            .build();
        let flow = Dataflow::compute(&scop).unwrap();
        assert_eq!(flow.edges.len(), 4);
        assert_map(
            &sources(&scop, &flow, "S1", "B[i - 1]"),
            &within(&scop, "[n] -> { S0[i] -> S1[i + 1] : 0 <= i < n - 2 }"),
        );
        assert_map(
            &sources(&scop, &flow, "S1", "B[i + 1]"),
            &within(&scop, "[n] -> { S0[i] -> S1[i - 1] : 2 <= i < n }"),
        );
        assert_map(&sources(&scop, &flow, "S0", "A[i]"), "{ }");
        assert_map(
            &flow.live_in,
            &within(&scop, "[n] -> { S0[i] -> A[i] : 0 <= i < n }"),
        );
        assert_map(
            &flow.live_out,
            &within(&scop, "[n] -> { S1[i] -> C[i] : 0 < i < n - 1 }"),
        );
        assert_map(&flow.anti, "{ }");
    }

    #[test]
    fn a_reduction_flows_from_one_iteration_to_the_next() {
        let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
            .input("A", 1)
            .output("s", 0)
            .statement("S0[]", &[], &["s[]"])
            .statement("S1[i] : 0 <= i < n", &["s[]", "A[i]"], &["s[]"])
            .build();
        let flow = Dataflow::compute(&scop).unwrap();
        assert_map(
            &sources(&scop, &flow, "S1", "s[]"),
            &within(
                &scop,
                "[n] -> { S0[] -> S1[0]; S1[i] -> S1[i + 1] : 0 <= i < n - 1 }",
            ),
        );
        assert_map(
            &flow.live_out,
            &within(&scop, "[n] -> { S1[n - 1] -> s[] }"),
        );
        // Memory-based: every earlier access of `s`.
        assert_map(
            &flow.output,
            &within(
                &scop,
                "[n] -> { S0[] -> S1[i] : 0 <= i < n; S1[i] -> S1[j] : 0 <= i < j < n }",
            ),
        );
        assert_map(
            &flow.anti,
            &within(&scop, "[n] -> { S1[i] -> S1[j] : 0 <= i < j < n }"),
        );
    }

    #[test]
    fn conditional_writes_of_a_known_cell_are_updates() {
        let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
            .inout("A", 1)
            .output("B", 1)
            .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
            .statement("S1[i] : 0 <= i < n", &[], &["?A[i]"])
            .statement("S2[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
            .build();
        let flow = Dataflow::compute(&scop).unwrap();
        assert_map(
            &sources(&scop, &flow, "S2", "A[i]"),
            &within(&scop, "[n] -> { S1[i] -> S2[i] : 0 <= i < n }"),
        );
        assert_map(
            &sources(&scop, &flow, "S1", "A[i]"),
            &within(&scop, "[n] -> { S0[i] -> S1[i] : 0 <= i < n }"),
        );
    }

    #[test]
    fn writes_to_unknown_cells_are_possible_sources() {
        let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
            .inout("A", 1)
            .output("B", 1)
            .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
            .statement("S1[i] : 0 <= i < n", &[], &["?A[x] : 0 <= x < n"])
            .statement("S2[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
            .build();
        let flow = Dataflow::compute(&scop).unwrap();
        assert_map(
            &sources(&scop, &flow, "S2", "A[i]"),
            &within(
                &scop,
                "[n] -> { S0[i] -> S2[i] : 0 <= i < n; S1[j] -> S2[i] : 0 <= i, j < n }",
            ),
        );
        // A possible writer leaves the cells of certain ones alive.
        let live_out = flow.live_out.intersect_domain(
            &isl::UnionSet::read_from_str(&scop.ctx, "{ S0[i]; S1[i] }").unwrap(),
        );
        assert_map(
            &live_out.unwrap(),
            &within(
                &scop,
                "[n] -> { S0[i] -> A[i] : 0 <= i < n; S1[j] -> A[i] : 0 <= i, j < n }",
            ),
        );
    }

    #[test]
    fn a_body_that_reads_what_it_wrote_does_not_depend_on_others_for_it() {
        let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
            .input("A", 1)
            .temporary("t", 0)
            .output("B", 1)
            .statement_with_steps(
                "S0[i] : 0 <= i < n",
                &[("t[]", &["A[i]"]), ("B[i]", &["t[]", "A[i + 1]"])],
            )
            .build();
        let flow = Dataflow::compute(&scop).unwrap();
        assert_map(&flow.flow, "{ }");
        assert_map(
            &flow.live_in,
            &within(
                &scop,
                "[n] -> { S0[i] -> A[j] : 0 <= i < n and i <= j <= i + 1 }",
            ),
        );
        // The cell is still shared: instances must not interleave.
        assert!(!flow.anti.is_empty().unwrap());
        assert!(!flow.output.is_empty().unwrap());
    }

    #[test]
    fn dependences_are_told_apart_by_array() {
        let scop = ScopBuilder::new("[n] -> { : n >= 2 }")
            .inout("A", 1)
            .inout("B", 1)
            .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[0]"])
            .statement("S1[i] : 0 <= i < n", &["B[0]"], &["A[i]"])
            .build();
        let flow = Dataflow::compute(&scop).unwrap();
        assert_map(
            &flow.through[0],
            &within(&scop, "[n] -> { S0[i] -> S1[i] : 0 <= i < n }"),
        );
        assert_map(
            &flow.through[1],
            &within(&scop, "[n] -> { S0[i] -> S0[j] : 0 <= i < j < n }"),
        );
        assert_map(
            &flow.flow,
            &within(&scop, "[n] -> { S0[n - 1] -> S1[i] : 0 <= i < n }"),
        );
    }

    #[test]
    fn fifty_stages_of_nine_reads_are_cheap() {
        let mut builder = ScopBuilder::new("[n, m] -> { : n >= 200 and m >= 200 }").input("A0", 2);
        for stage in 1..=50 {
            builder = builder.temporary(&format!("A{stage}"), 2);
            let mut reads = Vec::new();
            for di in -1..=1 {
                for dj in -1..=1 {
                    reads.push(format!("A{}[i + {di}, j + {dj}]", stage - 1));
                }
            }
            let reads: Vec<&str> = reads.iter().map(String::as_str).collect();
            builder = builder.statement(
                &format!(
                    "S{stage}[i, j] : {stage} <= i < n - {stage} and {stage} <= j < m - {stage}"
                ),
                &reads,
                &[&format!("A{stage}[i, j]")],
            );
        }
        let scop = builder.build();
        // isl's own count of operations: what a test can rely on. The bound is about 0.3 s of a
        // core of 2026.
        scop.ctx.reset_operations();
        scop.ctx.set_max_operations(3_000_000).unwrap();
        let flow = Dataflow::compute(&scop).unwrap();
        assert_eq!(flow.edges.len(), 450);
    }
}
