//! Overlapped tiles over time of an iterated stencil: scalene trapezoids with time as a tiled
//! dimension (Zhao & Cohen, TACO 2019, sections 2.1 and 3.1), on a program in bands of time
//! ([`crate::transform::bands`]).
//!
//! A tile is a box of space in one band. At the last step of the band it computes its own cells;
//! at earlier steps these and what the later ones read, which is wider by the slopes of the flow
//! dependences ([`Cone::of_flow`]), by another amount on each side (scalene):
//!
//! ```text
//! T ↑      |--- own ---|
//!   │     /             ‾‾\         neighbouring tiles compute the sides, too
//!   │    /                 ‾‾\
//! ```
//!
//! All that is written in a band goes to arrays of the band, which are here local to the tile:
//! cells of constant extents around the tile's own ones. Every tile loads what it reads; its own
//! cells it stores.
//!
//! ```text
//! domain  { S_band0[c, k…, c, t, i…] }
//!   sequence
//!     copies before the first round
//!     band [c]                      one round after another
//!       sequence over phases
//!         band [k…]                 mark parallel
//!           mark scope:n
//!             band [turn]             right trapezoids ([`turns`])
//!               sequence: loads, the band's steps as they were written, stores
//!     copies behind the last round
//! ```

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::over_time::bands::{Phase, Rounds};
use crate::plan::{Group, Overlapped, widths_over_time};
use crate::rewrite::height::height;
use crate::scop::tree::{marks::Mark, walk};
use crate::scop::{AccessKind, ArrayId, Scop, StatementId, in_sequence};
use crate::transform::loops;
use crate::transform::loops::Annotate;
use crate::transform::nests::strides;
use crate::transform::over_time::phased::{tile_of, within};
use crate::transform::overlap::linear::{Condition, Linear};
use crate::transform::overlap::overlapped::{coordinate, lift_schedule};
use crate::transform::{Buffer, Lifted, Piece, TransformError, restrict};
use isl::{Aff, AstLoopType, DimType, LocalSpace, Map, Schedule, Set, UnionMap, UnionSet, Val};

mod local;
#[cfg(test)]
mod tests;
mod turns;

use turns::Turns;

type Result<T> = std::result::Result<T, TransformError>;

/// Number of the only group, and of the scope of its local arrays.
const GROUP: usize = 0;

/// The schedule and the local arrays of a program in bands, which is one group.
///
/// # Errors
/// [`TransformError::Plan`] where an array that is written has no constant extents in a tile, as in
/// a dimension without a tile size that is not folded.
pub(crate) fn transform(
    scop: &Scop,
    dataflow: &Dataflow,
    rounds: &Rounds,
    group: &Group,
    plan: &Overlapped,
) -> Result<Piece> {
    let mut tiling = Tiling::of(scop, rounds, group, plan)?;
    let mut pieces = Vec::new();
    let (mut statements, mut buffers) = (Vec::new(), Vec::new());
    let mut phases = Vec::new();
    tiling.used = tiling.used_tiles()?;
    for (p, phase) in rounds.phases.iter().enumerate() {
        let (schedule, lifted, own) = tiling.phase(dataflow, p, phase)?;
        phases.push(schedule);
        statements.extend(lifted);
        buffers.extend(own);
    }
    for &id in &rounds.before {
        pieces.push(tiling.copy(id)?);
    }
    if let Some(phases) = in_sequence(phases)? {
        let rounds = coordinate(scop, &statements, |_| 0)?;
        let node = walk::top(&phases)?;
        let node = node.insert_partial_schedule(&rounds)?;
        let node = node.band_member_set_ast_loop_type(0, AstLoopType::Atomic)?;
        pieces.push(node.get_schedule()?);
    }
    for &id in &rounds.after {
        pieces.push(tiling.copy(id)?);
    }
    let around: Vec<StatementId> = rounds.before.iter().chain(&rounds.after).copied().collect();
    statements.extend(crate::transform::unlifted(scop, &around, GROUP));
    let schedule = in_sequence(pieces)?
        .ok_or_else(|| TransformError::Plan("the group computes nothing".to_owned()))?;
    // The bands of a round use the same memory, one after the other.
    let arrays = rounds.bands.traffic.len();
    let of_array = |array: usize| (array..buffers.len()).step_by(arrays).collect::<Vec<_>>();
    let shared = match rounds.phases.len() {
        1 => Vec::new(),
        _ => (0..arrays).map(of_array).collect(),
    };
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

/// What tiles are like.
struct Tiling<'s> {
    scop: &'s Scop,
    rounds: &'s Rounds,
    group: &'s Group,
    plan: &'s Overlapped,
    /// Per dimension of space, the own cells of a tile; `None` where it is whole.
    widths: Vec<Option<i64>>,
    /// How the steps of a tile take turns.
    turns: Option<Turns<'s>>,
    /// Per array that is written: where its cells are in space.
    placements: Vec<Vec<Placement>>,
    /// Per dimension of space, by how much the places of two writers of one cell differ at most.
    margins: Vec<i64>,
    /// Tiles that have own cells, over their coordinates.
    used: Option<Set>,
}

