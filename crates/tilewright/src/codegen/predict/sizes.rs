//! Values of parameters to compare kernels at.

use crate::scop::Scop;
use isl::{DimType, Result, Set};

/// Values for all parameters that the region's context and, where they can, all statements allow;
/// `None` where it allows none that are as large as `wanted` of a parameter, by its name, or smaller.
///
/// # Errors
/// isl's own.
pub fn sizes(scop: &Scop, wanted: &dyn Fn(&str) -> i32) -> Result<Option<Vec<i64>>> {
    let mut allowed = scop.context.clone();
    for statement in &scop.statements {
        let some = allowed.intersect(&statement.domain.params()?)?;
        if !some.is_empty()? {
            allowed = some;
        }
    }
    let mut values = Vec::new();
    for param in &scop.params {
        let wanted = wanted(&param.name);
        let Some(position) = allowed.find_dim_by_name(DimType::Param, &param.name)? else {
            values.push(i64::from(wanted));
            continue;
        };
        let Some((value, rest)) = fixed(&allowed, position, wanted)? else {
            return Ok(None);
        };
        values.push(i64::from(value));
        allowed = rest;
    }
    Ok(Some(values))
}

/// A parameter's value, and what it leaves of the others'.
fn fixed(allowed: &Set, position: usize, wanted: i32) -> Result<Option<(i32, Set)>> {
    let mut tried = vec![wanted];
    tried.extend(
        (1..)
            .map(|by| wanted >> (2 * by))
            .take_while(|&one| one > 0),
    );
    tried.extend([0, 1 << 12, 1 << 16, -1]);
    for value in tried {
        let rest = allowed.fix_si(DimType::Param, position, value)?;
        if !rest.is_empty()? {
            return Ok(Some((value, rest)));
        }
    }
    // One that follows from others, as of `half = n / 2`.
    let Some(value) = beside(allowed, position, wanted)? else {
        return Ok(None);
    };
    let rest = allowed.fix_si(DimType::Param, position, value)?;
    Ok((!rest.is_empty()?).then_some((value, rest)))
}

/// The least value of a parameter that is not below a wanted one, or the greatest below it.
fn beside(allowed: &Set, position: usize, wanted: i32) -> Result<Option<i32>> {
    let above = allowed.lower_bound_si(DimType::Param, position, wanted)?;
    let least = !above.is_empty()?;
    let some = if least { above } else { allowed.clone() };
    let values = some.from_params()?;
    let values = values.move_dims(DimType::Set, 0, DimType::Param, position, 1)?;
    let value = match least {
        true => values.dim_min_val(0usize)?,
        false => values.dim_max_val(0usize)?,
    };
    Ok(value.to_i64().and_then(|value| i32::try_from(value).ok()))
}
