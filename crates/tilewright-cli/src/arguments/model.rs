//! Options of the cost model: how stages are grouped, for which machine and which sizes.

use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tilewright::plan::rates::Rates;
use tilewright::planner::Fusion;
use tilewright::planner::cost::{Objective, Weights};
use tilewright_driver::host::machine::{Known, bytes, known};

/// What the planner knows of costs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cost model")]
pub struct ModelArguments {
    /// How stages of pipelines are grouped.
    #[arg(long, value_enum, default_value_t = FusionChoice::Optimal)]
    pub fusion: FusionChoice,
    /// Most stages in a group at first; groups are then grouped again [default: as many as can be
    /// compared in time].
    #[arg(long, value_name = "N", value_parser = limit)]
    pub group_limit: Option<usize>,
    /// What groups cost.
    #[arg(long, value_enum, default_value_t = CostChoice::Time)]
    pub cost: CostChoice,
    #[command(flatten)]
    pub machine: MachineArguments,
    /// Value that a parameter may be expected to have [default: 2048].
    #[arg(long = "estimate", value_name = "NAME=VALUE", value_parser = estimate)]
    pub estimates: Vec<(String, i64)>,
    /// First data cache of a core, as 48K [default: this machine's].
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub cache_l1: Option<i64>,
    /// Second cache of a core [default: this machine's].
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub cache_l2: Option<i64>,
    /// Last cache [default: this machine's].
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub cache_l3: Option<i64>,
    /// Bytes of a vector register [default: this machine's].
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(i64).range(4..=4096))]
    pub vector: Option<i64>,
    /// Cores that run tiles [default: this machine's].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=65_536))]
    pub cores: Option<i64>,
}

impl ModelArguments {
    /// The machine to plan for.
    ///
    /// # Errors
    /// The machine file cannot be read.
    pub fn known(&self) -> tilewright_driver::Result<Known> {
        let mut known = self.machine.known()?;
        let machine = &mut known.machine;
        for (given, size) in [
            (self.cache_l1, &mut machine.cache_l1),
            (self.cache_l2, &mut machine.cache_l2),
            (self.cache_l3, &mut machine.cache_l3),
            (self.cores, &mut machine.cores),
            (self.vector, &mut machine.vector),
        ] {
            *size = given.unwrap_or(*size);
        }
        Ok(known)
    }

    /// Expected values of parameters.
    pub fn estimates(&self) -> BTreeMap<String, i64> {
        self.estimates.iter().cloned().collect()
    }
}

/// Where numbers of the machine come from.
#[derive(Debug, Args)]
pub struct MachineArguments {
    /// Machine file with caches, cores and rates, as `calibrate` writes it, or `none` [default:
    /// $TILEWRIGHT_MACHINE, else where `calibrate` writes it, if it is there].
    #[arg(long, value_name = "FILE", help_heading = "Cost model")]
    pub machine: Option<PathBuf>,
}

impl MachineArguments {
    /// What is known of the machine.
    ///
    /// # Errors
    /// The machine file cannot be read.
    pub fn known(&self) -> tilewright_driver::Result<Known> {
        known(self.machine.as_deref())
    }
}

/// Ways to group stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FusionChoice {
    /// The cheapest of all groupings, by dynamic programming.
    Optimal,
    /// As PolyMage does: into the only consumer, as long as overlap is tolerable.
    Polymage,
    /// As Halide's scheduler does: the pair that gains most, again and again.
    Halide,
    /// Every stage apart.
    Apart,
}

impl FusionChoice {
    /// The planner's name for it.
    pub fn fusion(self) -> Fusion {
        match self {
            FusionChoice::Optimal => Fusion::Optimal,
            FusionChoice::Polymage => Fusion::Polymage,
            FusionChoice::Halide => Fusion::Halide,
            FusionChoice::Apart => Fusion::Apart,
        }
    }
}

/// Cost functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CostChoice {
    /// Predicted time, with rates of the machine file or measured on current x86.
    Time,
    /// The weighted sum of TOPLAS 2020 with its weights for a Xeon.
    Xeon,
    /// The same with its weights for an Opteron.
    Opteron,
}

impl CostChoice {
    /// The planner's objective, with these rates of the time model.
    pub fn objective(self, rates: Rates) -> Objective {
        match self {
            CostChoice::Time => Objective::Time(rates),
            CostChoice::Xeon => Objective::Toplas(Weights::XEON),
            CostChoice::Opteron => Objective::Toplas(Weights::OPTERON),
        }
    }
}

fn limit(text: &str) -> Result<usize, String> {
    let limit = text.parse().ok().filter(|&limit| limit > 0);
    limit.ok_or_else(|| "a group has at least one stage".to_owned())
}

pub(super) fn size(text: &str) -> Result<i64, String> {
    bytes(text).ok_or_else(|| "a size is a number, maybe with K, M or G".to_owned())
}

pub(super) fn estimate(text: &str) -> Result<(String, i64), String> {
    let wrong = || "an estimate is NAME=VALUE, as R=2832".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let value = value.trim().parse().map_err(|_| wrong())?;
    Ok((name.trim().to_owned(), value))
}
