//! Inlining: consumers compute a stage's value where they read it, and the stage is gone.
//!
//! The harris pipeline of TACO 2019, section 4.2, is fused after all of its point-wise operations
//! were inlined; the decision is TOPLAS 2020, Algorithm 3, and made in [`crate::plan::inlining`].
//! A Scop → Scop pass, before stages are grouped.
//!
//! A stage can be inlined whose statements are single assignments to cells that nobody reads
//! after the region, if every read of them gets its value from one statement, whose instance is
//! an affine function of the reader's. The reader then repeats the expression at that instance,
//! converted to the element type as the assignment did.
//!
//! The pass does not trust itself. Where the values of each read come from in the new program is
//! predicted from the original's dependences alone, by composition, and compared with the
//! dataflow of the new program: a stage whose inputs are overwritten before its consumer runs is
//! refused because the two differ.

use super::TransformError;
use crate::analysis::dataflow::Dataflow;
use crate::analysis::memory::exposed_reads;
use crate::analysis::stages::{StageGraph, StageId};
use crate::scop::{
    Access, AccessId, AccessKind, Action, ArrayId, BinaryOp, Expr, Iterator, ScalarKind,
    ScalarType, Scop, Statement, StatementId,
};
use isl::{Aff, DimType, MultiAff, PwMultiAff, UnionMap, UnionSet};
use std::collections::BTreeSet;

/// Why stages cannot be inlined.
#[derive(Debug, thiserror::Error)]
pub enum NotInlined {
    /// One of them cannot, or not together with the others.
    #[error("{reason}")]
    Stage {
        /// Its name.
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
    for (number, name) in names.iter().enumerate() {
        let Some(stage) = graph.stages.iter().position(|s| s.name == *name) else {
            let known: Vec<&str> = graph.stages.iter().map(|s| s.name.as_str()).collect();
            let reason = format!(
                "there is no stage `{name}` to inline; the stages are {}",
                known.join(", ")
            );
            return Err(refused(name, reason));
        };
        if names[..number].contains(name) {
            let reason = format!("stage `{name}` is named twice as one to inline");
            return Err(refused(name, reason));
        }
        work.stage(graph, stage)?;
    }
    work.finish()
}

fn refused(stage: &str, reason: String) -> NotInlined {
    NotInlined::Stage {
        stage: stage.to_owned(),
        reason,
    }
}

/// What came of a read: itself under a new number, or the expression that stands for it.
enum Replaced {
    Access(AccessId),
    Value(Expr),
}

/// Where a read came from.
#[derive(Clone)]
struct Provenance {
    /// From the instances that wrote the value to those that read it, as the original has it.
    sources: UnionMap,
    /// The stage whose inlining moved the read to this statement.
    stage: Option<String>,
}

struct Inlining<'a> {
    original: &'a Scop,
    scop: Scop,
    /// Per statement and access: predicted sources; `None` for writes.
    origins: Vec<Vec<Option<Provenance>>>,
    gone: BTreeSet<StatementId>,
}

