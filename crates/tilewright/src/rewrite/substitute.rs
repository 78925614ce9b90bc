//! Forward substitution: readers of a scalar compute what it holds, and the scalar is gone. A
//! Scop → Scop pass, before sums are in parts and stages are inlined.
//!
//! ```text
//! at = first[i];                           for (j…) s[j] = a[first[i]][j];
//! for (j…) s[j] = a[at][j];           →    k_begin = first[i] + 1;
//! at = at + 1;                             …
//! k_begin = at;
//! ```
//!
//! What stands between loops keeps them from being fused and interchanged. In products of sparse
//! matrices that are places and bounds, computed from arrays that nobody writes (Zhao's thesis,
//! 2018, section 6.3, has the column's subscript inside).
//!
//! One read at a time: its value must come from one statement, in the same iteration of all loops
//! around that statement, under no other exit predicates than those that the reader tests too
//! ([`Scop::tests_all_of`]), and be computed from what the region never writes. Then it is the
//! same wherever the reader stands. What is found out with value-based dependences is found out
//! anew after each round, as values get shorter. A scalar of which all reads are replaced is not
//! computed any more.

use super::TransformError;
use super::inline::expression::{Replaced, converted, renumber, substituted};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::region::Region;
use crate::analysis::stages::StageGraph;
use crate::scop::{
    Access, AccessId, AccessKind, Action, ArrayId, Expr, Origin, Scop, Statement, StatementId,
};
use isl::{Aff, DimType, LocalSpace, Map, MultiAff};
use std::collections::{BTreeMap, BTreeSet};

/// The scalars that keep loops of a region apart for no reason: integers of the region's own of
/// which all reads can be replaced, by name, and the region without them; `None` where there are
/// none.
///
/// # Errors
/// isl's own.
pub fn choose(region: &Region) -> isl::Result<Option<(Vec<String>, Region)>> {
    let scop = &region.scop;
    let mut wanted: BTreeSet<ArrayId> = (0..scop.arrays.len())
        .filter(|&array| fits(scop, array).is_ok() && is_place(scop, array))
        .collect();
    // What is left of the others would be neither here nor there.
    while !wanted.is_empty() {
        let (substituted, left) = attempt(region, &wanted)?;
        if left.is_empty() {
            let names = wanted.iter().map(|&array| scop.arrays[array].name.clone());
            return Ok(Some((names.collect(), substituted)));
        }
        wanted.retain(|array| !left.contains(array));
    }
    Ok(None)
}

impl Region {
    /// The region without these scalars.
    ///
    /// # Errors
    /// [`TransformError::Plan`] with the reason why one cannot be substituted.
    pub fn substituted(&self, names: &[String]) -> Result<Region, TransformError> {
        let scop = &self.scop;
        let mut wanted = BTreeSet::new();
        for name in names {
            let refused =
                |why: &str| TransformError::Plan(format!("`{name}` cannot be substituted: {why}"));
            let array = scop.array_named(name);
            let array = array.ok_or_else(|| refused("there is no such scalar"))?;
            fits(scop, array).map_err(refused)?;
            wanted.insert(array);
        }
        let (substituted, left) = attempt(self, &wanted)?;
        match left.first() {
            None => Ok(substituted),
            Some(&array) => Err(TransformError::Plan(format!(
                "`{}` cannot be substituted: some of its values are not known where they are read",
                scop.arrays[array].name
            ))),
        }
    }
}

/// Whether an array is a scalar of the region's own.
fn fits(scop: &Scop, array: ArrayId) -> Result<(), &'static str> {
    let a = &scop.arrays[array];
    let depth = match a.origin {
        Origin::Region { depth } => depth,
        Origin::Local => 0,
        Origin::Parameter | Origin::Global => return Err("it is used outside of the function"),
        Origin::Hidden(_) => return Err("it is hidden state"),
    };
    if a.live_out {
        return Err("its value is used after the region");
    }
    if a.extents.len() != depth {
        return Err("it is no scalar");
    }
    if scop.loops.bounds.contains_key(&a.name) {
        return Err("it is the bound of a loop");
    }
    Ok(())
}

/// Whether a scalar can be a place or a bound, and is set in the region.
fn is_place(scop: &Scop, array: ArrayId) -> bool {
    let writes = |s: &Statement| {
        let mut accesses = s.accesses.iter();
        accesses.any(|a| a.array == array && a.kind == AccessKind::Write)
    };
    !scop.arrays[array].element.kind.is_float() && scop.statements.iter().any(writes)
}

