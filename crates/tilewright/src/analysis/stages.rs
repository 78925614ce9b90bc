//! Stages: the statements that define one array, and who consumes whom.

use crate::analysis::dependences::dataflow::{Dataflow, FlowEdge, arrays_touched};
use crate::analysis::overlap::footprint::Known;
use crate::scop::{AccessKind, ArrayId, Scop, StatementId};

/// Index into [`StageGraph::stages`].
pub type StageId = usize;

/// The stages of a region and the dependences between them.
///
/// Every statement is in exactly one stage. Statements that write several arrays tie those arrays
/// into one stage, named by the first. A graph is for the scop that it was built from, and for no
/// other: it remembers what was found of the stages of that one ([`Known`]).
#[derive(Clone, Debug)]
pub struct StageGraph {
    /// Stages in the order of their first statement.
    pub stages: Vec<Stage>,
    /// Edges `(producer, consumer)` along flow dependences, without duplicates; a stage that
    /// reads its own array's earlier values has an edge to itself.
    pub edges: Vec<(StageId, StageId)>,
    /// Those of them along which values go on to other cells: without stages that read, of their
    /// own array, only the cells that the same statement writes (conditional writes, sums).
    carried: Vec<(StageId, StageId)>,
    /// What is known of its stages in overlapped tiles already.
    pub(super) tiles: Known,
}

/// One stage.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The name of its (first) array.
    pub name: String,
    /// Arrays it writes.
    pub arrays: Vec<ArrayId>,
    /// Its statements in textual order.
    pub statements: Vec<StatementId>,
    /// Whether an array it writes is live after the region.
    pub live_out: bool,
    /// Whether it reads values written by itself.
    pub recursive: bool,
}

impl StageGraph {
    /// Finds the stages of `scop`.
    ///
    /// # Errors
    /// isl's own.
    pub fn build(scop: &Scop, dataflow: &Dataflow) -> isl::Result<StageGraph> {
        let stage_of = number_stages(scop);
        let count = stage_of.iter().max().map_or(0, |last| last + 1);
        let mut stages: Vec<Stage> = (0..count)
            .map(|_| Stage {
                name: String::new(),
                arrays: Vec::new(),
                statements: Vec::new(),
                live_out: false,
                recursive: false,
            })
            .collect();
        for (statement, &stage) in stage_of.iter().enumerate() {
            let stage = &mut stages[stage];
            stage.statements.push(statement);
            for array in arrays_touched(scop, statement, AccessKind::Write) {
                if !stage.arrays.contains(&array) {
                    stage.arrays.push(array);
                    stage.live_out |= scop.arrays[array].live_out;
                }
            }
        }
        for stage in &mut stages {
            stage.name = match stage.arrays.first() {
                Some(&array) => scop.arrays[array].name.clone(),
                None => scop.statements[stage.statements[0]].name.clone(),
            };
        }

        let mut edges = Vec::new();
        let mut carried = Vec::new();
        for edge in &dataflow.edges {
            let consumer = stage_of[edge.reader];
            let own = reads_what_it_writes(scop, edge)?;
            edge.sources.foreach_map(&mut |sources| {
                let writer = scop.statement_named(&sources.get_tuple_name(isl::DimType::In)?);
                let Some(producer) = writer.map(|writer| stage_of[writer]) else {
                    return Ok(());
                };
                let goes_on = producer != consumer || !own;
                let known = edges.contains(&(producer, consumer));
                let known_to_go_on = !goes_on || carried.contains(&(producer, consumer));
                if (known && known_to_go_on) || sources.is_empty()? {
                    return Ok(());
                }
                if !known {
                    edges.push((producer, consumer));
                    stages[producer].recursive |= producer == consumer;
                }
                if !known_to_go_on {
                    carried.push((producer, consumer));
                }
                Ok(())
            })?;
        }
        edges.sort_unstable();
        Ok(StageGraph {
            stages,
            edges,
            carried,
            tiles: Known::default(),
        })
    }

    /// Whether the values of some stage go back to values of its own in other cells, by themselves
    /// or through other stages.
    pub fn is_cyclic(&self) -> bool {
        // Without stages whose producers are all gone, nothing is left of a graph without cycles.
        let mut left: Vec<StageId> = (0..self.stages.len()).collect();
        loop {
            let before = left.len();
            let reads = |stage: StageId, left: &[StageId]| {
                let mut edges = self.carried.iter();
                edges.any(|&(producer, consumer)| consumer == stage && left.contains(&producer))
            };
            left = left.iter().copied().filter(|&s| reads(s, &left)).collect();
            if left.len() == before {
                return before > 0;
            }
        }
    }

    /// Stages that read what `stage` writes, without itself.
    pub fn consumers(&self, stage: StageId) -> impl Iterator<Item = StageId> + '_ {
        self.edges
            .iter()
            .filter(move |(p, c)| *p == stage && *c != stage)
            .map(|&(_, c)| c)
    }

    /// Stages that `stage` reads, without itself.
    pub fn producers(&self, stage: StageId) -> impl Iterator<Item = StageId> + '_ {
        self.edges
            .iter()
            .filter(move |(p, c)| *c == stage && *p != stage)
            .map(|&(p, _)| p)
    }
}

