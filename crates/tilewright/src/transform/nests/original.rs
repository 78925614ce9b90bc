//! The loops as they were written, the outermost parallel ones run in parallel; on demand with
//! parallel loops inside sequential ones.

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::reductions::{Reduction, loosened};
use crate::analysis::stages::{StageGraph, StageId};
use crate::plan::Group;
use crate::scop::Scop;
use crate::transform::atomic;
use crate::transform::loops;
use crate::transform::loops::Annotate;
use crate::transform::nests::restructured;
use crate::transform::nests::spread::spread;
use crate::transform::{Piece, Scopes, TransformError, statements_of, temporaries, unlifted};

/// The schedule of a group that keeps its original order.
///
/// # Errors
/// isl's own.
pub(crate) fn transform(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    group: &Group,
    stages: &[StageId],
    number: usize,
    scopes: &mut Scopes,
) -> Result<Piece, TransformError> {
    let statements = statements_of(graph, stages);
    let mut schedule = restructured::schedule(scop, &statements, group)?;
    let dependences = dataflow.among(scop, &statements)?;
    if group.spread {
        schedule = spread(&schedule, &dependences)?;
    }
    let sums = atomic::sums(scop, group)?;
    let loose: Vec<&Reduction> = sums.iter().collect();
    let loose = if loose.is_empty() {
        None
    } else {
        Some(loosened(scop, dataflow, &statements, &loose)?)
    };
    let what = Annotate {
        parallel: group.parallel,
        nested: group.grid,
        simd: group.vectorise.then_some(scop),
        short: Some(scop),
        loose: loose.as_ref(),
    };
    let schedule = loops::annotate(&schedule, &dependences, what)?;
    let atomic = atomic::updates(scop, &schedule, &dependences, &sums)?;
    let (schedule, buffers) =
        temporaries::contract(scop, dataflow, &schedule, &statements, group, scopes)?;
    Ok(Piece {
        schedule,
        statements: unlifted(scop, &statements, number),
        buffers,
        shared: Vec::new(),
        atomic,
    })
}
