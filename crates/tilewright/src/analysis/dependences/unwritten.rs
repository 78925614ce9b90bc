//! Temporaries of the region that are read before anything is written to them.
//!
//! C says nothing of what such a read gives. Where the program does not do it, what wrote the
//! value was lost on the way here; both must be said before anything is made of the region.

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::dependences::memory::WriteRole;
use crate::diagnostic::{Code, Diagnostic};
use crate::mistakes::mistake;
use crate::scop::{AccessId, Action, ArrayId, Expr, Origin, Scop, Statement};
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
            || begins_with_write(&scop.statements[read.statement], read.array)
        {
            continue;
        }
        let assumed = scop.assumed(read.statement);
        // The program reads no others.
        let cells = array.inside(&exposed.range()?, 0)?;
        let readers = exposed.intersect_range(&cells)?.domain()?;
        let readers = readers.intersect_params(assumed)?;
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

/// Whether the first that a statement's body does with an array, in its text's order, is to write it:
/// what it reads behind that, under the same condition, has a value.
fn begins_with_write(statement: &Statement, array: ArrayId) -> bool {
    let is = |access: AccessId| statement.accesses[access].array == array;
    let mut first = None;
    let reads = |expr: &Expr, first: &mut Option<bool>| {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            expr.walk(&mut |e| {
                let accesses = match e {
                    Expr::Access(access) => std::slice::from_ref(access),
                    Expr::Row { accesses, .. } => accesses,
                    Expr::Effect { state, .. } => state,
                    _ => return,
                };
                for &access in accesses {
                    if is(access) {
                        first.get_or_insert(false);
                    }
                    pending.extend(&statement.accesses[access].subscripts);
                }
            });
        }
    };
    let mut visit = |action: &Action| match action {
        Action::Assign { target, value } => {
            reads(value, &mut first);
            for subscript in &statement.accesses[*target].subscripts {
                reads(subscript, &mut first);
            }
            if is(*target) {
                first.get_or_insert(true);
            }
        }
        Action::Local { value, .. } => value.iter().for_each(|value| reads(value, &mut first)),
        Action::SetLocal { value, .. } | Action::Call(value) => reads(value, &mut first),
        Action::If { condition, .. } | Action::Repeat { condition, .. } => {
            reads(condition, &mut first);
        }
        Action::Leave => {}
    };
    Action::walk(&statement.body, &mut visit);
    first == Some(true)
}
