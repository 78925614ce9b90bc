//! Planners: from the stage graph to a plan.
//!
//! [`plan`] groups the stages of a pipeline ([`overlap::grouping`]) by what they cost
//! ([`cost`]). What is not a pipeline of stages goes to the affine scheduler as a whole.

mod columns;
pub mod cost;
pub mod device;
mod jam;
mod keep;
mod lanes;
pub mod loops;
mod over_time;
pub mod overlap;
pub mod promotion;
pub mod reductions;
pub mod requests;
mod rows;
pub mod stages;
mod wishes;

pub use over_time::ShapeCost;
pub use overlap::fusion::{GroupWhy, Merge, RunnerUp, Why};
pub use wishes::{
    DataWishes, DeviceWishes, Format, Fusion, Inline, InnerTile, Inspect, LocalCopies,
    PipelineWishes, ProcessorWishes, Reductions, SumWishes, Wishes,
};

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::region::Region;
use crate::analysis::stages::StageGraph;
use crate::plan::{Affine, Figure, Fuse, Group, RegionPlan, Shape, Tiles, defaults};
use crate::scop::Scop;
use cost::{Objective, OnDevice};
use keep::Written;

/// Who decided where parallel loops run inside of others only since these would cross rows.
pub const LANES: &str = "lanes";

/// A plan, and why it is as it is.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan.
    pub plan: RegionPlan,
    /// For pipelines.
    pub why: Option<Why>,
    /// For iterated stencils: what was predicted for each shape, the fastest first.
    pub shapes: Vec<ShapeCost>,
}

/// Decides for one region.
///
/// # Errors
/// isl's own.
pub fn plan(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
) -> isl::Result<Planned> {
    let wishes = &for_device(wishes);
    let mut why = None;
    let mut shapes = Vec::new();
    let lanes = keep::in_lanes(scop, dataflow, graph, wishes)?;
    let (planner, mut groups) = match wishes.shape {
        _ if !lanes.is_empty() => ("original", vec![in_lanes(graph, lanes)]),
        // Where bounds are data, another order of the loops is for the user to ask for: tiles of
        // short loops cost more than they gain.
        None if as_written(scop, wishes) => ("original", vec![everything(graph, Shape::None)]),
        Some(Shape::None) => ("original", vec![everything(graph, Shape::None)]),
        Some(Shape::Parallelogram) => ("affine", vec![everything(graph, Shape::Parallelogram)]),
        Some(shape @ (Shape::Split | Shape::Diamond | Shape::Hexagonal)) => {
            let sizes = match &wishes.tile_sizes {
                Some(sizes) => Some(sizes.clone()),
                None if wishes.device.is_some() => None,
                None => over_time::sizes(scop, dataflow, shape, wishes)?,
            };
            (
                shape.name(),
                vec![over_time(scop, graph, shape, sizes, wishes)],
            )
        }
        _ if !scop.loops.bounds.is_empty() || !wishes.loops.is_empty() => {
            ("affine", vec![everything(graph, Shape::Parallelogram)])
        }
        Some(Shape::Scalene | Shape::Right | Shape::Polymage) | None => {
            let priced = priced(wishes);
            let mut planned = match keep::passes_scalars(scop, graph, wishes) {
                true => None,
                false => overlap::pipeline::plan(scop, dataflow, graph, &priced)?,
            };
            if planned.is_none() && wishes.pipelines.overlap.is_some() {
                let mut full = priced.clone();
                full.pipelines.overlap = None;
                planned = overlap::pipeline::plan(scop, dataflow, graph, &full)?;
            }
            if planned.is_none() && wishes.device.is_some() && wishes.shape.is_some() {
                // What is asked for is made where it can be, although the device is predicted to
                // be faster without.
                planned = overlap::pipeline::plan(scop, dataflow, graph, &sized(wishes))?;
            }
            // Without tiles it is no more than what was written, in another order.
            let is_tiled = |group: &Group| group.tile_sizes().iter().any(|&size| size > 0);
            let asked = wishes.shape.is_some()
                || wishes.device.is_some()
                || wishes.pipelines.fusion != Fusion::default();
            let planned = planned.filter(|(groups, _)| asked || groups.iter().any(is_tiled));
            match planned {
                Some((groups, reasons)) => {
                    let fusion = reasons.fusion;
                    why = Some(reasons);
                    (fusion, groups)
                }
                None if graph.is_cyclic()
                    && matches!(wishes.shape, Some(Shape::Scalene | Shape::Right)) =>
                {
                    // Right trapezoids have the same cells.
                    let shape = wishes.shape.unwrap_or(Shape::Scalene);
                    let found = if wishes.tile_sizes.is_none() {
                        over_time::on_device(scop, dataflow, Shape::Scalene, wishes)?
                    } else {
                        None
                    };
                    let sizes = match (&wishes.tile_sizes, &found) {
                        (Some(sizes), _) => Some(sizes.clone()),
                        (None, Some(found)) => Some(found.tile_sizes.clone()),
                        (None, None) if wishes.device.is_some() => None,
                        (None, None) => over_time::sizes(scop, dataflow, Shape::Scalene, wishes)?,
                    };
                    let mut group = over_time(scop, graph, shape, sizes, wishes);
                    if let Some(threads) = found.and_then(|found| found.threads) {
                        group.device.threads = threads.to_vec();
                    }
                    if let Tiles::Overlapped(tiles) = &mut group.tiles
                        && shape == Shape::Right
                    {
                        overlap::hybrid::turns_over_time(scop, graph, wishes, tiles);
                    }
                    (shape.name(), vec![group])
                }
                None => {
                    let free = wishes.shape.is_none() && wishes.fuse.is_none();
                    if free && graph.is_cyclic() && !keep::streams(scop)? {
                        shapes = over_time::shapes(scop, dataflow, wishes)?.unwrap_or_default();
                    }
                    match shapes.first() {
                        None => match keep::rows(scop, dataflow, graph, wishes)? {
                            rows if !rows.is_empty() => ("rows", vec![rows::group(graph, rows)]),
                            _ => match keep::as_written(scop, dataflow, graph, wishes)? {
                                Written::Surpassed => {
                                    match keep::columns(scop, dataflow, graph, wishes)? {
                                        names if !names.is_empty() => {
                                            (LANES, vec![in_lanes(graph, names)])
                                        }
                                        _ => {
                                            let all = everything(graph, Shape::Parallelogram);
                                            ("affine", vec![all])
                                        }
                                    }
                                }
                                Written::Parallel => {
                                    ("original", vec![everything(graph, Shape::None)])
                                }
                                Written::Alone => ("alone", vec![everything(graph, Shape::None)]),
                            },
                        },
                        Some(best) => ("stencil", vec![chosen(scop, graph, best, wishes)]),
                    }
                }
            }
        }
    };
    for group in &mut groups {
        as_asked(scop, group, wishes);
        group.parallel &= planner != "alone";
        device::decide(group, wishes);
        loops::decide(scop, dataflow, group, wishes)?;
        match &mut group.tiles {
            Tiles::Written(_) | Tiles::Overlapped(_) => {}
            Tiles::Affine(tiles) => {
                band_sizes(scop, tiles, wishes)?;
                if wishes.processor.vectorise && wishes.tile_sizes.is_none() {
                    tiles.jam = jam::products(scop, graph, &group.stages)?;
                    if let Some(columns) = tiles.jam.iter().map(|jam| jam.columns).max()
                        && columns > 0
                    {
                        tiles.tile_sizes = vec![defaults::PRODUCT_TILE];
                        tiles.vector_tile = defaults::PRODUCT_STRIPS * columns;
                    }
                }
            }
            Tiles::OverTime(tiles) => over_time::rows(scop, graph, wishes, tiles)?,
        }
    }
    let mut plan = of_groups(scop, planner, groups);
    if let ("stencil", Some(best)) = (planner, shapes.first()) {
        plan.least.points = best.least_points.threads;
        plan.least.points_alone = best.least_points.alone;
    }
    Ok(Planned { plan, why, shapes })
}

