//! What stands in front of a region in C: what is compared, counted and looked at before it is known
//! whether the new text may be executed, and is worth it. No loop of the region itself is printed here.

pub(super) mod apart;
pub(super) mod checks;
pub(super) mod computed;
pub(super) mod guard;
pub(super) mod inspection;
pub(super) mod packing;
pub(super) mod rows;
pub(super) mod surveys;
pub mod worth;