/// Where the cells of an array are along one dimension of space.
#[derive(Clone, Copy, Debug)]
struct Placement {
    /// The dimension of the array.
    dimension: usize,
    /// A cell is at least so much further in space than in the array.
    shift: i64,
    /// And at most by so much more.
    spread: i64,
}

impl<'s> Tiling<'s> {
    fn of(
        scop: &'s Scop,
        rounds: &'s Rounds,
        group: &'s Group,
        plan: &'s Overlapped,
    ) -> Result<Self> {
        let dimensions = rounds.bands.cone.slopes.len();
        height(plan.shape(), &plan.tile_sizes)?;
        let widths = widths_over_time(&plan.tile_sizes, dimensions);
        let turns = match (&rounds.bands.order, &plan.interleave[..]) {
            (Some(order), [along]) => Some(Turns::new(scop, &rounds.bands, order, *along)?),
            (_, []) => None,
            _ => {
                return Err(TransformError::Plan(
                    "tiles over time are executed in turns along one dimension of space".to_owned(),
                ));
            }
        };
        let mut tiling = Tiling {
            scop,
            rounds,
            group,
            plan,
            widths,
            turns,
            placements: Vec::new(),
            margins: vec![0; dimensions],
            used: None,
        };
        for traffic in 0..rounds.bands.traffic.len() {
            let mut all = Vec::new();
            for x in 0..dimensions {
                let placement = tiling.placement(traffic, x)?;
                tiling.margins[x] = tiling.margins[x].max(placement.spread);
                all.push(placement);
            }
            tiling.placements.push(all);
        }
        Ok(tiling)
    }

    /// Statements of a phase with the points of logical time and space that they are at.
    fn points(&self, phase: &Phase) -> Result<Vec<(StatementId, Map)>> {
        let mut all = Vec::new();
        for (&id, placed) in phase.steps.iter().zip(&self.rounds.bands.cone.statements) {
            let domain = &self.scop.statements[id].domain;
            let original = placed.point.get_tuple_name(DimType::In)?;
            let down = Set::universe(&domain.get_space()?)?
                .identity()?
                .project_out(DimType::Out, 0, 1)?
                .set_tuple_name(DimType::Out, &original)?;
            all.push((id, down.apply_range(&placed.point)?));
        }
        Ok(all)
    }