impl<'a> Inlining<'a> {
    fn new(scop: &'a Scop, dataflow: &Dataflow) -> Inlining<'a> {
        let mut origins: Vec<Vec<Option<Provenance>>> = scop
            .statements
            .iter()
            .map(|statement| vec![None; statement.accesses.len()])
            .collect();
        for edge in &dataflow.edges {
            origins[edge.reader][edge.access] = Some(Provenance {
                sources: edge.sources.clone(),
                stage: None,
            });
        }
        Inlining {
            original: scop,
            scop: scop.clone(),
            origins,
            gone: BTreeSet::new(),
        }
    }

    /// Inlines one stage into all its consumers.
    fn stage(&mut self, graph: &StageGraph, stage: StageId) -> Result<()> {
        let name = &graph.stages[stage].name;
        let cannot = |why: &str| Err(refused(name, format!("stage `{name}` {CANNOT}: {why}")));
        let &[array] = &graph.stages[stage].arrays[..] else {
            return cannot("its statements write more than one array");
        };
        if self.scop.arrays[array].live_out {
            return cannot("its values are used after the region");
        }
        let statements = &graph.stages[stage].statements;
        if self.gone.len() + statements.len() == self.scop.statements.len() {
            return cannot("no statement would be left");
        }
        for &id in statements {
            let statement = &self.scop.statements[id];
            let [Action::Assign { target, .. }] = &statement.body[..] else {
                return cannot("its statements are not single assignments");
            };
            let target = &statement.accesses[*target];
            if !target.exact || target.affine.iter().any(Option::is_none) {
                return cannot("the cells that it writes depend on data");
            }
            if reads(statement, array) {
                return cannot("it reads its own values");
            }
        }
        for reader in 0..self.scop.statements.len() {
            if !self.gone.contains(&reader) && reads(&self.scop.statements[reader], array) {
                self.reader(name, array, statements, reader)?;
            }
        }
        self.gone.extend(statements);
        Ok(())
    }

    /// Replaces all reads of a stage in one statement.
    fn reader(
        &mut self,
        name: &str,
        array: ArrayId,
        statements: &[StatementId],
        reader: StatementId,
    ) -> Result<()> {
        let old = self.scop.statements[reader].clone();
        let mut new = Statement {
            accesses: Vec::new(),
            ..old.clone()
        };
        let mut origins = Vec::new();
        let mut replaced = Vec::new();
        for (number, access) in old.accesses.iter().enumerate() {
            if access.kind == AccessKind::Read && access.array == array {
                replaced.push(None);
            } else {
                replaced.push(Some(Replaced::Access(new.accesses.len())));
                new.accesses.push(access.clone());
                origins.push(self.origins[reader][number].clone());
            }
        }
        let own = new.accesses.len();
        for (number, replaced) in replaced.iter_mut().enumerate() {
            if replaced.is_none() {
                let value = self.value(
                    name,
                    statements,
                    reader,
                    number,
                    &mut new,
                    &mut origins,
                    own,
                )?;
                *replaced = Some(Replaced::Value(value));
            }
        }
        let replaced: Vec<Replaced> = replaced.into_iter().flatten().collect();
        for action in &mut new.body {
            renumber(action, &replaced);
        }
        for access in &mut new.accesses[..own] {
            for subscript in &mut access.subscripts {
                *subscript = substituted(subscript, &replaced);
            }
        }
        self.scop.statements[reader] = new;
        self.origins[reader] = origins;
        Ok(())
    }

    /// The expression for one read, its own reads added to the statement.
    #[allow(clippy::too_many_arguments)]
    fn value(
        &self,
        name: &str,
        statements: &[StatementId],
        reader: StatementId,
        read: AccessId,
        new: &mut Statement,
        origins: &mut Vec<Option<Provenance>>,
        own: usize,
    ) -> Result<Expr> {
        let consumer = self.called(reader);
        let cannot = |why: &str| {
            let reason = format!("stage `{name}` {CANNOT} into {consumer}: {why}");
            refused(name, reason)
        };
        let access = &self.scop.statements[reader].accesses[read];
        if access.affine.iter().any(Option::is_none) {
            return Err(cannot("which cell is read depends on data"));
        }
        let Some(origin) = &self.origins[reader][read] else {
            return Err(cannot("a read has no known source"));
        };
        let context = &self.scop.context;
        let mut writer = None;
        for map in origin.sources.maps()? {
            if map.is_empty()? {
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
            return Err(cannot("some of what is read was not computed by the stage"));
        }
        let statement = &self.scop.statements[writer];
        let Some(at) = instance_read(&sources)? else {
            return Err(cannot(NOT_AFFINE));
        };
        let iterators = statement
            .iterators
            .iter()
            .enumerate()
            .map(|(k, iterator)| self.iterator(&at.get_at(k)?, iterator, &new.iterators))
            .collect::<isl::Result<Option<Vec<Expr>>>>()?;
        let Some(iterators) = iterators else {
            return Err(cannot(NOT_AFFINE));
        };
        let [Action::Assign { target, value }] = &statement.body[..] else {
            return Err(cannot("its statement is no single assignment"));
        };
        self.check_bodies(statement, new).map_err(cannot)?;

        let at_domain = at.as_map()?.intersect_domain(&access.relation.domain()?)?;
        let at = PwMultiAff::from_multi_aff(&at)?;
        let mut moved: Vec<Option<AccessId>> = vec![None; statement.accesses.len()];
        // Reads inside subscripts have numbers, too: first all numbers, then the subscripts.
        let mut fresh = Vec::new();
        for (number, theirs) in statement.accesses.iter().enumerate() {
            if theirs.kind == AccessKind::Write {
                continue;
            }
            let affine = theirs
                .affine
                .iter()
                .map(|one| {
                    one.as_ref()
                        .map(|f| f.pullback_pw_multi_aff(&at))
                        .transpose()
                })
                .collect::<isl::Result<Vec<_>>>()?;
            let one = Access {
                array: theirs.array,
                kind: AccessKind::Read,
                exact: access.exact && theirs.exact,
                relation: at_domain.apply_range(&theirs.relation)?.coalesce()?,
                subscripts: theirs.subscripts.clone(),
                affine,
                span: theirs.span,
            };
            let sources = match &self.origins[writer][number] {
                Some(theirs) => theirs.sources.apply_range(&origin.sources)?,
                None => UnionMap::empty_ctx(&self.scop.ctx)?,
            };
            let same = equal(&new.accesses[own..], &one)?.map(|same| own + same);
            let before = same.and_then(|same| origins[same].as_ref());
            if let (Some(same), Some(before)) = (same, before) {
                if before.sources.is_equal(&sources)? {
                    moved[number] = Some(same);
                    continue;
                }
            }
            moved[number] = Some(new.accesses.len());
            fresh.push(new.accesses.len());
            new.accesses.push(one);
            origins.push(Some(Provenance {
                sources,
                stage: Some(name.to_owned()),
            }));
        }
        let at_reader = |expr: &Expr| at_instance(expr, &iterators, &moved);
        for number in fresh {
            let subscripts = &mut new.accesses[number].subscripts;
            *subscripts = subscripts.iter().map(at_reader).collect();
        }
        let element = &self.scop.arrays[statement.accesses[*target].array].element;
        Ok(self.converted(at_reader(value), element, new))
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
            if stage.accesses.iter().any(|a| written(a.array)) {
                return Err("it overwrites what the stage reads, in a body of several steps");
            }
            let mut locals = BTreeSet::new();
            reader.body.iter().for_each(|a| names_of(a, &mut locals));
            let mut hidden = false;
            for action in &stage.body {
                if let Action::Assign { value, .. } = action {
                    value.walk(&mut |e| {
                        if let Expr::Invariant(text) = e {
                            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                            hidden |= words.any(|word| locals.contains(word));
                        }
                    });
                }
            }
            return match hidden {
                true => Err("a variable of its body hides one that the stage reads"),
                false => Ok(()),
            };
        };
        Ok(())
    }

    /// A loop variable of the stage's instance, as a function of the reader's loop variables.
    fn iterator(
        &self,
        value: &Aff,
        iterator: &Iterator,
        of: &[Iterator],
    ) -> isl::Result<Option<Expr>> {
        let Some(constant) = value.get_constant_val()?.to_i64() else {
            return Ok(None);
        };
        let mut terms: Vec<(i64, Expr)> = Vec::new();
        for (kind, count) in [
            (DimType::In, of.len()),
            (DimType::Param, value.dim(DimType::Param)?),
        ] {
            for k in 0..count {
                let Some(factor) = value.get_coefficient_val(kind, k)?.to_i64() else {
                    return Ok(None);
                };
                if factor == 0 {
                    continue;
                }
                if kind == DimType::In {
                    terms.push((factor, Expr::Iterator(k)));
                    continue;
                }
                let name = value.get_dim_name(DimType::Param, k)?;
                let Some(param) = self.scop.params.iter().position(|p| p.name == name) else {
                    return Ok(None);
                };
                terms.push((factor, Expr::Param(param)));
            }
        }
        if let ([(1, Expr::Iterator(k))], 0) = (&terms[..], constant) {
            if of[*k].ctype == iterator.ctype {
                return Ok(Some(Expr::Iterator(*k)));
            }
        }
        Ok(Some(Expr::Cast(
            iterator.ctype.clone(),
            Box::new(sum(terms, constant)),
        )))
    }

    /// A value as reading it from memory gives it.
    fn converted(&self, value: Expr, element: &ScalarType, of: &Statement) -> Expr {
        if let Expr::Access(access) = value {
            let array = &self.scop.arrays[of.accesses[access].array];
            if array.element.kind == element.kind {
                return value;
            }
        }
        Expr::Cast(element.clone(), Box::new(value))
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
            ..self.scop.clone()
        };
        let dataflow = Dataflow::compute(&scop)?;
        for edge in &dataflow.edges {
            let Some(predicted) = &origins[edge.reader][edge.access] else {
                continue;
            };
            let array = &scop.arrays[edge.array].name;
            let consumer = self.called(kept[edge.reader]);
            let stage = match &predicted.stage {
                Some(stage) => stage,
                None if edge.sources.is_equal(&predicted.sources)? => continue,
                // Nothing but the inlined stages is gone: this does not happen.
                None => array,
            };
            let statement = &scop.statements[edge.reader];
            let exposed = &exposed_reads(statement)?[edge.access];
            let whole = match exposed {
                Some(exposed) => exposed.is_equal(&statement.accesses[edge.access].relation)?,
                None => true,
            };
            if !whole || !edge.sources.is_equal(&predicted.sources)? {
                let reason = format!(
                    "stage `{stage}` {CANNOT} into {consumer}: `{array}`, which it reads, is \
                     overwritten before the value is used there"
                );
                return Err(refused(stage, reason));
            }
        }
        Ok((scop, dataflow))
    }
}

