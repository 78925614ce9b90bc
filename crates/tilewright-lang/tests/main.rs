//! The language from outside, in one program: it is linked once. What forks is in one of its own.

mod arithmetic;
mod cache;
mod calls;
mod messages;
mod pipelines;
mod random;
mod tune;
