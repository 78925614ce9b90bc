//! Tiles inside tiles (TOPLAS 2020, section 5.2).

use super::{FIGURE_3, compiled, example, source, tiles, with_sizes};
use tilewright::compile::Options;
use tilewright::plan::machine::Machine;
use tilewright::plan::{Group, Interleave, Overlapped, Shape};
use tilewright::planner::cost::{Objective, Weights};
use tilewright::planner::{Fusion, Inline, InnerTile};

/// The paper's preset, with the caches of its Xeon.
fn xeon(inline: &[&str]) -> Options {
    let mut options = Options::default();
    let wishes = &mut options.wishes;
    wishes.objective = Objective::Toplas(Weights::XEON);
    wishes.pipelines.fusion = Fusion::Polymage;
    wishes.machine = Machine {
        cache_l1: 32 << 10,
        cache_l2: 256 << 10,
        cache_l3: 20 << 20,
        cores: 16,
        vector: 32,
    };
    wishes.pipelines.inline = Inline::Stages(inline.iter().map(|s| (*s).to_owned()).collect());
    options
}

/// The only group of an example, whose tiles overlap.
fn group(file: &str, options: &Options) -> Overlapped {
    let compiled = compiled(&example(file), options);
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    let groups = &compiled.plan.regions[0].groups;
    assert_eq!(groups.len(), 1, "{groups:?}");
    groups[0].overlapped().expect("overlapped tiles").clone()
}

const HARRIS: &str = "pipelines/harris.c";

/// The stages of Harris that the paper's six buffers are without.
const POINTWISE: [&str; 5] = ["Ixx", "Ixy", "Iyy", "det", "trace"];

fn rows(dimension: usize, block: i64) -> Vec<Interleave> {
    vec![Interleave { dimension, block }]
}

/// Table 7: 42 x 5 x 256. Five rows cannot be jammed in twos or fours.
#[test]
fn harris_of_the_paper() {
    let harris = group(HARRIS, &xeon(&POINTWISE));
    assert_eq!(harris.shape(), Shape::Right);
    assert_eq!(harris.tile_sizes, [42, 256]);
    assert_eq!(harris.interleave, rows(0, 5));
    assert_eq!(harris.jam, []);
}

/// The same without multi-level tiling, and with other rows.
#[test]
fn harris_of_the_paper_with_other_inner_tiles() {
    let mut options = xeon(&POINTWISE);
    options.wishes.pipelines.inner_tile = InnerTile::None;
    let one = group(HARRIS, &options);
    assert_eq!(one.shape(), Shape::Scalene);
    assert_eq!(one.tile_sizes, [42, 256]);
    options.wishes.pipelines.inner_tile = InnerTile::Rows(7);
    assert_eq!(group(HARRIS, &options).interleave, rows(0, 7));
    options.wishes.pipelines.inner_tile = InnerTile::Rows(42);
    assert_eq!(group(HARRIS, &options).shape(), Shape::Scalene);
}

/// Table 6: 5 x 256, one level.
#[test]
fn unsharp_mask_of_the_paper() {
    let unsharp = group("pipelines/unsharp_mask.c", &xeon(&["sharpen", "blury"]));
    assert_eq!(unsharp.shape(), Shape::Scalene);
    assert_eq!(unsharp.tile_sizes, [0, 5, 256]);
}

/// With predicted time: as many rows as registers are good for, unless somebody says otherwise. For
/// the first cache, 32 KiB, eight stages of 512 floats have two rows. Rows are jammed where that
/// divides the inner tile.
#[test]
fn inner_tiles_on_demand() {
    let mut options = with_sizes(&[128, 512]);
    assert_eq!(group(HARRIS, &options).interleave, rows(0, 4));
    let mut inner = |inner_tile| {
        options.wishes.pipelines.inner_tile = inner_tile;
        group(HARRIS, &options)
    };
    assert_eq!(inner(InnerTile::None).shape(), Shape::Scalene);
    assert_eq!(inner(InnerTile::None).interleave, []);
    assert_eq!(inner(InnerTile::FirstCache).interleave, rows(0, 2));
    let eight = inner(InnerTile::Rows(8));
    assert_eq!(eight.interleave, rows(0, 8));
    assert!(eight.jam.iter().all(|jam| jam.factors == [4]) && !eight.jam.is_empty());
    let six = inner(InnerTile::Rows(6));
    assert!(six.jam.iter().all(|jam| jam.factors == [2]) && !six.jam.is_empty());
}

/// The first cache has room for one row of fifteen stages, but a tile of one row is none where
/// stages have every other row only: then there are two levels.
#[test]
fn inner_tiles_may_be_too_small_to_be_tiles_alone() {
    let mut options = with_sizes(&[128, 2048]);
    options.wishes.pipelines.inner_tile = InnerTile::FirstCache;
    let compiled = compiled(&example("pipelines/camera_pipe.c"), &options);
    let groups = &compiled.plan.regions[0].groups;
    let tiles = groups.last().and_then(Group::overlapped).expect("a group");
    assert_eq!(tiles.shape(), Shape::Right);
    assert_eq!(tiles.interleave, rows(1, 1));
    let why = compiled.regions[0].order.why.as_ref().expect("a pipeline");
    let levels = why.groups.last().and_then(|why| why.levels.as_ref());
    let levels = levels.expect("asked for");
    assert_eq!((levels.overlap, levels.two()), (None, true));
}

/// Scratchpads hold what is alive during a turn: two more cells of A and of B for turns of three,
/// 3 + 2 and 5 + 2, as powers of two.
#[test]
fn inner_tiles_along_the_only_dimension() {
    let mut options = with_sizes(&[16]);
    options.wishes.pipelines.inner_tile = InnerTile::Rows(3);
    let compiled = compiled(&source(FIGURE_3), &options);
    assert_eq!(tiles(&compiled.plan).interleave, rows(0, 3));
    assert_eq!(compiled.regions[0].order.groups[0].inner, rows(0, 3));
    assert_eq!(compiled.regions[0].order.groups[0].local_bytes, 4 * (8 + 8));
}
