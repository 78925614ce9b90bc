//! Is the transformed program the original one? Asked on every compile.
//!
//! The checks, in the order in which they run:
//!
//! 1. [`checks::form`] and [`checks::domain`]: it is a program, its instances are the original's, each is executed
//!    once, and none is missing.
//! 2. [`checks::bounds`]: accesses stay inside their local buffers, and these are alive.
//! 3. [`checks::order`], per array: conflicting instances come in the original's order. Where that holds
//!    nothing else can differ, and it is cheap; most arrays end here.
//! 4. [`search`] and [`checks::flow`], for the other arrays: the exact last writer of every read and of
//!    every live-out cell, on the new schedule and storage, is the original's.
//! 5. [`checks::sharing`]: of buffers that share memory, none is written to while another holds a value
//!    that is still read.
//! 6. [`checks::race`]: loops marked parallel carry no conflict.
//!
//! Each of them first asks [`numbers::model`], which reads sets and schedule as numbers, once, and answers
//! *certainly so* to most questions after a few substitutions ([`numbers::facts`]). Where it does not know,
//! isl is asked, and isl alone refuses.

mod explain;
mod program;
mod search;
pub mod seen;
mod storage;
mod witness;

pub(crate) mod checks;
pub(crate) mod numbers;
#[cfg(test)]
mod tests;

use crate::analysis::dependences::dataflow::Dataflow;
use crate::mistakes::mistake;
use crate::scop::{ArrayId, Scop};
use crate::transform::Transformed;

/// Why a transformed program is not the original one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// One sentence with one concrete pair of instances:
    /// `S2(t=3, i=17) would read what S1(t=3, i=18) has not yet written`.
    pub message: String,
    /// Parameter values for which it happens: `n = 20, t = 4`.
    pub parameters: String,
    /// What kind.
    pub kind: ViolationKind,
}

/// Kinds of violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViolationKind {
    /// A read gets a value from another instance than before, or none at all.
    Flow,
    /// Two iterations of a parallel loop touch the same shared cell, one of them writing.
    Race,
    /// The value left at the end comes from another instance.
    LiveOut,
    /// An access leaves its local buffer, or buffers are not what they have to be.
    Bounds,
    /// An instance is missing or executed twice, or one that is not the original's is executed.
    Domain,
}

/// Compares the dataflow of the transformed program, with its storage, with the original's.
///
/// `Ok(None)`: the same.
///
/// # Errors
/// isl's own, among them that the budget ran out.
pub fn validate(
    scop: &Scop,
    dataflow: &Dataflow,
    transformed: &Transformed,
) -> isl::Result<Option<Violation>> {
    if mistake!(TransformUnchecked) {
        return Ok(None);
    }
    validate_with(scop, dataflow, transformed, true)
}

/// With or without what [`numbers::model`] sees at once; the answer is the same.
fn validate_with(
    scop: &Scop,
    dataflow: &Dataflow,
    transformed: &Transformed,
    shortcuts: bool,
) -> isl::Result<Option<Violation>> {
    for check in [checks::form::check, checks::domain::check] {
        if let Some(violation) = check(scop, transformed)? {
            return Ok(Some(violation));
        }
    }
    let violation = check_values(scop, dataflow, transformed, shortcuts)?;
    if violation.is_some() {
        // Where a missing instance is the reason, that says more.
        let arrays: Vec<ArrayId> = (0..scop.arrays.len()).collect();
        let missing = checks::domain::check_missing(scop, dataflow, transformed, &arrays)?;
        return Ok(missing.or(violation));
    }
    Ok(None)
}

/// Everything but the first check.
fn check_values(
    scop: &Scop,
    dataflow: &Dataflow,
    transformed: &Transformed,
    shortcuts: bool,
) -> isl::Result<Option<Violation>> {
    match program::Program::new(scop, dataflow, transformed, shortcuts)? {
        Ok(program) => check_program(&program),
        Err(violation) => Ok(Some(violation)),
    }
}

fn check_program(program: &program::Program) -> isl::Result<Option<Violation>> {
    let (scop, dataflow, transformed) = (program.scop, program.dataflow, program.transformed);
    // Where an array, or a part of it, is kept in local buffers, the checks of its values ask
    // for the writer of every value that is read or left behind, and find that it is missing.
    let in_local = |&array: &ArrayId| {
        let mut touches = program.touches.iter().filter(|t| t.array == array);
        touches.any(|touch| !program.is_full(touch.buffer))
    };
    let arrays: Vec<ArrayId> = (0..scop.arrays.len()).filter(|a| !in_local(a)).collect();
    if let Some(violation) = checks::domain::check_missing(scop, dataflow, transformed, &arrays)? {
        return Ok(Some(violation));
    }
    for check in [
        checks::bounds::check_writes,
        checks::flow::check_internal_reads,
        checks::flow::check_live_in,
    ] {
        if let Some(violation) = check(program)? {
            return Ok(Some(violation));
        }
    }
    let mut exact = Vec::new();
    for array in program.touched_arrays() {
        let violation = match checks::order::check(program, array)? {
            checks::order::Verdict::Preserved => continue,
            checks::order::Verdict::Unknown => None,
            checks::order::Verdict::Violated(violation) => Some(violation),
        };
        if let Some(violation) = checks::bounds::check_reads(program, array)?.or(violation) {
            return Ok(Some(violation));
        }
        if !search::applies(program, array)? {
            exact.push(array);
        } else if let Some(violation) = search::check(program, array)? {
            return Ok(Some(violation));
        }
    }
    if let Some(violation) = checks::flow::check(program, &exact)? {
        return Ok(Some(violation));
    }
    if let Some(violation) = checks::sharing::check(program)? {
        return Ok(Some(violation));
    }
    checks::race::check(program)
}
