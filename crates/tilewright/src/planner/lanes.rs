//! Which parallel loops run inside the sums in them.
//!
//! ```text
//! parallel x
//!   s = 0
//!   c, i, j                         a sum over loops that x is not in
//!     s += in[c][y + i][x + j] * w[c][i][j]
//!   out[y][x] = s
//! ```
//!
//! C compilers leave a floating-point sum in its order, and seldom find the loop outside of it
//! whose sums are independent, next to each other in memory. They do where the sum is a window that
//! they unroll; then the loops stay as they are.

use super::{in_lanes, of_groups};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::stages::StageGraph;
use crate::analysis::trips::trips;
use crate::plan::defaults;
use crate::scop::linear::{Subscript, step_in_row};
use crate::scop::{AccessKind, ArrayId, Origin, Scop, Statement, StatementId};
use crate::transform;
use isl::Result;

/// Sums next to each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    /// The variables of the loops whose iterations each make one.
    pub lanes: Vec<String>,
    /// The statements that add.
    pub statements: Vec<StatementId>,
}

/// The sums of a region that run side by side, and do not gain from tiles: what a sum reads again it
/// reads in a window, or it is made in a variable, and all arrays fit a second cache (`cached`) or no
/// sum of a strip reads what the next one does not read, too, but for its own cells: polynomials,
/// forces between all pairs of points. Sums in arrays are made in tiles of registers.
///
/// # Errors
/// isl's own.
pub(super) fn sums(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    cached: bool,
) -> Result<Sums> {
    let mut found = Sums::default();
    for (id, statement) in scop.statements.iter().enumerate() {
        let Some(lane) = lane(scop, statement, cached)? else {
            continue;
        };
        found.statements.push(id);
        if !found.lanes.contains(&lane) {
            found.lanes.push(lane);
        }
    }
    // All loops of a name are moved.
    let others = (0..scop.statements.len()).filter(|id| !found.statements.contains(id));
    let around = |id: StatementId| {
        let iterators = &scop.statements[id].iterators;
        let outer = iterators.split_last().map_or(&[][..], |(_, outer)| outer);
        outer.iter().any(|own| found.lanes.contains(&own.name))
    };
    if found.lanes.is_empty() || others.into_iter().any(around) {
        return Ok(Sums::default());
    }
    let group = in_lanes(graph, found.lanes.clone());
    let plan = of_groups(scop, "original", vec![group]);
    Ok(match transform::apply(scop, dataflow, graph, &plan) {
        Ok(_) => found,
        Err(_) => Sums::default(),
    })
}

/// The variable of the loop outside of a statement's sum along which its cells, and all that it
/// reads, are neighbours or the same.
fn lane(scop: &Scop, statement: &Statement, cached: bool) -> Result<Option<String>> {
    let depth = statement.iterators.len();
    let Some((array, cell)) = sum(scop, statement)? else {
        return Ok(None);
    };
    let in_variable = is_temporary(scop, array);
    let moves = |k: usize| cell.iter().any(|subscript| subscript.along(k) != 0);
    let Some(lane) = (0..depth).rev().find(|&k| moves(k)) else {
        return Ok(None);
    };
    // How long the sum is, and whether it is one over windows.
    let (mut terms, mut window) = (1i64, false);
    for k in lane + 1..depth {
        let trips = trips(statement, k)?;
        terms = terms.saturating_mul(trips);
        window |= trips <= defaults::SHORT_LOOP;
    }
    let short = terms <= defaults::UNROLLED_SUM;
    if short || !(window || in_variable) || trips(statement, lane)? < defaults::LEAST_VECTOR {
        return Ok(None);
    }
    if !statement.domain.get_stride(lane)?.is_one()? {
        return Ok(None);
    }
    let (mut neighbours, mut planes) = (false, false);
    for access in &statement.accesses {
        if is_temporary(scop, access.array) {
            continue;
        }
        let Some(cell) = scop.subscripts(access)? else {
            return Ok(None);
        };
        let Some(step) = step_in_row(&cell, lane) else {
            return Ok(None);
        };
        neighbours |= step == 1;
        let inside = |subscript: &Subscript| (lane + 1..depth).any(|k| subscript.along(k) != 0);
        planes |= step == 1 && cell.iter().any(inside);
    }
    if planes && !window && !cached {
        return Ok(None);
    }
    let name = statement.iterators[lane].name.clone();
    let outside = statement.iterators[..lane].iter();
    Ok((neighbours && outside.clone().all(|own| own.name != name)).then_some(name))
}

/// The array and the cell of floating-point numbers that a statement adds to.
fn sum(scop: &Scop, statement: &Statement) -> Result<Option<(ArrayId, Vec<Subscript>)>> {
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
        if scop.subscripts(read)?.as_ref() != Some(&cell) {
            return Ok(None);
        }
    }
    let adds = of(AccessKind::Read).any(|read| read.array == write.array);
    Ok(adds.then_some((write.array, cell)))
}

fn is_temporary(scop: &Scop, array: ArrayId) -> bool {
    matches!(scop.arrays[array].origin, Origin::Region { .. })
}
