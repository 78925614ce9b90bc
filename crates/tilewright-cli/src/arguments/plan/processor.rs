//! What threads and vector units do.

use clap::Args;
use tilewright::plan::defaults;
use tilewright::planner::ProcessorWishes;

/// What threads and vector units do.
#[derive(Debug, Args)]
pub struct ProcessorArguments {
    /// Generate full tiles apart from partial ones.
    #[arg(long)]
    pub separate: bool,
    /// Do not run loops in parallel.
    #[arg(long)]
    pub no_parallel: bool,
    /// Operations and accesses from which on a region, and a parallel loop in it, is worth threads:
    /// below, the loops run as they were written; 0: always.
    #[arg(long, value_name = "N", default_value_t = defaults::FORK, value_parser = clap::value_parser!(i64).range(0..=1 << 40))]
    pub fork_operations: i64,
    /// Do not mark loops `simd`.
    #[arg(long)]
    pub no_simd: bool,
    /// Do not skew tile loops into wavefronts.
    #[arg(long)]
    pub no_wavefront: bool,
    /// Portions that a parallel loop is divided into where a loop inside has a bound that is data;
    /// with 1 each thread gets as many iterations as every other.
    #[arg(long, value_name = "N", default_value_t = defaults::PORTIONS, value_parser = clap::value_parser!(i64).range(1..=1 << 20))]
    pub portions: i64,
}

impl ProcessorArguments {
    pub(super) fn wishes(&self) -> ProcessorWishes {
        ProcessorWishes {
            parallel: !self.no_parallel,
            fork: self.fork_operations,
            portions: self.portions,
            wavefront: !self.no_wavefront,
            vectorise: !self.no_simd,
            separate: self.separate,
        }
    }
}
