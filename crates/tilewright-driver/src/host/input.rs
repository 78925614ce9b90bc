//! Reading files that a command was given. Whatever is named, reading comes to an end: a pipe that
//! nobody writes to is given up, and what never ends is read up to a limit.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How long whoever writes to a pipe may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes that are read of what is no file, and of which nobody knows how many there are.
const MOST: u64 = 64 << 20;

/// The bytes of a file. Of a pipe (as a shell's `<(…)` is one), a device or a socket, what comes
/// within [`PATIENCE`].
///
/// # Errors
/// The system's, a directory's, and where a pipe does not come to an end.
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() {
        return fs::read(path);
    }
    if metadata.is_dir() {
        return Err(io::Error::other("it is a directory"));
    }
    let (sender, receiver) = mpsc::channel();
    let pipe: PathBuf = path.to_owned();
    // Opening a pipe waits for whoever writes to it; the thread is left behind where nobody does.
    thread::Builder::new().spawn(move || {
        let _ = sender.send(up_to_most(&pipe));
    })?;
    match receiver.recv_timeout(PATIENCE) {
        Ok(read) => read,
        Err(RecvTimeoutError::Timeout) => {
            let seconds = PATIENCE.as_secs();
            let message = format!("it is no file, and nothing came to an end in {seconds} s");
            Err(io::Error::other(message))
        }
        Err(RecvTimeoutError::Disconnected) => Err(io::Error::other("it cannot be read")),
    }
}

fn up_to_most(path: &Path) -> io::Result<Vec<u8>> {
    let mut read = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut read)?;
    if read.len() as u64 > MOST {
        Err(io::Error::other(format!(
            "it is no file, and holds more than {} MiB",
            MOST >> 20
        )))
    } else {
        Ok(read)
    }
}

/// The text of a file, as [`bytes`] reads it.
///
/// # Errors
/// As [`bytes`], and where the bytes are not UTF-8.
pub fn text(path: &Path) -> io::Result<String> {
    String::from_utf8(bytes(path)?).map_err(|_| io::Error::other("it is not UTF-8"))
}

/// Why what has this name cannot be read more than once, as a file can; `None` where it can, or
/// where there is nothing.
pub fn unfit(path: &Path) -> Option<&'static str> {
    let metadata = fs::metadata(path).ok()?;
    match (metadata.is_file(), metadata.is_dir()) {
        (true, _) => None,
        (_, true) => Some("it is a directory"),
        _ => Some("it is a pipe or a device, and is read more than once"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_ends() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.txt");
        fs::write(&path, "text").unwrap();
        assert_eq!(text(&path).unwrap(), "text");
        assert_eq!(unfit(&path), None);
        assert_eq!(bytes(Path::new("/dev/null")).unwrap(), b"");
        let said = |path: &Path| bytes(path).unwrap_err().to_string();
        assert_eq!(said(directory.path()), "it is a directory");
        assert_eq!(unfit(directory.path()), Some("it is a directory"));
        assert_eq!(
            said(Path::new("/dev/zero")),
            "it is no file, and holds more than 64 MiB"
        );
        fs::write(&path, [0xff]).unwrap();
        assert_eq!(text(&path).unwrap_err().to_string(), "it is not UTF-8");
    }
}
