//! The loops: `loops.toml` and the files beside it, taken apart into one text for each.

use crate::setting::{Failure, root};
use serde::Deserialize;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tempfile::TempDir;
use tilewright_driver::measure::experiment::Values;

/// A function with one region.
#[derive(Debug)]
pub struct Loop {
    /// Kind, the name of its file.
    pub kind: String,
    pub function: String,
    /// Values of its scalars by the name of a size, in the order of the file.
    pub sizes: Vec<(String, String)>,
    path: PathBuf,
    _folder: Rc<TempDir>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    kind: String,
    function: String,
    /// A text of its own, from the folder, in place of a part of the kind's.
    file: Option<PathBuf>,
    tiny: Option<String>,
    small: Option<String>,
    medium: Option<String>,
    large: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    #[serde(rename = "loop")]
    entries: Vec<Entry>,
}

impl Loop {
    /// Where its text is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Values of its scalars for a size.
    pub fn values(&self, size: &str) -> Values {
        let text = self.sizes.iter().find(|(name, _)| name == size);
        let text = text.map_or("", |(_, text)| text);
        let pairs = text.split(' ').filter_map(|one| one.split_once('='));
        pairs
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }
}

/// All of a folder, in the order of its `loops.toml`; those of the project unless another is named, from
/// the root of the project.
pub fn loops(folder: Option<&Path>) -> Result<Vec<Loop>, Failure> {
    let folder = folder.unwrap_or(Path::new("benches/ordinary"));
    let folder = root().join(folder);
    let text = fs::read_to_string(folder.join("loops.toml"))?;
    let Entries { entries } = toml::from_str(&text)?;
    let place = Rc::new(tempfile::tempdir()?);
    let mut files = HashMap::new();
    let mut loops = Vec::new();
    for entry in entries {
        let Entry { kind, function, .. } = entry;
        let sizes = [
            ("tiny", entry.tiny),
            ("small", entry.small),
            ("medium", entry.medium),
            ("large", entry.large),
        ];
        let given = sizes.into_iter();
        let sizes = given.filter_map(|(name, text)| Some((name.to_owned(), text?)));
        let path = if let Some(file) = &entry.file {
            folder.join(file)
        } else {
            if !files.contains_key(&kind) {
                let text = fs::read_to_string(folder.join(format!("{kind}.c")))?;
                files.insert(kind.clone(), text);
            }
            let path = place.path().join(format!("{function}.c"));
            fs::write(&path, alone(&files[&kind], &function))?;
            path
        };
        loops.push(Loop {
            kind,
            function,
            sizes: sizes.collect(),
            path,
            _folder: Rc::clone(&place),
        });
    }
    Ok(loops)
}

/// A function of a file, with the one that fills its arrays and all that is no such function.
fn alone(text: &str, function: &str) -> String {
    let own = [
        format!("void {function}("),
        format!("void {function}_init("),
    ];
    let mut kept = String::new();
    let mut dropped = false;
    for line in text.lines() {
        if line.starts_with("void ") {
            dropped = !own.iter().any(|start| line.starts_with(start));
        }
        if !dropped {
            kept += line;
            kept.push('\n');
        }
        // A function ends where a brace closes at the margin.
        dropped &= line != "}";
    }
    kept
}
