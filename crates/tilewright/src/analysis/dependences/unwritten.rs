//! Temporaries of the region that are read before anything is written to them.
//!
//! C says nothing of what such a read gives. Where the program does not do it, what wrote the
//! value was lost on the way here; both must be said before anything is made of the region.

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::dependences::memory::WriteRole;
use crate::diagnostic::{Code, Diagnostic};
use crate::mistakes::mistake;
use crate::scop::{ArrayId, Origin, Scop};
use std::collections::BTreeSet;

/// The first read of a temporary of the region that certainly happens and to which no earlier
/// write comes, be it one that only may happen. A read that depends on data counts where none of
/// its instances has a value.
///
/// # Errors
/// isl's own.
pub(crate) fn unwritten(scop: &Scop, dataflow: &Dataflow) -> isl::Result<Option<Diagnostic>> {
    if mistake!(TemporariesOfData) {
        return Ok(None);
    }
    // What an earlier action of the same body may have written.
    let own: BTreeSet<(usize, ArrayId)> = dataflow
        .touched()
        .iter()
        .filter(|t| matches!(t.role, Some(WriteRole::May)))
        .map(|t| (t.statement, t.array))
        .collect();
    for read in dataflow.touched() {
        let Some(exposed) = &read.exposed else {
            continue;
        };
        let array = &scop.arrays[read.array];
        if !matches!(array.origin, Origin::Region { .. })
            || own.contains(&(read.statement, read.array))
        {
            continue;
        }
        let assumed = scop.assumed(read.statement);
        let readers = exposed.domain()?.intersect_params(assumed)?;
        let mut left = readers.clone();
        for edge in &dataflow.edges {
            if (edge.reader, edge.access) == (read.statement, read.access) {
                for sources in edge.sources.maps()? {
                    left = left.subtract(&sources.range()?)?;
                }
            }
        }
        let access = &scop.statements[read.statement].accesses[read.access];
        let certain = if access.exact {
            !left.is_empty()?
        } else {
            readers.is_subset(&left)? && !readers.is_empty()?
        };
        if certain {
            return Ok(Some(
                Diagnostic::error(
                    Code::Unwritten,
                    format!("`{}` is read before it has a value", array.base),
                )
                .at(access.span, "read here")
                .also(array.span, "declared here")
                .help("give it a value where it is declared"),
            ));
        }
    }
    Ok(None)
}
