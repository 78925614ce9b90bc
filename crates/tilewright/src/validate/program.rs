//! The transformed program as its checks see it: who touches which cell of which buffer, when.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Violation, ViolationKind};
use crate::analysis::dataflow::Dataflow;
use crate::analysis::memory::{WriteRole, exposed_reads, write_roles};
use crate::analysis::times::{Level, Times};
use crate::scop::{AccessId, ArrayId, Scop};
use crate::transform::{Buffer, BufferId, BufferKind, Lifted, Transformed};

/// A transformed program with its accesses mapped to storage.
///
/// Memory cells are `buffer[x…]` for full arrays and `buffer[scope…, y…]` for local ones: the
/// execution of the mark `scope:k`, then the index in the buffer.
pub(super) struct Program<'a> {
    pub scop: &'a Scop,
    pub dataflow: &'a Dataflow,
    pub transformed: &'a Transformed,
    /// All accesses of all lifted statements.
    pub touches: Vec<Touch>,
    /// Lifted to original instances, per lifted statement.
    originals: Vec<isl::Map>,
    /// When lifted instances are executed.
    pub times: Times,
    wanted: RefCell<Wanted>,
    meetings: RefCell<BTreeMap<Meeting, isl::Map>>,
}

/// By lifted statement and access.
type Wanted = BTreeMap<(usize, AccessId), Rc<Vec<isl::Map>>>;

/// Two lifted statements and the scopes of the local buffers on which they work.
type Meeting = [(usize, Option<usize>); 2];

/// One access of one lifted statement.
pub(super) struct Touch {
    /// Index into [`Transformed::statements`].
    pub lifted: usize,
    /// Number within the original statement.
    pub access: AccessId,
    pub array: ArrayId,
    pub buffer: BufferId,
    /// Lifted instances to elements of the array.
    pub elements: isl::Map,
    /// Lifted instances to memory cells.
    pub cells: isl::Map,
    /// Lifted instances to the life of a local buffer that they work on.
    pub scope: Option<isl::Map>,
    pub effect: Effect,
}

/// What an access does.
pub(super) enum Effect {
    /// Reads; the cells whose values come from other instances.
    Read(isl::Map),
    /// Certainly replaces what its cells hold.
    Write,
    /// Possibly replaces what some of its cells hold.
    MayWrite,
}

impl Touch {
    pub fn is_read(&self) -> bool {
        matches!(self.effect, Effect::Read(_))
    }
}

