//! Scalene overlapped tiling of one group (Zhao & Cohen, TACO 2019, sections 3.1, 3.3 and 3.4).
//!
//! Where the paper puts expansion nodes below the point loops, the tree here is built at once
//! over the expanded instances, lifted by their tile's coordinates (`S[t, i]`): what
//! `isl_schedule_expand` would give, as a plain tree that every isl analysis accepts.
//!
//! ```text
//! domain  { S[t, i] }
//!   band  [t…]            mark parallel
//!     mark scope:k
//!       sequence over stages
//!         the stage's own loops, as they were written
//! ```

use super::loops::{self, Annotate};
use super::{Buffer, BufferKind, Lifted, Piece, TransformError, restrict};
use crate::analysis::dataflow::Dataflow;
use crate::analysis::footprint::{GroupTiles, NoFootprint, group_tiles};
use crate::analysis::stages::{StageGraph, StageId};
use crate::plan::Group;
use crate::scop::{Scop, StatementId};
use isl::{DimType, Id, Map, MultiUnionPwAff, Schedule, UnionMap, UnionPwMultiAff, UnionSet};

/// The schedule and the scratchpads of group number `number`.
///
/// # Errors
/// [`TransformError::Plan`] where the group cannot be tiled like this, with the reason.
pub fn transform(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    group: &Group,
    stages: &[StageId],
    number: usize,
) -> Result<Piece, TransformError> {
    let out = *stages.last().ok_or_else(|| TransformError::Plan("a group has no stages".to_owned()))?;
    let tiles = group_tiles(scop, graph, stages, out, &group.tile_sizes)
        .map_err(|reason| explain(graph, reason))?;
    let buffers = scratchpads(scop, graph, group, stages, &tiles, number)?;

    let mut statements = Vec::new();
    for (statement, instances) in &tiles.instances {
        statements.push(lift(scop, *statement, instances, number, tiles.tiled.len())?);
    }

    let mut schedule: Option<Schedule> = None;
    for &stage in stages {
        let own = stage_schedule(scop, dataflow, group, &graph.stages[stage].statements)?;
        let lifted: Vec<&Lifted> = statements
            .iter()
            .filter(|l| graph.stages[stage].statements.contains(&l.statement))
            .collect();
        let own = lift_schedule(scop, &own, &lifted)?;
        schedule = Some(match schedule {
            Some(before) => before.sequence(&own)?,
            None => own,
        });
    }
    let schedule = schedule.ok_or_else(|| TransformError::Plan("a group has no statements".to_owned()))?;
    let schedule = insert_tile_loops(scop, &schedule, &statements, tiles.tiled.len(), group, number)?;
    Ok(Piece { schedule, statements, buffers })
}

fn explain(graph: &StageGraph, reason: NoFootprint) -> TransformError {
    let name = |stage: StageId| graph.stages[stage].name.clone();
    TransformError::Plan(match reason {
        NoFootprint::ManyArrays(s) => format!("stage {} writes more than one array", name(s)),
        NoFootprint::Recurrence(s) => format!("stage {} reads its own earlier values", name(s)),
        NoFootprint::Unbounded(s) => {
            format!("what a tile needs of stage {} has no constant size; give a tile size for every dimension", name(s))
        }
        NoFootprint::Empty => "the group computes nothing".to_owned(),
        NoFootprint::Isl(error) => return TransformError::Isl(error),
    })
}

/// One scratchpad per stage that the plan keeps tile-local.
fn scratchpads(
    scop: &Scop,
    graph: &StageGraph,
    group: &Group,
    stages: &[StageId],
    tiles: &GroupTiles,
    number: usize,
) -> Result<Vec<Buffer>, TransformError> {
    let mut buffers = Vec::new();
    for name in &group.local {
        let footprint = stages
            .iter()
            .find(|&&s| graph.stages[s].name == *name)
            .and_then(|&stage| tiles.footprints.iter().find(|f| f.stage == stage))
            .ok_or_else(|| {
                TransformError::Plan(format!("{name} is not a stage of this group that others in it read"))
            })?;
        buffers.push(Buffer {
            name: scop.arrays[footprint.array].name.clone(),
            array: footprint.array,
            kind: BufferKind::Local {
                scope: number,
                origin: footprint.origin.clone(),
                extents: footprint.extents.clone(),
                folded: vec![false; footprint.extents.len()],
            },
        });
    }
    Ok(buffers)
}

/// `[t] -> S[i]` as the lifted statement `S[t, i]`.
fn lift(
    scop: &Scop,
    statement: StatementId,
    instances: &Map,
    group: usize,
    tile_dims: usize,
) -> Result<Lifted, TransformError> {
    let name = &scop.statements[statement].name;
    let domain = instances.wrap()?.flatten()?.set_tuple_name(name)?;
    Ok(Lifted {
        name: name.clone(),
        statement,
        group,
        tile_dims,
        domain,
        bindings: scop.statements[statement].accesses.iter().map(|a| a.array).collect(),
    })
}

/// The stage's statements in their original order, innermost parallel loops marked.
fn stage_schedule(
    scop: &Scop,
    dataflow: &Dataflow,
    group: &Group,
    statements: &[StatementId],
) -> Result<Schedule, TransformError> {
    let schedule = restrict(scop, statements)?;
    let what = Annotate { parallel: false, simd: group.vectorise };
    Ok(loops::annotate(&schedule, &dataflow.all()?, what)?)
}

/// The same tree over lifted instances.
fn lift_schedule(scop: &Scop, schedule: &Schedule, lifted: &[&Lifted]) -> Result<Schedule, TransformError> {
    let mut down = UnionMap::empty_ctx(&scop.ctx)?;
    let mut domain = UnionSet::empty_ctx(&scop.ctx)?;
    for one in lifted {
        down = down.union(&UnionMap::from_map(&one.to_original(scop)?)?)?;
        domain = domain.union(&UnionSet::from_set(&one.domain)?)?;
    }
    let down = UnionPwMultiAff::from_union_map(&down)?;
    Ok(schedule.pullback_union_pw_multi_aff(&down)?.intersect_domain(&domain)?)
}

fn insert_tile_loops(
    scop: &Scop,
    schedule: &Schedule,
    statements: &[Lifted],
    tile_dims: usize,
    group: &Group,
    number: usize,
) -> Result<Schedule, TransformError> {
    let scope = Id::alloc(&scop.ctx, &format!("scope:{number}"))?;
    let mut node = schedule.get_root()?.child(0)?.insert_mark(&scope)?;
    for k in (0..tile_dims).rev() {
        let mut coordinate = UnionMap::empty_ctx(&scop.ctx)?;
        for lifted in statements {
            let dims = lifted.domain.dim(DimType::Set)?;
            let map = lifted.domain.identity()?;
            let map = map.project_out(DimType::Out, k + 1, dims - k - 1)?.project_out(DimType::Out, 0, k)?;
            coordinate = coordinate.union(&UnionMap::from_map(&map.reset_tuple_id(DimType::Out)?)?)?;
        }
        let member = MultiUnionPwAff::from_union_map(&coordinate)?;
        node = node.insert_partial_schedule(&member)?;
        node = node.band_member_set_coincident(0, 1)?;
        if group.parallel {
            node = node.insert_mark(&Id::alloc(&scop.ctx, loops::PARALLEL)?)?;
        }
    }
    Ok(node.get_schedule()?)
}
