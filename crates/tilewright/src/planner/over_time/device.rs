//! Tiles over time on a device: what they take, and the sizes and threads of overlapped ones.
//!
//! Bounds are those of *Split tiling for GPUs*, section 5: a tile goes to the device's memory when it
//! begins and when it ends, and to local memory in between. A tile in numbers is the same as of a
//! pipeline's group ([`Work`]), whose stages are units of time, so that time is the same sum
//! ([`timed`]): bytes of the box that a tile loads, halo included, and of its result; operations and
//! accesses of local memory on all that it computes, what others compute, too, apart; threads without
//! work; barriers; and launches of a few microseconds for each band of time and phase.
//!
//! Overlapped tiles become smaller by the reach of a step in each dimension, and cells are counted
//! step by step; other shapes have their mean cells in each ([`super::tiles`]). Of these, arrays are
//! taken to be in local memory where they fit and space is a line, in the first cache where they would
//! fit into local memory, and else loops go to the device's memory in every step.

use super::sweep::Sweep;
use super::tiles::phases;
use super::{Cone, Find, LeastPoints, ShapeCost, sweep_of};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::plan::gpu::Gpu;
use crate::plan::{Shape, defaults};
use crate::planner::cost::OnDevice;
use crate::planner::cost::device::{Nest, Work, blocks_of, timed};
use crate::planner::device;
use crate::planner::wishes::{DeviceWishes, Wishes};
use crate::scop::Scop;

/// Shapes that are compared on a device, as for processors those that wait least for each other.
const SHAPES: [Shape; 5] = [
    Shape::None,
    Shape::Scalene,
    Shape::Split,
    Shape::Diamond,
    Shape::Hexagonal,
];

/// What a region takes with each shape, the fastest first; empty where it is no iterated stencil.
/// Tiles with storage of their own keep what others overwrite: their reach is that of flow.
///
/// # Errors
/// isl's own.
pub(in crate::planner) fn shapes(
    scop: &Scop,
    dataflow: &Dataflow,
    wishes: &Wishes,
) -> isl::Result<Vec<ShapeCost>> {
    let Some(device) = &wishes.device else {
        return Ok(Vec::new());
    };
    let device = on(device, wishes);
    let given = wishes.tile_sizes.as_deref();
    let sweeps =
        [Cone::of_flow, Cone::find].map(|find: Find| sweep_of(scop, dataflow, wishes, find));
    let [flow, order] = sweeps;
    let (flow, order) = (flow?, order?);
    let priced = SHAPES.iter().filter_map(|&shape| {
        let sweep = if shape.is_overlapped() {
            flow.as_ref()
        } else {
            order.as_ref()
        };
        chosen(sweep?, shape, &device, given)
    });
    let mut all: Vec<ShapeCost> = priced.collect();
    all.sort_by(|a, b| a.time.total_cmp(&b.time));
    Ok(all)
}

/// A shape with the sizes and threads that suit a region best; `None` where it is no iterated stencil
/// or no tile fits into local memory.
///
/// # Errors
/// isl's own.
pub(in crate::planner) fn best(
    scop: &Scop,
    dataflow: &Dataflow,
    shape: Shape,
    wishes: &Wishes,
) -> isl::Result<Option<ShapeCost>> {
    let Some(device) = &wishes.device else {
        return Ok(None);
    };
    let find: Find = if shape.is_overlapped() {
        Cone::of_flow
    } else {
        Cone::find
    };
    let Some(sweep) = sweep_of(scop, dataflow, wishes, find)? else {
        return Ok(None);
    };
    Ok(chosen(
        &sweep,
        shape,
        &on(device, wishes),
        wishes.tile_sizes.as_deref(),
    ))
}

fn on(device: &DeviceWishes, wishes: &Wishes) -> OnDevice {
    OnDevice {
        gpu: device.limited(),
        threads: device.threads.is_some().then(|| device::block(wishes)),
    }
}

