//! Value-based dataflow with kills and live-out.
//!
//! Through arrays that are written once, compositions of access relations
//! ([`crate::analysis::dependences::direct`]); through the others isl's `compute_flow` on the original schedule tree. Each
//! read access gets dependences of its own: one call handles one read access of every statement.

use crate::analysis::dependences::direct::{Direct, Order};
use crate::analysis::dependences::memory::{WriteRole, exposed_reads, write_roles};
use crate::plan::Fuse;
use crate::scop::{Access, AccessId, AccessKind, ArrayId, Scop, Statement, StatementId};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Dependences of a region.
///
/// All maps are between statement instances, from the earlier to the later one, over parameters of
/// the scop. What they say outside of the scop's context means nothing; each single map is
/// possible within.
#[derive(Clone, Debug)]
pub struct Dataflow {
    /// Read after write, value-based, per reading access.
    pub edges: Vec<FlowEdge>,
    /// Write after read, memory-based.
    pub anti: isl::UnionMap,
    /// Write after write, memory-based.
    pub output: isl::UnionMap,
    /// Live-in reads: `S[i] -> A[x]` for values from before the region.
    pub live_in: isl::UnionMap,
    /// Live-out writes: `S[i] -> A[x]` for the last (possible) writer of each cell of each
    /// live-out array.
    pub live_out: isl::UnionMap,
    /// Anti and output dependences through each array, by [`ArrayId`].
    pub through: Vec<isl::UnionMap>,
    /// All accesses, and what is known of arrays that need no dependence analysis: for
    /// [`Dataflow::again`].
    known: Rc<(Vec<Touched>, Vec<Option<Direct>>)>,
    /// What [`Dataflow::pairs`] found: dependences do not change once they are computed.
    pairs: OnceCell<Rc<Vec<Pair>>>,
    /// What [`Dataflow::scheduled`] was told.
    schedules: RefCell<Vec<Scheduled>>,
}

/// Statements, how they are fused, and the order that isl found for them.
type Scheduled = (Vec<StatementId>, Fuse, isl::Result<isl::Schedule>);

/// The dependences of one kind between two statements, or some of them.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub earlier: StatementId,
    pub later: StatementId,
    pub map: isl::Map,
    /// Whether the later one reads what the earlier one wrote.
    pub flow: bool,
}

/// Where the value of one read comes from.
#[derive(Clone, Debug)]
pub struct FlowEdge {
    /// The reading statement.
    pub reader: StatementId,
    /// The reading access.
    pub access: AccessId,
    /// The array.
    pub array: ArrayId,
    /// From writing instances to reading instances; over several writing statements. An instance
    /// that reads what an earlier action of its own body wrote has no source for that.
    pub sources: isl::UnionMap,
}

impl Dataflow {
    /// Computes the dependences of `scop`.
    ///
    /// # Errors
    /// isl's own, among them that the budget of the context ran out.
    pub fn compute(scop: &Scop) -> isl::Result<Dataflow> {
        let order = Order::of(scop)?;
        let touched = touched(scop)?;
        Dataflow::through_arrays(scop, touched, |array, own| {
            Direct::of(scop, &order, array, own)
        })
    }

    /// Computes the dependences of `scop`, which was made from another one by leaving statements
    /// out and changing others. `before` are the dependences of that one, and `unchanged` has for
    /// each statement of `scop` the one that it is there, if it did not change.
    ///
    /// Arrays, assumptions, names, and the order of the instances that are in both must be the
    /// same. Then dependences through an array of which all accesses are in both are the same,
    /// too, but for the numbers of statements: [`Direct`] looks at nothing else.
    ///
    /// # Errors
    /// isl's own.
    pub(crate) fn again(
        scop: &Scop,
        before: &Dataflow,
        unchanged: &[Option<StatementId>],
    ) -> isl::Result<Dataflow> {
        let order = Order::of(scop)?;
        let (all_before, direct_before) = &*before.known;
        let mut touched = Vec::new();
        // By the number that a statement had.
        let mut now = BTreeMap::new();
        for (id, (statement, was)) in scop.statements.iter().zip(unchanged).enumerate() {
            let Some(was) = *was else {
                touched.extend(touched_by(id, statement)?);
                continue;
            };
            now.insert(was, id);
            let same = all_before.iter().filter(|t| t.statement == was);
            touched.extend(same.map(|t| Touched {
                statement: id,
                ..t.clone()
            }));
        }
        Dataflow::through_arrays(scop, touched, |array, own| {
            let mut all = all_before.iter().filter(|t| t.array == array);
            let count = all.clone().count();
            let kept = all.all(|t| now.contains_key(&t.statement)) && own.len() == count;
            match (kept, &direct_before[array]) {
                (true, Some(direct)) => Ok(direct.renumbered(&now)),
                _ => Direct::of(scop, &order, array, own),
            }
        })
    }

