//! The rates of the time model ([`Rates`]) of the machine that this runs on: small loops that do
//! one thing each (`calibrate/kernels.c`), built by the system's C compiler and timed.

use crate::Result;
use crate::host::output::words;
use crate::host::process;
use crate::host::toolchain::Toolchain;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::plan::defaults::RATED_VECTOR;
use tilewright::plan::machine::Machine;
use tilewright::plan::rates::Rates;

const KERNELS: &str = include_str!("kernels.c");

/// How long one measurement may take besides the time that it was given.
const LIMIT: Duration = Duration::from_secs(120);

/// Operations on a cell as the model counts them: two sums and a product in the stencil, and the
/// store.
const STENCIL_OPERATIONS: f64 = 4.0;

/// Bytes that move for each byte that is copied: it is read, a line is loaded for the store, and
/// it is stored.
const MOVED: f64 = 3.0;

/// Cells of a short row. The shorter rows are, the better the start of one can be told from the
/// work in it; but the ends of rows that are no longer than two unrolled iterations of a vector
/// loop would be all there is.
const ROW: i64 = 128;

/// Nanoseconds that a rate has at least: where noise is larger than what is measured, the
/// difference of two times may be nothing or less.
const LEAST: f64 = 1e-4;

/// The smallest arrays that are taken to be in memory, in bytes for each core.
const IN_MEMORY: i64 = 64 << 20;

/// What is measured, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    /// Copying so many bytes (read and stored ones together).
    Copy(i64),
    /// A stencil over so many bytes in one row, and in rows of so many cells.
    Rows(i64, i64),
    /// A parallel loop.
    Region,
}

/// Times of all kernels, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Times {
    /// To copy a byte within the first cache.
    copy_l1: f64,
    /// Within the second one.
    copy_l2: f64,
    /// Within the last one.
    copy_l3: f64,
    /// In memory.
    copy_memory: f64,
    /// Of a cell of the stencil in one long row, in the first cache.
    cell: f64,
    /// The same in rows of [`ROW`] cells.
    cell_in_rows: f64,
    /// Of a parallel loop.
    region: f64,
}

/// How many things are measured.
pub const MEASUREMENTS: usize = 6;

/// Measures the rates with as many threads as `machine` has cores, each for `seconds` or a little
/// more. `progress` is told what is measured.
///
/// # Errors
/// `TW0501` where the kernels cannot be built, `TW0502` where they cannot be run, `TW0102` where
/// there is no place for them.
pub fn calibrate(
    toolchain: &Toolchain,
    machine: &Machine,
    seconds: f64,
    progress: &mut dyn FnMut(&str),
) -> Result<Rates> {
    let unwritable = |error: std::io::Error| {
        let reason = words(&error);
        let message = format!("cannot use the directory for temporary files: {reason}");
        Box::new(Diagnostic::error(Code::UnwritableOutput, message))
    };
    let directory = tempfile::Builder::new().prefix("tilewright-").tempdir();
    let directory = directory.map_err(unwritable)?;
    let input = directory.path().join("kernels.c");
    let program = directory.path().join("kernels");
    fs::write(&input, KERNELS).map_err(unwritable)?;
    progress("build");
    toolchain.build_program(&input, &program)?;
    let mut times = |kernel: Kernel, what: &str| {
        progress(what);
        measure(&program, kernel, machine.cores, seconds)
    };
    let mut time = |kernel: Kernel, what: &str| times(kernel, what).map(|[time, _]| time);
    let sets = WorkingSets::of(machine);
    let copy_l1 = time(Kernel::Copy(sets.l1), "first cache")?;
    let copy_l2 = time(Kernel::Copy(sets.l2), "second cache")?;
    let copy_l3 = time(Kernel::Copy(sets.l3), "last cache")?;
    let copy_memory = time(Kernel::Copy(sets.memory), "memory")?;
    let region = time(Kernel::Region, "parallel loops")?;
    let [cell, cell_in_rows] = times(Kernel::Rows(sets.l1, ROW), "operations and rows")?;
    let times = Times {
        copy_l1,
        copy_l2,
        copy_l3,
        copy_memory,
        cell,
        cell_in_rows,
        region,
    };
    tracing::debug!(?sets, ?times, "calibrate");
    Ok(times.rates(machine))
}

/// Bytes for each core that lie in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WorkingSets {
    l1: i64,
    l2: i64,
    l3: i64,
    memory: i64,
}

impl WorkingSets {
    /// Half of the first cache; between two caches their geometric mean, well above the one and
    /// well below the other; and four times the last cache.
    fn of(machine: &Machine) -> WorkingSets {
        let share = machine.cache_l3 / machine.cores.max(1);
        let between = |small: i64, large: i64| ((small as f64) * (large as f64)).sqrt() as i64;
        WorkingSets {
            l1: machine.cache_l1 / 2,
            l2: between(machine.cache_l1, machine.cache_l2),
            l3: between(machine.cache_l2, share).max(machine.cache_l2),
            memory: (4 * share).max(IN_MEMORY),
        }
    }
}

