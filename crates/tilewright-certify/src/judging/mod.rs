//! Both texts executed on inputs and compared: which inputs, in which order, for how long.

pub(crate) mod compare;
pub(crate) mod inputs;
pub(crate) mod judge;
pub(crate) mod queue;
pub(crate) mod setup;
pub(crate) mod targets;
pub(crate) mod trial;
