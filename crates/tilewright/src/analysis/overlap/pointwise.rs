//! Which stages of an overlapped group can share their point loops.
//!
//! Stages that compute the same instances in every tile and read each other's values of the same
//! iteration only can run in one loop nest; a value that no other nest reads then never leaves
//! the registers, and what several of them read is loaded once. This is the intra-tile fusion of
//! Jangda & Bondhugula, TOPLAS 2020, section 5.3, whose conditions are here (i) as many loops,
//! (ii) the same instances in every tile, (iii) an array cell that both read in one iteration, or
//! none: loops of stages that read nothing in common are one, too, if no stage has to wait for it.
//!
//! The section's pairs are all pairs of a group, whatever is between them. Two stages can share
//! loops if the earlier one can wait for the later one or the later one need not wait for what
//! is between them.
//!
//! Not taken are stages of several statements, whose loops have several bounds, stages that read
//! what they write, and those that read at places that depend on data.

use crate::analysis::dependences::dataflow::{Dataflow, Pair};
use crate::analysis::overlap::footprint::GroupTiles;
use crate::analysis::stages::{StageGraph, StageId};
use crate::scop::{AccessKind, Scop, StatementId};
use isl::{DimType, Map, Result};
use std::collections::BTreeMap;

/// Which pairs of statements, as far as they were asked for, have dependences at distance zero only.
type Close = BTreeMap<(StatementId, StatementId), bool>;

/// Partitions `stages` (producers first) into nests, in an order of execution that respects all
/// dependences between them.
///
/// # Errors
/// isl's own.
pub fn nests(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    stages: &[StageId],
    tiles: &GroupTiles,
) -> Result<Vec<Vec<StageId>>> {
    let dependences = dataflow.pairs(scop)?;
    let mut sharing = Sharing {
        scop,
        graph,
        tiles,
        dependences: &dependences,
        close: Close::new(),
    };
    let mut nests: Vec<Vec<StageId>> = Vec::new();
    for &stage in stages {
        let mut place = None;
        for number in (0..nests.len()).rev() {
            if sharing.joins(&nests[number], stage)? {
                place = Some(number);
            }
            if graph.producers(stage).any(|p| nests[number].contains(&p)) {
                break;
            }
        }
        match place {
            Some(number) => nests[number].push(stage),
            None => nests.push(vec![stage]),
        }
    }
    sharing.wait(&mut nests)?;
    Ok(nests)
}

/// Every stage with loops of its own: [`nests`] without the fusion.
pub fn apart(stages: &[StageId]) -> Vec<Vec<StageId>> {
    stages.iter().map(|&stage| vec![stage]).collect()
}

/// What decides whether stages can share loops.
struct Sharing<'s> {
    scop: &'s Scop,
    graph: &'s StageGraph,
    tiles: &'s GroupTiles,
    dependences: &'s [Pair],
    close: Close,
}

