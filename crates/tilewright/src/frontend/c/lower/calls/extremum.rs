//! Calls of a program's own `max` and `min`.

use super::purity::{definition, minmax};
use crate::frontend::c::syntax::{Expr, ExprKind, Function, Stmt, StmtKind, Unit};
use crate::scop::BinaryOp;

/// Whether a call gives the greater (`true`) or the lesser of its two arguments: by the names that
/// programs have for it, unless the file has a function of that name which computes something else.
pub(crate) fn extremum(unit: &Unit, name: &str) -> Option<bool> {
    let greater = minmax(name)?;
    let Some((_, function)) = definition(unit, name) else {
        return Some(greater);
    };
    chooses(function, greater).then_some(greater)
}

/// Whether all that a function does is to give back the greater, or the lesser, of its two arguments:
/// `return a > b ? a : b;`, or with `if`.
fn chooses(function: &Function, greater: bool) -> bool {
    let named = |e: &Expr| match e.kind {
        ExprKind::Name(symbol) => function.parameters.iter().position(|&p| p == symbol),
        _ => None,
    };
    let right = |condition: &Expr, then: &Expr, other: &Expr| {
        let ExprKind::Binary(op, a, b) = &condition.kind else {
            return false;
        };
        let first_is_greater = match op {
            BinaryOp::Greater | BinaryOp::GreaterEqual => true,
            BinaryOp::Less | BinaryOp::LessEqual => false,
            _ => return false,
        };
        let places = [&**a, b, then, other].map(named);
        let [Some(a), Some(b), Some(then), Some(other)] = places else {
            return false;
        };
        let straight = (then, other) == (a, b);
        a != b && (straight || (then, other) == (b, a)) && straight == (first_is_greater == greater)
    };
    fn only(stmt: &Stmt) -> &Stmt {
        match &stmt.kind {
            StmtKind::Block(list) if list.len() == 1 => only(&list[0]),
            _ => stmt,
        }
    }
    let value = |stmt: &Stmt| match &only(stmt).kind {
        StmtKind::Return(Some(value)) => Some(value.clone()),
        _ => None,
    };
    let body = match &function.body.kind {
        StmtKind::Block(list) => list.as_slice(),
        _ => return false,
    };
    let (condition, then, other) = match body {
        [one] => match &one.kind {
            StmtKind::Return(Some(value)) => match &value.kind {
                ExprKind::Conditional(c, a, b) => ((**c).clone(), (**a).clone(), (**b).clone()),
                _ => return false,
            },
            StmtKind::If {
                condition,
                then,
                otherwise: Some(other),
            } => match (value(then), value(other)) {
                (Some(then), Some(other)) => (condition.clone(), then, other),
                _ => return false,
            },
            _ => return false,
        },
        [one, last] => match &one.kind {
            StmtKind::If {
                condition,
                then,
                otherwise: None,
            } => match (value(then), value(last)) {
                (Some(then), Some(other)) => (condition.clone(), then, other),
                _ => return false,
            },
            _ => return false,
        },
        _ => return false,
    };
    right(&condition, &then, &other)
}
