//! How long the parts of the analysis take, for the results page.

use super::kernels::{KERNELS, MORE, SCHEDULED};
use crate::reuse::analysis::{Analysis, Options};
use crate::reuse::{LiveOut, Overlap};
use std::fs;

/// Seconds that this thread has computed, other work on the machine left out (Linux).
fn busy() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanoseconds: f64 = text.split(' ').next().unwrap().parse().unwrap();
    nanoseconds / 1e9
}

/// Prints a line per program: transfers with the restriction of the table, then both memories.
#[test]
#[ignore = "measures; asserts nothing beside that the budget suffices"]
fn times() {
    for kernel in KERNELS.iter().chain(MORE) {
        let region = kernel.region();
        let options = Options {
            mapping: (kernel.mapping != SCHEDULED).then(|| kernel.mapping.to_owned()),
            band: (kernel.mapping != SCHEDULED).then_some(kernel.band),
            live_out: LiveOut::All,
            ..Options::default()
        };
        let mut before = busy();
        let mut line = String::new();
        let mut lap = |name: &str| {
            line += &format!(" {name} {:.2}", busy() - before);
            before = busy();
        };
        let analysis = Analysis::of(&region, &options).unwrap();
        lap("transfers");
        for overlap in [Overlap::Sequential, Overlap::Double] {
            analysis.memory(overlap, false).unwrap();
            lap("memory");
        }
        for overlap in [Overlap::Sequential, Overlap::Double] {
            let _ = analysis.memory(overlap, true);
            lap("everywhere");
        }
        println!("{:16}{line}", kernel.name);
    }
}
