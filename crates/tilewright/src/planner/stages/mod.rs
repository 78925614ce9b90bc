//! Which stages their consumers compute, and which are tables.

pub mod inlining;
pub mod pointwise;
pub mod tabulation;
