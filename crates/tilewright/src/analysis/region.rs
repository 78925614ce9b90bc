//! A region as planners see it.

use super::stages::StageGraph;
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::over_time::bands::Rounds;
use crate::scop::Scop;
use std::rc::Rc;

/// A program with what is known of it.
#[derive(Clone, Debug)]
pub struct Region {
    /// The program, private variables expanded.
    pub scop: Scop,
    /// Its dependences.
    pub dataflow: Dataflow,
    /// Its stages.
    pub graph: StageGraph,
    /// Where it is in bands of time ([`crate::rewrite::bands`]): what is what.
    pub rounds: Option<Rc<Rounds>>,
}
