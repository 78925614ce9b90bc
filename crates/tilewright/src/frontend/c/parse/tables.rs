//! What is in tables of constants: `static const int dx[4] = {-1, 1, 0, 0};`.

use super::super::lower::values::types::range;
use super::super::syntax::{Expr, ExprKind, Symbol, Type};
use crate::scop::{ScalarKind, UnaryOp};

/// The least and the greatest value that a table of integers has whose elements nothing changes;
/// `None` where it is no such table, or one of its values is not written as a number.
pub(super) fn ends(symbol: &Symbol, values: &Expr) -> Option<[i64; 2]> {
    let ExprKind::List(_) = values.kind else {
        return None;
    };
    let kind = element(&symbol.ctype, symbol.is_const)?;
    let (least, greatest) = range(kind)?;
    // What has no value in the list is 0.
    let mut ends = [0; 2];
    widen(values, &mut ends)?;
    let fits = |value: i64| (least..=greatest).contains(&i128::from(value));
    ends.into_iter().all(fits).then_some(ends)
}

/// The type of a constant array's elements.
fn element(ctype: &Type, is_const: bool) -> Option<ScalarKind> {
    match ctype {
        Type::Array {
            element: inner,
            is_const: own,
            ..
        } => match &**inner {
            Type::Scalar(scalar) => (is_const || *own).then_some(scalar.kind),
            inner => element(inner, is_const || *own),
        },
        _ => None,
    }
}

fn widen(value: &Expr, ends: &mut [i64; 2]) -> Option<()> {
    if let ExprKind::List(values) = &value.kind {
        return values.iter().try_for_each(|value| widen(value, ends));
    }
    let number = number(value)?;
    *ends = [ends[0].min(number), ends[1].max(number)];
    Some(())
}

/// A number as it is written, with a sign or without; of a type without signs it has none.
fn number(value: &Expr) -> Option<i64> {
    let is_signed = |text: &str| !text.contains(['u', 'U']) && !text.starts_with('0');
    match &value.kind {
        ExprKind::Integer(value, _) => Some(*value),
        ExprKind::Unary(UnaryOp::Minus, inner) => match &inner.kind {
            ExprKind::Integer(0, _) => Some(0),
            ExprKind::Integer(value, text) if is_signed(text) => value.checked_neg(),
            _ => None,
        },
        _ => None,
    }
}
