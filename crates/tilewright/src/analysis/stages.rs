//! Stages: the statements that define one array, and who consumes whom.

use crate::analysis::dataflow::Dataflow;
use crate::scop::{ArrayId, Scop, StatementId};

/// Index into [`StageGraph::stages`].
pub type StageId = usize;

/// The stages of a region and the dependences between them.
///
/// Every statement is in exactly one stage. Statements that write several arrays tie those arrays
/// into one stage, named by the first.
#[derive(Clone, Debug)]
pub struct StageGraph {
    /// Stages in the order of their first statement.
    pub stages: Vec<Stage>,
    /// Edges `(producer, consumer)` along flow dependences, without duplicates; a stage that
    /// reads its own array's earlier values has an edge to itself.
    pub edges: Vec<(StageId, StageId)>,
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
        let _ = (scop, dataflow);
        unreachable!("written by the owner of this module")
    }

    /// Stages that read what `stage` writes, without itself.
    pub fn consumers(&self, stage: StageId) -> impl Iterator<Item = StageId> + '_ {
        self.edges.iter().filter(move |(p, c)| *p == stage && *c != stage).map(|&(_, c)| c)
    }

    /// Stages that `stage` reads, without itself.
    pub fn producers(&self, stage: StageId) -> impl Iterator<Item = StageId> + '_ {
        self.edges.iter().filter(move |(p, c)| *c == stage && *p != stage).map(|&(p, _)| p)
    }
}
