//! The pipeline language (Jangda & Guha, TOPLAS 2020, section 2.1: PolyMage's constructs), embedded
//! in Rust: images, functions over domains, cases, reductions.
//!
//! `builder` collects what the user says, `check` finds what is wrong with it (with `kinds` for
//! types, `affine` and `bounds` for accesses, `ranges` over `interval` for subscripts that are
//! data), `print` writes a C function with one marked region (over `nest` and `text`), and the C
//! front end makes the [`Scop`](crate::scop::Scop) of that. [`Program::problem`] says in the
//! user's terms what the compiler says of the C text.
//!
//! # Why through C text
//!
//! The user wants C that can be built, and every result is compared with an original that a C
//! compiler built: the text is needed anyway. With a lowering of its own, this front end would have
//! to agree with that text in everything that the C front end knows (quotients of sizes as
//! parameters, which functions are total, what conversions do), and nothing would check that it
//! does. As it is, a pipeline has the plan of the same pipeline written in C by construction.

mod affine;
mod builder;
pub(crate) mod checks;
mod expression;
mod nest;
mod operators;
mod print;
mod program;
#[cfg(test)]
mod tests;
mod text;
pub(crate) mod values;

pub use builder::{
    Case, Combine, Pipeline, Update, case, max_into, min_into, otherwise, sum_into, update,
};
pub use checks::problem::{Problem, Problems};
pub use expression::{
    Cell, Condition, DEEPEST, Expr, Function, Image, Interval, LARGEST, Math, Parameter, Source,
    Variable, lerp, select,
};
pub use program::{ArrayArgument, Direction, Program, SIZES, ScalarArgument};