    /// The same, by isl's dependence analysis alone.
    #[cfg(test)]
    pub(crate) fn compute_ordered(scop: &Scop) -> isl::Result<Dataflow> {
        Dataflow::through_arrays(scop, touched(scop)?, |_, _| Ok(None))
    }

    /// Dependences through all arrays; `direct` says what it knows of one, given its accesses.
    fn through_arrays(
        scop: &Scop,
        touched: Vec<Touched>,
        direct: impl Fn(ArrayId, &[&Touched]) -> isl::Result<Option<Direct>>,
    ) -> isl::Result<Dataflow> {
        let empty = isl::UnionMap::empty_ctx(&scop.ctx)?;
        let mut all = Dataflow {
            edges: Vec::new(),
            anti: empty.clone(),
            output: empty.clone(),
            live_in: empty.clone(),
            live_out: empty.clone(),
            through: vec![empty; scop.arrays.len()],
            known: Rc::default(),
            pairs: OnceCell::new(),
            schedules: RefCell::default(),
        };
        let mut of_array: Vec<Vec<&Touched>> = vec![Vec::new(); scop.arrays.len()];
        for one in &touched {
            of_array[one.array].push(one);
        }
        let mut others = Vec::new();
        let mut known = Vec::new();
        for (array, own) in of_array.into_iter().enumerate() {
            let direct = direct(array, &own)?;
            match &direct {
                Some(direct) => all.add(array, direct)?,
                None => others.extend(own),
            }
            known.push(direct);
        }
        if !others.is_empty() {
            all.add_ordered(scop, &others)?;
        }
        all.edges.sort_by_key(|edge| (edge.reader, edge.access));
        crate::analysis::dependences::independent::forget(scop, &touched, &mut all)?;
        all.known = Rc::new((touched, known));
        Ok(all)
    }

    /// Read after write, value-based: from the instance that wrote the value to the reader. With
    /// inexact accesses: every instance that may have written it.
    ///
    /// # Errors
    /// isl's own.
    pub fn flow(&self, scop: &Scop) -> isl::Result<isl::UnionMap> {
        let mut flow = isl::UnionMap::empty_ctx(&scop.ctx)?;
        for edge in &self.edges {
            flow = flow.union(&edge.sources)?;
        }
        Ok(flow)
    }

    /// All dependences, one map at a time.
    ///
    /// # Errors
    /// isl's own.
    pub(crate) fn pairs(&self, scop: &Scop) -> isl::Result<Rc<Vec<Pair>>> {
        if let Some(known) = self.pairs.get() {
            return Ok(Rc::clone(known));
        }
        let statements = scop.statements.iter().enumerate();
        let numbers: BTreeMap<&str, StatementId> =
            statements.map(|(id, s)| (s.name.as_str(), id)).collect();
        let flow = self.edges.iter().map(|edge| (&edge.sources, true));
        let memory = [(&self.anti, false), (&self.output, false)];
        let mut all = Vec::new();
        for (dependences, flow) in flow.chain(memory) {
            for map in dependences.maps()? {
                let end = |side| -> isl::Result<Option<StatementId>> {
                    Ok(numbers.get(map.get_tuple_name(side)?.as_str()).copied())
                };
                if let (Some(earlier), Some(later)) =
                    (end(isl::DimType::In)?, end(isl::DimType::Out)?)
                {
                    all.push(Pair {
                        earlier,
                        later,
                        map,
                        flow,
                    });
                }
            }
        }
        Ok(Rc::clone(self.pairs.get_or_init(|| Rc::new(all))))
    }

    /// All dependences between instances of some statements, as far as they are possible under the
    /// assumptions on the parameters that matter to the later one.
    ///
    /// # Errors
    /// isl's own.
    pub fn among(&self, scop: &Scop, statements: &[StatementId]) -> isl::Result<isl::UnionMap> {
        self.flow_among(scop, statements)?
            .union(&self.among_of(scop, statements, false)?)
    }

