//! Which point loops are unrolled and jammed: a model of loads and registers.
//!
//! Copies of a point for several rows share what they read of the same row (balance of loads and
//! arithmetic; Callahan, Carr & Kennedy, *Improving register allocation for subscripted
//! variables*, PLDI 1990). Counted are cells, per point of the vector loop; what a compiler makes
//! of them is measured (`defaults`).

use crate::analysis::overlap::alignment::Alignment;
use crate::analysis::stages::{StageGraph, StageId};
use crate::plan::{Jam, Overlapped, defaults};
use crate::scop::linear::Subscript;
use crate::scop::{AccessKind, Action, ArrayId, Scop, Statement, StatementId};
use isl::{DimType, Result};
use std::collections::{BTreeMap, BTreeSet};

/// Jams rows of the nests of a right trapezoid that share enough loads; returns how many rows a
/// turn has: `turn` if that is given, which is then cut into as many rows as divide it.
///
/// # Errors
/// isl's own.
pub(super) fn rows(
    scop: &Scop,
    graph: &StageGraph,
    nests: &[Vec<StageId>],
    alignment: &Alignment,
    turn: Option<i64>,
    plan: &mut Overlapped,
) -> Result<i64> {
    // Where stages are sampled, a turn of two cells of the last one is more, or less, of others.
    if alignment.stages.iter().any(|s| s.scale != 1) {
        return Ok(turn.unwrap_or(1));
    }
    let mut jammed: (i64, Vec<StageId>) = (1, Vec::new());
    let mut loads: BTreeMap<StageId, f64> = BTreeMap::new();
    let mut factors = defaults::JAM_ROWS.to_vec();
    factors.retain(|factor| turn.is_none_or(|turn| turn % factor == 0));
    for &factor in &factors {
        let mut gain = Vec::new();
        for nest in nests {
            let Some(&last) = nest.last() else { continue };
            let cells = Cells::of(scop, graph, nest, alignment, &plan.registers, factor)?;
            let Some(cells) = cells else { continue };
            let now = cells.together as f64 / factor as f64;
            let saved = 1.0 - now / cells.alone as f64;
            let before = loads.insert(last, now);
            if saved >= defaults::JAM_SAVING
                && cells.shared <= defaults::VECTOR_REGISTERS
                && before.is_none_or(|before| before - now >= defaults::JAM_MORE_SAVING)
            {
                gain.push(last);
            }
        }
        // All nests of a turn have as many rows: more are for all that gain from fewer.
        if jammed.1.is_empty() && factor == factors[0] || jammed.1 == gain {
            jammed = (factor, gain);
        }
    }
    let (factor, last) = jammed;
    if last.is_empty() {
        return Ok(turn.unwrap_or(1));
    }
    plan.jam.extend(last.into_iter().map(|last| Jam {
        stage: graph.stages[last].name.clone(),
        factors: vec![factor],
        columns: 0,
    }));
    Ok(turn.unwrap_or(factor))
}

/// Cells that a nest reads from memory.
struct Cells {
    /// At one point.
    alone: i64,
    /// At the points of several rows in one column.
    together: i64,
    /// Those of them that more than one row reads.
    shared: i64,
}

impl Cells {
    /// `None` where rows cannot be counted, or some stage reads what it writes.
    fn of(
        scop: &Scop,
        graph: &StageGraph,
        nest: &[StageId],
        alignment: &Alignment,
        registers: &[String],
        rows: i64,
    ) -> Result<Option<Cells>> {
        let mut readers: BTreeMap<(ArrayId, Vec<Subscript>), BTreeSet<i64>> = BTreeMap::new();
        for &stage in nest {
            let Stage { statement, row } = match single(scop, graph, stage, alignment)? {
                Some(found) => found,
                None => return Ok(None),
            };
            for access in &scop.statements[statement].accesses {
                let array = &scop.arrays[access.array];
                if access.kind != AccessKind::Read || registers.contains(&array.name) {
                    continue;
                }
                if graph.stages[stage].arrays.contains(&access.array) {
                    return Ok(None);
                }
                let Some(cell) = scop.subscripts(access)? else {
                    return Ok(None);
                };
                for copy in 0..rows {
                    let cell: Option<_> = cell.iter().map(|own| own.forward(row, copy)).collect();
                    let Some(cell) = cell else {
                        return Ok(None);
                    };
                    readers
                        .entry((access.array, cell))
                        .or_default()
                        .insert(copy);
                }
            }
        }
        let count = |f: &dyn Fn(&BTreeSet<i64>) -> bool| {
            readers.values().filter(|rows| f(rows)).count() as i64
        };
        Ok(Some(Cells {
            alone: count(&|rows| rows.contains(&0)).max(1),
            together: count(&|_| true),
            shared: count(&|rows| rows.len() > 1),
        }))
    }
}

struct Stage {
    statement: StatementId,
    /// The iterator of the loop above the innermost one.
    row: usize,
}