/// The best of the sizes that are tried, or those that are given.
pub(super) fn chosen(
    sweep: &Sweep,
    shape: Shape,
    device: &OnDevice,
    given: Option<&[i64]>,
) -> Option<ShapeCost> {
    let (candidates, blocks) = match (shape, given) {
        (Shape::None, _) => (vec![Vec::new()], Vec::new()),
        (_, Some(sizes)) => (vec![sizes.to_vec()], Vec::new()),
        (Shape::Scalene | Shape::Right, None) => (candidates(sweep), blocks_of(device)),
        (_, None) => (vec![fixed(shape, sweep.space.len())], Vec::new()),
    };
    // Those of loops and tiles whose sizes are given are not chosen.
    let choice = !blocks.is_empty();
    let blocks = if choice {
        blocks
    } else {
        vec![device.threads.unwrap_or_else(|| usual(&device.gpu))]
    };
    let mut best: Option<ShapeCost> = None;
    for tile_sizes in candidates {
        let Some(tiles) = tiles(sweep, shape, &tile_sizes, &device.gpu) else {
            continue;
        };
        for &threads in &blocks {
            let Some(time) = time(&tiles, threads, &device.gpu) else {
                continue;
            };
            if best.as_ref().is_none_or(|best| time < best.time) {
                best = Some(ShapeCost {
                    shape,
                    tile_sizes: tile_sizes.clone(),
                    threads: choice.then_some(threads),
                    moved: Some(tiles.iter().map(Launch::moved).sum()),
                    time,
                    least_points: LeastPoints::default(),
                });
            }
        }
    }
    best
}

/// [`defaults::BLOCK_THREADS`], as far as the device has them.
fn usual(gpu: &Gpu) -> [i64; 2] {
    let [x, y] = defaults::BLOCK_THREADS;
    let x = x.min(gpu.block_threads.max(1));
    [x, y.min((gpu.block_threads / x).max(1))]
}

/// Sizes that do not depend on the device.
pub(in crate::planner) fn fixed(shape: Shape, dimensions: usize) -> Vec<i64> {
    let known = dimensions.clamp(1, defaults::DEVICE_TIME_TILES.len());
    match (shape, known) {
        (Shape::Diamond, 1) => vec![defaults::DEVICE_DIAMOND_HEIGHT],
        _ => defaults::DEVICE_TIME_TILES[known - 1].to_vec(),
    }
}

/// Heights and extents to try, so that the boxes that tiles load are those of [`defaults`].
fn candidates(sweep: &Sweep) -> Vec<Vec<i64>> {
    let iterations = (sweep.time / sweep.steps).max(1);
    let heights = &defaults::DEVICE_TIME_HEIGHTS;
    let last = heights.partition_point(|&height| height < iterations);
    // Where bands begin with another buffer than the band before, there is a kernel for each.
    let heights = heights[..heights.len().min(last + 1)].iter();
    let mut heights: Vec<i64> = heights
        .map(|&height| (height as u64).next_multiple_of(sweep.period as u64) as i64)
        .map(|height| height.saturating_mul(sweep.steps))
        .collect();
    heights.dedup();
    // Of a single unit of time, there is nothing in a tile but what loops have.
    heights.retain(|&height| height > 1);
    let rank = sweep.space.len();
    let mut all = Vec::new();
    for height in heights {
        let mut some = vec![vec![height]];
        for axis in 0..rank {
            let boxes: &[i64] = match rank {
                1 => &defaults::DEVICE_TIME_LINES,
                _ => defaults::DEVICE_TIME_BOXES[(rank - 1 - axis).min(2)],
            };
            let grown = sweep.spread(axis) * height as f64;
            // A tile without neighbours along a dimension has no halo there.
            let most = sweep.space[axis];
            let widths = boxes
                .iter()
                .map(|&cells| (cells as f64 - grown).floor() as i64);
            let widths: Vec<i64> = widths.filter(|&width| 0 < width && width <= most).collect();
            some = some
                .iter()
                .flat_map(|sizes| widths.iter().map(|&width| [&sizes[..], &[width]].concat()))
                .collect();
        }
        all.extend(some);
    }
    all
}

/// Tiles of one launch, and how many such launches there are.
struct Launch {
    /// Launches.
    times: f64,
    /// How many times as much as a whole one they compute together: fewer, where the last is not
    /// whole.
    whole: f64,
    /// Tiles, not counting what is beyond the rims; and as blocks.
    tiles: [f64; 2],
    work: Work,
}

impl Launch {
    /// Bytes from and to the device's memory, of all such launches.
    fn moved(&self) -> f64 {
        self.whole * self.tiles[0] * self.work.moved
    }
}

/// Nanoseconds; `None` where a processor holds no such block.
fn time(launches: &[Launch], threads: [i64; 2], gpu: &Gpu) -> Option<f64> {
    let mut all = 0.0;
    for launch in launches {
        let terms = timed(&launch.work, launch.work.local, threads, launch.tiles, gpu)?;
        all += launch.whole * (terms.total() - gpu.launch) + launch.times * gpu.launch;
    }
    Some(all)
}

