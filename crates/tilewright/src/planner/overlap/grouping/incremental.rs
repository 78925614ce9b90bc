//! Groupings in rounds, where the optimum of all groupings takes too long.
//!
//! TOPLAS 2020, section 6, Algorithm 5: a grouping with small groups is found, its groups become
//! the vertices of a smaller graph, and that is grouped again.

use crate::planner::overlap::grouping::dag::Collapsed;
use crate::planner::overlap::grouping::greedy::halide;
use crate::planner::overlap::grouping::optimal::search;
use crate::planner::overlap::grouping::{
    Bounds, Costs, Dag, Effort, Grouping, GroupingError, Optimum, Space,
};

/// What the rounds came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The grouping of the last round, or a cheaper one ([`Decision::pairwise`]).
    pub grouping: Grouping,
    /// The cheapest other grouping: exact if there was one round without a limit, otherwise the
    /// cheapest that some round ended with as its best or second best.
    pub runner_up: Option<Grouping>,
    /// The rounds, first to last.
    pub rounds: Vec<Round>,
    /// All rounds together, with what was given up.
    pub effort: Effort,
    /// Whether larger groups of the last round's groups were left untried, because that would have
    /// exceeded the bounds.
    pub cut_short: bool,
    /// Whether `grouping` is the cheapest of the space: there was one round, and no limit
    /// that mattered.
    pub optimal: bool,
    /// Whether `grouping` is what merging pairs comes to ([`halide`]), which was cheaper than what
    /// the rounds ended with.
    pub pairwise: bool,
}

/// One search.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// What was searched.
    pub space: Space,
    /// Most vertices in a group, none for any number. Vertices are stages in the first round and
    /// groups of the round before in the others, whatever their size: this is how the paper reads,
    /// and otherwise a group as large as the limit could never grow again.
    pub limit: Option<usize>,
    /// Vertices of the graph.
    pub vertices: usize,
    /// Cost of the best grouping.
    pub cost: f64,
    /// What the search took.
    pub effort: Effort,
}

/// Algorithm 5: groups of at most `initial` stages, then, again and again, of at most `step` (at
/// least two) groups of the round before, or of any number for `None`, as often as it takes until
/// one group could hold everything.
///
/// Where a round but the first would exceed `bounds`, the grouping of the round before is kept.
///
/// # Errors
/// Those of [`optimal`](crate::planner::overlap::grouping::optimal()), for the first round.
pub fn incremental(
    dag: &Dag,
    space: Space,
    initial: usize,
    step: Option<usize>,
    costs: &mut Costs,
    bounds: Bounds,
) -> Result<Decision, GroupingError> {
    let step = step.map(|step| step.max(2));
    let mut rounds = Rounds::new(dag, space, bounds);
    let mut largest = initial.max(1);
    rounds.run(Some(largest), costs)?;
    while largest < dag.stages() {
        match rounds.run(step, costs) {
            Ok(()) => {}
            Err(GroupingError::TooMuchWork { .. }) => {
                rounds.cut_short = true;
                break;
            }
            Err(error) => return Err(error),
        }
        largest = step.map_or(usize::MAX, |step| step.saturating_mul(largest));
    }
    rounds.decision()
}

/// The driver: the optimum if it can be found within `bounds`, otherwise the best grouping for the
/// largest of `limits` with which it can, and then rounds of the same kind over its groups, as
/// long as they change something.
///
/// Limits are tried from the smallest to the largest, and none after one that takes too long: what
/// a search with a smaller limit has asked the cost model serves those with larger ones, so that
/// only the last search asks in vain.
///
/// Groups with several outputs can be too many for any limit. The rounds then start from the
/// grouping that this function finds for groups with one output, which are groups of that space,
/// too.
///
/// Where the grouping is not known to be optimal, it is compared with that of [`halide`], and so
/// never worse. This asks for the costs of at most as many groups as there are stages times edges,
/// whatever the bounds.
///
/// # Errors
/// [`GroupingError::TooMuchWork`] if no limit is small enough, and the others of
/// [`optimal`](crate::planner::overlap::grouping::optimal()).
pub fn group(
    dag: &Dag,
    space: Space,
    limits: &[usize],
    costs: &mut Costs,
    bounds: Bounds,
) -> Result<Decision, GroupingError> {
    let mut ascending = limits.to_vec();
    ascending.sort_unstable();
    let mut rounds = Rounds::new(dag, space, bounds);
    // Until everything was tried.
    rounds.cut_short = true;
    for _ in 0..MOST_ROUNDS {
        let before = rounds.collapsed.dag.stages();
        match rounds.climb(&ascending, costs)? {
            Climbed::Everything if rounds.space == space => {
                rounds.cut_short = false;
                break;
            }
            Climbed::Limited if rounds.collapsed.dag.stages() < before => {}
            Climbed::Nothing if space == Space::AnyOutputs && rounds.space == space => {
                if !rounds.done.is_empty() {
                    break;
                }
                rounds.space = Space::OneOutput;
            }
            // No more to be had from groups with one output.
            _ if rounds.space != space && !rounds.done.is_empty() => rounds.space = space,
            _ => break,
        }
    }
    let decision = rounds.decision()?;
    if decision.optimal {
        return Ok(decision);
    }
    let greedy = halide(dag, space, costs)?;
    Ok(decision.compared_with(greedy))
}

