//! What executions through [`crate::certify`] cannot see: which inputs are tried, and C's arithmetic
//! at all ends of all types.

mod arith;
mod inputs;
mod memory;
mod names;
mod race;
mod repairs;
mod setup;
mod trial;
mod wide;
mod written;
