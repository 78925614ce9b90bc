//! Who touches which cell of which buffer: accesses mapped to storage, each when it is asked for.

use crate::scop::tree::walk;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::scop::{AccessId, ArrayId, Scop};
use crate::transform::{Buffer, BufferId, BufferKind, Lifted, Transformed};
use isl::{Error, ErrorKind};

/// One access of one lifted statement.
///
/// Memory cells are `buffer[x…]` for full arrays and `buffer[scope…, y…]` for local ones: the
/// execution of the mark `scope:k`, then the index in the buffer.
pub(crate) struct Touch<'a> {
    /// Index into [`Transformed::statements`].
    pub lifted: usize,
    /// Number within the original statement.
    pub access: AccessId,
    pub array: ArrayId,
    pub buffer: BufferId,
    pub effect: Effect,
    /// Cells whose values come from other instances, where these are not all that a read reads:
    /// original instances to elements.
    pub exposed: Option<isl::Map>,
    pub whole: Rc<Whole<'a>>,
    pub known: Known,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Read,
    /// Certainly replaces what its cells hold.
    Write,
    /// Possibly replaces what some of its cells hold.
    MayWrite,
}

/// What has been computed of an access.
#[derive(Default)]
pub(crate) struct Known {
    elements: OnceCell<isl::Map>,
    cells: OnceCell<isl::Map>,
    exposed: OnceCell<isl::Map>,
    scope: OnceCell<Option<isl::Map>>,
}

/// What accesses need to know of the program.
pub(crate) struct Whole<'a> {
    pub scop: &'a Scop,
    pub transformed: &'a Transformed,
    /// Lifted to original instances, per lifted statement.
    pub originals: Vec<isl::Map>,
    /// Per scope, from instances to executions of its mark.
    pub scopes: OnceCell<BTreeMap<usize, isl::UnionMap>>,
}

/// The value, computed the first time.
fn once<T: Clone>(cell: &OnceCell<T>, value: impl FnOnce() -> isl::Result<T>) -> isl::Result<T> {
    match cell.get() {
        Some(known) => Ok(known.clone()),
        None => {
            let value = value()?;
            Ok(cell.get_or_init(|| value).clone())
        }
    }
}

impl<'a> Touch<'a> {
    pub fn is_read(&self) -> bool {
        self.effect == Effect::Read
    }

    /// Lifted instances to elements of the array.
    pub fn elements(&self) -> isl::Result<isl::Map> {
        once(&self.known.elements, || {
            let lifted = self.statement();
            let accesses = &self.whole.scop.statements[lifted.statement].accesses;
            let relation = accesses[self.access].relation.drop_unused_params()?;
            self.whole.originals[self.lifted].apply_range(&relation)
        })
    }

    /// Lifted instances to memory cells.
    pub fn cells(&self) -> isl::Result<isl::Map> {
        once(&self.known.cells, || self.cells_of(&self.elements()?))
    }

    /// Of a read, the cells whose values come from other instances.
    pub fn exposed(&self) -> isl::Result<isl::Map> {
        let Some(exposed) = &self.exposed else {
            return self.cells();
        };
        once(&self.known.exposed, || {
            let exposed = exposed.drop_unused_params()?;
            self.cells_of(&self.whole.originals[self.lifted].apply_range(&exposed)?)
        })
    }

    /// Lifted instances to the life of a local buffer that they work on.
    pub fn scope(&self) -> isl::Result<Option<isl::Map>> {
        once(&self.known.scope, || {
            let BufferKind::Local { .. } = self.storage().kind else {
                return Ok(None);
            };
            match self.life()? {
                Some(life) => Ok(Some(life)),
                None => {
                    let message = "an access to a local buffer that is not alive";
                    Err(Error::new(ErrorKind::Internal, message))
                }
            }
        })
    }

    /// The same; `None` also where some instance with an access is below no mark of the scope.
    pub fn life(&self) -> isl::Result<Option<isl::Map>> {
        let BufferKind::Local { scope, .. } = self.storage().kind else {
            return Ok(None);
        };
        let scopes = self.scopes()?;
        life(
            self.whole.scop,
            self.statement(),
            scopes.get(&scope),
            || self.elements(),
        )
    }

    /// The elements that instances access which are below no mark of the buffer's scope.
    pub fn outside_of_life(&self) -> isl::Result<isl::Map> {
        let elements = self.elements()?;
        let BufferKind::Local { scope, .. } = self.storage().kind else {
            return Ok(elements);
        };
        match self.scopes()?.get(&scope) {
            None => Ok(elements),
            Some(scope) => {
                let space = self.statement().domain.get_space()?;
                elements.subtract_domain(&scope.domain()?.extract_set(&space)?)
            }
        }
    }

    fn scopes(&self) -> isl::Result<&BTreeMap<usize, isl::UnionMap>> {
        let whole = &self.whole;
        if let Some(known) = whole.scopes.get() {
            return Ok(known);
        }
        let scopes = scopes(whole.transformed)?;
        Ok(whole.scopes.get_or_init(|| scopes))
    }

    fn statement(&self) -> &'a Lifted {
        &self.whole.transformed.statements[self.lifted]
    }

    fn storage(&self) -> &'a Buffer {
        &self.whole.transformed.buffers[self.buffer]
    }

    /// The memory cells of some elements.
    fn cells_of(&self, elements: &isl::Map) -> isl::Result<isl::Map> {
        let buffer = self.storage();
        let cells = match (&buffer.kind, self.scope()?) {
            (
                BufferKind::Local {
                    extents, folded, ..
                },
                Some(life),
            ) => {
                let index = index_in_buffer(self.statement(), buffer, elements)?;
                let index = fold(&index, extents, folded)?.reset_tuple_id(isl::DimType::Out)?;
                life.flat_range_product(&index)?
            }
            _ => elements.clone(),
        };
        // Questions about pairs, and about what is between two of them, multiply the parts.
        let cells = if cells.n_basic_map()? > 1 {
            cells.coalesce()?
        } else {
            cells
        };
        cells.set_tuple_name(isl::DimType::Out, &format!("buffer{}", self.buffer))
    }
}

/// From the instances of a lifted statement to the execution of the mark that they are below;
/// `None` where some instance with an access is below none.
fn life(
    scop: &Scop,
    lifted: &Lifted,
    scope: Option<&isl::UnionMap>,
    elements: impl FnOnce() -> isl::Result<isl::Map>,
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
    let outside = elements()?.domain()?.subtract(&covered)?;
    Ok((!scop.is_possible(&outside)?).then_some(life))
}

/// From the instances of a lifted statement to their tile's coordinates.
pub(crate) fn tile_of(lifted: &Lifted) -> isl::Result<isl::Map> {
    let dims = lifted.domain.tuple_dim()?;
    isl::Map::identity(&lifted.domain.get_space()?.map_from_set()?)?
        .project_out(isl::DimType::Out, lifted.tile_dims, dims - lifted.tile_dims)?
        .reset_tuple_id(isl::DimType::Out)
}

/// Where in a local buffer an access goes, before folding: lifted instances to `element − origin`
/// (in the array's tuple). For full arrays, the elements themselves.
pub(crate) fn index_in_buffer(
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
    for (mark, node) in walk::marks(&transformed.schedule.get_root()?)? {
        if let Some(group) = mark.scope() {
            let leaves = node.get_subtree_expansion()?.reverse()?;
            let around = node.get_prefix_schedule_union_map()?;
            marks
                .entry(group)
                .or_default()
                .push(leaves.apply_range(&around)?);
        }
    }
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
