//! Compound literals of structures: `p = (vec3){x, y, z}` gets the structure from a variable that is
//! declared in front, `vec3 p = (vec3){…}` is `vec3 p = {…}`; of arrays (`(int[]){1, 2, 1}[k]`), too.

use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::calls::is_free;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::parse::constant;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, Type, Unit};
use crate::scop::BinaryOp;

/// Gives the compound literals of a region names.
pub(in crate::frontend::c::normalise) fn name(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    tree::spread(statements, &mut |stmt| {
        named(unit, stmt, &mut |unit, ctype, list| {
            let span = list.span;
            let stem = "literal";
            build::variable(unit, number, stem, ctype, Some(list), span)
        })
    });
}

/// A variable that is declared with a type and a list of values.
type Declare<'a> = dyn FnMut(&mut Unit, Type, Expr) -> usize + 'a;

/// A statement behind the declarations that its literals need; those that are evaluated at times only
/// stay, but for the choice of what is assigned.
pub(in crate::frontend::c::normalise) fn named(
    unit: &mut Unit,
    mut stmt: Stmt,
    declare: &mut Declare<'_>,
) -> Vec<Stmt> {
    let mut front = Vec::new();
    if let Some((target, (condition, [a, b]))) = choice(unit, &stmt) {
        if let StmtKind::Declaration(symbol) = stmt.kind {
            unit.symbols[symbol].initialiser = None;
            front.push(stmt);
        }
        let span = condition.span;
        let mut side = |value: Expr| {
            let assign = tree::statement(build::assign(target.clone(), value));
            build::block(named(unit, assign, declare), span)
        };
        let kind = StmtKind::If {
            then: side(a),
            otherwise: Some(side(b)),
            condition,
        };
        front.push(Stmt { kind, span });
        return front;
    }
    match &mut stmt.kind {
        StmtKind::Declaration(symbol) => {
            let symbol = *symbol;
            if let Some(mut value) = unit.symbols[symbol].initialiser.take() {
                match value.kind {
                    ExprKind::Cast(Type::Struct { .. }, list) if is_list(&list) => value = *list,
                    kind => {
                        value.kind = kind;
                        expression(unit, &mut value, declare, &mut front);
                    }
                }
                unit.symbols[symbol].initialiser = Some(value);
            }
        }
        StmtKind::Expression(e) | StmtKind::Return(Some(e)) | StmtKind::If { condition: e, .. } => {
            expression(unit, e, declare, &mut front)
        }
        _ => {}
    }
    front.push(stmt);
    front
}

/// The place that gets one of two values, of which one at least is a literal, the condition and the
/// values.
fn choice(unit: &Unit, stmt: &Stmt) -> Option<(Expr, (Expr, [Expr; 2]))> {
    let (target, value) = match &stmt.kind {
        StmtKind::Declaration(symbol) => {
            let value = unit.symbols[*symbol].initialiser.as_ref()?;
            (build::name(*symbol, stmt.span), value)
        }
        StmtKind::Expression(expr) => match &expr.kind {
            ExprKind::Assign(None, target, value) => ((**target).clone(), &**value),
            _ => return None,
        },
        _ => return None,
    };
    let ExprKind::Conditional(condition, a, b) = &value.kind else {
        return None;
    };
    let literal = [a, b].into_iter().any(|e| is_literal(e));
    let alone = tree::is_pure(condition) && tree::is_pure(&target);
    (literal && alone).then(|| {
        let values = [(**a).clone(), (**b).clone()];
        (target, ((**condition).clone(), values))
    })
}

/// `(T){…}`
fn is_literal(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Cast(Type::Struct { .. }, list) if is_list(list))
}

fn expression(unit: &mut Unit, expr: &mut Expr, declare: &mut Declare<'_>, front: &mut Vec<Stmt>) {
    // Wherever numbers are put, they are the same.
    if is_table(expr)
        && let ExprKind::Cast(ctype, list) = &expr.kind
    {
        let (ctype, list, span) = (ctype.clone(), (**list).clone(), expr.span);
        let symbol = declare(unit, ctype, list);
        front.push(build::declaration(symbol, span));
        *expr = build::name(symbol, span);
        return;
    }
    match &mut expr.kind {
        // The other parts are evaluated first, or not always.
        ExprKind::Comma(_) => {}
        ExprKind::Conditional(..) | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
            for (position, child) in tree::children_mut(expr).into_iter().enumerate() {
                match position {
                    0 => expression(unit, child, declare, front),
                    _ => tables(unit, child, declare, front),
                }
            }
        }
        ExprKind::Cast(ctype @ (Type::Struct { .. } | Type::Array { .. }), list)
            if is_list(list) =>
        {
            // In front of the statement, among whose parts C has no order.
            if !is_free(list) {
                return;
            }
            let (ctype, span) = (ctype.clone(), expr.span);
            let list = (**list).clone();
            let symbol = declare(unit, ctype, list);
            front.push(build::declaration(symbol, span));
            *expr = build::name(symbol, span);
        }
        _ => {
            for child in tree::children_mut(expr) {
                expression(unit, child, declare, front);
            }
        }
    }
}

fn is_list(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::List(_))
}

/// The literals of an expression that are lists of numbers.
fn tables(unit: &mut Unit, expr: &mut Expr, declare: &mut Declare<'_>, front: &mut Vec<Stmt>) {
    if is_table(expr) {
        expression(unit, expr, declare, front);
        return;
    }
    for child in tree::children_mut(expr) {
        tables(unit, child, declare, front);
    }
}

/// `(int[]){1, 2, 3}`: its elements are numbers.
fn is_table(expr: &Expr) -> bool {
    fn numbers(list: &Expr) -> bool {
        match &list.kind {
            ExprKind::List(items) => items.iter().all(numbers),
            _ => constant::value(list).is_some(),
        }
    }
    matches!(&expr.kind, ExprKind::Cast(Type::Array { .. }, list) if is_list(list) && numbers(list))
}
