//! Statements: blocks, declarations, bodies and the expressions in them.

pub(crate) mod block;
pub(crate) mod body;
pub(crate) mod declaration;
pub(crate) mod draft;
pub(crate) mod expression;
pub(crate) mod pointers;
