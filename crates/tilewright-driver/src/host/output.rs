//! Writing files whole or not at all: into a temporary file beside the target, then renamed.

use crate::Result;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tilewright::diagnostic::{Code, Diagnostic};

/// Looks before long work whether a file could be written: its directory exists and can be
/// written, it is no directory, and it is none of `inputs`.
///
/// # Errors
/// `TW0102` with the reason.
pub fn check(path: &Path, inputs: &[&Path]) -> Result<()> {
    let refuse = |reason: String, help: &str| {
        let message = format!("cannot write {}: {reason}", path.display());
        Err(Box::new(
            Diagnostic::error(Code::UnwritableOutput, message).help(help),
        ))
    };
    if path.is_dir() {
        return refuse("it is a directory".to_owned(), "name a file in it");
    }
    if let Ok(target) = path.canonicalize() {
        if inputs
            .iter()
            .any(|input| input.canonicalize().is_ok_and(|input| input == target))
        {
            let help = "give the output a name of its own";
            return refuse("it is an input of this command".to_owned(), help);
        }
    }
    if is_special(path) {
        return Ok(());
    }
    let directory = directory(path);
    match fs::metadata(&directory) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => {
            return refuse(
                format!("{} is no directory", directory.display()),
                "check the path",
            );
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let help = "create the directory first";
            return refuse(
                format!("there is no directory {}", directory.display()),
                help,
            );
        }
        Err(error) => return refuse(words(&error), "check the path"),
    }
    // The only certain way to know is to try.
    match tempfile::Builder::new()
        .prefix(".tilewright-")
        .tempfile_in(&directory)
    {
        Ok(_) => Ok(()),
        Err(error) => refuse(words(&error), "choose a directory that you may write to"),
    }
}

/// Writes a file whole or not at all. An existing file is replaced (through a symbolic link, its
/// target); devices and pipes are written to directly.
///
/// # Errors
/// `TW0102` with the system's reason; the file is then as it was.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    try_write(path, bytes).map_err(|error| {
        let message = format!("cannot write {}: {}", path.display(), words(&error));
        Box::new(Diagnostic::error(Code::UnwritableOutput, message))
    })
}

fn try_write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_special(path) {
        return fs::OpenOptions::new()
            .write(true)
            .open(path)?
            .write_all(bytes);
    }
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tilewright-");
    let permissions = fs::metadata(&path)
        .map(|metadata| metadata.permissions())
        .ok();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(permissions.unwrap_or_else(|| fs::Permissions::from_mode(0o666)));
    }
    let mut file = builder.tempfile_in(directory(&path))?;
    file.write_all(bytes)?;
    file.flush()?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// An empty file beside another one, with a name of its own, that goes when its path is dropped.
///
/// # Errors
/// `TW0102` with the system's reason.
pub fn passing(beside: &Path, suffix: &str) -> Result<tempfile::TempPath> {
    let directory = directory(beside);
    let mut builder = tempfile::Builder::new();
    let made = builder
        .prefix(".tilewright-")
        .suffix(suffix)
        .tempfile_in(&directory);
    let made = made.map_err(|error| {
        let message = format!("cannot write {}: {}", directory.display(), words(&error));
        Box::new(Diagnostic::error(Code::UnwritableOutput, message))
    })?;
    Ok(made.into_temp_path())
}

/// Exists and is neither file nor directory: `/dev/null`, a pipe.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn directory(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The system's words without `(os error 13)`.
pub fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => "unknown error".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_and_replaces() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.txt");
        check(&path, &[]).unwrap();
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(
            fs::read_dir(directory.path()).unwrap().count(),
            1,
            "nothing else is left"
        );
    }

    #[test]
    fn refuses_with_reasons() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.c");
        fs::write(&path, "").unwrap();
        let message = |result: Result<()>| result.unwrap_err().message.clone();
        assert!(message(check(directory.path(), &[])).ends_with("it is a directory"));
        assert!(message(check(&path, &[&path])).ends_with("it is an input of this command"));
        let nowhere = directory.path().join("x/y.c");
        assert!(message(check(&nowhere, &[])).contains("there is no directory"));
        assert!(message(write(&nowhere, b"")).contains("o such file"));
        let below_a_file = path.join("y.c");
        assert!(message(check(&below_a_file, &[])).contains("cannot write"));
    }

    #[test]
    fn writes_to_devices() {
        check(Path::new("/dev/null"), &[]).unwrap();
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
