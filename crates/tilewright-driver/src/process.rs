//! Running other programs to their end, or to a time limit.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How long to sleep between two looks at a process.
pub(crate) const POLL: Duration = Duration::from_millis(5);

/// How long to wait for the last words of a process that has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What a process left behind.
#[derive(Debug)]
pub struct Finished {
    /// How it ended; `None` when it was killed because the time was up.
    pub status: Option<ExitStatus>,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
}

impl Finished {
    /// It ended by itself and with exit status 0.
    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }
}

/// Runs a command with nothing on its standard input and keeps what it writes.
///
/// # Errors
/// The command cannot be started or waited for. Running out of time is no error.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Finished> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if begin.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        thread::sleep(POLL);
    };
    let take = |words: mpsc::Receiver<Vec<u8>>| words.recv_timeout(LAST_WORDS).unwrap_or_default();
    Ok(Finished {
        status,
        stdout: take(stdout),
        stderr: take(stderr),
    })
}

/// Reads a pipe to its end in a thread of its own. A grandchild may hold the pipe open longer
/// than the child lives; the receiver then gives up.
pub(crate) fn drain(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before an error is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
            let _ = sender.send(bytes);
        });
    }
    receiver
}

/// Takes what [`drain`] has read.
pub(crate) fn last_words(receiver: &mpsc::Receiver<Vec<u8>>) -> String {
    let bytes = receiver.recv_timeout(LAST_WORDS).unwrap_or_default();
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
        assert!(finished.status.is_none());
        assert!(begin.elapsed() < Duration::from_secs(10));
    }
}
