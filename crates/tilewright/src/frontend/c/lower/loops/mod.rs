//! Loops: the values of their variables, also where data bounds them, and their order.

pub(crate) mod domain;
pub(crate) mod dynamic;
pub(crate) mod induction;
pub(crate) mod invariant;
pub(crate) mod schedule;
pub(crate) mod stand_ins;
pub(crate) mod turns;
