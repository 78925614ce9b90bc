//! Running versions, with `tilewright run`.

use super::cases::{Case, Figure, Size, Traffic, Version};
use super::setting::{Failure, root};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How everything is run.
pub struct Bench {
    /// `opencl` or `cuda`.
    pub target: String,
    pub size: Size,
    /// Timed runs.
    pub runs: usize,
    /// Variables of the environment.
    pub environment: Vec<(&'static str, PathBuf)>,
}

/// What was measured of one version; times in milliseconds.
#[derive(Clone, Debug)]
pub struct Row {
    pub program: &'static str,
    pub figure: Figure,
    pub version: &'static str,
    /// Why there is nothing else, where the version does not apply.
    pub outcome: Result<Measured, String>,
}

/// Times in milliseconds.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Between the copies: median and minimum.
    pub kernels: f64,
    pub kernels_min: f64,
    /// With copies.
    pub all: f64,
    pub launches: f64,
    /// What has to be moved at least ([`Traffic`]).
    pub bytes: f64,
    /// Cells that overlapped tiles compute, over those that no other tile computes, less one.
    pub redundancy: Option<f64>,
}

impl Measured {
    /// Bytes per second, of those that have to be moved, in the shortest run.
    pub fn rate(&self) -> f64 {
        self.bytes / (self.kernels_min / 1e3)
    }
}

const TRIAD: &str = "void triad(int n, double s, double a[restrict n],
           const double b[restrict n], const double c[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
#pragma endscop
}
";

/// Bytes that a triad moves for an element: two in, one out.
const TRIAD_BYTES: f64 = 24.0;

impl Bench {
    fn run(&self, file: &Path, values: &str, options: &[&str]) -> Result<Value, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
        command.current_dir(root()).arg("run").arg(file);
        command.envs(self.environment.iter().cloned());
        for value in values.split(' ') {
            command.args(["--param", value]);
        }
        let runs = self.runs.to_string();
        command.args(["--target", &self.target, "--json", "--runs", &runs]);
        command.args(["--time-limit", "600"]).args(options);
        let output = command.output().map_err(|error| error.to_string())?;
        let messages = String::from_utf8_lossy(&output.stderr);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        if output.status.success() && report["accepted"] == true {
            Ok(report)
        } else {
            let what = |line: &&str| line.starts_with("error") || line.starts_with("warning");
            let line = messages.lines().find(what);
            Err(line.unwrap_or(&messages).to_owned())
        }
    }

    /// Runs one version of a program.
    ///
    /// # Errors
    /// A report that lacks what it should have.
    pub fn row(&self, case: &Case, version: &Version) -> Result<Row, Failure> {
        let file = root().join("examples").join(case.file);
        let values = case.values(self.size);
        let outcome = match self.run(&file, values, version.options) {
            Ok(report) => {
                if is_as_wanted(&report, version) {
                    Ok(measured(&report, case, values)?)
                } else {
                    Err("planned otherwise".to_owned())
                }
            }
            Err(why) => Err(why),
        };
        Ok(Row {
            program: case.name,
            figure: case.figure,
            version: version.name,
            outcome,
        })
    }
}

/// Bytes per second that a triad on the device moves.
///
/// # Errors
/// That it does not run.
pub fn triad(bench: &Bench) -> Result<f64, Failure> {
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("triad.c");
    std::fs::write(&file, TRIAD)?;
    let n = match bench.size {
        Size::Full => 1 << 27,
        Size::Quick => 1 << 22,
        Size::Tiny => 1 << 10,
    };
    let values = format!("n={n} s=3");
    let report = bench.run(&file, &values, &["--shape", "none"])?;
    let min = number(&report["kernels_ms"]["min"])?;
    Ok(TRIAD_BYTES * f64::from(n) / (min / 1e3))
}

