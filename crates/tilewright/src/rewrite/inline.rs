//! Inlining: consumers compute a stage's value where they read it, and the stage is gone.
//!
//! The harris pipeline of TACO 2019, section 4.2, is fused after all of its point-wise operations
//! were inlined; the decision is TOPLAS 2020, Algorithm 3, and made in [`crate::planner::stages::inlining`].
//! A Scop → Scop pass, before stages are grouped.
//!
//! A stage can be inlined whose statements are single assignments, with variables for parts of
//! the value, to cells that nobody reads after the region, if every read of them gets its value
//! from one statement, whose instance is an affine function of the reader's. The reader then
//! repeats the expression at that instance, converted to the element type as the assignment did. A
//! loop of the statement along a dimension in which the reader's place depends on data (a level of
//! brightness looked up) takes the reader's subscript as its value. Variables become variables of
//! the reader.
//!
//! The pass does not trust itself. Where the values of each read come from in the new program is
//! predicted from the original's dependences alone, by composition, and compared with the
//! dataflow of the new program: a stage whose inputs are overwritten before its consumer runs is
//! refused because the two differ.

use super::TransformError;
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::dependences::memory::exposed_reads;
use crate::analysis::stages::{StageGraph, StageId};
use crate::scop::{
    Access, AccessId, AccessKind, Action, ArrayId, Expr, LoopClaims, Scop, Statement, StatementId,
};
use expression::{
    Replaced, at_instance, converted, moved_subscript, names_of, renumber, substituted,
};
use instance::Instance;
use isl::{DimType, UnionMap, UnionSet};
use same::{equal, same_pairs};
use std::collections::{BTreeMap, BTreeSet};
use steps::{Before, Steps, renamed};

/// Why stages cannot be inlined.
#[derive(Debug, thiserror::Error)]
pub enum NotInlined {
    /// One of them cannot, or not together with the others.
    #[error("{reason}")]
    Stage {
        /// Its name as it was given, with the reader's where there is one.
        stage: String,
        /// Why: one sentence.
        reason: String,
    },
    /// isl failed, or its budget ran out.
    #[error(transparent)]
    Isl(#[from] isl::Error),
}

impl From<NotInlined> for TransformError {
    fn from(refused: NotInlined) -> TransformError {
        match refused {
            NotInlined::Stage { reason, .. } => TransformError::Plan(reason),
            NotInlined::Isl(error) => TransformError::Isl(error),
        }
    }
}

type Result<T> = std::result::Result<T, NotInlined>;

/// The program without the named stages, and its dependences.
///
/// `STAGE` names a stage that all its consumers compute, and that is gone then;
/// `STAGE:READER` one that `READER` computes where it reads it, while the others read it from
/// memory as before.
///
/// Statements and accesses are numbered anew; statements keep their names and arrays their
/// numbers, those of the stages that are gone too.
///
/// # Errors
/// [`NotInlined::Stage`] for an unknown name and for what would change the program.
pub fn inline(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    names: &[String],
) -> Result<(Scop, Dataflow)> {
    let mut work = Inlining::new(scop, dataflow);
    for (number, entry) in names.iter().enumerate() {
        let known = |name: &str| match graph.stages.iter().position(|s| s.name == name) {
            Some(stage) => Ok(stage),
            None => {
                let known: Vec<&str> = graph.stages.iter().map(|s| s.name.as_str()).collect();
                let reason = format!(
                    "there is no stage `{name}` to inline; the stages are {}",
                    known.join(", ")
                );
                Err(refused(entry, reason))
            }
        };
        let (stage, reader) = match entry.split_once(':') {
            Some((stage, reader)) => (known(stage)?, Some(known(reader)?)),
            None => (known(entry)?, None),
        };
        if names[..number].contains(entry) {
            let reason = format!("stage `{entry}` is named twice as one to inline");
            return Err(refused(entry, reason));
        }
        work.stage(graph, entry, stage, reader)?;
    }
    work.finish()
}

/// The stage that an entry of those to inline is about.
fn stage_of(entry: &str) -> &str {
    entry.split_once(':').map_or(entry, |(stage, _)| stage)
}

fn refused(stage: &str, reason: String) -> NotInlined {
    NotInlined::Stage {
        stage: stage.to_owned(),
        reason,
    }
}

/// Where a read came from.
#[derive(Clone)]
struct Provenance {
    /// From the instances that wrote the value to those that read it, as the original has it.
    sources: UnionMap,
    /// What moved the read to this statement: an entry of those to inline.
    entry: Option<String>,
}

/// A statement that reads a stage, while its reads are replaced one by one.
struct Change {
    statement: StatementId,
    /// What came of its accesses so far; `None`: the stage is read.
    replaced: Vec<Option<Replaced>>,
    /// How many accesses of the new statement it had already.
    own: usize,
    /// What it becomes, and where the values of its reads come from.
    new: Statement,
    origins: Vec<Option<Provenance>>,
    /// Steps in front of it.
    before: Before,
}

struct Inlining<'a> {
    original: &'a Scop,
    scop: Scop,
    /// Per statement and access: predicted sources; `None` for writes.
    origins: Vec<Vec<Option<Provenance>>>,
    gone: BTreeSet<StatementId>,
    /// Readers of what is gone.
    changed: BTreeSet<StatementId>,
    /// The dependences of the original.
    before: &'a Dataflow,
}

