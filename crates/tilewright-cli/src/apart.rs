//! The compiler in a process apart, whose crash is not the command's: isl is a library in C, and the
//! original text is the last resort.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode, ExitStatus};

/// Set in the process apart.
const MARK: &str = "TILEWRIGHT_APART";
/// Keeps mimalloc from asking for huge pages: each of the many short threads would have its own cleared,
/// which took up to 40 % of a compile's time.
const SMALL_PAGES: (&str, &str) = ("MIMALLOC_ALLOW_THP", "0");
/// What Rust's panics end with.
const PANIC: i32 = 101;
/// SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL (which is what the system ends who takes all memory
/// with), SIGSEGV.
const CRASHES: [i32; 6] = [4, 6, 7, 8, 9, 11];

/// How the same command ended in another process.
pub enum Apart {
    /// There is none: this is it, or none could be started.
    Here,
    /// By itself.
    Ended(ExitCode),
    /// By a crash.
    Crashed,
}

/// Whether this is the process of its own.
pub fn is_inside() -> bool {
    std::env::var_os(MARK).is_some()
}

/// Runs this command, with its arguments, in a process of its own.
pub fn run() -> Apart {
    if is_inside() {
        return Apart::Here;
    }
    let Ok(program) = std::env::current_exe() else {
        return Apart::Here;
    };
    let mut command = Command::new(program);
    command.args(std::env::args_os().skip(1)).env(MARK, "1");
    with_small_pages(&mut command);
    match command.status() {
        Ok(status) => ended(status),
        Err(_) => Apart::Here,
    }
}

/// Lets a process of ours take memory in small pages, unless the user says otherwise.
pub fn with_small_pages(command: &mut Command) {
    let (name, value) = SMALL_PAGES;
    if std::env::var_os(name).is_none() {
        command.env(name, value);
    }
}

fn ended(status: ExitStatus) -> Apart {
    match (status.code(), status.signal()) {
        (Some(PANIC), _) => Apart::Crashed,
        (Some(code), _) => Apart::Ended(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))),
        (None, Some(signal)) if CRASHES.contains(&signal) => Apart::Crashed,
        // As shells say it.
        (None, signal) => {
            let code = signal.and_then(|signal| u8::try_from(128 + signal).ok());
            Apart::Ended(ExitCode::from(code.unwrap_or(u8::MAX)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Apart, ended};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{ExitCode, ExitStatus};

    #[test]
    fn crashes_are_told_from_ends() {
        // As `wait` has them: signals as they are, statuses in the second byte.
        for status in [11, 6, 4, 7, 8, 9, 101 << 8, 11 | 0x80] {
            let is = ended(ExitStatus::from_raw(status));
            assert!(matches!(is, Apart::Crashed), "{status}");
        }
        for (status, code) in [(0, 0), (1 << 8, 1), (2 << 8, 2), (15, 143), (2, 130)] {
            match ended(ExitStatus::from_raw(status)) {
                Apart::Ended(is) => assert_eq!(is, ExitCode::from(code), "{status}"),
                _ => panic!("{status}"),
            }
        }
    }
}
