//! Cases of tests as text: C files that say in comments what is to be seen of them.
//!
//! A comment that begins in the first column with words in small letters and a colon is an
//! *expectation*; what is known as such is listed at [`Expected`]. One that stands behind a marked
//! region is about that region; one behind a line `// compile: OPTIONS` about the file as it is
//! compiled with these options. Text in several lines stands in lines of their own, three spaces
//! further inside:
//!
//! ```c
//! void f(int n, float a[restrict n]) {
//! #pragma scop
//!   for (int i = 0; i < n; i++) { if (a[i] > 0) goto end; }
//! #pragma endscop
//! end:;
//! }
//! // refused: TW0201 at 3:47 `goto` inside the region
//! // messages lack: unsupported
//! ```
//!
//! Many small cases share a frame: where a file holds the word `CASE`, it is no program by itself, and
//! a line `// case: TEXT` begins a case, with that text in place of the word:
//!
//! ```c
//! void f(int n, float a[restrict n], float b[restrict n]) {
//! #pragma scop
//!   for (int i = 0; i < n; i++) { CASE }
//! #pragma endscop
//! }
//! // case: a[i]--;
//! // model lines:
//! //   a[i] = a[i] - 1
//!
//! // case: a[i] = b[i] = 2;
//! // model lines:
//! //   b[i] = 2
//! //   a[i] = b[i]
//! ```
//!
//! This crate reads such files, compares, and rewrites; who uses it does what is asked for
//! ([`run`]). It knows nothing of the compiler.
//!
//! With `TILEWRIGHT_BLESS` set, expectations of whole texts, and places of messages, are rewritten
//! from what is seen, and cases without expectations get some. Words that are to be part of a text
//! are the point of a case, and stay. With `TILEWRIGHT_CASES`, only files are looked at whose path
//! holds that.
//!
//! Beside that, [`share`] says which of many cases are run each time.

mod bless;
mod compare;
mod read;
mod share;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

pub use compare::Wrong;
pub use read::{Check, Expected};
pub use share::{all, amount, share};

/// A file.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where it is.
    pub path: PathBuf,
    /// All of it.
    pub text: String,
    /// What is to be done, in the order of the file; one at least.
    pub parts: Vec<Part>,
}

/// Something that is done with a file, and what is expected of it.
#[derive(Clone, Debug)]
pub struct Part {
    /// What is done.
    pub of: Of,
    /// With which program: the file, or, where that is a frame, the frame with a case in it; empty
    /// lines are in place of those that are remarks.
    pub program: String,
    /// What is expected, in the order of the file.
    pub checks: Vec<Check>,
    /// The line in front of which further expectations would stand, from 0.
    pub end: usize,
}

/// What is done with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    /// Something with the region of this number, from 0.
    Region(usize),
    /// The file is compiled with these options.
    Compile(Vec<String>),
}

/// What was seen of a part.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// It was refused; the messages say why.
    pub refused: bool,
    /// The file is as it was.
    pub left: bool,
    /// What was said, in order.
    pub messages: Vec<Message>,
    /// What came out, by the words that expectations have for it (`model`, `code`); empty where it
    /// was refused. The first is what a case without expectations gets.
    pub texts: BTreeMap<&'static str, String>,
    /// What was executed computes the same; or what is in the way of saying so. Nothing where that
    /// is not looked at.
    pub identical: Option<Result<(), String>>,
}

/// A message.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its code, as `TW0201`; empty where it has none.
    pub code: String,
    /// Line and column, from 1.
    pub place: Option<(usize, usize)>,
    /// All of it, as it is shown.
    pub text: String,
}

/// Does what the files of a folder and of those inside ask for, as many at a time as there are
/// processors; `look` says what is seen of each part of a file.
///
/// # Panics
/// Where something is not as it is expected, with all that is not; where there are no files.
pub fn run(folder: &Path, look: impl Fn(&Case) -> Vec<Seen> + Sync) {
    let bless = std::env::var_os("TILEWRIGHT_BLESS").is_some();
    let wanted = std::env::var("TILEWRIGHT_CASES").unwrap_or_default();
    run_those(folder, &wanted, bless, look);
}

/// The same for files whose path holds some words, with what the environment says as arguments.
fn run_those(folder: &Path, wanted: &str, bless: bool, look: impl Fn(&Case) -> Vec<Seen> + Sync) {
    let mut files = files(folder);
    assert!(!files.is_empty(), "{} holds no cases", folder.display());
    files.retain(|path| path.to_string_lossy().contains(wanted));
    // The longest first, so that none is alone in the end.
    let length = |path: &PathBuf| fs::metadata(path).map_or(0, |found| found.len());
    files.sort_by_key(|path| Reverse(length(path)));
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = one(path, bless, &look);
                    let found = found.into_iter().map(|wrong| (path.clone(), wrong));
                    wrong.lock().expect("no worker panics").extend(found);
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no worker panics");
    wrong.sort_by_key(|(path, wrong)| (path.clone(), wrong.line));
    let mut words = String::new();
    for (path, wrong) in &wrong {
        let path = path.strip_prefix(folder).unwrap_or(path);
        words += &format!("{}:{}: {}\n", path.display(), wrong.line + 1, wrong.words);
    }
    assert!(
        wrong.is_empty(),
        "{} expectations of {} are not met (whole texts and places are rewritten with \
         TILEWRIGHT_BLESS=1):\n{words}",
        wrong.len(),
        folder.display()
    );
}

/// Looks at one file; rewrites it first where that is wanted, as long as something changes: places
/// in messages move with the lines in front of them.
fn one(path: &Path, bless: bool, look: &(impl Fn(&Case) -> Vec<Seen> + Sync)) -> Vec<Wrong> {
    for round in 0.. {
        let text = fs::read_to_string(path).expect("a case can be read");
        let case = match Case::read(path.to_owned(), text) {
            Ok(case) => case,
            Err(wrong) => return vec![wrong],
        };
        let seen = match catch_unwind(AssertUnwindSafe(|| look(&case))) {
            Ok(seen) => seen,
            Err(panic) => {
                let words = panic.downcast_ref::<String>().cloned();
                let words = words.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
                let words = words.unwrap_or_else(|| "something panicked".to_owned());
                return vec![Wrong { line: 0, words }];
            }
        };
        assert_eq!(seen.len(), case.parts.len(), "{}", path.display());
        if bless && round < 3 {
            let blessed = bless::blessed(&case, &seen);
            if blessed != case.text {
                fs::write(path, blessed).expect("a case can be written");
                continue;
            }
        }
        let parts = case.parts.iter().zip(&seen);
        return parts.flat_map(|(part, seen)| part.wrong(seen)).collect();
    }
    unreachable!("the loop has no end")
}

/// The C files of a folder and of those inside, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder);
        let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests;
