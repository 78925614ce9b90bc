//! The rows of a slice of a pipeline: for every stage the tiles' coordinate, the dimension of its
//! cells that moves with it, and the positions at which its indices are drawn.

use super::place::{self, Missing, Parameters, View};
use super::stages::{Stage, stage_name};
use crate::analysis::overlap::alignment::Alignment;
use crate::analysis::stages::StageId;
use crate::scop::linear::lcm;
use isl::{DimType, Set};

/// Indices may be this many times as far apart in one stage as in another.
const LARGEST_SCALE: i64 = 64;

/// A stage with what is drawn of it.
pub(super) struct Line {
    pub(super) stage: StageId,
    pub(super) nest: usize,
    /// Points of the slice: other tile coordinates are fixed.
    pub(super) points: Set,
    /// The tile's coordinate.
    pub(super) k: usize,
    /// The cells' dimension, among those of `points`, and among the array's.
    pub(super) x: usize,
    pub(super) dimension: usize,
    /// How far the tile's points move per tile.
    pub(super) step: i64,
    /// Index `i` lies at position `i * scale + shift`.
    pub(super) scale: i64,
    pub(super) shift: i64,
}

/// How far a dimension of the points moves from a tile to the next.
pub(super) fn movement(points: &Set, k: usize, x: usize) -> isl::Result<i64> {
    let Some((low, high)) = place::range(points, k)? else {
        return Ok(0);
    };
    if low == high {
        return Ok(0);
    }
    let middle = (low + (high - low) / 2).min(high - 1);
    let first = |tile: i64| -> isl::Result<Option<i64>> {
        Ok(place::range(&place::fix(points, k, tile)?, x)?.map(|(least, _)| least))
    };
    Ok(match (first(middle)?, first(middle + 1)?) {
        (Some(here), Some(next)) => (next - here).abs(),
        _ => 0,
    })
}

/// The dimension of the points that moves with a coordinate of the tile; of several, the one that
/// is as far from the last as `from_end` says.
pub(super) fn moved(
    points: &Set,
    tile_dims: usize,
    k: usize,
    from_end: usize,
) -> isl::Result<Option<usize>> {
    let dims = points.dim(DimType::Set)?;
    let mut order: Vec<usize> = (tile_dims..dims).collect();
    order.sort_by_key(|&x| x + from_end != dims);
    for x in order {
        if movement(points, k, x)? > 0 {
            return Ok(Some(x));
        }
    }
    Ok(None)
}

/// What is drawn of every stage.
pub(super) fn lines(
    view: &View,
    stages: &[Stage],
    parameters: &Parameters,
    k: usize,
    dimension: usize,
    notes: &mut Vec<String>,
) -> Result<Vec<Line>, Missing> {
    let Some(last) = stages.last() else {
        return Ok(Vec::new());
    };
    let points = parameters.fix(&last.points)?;
    let from_end = points.dim(DimType::Set)? - last.tile_dims - dimension;
    let middle = middle_tile(&points, last.tile_dims, k)?;
    let mut lines = Vec::new();
    let (mut untiled, mut still) = (Vec::new(), Vec::new());
    for stage in stages {
        let mut points = parameters.fix(&stage.points)?;
        let name = stage_name(view, stage.stage);
        let (k, middle) = if (stage.nest, stage.tile_dims) == (last.nest, last.tile_dims) {
            (k, middle.clone())
        } else {
            let dims = points.dim(DimType::Set)?;
            let x = dims.checked_sub(from_end).filter(|&x| x >= stage.tile_dims);
            let mut own = None;
            for candidate in 0..stage.tile_dims {
                if let Some(x) = x {
                    if movement(&points, candidate, x)? > 0 {
                        own = Some(candidate);
                    }
                }
            }
            let Some(own) = own else {
                untiled.push(name);
                continue;
            };
            (own, middle_tile(&points, stage.tile_dims, own)?)
        };
        for (other, &value) in middle.iter().enumerate() {
            if other != k {
                points = place::fix(&points, other, value)?;
            }
        }
        let Some(x) = moved(&points, stage.tile_dims, k, from_end)? else {
            still.push(name);
            continue;
        };
        lines.push(Line {
            stage: stage.stage,
            nest: stage.nest,
            k,
            x,
            dimension: x - stage.tile_dims,
            step: movement(&points, k, x)?,
            points,
            scale: 1,
            shift: 0,
        });
    }
    if !untiled.is_empty() {
        notes.push(format!(
            "not tiled along this dimension: {}",
            untiled.join(", ")
        ));
    }
    if !still.is_empty() {
        notes.push(format!("the same in every tile: {}", still.join(", ")));
    }
    let common = lines.iter().fold(1, |l, line| lcm(l, line.step));
    for line in &mut lines {
        line.scale = common / line.step;
    }
    let finest = lines.iter().map(|line| line.scale).min().unwrap_or(1);
    for line in &mut lines {
        line.scale = if line.scale % finest == 0 && line.scale / finest <= LARGEST_SCALE {
            line.scale / finest
        } else if line.scale <= LARGEST_SCALE {
            line.scale
        } else {
            1
        };
    }
    Ok(lines)
}

/// Moves stages to their dates, where these are as far apart as the positions.
pub(super) fn shift(lines: &mut [Line], alignment: &Alignment) {
    let mut shifts = Vec::new();
    for line in lines.iter() {
        let Some(aligned) = alignment.of(line.stage) else {
            return;
        };
        let at = aligned.shift * line.scale;
        if at % aligned.scale != 0 || aligned.dimension != line.dimension {
            return;
        }
        shifts.push(at / aligned.scale);
    }
    for (line, shift) in lines.iter_mut().zip(shifts) {
        line.shift = shift;
    }
}

/// The coordinates of a tile in the middle.
fn middle_tile(points: &Set, tile_dims: usize, k: usize) -> isl::Result<Vec<i64>> {
    let mut points = points.clone();
    let mut tile = vec![0; tile_dims];
    let order = std::iter::once(k).chain((0..tile_dims).filter(|&other| other != k));
    for dim in order {
        if let Some((low, high)) = place::range(&points, dim)? {
            tile[dim] = low + (high - low) / 2;
            points = place::fix(&points, dim, tile[dim])?;
        }
    }
    Ok(tile)
}

impl Line {
    /// Positions that a tile computes.
    pub(super) fn of_tile(&self, tile: i64) -> isl::Result<Vec<i64>> {
        let indices = place::values(&place::fix(&self.points, self.k, tile)?, self.x)?;
        Ok(indices.iter().map(|&index| self.position(index)).collect())
    }

    pub(super) fn position(&self, index: i64) -> i64 {
        index * self.scale + self.shift
    }

    /// Positions within a window that any tile computes.
    pub(super) fn within(&self, low: i64, high: i64) -> isl::Result<Vec<i64>> {
        let ctx = self.points.ctx();
        let (low, high) = (low - self.shift, high - self.shift);
        let low = isl::Val::int_from_si(ctx, low.div_euclid(self.scale))?;
        let high = isl::Val::int_from_si(ctx, high.div_euclid(self.scale) + 1)?;
        let window = self
            .points
            .lower_bound_val(DimType::Set, self.x, &low)?
            .upper_bound_val(DimType::Set, self.x, &high)?;
        let indices = place::values(&window, self.x)?;
        Ok(indices.iter().map(|&index| self.position(index)).collect())
    }
}
