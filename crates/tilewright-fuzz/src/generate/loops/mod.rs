//! Loops in all the forms that programs have, and what changes from turn to turn in them.

pub(super) mod courses;
pub(super) mod forms;
pub(super) mod heads;
pub(super) mod steps;
pub(super) mod swaps;
pub(super) mod turns;
pub(super) mod walks;
