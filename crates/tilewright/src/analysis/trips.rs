//! How many iterations loops have at most.

use crate::scop::Statement;
use isl::{DimType, Result};

/// The most iterations of a statement's loop, whatever the others' are; [`i64::MAX`] where that
/// depends on sizes.
pub fn trips(statement: &Statement, k: usize) -> Result<i64> {
    // Loops outside are as parameters.
    let outside = statement.domain.dim(DimType::Param)?;
    let domain = &statement
        .domain
        .project_out(DimType::Set, k + 1, statement.iterators.len() - k - 1)?
        .move_dims(DimType::Param, outside, DimType::Set, 0, k)?;
    if domain.dim_has_upper_bound(DimType::Set, 0)?
        && domain.dim_has_lower_bound(DimType::Set, 0)?
    {
        let (first, last) = (domain.dim_min(0)?, domain.dim_max(0)?);
        if let Some(distance) = last.sub(&first)?.max_val()?.to_i64() {
            return Ok(distance.saturating_add(1).max(0));
        }
    }
    Ok(i64::MAX)
}
