//! Syntax trees as C text, for extents and messages.

use crate::frontend::c::syntax::{Expr, ExprKind, Type, Unit};
use crate::scop::{BinaryOp, UnaryOp};

/// C text of an expression, with the parentheses it needs.
pub(super) fn text(unit: &Unit, expr: &Expr) -> String {
    print(unit, expr, 0)
}

/// C's precedences, higher binds tighter; 3 is the conditional, 14 a unary operator.
fn precedence(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Mul | Div | Rem => 13,
        Add | Sub => 12,
        ShiftLeft | ShiftRight => 11,
        Less | Greater | LessEqual | GreaterEqual => 10,
        Equal | NotEqual => 9,
        BitAnd => 8,
        BitXor => 7,
        BitOr => 6,
        And => 5,
        Or => 4,
    }
}

fn print(unit: &Unit, expr: &Expr, outer: u8) -> String {
    let list = |items: &[Expr]| {
        items
            .iter()
            .map(|e| print(unit, e, 2))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let (own, text) = match &expr.kind {
        ExprKind::Integer(_, s) | ExprKind::Literal(s) | ExprKind::Unknown(s) => (16, s.clone()),
        ExprKind::SizeOf(_, s) => (14, s.clone()),
        ExprKind::Name(symbol) => (16, unit.symbols[*symbol].name.clone()),
        ExprKind::Subscript(a, b) => (15, format!("{}[{}]", print(unit, a, 15), print(unit, b, 0))),
        ExprKind::Field(a, f) => (15, format!("{}.{f}", print(unit, a, 15))),
        ExprKind::Arrow(a, f) => (15, format!("{}->{f}", print(unit, a, 15))),
        ExprKind::Dereference(a) => (14, format!("*{}", print(unit, a, 14))),
        ExprKind::AddressOf(a) => (14, format!("&{}", print(unit, a, 14))),
        ExprKind::Unary(op, a) => {
            let sign = match op {
                UnaryOp::Minus => "-",
                UnaryOp::Plus => "+",
                UnaryOp::Not => "!",
                UnaryOp::Complement => "~",
            };
            let operand = print(unit, a, 14);
            let space = if operand.starts_with(sign) { " " } else { "" };
            (14, format!("{sign}{space}{operand}"))
        }
        ExprKind::Binary(op, a, b) => {
            let p = precedence(*op);
            (
                p,
                format!(
                    "{} {} {}",
                    print(unit, a, p),
                    op.spelling(),
                    print(unit, b, p + 1)
                ),
            )
        }
        ExprKind::Assign(op, a, b) => {
            let op = op.map_or("", BinaryOp::spelling);
            (
                2,
                format!("{} {op}= {}", print(unit, a, 14), print(unit, b, 2)),
            )
        }
        ExprKind::Increment {
            target,
            by,
            postfix,
        } => {
            let sign = if *by < 0 { "--" } else { "++" };
            let target = print(unit, target, 15);
            (
                14,
                if *postfix {
                    format!("{target}{sign}")
                } else {
                    format!("{sign}{target}")
                },
            )
        }
        ExprKind::Conditional(c, a, b) => (
            3,
            format!(
                "{} ? {} : {}",
                print(unit, c, 4),
                print(unit, a, 0),
                print(unit, b, 3)
            ),
        ),
        ExprKind::Cast(ctype, a) => (14, format!("({}){}", type_text(ctype), print(unit, a, 14))),
        ExprKind::Call(name, arguments) => (15, format!("{name}({})", list(arguments))),
        ExprKind::Comma(items) => (1, list(items)),
        ExprKind::List(items) => (15, format!("{{{}}}", list(items))),
        ExprKind::Unsupported(what) => (15, format!("<{what}>")),
    };
    if own < outer {
        format!("({text})")
    } else {
        text
    }
}

fn type_text(ctype: &Type) -> String {
    match ctype {
        Type::Scalar(t) => t.spelling.clone(),
        Type::Array { element, .. } => format!("{} []", type_text(element)),
        Type::Pointer { target, .. } => format!("{} *", type_text(target)),
        Type::Struct { spelling, .. } | Type::Other(spelling) => spelling.clone(),
        Type::Void => "void".to_owned(),
    }
}
