//! Tables: what a statement computes from cells that it picks is computed for all of them, once
//! for all instances that need the same, by a statement of its own.
//!
//! The reverse of inlining, and like it a Scop → Scop pass, before stages are grouped. Loops over
//! a table's cells have no subscripts that depend on data and are vector loops; what is left to
//! the statement are fewer look-ups. Values keep their bits: the same operations are applied to
//! the same operands. Which expressions can be tables is said in [`crate::analysis::tables`].
//!
//! The new statement stands directly before the loops that its reader is in. Nothing in these
//! loops may write what it reads, so that it reads what the reader would have.

use super::TransformError;
use crate::analysis::stages::StageGraph;
use crate::analysis::tables::{Table, tables};
use crate::plan::entries::Picks;
use crate::scop::tree::walk;
use crate::scop::{
    Access, AccessKind, Action, Array, ArrayId, Assumptions, Expr, Extent, Iterator, Layout,
    Members, Origin, ScalarKind, ScalarType, Scop, Statement, StatementId,
};
use isl::{
    Aff, DimType, Id, Map, MultiAff, MultiUnionPwAff, PwAff, Schedule, ScheduleNodeType, Set,
    Space, UnionPwAff, UnionSet, Val,
};
use std::collections::BTreeSet;

type Result<T> = std::result::Result<T, TransformError>;

/// The program with tables; arrays keep their numbers, statements their names.
///
/// An entry makes tables of what its stage computes from cells that it picks of its array. A table is an array of the region and a stage of its own, named after the array.
///
/// # Errors
/// [`TransformError::Plan`] for unknown names, and where there is nothing to tabulate.
pub fn tabulate(scop: &Scop, graph: &StageGraph, entries: &[Picks]) -> Result<Scop> {
    let mut work = scop.clone();
    for entry in entries {
        let refused = |why: &str| Err(TransformError::Plan(format!("`{entry}` {why}")));
        let Some(array) = scop.array_named(&entry.array) else {
            return refused("names no array to pick from");
        };
        let Some(stage) = graph.stages.iter().find(|stage| stage.name == entry.reader) else {
            return refused("names no stage that picks");
        };
        let mut found = false;
        for &id in &stage.statements {
            // Numbers change, names do not.
            let name = &scop.statements[id].name;
            while let Some(id) = work.statement_named(name) {
                let all = tables(&work, id)?;
                let Some(table) = all.iter().find(|table| table.picks_from(array)) else {
                    break;
                };
                work = with_table(&work, id, table)?;
                found = true;
            }
        }
        if !found {
            return refused("computes nothing that could be in a table");
        }
    }
    Ok(work)
}

/// The program in which a statement picks from one table.
fn with_table(scop: &Scop, reader: StatementId, table: &Table) -> Result<Scop> {
    let old = &scop.statements[reader];
    let (before, after) = around(scop, old, table)?;
    let [first, ..] = &table.reads[..] else {
        return Ok(scop.clone());
    };
    let name = fresh(scop, "S", scop.statements.len());
    let read = &scop.arrays[first.array].name;
    let array = array(scop, table, old, fresh(scop, &format!("{read}_table"), 0))?;
    let mut new = scop.clone();
    new.loops.independent.clear();
    new.arrays.push(array);
    let cells = cells(old, table, &name)?;
    new.statements[reader] = picking(&new, old, table)?;
    let computing = computing(&new, old, table, &cells, &name)?;
    let place = first_of(scop, &after)?.unwrap_or(reader);
    new.statements.insert(place, computing);
    let mut schedule = nest(&cells, 0)?;
    if !before.is_empty()? {
        schedule = scop
            .schedule
            .intersect_domain(&before)?
            .sequence(&schedule)?;
    }
    new.schedule = schedule.sequence(&scop.schedule.intersect_domain(&after)?)?;
    new.conditions.assumptions = Assumptions::of(&new.context, &new.statements)?;
    Ok(new)
}

