//! `continue`: what it skips goes under a condition.

use super::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, Unit};
use crate::scop::UnaryOp;

/// Puts what a `continue` skips under the opposite of its conditions, in loops in which each way
/// through a branch either ends in one or has none.
pub(super) fn guard(_: &mut Unit, _: usize, statements: &mut Vec<Stmt>) {
    for stmt in statements {
        tree::statements_mut(stmt, &mut |stmt| {
            if let StmtKind::For { body, .. } | StmtKind::While { body, .. } = &mut stmt.kind
                && continues(body)
                && let Some(list) = without(vec![(**body).clone()])
            {
                let span = body.span;
                **body = Stmt {
                    kind: StmtKind::Block(list),
                    span,
                };
            }
        });
    }
}

/// A list of statements without `continue` that does the same at the end of a loop's body; `None`
/// where some way through a branch goes on and another does not.
fn without(list: Vec<Stmt>) -> Option<Vec<Stmt>> {
    let mut done = Vec::new();
    let mut rest = list.into_iter();
    while let Some(stmt) = rest.next() {
        if !continues(&stmt) {
            done.push(stmt);
            continue;
        }
        let span = stmt.span;
        match stmt.kind {
            StmtKind::Unsupported("continue") => return Some(done),
            StmtKind::Block(list) => {
                done.extend(without(list.into_iter().chain(rest).collect())?);
                return Some(done);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let otherwise: Vec<Stmt> = otherwise.map(|stmt| *stmt).into_iter().collect();
                let (then, otherwise) = match (leaves(&then), otherwise.iter().any(leaves)) {
                    (true, true) => (vec![*then], otherwise),
                    (true, false) => (vec![*then], otherwise.into_iter().chain(rest).collect()),
                    (false, true) => (std::iter::once(*then).chain(rest).collect(), otherwise),
                    (false, false) => return None,
                };
                done.extend(branch(condition, without(then)?, without(otherwise)?, span));
                return Some(done);
            }
            _ => return None,
        }
    }
    Some(done)
}

/// `if (condition) then else otherwise`, the other way round where there is nothing under `then`.
fn branch(
    condition: Expr,
    then: Vec<Stmt>,
    otherwise: Vec<Stmt>,
    span: crate::source::Span,
) -> Option<Stmt> {
    let block = |list: Vec<Stmt>| {
        Box::new(Stmt {
            span: match (list.first(), list.last()) {
                (Some(first), Some(last)) => first.span.to(last.span),
                _ => span,
            },
            kind: StmtKind::Block(list),
        })
    };
    let kind = match (then.is_empty(), otherwise.is_empty()) {
        (true, true) => StmtKind::Expression(condition),
        (false, true) => StmtKind::If {
            condition,
            then: block(then),
            otherwise: None,
        },
        (true, false) => StmtKind::If {
            condition: Expr {
                span: condition.span,
                kind: ExprKind::Unary(UnaryOp::Not, Box::new(condition)),
            },
            then: block(otherwise),
            otherwise: None,
        },
        (false, false) => StmtKind::If {
            condition,
            then: block(then),
            otherwise: Some(block(otherwise)),
        },
    };
    Some(Stmt { kind, span })
}

/// Whether a statement holds a `continue` of the loop around it.
fn continues(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Unsupported("continue") => true,
        StmtKind::Block(list) => list.iter().any(continues),
        StmtKind::If {
            then, otherwise, ..
        } => continues(then) || otherwise.as_deref().is_some_and(continues),
        _ => false,
    }
}

/// Whether no way through a statement comes to its end.
fn leaves(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Unsupported("continue") => true,
        StmtKind::Block(list) => list.iter().any(leaves),
        StmtKind::If {
            then,
            otherwise: Some(otherwise),
            ..
        } => leaves(then) && leaves(otherwise),
        _ => false,
    }
}
