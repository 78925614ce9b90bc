//! How often a region is lowered, and how long: with what the user does not want to be assumed, if it
//! cannot be without, and with elements of arrays as data, if they cannot be parameters.

use super::surroundings::elements;
use super::{Lowered, Lowering};
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::syntax::{Region, Unit};
use crate::plan::defaults;
use crate::scop::{Scop, Trust};
use std::collections::BTreeSet;

/// A bound on isl's basic operations for a region, where the context has none: ten times an example's.
pub const MAX_OPERATIONS: u64 = 2_000_000;

/// Where the context has a bound, lowering gets one part in this many of it, but no less than
/// [`MAX_OPERATIONS`] where it allows that: what takes this cheap step longer is hopeless behind.
pub const BUDGET_SHARE: u64 = 30;

/// Lowers the region with number `region` of `unit`.
///
/// # Errors
/// At least one diagnostic of severity error; all that could be found in one go.
pub fn lower(ctx: &isl::Ctx, unit: &Unit, region: usize) -> Result<Scop, Vec<Diagnostic>> {
    lower_region(ctx, unit, region).map(|lowered| lowered.scop)
}

/// [`lower`] with warnings.
///
/// # Errors
/// As [`lower`].
pub fn lower_region(
    ctx: &isl::Ctx,
    unit: &Unit,
    region: usize,
) -> Result<Lowered, Vec<Diagnostic>> {
    lower_trusting(ctx, unit, region, &Trust::default())
}

/// The same where the user says which assumptions hold, and which are not wanted. The model does
/// without the latter where it can; where it cannot, they are among its checks.
///
/// # Errors
/// As [`lower`].
pub fn lower_trusting(
    ctx: &isl::Ctx,
    unit: &Unit,
    region: usize,
    trust: &Trust,
) -> Result<Lowered, Vec<Diagnostic>> {
    let strictly = lower_either(ctx, unit, region, trust);
    if strictly.is_ok() || trust.refused.is_empty() {
        return strictly;
    }
    let anything = Trust {
        refused: BTreeSet::new(),
        ..trust.clone()
    };
    let Ok(mut lowered) = lower_either(ctx, unit, region, &anything) else {
        return strictly;
    };
    lowered.scop.conditions.checks.trust = trust.clone();
    Ok(lowered)
}

/// Lowers with elements of arrays as parameters, or else as data.
fn lower_either(
    ctx: &isl::Ctx,
    unit: &Unit,
    region: usize,
    trust: &Trust,
) -> Result<Lowered, Vec<Diagnostic>> {
    let elements = |marked: &Region| elements::has_any(unit, marked);
    let some = unit.regions.get(region).is_some_and(elements);
    match lower_once(ctx, unit, region, (trust, some)) {
        Err(_) if some => lower_once(ctx, unit, region, (trust, false)),
        result => result,
    }
}

fn lower_once(
    ctx: &isl::Ctx,
    unit: &Unit,
    region: usize,
    (trust, elements): (&Trust, bool),
) -> Result<Lowered, Vec<Diagnostic>> {
    let Some(marked) = unit.regions.get(region) else {
        let message = format!("the file has no region with number {region}");
        return Err(vec![Diagnostic::error(Code::NoRegion, message)]);
    };
    let function = unit.functions.get(marked.function).ok_or_else(|| {
        vec![
            Diagnostic::error(
                Code::UnbalancedPragmas,
                "the region is not inside a function",
            )
            .at(marked.pragma, ""),
        ]
    })?;
    let before = ctx.max_operations();
    let bound = match before {
        0 => MAX_OPERATIONS,
        some => (some / BUDGET_SHARE).max(MAX_OPERATIONS.min(some)),
    };
    // Setting the bound fails only where C's `long` cannot hold it; then there is none.
    let bounded = ctx.set_max_operations(bound).is_ok();
    ctx.reset_operations();
    let time = defaults::lowering_time(before);
    let result = ctx.within(time, || {
        Lowering::run(ctx, unit, (function, marked), region, (trust, elements))
    });
    if bounded {
        let _ = ctx.set_max_operations(before);
    }
    ctx.reset_operations();
    result
}
