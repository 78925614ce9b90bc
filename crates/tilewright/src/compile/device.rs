//! Regions for devices: from the kernel AST to texts, and these into the file.

use super::messages::Setback;
use super::region::RegionText;
use super::{Options, Region};
use crate::codegen::c::devices::kernels::{DeviceText, print_device};
use crate::codegen::c::devices::languages::prologue;
use crate::codegen::gpu::Refusal;
use crate::codegen::gpu::grids::conditions;
use crate::codegen::gpu::grids::mapping;
use crate::codegen::gpu::grids::mapping::Device;
use crate::codegen::gpu::promotion::promote::{Found, find, promote};
use crate::codegen::gpu::replay::replay;
use crate::codegen::kernel::Kernel;
use crate::codegen::passes::dynamic::exits::kept::Exit;
use crate::codegen::passes::storage::bytes;
use crate::codegen::{CodegenOptions, Target};
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::{Promotion, RegionPlan, defaults};
use crate::planner::device;
use crate::planner::promotion::{self, Candidate, Fate, Obstacle, Refused};
use crate::planner::{LocalCopies, Wishes};
use crate::scop::Scop;
use crate::transform::Transformed;

/// What became of one region.
pub(super) struct Done {
    /// With what of it was executed, where that was asked for.
    pub text: RegionText,
    /// The plan with what was decided here.
    pub plan: RegionPlan,
    /// What became of arrays that could be in local memory.
    pub fates: Vec<Fate>,
    /// What became of loops that run to static bounds in place of data.
    pub exits: Vec<Exit>,
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
    let scop = &region.scop;
    let (kernel, reference) = (&conditions::inside(kernel), kernel);
    let wishes = options.wishes.device.clone().unwrap_or_default();
    let asked = plan
        .groups
        .iter()
        .any(|group| !group.device.promote.is_empty());
    let possible = plan.groups.iter().any(promotion::is_for) && scop.loops.bounds.is_empty();
    let plain = || {
        let program = (scop, transformed, kernel);
        let (text, exits) = print((region, options), program, reference, settings)?;
        Ok(Done {
            text,
            plan: without(plan),
            fates: Vec::new(),
            exits,
        })
    };
    if !asked && (given || wishes.promote == LocalCopies::None || !possible) {
        return plain();
    }
    let bounded = |call: &mut dyn FnMut() -> isl::Result<()>| {
        sparingly(scop, defaults::PROMOTION_OPERATIONS, call)
    };
    let (mut found, refused) =
        find(scop, transformed, kernel, settings, &bounded).map_err(Setback::Isl)?;
    // Copies inside of loops may break nests of loops that were distributed to threads.
    let is_inside = |one: &Found| one.candidate.depth > 0;
    loop {
        let candidates: Vec<Candidate> = found.iter().map(|f| f.candidate.clone()).collect();
        let (plan, fates) = if asked {
            (plan.clone(), Vec::new())
        } else {
            let wanted = (&settings.device, wishes.promote);
            decided(plan, kernel, &candidates, &refused, wanted)
        };
        let chosen = applied(&plan, &candidates, &refused)?;
        if chosen.is_empty() {
            return plain().map(|done| Done { fates, ..done });
        }
        let (plan, fates) = if asked {
            (plan.clone(), given_fates(&plan, &candidates))
        } else {
            (plan, fates)
        };
        let apply = || promote(scop, transformed, kernel, settings, &found, &chosen);
        let text = match sparingly(scop, u64::MAX, apply) {
            Ok(promoted) => print(
                (region, options),
                (&promoted.scop, &promoted.transformed, &promoted.kernel),
                reference,
                settings,
            ),
            Err(error) => Err(Setback::Isl(error)),
        };
        match text {
            Ok((text, exits)) => {
                return Ok(Done {
                    text,
                    plan,
                    fates,
                    exits,
                });
            }
            // What threads need for themselves is known only now, and may be too much.
            Err(setback) if asked || matches!(setback, Setback::Replay(_)) => return Err(setback),
            Err(_) if found.iter().any(is_inside) => found.retain(|f| !is_inside(f)),
            Err(_) => return plain(),
        }
    }
}

/// Does something with so many of isl's operations, or all that there are for a whole step.
fn sparingly<T>(
    scop: &Scop,
    operations: u64,
    call: impl FnOnce() -> isl::Result<T>,
) -> isl::Result<T> {
    let ctx = &scop.ctx;
    let all = ctx.max_operations();
    ctx.reset_operations();
    ctx.set_max_operations(all.min(operations))?;
    let result = ctx.within(defaults::PROMOTION_TIME, call);
    ctx.set_max_operations(all)?;
    ctx.reset_operations();
    result
}

