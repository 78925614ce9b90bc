//! The text in front of the parser and behind it: what is made ready for it, what its errors mean,
//! and where in the file the regions and their statements stand. Nothing here knows of types.

pub(super) mod nested;
pub(super) mod nesting;
pub(super) mod outline;
pub(super) mod prepare;
pub(super) mod regions;
pub(super) mod syntax_error;
pub(super) mod written;
