//! Image pipelines written as stages, compiled by tilewright, run on slices.
//!
//! A pipeline has *parameters* (sizes, and numbers), *images* that it reads, and *functions* over
//! domains of integers, each of which says by an expression what its values are; some are
//! *outputs*. [`Compile::compile`] checks it, groups and tiles it, builds the C that comes out with
//! the system's C compiler, and gives a [`Kernel`] to call.
//!
//! ```
//! use tilewright_lang::*;
//!
//! let mut p = Pipeline::new("blur");
//! let [r, c] = p.parameters(["R", "C"]);
//! let [x, y] = p.variables(["x", "y"]);
//! let img = p.image("img", F32, (r + 2, c + 2));
//! let blurx = p.function("blurx", F32, [x.below(r), y.below(c + 2)]);
//! p.define(blurx, (img.at((x, y)) + img.at((x + 1, y)) + img.at((x + 2, y))) / 3);
//! let blury = p.output("blury", F32, [x.below(r), y.below(c)]);
//! p.define(blury, (blurx.at((x, y)) + blurx.at((x, y + 1)) + blurx.at((x, y + 2))) / 3);
//! let kernel = p.compile()?;
//!
//! let picture = vec![1.0f32; 66 * 102];
//! let mut blurred = vec![0.0f32; 64 * 100];
//! kernel.call().image("img", &picture, &[66, 102]).output("blury", &mut blurred).run()?;
//! assert_eq!(blurred, vec![1.0; 64 * 100]);
//! # Ok::<(), Problems>(())
//! ```
//!
//! Nothing panics on what users say: every mistake is a [`Problem`] that names the function.

mod build;
mod call;
mod element;
mod explain;
mod kernel;

pub use call::Call;
pub use element::Element;
pub use kernel::{Compile, Kernel, Options};
pub use tilewright::frontend::pipeline::*;
pub use tilewright::scop::ScalarKind;
pub use tilewright::scop::ScalarKind::{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