fn tiles(sweep: &Sweep, shape: Shape, sizes: &[i64], gpu: &Gpu) -> Option<Vec<Launch>> {
    match shape {
        Shape::None => Some(vec![untiled(sweep)]),
        Shape::Scalene | Shape::Right => Some(vec![overlapped(sweep, sizes)?]),
        _ => others(sweep, shape, sizes, gpu),
    }
}

/// Operations on a point in one iteration, on `double` twice.
fn operations(sweep: &Sweep) -> f64 {
    let wide = if sweep.element > 4.0 { 2.0 } else { 1.0 };
    (sweep.operations + 1.0) * wide
}

/// Loops as written: a launch of each in every iteration, with a thread for a cell.
fn untiled(sweep: &Sweep) -> Launch {
    let [x, y] = match sweep.space.len() {
        1 => [defaults::BLOCK_THREADS.iter().product(), 1],
        _ => defaults::BLOCK_THREADS,
    };
    let cells = (x * y) as f64;
    let loops = sweep.loops.max(1.0);
    let points: f64 = sweep.space.iter().map(|&e| e as f64).product();
    let times = iterations(sweep) * loops;
    let rows = (sweep.bytes.read / sweep.element) * y as f64 * defaults::DEVICE_SECTOR as f64;
    Launch {
        times,
        whole: times,
        tiles: [points / cells, (points / cells).ceil()],
        work: Work {
            local: 0,
            moved: (cells * (sweep.bytes.read + sweep.bytes.written) + rows) / loops,
            nests: vec![Nest {
                points: [x, y],
                planes: 1.0,
                operations: operations(sweep) / loops,
                near: sweep.bytes.accessed / loops,
                again: 0.0,
            }],
            barriers: 0.0,
        },
    }
}

fn iterations(sweep: &Sweep) -> f64 {
    (sweep.time as f64 / sweep.steps as f64).max(1.0)
}

/// What is in a tile, along each dimension of space.
pub(super) struct Extents {
    /// Its own cells.
    pub own: Vec<f64>,
    /// Those that it loads, halo included.
    pub loaded: Vec<f64>,
    /// Those that it computes in each unit of time.
    pub computed: Vec<Vec<f64>>,
}

/// An overlapped tile ([`crate::transform::over_time::trapezoids`]); `None` without sizes.
pub(super) fn extents(sweep: &Sweep, sizes: &[i64]) -> Option<Extents> {
    let height = sizes
        .first()
        .copied()
        .unwrap_or(1)
        .clamp(1, sweep.time.max(1));
    let along = |later: i64| -> Option<Vec<f64>> {
        let all = sweep.space.iter().enumerate();
        all.map(|(axis, &most)| {
            let width = sweep.width(sizes, axis)?;
            Some((width + sweep.spread(axis) * later as f64).min(most as f64))
        })
        .collect()
    };
    Some(Extents {
        own: along(0)?,
        loaded: along(height)?,
        computed: (0..height).rev().map(along).collect::<Option<_>>()?,
    })
}

impl Extents {
    /// How many times as much a tile computes as it would alone.
    #[cfg(test)]
    pub fn redundancy(&self) -> f64 {
        let all: f64 = self.computed.iter().map(|cells| product(cells)).sum();
        all / (self.computed.len() as f64 * product(&self.own))
    }

    /// Bytes between a tile and the device's memory, without what is loaded because it shares a
    /// sector.
    pub fn moved(&self, sweep: &Sweep) -> f64 {
        let steps = self.computed.len() as f64 / sweep.steps as f64;
        product(&self.loaded) * sweep.bytes.entering
            + product(&self.own) * (sweep.bytes.leaving + sweep.bytes.kept * steps)
    }

    /// Bytes of its scratchpads at most: every plane that is alive, halo included.
    pub fn local(&self, sweep: &Sweep) -> i64 {
        // Where all steps are kept, buffers are not used again.
        let steps = (self.computed.len() as f64 / sweep.steps as f64).max(1.0);
        let own = sweep.bytes.own + sweep.bytes.kept * (steps - 1.0);
        let planes = (own / sweep.element).ceil();
        (product(&self.loaded) * own).ceil() as i64 + planes as i64 * defaults::LOCAL_ALIGNMENT
    }
}

fn product(cells: &[f64]) -> f64 {
    cells.iter().product()
}

