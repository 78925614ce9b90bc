//! Full tiles apart from partial ones, through isl's `isolate` option.
//!
//! A tile is full when every point of its box is an instance of every statement in it; its loops
//! need no minimum or maximum. The generated code gets larger: one version for full tiles, others
//! for the rim. Whoever makes tile loops says which tiles are full ([`FullTiles::mark`]); the
//! option is set at the end, when bands have been split and marked.

use super::TransformError;
use isl::{DimType, Id, Map, Schedule, ScheduleNode, ScheduleNodeType, Set, UnionSet};

/// The full tiles of every nest of tile loops, by the number in its mark `tile:<n>`.
#[derive(Debug, Default)]
pub(crate) struct FullTiles {
    sets: Vec<Set>,
}

impl FullTiles {
    /// Inserts a mark above the first tile loop, which `node` is; `full` is a set over the values
    /// of the tile loops. Returns the node of the mark.
    pub fn mark(&mut self, node: &ScheduleNode, full: Set) -> Result<ScheduleNode, TransformError> {
        let id = Id::alloc(node.ctx(), &format!("tile:{}", self.sets.len()))?;
        self.sets.push(full);
        Ok(node.insert_mark(&id)?)
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
        let mut node = node.clone();
        for child in 0..node.n_children()? {
            node = self.below(&node.child(child)?)?.parent()?;
        }
        Ok(node)
    }

    fn marked(&self, node: &ScheduleNode) -> Result<Option<&Set>, TransformError> {
        if node.get_type()? != ScheduleNodeType::Mark {
            return Ok(None);
        }
        let name = node.mark_get_id()?.get_name()?;
        let number = name
            .strip_prefix("tile:")
            .and_then(|n| n.parse::<usize>().ok());
        Ok(number.and_then(|n| self.sets.get(n)))
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
    for _ in 0..depth {
        node = node.parent()?;
    }
    Ok(node)
}
