//! Pointers that functions are given: which have a form that can stand for a parameter.

use crate::frontend::c::lower::calls::hidden;
use crate::frontend::c::lower::memory::allocation::is_null;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Sized, Type, Unit};
use crate::scop::{BinaryOp, UnaryOp};

/// A pointer as a base and what is added to it, which is what lowering follows: `&a[i]` is `a + i`, and
/// where a row `a[i]` becomes a pointer, `a[i] + 0`.
/// `None` for what has another form.
pub(super) fn canonical(unit: &Unit, expr: &Expr) -> Option<Expr> {
    let span = expr.span;
    let kind = match &expr.kind {
        ExprKind::Name(_) => expr.kind.clone(),
        ExprKind::Subscript(..)
        | ExprKind::Field(..)
        | ExprKind::Arrow(..)
        | ExprKind::Dereference(_) => {
            // A pointer in an element may lead anywhere, another one in each: where it is one of a plain
            // array, lowering follows it as a row.
            let row = matches!(types::place_type(unit, expr), Some(Type::Array { .. }));
            if row {
                return Some(first_of(expr.clone()));
            }
            if facts::plain_key(expr).is_none() && !is_row(expr) {
                return None;
            }
            expr.kind.clone()
        }
        ExprKind::AddressOf(place) => match &place.kind {
            ExprKind::Subscript(base, index) => {
                return Some(added(canonical(unit, base)?, BinaryOp::Add, index));
            }
            ExprKind::Dereference(pointer) => return canonical(unit, pointer),
            _ => expr.kind.clone(),
        },
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            let is_pointer = |e: &Expr| target(unit, e).is_some();
            return match (is_pointer(a), is_pointer(b)) {
                (true, false) => Some(added(canonical(unit, a)?, *op, b)),
                (false, true) if *op == BinaryOp::Add => Some(added(canonical(unit, b)?, *op, a)),
                _ => None,
            };
        }
        ExprKind::Cast(Type::Pointer { target: to, .. }, inner) => {
            let from = target(unit, inner)?;
            return is_idle(to, &from).then(|| canonical(unit, inner)).flatten();
        }
        _ => return None,
    };
    Some(Expr { kind, span })
}

/// Whether an expression is an element of an array with a name, or a member of one.
fn is_row(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Subscript(base, _) => facts::plain_key(base).is_some(),
        ExprKind::Field(element, _) => is_row(element),
        _ => false,
    }
}

/// A pointer to the first element of a row, where an array that is part of another object stands. As a
/// sum: lowering takes subscripts of the array itself to stay in it, and those of a pointer need not.
pub(in super::super) fn first_of(row: Expr) -> Expr {
    let span = row.span;
    let zero = Expr {
        kind: ExprKind::Integer(0, "0".to_owned()),
        span,
    };
    Expr {
        kind: ExprKind::Binary(BinaryOp::Add, Box::new(row), Box::new(zero)),
        span,
    }
}

/// A pointer and a number.
fn added(pointer: Expr, op: BinaryOp, offset: &Expr) -> Expr {
    if matches!(offset.kind, ExprKind::Integer(0, _)) {
        return pointer;
    }
    Expr {
        span: pointer.span,
        kind: ExprKind::Binary(op, Box::new(pointer), Box::new(offset.clone())),
    }
}

/// What an expression points at.
pub(super) fn target(unit: &Unit, expr: &Expr) -> Option<Type> {
    match &expr.kind {
        ExprKind::AddressOf(place) => types::place_type(unit, place).cloned(),
        ExprKind::Binary(_, a, b) => target(unit, a).or_else(|| target(unit, b)),
        _ => types::place_type(unit, expr)
            .and_then(types::pointee)
            .cloned(),
    }
}

/// Whether a cast of a pointer changes only how the type is written: rows of other lengths are
/// allowed there.
pub(in super::super) fn is_idle(to: &Type, from: &Type) -> bool {
    fn is_constant(ctype: &Type) -> bool {
        match ctype {
            Type::Array {
                element, extent, ..
            } => {
                let extent = extent.as_deref().map(|e| &e.kind);
                matches!(extent, Some(ExprKind::Integer(..))) && is_constant(element)
            }
            Type::Pointer { target, .. } => is_constant(target),
            _ => true,
        }
    }
    agree(to, from) && is_constant(to) && is_constant(from)
}

