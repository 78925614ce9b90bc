//! Which pass makes a text differ: the passes are done one more at a time, and the text after each of
//! them is executed beside the original.

use super::attempts::{Attempt, attempt};
use super::certify::{Certified, Certify};
use super::{Options, Region, compile_noting};
use crate::codegen::passes::Pass;
use crate::diagnostic::Diagnostic;
use crate::plan::{Plan, RegionPlan};
use crate::source::Source;
use std::collections::BTreeSet;
use std::fmt;
use tilewright_certify::{Difference, Kind};

/// Text that was executed beside the original, and differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Differed {
    /// On which input, and how.
    pub difference: String,
    /// The first pass after which it does, where it does then.
    pub pass: Option<Pass>,
}

impl fmt::Display for Differed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.difference)?;
        match self.pass {
            Some(pass) => write!(f, "; first after pass `{}`", pass.name()),
            None => Ok(()),
        }
    }
}

/// Executes the text of an attempt beside the original.
type Certifying<'a> = &'a dyn Fn(&Attempt) -> Result<Option<Certified>, Box<Difference>>;

/// The first pass after which the text of a plan differs. A prefix of the passes for which there is no
/// code, as isl's budget runs out where nests are not taken apart, say, is passed over, and so is one
/// that is not done in time: without their bounds, loops run to the largest value of a type.
pub(super) fn first_wrong(
    (region, original): (&Region, &Region),
    plan: &RegionPlan,
    options: &Options,
    taken: &BTreeSet<String>,
    certify: Certifying<'_>,
) -> Option<Pass> {
    Pass::ALL.into_iter().find(|&until| {
        let options = Options {
            until,
            ..options.clone()
        };
        let regions = match until {
            Pass::Lower => (original, original),
            _ => (region, original),
        };
        let done = attempt(regions, (plan, true), &options, taken, true, &mut |_| {});
        let Some(difference) = done.ok().and_then(|done| certify(&done).err()) else {
            return false;
        };
        until >= Pass::Restore || difference.kind != Kind::Endless
    })
}

/// The first text for a file that differs from its original, and the pass that makes it so; `None`
/// where none does.
///
/// # Errors
/// As [`super::compile`], of files for which nothing was generated.
pub fn first_wrong_pass(
    source: &Source,
    options: &Options,
    plan: Option<&Plan>,
) -> Result<Option<Differed>, Vec<Diagnostic>> {
    let options = Options {
        certify: match options.certify {
            Certify::Never => Certify::Quick,
            how => how,
        },
        ..options.clone()
    };
    let mut differed = Vec::new();
    let done = compile_noting(source, &options, plan, &mut |_| {}, &mut differed);
    match (differed.into_iter().next(), done) {
        (Some(first), _) => Ok(Some(first)),
        (None, done) => done.map(|_| None),
    }
}
