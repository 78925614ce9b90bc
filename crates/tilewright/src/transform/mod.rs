//! From [`Scop`](crate::scop::Scop) and plan to a schedule tree over lifted instances, with
//! buffers.

use crate::scop::{AccessId, ArrayId, StatementId};

/// Index into [`Transformed::buffers`].
pub type BufferId = usize;

/// The transformed program.
///
/// # Invariants
///
/// - The schedule's domain is the union of [`Lifted::domain`] over all lifted statements.
/// - An instance that is computed more than once (its lifted statement has tile coordinates)
///   writes only [`BufferKind::Local`] buffers, or is the only one of its copies to write.
/// - Loop properties are mark nodes directly above the band of the loop they belong to, which has
///   exactly one member: `parallel`, `simd`; a mark `scope:k` stands where one
///   execution of its subtree is the life of all local buffers of group `k` (inside the tile
///   loops). Other marks (`tile`, `point`) carry no meaning.
#[derive(Clone, Debug)]
pub struct Transformed {
    /// Order of the lifted instances.
    pub schedule: isl::Schedule,
    /// Statements, possibly several lifted ones per original statement.
    pub statements: Vec<Lifted>,
    /// Where accesses go. The first ones are, in order, the scop's arrays in full.
    pub buffers: Vec<Buffer>,
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
    /// `scope:group`. Element `x` of the array is at `(x − origin) mod modulo`, per dimension.
    Local {
        /// The group.
        group: usize,
        /// Per dimension of the array, the array index of element 0: a function of the tile
        /// coordinates (a [`isl::Aff`] over the anonymous tile space `[t0, …]`, of as many
        /// dimensions as the group's lifted statements have tile coordinates). The same for all
        /// lifted statements of the group.
        origin: Vec<isl::Aff>,
        /// Extents in elements, constant.
        extents: Vec<i64>,
        /// Folding: the dimension is addressed modulo its extent.
        folded: Vec<bool>,
    },
}

impl Lifted {
    /// The map from lifted to original instances: `S0[t, i] -> S0[i]`.
    pub fn to_original(&self, scop: &crate::scop::Scop) -> isl::Result<isl::Map> {
        let original = &scop.statements[self.statement];
        let dims = self.domain.dim(isl::DimType::Set)?;
        let map = isl::Map::identity(&self.domain.space()?.map_from_set()?)?;
        let map = map.project_out(isl::DimType::Out, 0, self.tile_dims as u32)?;
        debug_assert_eq!(dims, self.tile_dims + original.iterators.len());
        map.set_tuple_name(isl::DimType::Out, &original.name)?.intersect_domain(&self.domain)
    }

    /// An access of the original statement, from the lifted instances to the array's cells.
    pub fn access(&self, scop: &crate::scop::Scop, access: AccessId) -> isl::Result<isl::Map> {
        let relation = &scop.statements[self.statement].accesses[access].relation;
        self.to_original(scop)?.apply_range(relation)
    }
}
