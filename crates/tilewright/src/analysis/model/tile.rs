//! One tile of a group, in numbers: the intervals of TACO 2019, section 3.1, from the live-out
//! stage upwards.
//!
//! The tile taken is in the middle of what the live-out stage computes, and as large as it would
//! be if there was more than enough room for it. An interval that moves with a tile coordinate moves by `ratio` cells for
//! each cell of the live-out stage's tile: stages that are sampled down or up are so aligned and
//! scaled (section 3.3). Where two readers disagree about that, distances in the group are not
//! constant and it cannot be tiled (TOPLAS 2020, Algorithm 2, line 2).

use super::{Interval, Model, Reach, Read};
use crate::analysis::stages::StageId;
use crate::scop::ArrayId;

/// A positive fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Numerator.
    pub over: i64,
    /// Denominator.
    pub under: i64,
}

impl Ratio {
    /// `over / under`; `None` unless both are positive.
    pub fn new(over: i64, under: i64) -> Option<Ratio> {
        let mut a = (over, under);
        while a.1 != 0 {
            a = (a.1, a.0 % a.1);
        }
        (over > 0 && under > 0).then(|| Ratio {
            over: over / a.0,
            under: under / a.0,
        })
    }

    fn times(self, over: i64, under: i64) -> Option<Ratio> {
        Ratio::new(self.over.checked_mul(over)?, self.under.checked_mul(under)?)
    }

    /// As a number.
    pub fn value(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

/// The cells of an array that a tile needs in one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Which.
    pub cells: Interval,
    /// The dimension of the live-out stage along which they move from tile to tile, and by how
    /// many cells for each of its cells; `None`: the same in all tiles.
    pub moves: Option<(usize, Ratio)>,
}

/// What one tile needs of an array.
pub type Box = Vec<Side>;

/// A tile of a group.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Tile sizes, one per dimension of the live-out stage; whole dimensions have their extent.
    pub sizes: Vec<i64>,
    /// Which dimensions are tiled.
    pub tiled: Vec<bool>,
    /// The members with what the tile computes of each, producers first; the last one is the
    /// live-out stage.
    pub stages: Vec<(StageId, Box)>,
    /// What it reads of arrays that other groups or nobody computes. An array that is read in
    /// several ways that do not move alike is there several times.
    pub inputs: Vec<(ArrayId, Box)>,
}

/// What a tile computes of one stage.
#[derive(Clone, Debug)]
pub struct InTile {
    /// The cells of the stage.
    pub sides: Box,
    /// The cells that these read, per array and way of moving.
    pub reads: Vec<(ArrayId, Box)>,
}

/// What a tile computes of all stages that a group with its live-out stage can hold.
#[derive(Clone, Debug)]
pub struct AllInTile {
    /// As in [`Tile`].
    pub sizes: Vec<i64>,
    /// As in [`Tile`].
    pub tiled: Vec<bool>,
    /// By stage, up to the live-out one; `None` for those that no such group can hold.
    pub stages: Vec<Option<Result<InTile, NoTile>>>,
}

/// Why there is no tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTile {
    /// The stage cannot be computed tile by tile.
    Stage(StageId),
    /// Readers of the stage need cells that do not move alike from tile to tile, along a
    /// dimension of the live-out stage where one is to blame.
    Unaligned(StageId, Option<usize>),
    /// The stage is the same in all tiles along a dimension of the live-out stage.
    Still(StageId, usize),
    /// The tile does not need the stage.
    Unused(StageId),
}

/// The cells that a box has.
pub fn volume(sides: &[Side]) -> f64 {
    sides.iter().map(|s| s.cells.len() as f64).product()
}

impl Model {
    /// The tile of `members` (producers first, the last one is the live-out stage) with the given
    /// sizes, 0 where a dimension is not tiled.
    ///
    /// # Errors
    /// Why there is none.
    pub fn tile(&self, members: &[StageId], sizes: &[i64]) -> Result<Tile, NoTile> {
        let &out = members.last().ok_or(NoTile::Unused(0))?;
        let first: Box = self.first_box(out, sizes);
        let tiled: Vec<bool> = first.iter().map(|s| s.moves.is_some()).collect();
        let sizes = first.iter().map(|s| s.cells.len()).collect();
        let mut needed: Vec<(ArrayId, Box)> = vec![(self.stages[out].array, first)];
        let mut stages = Vec::new();
        for &stage in members.iter().rev() {
            let array = self.stages[stage].array;
            let boxes = needed.iter().filter(|(needed, _)| *needed == array);
            let found = self.in_tile(stage, &tiled, boxes.map(|(_, sides)| sides))?;
            for (array, sides) in found.reads {
                add(&mut needed, array, sides);
            }
            stages.push((stage, found.sides));
        }
        stages.reverse();
        let inside = |array: ArrayId| members.iter().any(|&s| self.stages[s].array == array);
        needed.retain(|&(array, _)| !inside(array));
        Ok(Tile {
            sizes,
            tiled,
            stages,
            inputs: needed,
        })
    }

