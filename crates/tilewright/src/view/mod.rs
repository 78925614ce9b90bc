//! Pictures of tiles: a slice through the iterations of a group, as in the figures of Zhao & Cohen
//! (TACO 2019), as data ([`Slice`]) and as SVG ([`svg`]).
//!
//! Horizontally lie the iterations of one dimension. Vertically lie the stages of the group in the
//! order of execution; where stages need values of their own from earlier iterations, the
//! iterations of the outermost loop. What is drawn is read from the lifted instances of
//! [`Transformed`](crate::transform::Transformed), whatever the shape: a point belongs to the
//! tiles that compute it.

mod arrows;
mod bands;
mod line;
mod place;
mod stages;
mod steps;
pub mod svg;
#[cfg(test)]
mod tests;

use crate::analysis::stages::StageId;
use crate::compile::{Region, regions_trusting};
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::{Group, Plan, RegionPlan, defaults};
use crate::scop::Trust;
use crate::source::Source;
use crate::transform::overlap::overlapped;
use place::Missing;

/// Points of one group, and the tiles that compute them.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Slice {
    /// The name of what lies horizontally.
    pub dimension: String,
    /// From top to bottom, in the order of execution.
    pub rows: Vec<Row>,
    /// The tiles that are drawn.
    pub tiles: Vec<Tile>,
    /// All points, by row and position.
    pub points: Vec<Point>,
    /// Where values go, from the producer's point to the consumer's, up to one consumer.
    pub dependences: Vec<Dependence>,
    /// The tile whose points are counted in [`Row::count`], an index into `tiles`.
    pub counted: Option<usize>,
    /// Sizes of the tiles as they are drawn, as in the plan.
    pub tile_sizes: Vec<i64>,
    /// Values of the parameters, and of loops that are not seen.
    pub parameters: Vec<(String, i64)>,
    /// What else there is to say, one sentence each.
    pub notes: Vec<String>,
}

/// A stage, or one iteration of the outermost loop of a stage.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Row {
    /// `B`, or `t = 3`.
    pub label: String,
    /// The stage.
    pub stage: String,
    /// Distance of neighbouring indices: index `i` lies at position `i * scale + shift`.
    pub scale: i64,
    /// Position of index 0: in right trapezoids, along the dimension in which stages take turns,
    /// positions are dates.
    pub shift: i64,
    /// Points that the counted tile computes here.
    pub count: usize,
    /// Those of them that other tiles compute too.
    pub redundant: usize,
}

/// A tile.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Tile {
    /// What it is called: its coordinates.
    pub name: String,
    /// A number that differs between neighbours.
    pub colour: usize,
}

/// An iteration.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Point {
    /// Index into [`Slice::rows`].
    pub row: usize,
    /// Where it lies in its row.
    pub position: i64,
    /// The tiles among the drawn ones that compute it, indices into [`Slice::tiles`].
    pub tiles: Vec<usize>,
}

/// A value on its way: from where it is computed to where it is needed, row and position each.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[allow(missing_docs)]
pub struct Dependence {
    pub from: (usize, i64),
    pub to: (usize, i64),
}

/// The picture of a group, or why there is none.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The function that holds the region.
    pub function: String,
    /// Number of the region in the file, from 0.
    pub region: usize,
    /// The group's number in the region, from 1.
    pub group: usize,
    /// Its stages.
    pub stages: Vec<String>,
    /// The name of its shape.
    pub shape: String,
    /// Sizes of its tiles in the plan.
    pub tile_sizes: Vec<i64>,
    /// What there is to see; otherwise one clause that says why there is nothing.
    pub slice: Result<Slice, String>,
}

/// Draws the groups of all regions of a file with a plan that is legal for it, under what `trust` says
/// may be taken for granted.
///
/// `dimension` is `rows`, `columns`, the name of a loop variable, or the number of a dimension
/// from 0; without it, the one in which the stages of right trapezoids take turns, else the
/// innermost dimension in which tiles overlap, or the innermost that is tiled.
///
/// # Errors
/// What is wrong with the file or the plan; [`Code::NotApplicable`] where no group can be drawn
/// along the dimension that was asked for.
pub fn draw(
    source: &Source,
    budget: u64,
    trust: &Trust,
    plan: &Plan,
    dimension: Option<&str>,
) -> Result<Vec<Drawing>, Vec<Diagnostic>> {
    let mut drawings = Vec::new();
    let mut known: Vec<String> = Vec::new();
    let mut unknown = false;
    for (region, plan) in regions_trusting(source, budget, trust)?
        .iter()
        .zip(&plan.regions)
    {
        let region = &*region.reduced(plan).map_err(|refused| vec![*refused])?;
        for number in 0..plan.groups.len() {
            let slice = match slice_of_group(region, plan, number, dimension) {
                Ok(slice) => Ok(slice),
                Err(Missing::Nothing(reason)) => Err(reason),
                Err(Missing::Dimension { reason, there_are }) => {
                    unknown = true;
                    for name in there_are {
                        if !known.contains(&name) {
                            known.push(name);
                        }
                    }
                    Err(reason)
                }
                Err(Missing::Isl(error)) if error.is_quota() => {
                    Err("drawing it takes more than the budget".to_owned())
                }
                Err(Missing::Isl(error)) => return Err(vec![internal(&error)]),
            };
            let group = &plan.groups[number];
            drawings.push(Drawing {
                function: plan.function.clone(),
                region: plan.index,
                group: number + 1,
                stages: group.stages.clone(),
                shape: group.shape().name().to_owned(),
                tile_sizes: group.tile_sizes().to_vec(),
                slice,
            });
        }
    }
    if let Some(dimension) = dimension {
        if unknown && drawings.iter().all(|drawing| drawing.slice.is_err()) {
            let message = format!("no group can be drawn along `{dimension}`");
            let mut diagnostic = Diagnostic::error(Code::NotApplicable, message);
            for drawing in &drawings {
                if let Err(reason) = &drawing.slice {
                    diagnostic = diagnostic.note(format!("group {}: {reason}", drawing.group));
                }
            }
            if !known.is_empty() {
                diagnostic = diagnostic.help(format!("`--dimension` {}", known.join(", ")));
            }
            return Err(vec![diagnostic]);
        }
    }
    Ok(drawings)
}

