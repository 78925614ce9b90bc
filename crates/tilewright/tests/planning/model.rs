//! The numbers by which planners compare groups, beside the sets that are used in the end.

use super::{compiled, example};
use std::collections::BTreeMap;
use tilewright::analysis::model::Model;
use tilewright::analysis::model::estimates::estimates;
use tilewright::analysis::overlap::alignment::align;
use tilewright::analysis::overlap::footprint::group_tiles;
use tilewright::compile::{Options, regions};
use tilewright::plan::defaults::ISL_OPERATIONS;

/// Every overlapped group that the planner makes of an example: as many cells of every stage, and
/// the same movement, but for a cell at which quotients begin.
fn agrees(file: &str) {
    let source = example(file);
    let plan = compiled(&source, &Options::default()).plan;
    let regions = regions(&source, ISL_OPERATIONS).expect("a region");
    let plan = &plan.regions[0];
    let region = regions[0].prepared(plan).expect("the plan fits");
    let values = estimates(&region.scop, &BTreeMap::new()).expect("values");
    let model = Model::new(&region.scop, &region.graph, &values).expect("a model");
    let mut compared = 0;
    for group in &plan.groups {
        let Some(tiles) = group.overlapped() else {
            continue;
        };
        let number = |name: &String| {
            let mut stages = region.graph.stages.iter();
            stages.position(|s| s.name == *name).expect("a stage")
        };
        let stages: Vec<usize> = group.stages.iter().map(number).collect();
        let out = *stages.last().expect("not empty");
        let sets = group_tiles(&region.scop, &region.graph, &stages, out, &tiles.tile_sizes)
            .expect("tiles");
        let tile = model
            .tile(&stages, &tiles.tile_sizes)
            .unwrap_or_else(|why| panic!("{file}: {:?} {why:?}", group.stages));
        let by_name = |stage: usize| &region.graph.stages[stage].name;
        if let Some(along) = tiles.interleave.first() {
            let coordinate = sets.tiled.iter().position(|&d| d == along.dimension);
            let nests: Vec<Vec<usize>> = stages.iter().map(|&s| vec![s]).collect();
            let aligned = align(
                &region.scop,
                &region.graph,
                &nests,
                &sets,
                &tiles.tile_sizes,
                coordinate.expect("tiled"),
            );
            let aligned = aligned.expect("isl").expect("takes turns");
            let members: Vec<_> = tile.stages.iter().map(|(s, sides)| (*s, sides)).collect();
            let alive = model.alive(&members, along.dimension);
            for ((stage, _), alive) in tile.stages.iter().zip(alive) {
                let sets = aligned.of(*stage).expect("aligned").alive;
                assert_eq!(alive, sets, "{file}: cells alive of {}", by_name(*stage));
            }
        }
        for footprint in &sets.footprints {
            let name = &region.graph.stages[footprint.stage].name;
            let (_, sides) = tile
                .stages
                .iter()
                .find(|(stage, _)| *stage == footprint.stage)
                .expect("the stage is in the tile");
            for (d, side) in sides.iter().enumerate() {
                let (ours, sets) = (side.cells.len(), footprint.extents[d]);
                assert!(
                    ours == sets,
                    "{file}: {name}, dimension {d}: {ours} in numbers, {sets} as sets"
                );
                let moves = side
                    .moves
                    .map(|(along, ratio)| tiles.tile_sizes[along] as f64 * ratio.value());
                if let Some(moves) = moves {
                    assert_eq!(moves, footprint.share[d], "{file}: {name}, dimension {d}");
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 0, "{file}: nothing compared");
}

#[test]
fn harris() {
    agrees("pipelines/harris.c");
}

#[test]
fn unsharp_mask() {
    agrees("pipelines/unsharp_mask.c");
}

#[test]
fn camera_pipe() {
    agrees("pipelines/camera_pipe.c");
}

#[test]
fn bilateral_grid() {
    agrees("pipelines/bilateral_grid.c");
}

#[test]
fn pyramid_blending() {
    agrees("pipelines/pyramid_blending.c");
}

#[test]
fn interpolate() {
    agrees("pipelines/interpolate.c");
}
