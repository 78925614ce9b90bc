//! Which parallel loops run several iterations side by side in the sequential loops in them.
//!
//! ```text
//! parallel i
//!   s = 0
//!   j                         each addition waits for the one before it
//!     s += a[i][j] * x[j]
//!   y[i] = s
//! ```
//!
//! C compilers leave floating-point sums and recurrences in their order, and seldom find the loop
//! outside whose iterations are independent. Four of them take little longer than one, which waits
//! for its own results most of the time. Cells that are next to each other along that loop are for
//! vector lanes ([`super::lanes`]) or tiles.

use super::everything;
use super::of_groups;
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::stages::StageGraph;
use crate::analysis::trips::trips;
use crate::plan::{Group, Shape, Tiles, defaults};
use crate::scop::linear::Subscript;
use crate::scop::{AccessKind, Origin, Scop, Statement};
use crate::transform;
use isl::Result;

/// Iterations of a recurrence that are looked for in front of one.
const DISTANCES: i64 = 4;

/// The variables of the loops to run so, as they were written.
///
/// # Errors
/// isl's own.
pub(super) fn choose(scop: &Scop, dataflow: &Dataflow, graph: &StageGraph) -> Result<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for statement in &scop.statements {
        if let Some(name) = row(scop, statement)? {
            if names.contains(&name) {
                continue;
            }
            let more = [&names[..], &[name]].concat();
            let plan = of_groups(scop, "rows", vec![group(graph, more.clone())]);
            if transform::apply(scop, dataflow, graph, &plan).is_ok() {
                names = more;
            }
        }
    }
    Ok(names)
}

/// Everything as written, with these loops' iterations side by side.
pub(super) fn group(graph: &StageGraph, rows: Vec<String>) -> Group {
    let mut group = everything(graph, Shape::None);
    if let Tiles::Written(tiles) = &mut group.tiles {
        tiles.rows = rows;
    }
    group
}

/// The variable of the loop whose iterations each have a chain of their own of a statement's
/// innermost loop, if they are not neighbours.
fn row(scop: &Scop, statement: &Statement) -> Result<Option<String>> {
    let depth = statement.iterators.len();
    let Some(innermost) = depth.checked_sub(1) else {
        return Ok(None);
    };
    let Some(cell) = chain(scop, statement, innermost)? else {
        return Ok(None);
    };
    let moves = |k: usize| cell.iter().any(|subscript| subscript.along(k) != 0);
    let Some(row) = (0..innermost).rev().find(|&k| moves(k)) else {
        return Ok(None);
    };
    let mut links = 1i64;
    for k in row + 1..depth {
        links = links.saturating_mul(trips(statement, k)?);
    }
    let many = trips(statement, row)? >= 2 * defaults::ROWS;
    if links <= defaults::UNROLLED_SUM || !many {
        return Ok(None);
    }
    let mut neighbours = true;
    for access in &statement.accesses {
        let array = &scop.arrays[access.array];
        if matches!(array.origin, Origin::Region { .. }) {
            continue;
        }
        let Some(cell) = scop.subscripts(access)? else {
            return Ok(None);
        };
        let Some((last, outer)) = cell.split_last() else {
            continue;
        };
        let own = |subscript: &Subscript| subscript.along(row);
        neighbours &=
            outer.iter().all(|subscript| own(subscript) == 0) && matches!(own(last), 0 | 1);
    }
    let name = &statement.iterators[row].name;
    let inside = statement.iterators[row + 1..].iter();
    Ok((!neighbours && inside.clone().all(|own| own.name != *name)).then(|| name.clone()))
}

/// The cell of floating-point numbers that a statement computes from what it computed some
/// iterations of its innermost loop ago.
fn chain(scop: &Scop, statement: &Statement, innermost: usize) -> Result<Option<Vec<Subscript>>> {
    let of = |kind| statement.accesses.iter().filter(move |a| a.kind == kind);
    let mut writes = of(AccessKind::Write);
    let (Some(write), None) = (writes.next(), writes.next()) else {
        return Ok(None);
    };
    if !scop.arrays[write.array].element.kind.is_plain_float() {
        return Ok(None);
    }
    let Some(cell) = scop.subscripts(write)? else {
        return Ok(None);
    };
    for read in of(AccessKind::Read).filter(|read| read.array == write.array) {
        let Some(read) = scop.subscripts(read)? else {
            return Ok(None);
        };
        for distance in -DISTANCES..=DISTANCES {
            let before = cell.iter().map(|own| own.forward(innermost, distance));
            let Some(before) = before.collect::<Option<Vec<_>>>() else {
                return Ok(None);
            };
            let still = cell.iter().all(|s| s.along(innermost) == 0);
            if read == before && (still || distance != 0) {
                return Ok(Some(cell));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
