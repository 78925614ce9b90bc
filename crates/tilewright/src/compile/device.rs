//! Regions for devices: from the kernel AST to texts, and these into the file.

use super::{Options, Region, Setback};
use crate::codegen::c::device::{DeviceText, print_device, prologue};
use crate::codegen::gpu::Refusal;
use crate::codegen::gpu::mapping::{self, Device};
use crate::codegen::gpu::promote::{candidates, promote};
use crate::codegen::kernel::Kernel;
use crate::codegen::storage::bytes;
use crate::codegen::{CodegenOptions, Target};
use crate::plan::promotion::{self, Fate};
use crate::plan::{Promotion, RegionPlan};
use crate::transform::{BufferKind, Transformed};

/// What became of one region.
pub(super) struct Done {
    pub text: DeviceText,
    /// The plan with what was decided here.
    pub plan: RegionPlan,
    /// What became of arrays that could be in local memory.
    pub fates: Vec<Fate>,
}

/// The texts of one region. `given`: the plan is to be applied as it is; else it is decided here
/// which arrays go to local memory.
pub(super) fn text(
    region: &Region,
    transformed: &Transformed,
    kernel: &Kernel,
    settings: &CodegenOptions,
    (plan, given): (&RegionPlan, bool),
    options: &Options,
) -> Result<Done, Setback> {
    let emit = |plan: &RegionPlan| {
        let plan = (plan, given);
        emit(region, transformed, kernel, settings, plan, options)
    };
    let wishes = options.wishes.device.clone().unwrap_or_default();
    if given || !wishes.promote || !region.scop.bounds.is_empty() {
        return emit(plan);
    }
    let ctx = &region.scop.ctx;
    ctx.reset_operations();
    let decide = || decide(region, transformed, kernel, settings, plan);
    let (plan, fates) = match ctx.within(options.generation_time, decide) {
        Ok(decided) => decided,
        // Where the budget is not enough to find out, arrays stay where they are.
        Err(e) => {
            eprintln!("DBG {e}");
            ctx.reset_operations();
            return emit(plan);
        }
    };
    match emit(&plan) {
        Ok(done) => {
            // Of those that could not be, the decision is void.
            let holds = |fate: &Fate| fate.depth.is_none() || done.fates.iter().any(|other| other.is_of(fate));
            let fates = fates.into_iter().filter(holds).collect();
            Ok(Done { fates, ..done })
        }
        Err(Setback::Isl(e)) if {eprintln!("DBG {e}"); false} => unreachable!(),
        Err(Setback::Plan(e)) if {eprintln!("DBG {e}"); false} => unreachable!(),
        Err(_) if plan.groups.iter().any(|group| !group.promote.is_empty()) => {
            ctx.reset_operations();
            emit(&without(&plan))
        }
        Err(setback) => Err(setback),
    }
}

/// The plan with the arrays that go to local memory.
fn decide(
    region: &Region,
    transformed: &Transformed,
    kernel: &Kernel,
    settings: &CodegenOptions,
    plan: &RegionPlan,
) -> isl::Result<(RegionPlan, Vec<Fate>)> {
    let mut plan = plan.clone();
    if !plan.groups.iter().any(promotion::is_for) {
        return Ok((plan, Vec::new()));
    }
    let device = &settings.device;
    let all = candidates(&region.scop, transformed, kernel, device)?;
    eprintln!("DBG {all:?}");
    // Whatever scratchpads there are, they may all be in one launch.
    let arrays = kernel.buffers.iter().filter(|b| !b.extents.is_empty());
    let taken = arrays.map(bytes).fold(0, i64::saturating_add);
    let launches = all.iter().map(|c| c.launch + 1).max().unwrap_or(0);
    let taken = vec![taken; launches];
    let (promote, fates) = promotion::decide(&plan.groups, &all, &taken, device.local_memory);
    for (group, promote) in plan.groups.iter_mut().zip(promote) {
        group.promote = promote;
    }
    Ok((plan, fates))
}

fn without(plan: &RegionPlan) -> RegionPlan {
    let mut plan = plan.clone();
    for group in &mut plan.groups {
        group.promote = Vec::new();
    }
    plan
}

/// The texts of a region as a plan says; unless it was given, without what cannot be.
fn emit(
    region: &Region,
    transformed: &Transformed,
    kernel: &Kernel,
    settings: &CodegenOptions,
    (plan, given): (&RegionPlan, bool),
    options: &Options,
) -> Result<Done, Setback> {
    let print = |scop: &_, transformed: &_, kernel: &_, settings: &_| {
        let program = mapping::map(scop, &region.dataflow, transformed, kernel, settings)
            .map_err(Setback::Device)?;
        print_device(scop, transformed, kernel, &program, settings)
            .map_err(|reason| Setback::Device(Refusal::Unsupported(reason)))
    };
    let scop = &region.scop;
    let settings = CodegenOptions {
        device: of(plan, options),
        ..settings.clone()
    };
    if plan.groups.iter().all(|group| group.promote.is_empty()) {
        return Ok(Done {
            text: print(scop, transformed, kernel, &settings)?,
            plan: plan.clone(),
            fates: Vec::new(),
        });
    }
    let (device, taken) = (&settings.device, &settings.taken_names);
    let apply = || promote(scop, transformed, kernel, device, taken);
    let (promoted, missed) = scop
        .ctx
        .within(options.generation_time, apply)
        .map_err(Setback::Isl)?;
    if let Some((group, array)) = missed.first().filter(|_| given) {
        return Err(Setback::Plan(format!(
            "`{array}` cannot be in local memory as `promote` of group {group} says: at that depth \
             no block touches it in cells that are known exactly, are in a box of constant size, \
             and are more than one"
        )));
    }
    let mut plan = plan.clone();
    for (group, array) in &missed {
        plan.groups[*group].promote.retain(|one| one.array != *array);
    }
    let fate = |group: usize, one: &Promotion| {
        let sizes = promoted.kernel.buffers.iter().filter(|local| {
            let buffer = &promoted.transformed.buffers[local.buffer];
            let new = local.buffer >= transformed.buffers.len();
            let same = promoted.scop.arrays[buffer.array].name == one.array;
            new && same && matches!(buffer.kind, BufferKind::Local { .. })
        });
        Fate {
            group,
            array: one.array.clone(),
            bytes: sizes.map(bytes).max().unwrap_or(0),
            depth: Some(one.depth),
            reason: None,
        }
    };
    let groups = plan.groups.iter().enumerate();
    let fates = groups.flat_map(|(at, group)| group.promote.iter().map(move |one| (at, one)));
    let fates: Vec<Fate> = fates.map(|(at, one)| fate(at, one)).collect();
    let (scop, transformed) = (&promoted.scop, &promoted.transformed);
    Ok(Done {
        text: print(scop, transformed, &promoted.kernel, &settings)?,
        plan,
        fates,
    })
}

/// What a plan says about blocks of threads.
pub(super) fn of(plan: &RegionPlan, options: &Options) -> Device {
    let wishes = options.wishes.device.clone().unwrap_or_default();
    Device::of(&plan.groups, wishes.local_memory)
}

/// What stands in front of the functions of a file whose regions run on a device, and the device's
/// own file.
pub(super) fn together(target: Target, regions: &[DeviceText]) -> (String, String) {
    let (host, device) = prologue(target);
    let all = |begin: &str, of: fn(&DeviceText) -> &String| {
        let mut text = begin.to_owned();
        regions.iter().for_each(|region| text.push_str(of(region)));
        text
    };
    let device = all(device, |region| &region.device);
    (all(host, |region| &region.host) + "\n", device)
}
