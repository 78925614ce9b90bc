//! Overlapped tiles with one slope per side for a whole group: the shape of PolyMage (Mullapudi,
//! Vasista & Bondhugula, ASPLOS 2015), to which Zhao & Cohen, TACO 2019, compare theirs
//! (section 2.1, figure 4; tables 3 to 7).
//!
//! Dimension by dimension, in coordinates in which a stage that is sampled by two has cells two
//! apart. A stage's *level* is the length of the longest path of dependences that ends in it.
//! From the live-out stage down, the widest dependences on each level are added up; what that
//! comes to, divided by the levels passed, rounded up, is the slope that the level asks for, and
//! the greatest one bounds the tile on that side, at all levels. Scratchpads have the cells
//! between the bounds of the lowest level, whatever the level of their stage.
//!
//! PolyMage takes the coordinates that its programs are written in. Arrays in C begin at zero, so
//! that a stencil around a cell often looks as if it reached to one side only; stages are shifted
//! here so that what is read lies on both sides, by multiples of the coarsest scale.
//!
//! Four things differ from PolyMage's generated code, none of which changes a slope:
//!
//! - Cells between the bounds whose inputs are not all computed in the tile are not computed
//!   (PolyMage computes them from whatever the scratchpad holds; nobody reads them).
//! - A box holds at least the tight one ([`crate::analysis::overlap::footprint`]), where rounding would lose a cell.
//! - Tiles start at the first cell of the live-out stage, not at zero.
//! - In dimensions that are not tiled a scratchpad holds the cells that are needed, not all.

use crate::analysis::overlap::alignment::{AlignedStage, difference, scaled, written_coordinate};
use crate::analysis::overlap::footprint::{
    GroupTiles, NoFootprint, boxed, first_cell, instances_for,
};
use crate::analysis::stages::{StageGraph, StageId};
use crate::scop::{Access, AccessKind, Scop};
use isl::{Aff, DimType, Map, PwAff, Val};

/// The same tiles, their boxes widened to one slope per side. Dimensions in which the stages do
/// not move by constants from tile to tile, or are at no constant distance from each other, stay
/// as they are.
///
/// # Errors
/// isl's own.
pub fn widen(
    scop: &Scop,
    graph: &StageGraph,
    tight: &GroupTiles,
    out: StageId,
    sizes: &[i64],
) -> Result<GroupTiles, NoFootprint> {
    let written = graph.tiles.written(scop, graph, out)?;
    let mut wide = tight.clone();
    // What is computed; the footprints are what scratchpads hold.
    let mut computed: Vec<(Vec<Aff>, Vec<i64>)> = tight
        .footprints
        .iter()
        .map(|f| (f.origin.clone(), f.extents.clone()))
        .collect();
    for (k, &dimension) in tight.tiled.iter().enumerate() {
        let first = first_cell(&written, dimension)?;
        let Some(sides) = sides(scop, graph, tight, out, sizes, k, first)? else {
            continue;
        };
        let number = |stage| tight.footprints.iter().position(|f| f.stage == stage);
        for side in sides {
            let Some(number) = number(side.stage.stage) else {
                continue;
            };
            let d = side.stage.dimension;
            let moved = |to: i64| {
                let by = Val::int_from_si(&scop.ctx, to - side.tight.first)?;
                tight.footprints[number].origin[d].add_constant_val(&by)
            };
            let (origin, extents) = &mut computed[number];
            origin[d] = moved(side.computed.first)?;
            extents[d] = side.computed.cells();
            let footprint = &mut wide.footprints[number];
            footprint.origin[d] = moved(side.held.first)?;
            footprint.extents[d] = side.held.cells();
            footprint.computed[d] = side.computed.cells();
        }
    }
    wide.boxes.truncate(1);
    for (footprint, (origin, extents)) in wide.footprints.iter().zip(&computed) {
        let Some((_, tight_box)) = tight.boxes.iter().find(|(s, _)| *s == footprint.stage) else {
            continue;
        };
        let space = tight_box.get_space()?;
        let cells = boxed(&space, &tight.tiles, origin, extents)?;
        for (statement, instances) in &mut wide.instances {
            if graph.stages[footprint.stage].statements.contains(statement) {
                *instances = instances_for(scop, *statement, footprint.array, &cells)?;
            }
        }
        wide.boxes.push((footprint.stage, cells));
    }
    Ok(wide)
}

/// Cells from `first` to `last`, in the tile with coordinate zero.
#[derive(Clone, Copy, Debug)]
struct Cells {
    first: i64,
    last: i64,
}

impl Cells {
    fn cells(self) -> i64 {
        self.last - self.first + 1
    }

    fn hull(self, other: Cells) -> Cells {
        Cells {
            first: self.first.min(other.first),
            last: self.last.max(other.last),
        }
    }
}

