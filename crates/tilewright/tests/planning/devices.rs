//! Tiles over time on devices: that those that are chosen fit and work, and that they move what was
//! predicted.

use super::example;
use std::collections::BTreeMap;
use tilewright::compile::{Compiled, Options, Target, compile};
use tilewright::plan::Shape;
use tilewright::plan::gpu::Gpu;
use tilewright::plan::planner::DeviceWishes;

const STENCILS: [&str; 5] = ["heat-1d", "heat-2d", "heat-3d", "jacobi-2d", "poisson-2d"];

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

/// Overlapped tiles of each stencil: no simpler plan and no smaller tiles take their place.
#[test]
fn what_is_chosen_fits() {
    let devices: Vec<&str> = Gpu::names().collect();
    for (number, file) in STENCILS.iter().enumerate() {
        // The devices in turn, as each takes a second.
        let device = devices[number % devices.len()];
        let mut options = on(device);
        options.wishes.shape = Some(Shape::Scalene);
        let compiled = planned(file, &options);
        let warnings = &compiled.warnings;
        assert!(warnings.is_empty(), "{file} {device}: {warnings:?}");
        let group = &compiled.plan.regions[0].groups[0];
        assert_eq!(group.shape, Shape::Scalene, "{file} {device}");
        assert!(group.threads.iter().product::<i64>() <= 1024);
    }
}

/// Where no shape is asked for, it is the first of those that are compared.
#[test]
fn shapes_are_compared_for_the_device() {
    for (file, device) in [("jacobi-2d", "h200"), ("heat-3d", "generic")] {
        let compiled = planned(file, &on(device));
        assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
        let shapes = &compiled.regions[0].shapes;
        let group = &compiled.plan.regions[0].groups[0];
        assert_eq!(group.shape, shapes[0].shape, "{file} {device}");
        assert!(shapes.is_sorted_by(|a, b| a.time <= b.time));
        let all: Vec<Shape> = shapes.iter().map(|shape| shape.shape).collect();
        assert!(all.contains(&Shape::None) && all.contains(&Shape::Scalene));
    }
}

/// Bytes between the device's memory and its blocks, counted thread by thread, beside those of the
/// model, which takes tiles at the rims for whole: they load up to a halo less on one side, which of
/// tiles as small as these is a fifth. What is copied in front of the bands, along the rims, is not in
/// the model, and not that the last band leaves both buffers behind: with as few bands as here they
/// are a sixth of what is stored.
#[test]
fn tiles_move_what_was_predicted() {
    let cases = [
        ("heat-1d", vec![8, 64], 64, 514),
        ("heat-2d", vec![2, 8, 12], 12, 50),
    ];
    for (file, tiles, steps, cells) in cases {
        let mut options = on("generic");
        let sizes = BTreeMap::from([("tsteps".to_owned(), steps), ("n".to_owned(), cells)]);
        options.wishes.estimates.clone_from(&sizes);
        options.wishes.tile_sizes = Some(tiles.clone());
        options.replay = Some(sizes);
        let compiled = planned(file, &options);
        let region = &compiled.regions[0];
        let predicted = &region.shapes[0];
        assert_eq!(
            (predicted.shape, &predicted.tile_sizes),
            (Shape::Scalene, &tiles)
        );
        let replayed = region.replayed.as_ref().expect("a replay");
        let mut sectors = 0;
        for kernel in &replayed.traffic {
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
    options.wishes.tile_sizes = Some(vec![8, 64, 128]);
    let compiled = planned("heat-2d", &options);
    let [warning] = &compiled.warnings[..] else {
        panic!("{:?}", compiled.warnings);
    };
    let group = &compiled.plan.regions[0].groups[0];
    assert_eq!(group.shape, Shape::Scalene);
    let sizes: Vec<String> = group.tile_sizes.iter().map(i64::to_string).collect();
    let sizes = sizes.join(" x ");
    let message = &warning.message;
    // Two buffers of (64 + 16) x (128 + 16) cells of eight bytes.
    let parts = ["8 x 64 x 128", &sizes, "184320 bytes", "has 49152"];
    assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    let box_of = |size: i64| size + 2 * group.tile_sizes[0];
    let needed = 16 * box_of(group.tile_sizes[1]) * box_of(group.tile_sizes[2]);
    assert!(needed <= 48 << 10, "{sizes}");
}
