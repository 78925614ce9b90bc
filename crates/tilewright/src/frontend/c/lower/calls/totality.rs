//! Which functions have a value for all arguments: they may be called with what the program never
//! called them with.

use crate::frontend::c::lower::calls::purity::{definition, result_kind};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, StmtKind, Type, Unit};
use crate::scop::{self, Action, BinaryOp, ScalarKind, Statement, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

/// How deep calls of the file's own functions are followed.
const CALL_DEPTH: usize = 8;

/// The functions that statements call and that have a value for all arguments, with the type of
/// their result: straight-line floating-point arithmetic.
pub(crate) fn total_functions(
    unit: &Unit,
    statements: &[Statement],
) -> BTreeMap<String, ScalarKind> {
    let mut names = BTreeSet::new();
    let mut called = |expr: &scop::Expr| {
        if let scop::Expr::Call(name, _) = expr {
            names.insert(name.clone());
        }
    };
    for statement in statements {
        for action in &statement.body {
            if let Action::Assign { value, .. }
            | Action::Local {
                value: Some(value), ..
            } = action
            {
                value.walk(&mut called);
            }
        }
    }
    let total = |name: String| result(unit, &name, 0).map(|kind| (name, kind));
    names.into_iter().filter_map(total).collect()
}

/// The type of the result of a function with a value for all arguments.
fn result(unit: &Unit, name: &str, depth: usize) -> Option<ScalarKind> {
    let Some((_, function)) = definition(unit, name) else {
        // Its second argument is an integer.
        let integers = name.contains("ldexp");
        return result_kind(name).filter(|kind| kind.is_float() && !integers);
    };
    let floating = |ctype: &Type| match ctype {
        Type::Scalar(scalar) if scalar.kind.is_float() => Some(scalar.kind),
        _ => None,
    };
    let own = |symbol: usize| floating(&unit.symbols[symbol].ctype).is_some();
    let StmtKind::Block(steps) = &function.body.kind else {
        return None;
    };
    let (last, before) = steps.split_last()?;
    let value = |expr: &Expr| depth < CALL_DEPTH && is_total(unit, expr, depth);
    let declares = |symbol: usize| {
        let initialiser = unit.symbols[symbol].initialiser.as_ref();
        own(symbol) && initialiser.is_some_and(value)
    };
    let straight = before
        .iter()
        .all(|step| matches!(&step.kind, StmtKind::Declaration(symbol) if declares(*symbol)));
    let returns = matches!(&last.kind, StmtKind::Return(Some(expr)) if value(expr));
    let all = straight && returns && function.parameters.iter().all(|&p| own(p));
    floating(&function.result).filter(|_| all)
}

/// Whether an expression computes with floating-point numbers only, but for literals.
fn is_total(unit: &Unit, expr: &Expr, depth: usize) -> bool {
    let own = match &expr.kind {
        ExprKind::Integer(..) => return true,
        ExprKind::Unary(operator, a) => {
            matches!(operator, UnaryOp::Minus | UnaryOp::Plus) && floats(unit, a, depth)
        }
        ExprKind::Binary(operator, a, b) => {
            use BinaryOp::{Add, Div, Mul, Sub};
            matches!(operator, Add | Sub | Mul | Div)
                && (floats(unit, a, depth) || floats(unit, b, depth))
        }
        ExprKind::Conditional(condition, ..) => {
            let compares = |operator: &BinaryOp| {
                use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
                matches!(
                    operator,
                    Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual
                )
            };
            let ExprKind::Binary(operator, a, b) = &condition.kind else {
                return false;
            };
            let mut rest = visit::children(expr).skip(1);
            return compares(operator)
                && is_total(unit, a, depth)
                && is_total(unit, b, depth)
                && rest.all(|e| is_total(unit, e, depth));
        }
        ExprKind::Cast(ctype, _) => {
            matches!(ctype, Type::Scalar(scalar) if scalar.kind.is_float())
        }
        ExprKind::Call(name, _) => result(unit, name, depth + 1).is_some(),
        ExprKind::Name(_) | ExprKind::Literal(_) => floats(unit, expr, depth),
        _ => false,
    };
    own && visit::children(expr)
        .into_iter()
        .all(|e| is_total(unit, e, depth))
}

/// Whether an expression is a floating-point number.
fn floats(unit: &Unit, expr: &Expr, depth: usize) -> bool {
    let kind = match &expr.kind {
        ExprKind::Call(name, _) => result(unit, name, depth + 1),
        ExprKind::Unary(_, a) => return floats(unit, a, depth),
        ExprKind::Binary(_, a, b) => return floats(unit, a, depth) || floats(unit, b, depth),
        _ => types::scalar_kind(unit, expr),
    };
    kind.is_some_and(ScalarKind::is_float)
}
