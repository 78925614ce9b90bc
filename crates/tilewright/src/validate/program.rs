//! The transformed program as its checks see it: who touches which cell of which buffer, when.

use std::cell::{OnceCell, RefCell};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::storage::{Effect, Known, Touch, Whole};
use super::{Violation, ViolationKind};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::dependences::memory::{WriteRole, exposed_reads, write_roles};
use crate::analysis::dependences::times::{Level, Times};
use crate::scop::{AccessId, ArrayId, Scop, StatementId};
use crate::transform::{Buffer, BufferId, BufferKind, Lifted, Transformed};
use crate::validate::checks::domain::statement_of;
use crate::validate::numbers::model::Model;
use crate::validate::numbers::questions::Question;
use crate::validate::numbers::shortcuts::Sources;

/// A transformed program with its accesses.
pub(crate) struct Program<'a> {
    pub scop: &'a Scop,
    pub dataflow: &'a Dataflow,
    pub transformed: &'a Transformed,
    /// What can be answered without sets, where the schedule can be read.
    pub model: Option<Model<'a>>,
    /// All accesses of all lifted statements.
    pub touches: Vec<Touch<'a>>,
    whole: Rc<Whole<'a>>,
    times: OnceCell<Times>,
    wanted: RefCell<Wanted>,
    meetings: RefCell<BTreeMap<Meeting, isl::Map>>,
    sources: RefCell<BTreeMap<(StatementId, AccessId), Read>>,
    /// Who answered what.
    #[cfg(test)]
    pub answers: RefCell<BTreeMap<Question, crate::validate::numbers::questions::Answers>>,
}

/// By lifted statement and access.
type Wanted = BTreeMap<(usize, AccessId), Rc<Vec<isl::Map>>>;

/// The sources of an original access; `None` where they cannot be read.
type Read = Option<Rc<Vec<Sources>>>;

/// Two lifted statements and the scopes of the local buffers on which they work.
type Meeting = [(usize, Option<usize>); 2];