    /// Where the cells of an array that is written are along one dimension of space: the
    /// dimension of the array in which that differs least.
    fn placement(&self, traffic: usize, x: usize) -> Result<Placement> {
        let array = self.rounds.bands.traffic[traffic].array;
        let mut best: Option<Placement> = None;
        for dimension in 0..self.scop.arrays[array].extents.len() {
            let mut range: Option<(i64, i64)> = None;
            let mut known = true;
            for phase in self.rounds.phases.iter().take(1) {
                for (id, point) in self.points(phase)? {
                    let statement = &self.scop.statements[id];
                    let writes = statement.accesses.iter().filter(|access| {
                        access.kind == AccessKind::Write && access.array == phase.arrays[traffic]
                    });
                    for write in writes {
                        let pairs = point.reverse()?.apply_range(&write.relation)?;
                        let pairs = pairs.intersect_params(&self.scop.context)?;
                        let pairs = pairs.wrap()?.flatten()?;
                        let at = 1 + self.rounds.bands.cone.slopes.len() + dimension;
                        let apart = difference(&pairs, 1 + x, at)?;
                        let least = pairs.min_val(&apart)?.to_i64();
                        let most = pairs.max_val(&apart)?.to_i64();
                        match (least, most, range) {
                            (Some(least), Some(most), None) => range = Some((least, most)),
                            (Some(least), Some(most), Some((low, high))) => {
                                range = Some((low.min(least), high.max(most)));
                            }
                            _ => known = false,
                        }
                    }
                }
            }
            if let (Some((low, high)), true) = (range, known) {
                let here = Placement {
                    dimension,
                    shift: low,
                    spread: high - low,
                };
                if best.is_none_or(|best| here.spread < best.spread) {
                    best = Some(here);
                }
            }
        }
        best.ok_or_else(|| {
            TransformError::Plan(format!(
                "`{}` is written at cells that do not follow from the place in space",
                self.scop.arrays[array].name
            ))
        })
    }

    /// Tile coordinates: the round, then one per dimension of space that is tiled.
    fn tile_dims(&self) -> usize {
        1 + self.widths.iter().flatten().count()
    }

    /// Where the own cells of a tile begin along a dimension of space, and how many they are;
    /// `None` where it is whole.
    fn own(&self, x: usize) -> Option<(Linear, i64)> {
        let width = self.widths[x]?;
        let before = self.widths[..x].iter().flatten().count();
        Some((Linear::tile(1 + before) * width, width))
    }

    /// The conditions for a point to be in a tile.
    fn inside(&self, phase: usize) -> Vec<Condition> {
        let bands = &self.rounds.bands;
        let height = bands.cone.steps * bands.iterations;
        // Units of logical time that are left in the band.
        let band = Linear::tile(0) * self.rounds.phases.len() as i64 + phase as i64;
        let end = band * height + bands.cone.steps * bands.start + (height - 1);
        let left = end - Linear::time();
        let mut conditions = Vec::new();
        for (x, slopes) in bands.cone.slopes.iter().enumerate() {
            let Some((begin, width)) = self.own(x) else {
                continue;
            };
            let place = Linear::space(x) * slopes.per;
            let below = left.clone() * slopes.upper.max(0);
            let above = left.clone() * -slopes.lower.min(0);
            let first = begin.clone() * slopes.per - below;
            let last = (begin + (width - 1 + self.margins[x])) * slopes.per;
            conditions.push(first.up_to(place.clone()));
            conditions.push(place.up_to(last + above));
        }
        conditions
    }

    /// The tiles that have cells of their own.
    fn used_tiles(&self) -> Result<Option<Set>> {
        let dimensions = self.widths.len();
        let mut conditions = Vec::new();
        for x in 0..dimensions {
            if let Some((begin, width)) = self.own(x) {
                let end = begin.clone() + width + self.margins[x];
                conditions.extend(within(&Linear::space(x), begin, end));
            }
        }
        let tiles = tile_of(&self.scop.ctx, dimensions, self.tile_dims(), &conditions)?;
        let mut all: Option<Set> = None;
        for phase in &self.rounds.phases {
            for (id, point) in self.points(phase)? {
                let domain = &self.scop.statements[id].domain;
                let used = domain.apply(&point)?.apply(&tiles)?;
                let used = used.project_out(DimType::Set, 0, 1)?;
                all = Some(match all {
                    Some(all) => all.union(&used)?,
                    None => used,
                });
            }
        }
        let Some(all) = all else { return Ok(None) };
        let hull = all.intersect_params(&self.scop.context)?.simple_hull()?;
        let hull = Set::from_basic_set(&hull)?.gist_params(&self.scop.context)?;
        Ok(Some(hull.insert_dims(DimType::Set, 0, 1)?))
    }

