//! Tests, each in a process of its own: which mutants they reach, and which they notice.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Above this much memory (bytes) a test has run away.
const MEMORY: u64 = 4 << 30;
/// How much longer than without a mutant a test may run, and how long in any case: the machine may
/// be busy with other work.
const PATIENCE: u32 = 8;
const LEAST: Duration = Duration::from_secs(5);
/// The longest a test without a mutant may run.
const LONGEST: Duration = Duration::from_secs(600);

/// One test.
#[derive(Clone, Debug)]
pub struct Test {
    program: PathBuf,
    folder: PathBuf,
    /// Its name in its program.
    pub name: String,
    /// How long it runs.
    pub time: Duration,
    /// The mutants that it reaches.
    pub reached: BTreeSet<u32>,
}

/// How a run of a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It ran for too long, or took too much memory.
    RanAway,
}

/// The tests of a program.
pub fn list(program: &Path, folder: &Path) -> Vec<Test> {
    let output = Command::new(program)
        .current_dir(folder)
        .args(["--list", "--format", "terse"])
        .env("SOURCE_MUTANT", "0")
        .output();
    let text = output
        .map(|o| String::from_utf8_lossy(&o.stdout).into_owned())
        .unwrap_or_default();
    text.lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .map(|name| Test {
            program: program.to_owned(),
            folder: folder.to_owned(),
            name: name.to_owned(),
            time: LONGEST,
            reached: BTreeSet::new(),
        })
        .collect()
}

impl Test {
    /// Runs it without a mutant, and notes its time and what it reaches. `scratch` is a folder of
    /// its own.
    pub fn record(&mut self, scratch: &Path) -> End {
        let reached = scratch.join("reached.txt");
        let _ = fs::remove_file(&reached);
        let begun = Instant::now();
        let end = self.run(
            "SOURCE_MUTANTS_REACHED",
            &reached.to_string_lossy(),
            scratch,
            LONGEST,
        );
        self.time = begun.elapsed();
        let numbers = fs::read_to_string(&reached).unwrap_or_default();
        self.reached = numbers
            .lines()
            .filter_map(|line| line.parse().ok())
            .collect();
        end
    }

    /// Runs it with a mutant.
    pub fn try_on(&self, mutant: u32, scratch: &Path) -> End {
        let limit = self.time * PATIENCE + LEAST;
        self.run("SOURCE_MUTANT", &mutant.to_string(), scratch, limit)
    }

    fn run(&self, key: &str, value: &str, scratch: &Path, limit: Duration) -> End {
        let temporary = scratch.join("tmp");
        let _ = fs::create_dir_all(&temporary);
        let child = Command::new(&self.program)
            .current_dir(&self.folder)
            .args(["--exact", &self.name])
            .env(key, value)
            .env("TMPDIR", &temporary)
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("INSTA_UPDATE", "no")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        let Ok(mut child) = child else {
            return End::Failed;
        };
        let begun = Instant::now();
        let mut pause = Duration::from_millis(1);
        let end = loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => break End::Passed,
                Ok(Some(_)) | Err(_) => break End::Failed,
                Ok(None) if begun.elapsed() > limit || memory(child.id()) > MEMORY => {
                    break End::RanAway;
                }
                Ok(None) => std::thread::sleep(pause),
            }
            pause = (pause * 3 / 2).min(Duration::from_millis(20));
        };
        // Also what it has started and left behind.
        if let Ok(group) = i32::try_from(child.id()) {
            // SAFETY: the call has no other effect than the signal, and the group is our own.
            unsafe { libc::kill(-group, libc::SIGKILL) };
        }
        let _ = child.wait();
        let _ = fs::remove_dir_all(&temporary);
        end
    }
}

/// The memory in use by a process, in bytes; none when that cannot be read.
fn memory(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages = text
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<u64>().ok())
        .unwrap_or(0);
    pages * 4096
}
