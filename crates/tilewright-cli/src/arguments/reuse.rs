//! Options of `reuse`.

use super::{CArguments, assignment};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tilewright::plan::defaults;
use tilewright::reuse::analysis::Options;
use tilewright::reuse::{LiveOut, Overlap, Precision};

/// Options of `reuse`.
#[derive(Debug, Args)]
pub struct ReuseArguments {
    /// C file with `#pragma scop` … `#pragma endscop` around loops.
    pub file: PathBuf,
    #[command(flatten)]
    pub tiles: ReuseTiles,
    #[command(flatten)]
    pub transfers: ReuseTransfers,
    #[command(flatten)]
    pub sizes: ReuseSizes,
    #[command(flatten)]
    pub text: ReuseText,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// isl operations that each step may take.
    #[arg(long, value_name = "N", default_value_t = defaults::REUSE_OPERATIONS)]
    pub budget: u64,
    #[command(flatten)]
    pub c: CArguments,
}

/// What is tiled, and how the sizes of tiles are called.
#[derive(Debug, Args)]
pub struct ReuseTiles {
    /// Where each instance goes before it is tiled, as isl's text:
    /// `{ S0[t, i] -> [t, 2t + i, 0]; … }` [default: what isl's scheduler finds].
    #[arg(long, value_name = "MAP")]
    pub mapping: Option<String>,
    /// The first dimension that is tiled, from 0, and how many are [default: the most that can be
    /// tiled together].
    #[arg(long, value_name = "FIRST,COUNT", value_parser = band)]
    pub band: Option<(usize, usize)>,
    /// How many of the innermost tiled dimensions make up a strip, whose tiles share a local
    /// memory.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub strip: usize,
    /// Names of the tile sizes [default: s1, s2, …].
    #[arg(long = "sizes", value_name = "NAME,NAME", value_delimiter = ',')]
    pub names: Option<Vec<String>>,
}

/// What strips load and store, and where they keep it.
#[derive(Debug, Args)]
pub struct ReuseTransfers {
    /// What a strip stores.
    #[arg(long, value_enum, default_value_t = LiveOutChoice::Read)]
    pub live_out: LiveOutChoice,
    /// Whether transfers run beside computations, in generated text and for `--minimise`.
    #[arg(long, value_enum, default_value_t = OverlapChoice::Sequential)]
    pub overlap: OverlapChoice,
    /// Take sets of integers as they are for sizes: slower, and less simple where it is less.
    #[arg(long)]
    pub integer: bool,
    /// Fold an array in several pieces where that needs less memory: cells of accesses that run
    /// through the array in different ways.
    #[arg(long)]
    pub pieces: bool,
}

/// Numbers for parameters and tile sizes.
#[derive(Debug, Args)]
pub struct ReuseSizes {
    /// Value of a parameter: counts what is moved, together with --tile-sizes; needed for
    /// --minimise. With `--target hls` the greatest value for which local arrays are large enough.
    #[arg(short, long = "param", value_name = "NAME=VALUE", value_parser = assignment)]
    pub params: Vec<(String, String)>,
    /// Tile sizes: for counts, and for the generated text where nothing else is defined.
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(i64).range(1..=defaults::WHOLE))]
    pub tile_sizes: Option<Vec<i64>>,
    /// Choose tile sizes.
    #[arg(
        long,
        value_enum,
        requires = "local_memory",
        conflicts_with = "tile_sizes"
    )]
    pub minimise: Option<Minimise>,
    /// Bytes of local memory that chosen tile sizes may take, as 64K.
    #[arg(long, value_name = "BYTES", requires = "minimise", value_parser = super::model::size)]
    pub local_memory: Option<i64>,
}

/// What is written.
#[derive(Debug, Args)]
pub struct ReuseText {
    /// Write the file with the region as tiled loops on local arrays; `-` is standard output,
    /// then nothing else is printed.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What the text is written for.
    #[arg(long, value_enum, default_value_t = TextChoice::C)]
    pub target: TextChoice,
    /// Write pragmas of Vitis HLS, for `--target hls`.
    #[arg(long)]
    pub pragmas: bool,
}

impl ReuseArguments {
    /// Options of the analysis.
    pub fn options(&self) -> Options {
        let (tiles, transfers) = (&self.tiles, &self.transfers);
        Options {
            mapping: tiles.mapping.clone(),
            band: tiles.band,
            strip: tiles.strip,
            sizes: tiles.names.clone(),
            live_out: match transfers.live_out {
                LiveOutChoice::Read => LiveOut::Read,
                LiveOutChoice::All => LiveOut::All,
            },
            precision: if transfers.integer {
                Precision::Integer
            } else {
                Precision::Rational
            },
            pieces: transfers.pieces,
            budget: self.budget,
        }
    }
}

/// What is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LiveOutChoice {
    /// Values that other strips or whoever comes after the region read.
    Read,
    /// All that it wrote.
    All,
}

/// What is made least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Minimise {
    /// Bytes loaded and stored.
    Traffic,
}

/// Schedules of transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OverlapChoice {
    /// A tile loads, computes and stores before the next one begins.
    Sequential,
    /// Double buffering.
    Double,
}

impl OverlapChoice {
    /// The library's.
    pub fn overlap(self) -> Overlap {
        match self {
            OverlapChoice::Sequential => Overlap::Sequential,
            OverlapChoice::Double => Overlap::Double,
        }
    }
}

/// What generated text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TextChoice {
    /// Any C compiler.
    C,
    /// C with OpenMP: with `--overlap double`, one thread moves data while another one computes.
    Openmp,
    /// C with OpenMP's `target`: tiles compute on a device; with `--overlap double`, transfers and
    /// computations are asynchronous tasks.
    OpenmpTarget,
    /// High-level synthesis: constant tile sizes, local arrays of fixed extents.
    Hls,
}

fn band(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once(',');
    let parts = parts.and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    parts.ok_or_else(|| "a band is FIRST,COUNT, as 0,2".to_owned())
}
