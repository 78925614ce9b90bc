//! What a group costs: the caller's model, asked once per group.

use crate::planner::overlap::grouping::{GroupingError, StageSet};
use std::collections::HashMap;

/// A cost model: COST of TOPLAS 2020, section 4, or another.
///
/// The cost of a grouping is the sum of its groups' costs, smaller is better, negative costs are
/// allowed. A closure from group to cost is a model.
pub trait GroupCost {
    /// The cost of one group; infinite if its stages cannot be one group. Groups of one stage have
    /// finite costs, or there may be no grouping at all.
    ///
    /// # Errors
    /// [`Interrupted`] ends the search at once, for models whose own work can fail.
    fn cost(&mut self, group: &StageSet) -> Result<f64, Interrupted>;

    /// Whether every group that contains this one is known to cost infinitely much, too. Such
    /// groups are then left out without a look at each.
    fn rules_out_larger(&mut self, _group: &StageSet) -> bool {
        false
    }
}

/// The model cannot go on; it keeps the reason to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl<F: FnMut(&StageSet) -> f64> GroupCost for F {
    fn cost(&mut self, group: &StageSet) -> Result<f64, Interrupted> {
        Ok(self(group))
    }
}

/// A cost model and what it has answered.
///
/// One of these serves several searches: what a search that was given up has found out about its
/// groups is not asked again.
pub struct Costs<'c> {
    model: &'c mut dyn GroupCost,
    known: HashMap<StageSet, f64>,
}

impl<'c> Costs<'c> {
    /// Nothing is known yet.
    pub fn new(model: &'c mut dyn GroupCost) -> Costs<'c> {
        Costs {
            model,
            known: HashMap::new(),
        }
    }

    /// The cost of `group`, finite or positively infinite (what is no number or negatively
    /// infinite counts as the latter).
    ///
    /// # Errors
    /// [`GroupingError::Interrupted`].
    pub fn of(&mut self, group: &StageSet) -> Result<f64, GroupingError> {
        if let Some(&cost) = self.known.get(group) {
            return Ok(cost);
        }
        let cost = self.model.cost(group);
        let cost = cost.map_err(|Interrupted| GroupingError::Interrupted)?;
        let cost = if cost.is_finite() {
            cost
        } else {
            f64::INFINITY
        };
        self.known.insert(*group, cost);
        Ok(cost)
    }

    /// Whether no larger group has a finite cost.
    pub(crate) fn rules_out_larger(&mut self, group: &StageSet) -> bool {
        self.model.rules_out_larger(group)
    }

    /// How many groups the model was asked about.
    #[must_use]
    pub fn evaluated(&self) -> u64 {
        self.known.len() as u64
    }
}
