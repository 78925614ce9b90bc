//! Safe bindings to [isl](https://libisl.sourceforge.io/), the Integer Set Library.
//!
//! ```
//! use isl::{Ctx, Set};
//!
//! # fn main() -> isl::Result<()> {
//! let ctx = Ctx::new();
//! let square = Set::read_from_str(&ctx, "[n] -> { S[i, j] : 0 <= i, j < n }")?;
//! let row = Set::read_from_str(&ctx, "[n] -> { S[i, j] : i = 0 }")?;
//! let first_row = square.intersect(&row)?;
//! assert!(first_row.is_strict_subset(&square)?);
//! # Ok(())
//! # }
//! ```
//!
//! # Names
//!
//! isl's type `isl_union_map` is [`UnionMap`], and its function
//! `isl_union_map_apply_range` is [`UnionMap::apply_range`]. A function without a
//! first argument of the type is an associated function: [`Set::read_from_str`],
//! [`UnionMap::from_map`]. Names which are keywords get a trailing underscore, isl's
//! `isl_vec` is [`IslVec`]. Options are methods of [`Ctx`]
//! ([`Ctx::set_ast_build_detect_min_max`]). isl's manual is the reference for what
//! the functions do.
//!
//! Positions and counts are arguments of any usual integer type ([`Pos`]); sizes come back
//! as `usize`, other `int`s as `i32`, `isl_bool` as `bool`. What C writes through pointers
//! joins the result ([`Map::partial_lexmin`] gives a pair). Beside isl's own functions
//! there are some which collect: [`UnionMap::maps`], [`PwAff::pieces`], [`Set::points`],
//! `to_vec` of lists, [`Val::to_i64`].
//!
//! # Ownership
//!
//! Every method takes `&self`, and every object argument comes as a reference, also
//! where the C function consumes its argument: the wrapper then hands isl a copy, which
//! for isl is one reference more. So objects are never used up, and `clone` is cheap.
//! Dropping an object gives its reference back.
//!
//! A [`Ctx`] is a handle to a context; every object holds one, so a context lives at
//! least as long as its objects. A context belongs to one thread, so neither [`Ctx`] nor
//! any object is `Send` or `Sync`; other threads make contexts of their own.
//! Objects of different contexts must not meet: methods check and return an error.
//!
//! # Errors
//!
//! Everything that calls isl returns a [`Result`]. An [`Error`] carries isl's message and
//! place in isl's source, and its [`ErrorKind`]; isl prints nothing and aborts nothing.
//! [`ErrorKind::Absent`] is no failure of isl's: what was asked for does not exist.
//! [`Ctx::set_max_operations`] bounds the work: what exceeds it fails
//! with [`ErrorKind::Quota`], until [`Ctx::reset_operations`].
//!
//! # Callbacks
//!
//! Where isl takes a function, these bindings take a closure, `&mut dyn FnMut`, which isl
//! calls only during the call it is given to. An error returned by the closure ends the
//! iteration and comes back unchanged; a panic in a closure continues in the caller once
//! isl has returned. [`AstBuild::node_from_schedule_with`] stands for the functions
//! which store callbacks in a build.

mod ast;
mod callback;
mod clock;
mod convenience;
mod convert;
mod ctx;
mod error;
mod generated;
mod object;
mod print;

pub use ast::AstBuildCallbacks;
pub use convert::Pos;
pub use ctx::Ctx;
pub use error::{Error, ErrorKind, Result};
pub use generated::*;
pub use print::version;

/// isl's numeric constants, for the options of [`Ctx`].
pub mod consts {
    pub use isl_sys::{
        ISL_AST_BUILD_SEPARATION_BOUNDS_EXPLICIT, ISL_AST_BUILD_SEPARATION_BOUNDS_IMPLICIT,
        ISL_BOUND_BERNSTEIN, ISL_BOUND_RANGE, ISL_SCHEDULE_ALGORITHM_FEAUTRIER,
        ISL_SCHEDULE_ALGORITHM_ISL,
    };
}
