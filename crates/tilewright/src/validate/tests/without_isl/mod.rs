//! What is decided without isl, and that it is so.

pub(super) mod seen;
pub(super) mod settled;
pub(super) mod shortcuts;
