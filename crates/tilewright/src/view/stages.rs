//! Slices of pipelines: one row per stage, the tiles of one dimension beside each other.

use super::arrows::{Flow, arrows, dependence};
use super::line::{Line, lines, moved, movement, shift};
use super::place::{self, Missing, Parameters, View};
use super::{Point, Row, Slice, Tile};
use crate::analysis::overlap::alignment::Alignment;
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
/// A stage with all its points: `[k…, x…]`, the tile's coordinates and the cell's.
pub(super) struct Stage {
    pub(super) stage: StageId,
    pub(super) nest: usize,
    /// How many of the dimensions are the tile's.
    pub(super) tile_dims: usize,
    pub(super) points: Set,
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

pub(super) fn stage_name(view: &View, stage: StageId) -> String {
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
