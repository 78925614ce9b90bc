//! Pointers of a function's own that move: `for (y = 0; y < 8; y++) { …; a += stride; }`.
//!
//! A parameter that is moved becomes a pointer that the body declares, and begins as the parameter. Such
//! pointers stay in the body; what they mean is for the passes behind to say, as of those of the
//! region's function.

use std::collections::HashSet;

use super::substitute::Map;
use super::{Inliner, effects, pointers};
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Function, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::BinaryOp;

impl Inliner<'_> {
    /// Declarations of pointers for the parameters that a function moves, which they stand for in it.
    pub(super) fn moved_parameters(&mut self, function: &Function, map: &mut Map) -> Vec<Stmt> {
        let span = function.span;
        let moved = moved(self.unit, std::slice::from_ref(&function.body));
        let mut front = Vec::new();
        for &parameter in function.parameters.iter().filter(|p| moved.contains(p)) {
            let s = &self.unit.symbols[parameter];
            let name = s.name.clone();
            let (target, is_const) = match &s.ctype {
                Type::Pointer {
                    target, is_const, ..
                } => (target.clone(), *is_const),
                Type::Array { element, .. } => (element.clone(), false),
                _ => continue,
            };
            let ctype = Type::Pointer {
                target,
                restrict: false,
                is_const,
            };
            let begin = Expr {
                kind: ExprKind::Name(parameter),
                span,
            };
            let symbol = self.declare(&name, ctype, Some(begin), span);
            let kind = ExprKind::Name(symbol);
            map.insert(parameter, Expr { kind, span });
            let kind = StmtKind::Declaration(symbol);
            front.push(Stmt { kind, span });
        }
        front
    }
}

/// The pointers that statements set or step.
pub(super) fn moved(unit: &Unit, statements: &[Stmt]) -> HashSet<SymbolId> {
    let mut moved = HashSet::new();
    for stmt in statements {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                if let Some(place) = facts::target(e)
                    && let ExprKind::Name(symbol) = place.kind
                    && types::pointee(&unit.symbols[symbol].ctype).is_some()
                {
                    moved.insert(symbol);
                }
            });
        });
    }
    moved
}

/// Whether an expression does nothing but set or step pointers of a body's own, and variables.
pub(super) fn is_ordered(unit: &Unit, expr: &Expr, own: &HashSet<SymbolId>) -> bool {
    let is_own = |place: &Expr| {
        matches!(place.kind, ExprKind::Name(symbol)
            if own.contains(&symbol) && types::pointee(&unit.symbols[symbol].ctype).is_some())
    };
    match &expr.kind {
        ExprKind::Comma(parts) => parts.iter().all(|part| is_ordered(unit, part, own)),
        ExprKind::List(parts) => {
            pointers::asked(unit, expr) && parts.iter().all(|part| is_ordered(unit, part, own))
        }
        ExprKind::Increment { target, .. } if is_own(target) => true,
        ExprKind::Assign(None, target, value) if is_own(target) => {
            effects::is_free(value)
                && pointers::target(unit, value).is_some()
                && pointers::followed(unit, value, pointers::As::Pointer)
        }
        ExprKind::Assign(Some(BinaryOp::Add | BinaryOp::Sub), target, value) if is_own(target) => {
            effects::is_free(value) && pointers::followed(unit, value, pointers::As::Value)
        }
        _ if effects::ordered(expr) => pointers::asked(unit, expr),
        // As `n-- > 0`: what is left is for those who take steps out of tests.
        _ => {
            let (mut apart, mut steps) = (true, 0);
            visit::walk(expr, &mut |e| match &e.kind {
                ExprKind::Increment { target, .. } => {
                    steps += 1;
                    apart &= matches!(target.kind, ExprKind::Name(symbol) if own.contains(&symbol));
                }
                ExprKind::Assign(..) | ExprKind::Comma(_) => apart = false,
                _ => {}
            });
            apart && steps == 1 && pointers::asked(unit, expr)
        }
    }
}