/// The text of a program for a device; executed, where that is asked for, and compared with a kernel
/// without copies.
fn print(
    (region, options): (&Region, &Options),
    (scop, transformed, kernel): (&Scop, &Transformed, &Kernel),
    without_copies: &Kernel,
    settings: &CodegenOptions,
) -> Result<(RegionText, Vec<Exit>), Setback> {
    let program = mapping::map(scop, &region.dataflow, transformed, kernel, settings)
        .map_err(Setback::Device)?;
    let text = print_device(scop, transformed, kernel, &program, settings)
        .map_err(|reason| Setback::Device(Refusal::Unsupported(reason)))?;
    let statements = region.scop.statements.len();
    let replay = |values| {
        replay(
            (scop, statements),
            transformed,
            without_copies,
            &program,
            values,
        )
    };
    let replayed = options.replay.as_ref().map(replay);
    let replayed = replayed.transpose().map_err(Setback::Replay)?;
    Ok((RegionText::Device(text, replayed), program.exits))
}

/// The plan with the arrays that go to local memory.
fn decided(
    plan: &RegionPlan,
    kernel: &Kernel,
    candidates: &[Candidate],
    refused: &[Refused],
    (device, copies): (&Device, LocalCopies),
) -> (RegionPlan, Vec<Fate>) {
    // Whatever scratchpads there are, they may all be in one launch.
    let arrays = kernel.buffers.iter().filter(|b| !b.extents.is_empty());
    let taken = arrays.map(bytes).fold(0, i64::saturating_add);
    let launches = candidates.iter().map(|c| c.launch + 1).max().unwrap_or(0);
    let taken = vec![taken; launches];
    let mut plan = plan.clone();
    let (promote, fates) = promotion::decide(
        copies,
        &plan.groups,
        candidates,
        refused,
        &taken,
        device.local_memory,
    );
    for (group, promote) in plan.groups.iter_mut().zip(promote) {
        group.device.promote = promote;
    }
    (plan, fates)
}

/// What a plan promotes, by position.
fn applied(
    plan: &RegionPlan,
    candidates: &[Candidate],
    refused: &[Refused],
) -> Result<Vec<usize>, Setback> {
    let mut all = Vec::new();
    for (group, own) in plan.groups.iter().enumerate() {
        for one in &own.device.promote {
            let chosen = promotion::chosen(candidates, group, &one.array, one.depth);
            if chosen.is_empty() {
                let own = refused.iter();
                let own = own.filter(|r| r.group == group && r.array == one.array);
                let why = own.map(|r| r.obstacle).max().unwrap_or(Obstacle::Cell);
                return Err(Setback::Plan(format!(
                    "`{}` cannot be in local memory as `promote` of group {} says: {why}",
                    one.array,
                    group + 1
                )));
            }
            all.extend(chosen);
        }
    }
    Ok(all)
}

/// What becomes of the arrays that a given plan promotes.
fn given_fates(plan: &RegionPlan, candidates: &[Candidate]) -> Vec<Fate> {
    let groups = plan.groups.iter().enumerate();
    let each =
        groups.flat_map(|(group, own)| own.device.promote.iter().map(move |one| (group, one)));
    let fate = |(group, one): (usize, &Promotion)| promotion::given(candidates, group, one);
    each.map(fate).collect()
}

fn without(plan: &RegionPlan) -> RegionPlan {
    let mut plan = plan.clone();
    for group in &mut plan.groups {
        group.device.promote = Vec::new();
    }
    plan
}

/// What a plan says about blocks of threads.
pub(super) fn of(plan: &RegionPlan, options: &Options) -> Device {
    let wishes = options.wishes.device.clone().unwrap_or_default();
    Device::of(&plan.groups, &wishes)
}

/// That blocks get fewer threads than were wished for, where they do.
pub(super) fn fewer_threads(scop: &Scop, wishes: &Wishes) -> Option<Diagnostic> {
    let (wished, threads) = device::too_many(wishes)?;
    let most = wishes.device.as_ref()?.most_threads;
    let times = |threads: &[i64]| {
        let all: Vec<String> = threads.iter().map(i64::to_string).collect();
        all.join(" × ")
    };
    let message = format!(
        "blocks have {} threads in place of {}: the device has at most {most}",
        times(&threads),
        times(&wished)
    );
    Some(Diagnostic::warning(Code::Fallback, message).at(scop.place.span, "this region"))
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
    let device = all(&device, |region| &region.device);
    (all(host, |region| &region.host) + "\n", device)
}