/// The only statement of a stage, if it does not read what it writes and its rows are those along
/// which stages take turns.
fn single(
    scop: &Scop,
    graph: &StageGraph,
    stage: StageId,
    alignment: &Alignment,
) -> Result<Option<Stage>> {
    let &[statement] = graph.stages[stage].statements.as_slice() else {
        return Ok(None);
    };
    let depth = scop.statements[statement].iterators.len();
    let mut writes = scop.statements[statement].accesses.iter();
    let write = writes.find(|a| a.kind == AccessKind::Write);
    let aligned = alignment.of(stage);
    let (Some(row), Some(write), Some(aligned)) = (depth.checked_sub(2), write, aligned) else {
        return Ok(None);
    };
    let Some(written) = scop.subscripts(write)? else {
        return Ok(None);
    };
    let along = written[aligned.dimension].along(row) == 1;
    let usable = along && !graph.stages[stage].recursive;
    Ok(usable.then_some(Stage { statement, row }))
}

/// Jams the loops of matrix products and their like in a group for the affine scheduler: a sum over
/// one of three loops or more, of a cell that only its own sum reads. Where it is a plain assignment,
/// and over the same values for each cell, results stay in registers.
///
/// # Errors
/// isl's own.
pub(super) fn products(scop: &Scop, graph: &StageGraph, names: &[String]) -> Result<Vec<Jam>> {
    let mut jams = Vec::new();
    for stage in graph.stages.iter().filter(|s| names.contains(&s.name)) {
        let mut deepest = None;
        for &statement in &stage.statements {
            let depth = scop.statements[statement].iterators.len();
            if deepest.is_none_or(|(most, _)| depth > most) {
                deepest = Some((depth, statement));
            }
        }
        let Some((3.., statement)) = deepest else {
            continue;
        };
        if !is_product(scop, statement)? {
            continue;
        }
        let Statement {
            body,
            accesses,
            iterators,
            ..
        } = &scop.statements[statement];
        let elements = accesses.iter().map(|a| &scop.arrays[a.array].element);
        let bytes = elements.map(|element| element.kind.bytes()).max();
        let (factors, columns) = match body[..] {
            [Action::Assign { .. }] if is_prism(scop, statement)? => (
                defaults::JAM_REGISTERS,
                defaults::columns(bytes.unwrap_or(8)),
            ),
            // Where the scheduler fuses several stages, their products may not share a vector loop.
            _ if names.len() == 1 && iterators.len() == 3 && is_box(scop, statement)? => {
                (defaults::JAM_PRODUCT, 0)
            }
            _ => continue,
        };
        jams.push(Jam {
            stage: stage.name.clone(),
            factors: factors.to_vec(),
            columns,
        });
    }
    Ok(jams)
}

fn is_product(scop: &Scop, statement: StatementId) -> Result<bool> {
    let accesses = &scop.statements[statement].accesses;
    let mut writes = accesses.iter().filter(|a| a.kind == AccessKind::Write);
    let (Some(write), None) = (writes.next(), writes.next()) else {
        return Ok(false);
    };
    let Some(written) = scop.subscripts(write)? else {
        return Ok(false);
    };
    let involved = |i: usize| written.iter().any(|s| s.along(i) != 0);
    let loops = scop.statements[statement].iterators.len();
    let vector = |s: &Subscript| (0..loops).find(|&i| s.along(i) == 1);
    let Some(vector) = written.last().and_then(vector) else {
        return Ok(false);
    };
    let mut sums = false;
    for read in accesses.iter().filter(|a| a.kind == AccessKind::Read) {
        let Some(cell) = scop.subscripts(read)? else {
            return Ok(false);
        };
        if read.array == write.array {
            if cell != written {
                return Ok(false);
            }
            sums = true;
        }
        // Along the vector loop, addresses move by one element or not at all.
        let Some((last, outer)) = cell.split_last() else {
            continue;
        };
        let still = outer.iter().all(|s| s.along(vector) == 0);
        if !still || !matches!(last.along(vector), 0 | 1) {
            return Ok(false);
        }
    }
    let over = (0..loops).filter(|&i| !involved(i)).count();
    Ok(sums && over == 1)
}

/// Whether a sum is over the same values for every cell.
fn is_prism(scop: &Scop, statement: StatementId) -> Result<bool> {
    let accesses = &scop.statements[statement].accesses;
    let write = accesses.iter().find(|a| a.kind == AccessKind::Write);
    let written = match write {
        Some(write) => scop.subscripts(write)?,
        None => None,
    };
    let Some(written) = written else {
        return Ok(false);
    };
    let domain = &scop.statements[statement].domain;
    let dims = domain.dim(DimType::Set)?;
    for k in (0..dims).filter(|&k| written.iter().all(|s| s.along(k) == 0)) {
        let cells = domain.eliminate(DimType::Set, k, 1)?;
        let values =
            domain
                .eliminate(DimType::Set, 0, k)?
                .eliminate(DimType::Set, k + 1, dims - k - 1)?;
        if !cells.intersect(&values)?.is_equal(domain)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the bounds of every iterator are the same whatever the others are.
fn is_box(scop: &Scop, statement: StatementId) -> Result<bool> {
    let domain = scop.statements[statement].domain.reset_tuple_id()?;
    let dims = domain.dim(DimType::Set)?;
    let mut product: Option<isl::Set> = None;
    for k in 0..dims {
        let one = domain
            .project_out(DimType::Set, k + 1, dims - k - 1)?
            .project_out(DimType::Set, 0, k)?;
        product = Some(match product {
            Some(before) => before.flat_product(&one)?,
            None => one,
        });
    }
    match product {
        Some(product) => product.is_equal(&domain),
        None => Ok(false),
    }
}
