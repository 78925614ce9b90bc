//! What becomes of sums, and of loops and matrices that are data.

use clap::{Args, ValueEnum};
use tilewright::planner::{DataWishes, Format, Inspect, Reductions, SumWishes};

/// What becomes of sums.
#[derive(Debug, Args)]
pub struct SumArguments {
    /// What becomes of loops that only add to an array, at places that data picks.
    #[arg(long, value_enum, default_value_t = ReductionsChoice::Auto)]
    pub reductions: ReductionsChoice,
    /// Sums of floating-point numbers may be added up in another order.
    #[arg(long)]
    pub reassociate: bool,
}

impl SumArguments {
    pub(super) fn wishes(&self) -> SumWishes {
        SumWishes {
            reductions: self.reductions.reductions(),
            reassociate: self.reassociate,
        }
    }
}

/// What becomes of bounds and matrices that are data.
#[derive(Debug, Args)]
pub struct DataArguments {
    /// Form of sparse matrices in compressed rows: as the program has them, or packed in front of
    /// the region.
    #[arg(long, value_enum, default_value_t = FormatChoice::Given)]
    pub format: FormatChoice,
    /// Bounds of loops that are data, where an order or a grid needs a static bound and only that of
    /// their type is known.
    #[arg(long, value_enum, default_value_t = InspectChoice::Auto)]
    pub inspect: InspectChoice,
}

impl DataArguments {
    pub(super) fn wishes(&self) -> DataWishes {
        DataWishes {
            inspect: self.inspect.inspect(),
            format: self.format.format(),
        }
    }
}

/// What becomes of sums into cells that data picks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReductionsChoice {
    /// What is likely to be faster.
    Auto,
    /// They stay sequential.
    None,
    /// Atomic updates in parallel.
    Atomic,
    /// In parallel on copies of the array, which are added up.
    Privatise,
}

impl ReductionsChoice {
    fn reductions(self) -> Reductions {
        match self {
            ReductionsChoice::Auto => Reductions::Auto,
            ReductionsChoice::None => Reductions::None,
            ReductionsChoice::Atomic => Reductions::Atomic,
            ReductionsChoice::Privatise => Reductions::Privatise,
        }
    }
}

/// What becomes of bounds without a static bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InspectChoice {
    /// Code in front of the region computes one, if the region does not change the data.
    Auto,
    /// There is none.
    None,
}

impl InspectChoice {
    fn inspect(self) -> Inspect {
        match self {
            InspectChoice::Auto => Inspect::Auto,
            InspectChoice::None => Inspect::None,
        }
    }
}

/// Form of sparse matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatChoice {
    /// As the program has them.
    Given,
    /// ELLPACK, unless the longest row would make it too large.
    Ell,
}

impl FormatChoice {
    fn format(self) -> Format {
        match self {
            FormatChoice::Given => Format::Given,
            FormatChoice::Ell => Format::Ell,
        }
    }
}