    /// The tile of all stages that some group with this live-out stage can hold: those of which
    /// all readers are such stages. What the tile computes of a stage is the same in every such
    /// group that holds the stage.
    pub fn tile_of_all(&self, out: StageId, sizes: &[i64]) -> AllInTile {
        let first = self.first_box(out, sizes);
        let tiled: Vec<bool> = first.iter().map(|s| s.moves.is_some()).collect();
        let sizes = first.iter().map(|s| s.cells.len()).collect();
        let mut stages: Vec<Option<Result<InTile, NoTile>>> = vec![None; out + 1];
        stages[out] = Some(self.in_tile(out, &tiled, [&first].into_iter()));
        for stage in (0..out).rev() {
            let readers = &self.readers[stage];
            let mut inside = readers.iter().filter_map(|&r| stages.get(r)?.as_ref());
            if readers.is_empty() || inside.clone().count() < readers.len() {
                continue;
            }
            stages[stage] = Some(match inside.clone().find_map(|r| r.as_ref().err()) {
                Some(&error) => Err(error),
                None => {
                    let mut needed = Vec::new();
                    let reads = inside.by_ref().flatten().flat_map(|r| &r.reads);
                    for (array, sides) in reads {
                        if *array == self.stages[stage].array {
                            add(&mut needed, *array, sides.clone());
                        }
                    }
                    self.in_tile(stage, &tiled, needed.iter().map(|(_, sides)| sides))
                }
            });
        }
        AllInTile {
            sizes,
            tiled,
            stages,
        }
    }

    /// What a tile computes of a stage of which it needs the given boxes.
    fn in_tile<'b>(
        &self,
        stage: StageId,
        tiled: &[bool],
        mut boxes: impl Iterator<Item = &'b Box>,
    ) -> Result<InTile, NoTile> {
        let own = &self.stages[stage];
        if !own.tileable {
            return Err(NoTile::Stage(stage));
        }
        let sides = boxes.next().ok_or(NoTile::Unused(stage))?.clone();
        if let Some(other) = boxes.next() {
            return Err(NoTile::Unaligned(stage, disagreement(&sides, other)));
        }
        for (dimension, _) in tiled.iter().enumerate().filter(|(_, tiled)| **tiled) {
            let moves = |s: &Side| s.moves.is_some_and(|(along, _)| along == dimension);
            if !sides.iter().any(moves) {
                return Err(NoTile::Still(stage, dimension));
            }
        }
        let mut reads = Vec::new();
        for read in &own.reads {
            if let Some(sides) = self.read_by(&sides, read) {
                add(&mut reads, read.array, sides);
            }
        }
        Ok(InTile { sides, reads })
    }

    /// The tile's cells of the live-out stage.
    fn first_box(&self, out: StageId, sizes: &[i64]) -> Box {
        let cells = self.stages[out].cells.iter().enumerate();
        cells
            .map(|(d, &cells)| {
                let size = sizes.get(d).copied().unwrap_or(0);
                if size <= 0 {
                    return Side { cells, moves: None };
                }
                let tile = (cells.len() / size) / 2;
                let first = cells.first + tile * size;
                Side {
                    cells: Interval {
                        first,
                        last: first + size - 1,
                    },
                    moves: Some((d, Ratio { over: 1, under: 1 })),
                }
            })
            .collect()
    }

    /// What a box of cells reads; `None` where it holds none of the readers.
    fn read_by(&self, sides: &[Side], read: &Read) -> Option<Box> {
        let readers = sides.iter().zip(&read.readers);
        let readers: Vec<Interval> = readers.map(|(s, r)| r.within(s.cells)).collect();
        if readers.iter().any(|r| r.is_empty()) {
            return None;
        }
        let whole = |d: usize| {
            let producer = self.producer[read.array]?;
            self.stages[producer].cells.get(d).copied()
        };
        let reaches = read.reaches.iter().enumerate();
        let sides = reaches.map(|(d, reach)| match *reach {
            Reach::Fixed(cells) => Side { cells, moves: None },
            Reach::Whole => Side {
                cells: whole(d).unwrap_or(Interval { first: 0, last: 0 }),
                moves: None,
            },
            Reach::Along {
                dimension,
                factor,
                divisor,
                low,
                high,
            } => {
                let by = readers[dimension];
                let (a, b) = (factor * by.first, factor * by.last);
                Side {
                    cells: Interval {
                        first: (a.min(b) + low).div_euclid(divisor),
                        last: (a.max(b) + high).div_euclid(divisor),
                    },
                    moves: sides[dimension].moves.and_then(|(along, ratio)| {
                        ratio.times(factor, divisor).map(|ratio| (along, ratio))
                    }),
                }
            }
        });
        Some(sides.collect())
    }
}

