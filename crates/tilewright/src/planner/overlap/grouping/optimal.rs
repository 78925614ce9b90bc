//! The best grouping, by dynamic programming over what is not grouped yet.
//!
//! Instead of TOPLAS 2020, Algorithm 1; the [module](super) says why. Groups are taken from the
//! end: a state is a set of stages that are not grouped, all of whose other consumers are. Its best
//! grouping is the cheapest of: a group that contains, with a stage, all its consumers in the set,
//! and the best groupings of the independent parts of what it leaves ([`Space::parts`]).
//!
//! - [`Space::OneOutput`]: a part is what one output dominates, so that there are as many states as
//!   stages, and each group of the space is tried exactly once. No exact algorithm that knows
//!   nothing of the costs can try fewer.
//! - [`Space::AnyOutputs`]: a part is connected. Groups that can be taken in several orders are
//!   tried in several states, but for the orders that [`Space::may_come_next`] excludes.

use crate::planner::overlap::grouping::candidates::Candidates;
use crate::planner::overlap::grouping::dag::Collapsed;
use crate::planner::overlap::grouping::{
    Bounds, Costs, Dag, Effort, Grouping, GroupingError, Space, StageSet,
};
use std::collections::HashMap;

/// The best grouping of a space and the best of the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// The cheapest grouping. Where several cost the same, groups are made larger only for a gain,
    /// from the last group on.
    pub best: Grouping,
    /// The cheapest grouping that is not `best`; none where there is no other of finite cost.
    pub runner_up: Option<Grouping>,
    /// What it took.
    pub effort: Effort,
}

/// The cheapest of all groupings of `space` whose groups have at most `limit` stages.
///
/// # Errors
/// [`GroupingError::TooMuchWork`] beyond `bounds`, [`GroupingError::NoGrouping`] if all groupings
/// cost infinitely much, [`GroupingError::Interrupted`].
pub fn optimal(
    dag: &Dag,
    space: Space,
    limit: Option<usize>,
    costs: &mut Costs,
    bounds: Bounds,
) -> Result<Optimum, GroupingError> {
    search(&Collapsed::none(dag), dag, space, limit, costs, bounds)
}

/// The same for the vertices of `collapsed`, at most `limit` of them in a group; the result is in
/// stages of `dag` again.
pub(crate) fn search(
    collapsed: &Collapsed,
    dag: &Dag,
    space: Space,
    limit: Option<usize>,
    costs: &mut Costs,
    bounds: Bounds,
) -> Result<Optimum, GroupingError> {
    let mut search = Search {
        collapsed,
        space,
        limit: limit.unwrap_or(usize::MAX),
        evaluated_before: costs.evaluated(),
        costs,
        bounds,
        tried: 0,
        known: HashMap::new(),
        left: HashMap::new(),
    };
    let parts = space.parts(&collapsed.dag, &collapsed.dag.all());
    let Some(whole) = search.together(&parts)? else {
        return Err(GroupingError::NoGrouping);
    };
    let grouping = |cost, second_in| {
        let mut groups = Vec::new();
        search.collect(&parts, second_in, &mut groups);
        let groups = groups.iter().map(|group| collapsed.stages(group));
        let groups = dag.sorted(&groups.collect::<Vec<_>>());
        groups.map(|groups| Grouping { groups, cost })
    };
    let best = grouping(whole.cost, None).ok_or(GroupingError::NoGrouping)?;
    let second = whole.second;
    Ok(Optimum {
        best,
        runner_up: second.and_then(|second| grouping(second.cost, Some(second.part))),
        effort: search.effort(),
    })
}

struct Search<'s, 'c> {
    collapsed: &'s Collapsed,
    space: Space,
    limit: usize,
    costs: &'s mut Costs<'c>,
    evaluated_before: u64,
    bounds: Bounds,
    tried: u64,
    /// Parts that are solved.
    known: HashMap<StageSet, Solution>,
    /// What was left by groups, with its parts taken together: where groups may have several
    /// outputs, very many of them leave the same.
    left: HashMap<StageSet, Option<Together>>,
}

/// The two best groupings of a part, if it has so many.
#[derive(Clone, Copy, Default)]
struct Solution {
    best: Option<Choice>,
    second: Option<Choice>,
}

#[derive(Clone, Copy)]
struct Choice {
    cost: f64,
    /// The group that is taken first.
    group: StageSet,
    /// Of the parts that it leaves, the one that is grouped in its second best way.
    second_in: Option<usize>,
    /// Tells groupings from each other: the same one can be taken apart in several orders, and its
    /// cost added up in as many.
    fingerprint: u128,
}

/// Independent parts, each in its best way.
#[derive(Clone, Copy)]
struct Together {
    cost: f64,
    fingerprint: u128,
    second: Option<Second>,
}

/// The parts with one of them in its second best way, where that costs least.
#[derive(Clone, Copy)]
struct Second {
    cost: f64,
    fingerprint: u128,
    part: usize,
}

