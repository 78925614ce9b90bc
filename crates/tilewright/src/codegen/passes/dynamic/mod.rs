//! Loops whose bounds are data (Zhao, thesis 2018, chapter 5): which of them get their bounds back,
//! which end early, and which run over all that a static bound allows.

pub mod enumerated;
pub mod exits;
pub(crate) mod restore;
