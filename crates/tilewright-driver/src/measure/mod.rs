//! Original against result: built, called in a process of their own, compared and timed.

pub mod compare;
pub mod contest;
pub mod experiment;
pub mod fair;
pub(crate) mod forked;
pub mod job;
pub mod library;
pub mod run;
pub mod statistics;
pub mod worker;
pub mod wrapper;
