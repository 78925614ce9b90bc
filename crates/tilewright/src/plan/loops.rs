//! Orders that a user asks for by name: loops as written, but interchanged, distributed and fused.
//!
//! The schedules of equake in Zhao's thesis (2018, section 6.3) are such orders: "2D band"
//! distributes the three parts of the loop over nodes, "(2+1)D band" interchanges the `while` loop
//! with the loop over components and fuses what that leaves, "3D band" interchanges and
//! distributes.
//!
//! A step applies wherever its loops are found by the names of their variables, outer nests first,
//! and steps are done one after another ([`crate::transform::restructured`]). Whether an order is
//! legal is not asked here, but for one thing: which sums it adds up in another order, as that has
//! to be allowed.

use super::Group;
use super::wishes::Wishes;
use crate::analysis::dataflow::Dataflow;
use crate::analysis::reductions::{Reduction, sums};
use crate::analysis::times::Times;
use crate::scop::{Scop, StatementId};
use crate::transform::{TransformError, restructured};
use serde::{Deserialize, Serialize};

/// One change of the loops as written; `interchange:OUTER,INNER`, `distribute:LOOP`, `fuse:LOOP` in
/// plans and on the command line, loops by the names of their variables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum LoopStep {
    /// The loop `inner`, directly inside `outer` and the only loop there, goes outside of it.
    /// Statements between the two get an `outer` loop of their own, in front or behind.
    Interchange {
        /// The outer loop's variable.
        outer: String,
        /// The inner loop's variable.
        inner: String,
    },
    /// Each loop in the body gets a loop of its own, with the statements in front of it; what is
    /// behind the last loop stays with it. A body without loops is split into its statements.
    Distribute {
        /// The loop's variable.
        name: String,
    },
    /// Loops of this name in one body, with no other loop between them, become one; statements
    /// between them go in front of it.
    Fuse {
        /// The loops' variable.
        name: String,
    },
}

impl LoopStep {
    /// Reads a step as plans and the command line spell it.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<LoopStep, String> {
        let names = |rest: &str| -> Vec<String> {
            let names = rest.split(',').map(|name| name.trim().to_owned());
            names.filter(|name| !name.is_empty()).collect()
        };
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        match (kind.trim(), &names(rest)[..]) {
            ("interchange", [outer, inner]) if outer != inner => Ok(LoopStep::Interchange {
                outer: outer.clone(),
                inner: inner.clone(),
            }),
            ("distribute", [name]) => Ok(LoopStep::Distribute { name: name.clone() }),
            ("fuse", [name]) => Ok(LoopStep::Fuse { name: name.clone() }),
            _ => Err(format!(
                "`{text}` is none of `interchange:OUTER,INNER`, `distribute:LOOP` and `fuse:LOOP`"
            )),
        }
    }
}

impl std::fmt::Display for LoopStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LoopStep::Interchange { outer, inner } => write!(f, "interchange:{outer},{inner}"),
            LoopStep::Distribute { name } => write!(f, "distribute:{name}"),
            LoopStep::Fuse { name } => write!(f, "fuse:{name}"),
        }
    }
}

impl TryFrom<String> for LoopStep {
    type Error = String;

    fn try_from(text: String) -> Result<LoopStep, String> {
        LoopStep::parse(&text)
    }
}

impl From<LoopStep> for String {
    fn from(step: LoopStep) -> String {
        step.to_string()
    }
}

/// The sums whose updates an order of all statements makes in another order than the program.
///
/// # Errors
/// isl's own.
fn reordered(
    scop: &Scop,
    dataflow: &Dataflow,
    schedule: &isl::Schedule,
) -> isl::Result<Vec<Reduction>> {
    let times = Times::of(schedule)?;
    let mut found = Vec::new();
    for sum in sums(scop) {
        if is_reordered(scop, dataflow, &times, &sum)? {
            found.push(sum);
        }
    }
    Ok(found)
}

fn is_reordered(
    scop: &Scop,
    dataflow: &Dataflow,
    times: &Times,
    sum: &Reduction,
) -> isl::Result<bool> {
    let edges = dataflow.edges.iter().filter(|e| e.array == sum.array);
    let through = std::iter::once(&dataflow.through[sum.array]);
    for pairs in through.chain(edges.map(|edge| &edge.sources)) {
        for map in pairs.maps()? {
            let update = |side| -> isl::Result<bool> {
                let id = scop.statement_named(&map.get_tuple_name(side)?);
                Ok(id.is_some_and(|id| sum.has(id)))
            };
            if update(isl::DimType::In)?
                && update(isl::DimType::Out)?
                && times.first_not_before(scop, &map)?.is_some()
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Decides which sums a group may add up in another order: those that its steps reorder, as far as
/// that is allowed.
///
/// # Errors
/// isl's own.
pub(super) fn decide(
    scop: &Scop,
    dataflow: &Dataflow,
    group: &mut Group,
    wishes: &Wishes,
) -> isl::Result<()> {
    if group.loops.is_empty() {
        return Ok(());
    }
    let mut found = reordered_by(scop, dataflow, group)?;
    found.retain(|sum| sum.exact || sum.said || wishes.reassociate);
    let name = |sum: Reduction| scop.arrays[sum.array].name.clone();
    group.reorder = found.into_iter().map(name).collect();
    Ok(())
}

/// The sums that the steps of a group with all statements reorder; none where a step applies
/// nowhere, which whoever applies the plan finds out.
///
/// # Errors
/// isl's own.
pub fn reordered_by(
    scop: &Scop,
    dataflow: &Dataflow,
    group: &Group,
) -> isl::Result<Vec<Reduction>> {
    let all: Vec<StatementId> = (0..scop.statements.len()).collect();
    match restructured::schedule(scop, &all, group) {
        Ok(schedule) => reordered(scop, dataflow, &schedule),
        Err(TransformError::Plan(_)) => Ok(Vec::new()),
        Err(TransformError::Isl(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_as_they_are_written() {
        for text in ["interchange:i,j", "distribute:k", "fuse:Anext"] {
            assert_eq!(LoopStep::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            "fuse",
            "fuse:",
            "fuse:a,b",
            "interchange:i",
            "interchange:i,i",
            "tile:i",
        ] {
            let message = LoopStep::parse(text).unwrap_err();
            assert!(message.contains("interchange:OUTER,INNER"), "{message}");
        }
    }
}
