//! Planners: from the stage graph to a plan.
//!
//! [`plan`] follows PolyMage's greedy heuristic (TACO 2019, section 3.7): a group is fused into
//! its only consuming group, again and again, as long as overlap stays below a tolerance. What is
//! not a pipeline of stages goes to the affine scheduler as a whole.

use super::{Fuse, Group, RegionPlan, Shape, defaults};
use crate::analysis::dataflow::Dataflow;
use crate::analysis::footprint::{GroupTiles, group_tiles};
use crate::analysis::pointwise;
use crate::analysis::stages::{StageGraph, StageId};
use crate::scop::Scop;
use std::collections::BTreeSet;

/// What the user asks for; everything that is `None` is the planner's choice.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// Shape of tiles.
    pub shape: Option<Shape>,
    /// Fusion of the affine scheduler, and (`no`) of pipelines.
    pub fuse: Option<Fuse>,
    /// Tile sizes.
    pub tile_sizes: Option<Vec<i64>>,
    /// Run loops in parallel.
    pub parallel: bool,
    /// Skew for wavefronts.
    pub wavefront: bool,
    /// Mark loops `simd`.
    pub vectorise: bool,
    /// Full tiles apart from partial ones.
    pub separate: bool,
    /// See [`defaults::OVERLAP_TOLERANCE`].
    pub overlap_tolerance: f64,
}

impl Default for Wishes {
    fn default() -> Wishes {
        Wishes {
            shape: None,
            fuse: None,
            tile_sizes: None,
            parallel: true,
            wavefront: true,
            vectorise: true,
            separate: false,
            overlap_tolerance: defaults::OVERLAP_TOLERANCE,
        }
    }
}

/// Decides for one region.
///
/// # Errors
/// isl's own.
pub fn plan(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
) -> isl::Result<RegionPlan> {
    let (planner, mut groups) = match wishes.shape {
        Some(Shape::None) => ("original", vec![everything(graph, Shape::None)]),
        Some(Shape::Parallelogram) => ("affine", vec![everything(graph, Shape::Parallelogram)]),
        Some(Shape::Scalene) | None => match greedy(scop, dataflow, graph, wishes)? {
            Some(groups) => ("greedy", groups),
            None => ("affine", vec![everything(graph, Shape::Parallelogram)]),
        },
    };
    for group in &mut groups {
        group.parallel = wishes.parallel;
        group.wavefront = wishes.wavefront;
        group.vectorise = wishes.vectorise;
        group.separate = wishes.separate;
        group.fuse = wishes.fuse.unwrap_or_default();
        if group.shape == Shape::Parallelogram {
            band_sizes(scop, group, wishes);
        }
    }
    Ok(RegionPlan {
        function: scop.function.clone(),
        index: scop.index,
        planner: planner.to_owned(),
        groups,
    })
}

/// Tile sizes of a group for the affine scheduler.
fn band_sizes(scop: &Scop, group: &mut Group, wishes: &Wishes) {
    if let Some(sizes) = &wishes.tile_sizes {
        group.tile_sizes.clone_from(sizes);
        return;
    }
    let depth = scop
        .statements
        .iter()
        .map(|s| s.iterators.len())
        .max()
        .unwrap_or(0);
    let last = defaults::BAND_TILES.len() - 1;
    group.tile_sizes = vec![defaults::BAND_TILES[depth.saturating_sub(2).min(last)]];
    group.vector_tile = defaults::VECTOR_TILE;
}

/// One group with every stage.
pub fn everything(graph: &StageGraph, shape: Shape) -> Group {
    Group::new(graph.stages.iter().map(|s| s.name.clone()).collect(), shape)
}

/// A group under construction: stages in textual order, the last one is the live-out one.
type Members = BTreeSet<StageId>;

