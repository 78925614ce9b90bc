//! Walks over trees that are rewritten.

use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, Symbol, SymbolId};

/// Calls `rewrite` on everything below a statement and on itself, inner ones first.
pub(super) fn statements_mut(stmt: &mut Stmt, rewrite: &mut dyn FnMut(&mut Stmt)) {
    match &mut stmt.kind {
        StmtKind::Block(list) => list.iter_mut().for_each(|s| statements_mut(s, rewrite)),
        StmtKind::For { init, body, .. } => {
            if let Some(init) = init {
                statements_mut(init, rewrite);
            }
            statements_mut(body, rewrite);
        }
        StmtKind::If {
            then, otherwise, ..
        } => {
            statements_mut(then, rewrite);
            if let Some(otherwise) = otherwise {
                statements_mut(otherwise, rewrite);
            }
        }
        StmtKind::While { body, .. } => statements_mut(body, rewrite),
        _ => {}
    }
    rewrite(stmt);
}

/// Calls `rewrite` on every expression in a statement, initial values of what it declares included;
/// inner ones first.
pub(super) fn expressions_mut(
    symbols: &mut [Symbol],
    stmt: &mut Stmt,
    rewrite: &mut dyn FnMut(&mut Expr),
) {
    statements_mut(stmt, &mut |stmt| match &mut stmt.kind {
        StmtKind::Declaration(symbol) => {
            if let Some(value) = &mut symbols[*symbol].initialiser {
                walk_mut(value, rewrite);
            }
        }
        StmtKind::Expression(e) | StmtKind::Return(Some(e)) => walk_mut(e, rewrite),
        StmtKind::For {
            condition, step, ..
        } => condition
            .iter_mut()
            .chain(step)
            .for_each(|e| walk_mut(e, rewrite)),
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => {
            walk_mut(condition, rewrite);
        }
        _ => {}
    });
}

/// Calls `rewrite` on everything below an expression and on itself, inner ones first.
pub(super) fn walk_mut(expr: &mut Expr, rewrite: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Integer(..)
        | ExprKind::Literal(_)
        | ExprKind::Name(_)
        | ExprKind::Unknown(_)
        | ExprKind::SizeOf(..)
        | ExprKind::Unsupported(_) => {}
        ExprKind::Field(a, _)
        | ExprKind::Arrow(a, _)
        | ExprKind::Dereference(a)
        | ExprKind::AddressOf(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(_, a)
        | ExprKind::Increment { target: a, .. } => walk_mut(a, rewrite),
        ExprKind::Subscript(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
            walk_mut(a, rewrite);
            walk_mut(b, rewrite);
        }
        ExprKind::Conditional(a, b, c) => {
            walk_mut(a, rewrite);
            walk_mut(b, rewrite);
            walk_mut(c, rewrite);
        }
        ExprKind::Call(_, list) | ExprKind::Comma(list) | ExprKind::List(list) => {
            list.iter_mut().for_each(|e| walk_mut(e, rewrite));
        }
    }
    rewrite(expr);
}

/// Puts the statements that `rewrite` makes of one in its place, everywhere in a list and in the
/// statements below; inner ones first. A body that is no block becomes one where it needs to. Heads
/// of loops and what stands under `do` and `switch` are left alone.
pub(super) fn spread(list: &mut Vec<Stmt>, rewrite: &mut dyn FnMut(Stmt) -> Vec<Stmt>) {
    if let Some(Stmt {
        kind: StmtKind::Unsupported("do" | "switch" | "asm"),
        ..
    }) = list.first()
    {
        return;
    }
    for mut stmt in std::mem::take(list) {
        match &mut stmt.kind {
            StmtKind::Block(list) => spread(list, rewrite),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => spread_body(body, rewrite),
            StmtKind::If {
                then, otherwise, ..
            } => {
                spread_body(then, rewrite);
                if let Some(otherwise) = otherwise {
                    spread_body(otherwise, rewrite);
                }
            }
            _ => {}
        }
        list.extend(rewrite(stmt));
    }
}

fn spread_body(body: &mut Stmt, rewrite: &mut dyn FnMut(Stmt) -> Vec<Stmt>) {
    let span = body.span;
    let mut list = match std::mem::replace(&mut body.kind, StmtKind::Empty) {
        // A block of its own: what is declared in it stays in it.
        kind @ StmtKind::Block(_) => {
            body.kind = kind;
            if let StmtKind::Block(list) = &mut body.kind {
                spread(list, rewrite);
            }
            return;
        }
        kind => vec![Stmt { kind, span }],
    };
    spread(&mut list, rewrite);
    *body = match (list.pop(), list.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            list.extend(last);
            Stmt {
                kind: StmtKind::Block(list),
                span,
            }
        }
    };
}

/// An expression as a statement with its text.
pub(super) fn statement(expr: Expr) -> Stmt {
    Stmt {
        span: expr.span,
        kind: StmtKind::Expression(expr),
    }
}

/// How often an expression names a variable.
pub(super) fn mentions(expr: &Expr, symbol: SymbolId) -> usize {
    let mut found = 0;
    visit::walk(expr, &mut |e| {
        found += usize::from(e.kind == ExprKind::Name(symbol));
    });
    found
}

/// Whether an expression changes nothing.
pub(super) fn is_pure(expr: &Expr) -> bool {
    let mut pure = true;
    visit::walk(expr, &mut |e| {
        pure &= !matches!(
            e.kind,
            ExprKind::Assign(..)
                | ExprKind::Increment { .. }
                | ExprKind::Call(..)
                | ExprKind::Unsupported(_)
        );
    });
    pure
}

/// Puts a value in the place of a variable that a statement does not change.
pub(super) fn replace(symbols: &mut [Symbol], stmt: &mut Stmt, symbol: SymbolId, value: &Expr) {
    expressions_mut(symbols, stmt, &mut |e| put(e, symbol, value));
}

/// The same in an expression.
pub(super) fn replace_in(expr: &mut Expr, symbol: SymbolId, value: &Expr) {
    walk_mut(expr, &mut |e| put(e, symbol, value));
}

fn put(expr: &mut Expr, symbol: SymbolId, value: &Expr) {
    if expr.kind == ExprKind::Name(symbol) {
        expr.kind = value.kind.clone();
    }
}
