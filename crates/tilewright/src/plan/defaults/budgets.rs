//! How long isl may take, and for how much.

use std::time::Duration;

/// isl operations allowed for one region's analysis, scheduling, validation and code
/// generation, each. About ten seconds on a 2020s machine.
pub const ISL_OPERATIONS: u64 = 60_000_000;

/// Longest time of the processor for one region's analysis, for one plan's transformation and for
/// its validation, each, with [`ISL_OPERATIONS`]. The compilation of the largest pipeline known, as a
/// whole, takes a fifth of it; with thirty loops around each other that many operations would take
/// many minutes.
pub const ANALYSIS_TIME: Duration = Duration::from_secs(30);

/// [`ANALYSIS_TIME`] with another number of operations; 0 stands for no bound.
pub fn analysis_time(operations: u64) -> Duration {
    scaled(ANALYSIS_TIME, operations)
}

/// Longest time of the processor for one region's model. Those of all examples take less than a
/// tenth of it; remainders by sizes, one in the other, can make few operations take a minute.
pub const LOWERING_TIME: Duration = Duration::from_secs(3);

/// [`LOWERING_TIME`] with another number of operations; 0 stands for no bound.
pub fn lowering_time(operations: u64) -> Duration {
    scaled(LOWERING_TIME, operations)
}

/// Longest time of the processor for each thing that a caller of a function must know: an array's
/// extent, a condition.
pub const CALLER_TIME: Duration = Duration::from_secs(1);

/// An extent that a caller must know is a number, if there is one, where subscripts are this many
/// quotients.
pub const CALLER_QUOTIENTS: usize = 2;

/// A time that goes with [`ISL_OPERATIONS`], for another number of them.
fn scaled(time: Duration, operations: u64) -> Duration {
    match operations {
        0 => Duration::MAX,
        some => {
            let times = some.div_ceil(ISL_OPERATIONS);
            time.saturating_mul(u32::try_from(times).unwrap_or(u32::MAX))
        }
    }
}

/// Of so many statements isl's scheduler gets each by itself; of more, those of one body as one. A
/// hundred take it minutes by themselves, and bodies of so many are seldom worth taking apart.
pub const SCHEDULED_APART: usize = 24;

/// Time of the processor for isl's scheduler, whose integer programs can come to numbers of thousands of digits:
/// then few operations take minutes.
pub const SCHEDULING_TIME: Duration = Duration::from_secs(3);

/// Longest time of the processor that code generation may take for one plan of one region. The
/// largest pipeline known takes a tenth of it; a bound on operations alone let some skewed tiles
/// run for minutes, on numbers that grow.
pub const GENERATION_TIME: Duration = Duration::from_secs(60);

/// Longest time of the processor for all that is done for one region. The largest pipeline known
/// takes a sixth of it. Of what is left each plan gets the half at most, so that there is time for
/// a simpler one; at last the region stays as it was.
pub const REGION_TIME: Duration = Duration::from_secs(60);
