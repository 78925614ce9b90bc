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
    /// Compiles that were refused, by the code of the first message.
    pub refused: BTreeMap<String, u64>,
    pub kinds: BTreeMap<String, u64>,
    #[serde(flatten)]
    pub results: ResultCounts,
    #[serde(flatten)]
    pub certifier: CertifierCounts,
    #[serde(flatten)]
    pub models: ModelCounts,
    #[serde(flatten)]
    pub seconds: Seconds,
}

/// Results that were built and compared with their originals.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
#[allow(missing_docs)]
pub struct ResultCounts {
    /// Program × plan × size that were equal.
    pub compared: u64,
    /// Where nothing but the sign of a zero differs, and not without optimisation.
    pub zeros: u64,
    /// Comparisons by how C was compiled.
    pub builds: BTreeMap<String, u64>,
}

/// What the certifier said.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
#[allow(missing_docs)]
pub struct CertifierCounts {
    /// Results that it found equal, and on how many inputs.
    pub certified: u64,
    pub inputs: u64,
    /// Results of which it could not say anything, by its words.
    pub uncertified: BTreeMap<String, u64>,
}

/// Models of regions.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
#[allow(missing_docs)]
pub struct ModelCounts {
    /// Regions whose models were compared with what an interpreter did, and accesses.
    pub lowered: u64,
    pub accesses: u64,
    /// Regions of which nothing could be said in that way, by the reason.
    pub not_lowered: BTreeMap<String, u64>,
}

/// What took how long.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
#[allow(missing_docs)]
pub struct Seconds {
    #[serde(rename = "compile_seconds")]
    pub compile: f64,
    #[serde(rename = "certify_seconds")]
    pub certify: f64,
    #[serde(rename = "lower_seconds")]
    pub lower: f64,
    #[serde(rename = "build_seconds")]
    pub build: f64,
    /// The C compiler, and running what it built.
    #[serde(rename = "cc_seconds")]
    pub cc: f64,
    #[serde(rename = "run_seconds")]
    pub run: f64,
}

impl Counts {
    /// Adds what another one has counted.
    pub fn add(&mut self, other: &Counts) {
        self.programs += other.programs;
        self.undefined += other.undefined;
        self.compiles += other.compiles;
        self.mutants += other.mutants;
        self.transformed += other.transformed;
        add(&mut self.refused, &other.refused);
        add(&mut self.kinds, &other.kinds);
        self.results.compared += other.results.compared;
        self.results.zeros += other.results.zeros;
        add(&mut self.results.builds, &other.results.builds);
        self.certifier.certified += other.certifier.certified;
        self.certifier.inputs += other.certifier.inputs;
        add(
            &mut self.certifier.uncertified,
            &other.certifier.uncertified,
        );
        self.models.lowered += other.models.lowered;
        self.models.accesses += other.models.accesses;
        add(&mut self.models.not_lowered, &other.models.not_lowered);
        self.seconds.compile += other.seconds.compile;
        self.seconds.certify += other.seconds.certify;
        self.seconds.lower += other.seconds.lower;
        self.seconds.build += other.seconds.build;
        self.seconds.cc += other.seconds.cc;
        self.seconds.run += other.seconds.run;
    }
}

fn add(own: &mut BTreeMap<String, u64>, more: &BTreeMap<String, u64>) {
    for (name, count) in more {
        *own.entry(name.clone()).or_default() += count;
    }
}
