//! `continue`: what it skips goes under a condition.

use super::Jump;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Stmt, StmtKind, Unit};

pub(in crate::frontend::c::normalise) const CONTINUE: Jump<'static> = Jump {
    is: &|stmt| stmt.kind == StmtKind::Unsupported("continue"),
    leaves_loops: false,
};

/// Puts what a `continue` skips under the opposite of its conditions, in loops in which each way
/// through a branch either ends in one or has none.
pub(in crate::frontend::c::normalise) fn guard(_: &mut Unit, _: usize, statements: &mut Vec<Stmt>) {
    for stmt in statements {
        tree::statements_mut(stmt, &mut |stmt| {
            if let StmtKind::For { body, .. } | StmtKind::While { body, .. } = &mut stmt.kind
                && CONTINUE.is_in(body)
                && let Some(list) = without(body)
            {
                body.kind = StmtKind::Block(list);
            }
        });
    }
}

/// The statements of a loop's body without `continue`; `None` where some stay.
pub(in crate::frontend::c::normalise) fn without(body: &Stmt) -> Option<Vec<Stmt>> {
    CONTINUE.without(vec![body.clone()], &mut |_| Some(Vec::new()))
}
