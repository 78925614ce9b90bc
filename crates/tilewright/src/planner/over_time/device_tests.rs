//! Which way the model of devices goes when their limits and rates change, and what it predicts
//! beside what was measured.

use super::device::{chosen, extents};
use super::sweep::Bytes;
use super::tests::heat;
use super::*;
use crate::analysis::over_time::cone::Slopes;
use crate::plan::gpu::Gpu;
use crate::planner::cost::OnDevice;

fn h200() -> Gpu {
    Gpu::named("h200").unwrap()
}

fn best_on(sweep: &Sweep, gpu: Gpu) -> ShapeCost {
    let device = OnDevice { gpu, threads: None };
    chosen(sweep, Shape::Scalene, &device, None).expect("a tile fits")
}

fn cells(cost: &ShapeCost) -> i64 {
    cost.tile_sizes[1..].iter().product()
}

/// By hand, for a point of two buffers of eight bytes whose neighbours are read: two boxes with a
/// halo of as many cells as the tile is high.
fn scratchpads(sizes: &[i64]) -> i64 {
    let box_of = |size: &i64| size + 2 * sizes[0];
    16 * sizes[1..].iter().map(box_of).product::<i64>()
}

#[test]
fn tiles_grow_with_local_memory_and_fit() {
    let sweep = heat(1024, &[8192, 8192]);
    let mut before: Option<ShapeCost> = None;
    for kilobytes in [8, 16, 32, 48, 64, 100, 163, 227] {
        let block_memory = kilobytes << 10;
        // A processor's memory stays: of the same, a block may have more.
        let gpu = Gpu {
            block_memory,
            ..h200()
        };
        let best = best_on(&sweep, gpu);
        assert!(scratchpads(&best.tile_sizes) <= block_memory, "{best:?}");
        let [x, y] = best.threads.unwrap();
        assert!(x * y <= gpu.block_threads, "{best:?}");
        if let Some(before) = before {
            // All that fitted before fits now.
            assert!(best.time <= before.time, "{before:?} {best:?}");
            assert!(volume(&best) >= volume(&before), "{before:?} {best:?}");
        }
        before = Some(best);
    }
}

#[test]
fn tiles_fit_every_device() {
    for name in Gpu::names() {
        let gpu = Gpu::named(name).unwrap();
        for space in [&[1 << 22][..], &[8192; 2], &[512; 3]] {
            let best = best_on(&heat(1024, space), gpu);
            let needed = scratchpads(&best.tile_sizes);
            assert!(needed <= gpu.block_memory, "{name} {best:?} {needed}");
        }
    }
}

/// Points of space and time that are a tile's own.
fn volume(cost: &ShapeCost) -> i64 {
    cells(cost) * cost.tile_sizes[0]
}

#[test]
fn slow_memory_is_worth_more_steps() {
    let sweep = heat(1024, &[8192, 8192]);
    let height = |bandwidth: f64| {
        let gpu = Gpu {
            bandwidth,
            ..h200()
        };
        best_on(&sweep, gpu).tile_sizes[0]
    };
    let heights = [9600.0, 4800.0, 2400.0, 1200.0, 600.0].map(height);
    assert!(heights.is_sorted(), "{heights:?}");
    assert!(heights[0] < heights[4], "{heights:?}");
    // Launches are paid once for each band.
    let small = heat(1024, &[256, 256]);
    let launched = |launch: f64| best_on(&small, Gpu { launch, ..h200() }).tile_sizes[0];
    let heights = [0.0, 1_000.0, 10_000.0, 100_000.0].map(launched);
    assert!(heights.is_sorted(), "{heights:?}");
    assert!(heights[0] < heights[3], "{heights:?}");
}

/// Half as much again as is needed at most, where a plane is large: the old sizes computed 2.2 times
/// as much.
#[test]
fn planes_are_computed_little_more_than_once() {
    for (name, most) in [
        ("generic", 1.5),
        ("a100", 1.5),
        ("h100", 1.5),
        ("h200", 1.5),
    ] {
        let sweep = heat(1024, &[8192, 8192]);
        let best = best_on(&sweep, Gpu::named(name).unwrap());
        let extents = extents(&sweep, &best.tile_sizes).unwrap();
        // By hand: in each step two cells fewer in each dimension.
        let [height, rows, columns] = best.tile_sizes[..] else {
            panic!("two dimensions: {best:?}");
        };
        let all: i64 = (0..height)
            .map(|later| (rows + 2 * later) * (columns + 2 * later))
            .sum();
        let redundancy = all as f64 / (height * rows * columns) as f64;
        assert!((extents.redundancy() - redundancy).abs() < 1e-9);
        assert!(redundancy < most, "{name}: {best:?} {redundancy}");
    }
}

/// A grid that is one tile is not computed twice, and what is small is not worth being cut.
#[test]
fn tiles_end_where_the_grid_does() {
    let sweep = heat(64, &[48, 48]);
    let whole = extents(&sweep, &[16, 48, 48]).unwrap();
    assert!((whole.redundancy() - 1.0).abs() < 1e-9);
    assert_eq!(whole.loaded, [48.0, 48.0]);
    let best = best_on(&heat(64, &[1 << 20]), h200());
    assert!(best.tile_sizes[1] <= 1 << 20);
}

