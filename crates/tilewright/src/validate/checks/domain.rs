//! Are the instances the original's?

use crate::analysis::dependences::dataflow::Dataflow;
use crate::scop::{Access, AccessKind, ArrayId, Scop, Statement, StatementId};
use crate::transform::Transformed;
use crate::validate::program::leaves;
use crate::validate::witness;
use crate::validate::{Violation, ViolationKind};

/// Every lifted statement's instances are instances of its original and are what the schedule
/// executes, each once.
pub(crate) fn check(scop: &Scop, transformed: &Transformed) -> isl::Result<Option<Violation>> {
    let mut scheduled = isl::UnionSet::empty_ctx(&scop.ctx)?;
    for leaf in leaves(transformed)? {
        for again in scheduled.intersect(&leaf)?.sets()? {
            if let Some(violation) = executed_twice(scop, transformed, &again)? {
                return Ok(Some(violation));
            }
        }
        scheduled = scheduled.union(&leaf)?;
    }
    for lifted in &transformed.statements {
        let domain = lifted.domain.drop_unused_params()?;
        let projection = lifted.projection(scop)?.drop_unused_params()?;
        let original = scop.statements[lifted.statement]
            .domain
            .drop_unused_params()?;
        let foreign = domain.subtract(&original.apply(&projection.reverse()?)?)?;
        if scop.is_possible(&foreign)? {
            let sample = witness::sample(scop, &foreign.apply(&projection)?)?;
            return Ok(Some(Violation {
                message: format!(
                    "{} would be executed, which is not an instance of the original",
                    witness::instance(scop, lifted.statement, &sample.coordinates)
                ),
                parameters: sample.parameters(scop),
                kind: ViolationKind::Domain,
            }));
        }
        let here = scheduled
            .extract_set(&lifted.domain.get_space()?)?
            .drop_unused_params()?;
        for (difference, text) in [
            (
                domain.subtract(&here)?,
                "belongs to the program but not to its schedule",
            ),
            (
                here.subtract(&domain)?,
                "is scheduled but does not belong to the program",
            ),
        ] {
            if scop.is_possible(&difference)? {
                let sample = witness::sample(scop, &difference)?;
                return Ok(Some(Violation {
                    message: format!(
                        "{} {text}",
                        witness::lifted(scop, lifted, &sample.coordinates)
                    ),
                    parameters: sample.parameters(scop),
                    kind: ViolationKind::Domain,
                }));
            }
        }
    }
    for unknown in scheduled.sets()? {
        let known = transformed.statements.iter().any(|lifted| {
            let name = unknown.get_tuple_name();
            name.is_ok_and(|name| name == lifted.name)
        });
        if known || !scop.is_possible(&unknown)? {
            continue;
        }
        let name = unknown.get_tuple_name()?;
        return Ok(Some(Violation {
            message: format!("{name} is scheduled but is no statement of the program"),
            parameters: String::new(),
            kind: ViolationKind::Domain,
        }));
    }
    Ok(None)
}

/// Instances that two leaves of the schedule execute.
fn executed_twice(
    scop: &Scop,
    transformed: &Transformed,
    again: &isl::Set,
) -> isl::Result<Option<Violation>> {
    let name = again.get_tuple_name()?;
    let mut statements = transformed.statements.iter();
    let Some(lifted) = statements.find(|lifted| lifted.name == name) else {
        return Ok(None);
    };
    if !scop.is_possible(again)? {
        return Ok(None);
    }
    let sample = witness::sample(scop, again)?;
    let instance = witness::lifted(scop, lifted, &sample.coordinates);
    Ok(Some(Violation {
        message: format!("{instance} would be executed twice"),
        parameters: sample.parameters(scop),
        kind: ViolationKind::Domain,
    }))
}

