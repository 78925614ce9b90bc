//! Which stages their consumers compute.
//!
//! TOPLAS 2020, Algorithm 3, inlines every point-wise stage into all its consumers. Here most of
//! these cost nothing as they are: a value that is read in the iteration that computes it stays
//! in a register ([`crate::analysis::overlap::pointwise`]), and the others are computed once and not once
//! per read. Inlining what is looked up in a table keeps arithmetic from the vector unit. What is
//! left is what never computes anything twice, and what takes less time to compute again than to
//! load:
//!
//! - copies of other stages: the consumers read the original instead, if it lies in memory as the
//!   copy does;
//! - values that are read once, where the reader's loops cannot be shared because its stage has
//!   several statements;
//! - several values that are computed from the same, each read by the one iteration that reads the
//!   others, too (two planes of which the quotient is the result): one loop loads and computes
//!   once what they have in common;
//! - single operations on the values of fewer other stages, read by stencils (the three products of
//!   the two derivatives in harris): loads of fewer arrays are worth an operation each;
//! - one or two operations on inputs of the region, read by several stages. These seldom end up
//!   in one group, and then an array as large as the picture is written and read again. Counted
//!   are the bytes that go through memory.
//!
//! and what computes less than before:
//!
//! - stages computed for every value of a dimension (levels of brightness) of which a consumer
//!   picks few at an index that depends on data.
//!
//! `docs/src/results/inlining.md` has the figures.

use crate::analysis::region::Region;
use crate::analysis::stages::{Stage, StageGraph, StageId};
use crate::plan::defaults;
use crate::rewrite::inline::{NotInlined, columns as columns_of, inline};
use crate::scop::{
    Access, AccessKind, Action, BinaryOp, Expr, Origin, Scop, Statement, StatementId,
};
use crate::transform::nests::strides;
use isl::{DimType, Result, UnionMap};
use std::collections::BTreeSet;

/// Stages that are worth inlining, as [`inline`] names them, each of which can be, and the
/// program without them.
///
/// # Errors
/// isl's own.
pub fn choose(region: &Region) -> Result<Option<(Vec<String>, Region)>> {
    let mut chosen = Vec::new();
    // Who reads what how often is another question once other stages are gone.
    let mut now: Option<Region> = None;
    for rule in [copies, read_once, together, products, cheap, picked] {
        let before = now.as_ref().unwrap_or(region);
        let wanted = rule(before)?;
        let (names, without) = before.possible(wanted)?;
        chosen.extend(names.into_iter().flatten());
        now = without.or(now);
    }
    Ok(now.map(|now| (chosen, now)))
}

impl Region {
    /// Those of some sets of stages that can be inlined, each set as a whole and all together, and
    /// the program without them.
    #[allow(clippy::type_complexity)]
    pub(crate) fn possible(
        &self,
        mut sets: Vec<Vec<String>>,
    ) -> Result<(Vec<Vec<String>>, Option<Region>)> {
        while !sets.is_empty() {
            let names = sets.concat();
            match inline(&self.scop, &self.dataflow, &self.graph, &names) {
                Ok((scop, dataflow)) => {
                    let graph = StageGraph::build(&scop, &dataflow)?;
                    let without = Region {
                        scop,
                        dataflow,
                        graph,
                        rounds: None,
                    };
                    return Ok((sets, Some(without)));
                }
                Err(NotInlined::Isl(error)) => return Err(error),
                Err(NotInlined::Stage { stage, .. }) => {
                    let before = sets.len();
                    sets.retain(|set| !set.contains(&stage));
                    if sets.len() == before {
                        sets.clear();
                    }
                }
            }
        }
        Ok((sets, None))
    }

    /// Whether a stage of a pipeline has an array that nobody needs but its consumers.
    pub(crate) fn is_candidate(&self, id: StageId) -> bool {
        let stage = &self.graph.stages[id];
        let [array] = stage.arrays[..] else {
            return false;
        };
        let array = &self.scop.arrays[array];
        // Variables of the region cost no memory as they are.
        let declared = matches!(array.origin, Origin::Region { .. });
        !stage.live_out
            && !stage.recursive
            && !declared
            && !array.extents.is_empty()
            && self.graph.consumers(id).all(|consumer| consumer > id)
    }

