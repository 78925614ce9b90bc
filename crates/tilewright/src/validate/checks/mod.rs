//! The checks, each one question about original and result.

pub(crate) mod bounds;
pub(crate) mod domain;
pub(crate) mod flow;
pub(crate) mod form;
pub(crate) mod order;
pub(crate) mod race;
pub(crate) mod sharing;
