//! What the machine can do at most: memory bandwidth and floating-point rate, measured by
//! `benches/peaks.c` with the C compiler of the programs that are compared with them.

use super::setting::{Failure, root};
use serde::Serialize;
use std::process::Command;
use tilewright::plan::machine::Machine;
use tilewright_driver::host::toolchain::Toolchain;

/// How often each is measured; the best counts.
const REPEATS: usize = 50;

/// Each of the triad's three arrays is so many times as large as the last cache.
const TIMES_CACHE: i64 = 4;

/// Peaks with some number of threads.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Peaks {
    /// Bytes per second between memory and processor in a triad `a = b + s c`, three words per
    /// element as STREAM counts them: what a write reads into the cache first is not counted.
    pub bandwidth: f64,
    /// Floating-point operations per second in vector multiply-adds, each of which counts two per
    /// element.
    pub rate: f64,
}

/// Measures the peaks with each number of threads.
pub fn measure(
    toolchain: &Toolchain,
    machine: &Machine,
    threads: &[usize],
) -> Result<Vec<Peaks>, Failure> {
    let directory = tempfile::tempdir()?;
    let program = directory.path().join("peaks");
    let mut cc = toolchain.cc.split_whitespace();
    let elements = TIMES_CACHE * machine.cache_l3.max(machine.cache_l2) / 8;
    let built = Command::new(cc.next().unwrap_or("cc"))
        .args(cc)
        .args(&toolchain.cflags)
        .arg(format!("-DN={elements}L"))
        .arg(format!("-DREPEATS={REPEATS}"))
        .arg(format!("-DVECTOR_BYTES={}", machine.vector))
        .arg(root().join("benches/peaks.c"))
        .arg("-o")
        .arg(&program)
        .output()?;
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into());
    }
    let one = |threads: &usize| {
        let output = Command::new(&program)
            .env("OMP_NUM_THREADS", threads.to_string())
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            [bandwidth, rate] if output.status.success() => Ok(Peaks {
                bandwidth: bandwidth.parse()?,
                rate: rate.parse()?,
            }),
            _ => Err(format!("benches/peaks.c ended with {}", output.status).into()),
        }
    };
    threads.iter().map(one).collect()
}
