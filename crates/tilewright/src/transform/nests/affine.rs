//! Affine scheduling and rectangular tiling of general loop nests, the Pluto-like baseline.
//!
//! isl's scheduler finds permutable bands; bands of two or more loops are tiled; inside a tile a
//! parallel loop with unit stride is moved innermost for the vector unit; where no tile loop is
//! parallel the first two are skewed into wavefronts (Bondhugula et al., PLDI 2008, section 4). On a
//! device all tile loops are, and so are the points of a tile, which the threads of a block share.

use crate::analysis::dependences::carried;
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::reductions::{Reduction, loosened, sums};
use crate::analysis::stages::{Stage, StageGraph};
use crate::plan::{Affine, Fuse, Group, Jam, defaults};
use crate::scop::Scop;
use crate::scop::tree::{marks::Mark, walk};
use crate::transform::jam::jam;
use crate::transform::loops;
use crate::transform::loops::Annotate;
use crate::transform::nests::far::is_far;
use crate::transform::nests::restructured;
use crate::transform::nests::scheduled::{self, Among};
use crate::transform::nests::strides::{self, Score};
use crate::transform::nests::written;
use crate::transform::separate::FullTiles;
use crate::transform::{
    Buffer, BufferKind, Part, Piece, Scopes, TransformError, domain_of, statements_of, temporaries,
    unlifted,
};
use isl::{MultiUnionPwAff, MultiVal, ScheduleNode, ScheduleNodeType, UnionMap, Val};

/// The schedule of one group.
///
/// # Errors
/// isl's own, among them that the budget ran out.
pub(crate) fn transform(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    part: &Part,
    plan: &Affine,
    scopes: &mut Scopes,
) -> Result<Piece, TransformError> {
    restructured::check(plan)?;
    let group = part.group;
    let statements = statements_of(graph, &part.stages);
    let among = Among::of(scop, dataflow, domain_of(scop, &statements)?, &statements)?;
    let dependences = &among.all;
    let schedule = match plan.fuse {
        Fuse::Written => {
            let known = sums(scop);
            let named = |sum: &&Reduction| group.reorder.contains(&scop.arrays[sum.array].name);
            let loose: Vec<&Reduction> = known.iter().filter(named).collect();
            if loose.is_empty() {
                written::bands(scop, &statements, &plan.loops, dependences)?
            } else {
                let loose = loosened(scop, dataflow, &statements, &loose)?;
                written::bands(scop, &statements, &plan.loops, &loose)?
            }
        }
        fuse => scheduled::schedule(scop, dataflow, &statements, &among, fuse)?,
    };
    let mut made = Made::default();
    let jams = Jams {
        scop,
        graph,
        all: &plan.jam,
    };
    if is_far(&schedule)? {
        let words =
            "the loops of the schedule would run over very many iterations without statements";
        return Err(TransformError::Plan(words.to_owned()));
    }
    let node = tile_below(
        &schedule.get_root()?,
        scop,
        dependences,
        (group, plan, &jams),
        &mut made,
    )?;
    let schedule = node.root()?.get_schedule()?;
    let what = Annotate {
        parallel: group.parallel,
        nested: group.device.grid,
        simd: group.vectorise.then_some(scop),
        short: Some(scop),
        loose: None,
    };
    let schedule = loops::annotate(&schedule, dependences, what)?;
    let schedule = jams.done(&schedule.get_root()?)?.root()?.get_schedule()?;
    let accumulators = jams.accumulators(scopes);
    let schedule = made.full.separate(&schedule)?;
    let (schedule, buffers) = if plan.contract {
        temporaries::contract(scop, dataflow, &schedule, &statements, group, scopes)?
    } else {
        (schedule, Vec::new())
    };
    Ok(Piece {
        schedule,
        statements: unlifted(scop, &statements, part.number),
        buffers,
        accumulators,
        shared: Vec::new(),
        atomic: Vec::new(),
        tiled: made.tiled,
    })
}

/// The tiles of a group.
#[derive(Default)]
struct Made {
    full: FullTiles,
    /// As [`Piece::tiled`].
    tiled: Vec<Vec<i64>>,
}

/// Point loops that are unrolled and jammed.
struct Jams<'a> {
    scop: &'a Scop,
    graph: &'a StageGraph,
    all: &'a [Jam],
}

