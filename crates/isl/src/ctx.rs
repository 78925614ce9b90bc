//! The context.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int};
use std::fmt;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::mpsc;
use std::time::Duration;

use isl_sys as sys;

use crate::clock::ThreadClock;
use crate::convert::to_c_ulong;
use crate::{Error, ErrorKind, Result, Schedule, ScheduleConstraints};

/// A handle to an isl context; clones are handles to the same context.
///
/// The context is freed with the last handle, and every object holds one.
/// A context belongs to one thread:
///
/// ```compile_fail
/// fn needs_send<T: Send>() {}
/// needs_send::<isl::Ctx>();
/// ```
///
/// ```compile_fail
/// fn needs_send<T: Send>() {}
/// needs_send::<isl::Set>();
/// ```
///
/// ```compile_fail
/// fn needs_sync<T: Sync>() {}
/// needs_sync::<isl::Set>();
/// ```
#[derive(Clone)]
pub struct Ctx(Rc<Owned>);

struct Owned {
    ctx: NonNull<sys::isl_ctx>,
    scheduling_time: Cell<Duration>,
    /// When the innermost [`Ctx::within`] ends, on the clock of the context's thread.
    end: Cell<Option<Duration>>,
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the last handle goes, so no object of the context is left.
        unsafe { sys::isl_ctx_free(self.ctx.as_ptr()) }
    }
}

impl Ctx {
    /// A new context, which reports errors to the caller only.
    ///
    /// # Panics
    ///
    /// If there is no memory for it.
    pub fn new() -> Self {
        // SAFETY: plain calls; the pointer is checked before its first use.
        unsafe {
            let ptr = NonNull::new(sys::isl_ctx_alloc()).expect("isl cannot make a context");
            sys::isl_options_set_on_error(ptr.as_ptr(), sys::ISL_ON_ERROR_CONTINUE);
            Ctx(Rc::new(Owned {
                ctx: ptr,
                scheduling_time: Cell::new(Duration::MAX),
                end: Cell::new(None),
            }))
        }
    }

    /// Whether both are handles to the same context.
    pub fn is_same(&self, other: &Ctx) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Bounds the number of isl's basic operations; 0 is no bound.
    ///
    /// Calls beyond it fail with [`ErrorKind::Quota`].
    ///
    /// # Errors
    ///
    /// If C's `unsigned long` cannot hold the number.
    pub fn set_max_operations(&self, max: u64) -> Result<()> {
        let max = to_c_ulong(max)?;
        // SAFETY: the context lives.
        unsafe { sys::isl_ctx_set_max_operations(self.as_ptr(), max) }
        Ok(())
    }