    /// The flow dependences of [`Dataflow::among`].
    ///
    /// # Errors
    /// isl's own.
    pub fn flow_among(
        &self,
        scop: &Scop,
        statements: &[StatementId],
    ) -> isl::Result<isl::UnionMap> {
        self.among_of(scop, statements, true)
    }

    fn among_of(
        &self,
        scop: &Scop,
        statements: &[StatementId],
        flow: bool,
    ) -> isl::Result<isl::UnionMap> {
        let mut all = isl::UnionMap::empty_ctx(&scop.ctx)?;
        for pair in self.pairs(scop)?.iter().filter(|pair| pair.flow == flow) {
            if statements.contains(&pair.earlier) && statements.contains(&pair.later) {
                let map = pair.map.intersect_params(scop.assumed(pair.later))?;
                all = all.union(&isl::UnionMap::from_map(&map)?)?;
            }
        }
        Ok(all)
    }

    /// The order that isl's scheduler finds for some statements under these dependences, or why it
    /// finds none; `compute` says so the first time.
    ///
    /// # Errors
    /// Those of `compute`.
    pub(crate) fn scheduled(
        &self,
        statements: &[StatementId],
        fuse: Fuse,
        compute: impl FnOnce() -> isl::Result<isl::Schedule>,
    ) -> isl::Result<isl::Schedule> {
        let known = |one: &&Scheduled| one.0 == statements && one.1 == fuse;
        if let Some((_, _, found)) = self.schedules.borrow().iter().find(known) {
            return found.clone();
        }
        let found = compute();
        let one = (statements.to_vec(), fuse, found.clone());
        self.schedules.borrow_mut().push(one);
        found
    }

    /// All accesses, in the order of statements and accesses.
    pub(crate) fn touched(&self) -> &[Touched] {
        &self.known.0
    }

    /// Adds the dependences through one array.
    fn add(&mut self, array: ArrayId, direct: &Direct) -> isl::Result<()> {
        self.edges.extend(direct.edges.iter().cloned());
        for map in direct.anti.iter().chain(&direct.output) {
            self.through[array] = self.through[array].add_map(map)?;
        }
        for (all, maps) in [
            (&mut self.anti, &direct.anti),
            (&mut self.output, &direct.output),
            (&mut self.live_in, &direct.live_in),
            (&mut self.live_out, &direct.live_out),
        ] {
            for map in maps {
                *all = all.add_map(map)?;
            }
        }
        Ok(())
    }

    /// Adds the dependences through arrays of which more must be known, given all their accesses:
    /// isl's dependence analysis on the statements concerned.
    fn add_ordered(&mut self, scop: &Scop, touched: &[&Touched]) -> isl::Result<()> {
        let accesses = Accesses::of(scop, touched)?;
        let statements: BTreeSet<StatementId> = touched.iter().map(|t| t.statement).collect();
        let mut domain = isl::UnionSet::empty_ctx(&scop.ctx)?;
        for statement in statements {
            domain = domain.add_set(&scop.statements[statement].domain)?;
        }
        let schedule = scop.schedule.intersect_domain(&domain)?;
        let (edges, live_in) = flow_edges(scop, &schedule, &accesses)?;
        self.edges.extend(edges);
        self.live_in = self.live_in.union(&live_in)?;

        let writes = accesses.must.union(&accesses.may)?;
        let anti = conflicts(&schedule, &accesses.reads, &writes)?;
        let output = conflicts(&schedule, &writes, &writes)?;
        let arrays: BTreeSet<ArrayId> = touched.iter().map(|t| t.array).collect();
        for array in arrays {
            self.through[array] = anti
                .through(scop, array)?
                .union(&output.through(scop, array)?)?;
        }
        self.anti = self.anti.union(&anti.instances)?;
        self.output = self.output.union(&output.instances)?;
        let live_out = live_out(scop, &schedule, &accesses)?;
        self.live_out = self.live_out.union(&live_out)?;
        Ok(())
    }
}

/// An access of a scop by what it does.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    pub statement: StatementId,
    pub access: AccessId,
    pub array: ArrayId,
    /// `None` for reads.
    pub role: Option<WriteRole>,
    /// From instances to cells, whatever is assumed.
    pub relation: isl::Map,
    /// The cells read that have values of other instances.
    pub exposed: Option<isl::Map>,
}

