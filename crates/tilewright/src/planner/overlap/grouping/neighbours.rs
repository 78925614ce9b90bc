//! What merging two neighbouring groups of a grouping would have cost: why it was not done.

use crate::planner::overlap::grouping::greedy::{merge, readers};
use crate::planner::overlap::grouping::{Costs, Dag, Grouping, GroupingError, Space};

/// Two groups of a grouping, one of which reads the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbours {
    /// The number of the group that is read.
    pub producer: usize,
    /// The number of the group that reads it.
    pub consumer: usize,
    /// The sum of their costs.
    pub apart: f64,
    /// The cost of the two as one group (infinite if the cost model refuses it); none if the
    /// space has no such grouping.
    pub merged: Option<f64>,
}

/// Every pair of neighbours, by producer and then consumer.
///
/// # Errors
/// [`GroupingError::Interrupted`].
pub fn neighbours(
    dag: &Dag,
    space: Space,
    grouping: &Grouping,
    costs: &mut Costs,
) -> Result<Vec<Neighbours>, GroupingError> {
    let groups = &grouping.groups;
    let mut found = Vec::new();
    for producer in 0..groups.len() {
        for consumer in readers(dag, groups, producer) {
            let union = groups[producer] | groups[consumer];
            let possible =
                space.allows(dag, &union) && merge(dag, groups, producer, consumer).is_some();
            found.push(Neighbours {
                producer,
                consumer,
                apart: costs.of(&groups[producer])? + costs.of(&groups[consumer])?,
                merged: if possible {
                    Some(costs.of(&union)?)
                } else {
                    None
                },
            });
        }
    }
    Ok(found)
}
