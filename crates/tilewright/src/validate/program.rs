//! The transformed program as its checks see it: who touches which cell of which buffer, when.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Violation, ViolationKind};
use crate::analysis::dataflow::Dataflow;
use crate::analysis::memory::{WriteRole, exposed_reads, write_roles};
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
    /// Lifted to original instances, all statements.
    pub to_original: isl::UnionMap,
    /// Time of each lifted instance.
    pub times: isl::UnionMap,
    /// The same, each dimension as a function.
    levels: Vec<isl::UnionPwAff>,
    comparisons: RefCell<Comparisons>,
}

/// By the names of two lifted statements, one entry per level.
type Comparisons = BTreeMap<(String, String), Rc<Vec<Level>>>;

/// One dimension of the times of two statements: pairs of their instances.
struct Level {
    /// The first one's is greater.
    after: isl::Map,
    /// Both are equal.
    equal: isl::Map,
}

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
        let times = transformed.schedule.get_map()?;
        let mut program = Program {
            scop,
            dataflow,
            transformed,
            touches: Vec::new(),
            to_original: isl::UnionMap::empty_ctx(&scop.ctx)?,
            levels: levels(&transformed.schedule.get_map()?)?,
            times,
            comparisons: RefCell::default(),
        };
        let scopes = scopes(transformed)?;
        for (index, lifted) in transformed.statements.iter().enumerate() {
            let statement = &scop.statements[lifted.statement];
            let assumed = scop.assumed(lifted.statement);
            let to_original = lifted.to_original(scop)?.intersect_params(assumed)?;
            program.to_original = program.to_original.add_map(&to_original)?;
            let roles = write_roles(statement)?;
            let exposed = exposed_reads(statement)?;
            for (access, (role, exposed)) in roles.into_iter().zip(exposed).enumerate() {
                let buffer = lifted.bindings[access];
                let elements = to_original.apply_range(&statement.accesses[access].relation)?;
                if elements.is_empty()? {
                    // It executes nothing, and has no life of a buffer to work in.
                    continue;
                }
                let scope = match &program.buffer(buffer).kind {
                    BufferKind::Full => None,
                    BufferKind::Local { scope, .. } => {
                        match life(lifted, scopes.get(scope), &elements)? {
                            Some(life) => Some(life),
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

    /// Of pairs of lifted instances: a map of those whose first instance does not come before the
    /// second one.
    pub fn first_not_before(&self, pairs: &isl::UnionMap) -> isl::Result<Option<isl::Map>> {
        for pairs in pairs.maps()? {
            let mut together = pairs.clone();
            for level in self.comparison(&pairs)?.iter() {
                if together.is_empty()? {
                    break;
                }
                let after = together.intersect(&level.after)?;
                if self.scop.is_possible(&after)? {
                    return Ok(Some(after));
                }
                together = together.intersect(&level.equal)?;
            }
            if self.scop.is_possible(&together)? {
                return Ok(Some(together));
            }
        }
        Ok(None)
    }

    /// Of pairs of lifted instances of two statements: those whose first instance does not come
    /// before the second one, without pairs of an instance with itself.
    pub fn not_before(&self, pairs: &isl::Map) -> isl::Result<Vec<isl::Map>> {
        let mut found = Vec::new();
        let mut together = pairs.clone();
        for level in self.comparison(pairs)?.iter() {
            if together.is_empty()? {
                return Ok(found);
            }
            let after = together.intersect(&level.after)?;
            if !after.is_empty()? {
                found.push(after);
            }
            together = together.intersect(&level.equal)?;
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

    /// How many dimensions times have.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// One dimension of the times of a lifted statement, where it is a constant.
    pub fn constant_time(&self, lifted: usize, level: usize) -> isl::Result<Option<i64>> {
        let space = self.lifted(lifted).domain.get_space()?;
        let space = space.from_domain()?.add_dims(isl::DimType::Out, 1u32)?;
        let mut constant = None;
        for (_, time) in self.levels[level].extract_pw_aff(&space)?.pieces()? {
            let value = match time.is_cst()? {
                true => time.get_constant_val()?.to_i64(),
                false => None,
            };
            if value.is_none() || (constant.is_some() && constant != value) {
                return Ok(None);
            }
            constant = value;
        }
        Ok(constant)
    }

    /// Whether the instances of all pairs, of two statements, have the same time at a level.
    pub fn agree(&self, pairs: &isl::Map, level: usize) -> isl::Result<bool> {
        let equal = &self.comparison(pairs)?[level].equal;
        Ok(!self.scop.is_possible(&pairs.subtract(equal)?)?)
    }

    /// How the times of two statements compare, level by level; computed once for each pair.
    fn comparison(&self, pairs: &isl::Map) -> isl::Result<Rc<Vec<Level>>> {
        let names = (
            pairs.get_tuple_name(isl::DimType::In)?,
            pairs.get_tuple_name(isl::DimType::Out)?,
        );
        if let Some(known) = self.comparisons.borrow().get(&names) {
            return Ok(Rc::clone(known));
        }
        let times = |space: &isl::Space| -> isl::Result<Vec<isl::PwAff>> {
            let space = space.from_domain()?.add_dims(isl::DimType::Out, 1u32)?;
            let levels = self.levels.iter();
            levels
                .map(|level| without_domain(&level.extract_pw_aff(&space)?))
                .collect()
        };
        let space = pairs.get_space()?;
        let (first, second) = (times(&space.domain()?)?, times(&space.range()?)?);
        let mut levels = Vec::new();
        for (a, b) in first.iter().zip(&second) {
            levels.push(Level {
                after: a.gt_map(b)?,
                equal: a.eq_map(b)?,
            });
        }
        let levels = Rc::new(levels);
        let mut all = self.comparisons.borrow_mut();
        all.insert(names, Rc::clone(&levels));
        Ok(levels)
    }

    /// The original instances that a read access gets its values from: lifted readers to
    /// original writers.
    pub fn wanted_sources(&self, read: &Touch) -> isl::Result<isl::UnionMap> {
        let lifted = self.lifted(read.lifted);
        let mut wanted = isl::UnionMap::empty_ctx(&self.scop.ctx)?;
        for edge in &self.dataflow.edges {
            if edge.reader == lifted.statement && edge.access == read.access {
                wanted = wanted.union(&edge.sources.reverse()?)?;
            }
        }
        let to_original = lifted
            .to_original(self.scop)?
            .intersect_params(self.scop.assumed(lifted.statement))?;
        isl::UnionMap::from_map(&to_original)?.apply_range(&wanted)
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
    lifted: &Lifted,
    scope: Option<&isl::UnionMap>,
    elements: &isl::Map,
) -> isl::Result<Option<isl::Map>> {
    let instances = isl::Set::universe(&lifted.domain.get_space()?)?;
    if let Some(scope) = scope {
        let life = scope.intersect_domain(&isl::UnionSet::from_set(&instances)?)?;
        if life.n_map()? == 1 {
            let life = isl::Map::from_union_map(&life)?;
            let covered = life.domain()?;
            if lifted.domain.is_subset(&covered)? || elements.domain()?.is_subset(&covered)? {
                return Ok(Some(life));
            }
        }
    }
    if elements.is_empty()? {
        // Nobody is there to use the buffer.
        let nowhere = isl::Set::read_from_str(lifted.domain.ctx(), "{ [-1] }")?;
        return Ok(Some(isl::Map::from_domain_and_range(&instances, &nowhere)?));
    }
    Ok(None)
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
            elements.sum(&start.neg()?)
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

/// The dimensions of a flat schedule, outermost first.
/// The same function without its domain, where it is one expression: pairs that are compared have
/// their domains already.
fn without_domain(level: &isl::PwAff) -> isl::Result<isl::PwAff> {
    let pieces = level.pieces()?;
    let Some((_, first)) = pieces.first() else {
        return Ok(level.clone());
    };
    for (_, other) in &pieces {
        if !other.plain_is_equal(first)? {
            return Ok(level.clone());
        }
    }
    isl::PwAff::from_aff(first)
}

fn levels(times: &isl::UnionMap) -> isl::Result<Vec<isl::UnionPwAff>> {
    let order = isl::MultiUnionPwAff::from_union_map(times)?;
    (0..order.size()?)
        .map(|level| order.get_at(level))
        .collect()
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