    fn candidates(&self) -> impl Iterator<Item = &Stage> {
        let stages = self.graph.stages.iter().enumerate();
        stages.filter_map(|(id, stage)| self.is_candidate(id).then_some(stage))
    }

    fn stage_of(&self, statement: StatementId) -> Option<StageId> {
        let mut stages = self.graph.stages.iter();
        stages.position(|s| s.statements.contains(&statement))
    }

    /// Whether a map is a function under the assumptions.
    fn is_single_valued(&self, map: &UnionMap) -> Result<bool> {
        let assumed = || map.intersect_params(&self.scop.context);
        Ok(map.is_single_valued()? || assumed()?.is_single_valued()?)
    }

    /// Whether each value of a stage is read by one iteration, if at all.
    pub(crate) fn has_one_reader(&self, stage: &Stage) -> Result<bool> {
        let mut all = UnionMap::empty_ctx(&self.scop.ctx)?;
        for edge in &self.dataflow.edges {
            if stage.arrays.contains(&edge.array) {
                all = all.union(&edge.sources)?;
            }
        }
        self.is_single_valued(&all)
    }
}

/// Stages that only copy others.
fn copies(region: &Region) -> Result<Vec<Vec<String>>> {
    let mut names = Vec::new();
    for stage in region.candidates() {
        if is_copy(&region.scop, &region.graph, stage)? {
            names.push(vec![stage.name.clone()]);
        }
    }
    Ok(names)
}

/// Stages of which each value is read once, by a stage of several statements.
fn read_once(region: &Region) -> Result<Vec<Vec<String>>> {
    let mut names = Vec::new();
    for stage in region.candidates() {
        if is_read_once(region, stage)? {
            names.push(vec![stage.name.clone()]);
        }
    }
    Ok(names)
}

/// Stages of which one iteration reads several values, computed from something in common, and
/// nobody else does.
fn together(region: &Region) -> Result<Vec<Vec<String>>> {
    let mut names = Vec::new();
    for stage in region.candidates() {
        if is_read_together(region, stage)? {
            names.push(vec![stage.name.clone()]);
        }
    }
    Ok(names)
}

