//! Pipelines: groups of stages that are tiled with overlap, with all that a plan says of them.
//!
//! [`crate::planner::overlap::fusion`] decides which stages are a group and how large its tiles are; here follow the
//! shape, the loops that stages share, what lies in scratchpads and what in registers.

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::model::Model;
use crate::analysis::model::estimates::estimates;
use crate::analysis::overlap::alignment::{Alignment, align};
use crate::analysis::overlap::footprint::{Footprint, GroupTiles, NoFootprint, group_tiles};
use crate::analysis::overlap::pointwise;
use crate::analysis::overlap::wide;
use crate::analysis::stages::{Stage, StageGraph, StageId};
use crate::plan::{Fuse, Group, Interleave, Overlapped, Shape, Tiles, Trapezoids, defaults};
use crate::planner::cost::{Levels, Objective};
use crate::planner::jam;
use crate::planner::overlap::fusion::{Fused, Members, Problem, Why};
use crate::planner::overlap::hybrid;
use crate::planner::overlap::sizes::pipeline_sizes;
use crate::planner::overlap::{order, sharing};
use crate::planner::wishes::{Fusion, InnerTile, Wishes};
use crate::scop::{AccessKind, Scop, StatementId};
use std::collections::BTreeSet;

/// The groups of a pipeline in the order of execution, or `None` where nothing can be fused with
/// overlap.
///
/// # Errors
/// isl's own.
pub(crate) fn plan(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
) -> isl::Result<Option<(Vec<Group>, Why)>> {
    with_problem(scop, dataflow, graph, wishes, |problem| {
        found(problem, dataflow)
    })
}

/// What groups a pipeline has by the numbers alone, and why.
///
/// # Errors
/// isl's own.
pub(crate) fn why(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
) -> isl::Result<Option<Why>> {
    with_problem(scop, dataflow, graph, wishes, |problem| {
        let found = problem.fuse(wishes.pipelines.fusion, &BTreeSet::new(), &mut |_| true);
        Ok(found.map(|(_, why)| why))
    })
}

/// The problem that a region poses, where it is a pipeline.
fn with_problem<T>(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
    solve: impl FnOnce(&Problem) -> isl::Result<Option<T>>,
) -> isl::Result<Option<T>> {
    if wishes.fuse == Some(Fuse::No) {
        return Ok(None);
    }
    let order = stage_order(scop, dataflow, graph)?;
    let Some(order) = order else { return Ok(None) };
    let local = may_be_local(scop, dataflow, graph)?;
    let model = Model::new(scop, graph, &estimates(scop, &wishes.estimates)?)?;
    let problem = Problem {
        scop,
        graph,
        model: &model,
        order: &order,
        local: &local,
        wishes,
    };
    solve(&problem)
}

fn found(problem: &Problem, dataflow: &Dataflow) -> isl::Result<Option<(Vec<Group>, Why)>> {
    let wishes = problem.wishes;
    // Neither one slope per side nor ordinary tiles are in the numbers: pairs are merged and
    // looked at.
    let in_numbers = wishes.shape != Some(Shape::Polymage) && wishes.pipelines.overlap.is_none();
    let fusion = match wishes.pipelines.fusion {
        Fusion::Optimal | Fusion::Halide if !in_numbers => Fusion::Polymage,
        fusion => fusion,
    };
    if let Some(found) = grouped(problem, dataflow, fusion)? {
        return Ok(found.some());
    }
    // What few searches did not find is found pair by pair.
    let found = grouped(problem, dataflow, Fusion::Polymage)?;
    Ok(found.and_then(Found::some))
}

/// What a search for groups came to.
enum Found {
    /// No two stages can be fused.
    Nothing,
    Groups(Vec<Group>, Why),
}

impl Found {
    fn some(self) -> Option<(Vec<Group>, Why)> {
        match self {
            Found::Nothing => None,
            Found::Groups(groups, why) => Some((groups, why)),
        }
    }
}

