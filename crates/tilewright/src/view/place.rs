//! Where instances lie: their tile, their row, their position.

use super::bands::Drawn;
use crate::analysis::stages::{StageGraph, StageId};
use crate::compile::Region;
use crate::scop::{AccessKind, Scop, StatementId};
use crate::transform::{Lifted, Transformed};
use isl::{DimType, Map, ScheduleNode, ScheduleNodeType, Set, UnionPwAff};

/// Why a group cannot be drawn.
#[derive(Debug)]
pub(super) enum Missing {
    /// There is nothing to see; one clause.
    Nothing(String),
    /// Not along the dimension that was asked for.
    Dimension {
        /// One clause.
        reason: String,
        /// Dimensions along which it can be drawn.
        there_are: Vec<String>,
    },
    /// isl failed, or its budget ran out.
    Isl(isl::Error),
}

impl From<isl::Error> for Missing {
    fn from(error: isl::Error) -> Missing {
        Missing::Isl(error)
    }
}

/// A group with the tile of every instance.
pub(super) struct View<'r> {
    pub region: &'r Region,
    /// In the order of execution.
    pub stages: &'r [StageId],
    /// Its lifted statements.
    pub members: Vec<Member<'r>>,
    /// Whether values are needed by later iterations of the loops around all stages.
    pub iterated: bool,
    /// Whether tiles extend over time, in phases.
    pub over_time: bool,
    /// Where they overlap over time.
    pub bands: Option<Drawn>,
}

/// A lifted statement.
pub(super) struct Member<'r> {
    pub lifted: &'r Lifted,
    pub stage: StageId,
    /// Statements with different numbers have no tiles in common.
    pub nest: usize,
    /// Which of the statements that it is lifted to: tiles over time differ in that, too.
    pub phase: usize,
    /// Coordinates of its tile.
    pub tile: Vec<Coordinate>,
}

/// A coordinate of a tile.
#[derive(Clone, Debug)]
pub(super) struct Coordinate {
    /// From lifted instances to its value: `S[t, i] -> [k]`.
    pub value: Map,
    /// The iterators of the statement that it is computed from; empty where instances carry it.
    pub from: Vec<usize>,
}

/// Whether stages read themselves or each other in turn.
pub(super) fn may_be_iterated(graph: &StageGraph, stages: &[StageId]) -> bool {
    stages.iter().any(|&s| graph.stages[s].recursive) || is_cyclic(graph, stages)
}

fn is_cyclic(graph: &StageGraph, stages: &[StageId]) -> bool {
    let place = |stage: StageId| stages.iter().position(|&s| s == stage);
    graph.edges.iter().any(|&(producer, consumer)| {
        matches!((place(producer), place(consumer)), (Some(p), Some(c)) if p > c)
    })
}

impl<'r> View<'r> {
    pub fn new(
        region: &'r Region,
        transformed: &'r Transformed,
        number: usize,
        stages: &'r [StageId],
        over_time: bool,
    ) -> isl::Result<View<'r>> {
        let own = |lifted: &&Lifted| lifted.group == number;
        let mut computed = None;
        let mut members: Vec<Member> = Vec::new();
        for lifted in transformed.statements.iter().filter(own) {
            let stage_of = |&s: &StageId| {
                region.graph.stages[s]
                    .statements
                    .contains(&lifted.statement)
            };
            let Some(stage) = stages.iter().copied().find(stage_of) else {
                continue;
            };
            let (nest, tile) = if lifted.tile_dims > 0 {
                (0, carried(lifted)?)
            } else {
                if computed.is_none() {
                    computed = Some(TileLoops::of(transformed)?);
                }
                match &computed {
                    Some(loops) => loops.tile(lifted)?,
                    None => (0, Vec::new()),
                }
            };
            let same = |m: &&Member| m.lifted.statement == lifted.statement;
            let phase = members.iter().filter(same).count();
            members.push(Member {
                lifted,
                stage,
                nest,
                phase,
                tile,
            });
        }
        let carried = members.iter().any(|m| m.lifted.tile_dims > 0);
        let iterated = if carried {
            is_cyclic(&region.graph, stages) || reads_other_cells(region, stages)?
        } else {
            may_be_iterated(&region.graph, stages)
        };
        if members.iter().all(|member| member.tile.is_empty()) {
            // Then there is nothing to choose from, either.
            members.clear();
        }
        Ok(View {
            region,
            stages,
            members,
            iterated,
            over_time,
            bands: None,
        })
    }

    pub fn scop(&self) -> &'r Scop {
        &self.region.scop
    }

    /// The members of a stage.
    pub fn members_of(&self, stage: StageId) -> impl Iterator<Item = &Member<'r>> {
        self.members.iter().filter(move |m| m.stage == stage)
    }

    /// Parameter values of at least `least`, where the region allows that, for which the group
    /// executes something. None if there are none.
    pub fn parameters(&self, least: i64) -> isl::Result<Option<Parameters>> {
        let scop = self.scop();
        let names: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
        let all = format!("[{}] -> {{ : }}", names.join(", "));
        let model = Set::read_from_str(&scop.ctx, &all)?;
        let mut set = model.intersect(&scop.context)?;
        for member in &self.members {
            let runs = set.intersect(&member.lifted.domain.params()?)?;
            if !runs.is_empty()? {
                set = runs;
            }
        }
        let set = set.align_params(&model.get_space()?)?;
        let count = names.len();
        // A set of vectors of parameters.
        let mut set = set
            .from_params()?
            .move_dims(DimType::Set, 0, DimType::Param, 0, count)?;
        for dim in 0..count {
            let mut bound = least;
            while bound > 0 {
                let value = isl::Val::int_from_si(&scop.ctx, bound)?;
                let above = set.lower_bound_val(DimType::Set, dim, &value)?;
                if !above.is_empty()? {
                    set = above;
                    break;
                }
                bound /= 2;
            }
        }
        if set.is_empty()? {
            return Ok(None);
        }
        let first = set.lexmin().unwrap_or(set);
        let values = first.sample_point()?.coordinates()?;
        let named = names.iter().map(|&name| name.to_owned()).zip(values);
        Ok(Some(Parameters(named.collect())))
    }
}

