//! Which mutant is active: part of a crate whose mutants are in one build.
//!
//! `SOURCE_MUTANT` holds its number. With `SOURCE_MUTANTS_REACHED`, none is, and the number of
//! each place that is reached is written to the file of that name, once.

use std::io::Write;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

const UNKNOWN: u32 = u32::MAX;
const RECORDING: u32 = u32::MAX - 1;

static ACTIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
static REACHED: [AtomicU64; 1024] = [const { AtomicU64::new(0) }; 1024];

/// The number of the active mutant. The caller has the numbers from `first` on.
#[inline(always)]
pub fn at(first: u32, count: u32) -> u32 {
    let active = ACTIVE.load(Relaxed);
    if active < RECORDING { active } else { ask(first, count) }
}

#[cold]
#[inline(never)]
fn ask(first: u32, count: u32) -> u32 {
    if ACTIVE.load(Relaxed) == UNKNOWN {
        let active = match std::env::var("SOURCE_MUTANT") {
            Ok(number) => number.parse().unwrap_or(0),
            Err(_) if std::env::var_os("SOURCE_MUTANTS_REACHED").is_some() => RECORDING,
            Err(_) => 0,
        };
        ACTIVE.store(active, Relaxed);
    }
    let active = ACTIVE.load(Relaxed);
    if active < RECORDING {
        return active;
    }
    let mut new = String::new();
    for number in first..first + count {
        let bit = 1 << (number % 64);
        if REACHED[number as usize / 64].fetch_or(bit, Relaxed) & bit == 0 {
            new.push_str(&number.to_string());
            new.push('\n');
        }
    }
    if !new.is_empty() {
        let path = std::env::var_os("SOURCE_MUTANTS_REACHED").unwrap_or_default();
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        let _ = file.and_then(|mut file| file.write_all(new.as_bytes()));
    }
    0
}