/// The plans of the groups that a way to fuse comes to, or `None` where it takes too long: what
/// the numbers allow and the sets do not is found out group by group.
fn grouped(problem: &Problem, dataflow: &Dataflow, fusion: Fusion) -> isl::Result<Option<Found>> {
    let mut refused = BTreeSet::new();
    'again: for _ in 0..defaults::GROUPINGS_TRIED {
        let mut failed = None;
        let mut possible = |fused: &Fused| {
            tiles(problem, fused).map_or_else(
                |error| {
                    failed.get_or_insert(error);
                    false
                },
                |tiles| tiles.is_some(),
            )
        };
        let fused = problem.fuse(fusion, &refused, &mut possible);
        if let Some(error) = failed {
            return Err(error);
        }
        let Some((fused, why)) = fused else {
            return Ok(Some(Found::Nothing));
        };
        let alone = fused.iter().all(|group| group.members.len() == 1);
        // Where nothing is to be gained with overlap, the affine scheduler may fuse, unless every
        // stage is to be apart.
        if alone && fusion != Fusion::Apart {
            return Ok(Some(Found::Nothing));
        }
        let mut groups = Vec::new();
        for group in &fused {
            match one(problem, dataflow, group)? {
                Some(group) => groups.push(group),
                None => {
                    refused.insert(group.members.clone());
                    continue 'again;
                }
            }
        }
        return Ok(Some(Found::Groups(groups, why)));
    }
    Ok(None)
}

