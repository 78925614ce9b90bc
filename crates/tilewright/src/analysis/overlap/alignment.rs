//! Alignment, scaling and shifting of the stages of a group along one dimension of its tiles
//! (Zhao & Cohen, TACO 2019, sections 3.2 and 3.7).
//!
//! A stage that is sampled up or down has cells that lie closer or farther apart than those of
//! the live-out stage: its coordinate is scaled so that all stages move by the same amount from
//! tile to tile, and dependence vectors become constant. Then every producer is shifted so far to
//! the left that no consumer needs anything to its right: what the paper gets from a scheduler.
//! The *date* of a cell `x` is `scale · x + shift`; executing a tile by increasing dates, producers
//! before consumers at the same date, respects all dependences inside the tile.

use crate::analysis::overlap::footprint::GroupTiles;
use crate::analysis::stages::{StageGraph, StageId};
use crate::scop::linear::lcm;
use crate::scop::{Access, AccessKind, Scop, StatementId};
use isl::{Aff, DimType, Map, PwAff, Result, Val};

/// One dimension of a group in which the stages of a tile can be executed interleaved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alignment {
    /// One per stage, in the order of execution.
    pub stages: Vec<AlignedStage>,
}

/// The dates of one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignedStage {
    /// Which.
    pub stage: StageId,
    /// The dimension of its array that is aligned.
    pub dimension: usize,
    /// Positive: dates from one cell to the next.
    pub scale: i64,
    /// Date of cell 0.
    pub shift: i64,
    /// Consecutive cells that are alive at once when the tile is executed by dates: how far the
    /// dimension can be folded. 0 where nothing in the group reads the stage.
    pub alive: i64,
    /// Dates from when a cell is computed to when it is read for the last time.
    pub wait: i64,
}

impl Alignment {
    /// The dates of one stage.
    pub fn of(&self, stage: StageId) -> Option<&AlignedStage> {
        self.stages.iter().find(|s| s.stage == stage)
    }
}

impl AlignedStage {
    /// Cells to which a scratchpad of the stage is folded where stages take turns of so many
    /// dates: those that are alive, and for turns of several cells a power of two, so that the
    /// copies of unrolled code see which rows they share.
    pub fn folded(&self, turn: i64) -> i64 {
        // Cells by which more are alive when a turn is longer than one date.
        let slack = (turn - 1 + self.scale - 1) / self.scale;
        let alive = self.alive.max(1) + slack;
        if turn > self.scale {
            u64::try_from(alive).map_or(alive, |a| a.next_power_of_two() as i64)
        } else {
            alive
        }
    }

    /// Whether nothing that the stage computes in a turn of so many dates is read in a later one.
    pub fn dies_in_its_turn(&self, turn: i64) -> bool {
        let at_once = self.wait == 0;
        // Or all readers come before the next cell is due, and no turn begins between.
        let before_next = self.wait < self.scale;
        at_once || before_next && turn % self.scale == 0 && self.shift % self.scale == 0
    }
}

/// Aligns the stages of `nests` along tile coordinate `coordinate` of `tiles`, or `None` where
/// that cannot be done: a stage does not move with the tiles, moves with several dimensions, or by
/// something that is no constant, or reads at unknown places. Nests are in the order of
/// execution; the stages of one nest share their dates.
///
/// # Errors
/// isl's own.
pub fn align(
    scop: &Scop,
    graph: &StageGraph,
    nests: &[Vec<StageId>],
    tiles: &GroupTiles,
    sizes: &[i64],
    coordinate: usize,
) -> Result<Option<Alignment>> {
    let stages: Vec<StageId> = nests.iter().flatten().copied().collect();
    let Some(mut aligned) = scaled(&stages, tiles, sizes, coordinate)? else {
        return Ok(None);
    };
    // Consumers first: a producer's date must not be later than that of any reader.
    let mut end = aligned.len();
    for nest in nests.iter().rev() {
        let begin = end - nest.len();
        let mut readers = Vec::new();
        for producer in begin..end {
            for (reader, consumer) in aligned.iter().enumerate() {
                match distances(scop, graph, &aligned[producer], consumer)? {
                    Distances::None => {}
                    Distances::Between(least, most) => {
                        readers.push((producer, reader, least, most));
                    }
                    Distances::Unknown => return Ok(None),
                }
            }
        }
        let inside = |r: usize| (begin..end).contains(&r);
        if readers.iter().any(|&(_, r, ..)| r < begin)
            || readers
                .iter()
                .any(|&(_, r, least, most)| inside(r) && (least, most) != (0, 0))
        {
            return Ok(None);
        }
        let outside = readers.iter().filter(|&&(_, r, ..)| !inside(r));
        let shift = outside.map(|&(_, r, least, _)| aligned[r].shift + least);
        let shift = shift.min().unwrap_or(0);
        for stage in &mut aligned[begin..end] {
            stage.shift = shift;
        }
        for (producer, reader, _, most) in readers {
            let wait = aligned[reader].shift + most - shift;
            let alive = wait.div_euclid(aligned[producer].scale) + 1;
            aligned[producer].alive = aligned[producer].alive.max(alive);
            aligned[producer].wait = aligned[producer].wait.max(wait);
        }
        end = begin;
    }
    Ok(Some(Alignment { stages: aligned }))
}

