//! How the files of a build are compiled, as CMake, Meson and Bear write it down: `compile_commands.json`.

use crate::Result;
use crate::host::toolchain::split;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tilewright::diagnostic::{Code, Diagnostic};

/// The name of the list.
pub const NAME: &str = "compile_commands.json";

/// How one file is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where the compiler is called.
    pub directory: PathBuf,
    /// The file, as the list names it.
    pub file: PathBuf,
    /// The compiler, and what it is given.
    pub words: Vec<OsString>,
}

#[derive(Deserialize)]
struct Written {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The C files of a list, each once; of a directory, of the list in it.
///
/// # Errors
/// `TW0101` where there is no list that can be read.
pub fn read(path: &Path) -> Result<Vec<Entry>> {
    let list = match path.is_dir() {
        true => path.join(NAME),
        false => path.to_owned(),
    };
    let refuse = |reason: String| {
        let message = format!("cannot use {}: {reason}", list.display());
        let help = "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always, and `bear -- make` for others";
        Box::new(Diagnostic::error(Code::MissingFile, message).help(help))
    };
    let text = std::fs::read_to_string(&list).map_err(|error| refuse(error.to_string()))?;
    let written: Vec<Written> =
        serde_json::from_str(&text).map_err(|error| refuse(error.to_string()))?;
    let mut entries: Vec<Entry> = Vec::new();
    for one in written {
        let known = |other: &Entry| other.file == one.file && other.directory == one.directory;
        if one.file.extension().is_none_or(|kind| kind != "c") || entries.iter().any(known) {
            continue;
        }
        let words = match (one.arguments, one.command) {
            (Some(words), _) => words,
            (None, Some(command)) => split(&command),
            (None, None) => continue,
        };
        entries.push(Entry {
            directory: one.directory,
            file: one.file,
            words: words.into_iter().map(OsString::from).collect(),
        });
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::read;
    use std::fs;

    #[test]
    fn lists_say_how_files_are_compiled() {
        let folder = tempfile::tempdir().unwrap();
        let text = r#"[
            {"directory": "/b", "file": "/s/a.c", "command": "gcc -DX='1 2' -c /s/a.c"},
            {"directory": "/b", "file": "/s/a.c", "command": "gcc -fPIC -c /s/a.c"},
            {"directory": "/b", "file": "c.cpp", "arguments": ["g++", "-c", "c.cpp"]},
            {"directory": "/c", "file": "b.c", "arguments": ["cc", "-O2", "b.c"], "output": "b.o"}
        ]"#;
        fs::write(folder.path().join(super::NAME), text).unwrap();
        let entries = read(folder.path()).unwrap();
        let words: Vec<String> = entries
            .iter()
            .map(|one| format!("{:?}", one.words))
            .collect();
        assert_eq!(
            words,
            [
                r#"["gcc", "-DX=1 2", "-c", "/s/a.c"]"#,
                r#"["cc", "-O2", "b.c"]"#
            ]
        );
        fs::write(folder.path().join("wrong"), "{").unwrap();
        let said = read(&folder.path().join("wrong")).unwrap_err().message;
        assert!(
            said.contains("cannot use") && said.contains("line 1"),
            "{said}"
        );
        assert!(read(&folder.path().join("none")).is_err());
    }
}
