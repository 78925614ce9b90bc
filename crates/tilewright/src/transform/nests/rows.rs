//! Iterations of a parallel loop side by side in the sequential loops in it: unroll-and-jam of a
//! nest that is not perfect (Callahan, Cocke & Kennedy, *Estimating interlock and improving balance
//! for pipelined architectures*, 1988).
//!
//! ```text
//! parallel i                      i, four at a time
//!   s = 0                           s0 = 0 … s3 = 0
//!   j                        →      j
//!     s += a[i][j] * x[j]             s0 += a[i][j] * x[j] … s3 += a[i + 3][j] * x[j]
//!   b[i] = s                        b[i] = s0 … b[i + 3] = s3
//! ```
//!
//! Here the loops are marked that are parallel and have loops in them which do not depend on which
//! iteration it is; they are written out by [`crate::codegen::passes::rows`].

use super::named::Named;
use crate::plan::defaults::ROWS;
use crate::scop::Scop;
use crate::scop::tree::marks::Mark;
use crate::transform::TransformError;
use isl::{DimType, Result, Schedule, ScheduleNode, Set, UnionMap};

/// Marks the loops over the variables `names` whose iterations can run side by side.
///
/// # Errors
/// [`TransformError::Plan`] where there is none over one of them; isl's own.
pub(crate) fn marked(
    scop: &Scop,
    schedule: &Schedule,
    dependences: &UnionMap,
    names: &[String],
) -> std::result::Result<Schedule, TransformError> {
    let what = Named {
        scop,
        dependences,
        asked: "rows",
    };
    what.each(schedule, names, &|node, name, parallel| {
        if !parallel || !has_loops_of_its_own(scop, node, name)? {
            return Ok(None);
        }
        Ok(Some(Mark::Rows(ROWS).above(node)?))
    })
}

/// Whether the loops in a loop are the same in all its iterations.
fn has_loops_of_its_own(scop: &Scop, node: &ScheduleNode, name: &str) -> Result<bool> {
    for set in node.get_domain()?.sets()? {
        let tuple = set.get_tuple_name()?;
        let Some(statement) = scop.statement_named(&tuple).map(|id| &scop.statements[id]) else {
            return Ok(false);
        };
        let own = statement.iterators.iter().position(|own| own.name == name);
        let Some(own) = own else {
            return Ok(false);
        };
        if !is_same_in_all(&set, own)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the values of the variables behind one do not depend on it.
fn is_same_in_all(set: &Set, own: usize) -> Result<bool> {
    let depth = set.dim(DimType::Set)?;
    let inner = depth - own - 1;
    let set = set.reset_tuple_id()?;
    let outside =
        set.project_out(DimType::Set, own + 1, inner)?
            .insert_dims(DimType::Set, own + 1, inner)?;
    let others = set
        .project_out(DimType::Set, own, 1)?
        .insert_dims(DimType::Set, own, 1)?;
    outside.intersect(&others)?.is_equal(&set)
}
