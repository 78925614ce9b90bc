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

/// The same of every device, by a bound: two buffers of `double` with halos as wide as tiles are high,
/// which the code generator stays below.
#[test]
fn what_is_chosen_is_bounded_by_local_memory() {
    for file in STENCILS {
        let source = example(&format!("stencils/{file}.c"));
        let regions = tilewright::frontend::c::regions(&source).expect("regions");
    }
}

/// Bytes between the device's memory and its blocks, counted thread by thread, beside those of the
/// model. Sectors are counted as in the model. It takes tiles at the rims for whole: those are most of
/// these few, and load up to a halo less on each side, which is a quarter of a tile. What is copied in
/// front of all tiles and behind them, a cell's width along the rims, is not in the model.
#[test]
fn tiles_move_what_was_predicted() {
    for file in ["heat-2d", "jacobi-2d"] {
        let mut options = on("generic");
        let sizes = BTreeMap::from([("tsteps".to_owned(), 8), ("n".to_owned(), 80)]);
        options.wishes.estimates.clone_from(&sizes);
        options.replay = Some(sizes);
        let compiled = planned(file, &options);
        let region = &compiled.regions[0];
        let predicted = &region.shapes[0];
        assert_eq!(predicted.shape, Shape::Scalene);
        let replayed = region.replayed.as_ref().expect("a replay");
        let mut counted = 0;
        for kernel in &replayed.traffic {
            let distant = kernel.buffers.iter().filter(|buffer| !buffer.local);
            counted += distant.map(|b| b.loads.moved + b.stores.moved).sum::<u64>() * 32;
        }
        let ratio = predicted.moved.expect("on a device") / counted as f64;
        assert!(
            (0.75..1.5).contains(&ratio),
            "{file}: {predicted:?} {counted} {ratio}"
        );
        // Both are far below what a sweep for each step moves.
        let swept = 8.0 * 80.0 * 80.0 * 16.0;
        assert!((counted as f64) < swept / 2.0, "{file}: {counted}");
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
