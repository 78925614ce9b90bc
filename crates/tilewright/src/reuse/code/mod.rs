//! Tiled loops as C: tile sizes are variables, each tile copies in what it loads, computes on
//! local arrays, and copies out what it stores.
//!
//! Inside a tile, loops come from isl's AST generation with the tile's origin as parameters. The
//! loops over origins, whose steps are tile sizes, are written around them, as Renganarayanan et
//! al. (PLDI 2007) do it: from the multiple of the size at or below the first point on, as long as
//! there are points. Tiles without points do nothing.
//!
//! `locals` decides what is kept where, `origins` writes the loops over tiles and functions of
//! parameters, `phases` what is done for a tile and in which order, `offload` what that takes where
//! tiles compute on a device, `macros` what all of it is spelled with.

mod locals;
mod macros;
mod offload;
mod origins;
mod phases;

use super::accesses::Accesses;
use super::folding::Memory;
use super::lifetimes::{Overlap, counter};
use super::tiling::Tiling;
use super::transfers::Transfers;
use super::{Result, ReuseError};
use crate::analysis::region::Region;
use crate::scop::{ScalarKind, Scop};
use isl::{Id, IdList};
use locals::Local;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Prefix of all names in the generated text that are not the program's.
const PREFIX: &str = "tw_";

/// Loop depth up to which isl is given names.
const MAX_DEPTH: usize = 32;

/// The parts of a program that the text is made of.
pub struct Program<'a> {
    /// The program.
    pub region: &'a Region,
    /// How it is tiled.
    pub tiling: &'a Tiling,
    /// Its accesses.
    pub accesses: &'a Accesses,
    /// What tiles load and store.
    pub transfers: &'a Transfers,
    /// The local memory for the schedule of `overlap`, under the tiling's context.
    pub memory: &'a Memory,
    /// Whether a tile's transfers run beside the computations of its neighbours.
    pub overlap: Overlap,
    /// Values that tile sizes have where the compiler is given no others, in their order.
    pub sizes: &'a [i64],
    /// What the text is written for.
    pub target: &'a Target,
}

/// What the text is written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Any C compiler: local arrays are allocated for each strip.
    C,
    /// The same; with double buffering, one thread moves data while another one computes.
    OpenMp,
    /// C with OpenMP for a device that tiles compute on, with local arrays in its memory; with
    /// double buffering, transfers and computations are asynchronous tasks.
    OpenMpTarget,
    /// High-level synthesis: tile sizes are constants, local arrays have fixed extents, copies
    /// are loops over the last subscript that move one element per iteration.
    Synthesis {
        /// Whether pragmas of Vitis HLS are written.
        pragmas: bool,
        /// The greatest values that parameters have, by their C spelling, as far as local arrays
        /// depend on them.
        at_most: Vec<(String, i64)>,
    },
}

/// The text that replaces the region. `taken` are the identifiers of the file.
///
/// Each tile size is the macro `TILE_<name>`, which may be any expression (a constant one for
/// [`Target::Synthesis`]), where it is defined in front of the text or on the compiler's command
/// line. Where the macros `TILEWRIGHT_STRIP()`, `TILEWRIGHT_LOAD(outside, inside)`,
/// `TILEWRIGHT_STORE(outside, inside)` and `TILEWRIGHT_COMPUTED(outside, inside)` are defined, they
/// are called at the begin of a strip, for every element moved, and for every element written by
/// the computation, with its addresses.
///
/// # Errors
/// isl's own; [`ReuseError::Refused`] for what cannot be generated.
pub fn generate(program: &Program<'_>, taken: &BTreeSet<String>) -> Result<String> {
    let scop = &program.region.scop;
    let names = program.tiling.sizes.iter().cloned();
    let names: Vec<String> = names
        .chain((0..program.tiling.mapping.outer).map(counter))
        .collect();
    if let Some(name) = names.iter().find(|name| taken.contains(*name)) {
        return Err(ReuseError::Refused(format!(
            "the file uses the name `{name}`, which the generated text needs; choose other names \
             of tile sizes with --sizes"
        )));
    }
    if let Some(name) = taken.iter().find(|name| name.starts_with(PREFIX)) {
        return Err(ReuseError::Refused(format!(
            "the file uses the name `{name}`; the generated text needs all that begin with \
             `{PREFIX}`"
        )));
    }
    for param in &scop.params {
        if param.ctype.kind == ScalarKind::U64 || param.name != param.spelling {
            return Err(ReuseError::Refused(format!(
                "`{}` bounds loops; copy it to a variable of type `long` in front of the region",
                param.spelling
            )));
        }
    }
    let mut writer = Writer {
        program,
        scop,
        locals: Vec::new(),
        iterators: IdList::alloc(&scop.ctx, MAX_DEPTH)?,
        out: String::new(),
        level: 1,
    };
    writer.locals = writer.kept()?;
    for depth in 0..MAX_DEPTH {
        let id = Id::alloc(&scop.ctx, &format!("{PREFIX}{depth}"))?;
        writer.iterators = writer.iterators.add(&id)?;
    }
    writer.region()?;
    Ok(writer.out)
}

struct Writer<'a> {
    program: &'a Program<'a>,
    scop: &'a Scop,
    locals: Vec<Local>,
    iterators: IdList,
    out: String,
    level: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let indent = if text.starts_with('#') {
            0
        } else {
            self.level * 4
        };
        let _ = writeln!(self.out, "{}{text}", " ".repeat(indent));
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.level += 1;
    }

    fn close(&mut self) {
        self.level -= 1;
        self.line("}");
    }

    fn is_synthesis(&self) -> bool {
        matches!(self.program.target, Target::Synthesis { .. })
    }

    /// A pragma for synthesis, where these are asked for.
    fn pragma(&mut self, text: &str) {
        if let Target::Synthesis { pragmas: true, .. } = self.program.target {
            self.line(&format!("#pragma HLS {text}"));
        }
    }

    fn region(&mut self) -> Result<()> {
        let tiling = self.program.tiling;
        self.level = 0;
        self.open("{");
        self.macros();
        self.sizes();
        let mapping = &tiling.mapping;
        let strips = mapping.outer + tiling.first_in_strip();
        if self.is_synthesis() {
            self.allocate()?;
        }
        self.open_tasks();
        for dim in 0..strips {
            self.origin_loop(dim)?;
        }
        if !self.is_synthesis() {
            self.allocate()?;
        }
        self.line("TILEWRIGHT_STRIP();");
        self.strip()?;
        if !self.is_synthesis() {
            self.free();
        }
        for _ in 0..strips {
            self.close();
        }
        self.close_tasks();
        self.remove_macros();
        self.level = 0;
        self.line("}");
        Ok(())
    }

    /// The tile sizes.
    fn sizes(&mut self) {
        let names = self.program.tiling.sizes.iter();
        for (name, size) in names.zip(self.program.sizes) {
            self.line(&format!("#ifndef TILE_{name}"));
            self.line(&format!("#define TILE_{name} {size}"));
            self.line("#endif");
            self.line(&if self.is_synthesis() {
                format!("enum {{ {name} = TILE_{name} }};")
            } else {
                format!("const long {name} = TILE_{name};")
            });
        }
    }
}