/// Values of the parameters.
pub(super) struct Parameters(pub Vec<(String, i64)>);

impl Parameters {
    /// A set at these values, without parameters.
    pub fn fix(&self, set: &Set) -> isl::Result<Set> {
        let mut set = set.clone();
        for (name, value) in &self.0 {
            if let Some(at) = set.find_dim_by_name(DimType::Param, name)? {
                let value = isl::Val::int_from_si(set.ctx(), *value)?;
                set = set.fix_val(DimType::Param, at, &value)?;
            }
        }
        set.project_out_all_params()?.coalesce()
    }

    /// A map at these values, without parameters.
    pub fn fix_map(&self, map: &Map) -> isl::Result<Map> {
        let mut map = map.clone();
        for (name, value) in &self.0 {
            if let Some(at) = map.find_dim_by_name(DimType::Param, name)? {
                let value = isl::Val::int_from_si(map.ctx(), *value)?;
                map = map.fix_val(DimType::Param, at, &value)?;
            }
        }
        map.project_out(DimType::Param, 0, map.dim(DimType::Param)?)?
            .coalesce()
    }
}

/// Fixes a dimension of a set.
pub(super) fn fix(set: &Set, dim: usize, value: i64) -> isl::Result<Set> {
    let value = isl::Val::int_from_si(set.ctx(), value)?;
    set.fix_val(DimType::Set, dim, &value)
}

/// The least and the greatest value of a dimension; None where the set is empty or has no bounds.
pub(super) fn range(set: &Set, dim: usize) -> isl::Result<Option<(i64, i64)>> {
    if set.is_empty()? {
        return Ok(None);
    }
    let least = set.dim_min_val(dim)?.to_i64();
    let greatest = set.dim_max_val(dim)?.to_i64();
    Ok(least.zip(greatest))
}

