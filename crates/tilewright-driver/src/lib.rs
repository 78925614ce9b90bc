//! Everything around the compiler that touches the machine: files, processes, the environment
//! and the clock.
//!
//! - [`host::preprocess`] reads a C file and runs the system's preprocessor on it.
//! - [`diagnostics`] renders messages.
//! - [`host::output`] writes files whole or not at all.
//! - [`host::toolchain`] builds shared libraries with the system's C compiler, [`measure::wrapper`] writes the C
//!   around a program that makes it callable.
//! - [`data`] makes the arrays: random, test charts, pictures, `.npy` files.
//! - [`measure::run`] runs two versions of a program on the same data in a process of their own
//!   ([`measure::worker`]), compares them bit by bit ([`measure::compare`]) and times them by turns.
//! - [`host::device`] lists devices, and builds what runs on them.
//! - [`host::machine`] finds out for planners what the caches are, [`calibrate`] what moving bytes and
//!   starting loops takes.
//! - [`measure::experiment`] puts these together: original against result.
//! - [`measure::contest`] times more than two: several C compilers' builds, and peers that other compilers
//!   made.
//! - [`fix`] puts into a file what messages offer in place of what they are about.
//! - [`cache`] keeps on disk what was built.
//! - [`launch`] stands in front of a C compiler: what it would do for the calls of a build.
//! - [`tune`] searches for the plan with which a program is fastest on this machine.
//!
//! Every failure is a [`Diagnostic`](tilewright::diagnostic::Diagnostic) that says what to do.

pub mod cache;
pub mod calibrate;
pub mod data;
pub mod diagnostics;
pub mod fix;
pub mod host;
pub mod launch;
pub mod measure;
pub mod tune;

/// What may go wrong here always has words for the user.
pub type Result<T> = std::result::Result<T, Box<tilewright::diagnostic::Diagnostic>>;
