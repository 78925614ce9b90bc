//! A region's decisions as plan files have them: one table.

use super::entries::{Form, Parts, Picks};
use super::{Group, Least, Otherwise, RegionPlan, Rewrites, Shorter};
use serde::{Deserialize, Serialize};

/// The table; [`RegionPlan`] says what its fields mean. Flat since files are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RegionEntry {
    function: String,
    index: usize,
    #[serde(default = "manual")]
    planner: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<Form>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    inspect: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    substitute: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    partial: Vec<Parts>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tabulate: Vec<Picks>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    inline: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    accumulate: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    always: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    threads_alone: bool,
    #[serde(default, skip_serializing_if = "is_zero")]
    least_iterations: i64,
    #[serde(default, skip_serializing_if = "is_zero")]
    least_iterations_alone: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    least_of: Vec<Shorter>,
    #[serde(default, skip_serializing_if = "is_zero")]
    enough_iterations: i64,
    #[serde(default, skip_serializing_if = "is_zero")]
    least_points: i64,
    #[serde(default, skip_serializing_if = "is_zero")]
    least_points_alone: i64,
    #[serde(rename = "group", default)]
    groups: Vec<Group>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    otherwise: Option<Otherwise>,
}

pub(super) fn is_zero(number: &i64) -> bool {
    *number == 0
}

fn manual() -> String {
    "manual".to_owned()
}

/// Who decides for the loops as they were written.
pub(super) fn original() -> String {
    "original".to_owned()
}

impl From<RegionEntry> for RegionPlan {
    fn from(entry: RegionEntry) -> RegionPlan {
        RegionPlan {
            function: entry.function,
            index: entry.index,
            planner: entry.planner,
            rewrites: Rewrites {
                format: entry.format,
                inspect: entry.inspect,
                substitute: entry.substitute,
                partial: entry.partial,
                tabulate: entry.tabulate,
                inline: entry.inline,
                accumulate: entry.accumulate,
            },
            least: Least {
                always: entry.always,
                threads_alone: entry.threads_alone,
                iterations: entry.least_iterations,
                iterations_alone: entry.least_iterations_alone,
                shorter: entry.least_of,
                enough: entry.enough_iterations,
                points: entry.least_points,
                points_alone: entry.least_points_alone,
            },
            groups: entry.groups,
            otherwise: entry.otherwise,
        }
    }
}

impl From<RegionPlan> for RegionEntry {
    fn from(plan: RegionPlan) -> RegionEntry {
        RegionEntry {
            function: plan.function,
            index: plan.index,
            planner: plan.planner,
            format: plan.rewrites.format,
            inspect: plan.rewrites.inspect,
            substitute: plan.rewrites.substitute,
            partial: plan.rewrites.partial,
            tabulate: plan.rewrites.tabulate,
            inline: plan.rewrites.inline,
            accumulate: plan.rewrites.accumulate,
            always: plan.least.always,
            threads_alone: plan.least.threads_alone,
            least_iterations: plan.least.iterations,
            least_iterations_alone: plan.least.iterations_alone,
            least_of: plan.least.shorter,
            enough_iterations: plan.least.enough,
            least_points: plan.least.points,
            least_points_alone: plan.least.points_alone,
            groups: plan.groups,
            otherwise: plan.otherwise,
        }
    }
}
