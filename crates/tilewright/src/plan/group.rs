//! Groups of stages, and what is said of them whatever the shape of their tiles is.

use super::defaults;
use super::file::Entry;
use super::shape::Shape;
use super::steps::LoopStep;
use super::tiles::{Affine, Jam, OverTime, Overlapped, Tiles, Trapezoids, Written};
use serde::{Deserialize, Serialize};

/// Stages that are tiled together. Files have it as one flat table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Entry", into = "Entry")]
pub struct Group {
    /// Stages by name, producers first. Every stage of the region is in exactly one group.
    pub stages: Vec<String>,
    /// The shape of the tiles, with all that it has.
    pub tiles: Tiles,
    /// Arrays and scalars whose updates, `a[…] += …`, may be made in another order than the
    /// program's; sums of floating-point numbers then have other last bits.
    pub reorder: Vec<String>,
    /// Run tiles (or, untiled, the outermost parallel loop) in parallel.
    pub parallel: bool,
    /// Mark the innermost parallel loop `simd`.
    pub vectorise: bool,
    /// What a device does with the group.
    pub device: Device,
}

/// What is said of a group for devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Threads of the block that executes a tile, along x (neighbouring cells) and y; none: as many
    /// as [`defaults::BLOCK_THREADS`], in a shape that suits short loops.
    pub threads: Vec<i64>,
    /// How many parallel loops directly inside each other, from the outermost one on, are dealt
    /// out to blocks together, where their bounds do not depend on each other: loops as written
    /// and those of the affine scheduler, and the copies around overlapped tiles over time.
    pub grid: i64,
    /// Loops with a minimum or maximum in their bounds get a second version without, behind a test
    /// of the whole block (`codegen::gpu::grids::full_tiles`).
    pub full_tiles: bool,
    /// Iterations of a thread's innermost loop that are written as one, where it has a constant
    /// number of them; 1: the compiler's choice.
    pub unroll: i64,
    /// Independent loops inside the grid whose bounds are data become part of it, up to their
    /// static bounds; every block computes the bounds for itself (`codegen::gpu::grids::data`).
    pub sink: bool,
    /// Arrays whose cells a tile keeps in local memory, copied there and back.
    pub promote: Vec<Promotion>,
    /// Banks of local memory, a power of two: rows of arrays there are longer than they need to be
    /// where neighbouring threads would need the same bank (`codegen::gpu::conflicts::banks`). 0: rows are as
    /// long as they are.
    pub banks: i64,
    /// Integers for loop variables and indices.
    pub index: IndexType,
}

impl Default for Device {
    fn default() -> Device {
        Device {
            threads: Vec::new(),
            grid: 1,
            full_tiles: false,
            unroll: 1,
            sink: false,
            promote: Vec::new(),
            banks: defaults::BANKS,
            index: IndexType::default(),
        }
    }
}

/// An array in local memory on a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Promotion {
    /// The array.
    pub array: String,
    /// Where it is copied: inside so many loops of the block that executes a tile, not counting
    /// those that are distributed to threads; in launches where it has no box of constant size
    /// there, inside the fewest more for which it has one. 0: once for the whole tile.
    #[serde(default)]
    pub depth: usize,
}

/// Integers that a device counts and addresses with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IndexType {
    /// 32 bits in kernels for which they are enough with most sizes; which it is the host finds out
    /// before the first launch, and launches kernels with 64 bits otherwise
    /// (`codegen::gpu::index_types`).
    #[default]
    Int,
    /// 64 bits.
    Long,
}

impl Group {
    /// A group with default decisions.
    pub fn new(stages: Vec<String>, shape: Shape) -> Group {
        Group {
            stages,
            tiles: Tiles::new(shape),
            reorder: Vec::new(),
            parallel: true,
            vectorise: true,
            device: Device::default(),
        }
    }

    /// The shape of the tiles.
    pub fn shape(&self) -> Shape {
        self.tiles.shape()
    }

    /// Loops as written.
    pub fn written(&self) -> Option<&Written> {
        match &self.tiles {
            Tiles::Written(written) => Some(written),
            _ => None,
        }
    }

