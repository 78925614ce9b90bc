//! From [`Scop`] and plan to a schedule tree over lifted instances, with buffers.

mod atomic;
pub mod inspect;
pub mod jam;
pub mod loops;
pub mod nests;
pub(crate) mod over_time;
pub mod overlap;
pub mod separate;
pub mod temporaries;

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::over_time::bands::Rounds;
use crate::analysis::overlap::footprint::{GroupTiles, NoFootprint, group_tiles};
use crate::analysis::overlap::wide;
use crate::analysis::reductions::sums;
use crate::analysis::stages::{StageGraph, StageId};
pub use crate::rewrite::TransformError;

use crate::plan::{Group, Overlapped, RegionPlan, Tiles, Trapezoids};
use crate::scop::{AccessId, ArrayId, Scop, StatementId, Tree};
use isl::{DimType, Schedule, UnionSet};

/// Index into [`Transformed::buffers`].
pub type BufferId = usize;

/// The transformed program.
///
/// # Invariants
///
/// - The schedule's domain is the union of [`Lifted::domain`] over all lifted statements.
/// - An instance that is computed more than once (its lifted statement has tile coordinates)
///   writes only [`BufferKind::Local`] buffers, or is the only one of its copies to write.
/// - Loop properties are mark nodes ([`Mark`](crate::scop::tree::marks::Mark)) directly above the
///   band of the loop they belong to, which has exactly one member: `parallel`, `simd`; a mark `scope:k` stands where one execution of its
///   subtree is the life of all local buffers of scope `k`. Scopes are numbered across the
///   region: the first ones are the groups' (inside the tile loops, outside the point loops),
///   further ones may be as far inside as the body of the innermost loop. A mark may stand in
///   several places of the tree; no value passes from one to another. Other marks carry no
///   meaning. Of nested
///   `parallel` marks the outermost ones that
///   form a rectangle are run in parallel together, the others are only known to be parallel.
/// - Buffers in one list of [`Transformed::shared`] are local, of one scope and one element type;
///   no buffer is in two lists.
#[derive(Clone, Debug)]
pub struct Transformed {
    /// Order of the lifted instances.
    pub schedule: Schedule,
    /// Statements, possibly several lifted ones per original statement.
    pub statements: Vec<Lifted>,
    /// Where accesses go. The first ones are, in order, the scop's arrays in full.
    pub buffers: Vec<Buffer>,
    /// Local buffers that are the same memory: each list begins at one address.
    pub shared: Vec<Vec<BufferId>>,
    /// Statements whose updates of a cell are atomic ([`crate::analysis::reductions`]): only they
    /// may meet in a parallel loop.
    pub atomic: Vec<StatementId>,
    /// Arrays whose updates ([`crate::analysis::reductions`]) may come in any order among
    /// themselves.
    pub reordered: Vec<ArrayId>,
    /// For each group, sizes of the tiles of each band of loops that the affine scheduler tiled,
    /// outermost first; 0: the dimension is whole. For people: the schedule has them.
    pub tiled: Vec<Vec<Vec<i64>>>,
}

impl Transformed {
    /// The different tiles that the affine scheduler made of a group, each as the sizes for a band
    /// of loops, outermost first; 0: whole. None: it is not tiled.
    pub fn bands(&self, group: usize) -> Vec<Vec<i64>> {
        let mut different: Vec<Vec<i64>> = Vec::new();
        for band in self.tiled.get(group).into_iter().flatten() {
            if !different.contains(band) {
                different.push(band.clone());
            }
        }
        different
    }
}

/// A statement whose instances carry the coordinates of the tile that computes them:
/// `S0[t0, t1, i, j]`, from the original's `S0[i, j]`.
#[derive(Clone, Debug)]
pub struct Lifted {
    /// Tuple name in the schedule; unique.
    pub name: String,
    /// The original statement.
    pub statement: StatementId,
    /// The group of the plan it belongs to.
    pub group: usize,
    /// How many leading dimensions are tile coordinates; the others are the original's iterators
    /// in order.
    pub tile_dims: usize,
    /// Its instances.
    pub domain: isl::Set,
    /// Which buffer each access goes to.
    pub bindings: Vec<BufferId>,
}

/// Memory that accesses go to.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// C name.
    pub name: String,
    /// The array whose elements it holds.
    pub array: ArrayId,
    /// How.
    pub kind: BufferKind,
}