/// The stages with the dimension that moves along a tile coordinate, and their scales; shifts are
/// 0. `None` where a stage does not move along it, or moves in several dimensions.
pub(crate) fn scaled(
    stages: &[StageId],
    tiles: &GroupTiles,
    sizes: &[i64],
    coordinate: usize,
) -> Result<Option<Vec<AlignedStage>>> {
    let mut aligned = Vec::new();
    for &stage in stages {
        let found = match tiles.footprints.iter().find(|f| f.stage == stage) {
            Some(footprint) => movement(&footprint.origin, coordinate)?,
            None => {
                let dimension = tiles.tiled[coordinate];
                Some((dimension, sizes[dimension]))
            }
        };
        let Some((dimension, moves)) = found else {
            return Ok(None);
        };
        aligned.push(AlignedStage {
            stage,
            dimension,
            scale: moves,
            shift: 0,
            alive: 0,
            wait: 0,
        });
    }
    let common = aligned.iter().fold(1, |all, s| lcm(all, s.scale));
    for stage in &mut aligned {
        stage.scale = common / stage.scale;
    }
    Ok(Some(aligned))
}

/// The one dimension whose origin moves with the tile coordinate, and by how many cells per tile.
fn movement(origin: &[Aff], coordinate: usize) -> Result<Option<(usize, i64)>> {
    let mut found = None;
    for (dimension, corner) in origin.iter().enumerate() {
        let moves = corner.get_coefficient_val(DimType::In, coordinate)?;
        if corner.involves_locals()? {
            return Ok(None);
        }
        if moves.is_zero()? {
            continue;
        }
        let moves = moves.to_i64().filter(|&m| m > 0);
        match (found, moves) {
            (None, Some(moves)) => found = Some((dimension, moves)),
            _ => return Ok(None),
        }
    }
    Ok(found)
}

/// `scale_c · x − scale_p · y` over all cells `x` that the consumer computes from cells `y`.
enum Distances {
    /// It reads nothing of the producer.
    None,
    /// Smallest and greatest.
    Between(i64, i64),
    Unknown,
}

fn distances(
    scop: &Scop,
    graph: &StageGraph,
    producer: &AlignedStage,
    consumer: &AlignedStage,
) -> Result<Distances> {
    let arrays = &graph.stages[producer.stage].arrays;
    let mut all: Option<(i64, i64)> = None;
    for &id in &graph.stages[consumer.stage].statements {
        let statement = &scop.statements[id];
        let reads = statement
            .accesses
            .iter()
            .filter(|a| a.kind == AccessKind::Read && arrays.contains(&a.array));
        for read in reads {
            let Some(cell) = written_coordinate(scop, id, consumer.dimension) else {
                return Ok(Distances::Unknown);
            };
            let Some((least, most)) = difference(read, producer, cell, consumer.scale)? else {
                return Ok(Distances::Unknown);
            };
            all = Some(match all {
                Some((a, b)) => (a.min(least), b.max(most)),
                None => (least, most),
            });
        }
    }
    Ok(match all {
        Some((least, most)) => Distances::Between(least, most),
        None => Distances::None,
    })
}

