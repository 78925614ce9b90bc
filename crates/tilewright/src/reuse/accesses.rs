//! What the points of a mapping read and write, per array.

use super::tiling::Mapping;
use crate::analysis::dependences::memory::{WriteRole, exposed_reads, write_roles};
use crate::analysis::region::Region;
use crate::scop::{AccessId, AccessKind, ArrayId, StatementId};
use isl::{DimType, Map};

/// The accesses of a region, seen from points.
#[derive(Clone, Debug)]
pub struct Accesses {
    /// Arrays that are accessed, in the order of [`crate::scop::Scop::arrays`].
    pub arrays: Vec<ArrayAccesses>,
}

/// Those of one array.
#[derive(Clone, Debug)]
pub struct ArrayAccesses {
    /// Which.
    pub array: ArrayId,
    /// From points to cells that may be read.
    pub reads: Map,
    /// From points to cells that may be written.
    pub writes: Map,
    /// Both.
    pub touched: Map,
    /// From points to cells, access by access.
    pub each: Vec<Map>,
    /// Whether every write is certain: then a read whose value comes from the same tile needs no
    /// value from outside. Otherwise all that is read may be (section 3.2, with `In = Read`).
    pub certain: bool,
    /// The reads whose values come from other instances.
    pub exposed: Vec<Exposed>,
}

/// One read access.
#[derive(Clone, Debug)]
pub struct Exposed {
    /// The reading statement.
    pub statement: StatementId,
    /// Its access.
    pub access: AccessId,
    /// From points to instances.
    pub instances: Map,
    /// From instances to the cells read.
    pub cells: Map,
    /// From points to the points that read what they wrote, as pairs of source and reading
    /// instance: `[x] -> S[i]`.
    pub sources: Vec<Map>,
}

impl Accesses {
    /// The accesses of a region under a mapping.
    ///
    /// # Errors
    /// isl's own.
    pub fn of(region: &Region, mapping: &Mapping) -> isl::Result<Accesses> {
        let scop = &region.scop;
        let mut points = Vec::new();
        for statement in &scop.statements {
            let space = statement.domain.get_space()?;
            let universe = isl::UnionSet::from_set(&isl::Set::universe(&space)?)?;
            let own = mapping.theta.intersect_domain(&universe)?.maps()?;
            let own = own.into_iter().next().ok_or_else(|| {
                isl::Error::new(isl::ErrorKind::Invalid, "a statement without a point")
            })?;
            points.push(own.reverse()?);
        }
        let mut arrays: Vec<ArrayAccesses> = Vec::new();
        for (id, statement) in scop.statements.iter().enumerate() {
            let roles = write_roles(statement)?;
            let exposed = exposed_reads(statement)?;
            for (number, access) in statement.accesses.iter().enumerate() {
                let relation = access.relation.intersect_params(scop.assumed(id))?;
                let cells = points[id].apply_range(&relation)?;
                let position = match arrays.iter().position(|a| a.array == access.array) {
                    Some(position) => position,
                    None => {
                        let none = Map::empty(&cells.get_space()?)?;
                        arrays.push(ArrayAccesses {
                            array: access.array,
                            reads: none.clone(),
                            writes: none.clone(),
                            touched: none,
                            each: Vec::new(),
                            certain: true,
                            exposed: Vec::new(),
                        });
                        arrays.len() - 1
                    }
                };
                let own = &mut arrays[position];
                own.each.push(cells.clone());
                match access.kind {
                    AccessKind::Read => own.reads = own.reads.union(&cells)?,
                    AccessKind::Write => own.writes = own.writes.union(&cells)?,
                }
                own.certain &= !matches!(roles[number], Some(WriteRole::May));
                if let Some(cells) = &exposed[number] {
                    let cells = cells.intersect_params(scop.assumed(id))?;
                    let sources = sources(region, mapping, id, number)?;
                    own.exposed.push(Exposed {
                        statement: id,
                        access: number,
                        instances: points[id].clone(),
                        cells,
                        sources,
                    });
                }
            }
        }
        arrays.sort_by_key(|own| own.array);
        for own in &mut arrays {
            own.reads = own.reads.coalesce()?;
            own.writes = own.writes.coalesce()?;
            own.touched = own.reads.union(&own.writes)?.coalesce()?;
        }
        Ok(Accesses { arrays })
    }
}

/// From points that wrote to the instances of a statement that read it with one access.
fn sources(
    region: &Region,
    mapping: &Mapping,
    statement: StatementId,
    access: AccessId,
) -> isl::Result<Vec<Map>> {
    let mut all: Vec<Map> = Vec::new();
    for edge in &region.dataflow.edges {
        if (edge.reader, edge.access) == (statement, access) {
            let from_points = edge.sources.apply_domain(&mapping.theta)?;
            all.extend(from_points.maps()?);
        }
    }
    Ok(all)
}

/// The name of the tuple that a map goes to.
pub(super) fn target(map: &Map) -> isl::Result<String> {
    map.get_tuple_name(DimType::Out)
}
