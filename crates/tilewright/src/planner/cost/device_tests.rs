//! What the model of devices says as their limits, and what tiles need of their neighbours, change.
//! No figure here was measured: the tests are about which way things go.

use super::tests::{harris, model, pricing};
use super::{Objective, OnDevice, Priced, Pricing};
use crate::analysis::model::Model;
use crate::plan::gpu::Gpu;
use crate::scop::Scop;
use crate::scop::testing::ScopBuilder;

fn h200() -> Gpu {
    Gpu::named("h200").unwrap()
}

fn on(gpu: Gpu) -> Objective {
    Objective::Device(OnDevice { gpu, threads: None })
}

fn thorough(model: &Model, gpu: Gpu) -> Pricing<'_> {
    Pricing {
        thorough: true,
        ..pricing(model, on(gpu))
    }
}

fn cells(priced: &Priced) -> i64 {
    priced.sizes.iter().flatten().product()
}

/// Bytes of the scratchpads of Harris that are needed at the same time, by hand: when the second sum
/// is computed, both derivatives and two sums. The result reads the sums at distance zero, and sums
/// have a neighbour of the derivatives on each side.
fn scratchpads([rows, columns]: [i64; 2], element: i64) -> i64 {
    element * (2 * (rows + 2) * (columns + 2) + 2 * rows * columns)
}

#[test]
fn tiles_fit_into_local_memory() {
    let scop = harris();
    let model = model(&scop);
    let element = model.bytes[model.stages[0].array];
    let all: Vec<usize> = (0..6).collect();
    let mut largest = Vec::new();
    for block_memory in [8 << 10, 16 << 10, 32 << 10, 48 << 10, 96 << 10, 227 << 10] {
        let gpu = Gpu {
            block_memory,
            ..h200()
        };
        let priced = thorough(&model, gpu).price(&all).unwrap();
        let sizes = priced.sizes.clone().unwrap();
        let [rows, columns] = sizes[..] else {
            panic!("two dimensions: {sizes:?}");
        };
        let needed = scratchpads([rows, columns], element);
        assert!(needed <= block_memory, "{sizes:?} needs {needed}");
        let [x, y] = priced.threads.unwrap();
        assert!(x * y <= gpu.block_threads);
        largest.push(cells(&priced));
    }
    assert!(largest.is_sorted(), "{largest:?}");
    assert!(largest[0] < largest[5], "{largest:?}");
    // There is none for less than the smallest.
    let none = Gpu {
        block_memory: scratchpads([8, 32], element) - 1,
        ..h200()
    };
    assert_eq!(thorough(&model, none).price(&all), None);
    let smallest = Gpu {
        block_memory: scratchpads([8, 32], element),
        ..h200()
    };
    let priced = thorough(&model, smallest).price(&all).unwrap();
    assert_eq!(priced.sizes, Some(vec![8, 32]));
}

/// Sums over as many cells to each side along rows, then along columns.
fn blur(radius: i64) -> Scop {
    let reads =
        |text: &dyn Fn(i64) -> String| -> Vec<String> { (-radius..=radius).map(text).collect() };
    let domain = |name: &str| {
        format!("{name}[i, j] : {radius} <= i < n - {radius} and {radius} <= j < n - {radius}")
    };
    let along = reads(&|by| format!("img[i, j + {by}]").replace("+ -", "- "));
    let down = reads(&|by| format!("h[i + {by}, j]").replace("+ -", "- "));
    let first = format!("S0[i, j] : 0 <= i < n and {radius} <= j < n - {radius}");
    let along: Vec<&str> = along.iter().map(String::as_str).collect();
    let down: Vec<&str> = down.iter().map(String::as_str).collect();
    ScopBuilder::new("[n] -> { : n >= 64 }")
        .input("img", 2)
        .temporary("h", 2)
        .output("out", 2)
        .statement(&first, &along, &["h[i, j]"])
        .statement(&domain("S1"), &down, &["out[i, j]"])
        .build()
}

#[test]
fn more_of_a_neighbour_means_larger_tiles() {
    let mut sizes = Vec::new();
    for radius in [1, 3, 8, 16] {
        let scop = blur(radius);
        let model = model(&scop);
        let priced = thorough(&model, h200()).price(&[0, 1]).unwrap();
        // What is needed of neighbours is above and below.
        sizes.push(priced.sizes.clone().unwrap()[0]);
        assert!(priced.terms.overlap > 0.0);
    }
    assert!(sizes.is_sorted(), "{sizes:?}");
    assert!(sizes[0] < sizes[3], "{sizes:?}");
}