/// More rounds than this do not pay: with limits of two, each still halves the graph if larger
/// groups are worth it, and 2^8 stages are all there can be.
const MOST_ROUNDS: usize = 8;

/// How far the limits of a round went.
enum Climbed {
    /// Every limit took too long.
    Nothing,
    /// Not all groups were tried.
    Limited,
    /// All groups were tried.
    Everything,
}

struct Rounds<'d> {
    dag: &'d Dag,
    /// The space that was asked for.
    wanted: Space,
    /// The space of the next round.
    space: Space,
    bounds: Bounds,
    collapsed: Collapsed,
    done: Vec<Round>,
    seen: Vec<Grouping>,
    effort: Effort,
    cut_short: bool,
}

impl<'d> Rounds<'d> {
    fn new(dag: &'d Dag, space: Space, bounds: Bounds) -> Rounds<'d> {
        Rounds {
            dag,
            wanted: space,
            space,
            bounds,
            collapsed: Collapsed::none(dag),
            done: Vec::new(),
            seen: Vec::new(),
            effort: Effort::default(),
            cut_short: false,
        }
    }

    /// One round on the graph of the last, which it replaces.
    fn run(&mut self, limit: Option<usize>, costs: &mut Costs) -> Result<(), GroupingError> {
        let found = self.search(limit, costs)?;
        self.keep(limit, found);
        Ok(())
    }

    /// One round with the largest limit that does not take too long.
    fn climb(&mut self, ascending: &[usize], costs: &mut Costs) -> Result<Climbed, GroupingError> {
        let vertices = self.collapsed.dag.stages();
        let limits = ascending.iter().filter(|&&limit| limit < vertices);
        let mut last = None;
        for limit in limits.copied().map(Some).chain([None]) {
            match self.search(limit, costs) {
                Ok(found) => last = Some((limit, found)),
                Err(GroupingError::TooMuchWork { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        let Some((limit, found)) = last else {
            return Ok(Climbed::Nothing);
        };
        self.keep(limit, found);
        Ok(match limit {
            Some(_) => Climbed::Limited,
            None => Climbed::Everything,
        })
    }

    fn search(
        &mut self,
        limit: Option<usize>,
        costs: &mut Costs,
    ) -> Result<Optimum, GroupingError> {
        let found = search(
            &self.collapsed,
            self.dag,
            self.space,
            limit,
            costs,
            self.bounds,
        );
        match &found {
            Ok(Optimum { effort, .. }) | Err(GroupingError::TooMuchWork { effort }) => {
                self.effort += *effort;
            }
            Err(_) => {}
        }
        found
    }

    /// The groups that were found become the vertices of the next round.
    fn keep(&mut self, limit: Option<usize>, found: Optimum) {
        let Optimum {
            best,
            runner_up,
            effort,
        } = found;
        self.done.push(Round {
            space: self.space,
            limit,
            vertices: self.collapsed.dag.stages(),
            cost: best.cost,
            effort,
        });
        self.collapsed = Collapsed::of(self.dag, &best.groups);
        self.seen.extend(runner_up);
        self.seen.push(best);
    }

    fn decision(self) -> Result<Decision, GroupingError> {
        let mut seen = self.seen;
        let Some(grouping) = seen.pop() else {
            return Err(GroupingError::TooMuchWork {
                effort: self.effort,
            });
        };
        let optimal = match &self.done[..] {
            [only] => {
                only.limit.is_none_or(|limit| limit >= only.vertices) && only.space == self.wanted
            }
            _ => false,
        };
        let others = seen.into_iter().filter(|g| g.groups != grouping.groups);
        Ok(Decision {
            runner_up: others.min_by(|a, b| a.cost.total_cmp(&b.cost)),
            grouping,
            rounds: self.done,
            effort: self.effort,
            cut_short: self.cut_short,
            optimal,
            pairwise: false,
        })
    }
}

impl Decision {
    /// The cheaper of this decision's grouping and another.
    fn compared_with(mut self, other: Grouping) -> Decision {
        if other.groups == self.grouping.groups {
            return self;
        }
        let loser = if other.cost < self.grouping.cost {
            self.pairwise = true;
            std::mem::replace(&mut self.grouping, other)
        } else {
            other
        };
        let same = |known: &Grouping| known.groups == self.grouping.groups;
        self.runner_up = self
            .runner_up
            .filter(|known| !same(known) && known.cost <= loser.cost);
        self.runner_up.get_or_insert(loser);
        self
    }
}