/// All values of a dimension, in order.
pub(super) fn values(set: &Set, dim: usize) -> isl::Result<Vec<i64>> {
    let dims = set.dim(DimType::Set)?;
    let line = set
        .project_out(DimType::Set, dim + 1, dims - dim - 1)?
        .project_out(DimType::Set, 0, dim)?;
    let mut found = Vec::new();
    for point in line.points()? {
        found.extend(point.coordinates()?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// `S[i0, i1, …] -> [i_d, …]` for some dimensions, ascending.
pub(super) fn coordinates(domain: &Set, dims: &[usize]) -> isl::Result<Map> {
    let mut map = domain.identity()?;
    for dim in (0..domain.dim(DimType::Set)?).rev() {
        if !dims.contains(&dim) {
            map = map.project_out(DimType::Out, dim, 1)?;
        }
    }
    anonymous(&map)
}

/// The cells that a statement writes for its stage: `S[t, i] -> [x]`.
pub(super) fn cells(view: &View, member: &Member) -> isl::Result<Option<Map>> {
    let array = view.region.graph.stages[member.stage].arrays[0];
    let accesses = &view.scop().statements[member.lifted.statement].accesses;
    let Some(access) = accesses
        .iter()
        .position(|a| a.kind == AccessKind::Write && a.array == array)
    else {
        return Ok(None);
    };
    Ok(Some(anonymous(
        &member.lifted.access(view.scop(), access)?,
    )?))
}

/// The same for a statement that is not lifted: `S[i] -> [x]`.
pub(super) fn cells_of_original(
    region: &Region,
    stage: StageId,
    statement: StatementId,
) -> isl::Result<Option<Map>> {
    let array = region.graph.stages[stage].arrays[0];
    let accesses = &region.scop.statements[statement].accesses;
    let write = accesses
        .iter()
        .find(|a| a.kind == AccessKind::Write && a.array == array);
    write.map(|a| anonymous(&a.relation)).transpose()
}

/// A map whose range has no name.
fn anonymous(map: &Map) -> isl::Result<Map> {
    if map.has_tuple_id(DimType::Out)? {
        map.reset_tuple_id(DimType::Out)
    } else {
        Ok(map.clone())
    }
}

/// The tile coordinates that instances carry.
fn carried(lifted: &Lifted) -> isl::Result<Vec<Coordinate>> {
    (0..lifted.tile_dims)
        .map(|k| {
            Ok(Coordinate {
                value: coordinates(&lifted.domain, &[k])?,
                from: Vec::new(),
            })
        })
        .collect()
}

/// Whether a stage reads cells of its own array that other instances wrote, besides the one that
/// it writes itself.
fn reads_other_cells(region: &Region, stages: &[StageId]) -> isl::Result<bool> {
    let stage_of = |statement: StatementId| {
        stages
            .iter()
            .copied()
            .find(|&s| region.graph.stages[s].statements.contains(&statement))
    };
    for edge in &region.dataflow.edges {
        let Some(stage) = stage_of(edge.reader) else {
            continue;
        };
        if edge.array != region.graph.stages[stage].arrays[0] {
            continue;
        }
        let Some(written) = cells_of_original(region, stage, edge.reader)? else {
            continue;
        };
        let access = &region.scop.statements[edge.reader].accesses[edge.access];
        if !anonymous(&access.relation)?.is_subset(&written)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The tile loops of a schedule tree: members of bands that divide.
struct TileLoops {
    /// For every leaf its statements' instances, the number of its tile band and its tile loops
    /// from the outside to the inside.
    leaves: Vec<(isl::UnionSet, usize, Vec<UnionPwAff>)>,
}

impl TileLoops {
    fn of(transformed: &Transformed) -> isl::Result<TileLoops> {
        let mut loops = TileLoops { leaves: Vec::new() };
        let mut bands = 0;
        let root = transformed.schedule.get_root()?;
        loops.collect(&root, &mut bands, 0, &[])?;
        Ok(loops)
    }

    fn collect(
        &mut self,
        node: &ScheduleNode,
        bands: &mut usize,
        mut nest: usize,
        above: &[UnionPwAff],
    ) -> isl::Result<()> {
        let mut above = above.to_vec();
        if node.get_type()? == ScheduleNodeType::Band {
            for member in node.band_get_partial_schedule()?.elements()? {
                if divisions(&member)? > 0 {
                    *bands += 1;
                    nest = *bands;
                    above.push(member);
                }
            }
        }
        let children = node.children()?;
        if children.is_empty() && !above.is_empty() {
            let straight = straighten(&above)?;
            self.leaves.push((node.get_domain()?, nest, straight));
        }
        for child in &children {
            self.collect(child, bands, nest, &above)?;
        }
        Ok(())
    }

    /// The tile of a statement's instances; of several tilings, the first.
    fn tile(&self, lifted: &Lifted) -> isl::Result<(usize, Vec<Coordinate>)> {
        let own = isl::UnionSet::from_set(&lifted.domain)?;
        let space = lifted.domain.get_space()?.from_domain()?;
        let space = space.add_dims(DimType::Out, 1)?;
        for (domain, nest, loops) in &self.leaves {
            if domain.intersect(&own)?.is_empty()? {
                continue;
            }
            let mut tile = Vec::new();
            for one in loops {
                let value = one.extract_pw_aff(&space)?;
                let iterators = lifted.domain.dim(DimType::Set)?;
                let mut from = Vec::new();
                for i in 0..iterators {
                    if value.involves_dims(DimType::In, i, 1)? {
                        from.push(i);
                    }
                }
                let value = Map::from_pw_aff(&value)?.intersect_domain(&lifted.domain)?;
                tile.push(Coordinate { value, from });
            }
            return Ok((*nest, tile));
        }
        Ok((0, Vec::new()))
    }
}

/// How many divisions an expression has, at most, for one statement.
fn divisions(value: &UnionPwAff) -> isl::Result<usize> {
    let mut most = 0;
    for part in value.pw_affs()? {
        for (_, aff) in part.pieces()? {
            most = most.max(aff.dim(DimType::Div)?);
        }
    }
    Ok(most)
}

/// Tile loops whose first one runs along a wavefront (the sum of the first ones) as they were
/// before.
fn straighten(loops: &[UnionPwAff]) -> isl::Result<Vec<UnionPwAff>> {
    let mut straight = loops.to_vec();
    let Some((first, others)) = loops.split_first() else {
        return Ok(straight);
    };
    let mut rest = first.clone();
    let mut left = divisions(first)?;
    for other in others {
        rest = rest.sub(other)?;
        if left < 2 || divisions(&rest)? + 1 != left {
            break;
        }
        left -= 1;
        if left == 1 {
            straight[0] = rest;
            break;
        }
    }
    Ok(straight)
}
