//! Loops: heads that count, ends, steps, and what their turns count.

pub(super) mod begins;
pub(super) mod exits;
pub(super) mod firsts;
pub(super) mod heads;
pub(super) mod inductions;
pub(super) mod jumps;
pub(super) mod lasts;
pub(super) mod meetings;
pub(super) mod pairs;
pub(super) mod repeats;
pub(super) mod strides;
pub(super) mod upwards;
pub(super) mod wraps;