/// No instance is missing that an executed one reads from, or that leaves a value behind. (Other
/// missing instances do not matter: nothing depends on them.)
///
/// Asked of the statements that write to one of `arrays`.
pub(crate) fn check_missing(
    scop: &Scop,
    dataflow: &Dataflow,
    transformed: &Transformed,
    arrays: &[ArrayId],
) -> isl::Result<Option<Violation>> {
    let writes = |access: &Access| access.kind == AccessKind::Write;
    let concerned = |statement: &Statement| {
        let mut writes = statement.accesses.iter().filter(|a| writes(a));
        writes.any(|write| arrays.contains(&write.array))
    };
    if !scop.statements.iter().any(concerned) {
        return Ok(None);
    }
    let mut executed: Vec<Option<isl::Set>> = vec![None; scop.statements.len()];
    for lifted in &transformed.statements {
        let domain = lifted.domain.drop_unused_params()?;
        let image = domain.apply(&lifted.projection(scop)?.drop_unused_params()?)?;
        let all = &mut executed[lifted.statement];
        *all = Some(match all.take() {
            None => image,
            Some(others) => others.union(&image)?,
        });
    }
    for (id, statement) in scop.statements.iter().enumerate() {
        if !concerned(statement) {
            continue;
        }
        let mut missing = statement.domain.drop_unused_params()?;
        if let Some(executed) = &executed[id] {
            missing = missing.subtract(executed)?;
        }
        if !scop.is_possible(&missing)? {
            continue;
        }
        let missing = isl::UnionSet::from_set(&missing)?;
        let mut all = isl::UnionSet::empty_ctx(&scop.ctx)?;
        for set in executed.iter().flatten() {
            all = all.add_set(set)?;
        }
        let readers = dataflow
            .flow(scop)?
            .intersect_domain(&missing)?
            .intersect_range(&all)?;
        if let Some(readers) = first_map(scop, &readers)? {
            let sample = witness::sample(scop, &readers.wrap()?)?;
            let (lost, reader) = sample.split(statement.iterators.len());
            let reader_id = statement_of(scop, &readers, isl::DimType::Out)?;
            return Ok(Some(Violation {
                message: format!(
                    "{} would not be executed, but {} reads what it wrote",
                    witness::instance(scop, id, lost),
                    witness::instance(scop, reader_id, reader),
                ),
                parameters: sample.parameters(scop),
                kind: ViolationKind::Domain,
            }));
        }
        if let Some(left) = first_map(scop, &dataflow.live_out.intersect_domain(&missing)?)? {
            let sample = witness::sample(scop, &left.wrap()?)?;
            let (lost, element) = sample.split(statement.iterators.len());
            let name = left.get_tuple_name(isl::DimType::Out)?;
            let array = statement
                .accesses
                .iter()
                .filter(|access| access.kind == AccessKind::Write)
                .map(|access| access.array)
                .find(|&array| scop.arrays[array].name == name);
            let cell = match array {
                Some(array) => witness::cell(scop, array, element),
                None => name,
            };
            return Ok(Some(Violation {
                message: format!(
                    "{} would not be executed, which leaves the final value in {cell}",
                    witness::instance(scop, id, lost),
                ),
                parameters: sample.parameters(scop),
                kind: ViolationKind::Domain,
            }));
        }
    }
    Ok(None)
}

/// A map of the union that is not empty.
pub(crate) fn first_map(scop: &Scop, union: &isl::UnionMap) -> isl::Result<Option<isl::Map>> {
    let mut first: Option<(String, isl::Map)> = None;
    union.foreach_map(&mut |map| {
        if scop.is_possible(&map)? {
            let name = map.get_space()?.to_string();
            if first.as_ref().is_none_or(|(other, _)| name < *other) {
                first = Some((name, map));
            }
        }
        Ok(())
    })?;
    Ok(first.map(|(_, map)| map))
}

/// The statement whose tuple is on one side of a map. (Every such tuple is one of the scop's.)
pub(crate) fn statement_of(
    scop: &Scop,
    map: &isl::Map,
    side: isl::DimType,
) -> isl::Result<StatementId> {
    Ok(scop
        .statement_named(&map.get_tuple_name(side)?)
        .unwrap_or_default())
}
