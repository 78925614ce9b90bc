//! Whether loops stay as they were written, and run in parallel.
//!
//! Tiles, interchange and distribution of loops pay where a cell is used again in another iteration
//! of an outer loop, after more than a cache holds: products of matrices. What has a parallel loop
//! outside, walks through memory in its order inside, and uses rows at most again, as elementwise
//! loops, windows and recurrences along rows do, has nothing to gain: its order is the best one for
//! caches and for a C compiler's vector loops. Where no loop outside is parallel, it has nothing to
//! gain on one thread, and threads that meet in every iteration of a loop outside have little, unless
//! tiles of an inner loop may go outside ([`turns_outwards`]).

mod outside;

use super::{Fusion, Wishes, band_sizes, columns, everything, lanes, of_groups, rows};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::stages::StageGraph;
use crate::analysis::trips::trips;
use crate::plan::{Fuse, Shape, Tiles, defaults};
use crate::scop::linear::Subscript;
use crate::scop::tree::walk;
use crate::scop::{AccessKind, Array, ArrayId, Origin, Scop, Statement, StatementId};
use crate::transform::nests::scheduled;
use crate::transform::{self, TransformError, Transformed};
use isl::{DimType, Result};
use outside::{Outside, nests};

/// What the order of the region as it is, is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Nothing more than others.
    Surpassed,
    /// It is the best one, with its outermost loops in parallel.
    Parallel,
    /// It is the best one, on one thread.
    Alone,
}

/// Variables of parallel loops that run inside the sums in them, where that, and the order as written
/// otherwise, is the best one.
///
/// # Errors
/// isl's own.
pub(super) fn in_lanes(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
) -> Result<Vec<String>> {
    if !may_turn(scop, wishes) {
        return Ok(Vec::new());
    }
    let sums = lanes::sums(scop, dataflow, graph, is_cached(scop, wishes)?)?;
    if sums.lanes.is_empty() {
        return Ok(Vec::new());
    }
    let written = best(scop, dataflow, graph, &sums.statements)?;
    Ok(match written {
        Written::Parallel => sums.lanes,
        Written::Surpassed | Written::Alone => Vec::new(),
    })
}

/// Variables of parallel loops whose iterations run side by side in the sequential loops in them,
/// where nothing is asked for.
///
/// # Errors
/// isl's own.
pub(super) fn rows(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
) -> Result<Vec<String>> {
    if is_anything_asked(wishes) || !wishes.loops.is_empty() || !scop.loops.bounds.is_empty() {
        return Ok(Vec::new());
    }
    rows::choose(scop, dataflow, graph)
}

/// Whether the order of the region as it is is the best one.
///
/// # Errors
/// isl's own.
pub(super) fn as_written(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
) -> Result<Written> {
    if is_asked(wishes) {
        return Ok(Written::Surpassed);
    }
    let written = best(scop, dataflow, graph, &[])?;
    if written == Written::Alone && turns_outwards(scop, dataflow, graph, wishes)? {
        return Ok(Written::Surpassed);
    }
    Ok(written)
}

/// Variables of parallel loops that run inside the sequential ones in them, where the affine scheduler
/// finds no order with a parallel loop outside, and vectors inside.
///
/// # Errors
/// isl's own.
pub(super) fn columns(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
) -> Result<Vec<String>> {
    if !may_turn(scop, wishes) {
        return Ok(Vec::new());
    }
    let names = columns::choose(scop, dataflow, graph)?;
    if names.is_empty() {
        return Ok(names);
    }
    if let Ok(other) = in_tiles(scop, dataflow, graph, wishes)? {
        let outside = Outside::of(scop, &walk::top(&other.schedule)?)?;
        let times = other.schedule.get_map()?;
        let mut inside = true;
        for statement in &scop.statements {
            let mut own = (0..statement.iterators.len()).rev();
            if let Some(k) = own.find(|&k| names.contains(&statement.iterators[k].name)) {
                inside &= is_innermost(&times, statement, k)?;
            }
        }
        if outside.parallel && inside {
            return Ok(Vec::new());
        }
    }
    Ok(names)
}