impl Search<'_, '_> {
    fn solve(&mut self, part: StageSet) -> Result<Solution, GroupingError> {
        if let Some(&solution) = self.known.get(&part) {
            return Ok(solution);
        }
        let collapsed = self.collapsed;
        let dag = &collapsed.dag;
        let mut solution = Solution::default();
        let mut candidates = Candidates::new(dag, part, self.limit);
        while let Some(group) = candidates.next() {
            let space = self.space;
            if !space.may_come_next(dag, &part, &group, self.limit) {
                continue;
            }
            self.tried += 1;
            let stages = collapsed.stages(&group);
            let cost = self.costs.of(&stages)?;
            let effort = self.effort();
            if self.bounds.exceeded_by(&effort) {
                return Err(GroupingError::TooMuchWork { effort });
            }
            if cost == f64::INFINITY {
                if self.costs.rules_out_larger(&stages) {
                    candidates.skip_larger();
                }
                continue;
            }
            let Some(rest) = self.rest(part - group)? else {
                continue;
            };
            if solution.is_no_worse_than(cost + rest.cost) {
                continue;
            }
            let mine = group.fingerprint();
            let mut offer = |rest_cost, rest_fingerprint: u128, second_in| {
                solution.offer(Choice {
                    cost: cost + rest_cost,
                    group,
                    second_in,
                    fingerprint: mine.wrapping_add(rest_fingerprint),
                });
            };
            offer(rest.cost, rest.fingerprint, None);
            if let Some(second) = rest.second {
                offer(second.cost, second.fingerprint, Some(second.part));
            }
        }
        self.known.insert(part, solution);
        Ok(solution)
    }

    /// What is left of a part, in its best way.
    fn rest(&mut self, left: StageSet) -> Result<Option<Together>, GroupingError> {
        if let Some(&together) = self.left.get(&left) {
            return Ok(together);
        }
        let parts = self.space.parts(&self.collapsed.dag, &left);
        let together = self.together(&parts)?;
        if self.space == Space::AnyOutputs {
            self.left.insert(left, together);
        }
        Ok(together)
    }

    fn together(&mut self, parts: &[StageSet]) -> Result<Option<Together>, GroupingError> {
        let mut solutions = Vec::with_capacity(parts.len());
        for &part in parts {
            let solution = self.solve(part)?;
            let Some(best) = solution.best else {
                return Ok(None);
            };
            solutions.push((best, solution.second));
        }
        let (mut cost, mut fingerprint) = (0.0, 0u128);
        for (best, _) in &solutions {
            cost += best.cost;
            fingerprint = fingerprint.wrapping_add(best.fingerprint);
        }
        let mut second: Option<Second> = None;
        for (part, (best, other)) in solutions.iter().enumerate() {
            let Some(other) = other else { continue };
            let with = cost + (other.cost - best.cost);
            if second.as_ref().is_none_or(|second| with < second.cost) {
                let fingerprint = fingerprint.wrapping_sub(best.fingerprint);
                second = Some(Second {
                    cost: with,
                    fingerprint: fingerprint.wrapping_add(other.fingerprint),
                    part,
                });
            }
        }
        Ok(Some(Together {
            cost,
            fingerprint,
            second,
        }))
    }

    /// Adds the groups of `parts`, each in its best way, that with number `second_in` in its
    /// second best.
    fn collect(&self, parts: &[StageSet], second_in: Option<usize>, groups: &mut Vec<StageSet>) {
        for (number, part) in parts.iter().enumerate() {
            let Some(solution) = self.known.get(part) else {
                continue;
            };
            let choice = if second_in == Some(number) {
                solution.second
            } else {
                solution.best
            };
            if let Some(choice) = choice {
                groups.push(choice.group);
                let rest = self
                    .space
                    .parts(&self.collapsed.dag, &(*part - choice.group));
                self.collect(&rest, choice.second_in, groups);
            }
        }
    }

    fn effort(&self) -> Effort {
        Effort {
            tried: self.tried,
            states: self.known.len() as u64,
            costed: self.costs.evaluated() - self.evaluated_before,
        }
    }
}

impl Solution {
    /// Whether nothing that costs so much can be of interest.
    fn is_no_worse_than(&self, cost: f64) -> bool {
        self.second.is_some_and(|second| second.cost <= cost)
    }

    /// Keeps the two best of what was offered; what was offered first stays where costs are equal.
    fn offer(&mut self, choice: Choice) {
        let Some(best) = self.best else {
            self.best = Some(choice);
            return;
        };
        if choice.fingerprint == best.fingerprint {
            return;
        }
        if choice.cost < best.cost {
            self.best = Some(choice);
            self.second = Some(best);
        } else if self.second.is_none_or(|second| choice.cost < second.cost) {
            self.second = Some(choice);
        }
    }
}
