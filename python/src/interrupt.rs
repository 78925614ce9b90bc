//! Work that takes seconds, while other threads of Python go on and Ctrl-C ends the wait.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often Python is asked whether a signal came.
const PERIOD: Duration = Duration::from_millis(50);

/// The stack that work has: as much as a main thread's.
const STACK: usize = 8 << 20;

/// What `work` gives. It runs in a thread of its own; when Python has a signal to handle (Ctrl-C)
/// and that raises, nobody waits for it any more.
pub fn until<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    thread::Builder::new().stack_size(STACK).spawn(move || {
        // Who does not wait any more wants no result.
        let _ = sender.send(work());
    })?;
    loop {
        let received;
        (receiver, received) = py.detach(move || {
            let received = receiver.recv_timeout(PERIOD);
            (receiver, received)
        });
        match received {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err(
                    "the compiler stopped: please report this",
                ));
            }
        }
    }
}