impl<'a> Program<'a> {
    /// Maps all accesses to storage. The inner error is a use of a local buffer where it is not
    /// alive.
    pub fn new(
        scop: &'a Scop,
        dataflow: &'a Dataflow,
        transformed: &'a Transformed,
    ) -> isl::Result<Result<Program<'a>, Violation>> {
        let mut program = Program {
            scop,
            dataflow,
            transformed,
            touches: Vec::new(),
            originals: Vec::new(),
            times: Times::of(&transformed.schedule)?,
            wanted: RefCell::default(),
            meetings: RefCell::default(),
        };
        let scopes = scopes(transformed)?;
        for (index, lifted) in transformed.statements.iter().enumerate() {
            let statement = &scop.statements[lifted.statement];
            let to_original = lifted.to_original(scop)?.drop_unused_params()?;
            program.originals.push(to_original.clone());
            let roles = write_roles(statement)?;
            let exposed = exposed_reads(statement)?;
            for (access, (role, exposed)) in roles.into_iter().zip(exposed).enumerate() {
                let buffer = lifted.bindings[access];
                let relation = statement.accesses[access].relation.drop_unused_params()?;
                let elements = to_original.apply_range(&relation)?;
                if elements.plain_is_empty()? {
                    continue;
                }
                let scope = match &program.buffer(buffer).kind {
                    BufferKind::Full => None,
                    BufferKind::Local { scope, .. } => {
                        match life(scop, lifted, scopes.get(scope), &elements)? {
                            Some(life) => Some(life),
                            // It executes nothing, and has no life of a buffer to work in.
                            None if !scop.is_possible(&elements)? => continue,
                            None => {
                                let violation = program.out_of_scope(index, buffer, &elements)?;
                                return Ok(Err(violation));
                            }
                        }
                    }
                };
                let cells = program.cells(lifted, buffer, &elements, scope.as_ref())?;
                let effect = match (role, exposed) {
                    (None, None) => Effect::Read(cells.clone()),
                    (None, Some(exposed)) => {
                        let relation = &statement.accesses[access].relation;
                        Effect::Read(match exposed.plain_is_equal(relation)? {
                            true => cells.clone(),
                            false => {
                                let exposed = exposed.drop_unused_params()?;
                                let exposed = to_original.apply_range(&exposed)?;
                                program.cells(lifted, buffer, &exposed, scope.as_ref())?
                            }
                        })
                    }
                    (Some(WriteRole::Must { old_value: None }), _) => Effect::Write,
                    (
                        Some(WriteRole::Must {
                            old_value: Some(old),
                        }),
                        _,
                    ) if lifted.bindings[old] == buffer => Effect::Write,
                    (Some(_), _) => Effect::MayWrite,
                };
                let array = statement.accesses[access].array;
                program.touches.push(Touch {
                    lifted: index,
                    access,
                    array,
                    buffer,
                    elements,
                    cells,
                    scope,
                    effect,
                });
            }
        }
        Ok(Ok(program))
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
        &self.originals[lifted]
    }

    /// The same of all lifted statements.
    pub fn to_original(&self) -> isl::Result<isl::UnionMap> {
        union_of(&self.scop.ctx, &self.originals)
    }

    /// A map of those pairs of lifted instances of two statements whose first instance does not
    /// come before the second one.
    pub fn first_not_before(&self, pairs: &isl::Map) -> isl::Result<Option<isl::Map>> {
        self.times.first_not_before(self.scop, pairs)
    }

    /// Of pairs of lifted instances of two statements: those whose first instance does not come
    /// before the second one, without pairs of an instance with itself.
    pub fn not_before(&self, pairs: &isl::Map) -> isl::Result<Vec<isl::Map>> {
        let mut found = Vec::new();
        let mut together = pairs.clone();
        let comparison = self.times.comparison(pairs)?;
        for level in comparison.levels() {
            match level? {
                Level::Always(Ordering::Less) => return Ok(found),
                Level::Always(Ordering::Equal) => continue,
                Level::Always(Ordering::Greater) => break,
                Level::Mixed { after, equal } => {
                    let after = together.intersect(after)?;
                    if !after.is_empty()? {
                        found.push(after);
                    }
                    together = together.intersect(equal)?;
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
        self.times.constant(&space, level)
    }

    /// Whether the instances of all pairs, of two statements, have the same time at a level.
    pub fn agree(&self, pairs: &isl::Map, level: usize) -> isl::Result<bool> {
        match self.times.comparison(pairs)?.level(level)? {
            Level::Always(Ordering::Equal) => Ok(true),
            Level::Always(_) => Ok(!self.scop.is_possible(pairs)?),
            Level::Mixed { equal, .. } => Ok(!self.scop.is_possible(&pairs.subtract(equal)?)?),
        }
    }

    /// Pairs of instances within one life of the buffer, or all pairs for full arrays; domains
    /// left aside.
    pub fn may_share(&self, a: &Touch, b: &Touch) -> isl::Result<isl::Map> {
        let scope_of = |touch: &Touch| match self.buffer(touch.buffer).kind {
            BufferKind::Local { scope, .. } => Some(scope),
            BufferKind::Full => None,
        };
        let key = [(a.lifted, scope_of(a)), (b.lifted, scope_of(b))];
        if let Some(known) = self.meetings.borrow().get(&key) {
            return Ok(known.clone());
        }
        let pairs = match (&a.scope, &b.scope) {
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
            let elements = isl::Set::universe(&touch.elements.get_space()?.range()?)?;
            let name = touch.cells.get_tuple_name(isl::DimType::Out)?;
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

    /// The memory cells of an access with the given elements and, for local buffers, life.
    fn cells(
        &self,
        lifted: &Lifted,
        buffer: BufferId,
        elements: &isl::Map,
        life: Option<&isl::Map>,
    ) -> isl::Result<isl::Map> {
        let name = format!("buffer{buffer}");
        let buffer = self.buffer(buffer);
        let cells = match (&buffer.kind, life) {
            (
                BufferKind::Local {
                    extents, folded, ..
                },
                Some(life),
            ) => {
                let index = index_in_buffer(lifted, buffer, elements)?;
                let index = fold(&index, extents, folded)?.reset_tuple_id(isl::DimType::Out)?;
                life.flat_range_product(&index)?
            }
            _ => elements.clone(),
        };
        cells.set_tuple_name(isl::DimType::Out, &name)
    }

    fn out_of_scope(
        &self,
        index: usize,
        buffer: BufferId,
        elements: &isl::Map,
    ) -> isl::Result<Violation> {
        let sample = super::witness::sample(self.scop, &elements.wrap()?)?;
        let lifted = self.lifted(index);
        let (instance, element) = sample.split(lifted.domain.tuple_dim()?);
        Ok(Violation {
            message: format!(
                "{} would access {} in buffer `{}` outside of its life, the subtrees of mark \
                 `scope`",
                super::witness::lifted(self.scop, lifted, instance),
                super::witness::cell(self.scop, self.buffer(buffer).array, element),
                self.buffer(buffer).name,
            ),
            parameters: sample.parameters(self.scop),
            kind: ViolationKind::Bounds,
        })
    }
}

/// From the instances of a lifted statement to the execution of the mark that they are below;
/// `None` where some instance with an access is below none.
fn life(
    scop: &Scop,
    lifted: &Lifted,
    scope: Option<&isl::UnionMap>,
    elements: &isl::Map,
) -> isl::Result<Option<isl::Map>> {
    let Some(scope) = scope else { return Ok(None) };
    let instances = isl::Set::universe(&lifted.domain.get_space()?)?;
    let life = scope.intersect_domain(&isl::UnionSet::from_set(&instances)?)?;
    if life.n_map()? != 1 {
        return Ok(None);
    }
    let life = isl::Map::from_union_map(&life)?.drop_unused_params()?;
    let covered = life.domain()?;
    if lifted.domain.is_subset(&covered)? {
        return Ok(Some(life));
    }
    let outside = elements.domain()?.subtract(&covered)?;
    Ok((!scop.is_possible(&outside)?).then_some(life))
}

/// From the instances of a lifted statement to their tile's coordinates.
pub(super) fn tile_of(lifted: &Lifted) -> isl::Result<isl::Map> {
    let dims = lifted.domain.tuple_dim()?;
    isl::Map::identity(&lifted.domain.get_space()?.map_from_set()?)?
        .project_out(isl::DimType::Out, lifted.tile_dims, dims - lifted.tile_dims)?
        .reset_tuple_id(isl::DimType::Out)
}

/// Where in a local buffer an access goes, before folding: lifted instances to `element − origin`
/// (in the array's tuple). For full arrays, the elements themselves.
pub(super) fn index_in_buffer(
    lifted: &Lifted,
    buffer: &Buffer,
    elements: &isl::Map,
) -> isl::Result<isl::Map> {
    let BufferKind::Local { origin, .. } = &buffer.kind else {
        return Ok(elements.clone());
    };
    if origin.is_empty() {
        return Ok(elements.clone());
    }
    let tile = tile_of(lifted)?;
    let mut start: Option<isl::Map> = None;
    for aff in origin {
        let one = tile.apply_range(&isl::Map::from_aff(aff)?)?;
        start = Some(match start {
            None => one,
            Some(start) => start.flat_range_product(&one)?,
        });
    }
    let array = elements.get_tuple_name(isl::DimType::Out)?;
    match start {
        None => Ok(elements.clone()),
        Some(start) => {
            let start = start.set_tuple_name(isl::DimType::Out, &array)?;
            // `isl_map_sum` wants the same parameters on both sides.
            let start = start.neg()?.align_params(&elements.get_space()?)?;
            let elements = elements.align_params(&start.get_space()?)?;
            elements.sum(&start)?.drop_unused_params()
        }
    }
}

/// Takes the folded dimensions modulo their extents.
fn fold(index: &isl::Map, extents: &[i64], folded: &[bool]) -> isl::Result<isl::Map> {
    if !folded.contains(&true) {
        return Ok(index.clone());
    }
    let array = index.get_tuple_name(isl::DimType::Out)?;
    let from: Vec<String> = (0..extents.len()).map(|d| format!("y{d}")).collect();
    let to: Vec<String> = extents
        .iter()
        .zip(folded)
        .enumerate()
        .map(|(d, (extent, folded))| match (folded, extent) {
            (false, _) => format!("y{d}"),
            (true, 1) => "0".to_string(),
            (true, _) => format!("(y{d}) mod {extent}"),
        })
        .collect();
    let text = format!(
        "{{ {array}[{}] -> {array}[{}] }}",
        from.join(", "),
        to.join(", ")
    );
    index.apply_range(&isl::Map::read_from_str(index.ctx(), &text)?)
}

/// Per group, from the instances below its marks `scope:k` to the execution of the mark: the
/// number of the mark, then the loops around it.
fn scopes(transformed: &Transformed) -> isl::Result<BTreeMap<usize, isl::UnionMap>> {
    let mut marks: BTreeMap<usize, Vec<isl::UnionMap>> = BTreeMap::new();
    transformed
        .schedule
        .foreach_schedule_node_top_down(&mut |node| {
            if let Some(group) = scope_of_mark(node)? {
                let leaves = node.get_subtree_expansion()?.reverse()?;
                let around = node.get_prefix_schedule_union_map()?;
                marks
                    .entry(group)
                    .or_default()
                    .push(leaves.apply_range(&around)?);
            }
            Ok(true)
        })?;
    let mut scopes = BTreeMap::new();
    for (group, parts) in marks {
        let mut depth = 0;
        for part in &parts {
            part.foreach_map(&mut |map| {
                depth = depth.max(map.dim(isl::DimType::Out)?);
                Ok(())
            })?;
        }
        let mut all = isl::UnionMap::empty_ctx(transformed.schedule.ctx())?;
        for (number, part) in parts.iter().enumerate() {
            part.foreach_map(&mut |map| {
                let missing = depth - map.dim(isl::DimType::Out)?;
                let mut map = map
                    .add_dims(isl::DimType::Out, missing)?
                    .insert_dims(isl::DimType::Out, 0, 1)?
                    .fix_si(
                        isl::DimType::Out,
                        0,
                        i32::try_from(number).unwrap_or(i32::MAX),
                    )?;
                for d in 0..missing {
                    map = map.fix_si(isl::DimType::Out, depth - d, 0)?;
                }
                all = all.add_map(&map)?;
                Ok(())
            })?;
        }
        scopes.insert(group, all);
    }
    Ok(scopes)
}

/// Maps between different tuples as one.
pub(super) fn union_of(ctx: &isl::Ctx, maps: &[isl::Map]) -> isl::Result<isl::UnionMap> {
    let mut all = isl::UnionMap::empty_ctx(ctx)?;
    for map in maps {
        all = all.add_map(map)?;
    }
    Ok(all)
}

/// The instances that the schedule executes: what reaches its leaves.
pub(super) fn scheduled(transformed: &Transformed) -> isl::Result<isl::UnionSet> {
    let mut all = isl::UnionSet::empty_ctx(transformed.schedule.ctx())?;
    transformed
        .schedule
        .foreach_schedule_node_top_down(&mut |node| {
            if node.get_type()? == isl::ScheduleNodeType::Leaf {
                all = all.union(&node.get_domain()?)?;
            }
            Ok(true)
        })?;
    Ok(all)
}

/// The scope of a node that is a mark `scope:k`.
pub(super) fn scope_of_mark(node: &isl::ScheduleNode) -> isl::Result<Option<usize>> {
    if node.get_type()? != isl::ScheduleNodeType::Mark {
        return Ok(None);
    }
    let name = node.mark_get_id()?.get_name()?;
    Ok(name
        .strip_prefix("scope:")
        .and_then(|group| group.parse().ok()))
}
