//! Slices of pipelines: one row per stage, the tiles of one dimension beside each other.

use super::arrows::{Flow, arrows, dependence};
use super::place::{self, Missing, Parameters, View};
use super::{Point, Row, Slice, Tile};
use crate::analysis::alignment::Alignment;
use crate::analysis::stages::StageId;
use crate::scop::AccessKind;
use isl::{DimType, Map, Set};
use std::collections::BTreeMap;

/// Tiles that are drawn on each side of the middle one.
const SIDE: i64 = 1;
/// Tiles on each side that are asked whether they compute the middle one's points too.
const NEIGHBOURS: i64 = 6;
/// Positions beyond the drawn tiles that are shown on each side.
const MARGIN: i64 = 2;
/// Parameters are at least one of these, the first with which there are tiles enough.
const LEAST_PARAMETERS: [i64; 8] = [24, 48, 96, 192, 384, 768, 1536, 3072];
/// Indices may be this many times as far apart in one stage as in another.
const LARGEST_SCALE: i64 = 64;

/// A stage with all its points: `[k…, x…]`, the tile's coordinates and the cell's.
struct Stage {
    stage: StageId,
    nest: usize,
    /// How many of the dimensions are the tile's.
    tile_dims: usize,
    points: Set,
}

/// A stage with what is drawn of it.
struct Line {
    stage: StageId,
    nest: usize,
    /// Points of the slice: other tile coordinates are fixed.
    points: Set,
    /// The tile's coordinate.
    k: usize,
    /// The cells' dimension, among those of `points`, and among the array's.
    x: usize,
    dimension: usize,
    /// How far the tile's points move per tile.
    step: i64,
    /// Index `i` lies at position `i * scale + shift`.
    scale: i64,
    shift: i64,
}

/// The dimension along which the stages of right trapezoids take turns, and their dates: what lies
/// horizontally then (TACO 2019, section 3.2).
pub(super) type Turns = (usize, Alignment);

/// The slice, and how many indices of the last stage a tile is extended by at most.
pub(super) fn slice(
    view: &View,
    wish: Option<&str>,
    turns: Option<&Turns>,
) -> Result<(Slice, i64), Missing> {
    let stages = collect(view)?;
    let last = stages
        .last()
        .ok_or_else(|| Missing::Nothing("its loops are not tiled".to_owned()))?;
    let names = names(view, last);
    let wish = wish.map(|wish| dimension_named(view, last, &names, wish));
    let wish = wish.transpose()?;

    let mut best: Option<(Parameters, usize, usize)> = None;
    let mut most = 0;
    for least in LEAST_PARAMETERS {
        let Some(parameters) = view.parameters(least)? else {
            break;
        };
        if best.as_ref().is_some_and(|(b, ..)| b.0 == parameters.0) {
            continue;
        }
        // Without a wish, the shape of right trapezoids is along their turns.
        let along = turns.filter(|_| wish.is_none()).map(|turns| turns.0);
        let chosen = match choose(&stages, &parameters, wish.or(along))? {
            None if along.is_some() => choose(&stages, &parameters, None)?,
            chosen => chosen,
        };
        let Some((k, dimension)) = chosen else {
            continue;
        };
        let points = parameters.fix(&last.points)?;
        let count = place::range(&points, k)?.map_or(0, |(low, high)| high - low + 1);
        if count > most {
            most = count;
            best = Some((parameters, k, dimension));
        }
        if count > 2 * (SIDE + 1) {
            break;
        }
    }
    let Some((parameters, k, dimension)) = best else {
        return Err(match wish {
            Some(d) => Missing::Dimension {
                reason: format!(
                    "{} has no tiles along `{}`",
                    stage_name(view, last.stage),
                    names[d]
                ),
                there_are: names,
            },
            None => Missing::Nothing("one tile holds all of it".to_owned()),
        });
    };
    let mut notes = Vec::new();
    let mut lines = lines(view, &stages, &parameters, k, dimension, &mut notes)?;
    if let Some((_, alignment)) = turns.filter(|turns| turns.0 == dimension) {
        shift(&mut lines, alignment);
    }
    let (mut slice, extension) = points(view, &lines)?;
    slice.dependences = dependences(view, &lines, &parameters, &slice)?;
    slice.dimension = names[dimension].clone();
    slice.parameters = parameters.0;
    slice.notes = notes;
    Ok((slice, extension))
}

