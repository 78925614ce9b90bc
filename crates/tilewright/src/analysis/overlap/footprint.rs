//! Footprints of overlapped tiles: what each stage of a group must compute for one tile.
//!
//! Implements sections 3.1 and 3.3 of Zhao & Cohen, TACO 2019: the tile is a rectangle of the
//! live-out stage; every producer is extended, on each side and in each dimension by itself, by
//! exactly what its consumers need in that tile, from the live-out stage upwards. After every
//! step the needed cells are covered by a box of constant size whose corner moves affinely with
//! the tile: this keeps the code one loop nest per stage, and it is what the scratchpad holds.

use crate::analysis::stages::{StageGraph, StageId};
use crate::scop::{AccessKind, ArrayId, Scop, StatementId};
use isl::{Aff, DimType, Map, Set};

mod growing;

pub use growing::{GrowingTiles, Known};

/// Cells of a tile in one dimension. A constant beyond it bounds sizes for which an expression does
/// not wrap around, and says nothing of how much memory a tile needs.
pub(crate) const LARGEST_EXTENT: i64 = 1 << 30;

/// The tiles of a group and what is computed in each.
#[derive(Clone, Debug)]
pub struct GroupTiles {
    /// Which dimensions of the live-out array are tiled, in order; tile coordinate `k` counts
    /// along dimension `tiled[k]`.
    pub tiled: Vec<usize>,
    /// Tiles that hold something: `[t0, …]`.
    pub tiles: Set,
    /// For every stage the cells of its box per tile, not cut off by the rim of its array.
    pub(crate) boxes: Vec<(StageId, Map)>,
    /// For every statement of the group the instances per tile: `[t0, …] -> S[i, …]`.
    pub instances: Vec<(StatementId, Map)>,
    /// Footprints of all stages but the live-out one, producers first.
    pub footprints: Vec<Footprint>,
}

impl GroupTiles {
    /// Tiles in which no stage is cut off by the rim of its array: a subset of `tiles`.
    ///
    /// # Errors
    /// isl's own.
    pub fn full(&self, scop: &Scop, graph: &StageGraph) -> Result<Set, NoFootprint> {
        let mut full = self.tiles.clone();
        for (stage, cells) in &self.boxes {
            let written = graph.tiles.written(scop, graph, *stage)?;
            full = full.subtract(&cells.subtract_range(&written)?.domain()?)?;
        }
        Ok(full.coalesce()?)
    }
}

/// The box of cells of one array that one tile computes.
#[derive(Clone, Debug)]
pub struct Footprint {
    /// The stage that computes them.
    pub stage: StageId,
    /// The array.
    pub array: ArrayId,
    /// Index of the first cell in each dimension: a function of the tile `[t0, …]`.
    pub origin: Vec<Aff>,
    /// Cells in each dimension; 0 where they are not bounded by a constant, which only untiled
    /// dimensions can be. The origin is 0 there: what holds the cells is folded along such a
    /// dimension (hybrid tiling, section 3.7).
    pub extents: Vec<i64>,
    /// Of which a tile that is not cut off computes so many in each dimension: all, where the box
    /// is tight.
    pub computed: Vec<i64>,
    /// How far the box moves per tile in each dimension: the cells it would have without
    /// overlap. Equal to the extent where the dimension does not move.
    pub share: Vec<f64>,
    /// Tile coordinates that do not move the box at all: every tile along them computes it again.
    pub still: Vec<usize>,
}

impl Footprint {
    /// Cells in the box, where they are bounded.
    pub fn cells(&self) -> i64 {
        self.extents.iter().product()
    }

