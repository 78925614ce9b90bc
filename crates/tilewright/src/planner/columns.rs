//! Which parallel loops run inside the sequential ones in them, which walk down the columns of arrays
//! otherwise.
//!
//! ```text
//! k                               k
//!   parallel j                      strips of j
//!     i                       →       i
//!       r[j] += q[i] * a[i][j]          j in the strip: r[j] += q[i] * a[i][j]
//!     i                               i
//!       a[i][j] -= q[i] * r[j]          j in the strip: a[i][j] -= q[i] * r[j]
//! ```
//!
//! isl's scheduler finds that order where it may put `j` outermost. Inside of a loop whose iterations
//! depend on each other, as the steps of a factorisation, it looks for loops that can be tiled together,
//! and leaves `i` innermost.

use super::keep::{across_rows, all_long_loops};
use super::{LANES, in_lanes, of_groups};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::stages::StageGraph;
use crate::analysis::trips::trips;
use crate::plan::defaults;
use crate::scop::linear::step_in_row;
use crate::scop::{AccessKind, Origin, Scop, Statement, StatementId};
use crate::transform;
use isl::Result;

/// The variables of the loops to move inside: all of the deepest statements walk down columns without,
/// and along rows with them; no other statement in one of these loops crosses rows then.
///
/// # Errors
/// isl's own.
pub(super) fn choose(scop: &Scop, dataflow: &Dataflow, graph: &StageGraph) -> Result<Vec<String>> {
    let long = all_long_loops(scop)?;
    let deepest = long.iter().map(Vec::len).max().unwrap_or(0);
    let mut names: Vec<String> = Vec::new();
    for id in (0..long.len()).filter(|&id| long[id].len() == deepest) {
        let Some(name) = column(scop, id, &long[id])? else {
            return Ok(Vec::new());
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for statement in &scop.statements {
        let mut own = (0..statement.iterators.len()).rev();
        let inside = own.find(|&k| names.contains(&statement.iterators[k].name));
        if let Some(k) = inside
            && walk(scop, statement, k)?.is_none()
        {
            return Ok(Vec::new());
        }
    }
    if names.is_empty() {
        return Ok(names);
    }
    let plan = of_groups(scop, LANES, vec![in_lanes(graph, names.clone())]);
    Ok(match transform::apply(scop, dataflow, graph, &plan) {
        Ok(_) => names,
        Err(_) => Vec::new(),
    })
}

/// The variable of the loop around the innermost one of a statement along which it walks through rows, if
/// that one walks across them; not of the outermost loop.
fn column(scop: &Scop, id: StatementId, long: &[usize]) -> Result<Option<String>> {
    let statement = &scop.statements[id];
    let (Some(&innermost), Some(&outermost)) = (long.last(), long.first()) else {
        return Ok(None);
    };
    if innermost + 1 != statement.iterators.len() {
        return Ok(None);
    }
    let mut crosses = false;
    for access in &statement.accesses {
        if let Some(cell) = scop.subscripts(access)? {
            let array = &scop.arrays[access.array];
            crosses |= across_rows(array, &cell, statement, long, innermost)?;
        }
    }
    if !crosses {
        return Ok(None);
    }
    for k in (outermost + 1..innermost).rev() {
        let moves = matches!(walk(scop, statement, k)?, Some(true));
        let many = trips(statement, k)? >= defaults::LEAST_VECTOR;
        let name = &statement.iterators[k].name;
        let once = statement.iterators.iter().filter(|own| own.name == *name);
        if moves && many && once.count() == 1 && statement.domain.get_stride(k)?.is_one()? {
            return Ok(Some(name.clone()));
        }
    }
    Ok(None)
}

/// Whether a statement walks along rows with a loop, and writes there; `None` where it crosses some, or
/// nobody knows.
fn walk(scop: &Scop, statement: &Statement, k: usize) -> Result<Option<bool>> {
    let mut writes = false;
    for access in &statement.accesses {
        // A temporary has a cell for each iteration of the loops that it is declared in.
        if let Origin::Region { depth } = scop.arrays[access.array].origin {
            writes |= access.kind != AccessKind::Read && depth > k;
            continue;
        }
        let Some(cell) = scop.subscripts(access)? else {
            return Ok(None);
        };
        let Some(step) = step_in_row(&cell, k) else {
            return Ok(None);
        };
        writes |= access.kind != AccessKind::Read && step == 1;
    }
    Ok(Some(writes))
}
