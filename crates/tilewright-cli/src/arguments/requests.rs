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
        let pointwise = matches!(&self.pipelines.inline[..], [only] if only == "pointwise");
        let tolerance = self.pipelines.overlap_tolerance != defaults::OVERLAP_TOLERANCE;
        let asked = [
            ("--tile-sizes", self.order.tile_sizes.is_some()),
            ("--fuse", self.order.fuse.is_some()),
            ("--separate", self.processor.separate),
            ("--loops", !self.order.loops.is_empty()),
            ("--inline pointwise", pointwise),
            ("--overlap", self.pipelines.overlap.is_some()),
            ("--overlap-tolerance", tolerance),
            (
                "--point-loops apart",
                self.pipelines.point_loops == PointLoops::Apart,
            ),
            ("--fusion", self.model.fusion != FusionChoice::Optimal),
            ("--group-limit", self.model.group_limit.is_some()),
            ("--cost", self.model.cost != CostChoice::Time),
            (
                "--inner-tile",
                !matches!(self.pipelines.inner_tile, InnerTile::Auto | InnerTile::None),
            ),
            (
                "--fork-operations",
                self.processor.fork_operations != defaults::FORK,
            ),
            ("--portions", self.processor.portions != defaults::PORTIONS),
            ("--device", self.device.named.is_some()),
            ("--block-size", self.device.block_size.is_some()),
            ("--sink-bounds", self.device.sink_bounds),
            ("--grid", self.device.grid != defaults::GRID_LOOPS),
            ("--full-tiles", self.device.full_tiles != FullTiles::Auto),
            ("--unroll", self.device.unroll != defaults::DEVICE_UNROLL),
            ("--index-bits", self.device.index_bits != IndexType::Int),
            (
                "--max-shared-memory",
                self.device.max_shared_memory.is_some(),
            ),
            (
                "--local-memory",
                self.device.local_memory != LocalMemory::Auto,
            ),
            ("--replay", !self.device.replay.is_empty()),
        ];
        let asked = asked.into_iter().filter(|(_, asked)| *asked);
        let asked: Vec<&str> = asked.map(|(option, _)| option).collect();
        let place = if self.target.target().is_device() {
            Place::Device
        } else {
            Place::Processor
        };
        Ok(requests::check(&asked, self.order.shape.shape(), place)?)
    }
}
