//! Expressions: values, operators, calls, places, and initial values.

pub(crate) mod calls;
pub(crate) mod expr;
pub(crate) mod init;
pub(crate) mod ops;
pub(crate) mod outside;
pub(crate) mod parts;
pub(crate) mod place;
pub(crate) mod statics;
pub(crate) mod values;