    /// Instances of a statement of a round with the tiles that `tiles` gives them.
    fn lift(&self, id: StatementId, tiles: &Map) -> Result<Lifted> {
        let original = &self.scop.statements[id];
        let mut instances = tiles.intersect_domain(&original.domain)?.reverse()?;
        if let Some(used) = &self.used {
            instances = instances.intersect_domain(used)?;
        }
        let domain = instances.equate(DimType::In, 0, DimType::Out, 0)?;
        Ok(Lifted {
            domain: domain.wrap()?.flatten()?.set_tuple_name(&original.name)?,
            name: original.name.clone(),
            statement: id,
            group: GROUP,
            tile_dims: self.tile_dims(),
            bindings: original.accesses.iter().map(|a| a.array).collect(),
        })
    }

    /// From instances of a copy to tiles, by conditions on the cells as if they were space.
    fn lift_copy(&self, id: StatementId, conditions: &[Condition]) -> Result<Lifted> {
        let domain = &self.scop.statements[id].domain;
        let rank = domain.tuple_dim()? - 1;
        let tiles = tile_of(&self.scop.ctx, rank, self.tile_dims(), conditions)?;
        let name = &self.scop.statements[id].name;
        self.lift(id, &tiles.set_tuple_name(DimType::In, name)?)
    }

    /// The statements of one band of a round, with its local arrays.
    fn phase(
        &self,
        dataflow: &Dataflow,
        number: usize,
        phase: &Phase,
    ) -> Result<(Schedule, Vec<Lifted>, Vec<Buffer>)> {
        let scop = self.scop;
        let dimensions = self.widths.len();
        let inside = self.inside(number);
        let tiles = tile_of(&scop.ctx, dimensions, self.tile_dims(), &inside)?;
        let mut steps = Vec::new();
        for (id, point) in self.points(phase)? {
            steps.push(self.lift(id, &point.apply_range(&tiles)?)?);
        }
        let dates = match &self.turns {
            Some(turns) => turns.dates(number, &self.rounds.phases)?,
            None => Vec::new(),
        };
        let mut buffers = Vec::new();
        let mut boxes = Vec::new();
        let mut spans = Vec::new();
        for (traffic, &array) in phase.arrays.iter().enumerate() {
            let dims = self.local(&steps, array, number)?;
            let span = match &self.turns {
                Some(turns) => {
                    let placement = &self.placements[traffic][turns.dimension()];
                    Some(turns.span(&dates, array, placement.dimension)?)
                }
                None => None,
            };
            buffers.push(self.buffer(traffic, array, &dims, span)?);
            boxes.push(dims);
            spans.extend(span);
        }
        let position = |array: ArrayId| phase.arrays.iter().position(|&own| own == array);
        let mut parts = Vec::new();
        let mut lifted = Vec::new();
        for &(id, array) in &phase.loads {
            let mut conditions = Vec::new();
            if let Some(dims) = position(array).map(|number| &boxes[number]) {
                for (d, bounds) in dims.iter().enumerate() {
                    if let Some((first, extent)) = bounds {
                        let end = first.clone() + *extent;
                        conditions.extend(within(&Linear::space(d), first.clone(), end));
                    }
                }
            }
            let load = self.lift_copy(id, &conditions)?;
            parts.push(self.nest(&load)?);
            lifted.push(load);
        }
        parts.push(self.steps(dataflow, phase, &steps)?);
        lifted.extend(steps);
        for &(id, array) in &phase.stores {
            let mut conditions = Vec::new();
            if let Some(placements) = position(array).map(|number| &self.placements[number]) {
                for (x, placement) in placements.iter().enumerate() {
                    let place = Linear::space(placement.dimension) + placement.shift;
                    if let Some((begin, width)) = self.own(x) {
                        conditions.extend(within(&place, begin.clone(), begin + width));
                    }
                }
            }
            let store = self.lift_copy(id, &conditions)?;
            parts.push(self.nest(&store)?);
            lifted.push(store);
        }
        let schedule = in_sequence(parts)?
            .ok_or_else(|| TransformError::Plan("the group computes nothing".to_owned()))?;
        let mut node = walk::top(&schedule)?;
        if let Some(turns) = &self.turns {
            let member = turns.member(phase, &dates, &spans, &lifted)?;
            node = node.insert_partial_schedule(&member)?;
            node = node.band_member_set_ast_loop_type(0, AstLoopType::Atomic)?;
        }
        node = Mark::Scope(GROUP).above(&node)?;
        for c in (1..self.tile_dims()).rev() {
            node = node.insert_partial_schedule(&coordinate(scop, &lifted, |_| c)?)?;
            node = node.band_member_set_ast_loop_type(0, AstLoopType::Atomic)?;
            node = node.band_member_set_coincident(0, 1)?;
            if self.group.parallel {
                node = Mark::Parallel.above(&node)?;
            }
        }
        Ok((node.get_schedule()?, lifted, buffers))
    }