/// Whether the one statement of a stage computes several values for each iteration of its one
/// reader, and reads something for each of them that they share.
fn is_read_together(region: &Region, stage: &Stage) -> Result<bool> {
    let Region { scop, dataflow, .. } = region;
    let [writer] = stage.statements[..] else {
        return Ok(false);
    };
    let edges = dataflow.edges.iter();
    let own: Vec<_> = edges.filter(|e| stage.arrays.contains(&e.array)).collect();
    let Some(first) = own.first() else {
        return Ok(false);
    };
    if own.iter().any(|edge| edge.reader != first.reader) || !region.has_one_reader(stage)? {
        return Ok(false);
    }
    // From the instances of the reader to all instances that compute what they read.
    let mut sources = UnionMap::empty_ctx(&scop.ctx)?;
    for edge in &own {
        sources = sources.union(&edge.sources.reverse()?)?;
    }
    if sources.is_single_valued()? {
        return Ok(false);
    }
    let statement = &scop.statements[writer];
    for access in statement
        .accesses
        .iter()
        .filter(|a| a.kind == AccessKind::Read)
    {
        let read = UnionMap::from_map(&access.relation)?;
        if sources.apply_range(&read)?.is_single_valued()? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Stages that do one operation each with values of fewer other stages, which nobody else reads.
fn products(region: &Region) -> Result<Vec<Vec<String>>> {
    let Region { scop, graph, .. } = region;
    // Stages and what they read, joined where they read the same.
    let mut families: Vec<(BTreeSet<StageId>, BTreeSet<StageId>)> = Vec::new();
    for (id, stage) in graph.stages.iter().enumerate() {
        if !region.is_candidate(id) || !is_product(region, stage)? {
            continue;
        }
        let mut own = (
            BTreeSet::from([id]),
            graph.producers(id).collect::<BTreeSet<_>>(),
        );
        families.retain(|family| {
            let apart = family.1.is_disjoint(&own.1);
            if !apart {
                own.0.extend(&family.0);
                own.1.extend(&family.1);
            }
            apart
        });
        families.push(own);
    }
    families.retain(|(products, factors)| {
        let only = |&factor: &StageId| {
            region.is_candidate(factor) && graph.consumers(factor).all(|c| products.contains(&c))
        };
        products.len() > factors.len() && factors.iter().all(only)
    });
    let name = |id: StageId| graph.stages[id].name.clone();
    let mut sets = Vec::new();
    for (products, _) in families {
        let mut stencils = true;
        for &product in &products {
            stencils &= graph.consumers(product).all(|consumer| {
                let reads = |statement: &StatementId| {
                    let accesses = scop.statements[*statement].accesses.iter();
                    let own = |a: &&Access| graph.stages[product].arrays.contains(&a.array);
                    accesses.filter(own).count()
                };
                graph.stages[consumer].statements.iter().map(reads).max() > Some(1)
            });
        }
        if stencils {
            sets.push(products.into_iter().map(name).collect());
        }
    }
    Ok(sets)
}

/// Whether a stage does one operation with values of other stages of the same iteration.
fn is_product(region: &Region, stage: &Stage) -> Result<bool> {
    let scop = &region.scop;
    let [id] = stage.statements[..] else {
        return Ok(false);
    };
    let statement = &scop.statements[id];
    let [Action::Assign { target, value }] = &statement.body[..] else {
        return Ok(false);
    };
    if operations(value) != Some(1) {
        return Ok(false);
    }
    let target = &statement.accesses[*target].relation;
    for read in statement
        .accesses
        .iter()
        .filter(|a| a.kind == AccessKind::Read)
    {
        let computed = region
            .graph
            .stages
            .iter()
            .any(|s| s.arrays.contains(&read.array));
        let (read, target) = (
            read.relation.reset_tuple_id(DimType::Out)?,
            target.reset_tuple_id(DimType::Out)?,
        );
        if !computed || !read.is_equal(&target)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Stages that take less time to compute again than to store and load.
fn cheap(region: &Region) -> Result<Vec<Vec<String>>> {
    let mut names = Vec::new();
    for stage in region.candidates() {
        if is_cheaper_than_memory(&region.scop, &region.graph, stage)? {
            names.push(vec![stage.name.clone()]);
        }
    }
    Ok(names)
}

/// Whether a stage does next to nothing with inputs of the region, and its consumers, several
/// stages, move fewer bytes when they read these inputs themselves.
fn is_cheaper_than_memory(scop: &Scop, graph: &StageGraph, stage: &Stage) -> Result<bool> {
    let [id] = stage.statements[..] else {
        return Ok(false);
    };
    let statement = &scop.statements[id];
    let [Action::Assign { target, value }] = &statement.body[..] else {
        return Ok(false);
    };
    if operations(value).is_none_or(|count| count > defaults::INLINE_OPERATIONS) {
        return Ok(false);
    }
    let bytes = |access: &Access| scop.arrays[access.array].element.kind.bytes();
    let target = &statement.accesses[*target];
    let mut loaded = 0;
    for read in statement.accesses.iter() {
        if read.kind == AccessKind::Write {
            continue;
        }
        if graph.stages.iter().any(|s| s.arrays.contains(&read.array)) {
            return Ok(false);
        }
        // The consumers' loops must be vector loops as before.
        for k in 0..statement.iterators.len() {
            let steps = (step(target, k)?, step(read, k)?);
            if steps.0.is_none() || steps.0 != steps.1 {
                return Ok(false);
            }
        }
        loaded += bytes(read);
    }
    let Some(position) = graph.stages.iter().position(|s| s.arrays == stage.arrays) else {
        return Ok(false);
    };
    let readers = graph.consumers(position).count();
    // A line that is stored to is loaded first.
    let stored = 2 * bytes(target);
    Ok(readers > 1 && readers * loaded < loaded + stored + readers * bytes(target))
}

/// Operations of an expression, each a fast instruction; `None` where there is another one in it.
fn operations(value: &Expr) -> Option<usize> {
    let mut count = Some(0);
    value.walk(&mut |part| {
        let more = match part {
            Expr::Access(_) | Expr::Literal(_) | Expr::Invariant(_) => Some(0),
            Expr::Unary(..)
            | Expr::Cast(..)
            | Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) => Some(1),
            _ => None,
        };
        count = count.zip(more).map(|(before, more)| before + more);
    });
    count
}

/// Stages computed for every value of a dimension of which one consumer picks few, at an index
/// that depends on data.
///
/// The consumer itself goes along where it reads several statements of the stage, which its own
/// only consumer tells apart. Where others read the stage, too, the one that picks computes what
/// it picks if that leaves the stage with a single reader, which it can then share tiles with.
fn picked(region: &Region) -> Result<Vec<Vec<String>>> {
    let mut sets = Vec::new();
    for (id, stage) in region.graph.stages.iter().enumerate() {
        if !region.is_candidate(id) {
            continue;
        }
        let Some(reader) = picks(region, stage)? else {
            continue;
        };
        let others = region.graph.consumers(id).filter(|&c| c != reader).count();
        let reader_stage = &region.graph.stages[reader];
        let mut set = Vec::new();
        let several = stage.statements.len() > 1;
        if several && region.is_candidate(reader) && region.has_one_reader(reader_stage)? {
            set.push(reader_stage.name.clone());
        }
        let picks_alone =
            |stage: &Stage, reader: &Stage| vec![format!("{}:{}", stage.name, reader.name)];
        match others {
            0 => {
                set.push(stage.name.clone());
                // What is picked from then: the reader, or its own.
                let mut readers = region.graph.consumers(reader);
                let last = match (set.len(), readers.next(), readers.next()) {
                    (1, ..) => Some(reader),
                    (_, only, None) => only,
                    _ => None,
                };
                sets.push(set);
                for (source, _) in region.graph.edges.iter().filter(|e| e.1 == id && e.0 != id) {
                    let shared = is_shared_column(region, *source, id)?;
                    if let Some(last) = last.filter(|_| shared) {
                        let source = &region.graph.stages[*source];
                        sets.push(picks_alone(source, &region.graph.stages[last]));
                    }
                }
            }
            1 if !several => sets.push(picks_alone(stage, reader_stage)),
            _ => {}
        }
    }
    Ok(sets)
}

/// Whether a stage of one statement is read by another one, each value once, and by one more: then
/// what picks from the one picks from both.
fn is_shared_column(region: &Region, source: StageId, reader: StageId) -> Result<bool> {
    let stage = &region.graph.stages[source];
    if !region.is_candidate(source)
        || stage.statements.len() != 1
        || region.graph.consumers(source).count() != 2
    {
        return Ok(false);
    }
    let mut read = UnionMap::empty_ctx(&region.scop.ctx)?;
    for edge in &region.dataflow.edges {
        if stage.arrays.contains(&edge.array) && region.stage_of(edge.reader) == Some(reader) {
            read = read.union(&edge.sources)?;
        }
    }
    region.is_single_valued(&read)
}

/// The stage that picks values of another one at an index that depends on data, if it is the only
/// one that does and needs at most half of them: of each column over all indices, one of its
/// iterations picks.
fn picks(region: &Region, stage: &Stage) -> Result<Option<StageId>> {
    let mut picking: Option<StageId> = None;
    let mut columns = UnionMap::empty_ctx(&region.scop.ctx)?;
    let mut most = 0;
    for (reader, statement) in region.scop.statements.iter().enumerate() {
        let mut reads = 0;
        for edge in &region.dataflow.edges {
            if edge.reader != reader || !stage.arrays.contains(&edge.array) {
                continue;
            }
            let access = &statement.accesses[edge.access];
            if access.affine.iter().all(Option::is_some) {
                continue;
            }
            reads += 1;
            let by = region.stage_of(reader);
            if by.is_none() || picking.is_some_and(|before| Some(before) != by) {
                return Ok(None);
            }
            picking = by;
            let Some(length) = picked_from(&region.scop, access)? else {
                return Ok(None);
            };
            most = most.max(length);
            for sources in edge.sources.maps()? {
                let writer = region
                    .scop
                    .statement_named(&sources.get_tuple_name(DimType::In)?);
                let Some(writer) = writer else {
                    return Ok(None);
                };
                let writer = &region.scop.statements[writer];
                let mut writes = writer.accesses.iter();
                let target = writes.find(|a| a.kind == AccessKind::Write);
                let column = match target {
                    Some(target) => columns_of(target, access, &sources)?,
                    None => None,
                };
                let Some(column) = column else {
                    return Ok(None);
                };
                columns = columns.union(&UnionMap::from_map(&column)?)?;
            }
        }
        if 2 * reads > most {
            return Ok(None);
        }
    }
    Ok(if region.is_single_valued(&columns)? {
        picking
    } else {
        None
    })
}

/// How many cells an access may read, as far as its place depends on data.
fn picked_from(scop: &Scop, access: &Access) -> Result<Option<i64>> {
    let mut cells: i64 = 1;
    for (dimension, extent) in scop.arrays[access.array].extents.iter().enumerate() {
        if access.affine[dimension].is_some() {
            continue;
        }
        let Some(extent) = &extent.affine else {
            return Ok(None);
        };
        let most = extent.max_val()?.to_i64();
        let least = extent.min_val()?.to_i64();
        match (least, most) {
            (Some(least), Some(most)) if least == most => cells = cells.saturating_mul(most),
            _ => return Ok(None),
        }
    }
    Ok(Some(cells))
}

/// Whether a stage only moves values of other stages, and moves along the same loop by the same step in what it
/// reads and in what it writes.
fn is_copy(scop: &Scop, graph: &StageGraph, stage: &Stage) -> Result<bool> {
    for &id in &stage.statements {
        let statement = &scop.statements[id];
        let [
            Action::Assign {
                target,
                value: Expr::Access(from),
            },
        ] = &statement.body[..]
        else {
            return Ok(false);
        };
        let (to, from) = (&statement.accesses[*target], &statement.accesses[*from]);
        let kind = |access: &Access| scop.arrays[access.array].element.kind;
        // A copy of an input may be there to have it close at hand.
        if kind(to) != kind(from) || !graph.stages.iter().any(|s| s.arrays.contains(&from.array)) {
            return Ok(false);
        }
        for k in 0..statement.iterators.len() {
            let steps = (step(to, k)?, step(from, k)?);
            if steps.0.is_none() || steps.0 != steps.1 {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// By how much the last subscript grows with an iterator, where that is known.
fn step(access: &Access, iterator: usize) -> Result<Option<i64>> {
    let Some(Some(last)) = access.affine.last() else {
        return Ok(None);
    };
    strides::coefficient(last, iterator)
}

/// Whether each value of a stage is read once, by a stage of several statements; neither of them
/// looks something up in a table.
fn is_read_once(region: &Region, stage: &Stage) -> Result<bool> {
    let Region {
        scop,
        dataflow,
        graph,
        ..
    } = region;
    let edges = dataflow.edges.iter();
    let mut readers = edges.filter(|edge| stage.arrays.contains(&edge.array));
    let (Some(edge), None) = (readers.next(), readers.next()) else {
        return Ok(false);
    };
    let shared = |s: &&Stage| s.statements.contains(&edge.reader) && s.statements.len() == 1;
    if graph.stages.iter().any(|s| shared(&s)) {
        return Ok(false);
    }
    let mut statements = stage.statements.iter().chain([&edge.reader]);
    if statements.any(|&s| looks_up(&scop.statements[s])) {
        return Ok(false);
    }
    region.is_single_valued(&edge.sources)
}

fn looks_up(statement: &Statement) -> bool {
    let reads = |a: &&Access| a.kind == AccessKind::Read;
    let mut reads = statement.accesses.iter().filter(reads);
    reads.any(|read| read.affine.iter().any(Option::is_none))
}
