//! Planners: from the stage graph to a plan.
//!
//! [`plan`] follows PolyMage's greedy heuristic (TACO 2019, section 3.7): a group is fused into
//! its only consuming group, again and again, as long as overlap stays below a tolerance. What is
//! not a pipeline of stages goes to the affine scheduler as a whole.

pub use super::wishes::{Inline, Wishes};

use super::hybrid::{self, Ordinary};
use super::sizes::{is_given, is_short, pipeline_sizes};
use super::{Fuse, Group, Interleave, RegionPlan, Shape, defaults, jam, order, sharing};
use crate::analysis::alignment::{Alignment, align};
use crate::analysis::dataflow::Dataflow;
use crate::analysis::footprint::{Footprint, GroupTiles, GrowingTiles, NoFootprint};
use crate::analysis::pointwise;
use crate::analysis::stages::{Stage, StageGraph, StageId};
use crate::analysis::wide;
use crate::scop::{AccessKind, Scop, StatementId};
use std::collections::BTreeSet;

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
        Some(Shape::Scalene | Shape::Right | Shape::Polymage) | None => {
            let mut planned = greedy(scop, dataflow, graph, wishes)?;
            if planned.is_none() && wishes.overlap.is_some() {
                let full = Wishes {
                    overlap: None,
                    ..wishes.clone()
                };
                planned = greedy(scop, dataflow, graph, &full)?;
            }
            match planned {
                Some(groups) => ("greedy", groups),
                None => ("affine", vec![everything(graph, Shape::Parallelogram)]),
            }
        }
    };
    for group in &mut groups {
        group.parallel = wishes.parallel;
        group.wavefront = wishes.wavefront;
        group.vectorise = wishes.vectorise;
        group.separate = wishes.separate;
        group.fuse = wishes.fuse.unwrap_or_default();
        if group.shape == Shape::Parallelogram {
            band_sizes(scop, group, wishes);
            if wishes.vectorise && wishes.tile_sizes.is_none() {
                jam::products(scop, graph, group)?;
            }
        }
    }
    Ok(RegionPlan {
        function: scop.function.clone(),
        index: scop.index,
        planner: planner.to_owned(),
        tabulate: Vec::new(),
        inline: Vec::new(),
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
    let mut tiled: Vec<Option<Tiled>> = vec![None; groups.len()];
    let mut refused = BTreeSet::new();
    'again: loop {
        // Upwards from the last stages: a group grows by few stages at a time, and the tiles that
        // it has grow with it.
        for producer in (0..groups.len()).rev() {
            let Some(consumer) = only_consumer(graph, &groups, producer) else {
                continue;
            };
            if !groups[producer].iter().all(|&stage| local[stage]) {
                continue;
            }
            let pair = (groups[producer].clone(), groups[consumer].clone());
            if refused.contains(&pair) || !stays_ordered(&order, &groups, producer, consumer) {
                continue;
            }
            let (producers, consumers) = &pair;
            let before = tiled[consumer].as_ref();
            let Some(more) = fused(scop, graph, wishes, before, producers, consumers)? else {
                refused.insert(pair);
                continue;
            };
            groups[consumer] = producers | consumers;
            tiled[consumer] = Some(more);
            groups.remove(producer);
            tiled.remove(producer);
            continue 'again;
        }
        break;
    }
    if groups.iter().all(|g| g.len() == 1) {
        return Ok(None);
    }
    let mut planned = Vec::new();
    for number in sorted(&order, &groups) {
        let members = &groups[number];
        let names = members
            .iter()
            .map(|&s| graph.stages[s].name.clone())
            .collect();
        let Some(Tiled {
            tiles,
            sizes,
            ordinary,
        }) = tiled[number].take()
        else {
            let mut shapes = members.iter().map(|&s| alone(scop, graph, s));
            let shape = match shapes.all(|shape| shape == Shape::None) {
                true => Shape::None,
                false => Shape::Parallelogram,
            };
            let mut group = Group::new(names, shape);
            // A histogram is faster when it takes turns between bins of several cells.
            group.spread = members.iter().any(|&s| scatters(scop, &graph.stages[s]));
            planned.push(group);
            continue;
        };
        let mut tiles = match tiles.finish(scop) {
            Ok(tiles) => tiles,
            Err(NoFootprint::Isl(error)) => return Err(error),
            Err(_) => {
                planned.push(Group::new(names, Shape::None));
                continue;
            }
        };
        let mut group = Group::new(names, Shape::Scalene);
        if let (Some(Shape::Polymage), Some(&out)) = (wishes.shape, members.last()) {
            match wide::widen(scop, graph, &tiles, out, &sizes) {
                Ok(wide) => (group.shape, tiles) = (Shape::Polymage, wide),
                Err(NoFootprint::Isl(error)) => return Err(error),
                Err(_) => {}
            }
        }
        group.tile_sizes = sizes;
        if let Some(&out) = members.last() {
            let members: Vec<StageId> = members.iter().copied().collect();
            group.tile_order = order::innermost(scop, graph, out, &members, &tiles)?;
        }
        let nests = share_loops(scop, dataflow, graph, members, &tiles, &mut group)?;
        let alignment = match ordinary {
            Some(ordinary) => {
                let turns = hybrid::turns(scop, graph, wishes, &nests, ordinary, &mut group)?;
                let Some(alignment) = turns else {
                    return Ok(None);
                };
                Some(alignment)
            }
            None => interleave(scop, graph, wishes, &nests, &tiles, &mut group)?,
        };
        sharing::share(scop, graph, &nests, &tiles, alignment.as_ref(), &mut group);
        if group.shape == Shape::Scalene {
            smaller_tiles(scop, graph, wishes, members, &mut group);
        }
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
) -> isl::Result<Vec<Vec<StageId>>> {
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
    Ok(nests)
}

/// The sizes for scalene tiles, where stages cannot take turns; what is whole stays whole.
fn smaller_tiles(
    scop: &Scop,
    graph: &StageGraph,
    wishes: &Wishes,
    members: &Members,
    group: &mut Group,
) {
    let Some(&out) = members.last() else { return };
    let sizes = pipeline_sizes(scop, graph, out, wishes, false);
    for (mine, size) in group.tile_sizes.iter_mut().zip(sizes) {
        if *mine != 0 {
            *mine = size;
        }
    }
}

/// Makes right trapezoids of the group, where its stages can take turns row by row: in the
/// outermost dimension that is tiled by more than one cell, the innermost one excepted, because
/// its loops are the vector loops. A dimension that is the only one is taken when asked for.
fn interleave(
    scop: &Scop,
    graph: &StageGraph,
    wishes: &Wishes,
    nests: &[Vec<StageId>],
    tiles: &GroupTiles,
    group: &mut Group,
) -> isl::Result<Option<Alignment>> {
    let sizes = &group.tile_sizes;
    let long: Vec<usize> = (0..tiles.tiled.len())
        .filter(|&k| sizes[tiles.tiled[k]] > 1)
        .collect();
    let coordinate = match (wishes.shape, &long[..]) {
        (Some(Shape::Scalene | Shape::Polymage), _) | (_, []) => return Ok(None),
        (Some(Shape::Right), &[only]) => only,
        (_, &[_]) => return Ok(None),
        (_, &[first, ..]) => first,
    };
    let Some(alignment) = align(scop, graph, nests, tiles, sizes, coordinate)? else {
        return Ok(None);
    };
    group.shape = Shape::Right;
    let block = match wishes.vectorise {
        true => jam::rows(scop, graph, nests, &alignment, group)?,
        false => 1,
    };
    group.interleave = vec![Interleave {
        dimension: tiles.tiled[coordinate],
        block,
    }];
    for footprint in &tiles.footprints {
        let name = &graph.stages[footprint.stage].name;
        let aligned = alignment.of(footprint.stage);
        let shrinks = aligned.is_some_and(|a| a.alive < footprint.extents[a.dimension]);
        if shrinks && group.local.contains(name) {
            group.folded.push(name.clone());
        }
    }
    Ok(Some(alignment))
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
    match graph.stages[stage].recursive && statements.iter().all(known) {
        true => Shape::Parallelogram,
        false => Shape::None,
    }
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

/// Tiles of a group and the sizes they were computed with.
#[derive(Clone)]
struct Tiled {
    tiles: GrowingTiles,
    /// 0 in the dimension of `ordinary`.
    sizes: Vec<i64>,
    ordinary: Option<Ordinary>,
}

/// Tiles of two groups as one, where the overlap is tolerable. `before`: those of the consumers.
///
/// A dimension of constant extent along which some stage is the same for all tiles (the channels
/// of a picture whose luminance is computed first) is kept whole, and so is one along which tiles
/// overlap too much (colours that are divided by an alpha channel, which is the last of them).
fn fused(
    scop: &Scop,
    graph: &StageGraph,
    wishes: &Wishes,
    before: Option<&Tiled>,
    producers: &Members,
    consumers: &Members,
) -> isl::Result<Option<Tiled>> {
    let Some(&out) = consumers.last() else {
        return Ok(None);
    };
    let producers: Vec<StageId> = producers.iter().copied().collect();
    let consumers: Vec<StageId> = consumers.iter().copied().collect();
    let begin = |sizes: &[i64]| {
        let mut tiles = GrowingTiles::new(scop, graph, out, sizes)?;
        tiles.add(scop, graph, &consumers)?;
        Ok::<GrowingTiles, NoFootprint>(tiles)
    };
    let (mut sizes, ordinary) = match before {
        Some(before) => (before.sizes.clone(), before.ordinary),
        None => {
            let right = wishes.shape != Some(Shape::Scalene);
            hybrid::split(wishes, pipeline_sizes(scop, graph, out, wishes, right))
        }
    };
    let mut grown = before.map_or_else(|| begin(&sizes), |before| Ok(before.tiles.clone()));
    loop {
        let added = grown.and_then(|mut tiles| {
            tiles.add(scop, graph, &producers)?;
            Ok(tiles)
        });
        let tiles = match added {
            Ok(tiles) => tiles,
            Err(NoFootprint::Isl(error)) => return Err(error),
            Err(_) => return Ok(None),
        };
        let known = tiles.so_far();
        let still = known.footprints.iter().flat_map(|f| &f.still);
        if let Some(dimension) = still.map(|&k| known.tiled[k]).next() {
            if is_given(scop, graph, out, wishes, dimension)
                || !is_short(scop, graph, out, dimension)?
            {
                return Ok(None);
            }
            sizes[dimension] = 0;
            grown = begin(&sizes);
            continue;
        }
        // Only along ordinary tiles can scratchpads hold what has no constant bound.
        let foldable = usize::from(ordinary.is_some());
        if known
            .footprints
            .iter()
            .any(|f| f.unbounded().count() > foldable)
        {
            return Ok(None);
        }
        let wide = match wishes.shape {
            Some(Shape::Polymage) => Some(wide::widen(scop, graph, known, out, &sizes)),
            _ => None,
        };
        let footprints = match &wide {
            None => &known.footprints,
            Some(Ok(wide)) => &wide.footprints,
            Some(Err(NoFootprint::Isl(error))) => return Err(error.clone()),
            Some(Err(_)) => return Ok(None),
        };
        let mut overlaps = footprints.iter().map(Footprint::overlap);
        if overlaps.all(|overlap| overlap <= wishes.overlap_tolerance) {
            return Ok(Some(Tiled {
                tiles,
                sizes,
                ordinary,
            }));
        }
        let Some(dimension) = short_overlap(scop, graph, wishes, out, known)? else {
            return Ok(None);
        };
        sizes[dimension] = 0;
        grown = begin(&sizes);
    }
}

/// A dimension that is tiled and short, and along which what tiles compute overlaps.
fn short_overlap(
    scop: &Scop,
    graph: &StageGraph,
    wishes: &Wishes,
    out: StageId,
    tiles: &GroupTiles,
) -> isl::Result<Option<usize>> {
    for (coordinate, &dimension) in tiles.tiled.iter().enumerate() {
        if is_given(scop, graph, out, wishes, dimension) {
            continue;
        }
        let mut overlaps = false;
        for footprint in &tiles.footprints {
            overlaps |= footprint.overlaps_along(coordinate)?;
        }
        if overlaps && is_short(scop, graph, out, dimension)? {
            return Ok(Some(dimension));
        }
    }
    Ok(None)
}

/// The numbers of the groups in an order that every dependence allows, by their first stage where
/// there is a choice.
fn sorted(order: &[(StageId, StageId)], groups: &[Members]) -> Vec<usize> {
    let mut waiting: Vec<usize> = (0..groups.len()).collect();
    let mut sorted: Vec<usize> = Vec::new();
    while !waiting.is_empty() {
        let ready = |&g: &usize| {
            order.iter().all(|(from, to)| {
                !groups[g].contains(to)
                    || groups[g].contains(from)
                    || sorted.iter().any(|&done| groups[done].contains(from))
            })
        };
        let next = waiting.iter().position(ready).unwrap_or(0);
        sorted.push(waiting.remove(next));
    }
    sorted
}