/// All of them, in the order of statements and accesses.
pub(crate) fn touched(scop: &Scop) -> isl::Result<Vec<Touched>> {
    let mut all = Vec::new();
    for (id, statement) in scop.statements.iter().enumerate() {
        all.extend(touched_by(id, statement)?);
    }
    Ok(all)
}

/// Those of one statement.
fn touched_by(id: StatementId, statement: &Statement) -> isl::Result<Vec<Touched>> {
    let mut all = Vec::new();
    let roles = write_roles(statement)?;
    let exposed = exposed_reads(statement)?;
    let properties = roles.into_iter().zip(exposed);
    for (access, (role, exposed)) in properties.enumerate() {
        let Access {
            array, relation, ..
        } = &statement.accesses[access];
        let narrow = relation.drop_unused_params()?;
        let exposed = match exposed {
            Some(exposed) if exposed.plain_is_equal(relation)? => Some(narrow.clone()),
            Some(exposed) => Some(exposed.drop_unused_params()?),
            None => None,
        };
        all.push(Touched {
            statement: id,
            access,
            array: *array,
            role,
            relation: narrow,
            exposed,
        });
    }
    Ok(all)
}

/// Accesses of a scop by what they do, within its context.
struct Accesses {
    /// Certain writes.
    must: isl::UnionMap,
    /// Possible writes.
    may: isl::UnionMap,
    /// All reads.
    reads: isl::UnionMap,
    /// Reads that see values of other instances, with their access and statement.
    exposed: Vec<(StatementId, AccessId, isl::Map)>,
}

impl Accesses {
    fn of(scop: &Scop, touched: &[&Touched]) -> isl::Result<Accesses> {
        let empty = isl::UnionMap::empty_ctx(&scop.ctx)?;
        let mut all = Accesses {
            must: empty.clone(),
            may: empty.clone(),
            reads: empty,
            exposed: Vec::new(),
        };
        let mut touched = touched.to_vec();
        touched.sort_by_key(|touched| (touched.statement, touched.access));
        for touched in touched {
            let assumed = scop.assumed(touched.statement);
            let target = match touched.role {
                Some(WriteRole::Must { .. }) => &mut all.must,
                Some(WriteRole::May) => &mut all.may,
                None => &mut all.reads,
            };
            *target = target.add_map(&touched.relation.intersect_params(assumed)?)?;
            if let Some(exposed) = &touched.exposed {
                let exposed = exposed.intersect_params(assumed)?;
                all.exposed
                    .push((touched.statement, touched.access, exposed));
            }
        }
        Ok(all)
    }
}

/// The edges of all read accesses, and the reads of values from before the region.
fn flow_edges(
    scop: &Scop,
    schedule: &isl::Schedule,
    accesses: &Accesses,
) -> isl::Result<(Vec<FlowEdge>, isl::UnionMap)> {
    let mut edges: Vec<FlowEdge> = Vec::new();
    let mut live_in = isl::UnionMap::empty_ctx(&scop.ctx)?;
    for slot in slots(&accesses.exposed, |&(statement, _, _)| statement) {
        let mut sinks = isl::UnionMap::empty_ctx(&scop.ctx)?;
        for (_, _, relation) in &slot {
            sinks = sinks.add_map(relation)?;
        }
        let flow = isl::UnionAccessInfo::from_sink(&sinks)?
            .set_must_source(&accesses.must)?
            .set_may_source(&accesses.may)?
            .set_schedule(schedule)?
            .compute_flow()?;
        let sources = flow.get_may_dependence()?;
        let no_source = flow.get_may_no_source()?;
        for (statement, access, relation) in slot {
            let array = scop.statements[*statement].accesses[*access].array;
            let instances =
                isl::UnionSet::from_set(&isl::Set::universe(&relation.get_space()?.domain()?)?)?;
            edges.push(FlowEdge {
                reader: *statement,
                access: *access,
                array,
                sources: sources.intersect_range(&instances)?.coalesce()?,
            });
            if scop.arrays[array].live_in {
                live_in = live_in.union(&no_source.intersect_domain(&instances)?)?;
            }
        }
    }
    Ok((edges, live_in.coalesce()?))
}