/// Whether what pointers of these types lead to is the same, where one is set to the other without a
/// cast: extents that are no constants agree then, or the program means nothing.
pub(in super::super) fn agree(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Scalar(a), Type::Scalar(b)) => a.kind == b.kind,
        (Type::Pointer { target: a, .. }, Type::Pointer { target: b, .. }) => agree(a, b),
        (
            Type::Array {
                element: a,
                extent: x,
                ..
            },
            Type::Array {
                element: b,
                extent: y,
                ..
            },
        ) => {
            let constant = |extent: &Option<Box<Expr>>| match extent.as_deref().map(|e| &e.kind) {
                Some(ExprKind::Integer(value, _)) => Some(*value),
                _ => None,
            };
            let extents = match (constant(x), constant(y)) {
                (Some(x), Some(y)) => x == y,
                _ => true,
            };
            extents && agree(a, b)
        }
        (
            Type::Struct {
                spelling: p,
                is_union: u,
                fields: a,
            },
            Type::Struct {
                spelling: q,
                is_union: v,
                fields: b,
            },
        ) => {
            let same = |((n, s), (m, t)): (&(String, Type), &(String, Type))| n == m && agree(s, t);
            u == v && a.len() == b.len() && (p == q || !a.is_empty()) && a.iter().zip(b).all(same)
        }
        (Type::Other(a), Type::Other(b)) => a == b && !a.contains("volatile"),
        _ => false,
    }
}

/// Where in an expression something stands.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum As {
    /// As a number.
    Value,
    /// As a pointer that is followed, or to which numbers are added.
    Pointer,
    /// As what fields are taken of.
    Whole,
}

/// The same as [`followed`] of what is a number, or a pointer of which counts whether it is null.
pub(super) fn asked(unit: &Unit, expr: &Expr) -> bool {
    let here = match target(unit, expr) {
        Some(_) => As::Pointer,
        None => As::Value,
    };
    followed(unit, expr, here)
}

/// Whether pointers and structures in an expression are only followed: none is compared, assigned or
/// handed on as a value.
pub(super) fn followed(unit: &Unit, expr: &Expr, here: As) -> bool {
    let is_pointer = |e: &Expr| target(unit, e).is_some();
    let own = match types::place_type(unit, expr) {
        Some(Type::Pointer { .. } | Type::Array { .. }) => here == As::Pointer,
        Some(Type::Struct { .. }) => here == As::Whole,
        Some(Type::Other(_) | Type::Void) => false,
        _ => true,
    };
    let each = |e: &Expr| match is_pointer(e) {
        true => followed(unit, e, As::Pointer),
        false => followed(unit, e, As::Value),
    };
    own && match &expr.kind {
        ExprKind::Subscript(a, b) => each(a) && each(b) && is_pointer(a) != is_pointer(b),
        ExprKind::Dereference(a) | ExprKind::Arrow(a, _) => followed(unit, a, As::Pointer),
        ExprKind::Field(a, _) => followed(unit, a, As::Whole),
        ExprKind::AddressOf(_) | ExprKind::Unknown(_) | ExprKind::Unsupported(_) => false,
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) if here == As::Pointer => {
            each(a) && each(b) && is_pointer(a) != is_pointer(b)
        }
        ExprKind::Cast(Type::Scalar(_), a) => followed(unit, a, As::Value),
        ExprKind::Cast(..) => false,
        ExprKind::SizeOf(of, _) => {
            matches!(of, Sized::Type(_))
        }
        ExprKind::Literal(text) => !text.contains('"'),
        ExprKind::Conditional(c, a, b) => {
            asked(unit, c) && followed(unit, a, As::Value) && followed(unit, b, As::Value)
        }
        ExprKind::Assign(None, a, b)
            if matches!(types::place_type(unit, a), Some(Type::Struct { .. })) =>
        {
            followed(unit, a, As::Whole) && followed(unit, b, As::Whole)
        }
        ExprKind::Unary(UnaryOp::Not, a) => asked(unit, a),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => asked(unit, a) && asked(unit, b),
        ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b)
            if is_null(a) && is_pointer(b) || is_null(b) && is_pointer(a) =>
        {
            asked(unit, if is_null(a) { b } else { a })
        }
        // How far two pointers are from each other.
        ExprKind::Binary(op, a, b) if is_pointer(a) && is_pointer(b) && is_of_two(*op) => {
            followed(unit, a, As::Pointer) && followed(unit, b, As::Pointer)
        }
        // What they do with pointers is known.
        ExprKind::Call(name, arguments) if hidden::called(unit, name).is_some() => {
            arguments.iter().all(|e| match hidden::strings(e) {
                Some(conditions) => conditions.into_iter().all(|e| asked(unit, e)),
                None => asked(unit, e),
            })
        }
        _ => visit::children(expr)
            .into_iter()
            .all(|e| followed(unit, e, As::Value)),
    }
}

/// Whether C allows an operator between two pointers into one array.
fn is_of_two(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Sub
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual
    )
}
