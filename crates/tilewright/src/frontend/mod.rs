//! Front ends: from a language to [`crate::scop::Scop`].

pub mod c;
pub mod cpp;
pub mod pipeline;
