//! What the planner and the code generator are asked for.

mod data;
mod device;
mod order;
mod pipelines;
mod processor;

pub use device::{FullTiles, LocalMemory, TargetChoice};
pub use order::ShapeChoice;
pub use pipelines::PointLoops;

use super::CertifyChoice;
use super::model::ModelArguments;
use super::trust::TrustArguments;
use clap::Args;
use data::{DataArguments, SumArguments};
use device::DeviceArguments;
use order::{FuseChoice, OrderArguments};
use pipelines::PipelineArguments;
use processor::ProcessorArguments;
use std::path::PathBuf;
use tilewright::compile::{Limits, Options};
use tilewright::plan::defaults;
use tilewright::planner::Wishes;
use tilewright_driver::host::machine::Known;

/// What the planner is asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Planning")]
pub struct PlanArguments {
    #[command(flatten)]
    pub order: OrderArguments,
    /// Take all decisions from a plan, as `--emit plan` writes it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shape", "fuse", "tile_sizes", "separate", "inline", "overlap", "inner_tile", "point_loops", "fusion", "group_limit", "cost", "estimates", "loops"])]
    pub plan: Option<PathBuf>,
    #[command(flatten)]
    pub pipelines: PipelineArguments,
    #[command(flatten)]
    pub processor: ProcessorArguments,
    #[command(flatten)]
    pub sums: SumArguments,
    #[command(flatten)]
    pub data: DataArguments,
    /// What to generate.
    #[arg(long, value_enum, default_value_t = TargetChoice::Openmp)]
    pub target: TargetChoice,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// How much of the result is executed beside the original, in the compiler, before it is
    /// written.
    #[arg(long, value_enum, default_value_t = CertifyChoice::Quick, value_name = "HOW")]
    pub certify: CertifyChoice,
    #[command(flatten)]
    pub trust: TrustArguments,
    /// isl operations that one step of the analysis may take before a simpler way is tried.
    #[arg(long, value_name = "N", default_value_t = defaults::ISL_OPERATIONS)]
    pub budget: u64,
    #[command(flatten)]
    pub model: ModelArguments,
}

impl PlanArguments {
    /// Options of the compiler, for a machine.
    pub fn options(&self, known: &Known) -> Options {
        let target = self.target.target();
        Options {
            wishes: Wishes {
                shape: self.order.shape.shape(),
                tile_sizes: self.order.tile_sizes.clone(),
                fuse: self.order.fuse.map(FuseChoice::fuse),
                loops: self.order.loops.clone(),
                pipelines: self.pipelines.wishes(&self.model),
                processor: self.processor.wishes(),
                device: target.is_device().then(|| self.device.wishes()),
                sums: self.sums.wishes(),
                data: self.data.wishes(),
                objective: self.model.cost.objective(known.rates),
                machine: known.machine.clone(),
                estimates: self.model.estimates(),
            },
            target,
            limits: Limits {
                budget: self.budget,
                ..Limits::default()
            },
            trust: self.trust.trust(),
            certify: self.certify.certify(),
            replay: self.device.replayed(),
            ..Options::default()
        }
    }
}
