//! Index expressions: how they are made and kept simple, and what is known of them.
//!
//! Nothing here knows loops, but for [`inside`].

pub(crate) mod choice;
pub mod index;
pub(crate) mod inside;
pub(crate) mod number;
pub(crate) mod substitute;
pub(crate) mod sum;
