//! One execution of a region beside its model.

use super::model::{Model, Point, subscripts};
use super::text::{Noting, Values};
use super::{Found, Mismatch};
use crate::frontend::c::syntax::{Scope, SymbolId, Unit};
use crate::scop::{Access, AccessKind, Action, Array, ArrayId, Iterator, Origin};
use std::collections::{HashMap, HashSet};
use tilewright_certify::storage::trace::{Access as Bytes, Declared, Event, Run};

/// A statement and its instance.
type Instance = (usize, Point);

/// A cell of an array.
type Cell = (ArrayId, Point);

/// What a variable of the function is to the region.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    /// The variable of a loop.
    Loop,
    /// Declared in the region, and an array of the model.
    Array(ArrayId),
    /// Declared in the region: it lives in a body, or stands for its initialiser.
    Inside,
    /// Of a type that is not looked into.
    Opaque,
    /// Declared in front of the region.
    Outside,
}

/// A read that no statement of the model has: where it is in the text, and what is read.
type Unknown = (usize, String);

/// What a variable holds that lives in bodies, or stands for its initialiser.
#[derive(Clone, Default)]
struct Kept {
    /// The instance that wrote it, if it lives in bodies.
    by: Option<Instance>,
    /// A read that it is made from, and of which the model does not know.
    from: Option<Unknown>,
}

/// The comparison of one execution.
pub(super) struct Comparison<'c> {
    text: &'c str,
    unit: &'c Unit,
    model: &'c Model<'c>,
    noting: &'c Noting,
    values: &'c Values,
    places: Places,
    pub seen: Seen,
}

/// What belongs to which place of the text.
struct Places {
    /// Where each line begins.
    lines: Vec<usize>,
    /// For each statement and iterator, which recorded values may be its own.
    columns: Vec<Vec<Vec<usize>>>,
    /// The statements around a byte of the text, the smallest first.
    around: HashMap<usize, Vec<usize>>,
    roles: HashMap<usize, (Role, Option<SymbolId>)>,
}

/// What was seen so far.
#[derive(Default)]
pub(super) struct Seen {
    /// Instances.
    pub executed: HashSet<Instance>,
    /// Accesses of instances.
    done: HashSet<(Instance, usize)>,
    /// The latest time so far, and whose it is.
    latest: Option<(Point, Instance)>,
    /// When cells were written last.
    written: HashMap<Cell, Point>,
    /// Variables of the region that are no arrays: what they hold.
    kept: HashMap<usize, Kept>,
    /// Reads that no statement has, by where the statement of the program begins. That is as it should
    /// be where nobody needs them.
    unknown: Vec<(usize, Unknown)>,
    /// Accesses that were compared.
    pub accesses: usize,
}

