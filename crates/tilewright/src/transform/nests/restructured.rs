//! Loops as written, but for what a plan interchanges, distributes and fuses by name
//! ([`crate::planner::loops`]): the schedules that Zhao's thesis (2018, section 6.3) compares.

use crate::plan::steps::LoopStep;
use crate::plan::{Affine, Fuse};
use crate::scop::{Restructure, Scop, StatementId, Tree};
use crate::transform::{TransformError, restrict};
use isl::Schedule;
use std::collections::{BTreeMap, BTreeSet};

/// The original order of some statements after steps.
///
/// # Errors
/// [`TransformError::Plan`] for steps that apply nowhere; isl's own.
pub(crate) fn schedule(
    scop: &Scop,
    statements: &[StatementId],
    steps: &[LoopStep],
) -> Result<Schedule, TransformError> {
    let schedule = restrict(scop, statements)?;
    if steps.is_empty() {
        return Ok(schedule);
    }
    let names: BTreeSet<String> = statements
        .iter()
        .map(|&id| scop.statements[id].name.clone())
        .collect();
    let apart =
        || TransformError::Plan("the region's loops cannot be taken apart by name".to_owned());
    let mut tree = Tree::of(&schedule)?.ok_or_else(apart)?.plain(&names)?;
    let mut work = Restructure::new(scop);
    for step in steps {
        let mut known = Vec::new();
        work.loops(&tree, &names, &mut known)?;
        work.changed = 0;
        tree = match step {
            LoopStep::Interchange { outer, inner } => {
                work.interchange(tree, &names, (outer, inner))?
            }
            LoopStep::Distribute { name } => work.distribute(tree, &names, name)?,
            LoopStep::Fuse { name } => work.fuse(tree, &names, name)?,
        };
        if work.changed == 0 {
            return Err(TransformError::Plan(nowhere(step, &known)));
        }
        tree = tree.plain(&names)?;
    }
    let domains: BTreeMap<String, isl::Set> = statements
        .iter()
        .map(|&id| &scop.statements[id])
        .map(|statement| (statement.name.clone(), statement.domain.clone()))
        .collect();
    tree.over(&domains, None)?.ok_or_else(apart)
}

/// Refuses steps where loops are not kept.
///
/// # Errors
/// [`TransformError::Plan`].
pub(crate) fn check(plan: &Affine) -> Result<(), TransformError> {
    if plan.fuse == Fuse::Written || plan.loops.is_empty() {
        Ok(())
    } else {
        Err(TransformError::Plan(
            "loops are interchanged, distributed and fused by name only where they are as written \
             otherwise: shape `none`, or `parallelogram` with `fuse` as `written`"
                .to_owned(),
        ))
    }
}

/// Why a step applies nowhere.
fn nowhere(step: &LoopStep, known: &[String]) -> String {
    let wanted: Vec<&String> = match step {
        LoopStep::Interchange { outer, inner } => vec![outer, inner],
        LoopStep::Distribute { name } | LoopStep::Fuse { name } => vec![name],
    };
    if let Some(missing) = wanted.into_iter().find(|name| !known.contains(name)) {
        return format!(
            "`{step}`: there is no loop `{missing}`; the loops are {}",
            known.join(", ")
        );
    }
    match step {
        LoopStep::Interchange { outer, inner } => format!(
            "`{step}`: no loop `{outer}` has a loop `{inner}` directly inside, and no other loop \
             beside it"
        ),
        LoopStep::Distribute { name } => {
            format!("`{step}`: the body of loop `{name}` has one part only")
        }
        LoopStep::Fuse { name } => format!(
            "`{step}`: no body has two loops `{name}` with nothing but statements between them"
        ),
    }
}