/// Of a cube nothing is left between its halos: the stencil stays as it is where memory is as fast as
/// that. On planes overlapped tiles win, as they wait for nobody.
#[test]
fn planes_overlap_and_volumes_do_not() {
    let first = |sweep: &Sweep| {
        let device = OnDevice {
            gpu: Gpu::default(),
            threads: None,
        };
        let shapes = [Shape::None, Shape::Scalene, Shape::Split, Shape::Hexagonal];
        let all = shapes.iter();
        let mut all: Vec<ShapeCost> = all
            .filter_map(|&shape| chosen(sweep, shape, &device, None))
            .collect();
        all.sort_by(|a, b| a.time.total_cmp(&b.time));
        all[0].shape
    };
    assert_eq!(first(&heat(512, &[4096, 4096])), Shape::Scalene);
    assert_eq!(first(&heat(512, &[1 << 20])), Shape::Scalene);
    assert_eq!(first(&heat(128, &[512, 512, 512])), Shape::None);
}

/// Loops as written move every plane once in each iteration.
#[test]
fn loops_move_what_they_read_and_write() {
    let sweep = heat(100, &[1024, 1024]);
    let device = OnDevice {
        gpu: h200(),
        threads: None,
    };
    let moved = chosen(&sweep, Shape::None, &device, None).and_then(|none| none.moved);
    let least = 100.0 * 16.0 * 1024.0 * 1024.0;
    // A row of 32 cells and the sector that it shares with the next.
    let most = least * (1.0 + 32.0 / (32.0 * 16.0));
    let moved = moved.expect("bytes");
    assert!((least..=most + 1.0).contains(&moved), "{moved}");
}

/// A stencil of doubles with so many units of time, of which an iteration has `steps`, as many loops,
/// operations and accesses in one, and cells that a unit widens a tile by.
fn stencil(
    [time, steps]: [i64; 2],
    space: &[i64],
    [operations, accesses]: [f64; 2],
    widens: i64,
) -> Sweep {
    let slopes = Slopes {
        lower: -widens / 2,
        upper: widens / 2,
        per: 1,
    };
    let one = heat(time, space);
    Sweep {
        steps,
        slopes: vec![slopes; space.len()],
        loops: steps as f64,
        operations,
        period: 3 - steps,
        bytes: Bytes {
            read: 8.0 * steps as f64,
            written: 8.0 * steps as f64,
            accessed: 8.0 * accesses,
            ..one.bytes
        },
        ..one
    }
}

/// Milliseconds on an H200 (docs/src/results/devices.md), of stencils in a plane and in space without
/// copies in split and hexagonal tiles, as they are planned. What is predicted is no more than 1.6
/// times as much or as little, and the shapes are in the order that was measured unless they are
/// predicted to be alike.
#[test]
fn predictions_are_what_was_measured() {
    use Shape::{Hexagonal, None, Scalene, Split};
    let heat_2d = |time: i64| stencil([time, 1], &[3998; 2], [9.0, 6.0], 2);
    let jacobi_2d = |time: i64| stencil([time, 2], &[3998; 2], [10.0, 12.0], 2);
    // The second loop copies, so that one step is left for tiles over time.
    let mut five_points = stencil([1000, 1], &[(1 << 22) - 4], [5.0, 8.0], 4);
    (five_points.loops, five_points.period) = (2.0, 1);
    (five_points.bytes.read, five_points.bytes.written) = (16.0, 16.0);
    type Measured = (&'static str, Sweep, &'static [(Shape, f64)]);
    let measured: [Measured; 8] = [
        (
            "heat-1d",
            stencil([1000, 1], &[159_998], [4.0, 4.0], 2),
            &[
                (Scalene, 0.321),
                (Split, 0.52),
                (Hexagonal, 0.77),
                (None, 4.53),
            ],
        ),
        (
            "heat-2d",
            heat_2d(1000),
            &[(Scalene, 48.3), (None, 87.5), (Hexagonal, 240.0)],
        ),
        (
            "heat-2d, 96 steps",
            heat_2d(96),
            &[
                (Scalene, 4.8),
                (None, 8.4),
                (Split, 10.6),
                (Hexagonal, 23.2),
            ],
        ),
        (
            "heat-3d",
            stencil([100, 2], &[148; 3], [26.0, 16.0], 2),
            &[
                (None, 3.37),
                (Scalene, 4.63),
                (Split, 6.0),
                (Hexagonal, 109.0),
            ],
        ),
        (
            "jacobi-1d",
            stencil([1000, 2], &[(1 << 22) - 2], [6.0, 8.0], 2),
            &[
                (Scalene, 4.69),
                (Split, 5.84),
                (Hexagonal, 7.88),
                (None, 22.0),
            ],
        ),
        (
            "jacobi-1d-5pt",
            five_points,
            &[
                (Scalene, 9.03),
                (Hexagonal, 9.51),
                (Split, 11.1),
                (None, 43.9),
            ],
        ),
        (
            "jacobi-2d",
            jacobi_2d(1000),
            &[(Scalene, 50.1), (None, 85.9)],
        ),
        (
            "jacobi-2d, 48 steps",
            jacobi_2d(96),
            &[(Split, 9.0), (Hexagonal, 21.0)],
        ),
    ];
    let device = OnDevice {
        gpu: h200(),
        threads: Option::None,
    };
    for (name, sweep, shapes) in measured {
        let predicted = shapes.iter().map(|&(shape, time)| {
            let found = chosen(&sweep, shape, &device, Option::None).expect("a tile fits");
            (shape, time, found.time * 1e-6)
        });
        let predicted: Vec<(Shape, f64, f64)> = predicted.collect();
        for (number, &(shape, time, expected)) in predicted.iter().enumerate() {
            let ratio = time / expected;
            assert!(
                (1.0 / 1.6..1.6).contains(&ratio),
                "{name}, {shape:?}: {time} ms, predicted {expected}"
            );
            for &(slower, _, more) in &predicted[number + 1..] {
                assert!(
                    expected < 1.1 * more,
                    "{name}: {shape:?} {expected}, {slower:?} {more}"
                );
            }
        }
    }
}