/// The device that programs take, in words.
///
/// # Errors
/// That there is none.
pub fn device(bench: &Bench) -> Result<String, Failure> {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewright"))
        .args(["devices", "--json", "--target", &bench.target])
        .output()?;
    let devices: Vec<Value> = serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let wanted = std::env::var("TILEWRIGHT_DEVICE").unwrap_or_default();
    let wanted: Option<u64> = wanted.parse().ok();
    let chosen = |device: &&Value| wanted.is_some() && device["number"].as_u64() == wanted;
    let words = |device: &Value| {
        let word = |key: &str| device[key].as_str().unwrap_or_default().to_owned();
        format!("{} ({})", word("name"), word("platform"))
    };
    if let Some(device) = devices.iter().find(chosen) {
        return Ok(words(device));
    }
    // Programs know which of them are GPUs.
    let all: Vec<String> = devices.iter().map(words).collect();
    Ok(match &all[..] {
        [only] => only.clone(),
        several => format!(
            "the first GPU, or else the first, of {}",
            several.join(", ")
        ),
    })
}

/// Whether groups have the shape that a version is for.
pub fn is_as_wanted(report: &Value, version: &Version) -> bool {
    let regions = report["regions"].as_array().into_iter().flatten();
    let mut shapes = regions.flat_map(|region| {
        let groups = region["groups"].as_array().into_iter().flatten();
        groups.map(|group| group["shape"].as_str().unwrap_or_default())
    });
    match version.shape {
        Some(wanted) => shapes.next() == Some(wanted) && shapes.all(|shape| shape == wanted),
        None => shapes.any(|shape| shape != "none"),
    }
}

fn measured(report: &Value, case: &Case, values: &str) -> Result<Measured, Failure> {
    Ok(Measured {
        kernels: number(&report["kernels_ms"]["median"])?,
        kernels_min: number(&report["kernels_ms"]["min"])?,
        all: number(&report["result_ms"]["median"])?,
        launches: number(&report["launches"])?,
        bytes: match case.traffic {
            Traffic::Arrays => arrays(report)?,
            Traffic::Sweeps { .. } => sweeps(&case.traffic, values)?,
        },
        redundancy: redundancy(report),
    })
}

/// Bytes that a launch for every sweep has to move; 0 where there are no sweeps.
pub fn sweeps(traffic: &Traffic, values: &str) -> Result<f64, Failure> {
    let Traffic::Sweeps {
        sweeps,
        dimensions,
        rim,
        bytes,
    } = traffic
    else {
        return Ok(0.0);
    };
    let points = (value(values, "n")? - 2.0 * rim).powi(*dimensions);
    Ok(value(values, "tsteps")? * sweeps * points * bytes)
}

/// Bytes of all arrays.
fn arrays(report: &Value) -> Result<f64, Failure> {
    let mut bytes = 0.0;
    for array in report["arrays"].as_array().into_iter().flatten() {
        let mut elements = 1.0;
        for extent in array["extents"].as_array().into_iter().flatten() {
            elements *= number(extent)?;
        }
        bytes += elements * number(&array["element_bytes"])?;
    }
    Ok(bytes)
}

/// Over all stages of all groups with overlapped tiles, cells of a tile; none without overlap.
fn redundancy(report: &Value) -> Option<f64> {
    let (mut all, mut own) = (0.0, 0.0);
    for region in report["regions"].as_array()? {
        for group in region["groups"].as_array()? {
            for stage in group["footprints"].as_array()? {
                let extents = stage["extents"].as_array()?.iter();
                let cells: f64 = extents.filter_map(Value::as_f64).product();
                all += cells;
                own += cells * (1.0 - stage["overlap"].as_f64()?);
            }
        }
    }
    (own > 0.0).then(|| all / own - 1.0)
}

fn number(value: &Value) -> Result<f64, Failure> {
    let number = value.as_f64();
    number.ok_or_else(|| format!("a number is missing in a report: {value}").into())
}

fn value(values: &str, name: &str) -> Result<f64, Failure> {
    let pairs = values.split(' ').filter_map(|one| one.split_once('='));
    let mut own = pairs.filter(|(other, _)| *other == name);
    let (_, text) = own.next().ok_or_else(|| format!("no value for {name}"))?;
    Ok(text.parse()?)
}
