//! Everything around the compiler that touches the machine: files, processes, the environment
//! and the clock.
//!
//! - [`preprocess`] reads a C file and runs the system's preprocessor on it.
//! - [`diagnostics`] renders messages.
//! - [`output`] writes files whole or not at all.
//! - [`toolchain`] builds shared libraries with the system's C compiler, [`wrapper`] writes the C
//!   around a program that makes it callable.
//! - [`data`] makes the arrays: random, test charts, pictures, `.npy` files.
//! - [`run`] runs two versions of a program on the same data in a process of their own
//!   ([`worker`]), compares them bit by bit ([`compare`]) and times them by turns.
//! - [`device`] lists devices, and builds what runs on them.
//! - [`machine`] finds out for planners what the caches are, [`calibrate`] what moving bytes and
//!   starting loops takes.
//! - [`experiment`] puts these together: original against result.
//! - [`contest`] times more than two: several C compilers' builds, and peers that other compilers
//!   made.
//! - [`cache`] keeps on disk what was built.
//! - [`tune`] searches for the plan with which a program is fastest on this machine.
//!
//! Every failure is a [`Diagnostic`](tilewright::diagnostic::Diagnostic) that says what to do.

pub mod cache;
pub mod calibrate;
pub mod clock;
pub mod compare;
pub mod contest;
pub mod data;
pub mod device;
pub mod diagnostics;
pub mod experiment;
mod forked;
pub mod input;
pub mod job;
pub mod library;
pub mod machine;
pub mod output;
pub mod preprocess;
pub mod process;
pub mod run;
pub mod statistics;
pub mod toolchain;
pub mod tune;
mod wide;
pub mod worker;
pub mod wrapper;

/// What may go wrong here always has words for the user.
pub type Result<T> = std::result::Result<T, Box<tilewright::diagnostic::Diagnostic>>;