    /// The steps of a band in the order in which they were written.
    fn steps(&self, dataflow: &Dataflow, phase: &Phase, lifted: &[Lifted]) -> Result<Schedule> {
        let scop = self.scop;
        let mut ids = phase.steps.clone();
        ids.sort_unstable();
        let written = restrict(scop, &ids)?;
        // The loop over rounds is around the tiles.
        let written = walk::top(&written)?.delete()?.get_schedule()?;
        let what = Annotate {
            parallel: false,
            nested: 1,
            simd: self.group.vectorise.then_some(scop),
            short: None,
            loose: None,
        };
        let annotated = loops::annotate(&written, &dataflow.among(scop, &ids)?, what)?;
        lift_schedule(scop, &annotated, &lifted.iter().collect::<Vec<_>>())
    }

    /// The loops of a load or a store over the cells of one tile.
    fn nest(&self, lifted: &Lifted) -> Result<Schedule> {
        let schedule = Schedule::from_domain(&UnionSet::from_set(&lifted.domain)?)?;
        let mut node = walk::top(&schedule)?;
        let last = self.scop.statements[lifted.statement].iterators.len() - 1;
        for iterator in (1..=last).rev() {
            let member = coordinate(self.scop, [lifted], |l| l.tile_dims + iterator)?;
            node = node.insert_partial_schedule(&member)?;
            node = node.band_member_set_coincident(0, 1)?;
            let innermost = iterator == last && self.group.vectorise;
            if innermost && strides::along(self.scop, lifted.statement, iterator)?.all > 0 {
                node = Mark::Simd.above(&node)?;
            }
        }
        Ok(node.get_schedule()?)
    }

    /// The loops of a copy before or behind the rounds.
    fn copy(&self, id: StatementId) -> Result<Schedule> {
        let what = Annotate {
            parallel: self.group.parallel,
            nested: self.group.device.grid,
            simd: self.group.vectorise.then_some(self.scop),
            short: None,
            loose: None,
        };
        let none = UnionMap::empty_ctx(&self.scop.ctx)?;
        let own = crate::rewrite::tabulate::nest(&self.scop.statements[id].domain, 0)?;
        Ok(loops::annotate(&own, &none, what)?)
    }
}

/// One dimension of a set less another one.
fn difference(set: &Set, from: usize, less: usize) -> isl::Result<Aff> {
    let local = LocalSpace::from_space(&set.get_space()?)?;
    let minus = Val::int_from_si(set.ctx(), -1)?;
    Aff::var_on_domain(&local, DimType::Set, from)?.add_coefficient_val(DimType::In, less, &minus)
}