/// The plan for one group, or `None` where it cannot be tiled as was thought. Where tile sizes are
/// chosen for a device, they are halved, the largest first, until scratchpads fit.
fn one(problem: &Problem, dataflow: &Dataflow, fused: &Fused) -> isl::Result<Option<Group>> {
    let limit = match (problem.wishes.objective, &problem.wishes.tile_sizes) {
        (Objective::Device(device), None) => device.gpu.block_memory,
        _ => i64::MAX,
    };
    let mut fused = fused.clone();
    for _ in 0..=defaults::DEVICE_HALVINGS {
        let Some((group, needed)) = of_size(problem, dataflow, &fused)? else {
            return Ok(None);
        };
        if needed <= limit {
            return Ok(Some(group));
        }
        let largest = fused.sizes.iter_mut().flatten().max();
        match largest.filter(|size| **size > defaults::SMALLEST_DEVICE_TILE) {
            Some(size) => *size /= 2,
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// The same with the sizes that it has, and the bytes of its scratchpads.
fn of_size(
    problem: &Problem,
    dataflow: &Dataflow,
    fused: &Fused,
) -> isl::Result<Option<(Group, i64)>> {
    let Problem {
        scop,
        graph,
        wishes,
        ..
    } = *problem;
    let members: Vec<StageId> = fused.members.iter().copied().collect();
    let names = members.iter().map(|&s| graph.stages[s].name.clone());
    let names = names.collect();
    let (Some(sizes), Some(&out)) = (&fused.sizes, members.last()) else {
        let mut shapes = members.iter().map(|&s| alone(scop, graph, s));
        let shape = if shapes.all(|shape| shape == Shape::None) {
            Shape::None
        } else {
            Shape::Parallelogram
        };
        let mut group = Group::new(names, shape);
        // A histogram is faster when it takes turns between bins of several cells.
        if let Tiles::Written(tiles) = &mut group.tiles {
            tiles.spread = members.iter().any(|&s| scatters(scop, &graph.stages[s]));
        }
        return Ok(Some((group, 0)));
    };
    let Some((trapezoids, tiles)) = tiles(problem, fused)? else {
        return Ok(None);
    };
    let mut plan = Overlapped::new(trapezoids);
    plan.tile_sizes.clone_from(sizes);
    plan.tile_order = order::innermost(scop, graph, out, &members, &tiles)?;
    let nests = share_loops(problem, dataflow, &fused.members, &tiles, &mut plan)?;
    let alignment = match fused.ordinary {
        Some(ordinary) => {
            let turns = hybrid::turns(scop, graph, wishes, &nests, ordinary, &mut plan)?;
            let Some(alignment) = turns else {
                return Ok(None);
            };
            Some(alignment)
        }
        None => interleave(problem, fused, &nests, &tiles, &mut plan)?,
    };
    sharing::share(scop, graph, &nests, &tiles, alignment.as_ref(), &mut plan);
    // Sizes that were found for a cache or a device stay.
    let found = fused.levels.is_some() || matches!(wishes.objective, Objective::Device(_));
    if plan.trapezoids == Trapezoids::Scalene && !found {
        smaller_tiles(scop, graph, wishes, &fused.members, &mut plan);
    }
    let needed = sharing::bytes(scop, graph, &tiles, &plan);
    let mut group = Group::new(names, plan.shape());
    group.tiles = Tiles::Overlapped(plan);
    group.device.threads = fused.threads.map_or(Vec::new(), |threads| threads.to_vec());
    Ok(Some((group, needed)))
}

/// The tiles of a group as sets, and their sides; `None` where a stage has no constant bounds, is
/// the same in all tiles along some dimension, or overlaps more than is tolerable.
fn tiles(problem: &Problem, fused: &Fused) -> isl::Result<Option<(Trapezoids, GroupTiles)>> {
    let Problem {
        scop,
        graph,
        wishes,
        ..
    } = *problem;
    let members: Vec<StageId> = fused.members.iter().copied().collect();
    let (Some(&out), Some(sizes)) = (members.last(), &fused.sizes) else {
        return Ok(None);
    };
    let mut trapezoids = Trapezoids::Scalene;
    let mut tiles = match group_tiles(scop, graph, &members, out, sizes) {
        Ok(tiles) => tiles,
        Err(NoFootprint::Isl(error)) => return Err(error),
        Err(_) => return Ok(None),
    };
    // Only along ordinary tiles can scratchpads hold what has no constant bound.
    let foldable = usize::from(fused.ordinary.is_some());
    let mut footprints = tiles.footprints.iter();
    if footprints.any(|f| !f.still.is_empty() || f.unbounded().count() > foldable) {
        return Ok(None);
    }
    if wishes.shape == Some(Shape::Polymage) {
        match wide::widen(scop, graph, &tiles, out, sizes) {
            Ok(wide) => (trapezoids, tiles) = (Trapezoids::Polymage, wide),
            Err(NoFootprint::Isl(error)) => return Err(error),
            Err(_) => return Ok(None),
        }
    }
    let mut overlaps = tiles.footprints.iter().map(Footprint::overlap);
    let tolerable = overlaps.all(|overlap| overlap <= wishes.pipelines.overlap_tolerance);
    Ok(tolerable.then_some((trapezoids, tiles)))
}

/// All dependences between different stages as pairs, or `None` where they form a cycle or run
/// against the textual order of stages (a time loop around several stages).
fn stage_order(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
) -> isl::Result<Option<Vec<(StageId, StageId)>>> {
    let stage_of = |id: StatementId| graph.stages.iter().position(|s| s.statements.contains(&id));
    let mut pairs = BTreeSet::new();
    for pair in dataflow.pairs(scop)?.iter() {
        let (from, to) = (stage_of(pair.earlier), stage_of(pair.later));
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

/// Fuses point loops where that costs nothing, and keeps in registers what only its own nest
/// reads, in scratchpads the rest.
fn share_loops(
    problem: &Problem,
    dataflow: &Dataflow,
    members: &Members,
    tiles: &GroupTiles,
    plan: &mut Overlapped,
) -> isl::Result<Vec<Vec<StageId>>> {
    let Problem {
        scop,
        graph,
        wishes,
        ..
    } = *problem;
    let stages: Vec<StageId> = members.iter().copied().collect();
    let nests = if wishes.pipelines.share_loops {
        pointwise::nests(scop, dataflow, graph, &stages, tiles)?
    } else {
        pointwise::apart(&stages)
    };
    let name = |s: StageId| graph.stages[s].name.clone();
    for nest in &nests {
        for &stage in nest.iter().filter(|&&s| Some(&s) != members.last()) {
            if nest.len() > 1 && graph.consumers(stage).all(|c| nest.contains(&c)) {
                plan.registers.push(name(stage));
            } else {
                plan.local.push(name(stage));
            }
        }
    }
    plan.nests = nests
        .iter()
        .map(|nest| nest.iter().map(|&s| name(s)).collect())
        .collect();
    Ok(nests)
}

/// The sizes for scalene tiles, where stages cannot take turns; what is whole stays whole.
fn smaller_tiles(
    scop: &Scop,
    graph: &StageGraph,
    wishes: &Wishes,
    members: &Members,
    plan: &mut Overlapped,
) {
    let Some(&out) = members.last() else { return };
    let sizes = pipeline_sizes(scop, graph, out, wishes, false);
    for (mine, size) in plan.tile_sizes.iter_mut().zip(sizes) {
        if *mine != 0 {
            *mine = size;
        }
    }
}

/// Makes right trapezoids of the group, where its stages can take turns row by row: in the
/// outermost dimension that is tiled by more than one cell, the innermost one excepted, because
/// its loops are the vector loops. A dimension that is the only one is taken when asked for.
fn interleave(
    problem: &Problem,
    fused: &Fused,
    nests: &[Vec<StageId>],
    tiles: &GroupTiles,
    plan: &mut Overlapped,
) -> isl::Result<Option<Alignment>> {
    let Problem {
        scop,
        graph,
        wishes,
        ..
    } = *problem;
    let asked = wishes.shape == Some(Shape::Right)
        || matches!(wishes.pipelines.inner_tile, InnerTile::Rows(_));
    let sizes = &plan.tile_sizes;
    let long: Vec<usize> = (0..tiles.tiled.len())
        .filter(|&k| sizes[tiles.tiled[k]] > 1)
        .collect();
    let coordinate = match (wishes.shape, &long[..]) {
        (Some(Shape::Scalene | Shape::Polymage), _) | (_, []) => return Ok(None),
        (_, &[only]) if asked => only,
        (_, &[_]) => return Ok(None),
        (_, &[first, ..]) => first,
    };
    let dimension = tiles.tiled[coordinate];
    let rows = match inner_tile(wishes, fused.levels.as_ref(), dimension) {
        Some(Inner::Rows(rows)) if rows >= sizes[dimension] => return Ok(None),
        Some(Inner::Rows(rows)) => Some(rows),
        Some(Inner::Registers) => None,
        None => return Ok(None),
    };
    let Some(alignment) = align(scop, graph, nests, tiles, sizes, coordinate)? else {
        return Ok(None);
    };
    plan.trapezoids = Trapezoids::Right;
    let block = if wishes.processor.vectorise {
        jam::rows(scop, graph, nests, &alignment, rows, plan)?
    } else {
        rows.unwrap_or(1)
    };
    plan.interleave = vec![Interleave { dimension, block }];
    for footprint in &tiles.footprints {
        let name = &graph.stages[footprint.stage].name;
        let aligned = alignment.of(footprint.stage);
        let shrinks = aligned.is_some_and(|a| a.alive < footprint.extents[a.dimension]);
        if shrinks && plan.local.contains(name) {
            plan.folded.push(name.clone());
        }
    }
    Ok(Some(alignment))
}

/// The tiles inside a tile.
enum Inner {
    /// So many rows of the live-out stage.
    Rows(i64),
    /// As many as share loads in registers.
    Registers,
}

/// The tiles inside those of a group, along a dimension; `None`: one level.
fn inner_tile(wishes: &Wishes, levels: Option<&Levels>, dimension: usize) -> Option<Inner> {
    let first = |levels: &Levels| Inner::Rows(levels.first_cache[dimension].max(1));
    match (wishes.pipelines.inner_tile, wishes.objective, levels) {
        (InnerTile::None, ..) => None,
        (InnerTile::Rows(rows), ..) => Some(Inner::Rows(rows)),
        (InnerTile::FirstCache, _, levels) => levels.map(first),
        (InnerTile::Auto, Objective::Toplas(_), Some(levels)) => match wishes.shape {
            // Somebody wants turns.
            Some(Shape::Right) if !levels.two() => Some(Inner::Registers),
            _ => levels.two().then(|| first(levels)),
        },
        (InnerTile::Auto, ..) => Some(Inner::Registers),
    }
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
            [array] => {
                !stage.live_out
                    && !read_before.contains(&scop.arrays[array].name)
                    && !scatters(scop, stage)
            }
            _ => false,
        })
        .collect())
}

/// Whether a stage writes at places that depend on data (a histogram).
fn scatters(scop: &Scop, stage: &Stage) -> bool {
    let accesses = stage
        .statements
        .iter()
        .flat_map(|&s| &scop.statements[s].accesses);
    let mut writes = accesses.filter(|a| a.kind == AccessKind::Write);
    writes.any(|write| write.affine.iter().any(Option::is_none))
}

/// The plan for a stage that no other is fused with: where it is a reduction, its loops are worth
/// tiles of their own; what reads each cell's inputs once is run as written.
fn alone(scop: &Scop, graph: &StageGraph, stage: StageId) -> Shape {
    let known = |s: &StatementId| {
        let accesses = &scop.statements[*s].accesses;
        accesses
            .iter()
            .all(|a| a.affine.iter().all(Option::is_some))
    };
    let statements = &graph.stages[stage].statements;
    if graph.stages[stage].recursive && statements.iter().all(known) {
        Shape::Parallelogram
    } else {
        Shape::None
    }
}
