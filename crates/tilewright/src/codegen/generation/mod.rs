//! From a schedule tree to a kernel ([`build`]): nests over boxes are read off their sets, all others
//! go through isl's AST. No plan is read and no loop is changed here.

pub(crate) mod boxes;
pub mod build;
pub(crate) mod convert;
pub(crate) mod narrow;
pub(crate) mod nests;
pub(crate) mod order;
pub(crate) mod place;
pub(crate) mod temporaries;
