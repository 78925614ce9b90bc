//! tilewright as a library: C with a marked region in, verified and faster C out.
//!
//! The way data takes, one direction, no back edges:
//!
//! ```text
//! C text ─ frontend::c ─► Scop ─ analysis ─► Dataflow, StageGraph
//!                          │                      │
//!                          │        planner ◄─────┘
//!                          ▼         ▼
//!            rewrite, transform(Scop, Plan) ─► Transformed (schedule tree + buffers)
//!                                   │
//!                               validate
//!                                   │
//!                                codegen ─► kernel AST ─► C text
//! ```
//!
//! In which order the folders stand is in `ARCHITECTURE.md`, and tested (`tests/layers.rs`). Each arrow is a
//! module, each box a data type whose invariants are written where it is defined.
//! Planners decide and never transform; transforms apply and never decide. Nothing in this crate
//! touches files, processes, the environment or the clock: the crates `tilewright-driver` and
//! `tilewright-cli` do.

pub mod analysis;
pub mod codegen;
pub mod compile;
pub mod diagnostic;
pub mod frontend;
mod mistakes;
pub mod plan;
pub mod planner;
pub mod reuse;
pub mod rewrite;
pub mod scop;
pub mod source;
pub mod transform;
pub mod validate;
pub mod view;