/// Splits `items` into lists in which no two have the same key: the first items of every key, the
/// second ones, and so on.
pub(crate) fn slots<T>(items: &[T], key: impl Fn(&T) -> usize) -> Vec<Vec<&T>> {
    let mut slots: Vec<Vec<&T>> = Vec::new();
    let mut seen = std::collections::HashMap::new();
    for item in items {
        let slot: &mut usize = seen.entry(key(item)).or_default();
        if *slot == slots.len() {
            slots.push(Vec::new());
        }
        slots[*slot].push(item);
        *slot += 1;
    }
    slots
}

/// Pairs of instances that touch one cell, in the original order.
pub(crate) struct Conflicts {
    /// From the earlier to the later instance.
    pub instances: isl::UnionMap,
    /// The same with the cell: `S[i] -> [T[j] -> A[x]]`.
    cells: isl::UnionMap,
}

impl Conflicts {
    /// Those through one array.
    fn through(&self, scop: &Scop, array: ArrayId) -> isl::Result<isl::UnionMap> {
        let name = &scop.arrays[array].name;
        let mut pairs = isl::UnionMap::empty_ctx(&scop.ctx)?;
        self.cells.foreach_map(&mut |map| {
            let map = map.uncurry()?;
            if map.get_tuple_name(isl::DimType::Out)? == *name {
                pairs = pairs.union(&isl::UnionSet::from_set(&map.domain()?)?.unwrap()?)?;
            }
            Ok(())
        })?;
        Ok(pairs)
    }
}

/// Every access of `first` that comes before one of `second` to the same cell.
pub(crate) fn conflicts(
    schedule: &isl::Schedule,
    first: &isl::UnionMap,
    second: &isl::UnionMap,
) -> isl::Result<Conflicts> {
    let flow = isl::UnionAccessInfo::from_sink(second)?
        .set_may_source(first)?
        .set_schedule(schedule)?
        .compute_flow()?;
    Ok(Conflicts {
        instances: flow.get_may_dependence()?.coalesce()?,
        cells: flow.get_full_may_dependence()?,
    })
}

/// The last (possible) writers of the cells of live-out arrays: what an instance behind all
/// others would read.
fn live_out(
    scop: &Scop,
    schedule: &isl::Schedule,
    accesses: &Accesses,
) -> isl::Result<isl::UnionMap> {
    let writes = accesses.must.union(&accesses.may)?;
    let written = writes.range()?;
    let mut cells = isl::UnionSet::empty_ctx(&scop.ctx)?;
    written.foreach_set(&mut |set| {
        let array = scop.array_named(&set.get_tuple_name()?);
        if array.is_some_and(|array| scop.arrays[array].live_out) {
            cells = cells.add_set(&set)?;
        }
        Ok(())
    })?;
    last_writers(scop, schedule, &accesses.must, &accesses.may, &cells)
}

/// Who wrote the given cells last (or may have): `S[i] -> A[x]`.
pub(crate) fn last_writers(
    scop: &Scop,
    schedule: &isl::Schedule,
    must: &isl::UnionMap,
    may: &isl::UnionMap,
    cells: &isl::UnionSet,
) -> isl::Result<isl::UnionMap> {
    if cells.is_empty()? {
        return isl::UnionMap::empty_ctx(&scop.ctx);
    }
    let end =
        isl::UnionSet::read_from_str(&scop.ctx, "{ __end[] }")?.intersect_params(&scop.context)?;
    let schedule = schedule.sequence(&isl::Schedule::from_domain(&end)?)?;
    let flow =
        isl::UnionAccessInfo::from_sink(&isl::UnionMap::from_domain_and_range(&end, cells)?)?
            .set_must_source(must)?
            .set_may_source(may)?
            .set_schedule(&schedule)?
            .compute_flow()?;
    flow.get_full_may_dependence()?
        .range_factor_range()?
        .coalesce()
}

/// Names of all arrays that `statement` touches with accesses of the given kind.
pub(crate) fn arrays_touched(
    scop: &Scop,
    statement: StatementId,
    kind: AccessKind,
) -> Vec<ArrayId> {
    let mut arrays: Vec<ArrayId> = scop.statements[statement]
        .accesses
        .iter()
        .filter(|access| access.kind == kind)
        .map(|access| access.array)
        .collect();
    arrays.sort_unstable();
    arrays.dedup();
    arrays
}

#[cfg(test)]
mod tests;
