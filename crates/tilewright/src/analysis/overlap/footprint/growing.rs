//! Tiles that grow stage by stage, and the memory of what is known of each stage.
//!
//! A planner asks for the tiles of many groups, of which most have most stages in common; then the
//! transform and the report ask for those of the groups that were decided on. What a tile computes
//! of a stage is found once.

use crate::analysis::overlap::footprint::{
    Footprint, GroupTiles, NoFootprint, cells_written, check_stage, cover, instances_for,
    whole_tiles,
};
use crate::analysis::stages::{StageGraph, StageId};
use crate::scop::{Access, AccessKind, ArrayId, Scop, StatementId};
use isl::{Map, Set};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What was found of the stages of a [`StageGraph`] already.
///
/// What a tile computes of a stage is a function of the scop, of the tiles, and of what the tile
/// computes of the stages of its group that read it. The scop is the one of the graph; tiles and
/// stages in them are numbered as they are found, and the key of a stage in a tile has the numbers
/// of its tiles and of its readers in them. So the key tells all that the value depends on,
/// whatever group is asked for, and in whatever order its stages are added. Failures of isl are
/// not kept: they may be for want of operations.
#[derive(Clone, Debug, Default)]
pub struct Known {
    tiles: RefCell<BTreeMap<TilesKey, Rc<Tiles>>>,
    stages: RefCell<BTreeMap<StageKey, Result<Rc<InTile>, NoFootprint>>>,
    checked: RefCell<BTreeMap<StageId, Result<(), NoFootprint>>>,
    written: RefCell<BTreeMap<StageId, Result<Set, NoFootprint>>>,
}

/// The live-out stage and the sizes of its tiles, one per dimension of its array.
type TilesKey = (StageId, Vec<i64>);
/// Which tiles, which stage, and the numbers of its readers in the group.
type StageKey = (usize, StageId, Vec<usize>);

/// The tiles of a live-out stage.
#[derive(Debug)]
struct Tiles {
    number: usize,
    tiled: Vec<usize>,
    tiles: Set,
    /// Its cells per tile, not cut off by the rim of its array.
    whole: Map,
    /// The same, cut off.
    cells: Map,
}

/// What a tile computes of one stage.
#[derive(Debug)]
struct InTile {
    number: usize,
    /// None for the live-out stage.
    footprint: Option<(Footprint, Map)>,
    /// The instances of the statements that read what the region computes.
    instances: Vec<(StatementId, Map)>,
    /// The cells that these read, per access.
    reads: Vec<(ArrayId, Map)>,
    /// Statements that read nothing that the region computes, as those of a rim of zeros: their
    /// instances are not asked for before the end.
    waiting: Vec<StatementId>,
    array: ArrayId,
    cells: Map,
    waited: OnceCell<Vec<(StatementId, Map)>>,
}

/// What is known for a key, found out where it is not.
fn known<K: Ord, V: Clone>(
    memory: &RefCell<BTreeMap<K, Result<V, NoFootprint>>>,
    key: K,
    find: impl FnOnce(usize) -> Result<V, NoFootprint>,
) -> Result<V, NoFootprint> {
    if let Some(known) = memory.borrow().get(&key) {
        return known.clone();
    }
    let number = memory.borrow().len();
    let found = find(number);
    if !matches!(found, Err(NoFootprint::Isl(_))) {
        memory.borrow_mut().insert(key, found.clone());
    }
    found
}

impl Known {
    /// Whether a stage can be in an overlapped group.
    fn check(&self, scop: &Scop, graph: &StageGraph, stage: StageId) -> Result<(), NoFootprint> {
        known(&self.checked, stage, |_| check_stage(scop, graph, stage))
    }

    /// All cells that a stage writes.
    pub(in crate::analysis) fn written(
        &self,
        scop: &Scop,
        graph: &StageGraph,
        stage: StageId,
    ) -> Result<Set, NoFootprint> {
        known(&self.written, stage, |_| cells_written(scop, graph, stage))
    }

