//! Calls in a process that was forked from one with loaded programs.
//!
//! Threads do not survive `fork`, and an OpenMP library does not see that they are gone: in the
//! child, the first parallel loop of the thread that forked waits for its team forever. A thread
//! that the child makes has had no team, and gets a new one. So in a child every calling thread has
//! a companion, which makes the calls and keeps its team between them.

use std::cell::RefCell;
use std::process;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// The process in which the first program was loaded.
static OWNER: OnceLock<u32> = OnceLock::new();

thread_local! {
    static COMPANION: RefCell<Option<Companion>> = const { RefCell::new(None) };
}

/// What a companion is to do; it is done when the caller goes on.
type Work = Box<dyn FnOnce() + Send>;

/// A thread that makes another one's calls.
struct Companion {
    /// The process that both belong to.
    process: u32,
    work: SyncSender<Work>,
    done: Receiver<()>,
}

/// Says that this process has programs whose teams of threads a child will not have.
pub(crate) fn loaded() {
    OWNER.get_or_init(process::id);
}

/// Whether this process was forked from one in which programs had been loaded.
pub(crate) fn is_child() -> bool {
    OWNER.get().is_some_and(|owner| *owner != process::id())
}

/// Lets a thread of this process's own make a call, and waits for it; `false` where no thread can
/// be had, and nothing was called.
pub(crate) fn elsewhere(call: impl FnOnce() + Send) -> bool {
    COMPANION.with_borrow_mut(|place| {
        if place
            .as_ref()
            .is_none_or(|known| known.process != process::id())
        {
            // The companion of the process that forked is gone; what it held is left to it.
            std::mem::forget(place.take());
            *place = Companion::new();
        }
        place.as_ref().is_some_and(|companion| companion.make(call))
    })
}

impl Companion {
    fn new() -> Option<Companion> {
        let (work, calls) = sync_channel::<Work>(0);
        let (finished, done) = sync_channel(0);
        let thread = thread::Builder::new().name("tilewright call".to_owned());
        // As large as a main thread's.
        let thread = thread.stack_size(8 << 20);
        let made = thread.spawn(move || {
            for call in calls {
                call();
                if finished.send(()).is_err() {
                    return;
                }
            }
        });
        made.is_ok().then(|| Companion {
            process: process::id(),
            work,
            done,
        })
    }

    fn make(&self, call: impl FnOnce() + Send) -> bool {
        let call: Box<dyn FnOnce() + Send + '_> = Box::new(call);
        // SAFETY: only the lifetime changes. What the call borrows lives until `recv` below
        // returns, which is after the call has ended or its thread has.
        let call: Work = unsafe { std::mem::transmute(call) };
        self.work.send(call).is_ok() && self.done.recv().is_ok()
    }
}
