//! What is said of pragmas that mark no statements of one block.

use super::binder;
use super::text::regions::Marked;
use crate::diagnostic::{Code, Diagnostic};

/// The message for pragmas that do not stand between two statements of one block.
pub(super) fn message(marked: &Marked, found: &binder::Found) -> Diagnostic {
    let help = "put both pragmas between statements of the same block";
    if found.function.is_none() {
        return Diagnostic::error(
            Code::UnbalancedPragmas,
            "a marked region outside of functions",
        )
        .at(
            marked.opening,
            "this does not stand inside a function's body",
        )
        .also(marked.closing, "up to here")
        .help(help);
    }
    match (found.opened, found.closed) {
        (Some(_), Some(_)) => Diagnostic::error(
            Code::UnbalancedPragmas,
            "`#pragma scop` and `#pragma endscop` stand in different blocks",
        )
        .at(
            marked.closing,
            "not in the block in which the region begins",
        )
        .also(marked.opening, "the region begins here")
        .help(help),
        (None, _) => Diagnostic::error(
            Code::UnbalancedPragmas,
            "`#pragma scop` does not stand between two statements",
        )
        .at(marked.opening, "this is in the middle of a statement")
        .help(help),
        (_, None) => Diagnostic::error(
            Code::UnbalancedPragmas,
            "`#pragma endscop` does not stand between two statements",
        )
        .at(marked.closing, "this is in the middle of a statement")
        .also(marked.opening, "the region begins here")
        .help(help),
    }
}
