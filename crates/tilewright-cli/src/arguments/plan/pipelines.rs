//! What becomes of pipelines of stages.

use super::super::model::ModelArguments;
use clap::{Args, ValueEnum};
use tilewright::plan::defaults;
use tilewright::planner::{Inline, InnerTile, PipelineWishes};

/// Which stages share tiles, and what such a tile is. How stages are grouped stands with the cost
/// model ([`ModelArguments`]).
#[derive(Debug, Args)]
pub struct PipelineArguments {
    /// Stages that their consumers compute where they read them: `auto`, `none`,
    /// `pointwise`, or names.
    #[arg(
        long,
        value_name = "NAME,NAME",
        value_delimiter = ',',
        default_value = "auto"
    )]
    pub inline: Vec<String>,
    /// Greatest share of a tile that its neighbours may compute too before fusion stops.
    #[arg(long, value_name = "SHARE", default_value_t = defaults::OVERLAP_TOLERANCE)]
    pub overlap_tolerance: f64,
    /// Dimensions of a pipeline's result, outermost 0, in which tiles overlap; in the outermost
    /// other one tiles are ordinary ones, executed in sequence.
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    pub overlap: Option<Vec<usize>>,
    /// Tiles inside the overlapped tiles of pipelines, executed in sequence: `auto`, `none`, `l1`
    /// (as many rows as fit the first cache), or a number of rows.
    #[arg(long, value_name = "ROWS", default_value = "auto", value_parser = inner_tile, conflicts_with_all = ["shape", "overlap"])]
    pub inner_tile: InnerTile,
    /// Whether stages of a tile that compute the same cells share their loops, and so registers.
    #[arg(long, value_enum, default_value_t = PointLoops::Shared)]
    pub point_loops: PointLoops,
}

impl PipelineArguments {
    pub(super) fn wishes(&self, model: &ModelArguments) -> PipelineWishes {
        PipelineWishes {
            inline: match &self.inline[..] {
                [only] if only == "auto" => Inline::Auto,
                [only] if only == "none" => Inline::None,
                [only] if only == "pointwise" => Inline::Pointwise,
                names => Inline::Stages(names.to_vec()),
            },
            fusion: model.fusion.fusion(),
            group_limit: model.group_limit,
            overlap_tolerance: self.overlap_tolerance,
            overlap: self.overlap.clone(),
            inner_tile: self.inner_tile,
            share_loops: self.point_loops == PointLoops::Shared,
        }
    }
}

/// Loops inside tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PointLoops {
    /// Stages that read each other in the same iteration only, or the same cells.
    Shared,
    /// Every stage has loops of its own.
    Apart,
}

fn inner_tile(text: &str) -> Result<InnerTile, String> {
    let rows = || {
        text.parse()
            .ok()
            .filter(|rows| (1..=defaults::WHOLE).contains(rows))
    };
    match text {
        "auto" => Ok(InnerTile::Auto),
        "none" => Ok(InnerTile::None),
        "l1" => Ok(InnerTile::FirstCache),
        _ => rows()
            .map(InnerTile::Rows)
            .ok_or_else(|| "inner tiles are `auto`, `none`, `l1`, or a number of rows".to_owned()),
    }
}
