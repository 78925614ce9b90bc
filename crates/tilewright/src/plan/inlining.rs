//! Which stages their consumers compute.
//!
//! TOPLAS 2020, Algorithm 3, inlines every point-wise stage into all its consumers. Here most of
//! these cost nothing as they are: a value that is read in the iteration that computes it stays
//! in a register ([`crate::analysis::pointwise`]), and the others are computed once and not once
//! per read. Inlining the products of harris makes it faster with one C compiler and slower with
//! another; inlining what is looked up in a table keeps arithmetic from the vector unit. What is
//! left is what never computes anything twice:
//!
//! - copies of other stages: the consumers read the original instead, if it lies in memory as the
//!   copy does;
//! - values that are read once, where the reader's loops cannot be shared because its stage has
//!   several statements.
//!
//! `docs/src/results/inlining.md` has the figures.

use crate::analysis::dataflow::Dataflow;
use crate::analysis::stages::{Stage, StageGraph};
use crate::scop::{Access, AccessKind, Action, Expr, Origin, Scop, Statement};
use crate::transform::inline::{NotInlined, inline};
use crate::transform::strides;
use isl::Result;

/// Names of stages that are worth inlining, each of which can be.
///
/// # Errors
/// isl's own.
pub fn choose(scop: &Scop, dataflow: &Dataflow, graph: &StageGraph) -> Result<Vec<String>> {
    let mut copies = Vec::new();
    for stage in candidates(scop, graph) {
        if is_copy(scop, graph, stage)? {
            copies.push(stage.name.clone());
        }
    }
    let (copies, without) = possible(scop, dataflow, graph, copies)?;
    // Who reads what how often is another question once copies are gone.
    let (scop_, dataflow_, graph_);
    let (scop_now, dataflow_now, graph_now) = match without {
        None => (scop, dataflow, graph),
        Some(without) => {
            (scop_, dataflow_) = without;
            graph_ = StageGraph::build(&scop_, &dataflow_)?;
            (&scop_, &dataflow_, &graph_)
        }
    };
    let mut once = Vec::new();
    for stage in candidates(scop_now, graph_now) {
        if is_read_once(scop_now, dataflow_now, graph_now, stage)? {
            once.push(stage.name.clone());
        }
    }
    let (once, _) = possible(scop_now, dataflow_now, graph_now, once)?;
    Ok([copies, once].concat())
}

/// Those of the named stages that can be inlined together, and the program without them.
#[allow(clippy::type_complexity)]
fn possible(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    mut names: Vec<String>,
) -> Result<(Vec<String>, Option<(Scop, Dataflow)>)> {
    while !names.is_empty() {
        match inline(scop, dataflow, graph, &names) {
            Ok(without) => return Ok((names, Some(without))),
            Err(NotInlined::Isl(error)) => return Err(error),
            Err(NotInlined::Stage { stage, .. }) => {
                let before = names.len();
                names.retain(|name| *name != stage);
                if names.len() == before {
                    names.clear();
                }
            }
        }
    }
    Ok((names, None))
}

/// Stages of a pipeline whose array nobody needs but their consumers.
fn candidates<'g>(scop: &Scop, graph: &'g StageGraph) -> impl Iterator<Item = &'g Stage> {
    let wanted: Vec<bool> = (0..graph.stages.len())
        .map(|id| {
            let stage = &graph.stages[id];
            let [array] = stage.arrays[..] else {
                return false;
            };
            // Variables of the region cost no memory as they are.
            let declared = matches!(scop.arrays[array].origin, Origin::Region { .. });
            !stage.live_out
                && !stage.recursive
                && !declared
                && !scop.arrays[array].extents.is_empty()
                && graph.consumers(id).all(|consumer| consumer > id)
        })
        .collect();
    let stages = graph.stages.iter().zip(wanted);
    stages.filter_map(|(stage, wanted)| wanted.then_some(stage))
}

/// Whether a stage only moves values of other stages, and moves along the same loop by the same step in what it
/// reads and in what it writes.
fn is_copy(scop: &Scop, graph: &StageGraph, stage: &Stage) -> Result<bool> {
    for &id in &stage.statements {
        let statement = &scop.statements[id];
        let [
            Action::Assign {
                target,
                value: Expr::Access(from),
            },
        ] = &statement.body[..]
        else {
            return Ok(false);
        };
        let (to, from) = (&statement.accesses[*target], &statement.accesses[*from]);
        let kind = |access: &Access| scop.arrays[access.array].element.kind;
        // A copy of an input may be there to have it close at hand.
        if kind(to) != kind(from) || !graph.stages.iter().any(|s| s.arrays.contains(&from.array)) {
            return Ok(false);
        }
        for k in 0..statement.iterators.len() {
            let steps = (step(to, k)?, step(from, k)?);
            if steps.0.is_none() || steps.0 != steps.1 {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// By how much the last subscript grows with an iterator, where that is known.
fn step(access: &Access, iterator: usize) -> Result<Option<i64>> {
    let Some(Some(last)) = access.affine.last() else {
        return Ok(None);
    };
    strides::coefficient(last, iterator)
}

/// Whether each value of a stage is read once, by a stage of several statements; neither of them
/// looks something up in a table.
fn is_read_once(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    stage: &Stage,
) -> Result<bool> {
    let edges = dataflow.edges.iter();
    let mut readers = edges.filter(|edge| stage.arrays.contains(&edge.array));
    let (Some(edge), None) = (readers.next(), readers.next()) else {
        return Ok(false);
    };
    let shared = |s: &&Stage| s.statements.contains(&edge.reader) && s.statements.len() == 1;
    if graph.stages.iter().any(|s| shared(&s)) {
        return Ok(false);
    }
    let mut statements = stage.statements.iter().chain([&edge.reader]);
    if statements.any(|&s| looks_up(&scop.statements[s])) {
        return Ok(false);
    }
    edge.sources.is_single_valued()
}

fn looks_up(statement: &Statement) -> bool {
    let reads = |a: &&Access| a.kind == AccessKind::Read;
    let mut reads = statement.accesses.iter().filter(reads);
    reads.any(|read| read.affine.iter().any(Option::is_none))
}