/// The smallest and greatest difference of dates, without shifts, between what a statement
/// computes at `cell` and what one of its accesses reads; `None` where there is no bound.
pub(crate) fn difference(
    read: &Access,
    producer: &AlignedStage,
    cell: &PwAff,
    scale: i64,
) -> Result<Option<(i64, i64)>> {
    let rank = read.subscripts.len();
    let d = producer.dimension;
    if let (true, Some(Some(subscript))) = (read.exact, read.affine.get(d)) {
        // Every instance reads this one cell.
        let times =
            |value: &PwAff, factor: i64| value.scale_val(&Val::int_from_si(value.ctx(), factor)?);
        let values = times(cell, scale)?.sub(&times(subscript, producer.scale)?)?;
        let values = values.intersect_domain(&read.relation.domain()?)?.floor()?;
        return Ok(bounds(values.min_val()?, values.max_val()?));
    }
    let source = read
        .relation
        .reset_tuple_id(DimType::Out)?
        .project_out(DimType::Out, d + 1, rank - d - 1)?
        .project_out(DimType::Out, 0, d)?;
    let pairs = source.range_product(&Map::from_pw_aff(cell)?)?.range()?;
    let subtract = Map::read_from_str(
        pairs.ctx(),
        &format!("{{ [[y] -> [x]] -> [{scale}x - {}y] }}", producer.scale),
    )?;
    let values = pairs.apply(&subtract)?;
    Ok(bounds(values.dim_min_val(0)?, values.dim_max_val(0)?))
}

fn bounds(least: Val, most: Val) -> Option<(i64, i64)> {
    least.to_i64().zip(most.to_i64())
}

/// The subscript in `dimension` of what a statement writes, where it is affine.
pub fn written_coordinate(scop: &Scop, statement: StatementId, dimension: usize) -> Option<&PwAff> {
    let write = scop.statements[statement]
        .accesses
        .iter()
        .find(|a| a.kind == AccessKind::Write)?;
    write.affine.get(dimension)?.as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dependences::dataflow::Dataflow;
    use crate::analysis::overlap::footprint::group_tiles;
    use crate::scop::testing::ScopBuilder;

    /// `(scale, shift, alive)` of every stage along the only dimension.
    fn aligned(scop: &Scop, size: i64) -> Vec<(i64, i64, i64)> {
        let dataflow = Dataflow::compute(scop).unwrap();
        let graph = StageGraph::build(scop, &dataflow).unwrap();
        let stages: Vec<StageId> = (0..graph.stages.len()).collect();
        let out = stages.len() - 1;
        let tiles = group_tiles(scop, &graph, &stages, out, &[size]).unwrap();
        let nests: Vec<Vec<StageId>> = stages.iter().map(|&s| vec![s]).collect();
        align(scop, &graph, &nests, &tiles, &[size], 0)
            .unwrap()
            .unwrap()
            .stages
            .iter()
            .map(|s| (s.scale, s.shift, s.alive))
            .collect()
    }

    /// TACO 2019, figure 12: `S_A(i) → i`, `S_B(i) → i + 1`, `S_C(i) → i + 3`. Only differences
    /// between stages count. B is read from two to the left to two to the right: five are alive.
    #[test]
    fn figure_12() {
        let scop = ScopBuilder::new("[n] -> { : n >= 16 }")
            .input("in", 1)
            .temporary("A", 1)
            .temporary("B", 1)
            .output("C", 1)
            .statement("S0[i] : 1 <= i < n", &["in[i]"], &["A[i]"])
            .statement(
                "S1[i] : 2 <= i < n - 1",
                &["A[i - 1]", "A[i]", "A[i + 1]"],
                &["B[i]"],
            )
            .statement(
                "S2[i] : 4 <= i < n - 3",
                &["B[i - 2]", "B[i]", "B[i + 2]"],
                &["C[i]"],
            )
            .build();
        assert_eq!(aligned(&scop, 16), [(1, -3, 3), (1, -2, 5), (1, 0, 0)]);
    }

    /// `half` has every other cell of `fine`, `out` is as dense as `fine` again. Dates of `half`
    /// are two apart. `out[x]` reads `half[⌊x/2⌋]`, whose date 2⌊x/2⌋ + s must not be later than
    /// x: s = 0. `half[y]`, at 2y, reads `fine` up to 2y + 1: `fine` is one ahead.
    #[test]
    fn sampled_stages_are_scaled() {
        let scop = ScopBuilder::new("[n] -> { : n >= 16 }")
            .input("in", 1)
            .temporary("fine", 1)
            .temporary("half", 1)
            .output("out", 1)
            .statement("S0[i] : 0 <= i < 2n", &["in[i]"], &["fine[i]"])
            .statement(
                "S1[i] : 0 <= i < n",
                &["fine[2i]", "fine[2i + 1]"],
                &["half[i]"],
            )
            .statement("S2[i] : 0 <= i < 2n", &["half[floor(i/2)]"], &["out[i]"])
            .build();
        assert_eq!(aligned(&scop, 8), [(1, -1, 2), (2, 0, 1), (1, 0, 0)]);
    }
}