impl<'a> Inlining<'a> {
    fn new(scop: &'a Scop, dataflow: &'a Dataflow) -> Inlining<'a> {
        let mut origins: Vec<Vec<Option<Provenance>>> = scop
            .statements
            .iter()
            .map(|statement| vec![None; statement.accesses.len()])
            .collect();
        for edge in &dataflow.edges {
            origins[edge.reader][edge.access] = Some(Provenance {
                sources: edge.sources.clone(),
                entry: None,
            });
        }
        Inlining {
            original: scop,
            scop: scop.clone(),
            origins,
            gone: BTreeSet::new(),
            changed: BTreeSet::new(),
            before: dataflow,
        }
    }

    /// Inlines one stage into all its consumers, or into one of them only.
    fn stage(
        &mut self,
        graph: &StageGraph,
        entry: &str,
        stage: StageId,
        only: Option<StageId>,
    ) -> Result<()> {
        let name = &graph.stages[stage].name;
        let cannot = |why: &str| Err(refused(entry, format!("stage `{name}` {CANNOT}: {why}")));
        let &[array] = &graph.stages[stage].arrays[..] else {
            return cannot("its statements write more than one array");
        };
        if only.is_none() && self.scop.arrays[array].live_out {
            return cannot("its values are used after the region");
        }
        let statements = &graph.stages[stage].statements;
        if self.gone.len() + statements.len() == self.scop.statements.len() {
            return cannot("no statement would be left");
        }
        for &id in statements {
            let statement = &self.scop.statements[id];
            let Some(steps) = Steps::of(statement) else {
                return cannot("its statements are not single assignments");
            };
            let target = &statement.accesses[steps.target];
            if !target.exact || target.affine.iter().any(Option::is_none) {
                return cannot("the cells that it writes depend on data");
            }
            if reads(statement, array) {
                return cannot("it reads its own values");
            }
        }
        let mut read = false;
        for reader in 0..self.scop.statements.len() {
            let meant = only.is_none_or(|only| graph.stages[only].statements.contains(&reader));
            if meant && !self.gone.contains(&reader) && reads(&self.scop.statements[reader], array)
            {
                self.reader(entry, array, statements, reader)?;
                read = true;
            }
        }
        match only {
            Some(only) if !read => {
                let by = &graph.stages[only].name;
                return Err(refused(
                    entry,
                    format!("stage `{by}` does not read `{name}`"),
                ));
            }
            Some(_) => {}
            None => self.gone.extend(statements),
        }
        Ok(())
    }

    /// Replaces all reads of a stage in one statement.
    fn reader(
        &mut self,
        entry: &str,
        array: ArrayId,
        statements: &[StatementId],
        reader: StatementId,
    ) -> Result<()> {
        let old = self.scop.statements[reader].clone();
        let mut change = Change {
            statement: reader,
            replaced: Vec::new(),
            own: 0,
            new: Statement {
                accesses: Vec::new(),
                ..old.clone()
            },
            origins: Vec::new(),
            before: Before::default(),
        };
        for (number, access) in old.accesses.iter().enumerate() {
            if access.kind == AccessKind::Read && access.array == array {
                change.replaced.push(None);
            } else {
                let kept = Replaced::Access(change.own);
                change.replaced.push(Some(kept));
                change.new.accesses.push(access.clone());
                change.origins.push(self.origins[reader][number].clone());
                change.own += 1;
            }
        }
        let mut values = Vec::new();
        for number in 0..old.accesses.len() {
            if change.replaced[number].is_none() {
                values.push(self.value(entry, statements, number, &mut change)?);
            }
        }
        let Change {
            replaced,
            own,
            mut new,
            origins,
            before,
            ..
        } = change;
        let mut values = values.into_iter().map(Replaced::Value);
        let replaced: Vec<Replaced> = replaced
            .into_iter()
            .filter_map(|kept| kept.or_else(|| values.next()))
            .collect();
        for action in &mut new.body {
            renumber(action, &replaced);
        }
        before.insert_into(&mut new.body);
        for access in &mut new.accesses[..own] {
            for subscript in &mut access.subscripts {
                *subscript = substituted(subscript, &replaced);
            }
        }
        self.scop.statements[reader] = new;
        self.changed.insert(reader);
        self.origins[reader] = origins;
        Ok(())
    }

    /// The expression for one read, its own reads added to the statement.
    fn value(
        &self,
        entry: &str,
        statements: &[StatementId],
        read: AccessId,
        change: &mut Change,
    ) -> Result<Expr> {
        let Change {
            statement: reader,
            replaced,
            own,
            new,
            origins,
            before,
        } = change;
        let (reader, own) = (*reader, *own);
        let consumer = self.called(reader);
        let cannot = |why: &str| {
            let name = stage_of(entry);
            let reason = format!("stage `{name}` {CANNOT} into {consumer}: {why}");
            refused(entry, reason)
        };
        let access = &self.scop.statements[reader].accesses[read];
        let Some(origin) = &self.origins[reader][read] else {
            return Err(cannot("a read has no known source"));
        };
        let context = &self.scop.context;
        let mut writer = None;
        for map in origin.sources.maps()? {
            if !self.scop.is_possible(&map)? {
                continue;
            }
            if writer.is_some() {
                return Err(cannot("one read gets values from several statements"));
            }
            writer = self
                .scop
                .statement_named(&map.get_tuple_name(DimType::In)?)
                .filter(|id| statements.contains(id))
                .map(|id| (id, map));
        }
        let Some((writer, sources)) = writer else {
            return Err(cannot("its value is read where it was not computed"));
        };
        let needed = access.relation.domain()?.intersect_params(context)?;
        if !needed.is_subset(&sources.range()?)? {
            return Err(cannot(NOT_COMPUTED));
        }
        let statement = &self.scop.statements[writer];
        let Some(steps) = Steps::of(statement) else {
            return Err(cannot("its statement is no single assignment"));
        };
        let target = &statement.accesses[steps.target];
        let mut subscripts = Vec::new();
        for subscript in &access.subscripts {
            match moved_subscript(subscript, replaced) {
                Some(subscript) => subscripts.push(subscript),
                None => return Err(cannot("which of its cells is read depends on its values")),
            }
        }
        let at = Instance::of(
            &self.scop,
            statement,
            target,
            new,
            access,
            &subscripts,
            &sources,
        )?;
        let Some(at) = at else {
            return Err(cannot(NOT_AFFINE));
        };
        // Where the cell depends on data, it may be any of them.
        let cells = at.relation.apply_range(&target.relation)?;
        if !access
            .relation
            .intersect_params(context)?
            .is_subset(&cells)?
        {
            return Err(cannot(NOT_COMPUTED));
        }
        self.check_bodies(statement, new).map_err(cannot)?;
        if !steps.variables.is_empty() {
            let old = &self.scop.statements[reader];
            let always = old.domain.intersect_params(context)?.is_subset(&needed)?;
            if !always || !Before::fits(old, read) || before.hides(statement) {
                return Err(cannot(NO_PLACE));
            }
            if let Some(known) = before.known(access)? {
                return Ok(known);
            }
        }
        let mut moved: Vec<Option<AccessId>> = vec![None; statement.accesses.len()];
        // Reads inside subscripts have numbers, too: first all numbers, then the subscripts.
        let mut fresh = Vec::new();
        for (number, theirs) in statement.accesses.iter().enumerate() {
            if theirs.kind == AccessKind::Write {
                continue;
            }
            let affine = theirs.affine.iter().map(|one| match one {
                Some(subscript) => at.subscript(subscript),
                None => Ok(None),
            });
            let affine = affine.collect::<isl::Result<Vec<_>>>()?;
            let one = Access {
                array: theirs.array,
                kind: AccessKind::Read,
                exact: theirs.exact && (access.exact || !steps.variables.is_empty()),
                relation: at.relation.apply_range(&theirs.relation)?.coalesce()?,
                subscripts: theirs.subscripts.clone(),
                affine,
                span: theirs.span,
            };
            let sources = match &self.origins[writer][number] {
                Some(theirs) => theirs.sources.apply_range(&origin.sources)?,
                None => UnionMap::empty_ctx(&self.scop.ctx)?,
            };
            let same = equal(&new.accesses[own..], &one)?.map(|same| own + same);
            let origin = same.and_then(|same| origins[same].as_ref());
            if let (Some(same), Some(origin)) = (same, origin) {
                if same_pairs(&self.scop, &origin.sources, &sources)? {
                    moved[number] = Some(same);
                    continue;
                }
            }
            moved[number] = Some(new.accesses.len());
            fresh.push(new.accesses.len());
            new.accesses.push(one);
            origins.push(Some(Provenance {
                sources,
                entry: Some(entry.to_owned()),
            }));
        }
        let names = before.names(statement, &self.scop.statements[reader]);
        let at_reader = |expr: &Expr| at_instance(&renamed(expr, &names), &at.iterators, &moved);
        let stored = &self.scop.arrays[target.array];
        let (value, same) = match steps.variables {
            [] => (at_reader(steps.value), BTreeMap::new()),
            _ => {
                let bodies = [statement, &self.scop.statements[reader]];
                before.add(&steps, &names, &at_reader, access, stored, bodies)
            }
        };
        for number in fresh {
            let subscripts = &mut new.accesses[number].subscripts;
            let moved = subscripts
                .iter()
                .map(|subscript| renamed(&at_reader(subscript), &same));
            *subscripts = moved.collect();
        }
        Ok(match steps.variables {
            [] => converted(&self.scop, value, &stored.element, new),
            _ => value,
        })
    }

    /// What bodies may not contain.
    fn check_bodies(
        &self,
        stage: &Statement,
        reader: &Statement,
    ) -> std::result::Result<(), &'static str> {
        let [Action::Assign { .. }] = &reader.body[..] else {
            // Reads come before all writes only in a single assignment.
            let written = |array| {
                let mut accesses = reader.accesses.iter();
                accesses.any(|a| a.kind == AccessKind::Write && a.array == array)
            };
            if reader.repeats() {
                return Err("it would be computed anew with each turn of a loop");
            }
            if stage.accesses.iter().any(|a| written(a.array)) {
                return Err("it overwrites what the stage reads, in a body of several steps");
            }
            let mut locals = BTreeSet::new();
            reader.body.iter().for_each(|a| names_of(a, &mut locals));
            let mut hidden = false;
            for action in &stage.body {
                if let Action::Assign { value, .. }
                | Action::Local {
                    value: Some(value), ..
                } = action
                {
                    value.walk(&mut |e| {
                        if let Expr::Invariant(text) = e {
                            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                            hidden |= words.any(|word| locals.contains(word));
                        }
                    });
                }
            }
            return if hidden {
                Err("a variable of its body hides one that the stage reads")
            } else {
                Ok(())
            };
        };
        Ok(())
    }

    /// A statement as messages call it.
    fn called(&self, statement: StatementId) -> String {
        let statement = &self.scop.statements[statement];
        let mut accesses = statement.accesses.iter();
        match accesses.rfind(|a| a.kind == AccessKind::Write) {
            Some(write) => format!("`{}`", self.scop.arrays[write.array].name),
            None => format!("`{}`", statement.name),
        }
    }

    /// Takes the statements away and compares the dependences with the predicted ones.
    fn finish(self) -> Result<(Scop, Dataflow)> {
        let mut kept = Vec::new();
        let mut origins = Vec::new();
        let mut domain = UnionSet::empty_ctx(&self.scop.ctx)?;
        for (id, statement) in self.scop.statements.iter().enumerate() {
            if !self.gone.contains(&id) {
                domain = domain.union(&UnionSet::from_set(&statement.domain)?)?;
                kept.push(id);
                origins.push(&self.origins[id]);
            }
        }
        let scop = Scop {
            statements: kept
                .iter()
                .map(|&id| self.scop.statements[id].clone())
                .collect(),
            schedule: self.original.schedule.intersect_domain(&domain)?,
            // What is said of loops is said of the statements that were in them.
            loops: LoopClaims {
                independent: Vec::new(),
                ..self.scop.loops.clone()
            },
            ..self.scop.clone()
        };
        let unchanged = kept
            .iter()
            .map(|&id| Some(id).filter(|id| !self.changed.contains(id)));
        let unchanged: Vec<Option<StatementId>> = unchanged.collect();
        let dataflow = Dataflow::again(&scop, self.before, &unchanged)?;
        for edge in &dataflow.edges {
            let Some(predicted) = &origins[edge.reader][edge.access] else {
                continue;
            };
            let array = &scop.arrays[edge.array].name;
            let consumer = self.called(kept[edge.reader]);
            let entry = match &predicted.entry {
                Some(entry) => entry,
                None if same_pairs(&scop, &edge.sources, &predicted.sources)? => continue,
                // Nothing but the inlined stages is gone: this does not happen.
                None => array,
            };
            let statement = &scop.statements[edge.reader];
            let exposed = &exposed_reads(statement)?[edge.access];
            let whole = match exposed {
                Some(exposed) => exposed.is_equal(&statement.accesses[edge.access].relation)?,
                None => true,
            };
            if !whole || !same_pairs(&scop, &edge.sources, &predicted.sources)? {
                let stage = stage_of(entry);
                let reason = format!(
                    "stage `{stage}` {CANNOT} into {consumer}: `{array}`, which it reads, is \
                     overwritten before the value is used there"
                );
                return Err(refused(entry, reason));
            }
        }
        Ok((scop, dataflow))
    }
}

const CANNOT: &str = "cannot be inlined";
const NO_PLACE: &str =
    "its statement has variables, for which there is no place where the reader always reads";
const NOT_COMPUTED: &str = "some of what is read was not computed by the stage";
const NOT_AFFINE: &str =
    "which iteration computed what is read is no sum of multiples of the reader's loop variables";

fn reads(statement: &Statement, array: ArrayId) -> bool {
    let mut accesses = statement.accesses.iter();
    accesses.any(|a| a.kind == AccessKind::Read && a.array == array)
}

pub(super) mod expression;
mod instance;
mod same;
mod steps;

pub use instance::columns;

#[cfg(test)]
mod tests;