/// The instances of the statement that computes a table: its cells, the last dimension the level.
fn cells(reader: &Statement, table: &Table, name: &str) -> Result<Set> {
    let mut all: Option<Set> = None;
    for each in &table.uses {
        let cells = picked(reader, table, &each.cell)?.range()?;
        all = Some(match all {
            Some(before) => before.union(&cells)?,
            None => cells,
        });
    }
    let mut cells = match all {
        Some(cells) => cells.coalesce()?.set_tuple_name(name)?,
        None => return Err(TransformError::Plan("a table that nobody reads".to_owned())),
    };
    for (position, iterator) in table.iterators.iter().enumerate() {
        cells = cells.set_dim_name(DimType::Set, position, &iterator.name)?;
    }
    Ok(cells)
}

/// From the instances of a reader to all cells of the table, without a name, that they may pick.
fn picked(reader: &Statement, table: &Table, cell: &[Aff]) -> Result<Map> {
    let space = reader.domain.get_space()?;
    let depth = cell.len();
    let target = Space::set_alloc(space.ctx(), 0, depth)?.align_params(&space)?;
    let mut function = MultiAff::zero(&space.map_from_domain_and_range(&target)?)?;
    for (position, of) in cell.iter().enumerate() {
        function = function.set_at(position, of)?;
    }
    let last = Val::int_from_si(space.ctx(), table.levels - 1)?;
    Ok(function
        .as_map()?
        .intersect_domain(&reader.domain)?
        .add_dims(DimType::Out, 1)?
        .lower_bound_si(DimType::Out, depth, 0)?
        .upper_bound_val(DimType::Out, depth, &last)?)
}

/// The loops over the cells of a table, the dimensions from `first` on.
pub(crate) fn nest(cells: &Set, first: usize) -> Result<Schedule> {
    let space = isl::LocalSpace::from_space(&cells.get_space()?)?;
    let domain = UnionSet::from_set(cells)?;
    let mut schedule = Schedule::from_domain(&domain)?;
    for position in (first..cells.dim(DimType::Set)?).rev() {
        let member = PwAff::var_on_domain(&space, DimType::Set, position)?;
        let member = UnionPwAff::from_pw_aff(&member)?.intersect_domain(&domain)?;
        let member = MultiUnionPwAff::from_union_pw_aff(&member)?;
        schedule = schedule.insert_partial_schedule(&member)?;
    }
    Ok(schedule)
}

/// The statement that computes a table, which is the last array of the program.
fn computing(
    scop: &Scop,
    reader: &Statement,
    table: &Table,
    cells: &Set,
    name: &str,
) -> Result<Statement> {
    let depth = table.iterators.len();
    let space = cells.get_space()?;
    let local = isl::LocalSpace::from_space(&space)?;
    let id = Id::alloc(&scop.ctx, name)?;
    let mut accesses = Vec::new();
    let mut access = |kind, array: ArrayId, cell: Vec<Aff>, subscripts| -> isl::Result<()> {
        let target = Space::set_alloc(&scop.ctx, 0, cell.len())?.align_params(&space)?;
        let target = target.set_tuple_name(DimType::Set, &scop.arrays[array].name)?;
        let mut function = MultiAff::zero(&space.map_from_domain_and_range(&target)?)?;
        let mut affine = Vec::new();
        for (position, of) in cell.iter().enumerate() {
            function = function.set_at(position, of)?;
            affine.push(Some(PwAff::from_aff(of)?));
        }
        accesses.push(Access {
            array,
            kind,
            exact: true,
            relation: function.as_map()?.intersect_domain(cells)?,
            subscripts,
            affine,
            span: reader.span,
        });
        Ok(())
    };
    for read in &table.reads {
        let mut cell = Vec::new();
        for of in &read.cell {
            cell.push(match of {
                Some(of) => of.set_tuple_id(DimType::In, &id)?,
                None => Aff::var_on_domain(&local, DimType::Set, depth)?,
            });
        }
        access(AccessKind::Read, read.array, cell, read.subscripts.clone())?;
    }
    let all = (0..=depth).map(|position| Aff::var_on_domain(&local, DimType::Set, position));
    let subscripts = (0..=depth).map(Expr::Iterator).collect();
    let all = all.collect::<isl::Result<_>>()?;
    access(AccessKind::Write, scop.arrays.len() - 1, all, subscripts)?;
    let mut iterators = table.iterators.clone();
    iterators.push(Iterator {
        name: "level".to_owned(),
        ctype: ScalarType {
            kind: ScalarKind::I32,
            spelling: "int".to_owned(),
        },
    });
    Ok(Statement {
        name: name.to_owned(),
        domain: cells.clone(),
        iterators,
        body: vec![Action::Assign {
            target: table.reads.len(),
            value: table.value.clone(),
        }],
        accesses,
        span: reader.span,
    })
}

