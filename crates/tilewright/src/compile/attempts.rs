//! One plan of a region: applied, validated and printed.

use super::as_written::{Stays, stays};
use super::candidates::{format, inspect};
use super::messages::{Setback, enumerated, title};
use super::region::RegionText;
use crate::codegen;
use crate::codegen::kernel::{Kernel, Node};
use crate::codegen::passes::Pass;
use crate::codegen::passes::dynamic::exits::kept::Exit;
use crate::compile::{Options, Region, Step, Target, calls, device};
use crate::diagnostic::Diagnostic;
use crate::plan::{Group, RegionPlan, defaults};
use crate::planner::promotion::Fate;
use crate::transform::{self, Transformed};
use crate::validate;
use std::collections::BTreeSet;

/// What came of a plan that worked out.
pub(super) struct Attempt {
    pub text: RegionText,
    pub transformed: Transformed,
    /// With what was decided on the way.
    pub plan: RegionPlan,
    pub local: Vec<Fate>,
    pub exits: Vec<Exit>,
    pub warnings: Vec<Diagnostic>,
    /// Threads are started in it.
    pub threads: bool,
    /// Where the original stays; `None`: everywhere.
    pub stays: Option<Stays>,
    /// What the text is printed from, on hosts.
    pub kernel: Option<Kernel>,
}

/// Applies a plan, which is the `last` to be tried; `given`: as it is, with nothing decided on the
/// way. Where the plan has arrays in another form, the region as it was is beside it.
pub(super) fn attempt(
    (region, original): (&Region, &Region),
    (plan, given): (&RegionPlan, bool),
    options: &Options,
    taken: &BTreeSet<String>,
    last: bool,
    observe: &mut dyn FnMut(Step),
) -> Result<Attempt, Setback> {
    let transformed = match options.until {
        Pass::Lower | Pass::Prepare => transform::as_written(&region.scop)?,
        _ => checked(region, plan, observe)?,
    };
    observe(Step::Generate);
    let scop = &region.scop;
    calls::reachable(scop, &transformed, options.target)?;
    scop.ctx.reset_operations();
    let titles = |plan: &RegionPlan| {
        let title = |(number, group)| {
            let bands = transformed.bands(number);
            title(group, region.rounds.is_some(), &bands)
        };
        plan.groups.iter().enumerate().map(title).collect()
    };
    let mut settings = codegen::CodegenOptions {
        target: options.target,
        taken_names: codegen::c::devices::kernels::taken(options.target, taken),
        group_titles: titles(plan),
        device: device::of(plan, options),
        dealing: match options.wishes.processor.portions {
            portions @ 2.. => codegen::Dealing::Uneven { portions },
            _ => codegen::Dealing::Static,
        },
        fork: options.wishes.processor.fork,
        until: options.until,
        ..codegen::CodegenOptions::default()
    };
    let generate = || codegen::generation::build::generate(scop, &transformed, &settings);
    let kernel = scop
        .ctx
        .within(options.limits.generation_time, generate)
        .map_err(Setback::Isl)?;
    let warnings = enumerated(scop, &kernel, options.target.is_device(), last)?;
    let mut applied = plan.clone();
    let mut threads = true;
    let mut stays_where = Some(Stays::default());
    let mut finished = None;
    let front = inspect::texts(scop, &settings)?;
    let done = if options.target.is_device() {
        let plan = (plan, given);
        device::text(region, &transformed, &kernel, &settings, plan, options)?
    } else {
        device::Done {
            exits: codegen::passes::dynamic::exits::exits(
                scop,
                &kernel.body,
                options.target == Target::OpenMp,
            ),
            text: {
                let mut kernel = codegen::passes::finish(scop, &transformed, &kernel, &settings);
                threads = kernel.body.iter().any(Node::starts_threads);
                finished = Some(kernel.clone());
                let new = (scop, &transformed);
                if !given && !kernel.body.iter().any(has_rows) {
                    without_rows(&mut applied);
                    settings.group_titles = titles(&applied);
                }
                stays_where = stays(&original.scop, new, &applied, &mut kernel, options);
                RegionText::Host(codegen::c::print_c(scop, &transformed, &kernel, &settings))
            },
            plan: applied,
            fates: Vec::new(),
        }
    };
    let mut text = done.text;
    if let Some(packing) = &scop.edges.packing {
        text = format::either(packing, region, text, original, options, taken, observe)?;
    }
    let in_place = text.in_place();
    *in_place = codegen::c::around(&front, in_place, settings.indent);
    *in_place = codegen::c::within(scop, in_place);
    Ok(Attempt {
        text,
        transformed,
        plan: done.plan,
        local: done.fates,
        exits: done.exits,
        warnings,
        threads,
        stays: stays_where,
        kernel: finished,
    })
}

/// Whether a loop has the iterations of several rows at a time.
fn has_rows(node: &Node) -> bool {
    let here = matches!(node, Node::For(each) if each.step % defaults::ROWS == 0);
    here || node.children().any(has_rows)
}

/// Takes away what was asked of loops whose iterations could not stand side by side.
fn without_rows(plan: &mut RegionPlan) {
    let written = plan.groups.iter_mut().filter_map(Group::written_mut);
    written.for_each(|written| written.rows.clear());
}

/// The plan applied, and found to compute the same values.
pub(super) fn checked(
    region: &Region,
    plan: &RegionPlan,
    observe: &mut dyn FnMut(Step),
) -> Result<Transformed, Setback> {
    let Region {
        scop,
        dataflow,
        graph,
        rounds,
    } = region;
    let limit = defaults::analysis_time(scop.ctx.max_operations());
    observe(Step::Transform);
    scop.ctx.reset_operations();
    let transformed = scop.ctx.within(limit, || match rounds {
        Some(rounds) => transform::apply_over_time(scop, dataflow, rounds, plan),
        None => transform::apply(scop, dataflow, graph, plan),
    });
    let transformed = transformed.map_err(Setback::from)?;
    observe(Step::Validate);
    scop.ctx.reset_operations();
    let validate = || validate::validate(scop, dataflow, &transformed);
    match scop.ctx.within(limit, validate).map_err(Setback::Isl)? {
        Some(violation) => Err(Setback::Violation(violation)),
        None => Ok(transformed),
    }
}
