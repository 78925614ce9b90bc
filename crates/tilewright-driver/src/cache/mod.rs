//! What was built is kept on disk, by what it was built from.
//!
//! An entry is one file, `<key>.<checksum>.<kind>`, both in hexadecimal digits: [`Key`] digests
//! what the contents depend on, the checksum the contents themselves. It is written under another
//! name and renamed when it is complete, so that any number of processes may work with a cache at
//! the same time: two of them that miss the same entry both make it, and either's is as good. A
//! file that does not have the checksum in its name is not used but made anew.
//!
//! The date of a file says when it was last used; those that were not used for longest go when the
//! files together are larger than the limit.
//!
//! ```no_run
//! use tilewright_driver::cache::{Cache, Parts};
//! # fn generate() -> Result<String, String> { Ok(String::new()) }
//! # fn main() -> Result<(), String> {
//! # let (input, options) = ("", tilewright::compile::Options::default());
//! let parts = Parts::new("kernel").with("input", input);
//! let key = parts.compiled_with(&options, None).key();
//! let text = Cache::open().text(&key, || generate())?;
//! # Ok(())
//! # }
//! ```
//!
//! Where the directory cannot be used, entries go to a directory of this process, and
//! [`Cache::warning`] says so: nothing fails because of the cache.

mod kernel;
mod key;
#[cfg(test)]
mod tests;

pub use kernel::Kernel;
pub use key::{Key, Parts};

use crate::Result;
use crate::host::machine::bytes;
use crate::host::output::words;
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use tilewright::diagnostic::{Code, Diagnostic};

/// The environment variable that names the cache's directory, or [`NO_CACHE`].
pub const VARIABLE: &str = "TILEWRIGHT_CACHE";

/// What says in place of a directory that nothing is to be kept.
pub const NO_CACHE: &str = "none";

/// The environment variable that limits the size of all entries: `200M`.
pub const LIMIT_VARIABLE: &str = "TILEWRIGHT_CACHE_LIMIT";

/// The size of all entries unless [`LIMIT_VARIABLE`] says otherwise: thousands of kernels.
pub const DEFAULT_LIMIT: u64 = 512 << 20;

/// Names of files that are being written begin like this.
const UNFINISHED: &str = ".tilewright-";

/// Unfinished files that nobody has written to for so long were left by a process that was killed.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Kinds of entries, as their files are called.
const LIBRARY: &str = "so";
const TEXT: &str = "txt";

/// A directory of entries.
#[derive(Debug)]
pub struct Cache {
    /// `None`: nothing is kept.
    directory: Option<PathBuf>,
    limit: u64,
    /// Where entries go that cannot be kept.
    scratch: OnceLock<TempDir>,
    warning: Mutex<Option<String>>,
}

/// What is in a cache.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Contents {
    /// Where it is; `None` where nothing is kept.
    pub directory: Option<PathBuf>,
    /// How many entries.
    pub entries: usize,
    /// Of these, built libraries.
    pub libraries: usize,
    /// Bytes of all entries.
    pub bytes: u64,
    /// Bytes that they may have.
    pub limit: u64,
}

/// A file of the cache.
struct Entry {
    path: PathBuf,
    key: String,
    checksum: String,
    kind: String,
    bytes: u64,
    used: SystemTime,
}

