//! Running versions, with `tilewright run`.

use super::cases::{Case, Figure, Size, Traffic, Version};
use super::setting::{Failure, root};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};

/// How everything is run.
pub struct Bench {
    /// `opencl` or `cuda`.
    pub target: String,
    pub size: Size,
    /// Timed runs.
    pub runs: usize,
    /// Versions that are built and compared at a time.
    pub jobs: usize,
    /// Seconds that a call may take.
    pub time_limit: u32,
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

/// A version that is built and was compared, and waits to be timed.
struct Held {
    child: Child,
    stdout: BufReader<ChildStdout>,
    messages: JoinHandle<String>,
}

impl Held {
    /// Times it; what `tilewright run` reports.
    fn finish(mut self) -> Result<Value, String> {
        let words = |error: std::io::Error| error.to_string();
        if let Some(mut stdin) = self.child.stdin.take() {
            // Where it is gone already, its messages say why.
            let _ = stdin.write_all(b"\n");
        }
        let mut report = String::new();
        self.stdout.read_to_string(&mut report).map_err(words)?;
        let status = self.child.wait().map_err(words)?;
        let messages = self.messages.join().unwrap_or_default();
        let report: Value = serde_json::from_str(&report).unwrap_or_default();
        if status.success() && report["accepted"] == true {
            Ok(report)
        } else {
            Err(reason(&messages))
        }
    }
}

/// The first line that says what is wrong.
fn reason(messages: &str) -> String {
    let what = |line: &&str| line.starts_with("error") || line.starts_with("warning");
    let line = messages.lines().find(what);
    line.unwrap_or(messages).to_owned()
}

impl Bench {
    /// Compiles, builds and compares a version.
    fn start(&self, file: &Path, values: &str, options: &[&str]) -> Result<Held, String> {
        let words = |error: std::io::Error| error.to_string();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
        command.current_dir(root()).arg("run").arg(file);
        command.envs(self.environment.iter().cloned());
        for value in values.split(' ') {
            command.args(["--param", value]);
        }
        command.args(["--target", &self.target, "--json", "--alone", "--hold"]);
        command.args(["--runs", &self.runs.to_string()]);
        command.args(["--time-limit", &self.time_limit.to_string()]);
        command.args(options);
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(words)?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (Some(stdout), Some(mut stderr)) = (stdout, stderr) else {
            return Err("its output cannot be read".to_owned());
        };
        let messages = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let mut stdout = BufReader::new(stdout);
        let mut line = String::new();
        stdout.read_line(&mut line).map_err(words)?;
        let held = Held {
            child,
            stdout,
            messages,
        };
        if line.trim() == "compared" {
            return Ok(held);
        }
        // It ended without.
        match held.finish() {
            Err(why) => Err(why),
            Ok(_) => Err(format!("it said {}", line.trim())),
        }
    }

    /// Runs versions of programs: all are built and compared first, some at a time, and timed one
    /// after the other then, with nothing beside them. Says each as soon as it is there.
    ///
    /// # Errors
    /// A report that lacks what it should have.
    pub fn rows(
        &self,
        wanted: &[(&Case, &Version)],
        mut done: impl FnMut(&Row),
    ) -> Result<Vec<Row>, Failure> {
        let next = AtomicUsize::new(0);
        let begin = || {
            let mut own = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some((case, version)) = wanted.get(at) else {
                    return own;
                };
                let file = root().join("examples").join(case.file);
                let values = case.values(self.size);
                own.push((at, self.start(&file, values, version.options)));
            }
        };
        let mut started: Vec<(usize, Result<Held, String>)> = thread::scope(|scope| {
            let threads: Vec<_> = (0..self.jobs.max(1)).map(|_| scope.spawn(begin)).collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined.flat_map(Result::unwrap_or_default).collect()
        });
        started.sort_by_key(|(at, _)| *at);
        let mut rows = Vec::new();
        for (at, held) in started {
            let (case, version) = wanted[at];
            let outcome = match held.and_then(Held::finish) {
                Ok(report) if is_as_wanted(&report, version) => {
                    Ok(measured(&report, case, case.values(self.size))?)
                }
                Ok(report) => Err(otherwise(&report)),
                Err(why) => Err(why),
            };
            let row = Row {
                program: case.name,
                figure: case.figure,
                version: version.name,
                outcome,
            };
            done(&row);
            rows.push(row);
        }
        Ok(rows)
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
    let held = bench.start(&file, &values, &["--shape", "none"])?;
    let report = held.finish()?;
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

/// What was planned in place of the version that was wanted, and what the compiler warned of.
pub fn otherwise(report: &Value) -> String {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut shapes: Vec<String> = Vec::new();
    for group in list(&report["regions"])
        .iter()
        .flat_map(|r| list(&r["groups"]))
    {
        let shape = group["shape"].as_str().unwrap_or_default().to_owned();
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    let planned = match shapes.is_empty() {
        true => "nothing".to_owned(),
        false => shapes.join(" and "),
    };
    let warnings = list(&report["warnings"]);
    let messages = warnings
        .iter()
        .filter_map(|warning| warning["message"].as_str());
    let messages: Vec<&str> = messages.collect();
    match messages.is_empty() {
        true => format!("planned otherwise: {planned}, without a warning"),
        false => format!(
            "planned otherwise: {planned}, since {}",
            messages.join("; ")
        ),
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