/// The region with as many reads of these scalars replaced as possible, and the scalars that are
/// still there.
fn attempt(region: &Region, wanted: &BTreeSet<ArrayId>) -> isl::Result<(Region, Vec<ArrayId>)> {
    let mut scop = region.scop.clone();
    let mut dataflow = region.dataflow.clone();
    // A value is computed from others at most as often as there are statements.
    for _ in 0..=region.scop.statements.len() {
        let Some(next) = round(&scop, &dataflow, wanted)? else {
            break;
        };
        scop = next;
        dataflow = Dataflow::compute(&scop)?;
    }
    scop = without_dead(&scop, wanted)?;
    let written = |array: &ArrayId| {
        let accesses = scop.statements.iter().flat_map(|s| &s.accesses);
        accesses.clone().any(|a| a.array == *array)
    };
    let left = wanted.iter().copied().filter(written).collect();
    let dataflow = Dataflow::compute(&scop)?;
    let graph = StageGraph::build(&scop, &dataflow)?;
    let region = Region {
        scop,
        dataflow,
        graph,
        rounds: None,
    };
    Ok((region, left))
}

/// The program with all reads replaced of which that can be done at once; `None` where there are
/// none.
fn round(
    scop: &Scop,
    dataflow: &Dataflow,
    wanted: &BTreeSet<ArrayId>,
) -> isl::Result<Option<Scop>> {
    // Functions that get arrays name their accesses, and what has effects is done once.
    if scop.outside().is_some() {
        return Ok(None);
    }
    let mut changed: Option<Scop> = None;
    for reader in 0..scop.statements.len() {
        let mut values: BTreeMap<AccessId, Value<'_>> = BTreeMap::new();
        for edge in dataflow.edges.iter().filter(|edge| edge.reader == reader) {
            if wanted.contains(&edge.array) {
                if let Some(value) = value(scop, reader, edge.access, &edge.sources)? {
                    values.insert(edge.access, value);
                }
            }
        }
        if !values.is_empty() {
            let next = changed.get_or_insert_with(|| scop.clone());
            next.statements[reader] = with_values(scop, &scop.statements[reader], &values)?;
        }
    }
    Ok(changed)
}

/// What a read gets.
struct Value<'s> {
    writer: &'s Statement,
    array: ArrayId,
    expr: &'s Expr,
    /// From the reader's instances to the writer's.
    sources: Map,
}

/// The value of a read, where it can be computed there.
fn value<'s>(
    scop: &'s Scop,
    id: StatementId,
    access: AccessId,
    sources: &isl::UnionMap,
) -> isl::Result<Option<Value<'s>>> {
    let reader = &scop.statements[id];
    let array = reader.accesses[access].array;
    let mut writer = None;
    for map in sources.maps()? {
        if !scop.is_possible(&map)? {
            continue;
        }
        let Some(from) = scop.statement_named(&map.get_tuple_name(DimType::In)?) else {
            return Ok(None);
        };
        if writer.replace((from, map)).is_some() {
            return Ok(None);
        }
    }
    let Some((from, map)) = writer else {
        return Ok(None);
    };
    let writer = &scop.statements[from];
    let shared = writer.iterators.len();
    // The read that stands for an old value has to stay.
    let keeps = |a: &Access| a.array == array && a.kind == AccessKind::Write && !a.exact;
    let types = |s: &'s Statement| s.iterators.iter().map(|i| i.ctype.kind).take(shared);
    if shared > reader.iterators.len()
        || !types(reader).eq(types(writer))
        || reader.accesses.iter().any(keeps)
        || !scop.tests_all_of(reader, writer)
    {
        return Ok(None);
    }
    let (_, [Action::Assign { target, value }]) = scop.exits(writer) else {
        return Ok(None);
    };
    if writer.accesses[*target].array != array || !is_movable(scop, writer, reader, value) {
        return Ok(None);
    }
    let mut same = map.clone();
    for k in 0..shared {
        same = same.equate(DimType::In, k, DimType::Out, k)?;
    }
    let read = reader.accesses[access].relation.domain()?;
    let read = read.intersect_params(&scop.context)?;
    if !map.is_subset(&same)? || !read.is_subset(&map.range()?)? {
        return Ok(None);
    }
    Ok(Some(Value {
        writer,
        array,
        expr: value,
        sources: map.reverse()?,
    }))
}

/// Whether an expression means the same in another statement, and has the same value wherever that
/// is executed.
fn is_movable(scop: &Scop, writer: &Statement, reader: &Statement, value: &Expr) -> bool {
    let written = |array: ArrayId| {
        let mut accesses = scop.statements.iter().flat_map(|s| &s.accesses);
        accesses.any(|a| a.array == array && a.kind == AccessKind::Write)
    };
    let mut own_variables = false;
    Action::walk(&reader.body, &mut |action| {
        own_variables |= matches!(action, Action::Local { .. });
    });
    let mut fits = true;
    value.walk(&mut |e| {
        fits &= match e {
            Expr::Local(_) | Expr::Row { .. } | Expr::Effect { .. } => false,
            // A variable of the reader may have its name.
            Expr::Invariant(_) | Expr::Call(..) => !own_variables,
            _ => true,
        };
    });
    let accesses = used(writer, value);
    fits && accesses.iter().all(|&a| !written(writer.accesses[a].array))
}

