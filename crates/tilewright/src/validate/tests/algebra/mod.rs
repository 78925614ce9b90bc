//! What the checks compute with: rows and facts, isl's sets and maps.

pub(super) mod arithmetic;
pub(super) mod relations;
pub(super) mod rows;
