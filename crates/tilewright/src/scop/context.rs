//! isl as everything here relies on it.

use crate::plan::defaults;

/// A fresh isl context with the options that everything here relies on.
///
/// # Errors
/// isl's own.
pub fn new_context(budget: u64) -> isl::Result<isl::Ctx> {
    let ctx = isl::Ctx::new();
    ctx.set_tile_scale_tile_loops(0)?;
    ctx.set_tile_shift_point_loops(0)?;
    ctx.set_ast_build_detect_min_max(1)?;
    ctx.set_schedule_maximize_band_depth(1)?;
    ctx.set_schedule_outer_coincidence(0)?;
    ctx.set_max_operations(budget)?;
    ctx.set_scheduling_time(defaults::SCHEDULING_TIME);
    Ok(ctx)
}
