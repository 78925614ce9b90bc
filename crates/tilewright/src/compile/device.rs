//! Regions for devices: from the kernel AST to texts, and these into the file.

use super::{Options, Region, Setback};
use crate::codegen::c::device::{DeviceText, print_device};
use crate::codegen::c::words::prologue;
use crate::codegen::gpu::Refusal;
use crate::codegen::gpu::mapping::{self, Device};
use crate::codegen::kernel::Kernel;
use crate::codegen::{CodegenOptions, Target};
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::planner::Wishes;
use crate::plan::{RegionPlan, device};
use crate::scop::Scop;
use crate::transform::Transformed;

/// The texts of one region.
pub(super) fn text(
    region: &Region,
    transformed: &Transformed,
    kernel: &Kernel,
    settings: &CodegenOptions,
) -> Result<DeviceText, Setback> {
    let scop = &region.scop;
    let program = mapping::map(scop, &region.dataflow, transformed, kernel, settings)
        .map_err(Setback::Device)?;
    print_device(scop, transformed, kernel, &program, settings)
        .map_err(|reason| Setback::Device(Refusal::Unsupported(reason)))
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
    Some(Diagnostic::warning(Code::Fallback, message).at(scop.span, "this region"))
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
