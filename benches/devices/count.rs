//! Counting what versions ask of a device's memories: the compiler executes them thread by thread
//! (`explain --replay`), so that no device is needed.

use super::cases::{Case, Figure, Size, Traffic, Version, sections};
use super::measure::{is_as_wanted, otherwise, sweeps};
use super::setting::{Failure, root};
use serde_json::{Value, json};
use std::fmt::Write;
use std::process::Command;
use tilewright::plan::defaults::{DEVICE_SECTOR, WARP};

/// What was counted of one version.
#[derive(Clone, Debug)]
pub struct Row {
    pub program: &'static str,
    pub figure: Figure,
    pub version: &'static str,
    /// Why there is nothing else, where the version does not apply.
    pub outcome: Result<Counted, String>,
}

/// Sums over all kernels and arrays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted {
    pub launches: f64,
    /// Statement instances, copies to and from local memory among them.
    pub instances: f64,
    /// Bytes of sectors between the caches and the processors, and those of them that are used.
    pub moved: f64,
    pub used: f64,
    /// Bytes of sectors behind the caches, if they are empty when a kernel starts and large enough.
    pub least: f64,
    /// Turns of the banks of local memory, and those without conflicts.
    pub turns: f64,
    pub free: f64,
    /// Of the threads of warps that execute something.
    pub active: f64,
    /// Cells that data picks, or in arrays of unknown extents: how often one was accessed.
    pub uncounted: f64,
    /// What a launch for every sweep has to move at least; none for pipelines.
    pub sweeps: Option<f64>,
}

/// Counts one version at some size, planned for a device of this name.
pub fn row(case: &Case, version: &Version, size: Size, device: &str) -> Result<Row, Failure> {
    let values = case.values(size);
    let given: Vec<&str> = values.split(' ').filter(|one| is_integer(one)).collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command.current_dir(root());
    command.args(["explain", "--json", "--target", "cuda", "--device", device]);
    command.args(["--replay", &given.join(",")]);
    command.args(version.options);
    command.arg(root().join("examples").join(case.file));
    let output = command.output()?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let outcome = match output.status.success() {
        false => {
            let mut lines = messages.lines();
            let line = lines.find(|line| line.starts_with("error"));
            Err(line.unwrap_or(&messages).to_owned())
        }
        true if !is_as_wanted(&report, version) => Err(otherwise(&report)),
        true => Ok(Counted {
            sweeps: match case.traffic {
                Traffic::Arrays => None,
                Traffic::Sweeps { .. } => Some(sweeps(&case.traffic, values)?),
            },
            ..counted(&report)
        }),
    };
    Ok(Row {
        program: case.name,
        figure: case.figure,
        version: version.name,
        outcome,
    })
}

/// `n=300`, and not `weight=0.5`.
fn is_integer(pair: &str) -> bool {
    let value = pair.split_once('=').map(|(_, value)| value.parse::<i64>());
    matches!(value, Some(Ok(_)))
}

fn counted(report: &Value) -> Counted {
    let mut all = Counted::default();
    let mut executed = 0.0;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let number = |value: &Value| value.as_f64().unwrap_or_default();
    for region in list(&report["regions"]) {
        for kernel in list(&region["replayed"]["traffic"]) {
            all.launches += number(&kernel["launches"]);
            all.instances += number(&kernel["instances"]);
            executed += number(&kernel["warp_instances"]);
            all.uncounted += number(&kernel["uncounted"]);
            for buffer in list(&kernel["buffers"]) {
                for requests in [&buffer["loads"], &buffer["stores"]] {
                    if buffer["local"] == true {
                        all.turns += number(&requests["moved"]);
                        all.free += number(&requests["enough"]);
                        continue;
                    }
                    all.moved += number(&requests["moved"]) * DEVICE_SECTOR as f64;
                    all.used += number(&requests["bytes"]);
                    all.least += number(&requests["distinct"]) * DEVICE_SECTOR as f64;
                }
            }
        }
    }
    all.active = all.instances / (executed * WARP as f64).max(1.0);
    all
}

/// For people, and for the page of results.
pub fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    for (figure, own) in sections(rows, |row| row.figure) {
        let baseline = figure.versions()[0].name;
        let _ = write!(
            text,
            "\n{}\n\n\
             | program | version | launches | instances | MB to and from caches | useful | MB behind \
             them | {baseline} / it | one sweep per launch / it | turns without conflict | threads \
             at work | not counted |\n\
             |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
            figure.title()
        );
        for row in own {
            let first = rows.iter().find(|other| other.program == row.program);
            let first = first.and_then(|first| first.outcome.as_ref().ok());
            let cells = match &row.outcome {
                Ok(counted) => cells(counted, first),
                Err(why) => format!("{why} | | | | | | | | | "),
            };
            let _ = writeln!(text, "| {} | {} | {cells} |", row.program, row.version);
        }
    }
    text
}

/// For programs.
pub fn to_json(device: &str, rows: &[Row]) -> Value {
    let one = |row: &Row| match &row.outcome {
        Err(why) => json!({ "program": row.program, "version": row.version, "refused": why }),
        Ok(counted) => json!({
            "program": row.program,
            "version": row.version,
            "launches": counted.launches,
            "instances": counted.instances,
            "bytes_to_and_from_caches": counted.moved,
            "bytes_of_them_used": counted.used,
            "bytes_behind_caches": counted.least,
            "one_sweep_per_launch_bytes": counted.sweeps,
            "local_memory_turns": counted.turns,
            "turns_without_conflict": counted.free,
            "threads_at_work": counted.active,
            "accesses_not_counted": counted.uncounted,
        }),
    };
    json!({ "planned_for": device, "rows": rows.iter().map(one).collect::<Vec<_>>() })
}

fn cells(own: &Counted, first: Option<&Counted>) -> String {
    let percent = |part: f64, whole: f64| {
        if whole > 0.0 {
            format!("{:.0} %", 100.0 * part / whole)
        } else {
            String::new()
        }
    };
    let over =
        |of: Option<f64>, whole: f64| of.map_or(String::new(), |of| format!("{:.2}", of / whole));
    format!(
        "{:.0} | {} | {:.2} | {} | {:.2} | {} | {} | {} | {} | {}",
        own.launches,
        over(
            Some(own.instances),
            first.map_or(own.instances, |f| f.instances)
        ),
        own.moved / 1e6,
        percent(own.used, own.moved),
        own.least / 1e6,
        over(first.map(|first| first.least), own.least),
        over(own.sweeps, own.least),
        percent(own.free, own.turns),
        percent(own.active, 1.0),
        if own.uncounted > 0.0 {
            format!("{:.0}", own.uncounted)
        } else {
            String::new()
        },
    )
}