    /// The dimensions in which no constant bounds the cells.
    pub fn unbounded(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.extents.len()).filter(|&d| self.extents[d] == 0)
    }

    /// Whether the next tile along a coordinate computes some of the same cells.
    ///
    /// # Errors
    /// isl's own.
    pub fn overlaps_along(&self, coordinate: usize) -> isl::Result<bool> {
        let mut overlaps = false;
        for ((origin, share), &computed) in self.origin.iter().zip(&self.share).zip(&self.computed)
        {
            let moves = origin.involves_dims(DimType::In, coordinate, 1)?;
            overlaps |= moves && *share < computed as f64;
        }
        Ok(overlaps)
    }

    /// The part of the box that a neighbouring tile computes too, between 0 and 1.
    pub fn overlap(&self) -> f64 {
        if !self.still.is_empty() {
            return 1.0;
        }
        let bounded = self.share.iter().zip(&self.computed);
        let own: f64 = bounded
            .filter(|&(_, &computed)| computed > 0)
            .map(|(s, &e)| (s / e as f64).min(1.0))
            .product();
        1.0 - own
    }
}

/// Why a group cannot be tiled with overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoFootprint {
    /// The stage writes more than one array.
    ManyArrays(StageId),
    /// The stage reads other cells of its own array than the one it writes (a recurrence).
    Recurrence(StageId),
    /// What a tile needs of this stage has no constant size.
    Unbounded(StageId),
    /// Nothing of the live-out stage is computed.
    Empty,
    /// isl failed.
    Isl(isl::Error),
}

impl From<isl::Error> for NoFootprint {
    fn from(error: isl::Error) -> NoFootprint {
        NoFootprint::Isl(error)
    }
}

/// Tiles of `sizes` (one per dimension of the array of stage `out`, 0 for a dimension that is not
/// tiled) and the footprints of the other stages of the group. `stages` has producers first and
/// holds `out`.
///
/// # Errors
/// [`NoFootprint`] says which stage stands in the way.
pub fn group_tiles(
    scop: &Scop,
    graph: &StageGraph,
    stages: &[StageId],
    out: StageId,
    sizes: &[i64],
) -> Result<GroupTiles, NoFootprint> {
    let mut growing = GrowingTiles::new(scop, graph, out, sizes)?;
    growing.add(scop, graph, stages)?;
    growing.finish(scop)
}

fn check_stage(scop: &Scop, graph: &StageGraph, stage: StageId) -> Result<(), NoFootprint> {
    let [array] = graph.stages[stage].arrays[..] else {
        return Err(NoFootprint::ManyArrays(stage));
    };
    for &id in &graph.stages[stage].statements {
        let statement = &scop.statements[id];
        let mut written: Option<Map> = None;
        for access in &statement.accesses {
            if access.kind == AccessKind::Write {
                written = Some(match written {
                    Some(before) => before.union(&access.relation)?,
                    None => access.relation.clone(),
                });
            }
        }
        let Some(written) = written else { continue };
        for access in &statement.accesses {
            let own = access.kind == AccessKind::Read && access.array == array;
            if own && !access.relation.is_subset(&written)? {
                return Err(NoFootprint::Recurrence(stage));
            }
        }
    }
    Ok(())
}

/// All cells that a stage writes.
fn cells_written(scop: &Scop, graph: &StageGraph, stage: StageId) -> Result<Set, NoFootprint> {
    let mut all: Option<Set> = None;
    for &statement in &graph.stages[stage].statements {
        for access in &scop.statements[statement].accesses {
            if access.kind == AccessKind::Write {
                let cells = access.relation.range()?.drop_unused_params()?;
                all = Some(match all {
                    Some(before) => before.union(&cells)?,
                    None => cells,
                });
            }
        }
    }
    let assumed = match graph.stages[stage].statements.first() {
        Some(&statement) => scop.assumed(statement),
        None => &scop.context,
    };
    let all = all.ok_or(NoFootprint::Empty)?.intersect_params(assumed)?;
    let all = all.coalesce()?.drop_unused_params()?;
    if all.n_basic_set()? == 1 {
        return Ok(all);
    }
    // A rim with statements of its own and the inside are often a box together.
    let hull = Set::from_basic_set(&all.simple_hull()?)?;
    Ok(if hull.is_subset(&all)? { hull } else { all })
}

