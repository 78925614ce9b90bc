//! Which variables statements mention, and which ones they may write.

use super::syntax::{Expr, ExprKind, Function, Stmt, StmtKind, SymbolId, Type, Unit};
use std::collections::BTreeSet;

/// The variables that statements mention.
pub(super) fn mentioned<'a>(
    unit: &Unit,
    statements: impl Iterator<Item = &'a Stmt>,
) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    for statement in statements {
        walk(statement, unit, &mut |e| mention(e, &mut found));
    }
    found
}

/// The variables that a function may write through: targets of assignments, and whatever it
/// mentions otherwise than to read an element.
pub(super) fn written(unit: &Unit, function: &Function) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    walk(&function.body, unit, &mut |e| {
        writes(unit, e, false, &mut found)
    });
    found
}

/// `subscripted` says that `expr` is the base of a subscript that is only read.
fn writes(unit: &Unit, expr: &Expr, subscripted: bool, found: &mut BTreeSet<SymbolId>) {
    if !subscripted
        && matches!(
            type_of(unit, expr),
            Some(Type::Array { .. } | Type::Pointer { .. })
        )
    {
        // The address goes somewhere.
        return roots(unit, expr, found);
    }
    match &expr.kind {
        ExprKind::Subscript(base, index) => {
            writes(unit, base, true, found);
            writes(unit, index, false, found);
        }
        ExprKind::Dereference(base) | ExprKind::Arrow(base, _) => writes(unit, base, true, found),
        ExprKind::Field(base, _) => writes(unit, base, subscripted, found),
        ExprKind::Assign(_, target, value) => {
            roots(unit, target, found);
            writes(unit, value, false, found);
        }
        ExprKind::Increment { target, .. } | ExprKind::AddressOf(target) => {
            roots(unit, target, found)
        }
        _ => parts(expr)
            .into_iter()
            .for_each(|e| writes(unit, e, false, found)),
    }
}

/// Everything that a place is reached through.
fn roots(unit: &Unit, place: &Expr, found: &mut BTreeSet<SymbolId>) {
    match &place.kind {
        ExprKind::Name(id) => {
            found.insert(*id);
        }
        ExprKind::Subscript(base, index) => {
            roots(unit, base, found);
            writes(unit, index, false, found);
        }
        ExprKind::Field(base, _) | ExprKind::Arrow(base, _) | ExprKind::Dereference(base) => {
            roots(unit, base, found)
        }
        _ => parts(place).into_iter().for_each(|e| roots(unit, e, found)),
    }
}

/// The type of a place.
fn type_of<'a>(unit: &'a Unit, place: &Expr) -> Option<&'a Type> {
    match &place.kind {
        ExprKind::Name(id) => unit.symbols.get(*id).map(|s| &s.ctype),
        ExprKind::Subscript(base, _) | ExprKind::Dereference(base) => target(type_of(unit, base)?),
        ExprKind::Field(base, name) => field(type_of(unit, base)?, name),
        ExprKind::Arrow(base, name) => field(target(type_of(unit, base)?)?, name),
        _ => None,
    }
}

fn target(ctype: &Type) -> Option<&Type> {
    match ctype {
        Type::Array { element: inner, .. } | Type::Pointer { target: inner, .. } => Some(inner),
        _ => None,
    }
}

fn field<'a>(ctype: &'a Type, name: &str) -> Option<&'a Type> {
    match ctype {
        Type::Struct { fields, .. } => fields.iter().find(|(n, _)| n == name).map(|(_, t)| t),
        _ => None,
    }
}

fn mention(expr: &Expr, found: &mut BTreeSet<SymbolId>) {
    if let ExprKind::Name(id) = &expr.kind {
        found.insert(*id);
    }
    parts(expr).into_iter().for_each(|e| mention(e, found));
}

/// The expressions directly below one.
fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Integer(..)
        | ExprKind::Literal(_)
        | ExprKind::Name(_)
        | ExprKind::Unknown(_)
        | ExprKind::SizeOf(..)
        | ExprKind::Unsupported(_) => vec![],
        ExprKind::Field(a, _)
        | ExprKind::Arrow(a, _)
        | ExprKind::Dereference(a)
        | ExprKind::AddressOf(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Increment { target: a, .. }
        | ExprKind::Cast(_, a) => vec![a],
        ExprKind::Subscript(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
            vec![a, b]
        }
        ExprKind::Conditional(a, b, c) => vec![a, b, c],
        ExprKind::Call(_, all) | ExprKind::Comma(all) | ExprKind::List(all) => all.iter().collect(),
    }
}

/// Calls `visit` for every expression of a statement that is not part of another one.
fn walk(statement: &Stmt, unit: &Unit, visit: &mut dyn FnMut(&Expr)) {
    match &statement.kind {
        StmtKind::Block(statements) => statements.iter().for_each(|s| walk(s, unit, visit)),
        StmtKind::Declaration(id) => unit.symbols[*id].initialiser.iter().for_each(visit),
        StmtKind::Expression(e) | StmtKind::Return(Some(e)) => visit(e),
        StmtKind::For {
            init,
            condition,
            step,
            body,
        } => {
            init.iter().for_each(|s| walk(s, unit, visit));
            condition.iter().chain(step).for_each(&mut *visit);
            walk(body, unit, visit);
        }
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            visit(condition);
            walk(then, unit, visit);
            otherwise.iter().for_each(|s| walk(s, unit, visit));
        }
        StmtKind::While { condition, body } => {
            visit(condition);
            walk(body, unit, visit);
        }
        StmtKind::Return(None)
        | StmtKind::Exit(_)
        | StmtKind::Original(_)
        | StmtKind::Empty
        | StmtKind::Pragma(_)
        | StmtKind::Unsupported(_) => {}
    }
}
