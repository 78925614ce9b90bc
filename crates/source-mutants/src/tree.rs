//! The copy of the workspace that has the mutants in it, and its builds.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of a workspace.
pub struct Tree {
    /// The copy.
    pub root: PathBuf,
    target: PathBuf,
}

/// What a build said.
#[derive(Default)]
pub struct Built {
    /// Where the errors are: file from the workspace's root, bytes, message.
    pub errors: Vec<(String, Range<usize>, String)>,
    /// Test programs: the file, and the folder they are to run in.
    pub programs: Vec<(PathBuf, PathBuf)>,
}

impl Tree {
    /// Copies what git tracks of `from`, and what it does not ignore, to a folder in `work`. Files
    /// that `woven` says are written by [`Tree::write`] are left as they are.
    ///
    /// # Errors
    /// When git or the file system does not do what it is to do.
    pub fn copy(from: &Path, work: &Path, woven: &BTreeSet<String>) -> Result<Tree, String> {
        let tree = Tree {
            root: work.join("tree"),
            target: work.join("target"),
        };
        let output = Command::new("git")
            .current_dir(from)
            .args([
                "ls-files",
                "--cached",
                "--others",
                "--exclude-standard",
                "-z",
            ])
            .output()
            .map_err(|e| format!("git ls-files: {e}"))?;
        let names = String::from_utf8_lossy(&output.stdout).into_owned();
        let names: BTreeSet<&str> = names.split('\0').filter(|name| !name.is_empty()).collect();
        let list = work.join("files.txt");
        for old in fs::read_to_string(&list).unwrap_or_default().lines() {
            if !names.contains(old) {
                let _ = fs::remove_file(tree.root.join(old));
            }
        }
        for name in &names {
            let path = from.join(name);
            if !woven.contains(*name) && path.is_file() {
                let content = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
                tree.write(name, &content)?;
                let mode = fs::metadata(&path).map(|meta| meta.permissions());
                let _ = mode.and_then(|mode| fs::set_permissions(tree.root.join(name), mode));
            }
        }
        let names: Vec<&str> = names.into_iter().collect();
        fs::write(&list, names.join("\n")).map_err(|e| format!("{}: {e}", list.display()))?;
        Ok(tree)
    }

    /// Writes a file of the copy, unless it is so already: what is unchanged is not built again.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), String> {
        let path = self.root.join(name);
        if fs::read(&path).is_ok_and(|old| old == content) {
            return Ok(());
        }
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, content))
            .map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Runs cargo in the copy, with lints silent: mutants compare with what they always are.
    ///
    /// # Errors
    /// When cargo says something that is no JSON, or fails with errors in no file.
    pub fn cargo(&self, arguments: &[&str]) -> Result<Built, String> {
        let output = Command::new("cargo")
            .current_dir(&self.root)
            .args(arguments)
            .arg("--message-format=json")
            .env("CARGO_TARGET_DIR", &self.target)
            .env("RUSTFLAGS", "--cap-lints allow")
            .output()
            .map_err(|e| format!("cargo: {e}"))?;
        let mut built = Built::default();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            match message["reason"].as_str() {
                Some("compiler-message") => built.errors.extend(errors(&message["message"])),
                Some("compiler-artifact") => {
                    let manifest = message["manifest_path"].as_str().unwrap_or_default();
                    let folder = Path::new(manifest)
                        .parent()
                        .unwrap_or(&self.root)
                        .to_owned();
                    let is_test = message["profile"]["test"].as_bool() == Some(true);
                    if let (true, Some(program)) = (is_test, message["executable"].as_str()) {
                        built.programs.push((PathBuf::from(program), folder));
                    }
                }
                _ => {}
            }
        }
        if !output.status.success() && built.errors.is_empty() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(built)
    }
}

/// The places of an error; none of a warning.
fn errors(message: &Value) -> Vec<(String, Range<usize>, String)> {
    if message["level"].as_str() != Some("error") {
        return Vec::new();
    }
    let text = message["rendered"].as_str().unwrap_or_default();
    let spans = message["spans"].as_array().map_or(&[][..], Vec::as_slice);
    let places = spans
        .iter()
        .filter(|span| span["is_primary"].as_bool() == Some(true));
    places
        .filter_map(|span| {
            // Of an error in a macro of elsewhere: where the macro is called.
            let mut span = span;
            while span["expansion"]["span"].is_object() {
                span = &span["expansion"]["span"];
            }
            let byte = |key: &str| span[key].as_u64().and_then(|at| usize::try_from(at).ok());
            let file = span["file_name"].as_str()?.to_owned();
            Some((
                file,
                byte("byte_start")?..byte("byte_end")?,
                text.to_owned(),
            ))
        })
        .collect()
}