#[test]
fn terms_are_nanoseconds_of_the_device() {
    let scop = harris();
    let model = model(&scop);
    let all: Vec<usize> = (0..6).collect();
    let fixed = |gpu: Gpu| {
        let mut pricing = pricing(&model, on(gpu));
        pricing.fixed = Some([(5, vec![32, 64])].into());
        pricing.price(&all).unwrap().terms
    };
    let usual = fixed(h200());
    let faster = Gpu {
        bandwidth: 2.0 * h200().bandwidth,
        ..h200()
    };
    assert!((fixed(faster).traffic - usual.traffic / 2.0).abs() < 1e-6 * usual.traffic);
    let stronger = Gpu {
        operations: 2.0 * h200().operations,
        ..h200()
    };
    assert!((fixed(stronger).overlap - usual.overlap / 2.0).abs() < 1e-6 * usual.overlap);
    let later = Gpu {
        launch: h200().launch + 1000.0,
        ..h200()
    };
    assert!((fixed(later).cleanup - usual.cleanup - 1000.0).abs() < 1e-3);
    // The picture is read and the result is written, 2048² cells at 4800 bytes per nanosecond, and a
    // little more at the rims of tiles.
    let element = model.bytes[model.stages[0].array] as f64;
    let least = 2.0 * element * 2044.0 * 2044.0 / 4800.0;
    assert!(
        usual.traffic > least && usual.traffic < 2.0 * least,
        "{usual:?} {least}"
    );
}

#[test]
fn what_is_fused_needs_fewer_launches_and_less_traffic() {
    let scop = harris();
    let model = model(&scop);
    let pricing = thorough(&model, h200());
    let together = pricing.price(&[0, 1, 2, 3, 4, 5]).unwrap().terms;
    let apart: Vec<_> = (0..6).map(|s| pricing.price(&[s]).unwrap().terms).collect();
    assert!(apart.iter().all(|t| t.cleanup >= h200().launch));
    let total = |of: fn(&super::Terms) -> f64| apart.iter().map(of).sum::<f64>();
    assert!(together.traffic < total(|terms| terms.traffic) / 3.0);
    assert!(together.total() < total(super::Terms::total));
}

#[test]
fn fewer_resident_threads_wait_longer() {
    let scop = harris();
    let model = model(&scop);
    let all: Vec<usize> = (0..6).collect();
    let mut waited = Vec::new();
    for threads in [2048, 1024, 512, 256] {
        let gpu = Gpu { threads, ..h200() };
        let mut pricing = pricing(&model, on(gpu));
        pricing.fixed = Some([(5, vec![32, 64])].into());
        waited.push(pricing.price(&all).unwrap().terms.cleanup);
    }
    assert!(waited.is_sorted(), "{waited:?}");
    assert!(waited[3] > waited[0]);
}

/// Threads that are given stay.
#[test]
fn threads_are_as_given() {
    let scop = harris();
    let model = model(&scop);
    let device = OnDevice {
        gpu: h200(),
        threads: Some([16, 16]),
    };
    let priced = pricing(&model, Objective::Device(device));
    let priced = priced.price(&[0, 1, 2, 3, 4, 5]).unwrap();
    assert_eq!(priced.threads, Some([16, 16]));
}

/// Blocks of few threads wait for memory whether stages share tiles or not: that alone is no reason
/// against tiles.
#[test]
fn small_blocks_are_slow_with_and_without_tiles() {
    let scop = harris();
    let model = model(&scop);
    let of = |threads: [i64; 2]| {
        let device = OnDevice {
            gpu: h200(),
            threads: Some(threads),
        };
        let pricing = pricing(&model, Objective::Device(device));
        let total = |members: &[usize]| pricing.price(members).unwrap().terms.total();
        (total(&[0, 1, 2, 3, 4, 5]), total(&[0]))
    };
    let (usual, small) = (of([32, 8]), of([4, 2]));
    assert!(small.0 > 2.0 * usual.0 && small.1 > 2.0 * usual.1);
}