    fn tiles(
        &self,
        scop: &Scop,
        graph: &StageGraph,
        out: StageId,
        sizes: &[i64],
    ) -> Result<Rc<Tiles>, NoFootprint> {
        let rank = scop.arrays[graph.stages[out].arrays[0]].extents.len();
        let size = |d: usize| sizes.get(d).copied().unwrap_or(0);
        let key = (out, (0..rank).map(size).collect());
        if let Some(tiles) = self.tiles.borrow().get(&key) {
            return Ok(tiles.clone());
        }
        let written = self.written(scop, graph, out)?;
        let tiled: Vec<usize> = (0..rank).filter(|&d| size(d) > 0).collect();
        let whole = whole_tiles(&written, &tiled, &size)?;
        let cells = whole.intersect_range(&written)?;
        let tiles = cells.domain()?.coalesce()?;
        if tiles.is_empty()? {
            return Err(NoFootprint::Empty);
        }
        let found = Rc::new(Tiles {
            number: self.tiles.borrow().len(),
            tiled,
            tiles,
            whole,
            cells,
        });
        self.tiles.borrow_mut().insert(key, found.clone());
        Ok(found)
    }
}

impl InTile {
    /// What each tile computes of a stage of which it needs the given cells.
    fn of(
        scop: &Scop,
        graph: &StageGraph,
        stage: StageId,
        number: usize,
        tiles: &Set,
        needed: Map,
        is_out: bool,
    ) -> Result<InTile, NoFootprint> {
        let array = graph.stages[stage].arrays[0];
        let (footprint, cells) = if is_out {
            (None, needed)
        } else {
            let (footprint, covered) = cover(stage, array, &needed, tiles)?;
            (Some((footprint, covered.clone())), covered)
        };
        let mut found = InTile {
            number,
            footprint,
            instances: Vec::new(),
            reads: Vec::new(),
            waiting: Vec::new(),
            array,
            cells,
            waited: OnceCell::new(),
        };
        for &statement in &graph.stages[stage].statements {
            let produced = |read: &&Access| {
                let mut stages = graph.stages.iter();
                read.kind == AccessKind::Read
                    && read.array != array
                    && stages.any(|s| s.arrays.contains(&read.array))
            };
            let accesses = scop.statements[statement].accesses.iter();
            let reads: Vec<&Access> = accesses.filter(produced).collect();
            if reads.is_empty() {
                found.waiting.push(statement);
                continue;
            }
            let per_tile = instances_for(scop, statement, array, &found.cells)?;
            for read in reads {
                let relation = read.relation.drop_unused_params()?;
                let cells = per_tile.apply_range(&relation)?;
                found.reads.push((read.array, cells));
            }
            found.instances.push((statement, per_tile));
        }
        Ok(found)
    }

    /// The instances of those statements that waited for somebody to ask.
    fn waited(&self, scop: &Scop) -> Result<&[(StatementId, Map)], NoFootprint> {
        if let Some(known) = self.waited.get() {
            return Ok(known);
        }
        let mut found = Vec::new();
        for &statement in &self.waiting {
            let per_tile = instances_for(scop, statement, self.array, &self.cells)?;
            found.push((statement, per_tile));
        }
        Ok(self.waited.get_or_init(|| found))
    }
}

/// Tiles of a group to which producers are still added.
#[derive(Clone, Debug)]
pub struct GrowingTiles {
    /// In the end with footprints and instances in order; until then consumers first.
    group: GroupTiles,
    out: StageId,
    tiles: Rc<Tiles>,
    /// The stages that are there, with what tiles compute of them.
    stages: BTreeMap<StageId, Rc<InTile>>,
}

