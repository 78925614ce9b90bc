//! Places that cannot be followed to an array: why, and what can be.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::calls::hidden;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Unit};
use crate::frontend::c::types as ctext;

/// The message about what a place is made of.
pub(super) fn unfollowed(unit: &Unit, expr: &Expr) -> Diagnostic {
    let text = |e: &Expr| ctext::expression(e, &unit.symbols);
    let own = text(expr);
    let (message, label, help) = match &expr.kind {
        ExprKind::Conditional(condition, a, b) => (
            format!("`{own}` is one of two places"),
            "which of them is decided here".to_owned(),
            format!(
                "access each where it is meant: `if ({}) …` with `{}`, `else …` with `{}`; or set a \
                 pointer to one of them in front of the region",
                text(condition),
                text(a),
                text(b)
            ),
        ),
        ExprKind::Call(name, _) => (
            format!("where the result of `{name}` is in memory is not known"),
            "called for a place".to_owned(),
            "call it in front of the region, and use what it gives by a variable's name; or let \
             subscripts say here what it computes"
                .to_owned(),
        ),
        ExprKind::Literal(_) if hidden::is_string(expr) => (
            format!("the string {own} has no name"),
            "read here".to_owned(),
            format!("give it one in front of the region: `static const char text[] = {own};`"),
        ),
        ExprKind::Cast(ctype, from) => {
            let message = match types::place_type(unit, from).and_then(types::pointee) {
                Some(_) => format!("`{}` is used as memory of another type", text(from)),
                None => format!("`{}` is a number that is used as a pointer", text(from)),
            };
            (
                message,
                "converted here".to_owned(),
                match (
                    &from.kind,
                    ctext::declaration(ctype, "place", &unit.symbols),
                ) {
                    (ExprKind::Name(_), Some(pointer)) => format!(
                        "convert it in front of the region: `{pointer} = {own};`, and access \
                         elements of `place`"
                    ),
                    _ => "declare a pointer of the type that is meant in front of the region, and \
                          access elements of that"
                        .to_owned(),
                },
            )
        }
        _ => (
            format!("`{own}` is no name of an array or a pointer with subscripts behind it"),
            String::new(),
            "access arrays by name and subscripts".to_owned(),
        ),
    };
    Diagnostic::error(Code::UnsupportedExpression, message)
        .at(expr.span, label)
        .help(help)
}
