//! Variables that say what is accessed, and how far loops go.

use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Unit};
use std::collections::BTreeSet;

/// The variables that subscripts and bounds of loops depend on, by way of others, too.
pub(crate) fn indices(unit: &Unit, statements: &[Stmt]) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    let mut values: Vec<(SymbolId, &Expr)> = Vec::new();
    let names = |expr: &Expr, found: &mut BTreeSet<SymbolId>| {
        visit::walk(expr, &mut |e| {
            if let ExprKind::Name(symbol) = e.kind {
                found.insert(symbol);
            }
        });
    };
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            if let StmtKind::Declaration(symbol) = stmt.kind
                && let Some(value) = &unit.symbols[symbol].initialiser
            {
                values.push((symbol, value));
            }
            // Bounds say how far subscripts go.
            if let StmtKind::For {
                condition: Some(condition),
                ..
            } = &stmt.kind
            {
                names(condition, &mut found);
            }
            for top in visit::own_expressions(unit, stmt) {
                visit::walk(top, &mut |e| match &e.kind {
                    ExprKind::Subscript(base, index) => {
                        names(index, &mut found);
                        names(base, &mut found);
                    }
                    ExprKind::Dereference(place) => names(place, &mut found),
                    ExprKind::Assign(_, target, value) => {
                        if let ExprKind::Name(symbol) = target.kind {
                            values.push((symbol, value));
                        }
                    }
                    _ => {}
                });
            }
        });
    }
    loop {
        let before = found.len();
        for (symbol, value) in &values {
            let pointer = types::pointee(&unit.symbols[*symbol].ctype).is_some();
            if found.contains(symbol) || pointer {
                names(value, &mut found);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
