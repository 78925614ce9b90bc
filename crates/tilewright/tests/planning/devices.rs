//! Tiles over time on devices: that those that are chosen fit and work, and that they move what was
//! predicted.

use super::example;
use std::collections::BTreeMap;
use tilewright::compile::{Compiled, Options, Target, compile};
use tilewright::plan::Shape;
use tilewright::plan::gpu::Gpu;
use tilewright::planner::DeviceWishes;

fn on(device: &str) -> Options {
    let gpu = Gpu::named(device).expect("a device");
    let mut options = Options {
        target: Target::Cuda,
        ..Options::default()
    };
    options.wishes.device = Some(DeviceWishes {
        gpu,
        most_threads: gpu.block_threads,
        local_memory: gpu.block_memory,
        ..DeviceWishes::default()
    });
    options
}

fn planned(file: &str, options: &Options) -> Compiled {
    let source = example(&format!("stencils/{file}.c"));
    compile(&source, options, None, &mut |_| {})
        .unwrap_or_else(|errors| panic!("{file}: {errors:?}"))
}

/// What is chosen is the first of the shapes that are compared, and no simpler plan and no smaller
/// tiles take its place.
#[test]
fn what_is_chosen_fits() {
    let cases = [
        ("jacobi-2d", "h200", None),
        ("poisson-2d", "a100", None),
        ("heat-3d", "generic", None),
        ("heat-3d", "generic", Some(Shape::Scalene)),
    ];
    for (file, device, shape) in cases {
        let mut options = on(device);
        options.wishes.shape = shape;
        let compiled = planned(file, &options);
        let warnings = &compiled.warnings;
        assert!(warnings.is_empty(), "{file} {device}: {warnings:?}");
        let group = &compiled.plan.regions[0].groups[0];
        assert!(group.device.threads.iter().product::<i64>() <= 1024);
        let shapes = &compiled.regions[0].order.shapes;
        assert_eq!(shapes.is_empty(), shape.is_some());
        let first = shapes.first().map(|first| first.shape);
        assert_eq!(Some(group.shape()), shape.or(first), "{file} {device}");
        assert!(shapes.is_sorted_by(|a, b| a.time <= b.time));
        let all: Vec<Shape> = shapes.iter().map(|shape| shape.shape).collect();
        let both = [Shape::None, Shape::Scalene];
        assert!(shape.is_some() || both.iter().all(|one| all.contains(one)));
    }
}

/// Bytes between the device's memory and its blocks, counted thread by thread, beside those of the
/// model. It takes tiles at the rims for whole, which load up to a halo less on one side: of tiles as
/// small as these a fifth; and does not know that the last band leaves both buffers behind. Launches in
/// front of the bands and behind them, which copy, are not in the model.
#[test]
fn tiles_move_what_was_predicted() {
    let cases = [
        ("jacobi-1d", vec![16, 32], 64, 258),
        ("heat-2d", vec![4, 16, 16], 16, 34),
    ];
    for (file, tiles, steps, cells) in cases {
        let mut options = on("generic");
        let sizes = BTreeMap::from([("tsteps".to_owned(), steps), ("n".to_owned(), cells)]);
        options.wishes.estimates.clone_from(&sizes);
        options.wishes.tile_sizes = Some(tiles.clone());
        options.replay = Some(sizes);
        let compiled = planned(file, &options);
        let region = &compiled.regions[0];
        let predicted = &region.order.shapes[0];
        assert_eq!(
            (predicted.shape, &predicted.tile_sizes),
            (Shape::Scalene, &tiles)
        );
        let replayed = region.executed.replayed.as_ref().expect("a replay");
        let mut sectors = 0;
        for kernel in replayed.traffic.iter().filter(|k| k.local_bytes > 0) {
            let distant = kernel.buffers.iter().filter(|buffer| !buffer.local);
            sectors += distant.map(|b| b.loads.moved + b.stores.moved).sum::<u64>();
        }
        let counted = (sectors * 32) as f64;
        let ratio = predicted.moved.expect("on a device") / counted;
        assert!(
            (0.8..1.25).contains(&ratio),
            "{file}: {predicted:?} {counted} {ratio}"
        );
    }
}

/// Tiles that were asked for and do not fit are made smaller, and one warning says so.
#[test]
fn large_tiles_are_made_smaller_with_one_warning() {
    let mut options = on("generic");
    options.wishes.shape = Some(Shape::Scalene);
    options.wishes.tile_sizes = Some(vec![16, 512]);
    let device = options.wishes.device.as_mut().expect("a device");
    device.local_memory = 4 << 10;
    let compiled = planned("jacobi-1d", &options);
    let [warning] = &compiled.warnings[..] else {
        panic!("{:?}", compiled.warnings);
    };
    let group = &compiled.plan.regions[0].groups[0];
    assert_eq!(group.shape(), Shape::Scalene);
    let [height, cells] = group.tile_sizes()[..] else {
        panic!("{group:?}");
    };
    let message = &warning.message;
    let parts = ["16 x 512", &format!("{height} x {cells}"), "has 4096"];
    assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    // Two buffers of eight bytes a cell, without halos: what fits, and twice that does not.
    assert!(16 * cells <= 4 << 10, "{message}");
    assert!(16 * 2 * (cells + 2 * height) > 4 << 10, "{message}");
}
