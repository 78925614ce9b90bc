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
use crate::scop::linear::{Subscript, step_in_row};
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
        let candidates = rows(scop, statement)?;
        if candidates.iter().any(|name| names.contains(name)) {
            continue;
        }
        for name in candidates {
            let more = [&names[..], &[name]].concat();
            let plan = of_groups(scop, "rows", vec![group(graph, more.clone())]);
            if transform::apply(scop, dataflow, graph, &plan).is_ok() {
                names = more;
                break;
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

/// The variables of the loops whose iterations each have chains of their own of a statement's
/// innermost loop, if they are not neighbours; from inside to outside. Where the first one's iterations
/// wait for each other, as those that look for the least of some sums do, the next one's may not.
fn rows(scop: &Scop, statement: &Statement) -> Result<Vec<String>> {
    let depth = statement.iterators.len();
    let Some(innermost) = depth.checked_sub(1) else {
        return Ok(Vec::new());
    };
    let Some(cell) = chain(scop, statement, innermost)? else {
        return Ok(Vec::new());
    };
    if has_work_between(scop, statement)? {
        return Ok(Vec::new());
    }
    let moves = |k: usize| cell.iter().any(|subscript| subscript.along(k) != 0);
    let Some(nearest) = (0..innermost).rev().find(|&k| moves(k)) else {
        return Ok(Vec::new());
    };
    let mut links = 1i64;
    for k in nearest + 1..depth {
        links = links.saturating_mul(trips(statement, k)?);
    }
    if links <= defaults::UNROLLED_SUM {
        return Ok(Vec::new());
    }
    let Some(cells) = cells(scop, statement)? else {
        return Ok(Vec::new());
    };
    let mut names = Vec::new();
    for row in (0..=nearest).rev().filter(|&k| moves(k)) {
        if neighbours(&cells, row) {
            break;
        }
        let name = &statement.iterators[row].name;
        let inside = &statement.iterators[row + 1..];
        let many = trips(statement, row)? >= 2 * defaults::ROWS;
        if many && inside.iter().all(|own| own.name != *name) {
            names.push(name.clone());
        }
    }
    Ok(names)
}

/// Whether another loop runs between two links of a statement's chain, long enough that nothing waits
/// for the first one.
fn has_work_between(scop: &Scop, statement: &Statement) -> Result<bool> {
    let depth = statement.iterators.len();
    for other in &scop.statements {
        let mut both = statement.iterators.iter().zip(&other.iterators);
        if other.iterators.len() <= depth || !both.all(|(own, other)| own.name == other.name) {
            continue;
        }
        let mut turns = 1i64;
        for k in depth..other.iterators.len() {
            turns = turns.saturating_mul(trips(other, k)?);
        }
        if turns >= defaults::TURNS_BETWEEN_LINKS {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The cells that a statement uses of arrays that are not the region's own, if all are known.
fn cells(scop: &Scop, statement: &Statement) -> Result<Option<Vec<Vec<Subscript>>>> {
    let mut cells = Vec::new();
    for access in &statement.accesses {
        if matches!(scop.arrays[access.array].origin, Origin::Region { .. }) {
            continue;
        }
        match scop.subscripts(access)? {
            Some(cell) => cells.push(cell),
            None => return Ok(None),
        }
    }
    Ok(Some(cells))
}

/// Whether cells that follow one another along a loop are next to each other, or the same.
fn neighbours(cells: &[Vec<Subscript>], row: usize) -> bool {
    cells.iter().all(|cell| step_in_row(cell, row).is_some())
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
