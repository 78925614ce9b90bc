//! Expressions that have a value whatever data they get, and so may be computed where the program
//! did not compute them.
//!
//! Floating-point arithmetic has (IEEE 754; nobody looks at its flags). Integer arithmetic with
//! data may overflow or divide by zero, which C leaves undefined; with loop variables only it is
//! what the program computed itself.

use super::{BinaryOp, Expr, ScalarKind, Scop, Statement, UnaryOp};

/// What an expression is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Total {
    /// An integer that depends on loop variables and parameters only.
    Index,
    /// An integer from memory, as it was read.
    Data,
    /// A floating-point number of this type.
    Floating(ScalarKind),
}

impl Total {
    /// What a value of this type is that is made of it.
    pub fn cast(self, kind: ScalarKind) -> Option<Total> {
        match self {
            _ if kind.is_float() => Some(Total::Floating(kind)),
            Total::Index => Some(Total::Index),
            Total::Data | Total::Floating(_) => None,
        }
    }
}

/// What an operation makes. Of numbers of 16 bits it may be one of more bits, until C converts it:
/// that is in no memory.
fn computed(kind: ScalarKind) -> Option<Total> {
    (kind != ScalarKind::F16).then_some(Total::Floating(kind))
}

impl Scop {
    /// What an expression of the statement is, if it has a value whatever is read from memory;
    /// `None` where that is not known. `local` says what a variable of the statement's own is.
    pub fn total(
        &self,
        statement: &Statement,
        expr: &Expr,
        local: &dyn Fn(&str) -> Option<Total>,
    ) -> Option<Total> {
        use Total::{Data, Floating, Index};
        let inner = |expr: &Expr| self.total(statement, expr, local);
        match expr {
            Expr::Literal(text) => Some(match super::expression::floating_literal(text) {
                Some(kind) => Floating(kind),
                None => Index,
            }),
            Expr::Iterator(_) | Expr::Param(_) => Some(Index),
            Expr::Access(access) => {
                let array = &self.arrays[statement.accesses[*access].array];
                Some(match array.element.kind {
                    kind if kind.is_float() => Floating(kind),
                    _ => Data,
                })
            }
            Expr::Unary(UnaryOp::Minus | UnaryOp::Plus, a) => inner(a).filter(|a| *a != Data),
            Expr::Binary(operator, a, b) => {
                let floating = matches!(
                    operator,
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div
                );
                match (inner(a)?, inner(b)?) {
                    (Index, Index) => Some(Index),
                    (Floating(a), Floating(b)) if floating => computed(a.common(b)),
                    (Floating(kind), _) | (_, Floating(kind)) if floating => computed(kind),
                    _ => None,
                }
            }
            Expr::Cast(ctype, a) => inner(a)?.cast(ctype.kind),
            Expr::Local(name) => local(name),
            Expr::Call(name, arguments) => {
                let known = arguments.iter().all(|argument| inner(argument).is_some());
                self.calls
                    .total
                    .get(name)
                    .filter(|_| known)
                    .copied()
                    .map(Floating)
            }
            Expr::Unary(..)
            | Expr::Conditional(..)
            | Expr::Invariant(_)
            | Expr::Effect { .. }
            | Expr::Row { .. } => None,
        }
    }
}
