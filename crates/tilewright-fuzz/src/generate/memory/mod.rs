//! Where values are: arrays, rows, members of structures, and what may be missing.

pub(super) mod blocks;
pub(super) mod elements;
pub(super) mod optional;
pub(super) mod places;
pub(super) mod records;
pub(super) mod rows;