    /// Tiles of the affine scheduler.
    pub fn affine(&self) -> Option<&Affine> {
        match &self.tiles {
            Tiles::Affine(affine) => Some(affine),
            _ => None,
        }
    }

    /// Overlapped tiles.
    pub fn overlapped(&self) -> Option<&Overlapped> {
        match &self.tiles {
            Tiles::Overlapped(overlapped) => Some(overlapped),
            _ => None,
        }
    }

    /// Tiles over time without overlap.
    pub fn over_time(&self) -> Option<&OverTime> {
        match &self.tiles {
            Tiles::OverTime(over_time) => Some(over_time),
            _ => None,
        }
    }

    /// [`Group::written`], to be changed.
    pub fn written_mut(&mut self) -> Option<&mut Written> {
        match &mut self.tiles {
            Tiles::Written(written) => Some(written),
            _ => None,
        }
    }

    /// [`Group::affine`], to be changed.
    pub fn affine_mut(&mut self) -> Option<&mut Affine> {
        match &mut self.tiles {
            Tiles::Affine(affine) => Some(affine),
            _ => None,
        }
    }

    /// [`Group::overlapped`], to be changed.
    pub fn overlapped_mut(&mut self) -> Option<&mut Overlapped> {
        match &mut self.tiles {
            Tiles::Overlapped(overlapped) => Some(overlapped),
            _ => None,
        }
    }

    /// [`Group::over_time`], to be changed.
    pub fn over_time_mut(&mut self) -> Option<&mut OverTime> {
        match &mut self.tiles {
            Tiles::OverTime(over_time) => Some(over_time),
            _ => None,
        }
    }

    /// The tile sizes; loops as written have none.
    pub fn tile_sizes(&self) -> &[i64] {
        match &self.tiles {
            Tiles::Written(_) => &[],
            Tiles::Affine(affine) => &affine.tile_sizes,
            Tiles::Overlapped(overlapped) => &overlapped.tile_sizes,
            Tiles::OverTime(over_time) => &over_time.tile_sizes,
        }
    }

    /// The same, to be changed.
    pub fn tile_sizes_mut(&mut self) -> Option<&mut Vec<i64>> {
        match &mut self.tiles {
            Tiles::Written(_) => None,
            Tiles::Affine(affine) => Some(&mut affine.tile_sizes),
            Tiles::Overlapped(overlapped) => Some(&mut overlapped.tile_sizes),
            Tiles::OverTime(over_time) => Some(&mut over_time.tile_sizes),
        }
    }

    /// Point loops that are unrolled and jammed.
    pub fn jam(&self) -> &[Jam] {
        match &self.tiles {
            Tiles::Written(_) => &[],
            Tiles::Affine(affine) => &affine.jam,
            Tiles::Overlapped(overlapped) => &overlapped.jam,
            Tiles::OverTime(over_time) => &over_time.jam,
        }
    }

    /// What is done to the loops by name.
    pub fn loops(&self) -> &[LoopStep] {
        match &self.tiles {
            Tiles::Written(written) => &written.loops,
            Tiles::Affine(affine) => &affine.loops,
            Tiles::Overlapped(_) | Tiles::OverTime(_) => &[],
        }
    }

    /// Arrays whose updates are atomic.
    pub fn atomic(&self) -> &[String] {
        self.written().map_or(&[], |written| &written.atomic)
    }

    /// Whether the group is an iterated stencil whose overlapped tiles extend over its time loop
    /// ([`crate::rewrite::bands`]), and not a pipeline: whether, all stages taken together, one
    /// reads values, of other cells, that go back to its own (`cyclic`,
    /// [`crate::analysis::stages::StageGraph::is_cyclic`]). Its tile sizes are then those of a shape
    /// over time.
    pub fn overlaps_over_time(&self, cyclic: bool) -> bool {
        let known = |of: &Overlapped| of.trapezoids != Trapezoids::Polymage;
        cyclic && self.overlapped().is_some_and(known)
    }
}
