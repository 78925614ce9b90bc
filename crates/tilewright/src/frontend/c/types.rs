//! Types and expressions as C text.

use super::syntax::{Expr, ExprKind, Symbol, Type};
use crate::scop::{BinaryOp, UnaryOp};

/// The declaration of `name` with this type, without `restrict`; with an empty name what stands
/// in the parentheses of a cast: `const float (*)[R + 4]`.
///
/// `None` for types without a name in C text ([`Type::Other`], unnamed structures).
pub fn declaration(ctype: &Type, name: &str, symbols: &[Symbol]) -> Option<String> {
    let (base, declarator) = declarator(ctype, name.to_string(), symbols, false)?;
    Some(if declarator.is_empty() {
        base
    } else {
        format!("{base} {declarator}")
    })
}

/// The declaration of a parameter `name` as [`declaration`] has it, with `restrict`: of an array it
/// stands in the outermost brackets.
pub fn restricted(ctype: &Type, name: &str, symbols: &[Symbol]) -> Option<String> {
    match ctype {
        Type::Array {
            element,
            extent,
            is_const,
            ..
        } => {
            let extent = extent
                .as_ref()
                .map_or(String::new(), |e| format!(" {}", expression(e, symbols)));
            let inner = format!("{name}[restrict{extent}]");
            let (base, declarator) = declarator(element, inner, symbols, *is_const)?;
            Some(format!("{base} {declarator}"))
        }
        Type::Pointer { .. } => declaration(ctype, &format!("restrict {name}"), symbols),
        _ => None,
    }
}

/// The type of a function's parameter as C sees it: an array's outermost dimension is a pointer.
pub fn parameter_type(ctype: &Type, symbols: &[Symbol]) -> Option<String> {
    match ctype {
        Type::Array {
            element, is_const, ..
        } => {
            let target = element.clone();
            declaration(
                &Type::Pointer {
                    target,
                    restrict: false,
                    is_const: *is_const,
                },
                "",
                symbols,
            )
        }
        other => declaration(other, "", symbols),
    }
}

/// The base type and the declarator around `inner`, from the outside of the type inwards.
fn declarator(
    ctype: &Type,
    inner: String,
    symbols: &[Symbol],
    is_const: bool,
) -> Option<(String, String)> {
    let prefix = if is_const { "const " } else { "" };
    match ctype {
        Type::Scalar(scalar) => Some((format!("{prefix}{}", scalar.spelling), inner)),
        Type::Void => Some((format!("{prefix}void"), inner)),
        Type::Struct { spelling, .. } if !spelling.contains('{') => {
            Some((format!("{prefix}{spelling}"), inner))
        }
        Type::Struct { .. } | Type::Other(_) => None,
        Type::Array {
            element,
            extent,
            is_const,
            ..
        } => {
            let inner = if inner.starts_with('*') {
                format!("({inner})")
            } else {
                inner
            };
            let extent = extent
                .as_ref()
                .map_or(String::new(), |e| expression(e, symbols));
            declarator(element, format!("{inner}[{extent}]"), symbols, *is_const)
        }
        Type::Pointer {
            target,
            is_const: target_const,
            ..
        } => {
            let own = if is_const { "const" } else { "" };
            let space = if is_const && !inner.is_empty() {
                " "
            } else {
                ""
            };
            declarator(
                target,
                format!("*{own}{space}{inner}"),
                symbols,
                *target_const,
            )
        }
    }
}

/// The C text of an expression, with the parentheses that it needs.
pub fn expression(expr: &Expr, symbols: &[Symbol]) -> String {
    print(expr, symbols, 0)
}

/// C's precedences, higher ones bind tighter: 1 the comma, 2 assignment, 3 the conditional,
/// 14 unary operators, 15 postfix, 16 primary expressions.
fn precedence(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Or => 4,
        And => 5,
        BitOr => 6,
        BitXor => 7,
        BitAnd => 8,
        Equal | NotEqual => 9,
        Less | Greater | LessEqual | GreaterEqual => 10,
        ShiftLeft | ShiftRight => 11,
        Add | Sub => 12,
        Mul | Div | Rem => 13,
    }
}

fn print(expr: &Expr, symbols: &[Symbol], least: u8) -> String {
    let sub = |e: &Expr, least| print(e, symbols, least);
    let list = |items: &[Expr]| {
        items
            .iter()
            .map(|e| sub(e, 2))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let prefixed = |sign: &str, operand: String| {
        let space = if operand.starts_with(sign) { " " } else { "" };
        (14, format!("{sign}{space}{operand}"))
    };
    let (own, text) = match &expr.kind {
        ExprKind::Integer(_, spelling)
        | ExprKind::Literal(spelling)
        | ExprKind::Unknown(spelling) => (16, spelling.clone()),
        ExprKind::Name(symbol) => (
            16,
            symbols
                .get(*symbol)
                .map_or(String::new(), |s| s.name.clone()),
        ),
        ExprKind::Subscript(base, index) => (15, format!("{}[{}]", sub(base, 15), sub(index, 0))),
        ExprKind::Field(base, field) => (15, format!("{}.{field}", sub(base, 15))),
        ExprKind::Arrow(base, field) => (15, format!("{}->{field}", sub(base, 15))),
        ExprKind::Dereference(operand) => prefixed("*", sub(operand, 14)),
        ExprKind::AddressOf(operand) => prefixed("&", sub(operand, 14)),
        ExprKind::Unary(op, operand) => prefixed(
            match op {
                UnaryOp::Minus => "-",
                UnaryOp::Plus => "+",
                UnaryOp::Not => "!",
                UnaryOp::Complement => "~",
            },
            sub(operand, 14),
        ),
        ExprKind::Binary(op, a, b) => {
            let own = precedence(*op);
            (
                own,
                format!("{} {} {}", sub(a, own), op.spelling(), sub(b, own + 1)),
            )
        }
        ExprKind::Assign(op, target, value) => {
            let op = op.map_or("", BinaryOp::spelling);
            (2, format!("{} {op}= {}", sub(target, 14), sub(value, 2)))
        }
        ExprKind::Increment {
            target,
            by,
            postfix,
        } => {
            let sign = if *by < 0 { "--" } else { "++" };
            if *postfix {
                (15, format!("{}{sign}", sub(target, 15)))
            } else {
                prefixed(sign, sub(target, 14))
            }
        }
        ExprKind::Conditional(c, a, b) => {
            (3, format!("{} ? {} : {}", sub(c, 4), sub(a, 0), sub(b, 3)))
        }
        ExprKind::Cast(ctype, operand) => {
            let ctype = declaration(ctype, "", symbols).unwrap_or_default();
            (14, format!("({ctype}){}", sub(operand, 14)))
        }
        ExprKind::Call(name, arguments) => (15, format!("{name}({})", list(arguments))),
        ExprKind::SizeOf(_, spelling) => (14, spelling.clone()),
        ExprKind::Comma(parts) => (1, list(parts)),
        ExprKind::List(items) => (16, format!("{{{}}}", list(items))),
        ExprKind::Unsupported(what) => (16, format!("/* {what} */")),
    };
    if own < least {
        format!("({text})")
    } else {
        text
    }
}
