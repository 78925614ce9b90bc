//! OpenCL without a GPU, for tests: PoCL runs programs on the processor, Oclgrind simulates a
//! device and looks for data races. What is not installed is skipped with a line that says so;
//! where the environment variable `CI` is set, its absence is a failure.

use crate::running::{self, command, directory, finished, is_there, with_opencl_cache};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where Debian has Oclgrind as a driver.
const OCLGRIND: &str = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";

/// Whether there is a device.
pub fn has_opencl() -> bool {
    let (status, _, messages) = finished(command(&["devices"]));
    is_there(status == 0, &format!("a device of OpenCL ({messages})"))
}

/// `tilewright run` of a program on a device, in a quick build and without times; as
/// [`running::run`] for its sizes.
pub fn run(file: &str, sizes: &[&str], options: &[&str]) -> Command {
    let mut command = with_opencl_cache(running::run(file, sizes));
    command.args(["--target", "opencl", "--runs", "0", "--json"]);
    command.args(["--threads", "2", "--cflags", "-O0 -fopenmp"]);
    command.args(options);
    command
}

/// What a run reports, whose result has to be the original's, bit by bit, and a device's; otherwise
/// what is wrong with it.
pub fn report(command: Command) -> Result<Value, String> {
    unless_warned(command, &["left as it was"])
}

/// What is wrong with a run, as [`report`] says.
pub fn difference(command: Command) -> Option<String> {
    report(command).err()
}

/// The same, where the plan has to be the one that was tried first.
pub fn difference_as_planned(command: Command) -> Option<String> {
    unless_warned(command, &["left as it was", "simpler plan"]).err()
}

fn unless_warned(command: Command, warnings: &[&str]) -> Result<Value, String> {
    let shown = format!("{command:?}");
    let (status, out, messages) = finished(command);
    let report: Value = serde_json::from_str(&out).unwrap_or_default();
    let warned = warnings.iter().any(|warning| messages.contains(warning));
    let identical = status == 0 && report["identical"] == true && !warned;
    if identical {
        Ok(report)
    } else {
        Err(format!("{shown}: {out}{messages}"))
    }
}

/// Oclgrind as the only driver of a command.
pub struct Oclgrind {
    directory: PathBuf,
}

impl Oclgrind {
    /// With a directory of this name for what it finds; nothing where it is not installed.
    #[track_caller]
    pub fn new(name: &str) -> Option<Oclgrind> {
        if !is_there(Path::new(OCLGRIND).exists(), OCLGRIND) {
            return None;
        }
        let directory = directory(name);
        let driver = directory.join("oclgrind.icd");
        std::fs::write(driver, format!("{OCLGRIND}\n")).expect("a file in target");
        Some(Oclgrind { directory })
    }

    /// Runs a command's kernels.
    pub fn simulate(&self, command: &mut Command) {
        command.env("OCL_ICD_VENDORS", &self.directory);
    }

    /// Runs a command's kernels and looks for data races.
    pub fn watch(&self, command: &mut Command) {
        self.simulate(command);
        let _ = std::fs::remove_file(self.log());
        // As much local memory as `--max-shared-memory` is by default.
        command
            .env("OCLGRIND_LOCAL_MEM_SIZE", "49152")
            .env("OCLGRIND_DATA_RACES", "1")
            .env("OCLGRIND_LOG", self.log());
    }

    fn log(&self) -> PathBuf {
        self.directory.join("log")
    }

    /// What it found while a command ran.
    pub fn findings(&self) -> String {
        let findings = std::fs::read_to_string(self.log()).expect("Oclgrind wrote its log");
        findings.trim().to_owned()
    }
}
