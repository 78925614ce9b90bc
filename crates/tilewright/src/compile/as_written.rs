//! What a text has that the loops as they were written have not, and why a region is left as it was.

use super::region::Attempt;
use crate::codegen::passes::Pass;
use crate::compile::{Options, Target};
use crate::plan::{Group, RegionPlan, Shape, Tiles};
use std::collections::BTreeSet;

/// A name that nothing in the file has.
pub(super) fn free_name(name: &str, taken: &BTreeSet<String>) -> String {
    let mut free = name.to_owned();
    while taken.contains(&free) {
        free.push('_');
    }
    free
}

/// Whether a plan has the loops as they were written, in their order, with threads at most.
pub(super) fn has_threads_alone(plan: &RegionPlan) -> bool {
    let as_written = |group: &Group| match &group.tiles {
        Tiles::Written(tiles) => {
            tiles.loops.is_empty()
                && !tiles.spread
                && tiles.lanes.is_empty()
                && group.reorder.is_empty()
        }
        _ => false,
    };
    plan.groups.iter().all(as_written) && has_its_statements(plan)
}

/// Whether a plan leaves statements and arrays as they are.
fn has_its_statements(plan: &RegionPlan) -> bool {
    plan.inline.is_empty()
        && plan.tabulate.is_empty()
        && plan.partial.is_empty()
        && plan.substitute.is_empty()
        && plan.format.is_none()
}

/// Why a region is left as it was where the planner would have kept its order on one thread.
pub(super) const NOTHING_TO_GAIN: &str = "no cell is used again that other orders would keep in a cache, and not all of its outermost loops are parallel";

/// The same where the text that was made has the loops in their order, on one thread.
pub(super) const NO_THREADS: &str = "its loops would be the same, with threads for none of them";

/// The same where sizes are constants.
pub(super) const TOO_LITTLE: &str = "there is too little to do for threads";

/// Whether loops or tiles are asked for, however much there is to do.
pub(super) fn is_asked(options: &Options) -> bool {
    let wishes = &options.wishes;
    wishes.shape.is_some()
        || wishes.fuse.is_some()
        || wishes.tile_sizes.is_some()
        || !wishes.loops.is_empty()
}

impl Attempt {
    /// Whether nothing has come of it: the loops are those that were written, on one thread, and
    /// nobody asked for them to be written again.
    pub(super) fn is_as_written(&self, options: &Options) -> bool {
        let groups = &self.plan.groups;
        let kept = groups.iter().all(|group| group.shape() == Shape::None)
            && has_its_statements(&self.plan);
        let asked = options.wishes.shape.is_some() || !options.wishes.loops.is_empty();
        kept && !asked
            && !self.threads
            && options.target == Target::OpenMp
            && options.until == Pass::Print
    }
}
