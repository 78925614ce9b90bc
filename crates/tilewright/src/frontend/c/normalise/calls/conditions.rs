//! Conditions of which a part calls something only if the parts in front of it say so.
//!
//! `if (a && f(&t) && t < b) …` becomes `if (a) if (f(&t) && t < b) …`: what stands for the call has a
//! place in front of the inner condition. Where there is an `else`, or `||`, a variable holds what
//! comes out.

use super::super::build;
use super::{Inliner, candidates};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, Unit};
use crate::scop::{BinaryOp, ScalarKind};
use crate::source::Span;

/// A condition that is evaluated in two turns.
pub(super) struct Parts {
    /// `&&` or `||`.
    op: BinaryOp,
    /// What is evaluated in any case.
    first: Expr,
    /// What is evaluated then, if it decides: it begins with a call that a body could stand for.
    rest: Expr,
}

/// The two turns of a condition of which not only the first operand has calls that bodies could stand
/// for.
pub(super) fn parts(unit: &Unit, condition: &Expr) -> Option<Parts> {
    let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) = condition.kind else {
        return None;
    };
    let mut operands = Vec::new();
    flatten(op, condition, &mut operands);
    let later = &operands[1..];
    let at = 1 + later.iter().position(|e| candidates(unit, e) > 0)?;
    let joined = |operands: &[&Expr]| {
        let join = |a: Expr, b: Expr| Expr {
            span: condition.span,
            kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
        };
        operands.iter().map(|&e| e.clone()).reduce(join)
    };
    Some(Parts {
        op,
        first: joined(&operands[..at])?,
        rest: joined(&operands[at..])?,
    })
}

/// The operands of one operator, in the order in which they are evaluated.
fn flatten<'e>(op: BinaryOp, expr: &'e Expr, operands: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(own, a, b) if *own == op => {
            flatten(op, a, operands);
            flatten(op, b, operands);
        }
        _ => operands.push(expr),
    }
}

impl Inliner<'_> {
    /// A statement under such a condition, one part after the other.
    pub(super) fn in_turn(
        &mut self,
        Parts { op, first, rest }: Parts,
        (then, otherwise): (Box<Stmt>, Option<Box<Stmt>>),
        span: Span,
    ) -> Vec<Stmt> {
        let branch = |condition: Expr, then: Box<Stmt>, otherwise: Option<Box<Stmt>>| Stmt {
            kind: StmtKind::If {
                condition,
                then,
                otherwise,
            },
            span,
        };
        if op == BinaryOp::And && otherwise.is_none() {
            let inner = branch(rest, then, None);
            return self.statement(branch(first, Box::new(inner), None));
        }
        let integer = |value| Expr {
            kind: ExprKind::Integer(value, value.to_string()),
            span,
        };
        let int = types::named(ScalarKind::I32);
        let symbol = self.declare("holds", int, Some(integer(0)), span);
        let holds = Expr {
            kind: ExprKind::Name(symbol),
            span,
        };
        let set = || {
            let kind = StmtKind::Expression(build::assign(holds.clone(), integer(1)));
            Box::new(Stmt { kind, span })
        };
        let inner = Box::new(branch(rest, set(), None));
        let decided = match op {
            BinaryOp::And => branch(first, inner, None),
            _ => branch(first, set(), Some(inner)),
        };
        let mut list = vec![Stmt {
            kind: StmtKind::Declaration(symbol),
            span,
        }];
        list.extend(self.statement(decided));
        list.extend(self.statement(branch(holds, then, otherwise)));
        list
    }
}
