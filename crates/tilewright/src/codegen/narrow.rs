//! A group's schedule over those parameters alone that the group depends on.
//!
//! A pyramid has the sizes of all its levels as parameters, a group of it those of a few levels;
//! isl's AST generation takes its time with every column of a matrix, used or not. What the
//! assumptions say anyway is dropped from the domain, for the same reason.

use crate::scop::Scop;
use crate::transform::{BufferKind, Transformed};
use isl::{DimType, Result, Schedule, Set};
use std::collections::BTreeSet;

/// Names of the parameters that the subscripts of a group depend on.
pub(super) fn used_params(
    scop: &Scop,
    transformed: &Transformed,
    group: usize,
) -> Result<BTreeSet<String>> {
    let mut used = BTreeSet::new();
    for lifted in transformed.statements.iter().filter(|l| l.group == group) {
        let accesses = &scop.statements[lifted.statement].accesses;
        for (access, &buffer) in accesses.iter().zip(&lifted.bindings) {
            let relation = &access.relation;
            for param in 0..relation.dim(DimType::Param)? {
                if relation.involves_dims(DimType::Param, param, 1usize)? {
                    used.insert(relation.get_dim_name(DimType::Param, param)?);
                }
            }
            let BufferKind::Local { origin, .. } = &transformed.buffers[buffer].kind else {
                continue;
            };
            for start in origin {
                for param in 0..start.dim(DimType::Param)? {
                    if start.involves_dims(DimType::Param, param, 1usize)? {
                        used.insert(start.get_dim_name(DimType::Param, param)?);
                    }
                }
            }
        }
    }
    Ok(used)
}

/// The same schedule, without what `context` says, and the same context, both over the parameters
/// that they mention and those of `used`.
///
/// isl drops parameters of sets and maps, but not of schedules; those are read again from text
/// that declares fewer.
pub(super) fn narrow(
    scop: &Scop,
    schedule: &Schedule,
    context: &Set,
    mut used: BTreeSet<String>,
) -> Result<(Schedule, Set)> {
    let schedule = schedule.gist_domain_params(context)?;
    let all: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    let head = |names: &[&str]| format!("[{}] -> ", names.join(", "));
    let text = schedule.to_string();
    let bare = text.replace(&head(&all), "") + &context.to_string().replace(&head(&all), "");
    used.extend(words(&bare).map(str::to_owned));
    let mentioned: Vec<&str> = all.iter().copied().filter(|&p| used.contains(p)).collect();
    if mentioned.len() == all.len() {
        return Ok((schedule, context.clone()));
    }
    let text = text.replace(&head(&all), &head(&mentioned));
    match Schedule::read_from_str(&scop.ctx, &text) {
        Ok(narrow) => Ok((narrow, context.drop_unused_params()?)),
        Err(error) if error.is_quota() => Err(error),
        // What isl prints and does not read is as good with all parameters.
        Err(_) => Ok((schedule, context.clone())),
    }
}

/// The identifiers in isl's text; a coefficient stands directly before its variable.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn coefficients_are_no_part_of_identifiers() {
        let text = "[R_2] -> { S0[i0] : 0 <= 128i0 <= 3R_2 + C4 }";
        let found: Vec<&str> = words(text).collect();
        assert_eq!(found, ["R_2", "S0", "i0", "i0", "R_2", "C4"]);
    }
}
