//! Full tiles apart from partial ones, through isl's `isolate` option.
//!
//! A tile is full when every point of its box is an instance of every statement in it; its loops
//! need no minimum or maximum. The generated code gets larger: one version for full tiles, others
//! for the rim. Whoever makes tile loops says which tiles are full ([`FullTiles::mark`]); the
//! option is set at the end, when bands have been split and marked.

use super::TransformError;
use crate::scop::tree::{marks::Mark, walk};
use isl::{DimType, Map, Schedule, ScheduleNode, ScheduleNodeType, Set, UnionSet};

/// The full tiles of every nest of tile loops, by the number in its mark ([`Mark::Tile`]).
#[derive(Debug, Default)]
pub(crate) struct FullTiles {
    sets: Vec<Set>,
}

impl FullTiles {
    /// Inserts a mark above the first tile loop, which `node` is; `full` is a set over the values
    /// of the tile loops. Returns the node of the mark.
    pub fn mark(&mut self, node: &ScheduleNode, full: Set) -> Result<ScheduleNode, TransformError> {
        self.sets.push(full);
        Ok(Mark::Tile(self.sets.len() - 1).above(node)?)
    }

    /// Sets the option on all marked tile loops that have no other loops around them.
    pub fn separate(&self, schedule: &Schedule) -> Result<Schedule, TransformError> {
        if self.sets.is_empty() {
            return Ok(schedule.clone());
        }
        let node = self.below(&schedule.get_root()?)?;
        Ok(node.root()?.get_schedule()?)
    }

    fn below(&self, node: &ScheduleNode) -> Result<ScheduleNode, TransformError> {
        if let Some(full) = self.marked(node)? {
            if node.get_schedule_depth()? == 0 && !full.is_empty()? {
                return isolate(node, full);
            }
        }
        walk::with_children(node, |child| self.below(child))
    }

    fn marked(&self, node: &ScheduleNode) -> Result<Option<&Set>, TransformError> {
        Ok(match Mark::of(node)? {
            Some(Mark::Tile(number)) => self.sets.get(number),
            _ => None,
        })
    }
}

/// Sets `isolate[[outer tile loops] -> [loop]]` on the innermost tile loop below the mark `node`.
/// The outer ones stay whole, so that threads can share them out together.
fn isolate(node: &ScheduleNode, full: &Set) -> Result<ScheduleNode, TransformError> {
    let dims = full.dim(DimType::Set)?;
    let mut node = node.child(0)?;
    let mut depth = 1;
    let mut passed = 0;
    loop {
        if node.get_type()? == ScheduleNodeType::Band {
            let members = node.band_n_member()?;
            if passed + members >= dims {
                break;
            }
            passed += members;
        }
        node = node.child(0)?;
        depth += 1;
    }
    let names = |range: std::ops::Range<usize>| -> String {
        range
            .map(|d| format!("a{d}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let nest = Map::read_from_str(
        node.ctx(),
        &format!(
            "{{ [{}] -> [[{}] -> [{}]] }}",
            names(0..dims),
            names(0..passed),
            names(passed..dims)
        ),
    )?;
    let option = full.apply(&nest)?.set_tuple_name("isolate")?;
    node = node.band_set_ast_build_options(&UnionSet::from_set(&option)?)?;
    Ok(walk::up(&node, depth)?)
}