/// The reader as it picks from its table, which is the last array of the program.
fn picking(scop: &Scop, old: &Statement, table: &Table) -> Result<Statement> {
    let array = scop.arrays.len() - 1;
    let mut new = old.clone();
    for each in &table.uses {
        let relation = picked(old, table, &each.cell)?;
        let mut affine: Vec<Option<PwAff>> = Vec::new();
        for of in &each.cell {
            affine.push(Some(PwAff::from_aff(of)?));
        }
        affine.push(None);
        new.accesses.push(Access {
            array,
            kind: AccessKind::Read,
            exact: false,
            relation: relation.set_tuple_name(DimType::Out, &scop.arrays[array].name)?,
            subscripts: each.subscripts.clone(),
            affine,
            span: old.span,
        });
    }
    let looked_up = |expr: &Expr| {
        expr.map(&mut |e| {
            let found = table.uses.iter().position(|each| each.expr == *e);
            found.map(|number| Expr::Access(old.accesses.len() + number))
        })
    };
    change(&mut new.body, &looked_up);
    without_unused(&mut new, old.accesses.len());
    Ok(new)
}

/// Changes every value of a body without conditions.
fn change(body: &mut [Action], to: &dyn Fn(&Expr) -> Expr) {
    for action in body {
        if let Action::Assign { value, .. }
        | Action::SetLocal { value, .. }
        | Action::Local {
            value: Some(value), ..
        } = action
        {
            *value = to(value);
        }
    }
}

/// Drops variables and the first `old` accesses where nothing mentions them, and numbers the
/// accesses that are left.
fn without_unused(statement: &mut Statement, old: usize) {
    let mentioned = |statement: &Statement| {
        let mut accesses = BTreeSet::new();
        let mut variables = BTreeSet::new();
        let mut work = Vec::new();
        for action in statement.body.iter().rev() {
            match action {
                Action::Assign { target, value } => {
                    accesses.insert(*target);
                    work.extend(&statement.accesses[*target].subscripts);
                    work.push(value);
                }
                Action::Local { name, value, .. } if variables.contains(name) => work.extend(value),
                _ => {}
            }
            while let Some(expr) = work.pop() {
                expr.walk(&mut |e| match e {
                    Expr::Access(number) if accesses.insert(*number) => {
                        work.extend(&statement.accesses[*number].subscripts);
                    }
                    Expr::Local(name) => {
                        variables.insert(name.clone());
                    }
                    _ => {}
                });
            }
        }
        (accesses, variables)
    };
    let (accesses, variables) = mentioned(statement);
    let unused = |action: &Action| match action {
        Action::Local { name, .. } => !variables.contains(name),
        _ => false,
    };
    statement.body.retain(|action| !unused(action));
    let kept = |number: usize, access: &Access| {
        // A read that stands for the old value behind a write is not mentioned.
        let stands = number < old && !accesses.contains(&number) && {
            let written = |a: &Access| a.kind == AccessKind::Write && a.array == access.array;
            statement.accesses.iter().any(written)
        };
        stands || accesses.contains(&number)
    };
    let mut numbers = vec![None; statement.accesses.len()];
    let mut left = Vec::new();
    for (number, access) in statement.accesses.iter().enumerate() {
        if kept(number, access) {
            numbers[number] = Some(left.len());
            left.push(access.clone());
        }
    }
    let renumbered = |expr: &Expr| {
        expr.map(&mut |e| match e {
            Expr::Access(number) => numbers[*number].map(Expr::Access),
            _ => None,
        })
    };
    for access in &mut left {
        access.subscripts = access.subscripts.iter().map(renumbered).collect();
    }
    statement.accesses = left;
    change(&mut statement.body, &renumbered);
    for action in &mut statement.body {
        if let Action::Assign { target, .. } = action {
            *target = numbers[*target].unwrap_or(*target);
        }
    }
}

