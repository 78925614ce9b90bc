//! What the warps of a device asked of its memories in a replay.

use super::{bytes, lines, number, table};
use comfy_table::Cell;
use tilewright::codegen::gpu::replay::{KernelTraffic, Replayed, Requests};
use tilewright::plan::defaults::DEVICE_SECTOR;

/// Tables of what was counted.
pub fn traffic(replayed: &Replayed) -> String {
    let mut text = "Counted in the replay:\n\n".to_owned();
    text += &kernels(&replayed.traffic);
    text += "\n";
    text += &buffers(&replayed.traffic);
    let ([mut moved, mut least], mut uncounted) = ([0; 2], 0);
    for kernel in &replayed.traffic {
        uncounted += kernel.uncounted;
        for buffer in kernel.buffers.iter().filter(|buffer| !buffer.local) {
            for requests in [buffer.loads, buffer.stores] {
                moved += sectors(requests.moved);
                least += sectors(requests.distinct);
            }
        }
    }
    text += &format!(
        "\nThe device's memory: {} to and from the caches, {} at least behind them, if they are \
         empty when a kernel starts.\n",
        bytes(moved),
        bytes(least)
    );
    if uncounted > 0 {
        text += &format!(
            "Not counted: {uncounted} accesses to cells that data picks, or to arrays of unknown \
             extents.\n"
        );
    }
    text
}

fn kernels(kernels: &[KernelTraffic]) -> String {
    let mut table = table([
        "kernel",
        "launches",
        "blocks",
        "threads",
        "local memory",
        "barriers",
        "threads at work",
        "idle warps",
    ]);
    for kernel in kernels {
        let [x, y] = kernel.threads;
        table.add_row([
            number(kernel.kernel),
            number(kernel.launches),
            number(kernel.blocks),
            number(format!("{x} × {y}")),
            number(bytes(usize::try_from(kernel.local_bytes).unwrap_or(0))),
            number(kernel.barriers),
            number(percent(kernel.active())),
            number(percent(kernel.idle())),
        ]);
    }
    lines(&table)
}

fn buffers(kernels: &[KernelTraffic]) -> String {
    let mut table = table([
        "kernel", "array", "access", "requests", "of bytes", "moved", "useful", "at least",
    ]);
    for kernel in kernels {
        for buffer in &kernel.buffers {
            let both = [("load", buffer.loads), ("store", buffer.stores)];
            for (access, requests) in both.into_iter().filter(|(_, all)| all.requests > 0) {
                let (moved, useful, least) = if buffer.local {
                    (
                        format!("{} turns", requests.moved),
                        share(requests.enough, requests.moved),
                        "–".to_owned(),
                    )
                } else {
                    let Requests { bytes: of, .. } = requests;
                    let moved = sectors(requests.moved);
                    let useful = share(of, moved as u64);
                    (bytes(moved), useful, bytes(sectors(requests.distinct)))
                };
                table.add_row([
                    number(kernel.kernel),
                    Cell::new(&buffer.buffer),
                    Cell::new(access),
                    number(requests.requests),
                    number(bytes(usize::try_from(requests.bytes).unwrap_or(0))),
                    number(moved),
                    number(useful),
                    number(least),
                ]);
            }
        }
    }
    lines(&table)
}

/// Bytes of sectors.
fn sectors(count: u64) -> usize {
    usize::try_from(count * DEVICE_SECTOR as u64).unwrap_or(usize::MAX)
}

fn share(part: u64, whole: u64) -> String {
    percent(part as f64 / whole.max(1) as f64)
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
