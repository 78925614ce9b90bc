//! What a run of the fuzzer counts.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was done.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
#[allow(missing_docs)]
pub struct Counts {
    pub programs: u64,
    /// Programs whose original has undefined behaviour.
    pub undefined: u64,
    pub compiles: u64,
    /// Compiles with a plan that was changed at random.
    pub mutants: u64,
    /// Compiles that changed at least one region.
    pub transformed: u64,
    /// Program × plan × size that were equal.
    pub compared: u64,
    /// Where nothing but the sign of a zero differs, and not without optimisation.
    pub zeros: u64,
    /// Compiles that were refused, by the code of the first message.
    pub refused: BTreeMap<String, u64>,
    pub kinds: BTreeMap<String, u64>,
    /// Comparisons by how C was compiled.
    pub builds: BTreeMap<String, u64>,
    /// Results that the certifier found equal, and on how many inputs.
    pub certified: u64,
    pub inputs: u64,
    /// Regions whose models were compared with what an interpreter did, and accesses.
    pub lowered: u64,
    pub accesses: u64,
    /// Regions of which nothing could be said in that way, by the reason.
    pub not_lowered: BTreeMap<String, u64>,
    /// Results of which it could not say anything, by its words.
    pub uncertified: BTreeMap<String, u64>,
    pub compile_seconds: f64,
    pub certify_seconds: f64,
    pub lower_seconds: f64,
    pub build_seconds: f64,
    /// Seconds of the C compiler, and of running what it built.
    pub cc_seconds: f64,
    pub run_seconds: f64,
}

impl Counts {
    /// Adds what another one has counted.
    pub fn add(&mut self, other: &Counts) {
        self.programs += other.programs;
        self.undefined += other.undefined;
        self.compiles += other.compiles;
        self.mutants += other.mutants;
        self.transformed += other.transformed;
        self.compared += other.compared;
        self.zeros += other.zeros;
        self.certified += other.certified;
        self.inputs += other.inputs;
        self.lowered += other.lowered;
        self.accesses += other.accesses;
        self.compile_seconds += other.compile_seconds;
        self.certify_seconds += other.certify_seconds;
        self.lower_seconds += other.lower_seconds;
        self.cc_seconds += other.cc_seconds;
        self.run_seconds += other.run_seconds;
        self.build_seconds += other.build_seconds;
        let maps = [
            (&mut self.refused, &other.refused),
            (&mut self.kinds, &other.kinds),
            (&mut self.builds, &other.builds),
            (&mut self.uncertified, &other.uncertified),
            (&mut self.not_lowered, &other.not_lowered),
        ];
        for (own, more) in maps {
            for (name, count) in more {
                *own.entry(name.clone()).or_default() += count;
            }
        }
    }
}
