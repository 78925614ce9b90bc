//! The region's own temporaries that are kept in full: memory for the cells that are accessed.

use crate::analysis::overlap::footprint::LARGEST_EXTENT;
use crate::codegen::kernel::{Index, Temporary};
use crate::codegen::names::Names;
use crate::codegen::terms::index::{covering, from_ast};
use crate::scop::{Origin, Scop};
use crate::transform::{BufferId, BufferKind, Transformed};
use isl::{AstBuild, Error, ErrorKind, PwAff, Result, Set};
use std::collections::BTreeSet;

/// Per buffer what is subtracted from the subscripts, for temporaries kept in full.
pub(super) type Origins = Vec<Option<Vec<Index>>>;

/// The region's own temporaries that are kept in full, in the box that is accessed.
pub(super) fn temporaries(
    scop: &Scop,
    transformed: &Transformed,
    names: &mut Names,
    build: &AstBuild,
    name: &dyn Fn(&str) -> Index,
) -> Result<(Vec<Temporary>, Origins)> {
    let mut temporaries = Vec::new();
    let mut origins = vec![None; transformed.buffers.len()];
    for (id, buffer) in transformed.buffers.iter().enumerate() {
        let array = &scop.arrays[buffer.array];
        let full = matches!(buffer.kind, BufferKind::Full);
        if !full || !matches!(array.origin, Origin::Region { .. }) {
            continue;
        }
        let Some(union) = cells_of(scop, transformed, id)? else {
            continue;
        };
        let cells = Set::from_basic_set(&union.coalesce()?.simple_hull()?)?;
        let (mut origin, mut extents) = (Vec::new(), Vec::new());
        for dim in 0..array.extents.len() {
            let bounded = cells.dim_has_lower_bound(isl::DimType::Set, dim)?
                && cells.dim_has_upper_bound(isl::DimType::Set, dim)?;
            let (low, extent) = match &array.extents[dim].affine {
                _ if bounded => {
                    let (low, extent) = interval(&cells, dim)?;
                    match is_far(scop, &extent)? {
                        false => (low, extent),
                        true => {
                            let (low, extent) = interval(&union, dim)?;
                            (low, or_one(scop, &extent)?)
                        }
                    }
                }
                // Cells that no bound holds for are accessed for empty arrays only.
                Some(whole) => (whole.sub(whole)?, whole.clone()),
                None => {
                    return Err(Error::new(
                        ErrorKind::Unsupported,
                        format!("dimension {dim} of {} has no bound", array.name),
                    ));
                }
            };
            if extent.n_piece()? == 0 {
                // No instance accesses it, whatever the sizes are.
                extents.push(Index::Int(1));
                origin.push(Index::Int(0));
                continue;
            }
            let never_empty = is_positive(scop, &extent)?;
            let extent = from_ast(&build.expr_from_pw_aff(&extent)?, name)?;
            extents.push(if never_empty {
                extent
            } else {
                Index::max_of(vec![extent, Index::Int(1)])
            });
            origin.push(from_ast(&build.expr_from_pw_aff(&low)?, name)?);
        }
        temporaries.push(Temporary {
            buffer: id,
            name: names.fresh(&buffer.name),
            element: array.element.clone(),
            accessed: accessed(scop, &union, &extents, build, name)?,
            extents,
        });
        origins[id] = Some(origin);
    }
    Ok((temporaries, origins))
}

/// For which sizes any of the cells is accessed; `None` where the extents alone say it, or it is
/// always so.
fn accessed(
    scop: &Scop,
    cells: &Set,
    extents: &[Index],
    build: &AstBuild,
    name: &dyn Fn(&str) -> Index,
) -> Result<Option<Index>> {
    let sized = extents
        .iter()
        .filter(|extent| !matches!(extent, Index::Int(_)));
    let sized: Vec<&Index> = sized.collect();
    if sized.is_empty() {
        return Ok(None);
    }
    let condition = covering(&cells.params()?, &scop.context, build, name)?;
    let sizes_in = |index: &Index| {
        let mut sizes = BTreeSet::new();
        index.walk(&mut |part| {
            if let Index::Param(size) = part {
                sizes.insert(*size);
            }
        });
        sizes
    };
    Ok(match (&condition, &sized[..]) {
        (Index::Int(_), _) => None,
        (condition, [alone]) if sizes_in(condition).is_subset(&sizes_in(alone)) => None,
        _ => Some(condition),
    })
}

/// The first cell in a dimension, and how many there are up to the last one.
fn interval(cells: &Set, dim: usize) -> Result<(PwAff, PwAff)> {
    let (low, high) = (cells.dim_min(dim)?, cells.dim_max(dim)?);
    let one = isl::Val::one(cells.ctx())?;
    let extent = high.sub(&low)?.add_constant_val(&one)?;
    Ok((low, extent))
}

/// Whether an extent is large for all sizes: that of a hull around cells that lie far apart.
fn is_far(scop: &Scop, extent: &PwAff) -> Result<bool> {
    let largest = isl::Val::int_from_si(&scop.ctx, LARGEST_EXTENT)?;
    let small = extent.neg()?.add_constant_val(&largest)?.nonneg_set()?;
    let of_sizes = scop.context.intersect(&extent.domain()?)?;
    Ok(!of_sizes.is_empty()? && small.intersect(&of_sizes)?.is_empty()?)
}

/// The extent, and 1 for sizes for which nothing is accessed.
fn or_one(scop: &Scop, extent: &PwAff) -> Result<PwAff> {
    let nothing = scop.context.subtract(&extent.domain()?)?;
    let one = PwAff::val_on_domain(&nothing, &isl::Val::one(&scop.ctx)?)?;
    extent.intersect_params(&scop.context)?.union_max(&one)
}

fn is_positive(scop: &Scop, extent: &PwAff) -> Result<bool> {
    let minus_one = extent.add_constant_val(&isl::Val::negone(&scop.ctx)?)?;
    scop.context.is_subset(&minus_one.nonneg_set()?)
}

/// A convex set with all cells of the buffer that are accessed; `None` where none is.
pub(crate) fn accessed_cells(
    scop: &Scop,
    transformed: &Transformed,
    buffer: BufferId,
) -> Result<Option<Set>> {
    match cells_of(scop, transformed, buffer)? {
        Some(cells) => Ok(Some(Set::from_basic_set(
            &cells.coalesce()?.simple_hull()?,
        )?)),
        None => Ok(None),
    }
}

/// All cells of the buffer that are accessed; `None` where none is.
fn cells_of(scop: &Scop, transformed: &Transformed, buffer: BufferId) -> Result<Option<Set>> {
    let mut cells: Option<Set> = None;
    for lifted in &transformed.statements {
        for (access, _) in lifted
            .bindings
            .iter()
            .enumerate()
            .filter(|(_, b)| **b == buffer)
        {
            let range = lifted
                .access(scop, access)?
                .intersect_params(&scop.context)?
                .range()?;
            cells = Some(match cells {
                Some(before) => before.union(&range)?,
                None => range,
            });
        }
    }
    Ok(cells)
}