/// Kinds of buffers.
#[derive(Clone, Debug)]
pub enum BufferKind {
    /// The array itself, where the program has it.
    Full,
    /// Memory of one thread whose contents live for one execution of the subtree of mark
    /// `scope:<scope>`. A buffer of one element is a variable of the block at the mark. Element `x` of the array is at `(x − origin) mod extent` where folded, at
    /// `x − origin` elsewhere, per dimension.
    Local {
        /// The scope it lives in.
        scope: usize,
        /// Per dimension of the array, the array index of element 0: a function of the tile
        /// coordinates (an [`isl::Aff`] over the anonymous tile space `[t0, …]`, of as many
        /// dimensions as the group's lifted statements have tile coordinates). The same for all
        /// lifted statements of the group.
        origin: Vec<isl::Aff>,
        /// Extents in elements, constant.
        extents: Vec<i64>,
        /// Folding: the dimension is addressed modulo its extent.
        folded: Vec<bool>,
    },
    /// Results of some rows and columns of a tile that code generation keeps in variables over the
    /// loops that add to them ([`crate::codegen::passes::accumulators`]); no access is bound to it.
    Accumulators {
        /// The scope it lives in, which has no mark.
        scope: usize,
        /// Its extents: iterations of the jammed loop, and of the innermost one.
        extents: [i64; 2],
    },
}

impl BufferKind {
    /// The scope in which accesses find their values, where they are not the array's for good.
    pub fn scope(&self) -> Option<usize> {
        match self {
            BufferKind::Local { scope, .. } => Some(*scope),
            BufferKind::Full | BufferKind::Accumulators { .. } => None,
        }
    }
}

/// What one group contributes.
pub(crate) struct Piece {
    pub schedule: Schedule,
    pub statements: Vec<Lifted>,
    /// Local buffers; accesses to their arrays by the group's statements go there.
    pub buffers: Vec<Buffer>,
    /// Buffers of the kind [`BufferKind::Accumulators`].
    pub accumulators: Vec<Buffer>,
    /// Which of them are the same memory, as in [`Transformed::shared`].
    pub shared: Vec<Vec<usize>>,
    /// As [`Transformed::atomic`].
    pub atomic: Vec<StatementId>,
    /// Sizes of the tiles of each band of loops that the affine scheduler made, outermost first; 0:
    /// the dimension is whole.
    pub tiled: Vec<Vec<i64>>,
}

/// A group of a plan with its stages found.
pub(crate) struct Part<'p> {
    /// Which group.
    pub number: usize,
    pub group: &'p Group,
    pub stages: Vec<StageId>,
}

/// Hands out scope numbers beyond the groups' own.
pub(crate) struct Scopes {
    next: usize,
}

impl Scopes {
    pub fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }
}

impl Lifted {
    /// The map from lifted to original instances: `S0[t, i] -> S0[i]`.
    ///
    /// # Errors
    /// isl's own.
    pub fn to_original(&self, scop: &Scop) -> isl::Result<isl::Map> {
        self.projection(scop)?.intersect_domain(&self.domain)
    }

    /// The same function, of all that has the tuple of the instances.
    ///
    /// # Errors
    /// isl's own.
    pub fn projection(&self, scop: &Scop) -> isl::Result<isl::Map> {
        let original = &scop.statements[self.statement];
        let map = self
            .space()?
            .identity()?
            .project_out(DimType::Out, 0, self.tile_dims)?;
        map.set_tuple_name(DimType::Out, &original.name)
    }

    /// All that has the tuple of the instances.
    ///
    /// # Errors
    /// isl's own.
    pub fn space(&self) -> isl::Result<isl::Set> {
        isl::Set::universe(&self.domain.get_space()?)
    }

    /// An access of the original statement, from the lifted instances to the array's cells.
    ///
    /// # Errors
    /// isl's own.
    pub fn access(&self, scop: &Scop, access: AccessId) -> isl::Result<isl::Map> {
        let relation = &scop.statements[self.statement].accesses[access].relation;
        self.to_original(scop)?.apply_range(relation)
    }
}

