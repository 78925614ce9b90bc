//! Schedules whose loops would run over very many iterations in which nothing is done.
//!
//! A statement that is executed only far away (`if ((i + 16777619u) >> 28 == 3)`) may be shifted
//! until it lies beside another one, and limits that unsigned arithmetic gives a size
//! (`n <= 17592186044416`) may become factors of a loop's variable. Such a schedule is legal, but
//! loops over the box around all that it places take years.

use crate::plan::defaults::{FARTHEST_FACTOR, FARTHEST_SHIFT};
use crate::scop::tree::walk;
use isl::{DimType, MultiUnionPwAff, Schedule};

/// Whether a statement is shifted by, or a loop's variable multiplied with, more than is sensible
/// in some band.
pub(crate) fn is_far(schedule: &Schedule) -> isl::Result<bool> {
    walk::any(&schedule.get_root()?, &mut |node| {
        Ok(walk::is_loop(node)? && band(&node.band_get_partial_schedule()?)?)
    })
}

fn band(partial: &MultiUnionPwAff) -> isl::Result<bool> {
    let mut far = false;
    for member in 0..partial.size()? {
        partial.get_at(member)?.foreach_pw_aff(&mut |function| {
            function.foreach_piece(&mut |_, aff| {
                let more = |value: isl::Val, most: i64| -> isl::Result<bool> {
                    Ok(value.abs()?.cmp_si(most)? > 0)
                };
                far |= more(aff.get_constant_val()?, FARTHEST_SHIFT)?;
                for variable in 0..aff.dim(DimType::In)? {
                    let factor = aff.get_coefficient_val(DimType::In, variable)?;
                    far |= more(factor, FARTHEST_FACTOR)?;
                }
                Ok(())
            })
        })?;
    }
    Ok(far)
}
