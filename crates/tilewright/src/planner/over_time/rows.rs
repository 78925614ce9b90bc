//! Rows of the tiles of iterated stencils: where they begin, and how many are executed together.

use super::sweep::{Fixed, fixed};
use crate::analysis::model::estimates::estimates;
use crate::analysis::model::ranges;
use crate::analysis::stages::StageGraph;
use crate::plan::{Jam, OverTime, defaults};
use crate::planner::wishes::Wishes;
use crate::scop::linear::Subscript;
use crate::scop::{Access, AccessKind, ArrayId, Scop, Statement, StatementId};
use isl::{Result, Set};
use std::collections::{BTreeMap, BTreeSet};

/// Decides for tiles over time whether rows begin at whole vectors, and jams those of
/// stages that read so much of neighbouring rows that it saves loads.
///
/// # Errors
/// isl's own.
pub(in crate::planner) fn rows(
    scop: &Scop,
    graph: &StageGraph,
    wishes: &Wishes,
    plan: &mut OverTime,
) -> Result<()> {
    if !wishes.processor.vectorise {
        return Ok(());
    }
    let parameters = estimates(scop, &wishes.estimates)?;
    let height = plan.tile_sizes.first().copied().unwrap_or(1);
    let align = aligned(scop, wishes.machine.vector, &parameters)?;
    // Over the height of a tile its rows move; where they leave the grid, tiles are cut.
    if align * height * defaults::TIME_ALIGN_EXTENT <= row_length(scop, &parameters)? {
        plan.figure = plan.figure.aligned(align);
    }
    for stage in &graph.stages {
        let mut gains = true;
        for statement in sweeps(scop, &stage.statements) {
            gains &= jam_gains(scop, statement)?;
        }
        if gains {
            plan.jam.push(Jam {
                stage: stage.name.clone(),
                factors: vec![defaults::TIME_JAM],
                columns: 0,
            });
        }
    }
    Ok(())
}

/// The statements with most loops.
fn sweeps<'s>(scop: &'s Scop, statements: &[StatementId]) -> Vec<&'s Statement> {
    let mut all: Vec<&Statement> = statements.iter().map(|&s| &scop.statements[s]).collect();
    let most = all.iter().map(|s| s.iterators.len()).max();
    all.retain(|s| Some(s.iterators.len()) == most);
    all
}

/// Elements of a vector, if all arrays that are swept over in several dimensions have rows of
/// whole vectors; else 1, as nothing is gained.
fn aligned(scop: &Scop, vector: i64, parameters: &[i64]) -> Result<i64> {
    let accesses = scop.statements.iter().flat_map(|s| &s.accesses);
    let arrays: BTreeSet<ArrayId> = accesses.map(|access| access.array).collect();
    let mut lanes = 1;
    for array in arrays {
        let array = &scop.arrays[array];
        let Some(extent) = array.extents.last().filter(|_| array.extents.len() > 1) else {
            continue;
        };
        let Some(affine) = &extent.affine else {
            return Ok(1);
        };
        let extent = ranges(scop, &Set::from_pw_aff(affine)?, parameters)?;
        let extent = extent.first().map_or(0, |row| row.ends.first);
        let of_this = vector / array.element.kind.bytes() as i64;
        lanes = lanes.max(of_this);
        if of_this < 1 || extent % of_this != 0 {
            return Ok(1);
        }
    }
    Ok(lanes)
}

/// The most points that a statement computes in a row.
fn row_length(scop: &Scop, parameters: &[i64]) -> Result<i64> {
    let mut longest = 0;
    for statement in &scop.statements {
        let rows = ranges(scop, &statement.domain, parameters)?;
        longest = longest.max(rows.last().map_or(0, |row| row.ends.len()));
    }
    Ok(longest)
}

/// A place that is read, with subscripts that do not depend on space as texts.
type Cell = (ArrayId, Vec<Option<Fixed>>, Vec<Subscript>);

/// Whether a statement saves enough of its loads when several rows are executed together, as what
/// more than one of them reads is loaded once, and stays in registers.
fn jam_gains(scop: &Scop, statement: &Statement) -> Result<bool> {
    let depth = statement.iterators.len();
    // A row is at least in a plane, and the plane in time.
    if depth < 3 {
        return Ok(false);
    }
    let mut readers: BTreeMap<Cell, BTreeSet<i64>> = BTreeMap::new();
    let reads = statement.accesses.iter();
    for access in reads.filter(|access| access.kind == AccessKind::Read) {
        let Some(cell) = cell(scop, statement, access)? else {
            return Ok(false);
        };
        let (array, still, moving) = cell;
        for row in 0..defaults::TIME_JAM {
            let moved = moving.iter().map(|own| own.forward(depth - 2, row));
            let Some(moved) = moved.collect() else {
                return Ok(false);
            };
            let cell = (array, still.clone(), moved);
            readers.entry(cell).or_default().insert(row);
        }
    }
    let count =
        |f: &dyn Fn(&BTreeSet<i64>) -> bool| readers.values().filter(|rows| f(rows)).count() as i64;
    let alone = count(&|rows| rows.contains(&0)).max(1);
    let shared = count(&|rows| rows.len() > 1);
    let now = readers.len() as f64 / defaults::TIME_JAM as f64;
    let saved = 1.0 - now / alone as f64;
    Ok(saved >= defaults::TIME_JAM_SAVING && shared <= defaults::TIME_JAM_SHARED)
}

/// What an access reads; `None` where that is not linear.
fn cell(scop: &Scop, statement: &Statement, access: &Access) -> Result<Option<Cell>> {
    let (mut still, mut moving) = (Vec::new(), Vec::new());
    for subscript in &access.affine {
        let Some(value) = subscript else {
            return Ok(None);
        };
        match fixed(value, &statement.name)? {
            Some(one) => still.push(Some(one)),
            None => match scop.linear_piece(value)? {
                Some(linear) => {
                    still.push(None);
                    moving.push(linear);
                }
                None => return Ok(None),
            },
        }
    }
    Ok(Some((access.array, still, moving)))
}
