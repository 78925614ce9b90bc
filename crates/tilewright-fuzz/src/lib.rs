//! Random programs of ordinary C: generated, compiled by tilewright, built with a C compiler, run,
//! and compared with their originals byte for byte; failing ones are reduced and kept as files.

pub mod case;
pub mod choices;
pub mod generate;
pub mod harness;
pub mod mutants;
pub mod random;
pub mod reduce;
pub mod run;
pub mod seen;
pub mod tree;
