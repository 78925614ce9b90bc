//! Grouping as combinatorics: which stages are tiled together, given what each group costs.
//!
//! After Jangda & Bondhugula, *An Effective Fusion and Tile Size Model for PolyMage*, TOPLAS 42(3),
//! 2020, sections 3 and 6. Nothing here knows of isl or of loops: a graph of stages ([`Dag`]), a
//! model of what a group costs ([`GroupCost`]), and a [`Space`] of groupings go in, a grouping
//! comes out.
//!
//! | function | what it finds |
//! |---|---|
//! | [`group`] | the optimum if that is quick enough, otherwise the best of bounded rounds |
//! | [`optimal()`] | the optimum over a space, with groups of bounded size if wished |
//! | [`incremental()`] | bounded rounds (Algorithm 5) |
//! | [`polymage`], [`halide`], [`apart`] | what others would do (sections 2.2 and 2.3) |
//! | [`neighbours()`] | what merging neighbours of a grouping would have cost |
//!
//! # Why not Algorithm 1 of the paper
//!
//! That algorithm goes from the sources to the sinks. Its state is the set of groups that are
//! being built; what was finished before them is forgotten, so that the table is small. As
//! published, this has two faults, which the tests show with a transcription of it:
//!
//! - *Circles.* A group takes a successor unless another successor of the group leads to it. No
//!   look is taken at the other groups that are being built. With edges a→b, c→b, a→d, c→d it
//!   returns {a, d} and {c, b}, which read each other.
//! - *Stages that count twice.* With a→c, a→b, b→d, d→c, when {a} is finished, {b} and {c} are
//!   begun. When these are finished, d is begun, and its successor c is not in any group that is
//!   remembered. The cost of c is added again, so that groupings are compared by wrong costs, and
//!   the grouping returned can hold c in two groups.
//!
//! Here a state is what is *not* grouped yet, which forgets nothing that matters: the groups taken
//! so far are closed under consumers, so that none of them can be in a circle with what comes
//! later, and no stage is taken twice. For a chain of n stages n(n + 1)/2 groups are tried, as in
//! the paper (section 3.3). For groups with one output, which are what our transforms can execute
//! as overlapped tiles, there are no more states than stages ([`optimal`](mod@optimal)).
//!
//! The search is bounded by the groups that it tries and those that it has to ask the cost model
//! about ([`Bounds`]), it recurses no deeper than there are stages, and it is deterministic.

mod candidates;
mod cost;
mod dag;
mod greedy;
mod incremental;
mod neighbours;
mod optimal;
mod space;
mod stage_set;
#[cfg(test)]
mod tests;

pub use cost::{Costs, GroupCost, Interrupted};
pub use dag::Dag;
pub use greedy::{apart, halide, polymage, priced};
pub use incremental::{Decision, Round, group, incremental};
pub use neighbours::{Neighbours, neighbours};
pub use optimal::{Optimum, optimal};
pub use space::Space;
pub use stage_set::{StageSet, Stages};

use crate::plan::defaults;
use std::ops::AddAssign;

/// Stages in groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Grouping {
    /// Every stage in one of them; in an order in which they can be executed.
    pub groups: Vec<StageSet>,
    /// The sum of their costs.
    pub cost: f64,
}

/// How much a search had to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Pairs of a state and a group that was tried in it.
    pub tried: u64,
    /// States that were solved.
    pub states: u64,
    /// Groups whose cost was not known before.
    pub costed: u64,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Effort) {
        self.tried += other.tried;
        self.states += other.states;
        self.costed += other.costed;
    }
}

/// How much a search may do before it gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Most [`Effort::tried`].
    pub tried: u64,
    /// Most [`Effort::costed`].
    pub costed: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            tried: defaults::GROUPS_TRIED,
            costed: defaults::GROUPS_COSTED,
        }
    }
}

impl Bounds {
    fn exceeded_by(&self, effort: &Effort) -> bool {
        effort.tried > self.tried || effort.costed > self.costed
    }
}

/// Why there is no grouping.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroupingError {
    /// More stages than a [`StageSet`] holds.
    #[error(
        "{stages} stages are more than {}, the most that can be grouped",
        StageSet::CAPACITY
    )]
    TooManyStages {
        /// How many.
        stages: usize,
    },
    /// An edge names a stage that does not exist.
    #[error("an edge names stage {stage}, which does not exist")]
    UnknownStage {
        /// Its number.
        stage: usize,
    },
    /// Stages are not numbered producers first.
    #[error("stage {producer} is read by stage {consumer}, which comes before it")]
    Backward {
        /// The stage that is read.
        producer: usize,
        /// The stage that reads it.
        consumer: usize,
    },
    /// The search reached its bounds.
    #[error("the search was given up after {} groups", effort.tried)]
    TooMuchWork {
        /// What it had done.
        effort: Effort,
    },
    /// All groupings cost infinitely much.
    #[error("no grouping has a finite cost")]
    NoGrouping,
    /// The cost model could not go on.
    #[error("the cost model could not go on")]
    Interrupted,
}
