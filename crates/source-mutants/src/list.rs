//! Which mutants there are: what `cargo mutants --list --json` says.

use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

/// A place in a file: lines and columns (in characters) from 1, as cargo-mutants counts.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// What is replaced.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Span {
    /// Where it begins.
    pub start: Place,
}

#[derive(Deserialize)]
struct Function {
    function_name: String,
}

#[derive(Deserialize)]
struct Listed {
    file: String,
    function: Option<Function>,
    genre: String,
    name: String,
    replacement: String,
    span: Span,
}

/// One mutant of the source.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The file, from the workspace's root.
    pub file: String,
    /// What kind of change, in cargo-mutants' words (`FnValue`, `BinaryOperator`, …).
    pub genre: String,
    /// The text that stands in place of the span.
    pub replacement: String,
    /// What is replaced.
    pub span: Span,
    /// `FILE:LINE:COLUMN: what is changed`.
    pub name: String,
    /// A name that outlives changes elsewhere in the file: file, function, change, and the how
    /// many-th of these it is.
    pub key: String,
}

/// The mutants of a package's sources in `tree` whose file matches one of the patterns (all, when
/// there is none), in the order of files and places.
///
/// # Errors
/// When cargo-mutants is not installed or says something unexpected.
pub fn mutants(tree: &Path, package: &str, files: &[String]) -> Result<Vec<Mutant>, String> {
    let mut command = Command::new("cargo");
    command
        .current_dir(tree)
        .args(["mutants", "--list", "--json", "--package", package]);
    for file in files {
        command.args(["--file", file]);
    }
    let output = command
        .output()
        .map_err(|e| format!("cargo mutants: {e}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "cargo mutants (cargo install cargo-mutants --locked): {said}"
        ));
    }
    let listed: Vec<Listed> = serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("the list of cargo mutants: {e}"))?;
    let mut counts: HashMap<String, usize> = HashMap::new();
    Ok(listed
        .into_iter()
        .map(|one| {
            let function = one.function.map_or(String::new(), |f| f.function_name);
            let change = one.name.split_once(": ").map_or("", |(_, change)| change);
            let key = format!("{} {function}: {change}", one.file);
            let count = counts.entry(key.clone()).or_default();
            *count += 1;
            Mutant {
                key: format!("{key} #{count}"),
                file: one.file,
                genre: one.genre,
                replacement: one.replacement,
                span: one.span,
                name: one.name,
            }
        })
        .collect())
}
