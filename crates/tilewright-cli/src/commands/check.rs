//! `tilewright check`

use super::{Outcome, Work};
use crate::arguments::CheckArguments;
use crate::progress::Progress;
use crate::terminal::{Failure, print, print_json};
use serde_json::json;
use tilewright::compile::Options;
use tilewright_driver::diagnostics;

/// Says that a plan is legal, or refuses it with the reason.
pub fn run(arguments: &CheckArguments, colour: bool) -> Result<Outcome, Failure> {
    let progress = Progress::new(colour);
    let mut options = Options::default();
    options.limits.budget = arguments.budget;
    options.limits.region_time = arguments.limits.region();
    let toolchain = arguments.c.toolchain();
    let plan = Some(&*arguments.plan);
    let work = Work::new(&arguments.file, &toolchain, &options, plan, &progress)?;
    progress.end();
    work.warn(colour);
    let groups: usize = work
        .compiled
        .plan
        .regions
        .iter()
        .map(|region| region.groups.len())
        .sum();
    let regions = work.compiled.plan.regions.len();
    if arguments.json {
        print_json(&json!({
            "legal": true,
            "regions": regions,
            "groups": groups,
            "warnings": diagnostics::to_json(&work.compiled.warnings, Some(&work.source)),
        }))?;
    } else {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        print(&format!(
            "{} is legal for {}: {regions} region{}, {groups} group{}\n",
            arguments.plan.display(),
            arguments.file.display(),
            plural(regions),
            plural(groups)
        ))?;
    }
    Ok(Outcome::Done)
}
