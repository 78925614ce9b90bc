//! Regions for devices: from the kernel AST to texts, and these into the file.

use super::{Options, Region, Setback};
use crate::codegen::c::device::{DeviceText, print_device, prologue};
use crate::codegen::gpu::Refusal;
use crate::codegen::gpu::mapping::{self, Device};
use crate::codegen::gpu::replay::{Replayed, replay};
use crate::codegen::kernel::Kernel;
use crate::codegen::{CodegenOptions, Target};
use crate::plan::RegionPlan;
use crate::transform::Transformed;
use std::collections::BTreeMap;

/// The texts of one region; executed with some values of its parameters, where there are some.
pub(super) fn text(
    region: &Region,
    transformed: &Transformed,
    kernel: &Kernel,
    settings: &CodegenOptions,
    values: Option<&BTreeMap<String, i64>>,
) -> Result<(DeviceText, Option<Replayed>), Setback> {
    let scop = &region.scop;
    let program = mapping::map(scop, &region.dataflow, transformed, kernel, settings)
        .map_err(Setback::Device)?;
    let text = print_device(scop, transformed, kernel, &program, settings)
        .map_err(|reason| Setback::Device(Refusal::Unsupported(reason)))?;
    let replay = |values| replay(scop, transformed, kernel, &program, values);
    let replayed = values.map(replay).transpose().map_err(Setback::Replay)?;
    Ok((text, replayed))
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
