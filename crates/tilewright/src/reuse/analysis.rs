//! Everything about one region, in order: the pipeline of this module.

use super::folding::{Folding, Memory, two_full_tiles};
use super::lifetimes::{Overlap, Precision};
use super::tiling::{Mapping, Tiling};
use super::traffic::Traffic;
use super::transfers::{LiveOut, Transfers};
use super::{Accesses, Result, ReuseError};
use crate::analysis::region::Region;
use crate::plan::defaults;
use crate::scop::Outside;
use isl::Set;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// θ as isl's text; without, isl's scheduler finds one.
    pub mapping: Option<String>,
    /// The first tiled dimension and how many there are; without, the most that can be.
    pub band: Option<(usize, usize)>,
    /// Dimensions of a strip.
    pub strip: usize,
    /// Names of the tile sizes.
    pub sizes: Option<Vec<String>>,
    /// What is stored.
    pub live_out: LiveOut,
    /// How sets are taken for sizes.
    pub precision: Precision,
    /// Whether the cells of an array may be folded in several parts.
    pub pieces: bool,
    /// isl operations that each step may take.
    pub budget: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            mapping: None,
            band: None,
            strip: 1,
            sizes: None,
            live_out: LiveOut::default(),
            precision: Precision::Rational,
            pieces: false,
            budget: defaults::REUSE_OPERATIONS,
        }
    }
}

/// What is known of one region.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The tiling.
    pub tiling: Tiling,
    /// Its accesses.
    pub accesses: Accesses,
    /// What tiles load and store.
    pub transfers: Transfers,
    /// What is assumed throughout.
    pub context: Set,
    /// The restriction of [`two_full_tiles`], under which sizes are simple.
    pub full: Set,
    options: Options,
}

impl Analysis {
    /// Transfers of a region's tiles.
    ///
    /// # Errors
    /// [`ReuseError::Refused`] where the tiling does not fit; isl's own, among them that the
    /// budget ran out.
    pub fn of(region: &Region, options: &Options) -> Result<Analysis> {
        let scop = &region.scop;
        if let Some(call) = scop.outside() {
            let name = call.name;
            let reason = match call.why {
                Outside::Arrays => format!("`{name}` gets arrays, which stay where they are"),
                Outside::State => call.reason(),
            };
            return Err(ReuseError::Refused(reason));
        }
        let ctx = &scop.ctx;
        ctx.set_max_operations(options.budget)?;
        ctx.reset_operations();
        let mapping = match &options.mapping {
            Some(text) => Mapping::parse(region, text, options.band)?,
            None => Mapping::scheduled(region, options.band)?,
        };
        let tiling = Tiling::new(scop, mapping, options.strip, options.sizes.clone())?;
        ctx.reset_operations();
        let accesses = Accesses::of(region, &tiling.mapping)?;
        let context = tiling.context(scop)?;
        let full = two_full_tiles(scop, &tiling, &context)?;
        ctx.reset_operations();
        let transfers = Transfers::of(region, &tiling, &accesses, options.live_out)?;
        Ok(Analysis {
            tiling,
            accesses,
            transfers,
            context,
            full,
            options: options.clone(),
        })
    }

    /// The local memory for a schedule: for all sizes, or only where there are two full tiles in
    /// a row.
    ///
    /// # Errors
    /// isl's own.
    pub fn memory(&self, overlap: Overlap, everywhere: bool) -> Result<Memory> {
        let context = if everywhere {
            &self.context
        } else {
            &self.full
        };
        context.ctx().reset_operations();
        let folding = Folding {
            tiling: &self.tiling,
            accesses: &self.accesses,
            transfers: &self.transfers,
            overlap,
            precision: self.options.precision,
            context,
        };
        Ok(if self.options.pieces {
            folding.in_pieces()?
        } else {
            folding.whole()?
        })
    }

    /// The traffic of strips.
    ///
    /// # Errors
    /// isl's own.
    pub fn traffic(&self, region: &Region) -> Result<Traffic> {
        region.scop.ctx.reset_operations();
        Traffic::of(&region.scop, &self.tiling, &self.transfers)
    }
}

impl ReuseError {
    /// What could be done about it, where that is known.
    pub fn help(&self) -> Option<&'static str> {
        self.is_quota().then_some(
            "tile fewer dimensions with --band, give a simpler mapping with --mapping, or allow \
             more with --budget",
        )
    }
}
