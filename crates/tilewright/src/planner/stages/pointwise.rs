//! Inlining of point-wise stages, all of them: TOPLAS 2020, Algorithm 3.
//!
//! A stage is point-wise if each of its values is computed from one cell of each array that it
//! reads, at the same scale. It is computed where it is read; and so is any other stage that only
//! point-wise stages read, if there is one such stage, or each value is read once. What is read
//! after the region stays.
//!
//! [`crate::planner::stages::inlining`] is the default: most of what the paper inlines shares loops here and costs
//! nothing. This is for comparisons, and for pipelines that our rules do not fit.

use crate::analysis::model::estimates::estimates;
use crate::analysis::model::{Model, Reach};
use crate::analysis::region::Region;
use crate::analysis::stages::StageId;
use isl::Result;
use std::collections::BTreeMap;

/// All stages that the algorithm inlines, and the program without them; `None` where there are
/// none.
///
/// # Errors
/// isl's own.
pub fn choose(region: &Region) -> Result<Option<(Vec<String>, Region)>> {
    let mut chosen = Vec::new();
    let mut now: Option<Region> = None;
    loop {
        let before = now.as_ref().unwrap_or(region);
        let wanted = eligible(before)?;
        let (names, without) = before.possible(wanted)?;
        // Each round inlines some stage, so that there are no more rounds than stages.
        let Some(without) = without else { break };
        chosen.extend(names.into_iter().flatten());
        now = Some(without);
    }
    Ok(now.map(|now| (chosen, now)))
}

/// Point-wise stages; where there are none, those that only point-wise stages read. In this order
/// because what reads such a stage is point-wise no longer: all of its producers go at once.
fn eligible(region: &Region) -> Result<Vec<Vec<String>>> {
    let values = estimates(&region.scop, &BTreeMap::new())?;
    let model = Model::new(&region.scop, &region.graph, &values)?;
    let (mut points, mut read_by_points) = (Vec::new(), Vec::new());
    for (id, stage) in region.graph.stages.iter().enumerate() {
        if !region.is_candidate(id) {
            continue;
        }
        let consumers: Vec<StageId> = region.graph.consumers(id).collect();
        if is_pointwise(&model, id) {
            points.push(vec![stage.name.clone()]);
        } else if consumers.iter().all(|&c| is_pointwise(&model, c))
            && (consumers.len() == 1 || region.has_one_reader(stage)?)
        {
            read_by_points.push(vec![stage.name.clone()]);
        }
    }
    Ok(if points.is_empty() {
        read_by_points
    } else {
        points
    })
}

fn is_pointwise(model: &Model, stage: StageId) -> bool {
    let stage = &model.stages[stage];
    let one_cell = |reach: &Reach| match *reach {
        Reach::Along {
            factor,
            divisor,
            low,
            high,
            ..
        } => factor == divisor && low == high,
        Reach::Fixed(cells) => cells.len() == 1,
        Reach::Whole => false,
    };
    stage.tileable && stage.reads.iter().all(|r| r.reaches.iter().all(one_cell))
}
