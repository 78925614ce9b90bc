//! Where on the grid a statement's instances are: where they write.
//!
//! Statements that sweep over the whole grid say which dimension of an array is which dimension of
//! space: the one whose subscript is the loop's variable, but for a constant. Others, which set a
//! row or a corner, are where they write.

use crate::analysis::over_time::cone::NoCone;
use crate::scop::{Access, AccessKind, Scop, Statement, StatementId};
use isl::{Aff, DimType};

/// Time and place of a statement's instances, as functions of its iterators.
pub(crate) struct Place {
    pub time: Aff,
    /// One coordinate per dimension of space.
    pub space: Vec<Aff>,
}

/// The places of some statements, all with as many coordinates.
pub(crate) fn places(scop: &Scop, statements: &[StatementId]) -> Result<Vec<Place>, NoCone> {
    let own = || statements.iter().map(|&id| &scop.statements[id]);
    if let Some(outside) = own().find(|s| s.iterators.is_empty()) {
        return Err(NoCone::Refused(format!(
            "{} is in no time loop",
            outside.name
        )));
    }
    let dimensions = own().map(|s| s.iterators.len() - 1).max().unwrap_or(0);
    if dimensions == 0 {
        return Err(NoCone::Refused(
            "there is no loop over space inside the time loop".to_owned(),
        ));
    }
    // Per array and dimension, the dimension of space.
    let mut axes: Vec<Vec<Option<usize>>> = scop
        .arrays
        .iter()
        .map(|array| vec![None; array.extents.len()])
        .collect();
    for statement in own().filter(|s| s.iterators.len() == dimensions + 1) {
        for access in &statement.accesses {
            for (dimension, axis) in axes[access.array].iter_mut().enumerate() {
                if let Some((_, Some(iterator))) = subscript(statement, access, dimension)? {
                    axis.get_or_insert(iterator - 1);
                }
            }
        }
    }
    let mut places = Vec::new();
    for statement in own() {
        let iterators = statement
            .domain
            .get_space()?
            .identity_multi_aff_on_domain()?;
        let whole = statement.iterators.len() == dimensions + 1;
        let mut space = Vec::new();
        for axis in 0..dimensions {
            let coordinate = match written(statement, &axes, axis, whole)? {
                Some(coordinate) => coordinate,
                None if whole => iterators.get_at(axis + 1)?,
                None => {
                    return Err(NoCone::Refused(format!(
                        "it is not known where on the grid {} is, which has fewer loops than others",
                        statement.name
                    )));
                }
            };
            space.push(coordinate);
        }
        places.push(Place {
            time: iterators.get_at(0)?,
            space,
        });
    }
    Ok(places)
}

/// What a statement's writes say of its place in one dimension of space.
fn written(
    statement: &Statement,
    axes: &[Vec<Option<usize>>],
    axis: usize,
    whole: bool,
) -> isl::Result<Option<Aff>> {
    for write in &statement.accesses {
        if write.kind != AccessKind::Write {
            continue;
        }
        for (dimension, found) in axes[write.array].iter().enumerate() {
            if *found != Some(axis) {
                continue;
            }
            match subscript(statement, write, dimension)? {
                Some((value, iterator)) if !whole || iterator == Some(axis + 1) => {
                    return Ok(Some(value));
                }
                _ => {}
            }
        }
    }
    Ok(None)
}

/// A subscript that is one iterator of a loop over space, or none, and something that does not
/// change in the region; and which.
fn subscript(
    statement: &Statement,
    access: &Access,
    dimension: usize,
) -> isl::Result<Option<(Aff, Option<usize>)>> {
    let Some(affine) = &access.affine[dimension] else {
        return Ok(None);
    };
    let pieces = affine.pieces()?;
    let [(_, value)] = &pieces[..] else {
        return Ok(None);
    };
    let mut moving = None;
    for iterator in 0..statement.iterators.len() {
        let factor = value.get_coefficient_val(DimType::In, iterator)?;
        match factor.to_i64() {
            Some(0) => {}
            Some(1) if iterator > 0 && moving.is_none() => moving = Some(iterator),
            _ => return Ok(None),
        }
    }
    if value.dim(DimType::Div)? > 0 {
        return Ok(None);
    }
    Ok(Some((value.clone(), moving)))
}
