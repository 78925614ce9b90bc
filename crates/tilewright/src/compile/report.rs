//! What was decided, as data for people: stages, groups, footprints.

use crate::analysis::overlap::footprint::Footprint;
use crate::analysis::stages::StageGraph;
use crate::plan::{Interleave, Overlapped, RegionPlan, Shape};
use crate::scop::Scop;
use crate::transform::{Buffer, BufferKind, Transformed, shaped_tiles};

/// A stage, for people.
#[derive(Clone, Debug, serde::Serialize)]
pub struct StageReport {
    /// Its name: the array it defines.
    pub name: String,
    /// Names of its statements.
    pub statements: Vec<String>,
    /// Dimensions of its array.
    pub rank: usize,
    /// Whether its values are used after the region.
    pub live_out: bool,
    /// Stages that it reads.
    pub reads: Vec<String>,
}

/// A group, for people.
#[derive(Clone, Debug, serde::Serialize)]
pub struct GroupReport {
    /// Its stages.
    pub stages: Vec<String>,
    /// The shape of its tiles.
    pub shape: Shape,
    /// Tile sizes as in the plan; none where its loops are not tiled.
    pub tile_sizes: Vec<i64>,
    /// The affine scheduler's tiles ([`Transformed::bands`]).
    pub bands: Vec<Vec<i64>>,
    /// Of those that are 0, the ones with ordinary tiles, executed in sequence.
    pub ordinary: Vec<Interleave>,
    /// Tiles inside the tiles, executed in sequence: how many cells of the last stage's array they
    /// have along a dimension, if they have not all of the tile.
    pub inner: Vec<Interleave>,
    /// Footprints of overlapped stages.
    pub footprints: Vec<FootprintReport>,
    /// Bytes of local buffers per thread.
    pub local_bytes: usize,
    /// The same if no two of them shared memory.
    pub unshared_bytes: usize,
}

/// What one tile computes of one stage.
#[derive(Clone, Debug, serde::Serialize)]
pub struct FootprintReport {
    /// The stage.
    pub stage: String,
    /// Cells in each dimension; 0: not bounded by a constant.
    pub extents: Vec<i64>,
    /// The part that neighbouring tiles compute too, between 0 and 1.
    pub overlap: f64,
    /// Bytes of its scratchpad; 0 for a stage whose values stay in registers.
    pub bytes: usize,
    /// The stage whose scratchpad is the same memory, the first one of those that share it.
    pub shares: Option<String>,
}

/// The stages of a region.
pub(crate) fn stage_reports(scop: &Scop, graph: &StageGraph) -> Vec<StageReport> {
    (0..graph.stages.len())
        .map(|id| {
            let stage = &graph.stages[id];
            StageReport {
                name: stage.name.clone(),
                statements: stage
                    .statements
                    .iter()
                    .map(|&s| scop.statements[s].name.clone())
                    .collect(),
                rank: stage
                    .arrays
                    .first()
                    .map_or(0, |&a| scop.arrays[a].extents.len()),
                live_out: stage.live_out,
                reads: graph
                    .producers(id)
                    .map(|p| graph.stages[p].name.clone())
                    .collect(),
            }
        })
        .collect()
}

/// The groups of a plan that was applied; `over_time`: their tiles overlap over time.
pub(crate) fn group_reports(
    scop: &Scop,
    graph: &StageGraph,
    plan: &RegionPlan,
    transformed: &Transformed,
    over_time: bool,
) -> Vec<GroupReport> {
    let bytes_of = |extents: &[i64], array: usize| {
        extents.iter().product::<i64>().max(0) as usize * scop.arrays[array].element.kind.bytes()
    };
    plan.groups
        .iter()
        .enumerate()
        .map(|(number, group)| {
            let bytes = |buffer: &Buffer| match &buffer.kind {
                BufferKind::Local { scope, extents, .. } if *scope == number => {
                    bytes_of(extents, buffer.array)
                }
                _ => 0,
            };
            let unshared_bytes = transformed.buffers.iter().map(bytes).sum();
            // Of those that share memory, all but the largest one cost nothing.
            let saved = transformed.shared.iter().map(|sharing| {
                let sizes = || sharing.iter().map(|&b| bytes(&transformed.buffers[b]));
                sizes().sum::<usize>() - sizes().max().unwrap_or(0)
            });
            let local_bytes = unshared_bytes - saved.sum::<usize>();
            let plan = group.overlapped();
            let footprints = plan.map_or_else(Vec::new, |plan| {
                footprints_of(scop, graph, &group.stages, plan)
            });
            let share = plan.map_or(&[][..], |plan| &plan.share);
            let footprints = footprints
                .iter()
                .map(|f| FootprintReport {
                    stage: graph.stages[f.stage].name.clone(),
                    extents: f.extents.clone(),
                    overlap: f.overlap(),
                    bytes: transformed
                        .buffers
                        .iter()
                        .filter(|buffer| buffer.array == f.array)
                        .filter_map(|buffer| match &buffer.kind {
                            BufferKind::Local { scope, extents, .. } if *scope == number => {
                                Some(bytes_of(extents, buffer.array))
                            }
                            _ => None,
                        })
                        .sum(),
                    shares: share
                        .iter()
                        .find(|names| names.contains(&graph.stages[f.stage].name))
                        .and_then(|names| names.first().cloned())
                        .filter(|first| *first != graph.stages[f.stage].name),
                })
                .collect();
            let bands = transformed.bands(number);
            let is_tiled = group.affine().is_none() || !bands.is_empty();
            GroupReport {
                stages: group.stages.clone(),
                shape: group.shape(),
                tile_sizes: if is_tiled {
                    group.tile_sizes().to_vec()
                } else {
                    Vec::new()
                },
                bands,
                ordinary: plan.map_or_else(Vec::new, |plan| plan.ordinary(over_time).collect()),
                inner: plan.map_or_else(Vec::new, |plan| plan.inner(over_time).collect()),
                footprints,
                local_bytes,
                unshared_bytes,
            }
        })
        .collect()
}

fn footprints_of(
    scop: &Scop,
    graph: &StageGraph,
    names: &[String],
    plan: &Overlapped,
) -> Vec<Footprint> {
    let number = |name: &String| graph.stages.iter().position(|s| s.name == *name);
    let stages: Vec<usize> = names.iter().filter_map(number).collect();
    shaped_tiles(scop, graph, plan, &stages).map_or_else(|_| Vec::new(), |tiles| tiles.footprints)
}
