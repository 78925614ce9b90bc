//! Which expressions are computed for all cells that could be picked.
//!
//! The reverse of what [`crate::planner::stages::inlining`] does with stages of which few values are picked: where
//! a cell's place depends on data, compilers gather one number at a time (Halide's code for the
//! bilateral grid loads sixteen numbers a pixel), and what is computed from gathered numbers is
//! computed again for every neighbour that picks the same. A table of it is computed in vector
//! loops along the levels, and looked up once where there were several look-ups. It is worth its
//! cells where each is picked more than once on average, see [`defaults::TABLE_USES`].

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::region::Region;
use crate::analysis::stages::StageGraph;
use crate::analysis::tables::{Table, tables};
use crate::plan::defaults;
use crate::plan::entries::Picks;
use crate::rewrite::TransformError;
use crate::rewrite::tabulate::tabulate;
use crate::scop::ArrayId;
use isl::Result;
use std::collections::BTreeSet;

/// What is worth a table, and the program with the tables.
///
/// # Errors
/// isl's own.
pub fn choose(region: &Region) -> Result<Option<(Vec<Picks>, Region)>> {
    let mut chosen: Vec<Picks> = Vec::new();
    for stage in &region.graph.stages {
        let mut all = Vec::new();
        for &statement in &stage.statements {
            all.extend(tables(&region.scop, statement)?);
        }
        let picked = |table: &Table| -> Option<ArrayId> {
            let mut reads = table.reads.iter().map(|read| read.array);
            reads.find(|&array| table.picks_from(array))
        };
        let arrays: BTreeSet<ArrayId> = all.iter().filter_map(picked).collect();
        for array in arrays {
            let mut own = all.iter().filter(|table| table.picks_from(array));
            if own.all(is_worth_its_cells) {
                let array = &region.scop.arrays[array].name;
                chosen.push(Picks {
                    array: array.clone(),
                    reader: stage.name.clone(),
                });
            }
        }
    }
    if chosen.is_empty() {
        return Ok(None);
    }
    match region.tabulated(&chosen) {
        Ok(with) => Ok(Some((chosen, with))),
        Err(TransformError::Isl(error)) => Err(error),
        Err(TransformError::Plan(_)) => Ok(None),
    }
}

/// Whether a table's cells are picked often enough.
fn is_worth_its_cells(table: &Table) -> bool {
    let uses = table.uses.len() as i64;
    let picks = table.shared.map(|shared| shared.saturating_mul(uses));
    picks.is_none_or(|picks| picks >= defaults::TABLE_USES * table.levels)
}

impl Region {
    /// The region with tables ([`tabulate`]).
    ///
    /// # Errors
    /// As [`tabulate`].
    pub fn tabulated(&self, picks: &[Picks]) -> std::result::Result<Region, TransformError> {
        let scop = tabulate(&self.scop, &self.graph, picks)?;
        let dataflow = Dataflow::compute(&scop)?;
        let graph = StageGraph::build(&scop, &dataflow)?;
        Ok(Region {
            scop,
            dataflow,
            graph,
            rounds: None,
        })
    }
}