/// `[t] -> A[x]`: the cells of each tile, `size·t + first ≤ x < size·(t + 1) + first`. Tiles
/// start at the first cell written where that is a constant, so that the first tile is full
/// (condition (4) of section 3.4).
fn whole_tiles(
    written: &Set,
    tiled: &[usize],
    size: &dyn Fn(usize) -> i64,
) -> Result<Map, NoFootprint> {
    let space = written
        .get_space()?
        .from_range()?
        .add_dims(DimType::In, tiled.len())?;
    let mut map = Map::universe(&space)?;
    let local = isl::LocalSpace::from_space(&space)?;
    for (k, &d) in tiled.iter().enumerate() {
        let first = first_cell(written, d)?;
        let step = size(d);
        let lower = isl::Constraint::alloc_inequality(&local)?
            .set_coefficient_si(DimType::Out, d, 1)?
            .set_coefficient_si(DimType::In, k, -(step as i32))?
            .set_constant_si(-(first as i32))?;
        let upper = isl::Constraint::alloc_inequality(&local)?
            .set_coefficient_si(DimType::Out, d, -1)?
            .set_coefficient_si(DimType::In, k, step as i32)?
            .set_constant_si((first + step - 1) as i32)?;
        map = map.add_constraint(&lower)?.add_constraint(&upper)?;
    }
    Ok(map)
}

/// Where the tiles of a dimension start.
pub(crate) fn first_cell(written: &Set, dimension: usize) -> isl::Result<i64> {
    Ok(written.dim_min_val(dimension)?.to_i64().unwrap_or(0))
}

/// The smallest box of constant size around what is needed, and the same as a map.
fn cover(
    stage: StageId,
    array: ArrayId,
    cells: &Map,
    tiles: &Set,
) -> Result<(Footprint, Map), NoFootprint> {
    let bounding = cells.get_range_simple_fixed_box_hull()?;
    let boxed_in = if bounding.is_valid()? {
        let (offset, size) = (bounding.get_offset()?, bounding.get_size()?);
        let mut all = Vec::new();
        for d in 0..size.size()? {
            let extent = size.get_at(d)?.to_i64();
            let extent = extent.ok_or(NoFootprint::Unbounded(stage))?;
            let bounded = extent <= LARGEST_EXTENT;
            all.push(bounded.then_some((offset.get_at(d)?, extent)));
        }
        all
    } else {
        bounds_one_by_one(cells)?
    };
    let rank = boxed_in.len();
    let tile_dims = tiles.dim(DimType::Set)?;
    let mut origin = Vec::with_capacity(rank);
    let mut extents = Vec::with_capacity(rank);
    let mut share = Vec::with_capacity(rank);
    let mut still: Vec<usize> = (0..tile_dims).collect();
    for bounds in boxed_in {
        let Some((corner, extent)) = bounds else {
            let tile = isl::LocalSpace::from_space(&cells.get_space()?.domain()?)?;
            origin.push(Aff::zero_on_domain(&tile)?);
            extents.push(0);
            share.push(0.0);
            continue;
        };
        let mut moves = 0.0;
        for k in 0..tile_dims {
            let by = corner.get_coefficient_val(DimType::In, k)?.get_d()?.abs();
            moves += by;
            if by != 0.0 {
                still.retain(|&other| other != k);
            }
        }
        share.push(if moves == 0.0 { extent as f64 } else { moves });
        origin.push(corner);
        extents.push(extent);
    }
    let mut covered = boxed(&cells.get_space()?, tiles, &origin, &extents)?;
    for d in (0..rank).filter(|&d| extents[d] == 0) {
        covered = covered.intersect(&along(cells, d)?)?;
    }
    let computed = extents.clone();
    Ok((
        Footprint {
            stage,
            array,
            origin,
            extents,
            computed,
            share,
            still,
        },
        covered,
    ))
}

