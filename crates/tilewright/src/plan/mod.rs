//! The decision: what is grouped, how it is tiled and stored, what runs in parallel.
//!
//! Plain data, readable and editable TOML. Planners ([`crate::planner`]) make one; transforms apply one
//! and never decide. A plan names things by the program's own names: a *stage* is the set of
//! statements that write one array, and has the array's name ([`crate::analysis::stages`]).

pub mod defaults;
pub mod entries;
mod file;
pub mod gpu;
mod group;
pub(crate) mod limits;
pub mod machine;
pub mod rates;
mod region;
mod shape;
pub mod steps;
mod tiles;

pub use group::{Device, Group, IndexType, Promotion};
pub use shape::Shape;
pub use tiles::{
    Affine, Figure, Fuse, Interleave, Jam, OverTime, Overlapped, Tiles, Trapezoids, Written,
    widths_over_time,
};

use entries::{Form, Parts, Picks};
use region::RegionEntry;
use serde::{Deserialize, Serialize};

/// Decisions for all regions of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// Format of this file: 1.
    pub version: u32,
    /// One entry per region, in the order of the file.
    #[serde(rename = "region", default)]
    pub regions: Vec<RegionPlan>,
}

/// Decisions for one region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "RegionEntry", into = "RegionEntry")]
pub struct RegionPlan {
    /// The function that holds the region.
    pub function: String,
    /// Which region of the file, from 0.
    pub index: usize,
    /// Who decided: a way to group pipelines ([`crate::planner::Fusion`]), `affine`, `original`, `manual`.
    pub planner: String,
    /// What is done to the region before its stages are in groups.
    pub rewrites: Rewrites,
    /// Where the original stays although there is a text.
    pub least: Least,
    /// Executed one after another.
    pub groups: Vec<Group>,
    /// What is executed where these do not stand for the original, in front of it.
    pub otherwise: Option<Otherwise>,
}

/// A second text for a region, of its statements as they are: where its loops are too short for the
/// first one, it may still be worth several threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Otherwise {
    /// Who decided, as in [`RegionPlan::planner`].
    #[serde(default = "region::original")]
    pub planner: String,
    /// As in [`RegionPlan::groups`].
    #[serde(rename = "group")]
    pub groups: Vec<Group>,
}

impl Otherwise {
    /// As a plan of its own, for the region that `of` is for.
    pub fn plan(&self, of: &RegionPlan) -> RegionPlan {
        RegionPlan::new(&of.function, of.index, &self.planner, self.groups.clone())
    }
}

/// What is done to a region before its stages are in groups (`crate::rewrite`). Empty: nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rewrites {
    /// Form of the arrays of a loop over compressed rows ([`crate::rewrite::ell`]): before everything
    /// else.
    pub format: Option<Form>,
    /// Bounds of loops that are data, by the names of the temporaries that hold them, whose largest
    /// or smallest value is computed in front of the region ([`crate::transform::inspect`]):
    /// before everything else.
    pub inspect: Vec<String>,
    /// Scalars that are gone: their readers compute what they hold
    /// ([`crate::rewrite::substitute`]), behind what stands above.
    pub substitute: Vec<String>,
    /// Arrays that a loop only adds to, at places that depend on data, and copies between which
    /// its iterations are divided ([`crate::rewrite::partial`]): first of all.
    pub partial: Vec<Parts>,
    /// Arrays and stages that pick from them at places that depend on data: what the reader computes from a picked cell is computed for all cells, by a stage of its own
    /// ([`crate::rewrite::tabulate`]), before stages are inlined.
    pub tabulate: Vec<Picks>,
    /// Stages that are gone: their consumers compute their values where they read them
    /// ([`crate::rewrite::inline`]). They are in no group.
    pub inline: Vec<String>,
    /// Temporaries that are in the cells of arrays which get them, from their first value on
    /// ([`crate::rewrite::accumulate`]), behind what stands above.
    pub accumulate: Vec<String>,
}

/// How much there has to be to do: where there is less, the original stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Least {
    /// The text stands for the original however little there is to do; else the original stays where
    /// threads are not worth starting.
    pub always: bool,
    /// The text is for several threads alone; else for one as well.
    pub threads_alone: bool,
    /// The original stays where one of the loops of the deepest nest has fewer iterations.
    pub iterations: i64,
    /// The same on one thread, where that is not as many; 0: as many.
    pub iterations_alone: i64,
    /// Sizes of which loops may have fewer iterations than `iterations`.
    pub shorter: Vec<Shorter>,
    /// The text stands for the original from as much to do on as there is where all of the deepest nest's
    /// loops have so many iterations, also where that is not worth threads; 0: where it is.
    pub enough: i64,
    /// Of tiles over time: the original stays where there are fewer points, iterations of the loops over
    /// space.
    pub points: i64,
    /// The same on one thread, where that is not as many; 0: as many.
    pub points_alone: i64,
}

/// How many iterations loops have to have whose number is a parameter's, but for a constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shorter {
    /// The parameter.
    pub size: String,
    /// Fewer than [`Least::iterations`].
    pub iterations: i64,
}

/// Who decided that a region stays as it was.
const UNTOUCHED: &str = "untouched";

impl RegionPlan {
    /// The plan of a region that stays as it was.
    pub fn untouched(function: &str, index: usize) -> RegionPlan {
        RegionPlan::new(function, index, UNTOUCHED, Vec::new())
    }

    /// Whether the region stays as it was.
    pub fn is_untouched(&self) -> bool {
        self.planner == UNTOUCHED && self.groups.is_empty()
    }

    /// A plan that is nothing but its groups.
    pub fn new(function: &str, index: usize, planner: &str, groups: Vec<Group>) -> RegionPlan {
        RegionPlan {
            function: function.to_owned(),
            index,
            planner: planner.to_owned(),
            rewrites: Rewrites::default(),
            least: Least::default(),
            groups,
            otherwise: None,
        }
    }
}

impl Plan {
    /// Reads a plan from TOML.
    ///
    /// # Errors
    /// What is wrong with the text, with the line.
    pub fn from_toml(text: &str) -> Result<Plan, String> {
        let plan: Plan = toml::from_str(text).map_err(|e| e.to_string())?;
        if plan.version != VERSION {
            return Err(format!(
                "the plan has version {}, this tilewright reads version {VERSION}",
                plan.version
            ));
        }
        Ok(plan)
    }

    /// Writes the plan as TOML that [`Plan::from_toml`] reads back to an equal plan.
    ///
    /// # Errors
    /// The serialiser's.
    pub fn to_toml(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|e| e.to_string())
    }
}

/// The version of the plan format.
pub const VERSION: u32 = 1;