impl Cache {
    /// The user's: in `$TILEWRIGHT_CACHE`, else in `tilewright` in `$XDG_CACHE_HOME` or `~/.cache`;
    /// its limit from `$TILEWRIGHT_CACHE_LIMIT`, else [`DEFAULT_LIMIT`].
    pub fn open() -> Cache {
        let named = env::var_os(VARIABLE).filter(|name| !name.is_empty());
        let directory = place(named, env::var_os("XDG_CACHE_HOME"), env::var_os("HOME"));
        let said = env::var(LIMIT_VARIABLE)
            .ok()
            .filter(|text| !text.is_empty());
        let limit = said.as_deref().map(|text| {
            let size = bytes(text).and_then(|size| u64::try_from(size).ok());
            size.ok_or_else(|| {
                format!("{LIMIT_VARIABLE} is no size: write `200M` in place of `{text}`")
            })
        });
        let (limit, warning) = match limit {
            None => (DEFAULT_LIMIT, None),
            Some(Ok(limit)) => (limit, None),
            Some(Err(words)) => (DEFAULT_LIMIT, Some(words)),
        };
        Cache {
            warning: Mutex::new(warning),
            ..Cache::in_directory(directory, limit)
        }
    }

    /// In a directory, which need not exist yet, with a limit in bytes. Without a directory nothing
    /// is kept.
    pub fn in_directory(directory: Option<PathBuf>, limit: u64) -> Cache {
        Cache {
            directory,
            limit,
            scratch: OnceLock::new(),
            warning: Mutex::new(None),
        }
    }

    /// What the user should know, in one sentence: why entries are not kept. Told once.
    pub fn warning(&self) -> Option<String> {
        self.told().take()
    }

    /// The file of a built library; `build` writes it where there is none yet.
    ///
    /// It is there until somebody else's entries need the room, and, where nothing is kept, until
    /// the cache is dropped: [`Cache::kernel`] loads it at once.
    ///
    /// # Errors
    /// `build`'s. `TW0102` where not even a temporary file can be written.
    pub fn library(&self, key: &Key, build: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
        match self.find(key, LIBRARY) {
            Some((path, _)) => Ok(path),
            None => self.make(key, LIBRARY, build),
        }
    }

    /// The function of a built library, loaded; `build` writes the library where there is none yet.
    ///
    /// # Safety
    /// As for [`Kernel::load`]: what `build` builds may be run, and `function` has the type of
    /// kernels.
    ///
    /// # Errors
    /// `build`'s, and those of [`Kernel::load`].
    pub unsafe fn kernel(
        &self,
        key: &Key,
        function: &str,
        build: impl Fn(&Path) -> Result<()>,
    ) -> Result<Kernel> {
        // SAFETY: the caller's promise; the file is as it was built.
        self.loaded(key, build, |path| unsafe { Kernel::load(path, function) })
    }

    /// What `load` makes of a built library; `build` writes the library where there is none yet.
    ///
    /// # Errors
    /// `build`'s, and `load`'s.
    pub fn loaded<T>(
        &self,
        key: &Key,
        build: impl Fn(&Path) -> Result<()>,
        load: impl Fn(&Path) -> Result<T>,
    ) -> Result<T> {
        let path = self.library(key, &build)?;
        match load(&path) {
            // Another process needed the room in between.
            Err(_) if !path.exists() => load(&self.library(key, &build)?),
            loaded => loaded,
        }
    }

    /// A text; `make` gives it where there is none yet.
    ///
    /// # Errors
    /// `make`'s.
    pub fn text<E>(
        &self,
        key: &Key,
        make: impl FnOnce() -> std::result::Result<String, E>,
    ) -> std::result::Result<String, E> {
        let found = self.find(key, TEXT);
        if let Some(text) = found.and_then(|(_, bytes)| String::from_utf8(bytes).ok()) {
            return Ok(text);
        }
        let text = make()?;
        // The text is there; that it cannot be kept has been noted.
        let _ = self.make(key, TEXT, |path| {
            fs::write(path, &text).map_err(|error| unwritable(path, &error))
        });
        Ok(text)
    }

    /// What there is.
    pub fn contents(&self) -> Contents {
        let entries = self.directory.as_deref().map(entries).unwrap_or_default();
        Contents {
            directory: self.directory.clone(),
            entries: entries.len(),
            libraries: entries.iter().filter(|e| e.kind == LIBRARY).count(),
            bytes: entries.iter().map(|entry| entry.bytes).sum(),
            limit: self.limit,
        }
    }

