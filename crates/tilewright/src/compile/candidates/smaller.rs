//! Smaller tiles, where those of a plan need more local memory than a block has.
//!
//! What tiles need is known when their code is: scratchpads share memory, are folded and padded. The
//! planner goes by bounds; tiles that a user asks for are what they are. Plans with smaller tiles
//! follow such a plan, and one warning says what became of it.

use crate::analysis::stages::StageGraph;
use crate::compile::candidates::over_time::for_shape;
use crate::compile::{Code, Diagnostic, Region};
use crate::plan::{Group, RegionPlan, defaults};
use crate::scop::Scop;
use std::borrow::Cow;

/// The plan with smaller and smaller overlapped tiles, each with its region.
pub(crate) fn smaller<'r>(
    region: &Cow<'r, Region>,
    plan: &RegionPlan,
    first: &Cow<'r, Region>,
) -> Vec<(Cow<'r, Region>, RegionPlan)> {
    let mut plans: Vec<(Cow<'r, Region>, RegionPlan)> = Vec::new();
    let (mut before, mut plan) = ((first.clone(), plan.clone()), plan.clone());
    for _ in 0..defaults::DEVICE_HALVINGS {
        let groups = plan.groups.iter_mut();
        let mut changed = false;
        for group in groups {
            changed |= halve(group, &region.graph);
        }
        if !changed {
            break;
        }
        // Bands of time are the same for tiles of the same height.
        let bands = if heights(&plan) == heights(&before.1) {
            Ok(before.0.clone())
        } else {
            for_shape(region, &plan)
        };
        if let Ok(bands) = bands {
            before = (bands, plan.clone());
            plans.push(before.clone());
        }
    }
    plans
}

fn heights(plan: &RegionPlan) -> Vec<Option<i64>> {
    let groups = plan.groups.iter();
    groups.map(|g| g.tile_sizes().first().copied()).collect()
}

/// Halves the largest size of a group's overlapped tiles; whether there is one. Sizes in space stay
/// above what would be mostly overlap; the height of tiles over time, with which that grows, does
/// not.
fn halve(group: &mut Group, graph: &StageGraph) -> bool {
    let over_time = group.overlaps_over_time(graph.is_cyclic());
    let Some(tiles) = group.overlapped_mut() else {
        return false;
    };
    let sizes = tiles.tile_sizes.iter_mut().enumerate();
    let largest = sizes
        .filter(|(at, size)| {
            let least = if over_time && *at == 0 {
                1
            } else {
                defaults::SMALLEST_DEVICE_TILE
            };
            **size > least
        })
        .max_by_key(|(_, size)| **size);
    match largest {
        Some((0, size)) if over_time => *size /= 2,
        Some((_, size)) => *size = (*size / 2).max(defaults::SMALLEST_DEVICE_TILE),
        None => return false,
    }
    true
}

/// Whether a plan is another one with other tile sizes.
pub(crate) fn resized(plan: &RegionPlan, other: &RegionPlan) -> bool {
    let mut same = plan.clone();
    for (group, other) in same.groups.iter_mut().zip(&other.groups) {
        if let Some(sizes) = group.tile_sizes_mut() {
            *sizes = other.tile_sizes().to_vec();
        }
    }
    plan != other && same == *other
}

/// That the tiles of a plan are too large, and which ones take their place.
pub(crate) fn warning(
    scop: &Scop,
    (from, to): (&RegionPlan, &RegionPlan),
    needed: i64,
    limit: i64,
) -> Diagnostic {
    let sizes = |plan: &RegionPlan| -> Vec<String> {
        let groups = plan.groups.iter().zip(&from.groups).zip(&to.groups);
        groups
            .filter(|((_, from), to)| from.tile_sizes() != to.tile_sizes())
            .map(|((group, _), _)| {
                let sizes: Vec<String> = group.tile_sizes().iter().map(i64::to_string).collect();
                sizes.join(" x ")
            })
            .collect()
    };
    let (from, to) = (sizes(from).join(", "), sizes(to).join(", "));
    let message = format!(
        "tiles are {to} in place of {from}, whose scratchpads need {needed} bytes of local memory, and \
         a block has {limit}"
    );
    Diagnostic::warning(Code::Fallback, message).at(scop.place.span, "this region")
}
