//! Sets and schedules as rows of numbers, and what follows from them without isl.

pub(crate) mod facts;
pub(crate) mod model;
pub(crate) mod questions;
pub(crate) mod relation;
pub(crate) mod shortcuts;
pub(crate) mod tree;