/// The stage of each statement, numbered in the order of their first statements: statements that
/// write one array belong together.
fn number_stages(scop: &Scop) -> Vec<StageId> {
    let written: Vec<Vec<ArrayId>> = (0..scop.statements.len())
        .map(|statement| arrays_touched(scop, statement, AccessKind::Write))
        .collect();
    let mut stage_of: Vec<Option<StageId>> = vec![None; scop.statements.len()];
    let mut count = 0;
    for first in 0..scop.statements.len() {
        if stage_of[first].is_some() {
            continue;
        }
        stage_of[first] = Some(count);
        let mut arrays = written[first].clone();
        let mut next = 0;
        while let Some(&array) = arrays.get(next) {
            next += 1;
            for statement in first..scop.statements.len() {
                if written[statement].contains(&array) {
                    stage_of[statement] = Some(count);
                    let new = written[statement].iter().filter(|a| !arrays.contains(a));
                    arrays.extend(new.copied().collect::<Vec<_>>());
                }
            }
        }
        count += 1;
    }
    stage_of.into_iter().flatten().collect()
}

/// Whether a statement writes the cells that it reads by one of its accesses.
fn reads_what_it_writes(scop: &Scop, edge: &FlowEdge) -> isl::Result<bool> {
    let accesses = &scop.statements[edge.reader].accesses;
    let read = &accesses[edge.access].relation;
    for write in accesses.iter().filter(|a| a.kind == AccessKind::Write) {
        if write.array == edge.array && write.relation.plain_is_equal(read)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop::testing::ScopBuilder;

    fn graph(scop: &Scop) -> StageGraph {
        StageGraph::build(scop, &Dataflow::compute(scop).unwrap()).unwrap()
    }

    #[test]
    fn statements_of_one_array_are_one_stage() {
        let scop = ScopBuilder::new("[n] -> { : n >= 4 }")
            .input("A", 1)
            .temporary("B", 1)
            .output("C", 1)
            .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
            .statement("S1[i] : 0 <= i < n", &["A[i]"], &["C[i]"])
            .statement("S2[] : n > 3", &["A[0]"], &["B[0]"])
            .statement("S3[i] : 0 <= i < n", &["B[i]", "C[i]"], &["C[i]"])
            .build();
        let graph = graph(&scop);
        let names: Vec<&str> = graph.stages.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["B", "C"]);
        assert_eq!(graph.stages[0].statements, [0, 2]);
        assert_eq!(graph.stages[1].statements, [1, 3]);
        assert_eq!(graph.edges, [(0, 1), (1, 1)]);
        assert!(!graph.stages[0].live_out && graph.stages[1].live_out);
        assert!(!graph.stages[0].recursive && graph.stages[1].recursive);
        assert_eq!(graph.consumers(0).collect::<Vec<_>>(), [1]);
        assert_eq!(graph.producers(1).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn a_statement_with_two_writes_ties_their_arrays() {
        let scop = ScopBuilder::new("[n] -> { : n >= 4 }")
            .input("A", 1)
            .temporary("B", 1)
            .temporary("C", 1)
            .output("D", 1)
            .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
            .statement("S1[i] : 0 <= i < n", &["A[i]"], &["D[i]"])
            .statement("S2[i] : 0 <= i < n", &["A[i]"], &["C[i]"])
            .statement("S3[i] : 0 <= i < n", &["A[i + 1]"], &["C[i]", "B[i]"])
            .build();
        let graph = graph(&scop);
        assert_eq!(graph.stages.len(), 2);
        assert_eq!(graph.stages[0].name, "B");
        assert_eq!(graph.stages[0].arrays, [1, 2]);
        assert_eq!(graph.stages[0].statements, [0, 2, 3]);
        assert_eq!(graph.stages[1].statements, [1]);
        assert!(graph.edges.is_empty());
    }

    #[test]
    fn overwritten_values_are_no_edge() {
        let scop = ScopBuilder::new("[n] -> { : n >= 4 }")
            .temporary("B", 1)
            .output("C", 1)
            .statement("S0[i] : 0 <= i < n", &[], &["C[i]"])
            .statement("S1[i] : 0 <= i < n", &[], &["B[i]"])
            .statement("S2[i] : 0 <= i < n", &["B[i]"], &["C[i]"])
            .build();
        assert_eq!(graph(&scop).edges, [(1, 0)]);
    }

    #[test]
    fn sums_and_conditional_writes_go_in_no_circle() {
        let sums = ScopBuilder::new("[n] -> { : n >= 4 }")
            .input("A", 2)
            .output("B", 1)
            .statement("S0[i] : 0 <= i < n", &[], &["B[i]"])
            .statement(
                "S1[i, k] : 0 <= i < n and 0 <= k < n",
                &["B[i]", "A[i, k]"],
                &["B[i]"],
            )
            .build();
        assert!(graph(&sums).stages[0].recursive && !graph(&sums).is_cyclic());
        let sweeps = ScopBuilder::new("[n] -> { : n >= 4 }")
            .inout("A", 1)
            .statement(
                "S0[t, i] : 0 <= t < n and 0 <= i < n",
                &["A[i]", "A[i + 1]"],
                &["A[i]"],
            )
            .build();
        assert!(graph(&sweeps).is_cyclic());
    }
}
