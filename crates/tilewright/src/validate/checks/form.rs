//! Is it a program at all? What [`Transformed`] promises of names, buffers and marks: the other
//! checks take it for granted, and so does code generation.

use crate::scop::tree::walk;
use std::collections::BTreeSet;

use crate::scop::Scop;
use crate::transform::{BufferKind, Lifted, Transformed};
use crate::validate::{Violation, ViolationKind};

/// Looks at statements, buffers and marks.
pub(crate) fn check(scop: &Scop, transformed: &Transformed) -> isl::Result<Option<Violation>> {
    let found = buffers(scop, transformed).or_else(|| bindings(scop, transformed));
    let message = match found.or_else(|| names(transformed)) {
        Some(message) => Some(message),
        None => marks(transformed)?,
    };
    Ok(message.map(|message| Violation {
        message,
        parameters: String::new(),
        kind: ViolationKind::Bounds,
    }))
}

/// Each array is there in full once, at its own number; local buffers have its dimensions.
fn buffers(scop: &Scop, transformed: &Transformed) -> Option<String> {
    let arrays = scop.arrays.iter().enumerate();
    for (array, a) in arrays {
        let whole = transformed.buffers.get(array);
        if !whole.is_some_and(|b| b.array == array && matches!(b.kind, BufferKind::Full)) {
            return Some(format!("buffer {array} is not the array `{}`", a.name));
        }
    }
    for buffer in &transformed.buffers[scop.arrays.len()..] {
        let name = &buffer.name;
        if let BufferKind::Accumulators { .. } = buffer.kind {
            continue;
        }
        let BufferKind::Local {
            origin,
            extents,
            folded,
            ..
        } = &buffer.kind
        else {
            return Some(format!("buffer `{name}` is a second array of the program"));
        };
        let dims = scop.arrays[buffer.array].extents.len();
        if [origin.len(), extents.len(), folded.len()] != [dims; 3] {
            return Some(format!("buffer `{name}` does not have {dims} dimensions"));
        }
        let mut sizes = extents.iter().zip(folded);
        if sizes.any(|(&extent, &folded)| folded && extent < 1) {
            return Some(format!("buffer `{name}` is folded to nothing"));
        }
    }
    None
}

/// Every access goes to a buffer of its array.
fn bindings(scop: &Scop, transformed: &Transformed) -> Option<String> {
    let wrong = |lifted: &Lifted| {
        let accesses = &scop.statements[lifted.statement].accesses;
        if accesses.len() != lifted.bindings.len() {
            return Some(format!("{} has accesses without a buffer", lifted.name));
        }
        let mut bound = accesses.iter().zip(&lifted.bindings);
        bound.find_map(|(access, &buffer)| {
            let name = &scop.arrays[access.array].name;
            let buffer = transformed.buffers.get(buffer);
            match buffer {
                Some(buffer) if matches!(buffer.kind, BufferKind::Accumulators { .. }) => {
                    Some(format!(
                        "{} would access `{name}` in `{}`, which is not for the schedule",
                        lifted.name, buffer.name
                    ))
                }
                Some(buffer) if buffer.array == access.array => None,
                Some(buffer) => Some(format!(
                    "{} would access `{name}` in buffer `{}`, which holds another array",
                    lifted.name, buffer.name
                )),
                None => Some(format!("{} would access `{name}` nowhere", lifted.name)),
            }
        })
    };
    transformed.statements.iter().find_map(wrong)
}

/// No two statements have the same name.
fn names(transformed: &Transformed) -> Option<String> {
    let mut all = BTreeSet::new();
    let mut statements = transformed.statements.iter();
    let twice = statements.find(|lifted| !all.insert(&lifted.name))?;
    Some(format!("there are two statements {}", twice.name))
}

/// No mark of a scope stands inside another one of the same scope: its buffers would be two in one
/// place.
fn marks(transformed: &Transformed) -> isl::Result<Option<String>> {
    let mut nested = None;
    for (mark, node) in walk::marks(&transformed.schedule.get_root()?)? {
        if let Some(scope) = mark.scope() {
            if walk::scopes(&node.child(0)?)?.contains(&scope) {
                nested = Some(scope);
            }
        }
    }
    Ok(nested.map(|scope| format!("a mark `scope:{scope}` stands inside another one")))
}
