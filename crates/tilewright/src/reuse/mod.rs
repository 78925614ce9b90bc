//! Offloading tile by tile: what each tile loads and stores, and how much memory it needs.
//!
//! Darte and Isoard, *Parametric Tiling with Inter-Tile Data Reuse*, IMPACT 2014. Tiles are
//! named by their lower corner, and all tiles are considered, not only those that belong to one
//! tiling (section 3): then the set of points of a tile, and of all points before or behind it, is
//! affine in the tile sizes, which are isl parameters like any other.
//!
//! ```text
//! Region, Tiling ─ accesses ─► Accesses ─ transfers ─► Transfers (Load, Store, In)
//!                                  │                       │
//!                                  └────── lifetimes ◄─────┘
//!                                             │ conflicts
//!                                          folding ─► Memory (moduli, parametric)
//!                                             │ pieces: several for one array
//!                                             │
//!          traffic (cells moved, sizes chosen) · code (C with local buffers)
//! ```
//!
//! Tiles of one *strip* are executed one after another and share a local memory: an element is
//! loaded at most once in a strip, and never where it was computed there.

pub mod accesses;
pub mod analysis;
pub mod approximation;
pub mod code;
pub mod folding;
pub mod lifetimes;
pub mod pieces;
pub mod report;
pub mod tiling;
pub mod traffic;
pub mod transfers;

pub mod counts;
#[cfg(test)]
mod tests;

pub use accesses::Accesses;
pub use folding::Memory;
pub use lifetimes::{Overlap, Precision};
pub use tiling::{Mapping, Tiling};
pub use transfers::{LiveOut, Transfers};

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum ReuseError {
    /// isl's own, among them that its budget ran out.
    #[error(transparent)]
    Isl(#[from] isl::Error),
    /// The tiling does not fit the program; the message says why and what would.
    #[error("{0}")]
    Refused(String),
}

impl ReuseError {
    /// Whether isl's budget ran out.
    pub fn is_quota(&self) -> bool {
        matches!(self, ReuseError::Isl(error) if error.is_quota())
    }
}

/// The result of a pass here.
pub type Result<T> = std::result::Result<T, ReuseError>;
