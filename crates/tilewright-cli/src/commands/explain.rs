//! `tilewright explain`

use super::{Outcome, Work, report};
use crate::arguments::ExplainArguments;
use crate::progress::Progress;
use crate::terminal::{Failure, print, print_json};
use serde_json::json;
use tilewright::diagnostic::Code;
use tilewright_driver::diagnostics;
use tilewright_driver::host::machine::NO_FILE;

/// Says what would be done with a file, or what a code means.
pub fn run(arguments: &ExplainArguments, colour: bool) -> Result<Outcome, Failure> {
    let subject = arguments.subject.to_string_lossy();
    if is_code(&subject) && !arguments.subject.exists() {
        return explain_code(&subject.to_ascii_uppercase(), arguments.json);
    }
    let progress = Progress::new(colour);
    arguments.plan.check()?;
    let known = arguments.plan.model.known()?;
    let mut options = arguments.plan.options(&known);
    options.limits.region_time = arguments.limits.region();
    let plan = arguments.plan.plan.as_deref();
    let work = Work::new(
        &arguments.subject,
        &arguments.others.added(arguments.c.toolchain()),
        &options,
        plan,
        &progress,
    )?;
    work.check_estimates(&arguments.plan.model.estimates)?;
    progress.end();
    work.warn(colour);
    if arguments.json {
        print_json(&json!({
            "file": arguments.subject,
            "regions": work.compiled.regions,
            "plan": work.compiled.plan,
            "compile_ms": work.compile_ms,
            "steps": work.steps_json(),
            "machine": known.machine,
            "rates": known.rates,
            "machine_file": known.file,
            "device": options.wishes.device.as_ref().map(|device| device.gpu),
            "warnings": diagnostics::to_json(&work.compiled.warnings, Some(&work.source)),
        }))?;
        return Ok(Outcome::Done);
    }
    let mut text = String::new();
    if let Some(device) = &options.wishes.device {
        let gpu = device.gpu;
        text += &format!(
            "Planned for {} processors of a device, blocks of up to {} threads with {} KiB of \
             local memory\n\n",
            gpu.processors,
            device.most_threads,
            device.local_memory >> 10
        );
    }
    if let Some(file) = &known.file {
        text += &format!(
            "Planned with the machine file {} (--machine {NO_FILE}: without)\n\n",
            file.display()
        );
    }
    for (region, plan) in work
        .compiled
        .regions
        .iter()
        .zip(&work.compiled.plan.regions)
    {
        text += &format!("Region {} in `{}`", region.index, region.function);
        text += &format!(", planned by: {}\n\n", plan.planner);
        text += &report::stages(region);
        text += "\n";
        text += &report::groups(region);
        let changes = report::changes(plan);
        if !changes.is_empty() {
            text.push('\n');
            text += &changes;
        }
        for group in &region.order.groups {
            let footprints = report::footprints(group);
            if !footprints.is_empty() {
                text += "\n";
                text += &footprints;
            }
        }
        let levels = report::levels(region, &plan.groups);
        if !levels.is_empty() {
            text += "\n";
            text += &levels;
        }
        let local = report::local(region);
        if !local.is_empty() {
            text += "\n";
            text += &local;
        }
        let exits = report::exits(region);
        if !exits.is_empty() {
            text += "\n";
            text += &exits;
        }
        let predicted = report::predicted(region);
        if !predicted.is_empty() {
            text.push('\n');
            text += &predicted;
        }
        let stays = report::stays(region);
        if !stays.is_empty() {
            text.push('\n');
            text += &stays;
        }
        let checks = report::checks(region);
        if !checks.is_empty() {
            text += "\n";
            text += &checks;
        }
        let certified = report::certified(region);
        if !certified.is_empty() {
            text += "\n";
            text += &certified;
        }
        let shapes = report::shapes(region);
        if !shapes.is_empty() {
            text += "\n";
            text += &shapes;
        }
        let why = report::why(region);
        if !why.is_empty() {
            text += "\n";
            text += &why;
        }
        if let Some(replayed) = &region.executed.replayed {
            text += "\n";
            text += &report::traffic(replayed);
        }
        text += "\n";
    }
    print(&text)?;
    Ok(Outcome::Done)
}

fn is_code(subject: &str) -> bool {
    let digits = subject
        .strip_prefix("TW")
        .or_else(|| subject.strip_prefix("tw"));
    digits.is_some_and(|digits| digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()))
}

fn explain_code(name: &str, json: bool) -> Result<Outcome, Failure> {
    let Some(code) = Code::all().iter().find(|code| code.name() == name) else {
        let known: Vec<&str> = Code::all().iter().map(|code| code.name()).collect();
        return Err(Failure::usage(format!(
            "there is no {name}; there are {}",
            known.join(", ")
        )));
    };
    let explanation = code.explanation().trim();
    if json {
        print_json(&json!({ "code": name, "explanation": explanation }))?;
    } else {
        print(&format!("{name}: {explanation}\n"))?;
    }
    Ok(Outcome::Done)
}