/// A name that no statement, array or parameter has.
pub(super) fn fresh(scop: &Scop, stem: &str, first: usize) -> String {
    let taken = |name: &String| {
        scop.statement_named(name).is_some()
            || scop.array_named(name).is_some()
            || scop.params.iter().any(|param| param.name == *name)
    };
    let numbered = |number: usize| match number {
        0 => stem.to_owned(),
        number => format!("{stem}{number}"),
    };
    let mut names = (first..).map(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}

/// The first statement of a part of the program.
fn first_of(scop: &Scop, domain: &UnionSet) -> Result<Option<StatementId>> {
    for (id, statement) in scop.statements.iter().enumerate() {
        let own = UnionSet::from_set(&statement.domain)?;
        if !own.is_disjoint(domain)? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// What is executed before the loops that a statement is in, and these with what follows.
fn around(scop: &Scop, reader: &Statement, table: &Table) -> Result<(UnionSet, UnionSet)> {
    let root = walk::top(&scop.schedule)?;
    let own = UnionSet::from_set(&reader.domain)?;
    let mut before = UnionSet::empty_ctx(&scop.ctx)?;
    let mut loops = scop.domain()?;
    if root.get_type()? == ScheduleNodeType::Sequence {
        for child in root.children()? {
            loops = child.filter_get_filter()?;
            if !loops.is_disjoint(&own)? {
                break;
            }
            before = before.union(&loops)?;
        }
    }
    for statement in &scop.statements {
        let read = |a: &&Access| {
            a.kind == AccessKind::Write && table.reads.iter().any(|r| r.array == a.array)
        };
        let Some(write) = statement.accesses.iter().find(read) else {
            continue;
        };
        if !UnionSet::from_set(&statement.domain)?.is_disjoint(&loops)? {
            let array = &scop.arrays[write.array].name;
            return Err(TransformError::Plan(format!(
                "`{array}` cannot be tabulated: it is written in the loops that pick from it"
            )));
        }
    }
    let after = scop.domain()?.subtract(&before)?;
    Ok((before, after))
}

/// The table as an array of the region.
fn array(scop: &Scop, table: &Table, reader: &Statement, name: String) -> Result<Array> {
    let unknown = Extent {
        spelling: None,
        affine: None,
    };
    let mut extents = vec![unknown; table.iterators.len()];
    let levels = Val::int_from_si(&scop.ctx, table.levels)?;
    let levels = Aff::val_on_domain_space(&scop.context.get_space()?, &levels)?;
    extents.push(Extent {
        spelling: Some(table.levels.to_string()),
        affine: Some(PwAff::from_aff(&levels)?),
    });
    Ok(Array {
        base: name.clone(),
        name,
        members: Members::default(),
        element: ScalarType {
            kind: table.element,
            spelling: table.element.c_name().to_owned(),
        },
        extents,
        layout: Layout::Subscripts,
        live_in: false,
        live_out: false,
        origin: Origin::Region { depth: 0 },
        variable: None,
        span: reader.span,
    })
}
