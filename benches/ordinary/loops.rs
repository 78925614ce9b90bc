//! The loops: `loops.toml` and the files beside it, taken apart into one text for each.

use crate::setting::{Failure, root};
use serde::Deserialize;
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tempfile::TempDir;
use tilewright_driver::measure::experiment::Values;

/// How much there is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Size {
    /// Some 24 iterations.
    Tiny,
    /// In the second cache.
    Small,
    /// In memory, or some tens of milliseconds.
    Large,
}

impl Size {
    pub const ALL: [Size; 3] = [Size::Tiny, Size::Small, Size::Large];
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Size::Tiny => "tiny",
            Size::Small => "small",
            Size::Large => "large",
        })
    }
}

/// A function with one region.
#[derive(Debug)]
pub struct Loop {
    /// Kind, the name of its file.
    pub kind: String,
    pub function: String,
    tiny: String,
    small: String,
    large: String,
    path: PathBuf,
    _folder: Rc<TempDir>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    kind: String,
    function: String,
    tiny: String,
    small: String,
    large: String,
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
    pub fn values(&self, size: Size) -> Values {
        let text = match size {
            Size::Tiny => &self.tiny,
            Size::Small => &self.small,
            Size::Large => &self.large,
        };
        let pairs = text.split(' ').filter_map(|one| one.split_once('='));
        pairs
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }
}

/// All of a folder, in the order of its `loops.toml`; those of the project unless another is named.
pub fn loops(folder: Option<&Path>) -> Result<Vec<Loop>, Failure> {
    let own = root().join("benches/ordinary");
    let folder = folder.unwrap_or(&own);
    let text = fs::read_to_string(folder.join("loops.toml"))?;
    let Entries { entries } = toml::from_str(&text)?;
    let place = Rc::new(tempfile::tempdir()?);
    let mut files = HashMap::new();
    let mut loops = Vec::new();
    for entry in entries {
        let Entry {
            kind,
            function,
            tiny,
            small,
            large,
        } = entry;
        if !files.contains_key(&kind) {
            let text = fs::read_to_string(folder.join(format!("{kind}.c")))?;
            files.insert(kind.clone(), text);
        }
        let alone = alone(&files[&kind], &function);
        let path = place.path().join(format!("{function}.c"));
        fs::write(&path, alone)?;
        loops.push(Loop {
            kind,
            function,
            tiny,
            small,
            large,
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