impl Model {
    /// Cells of each member that are alive at once, along the dimension of its array that moves
    /// with a dimension of the live-out stage, when the members of the tile take turns along that
    /// dimension: to how many a scratchpad can be folded ([`crate::analysis::overlap::alignment`]). In the
    /// order of the members, producers first; 0 for what no member reads.
    pub fn alive(&self, members: &[(StageId, &Box)], along: usize) -> Vec<i64> {
        let count = members.len();
        let mut shift = vec![0.0f64; count];
        let mut alive = vec![0; count];
        let ratio = |sides: &[Side]| {
            let mut moving = sides.iter().filter_map(|s| s.moves);
            moving.find(|&(dimension, _)| dimension == along)
        };
        for producer in (0..count).rev() {
            let (stage, sides) = members[producer];
            let Some((_, own)) = ratio(sides) else {
                continue;
            };
            // Dates of readers, in cells of the live-out stage, less the date of what they read.
            let mut readers: Vec<(f64, f64)> = Vec::new();
            for (reader, (consumer, sides)) in members.iter().enumerate().skip(producer + 1) {
                let reads = self.stages[*consumer].reads.iter();
                for read in reads.filter(|r| r.array == self.stages[stage].array) {
                    for reach in &read.reaches {
                        let Reach::Along {
                            dimension,
                            factor,
                            divisor,
                            low,
                            high,
                        } = *reach
                        else {
                            continue;
                        };
                        let Some((d, by)) = sides[dimension].moves else {
                            continue;
                        };
                        if d == along {
                            let unit = factor as f64 * by.value();
                            let least = shift[reader] - high as f64 / unit;
                            let most = shift[reader] + (divisor - 1 - low) as f64 / unit;
                            readers.push((least, most));
                        }
                    }
                }
            }
            let first = readers.iter().map(|r| r.0).fold(f64::INFINITY, f64::min);
            if first.is_finite() {
                shift[producer] = first;
                let last = readers.iter().map(|r| r.1).fold(first, f64::max);
                alive[producer] = ((last - first) * own.value()) as i64 + 1;
            }
        }
        alive
    }
}

/// The dimension of the live-out stage along which two boxes move differently.
fn disagreement(a: &[Side], b: &[Side]) -> Option<usize> {
    let mut differing = a.iter().zip(b).filter(|(a, b)| a.moves != b.moves);
    let (a, b) = differing.next()?;
    a.moves.or(b.moves).map(|(along, _)| along)
}

impl Tile {
    /// The part of a member's cells that neighbouring tiles compute, too: between 0 and 1
    /// ([`crate::analysis::overlap::footprint::Footprint::overlap`]).
    pub fn overlap(&self, sides: &[Side]) -> f64 {
        1.0 - self.own(sides) / volume(sides).max(1.0)
    }

    /// Cells of a member that a tile would compute if each cell was computed once.
    pub fn own(&self, sides: &[Side]) -> f64 {
        own(sides, &self.sizes)
    }

    /// A dimension that is tiled and along which some member overlaps, if `accept` says so.
    pub fn overlapping(&self, accept: impl Fn(usize) -> bool) -> Option<usize> {
        let dimensions = 0..self.tiled.len();
        let mut tiled = dimensions.filter(|&d| self.tiled[d] && accept(d));
        tiled.find(|&d| {
            self.stages
                .iter()
                .any(|(_, sides)| overlaps(sides, &self.sizes, d))
        })
    }
}

/// Cells of a box that a tile of `sizes` would compute if each cell was computed once.
pub fn own(sides: &[Side], sizes: &[i64]) -> f64 {
    let own = sides.iter().map(|side| {
        let cells = side.cells.len() as f64;
        match side.moves {
            Some((along, ratio)) => cells.min(sizes[along] as f64 * ratio.value()),
            None => cells,
        }
    });
    own.product()
}

/// Whether the next tile along a dimension of the live-out stage computes some of the same cells.
pub fn overlaps(sides: &[Side], sizes: &[i64], dimension: usize) -> bool {
    sides.iter().any(|side| match side.moves {
        Some((along, ratio)) if along == dimension => {
            sizes[along] as f64 * ratio.value() < side.cells.len() as f64
        }
        _ => false,
    })
}

/// Adds a box to what is needed of an array: to the box that moves as it does, if there is one.
pub(crate) fn add(needed: &mut Vec<(ArrayId, Box)>, array: ArrayId, sides: Box) {
    for (other, before) in needed.iter_mut() {
        let alike = before.iter().zip(&sides).all(|(a, b)| a.moves == b.moves);
        if *other == array && alike {
            for (a, b) in before.iter_mut().zip(&sides) {
                a.cells = a.cells.hull(b.cells);
            }
            return;
        }
    }
    needed.push((array, sides));
}