/// Groups of a pipeline, or `None` where nothing can be fused with overlap.
fn greedy(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
) -> isl::Result<Option<Vec<Group>>> {
    if wishes.fuse == Some(Fuse::No) {
        return Ok(None);
    }
    let order = stage_order(scop, dataflow, graph)?;
    let Some(order) = order else { return Ok(None) };
    let local = may_be_local(scop, dataflow, graph)?;
    let mut groups: Vec<Members> = (0..graph.stages.len())
        .map(|s| Members::from([s]))
        .collect();
    'again: loop {
        for producer in 0..groups.len() {
            let Some(consumer) = only_consumer(graph, &groups, producer) else {
                continue;
            };
            if !groups[producer].iter().all(|&stage| local[stage]) {
                continue;
            }
            let merged: Members = groups[producer].union(&groups[consumer]).copied().collect();
            if !stays_ordered(&order, &groups, producer, consumer) {
                continue;
            }
            if overlapped(scop, graph, &merged, wishes)?.is_none() {
                continue;
            }
            groups[consumer] = merged;
            groups.remove(producer);
            continue 'again;
        }
        break;
    }
    if groups.iter().all(|g| g.len() == 1) {
        return Ok(None);
    }
    groups = sort_groups(&order, groups);
    let mut planned = Vec::new();
    for members in &groups {
        let names = members
            .iter()
            .map(|&s| graph.stages[s].name.clone())
            .collect();
        let Some((tiles, sizes)) =
            overlapped(scop, graph, members, wishes)?.filter(|_| members.len() > 1)
        else {
            planned.push(Group::new(names, Shape::Parallelogram));
            continue;
        };
        let mut group = Group::new(names, Shape::Scalene);
        group.tile_sizes = sizes;
        share_loops(scop, dataflow, graph, members, &tiles, &mut group)?;
        planned.push(group);
    }
    Ok(Some(planned))
}

/// Fuses point loops where that costs nothing, and keeps in registers what only its own nest
/// reads, in scratchpads the rest.
fn share_loops(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    members: &Members,
    tiles: &GroupTiles,
    group: &mut Group,
) -> isl::Result<()> {
    let stages: Vec<StageId> = members.iter().copied().collect();
    let nests = pointwise::nests(scop, dataflow, graph, &stages, tiles)?;
    let name = |s: StageId| graph.stages[s].name.clone();
    for nest in &nests {
        for &stage in nest.iter().filter(|&&s| Some(&s) != members.last()) {
            if nest.len() > 1 && graph.consumers(stage).all(|c| nest.contains(&c)) {
                group.registers.push(name(stage));
            } else {
                group.local.push(name(stage));
            }
        }
    }
    group.nests = nests
        .iter()
        .map(|nest| nest.iter().map(|&s| name(s)).collect())
        .collect();
    Ok(())
}

/// All dependences between different stages as pairs, or `None` where they form a cycle or run
/// against the textual order of stages (a time loop around several stages).
fn stage_order(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
) -> isl::Result<Option<Vec<(StageId, StageId)>>> {
    let stage_of = |statement: &str| {
        let id = scop.statement_named(statement)?;
        graph.stages.iter().position(|s| s.statements.contains(&id))
    };
    let mut pairs = BTreeSet::new();
    for map in dataflow.all()?.maps()? {
        let from = stage_of(&map.get_tuple_name(isl::DimType::In)?);
        let to = stage_of(&map.get_tuple_name(isl::DimType::Out)?);
        if let (Some(from), Some(to)) = (from, to) {
            if from > to {
                return Ok(None);
            }
            if from != to {
                pairs.insert((from, to));
            }
        }
    }
    Ok(Some(pairs.into_iter().collect()))
}

/// The one group that reads what `producer` computes.
fn only_consumer(graph: &StageGraph, groups: &[Members], producer: usize) -> Option<usize> {
    let mut found = None;
    for &stage in &groups[producer] {
        for consumer in graph.consumers(stage) {
            let group = groups.iter().position(|g| g.contains(&consumer))?;
            if group != producer {
                if found.is_some_and(|f| f != group) {
                    return None;
                }
                found = Some(group);
            }
        }
    }
    found
}

