//! What values expressions have: their types, and between which numbers they lie.

pub(crate) mod interval;
pub(crate) mod kinds;
pub(crate) mod ranges;
pub(crate) mod replace;