fn stage_name(view: &View, stage: StageId) -> String {
    view.region.graph.stages[stage].name.clone()
}

/// The stages that have tiles, in the order of execution.
fn collect(view: &View) -> isl::Result<Vec<Stage>> {
    let mut found = Vec::new();
    for &stage in view.stages {
        let mut collected: Option<Stage> = None;
        for member in view.members_of(stage) {
            let Some(cells) = place::cells(view, member)? else {
                continue;
            };
            let mut product: Option<Map> = None;
            for coordinate in &member.tile {
                product = Some(match product {
                    Some(before) => before.flat_range_product(&coordinate.value)?,
                    None => coordinate.value.clone(),
                });
            }
            let Some(product) = product else { continue };
            let points = product.flat_range_product(&cells)?.range()?;
            match &mut collected {
                None => {
                    collected = Some(Stage {
                        stage,
                        nest: member.nest,
                        tile_dims: member.tile.len(),
                        points,
                    });
                }
                Some(stage) => {
                    if (stage.nest, stage.tile_dims) == (member.nest, member.tile.len()) {
                        stage.points = stage.points.union(&points)?;
                    }
                }
            }
        }
        found.extend(collected);
    }
    Ok(found)
}

/// Names of a stage's dimensions: of the loop variables that they are indexed by.
fn names(view: &View, stage: &Stage) -> Vec<String> {
    let scop = view.scop();
    let array = view.region.graph.stages[stage.stage].arrays[0];
    let rank = scop.arrays[array].extents.len();
    let statements = &view.region.graph.stages[stage.stage].statements;
    (0..rank)
        .map(|d| {
            for &statement in statements.iter().rev() {
                let statement = &scop.statements[statement];
                for access in &statement.accesses {
                    let writes = access.kind == AccessKind::Write && access.array == array;
                    let Some(Some(index)) = access.affine.get(d).filter(|_| writes) else {
                        continue;
                    };
                    for (i, iterator) in statement.iterators.iter().enumerate() {
                        if index.involves_dims(DimType::In, i, 1).unwrap_or(false) {
                            return iterator.name.clone();
                        }
                    }
                }
            }
            d.to_string()
        })
        .collect()
}

fn dimension_named(
    view: &View,
    stage: &Stage,
    names: &[String],
    wish: &str,
) -> Result<usize, Missing> {
    let found = names.iter().position(|name| name == wish);
    let found = found.or_else(|| super::counted(wish, names.len()));
    found.ok_or_else(|| Missing::Dimension {
        reason: format!(
            "{} has no dimension `{wish}`",
            stage_name(view, stage.stage)
        ),
        there_are: names.to_vec(),
    })
}