/// Whether stages pass nothing but a scalar for each iteration to one another, and nothing is asked
/// for: together in one body as they were written, they need a variable where tiles need arrays.
pub(super) fn passes_scalars(scop: &Scop, graph: &StageGraph, wishes: &Wishes) -> bool {
    let is_scalar = |array: &ArrayId| {
        let array = &scop.arrays[*array];
        matches!(array.origin, Origin::Region { depth } if depth > 0 && depth == array.extents.len())
    };
    let mut passed = graph
        .edges
        .iter()
        .filter(|(from, to)| from != to)
        .peekable();
    let some = passed.peek().is_some();
    let scalars = passed.all(|(from, _)| graph.stages[*from].arrays.iter().all(is_scalar));
    !is_anything_asked(wishes) && some && scalars
}

/// Whether parallel loops may run inside of others for the vector unit: nothing else is asked for, and no
/// bounds are data.
fn may_turn(scop: &Scop, wishes: &Wishes) -> bool {
    !is_anything_asked(wishes)
        && wishes.processor.vectorise
        && wishes.loops.is_empty()
        && scop.loops.bounds.is_empty()
}

/// Whether another order, or another way of finding one, is asked for.
fn is_anything_asked(wishes: &Wishes) -> bool {
    is_asked(wishes)
        || wishes.pipelines.fusion != Fusion::default()
        || wishes.pipelines.overlap.is_some()
}

/// Whether another order is asked for.
fn is_asked(wishes: &Wishes) -> bool {
    wishes.shape.is_some()
        || wishes.fuse.is_some()
        || wishes.tile_sizes.is_some()
        || wishes.processor.separate
        || wishes.device.is_some()
}

/// What the order as it is, is good for, where nothing else is to be gained from `settled` statements.
fn best(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    settled: &[StatementId],
) -> Result<Written> {
    let loops = all_long_loops(scop)?;
    let deepest = loops.iter().map(Vec::len).max().unwrap_or(0);
    let mut gained = false;
    for (statement, long) in loops.iter().enumerate() {
        gained = gained
            || !settled.contains(&statement)
                && gains(scop, statement, long, long.len() == deepest)?;
    }
    if gained && !settled.is_empty() {
        return Ok(Written::Surpassed);
    }
    let plan = of_groups(scop, "original", vec![everything(graph, Shape::None)]);
    let mut written = Outside::default();
    if let Ok(transformed) = transform::apply(scop, dataflow, graph, &plan) {
        let root = walk::top(&transformed.schedule)?;
        written = Outside::of(scop, &root)?;
    }
    let affine = || {
        let group = everything(graph, Shape::Parallelogram);
        let plan = of_groups(scop, "affine", vec![group]);
        transform::apply(scop, dataflow, graph, &plan)
    };
    let own = nests(scop, &walk::top(&scop.schedule)?)?;
    // In one body, what many statements pass to one another is in registers; apart, it is in arrays.
    let many = scop.statements.len() > defaults::SCHEDULED_APART;
    if gained && many && written.parallel && own == 1 {
        return Ok(Written::Parallel);
    }
    if gained {
        return Ok(match affine() {
            Ok(other) if loses_vectors(scop, &other.schedule, &loops)? => match written.parallel {
                true => Written::Parallel,
                false => Written::Alone,
            },
            _ => Written::Surpassed,
        });
    }
    if written.parallel && !written.shared {
        return Ok(Written::Parallel);
    }
    // Others may bring loops together that share cells.
    let fewer = own > 1 && {
        let Ok(Some(other)) = scheduled::of_all(scop, dataflow, graph, Fuse::default()) else {
            return Ok(Written::Surpassed);
        };
        nests(scop, &walk::top(&other)?)? < own
    };
    Ok(if fewer {
        Written::Surpassed
    } else if written.parallel {
        Written::Parallel
    } else {
        Written::Alone
    })
}