impl GrowingTiles {
    /// Tiles of `sizes` of the live-out stage alone, without its instances: it is added first.
    ///
    /// # Errors
    /// [`NoFootprint`] says what stands in the way.
    pub fn new(
        scop: &Scop,
        graph: &StageGraph,
        out: StageId,
        sizes: &[i64],
    ) -> Result<GrowingTiles, NoFootprint> {
        graph.tiles.check(scop, graph, out)?;
        let tiles = graph.tiles.tiles(scop, graph, out, sizes)?;
        Ok(GrowingTiles {
            group: GroupTiles {
                tiled: tiles.tiled.clone(),
                tiles: tiles.tiles.clone(),
                boxes: vec![(out, tiles.whole.clone())],
                instances: Vec::new(),
                footprints: Vec::new(),
            },
            out,
            tiles,
            stages: BTreeMap::new(),
        })
    }

    /// Adds stages (producers first) that only stages that are there already, or later ones among
    /// these, read.
    ///
    /// # Errors
    /// [`NoFootprint`] says which stage stands in the way; the tiles are then of no more use.
    pub fn add(
        &mut self,
        scop: &Scop,
        graph: &StageGraph,
        stages: &[StageId],
    ) -> Result<(), NoFootprint> {
        for &stage in stages {
            graph.tiles.check(scop, graph, stage)?;
        }
        for &stage in stages.iter().rev() {
            let array = graph.stages[stage].arrays[0];
            // Always in the same order, whichever was added first.
            let read = |other: &&Rc<InTile>| other.reads.iter().any(|&(read, _)| read == array);
            let readers: Vec<&Rc<InTile>> = self.stages.values().rev().filter(read).collect();
            let is_out = stage == self.out;
            if readers.is_empty() && !is_out {
                continue;
            }
            let key = (
                self.tiles.number,
                stage,
                readers.iter().map(|reader| reader.number).collect(),
            );
            let found = known(&graph.tiles.stages, key, |number| {
                let mut needed = is_out.then(|| self.tiles.cells.clone());
                let reads = readers.iter().flat_map(|reader| &reader.reads);
                for (_, cells) in reads.filter(|&&(read, _)| read == array) {
                    needed = Some(match needed {
                        Some(before) => before.union(cells)?.coalesce()?,
                        None => cells.clone(),
                    });
                }
                let needed = needed.ok_or(NoFootprint::Empty)?;
                let tiles = &self.tiles.tiles;
                let found = InTile::of(scop, graph, stage, number, tiles, needed, is_out)?;
                Ok(Rc::new(found))
            })?;
            if let Some((footprint, covered)) = &found.footprint {
                self.group.footprints.push(footprint.clone());
                self.group.boxes.push((stage, covered.clone()));
            }
            self.group.instances.extend(found.instances.iter().cloned());
            self.stages.insert(stage, found);
        }
        Ok(())
    }

    /// What is known of the stages so far, consumers first; without the instances of statements
    /// that read nothing.
    pub fn so_far(&self) -> &GroupTiles {
        &self.group
    }

