//! Bounds that are data, and the statements that compute them.

use super::TransformError;
use crate::scop::{
    AccessKind, Action, Origin, Outside, ScalarKind, ScalarType, Scop, Statement, StatementId,
};

type Result<T> = std::result::Result<T, TransformError>;

/// The statement that computes a bound, fit for inspection.
///
/// # Errors
/// Why it cannot be inspected.
pub fn definer(scop: &Scop, name: &str) -> Result<StatementId> {
    let refused =
        |why: String| TransformError::Plan(format!("`{name}` cannot be inspected: {why}"));
    let array = scop
        .array_named(name)
        .filter(|_| scop.loops.bounds.contains_key(name))
        .ok_or_else(|| TransformError::Plan(format!("`{name}` is no bound that is data")))?;
    let writes = |statement: &Statement, array: usize| {
        let mut accesses = statement.accesses.iter();
        accesses.any(|a| a.array == array && a.kind == AccessKind::Write)
    };
    let mut definers = (0..scop.statements.len()).filter(|&s| writes(&scop.statements[s], array));
    let (Some(id), None) = (definers.next(), definers.next()) else {
        return Err(refused("it is computed in several places".to_owned()));
    };
    let statement = &scop.statements[id];
    if !matches!(statement.body[..], [Action::Assign { .. }]) {
        return Err(refused(
            "whether it is computed depends on data itself".to_owned(),
        ));
    }
    if let Some(call) = statement.outside().first() {
        return Err(refused(match call.why {
            Outside::Arrays => "a function computes it from arrays".to_owned(),
            Outside::State => call.reason(),
        }));
    }
    for access in &statement.accesses {
        let read = &scop.arrays[access.array];
        let changed = scop.statements.iter().any(|s| writes(s, access.array));
        if access.kind == AccessKind::Read && changed {
            let base = match read.origin {
                Origin::Region { .. } => &read.name,
                _ => &read.base,
            };
            return Err(refused(format!("the region writes `{base}`")));
        }
    }
    Ok(id)
}

/// The type of bounds.
pub fn long() -> ScalarType {
    ScalarType {
        kind: ScalarKind::I64,
        spelling: "long".to_owned(),
    }
}