/// Whether the affine scheduler makes a parallel loop of one inside of the loops around the only deep
/// statement, outside, with the same vector loops inside, as where each iteration of an outer loop
/// updates a row, or makes one of the row before: threads meet once, and tiles of a row stay in a cache.
fn turns_outwards(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
) -> Result<bool> {
    let loops = all_long_loops(scop)?;
    let deepest = loops.iter().map(Vec::len).max().unwrap_or(0);
    let mut deep = (0..loops.len()).filter(|&id| loops[id].len() == deepest);
    let (Some(_), None) = (deep.next(), deep.next()) else {
        return Ok(false);
    };
    if deepest < 2 {
        return Ok(false);
    }
    let Ok(other) = in_tiles(scop, dataflow, graph, wishes)? else {
        return Ok(false);
    };
    let outside = Outside::of(scop, &walk::top(&other.schedule)?)?;
    Ok(outside.parallel && !loses_vectors(scop, &other.schedule, &loops)?)
}

/// What the affine scheduler makes of the region, in tiles of the usual sizes.
fn in_tiles(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    wishes: &Wishes,
) -> Result<std::result::Result<Transformed, TransformError>> {
    let mut group = everything(graph, Shape::Parallelogram);
    if let Tiles::Affine(tiles) = &mut group.tiles {
        band_sizes(scop, tiles, wishes)?;
    }
    let plan = of_groups(scop, "affine", vec![group]);
    Ok(transform::apply(scop, dataflow, graph, &plan))
}

