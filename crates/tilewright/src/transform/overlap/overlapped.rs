//! Overlapped tiling of one group: scalene and right trapezoids (Zhao & Cohen, TACO 2019,
//! sections 3.1 to 3.4).
//!
//! Where the paper puts expansion nodes below the point loops, the tree here is built at once
//! over the expanded instances, lifted by their tile's coordinates (`S[t, i]`): what
//! `isl_schedule_expand` would give, as a plain tree that every isl analysis accepts.
//!
//! ```text
//! domain  { S[t, i] }
//!   band  [t…]            mark parallel
//!     mark scope:k
//!       band  [date…]     right trapezoids: loops that all nests share
//!       sequence over nests
//!         the stage's own loops, as they were written
//!         or, for a nest of several stages, their common loops:
//!           band [i…]       mark simd on the innermost
//!             mark scope:n
//!               sequence over stages
//! ```

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::overlap::alignment::Alignment;
use crate::analysis::overlap::footprint::{GroupTiles, NoFootprint};
use crate::analysis::stages::{StageGraph, StageId};
use crate::plan::{Jam, Overlapped};
use crate::scop::tree::{marks::Mark, walk};
use crate::scop::{Scop, StatementId, Tree, in_sequence};
use crate::transform::jam::jam;
use crate::transform::loops;
use crate::transform::loops::Annotate;
use crate::transform::overlap::interleaved::{Dates, dates};
use crate::transform::overlap::sharing::shared;
use crate::transform::separate::FullTiles;
use crate::transform::{
    Buffer, BufferKind, Lifted, Part, Piece, Scopes, TransformError, restrict_tree, shaped_tiles,
};
use isl::{
    AstLoopType, DimType, Map, MultiUnionPwAff, Schedule, UnionMap, UnionPwMultiAff, UnionSet,
};

/// The schedule and the scratchpads of group number `number`.
///
/// # Errors
/// [`TransformError::Plan`] where the group cannot be tiled like this, with the reason.
pub(crate) fn transform(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    part: &Part,
    plan: &Overlapped,
    scopes: &mut Scopes,
) -> Result<Piece, TransformError> {
    let Part {
        number,
        group,
        stages,
    } = part;
    let number = *number;
    let tiles = shaped_tiles(scop, graph, plan, stages).map_err(|reason| explain(graph, reason))?;
    let nests = nests_of(graph, plan, stages)?;
    let dates = dates(scop, graph, plan, stages, &nests, &tiles)?;
    let mut buffers = scratchpads(scop, graph, plan, stages, &tiles, &dates, number)?;

    let mut statements = Vec::new();
    for (statement, instances) in &tiles.instances {
        statements.push(lift(
            scop,
            *statement,
            instances,
            number,
            tiles.tiled.len(),
        )?);
    }

    let tree = Tree::of(&scop.schedule)?;
    let mut parts = Vec::new();
    for nest in nests {
        let lifted: Vec<&Lifted> = nest
            .iter()
            .flat_map(|&stage| &graph.stages[stage].statements)
            .filter_map(|id| statements.iter().find(|l| l.statement == *id))
            .collect();
        let own = match nest[..] {
            [stage] => {
                let statements = &graph.stages[stage].statements;
                let own =
                    stage_schedule(scop, dataflow, tree.as_ref(), group.vectorise, statements)?;
                lift_schedule(scop, &own, &lifted)?
            }
            _ => {
                let scope = scopes.fresh();
                buffers.extend(registers(
                    scop,
                    graph,
                    plan,
                    &nest,
                    tiles.tiled.len(),
                    scope,
                )?);
                nest_schedule(scop, group.vectorise, &lifted, scope)?
            }
        };
        let own = jammed(scop, graph, &plan.jam, &nest, &lifted, &dates, &own)?;
        parts.push(own);
    }
    let schedule = in_sequence(parts)?
        .ok_or_else(|| TransformError::Plan("a group has no statements".to_owned()))?;
    let schedule = insert_dates(scop, graph, &schedule, &statements, &dates)?;
    let schedule = insert_tile_loops(scop, graph, &schedule, &statements, &tiles, part, plan)?;
    let shared = shared(scop, plan, &buffers, number)?;
    Ok(Piece {
        schedule,
        statements,
        buffers,
        accumulators: Vec::new(),
        shared,
        atomic: Vec::new(),
        tiled: Vec::new(),
    })
}