impl Jams<'_> {
    /// What the plan says of one of the stages below a node.
    fn of(&self, node: &ScheduleNode) -> Result<Option<&Jam>, TransformError> {
        let mut inside = Vec::new();
        for set in node.get_domain()?.sets()? {
            let statement = self.scop.statement_named(&set.get_tuple_name()?);
            let stage = |s: &&Stage| statement.is_some_and(|id| s.statements.contains(&id));
            inside.extend(self.graph.stages.iter().find(stage).map(|s| &s.name));
        }
        Ok(self.all.iter().find(|jam| inside.contains(&&jam.stage)))
    }

    /// Unrolls and jams point loops. Returns the node at the same position.
    fn done(&self, node: &ScheduleNode) -> Result<ScheduleNode, TransformError> {
        if Mark::of(node)? == Some(Mark::Points) {
            return Ok(match self.of(node)? {
                Some(Jam {
                    factors, columns, ..
                }) => jam(&node.child(0)?, factors, None, *columns)?.parent()?,
                None => node.clone(),
            });
        }
        walk::with_children(node, |child| self.done(child))
    }

    /// A buffer for each array that is added to in registers.
    fn accumulators(&self, scopes: &mut Scopes) -> Vec<Buffer> {
        let mut buffers: Vec<Buffer> = Vec::new();
        for Jam {
            stage,
            factors,
            columns,
        } in self.all.iter().filter(|jam| jam.columns > 0)
        {
            let rows = factors.iter().copied().filter(|&factor| factor > 1);
            let arrays = self.graph.stages.iter().filter(|s| s.name == *stage);
            for &array in arrays.flat_map(|stage| &stage.arrays) {
                if buffers.iter().all(|other| other.array != array) {
                    buffers.push(Buffer {
                        name: self.scop.arrays[array].name.clone(),
                        array,
                        kind: BufferKind::Accumulators {
                            scope: scopes.fresh(),
                            extents: [rows.clone().product(), *columns],
                        },
                    });
                }
            }
        }
        buffers
    }
}