/// One stage of a tile in one dimension.
#[derive(Clone, Debug)]
struct Side {
    stage: AlignedStage,
    level: i64,
    tight: Cells,
    computed: Cells,
    held: Cells,
}

impl Side {
    /// The cell at a date, or the next one.
    fn from(&self, date: i64) -> i64 {
        ceiling(date - self.stage.shift, self.stage.scale)
    }

    /// The cell at a date, or the one before.
    fn until(&self, date: i64) -> i64 {
        (date - self.stage.shift).div_euclid(self.stage.scale)
    }

    fn date(&self, cell: i64) -> i64 {
        self.stage.scale * cell + self.stage.shift
    }
}

/// What a stage reads of another: `least ≤ date of the reader − date of the cell read ≤ most`.
#[derive(Clone, Copy, Debug)]
struct Reads {
    producer: usize,
    reader: usize,
    least: i64,
    most: i64,
    /// The same as PolyMage sees it, of any iteration and without rounding.
    plain: (i64, i64),
}

impl Reads {
    /// Whether the distances differ only because a subscript is rounded to a whole cell.
    fn rounded(self, sides: &[Side]) -> bool {
        self.most - self.least < sides[self.producer].stage.scale
    }
}

/// Every stage along tile coordinate `k`, the live-out stage last, or `None` where one slope does
/// not make sense.
fn sides(
    scop: &Scop,
    graph: &StageGraph,
    tight: &GroupTiles,
    out: StageId,
    sizes: &[i64],
    k: usize,
    first: i64,
) -> Result<Option<Vec<Side>>, NoFootprint> {
    let mut members: Vec<StageId> = tight.footprints.iter().map(|f| f.stage).collect();
    members.push(out);
    let levels = levels(graph, &members);
    let Some(aligned) = scaled(&members, tight, sizes, k)? else {
        return Ok(None);
    };
    let mut sides = Vec::with_capacity(members.len());
    for (number, stage) in aligned.into_iter().enumerate() {
        let cells = match tight.footprints.get(number) {
            Some(footprint) => {
                let origin = &footprint.origin[stage.dimension];
                let params = origin.dim(DimType::Param)?;
                let corner = origin.get_constant_val()?.to_i64();
                let Some(corner) = corner else {
                    return Ok(None);
                };
                if origin.involves_dims(DimType::Param, 0, params)? {
                    return Ok(None);
                }
                Cells {
                    first: corner,
                    last: corner + footprint.extents[stage.dimension] - 1,
                }
            }
            None => Cells {
                first,
                last: first + sizes[stage.dimension] - 1,
            },
        };
        sides.push(Side {
            stage,
            level: levels[number],
            tight: cells,
            computed: cells,
            held: cells,
        });
    }
    let Some(mut reads) = reads(scop, graph, &sides)? else {
        return Ok(None);
    };
    shift(&mut sides, &mut reads);
    fit(&mut sides, &reads);
    Ok(Some(sides))
}

/// The length of the longest path of dependences to each stage, inside the group.
fn levels(graph: &StageGraph, members: &[StageId]) -> Vec<i64> {
    let mut levels = vec![0; members.len()];
    for _ in members {
        for (number, &stage) in members.iter().enumerate() {
            for producer in graph.producers(stage) {
                if let Some(p) = members.iter().position(|&m| m == producer) {
                    levels[number] = levels[number].max(levels[p] + 1);
                }
            }
        }
    }
    levels
}

/// All reads between stages of the group, `None` where one is at no bounded distance.
fn reads(
    scop: &Scop,
    graph: &StageGraph,
    sides: &[Side],
) -> Result<Option<Vec<Reads>>, NoFootprint> {
    let mut all = Vec::new();
    for (reader, consumer) in sides.iter().enumerate() {
        let consumer = &consumer.stage;
        for (producer, source) in sides.iter().enumerate() {
            let source = &source.stage;
            if producer == reader || !graph.edges.contains(&(source.stage, consumer.stage)) {
                continue;
            }
            let arrays = &graph.stages[source.stage].arrays;
            for &statement in &graph.stages[consumer.stage].statements {
                for access in &scop.statements[statement].accesses {
                    if access.kind != AccessKind::Read || !arrays.contains(&access.array) {
                        continue;
                    }
                    let Some(cell) = written_coordinate(scop, statement, consumer.dimension) else {
                        return Ok(None);
                    };
                    let Some((least, most)) = difference(access, source, cell, consumer.scale)?
                    else {
                        return Ok(None);
                    };
                    let plain = plain(access, source, cell, consumer.scale)?;
                    all.push(Reads {
                        producer,
                        reader,
                        least,
                        most,
                        plain: plain.unwrap_or((least, most)),
                    });
                }
            }
        }
    }
    Ok(Some(all))
}