/// A plan of these groups for a region.
fn of_groups(scop: &Scop, planner: &str, groups: Vec<Group>) -> RegionPlan {
    RegionPlan::new(&scop.place.function, scop.place.index, planner, groups)
}

/// Takes over what is asked for of a group whose shape is known.
fn as_asked(scop: &Scop, group: &mut Group, wishes: &Wishes) {
    group.parallel = wishes.processor.parallel;
    group.vectorise = wishes.processor.vectorise;
    match &mut group.tiles {
        Tiles::Written(tiles) => tiles.loops.clone_from(&wishes.loops),
        Tiles::Affine(tiles) => {
            let usual = if scop.loops.bounds.is_empty() && wishes.loops.is_empty() {
                Fuse::default()
            } else {
                Fuse::Written
            };
            tiles.loops.clone_from(&wishes.loops);
            tiles.fuse = wishes.fuse.unwrap_or(usual);
            tiles.wavefront = wishes.processor.wavefront;
            tiles.separate = wishes.processor.separate;
        }
        Tiles::Overlapped(tiles) => tiles.separate = wishes.processor.separate,
        Tiles::OverTime(_) => {}
    }
}

/// Whether loops stay as they are, or become what steps make of them, without tiles.
fn as_written(scop: &Scop, wishes: &Wishes) -> bool {
    (!scop.loops.bounds.is_empty() || !wishes.loops.is_empty())
        && wishes.fuse.is_none()
        && wishes.tile_sizes.is_none()
}

/// What is asked for, without what is for the vector units of processors where a device is to do
/// the work.
fn for_device(wishes: &Wishes) -> Wishes {
    let mut wishes = wishes.clone();
    if wishes.device.is_some() {
        wishes.processor.vectorise = false;
        wishes.pipelines.inner_tile = InnerTile::None;
    }
    wishes
}