/// Tiles the outermost tilable band of every path below `node`; returns the node in its place.
fn tile_below(
    node: &ScheduleNode,
    scop: &Scop,
    dependences: &UnionMap,
    (group, plan, jams): (&Group, &Affine, &Jams<'_>),
    made: &mut Made,
) -> Result<ScheduleNode, TransformError> {
    if node.get_type()? == ScheduleNodeType::Band {
        let members = node.band_n_member()?;
        let tilable = members >= 2 && node.band_get_permutable()?;
        if tilable && !plan.tile_sizes.iter().all(|&s| s == 0) {
            return tile_band(node, scop, dependences, (group, plan, jams), made);
        }
        if members >= 1 && !walk::has_loop(&node.child(0)?)? {
            return vector_loop_innermost(node, scop, dependences, group.vectorise);
        }
    }
    walk::with_children(node, |child| {
        tile_below(child, scop, dependences, (group, plan, jams), made)
    })
}

fn tile_band(
    node: &ScheduleNode,
    scop: &Scop,
    dependences: &UnionMap,
    (group, plan, jams): (&Group, &Affine, &Jams<'_>),
    made: &mut Made,
) -> Result<ScheduleNode, TransformError> {
    let parallel = carried::parallel_members(node, dependences, false)?;
    let vector = vector_member(node, scop, dependences, group.vectorise)?;
    let sizes = tile_sizes(node, plan, vector)?;
    let skew = group.parallel && plan.wavefront && !parallel.iter().any(|&p| p);
    made.tiled.push(numbers(&sizes)?);
    let mut whole = None;
    if plan.separate {
        let skew = if skew { summed(node, plan)? } else { 1 };
        whole = Some(full_tiles(node, &sizes, skew)?);
    }
    let mut node = node.band_tile(&sizes)?;
    // Below: the point loops.
    let points = node.child(0)?;
    let all = summed(&points, plan)? == points.band_n_member()?;
    node = if skew && plan.wavefront_points && all {
        points_along_wavefronts(&points, scop)?
    } else {
        let points = vector_loop_innermost(&points, scop, dependences, group.vectorise)?;
        match jams.of(&points)? {
            Some(jam) if jam.columns > 0 => sums_inside(&points, dependences)?,
            _ => points,
        }
    };
    if !plan.jam.is_empty() {
        node = Mark::Points.above(&node)?;
    }
    node = node.parent()?;
    if skew {
        node = wavefront(&node, summed(&node, plan)?)?;
    }
    match whole {
        Some(set) => made.full.mark(&node, set),
        None => Ok(node),
    }
}

/// Tiles of a band all of whose points are instances of every statement, as a set over the tile
/// loops' values, the first of which is the sum of `skew` of them.
fn full_tiles(
    node: &ScheduleNode,
    sizes: &MultiVal,
    skew: usize,
) -> Result<isl::Set, TransformError> {
    let members = node.band_n_member()?;
    let names =
        |prefix: &str| -> Vec<String> { (0..members).map(|m| format!("{prefix}{m}")).collect() };
    let (points, tiles) = (names("p"), names("t"));
    let mut inside = Vec::new();
    for m in 0..members {
        let size = sizes.get_at(m)?.to_i64().unwrap_or(defaults::WHOLE);
        inside.push(format!("{size} t{m} <= p{m} < {size} t{m} + {size}"));
    }
    let mut loops = tiles.clone();
    if skew > 1 {
        loops[0] = tiles[..skew].join(" + ");
    }
    let tile_of = isl::Map::read_from_str(
        node.ctx(),
        &format!(
            "{{ [{}] -> [{}] : {} }}",
            points.join(", "),
            tiles.join(", "),
            inside.join(" and ")
        ),
    )?;
    let loop_of = isl::Map::read_from_str(
        node.ctx(),
        &format!("{{ [{}] -> [{}] }}", tiles.join(", "), loops.join(", ")),
    )?;
    let schedule = node
        .band_get_partial_schedule_union_map()?
        .intersect_domain(&node.get_domain()?)?;
    let mut every: Option<isl::Set> = None;
    let mut partial: Option<isl::Set> = None;
    for map in schedule.maps()? {
        let range = anonymous(&map.range()?)?;
        let touched = range.apply(&tile_of)?;
        let missing = range.complement()?.apply(&tile_of)?;
        every = Some(match every {
            Some(e) => e.union(&touched)?,
            None => touched,
        });
        partial = Some(match partial {
            Some(p) => p.union(&missing)?,
            None => missing,
        });
    }
    match (every, partial) {
        (Some(every), Some(partial)) => {
            Ok(every.subtract(&partial)?.apply(&loop_of)?.coalesce()?)
        }
        _ => Ok(isl::Set::empty(&isl::Space::set_alloc(
            node.ctx(),
            0,
            members,
        )?)?),
    }
}

/// One size per band member; members beyond the plan's list get its last size, and a size of 0
/// keeps the loop whole (one tile).
fn tile_sizes(
    node: &ScheduleNode,
    plan: &Affine,
    vector: Option<usize>,
) -> Result<MultiVal, TransformError> {
    let mut sizes = MultiVal::zero(&node.band_get_space()?)?;
    let ctx = node.ctx();
    let count = node.band_n_member()?;
    for m in 0..count {
        let size = plan.tile_sizes.get(m).or(plan.tile_sizes.last());
        let size = size.copied().unwrap_or(0);
        let size = match vector {
            Some(v) if v == m && plan.vector_tile > 0 => plan.vector_tile,
            _ => size,
        };
        let size = if size > 0 { size } else { defaults::WHOLE };
        sizes = sizes.set_at(m, &Val::int_from_si(ctx, size)?)?;
    }
    Ok(sizes)
}

/// The sizes of a band's tiles; 0: whole.
fn numbers(sizes: &MultiVal) -> isl::Result<Vec<i64>> {
    let number = |m| -> isl::Result<i64> {
        let size = sizes.get_at(m)?.to_i64().unwrap_or(defaults::WHOLE);
        Ok(if size == defaults::WHOLE { 0 } else { size })
    };
    (0..sizes.size()?).map(number).collect()
}

/// Of how many members of a band the loop along wavefronts of tiles is the sum: two, so that one is
/// parallel behind it; on a device all of them, for as many blocks at a time as there can be, as long
/// as their bounds are found in seconds.
fn summed(node: &ScheduleNode, plan: &Affine) -> Result<usize, TransformError> {
    let members = node.band_n_member()?;
    Ok(
        if plan.wavefront_points && members <= defaults::WAVEFRONT_LOOPS {
            members
        } else {
            2
        },
    )
}

/// Replaces loops `(t0, t1, …)` by `(t0 + t1 + …, t1, …)`, where so many are in the sum: along a
/// wavefront these others are parallel, because a dependence has no negative component.
fn wavefront(node: &ScheduleNode, members: usize) -> Result<ScheduleNode, TransformError> {
    let partial = node.band_get_partial_schedule()?;
    let mut sum = partial.get_at(0)?;
    for member in 1..members {
        sum = sum.add(&partial.get_at(member)?)?;
    }
    let skewed = partial.set_at(0, &sum)?;
    Ok(node.delete()?.insert_partial_schedule(&skewed)?)
}

/// The points of a tile along wavefronts, under a mark ([`Mark::Wavefront`]): all loops but the
/// first are parallel, for the threads of a block. The loop with the best strides is innermost, the
/// one with the worst becomes the sum.
fn points_along_wavefronts(
    node: &ScheduleNode,
    scop: &Scop,
) -> Result<ScheduleNode, TransformError> {
    let members = node.band_n_member()?;
    let partial = node.band_get_partial_schedule()?;
    let mut order = Vec::new();
    for member in 0..members {
        order.push((strides::score(node, scop, &partial, member)?, member));
    }
    order.sort();
    let order: Vec<usize> = order.into_iter().map(|(_, member)| member).collect();
    let node = wavefront(&reorder(node, &partial, &order)?, members)?;
    Ok(Mark::Wavefront.above(&node)?)
}

/// Moves the parallel member with the best strides innermost, where the band is permutable.
fn vector_loop_innermost(
    node: &ScheduleNode,
    scop: &Scop,
    dependences: &UnionMap,
    vectorise: bool,
) -> Result<ScheduleNode, TransformError> {
    let members = node.band_n_member()?;
    let Some(chosen) =
        vector_member(node, scop, dependences, vectorise)?.filter(|&m| m + 1 != members)
    else {
        return Ok(node.clone());
    };
    let partial = node.band_get_partial_schedule()?;
    let mut order: Vec<usize> = (0..members).filter(|&m| m != chosen).collect();
    order.push(chosen);
    reorder(node, &partial, &order)
}

/// Moves the members that are not parallel behind those that are, in front of the last one, where
/// the band is permutable.
fn sums_inside(
    node: &ScheduleNode,
    dependences: &UnionMap,
) -> Result<ScheduleNode, TransformError> {
    if !node.band_get_permutable()? {
        return Ok(node.clone());
    }
    let parallel = carried::parallel_members(node, dependences, false)?;
    let last = parallel.len() - 1;
    let mut order: Vec<usize> = (0..last).collect();
    order.sort_by_key(|&member| !parallel[member]);
    order.push(last);
    reorder(node, &node.band_get_partial_schedule()?, &order)
}

/// The member of an innermost permutable band that is best as the vector loop: parallel, with the
/// best strides; where none is parallel, the one with the best strides, if they are any good.
fn vector_member(
    node: &ScheduleNode,
    scop: &Scop,
    dependences: &UnionMap,
    vectorise: bool,
) -> Result<Option<usize>, TransformError> {
    let members = node.band_n_member()?;
    let movable = members >= 2 && node.band_get_permutable()?;
    if !vectorise || !movable || walk::has_loop(&node.child(0)?)? {
        return Ok(None);
    }
    let parallel = carried::parallel_members(node, dependences, false)?;
    let partial = node.band_get_partial_schedule()?;
    let mut best: Option<((bool, Score), usize)> = None;
    for (m, &is_parallel) in parallel.iter().enumerate() {
        let score = (is_parallel, strides::score(node, scop, &partial, m)?);
        if (is_parallel || score.1.all > 0) && best.is_none_or(|(s, _)| score >= s) {
            best = Some((score, m));
        }
    }
    Ok(best.map(|(_, m)| m))
}

fn reorder(
    node: &ScheduleNode,
    partial: &MultiUnionPwAff,
    order: &[usize],
) -> Result<ScheduleNode, TransformError> {
    let mut permuted = partial.clone();
    for (to, &from) in order.iter().enumerate() {
        permuted = permuted.set_at(to, &partial.get_at(from)?)?;
    }
    Ok(node
        .delete()?
        .insert_partial_schedule(&permuted)?
        .band_set_permutable(1)?)
}

/// A set without the name of its tuple.
fn anonymous(set: &isl::Set) -> Result<isl::Set, TransformError> {
    Ok(if set.has_tuple_id()? {
        set.reset_tuple_id()?
    } else {
        set.clone()
    })
}