/// Applies a plan.
///
/// # Errors
/// [`TransformError::Plan`] where the plan names unknown stages, leaves some out, or asks for
/// what its shape cannot do. Legality is not checked here: [`crate::validate`] does.
pub fn apply(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    plan: &RegionPlan,
) -> Result<Transformed, TransformError> {
    let groups = resolve(graph, plan)?;
    let mut scopes = Scopes { next: groups.len() };
    let mut pieces = Vec::new();
    for part in &groups {
        pieces.push(match &part.group.tiles {
            Tiles::Written(written) => {
                nests::original::transform(scop, dataflow, graph, part, written, &mut scopes)?
            }
            Tiles::Affine(affine) => {
                nests::affine::transform(scop, dataflow, graph, part, affine, &mut scopes)?
            }
            Tiles::Overlapped(tiles) => {
                overlap::overlapped::transform(scop, dataflow, graph, part, tiles, &mut scopes)?
            }
            Tiles::OverTime(tiles) => {
                over_time::phased::transform(scop, dataflow, graph, part, tiles, &mut scopes)?
            }
        });
    }
    Ok(Transformed {
        reordered: reordered(scop, plan)?,
        ..together(scop, pieces)?
    })
}

/// The region in its own order, with its own storage: nothing is decided.
pub fn as_written(scop: &Scop) -> Result<Transformed, TransformError> {
    let statements: Vec<StatementId> = (0..scop.statements.len()).collect();
    let piece = Piece {
        schedule: scop.schedule.clone(),
        statements: unlifted(scop, &statements, 0),
        buffers: Vec::new(),
        accumulators: Vec::new(),
        shared: Vec::new(),
        atomic: Vec::new(),
        tiled: Vec::new(),
    };
    together(scop, vec![piece])
}

/// The arrays that a plan may add up in another order.
fn reordered(scop: &Scop, plan: &RegionPlan) -> Result<Vec<ArrayId>, TransformError> {
    let names = plan.groups.iter().flat_map(|group| &group.reorder);
    let known = sums(scop);
    let found = names.map(|name| {
        let sum = known.iter().find(|s| scop.arrays[s.array].name == *name);
        sum.map(|sum| sum.array).ok_or_else(|| {
            TransformError::Plan(format!("`{name}` is no array that the region adds to"))
        })
    });
    found.collect()
}

/// Applies a plan whose only group is a whole program in bands of time ([`crate::rewrite::bands`]).
///
/// # Errors
/// As [`apply`].
pub fn apply_over_time(
    scop: &Scop,
    dataflow: &Dataflow,
    rounds: &Rounds,
    plan: &RegionPlan,
) -> Result<Transformed, TransformError> {
    if let [group] = &plan.groups[..]
        && let Tiles::Overlapped(tiles) = &group.tiles
    {
        let piece = over_time::trapezoids::transform(scop, dataflow, rounds, group, tiles)?;
        return together(scop, vec![piece]);
    }
    Err(TransformError::Plan(
        "overlapped tiles over time are for all stages of a region, in one group".to_owned(),
    ))
}

/// The pieces one after the other.
fn together(scop: &Scop, pieces: Vec<Piece>) -> Result<Transformed, TransformError> {
    let mut buffers: Vec<Buffer> = scop
        .arrays
        .iter()
        .enumerate()
        .map(|(array, a)| Buffer {
            name: a.name.clone(),
            array,
            kind: BufferKind::Full,
        })
        .collect();
    let mut statements = Vec::new();
    let (mut shared, mut atomic) = (Vec::new(), Vec::new());
    let mut tiled = Vec::new();
    let mut schedule: Option<Schedule> = None;
    for piece in pieces {
        tiled.push(piece.tiled);
        let mut lifted = piece.statements;
        let first = buffers.len();
        let absolute = |list: Vec<usize>| list.into_iter().map(|b| first + b).collect();
        shared.extend(piece.shared.into_iter().map(absolute));
        for buffer in piece.buffers {
            for one in &mut lifted {
                for (access, binding) in one.bindings.iter_mut().enumerate() {
                    if scop.statements[one.statement].accesses[access].array == buffer.array {
                        *binding = buffers.len();
                    }
                }
            }
            buffers.push(buffer);
        }
        buffers.extend(piece.accumulators);
        statements.append(&mut lifted);
        atomic.extend(piece.atomic);
        schedule = Some(match schedule {
            Some(before) => before.sequence(&piece.schedule)?,
            None => piece.schedule,
        });
    }
    let schedule =
        schedule.ok_or_else(|| TransformError::Plan("the plan has no groups".to_owned()))?;
    Ok(Transformed {
        schedule,
        statements,
        buffers,
        shared,
        atomic,
        reordered: Vec::new(),
        tiled,
    })
}

