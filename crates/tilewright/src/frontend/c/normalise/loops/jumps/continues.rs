//! `continue`: what it skips goes under a condition.

use super::{Jump, Without, flag};
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Stmt, StmtKind, Unit};

pub(in crate::frontend::c::normalise) const CONTINUE: Jump<'static> = Jump {
    is: &|stmt| stmt.kind == StmtKind::Unsupported("continue"),
    leaves_loops: false,
};

/// Puts what a `continue` skips under the opposite of its conditions, or, where one way through a branch
/// goes on and another does not, under a variable that says which was taken.
pub(in crate::frontend::c::normalise) fn guard(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    for stmt in statements {
        tree::statements_mut(stmt, &mut |stmt| {
            if let StmtKind::For { body, .. } | StmtKind::While { body, .. } = &mut stmt.kind
                && CONTINUE.is_in(body)
                && let Some(list) = without(unit, number, body)
            {
                body.kind = StmtKind::Block(list);
            }
        });
    }
}

/// The statements of a loop's body without `continue`; `None` where some stay.
pub(in crate::frontend::c::normalise) fn without(
    unit: &mut Unit,
    number: usize,
    body: &Stmt,
) -> Option<Vec<Stmt>> {
    let mut how = Without {
        put: &mut |_| Some(Vec::new()),
        flag: &mut |span| flag(unit, number, span),
    };
    CONTINUE.without(vec![body.clone()], &mut how)
}