/// Per dimension the first cell and how many there are, as constant as in a box of all
/// dimensions; `None` where no constant bounds them.
fn bounds_one_by_one(cells: &Map) -> Result<Vec<Option<(Aff, i64)>>, NoFootprint> {
    let rank = cells.dim(DimType::Out)?;
    let mut all = Vec::with_capacity(rank);
    for d in 0..rank {
        let one = cells
            .reset_tuple_id(DimType::Out)?
            .project_out(DimType::Out, d + 1, rank - d - 1)?
            .project_out(DimType::Out, 0, d)?;
        let bounding = one.get_range_simple_fixed_box_hull()?;
        let bounds = if bounding.is_valid()? {
            let extent = bounding.get_size()?.get_at(0)?.to_i64();
            let extent = extent.filter(|&extent| extent <= LARGEST_EXTENT);
            extent.map(|extent| Ok((bounding.get_offset()?.get_at(0)?, extent)))
        } else {
            None
        };
        all.push(bounds.transpose().map_err(NoFootprint::Isl)?);
    }
    Ok(all)
}

/// `[t] -> A[x]`: all cells between the first and the last one of `cells` in one dimension.
fn along(cells: &Map, dimension: usize) -> isl::Result<Map> {
    let rank = cells.dim(DimType::Out)?;
    let others = rank - dimension - 1;
    let needed = Map::from_basic_map(&cells.simple_hull()?)?;
    let free = needed
        .project_out(DimType::Out, dimension + 1, others)?
        .project_out(DimType::Out, 0, dimension)?
        .insert_dims(DimType::Out, 0, dimension)?
        .add_dims(DimType::Out, others)?;
    free.set_tuple_name(DimType::Out, &cells.get_tuple_name(DimType::Out)?)
}

/// `[t] -> A[x]`: in every tile a box of `extents` cells from `origin`, not bounded where the
/// extent is 0.
pub(crate) fn boxed(
    space: &isl::Space,
    tiles: &Set,
    origin: &[Aff],
    extents: &[i64],
) -> Result<Map, NoFootprint> {
    let mut map = Map::universe(space)?;
    let bounded = origin.iter().zip(extents).enumerate();
    for (d, (corner, extent)) in bounded.filter(|(_, (_, extent))| **extent > 0) {
        let position = Aff::var_on_domain(
            &isl::LocalSpace::from_space(&space.range()?)?,
            DimType::Set,
            d,
        )?;
        let from = Map::from_pw_aff(&isl::PwAff::from_aff(corner)?)?;
        let to = Map::from_pw_aff(&isl::PwAff::from_aff(&position)?)?.reverse()?;
        let deltas = Map::read_from_str(
            space.ctx(),
            &format!("{{ [a] -> [b] : a <= b < a + {extent} }}"),
        )?;
        map = map.intersect(&from.apply_range(&deltas)?.apply_range(&to)?)?;
    }
    Ok(map.intersect_domain(tiles)?)
}

/// `[t] -> S[i]` for the instances that write the given cells.
pub(crate) fn instances_for(
    scop: &Scop,
    statement: StatementId,
    array: ArrayId,
    cells: &Map,
) -> Result<Map, NoFootprint> {
    let mut all: Option<Map> = None;
    for access in &scop.statements[statement].accesses {
        if access.kind == AccessKind::Write && access.array == array {
            let relation = access.relation.drop_unused_params()?;
            let writers = cells.apply_range(&relation.reverse()?)?;
            all = Some(match all {
                Some(before) => before.union(&writers)?,
                None => writers,
            });
        }
    }
    let all = all.ok_or(NoFootprint::Empty)?;
    Ok(all
        .intersect_range(&scop.statements[statement].domain.drop_unused_params()?)?
        .coalesce()?
        .drop_unused_params()?)
}
