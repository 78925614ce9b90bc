//! Ctrl-C during a search: the first one ends it in good order, the second one at once.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn remember(_signal: libc::c_int) {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// From now on the first SIGINT or SIGTERM is only remembered; the next one has its usual effect.
pub fn watch() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the structure is plain data, for which zeros are a valid value; the handler only
        // stores to an atomic variable.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = remember as *const () as libc::sighandler_t;
            action.sa_flags = libc::SA_RESETHAND | libc::SA_RESTART;
            // Where it cannot be set, the signal keeps its usual effect.
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

/// Whether there was one.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