impl Sharing<'_> {
    /// Whether a stage can run in the loops of a nest, behind its stages.
    fn joins(&mut self, nest: &[StageId], stage: StageId) -> Result<bool> {
        let (scop, graph) = (self.scop, self.graph);
        let Some((own, instances)) = single_statement(graph, self.tiles, stage) else {
            return Ok(false);
        };
        if scop.statements[own].iterators.is_empty()
            || graph.stages[stage].recursive
            || looks_up(scop, own)
        {
            return Ok(false);
        }
        for &other in nest {
            let Some((statement, theirs)) = single_statement(graph, self.tiles, other) else {
                return Ok(false);
            };
            if looks_up(scop, statement) {
                return Ok(false);
            }
            let same = scop.statements[statement].iterators.len()
                == scop.statements[own].iterators.len()
                && !graph.stages[other].recursive
                && at_distance_zero(self.dependences, &mut self.close, statement, own)?
                && anonymous(instances)?.is_equal(&anonymous(theirs)?)?;
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Moves nests behind others, into later ones that read the same cells.
    fn wait(&mut self, nests: &mut Vec<Vec<StageId>>) -> Result<()> {
        let mut earlier = 0;
        while earlier < nests.len() {
            let mut place = None;
            for later in earlier + 1..nests.len() {
                if self.have_common_inputs(&nests[earlier], &nests[later])? {
                    let mut joins = true;
                    for &stage in &nests[later] {
                        joins = joins && self.joins(&nests[earlier], stage)?;
                    }
                    if joins {
                        place = Some(later);
                        break;
                    }
                }
                let mut reads = nests[later].iter().flat_map(|&s| self.graph.producers(s));
                if reads.any(|producer| nests[earlier].contains(&producer)) {
                    break;
                }
            }
            match place {
                Some(later) => {
                    let mut all = std::mem::take(&mut nests[earlier]);
                    all.append(&mut nests[later]);
                    nests[later] = all;
                    nests.remove(earlier);
                }
                None => earlier += 1,
            }
        }
        Ok(())
    }

    /// Whether a stage of one nest reads a cell in some iteration that one of the other nest reads
    /// in the same iteration.
    fn have_common_inputs(&self, one: &[StageId], other: &[StageId]) -> Result<bool> {
        for &a in one.iter().flat_map(|&s| &self.graph.stages[s].statements) {
            for &b in other.iter().flat_map(|&s| &self.graph.stages[s].statements) {
                if self.reads_in_common(a, b)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn reads_in_common(&self, a: StatementId, b: StatementId) -> Result<bool> {
        let reads = |id: StatementId| {
            let accesses = self.scop.statements[id].accesses.iter();
            accesses.filter(|access| access.kind == AccessKind::Read)
        };
        for one in reads(a) {
            for other in reads(b).filter(|other| other.array == one.array) {
                let one = one.relation.reset_tuple_id(DimType::In)?;
                let other = other.relation.reset_tuple_id(DimType::In)?;
                if one.dim(DimType::In)? == other.dim(DimType::In)? && !one.is_disjoint(&other)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

fn single_statement<'t>(
    graph: &StageGraph,
    tiles: &'t GroupTiles,
    stage: StageId,
) -> Option<(StatementId, &'t Map)> {
    let [statement] = graph.stages[stage].statements[..] else {
        return None;
    };
    tiles
        .instances
        .iter()
        .find(|(s, _)| *s == statement)
        .map(|(s, map)| (*s, map))
}

/// Whether a statement reads at places that depend on data (a table): compilers do not vectorise
/// such a loop well, and should not give up the arithmetic of another stage with it.
fn looks_up(scop: &Scop, statement: StatementId) -> bool {
    let accesses = scop.statements[statement].accesses.iter();
    accesses
        .flat_map(|access| &access.affine)
        .any(Option::is_none)
}

fn anonymous(instances: &Map) -> Result<Map> {
    instances.reset_tuple_id(DimType::Out)
}

/// Whether all dependences between two statements stay in their iteration.
fn at_distance_zero(
    dependences: &[Pair],
    known: &mut Close,
    earlier: StatementId,
    later: StatementId,
) -> Result<bool> {
    if let Some(&known) = known.get(&(earlier, later)) {
        return Ok(known);
    }
    let mut close = true;
    for Pair { map, .. } in dependences
        .iter()
        .filter(|pair| (pair.earlier, pair.later) == (earlier, later))
    {
        close = map.dim(DimType::In)? == map.dim(DimType::Out)?
            && map
                .drop_unused_params()?
                .reset_tuple_id(DimType::In)?
                .reset_tuple_id(DimType::Out)?
                .is_identity()?;
        if !close {
            break;
        }
    }
    known.insert((earlier, later), close);
    Ok(close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::overlap::footprint::group_tiles;
    use crate::scop::testing::ScopBuilder;

    /// The nests of a region with one dimension, in tiles of 16, by the names of their arrays.
    fn nests_of(scop: &Scop) -> Vec<Vec<String>> {
        let dataflow = Dataflow::compute(scop).unwrap();
        let graph = StageGraph::build(scop, &dataflow).unwrap();
        let stages: Vec<StageId> = (0..graph.stages.len()).collect();
        let out = stages.len() - 1;
        let tiles = group_tiles(scop, &graph, &stages, out, &[16]).unwrap();
        let nests = nests(scop, &dataflow, &graph, &stages, &tiles).unwrap();
        let name = |&s: &StageId| graph.stages[s].name.clone();
        let nests = nests.iter();
        nests.map(|nest| nest.iter().map(name).collect()).collect()
    }

    fn region() -> ScopBuilder {
        let mut builder = ScopBuilder::new("[n] -> { : n >= 32 }").input("in", 1);
        for name in ["a", "b", "c"] {
            builder = builder.temporary(name, 1);
        }
        builder.output("out", 1)
    }

    /// TOPLAS 2020, section 5.3: siblings with equal bounds and a common input share loops, those
    /// with other bounds do not: `a` and `c` are read around a cell, so that tiles compute more of them.
    #[test]
    fn siblings_with_equal_bounds_share_loops() {
        let scop = region()
            .statement("S0[i] : 0 <= i < n", &["in[i]"], &["a[i]"])
            .statement("S1[i] : 1 <= i < n - 1", &["in[i]"], &["b[i]"])
            .statement("S2[i] : 0 <= i < n", &["in[i]", "in[i + 1]"], &["c[i]"])
            .statement(
                "S3[i] : 1 <= i < n - 1",
                &["a[i - 1]", "a[i + 1]", "b[i]", "c[i - 1]", "c[i + 1]"],
                &["out[i]"],
            )
            .build();
        assert_eq!(nests_of(&scop), [vec!["a", "c"], vec!["b", "out"]]);
    }

    /// `a` comes first and is needed last; `b` is computed for more cells than both, and `c`, which
    /// reads it, as well as `a`, reads `in[i]`. `a` can wait for `c`, though there is a nest between.
    #[test]
    fn a_sibling_waits_for_a_later_one() {
        let read = ["a[i - 1]", "a[i + 1]", "c[i - 1]", "c[i + 1]"];
        let siblings = |of_a: &[&str]| {
            region()
                .statement("S0[i] : 2 <= i < n - 2", of_a, &["a[i]"])
                .statement("S1[i] : 0 <= i < n", &["in[i]"], &["b[i]"])
                .statement(
                    "S2[i] : 2 <= i < n - 2",
                    &["b[i - 2]", "b[i + 2]", "in[i]"],
                    &["c[i]"],
                )
                .statement("S3[i] : 3 <= i < n - 3", &read, &["out[i]"])
                .build()
        };
        assert_eq!(
            nests_of(&siblings(&["in[i]"])),
            [vec!["b"], vec!["a", "c"], vec!["out"]]
        );
        // Nothing in common in one iteration, and nothing to wait for.
        assert_eq!(
            nests_of(&siblings(&["in[i + 1]"])),
            [vec!["a"], vec!["b"], vec!["c"], vec!["out"]]
        );
    }

    /// What a nest in between reads cannot wait.
    #[test]
    fn what_is_read_in_between_does_not_wait() {
        let scop = region()
            .statement("S0[i] : 0 <= i < n", &["in[i]"], &["a[i]"])
            .statement(
                "S1[i] : 1 <= i < n - 1",
                &["a[i - 1]", "a[i + 1]"],
                &["b[i]"],
            )
            .statement(
                "S2[i] : 2 <= i < n - 2",
                &["b[i - 1]", "b[i + 1]", "in[i]"],
                &["c[i]"],
            )
            .statement(
                "S3[i] : 4 <= i < n - 4",
                &["a[i - 2]", "a[i + 2]", "c[i - 2]", "c[i + 2]"],
                &["out[i]"],
            )
            .build();
        assert_eq!(
            nests_of(&scop),
            [vec!["a"], vec!["b"], vec!["c"], vec!["out"]]
        );
    }
}
