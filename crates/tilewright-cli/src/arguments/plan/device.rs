//! What is generated, and for which device.

use super::super::model;
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use tilewright::compile::Target;
use tilewright::plan::gpu::Gpu;
use tilewright::plan::{IndexType, defaults};
use tilewright::planner::{DeviceWishes, LocalCopies};

/// What is asked for on devices.
#[derive(Debug, Args)]
pub struct DeviceArguments {
    /// For devices: the one for which tile sizes and threads are chosen [default: `generic`; for
    /// `run` the device that it takes].
    #[arg(long = "device", value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(Gpu::names()))]
    pub named: Option<String>,
    /// For devices: threads of a block, along x (neighbouring cells) and y [default: the cost
    /// model's choice for pipelines, else 32,8].
    #[arg(long, value_name = "X,Y", value_delimiter = ',', value_parser = clap::value_parser!(i64).range(1..=defaults::MOST_THREADS))]
    pub block_size: Option<Vec<i64>>,
    /// For devices: loops whose bounds are data become part of the grid, up to their static
    /// bounds, and every block computes the bounds for itself.
    #[arg(long)]
    pub sink_bounds: bool,
    /// For devices: parallel loops directly inside each other that are distributed to blocks together.
    #[arg(long, value_name = "N", default_value_t = defaults::GRID_LOOPS, value_parser = clap::value_parser!(i64).range(1..=3))]
    pub grid: i64,
    /// For devices: whether full tiles get loops of their own, without minima and maxima.
    #[arg(long, value_enum, default_value_t = FullTiles::Auto)]
    pub full_tiles: FullTiles,
    /// For devices: iterations of a thread's innermost loop that are written as one; 1: the
    /// compiler's choice.
    #[arg(long, value_name = "N", default_value_t = defaults::DEVICE_UNROLL, value_parser = clap::value_parser!(i64).range(1..=1024))]
    pub unroll: i64,
    /// For devices: bits of the integers that kernels count and address with; with 32 the host
    /// compares sizes first, and launches kernels with 64 where they are too large.
    #[arg(long, value_name = "BITS", default_value = "32", value_parser = index_type)]
    pub index_bits: IndexType,
    /// For devices: bytes of local (shared) memory that a block may have; `K` is 1024 [default: that of
    /// `--device`; for `run` what the device has].
    #[arg(long, value_name = "BYTES", value_parser = model::size)]
    pub max_shared_memory: Option<i64>,
    /// For devices: whether arrays of tiles are copied to local memory.
    #[arg(long, value_enum, default_value_t = LocalMemory::Auto)]
    pub local_memory: LocalMemory,
    /// For devices: execute what is generated thread by thread, with these values of parameters, and
    /// compare what happens with the loops it was made of.
    #[arg(long, value_name = "NAME=VALUE,...", value_delimiter = ',', value_parser = model::estimate)]
    pub replay: Vec<(String, i64)>,
}

impl DeviceArguments {
    pub(super) fn wishes(&self) -> DeviceWishes {
        let named = self.named.as_deref().and_then(Gpu::named);
        let gpu = named.unwrap_or_default();
        DeviceWishes {
            gpu,
            threads: self.block_size.clone(),
            sink: self.sink_bounds,
            grid: self.grid,
            full_tiles: self.full_tiles.wanted(),
            unroll: self.unroll,
            most_threads: gpu.block_threads,
            local_memory: self.max_shared_memory.unwrap_or(gpu.block_memory),
            promote: match self.local_memory {
                LocalMemory::Auto => LocalCopies::Paying,
                LocalMemory::All => LocalCopies::All,
                LocalMemory::None => LocalCopies::None,
            },
            index: self.index_bits,
        }
    }

    /// Values of parameters with which what is generated is executed thread by thread.
    pub(super) fn replayed(&self) -> Option<BTreeMap<String, i64>> {
        (!self.replay.is_empty()).then(|| self.replay.iter().cloned().collect())
    }
}

/// Targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetChoice {
    /// C for one thread.
    C,
    /// C with OpenMP pragmas.
    Openmp,
    /// OpenCL C for a device and C for the host, in one file.
    Opencl,
    /// CUDA C in a file beside the output, which calls it.
    Cuda,
    /// HIP in a file beside the output, which calls it.
    Hip,
}

impl TargetChoice {
    /// As the compiler calls it.
    pub fn target(self) -> Target {
        match self {
            TargetChoice::C => Target::C,
            TargetChoice::Openmp => Target::OpenMp,
            TargetChoice::Opencl => Target::OpenCl,
            TargetChoice::Cuda => Target::Cuda,
            TargetChoice::Hip => Target::Hip,
        }
    }
}

/// Whether full tiles are apart from partial ones on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FullTiles {
    /// Where it is likely to pay.
    Auto,
    /// Everywhere.
    Apart,
    /// Nowhere.
    Together,
}

impl FullTiles {
    fn wanted(self) -> Option<bool> {
        match self {
            FullTiles::Auto => None,
            FullTiles::Apart => Some(true),
            FullTiles::Together => Some(false),
        }
    }
}

/// Arrays of tiles on devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LocalMemory {
    /// Those for which copies pay: that are accessed often, or by neighbouring threads in cells that
    /// are not neighbours; not those of overlapped tiles, which have scratchpads.
    Auto,
    /// Those that are accessed more often than they would be copied, as far as they fit.
    All,
    /// None; scratchpads of overlapped tiles are there nonetheless.
    None,
}

fn index_type(text: &str) -> Result<IndexType, String> {
    match text {
        "32" => Ok(IndexType::Int),
        "64" => Ok(IndexType::Long),
        _ => Err("indices have 32 or 64 bits".to_owned()),
    }
}