impl Times {
    /// What the model takes from them. What is farther away costs no less than what is nearer.
    fn rates(&self, machine: &Machine) -> Rates {
        let byte = |copied: f64| (copied - self.copy_l1) / MOVED;
        let cache_l2 = byte(self.copy_l2).max(LEAST);
        let cache_l3 = byte(self.copy_l3).max(cache_l2);
        let vectors = machine.vector as f64 / RATED_VECTOR as f64;
        Rates {
            memory: byte(self.copy_memory).max(cache_l3),
            cache_l3,
            cache_l2,
            operation: (self.cell / STENCIL_OPERATIONS * vectors).max(LEAST),
            row: ((self.cell_in_rows - self.cell) * ROW as f64).max(LEAST),
            region: self.region.max(LEAST),
        }
    }
}

/// One or two times, the first one twice where there is one.
fn measure(program: &Path, kernel: Kernel, threads: i64, seconds: f64) -> Result<[f64; 2]> {
    let mut command = Command::new(program);
    command.arg(seconds.to_string());
    match kernel {
        Kernel::Copy(bytes) => command.args(["copy", &bytes.to_string()]),
        Kernel::Rows(bytes, cells) => {
            command.args(["rows", &bytes.to_string(), &cells.to_string()])
        }
        Kernel::Region => command.arg("region"),
    };
    command.env("OMP_NUM_THREADS", threads.to_string());
    let failed = |reason: String| {
        let message = format!("the rates cannot be measured: {reason}");
        Box::new(Diagnostic::error(Code::RunFailed, message))
    };
    let limit = LIMIT + Duration::from_secs_f64(seconds);
    let finished = process::run(&mut command, limit).map_err(|e| failed(words(&e)))?;
    match finished.status {
        None => return Err(failed(format!("{kernel:?} takes more than {limit:?}"))),
        Some(status) if !status.success() => {
            return Err(failed(format!("{kernel:?} ended with {status}")));
        }
        Some(_) => {}
    }
    let text = String::from_utf8_lossy(&finished.stdout);
    let number = |text: &str| text.parse().ok().filter(|time: &f64| *time > 0.0);
    let numbers: Option<Vec<f64>> = text.split_whitespace().map(number).collect();
    match numbers.as_deref() {
        Some(&[one]) => Ok([one, one]),
        Some(&[one, other]) => Ok([one, other]),
        _ => Err(failed(format!("{kernel:?} says `{}`", text.trim()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        Machine {
            cache_l1: 48 << 10,
            cache_l2: 1 << 20,
            cache_l3: 32 << 20,
            cores: 2,
            vector: 64,
        }
    }

    #[test]
    fn working_sets_lie_where_they_should() {
        let machine = machine();
        let sets = WorkingSets::of(&machine);
        assert!(sets.l1 < machine.cache_l1);
        assert!(2 * machine.cache_l1 < sets.l2 && sets.l2 < machine.cache_l2 / 2);
        assert!(2 * machine.cache_l2 < sets.l3 && sets.l3 * 2 < machine.cache_l3 / 2);
        assert!(sets.memory * 2 >= 4 * machine.cache_l3);
    }

    /// A machine on which the model is right gives the model's rates.
    #[test]
    fn rates_are_what_the_model_means_by_them() {
        let rates = Rates {
            memory: 0.05,
            cache_l3: 0.008,
            cache_l2: 0.002,
            operation: 0.03,
            row: 4.0,
            region: 1500.0,
        };
        // Vectors of half the length: the model takes an operation to cost twice the rate.
        let machine = Machine {
            vector: RATED_VECTOR / 2,
            ..machine()
        };
        let copy = |byte: f64| 0.009 + 3.0 * byte;
        let cell = 4.0 * 2.0 * rates.operation;
        let times = Times {
            copy_l1: 0.009,
            copy_l2: copy(rates.cache_l2),
            copy_l3: copy(rates.cache_l3),
            copy_memory: copy(rates.memory),
            cell,
            cell_in_rows: cell + rates.row / ROW as f64,
            region: rates.region,
        };
        let found = times.rates(&machine);
        for (found, expected) in [
            (found.memory, rates.memory),
            (found.cache_l3, rates.cache_l3),
            (found.cache_l2, rates.cache_l2),
            (found.operation, rates.operation),
            (found.row, rates.row),
            (found.region, rates.region),
        ] {
            assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
        }
    }

    #[test]
    fn noise_makes_no_rate_negative_and_no_cache_slower_than_memory() {
        let times = Times {
            copy_l1: 0.01,
            copy_l2: 0.009,
            copy_l3: 0.03,
            copy_memory: 0.02,
            cell: 0.1,
            cell_in_rows: 0.09,
            region: 100.0,
        };
        let rates = times.rates(&machine());
        assert!(rates.cache_l2 > 0.0 && rates.row > 0.0);
        assert!(rates.cache_l2 <= rates.cache_l3 && rates.cache_l3 <= rates.memory);
    }

    /// The kernels are C that is accepted and run; how long they take says the machine.
    #[test]
    fn kernels_are_built_and_run() {
        let mut steps = Vec::new();
        let machine = Machine {
            cores: 1,
            ..machine()
        };
        let toolchain = Toolchain::from_environment();
        let rates = calibrate(&toolchain, &machine, 0.001, &mut |step| {
            steps.push(step.to_owned());
        });
        assert!(rates.unwrap().operation > 0.0);
        assert_eq!(steps.len(), 1 + MEASUREMENTS);
    }
}