    /// Removes all entries, and nothing else that may be in the directory.
    ///
    /// # Errors
    /// `TW0102` where one cannot be removed.
    pub fn clear(&self) -> Result<Contents> {
        let before = self.contents();
        let Some(directory) = &self.directory else {
            return Ok(before);
        };
        let unfinished = unfinished(directory).into_iter().map(|(path, _)| path);
        let all = entries(directory).into_iter().map(|entry| entry.path);
        for path in all.chain(unfinished) {
            match fs::remove_file(&path) {
                // Another process was faster.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let message = format!("cannot remove {}: {}", path.display(), words(&error));
                    return Err(Box::new(Diagnostic::error(Code::UnwritableOutput, message)));
                }
                Ok(()) => {}
            }
        }
        Ok(before)
    }

    /// Where entries are looked for.
    fn places(&self) -> impl Iterator<Item = &Path> {
        let scratch = self.scratch.get().map(TempDir::path);
        self.directory.as_deref().into_iter().chain(scratch)
    }

    /// An entry and its contents, if there is one and it is whole.
    fn find(&self, key: &Key, kind: &str) -> Option<(PathBuf, Vec<u8>)> {
        for place in self.places() {
            let all = entries(place).into_iter();
            for entry in all.filter(|e| e.key == key.as_str() && e.kind == kind) {
                let Ok(bytes) = fs::read(&entry.path) else {
                    continue;
                };
                if key::checksum(&bytes) != entry.checksum {
                    tracing::warn!(path = %entry.path.display(), "a damaged entry is made anew");
                    let _ = fs::remove_file(&entry.path);
                    continue;
                }
                // Where the date cannot be changed, the entry only goes sooner.
                let _ = File::options()
                    .append(true)
                    .open(&entry.path)
                    .and_then(|file| file.set_modified(SystemTime::now()));
                return Some((entry.path, bytes));
            }
        }
        None
    }

    /// Makes an entry in the cache or, where that is not possible, in the scratch directory.
    fn make(
        &self,
        key: &Key,
        kind: &str,
        build: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<PathBuf> {
        let prepared = self.directory.as_deref().and_then(|directory| {
            let prepared = prepare(directory);
            prepared.map_err(|error| self.note(directory, &error)).ok()
        });
        let file = match prepared {
            Some(file) => file,
            None => unfinished_file(self.scratch()?)
                .map_err(|error| unwritable(&env::temp_dir(), &error))?,
        };
        build(&file)?;
        let bytes = fs::read(&file).map_err(|error| unwritable(&file, &error))?;
        let name = format!("{}.{}.{kind}", key.as_str(), key::checksum(&bytes));
        let directory = file.parent().unwrap_or(Path::new(".")).to_owned();
        let path = directory.join(&name);
        match file.persist(&path) {
            Ok(()) => {}
            Err(failed) => {
                // What is built is worth having even if the directory has become unusable.
                self.note(&directory, &failed.error);
                let path = self.scratch()?.join(&name);
                fs::write(&path, &bytes).map_err(|error| unwritable(&path, &error))?;
                return Ok(path);
            }
        }
        if self.directory.as_deref() == Some(&*directory) {
            self.make_room(&directory, &path);
        }
        Ok(path)
    }

    /// Removes what was not used for longest until the rest is within the limit; `newest` stays.
    fn make_room(&self, directory: &Path, newest: &Path) {
        let now = SystemTime::now();
        for (path, written) in unfinished(directory) {
            if now.duration_since(written).is_ok_and(|age| age > ABANDONED) {
                let _ = fs::remove_file(path);
            }
        }
        let mut entries = entries(directory);
        entries.sort_by_key(|entry| entry.used);
        let mut total: u64 = entries.iter().map(|entry| entry.bytes).sum();
        for entry in entries.iter().filter(|entry| entry.path != newest) {
            if total <= self.limit {
                break;
            }
            // Who else removes it at the same time makes the same room.
            let _ = fs::remove_file(&entry.path);
            total -= entry.bytes;
        }
    }

    /// The directory of this process, for what cannot be kept.
    fn scratch(&self) -> Result<&Path> {
        if let Some(scratch) = self.scratch.get() {
            return Ok(scratch.path());
        }
        let made = tempfile::Builder::new().prefix("tilewright-").tempdir();
        let made = made.map_err(|error| unwritable(&env::temp_dir(), &error))?;
        // Where another thread was faster, this one's directory goes.
        Ok(self.scratch.get_or_init(|| made).path())
    }

    fn note(&self, directory: &Path, error: &io::Error) {
        let words = format!(
            "nothing is kept for later calls: the cache {} cannot be used ({}); name another \
             directory in {VARIABLE}",
            directory.display(),
            words(error)
        );
        tracing::warn!("{words}");
        *self.told() = Some(words);
    }

    fn told(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.warning.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `$TILEWRIGHT_CACHE`, else the platform's place; paths that are not absolute are as none, as the
/// XDG base directory specification has it.
fn place(
    named: Option<OsString>,
    caches: Option<OsString>,
    home: Option<OsString>,
) -> Option<PathBuf> {
    match named {
        Some(named) if named == NO_CACHE => return None,
        Some(named) => return Some(PathBuf::from(named)),
        None => {}
    }
    let absolute = |path: OsString| Some(PathBuf::from(path)).filter(|path| path.is_absolute());
    let below = if cfg!(target_os = "macos") {
        "Library/Caches"
    } else {
        ".cache"
    };
    let home = || Some(absolute(home?)?.join(below));
    let caches = caches.and_then(absolute).or_else(home)?;
    Some(caches.join("tilewright"))
}

/// A file to be written, in a directory that is there afterwards. Libraries from it are run, so it
/// is its owner's alone.
fn prepare(directory: &Path) -> io::Result<Unfinished> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(directory)?;
    unfinished_file(directory)
}

/// A file's name that goes away unless it is kept.
type Unfinished = tempfile::TempPath;

fn unfinished_file(directory: &Path) -> io::Result<Unfinished> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    Ok(builder.tempfile_in(directory)?.into_temp_path())
}

