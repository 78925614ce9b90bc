//! Which stages of an overlapped group can share their point loops.
//!
//! Stages that compute the same instances in every tile and read each other's values of the same
//! iteration only can run in one loop nest; a value that no other nest reads then never leaves
//! the registers. This is the intra-tile fusion of Jangda & Bondhugula, TOPLAS 2020, section 5.3,
//! for the case of distance zero, where it costs nothing.

use crate::analysis::dataflow::{Dataflow, Pair};
use crate::analysis::footprint::GroupTiles;
use crate::analysis::stages::{StageGraph, StageId};
use crate::scop::{Scop, StatementId};
use isl::{DimType, Map, Result};
use std::collections::BTreeMap;

/// Which pairs of statements, as far as they were asked for, have dependences at distance zero only.
type Close = BTreeMap<(StatementId, StatementId), bool>;

/// Partitions `stages` (producers first) into nests, in an order of execution that respects all
/// dependences between them.
///
/// # Errors
/// isl's own.
pub fn nests(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    stages: &[StageId],
    tiles: &GroupTiles,
) -> Result<Vec<Vec<StageId>>> {
    let dependences = dataflow.pairs(scop)?;
    let mut close = Close::new();
    let mut nests: Vec<Vec<StageId>> = Vec::new();
    for &stage in stages {
        let mut place = None;
        for number in (0..nests.len()).rev() {
            if joins(
                scop,
                graph,
                tiles,
                &dependences,
                &mut close,
                &nests[number],
                stage,
            )? {
                place = Some(number);
            }
            if graph.producers(stage).any(|p| nests[number].contains(&p)) {
                break;
            }
        }
        match place {
            Some(number) => nests[number].push(stage),
            None => nests.push(vec![stage]),
        }
    }
    Ok(nests)
}

/// Whether a stage can run in the loops of a nest, behind its stages.
fn joins(
    scop: &Scop,
    graph: &StageGraph,
    tiles: &GroupTiles,
    dependences: &[Pair],
    close: &mut Close,
    nest: &[StageId],
    stage: StageId,
) -> Result<bool> {
    let Some((own, instances)) = single_statement(graph, tiles, stage) else {
        return Ok(false);
    };
    if scop.statements[own].iterators.is_empty()
        || graph.stages[stage].recursive
        || looks_up(scop, own)
    {
        return Ok(false);
    }
    for &other in nest {
        let Some((statement, theirs)) = single_statement(graph, tiles, other) else {
            return Ok(false);
        };
        if looks_up(scop, statement) {
            return Ok(false);
        }
        let same = scop.statements[statement].iterators.len()
            == scop.statements[own].iterators.len()
            && !graph.stages[other].recursive
            && at_distance_zero(dependences, close, statement, own)?
            && anonymous(instances)?.is_equal(&anonymous(theirs)?)?;
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

fn single_statement<'t>(
    graph: &StageGraph,
    tiles: &'t GroupTiles,
    stage: StageId,
) -> Option<(StatementId, &'t Map)> {
    let [statement] = graph.stages[stage].statements[..] else {
        return None;
    };
    tiles
        .instances
        .iter()
        .find(|(s, _)| *s == statement)
        .map(|(s, map)| (*s, map))
}

/// Whether a statement reads at places that depend on data (a table): compilers do not vectorise
/// such a loop well, and should not give up the arithmetic of another stage with it.
fn looks_up(scop: &Scop, statement: StatementId) -> bool {
    let accesses = scop.statements[statement].accesses.iter();
    accesses
        .flat_map(|access| &access.affine)
        .any(Option::is_none)
}

fn anonymous(instances: &Map) -> Result<Map> {
    instances.reset_tuple_id(DimType::Out)
}

/// Whether all dependences between two statements stay in their iteration.
fn at_distance_zero(
    dependences: &[Pair],
    known: &mut Close,
    earlier: StatementId,
    later: StatementId,
) -> Result<bool> {
    if let Some(&known) = known.get(&(earlier, later)) {
        return Ok(known);
    }
    let mut close = true;
    for Pair { map, .. } in dependences
        .iter()
        .filter(|pair| (pair.earlier, pair.later) == (earlier, later))
    {
        close = map.dim(DimType::In)? == map.dim(DimType::Out)?
            && map
                .drop_unused_params()?
                .reset_tuple_id(DimType::In)?
                .reset_tuple_id(DimType::Out)?
                .is_identity()?;
        if !close {
            break;
        }
    }
    known.insert((earlier, later), close);
    Ok(close)
}
