//! How long a thread has worked.
//!
//! Limits of time are on the processor's time of the thread that calls isl, where the system tells
//! it: on a machine that does other work, too, what isl gives up does not depend on that.

#[cfg(target_os = "linux")]
use std::mem::MaybeUninit;
use std::time::Duration;
#[cfg(not(target_os = "linux"))]
use std::time::Instant;

/// A clock that runs while one thread does; elsewhere than on Linux, while time does.
///
/// On Linux it must not be read any more when its thread has ended.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy)]
pub(crate) struct ThreadClock(Option<libc::clockid_t>);

#[cfg(target_os = "linux")]
impl ThreadClock {
    /// That of the calling thread.
    pub(crate) fn of_this_thread() -> ThreadClock {
        let mut clock = MaybeUninit::uninit();
        // SAFETY: the thread is the calling one, and the pointer is to a place of our own, which
        // is written where 0 comes back.
        let clock = unsafe {
            match libc::pthread_getcpuclockid(libc::pthread_self(), clock.as_mut_ptr()) {
                0 => Some(clock.assume_init()),
                _ => None,
            }
        };
        ThreadClock(clock)
    }

    /// How long the thread has worked; elapsed time of the system where that is not known.
    pub(crate) fn now(self) -> Duration {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        let clock = self.0.unwrap_or(libc::CLOCK_MONOTONIC);
        // SAFETY: the pointer is to a `timespec` of our own; a clock that is not there any more
        // is an error, after which the time is 0.
        unsafe { libc::clock_gettime(clock, &mut time) };
        let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
        Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
    }
}

/// A clock that runs while one thread does; elsewhere than on Linux, while time does.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy)]
pub(crate) struct ThreadClock(Instant);

#[cfg(not(target_os = "linux"))]
impl ThreadClock {
    /// That of the calling thread.
    pub(crate) fn of_this_thread() -> ThreadClock {
        ThreadClock(Instant::now())
    }

    /// How long the thread has worked since the clock was made.
    pub(crate) fn now(self) -> Duration {
        self.0.elapsed()
    }
}
