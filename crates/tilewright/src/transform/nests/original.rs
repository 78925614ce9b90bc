//! The loops as they were written, the outermost parallel ones run in parallel; on demand with
//! parallel loops inside sequential ones.

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::reductions::{Reduction, loosened};
use crate::analysis::stages::StageGraph;
use crate::plan::Written;
use crate::scop::Scop;
use crate::transform::atomic;
use crate::transform::loops;
use crate::transform::loops::Annotate;
use crate::transform::nests::spread::spread;
use crate::transform::nests::{lanes, restructured, rows};
use crate::transform::{Part, Piece, Scopes, TransformError, statements_of, temporaries, unlifted};

/// The schedule of a group that keeps its original order.
///
/// # Errors
/// isl's own.
pub(crate) fn transform(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    part: &Part,
    plan: &Written,
    scopes: &mut Scopes,
) -> Result<Piece, TransformError> {
    let group = part.group;
    let statements = statements_of(graph, &part.stages);
    let mut schedule = restructured::schedule(scop, &statements, &plan.loops)?;
    let dependences = dataflow.among(scop, &statements)?;
    if plan.spread {
        schedule = spread(&schedule, &dependences)?;
    }
    schedule = lanes::inside(scop, &schedule, &dependences, &plan.lanes)?;
    schedule = rows::marked(scop, &schedule, &dependences, &plan.rows)?;
    let sums = atomic::sums(scop, &plan.atomic)?;
    let loose: Vec<&Reduction> = sums.iter().collect();
    let loose = if loose.is_empty() {
        None
    } else {
        Some(loosened(scop, dataflow, &statements, &loose)?)
    };
    let what = Annotate {
        parallel: group.parallel,
        nested: group.device.grid,
        simd: group.vectorise.then_some(scop),
        short: Some(scop),
        loose: loose.as_ref(),
    };
    let schedule = loops::annotate(&schedule, &dependences, what)?;
    let atomic = atomic::updates(scop, &schedule, &dependences, &sums)?;
    let (schedule, buffers) = if plan.contract {
        temporaries::contract(scop, dataflow, &schedule, &statements, group, scopes)?
    } else {
        (schedule, Vec::new())
    };
    Ok(Piece {
        schedule,
        statements: unlifted(scop, &statements, part.number),
        buffers,
        accumulators: Vec::new(),
        shared: Vec::new(),
        atomic,
        tiled: Vec::new(),
    })
}
