//! Sums whose updates are atomic: which statements have to be.
//!
//! [`super::loops`] runs a loop in parallel that only updates of such sums keep from it
//! ([`crate::analysis::reductions`]); an update in a loop that is parallel without that stays as it
//! is.

use super::TransformError;
use crate::analysis::dependences::carried::parallel_members;
use crate::analysis::reductions::{Reduction, reductions};
use crate::scop::tree::{marks::Mark, walk};
use crate::scop::{Scop, StatementId};
use isl::{Schedule, UnionMap};

/// The sums of a group whose updates are to be atomic.
///
/// # Errors
/// [`TransformError::Plan`] for names of arrays that are no such sums.
pub(crate) fn sums(scop: &Scop, names: &[String]) -> Result<Vec<Reduction>, TransformError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let all = reductions(scop);
    let named = |name: &String| {
        let found = all.iter().find(|r| scop.arrays[r.array].name == *name);
        found.cloned().ok_or_else(|| {
            TransformError::Plan(format!("`{name}` is no array that the region only adds to"))
        })
    };
    names.iter().map(named).collect()
}

/// The updates in loops that are parallel only because these are atomic.
pub(crate) fn updates(
    scop: &Scop,
    schedule: &Schedule,
    dependences: &UnionMap,
    sums: &[Reduction],
) -> isl::Result<Vec<StatementId>> {
    let mut found = Vec::new();
    if sums.is_empty() {
        return Ok(found);
    }
    for (mark, node) in walk::marks(&schedule.get_root()?)? {
        if mark != Mark::Parallel {
            continue;
        }
        let band = node.child(0)?;
        if parallel_members(&band, dependences, true)?.first() == Some(&false) {
            for set in band.get_domain()?.sets()? {
                let id = scop.statement_named(&set.get_tuple_name()?);
                found.extend(id.filter(|&id| sums.iter().any(|sum| sum.has(id))));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
