//! `++` and `--` inside expressions become statements of their own.
//!
//! `v[k++] = e;` is `v[k] = e; k++;`, and `v[--k] = e;` is `k--; v[k] = e;`. Not where it depends on the
//! rest of the expression whether they happen, nor where that mentions the variable, too.

use super::tree;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::syntax::{
    Expr, ExprKind, Scope, Stmt, StmtKind, Symbol, SymbolId, Type, Unit,
};
use crate::scop::BinaryOp;
use std::collections::HashMap;

/// A step in an expression.
struct Step {
    by: i64,
    postfix: bool,
}

/// Takes steps out of expressions.
pub(super) fn hoist(unit: &mut Unit, _: usize, statements: &mut Vec<Stmt>) {
    let symbols = &mut unit.symbols;
    tree::lists_mut(statements, &mut |list| {
        let mut position = 0;
        while position < list.len() {
            let (before, behind) = taken(symbols, &mut list[position]);
            let (ahead, more) = (before.len(), behind.len());
            list.splice(position..position, before);
            position += ahead + 1;
            list.splice(position..position, behind);
            position += more;
        }
    });
}

/// The steps that stand in front of a statement, and behind it, in place of those in it.
fn taken(symbols: &mut [Symbol], stmt: &mut Stmt) -> (Vec<Stmt>, Vec<Stmt>) {
    let declared = match &stmt.kind {
        StmtKind::Declaration(symbol) => Some(*symbol),
        _ => None,
    };
    let expr = match (&stmt.kind, declared) {
        (_, Some(symbol)) => symbols[symbol].initialiser.clone(),
        (StmtKind::Expression(expr), _) => Some(expr.clone()),
        _ => None,
    };
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    let Some(mut expr) = expr else {
        return (before, behind);
    };
    let own = declared.is_none();
    let Some(steps) = steps(symbols, &expr, own) else {
        return (before, behind);
    };
    let mut symbol_of: Vec<SymbolId> = steps.keys().copied().collect();
    symbol_of.sort_unstable();
    for symbol in symbol_of {
        let step = &steps[&symbol];
        let name = Expr {
            kind: ExprKind::Name(symbol),
            span: expr.span,
        };
        let statement = Stmt {
            span: stmt.span,
            kind: StmtKind::Expression(Expr {
                kind: ExprKind::Increment {
                    target: Box::new(name),
                    by: step.by,
                    postfix: true,
                },
                span: expr.span,
            }),
        };
        match step.postfix {
            true => behind.push(statement),
            false => before.push(statement),
        }
    }
    tree::walk_mut(&mut expr, &mut |e| {
        if let ExprKind::Increment { target, .. } = &e.kind
            && let ExprKind::Name(symbol) = target.kind
            && steps.contains_key(&symbol)
        {
            e.kind = ExprKind::Name(symbol);
        }
    });
    match declared {
        Some(symbol) => symbols[symbol].initialiser = Some(expr),
        None => stmt.kind = StmtKind::Expression(expr),
    }
    (before, behind)
}

/// The steps in an expression, by variable; `None`: there are none, or some stay.
fn steps(symbols: &[Symbol], expr: &Expr, statement: bool) -> Option<HashMap<SymbolId, Step>> {
    let mut found = HashMap::new();
    match &expr.kind {
        // A statement of its own.
        ExprKind::Increment { .. } if statement => return None,
        ExprKind::Assign(_, target, value) if statement => {
            collect(symbols, target, &mut found)?;
            collect(symbols, value, &mut found)?;
        }
        _ => collect(symbols, expr, &mut found)?,
    }
    let once = found.keys().all(|&symbol| {
        let mut count = 0;
        visit::walk(expr, &mut |e| {
            count += usize::from(e.kind == ExprKind::Name(symbol));
        });
        count == 1
    });
    (!found.is_empty() && once).then_some(found)
}

/// Collects steps; `None` where something happens that has to stay in its place.
fn collect(symbols: &[Symbol], expr: &Expr, found: &mut HashMap<SymbolId, Step>) -> Option<()> {
    match &expr.kind {
        ExprKind::Increment {
            target,
            by,
            postfix,
        } => {
            let ExprKind::Name(symbol) = target.kind else {
                return None;
            };
            let own = &symbols[symbol];
            let local = own.scope != Scope::File && !own.is_static;
            let steps = matches!(&own.ctype, Type::Pointer { .. })
                || matches!(&own.ctype, Type::Scalar(t) if !t.kind.is_float());
            let step = Step {
                by: *by,
                postfix: *postfix,
            };
            (local && steps && found.insert(symbol, step).is_none()).then_some(())
        }
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..)
        | ExprKind::Conditional(..)
        | ExprKind::Comma(_)
        | ExprKind::Assign(..)
        | ExprKind::Unsupported(_) => {
            let mut quiet = true;
            visit::walk(expr, &mut |e| {
                quiet &= !matches!(e.kind, ExprKind::Increment { .. });
            });
            quiet.then_some(())
        }
        _ => visit::children(expr)
            .into_iter()
            .try_for_each(|child| collect(symbols, child, found)),
    }
}