/// The distance of a read whose subscripts hold for all iterations, without the rounding of
/// subscripts to whole cells, where it is a constant.
fn plain(
    read: &Access,
    producer: &AlignedStage,
    cell: &PwAff,
    scale: i64,
) -> isl::Result<Option<(i64, i64)>> {
    let Some(Some(subscript)) = read.affine.get(producer.dimension) else {
        return Ok(None);
    };
    if cell.n_piece()? != 1 || subscript.n_piece()? != 1 {
        return Ok(None);
    }
    let everywhere = |piece: &PwAff, scale: i64| {
        let mut all = None;
        let by = Val::int_from_si(piece.ctx(), scale)?;
        piece.foreach_piece(&mut |_, aff| {
            all = Some(PwAff::from_aff(&aff.scale_val(&by)?)?);
            Ok(())
        })?;
        Ok::<Option<PwAff>, isl::Error>(all)
    };
    let at = everywhere(cell, scale)?;
    let from = everywhere(subscript, producer.scale)?;
    let (Some(at), Some(from)) = (at, from) else {
        return Ok(None);
    };
    let distance = Map::from_pw_aff(&at.sub(&from)?)?.range()?;
    let least = distance.dim_min_val(0)?.to_i64();
    let most = distance.dim_max_val(0)?.to_i64();
    Ok(match (least, most) {
        (Some(least), Some(most)) if most - least < producer.scale => Some((least, least)),
        _ => None,
    })
}

/// Shifts the stages, consumers first, until what each of them is read for lies around zero, or
/// almost.
fn shift(sides: &mut [Side], reads: &mut [Reads]) {
    let coarsest = sides.iter().map(|s| s.stage.scale).max().unwrap_or(1);
    // The live-out stage may cut off a rim of any width.
    if let Some((out, others)) = sides.split_last_mut() {
        let mut rims = reads.iter().filter(|r| {
            r.reader == others.len() && others[r.producer].stage.scale == out.stage.scale
        });
        if let Some(rim) = rims.next() {
            let same = rims.all(|r| (r.least, r.most) == (rim.least, rim.least));
            if same && rim.least == rim.most && rim.least.abs() >= coarsest {
                out.stage.shift = -rim.least;
            }
        }
    }
    let mut order: Vec<usize> = (0..sides.len().saturating_sub(1)).collect();
    order.sort_by_key(|&number| -sides[number].level);
    for producer in order {
        let distances = reads.iter().filter(|r| r.producer == producer);
        let distances = distances.map(|r| {
            let by = sides[r.reader].stage.shift;
            (r.least + by, r.most + by)
        });
        let hull = distances.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let (least, most) = hull.unwrap_or((0, 0));
        sides[producer].stage.shift = (least + most) / 2 / coarsest * coarsest;
    }
    for read in reads {
        let by = sides[read.reader].stage.shift - sides[read.producer].stage.shift;
        read.least += by;
        read.most += by;
        read.plain = (read.plain.0 + by, read.plain.1 + by);
    }
}

/// The slopes to the left and to the right: cells per level, scaled.
fn slopes(sides: &[Side], reads: &[Reads], height: i64) -> (i64, i64) {
    let (mut left, mut right) = (0, 0);
    let (mut slope_left, mut slope_right) = (0, 0);
    for level in (0..height).rev() {
        let here = || reads.iter().filter(|r| sides[r.producer].level == level);
        left += here().map(|r| r.plain.1).max().unwrap_or(0).max(0);
        right -= here().map(|r| r.plain.0).min().unwrap_or(0).min(0);
        slope_left = slope_left.max(ceiling(left, height - level));
        slope_right = slope_right.max(ceiling(right, height - level));
    }
    (slope_left, slope_right)
}

/// Finds what is computed and what is held of every stage.
fn fit(sides: &mut [Side], reads: &[Reads]) {
    let Some(out) = sides.last() else { return };
    let height = out.level;
    let begin = out.date(out.tight.first);
    let end = out.date(out.tight.last + 1);
    let (left, right) = slopes(sides, reads, height);
    for level in 0..height {
        for number in 0..sides.len() {
            if sides[number].level != level {
                continue;
            }
            let below = height - level;
            let mut lower = begin - left * below;
            let mut upper = end - 1 + right * below;
            for read in reads.iter().filter(|r| r.reader == number) {
                let source = &sides[read.producer];
                let (near, far) = if read.rounded(sides) {
                    (read.least, read.most)
                } else {
                    (read.most, read.least)
                };
                lower = lower.max(source.date(source.computed.first) + near);
                upper = upper.min(source.date(source.computed.last) + far);
            }
            let side = &mut sides[number];
            side.computed = side.tight.hull(Cells {
                first: side.from(lower),
                last: side.until(upper),
            });
            let first = side.from(begin - left * height);
            let all = end - begin + (left + right) * height;
            let cells = ceiling(all, side.stage.scale);
            side.held = side.computed.hull(Cells {
                first,
                last: first + cells - 1,
            });
        }
    }
}

/// `a / b`, rounded up.
fn ceiling(a: i64, b: i64) -> i64 {
    -(-a).div_euclid(b)
}
