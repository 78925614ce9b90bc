//! Arrays of which different iterations of a loop touch the same cell, one of them writing, wherever the
//! program has it: nothing renamed, no value followed.

use crate::analysis::dependences::dataflow::{Touched, touched};
use crate::scop::{ArrayId, Origin, Scop, StatementId};
use isl::{DimType, Result};
use std::collections::BTreeSet;

/// The arrays and scalars that keep iterations of the outermost loops around some statements, so many of
/// them, from running side by side. Not asked of what is declared in the outermost.
///
/// # Errors
/// isl's own.
pub(crate) fn met(
    scop: &Scop,
    statements: &[StatementId],
    loops: usize,
) -> Result<BTreeSet<ArrayId>> {
    let all: Vec<Touched> = touched(scop)?
        .into_iter()
        .filter(|touch| statements.contains(&touch.statement))
        .collect();
    let mut found = BTreeSet::new();
    for first in all.iter().filter(|touch| touch.role.is_some()) {
        let array = &scop.arrays[first.array];
        let own = matches!(array.origin, Origin::Region { depth } if depth > 0);
        if own || found.contains(&first.array) {
            continue;
        }
        for second in all.iter().filter(|touch| touch.array == first.array) {
            let assumed = scop.assumed(first.statement);
            let other = scop.assumed(second.statement);
            let pairs = first
                .relation
                .intersect_params(assumed)?
                .apply_range(&second.relation.intersect_params(other)?.reverse()?)?;
            let mut apart = true;
            let mut equal = pairs;
            for k in 0..loops {
                apart &= equal
                    .order_lt(DimType::In, k, DimType::Out, k)?
                    .is_empty()?
                    && equal
                        .order_gt(DimType::In, k, DimType::Out, k)?
                        .is_empty()?;
                equal = equal.equate(DimType::In, k, DimType::Out, k)?;
            }
            if !apart {
                found.insert(first.array);
                break;
            }
        }
    }
    Ok(found)
}