impl<'c> Comparison<'c> {
    pub fn new(
        text: &'c str,
        unit: &'c Unit,
        model: &'c Model<'c>,
        noting: &'c Noting,
        values: &'c Values,
    ) -> Comparison<'c> {
        let variables = noting.variables();
        let columns = |iterator: &Iterator| {
            let names = [iterator.name.as_str(), super::text::written(&iterator.name)];
            let at = |name: &&str| variables.iter().position(|v| v == name);
            names.iter().filter_map(at).collect()
        };
        let statements = model.scop.statements.iter();
        let starts = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        Comparison {
            text,
            unit,
            model,
            noting,
            values,
            places: Places {
                lines: std::iter::once(0)
                    .chain(starts.map(|(at, _)| at + 1))
                    .collect(),
                columns: statements
                    .map(|s| s.iterators.iter().map(columns).collect())
                    .collect(),
                around: HashMap::new(),
                roles: HashMap::new(),
            },
            seen: Seen::default(),
        }
    }

    /// Compares an execution.
    ///
    /// # Errors
    /// The first difference; isl's own.
    pub fn run(&mut self, run: &Run) -> Result<(), Found> {
        for event in &run.events {
            self.event(run, event)?;
        }
        self.all_there()
    }

    /// A byte of the text.
    fn byte(&self, (line, column): (u32, usize)) -> usize {
        let start = self.places.lines.get((line as usize).wrapping_sub(1));
        start.copied().unwrap_or(0) + column
    }

    fn mismatch<T>(
        &self,
        statement: Option<&Instance>,
        at: usize,
        what: impl Into<String>,
    ) -> Result<T, Found> {
        let line = self.places.lines.partition_point(|start| *start <= at);
        let text = self.text.lines().nth(line.saturating_sub(1)).unwrap_or("");
        let scop = self.model.scop;
        let shown = |(statement, point): &Instance| {
            let iterators = &scop.statements[*statement].iterators;
            let pairs = iterators.iter().zip(point);
            let pairs: Vec<_> = pairs.map(|(i, v)| format!("{} = {v}", i.name)).collect();
            pairs.join(", ")
        };
        Err(Found::Mismatch(Box::new(Mismatch {
            statement: statement.map_or_else(String::new, |s| scop.statements[s.0].name.clone()),
            line: (line, text.to_owned()),
            instance: statement.map(shown).unwrap_or_default(),
            what: what.into(),
            arguments: String::new(),
        })))
    }

    /// What a variable of the function is.
    fn role(&mut self, object: usize, declared: &Declared) -> (Role, Option<SymbolId>) {
        if let Some(known) = self.places.roles.get(&object) {
            return *known;
        }
        let at = self.byte(declared.place);
        let scop = self.model.scop;
        let symbols = self.unit.symbols.iter().enumerate();
        let inside = symbols.filter(|(_, s)| {
            s.name == declared.name && s.scope == Scope::Region(scop.place.index) && s.span.end > at
        });
        let symbol = inside.min_by_key(|(_, s)| s.span.start).map(|(id, _)| id);
        let region = scop.place.span.start <= at && at < scop.place.span.end;
        let symbol = symbol.filter(|_| region);
        let role = match symbol {
            _ if super::text::counts(self.unit, scop.place.index, &declared.name) => Role::Loop,
            Some(id) => match (self.noting.inside.get(&id), &self.unit.symbols[id].ctype) {
                (Some(array), _) => Role::Array(*array),
                (None, crate::frontend::c::syntax::Type::Struct { .. }) => Role::Opaque,
                (None, _) => Role::Inside,
            },
            None => Role::Outside,
        };
        self.places.roles.insert(object, (role, symbol));
        (role, symbol)
    }

    /// The cells of arrays from outside of the region that an access touches.
    ///
    /// # Errors
    /// It is a cell of none, and of rows that one of them does not have.
    fn cells(&self, access: &Bytes) -> Result<Vec<Cell>, Found> {
        let scop = self.model.scop;
        let (mut found, mut beyond) = (Vec::new(), false);
        for (array, located) in &self.values.located {
            if located.object != access.object {
                continue;
            }
            let bytes = scop.arrays[*array].element.kind.bytes() as i64;
            // Structures in the same memory have other fields in between.
            let steps = &located.steps;
            // Subscripts that one place may have several of.
            if !scop.arrays[*array].layout.has_rows() {
                let offset = access.offset - located.first;
                if offset % bytes == 0 && access.size as i64 == bytes {
                    found.push((*array, vec![offset]));
                }
                continue;
            }
            let point = subscripts(located.first, steps, bytes, access);
            let known = self.model.extents[*array].iter();
            if let Some(point) = point {
                let inside = known
                    .zip(&point)
                    .map(|(extent, at)| *at >= 0 && extent.is_none_or(|extent| *at < extent));
                let inside: Vec<bool> = inside.collect();
                if !inside.contains(&false) || steps.len() == 1 {
                    found.push((*array, point));
                }
                if let [false, inner @ ..] = &inside[..] {
                    beyond |= !inner.contains(&false);
                }
            }
        }
        match found.is_empty() && beyond {
            true => Err(Found::Beyond),
            false => Ok(found),
        }
    }

    fn event(&mut self, run: &Run, event: &Event) -> Result<(), Found> {
        let at = self.byte(event.place);
        let access = &event.access;
        let declared = run.declared.get(&access.object);
        let role = declared.map(|d| self.role(access.object, d).0);
        if matches!(role, Some(Role::Loop | Role::Opaque)) {
            return Ok(());
        }
        if let Some(Role::Array(array)) = role {
            // Initial values are zeros first.
            let bytes = self.model.scop.arrays[array].element.kind.bytes() as u64;
            if access.size > bytes {
                let mut one = event.clone();
                one.access.size = bytes;
                for _ in 0..access.size / bytes {
                    self.event(run, &one)?;
                    one.access.offset += bytes as i64;
                }
                return Ok(());
            }
        }
        let instances = self.instances(event, at)?;
        if role == Some(Role::Inside) {
            return self.kept(event, declared, instances.first(), at);
        }
        let mut cells = self.cells(access)?;
        if let Some(Role::Array(array)) = role {
            cells = vec![(array, Vec::new())];
        }
        if cells.is_empty() {
            // Pointers, parameters, values that do not change.
            if !access.write {
                return Ok(());
            }
            let what = match declared {
                Some(declared) => format!("`{}` is written, which is no array", declared.name),
                None => "memory is written that is in no array".to_owned(),
            };
            return self.mismatch(instances.first(), at, what);
        }
        let kind = if access.write {
            AccessKind::Write
        } else {
            AccessKind::Read
        };
        for instance in &instances {
            // What is only read may be of several names.
            let mut found = false;
            for (array, point) in &cells {
                let cell = self.cell(*array, point, instance, access);
                let Some(cell) = cell else { continue };
                if self.touches(instance, kind, &cell)? {
                    self.accepted(instance.clone(), kind, cell, at)?;
                    found = true;
                }
            }
            if found && access.write {
                return self.known(event);
            } else if found {
                return Ok(());
            }
        }
        if access.write {
            self.known(event)?;
        }
        let is_parameter = |(array, cell): &Cell| self.model.is_parameter(*array, cell);
        if !access.write && cells.iter().any(is_parameter) {
            return Ok(());
        }
        let (array, point) = &cells[0];
        let name = &self.model.scop.arrays[*array].name;
        let verb = if access.write { "written" } else { "read" };
        let what = if instances.is_empty() {
            let variables = self.noting.variables();
            let values = variables.iter().zip(event.values.iter());
            let values = values.filter_map(|(name, v)| v.map(|v| format!("{name} = {v}")));
            let values: Vec<_> = values.collect();
            format!(
                "{name}{point:?} is {verb} by no instance of any statement here, where {}",
                values.join(", ")
            )
        } else {
            format!("{name}{point:?} is {verb}, which no access of the statement does")
        };
        if instances.is_empty() && !access.write {
            let statement = self.byte(event.statement);
            if !self.seen.unknown.iter().any(|(_, (known, _))| *known == at) {
                self.seen.unknown.push((statement, (at, what)));
            }
            return Ok(());
        }
        self.mismatch(instances.first(), at, what)
    }

    /// The instances that an access may belong to: the statements whose text it is in, the
    /// smallest text first, with the values of the loops' variables.
    fn instances(&mut self, event: &Event, at: usize) -> Result<Vec<Instance>, Found> {
        let scop = self.model.scop;
        let around = self.places.around.entry(at).or_insert_with(|| {
            let all = scop.statements.iter().enumerate();
            let mut around: Vec<_> = all
                .filter(|(_, s)| s.span.start <= at && at < s.span.end)
                .collect();
            around.sort_by_key(|(number, s)| (s.span.end - s.span.start, *number));
            around.into_iter().map(|(number, _)| number).collect()
        });
        let mut found = Vec::new();
        for &number in around.iter() {
            let columns = self.places.columns[number].iter();
            let point: Option<Point> = columns
                .map(|columns| columns.iter().find_map(|at| event.values[*at]))
                .collect();
            if let Some(point) = point {
                if self.model.statements[number].has(&point)? {
                    found.push((number, point));
                }
            }
        }
        Ok(found)
    }

    /// What is written must not be made from what the model does not read.
    fn known(&mut self, event: &Event) -> Result<(), Found> {
        let statement = self.byte(event.statement);
        match self
            .seen
            .unknown
            .iter()
            .find(|(begun, _)| *begun == statement)
        {
            Some((_, (at, what))) => self.mismatch(None, *at, what.as_str()),
            None => Ok(()),
        }
    }

    /// A variable that lives in bodies: its values do not leave the instance. One that stands for its
    /// initialiser, or that nobody needs.
    fn kept(
        &mut self,
        event: &Event,
        declared: Option<&Declared>,
        instance: Option<&Instance>,
        at: usize,
    ) -> Result<(), Found> {
        let name = declared.map_or("", |d| d.name.as_str());
        let lives = |instance: &&Instance| {
            let mut found = false;
            Action::walk(
                &self.model.scop.statements[instance.0].body,
                &mut |action| {
                    if let Action::Local { name: local, .. } = action {
                        found |= local == name || super::text::written(local) == name;
                    }
                },
            );
            found
        };
        let here = instance.filter(lives).cloned();
        let statement = self.byte(event.statement);
        if event.access.write {
            let unknown = self
                .seen
                .unknown
                .iter()
                .find(|(begun, _)| *begun == statement);
            let kept = Kept {
                by: here,
                from: unknown.map(|(_, read)| read.clone()),
            };
            self.seen.unknown.retain(|(begun, _)| *begun != statement);
            self.seen.kept.insert(event.access.object, kept);
            return Ok(());
        }
        let Some(kept) = self.seen.kept.get(&event.access.object).cloned() else {
            return Ok(());
        };
        if let Some((place, what)) = kept.from {
            if instance.is_some() {
                let what = format!("{what}, and `{name}` is made from it");
                return self.mismatch(instance, place, what);
            }
            self.seen.unknown.push((statement, (place, what)));
        }
        match kept.by {
            Some(there) if here.as_ref() != Some(&there) => {
                let what = format!("`{name}` is read, which another instance left behind");
                self.mismatch(instance, at, what)
            }
            _ => Ok(()),
        }
    }

    /// The cell of the model; `None` where the array has not so many subscripts there.
    fn cell(
        &self,
        array: ArrayId,
        point: &[i64],
        instance: &Instance,
        access: &Bytes,
    ) -> Option<Cell> {
        let own = &self.model.scop.arrays[array];
        let Origin::Region { depth } = own.origin else {
            return Some((array, point.to_vec()));
        };
        let bytes = own.element.kind.bytes() as i64;
        let mut cell = instance.1.get(..depth)?.to_vec();
        let extents = self.model.extents[array].get(depth..)?;
        let mut steps = Vec::new();
        let mut step = bytes;
        for extent in extents.iter().rev() {
            steps.push(step);
            step *= extent.unwrap_or(1);
        }
        steps.reverse();
        cell.extend(subscripts(0, &steps, bytes, access)?);
        Some((array, cell))
    }

    /// Whether a statement's instance may access a cell; marks what it does then.
    fn touches(
        &mut self,
        instance: &Instance,
        kind: AccessKind,
        (array, cell): &Cell,
    ) -> Result<bool, Found> {
        let accesses = &self.model.scop.statements[instance.0].accesses;
        let rows = self.model.scop.arrays[*array].layout.has_rows();
        let located = self.values.located.get(array).filter(|_| !rows);
        let steps = located.map(|located| &located.steps[..]);
        let mut found = false;
        for (number, access) in accesses.iter().enumerate() {
            let members = &self.model.statements[instance.0].accesses[number];
            let same = access.array == *array && access.kind == kind;
            if same && members.has_cell(&instance.1, cell, steps)? {
                self.seen.done.insert((instance.clone(), number));
                found = true;
            }
        }
        Ok(found)
    }

    /// Whether a statement stands within the one that was come to last, and accesses what the region
    /// declares.
    fn is_inside_latest(&self, statement: usize, array: ArrayId) -> bool {
        let scop = self.model.scop;
        let own = matches!(scop.arrays[array].origin, Origin::Region { .. });
        let span = scop.statements[statement].span;
        own && self.seen.latest.as_ref().is_some_and(|(_, latest)| {
            let around = scop.statements[latest.0].span;
            around.start < span.start && span.end <= around.end
        })
    }

    /// An access that the model has: at its time?
    fn accepted(
        &mut self,
        instance: Instance,
        kind: AccessKind,
        cell: Cell,
        at: usize,
    ) -> Result<(), Found> {
        self.seen.accesses += 1;
        let (array, point) = &cell;
        let named = &self.model.scop.arrays[*array];
        let extents = self.model.extents[*array].iter();
        let extents = extents.filter(|_| named.layout.has_rows());
        for (dim, (subscript, extent)) in point.iter().zip(extents).enumerate() {
            // A pointer may have something in front of it, and loops may begin below zero.
            let inner = dim > 0 && !matches!(named.origin, Origin::Region { .. });
            if *subscript < 0 && inner || extent.is_some_and(|extent| *subscript >= extent) {
                let what = format!("{}{point:?} is outside of its extents", named.name);
                return self.mismatch(Some(&instance), at, what);
            }
        }
        let time = self.model.statements[instance.0].time(&instance.1)?;
        let Some(time) = time else {
            return self.mismatch(Some(&instance), at, "it has no time");
        };
        let name = format!("{}{point:?}", named.name);
        let order = self
            .seen
            .latest
            .as_ref()
            .map(|(latest, _)| time.cmp(latest));
        match order {
            // Of a statement in an expression, `b[i] * ({ …; r; })`: operands have no order.
            Some(std::cmp::Ordering::Less) if self.is_inside_latest(instance.0, *array) => {}
            Some(std::cmp::Ordering::Less) if kind == AccessKind::Write => {
                return self.mismatch(Some(&instance), at, format!("{name} is written too late"));
            }
            // A bound that is read again: as good as at its time, if nobody wrote it since.
            Some(std::cmp::Ordering::Less) => {
                if self
                    .seen
                    .written
                    .get(&cell)
                    .is_some_and(|written| *written > time)
                {
                    let what = format!("{name} is read after it was written anew");
                    return self.mismatch(Some(&instance), at, what);
                }
            }
            Some(std::cmp::Ordering::Equal) => {
                if self
                    .seen
                    .latest
                    .as_ref()
                    .is_some_and(|(_, last)| *last != instance)
                {
                    return self.mismatch(Some(&instance), at, "two instances at the same time");
                }
            }
            _ => self.seen.latest = Some((time.clone(), instance.clone())),
        }
        if kind == AccessKind::Write {
            self.seen.written.insert(cell, time);
        }
        self.seen.executed.insert(instance);
        Ok(())
    }

    /// Whether all that the model does for certain was seen.
    fn all_there(&self) -> Result<(), Found> {
        let scop = self.model.scop;
        let counts = |name: &str| super::text::counts(self.unit, scop.place.index, name);
        let is_visible = |(number, array): (usize, &Array)| match array.origin {
            Origin::Region { .. } => self.noting.inside.iter().any(|(symbol, inside)| {
                *inside == number && !counts(&self.unit.symbols[*symbol].name)
            }),
            // No access to memory.
            Origin::Hidden(_) => false,
            Origin::Parameter | Origin::Local | Origin::Global => !counts(&array.base),
        };
        let visible: Vec<bool> = scop.arrays.iter().enumerate().map(is_visible).collect();
        for (number, statement) in scop.statements.iter().enumerate() {
            let instances = self.model.statements[number].all();
            for instance in instances.into_iter().flatten() {
                let instance = (number, instance.clone());
                let executed = self.seen.executed.contains(&instance);
                for (id, access) in statement.accesses.iter().enumerate() {
                    let array = &scop.arrays[access.array];
                    let inside = matches!(array.origin, Origin::Region { .. });
                    let certain = access.kind == AccessKind::Write && !inside || executed;
                    // `a[i] = b[i] = 0` is `b[i] = 0; a[i] = b[i]` in the model.
                    let is_own = |own: &Access| {
                        let same =
                            (own.array, &own.subscripts) == (access.array, &access.subscripts);
                        same && own.kind == AccessKind::Write && own.exact
                    };
                    let done = || {
                        let own = statement.accesses.iter().any(is_own);
                        own && access.kind == AccessKind::Read
                            || self.seen.done.contains(&(instance.clone(), id))
                    };
                    if access.exact && visible[access.array] && certain && !done() {
                        let verb = match access.kind {
                            AccessKind::Write => "written",
                            AccessKind::Read => "read",
                        };
                        let what = format!("`{}` is {verb} in the model alone", array.name);
                        return self.mismatch(Some(&instance), access.span.start, what);
                    }
                }
            }
        }
        Ok(())
    }
}