impl<'a> Program<'a> {
    /// Maps all accesses to storage. The inner error is a use of a local buffer where it is not
    /// alive.
    pub fn new(
        scop: &'a Scop,
        dataflow: &'a Dataflow,
        transformed: &'a Transformed,
        shortcuts: bool,
    ) -> isl::Result<Result<Program<'a>, Violation>> {
        let mut originals = Vec::new();
        for lifted in &transformed.statements {
            originals.push(lifted.to_original(scop)?.drop_unused_params()?);
        }
        let whole = Rc::new(Whole {
            scop,
            transformed,
            originals,
            scopes: OnceCell::new(),
        });
        let mut program = Program {
            scop,
            dataflow,
            transformed,
            model: if shortcuts {
                Model::of(scop, transformed)?
            } else {
                None
            },
            touches: Vec::new(),
            whole,
            times: OnceCell::new(),
            wanted: RefCell::default(),
            meetings: RefCell::default(),
            sources: RefCell::default(),
            #[cfg(test)]
            answers: RefCell::default(),
        };
        let mut roles = BTreeMap::new();
        for (index, lifted) in transformed.statements.iter().enumerate() {
            if program.original(index).plain_is_empty()? {
                continue;
            }
            let statement = &scop.statements[lifted.statement];
            if let std::collections::btree_map::Entry::Vacant(place) = roles.entry(lifted.statement)
            {
                place.insert((write_roles(statement)?, exposed_reads(statement)?));
            }
            let Some((roles, exposed)) = roles.get(&lifted.statement) else {
                continue;
            };
            for (access, (role, exposed)) in roles.iter().zip(exposed).enumerate() {
                let relation = &statement.accesses[access].relation;
                let buffer = lifted.bindings[access];
                if relation.plain_is_empty()? {
                    continue;
                }
                let effect = match role {
                    None => Effect::Read,
                    Some(WriteRole::Must { old_value: None }) => Effect::Write,
                    Some(WriteRole::Must {
                        old_value: Some(old),
                    }) if lifted.bindings[*old] == buffer => Effect::Write,
                    Some(_) => Effect::MayWrite,
                };
                let exposed = match exposed {
                    Some(exposed) if !exposed.plain_is_equal(relation)? => Some(exposed.clone()),
                    _ => None,
                };
                let touch = Touch {
                    lifted: index,
                    access,
                    array: statement.accesses[access].array,
                    buffer,
                    effect,
                    exposed,
                    whole: Rc::clone(&program.whole),
                    known: Known::default(),
                };
                if let BufferKind::Local { scope, .. } = program.buffer(buffer).kind {
                    let model = program.model.as_ref();
                    let alive = model.is_some_and(|model| model.life(index, scope).is_some());
                    if !program.seen(Question::Life, alive) && touch.life()?.is_none() {
                        // It executes nothing, and has no life of a buffer to work in.
                        if !scop.is_possible(&touch.elements()?)? {
                            continue;
                        }
                        return program.out_of_scope(&touch).map(Err);
                    }
                }
                program.touches.push(touch);
            }
        }
        Ok(Ok(program))
    }

    /// Whether something was seen at once; tests count what was.
    pub fn seen(&self, question: Question, at_once: bool) -> bool {
        #[cfg(test)]
        {
            let mut answers = self.answers.borrow_mut();
            let answers = answers.entry(question).or_default();
            if at_once {
                answers.at_once += 1
            } else {
                answers.by_isl += 1
            }
        }
        let _ = question;
        at_once
    }

    /// A lifted statement.
    pub fn lifted(&self, index: usize) -> &'a Lifted {
        &self.transformed.statements[index]
    }

    /// A buffer.
    pub fn buffer(&self, id: BufferId) -> &'a Buffer {
        &self.transformed.buffers[id]
    }

    /// Whether a buffer is an array in full.
    pub fn is_full(&self, id: BufferId) -> bool {
        matches!(self.buffer(id).kind, BufferKind::Full)
    }

    /// The arrays that are accessed.
    pub fn touched_arrays(&self) -> Vec<ArrayId> {
        let mut arrays: Vec<ArrayId> = self.touches.iter().map(|touch| touch.array).collect();
        arrays.sort_unstable();
        arrays.dedup();
        arrays
    }

    /// The lifted statement with this tuple name, which there must be.
    pub fn lifted_named(&self, name: &str) -> &'a Lifted {
        let statements = &self.transformed.statements;
        statements
            .iter()
            .find(|lifted| lifted.name == name)
            .unwrap_or(&statements[0])
    }

    /// The original instances of a lifted statement's.
    pub fn original(&self, lifted: usize) -> &isl::Map {
        &self.whole.originals[lifted]
    }

    /// The same of all lifted statements.
    pub fn to_original(&self) -> isl::Result<isl::UnionMap> {
        union_of(&self.scop.ctx, &self.whole.originals)
    }

    /// When lifted instances are executed.
    pub fn times(&self) -> isl::Result<&Times> {
        if let Some(times) = self.times.get() {
            return Ok(times);
        }
        let times = Times::of(&self.transformed.schedule)?;
        Ok(self.times.get_or_init(|| times))
    }

    /// A map of those pairs of lifted instances of two statements whose first instance does not
    /// come before the second one.
    pub fn first_not_before(&self, pairs: &isl::Map) -> isl::Result<Option<isl::Map>> {
        self.times()?.first_not_before(self.scop, pairs)
    }

    /// Of pairs of lifted instances of two statements: those whose first instance does not come
    /// before the second one, without pairs of an instance with itself.
    pub fn not_before(&self, pairs: &isl::Map) -> isl::Result<Vec<isl::Map>> {
        let mut found = Vec::new();
        let mut together = pairs.clone();
        let comparison = self.times()?.comparison(pairs)?;
        for level in comparison.levels() {
            match level? {
                Level::Always(Ordering::Less) => return Ok(found),
                Level::Always(Ordering::Equal) => continue,
                Level::Always(Ordering::Greater) => break,
                Level::Mixed { after, equal } => {
                    let after = together.intersect(after)?;
                    if !after.is_empty()? {
                        found.push(after.coalesce()?);
                    }
                    together = together.intersect(equal)?.coalesce()?;
                    if together.is_empty()? {
                        return Ok(found);
                    }
                }
            }
        }
        let name = |side| together.get_tuple_name(side);
        if name(isl::DimType::In)? == name(isl::DimType::Out)? {
            together = together.subtract(&together.domain()?.identity()?)?;
        }
        if !together.is_empty()? {
            found.push(together);
        }
        Ok(found)
    }

    /// One dimension of the times of a lifted statement, where it is a constant.
    pub fn constant_time(&self, lifted: usize, level: usize) -> isl::Result<Option<i64>> {
        let space = self.lifted(lifted).domain.get_space()?;
        self.times()?.constant(&space, level)
    }

    /// Whether the instances of all pairs, of two statements, have the same time at a level.
    pub fn agree(&self, pairs: &isl::Map, level: usize) -> isl::Result<bool> {
        match self.times()?.comparison(pairs)?.level(level)? {
            Level::Always(Ordering::Equal) => Ok(true),
            Level::Always(_) => Ok(!self.scop.is_possible(pairs)?),
            Level::Mixed { equal, .. } => Ok(!self.scop.is_possible(&pairs.subtract(equal)?)?),
        }
    }

    /// Pairs of instances within one life of the buffer, or all pairs for full arrays; domains
    /// left aside.
    pub fn may_share(&self, a: &Touch, b: &Touch) -> isl::Result<isl::Map> {
        let scope_of = |touch: &Touch| self.buffer(touch.buffer).kind.scope();
        let key = [(a.lifted, scope_of(a)), (b.lifted, scope_of(b))];
        if let Some(known) = self.meetings.borrow().get(&key) {
            return Ok(known.clone());
        }
        let pairs = match (a.scope()?, b.scope()?) {
            (Some(a), Some(b)) => {
                let a = isl::Map::from_basic_map(&a.affine_hull()?)?;
                let b = isl::Map::from_basic_map(&b.affine_hull()?)?;
                a.apply_range(&b.reverse()?)?.drop_unused_params()?
            }
            _ => {
                let all = |touch: &Touch| {
                    isl::Set::universe(&self.lifted(touch.lifted).domain.get_space()?)?
                        .drop_unused_params()
                };
                isl::Map::from_domain_and_range(&all(a)?, &all(b)?)?
            }
        };
        let mut all = self.meetings.borrow_mut();
        all.insert(key, pairs.clone());
        Ok(pairs)
    }

    /// The original instances that a read access gets its values from: from lifted readers to
    /// original writers, for each statement that is one.
    pub fn wanted_sources(&self, read: &Touch) -> isl::Result<Rc<Vec<isl::Map>>> {
        let key = (read.lifted, read.access);
        if let Some(known) = self.wanted.borrow().get(&key) {
            return Ok(Rc::clone(known));
        }
        let statement = self.lifted(read.lifted).statement;
        let original = self.original(read.lifted);
        let mut wanted = Vec::new();
        for edge in &self.dataflow.edges {
            if edge.reader != statement || edge.access != read.access {
                continue;
            }
            for sources in edge.sources.maps()? {
                let writers = sources.drop_unused_params()?.reverse()?;
                let sources = original.apply_range(&writers)?;
                if !sources.plain_is_empty()? {
                    wanted.push(sources);
                }
            }
        }
        let wanted = Rc::new(wanted);
        let mut all = self.wanted.borrow_mut();
        all.insert(key, Rc::clone(&wanted));
        Ok(wanted)
    }

    /// The same of the original instances, as numbers; `None` where they cannot be read.
    pub fn sources(&self, model: &Model, read: &Touch) -> isl::Result<Option<Rc<Vec<Sources>>>> {
        let statement = self.lifted(read.lifted).statement;
        let key = (statement, read.access);
        if let Some(known) = self.sources.borrow().get(&key) {
            return Ok(known.clone());
        }
        let mut all = Some(Vec::new());
        for edge in &self.dataflow.edges {
            if edge.reader != statement || edge.access != read.access {
                continue;
            }
            for pairs in edge.sources.maps()? {
                let writer = statement_of(self.scop, &pairs, isl::DimType::In)?;
                match (model.relations(&pairs)?, &mut all) {
                    (Some(pairs), Some(all)) => all.push(Sources {
                        writer,
                        pairs: Rc::new(pairs),
                    }),
                    _ => all = None,
                }
            }
        }
        let all = all.map(Rc::new);
        self.sources.borrow_mut().insert(key, all.clone());
        Ok(all)
    }

    /// The last writers of the elements of one array.
    pub fn live_out(&self, array: ArrayId) -> isl::Result<isl::UnionMap> {
        let mut writers = isl::UnionMap::empty_ctx(&self.scop.ctx)?;
        for map in self.dataflow.live_out.maps()? {
            if map.get_tuple_name(isl::DimType::Out)? == self.scop.arrays[array].name {
                writers = writers.add_map(&map)?;
            }
        }
        Ok(writers)
    }

    /// From the memory cells of full arrays to the arrays' elements.
    pub fn full_cells_to_elements(&self) -> isl::Result<isl::UnionMap> {
        let mut names = isl::UnionMap::empty_ctx(&self.scop.ctx)?;
        for touch in self
            .touches
            .iter()
            .filter(|touch| self.is_full(touch.buffer))
        {
            let elements = isl::Set::universe(&touch.elements()?.get_space()?.range()?)?;
            let name = touch.cells()?.get_tuple_name(isl::DimType::Out)?;
            let renamed = elements
                .identity()?
                .set_tuple_name(isl::DimType::In, &name)?;
            names = names.add_map(&renamed)?;
        }
        Ok(names)
    }

    /// All instances of one lifted statement, without constraints.
    pub fn universe(&self, index: usize) -> isl::Result<isl::UnionSet> {
        isl::UnionSet::from_set(&isl::Set::universe(
            &self.lifted(index).domain.get_space()?,
        )?)
    }

    fn out_of_scope(&self, touch: &Touch) -> isl::Result<Violation> {
        let sample = super::witness::sample(self.scop, &touch.outside_of_life()?.wrap()?)?;
        let lifted = self.lifted(touch.lifted);
        let (instance, element) = sample.split(lifted.domain.tuple_dim()?);
        Ok(Violation {
            message: format!(
                "{} would access {} in buffer `{}` outside of its life, the subtrees of mark \
                 `scope`",
                super::witness::lifted(self.scop, lifted, instance),
                super::witness::cell(self.scop, touch.array, element),
                self.buffer(touch.buffer).name,
            ),
            parameters: sample.parameters(self.scop),
            kind: ViolationKind::Bounds,
        })
    }
}

/// Maps between different tuples as one.
pub(crate) fn union_of(ctx: &isl::Ctx, maps: &[isl::Map]) -> isl::Result<isl::UnionMap> {
    let mut all = isl::UnionMap::empty_ctx(ctx)?;
    for map in maps {
        all = all.add_map(map)?;
    }
    Ok(all)
}

/// The instances that each leaf of the schedule executes.
pub(crate) fn leaves(transformed: &Transformed) -> isl::Result<Vec<isl::UnionSet>> {
    let mut all = Vec::new();
    transformed
        .schedule
        .foreach_schedule_node_top_down(&mut |node| {
            if node.get_type()? == isl::ScheduleNodeType::Leaf {
                all.push(node.get_domain()?);
            }
            Ok(true)
        })?;
    Ok(all)
}
