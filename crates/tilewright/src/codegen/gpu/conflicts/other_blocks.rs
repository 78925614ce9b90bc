//! What other blocks of a launch write, and where arrays end: cells that a block may copy in though
//! nobody in it reads them are those that are there, and that no other block writes meanwhile.

use crate::codegen::generation::temporaries::accessed_cells;
use crate::codegen::gpu::conflicts::cells::{Accesses, Reader};
use crate::codegen::gpu::grids::levels::Level;
use crate::scop::{AccessKind, Origin, Scop};
use crate::transform::{BufferId, Transformed};
use isl::{Aff, DimType, Id, LocalSpace, PwAff, Result, Set, Val};

/// The cells that a block writes, as a function of its number.
pub(crate) struct Block {
    /// Variables that number blocks.
    vars: Vec<String>,
    /// Per buffer that is written, the cells, where they are known.
    written: Vec<(BufferId, Option<Set>)>,
}

impl Block {
    /// What a level that is the whole block writes.
    ///
    /// # Errors
    /// isl's own.
    pub fn new(reader: &Reader<'_>, level: &Level, accesses: &Accesses<'_>) -> Result<Block> {
        let mut written: Vec<(BufferId, Option<Set>)> = Vec::new();
        for access in &accesses.all {
            if access.kind != AccessKind::Write {
                continue;
            }
            let cells = reader.cells(access.place, &accesses.reaches[access.reach])?;
            let buffer = access.place.buffer;
            match written.iter_mut().find(|(other, _)| *other == buffer) {
                Some((_, all)) => {
                    *all = match (all.take(), cells) {
                        (Some(before), Some(cells)) => Some(before.union(&cells)?),
                        _ => None,
                    };
                }
                None => written.push((buffer, cells)),
            }
        }
        Ok(Block {
            vars: level.vars[level.blocks.clone()].to_vec(),
            written,
        })
    }

    /// Whether no other block writes any of some cells, whose parameters are a block's variables.
    ///
    /// # Errors
    /// isl's own.
    pub fn leaves(&self, buffer: BufferId, cells: &Set) -> Result<bool> {
        let Some((_, written)) = self.written.iter().find(|(other, _)| *other == buffer) else {
            return Ok(true);
        };
        let Some(written) = written else {
            return Ok(false);
        };
        let mut others = written.coalesce()?;
        let mut different: Option<Set> = None;
        for var in &self.vars {
            // No variable of C has such a name.
            let (own, other) = (
                Id::alloc(cells.ctx(), var)?,
                Id::alloc(cells.ctx(), &format!("{var}'"))?,
            );
            if let Some(at) = others.find_dim_by_id(DimType::Param, &own)? {
                others = others.set_dim_id(DimType::Param, at, &other)?;
            }
            let (own, other) = (parameter(cells, &own)?, parameter(cells, &other)?);
            let unequal = own.lt_set(&other)?.union(&other.lt_set(&own)?)?;
            different = Some(match different {
                Some(before) => before.union(&unequal)?,
                None => unequal,
            });
        }
        let Some(different) = different else {
            return Ok(true);
        };
        let common = cells.intersect(&others)?;
        common.intersect_params(&different)?.is_empty()
    }
}

/// A parameter's value.
fn parameter(cells: &Set, id: &Id) -> Result<PwAff> {
    let space = cells.get_space()?.params()?.add_param_id(id)?;
    PwAff::from_aff(&Aff::param_on_domain_space_id(&space, id)?)
}

/// The cells that an array has, in the space of some of them; `None` where data says how many.
///
/// # Errors
/// isl's own.
pub(crate) fn that_are_there(
    scop: &Scop,
    transformed: &Transformed,
    buffer: BufferId,
    cells: &Set,
) -> Result<Option<Set>> {
    let array = &scop.arrays[transformed.buffers[buffer].array];
    // Temporaries have the cells that are used, counted from the first one, and no others.
    let used = match array.origin {
        Origin::Region { .. } => accessed_cells(scop, transformed, buffer)?,
        _ => None,
    };
    let space = cells
        .get_space()?
        .align_params(&scop.context.get_space()?)?;
    let local = LocalSpace::from_space(&space)?;
    let mut all = Set::universe(&space)?;
    for (dim, extent) in array.extents.iter().enumerate() {
        let Some(extent) = &extent.affine else {
            return Ok(None);
        };
        let index = PwAff::var_on_domain(&local, DimType::Set, dim)?;
        let end = extent.align_params(&space)?.insert_domain(&space)?;
        all = all
            .lower_bound_si(DimType::Set, dim, 0)?
            .intersect(&index.lt_set(&end)?)?;
        let bounded = |used: &&Set| -> Result<bool> {
            Ok(used.dim_has_lower_bound(DimType::Set, dim)?
                && used.dim_has_upper_bound(DimType::Set, dim)?)
        };
        if let Some(used) = used.as_ref()
            && bounded(&used)?
        {
            let last = used.dim_max(dim)?.sub(&used.dim_min(dim)?)?;
            let last = last.align_params(&space)?.insert_domain(&space)?;
            all = all.intersect(&index.le_set(&last)?)?;
        }
    }
    Ok(Some(all))
}

/// A box of constant size that has some cells, in their space.
///
/// # Errors
/// isl's own.
pub(crate) fn around(cells: &Set) -> Result<Option<Set>> {
    let hull = cells.get_simple_fixed_box_hull()?;
    let (true, Some(extents)) = (hull.is_valid()?, hull.get_size()?.to_i64s()?) else {
        return Ok(None);
    };
    let space = cells.get_space()?;
    let local = LocalSpace::from_space(&space)?;
    let mut all = Set::universe(&space)?;
    let origin = hull.get_offset()?.elements()?;
    for (dim, (begin, extent)) in origin.iter().zip(extents).enumerate() {
        let index = PwAff::var_on_domain(&local, DimType::Set, dim)?;
        let begin = PwAff::from_aff(begin)?.project_domain_on_params()?;
        let begin = begin.align_params(&space)?.insert_domain(&space)?;
        let extent = Val::int_from_si(cells.ctx(), extent)?;
        let end = begin.add_constant_val(&extent)?;
        all = all
            .intersect(&index.ge_set(&begin)?)?
            .intersect(&index.lt_set(&end)?)?;
    }
    Ok(Some(all))
}
