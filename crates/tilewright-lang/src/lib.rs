//! Image pipelines written as stages, compiled by tilewright, run on slices.
//!
//! A pipeline has *parameters* (sizes, and numbers), *images* that it reads, and *functions* over
//! domains of integers, each of which says by an expression what its values are; some are
//! *outputs*. [`Compile::compile`] checks it, groups and tiles it, builds the C that comes out with
//! the system's C compiler, and gives a [`Kernel`] to call.
//!
//! The book's chapter on pipelines as stages shows all constructs, with examples.
//!
//! Nothing panics on what users say: every mistake is a [`Problem`] that names the function.

mod build;
mod call;
mod explain;
mod kernel;
mod planned;
mod tune;

pub use call::Call;
pub use kernel::{Compile, Kernel, Options};
pub use planned::Planned;
pub use tilewright::frontend::pipeline::*;
pub use tilewright::scop::ScalarKind;
pub use tilewright::scop::ScalarKind::{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
pub use tilewright_driver::data::element::Element;
pub use tilewright_driver::host::toolchain::Toolchain;
pub use tune::{Progress, Space, Tuned, Tuning};

/// The examples of the book's chapter.
#[cfg(doctest)]
// Those that are a package's files have their names beside the language.
#[allow(rustdoc::invalid_codeblock_attributes)]
#[doc = include_str!("../../../docs/src/language.md")]
struct Book;
