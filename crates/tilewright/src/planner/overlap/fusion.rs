//! Which stages are tiled together, and how large their tiles are: the cost model of
//! [`crate::planner::cost`] over groupings of [`crate::planner::overlap::grouping`].

use crate::analysis::model::Model;
use crate::analysis::stages::{StageGraph, StageId};
use crate::plan::{Shape, defaults};
use crate::planner::cost::{Levels, Objective, Priced, Pricing, Terms};
use crate::planner::overlap::grouping::{
    Bounds, Costs, Dag, GroupCost, Grouping, GroupingError, Interrupted, Neighbours, Space,
    StageSet, apart, group, halide, incremental, neighbours, polymage, priced,
};
use crate::planner::overlap::hybrid;
use crate::planner::overlap::hybrid::Ordinary;
use crate::planner::overlap::sizes::pipeline_sizes;
use crate::planner::wishes::{Fusion, InnerTile, Wishes};
use crate::scop::Scop;
use std::collections::{BTreeMap, BTreeSet};

/// The stages of a group in textual order; the last one is the live-out one.
pub(crate) type Members = BTreeSet<StageId>;

/// A group that was decided on.
#[derive(Clone, Debug)]
pub(crate) struct Fused {
    pub members: Members,
    /// Tile sizes, where it is tiled: 0 in whole dimensions and in that of `ordinary`.
    pub sizes: Option<Vec<i64>>,
    pub ordinary: Option<Ordinary>,
    /// For which caches the tiles are, where that was asked for.
    pub levels: Option<Levels>,
    /// Threads of a block, where they were chosen.
    pub threads: Option<[i64; 2]>,
}

/// Why stages are grouped as they are.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Why {
    /// How the groups were found ([`Fusion::name`]).
    pub fusion: &'static str,
    /// What the costs are: `ns`, or nothing for weights.
    pub unit: &'static str,
    /// The cost of the grouping as it was compared with others, with one of few tile sizes.
    pub cost: f64,
    /// Per group of the plan, with the tile sizes of the plan.
    pub groups: Vec<GroupWhy>,
    /// The best other grouping, if one is known.
    pub runner_up: Option<RunnerUp>,
    /// What merging neighbours would have cost.
    pub merges: Vec<Merge>,
    /// Groups whose costs were compared.
    pub compared: u64,
    /// The most stages that a group could have in the first round, where not all groupings could
    /// be compared.
    pub limit: Option<usize>,
}

/// What one group costs.
#[derive(Clone, Debug, serde::Serialize)]
pub struct GroupWhy {
    /// Its stages.
    pub stages: Vec<String>,
    /// The parts of its cost.
    pub terms: Terms,
    /// For which caches its tiles are, where that was asked for.
    pub levels: Option<Levels>,
}

/// The grouping that is second best.
#[derive(Clone, Debug, serde::Serialize)]
pub struct RunnerUp {
    /// Its cost.
    pub cost: f64,
    /// Those of its groups that the best one does not have.
    pub groups: Vec<Vec<String>>,
}

/// Two groups of which one reads the other.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Merge {
    /// Number of the group that is read.
    pub producer: usize,
    /// Number of the one that reads.
    pub consumer: usize,
    /// What they cost apart.
    pub apart: f64,
    /// What they would cost as one group; `None` where they cannot be one.
    pub merged: Option<f64>,
}

/// What fusion works on.
pub(crate) struct Problem<'p> {
    pub scop: &'p Scop,
    pub graph: &'p StageGraph,
    pub model: &'p Model,
    /// Dependences between different stages, as pairs.
    pub order: &'p [(StageId, StageId)],
    /// Which stages may live in scratchpads.
    pub local: &'p [bool],
    pub wishes: &'p Wishes,
}

impl GroupCost for Groups<'_> {
    fn cost(&mut self, group: &StageSet) -> Result<f64, Interrupted> {
        Ok(self.price(group).map_or(f64::INFINITY, |p| p.terms.total()))
    }

    // What a tile needs of a stage follows from its readers, which are in the group already: more
    // producers do not change it, where they do not change the tile sizes.
    fn rules_out_larger(&mut self, group: &StageSet) -> bool {
        let same_sizes = !matches!(self.pricing.objective, Objective::Toplas(_));
        same_sizes && !self.refused.contains(&members(group))
    }
}

/// The groups of a problem and what they cost.
struct Groups<'g> {
    pricing: Pricing<'g>,
    refused: &'g BTreeSet<Members>,
}

impl Groups<'_> {
    fn price(&self, group: &StageSet) -> Option<Priced> {
        let members = members(group);
        if self.refused.contains(&members) {
            None
        } else {
            self.pricing.price(&members.into_iter().collect::<Vec<_>>())
        }
    }
}

fn fused(group: &StageSet, priced: &Priced, ordinary: &BTreeMap<StageId, Ordinary>) -> Fused {
    let ordinary = group.last().and_then(|out| ordinary.get(&out).copied());
    Fused {
        members: members(group),
        sizes: priced.sizes.clone().filter(|_| group.len() > 1),
        ordinary,
        levels: priced.levels.clone(),
        threads: priced.threads,
    }
}

fn members(group: &StageSet) -> Members {
    group.iter().collect()
}