/// Whether the affine scheduler would put another loop innermost in place of one that walks through
/// memory in its order and writes another cell in each iteration: a C compiler's vector loop is worth
/// more than tiles and threads.
fn loses_vectors(scop: &Scop, schedule: &isl::Schedule, loops: &[Vec<usize>]) -> Result<bool> {
    let deepest = loops.iter().map(Vec::len).max().unwrap_or(0);
    let times = schedule.get_map()?;
    for (id, statement) in scop.statements.iter().enumerate() {
        let last = statement.iterators.len().wrapping_sub(1);
        if loops[id].len() < deepest || loops[id].last() != Some(&last) {
            continue;
        }
        let (mut walks, mut writes) = (true, false);
        for access in &statement.accesses {
            let Some(cell) = scop.subscripts(access)? else {
                continue;
            };
            let array = &scop.arrays[access.array];
            walks &= !across_rows(array, &cell, statement, &loops[id], last)?;
            let moves = cell.iter().any(|subscript| subscript.along(last) != 0);
            writes |= access.kind != AccessKind::Read && moves;
        }
        if walks && writes && !is_innermost(&times, statement, last)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the innermost loop of a statement in an order is over an iterator.
fn is_innermost(times: &isl::UnionMap, statement: &Statement, iterator: usize) -> Result<bool> {
    let own = times.intersect_domain(&statement.domain.to_union_set()?)?;
    if own.n_map()? != 1 {
        return Ok(true);
    }
    let time = own.as_map()?;
    let depth = time.dim(DimType::Out)?;
    for k in (0..depth).rev() {
        let one = time
            .project_out(DimType::Out, k + 1, depth - k - 1)?
            .project_out(DimType::Out, 0, k)?;
        let one = one.gist_domain(&statement.domain)?;
        if one.involves_dims(DimType::In, 0, statement.iterators.len())? {
            return one.involves_dims(DimType::In, iterator, 1);
        }
    }
    Ok(true)
}

/// Whether each loop of one of the deepest statements leads some of its cells from row to row, as in
/// a transposition: whichever is innermost, some lines are used again only if its tiles are short.
///
/// # Errors
/// isl's own.
pub(super) fn crosses_rows(scop: &Scop) -> Result<bool> {
    let depth = |statement: &Statement| statement.iterators.len();
    let deepest = scop.statements.iter().map(depth).max().unwrap_or(0);
    for statement in scop.statements.iter().filter(|s| depth(s) == deepest) {
        let mut across = vec![false; deepest];
        for access in &statement.accesses {
            let Some(cell) = scop.subscripts(access)? else {
                continue;
            };
            let outer = cell.split_last().map_or(&[][..], |(_, outer)| outer);
            for subscript in outer {
                for (k, across) in across.iter_mut().enumerate() {
                    *across |= subscript.along(k) != 0;
                }
            }
        }
        if deepest > 1 && across.iter().all(|&across| across) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether every cell is used by a few iterations only, so that there is nothing to gain from tiles that
/// extend over the iterations of an outer loop.
///
/// # Errors
/// isl's own.
pub(super) fn streams(scop: &Scop) -> Result<bool> {
    for (id, statement) in scop.statements.iter().enumerate() {
        let long = long_loops(scop, id)?;
        for access in &statement.accesses {
            let rank = match scop.subscripts(access)? {
                Some(cell) => rank(used(&cell, &long)),
                None => return Ok(false),
            };
            if rank < long.len() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The factors of long loops in subscripts.
fn used(cell: &[Subscript], long: &[usize]) -> Vec<Vec<i64>> {
    let of = |subscript: &Subscript| long.iter().map(|&k| subscript.along(k)).collect();
    cell.iter().map(of).collect()
}

/// Whether all arrays together fit a core's second cache, whatever the sizes are: there is nothing to
/// bring nearer then.
fn is_cached(scop: &Scop, wishes: &Wishes) -> Result<bool> {
    let mut bytes = 0i64;
    for array in &scop.arrays {
        let own = match array.origin {
            // One cell, and what it is declared with, for each thread.
            Origin::Region { depth } => array.extents.get(depth..).unwrap_or(&[]),
            _ => &array.extents[..],
        };
        let mut size = i64::try_from(array.element.kind.bytes()).unwrap_or(i64::MAX);
        for extent in own {
            let extent = match &extent.affine {
                Some(extent) => extent.max_val()?.to_i64(),
                None => None,
            };
            size = size.saturating_mul(extent.unwrap_or(i64::MAX));
        }
        bytes = bytes.saturating_add(size);
    }
    Ok(bytes <= wishes.machine.cache_l2)
}

/// Whether a statement would gain from another order: a matrix, or more, whose cells are used again
/// in another iteration of some of its `long` loops, or, if it is one of the `deepest`, a walk across
/// rows.
fn gains(scop: &Scop, statement: StatementId, long: &[usize], deepest: bool) -> Result<bool> {
    let Some(&innermost) = long.last() else {
        return Ok(false);
    };
    for access in &scop.statements[statement].accesses {
        let Some(cell) = scop.subscripts(access)? else {
            continue;
        };
        let rank = rank(used(&cell, long));
        if rank >= 2 && rank < long.len() {
            return Ok(true);
        }
        let across =
            |array| across_rows(array, &cell, &scop.statements[statement], long, innermost);
        if deepest && across(&scop.arrays[access.array])? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether cells that follow one another along a loop are in different rows, or far apart in one.
/// Channels of a pixel, whose number is a constant, are no row.
pub(super) fn across_rows(
    array: &Array,
    cell: &[Subscript],
    statement: &Statement,
    long: &[usize],
    along: usize,
) -> Result<bool> {
    let (mut step, mut size) = (0u64, Some(1u64));
    for (k, subscript) in cell.iter().enumerate().rev() {
        // Of these cells, loops of a few iterations inside visit so many in between.
        let mut inside = 1u64;
        for k in along + 1..statement.iterators.len() {
            let factor = subscript.along(k).unsigned_abs();
            if factor != 0 && !long.contains(&k) {
                let steps = trips(statement, k)?.saturating_sub(1).max(0).unsigned_abs();
                inside = inside.saturating_add(steps.saturating_mul(factor));
            }
        }
        let own = subscript.along(along).unsigned_abs().div_ceil(inside);
        match size {
            Some(size) => step = step.saturating_add(own.saturating_mul(size)),
            None if own != 0 => return Ok(true),
            None => {}
        }
        // A few iterations of loops inside walk through this dimension.
        let of_short_loops = |k: usize| subscript.along(k) != 0 && !long.contains(&k);
        if own == 0 && (0..statement.iterators.len()).any(of_short_loops) {
            continue;
        }
        let extent = match array
            .extents
            .get(k)
            .and_then(|extent| extent.affine.as_ref())
        {
            Some(extent) => extent.max_val()?.to_i64(),
            None => None,
        };
        let extent = extent.and_then(|extent| u64::try_from(extent).ok());
        size = size
            .zip(extent)
            .and_then(|(size, extent)| size.checked_mul(extent));
    }
    Ok(step > defaults::SHORT_STRIDE)
}

/// The long loops of all statements.
pub(super) fn all_long_loops(scop: &Scop) -> Result<Vec<Vec<usize>>> {
    let each = (0..scop.statements.len()).map(|statement| long_loops(scop, statement));
    each.collect()
}

/// A statement's loops but for those of a few iterations, whatever the sizes are.
fn long_loops(scop: &Scop, statement: StatementId) -> Result<Vec<usize>> {
    let statement = &scop.statements[statement];
    let mut long = Vec::new();
    for k in 0..statement.iterators.len() {
        if trips(statement, k)? > defaults::SHORT_LOOP {
            long.push(k);
        }
    }
    Ok(long)
}

/// The rank of a matrix of integers.
fn rank(rows: Vec<Vec<i64>>) -> usize {
    let mut rows: Vec<Vec<i128>> = rows
        .into_iter()
        .map(|row| row.into_iter().map(i128::from).collect())
        .collect();
    let columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..columns {
        let Some(pivot) = (rank..rows.len()).find(|&r| rows[r][column] != 0) else {
            continue;
        };
        rows.swap(rank, pivot);
        for r in rank + 1..rows.len() {
            let (own, its) = (rows[r][column], rows[rank][column]);
            let pivot = rows[rank].clone();
            for (value, other) in rows[r].iter_mut().zip(pivot) {
                *value = value
                    .saturating_mul(its)
                    .saturating_sub(other.saturating_mul(own));
            }
        }
        rank += 1;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop::testing::region;

    /// What the order is good for, and whether isl's scheduler was asked.
    fn asked(body: &str) -> (Written, bool) {
        let region = region("int n, double a[n], double b[n], double m[n][n]", body);
        let (scop, dataflow) = (&region.scop, &region.dataflow);
        let found = best(scop, dataflow, &region.graph, &[]).unwrap();
        let all: Vec<StatementId> = (0..scop.statements.len()).collect();
        let mut asked = true;
        let _ = dataflow.scheduled(&all, Fuse::default(), || {
            asked = false;
            Ok(scop.schedule.clone())
        });
        (found, asked)
    }

    #[test]
    fn many_statements_of_a_parallel_nest_stay_together() {
        // Along the inner loop it walks across rows: another order would be looked for.
        let steps = |count: usize| {
            let steps = (0..count).map(|k| format!("a[i] = a[i] * m[r][i] + b[{k}];\n"));
            let steps: String = steps.collect();
            format!(
                "for (int i = 0; i < n; i++)
                     for (int r = 0; r < n; r++) {{\n{steps}}}"
            )
        };
        assert!(asked(&steps(3)).1);
        assert_eq!(asked(&steps(30)), (Written::Parallel, false));
    }

    #[test]
    fn one_nest_is_not_scheduled_for_fewer() {
        let one = "for (int i = 1; i < n; i++) { a[i] += a[i - 1]; b[i] = a[i] * b[i - 1]; }";
        assert_eq!(asked(one), (Written::Alone, false));
        let two = "for (int i = 1; i < n; i++) a[i] += a[i - 1];
                   for (int i = 1; i < n; i++) b[i] = a[i] * b[i - 1];";
        assert_eq!(asked(two), (Written::Surpassed, true));
    }
}
