//! Running other programs to their end, or to a time limit.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How long to sleep between two looks at a process.
pub(crate) const POLL: Duration = Duration::from_millis(5);

/// How long to wait for the last words of a process that has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Bytes that a process may write to one of its outputs.
pub const MOST_OUTPUT: usize = 128 << 20;

/// What a process left behind.
#[derive(Debug)]
pub struct Finished {
    /// How it ended; `None` when it was killed because the time was up.
    pub status: Option<ExitStatus>,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
    /// It wrote more than [`MOST_OUTPUT`] and was killed, unless it ended when nobody read on.
    pub too_much: bool,
}

impl Finished {
    /// It ended by itself and with exit status 0, and all that it wrote was read.
    pub fn success(&self) -> bool {
        !self.too_much && self.status.is_some_and(|status| status.success())
    }
}

/// Runs a command with nothing on its standard input and keeps what it writes.
///
/// # Errors
/// The command cannot be started or waited for, or there is no thread to read what it writes.
/// Running out of time is no error, nor is writing too much.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Finished> {
    // With a group of its own, all that it starts can be ended with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut group = Group(child);
    let stdout = drain(group.0.stdout.take(), MOST_OUTPUT)?;
    let stderr = drain(group.0.stderr.take(), MOST_OUTPUT)?;
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = group.0.try_wait()? {
            break Some(status);
        }
        // Only where it wrote too much does reading end before writing.
        let full = |output: &Drain| output.is_full.load(Ordering::Relaxed);
        if begin.elapsed() > limit || full(&stdout) || full(&stderr) {
            break None;
        }
        thread::sleep(POLL);
    };
    if status.is_none() {
        drop(group);
    }
    let too_much = [&stdout, &stderr];
    let too_much = too_much.map(|output| output.is_full.load(Ordering::Relaxed));
    let take = |words: Drain| words.bytes.recv_timeout(LAST_WORDS).unwrap_or_default();
    Ok(Finished {
        status,
        stdout: take(stdout),
        stderr: take(stderr),
        too_much: too_much.contains(&true),
    })
}

/// A process that is ended, with all that it has started, when it is no longer wanted.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(Some(_))) {
            return;
        }
        #[cfg(unix)]
        if let Ok(group) = libc::pid_t::try_from(self.0.id()) {
            // SAFETY: sends a signal to the group of a child that has not been waited for.
            unsafe { libc::kill(-group, libc::SIGKILL) };
        }
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a pipe gives.
pub(crate) struct Drain {
    bytes: mpsc::Receiver<Vec<u8>>,
    /// There was more than was wanted; the rest was not read.
    is_full: Arc<AtomicBool>,
}

/// Reads a pipe to its end in a thread of its own, or up to so many bytes. A grandchild may hold
/// the pipe open longer than the child lives; the receiver then gives up.
pub(crate) fn drain(pipe: Option<impl Read + Send + 'static>, most: usize) -> io::Result<Drain> {
    let (sender, bytes) = mpsc::channel();
    let is_full = Arc::new(AtomicBool::new(false));
    if let Some(pipe) = pipe {
        let is_full = is_full.clone();
        thread::Builder::new().spawn(move || {
            let mut bytes = Vec::new();
            let mut pipe = pipe.take(most as u64);
            // What was read before an error is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
            is_full.store(bytes.len() >= most, Ordering::Relaxed);
            let _ = sender.send(bytes);
        })?;
    }
    Ok(Drain { bytes, is_full })
}

/// Takes what [`drain`] has read.
pub(crate) fn last_words(words: &Drain) -> String {
    let bytes = words.bytes.recv_timeout(LAST_WORDS).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `signal 11 (segmentation fault: …)` for a process that was ended by one.
#[cfg(unix)]
pub(crate) fn signal(status: ExitStatus) -> Option<(i32, &'static str)> {
    use std::os::unix::process::ExitStatusExt;
    let number = status.signal()?;
    let name = match number {
        libc::SIGSEGV => "segmentation fault",
        libc::SIGBUS => "bus error",
        libc::SIGFPE => "arithmetic exception, as integer division by zero",
        libc::SIGILL => "illegal instruction",
        libc::SIGABRT => "aborted",
        libc::SIGKILL => "killed, perhaps because memory ran out",
        libc::SIGTERM => "terminated from outside",
        _ => "ended by a signal",
    };
    Some((number, name))
}

/// Nothing outside Unix ends by signals.
#[cfg(not(unix))]
pub(crate) fn signal(_: ExitStatus) -> Option<(i32, &'static str)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_output_and_status() {
        let finished = run(
            Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]),
            POLL * 1000,
        )
        .unwrap();
        assert_eq!(finished.stdout, b"out\n");
        assert_eq!(finished.stderr, b"err\n");
        assert_eq!(finished.status.and_then(|s| s.code()), Some(3));
        assert!(!finished.success());
    }

    #[test]
    fn kills_when_time_is_up() {
        let begin = Instant::now();
        let finished = run(Command::new("sleep").arg("30"), POLL * 10).unwrap();
        assert!(finished.status.is_none() && !finished.too_much);
        assert!(begin.elapsed() < Duration::from_secs(10));
    }

    /// What a child has started is ended with it: nothing holds its pipes open.
    #[test]
    fn kills_what_was_started_too() {
        let begin = Instant::now();
        let mut command = Command::new("sh");
        let finished = run(command.args(["-c", "sleep 30 & echo $!; wait"]), POLL * 20).unwrap();
        assert!(finished.status.is_none());
        assert!(!finished.stdout.is_empty());
        assert!(begin.elapsed() < LAST_WORDS);
    }

    #[test]
    fn kills_what_writes_without_end() {
        let finished = run(&mut Command::new("yes"), Duration::from_secs(60)).unwrap();
        assert!(finished.too_much && !finished.success());
        assert_eq!(finished.stdout.len(), MOST_OUTPUT);
    }
}