/// The dimension along which the stages of a right trapezoid take turns, and how they are aligned
/// there; `None` for other groups, and where the plan is refused.
///
/// # Errors
/// isl's own.
pub(crate) fn turns(
    scop: &Scop,
    graph: &StageGraph,
    plan: &Overlapped,
    stages: &[StageId],
) -> isl::Result<Option<(usize, Alignment)>> {
    let Some(along) = plan.interleave.first() else {
        return Ok(None);
    };
    let found = || -> Result<Option<Alignment>, TransformError> {
        let tiles =
            shaped_tiles(scop, graph, plan, stages).map_err(|reason| explain(graph, reason))?;
        let nests = nests_of(graph, plan, stages)?;
        let dates = dates(scop, graph, plan, stages, &nests, &tiles)?;
        Ok(dates.into_iter().next().map(|dates| dates.alignment))
    };
    match found() {
        Ok(alignment) => Ok(alignment.map(|alignment| (along.dimension, alignment))),
        Err(TransformError::Isl(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// The plan's nests with their stages found; stages in none have one of their own.
fn nests_of(
    graph: &StageGraph,
    plan: &Overlapped,
    stages: &[StageId],
) -> Result<Vec<Vec<StageId>>, TransformError> {
    let mut nests = Vec::new();
    let mut placed = Vec::new();
    for names in &plan.nests {
        let mut nest = Vec::new();
        for name in names {
            let stage = stages
                .iter()
                .copied()
                .find(|&s| graph.stages[s].name == *name);
            let Some(stage) = stage.filter(|s| !placed.contains(s)) else {
                return Err(TransformError::Plan(format!(
                    "`{name}` in `nests` is not a stage of its group, or is in two nests"
                )));
            };
            placed.push(stage);
            nest.push(stage);
        }
        if !nest.is_empty() {
            nests.push(nest);
        }
    }
    nests.extend(
        stages
            .iter()
            .filter(|s| !placed.contains(s))
            .map(|&s| vec![s]),
    );
    // Nests given apart from the rest may leave producers behind: order by their first stage
    // only where the plan names no nests.
    if plan.nests.is_empty() {
        nests.sort_by_key(|nest| stages.iter().position(|s| Some(s) == nest.first()));
    }
    Ok(nests)
}

/// One variable per stage that only its own nest reads.
fn registers(
    scop: &Scop,
    graph: &StageGraph,
    plan: &Overlapped,
    nest: &[StageId],
    tile_dims: usize,
    scope: usize,
) -> Result<Vec<Buffer>, TransformError> {
    let mut buffers = Vec::new();
    for &stage in nest
        .iter()
        .filter(|&&s| plan.registers.contains(&graph.stages[s].name))
    {
        let array = graph.stages[stage].arrays[0];
        let rank = scop.arrays[array].extents.len();
        let tile = isl::Space::set_alloc(&scop.ctx, 0, tile_dims)?;
        let zero = isl::Aff::zero_on_domain_space(&tile)?;
        let kind = BufferKind::Local {
            scope,
            origin: vec![zero; rank],
            extents: vec![1; rank],
            folded: vec![true; rank],
        };
        buffers.push(Buffer {
            name: scop.arrays[array].name.clone(),
            array,
            kind,
        });
    }
    Ok(buffers)
}

/// Common point loops over the statements' iterators, the statements in order inside.
fn nest_schedule(
    scop: &Scop,
    vectorise: bool,
    lifted: &[&Lifted],
    scope: usize,
) -> Result<Schedule, TransformError> {
    let mut schedule: Option<Schedule> = None;
    for one in lifted {
        let own = Schedule::from_domain(&UnionSet::from_set(&one.domain)?)?;
        schedule = Some(match schedule {
            Some(before) => before.sequence(&own)?,
            None => own,
        });
    }
    let schedule =
        schedule.ok_or_else(|| TransformError::Plan("a nest has no statements".to_owned()))?;
    let depth = lifted
        .iter()
        .map(|l| scop.statements[l.statement].iterators.len())
        .min()
        .unwrap_or(0);
    let same = lifted
        .iter()
        .all(|l| scop.statements[l.statement].iterators.len() == depth);
    if !same || depth == 0 {
        return Err(TransformError::Plan(
            "stages in one nest need the same loops".to_owned(),
        ));
    }
    let mut node = Mark::Scope(scope).above(&walk::top(&schedule)?)?;
    for k in (0..depth).rev() {
        node = node.insert_partial_schedule(&coordinate(scop, lifted.iter().copied(), |l| {
            l.tile_dims + k
        })?)?;
        if k + 1 == depth && vectorise {
            node = Mark::Simd.above(&node)?;
        }
    }
    Ok(node.get_schedule()?)
}

/// One dimension of lifted instances as a schedule. A function of all that has their tuple: isl
/// takes its time with domains, and the schedule tree has them once.
pub(crate) fn coordinate<'l>(
    scop: &Scop,
    statements: impl IntoIterator<Item = &'l Lifted>,
    dimension: impl Fn(&Lifted) -> usize,
) -> Result<MultiUnionPwAff, TransformError> {
    let mut all = UnionMap::empty_ctx(&scop.ctx)?;
    for lifted in statements {
        let dims = lifted.domain.dim(DimType::Set)?;
        let k = dimension(lifted);
        // Without parameters, which isl would align at every step.
        let map = lifted.space()?.drop_unused_params()?.identity()?;
        let map = map
            .project_out(DimType::Out, k + 1, dims - k - 1)?
            .project_out(DimType::Out, 0, k)?;
        all = all.union(&UnionMap::from_map(&map.reset_tuple_id(DimType::Out)?)?)?;
    }
    Ok(MultiUnionPwAff::from_union_map(&all)?)
}

fn explain(graph: &StageGraph, reason: NoFootprint) -> TransformError {
    let name = |stage: StageId| graph.stages[stage].name.clone();
    TransformError::Plan(match reason {
        NoFootprint::ManyArrays(s) => format!("stage {} writes more than one array", name(s)),
        NoFootprint::Recurrence(s) => format!("stage {} reads its own earlier values", name(s)),
        NoFootprint::Unbounded(s) => {
            format!(
                "what a tile needs of stage {} has no constant size; give a tile size for every dimension",
                name(s)
            )
        }
        NoFootprint::Empty => "the group computes nothing".to_owned(),
        NoFootprint::Isl(error) => return TransformError::Isl(error),
    })
}

/// One scratchpad per stage that the plan keeps tile-local.
fn scratchpads(
    scop: &Scop,
    graph: &StageGraph,
    plan: &Overlapped,
    stages: &[StageId],
    tiles: &GroupTiles,
    dates: &[Dates],
    number: usize,
) -> Result<Vec<Buffer>, TransformError> {
    if let Some(name) = plan.folded.iter().find(|n| !plan.local.contains(n)) {
        return Err(TransformError::Plan(format!(
            "{name} is in `folded`, but not in `local`"
        )));
    }
    let mut buffers = Vec::new();
    for name in &plan.local {
        let footprint = stages
            .iter()
            .find(|&&s| graph.stages[s].name == *name)
            .and_then(|&stage| tiles.footprints.iter().find(|f| f.stage == stage))
            .ok_or_else(|| {
                TransformError::Plan(format!(
                    "{name} is not a stage of this group that others in it read"
                ))
            })?;
        let mut extents = footprint.extents.clone();
        let mut folded = vec![false; extents.len()];
        if plan.folded.contains(name) {
            let along = dates.first().and_then(|d| d.alignment.of(footprint.stage));
            let along = along.ok_or_else(|| {
                TransformError::Plan(format!(
                    "the scratchpad of {name} can only be folded along an interleaved dimension"
                ))
            })?;
            let alive = along.folded(dates[0].turn);
            let unbounded = extents[along.dimension] == 0;
            if unbounded || alive < extents[along.dimension] {
                extents[along.dimension] = alive;
                folded[along.dimension] = true;
            }
        }
        if let Some(dimension) = extents.iter().position(|&extent| extent == 0) {
            return Err(TransformError::Plan(format!(
                "what a tile needs of stage {name} in dimension {dimension} of its array has no \
                 constant size; give a tile size for every dimension, or let the stages take turns \
                 along this one (`interleave`, the first one) and fold the scratchpad (`folded`)"
            )));
        }
        buffers.push(Buffer {
            name: scop.arrays[footprint.array].name.clone(),
            array: footprint.array,
            kind: BufferKind::Local {
                scope: number,
                origin: footprint.origin.clone(),
                extents,
                folded,
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
        bindings: scop.statements[statement]
            .accesses
            .iter()
            .map(|a| a.array)
            .collect(),
    })
}

/// The stage's statements in their original order, innermost parallel loops marked.
fn stage_schedule(
    scop: &Scop,
    dataflow: &Dataflow,
    tree: Option<&Tree>,
    vectorise: bool,
    statements: &[StatementId],
) -> Result<Schedule, TransformError> {
    let schedule = restrict_tree(scop, tree, statements)?;
    let what = Annotate {
        parallel: false,
        nested: 1,
        simd: vectorise.then_some(scop),
        short: None,
        loose: None,
    };
    let dependences = dataflow.among(scop, statements)?;
    Ok(loops::annotate(&schedule, &dependences, what)?)
}

/// The schedule of a nest, unrolled and jammed where the plan says so.
fn jammed(
    scop: &Scop,
    graph: &StageGraph,
    jams: &[Jam],
    nest: &[StageId],
    lifted: &[&Lifted],
    dates: &[Dates],
    schedule: &Schedule,
) -> Result<Schedule, TransformError> {
    let named = |name: &String| nest.iter().any(|&s| graph.stages[s].name == *name);
    let Some(Jam { factors, .. }) = jams.iter().find(|jam| named(&jam.stage)) else {
        return Ok(schedule.clone());
    };
    let strips = match (dates.last(), factors.last()) {
        (Some(dates), Some(&factor)) if factor > 1 => dates.strips(scop, graph, lifted, factor)?,
        _ => None,
    };
    let node = jam(&schedule.get_root()?, factors, strips.as_ref(), 0)?;
    Ok(node.get_schedule()?)
}

/// The same tree over lifted instances.
pub(crate) fn lift_schedule(
    scop: &Scop,
    schedule: &Schedule,
    lifted: &[&Lifted],
) -> Result<Schedule, TransformError> {
    let mut down = UnionMap::empty_ctx(&scop.ctx)?;
    let mut domain = UnionSet::empty_ctx(&scop.ctx)?;
    for one in lifted {
        down = down.union(&UnionMap::from_map(&one.projection(scop)?)?)?;
        domain = domain.union(&UnionSet::from_set(&one.domain)?)?;
    }
    let down = UnionPwMultiAff::from_union_map(&down)?;
    if let Some(tree) = Tree::of(schedule)? {
        let domains = lifted.iter().map(|l| (l.name.clone(), l.domain.clone()));
        if let Some(lifted) = tree.over(&domains.collect(), Some(&down))? {
            return Ok(lifted);
        }
    }
    Ok(schedule
        .pullback_union_pw_multi_aff(&down)?
        .intersect_domain(&domain)?)
}

/// The loops over dates, above the sequence of nests.
fn insert_dates(
    scop: &Scop,
    graph: &StageGraph,
    schedule: &Schedule,
    statements: &[Lifted],
    dates: &[Dates],
) -> Result<Schedule, TransformError> {
    let mut node = walk::top(schedule)?;
    for along in dates.iter().rev() {
        node = node.insert_partial_schedule(&along.member(scop, graph, statements)?)?;
        // One loop for all stages: the rows of a stage are few, and conditions on rows are cheap.
        node = node.band_member_set_ast_loop_type(0, AstLoopType::Atomic)?;
    }
    Ok(node.get_schedule()?)
}

fn insert_tile_loops(
    scop: &Scop,
    graph: &StageGraph,
    schedule: &Schedule,
    statements: &[Lifted],
    tiles: &GroupTiles,
    part: &Part,
    plan: &Overlapped,
) -> Result<Schedule, TransformError> {
    let mut node = Mark::Scope(part.number).above(&walk::top(schedule)?)?;
    for k in tile_order(tiles, plan)?.into_iter().rev() {
        let member = coordinate(scop, statements, |_| k)?;
        node = node.insert_partial_schedule(&member)?;
        node = node.band_member_set_coincident(0, 1)?;
        if part.group.parallel {
            node = Mark::Parallel.above(&node)?;
        }
    }
    if !plan.separate || tiles.tiled.is_empty() {
        return Ok(node.get_schedule()?);
    }
    let mut full = FullTiles::default();
    let whole = tiles
        .full(scop, graph)
        .map_err(|reason| explain(graph, reason))?;
    let marked = full.mark(&node, whole)?;
    full.separate(&marked.get_schedule()?)
}

/// The tile coordinates in the order of their loops, outermost first.
fn tile_order(tiles: &GroupTiles, plan: &Overlapped) -> Result<Vec<usize>, TransformError> {
    let mut last = Vec::new();
    for dimension in &plan.tile_order {
        let coordinate = tiles.tiled.iter().position(|d| d == dimension);
        match coordinate.filter(|k| !last.contains(k)) {
            Some(coordinate) => last.push(coordinate),
            None => {
                return Err(TransformError::Plan(format!(
                    "{dimension} in `tile-order` is not a tiled dimension, or is there twice"
                )));
            }
        }
    }
    let mut order: Vec<usize> = (0..tiles.tiled.len()).collect();
    order.retain(|k| !last.contains(k));
    order.extend(last);
    Ok(order)
}
