//! Memory: places that C names, the arrays behind them, and what may be the same memory.

pub(crate) mod access;
pub(crate) mod alias;
mod allocated;
pub(crate) mod allocation;
pub(crate) mod apart;
pub(crate) mod arrays;
pub(crate) mod delinearise;
mod partly;
pub(crate) mod place;
pub(crate) mod spans;
pub(crate) mod steady;
pub(crate) mod survey;
mod unfollowed;
mod within;