/// Per stage, whether its array may live in a scratchpad: dead after the region, and never read
/// where the region has not written.
fn may_be_local(scop: &Scop, dataflow: &Dataflow, graph: &StageGraph) -> isl::Result<Vec<bool>> {
    let mut read_before = BTreeSet::new();
    for cells in dataflow.live_in.range()?.sets()? {
        read_before.insert(cells.get_tuple_name()?);
    }
    Ok(graph
        .stages
        .iter()
        .map(|stage| match stage.arrays[..] {
            [array] => !stage.live_out && !read_before.contains(&scop.arrays[array].name),
            _ => false,
        })
        .collect())
}

/// Whether the groups can still be put in order when two of them become one: no third group lies
/// on a path between them.
fn stays_ordered(order: &[(StageId, StageId)], groups: &[Members], a: usize, b: usize) -> bool {
    let group_of = |stage: StageId| groups.iter().position(|g| g.contains(&stage));
    let mut reached = vec![false; groups.len()];
    let mut work: Vec<usize> = Vec::new();
    let successors = |g: usize| {
        order.iter().filter_map(move |&(from, to)| {
            (group_of(from) == Some(g))
                .then(|| group_of(to))
                .flatten()
                .filter(|&t| t != g)
        })
    };
    work.extend(successors(a).filter(|&g| g != b));
    while let Some(g) = work.pop() {
        if g == b {
            return false;
        }
        if !std::mem::replace(&mut reached[g], true) {
            work.extend(successors(g));
        }
    }
    true
}

/// Tiles of a group and the sizes they were computed with, where its overlap is tolerable.
fn overlapped(
    scop: &Scop,
    graph: &StageGraph,
    members: &Members,
    wishes: &Wishes,
) -> isl::Result<Option<(GroupTiles, Vec<i64>)>> {
    let stages: Vec<StageId> = members.iter().copied().collect();
    let Some(&out) = stages.last() else {
        return Ok(None);
    };
    let sizes = pipeline_sizes(scop, graph, out, wishes);
    match group_tiles(scop, graph, &stages, out, &sizes) {
        Ok(tiles) => {
            let tolerable = tiles
                .footprints
                .iter()
                .all(|f| f.overlap() <= wishes.overlap_tolerance);
            Ok(tolerable.then_some((tiles, sizes)))
        }
        Err(crate::analysis::footprint::NoFootprint::Isl(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Tile sizes for the dimensions of the live-out stage.
fn pipeline_sizes(scop: &Scop, graph: &StageGraph, out: StageId, wishes: &Wishes) -> Vec<i64> {
    let rank = graph.stages[out]
        .arrays
        .first()
        .map_or(0, |&a| scop.arrays[a].extents.len());
    if let Some(sizes) = &wishes.tile_sizes {
        // As many as given for the innermost dimensions, outer ones one plane at a time.
        let mut all = vec![defaults::PIPELINE_OUTER_TILE; rank.saturating_sub(sizes.len())];
        all.extend(sizes.iter().skip(sizes.len().saturating_sub(rank)));
        return all;
    }
    let inner = defaults::PIPELINE_TILE;
    let mut all = vec![defaults::PIPELINE_OUTER_TILE; rank.saturating_sub(inner.len())];
    all.extend(inner.iter().skip(inner.len().saturating_sub(rank)));
    all
}

/// Groups in an order that every dependence allows, by their first stage where there is a choice.
fn sort_groups(order: &[(StageId, StageId)], mut groups: Vec<Members>) -> Vec<Members> {
    let mut sorted: Vec<Members> = Vec::new();
    while !groups.is_empty() {
        let ready = |g: &Members| {
            order.iter().all(|(from, to)| {
                !g.contains(to) || g.contains(from) || sorted.iter().any(|done| done.contains(from))
            })
        };
        let next = groups.iter().position(ready).unwrap_or(0);
        sorted.push(groups.remove(next));
    }
    sorted
}