/// How far a dimension of the points moves from a tile to the next.
fn movement(points: &Set, k: usize, x: usize) -> isl::Result<i64> {
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

/// Whether neighbouring tiles have values of a dimension in common.
fn overlaps(points: &Set, k: usize, x: usize) -> isl::Result<bool> {
    let Some((low, high)) = place::range(points, k)? else {
        return Ok(false);
    };
    let middle = low + (high - low) / 2;
    let here = place::range(&place::fix(points, k, middle)?, x)?;
    let next = place::range(&place::fix(points, k, middle + 1)?, x)?;
    Ok(here
        .zip(next)
        .is_some_and(|((from, to), (begin, end))| begin <= to && from <= end))
}

/// Which coordinate of the tile and which dimension of the last stage are drawn.
fn choose(
    stages: &[Stage],
    parameters: &Parameters,
    wish: Option<usize>,
) -> isl::Result<Option<(usize, usize)>> {
    let Some(last) = stages.last() else {
        return Ok(None);
    };
    let fixed = stages
        .iter()
        .map(|stage| parameters.fix(&stage.points))
        .collect::<isl::Result<Vec<Set>>>()?;
    let points = &fixed[fixed.len() - 1];
    let rank = points.dim(DimType::Set)? - last.tile_dims;
    let mut moving = Vec::new();
    for dimension in (0..rank).rev() {
        for k in (0..last.tile_dims).rev() {
            if movement(points, k, last.tile_dims + dimension)? > 0 {
                moving.push((k, dimension));
            }
        }
    }
    if let Some(wish) = wish {
        return Ok(moving.into_iter().find(|&(_, dimension)| dimension == wish));
    }
    for &(k, dimension) in &moving {
        for (stage, points) in stages.iter().zip(&fixed) {
            if stage.nest != last.nest || stage.tile_dims != last.tile_dims {
                continue;
            }
            let Some(x) = moved(points, stage.tile_dims, k, rank - dimension)? else {
                continue;
            };
            if overlaps(points, k, x)? {
                return Ok(Some((k, dimension)));
            }
        }
    }
    Ok(moving.first().copied())
}

/// The dimension of the points that moves with a coordinate of the tile; of several, the one that
/// is as far from the last as `from_end` says.
fn moved(points: &Set, tile_dims: usize, k: usize, from_end: usize) -> isl::Result<Option<usize>> {
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
fn lines(
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

fn lcm(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// Moves stages to their dates, where these are as far apart as the positions.
fn shift(lines: &mut [Line], alignment: &Alignment) {
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
    fn of_tile(&self, tile: i64) -> isl::Result<Vec<i64>> {
        let indices = place::values(&place::fix(&self.points, self.k, tile)?, self.x)?;
        Ok(indices.iter().map(|&index| self.position(index)).collect())
    }

    fn position(&self, index: i64) -> i64 {
        index * self.scale + self.shift
    }

    /// Positions within a window that any tile computes.
    fn within(&self, low: i64, high: i64) -> isl::Result<Vec<i64>> {
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

/// The tile in the middle: the first one that looks like those on both sides of it.
fn centre(lines: &[&Line], low: i64, high: i64) -> isl::Result<i64> {
    let middle = low + (high - low) / 2;
    let widths = |tile: i64| -> isl::Result<Vec<usize>> {
        lines
            .iter()
            .map(|line| Ok(line.of_tile(tile)?.len()))
            .collect()
    };
    let usual = widths(middle)?;
    for tile in low + SIDE..middle.min(low + SIDE + NEIGHBOURS) {
        let mut same = true;
        for other in tile - SIDE..=tile + SIDE {
            same = same && widths(other)? == usual;
        }
        if same {
            return Ok(tile);
        }
    }
    Ok(middle)
}

fn points(view: &View, lines: &[Line]) -> Result<(Slice, i64), Missing> {
    let Some(last) = lines.last() else {
        return Err(Missing::Nothing("one tile holds all of it".to_owned()));
    };
    let (low, high) = place::range(&last.points, last.k)?
        .ok_or_else(|| Missing::Nothing("it computes nothing".to_owned()))?;
    let together: Vec<&Line> = lines.iter().filter(|l| l.nest == last.nest).collect();
    let centre = centre(&together, low, high)?;
    let drawn: Vec<i64> = (centre - SIDE..=centre + SIDE)
        .filter(|tile| (low..=high).contains(tile))
        .collect();

    let mut tiles: Vec<(usize, i64)> = Vec::new();
    let mut computed: BTreeMap<(usize, i64), Vec<usize>> = BTreeMap::new();
    let mut rows = Vec::new();
    let mut extension = 0;
    for (number, line) in lines.iter().enumerate() {
        let name = stage_name(view, line.stage);
        let mut row = Row {
            label: name.clone(),
            stage: name,
            scale: line.scale,
            shift: line.shift,
            count: 0,
            redundant: 0,
        };
        if line.nest == last.nest {
            for &tile in &drawn {
                let index = index_of(&mut tiles, (line.nest, tile));
                for position in line.of_tile(tile)? {
                    computed.entry((number, position)).or_default().push(index);
                }
            }
            let own = line.of_tile(centre)?;
            let mut others = Vec::new();
            for tile in centre - NEIGHBOURS..=centre + NEIGHBOURS {
                if tile != centre && (low..=high).contains(&tile) {
                    others.extend(line.of_tile(tile)?);
                }
            }
            row.count = own.len();
            row.redundant = own.iter().filter(|p| others.contains(p)).count();
            let width = own.last().zip(own.first()).map_or(0, |(b, a)| b - a);
            extension = extension.max((width + line.scale - line.step * line.scale) / last.scale);
        }
        rows.push(row);
    }
    let counted = tiles.iter().position(|&t| t == (last.nest, centre));

    // What lies beside and between, and stages with tiles of their own.
    let positions = || computed.keys().map(|&(_, position)| position);
    let left = positions().min().unwrap_or(0) - MARGIN;
    let right = positions().max().unwrap_or(0) + MARGIN;
    for (number, line) in lines.iter().enumerate() {
        let within: Vec<i64> = line
            .within(left, right)?
            .into_iter()
            .filter(|position| (left..=right).contains(position))
            .collect();
        for &position in &within {
            computed.entry((number, position)).or_default();
        }
        if line.nest != last.nest {
            let Some((low, high)) = place::range(&line.points, line.k)? else {
                continue;
            };
            for tile in low..=high {
                for position in line.of_tile(tile)? {
                    if let Some(of) = computed.get_mut(&(number, position)) {
                        of.push(index_of(&mut tiles, (line.nest, tile)));
                    }
                }
            }
        }
    }
    let points = computed.into_iter().map(|((row, position), tiles)| Point {
        row,
        position,
        tiles,
    });
    let slice = Slice {
        dimension: String::new(),
        rows,
        points: points.collect(),
        tiles: tiles
            .iter()
            .map(|&(nest, tile)| Tile {
                name: tile.to_string(),
                colour: (tile + 3 * (nest as i64 - last.nest as i64)).rem_euclid(6) as usize,
            })
            .collect(),
        dependences: Vec::new(),
        counted,
        tile_sizes: Vec::new(),
        parameters: Vec::new(),
        notes: Vec::new(),
    };
    Ok((slice, extension))
}

fn index_of(tiles: &mut Vec<(usize, i64)>, tile: (usize, i64)) -> usize {
    if let Some(found) = tiles.iter().position(|&t| t == tile) {
        return found;
    }
    tiles.push(tile);
    tiles.len() - 1
}

/// Everything that the point in the middle of the last stage needs.
fn dependences(
    view: &View,
    lines: &[Line],
    parameters: &Parameters,
    slice: &Slice,
) -> isl::Result<Vec<super::Dependence>> {
    let row_of = |statement: usize| {
        lines.iter().position(|line| {
            view.region.graph.stages[line.stage]
                .statements
                .contains(&statement)
        })
    };
    let index = |statement: usize, line: &Line| -> isl::Result<Option<Map>> {
        let Some(cells) = place::cells_of_original(view.region, line.stage, statement)? else {
            return Ok(None);
        };
        let rank = cells.dim(DimType::Out)?;
        let cells = cells
            .project_out(DimType::Out, line.dimension + 1, rank - line.dimension - 1)?
            .project_out(DimType::Out, 0, line.dimension)?;
        Ok(Some(parameters.fix_map(&cells)?))
    };
    let mut flows = Vec::new();
    for edge in &view.region.dataflow.edges {
        let Some(consumer) = row_of(edge.reader) else {
            continue;
        };
        for sources in edge.sources.maps()? {
            let name = sources.tuple_name(DimType::In)?.unwrap_or_default();
            let writer = view.scop().statement_named(&name);
            let Some((writer, producer)) = writer.and_then(|w| Some((w, row_of(w)?))) else {
                continue;
            };
            let from = index(writer, &lines[producer])?;
            let to = index(edge.reader, &lines[consumer])?;
            if let Some((from, to)) = from.zip(to) {
                let map = parameters.fix_map(&sources)?;
                flows.push(Flow {
                    map: map.apply_domain(&from)?.apply_range(&to)?,
                    producer,
                    consumer,
                });
            }
        }
    }
    let Some(row) = lines.len().checked_sub(1) else {
        return Ok(Vec::new());
    };
    let middle: Vec<i64> = slice
        .points
        .iter()
        .filter(|p| p.row == row && slice.counted.is_some_and(|tile| p.tiles.contains(&tile)))
        .map(|p| (p.position - lines[row].shift) / lines[row].scale)
        .collect();
    let Some(&target) = middle.get(middle.len() / 2) else {
        return Ok(Vec::new());
    };
    let all = arrows(&flows, (row, vec![target]), lines.len())?;
    let place = |(row, index): &(usize, Vec<i64>)| {
        let position = lines[*row].position(*index.first()?);
        slice
            .points
            .iter()
            .any(|p| (p.row, p.position) == (*row, position))
            .then_some((*row, position))
    };
    Ok(all
        .iter()
        .filter_map(|(from, to)| dependence(place(from), place(to)))
        .collect())
}