/// The plan's groups with their stages found; every stage must be in exactly one.
fn resolve<'p>(graph: &StageGraph, plan: &'p RegionPlan) -> Result<Vec<Part<'p>>, TransformError> {
    let mut seen = vec![false; graph.stages.len()];
    let mut groups = Vec::new();
    for (number, group) in plan.groups.iter().enumerate() {
        let mut stages = Vec::new();
        for name in &group.stages {
            let Some(stage) = graph.stages.iter().position(|s| s.name == *name) else {
                let known: Vec<&str> = graph.stages.iter().map(|s| s.name.as_str()).collect();
                return Err(TransformError::Plan(format!(
                    "there is no stage `{name}`; the stages are {}",
                    known.join(", ")
                )));
            };
            if std::mem::replace(&mut seen[stage], true) {
                return Err(TransformError::Plan(format!(
                    "stage `{name}` is in two groups"
                )));
            }
            stages.push(stage);
        }
        if stages.is_empty() {
            return Err(TransformError::Plan("a group has no stages".to_owned()));
        }
        groups.push(Part {
            number,
            group,
            stages,
        });
    }
    if let Some(missing) = seen.iter().position(|&s| !s) {
        return Err(TransformError::Plan(format!(
            "stage `{}` is in no group",
            graph.stages[missing].name
        )));
    }
    Ok(groups)
}

/// The tiles of an overlapped group, the last of its stages live out.
pub(crate) fn shaped_tiles(
    scop: &Scop,
    graph: &StageGraph,
    plan: &Overlapped,
    stages: &[StageId],
) -> Result<GroupTiles, NoFootprint> {
    let &out = stages.last().ok_or(NoFootprint::Empty)?;
    let tiles = group_tiles(scop, graph, stages, out, &plan.tile_sizes)?;
    match plan.trapezoids {
        Trapezoids::Polymage => wide::widen(scop, graph, &tiles, out, &plan.tile_sizes),
        Trapezoids::Scalene | Trapezoids::Right => Ok(tiles),
    }
}

/// Statements as they are: no tile coordinates, all accesses to full arrays.
pub(crate) fn unlifted(scop: &Scop, statements: &[StatementId], group: usize) -> Vec<Lifted> {
    let mut ids = statements.to_vec();
    ids.sort_unstable();
    ids.into_iter()
        .map(|statement| {
            let original = &scop.statements[statement];
            Lifted {
                name: original.name.clone(),
                statement,
                group,
                tile_dims: 0,
                domain: original.domain.clone(),
                bindings: original.accesses.iter().map(|a| a.array).collect(),
            }
        })
        .collect()
}

/// The union of some statements' domains.
pub(crate) fn domain_of(scop: &Scop, statements: &[StatementId]) -> isl::Result<UnionSet> {
    let mut domain = UnionSet::empty_ctx(&scop.ctx)?;
    for &statement in statements {
        domain = domain.union(&UnionSet::from_set(&scop.statements[statement].domain)?)?;
    }
    Ok(domain)
}

/// The original order of some statements.
pub(crate) fn restrict(scop: &Scop, statements: &[StatementId]) -> isl::Result<Schedule> {
    scop.schedule
        .intersect_domain(&domain_of(scop, statements)?)
}

/// The same, given the tree of the original order where it is a plain one.
pub(crate) fn restrict_tree(
    scop: &Scop,
    tree: Option<&Tree>,
    statements: &[StatementId],
) -> isl::Result<Schedule> {
    let domains = statements.iter().map(|&id| {
        let statement = &scop.statements[id];
        (statement.name.clone(), statement.domain.clone())
    });
    let restricted = match tree {
        Some(tree) => tree.over(&domains.collect(), None)?,
        None => None,
    };
    match restricted {
        Some(schedule) => Ok(schedule),
        None => restrict(scop, statements),
    }
}

/// The statements of some stages.
pub(crate) fn statements_of(graph: &StageGraph, stages: &[StageId]) -> Vec<StatementId> {
    stages
        .iter()
        .flat_map(|&s| graph.stages[s].statements.iter().copied())
        .collect()
}
