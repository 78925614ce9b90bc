//! A region as planners see it.

use super::dataflow::Dataflow;
use super::stages::StageGraph;
use crate::scop::Scop;

/// A program with what is known of it.
#[derive(Clone, Debug)]
pub struct Region {
    /// The program, private variables expanded.
    pub scop: Scop,
    /// Its dependences.
    pub dataflow: Dataflow,
    /// Its stages.
    pub graph: StageGraph,
}