const CANNOT: &str = "cannot be inlined";
const NOT_AFFINE: &str =
    "which iteration computed what is read is no sum of multiples of the reader's loop variables";

fn reads(statement: &Statement, array: ArrayId) -> bool {
    let mut accesses = statement.accesses.iter();
    accesses.any(|a| a.kind == AccessKind::Read && a.array == array)
}

/// The instance whose value is read, as an affine function of the reading one.
fn instance_read(sources: &isl::Map) -> isl::Result<Option<MultiAff>> {
    let hull = isl::Map::from_basic_map(&sources.reverse()?.affine_hull()?)?;
    if !hull.is_single_valued()? {
        return Ok(None);
    }
    let mut pieces = Vec::new();
    PwMultiAff::from_map(&hull)?.foreach_piece(&mut |_, function| {
        pieces.push(function);
        Ok(())
    })?;
    let [function] = &pieces[..] else {
        return Ok(None);
    };
    for k in 0..function.dim(DimType::Out)? {
        let value = function.get_at(k)?;
        if !value.get_denominator_val()?.is_one()? || value.involves_locals()? {
            return Ok(None);
        }
    }
    Ok(Some(function.clone()))
}

/// The position of an access to the same cells, all of them known.
fn equal(accesses: &[Access], one: &Access) -> isl::Result<Option<usize>> {
    if one.affine.iter().any(Option::is_none) {
        return Ok(None);
    }
    for (number, other) in accesses.iter().enumerate() {
        if other.array == one.array
            && other.exact == one.exact
            && other.affine.iter().all(Option::is_some)
            && other.relation.is_equal(&one.relation)?
        {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

fn sum(terms: Vec<(i64, Expr)>, constant: i64) -> Expr {
    let long = ScalarType {
        kind: ScalarKind::I64,
        spelling: "long".to_owned(),
    };
    let mut sum: Option<Expr> = None;
    for (factor, of) in terms {
        let of = Expr::Cast(long.clone(), Box::new(of));
        let size = factor.unsigned_abs();
        let term = match size {
            1 => of,
            _ => Expr::Binary(
                BinaryOp::Mul,
                Box::new(Expr::Literal(size.to_string())),
                Box::new(of),
            ),
        };
        sum = Some(match (sum, factor < 0) {
            (None, false) => term,
            (None, true) => Expr::Unary(crate::scop::UnaryOp::Minus, Box::new(term)),
            (Some(before), less) => {
                let operator = if less { BinaryOp::Sub } else { BinaryOp::Add };
                Expr::Binary(operator, Box::new(before), Box::new(term))
            }
        });
    }
    let size = Expr::Literal(constant.unsigned_abs().to_string());
    match (sum, constant) {
        (None, _) => Expr::Literal(constant.to_string()),
        (Some(sum), 0) => sum,
        (Some(sum), 1..) => Expr::Binary(BinaryOp::Add, Box::new(sum), Box::new(size)),
        (Some(sum), _) => Expr::Binary(BinaryOp::Sub, Box::new(sum), Box::new(size)),
    }
}

/// The stage's expression at the reader's instance.
fn at_instance(expr: &Expr, iterators: &[Expr], moved: &[Option<AccessId>]) -> Expr {
    expr.map(&mut |e| match e {
        Expr::Iterator(k) => iterators.get(*k).cloned(),
        Expr::Access(k) => moved.get(*k).copied().flatten().map(Expr::Access),
        _ => None,
    })
}

fn substituted(expr: &Expr, replaced: &[Replaced]) -> Expr {
    expr.map(&mut |e| match e {
        Expr::Access(k) => match &replaced[*k] {
            Replaced::Access(number) => Some(Expr::Access(*number)),
            Replaced::Value(value) => Some(value.clone()),
        },
        _ => None,
    })
}

fn renumber(action: &mut Action, replaced: &[Replaced]) {
    match action {
        Action::Assign { target, value } => {
            if let Replaced::Access(number) = replaced[*target] {
                *target = number;
            }
            *value = substituted(value, replaced);
        }
        Action::Local { value, .. } => {
            if let Some(value) = value {
                *value = substituted(value, replaced);
            }
        }
        Action::SetLocal { value, .. } => *value = substituted(value, replaced),
        Action::If {
            condition,
            then,
            otherwise,
        } => {
            *condition = substituted(condition, replaced);
            for action in then.iter_mut().chain(otherwise) {
                renumber(action, replaced);
            }
        }
    }
}

fn names_of<'s>(action: &'s Action, names: &mut BTreeSet<&'s str>) {
    match action {
        Action::Local { name, .. } => {
            names.insert(name);
        }
        Action::If {
            then, otherwise, ..
        } => then
            .iter()
            .chain(otherwise)
            .for_each(|a| names_of(a, names)),
        Action::Assign { .. } | Action::SetLocal { .. } => {}
    }
}

#[cfg(test)]
mod tests;
