//! Work that takes seconds, while other threads of Python go on and Ctrl-C is heard.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// How often Python is asked whether a signal came.
const PERIOD: Duration = Duration::from_millis(50);

/// The stack that work has: as much as a main thread's.
const STACK: usize = 8 << 20;

/// What the thread that works says.
enum Said<N, T> {
    News(N),
    Done(T),
}

/// How work that can be broken off keeps in touch.
pub struct Link<N, T> {
    sender: Sender<Said<N, T>>,
    stop: Arc<AtomicBool>,
}

impl<N, T> Link<N, T> {
    /// Says how far the work is.
    pub fn tell(&self, news: N) {
        // Nobody listens: then nobody wants to know.
        let _ = self.sender.send(Said::News(news));
    }

    /// Whether to end as soon as possible.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What `work` gives. It runs in a thread of its own; when Python has a signal to handle (Ctrl-C)
/// and that raises, nobody waits for it any more.
pub fn until<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let mut waiting = Waiting::<(), T>::start(move |_| work())?;
    loop {
        match waiting.next(py)? {
            Some(Said::Done(result)) => return Ok(result),
            Some(Said::News(())) => {}
            None => py.check_signals()?,
        }
    }
}

/// What `work` gives; `watch` gets its news in this thread. When that or a signal raises, the work
/// is told and has ended before this function does.
pub fn watched<N: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(Link<N, T>) -> T + Send + 'static,
    mut watch: impl FnMut(N) -> PyResult<()>,
) -> PyResult<T> {
    let mut waiting = Waiting::start(work)?;
    let mut raised = Ok(());
    loop {
        let step = match waiting.next(py)? {
            Some(Said::Done(result)) => return raised.map(|()| result),
            _ if raised.is_err() => continue,
            Some(Said::News(news)) => watch(news),
            None => py.check_signals(),
        };
        if step.is_err() {
            waiting.stop.store(true, Ordering::Relaxed);
            raised = step;
        }
    }
}

struct Waiting<N, T> {
    receiver: Option<Receiver<Said<N, T>>>,
    stop: Arc<AtomicBool>,
}

impl<N: Send + 'static, T: Send + 'static> Waiting<N, T> {
    fn start(work: impl FnOnce(Link<N, T>) -> T + Send + 'static) -> PyResult<Waiting<N, T>> {
        let (sender, receiver) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let link = Link {
            sender: sender.clone(),
            stop: stop.clone(),
        };
        thread::Builder::new().stack_size(STACK).spawn(move || {
            let result = work(link);
            // Who does not wait any more wants no result.
            let _ = sender.send(Said::Done(result));
        })?;
        Ok(Waiting {
            receiver: Some(receiver),
            stop,
        })
    }

    /// What is said within a period. The interpreter is free meanwhile.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Said<N, T>>> {
        let receiver = self.receiver.take();
        let (receiver, said) = py.detach(move || {
            let said = receiver.as_ref().map(|from| from.recv_timeout(PERIOD));
            (receiver, said)
        });
        self.receiver = receiver;
        match said {
            Some(Ok(said)) => Ok(Some(said)),
            Some(Err(RecvTimeoutError::Timeout)) => Ok(None),
            _ => Err(PyRuntimeError::new_err(
                "the compiler stopped: please report this",
            )),
        }
    }
}