/// The loops over a box: the two innermost dimensions are distributed to threads.
fn nest(cells: &[f64], operations: f64, near: f64, again: f64) -> Nest {
    let mut inner = cells.iter().rev().map(|cells| cells.round().max(1.0));
    let points = [0, 1].map(|_| inner.next().unwrap_or(1.0) as i64);
    Nest {
        points,
        planes: inner.product(),
        operations,
        near,
        again,
    }
}

fn overlapped(sweep: &Sweep, sizes: &[i64]) -> Option<Launch> {
    let extents = extents(sweep, sizes)?;
    let own = product(&extents.own);
    let steps = sweep.steps as f64;
    // What is copied in is loaded, and stored in local memory.
    let mut nests = vec![nest(&extents.loaded, 0.0, sweep.bytes.leaving, 0.0)];
    for computed in &extents.computed {
        let again = 1.0 - own / product(computed);
        let (operations, near) = (operations(sweep) / steps, sweep.bytes.accessed / steps);
        nests.push(nest(computed, operations, near, again));
    }
    // Of each row of what is loaded and of what is stored, a sector is shared with others.
    let rows = |cells: &[f64], bytes: f64| {
        let row = cells.last().copied().unwrap_or(1.0).max(1.0);
        product(cells) / row * (bytes / sweep.element).ceil()
    };
    let rows =
        rows(&extents.loaded, sweep.bytes.entering) + rows(&extents.own, sweep.bytes.leaving);
    let height = extents.computed.len() as f64;
    let bands = sweep.time as f64 / height;
    let tiles = sweep.space.iter().zip(&extents.own);
    let tiles: Vec<f64> = tiles.map(|(&all, own)| all as f64 / own).collect();
    let blocks = tiles.iter().map(|tiles| tiles.ceil()).product();
    Some(Launch {
        times: bands.ceil(),
        whole: bands,
        tiles: [product(&tiles), blocks],
        work: Work {
            local: extents.local(sweep),
            moved: extents.moved(sweep) + rows * defaults::DEVICE_SECTOR as f64,
            nests,
            barriers: height + defaults::DEVICE_TIME_BARRIERS as f64,
        },
    })
}

/// Tiles that compute nothing twice, by the mean of their cells.
fn others(sweep: &Sweep, shape: Shape, sizes: &[i64], gpu: &Gpu) -> Option<Vec<Launch>> {
    let phases = phases(sweep, shape, sizes)?;
    let points: f64 = sweep.space.iter().map(|&e| e as f64).product();
    // Tiles at rims, and those that begin before time or end behind it, are not whole.
    let own: f64 = phases.iter().map(|p| p.times * p.tiles * p.own).sum();
    let part = (points * iterations(sweep) / own).min(1.0);
    let height = sizes.first().copied().unwrap_or(1).max(1) as f64;
    let launch = |phase: &super::tiles::Phase| {
        let mean = phase.volume * sweep.steps as f64 / height;
        let cells = phase.cells * sweep.bytes.own;
        // The first cache has what local memory would have. Copies pay for lines only.
        let near = cells <= gpu.block_memory as f64;
        let in_local = near && sweep.space.len() == 1;
        // Dimensions that are cut into strips, one after another, have as many times their steps.
        let strips = (phase.loaded / phase.cells).max(1.0);
        let moved = if near {
            phase.loaded * 2.0 * sweep.bytes.alive
        } else {
            phase.volume * (sweep.bytes.read + sweep.bytes.written)
        };
        let row = phase.row.clamp(1.0, mean.max(1.0));
        let rows = match sweep.space.len() {
            1 => 1.0,
            2 => (mean / strips / row).max(1.0),
            // As long as a tile has planes, at least.
            _ => (mean / strips / row).sqrt().max(1.0),
        };
        // All of its steps together.
        let one = Nest {
            points: [row.round() as i64, rows.round() as i64],
            planes: mean * height / (row.round() * rows.round()),
            operations: operations(sweep) / sweep.steps as f64,
            near: sweep.bytes.accessed / sweep.steps as f64,
            again: 0.0,
        };
        Launch {
            times: phase.times,
            whole: phase.times * part,
            tiles: [phase.tiles; 2],
            work: Work {
                local: if in_local { cells as i64 } else { 0 },
                moved: moved + phase.volume * sweep.bytes.kept,
                nests: vec![one],
                barriers: (height + defaults::DEVICE_TIME_BARRIERS as f64) * strips,
            },
        }
    };
    Some(phases.iter().map(launch).collect())
}
