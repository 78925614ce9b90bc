//! Numbers for the parameters of a region, for models of cost. Nothing that must hold for every
//! size may depend on them.

use crate::plan::defaults::ESTIMATE;
use crate::scop::Scop;
use isl::{DimType, Result, Set};
use std::collections::BTreeMap;

/// Values for all parameters of a region, in their order, that are possible together.
///
/// `given` has values by the parameters' C spelling. A value that is not possible is replaced by
/// a near one that is; quotients and other functions of parameters get the value that follows.
///
/// # Errors
/// isl's own.
pub fn estimates(scop: &Scop, given: &BTreeMap<String, i64>) -> Result<Vec<i64>> {
    let mut values = vec![ESTIMATE; scop.params.len()];
    let mut possible = scop.context.clone();
    let is_named = |p: &usize| {
        let text = &scop.params[*p].spelling;
        text.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    // Those that have a name first; what is computed from them follows.
    let (named, derived): (Vec<usize>, Vec<usize>) = (0..values.len()).partition(is_named);
    for parameter in named.into_iter().chain(derived) {
        let wanted = given.get(&scop.params[parameter].spelling).copied();
        let value = &mut values[parameter];
        *value = wanted.unwrap_or(ESTIMATE);
        let name = &scop.params[parameter].name;
        if let Some(position) = possible.find_dim_by_name(DimType::Param, name)? {
            *value = nearest(&possible, position, *value)?.unwrap_or(*value);
            if let Ok(value) = i32::try_from(*value) {
                possible = possible.fix_si(DimType::Param, position, value)?;
            }
        }
    }
    Ok(values)
}

/// The greatest possible value of a parameter up to `wanted`, else the smallest one above.
fn nearest(possible: &Set, parameter: usize, wanted: i64) -> Result<Option<i64>> {
    let Ok(wanted) = i32::try_from(wanted) else {
        return Ok(None);
    };
    let is = possible.fix_si(DimType::Param, parameter, wanted)?;
    if !is.is_empty()? {
        return Ok(Some(wanted.into()));
    }
    let others = possible.dim(DimType::Param)? - 1;
    let values = possible
        .from_params()?
        .move_dims(DimType::Set, 0, DimType::Param, parameter, 1)?
        .project_out(DimType::Param, 0, others)?;
    let below = values.upper_bound_si(DimType::Set, 0, wanted)?;
    if !below.is_empty()? {
        return Ok(below.dim_max_val(0)?.to_i64());
    }
    let above = values.lower_bound_si(DimType::Set, 0, wanted)?;
    if above.is_empty()? {
        Ok(None)
    } else {
        Ok(above.dim_min_val(0)?.to_i64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop::testing::ScopBuilder;

    fn values(context: &str, given: &[(&str, i64)]) -> Vec<i64> {
        let scop = ScopBuilder::new(context)
            .input("A", 1)
            .output("B", 1)
            .statement("S0[i] : 0 <= i < 4", &["A[i]"], &["B[i]"])
            .build();
        let given = given.iter().map(|&(n, v)| (n.to_owned(), v)).collect();
        estimates(&scop, &given).unwrap()
    }

    #[test]
    fn what_is_given_counts_and_the_rest_is_as_large_as_a_picture() {
        assert_eq!(values("[n, m] -> { : n >= 1 }", &[("m", 7)]), [ESTIMATE, 7]);
    }

    #[test]
    fn impossible_values_are_replaced_by_possible_ones() {
        assert_eq!(values("[n] -> { : 1 <= n <= 100 }", &[]), [100]);
        assert_eq!(values("[n] -> { : n >= 5000 }", &[]), [5000]);
        assert_eq!(
            values("[n] -> { : n mod 8 = 3 and n >= 0 }", &[("n", 20)]),
            [19]
        );
    }

    #[test]
    fn later_parameters_fit_the_earlier_ones() {
        let context = "[n, m] -> { : 2m <= n <= 2m + 1 and n >= 2 }";
        assert_eq!(values(context, &[("n", 101)]), [101, 50]);
    }
}
