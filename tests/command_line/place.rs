//! A directory with a program, and commands that run there.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

pub const SCALE: &str = "\
#include <math.h>
void scale(int n, double gain, double out[restrict n], const double in[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = gain * in[i] + 1;
#pragma endscop
}
";

/// A directory with a file `scale.c`.
pub struct Place(pub TempDir);

impl Place {
    pub fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.write("scale.c", SCALE);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// `scale.c` with `more` behind its region.
    pub fn write_behind_region(&self, name: &str, more: &str) {
        self.write(
            name,
            &SCALE.replace("#pragma endscop", &format!("#pragma endscop\n{more}")),
        );
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Names of everything in the directory.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub fn run(&self, line: &str) -> Ended {
        Ended::new(self.command(line))
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
        command
            .args(line.split_whitespace())
            .current_dir(self.0.path());
        command.env_remove("CC").env_remove("NO_COLOR");
        command.env("TILEWRIGHT_MACHINE", "none");
        command
    }
}

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    pub fn new(mut command: Command) -> Ended {
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().unwrap();
        Ended {
            status: status.code().expect("not ended by a signal"),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }

    #[track_caller]
    pub fn status(self, status: i32) -> Ended {
        assert_eq!(self.status, status, "{self:#?}");
        self
    }

    #[track_caller]
    pub fn says(self, words: &str) -> Ended {
        assert!(
            self.stderr.contains(words),
            "no `{words}` in:\n{}",
            self.stderr
        );
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).expect("one JSON object")
    }
}
