//! `tilewright devices`

use super::{Outcome, report};
use crate::arguments::DevicesArguments;
use crate::terminal::{Failure, print, print_json};
use tilewright::compile::Target;
use tilewright::planner::DeviceWishes;
use tilewright_driver::host::device;
use tilewright_driver::host::toolchain::Toolchain;

/// Lists devices.
pub fn run(arguments: &DevicesArguments) -> Result<Outcome, Failure> {
    let target = arguments.target.target();
    if !target.is_device() {
        let message = "`devices` is for `--target opencl`, `cuda` and `hip`";
        return Err(Failure::usage(message.to_owned()));
    }
    let devices = device::devices(target, &arguments.c.toolchain())?;
    if arguments.json {
        print_json(&serde_json::json!(devices))?;
        return Ok(Outcome::Done);
    }
    let mut table = report::table([
        "",
        "device",
        "platform",
        "processors",
        "threads of a block",
        "its local memory",
    ]);
    for device in &devices {
        table.add_row([
            report::number(device.number),
            device.name.clone().into(),
            device.platform.clone().into(),
            report::number(device.processors),
            report::number(device.threads),
            report::number(format!("{} KiB", device.local_memory >> 10)),
        ]);
    }
    print(&report::lines(&table))?;
    Ok(Outcome::Done)
}

/// Asks the device that a program would run on for its limits, and plans for it unless another one
/// is `named`; `given`: what the user says of its local memory, which holds then.
pub fn limit(
    wishes: &mut DeviceWishes,
    given: Option<i64>,
    named: bool,
    target: Target,
    toolchain: &Toolchain,
) -> Result<device::Device, Failure> {
    let device = device::chosen(target, toolchain)?;
    let gpu = device.gpu();
    wishes.most_threads = gpu.block_threads;
    wishes.local_memory = given.unwrap_or(gpu.block_memory);
    if !named {
        wishes.gpu = gpu;
    }
    Ok(device)
}
