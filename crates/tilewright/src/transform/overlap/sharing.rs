//! Scratchpads of a group that are the same memory, where the plan says so
//! ([`crate::plan::Overlapped::share`]).
//!
//! Only buffers of one element type share: an object of C that is written as one type and read as
//! another is not what a compiler expects.

use crate::plan::Overlapped;
use crate::scop::Scop;
use crate::transform::{Buffer, BufferKind, TransformError};

/// The plan's lists with their buffers found, by position in `buffers`.
///
/// # Errors
/// [`TransformError::Plan`] where a name is not a scratchpad of the group, stands twice, or has
/// another element type than those that it shares with. Whether their lives are apart is for
/// validation to say.
pub(crate) fn shared(
    scop: &Scop,
    plan: &Overlapped,
    buffers: &[Buffer],
    number: usize,
) -> Result<Vec<Vec<usize>>, TransformError> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    for names in &plan.share {
        let mut list: Vec<usize> = Vec::new();
        for name in names {
            let found = buffers.iter().position(|buffer| {
                scop.arrays[buffer.array].name == *name
                    && matches!(buffer.kind, BufferKind::Local { scope, .. } if scope == number)
            });
            let Some(found) = found.filter(|_| plan.local.contains(name)) else {
                return Err(TransformError::Plan(format!(
                    "`{name}` in `share` is not in `local`"
                )));
            };
            if list.contains(&found) || all.iter().any(|other| other.contains(&found)) {
                return Err(TransformError::Plan(format!(
                    "`{name}` is twice in `share`"
                )));
            }
            let element = |buffer: usize| &scop.arrays[buffers[buffer].array].element;
            if let Some(&first) = list.first()
                && element(first) != element(found)
            {
                return Err(TransformError::Plan(format!(
                    "`{name}` cannot share memory with `{}`: one has elements of type `{}`, the \
                     other of type `{}`",
                    names[0],
                    element(found).spelling,
                    element(first).spelling,
                )));
            }
            list.push(found);
        }
        if list.len() > 1 {
            all.push(list);
        }
    }
    Ok(all)
}
