//! The values of constant expressions, for enumerations.

use super::super::syntax::{Expr, ExprKind, Sized, Type};
use crate::scop::{BinaryOp, UnaryOp};

/// The value of an integer constant expression, where it is one that is understood; computed in
/// 64 bits, `None` when that overflows.
pub(crate) fn value(expression: &Expr) -> Option<i64> {
    match &expression.kind {
        ExprKind::Integer(value, _) => Some(*value),
        ExprKind::Literal(spelling) => character(spelling),
        ExprKind::SizeOf(Sized::Type(Type::Scalar(scalar)), _) => {
            i64::try_from(scalar.kind.bytes()).ok()
        }
        ExprKind::Cast(Type::Scalar(scalar), inner) if !scalar.kind.is_float() => value(inner),
        ExprKind::Unary(op, inner) => {
            let inner = value(inner)?;
            match op {
                UnaryOp::Minus => inner.checked_neg(),
                UnaryOp::Plus => Some(inner),
                UnaryOp::Not => Some(i64::from(inner == 0)),
                UnaryOp::Complement => Some(!inner),
            }
        }
        ExprKind::Binary(op, left, right) => binary(*op, value(left)?, value(right)?),
        ExprKind::Conditional(condition, then, otherwise) => {
            if value(condition)? != 0 {
                value(then)
            } else {
                value(otherwise)
            }
        }
        _ => None,
    }
}

fn binary(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    use BinaryOp::*;
    match op {
        Add => a.checked_add(b),
        Sub => a.checked_sub(b),
        Mul => a.checked_mul(b),
        Div => a.checked_div(b),
        Rem => a.checked_rem(b),
        ShiftLeft => a.checked_mul(1i64.checked_shl(u32::try_from(b).ok()?)?),
        ShiftRight => a.checked_shr(u32::try_from(b).ok()?),
        Less => Some(i64::from(a < b)),
        Greater => Some(i64::from(a > b)),
        LessEqual => Some(i64::from(a <= b)),
        GreaterEqual => Some(i64::from(a >= b)),
        Equal => Some(i64::from(a == b)),
        NotEqual => Some(i64::from(a != b)),
        BitAnd => Some(a & b),
        BitXor => Some(a ^ b),
        BitOr => Some(a | b),
        And => Some(i64::from(a != 0 && b != 0)),
        Or => Some(i64::from(a != 0 || b != 0)),
    }
}

/// The value of a plain character constant of one ASCII character.
fn character(spelling: &str) -> Option<i64> {
    let inner = spelling.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut characters = inner.chars();
    let value = match (characters.next()?, characters.next()) {
        ('\\', Some(escaped)) => match escaped {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            '\\' | '\'' | '"' => escaped,
            _ => return None,
        },
        (plain, None) if plain != '\\' && plain.is_ascii() => {
            return Some(i64::from(u32::from(plain)));
        }
        _ => return None,
    };
    characters
        .next()
        .is_none()
        .then_some(i64::from(u32::from(value)))
}
