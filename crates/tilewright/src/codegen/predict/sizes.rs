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
    Ok(None)
}
