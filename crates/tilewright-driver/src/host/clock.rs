//! The clock that runs are timed with.
//!
//! Times are elapsed ones, unless the environment variable `TILEWRIGHT_CLOCK` says `processor`:
//! then they are those of the processor, of all threads of the process together. For one thread
//! on a machine that does other work, too, these are what would have elapsed without it; with
//! several, waiting for each other counts as work.

use std::env;
use std::time::{Duration, Instant};

/// The environment variable that chooses the clock.
pub const VARIABLE: &str = "TILEWRIGHT_CLOCK";

/// What it says for times of the processor.
pub const PROCESSOR: &str = "processor";

/// A clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Elapsed time.
    Wall,
    /// Time of the processor of all threads of this process.
    Processor,
}

impl Clock {
    /// The one that the environment asks for.
    pub fn from_environment() -> Clock {
        if env::var_os(VARIABLE).is_some_and(|value| value == PROCESSOR) {
            Clock::Processor
        } else {
            Clock::Wall
        }
    }

    /// How long something takes.
    pub fn time(self, what: impl FnOnce()) -> Duration {
        match self {
            Clock::Wall => {
                let begin = Instant::now();
                what();
                begin.elapsed()
            }
            Clock::Processor => {
                let begin = processor();
                what();
                processor().saturating_sub(begin)
            }
        }
    }
}

/// Time of the processor that this process has used.
#[cfg(unix)]
fn processor() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a `timespec` of our own, and the clock is one that POSIX has.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Where there is no such clock, elapsed time.
#[cfg(not(unix))]
fn processor() -> Duration {
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    /// Sleeping elapses and takes no processor; how much a busy one takes other tests say.
    #[test]
    fn only_elapsed_time_counts_sleep() {
        let nap = Duration::from_millis(200);
        assert!(Clock::Wall.time(|| sleep(nap)) >= nap);
        // Other tests of this process work meanwhile: their time counts. What is compared is
        // therefore a sum with its parts.
        let before = processor();
        let mut sum = 0_u64;
        let took = Clock::Processor.time(|| {
            for number in 0..10_000_000_u64 {
                sum = std::hint::black_box(sum ^ number);
            }
        });
        assert!(took > Duration::ZERO);
        assert!(took <= processor() - before);
    }
}
