//! What the planner is asked for beyond its defaults.

use super::model::{CostChoice, FusionChoice};
use super::plan::{FullTiles, LocalMemory, PlanArguments, PointLoops};
use crate::terminal::Failure;
use tilewright::plan::{IndexType, defaults};
use tilewright::planner::InnerTile;
use tilewright::planner::requests::{self, Place};

impl PlanArguments {
    /// Whether all that is asked for has a meaning together.
    ///
    /// # Errors
    /// What has none.
    pub fn check(&self) -> Result<(), Failure> {
        self.trust.check().map_err(Failure::usage)?;
        let pointwise = matches!(&self.inline[..], [only] if only == "pointwise");
        let tolerance = self.overlap_tolerance != defaults::OVERLAP_TOLERANCE;
        let asked = [
            ("--tile-sizes", self.tile_sizes.is_some()),
            ("--fuse", self.fuse.is_some()),
            ("--separate", self.separate),
            ("--loops", !self.loops.is_empty()),
            ("--inline pointwise", pointwise),
            ("--overlap", self.overlap.is_some()),
            ("--overlap-tolerance", tolerance),
            ("--point-loops apart", self.point_loops == PointLoops::Apart),
            ("--fusion", self.model.fusion != FusionChoice::Optimal),
            ("--group-limit", self.model.group_limit.is_some()),
            ("--cost", self.model.cost != CostChoice::Time),
            (
                "--inner-tile",
                !matches!(self.inner_tile, InnerTile::Auto | InnerTile::None),
            ),
            ("--fork-operations", self.fork_operations != defaults::FORK),
            ("--portions", self.portions != defaults::PORTIONS),
            ("--device", self.device.is_some()),
            ("--block-size", self.block_size.is_some()),
            ("--sink-bounds", self.sink_bounds),
            ("--grid", self.grid != defaults::GRID_LOOPS),
            ("--full-tiles", self.full_tiles != FullTiles::Auto),
            ("--unroll", self.unroll != defaults::DEVICE_UNROLL),
            ("--index-bits", self.index_bits != IndexType::Int),
            ("--max-shared-memory", self.max_shared_memory.is_some()),
            ("--local-memory", self.local_memory != LocalMemory::Auto),
            ("--replay", !self.replay.is_empty()),
        ];
        let asked = asked.into_iter().filter(|(_, asked)| *asked);
        let asked: Vec<&str> = asked.map(|(option, _)| option).collect();
        let place = if self.target.target().is_device() {
            Place::Device
        } else {
            Place::Processor
        };
        Ok(requests::check(&asked, self.shape.shape(), place)?)
    }
}