impl Problem<'_> {
    /// The groups in the order of execution, or `None` where there are too many stages. Groups of
    /// `refused` are not taken, and pairs are merged only if `possible` says so.
    pub fn fuse(
        &self,
        fusion: Fusion,
        refused: &BTreeSet<Members>,
        possible: &mut dyn FnMut(&Fused) -> bool,
    ) -> Option<(Vec<Fused>, Why)> {
        let dag = self.dag().ok()?;
        let ordinary = self.ordinary();
        let mut groups = Groups {
            pricing: self.pricing(),
            refused,
        };
        let mut asked = Groups {
            pricing: groups.pricing.clone(),
            refused,
        };
        let mut costs = Costs::new(&mut asked);
        let space = Space::OneOutput;
        let (grouping, runner_up, limit) = match fusion {
            Fusion::Optimal => {
                let bounds = Bounds::default();
                let found = match self.wishes.pipelines.group_limit {
                    None => group(&dag, space, &defaults::GROUP_LIMITS, &mut costs, bounds),
                    Some(limit) => incremental(&dag, space, limit, None, &mut costs, bounds),
                };
                let found = found.ok()?;
                let limit = found.rounds.first().and_then(|round| round.limit);
                (found.grouping, found.runner_up, limit)
            }
            Fusion::Polymage => {
                let size = |group: &StageSet| {
                    let stages = group.iter().map(|s| groups.pricing.whole_bytes(s));
                    stages.sum()
                };
                let may = |a: &StageSet, b: &StageSet| {
                    let both = *a | *b;
                    let priced = groups.price(&both);
                    priced.is_some_and(|priced| possible(&fused(&both, &priced, &ordinary)))
                };
                let merged = polymage(&dag, space, size, may);
                (priced(merged, &mut costs).ok()?, None, None)
            }
            Fusion::Halide => (halide(&dag, space, &mut costs).ok()?, None, None),
            Fusion::Apart => (priced(apart(&dag), &mut costs).ok()?, None, None),
        };
        let sorted = dag.sorted(&grouping.groups)?;
        let grouping = Grouping {
            groups: sorted,
            ..grouping
        };
        let merges = neighbours(&dag, space, &grouping, &mut costs).ok()?;
        let compared = costs.evaluated();
        // The sizes among which the search chose are few; now all of them.
        groups.pricing.thorough = true;
        let mut all = Vec::new();
        let mut why = Vec::new();
        for group in &grouping.groups {
            let mut priced = groups.price(group)?;
            if self.wishes.pipelines.inner_tile == InnerTile::FirstCache && priced.levels.is_none()
            {
                let members: Vec<StageId> = group.iter().collect();
                let row = priced.sizes.iter().flatten().last();
                let row = row.copied().filter(|&size| size > 0);
                let row = row.unwrap_or(defaults::WHOLE);
                priced.levels = groups.pricing.levels(&members, row);
            }
            why.push(GroupWhy {
                stages: self.names(group),
                terms: priced.terms,
                levels: priced.levels.clone().filter(|_| group.len() > 1),
            });
            all.push(fused(group, &priced, &ordinary));
        }
        let best = &grouping.groups;
        let why = Why {
            fusion: fusion.name(),
            unit: match self.wishes.objective {
                Objective::Toplas(_) => "",
                Objective::Time(_) | Objective::Device(_) => "ns",
            },
            cost: grouping.cost,
            groups: why,
            runner_up: runner_up.map(|other| RunnerUp {
                cost: other.cost,
                groups: other
                    .groups
                    .iter()
                    .filter(|group| !best.contains(group))
                    .map(|group| self.names(group))
                    .collect(),
            }),
            merges: merges.iter().map(merge).collect(),
            compared,
            limit,
        };
        Some((all, why))
    }

    fn names(&self, group: &StageSet) -> Vec<String> {
        let names = group.iter().map(|s| self.graph.stages[s].name.clone());
        names.collect()
    }

    fn dag(&self) -> Result<Dag, GroupingError> {
        let stages = 0..self.graph.stages.len();
        let live_out = stages.clone().filter(|&s| self.graph.stages[s].live_out);
        Dag::new(
            stages.len(),
            self.order,
            StageSet::of(live_out)?,
            StageSet::of(stages.filter(|&s| self.local[s]))?,
        )
    }

    fn pricing(&self) -> Pricing<'_> {
        let wishes = self.wishes;
        // PolyMage's heuristic has tiles of one size, but for those that the paper's formula finds.
        let one_size = wishes.pipelines.fusion == Fusion::Polymage
            && matches!(wishes.objective, Objective::Time(_));
        let fixed = wishes.tile_sizes.is_some() || wishes.pipelines.overlap.is_some() || one_size;
        let sizes = |out| (out, hybrid::split(wishes, self.sizes(out)).0);
        Pricing {
            model: self.model,
            machine: wishes.machine.clone(),
            objective: wishes.objective,
            fixed: fixed.then(|| (0..self.graph.stages.len()).map(sizes).collect()),
            given: wishes.tile_sizes.as_ref().map_or(0, Vec::len),
            right: !matches!(wishes.shape, Some(Shape::Scalene | Shape::Polymage))
                && wishes.pipelines.inner_tile != InnerTile::None,
            tolerance: wishes.pipelines.overlap_tolerance,
            thorough: false,
            memory: Default::default(),
        }
    }

    /// The dimensions of ordinary tiles, by live-out stage.
    fn ordinary(&self) -> BTreeMap<StageId, Ordinary> {
        let stages = 0..self.graph.stages.len();
        let split = |out| hybrid::split(self.wishes, self.sizes(out)).1;
        stages.filter_map(|out| Some((out, split(out)?))).collect()
    }

    fn sizes(&self, out: StageId) -> Vec<i64> {
        let right = self.wishes.shape != Some(Shape::Scalene);
        pipeline_sizes(self.scop, self.graph, out, self.wishes, right)
    }
}

fn merge(found: &Neighbours) -> Merge {
    Merge {
        producer: found.producer,
        consumer: found.consumer,
        apart: found.apart,
        merged: found.merged.filter(|cost| cost.is_finite()),
    }
}