    /// The bound set by [`Ctx::set_max_operations`].
    #[allow(
        clippy::useless_conversion,
        reason = "C's long has 32 bits on some systems"
    )]
    pub fn max_operations(&self) -> u64 {
        // SAFETY: the context lives.
        unsafe { sys::isl_ctx_get_max_operations(self.as_ptr()) }.into()
    }

    /// Bounds the time that [`Ctx::schedule`] takes; at first there is no bound.
    pub fn set_scheduling_time(&self, limit: Duration) {
        self.0.scheduling_time.set(limit);
    }

    /// isl's scheduler, within the time set by [`Ctx::set_scheduling_time`].
    ///
    /// # Errors
    ///
    /// isl's own, among them [`ErrorKind::Abort`] where the time is over.
    pub fn schedule(&self, constraints: &ScheduleConstraints) -> Result<Schedule> {
        self.within(self.0.scheduling_time.get(), || {
            constraints.compute_schedule()
        })
    }

    /// Starts counting operations from 0 again.
    pub fn reset_operations(&self) {
        // SAFETY: the context lives.
        unsafe { sys::isl_ctx_reset_operations(self.as_ptr()) }
    }

    /// Runs `call`; after `limit` isl gives up, and its calls fail with [`ErrorKind::Abort`].
    ///
    /// On Linux the limit is on the processor's time of the calling thread: what else the machine
    /// does takes nothing from it. Elsewhere it is on the time that elapses. Inside another such
    /// call the earlier end counts.
    ///
    /// A bound on operations does not bound the time: with numbers of thousands of digits, as
    /// some integer programs have on their way, one operation takes milliseconds.
    pub fn within<T>(&self, limit: Duration, call: impl FnOnce() -> T) -> T {
        /// The context, for the one call that another thread may make.
        struct Watched(*mut sys::isl_ctx);
        // SAFETY: `isl_ctx_abort` only sets a flag; isl has it for signal handlers.
        unsafe impl Send for Watched {}

        let watched = Watched(self.as_ptr());
        let clock = ThreadClock::of_this_thread();
        let now = clock.now();
        let around = self.0.end.get();
        let end = now
            .saturating_add(limit)
            .min(around.unwrap_or(Duration::MAX));
        let limit = end.saturating_sub(now);
        self.0.end.set(Some(end));
        let result = std::thread::scope(|scope| {
            let (done, is_done) = mpsc::channel::<()>();
            let watch = move || {
                let watched = watched;
                let mut left = limit;
                // The thread whose clock this is waits for this one: the clock is there.
                while is_done.recv_timeout(left) == Err(mpsc::RecvTimeoutError::Timeout) {
                    left = end.saturating_sub(clock.now());
                    if left.is_zero() {
                        // SAFETY: the context lives: `self` outlives the scope, which joins.
                        unsafe { sys::isl_ctx_abort(watched.0) }
                        break;
                    }
                }
            };
            // Where the system has no thread to give, the bound on operations has to do.
            let _ = std::thread::Builder::new().spawn_scoped(scope, watch);
            let result = call();
            drop(done);
            result
        });
        // SAFETY: the context lives.
        unsafe { sys::isl_ctx_resume(self.as_ptr()) }
        self.0.end.set(around);
        if around.is_some_and(|around| around <= clock.now()) {
            // The time of the call around this one is over, too, and its thread may have said so
            // before isl was told to go on. SAFETY: the context lives.
            unsafe { sys::isl_ctx_abort(self.as_ptr()) }
        }
        result
    }

    /// How much time the innermost [`Ctx::within`] has left; `None` outside of such calls.
    pub fn time_left(&self) -> Option<Duration> {
        let end = self.0.end.get()?;
        Some(end.saturating_sub(ThreadClock::of_this_thread().now()))
    }

    /// Fails where isl does nothing more: for work of others that is bounded in the same way.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Quota`], or [`ErrorKind::Abort`] where the time of a [`Ctx::within`] is over.
    pub fn check_budget(&self) -> Result<()> {
        self.begin();
        if self.time_left() == Some(Duration::ZERO) {
            return Err(Error::new(ErrorKind::Abort, "the time is over"));
        }
        self.exhausted().map_or(Ok(()), Err)
    }

    pub(crate) fn as_ptr(&self) -> *mut sys::isl_ctx {
        self.0.ctx.as_ptr()
    }

    /// Forgets earlier errors. Every call into isl starts with this, so that what is
    /// found after it is the call's own.
    pub(crate) fn begin(&self) {
        // SAFETY: the context lives.
        unsafe { sys::isl_ctx_reset_error(self.as_ptr()) }
    }

    /// Calls isl with no bound on the operations: printing is no computation that blows
    /// up, and what exceeded the bound is what one wants to see.
    pub(crate) fn without_quota<T>(&self, call: impl FnOnce() -> T) -> T {
        self.begin();
        // SAFETY: the context lives.
        unsafe {
            let max = sys::isl_ctx_get_max_operations(self.as_ptr());
            sys::isl_ctx_set_max_operations(self.as_ptr(), 0);
            let result = call();
            sys::isl_ctx_set_max_operations(self.as_ptr(), max);
            result
        }
    }

    /// The error isl reported last; clears it.
    ///
    /// Where the budget ran out on the way, isl may report what came of that: its readers a text
    /// that they cannot read, others nothing at all. The error is then that the budget ran out.
    #[cold]
    pub(crate) fn error(&self) -> Error {
        // SAFETY: the context lives, and the texts are copied before they can go.
        unsafe {
            let ctx = self.as_ptr();
            let kind = kind(sys::isl_ctx_last_error(ctx));
            if !matches!(kind, ErrorKind::Abort | ErrorKind::Quota) {
                if let Some(exhausted) = self.exhausted() {
                    return exhausted;
                }
            }
            let message = text(sys::isl_ctx_last_error_msg(ctx)).unwrap_or_else(|| {
                match kind {
                    ErrorKind::Absent => "isl has nothing to return",
                    ErrorKind::Quota => "maximal number of operations exceeded",
                    _ => "isl gives no message",
                }
                .into()
            });
            let line = sys::isl_ctx_last_error_line(ctx);
            let place = text(sys::isl_ctx_last_error_file(ctx))
                .map(|file| (file, u32::try_from(line).unwrap_or(0)));
            sys::isl_ctx_reset_error(ctx);
            Error::at(kind, message, place)
        }
    }

    /// Whether isl does nothing more, and why. Every allocation counts as an operation: one is tried.
    /// An error that was reported before is forgotten if so.
    #[cold]
    fn exhausted(&self) -> Option<Error> {
        // SAFETY: the context lives, and the value is freed.
        unsafe {
            let ctx = self.as_ptr();
            let probe = sys::isl_val_zero(ctx);
            if !probe.is_null() {
                sys::isl_val_free(probe);
                return None;
            }
            match kind(sys::isl_ctx_last_error(ctx)) {
                ErrorKind::Abort | ErrorKind::Quota => Some(self.error()),
                _ => None,
            }
        }
    }

    pub(crate) fn check_same(&self, other: &Ctx) -> Result<()> {
        if self.is_same(other) {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Invalid,
            "objects of different contexts in one call",
        ))
    }

    pub(crate) fn check_bool(&self, value: c_int) -> Result<bool> {
        if value < 0 {
            return Err(self.error());
        }
        Ok(value != 0)
    }

    pub(crate) fn check_stat(&self, value: sys::isl_stat) -> Result<()> {
        if value < 0 {
            return Err(self.error());
        }
        Ok(())
    }

    pub(crate) fn check_size(&self, value: sys::isl_size) -> Result<usize> {
        usize::try_from(value).map_err(|_| self.error())
    }

    /// For functions whose result has no value that says "error".
    pub(crate) fn check_value<T>(&self, value: T) -> Result<T> {
        // SAFETY: the context lives.
        if unsafe { sys::isl_ctx_last_error(self.as_ptr()) } != sys::isl_error_none {
            return Err(self.error());
        }
        Ok(value)
    }

    /// For functions that return a position, or -1 where there is none.
    pub(crate) fn check_found(&self, value: c_int) -> Result<Option<usize>> {
        Ok(usize::try_from(self.check_value(value)?).ok())
    }

    /// # Safety
    ///
    /// `ptr` is null or a text from isl that lives until the next call.
    pub(crate) unsafe fn copy_string(&self, ptr: *const c_char) -> Result<String> {
        // SAFETY: as above.
        unsafe { text(ptr) }.ok_or_else(|| self.error())
    }

    /// # Safety
    ///
    /// `ptr` is null or a text that isl allocated for the caller.
    pub(crate) unsafe fn take_string(&self, ptr: *mut c_char) -> Result<String> {
        // SAFETY: as above; nothing uses the text after it is freed.
        unsafe {
            let result = self.copy_string(ptr);
            sys::free(ptr.cast());
            result
        }
    }
}

/// What isl calls the kind.
fn kind(error: sys::isl_error) -> ErrorKind {
    match error {
        sys::isl_error_none => ErrorKind::Absent,
        sys::isl_error_abort => ErrorKind::Abort,
        sys::isl_error_alloc => ErrorKind::Alloc,
        sys::isl_error_internal => ErrorKind::Internal,
        sys::isl_error_invalid => ErrorKind::Invalid,
        sys::isl_error_quota => ErrorKind::Quota,
        sys::isl_error_unsupported => ErrorKind::Unsupported,
        _ => ErrorKind::Unknown,
    }
}

/// # Safety
///
/// `ptr` is null or a C string.
unsafe fn text(ptr: *const c_char) -> Option<String> {
    // SAFETY: as above.
    (!ptr.is_null()).then(|| {
        unsafe { CStr::from_ptr(ptr) }
            .to_string_lossy()
            .into_owned()
    })
}

impl Default for Ctx {
    fn default() -> Self {
        Ctx::new()
    }
}

impl fmt::Debug for Ctx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ctx({:p})", self.as_ptr())
    }
}
