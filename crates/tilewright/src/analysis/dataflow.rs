//! Value-based dataflow with kills and live-out.

use crate::scop::{AccessId, ArrayId, Scop, StatementId};

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
    /// From writing instances to reading instances; over several writing statements.
    pub sources: isl::UnionMap,
}

impl Dataflow {
    /// Computes the dependences of `scop`.
    ///
    /// # Errors
    /// isl's own, among them that the budget of the context ran out.
    pub fn compute(scop: &Scop) -> isl::Result<Dataflow> {
        let _ = scop;
        unreachable!("written by the owner of this module")
    }

    /// Flow, anti and output dependences together.
    pub fn all(&self) -> isl::Result<isl::UnionMap> {
        self.flow.union(&self.anti)?.union(&self.output)
    }
}