    /// All stages are there.
    ///
    /// # Errors
    /// isl's own.
    pub fn finish(mut self, scop: &Scop) -> Result<GroupTiles, NoFootprint> {
        for stage in self.stages.values() {
            let waited = stage.waited(scop)?;
            self.group.instances.extend(waited.iter().cloned());
        }
        self.group.footprints.reverse();
        self.group
            .instances
            .sort_by_key(|&(statement, _)| statement);
        Ok(self.group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dependences::dataflow::Dataflow;
    use crate::analysis::overlap::footprint::group_tiles;
    use crate::scop::testing::ScopBuilder;

    /// `wide` reads `first` far away, `narrow` close by, and `out` reads all of them.
    fn scop() -> Scop {
        ScopBuilder::new("[n] -> { : n >= 64 }")
            .input("in", 1)
            .temporary("first", 1)
            .temporary("wide", 1)
            .temporary("narrow", 1)
            .output("out", 1)
            .statement("S0[i] : 0 <= i < n", &["in[i]"], &["first[i]"])
            .statement("S1[] : n > 3", &[], &["first[n]"])
            .statement(
                "S2[i] : 9 <= i < n - 9",
                &["first[i - 9]", "first[i + 9]"],
                &["wide[i]"],
            )
            .statement(
                "S3[i] : 9 <= i < n - 9",
                &["first[i - 1]", "first[i + 1]"],
                &["narrow[i]"],
            )
            .statement(
                "S4[i] : 11 <= i < n - 11",
                &["wide[i - 1]", "wide[i + 1]", "narrow[i]", "first[i]"],
                &["out[i]"],
            )
            .build()
    }

    fn graph(scop: &Scop) -> StageGraph {
        StageGraph::build(scop, &Dataflow::compute(scop).unwrap()).unwrap()
    }

    fn assert_same(one: &GroupTiles, other: &GroupTiles) {
        assert_eq!(one.tiled, other.tiled);
        assert!(one.tiles.is_equal(&other.tiles).unwrap());
        assert_eq!(one.footprints.len(), other.footprints.len());
        for one in &one.footprints {
            let mut others = other.footprints.iter();
            let other = others.find(|other| other.stage == one.stage).unwrap();
            assert_eq!(one.extents, other.extents);
            for (one, other) in one.origin.iter().zip(&other.origin) {
                assert!(one.plain_is_equal(other).unwrap());
            }
        }
        assert_eq!(one.instances.len(), other.instances.len());
        for ((one, first), (other, second)) in one.instances.iter().zip(&other.instances) {
            assert_eq!(one, other);
            assert!(first.is_equal(second).unwrap());
        }
    }

    /// The same stage has another footprint where another group has it, or other tiles.
    #[test]
    fn what_is_known_of_one_group_is_not_taken_for_another() {
        let scop = scop();
        let shared = graph(&scop);
        let mut extents = Vec::new();
        let groups: [&[StageId]; 4] = [&[0, 1, 2, 3], &[0, 2, 3], &[0, 1, 3], &[0, 3]];
        // Some of them are found, then all are known.
        for size in [32, 8, 32] {
            for stages in groups {
                let found = group_tiles(&scop, &shared, stages, 3, &[size]).unwrap();
                let alone = group_tiles(&scop, &graph(&scop), stages, 3, &[size]).unwrap();
                assert_same(&found, &alone);
                extents.push(found.footprints[0].extents[0]);
            }
        }
        let once = [52, 34, 52, 32];
        let small = once.map(|extent| extent - 24);
        assert_eq!(extents, [once, small, once].concat());
    }

    /// Whichever of two readers is added first, and whether on its own.
    #[test]
    fn the_order_in_which_stages_are_added_makes_no_difference() {
        let scop = scop();
        let shared = graph(&scop);
        let whole = group_tiles(&scop, &graph(&scop), &[0, 1, 2, 3], 3, &[32]).unwrap();
        let orders: [&[&[StageId]]; 4] = [
            &[&[3], &[2], &[1], &[0]],
            &[&[3], &[1], &[2], &[0]],
            &[&[1, 3], &[0, 2]],
            &[&[2, 3], &[0, 1]],
        ];
        for order in orders {
            let mut growing = GrowingTiles::new(&scop, &shared, 3, &[32]).unwrap();
            for stages in order {
                growing.add(&scop, &shared, stages).unwrap();
            }
            assert_same(&growing.finish(&scop).unwrap(), &whole);
        }
    }

    /// A stage whose readers come later is not needed by those that are there.
    #[test]
    fn a_stage_that_nobody_reads_yet_is_left_out() {
        let scop = ScopBuilder::new("[n] -> { : n >= 64 }")
            .input("in", 1)
            .temporary("first", 1)
            .temporary("second", 1)
            .output("out", 1)
            .statement("S0[i] : 0 <= i < n", &["in[i]"], &["first[i]"])
            .statement("S1[i] : 0 <= i < n", &["first[i]"], &["second[i]"])
            .statement("S2[i] : 0 <= i < n", &["second[i]"], &["out[i]"])
            .build();
        let graph = graph(&scop);
        let out = group_tiles(&scop, &graph, &[0, 2], 2, &[8]).unwrap();
        assert!(out.footprints.is_empty());
        let all = group_tiles(&scop, &graph, &[0, 1, 2], 2, &[8]).unwrap();
        assert_eq!(all.footprints.len(), 2);
    }
}