/// The dimension that `rows`, `columns` or a number mean.
fn counted(wish: &str, dimensions: usize) -> Option<usize> {
    match wish {
        "rows" => dimensions.checked_sub(2),
        "columns" => dimensions.checked_sub(1),
        number => number.parse().ok().filter(|&d: &usize| d < dimensions),
    }
}

fn internal(error: &isl::Error) -> Diagnostic {
    Diagnostic::error(Code::Internal, format!("isl: {error}"))
        .help("please report this with the input file")
}

/// One group, with tiles small enough to be drawn.
fn slice_of_group(
    region: &Region,
    plan: &RegionPlan,
    number: usize,
    dimension: Option<&str>,
) -> Result<Slice, Missing> {
    let group = &plan.groups[number];
    let stages: Vec<StageId> = group
        .stages
        .iter()
        .filter_map(|name| region.graph.stages.iter().position(|s| s.name == *name))
        .collect();
    let attempt = |largest: i64, to: i64| -> Result<(Slice, Option<i64>), Missing> {
        let mut small = plan.clone();
        // That is done.
        small.rewrites.tabulate.clear();
        small.rewrites.inline.clear();
        shrink(&mut small.groups[number], largest, to);
        if group.overlaps_over_time(region.graph.is_cyclic()) {
            widen(&mut small.groups[number], group);
        }
        let refused = |refused: Box<Diagnostic>| Missing::Nothing(refused.message);
        let prepared = region.prepared(&small).map_err(refused)?;
        let mut transformed = prepared.apply(&small).map_err(refused)?;
        region.scop.ctx.reset_operations();
        if let Some(rounds) = &prepared.rounds {
            transformed = bands::of_original(&region.scop, rounds, &transformed)?;
        }
        let over_time = group.over_time().is_some();
        let mut view = place::View::new(region, &transformed, number, &stages, over_time)?;
        let tiles = small.groups[number].overlapped();
        if let (Some(rounds), Some(tiles)) = (&prepared.rounds, tiles) {
            bands::name_coordinates(&mut view, rounds, tiles)?;
            view.bands = Some(bands::Drawn::new(rounds, tiles));
        }
        let (mut slice, extension) = if view.iterated || over_time || view.bands.is_some() {
            (steps::slice(&view, dimension)?, None)
        } else {
            let turns = match tiles {
                Some(tiles) => overlapped::turns(&region.scop, &region.graph, tiles, &stages)?,
                None => None,
            };
            let (slice, extension) = stages::slice(&view, dimension, turns.as_ref())?;
            (slice, Some(extension))
        };
        slice.tile_sizes = small.groups[number].tile_sizes().to_vec();
        Ok((slice, extension))
    };
    let [first, .., largest] = defaults::DRAWN_TILES;
    let small = if place::may_be_iterated(&region.graph, &stages) {
        defaults::DRAWN_STEPS[usize::from(stages.len() > 1)]
    } else {
        first
    };
    let (slice, extension) = attempt(if small == first { largest } else { first }, small)?;
    // As large as what a tile adds to the other stages, so that tiles can be told apart.
    let wanted = extension.map_or(small, |extension| {
        let mut sizes = defaults::DRAWN_TILES.into_iter();
        sizes.find(|&size| size >= extension).unwrap_or(largest)
    });
    if wanted <= small || slice.tile_sizes == group.tile_sizes() {
        return Ok(slice);
    }
    Ok(attempt(largest, wanted)?.0)
}

/// Tiles above `largest` get size `to`.
fn shrink(group: &mut Group, largest: i64, to: i64) {
    let smaller = |size: &mut i64| {
        if *size > largest && *size < defaults::WHOLE {
            *size = to;
        }
    };
    if let Some(tiles) = group.affine_mut() {
        smaller(&mut tiles.vector_tile);
    }
    group
        .tile_sizes_mut()
        .into_iter()
        .flatten()
        .for_each(smaller);
}

/// Overlapped tiles over time that were made smaller get twice the width, so that more of them than
/// their sides can be seen.
fn widen(small: &mut Group, group: &Group) {
    let sizes = small.tile_sizes_mut().into_iter().flatten();
    for (size, planned) in sizes.zip(group.tile_sizes()).skip(1) {
        if *size < *planned {
            *size = (*size * 2).min(*planned);
        }
    }
}
