//! How many iterations loops have at most.

use crate::scop::Statement;
use isl::{DimType, PwAff, Result, Set};

/// Distances in more cases are not compared with each other.
const CASES: usize = 8;

/// The values between the bounds of a statement's loop, where these mention no other loop: gaps, and
/// what else is known of the sizes, which can be long, are not in it. It has one dimension.
pub fn own_bounds(statement: &Statement, k: usize) -> Result<Option<Set>> {
    let loops = statement.iterators.len();
    // Of several parts, what is around them all.
    let domain = match statement.domain.n_basic_set()? {
        1 => statement.domain.clone(),
        _ => Set::from_basic_set(&statement.domain.simple_hull()?)?,
    };
    let bounds = domain.drop_constraints_not_involving_dims(DimType::Set, k, 1)?;
    if bounds.involves_dims(DimType::Set, 0, k)?
        || bounds.involves_dims(DimType::Set, k + 1, loops - k - 1)?
        || !bounds.dim_has_upper_bound(DimType::Set, k)?
        || !bounds.dim_has_lower_bound(DimType::Set, k)?
    {
        return Ok(None);
    }
    let bounds = bounds.project_out(DimType::Set, k + 1, loops - k - 1)?;
    bounds.project_out(DimType::Set, 0, k).map(Some)
}

/// The most iterations of a statement's loop, whatever the others' are; [`i64::MAX`] where that
/// depends on sizes.
pub fn trips(statement: &Statement, k: usize) -> Result<i64> {
    let most = match less_one(statement, k)? {
        // Of fractions, which quotients without a rest are, isl takes no maximum.
        Some(distance) => distance.floor()?.max_val()?.to_i64(),
        None => None,
    };
    Ok(most.map_or(i64::MAX, |distance| distance.saturating_add(1).max(0)))
}

/// The distance from the first to the last iteration of a statement's loop, for those values of the loops
/// outside for which it is largest; `None` where it has no end, or too many cases.
pub fn longest(statement: &Statement, k: usize) -> Result<Option<PwAff>> {
    let outside = statement.domain.dim(DimType::Param)?;
    let Some(distance) = less_one(statement, k)? else {
        return Ok(None);
    };
    if distance.n_piece()? > CASES {
        return Ok(None);
    }
    let distances = Set::from_pw_aff(&distance)?;
    let further = distances.dim(DimType::Param)? - outside;
    let distances = distances.project_out(DimType::Param, outside, further)?;
    distances.coalesce()?.dim_max(0).map(Some)
}

/// Numbers none of which is less than the distance from the first to the last iteration of a statement's
/// loop: of each two of its bounds the distance where they are furthest apart, a function of the sizes.
pub fn no_longer_than(statement: &Statement, k: usize) -> Result<Vec<PwAff>> {
    let loops = statement.iterators.len();
    let domain = &statement.domain;
    let own = domain.drop_constraints_involving_dims(DimType::Set, k + 1, loops - k - 1)?;
    let own = own.project_out(DimType::Set, k + 1, loops - k - 1)?;
    let around = own.drop_constraints_involving_dims(DimType::Set, k, 1)?;
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    own.simple_hull()?.foreach_constraint(&mut |constraint| {
        let from = constraint.is_lower_bound(DimType::Set, k)?;
        if !from && !constraint.is_upper_bound(DimType::Set, k)? {
            return Ok(());
        }
        let bound = PwAff::from_aff(&constraint.get_bound(DimType::Set, k)?)?;
        let values = bound.intersect_domain(&around)?.as_map()?.range()?;
        let (ends, end) = match from {
            true if values.dim_has_lower_bound(DimType::Set, 0)? => {
                (&mut lower, values.dim_min(0)?)
            }
            false if values.dim_has_upper_bound(DimType::Set, 0)? => {
                (&mut upper, values.dim_max(0)?)
            }
            _ => return Ok(()),
        };
        let end = end.coalesce()?;
        if end.n_piece()? == 1 {
            ends.push(end);
        }
        Ok(())
    })?;
    let mut distances = Vec::new();
    for first in &lower {
        for last in &upper {
            distances.push(last.sub(first)?.coalesce()?);
        }
    }
    Ok(distances)
}

/// The loops around a statement's loop that the number of its iterations depends on.
pub fn varies_with(statement: &Statement, k: usize) -> Result<Vec<usize>> {
    let outside = statement.domain.dim(DimType::Param)?;
    let Some(distance) = less_one(statement, k)? else {
        return Ok(Vec::new());
    };
    // Whether there is any iteration is not asked.
    let distance = distance.coalesce()?;
    let distance = distance.gist(&distance.domain()?)?;
    if distance.dim(DimType::Param)? == outside {
        // Its own bounds mention no other loop.
        return Ok(Vec::new());
    }
    let mut loops = Vec::new();
    for outer in 0..k {
        if distance.involves_dims(DimType::Param, outside + outer, 1)? {
            loops.push(outer);
        }
    }
    Ok(loops)
}

/// The distance from the first to the last iteration of a statement's loop, the loops outside
/// being parameters behind the others; `None` where it has no end.
fn less_one(statement: &Statement, k: usize) -> Result<Option<PwAff>> {
    let outside = statement.domain.dim(DimType::Param)?;
    if let Some(bounds) = own_bounds(statement, k)? {
        return bounds.dim_max(0)?.sub(&bounds.dim_min(0)?).map(Some);
    }
    let domain = &statement
        .domain
        .project_out(DimType::Set, k + 1, statement.iterators.len() - k - 1)?
        .move_dims(DimType::Param, outside, DimType::Set, 0, k)?;
    if !domain.dim_has_upper_bound(DimType::Set, 0)?
        || !domain.dim_has_lower_bound(DimType::Set, 0)?
    {
        return Ok(None);
    }
    Ok(Some(domain.dim_max(0)?.sub(&domain.dim_min(0)?)?))
}