/// The entries in a directory; what cannot be read is not there.
fn entries(directory: &Path) -> Vec<Entry> {
    files(directory, |name, path, data| {
        let mut parts = name.split('.');
        let (key, checksum, kind) = (parts.next()?, parts.next()?, parts.next()?);
        let digits = |text: &str| text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let ours = digits(key) && digits(checksum) && [LIBRARY, TEXT].contains(&kind);
        (ours && parts.next().is_none()).then(|| Entry {
            key: key.to_owned(),
            checksum: checksum.to_owned(),
            kind: kind.to_owned(),
            bytes: data.len(),
            used: data.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            path,
        })
    })
}

/// Files that are being written, or were, and when last.
fn unfinished(directory: &Path) -> Vec<(PathBuf, SystemTime)> {
    files(directory, |name, path, data| {
        let ours = name.starts_with(UNFINISHED);
        ours.then(|| (path, data.modified().unwrap_or_else(|_| SystemTime::now())))
    })
}

fn files<T>(directory: &Path, read: impl Fn(&str, PathBuf, &fs::Metadata) -> Option<T>) -> Vec<T> {
    let Ok(listed) = fs::read_dir(directory) else {
        return Vec::new();
    };
    let one = |entry: fs::DirEntry| {
        let data = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        read(entry.file_name().to_str()?, entry.path(), &data)
    };
    listed.flatten().filter_map(one).collect()
}

fn unwritable(path: &Path, error: &io::Error) -> Box<Diagnostic> {
    let message = format!("cannot write {}: {}", path.display(), words(error));
    Box::new(Diagnostic::error(Code::UnwritableOutput, message))
}