/// What is asked for of a pipeline, priced for the device that is to do the work.
fn priced(wishes: &Wishes) -> Wishes {
    match (&wishes.device, wishes.objective) {
        (Some(device), Objective::Time(_)) => Wishes {
            objective: Objective::Device(OnDevice {
                gpu: device.limited(),
                threads: device.threads.is_some().then(|| device::block(wishes)),
            }),
            ..wishes.clone()
        },
        (Some(_), _) => sized(wishes),
        (None, _) => wishes.clone(),
    }
}

/// What is asked for of a pipeline on a device, with sizes for tiles where they are not chosen by
/// their cost.
fn sized(wishes: &Wishes) -> Wishes {
    let usual = || defaults::DEVICE_TILES[0].to_vec();
    let sizes = wishes.tile_sizes.clone().unwrap_or_else(usual);
    Wishes {
        tile_sizes: Some(sizes),
        ..wishes.clone()
    }
}

/// How the stages of a pipeline are grouped by the cost model, without the plan that follows:
/// what the search for it takes. `None` where the region is no pipeline.
///
/// # Errors
/// isl's own.
pub fn why(region: &Region, wishes: &Wishes) -> isl::Result<Option<Why>> {
    overlap::pipeline::why(&region.scop, &region.dataflow, &region.graph, wishes)
}

/// Tile sizes for the affine scheduler.
fn band_sizes(scop: &Scop, tiles: &mut Affine, wishes: &Wishes) -> isl::Result<()> {
    if let Some(sizes) = &wishes.tile_sizes {
        tiles.tile_sizes.clone_from(sizes);
        return Ok(());
    }
    let depth = scop
        .statements
        .iter()
        .map(|s| s.iterators.len())
        .max()
        .unwrap_or(0);
    if wishes.device.is_some() {
        // Of deep nests only the innermost loop is that long: a tile is one block's.
        let outer = match depth {
            0..=3 => 0,
            _ => depth - 1,
        };
        tiles.tile_sizes = vec![defaults::BAND_TILES[defaults::BAND_TILES.len() - 1]; outer];
        tiles.tile_sizes.push(defaults::DEVICE_BAND_TILE);
        return Ok(());
    }
    let last = defaults::BAND_TILES.len() - 1;
    let size = defaults::BAND_TILES[depth.saturating_sub(2).min(last)];
    if keep::crosses_rows(scop)? {
        tiles.tile_sizes = vec![size.min(defaults::CROSSED_TILE)];
    } else {
        tiles.tile_sizes = vec![size];
        tiles.vector_tile = defaults::VECTOR_TILE;
    }
    Ok(())
}

/// One group of the shape that is predicted to be the fastest.
fn chosen(scop: &Scop, graph: &StageGraph, best: &ShapeCost, wishes: &Wishes) -> Group {
    match best.shape {
        Shape::None => everything(graph, best.shape),
        shape => {
            let sizes = match &wishes.tile_sizes {
                Some(sizes) => sizes.clone(),
                None => best.tile_sizes.clone(),
            };
            let mut group = over_time(scop, graph, shape, Some(sizes), wishes);
            group.device.threads = best.threads.into_iter().flatten().collect();
            group
        }
    }
}

/// One group whose tiles extend over time; sizes that are not given are those of [`defaults`].
fn over_time(
    scop: &Scop,
    graph: &StageGraph,
    shape: Shape,
    sizes: Option<Vec<i64>>,
    wishes: &Wishes,
) -> Group {
    let mut group = everything(graph, shape);
    let loops = scop.statements.iter().map(|s| s.iterators.len());
    let dimensions = loops.max().unwrap_or(0).saturating_sub(1);
    let known = dimensions.clamp(1, defaults::TIME_TILES.len());
    if let Some(own) = group.tile_sizes_mut() {
        *own = match sizes {
            Some(sizes) => sizes,
            None if wishes.device.is_some() => over_time::fixed_on_device(shape, dimensions),
            None if shape == Shape::Diamond && known == 1 => vec![defaults::DIAMOND_HEIGHT],
            None => defaults::TIME_TILES[known - 1].to_vec(),
        };
    }
    if let Some(tiles) = group.over_time_mut()
        && let Figure::Diamond { concurrent, .. } = &mut tiles.figure
    {
        *concurrent = defaults::DIAMOND_DIMENSIONS.min(dimensions);
    }
    group
}

/// The loops as written, but for parallel ones that run inside the sums in them.
fn in_lanes(graph: &StageGraph, lanes: Vec<String>) -> Group {
    let mut group = everything(graph, Shape::None);
    if let Tiles::Written(tiles) = &mut group.tiles {
        tiles.lanes = lanes;
    }
    group
}

/// One group with every stage.
pub fn everything(graph: &StageGraph, shape: Shape) -> Group {
    Group::new(graph.stages.iter().map(|s| s.name.clone()).collect(), shape)
}