/// The accesses that an expression makes, those in their subscripts too.
fn used(statement: &Statement, value: &Expr) -> BTreeSet<AccessId> {
    let mut found = BTreeSet::new();
    let mut pending = vec![value];
    while let Some(expr) = pending.pop() {
        expr.walk(&mut |e| {
            if let Expr::Access(id) = e {
                if found.insert(*id) {
                    pending.extend(&statement.accesses[*id].subscripts);
                }
            }
        });
    }
    found
}

/// A statement with some of its reads replaced.
fn with_values(
    scop: &Scop,
    old: &Statement,
    values: &BTreeMap<AccessId, Value<'_>>,
) -> isl::Result<Statement> {
    let mut new = Statement {
        accesses: Vec::new(),
        ..old.clone()
    };
    let mut replaced = Vec::new();
    for (number, access) in old.accesses.iter().enumerate() {
        // What stands for the others is not known yet.
        replaced.push(Replaced::Access(new.accesses.len()));
        if !values.contains_key(&number) {
            new.accesses.push(access.clone());
        }
    }
    let own = new.accesses.len();
    for (&number, value) in values {
        let expr = moved(value, old, &old.accesses[number], &mut new)?;
        let stored = &scop.arrays[value.array].element;
        replaced[number] = Replaced::Value(converted(scop, expr, stored, &new));
    }
    for action in &mut new.body {
        renumber(action, &replaced);
    }
    for access in &mut new.accesses[..own] {
        for subscript in &mut access.subscripts {
            *subscript = substituted(subscript, &replaced);
        }
    }
    Ok(new)
}

/// A value at the reader, whose own reads are added to the new statement.
fn moved(
    value: &Value<'_>,
    reader: &Statement,
    read: &Access,
    new: &mut Statement,
) -> isl::Result<Expr> {
    let sources = value.sources.intersect_domain(&reader.domain)?;
    let local = LocalSpace::from_space(&reader.domain.get_space()?)?;
    let mut function = MultiAff::zero(&sources.get_space()?)?;
    for k in 0..value.writer.iterators.len() {
        function = function.set_at(k, &Aff::var_on_domain(&local, DimType::Set, k)?)?;
    }
    let accesses = used(value.writer, value.expr);
    let first = new.accesses.len();
    let numbers: BTreeMap<AccessId, AccessId> = accesses.iter().copied().zip(first..).collect();
    let at_reader = |expr: &Expr| {
        expr.map(&mut |e| match e {
            Expr::Access(id) => numbers.get(id).copied().map(Expr::Access),
            _ => None,
        })
    };
    for &id in &accesses {
        let theirs = &value.writer.accesses[id];
        let affine = theirs.affine.iter().map(|one| match one {
            Some(one) => one.pullback_multi_aff(&function).map(Some),
            None => Ok(None),
        });
        new.accesses.push(Access {
            array: theirs.array,
            kind: AccessKind::Read,
            exact: theirs.exact && read.exact,
            relation: sources.apply_range(&theirs.relation)?,
            subscripts: theirs.subscripts.iter().map(&at_reader).collect(),
            affine: affine.collect::<isl::Result<_>>()?,
            span: theirs.span,
        });
    }
    Ok(at_reader(value.expr))
}

/// The program without statements that only set scalars that nobody reads any more.
fn without_dead(scop: &Scop, wanted: &BTreeSet<ArrayId>) -> isl::Result<Scop> {
    let touches = |statement: &Statement, kind| -> BTreeSet<ArrayId> {
        let accesses = statement.accesses.iter().filter(|a| a.kind == kind);
        accesses.map(|a| a.array).collect()
    };
    let only_sets = |s: &Statement| {
        let written = touches(s, AccessKind::Write);
        let mut calls = false;
        Action::walk(&s.body, &mut |action| {
            calls |= matches!(action, Action::Call(_));
        });
        !calls && !written.is_empty() && written.is_subset(wanted)
    };
    let mut needed = BTreeSet::new();
    loop {
        let before = needed.len();
        for statement in &scop.statements {
            let written = touches(statement, AccessKind::Write);
            if !only_sets(statement) || !written.is_disjoint(&needed) {
                needed.extend(touches(statement, AccessKind::Read));
            }
        }
        if needed.len() == before {
            break;
        }
    }
    let mut statements = scop.statements.clone();
    statements.retain(|statement| {
        !only_sets(statement) || !touches(statement, AccessKind::Write).is_disjoint(&needed)
    });
    scop.of_statements(statements)
}

#[cfg(test)]
mod tests;
