//! What the region and its function do to variables, found before anything is lowered.

use std::collections::{HashMap, HashSet};

use super::{purity, types, visit};
use crate::frontend::c::syntax::{
    Expr, ExprKind, Function, Region, Scope, Stmt, StmtKind, SymbolId, Type, Unit,
};
use crate::scop::{BinaryOp, ScalarKind};
use crate::source::Span;

/// Facts about symbols, by number.
#[derive(Debug, Default)]
pub(super) struct Facts<'u> {
    /// Loop variables of the region, and where the loop begins.
    pub iterators: HashMap<SymbolId, Span>,
    /// Variables assigned in the region outside of loop heads, and where first.
    pub assigned: HashMap<SymbolId, Span>,
    /// Scalar fields assigned in the region, by root and spelling of the place.
    pub fields: HashMap<(SymbolId, String), Span>,
    /// Variables assigned anywhere in the function (not initialised), or whose address is taken,
    /// and the last such place.
    pub changed: HashMap<SymbolId, Span>,
    /// Symbols whose address is taken somewhere in the function.
    pub address_taken: HashSet<SymbolId>,
    /// Whether the function holds a `goto`: without one, labels mean nothing.
    pub jumps: bool,
    /// What is assigned to a variable with a plain `=` anywhere in the function.
    pub values: HashMap<SymbolId, Vec<&'u Expr>>,
}

impl<'u> Facts<'u> {
    /// Scans a region and its function.
    pub fn collect(unit: &'u Unit, function: &'u Function, region: &'u Region) -> Facts<'u> {
        let mut facts = Facts::default();
        for stmt in &region.statements {
            visit::statements(stmt, &mut |s| facts.iterator(unit, s));
        }
        for stmt in &region.statements {
            facts.assignments(unit, stmt);
        }
        visit::statements(&function.body, &mut |s| {
            facts.jumps |= s.kind == StmtKind::Unsupported("goto");
        });
        visit::expressions(unit, &function.body, &mut |top| {
            visit::walk(top, &mut |e| {
                if let Some(target) = target(e) {
                    if let ExprKind::Name(symbol) = target.kind {
                        facts.changed.insert(symbol, e.span);
                        if let ExprKind::Assign(None, _, value) = &e.kind {
                            facts.values.entry(symbol).or_default().push(value);
                        }
                    }
                }
                if let ExprKind::AddressOf(place) = &e.kind {
                    if let ExprKind::Name(symbol) = place.kind {
                        facts.address_taken.insert(symbol);
                        facts.changed.insert(symbol, e.span);
                    }
                }
            });
        });
        facts
    }

    fn iterator(&mut self, unit: &Unit, stmt: &Stmt) {
        if let StmtKind::For {
            init: Some(init), ..
        } = &stmt.kind
        {
            let symbol = match &init.kind {
                StmtKind::Declaration(symbol) => Some(*symbol),
                StmtKind::Expression(e) => match target(e).map(|t| &t.kind) {
                    Some(ExprKind::Name(symbol)) => Some(*symbol),
                    _ => None,
                },
                _ => None,
            };
            if let Some(symbol) = symbol.filter(|&s| integer_kind(unit, s).is_some()) {
                self.iterators.insert(symbol, stmt.span);
            }
        }
    }

    fn assignments(&mut self, unit: &Unit, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::For {
                init,
                condition,
                body,
                step,
            } => {
                // The head's own assignments make the iterator; what else is in it counts.
                let own = match init.as_deref().map(|s| &s.kind) {
                    Some(StmtKind::Declaration(symbol)) => Some(*symbol),
                    Some(StmtKind::Expression(e)) => match target(e).map(|t| &t.kind) {
                        Some(ExprKind::Name(symbol)) => Some(*symbol),
                        _ => None,
                    },
                    _ => None,
                };
                for e in condition.iter().chain(step) {
                    self.expression(e, own);
                }
                self.assignments(unit, body);
            }
            StmtKind::While { condition, body } => {
                self.expression(condition, None);
                self.assignments(unit, body);
            }
            StmtKind::Block(list) => list.iter().for_each(|s| self.assignments(unit, s)),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expression(condition, None);
                self.assignments(unit, then);
                if let Some(otherwise) = otherwise {
                    self.assignments(unit, otherwise);
                }
            }
            _ => {
                for e in visit::own_expressions(unit, stmt) {
                    self.expression(e, None);
                }
            }
        }
    }

    fn expression(&mut self, expr: &Expr, except: Option<SymbolId>) {
        visit::walk(expr, &mut |e| {
            let Some(target) = target(e) else { return };
            match &target.kind {
                ExprKind::Name(symbol) if Some(*symbol) != except => {
                    self.assigned.entry(*symbol).or_insert(e.span);
                }
                ExprKind::Field(..) | ExprKind::Arrow(..) => {
                    if let Some(key) = plain_key(target) {
                        self.fields.entry(key).or_insert(e.span);
                    }
                }
                _ => {}
            }
        });
    }

    /// The initialiser that stands for a variable for as long as it lives: a local integer that
    /// is never assigned and whose address is not taken, computed from such variables only.
    /// Products of variables may occur in it.
    pub fn value(&self, unit: &'u Unit, symbol: SymbolId) -> Option<&'u Expr> {
        let s = &unit.symbols[symbol];
        let wide = integer_kind(unit, symbol).is_some_and(|k| types::narrow_range(k).is_none());
        if !wide || s.is_static || s.scope == Scope::File || self.changed.contains_key(&symbol) {
            return None;
        }
        let initialiser = s.initialiser.as_ref()?;
        let in_region = matches!(s.scope, Scope::Region(_));
        let mut stable = true;
        visit::walk(initialiser, &mut |e| match &e.kind {
            ExprKind::Name(other) => {
                stable &= integer_kind(unit, *other).is_some()
                    && match unit.symbols[*other].scope {
                        Scope::File => false,
                        // Each value of an iterator has a variable of the region of its own.
                        _ if self.iterators.contains_key(other) => {
                            in_region && !self.assigned.contains_key(other)
                        }
                        _ => !self.changed.contains_key(other),
                    };
            }
            ExprKind::Call(name, _) => stable &= purity::minmax(name).is_some(),
            ExprKind::Integer(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..) => {}
            _ => stable = false,
        });
        stable.then_some(initialiser)
    }

    /// The same where it is affine by its looks, so that it can stand in for the variable. Inside
    /// the region products are let through: there the variable could not be a parameter anyway.
    pub fn definition(&self, unit: &'u Unit, symbol: SymbolId) -> Option<&'u Expr> {
        let value = self.value(unit, symbol)?;
        let mut linear = true;
        visit::walk(value, &mut |e| {
            if let ExprKind::Binary(op, a, b) = &e.kind {
                linear &= match op {
                    BinaryOp::Mul => is_constant(a) || is_constant(b),
                    BinaryOp::Div | BinaryOp::Rem | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                        is_constant(b)
                    }
                    BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => false,
                    _ => true,
                };
            }
        });
        let in_region = matches!(unit.symbols[symbol].scope, Scope::Region(_));
        (linear || in_region).then_some(value)
    }
}

/// Whether no variable occurs in it.
fn is_constant(expr: &Expr) -> bool {
    let mut constant = true;
    visit::walk(expr, &mut |e| {
        constant &= !matches!(e.kind, ExprKind::Name(_))
    });
    constant
}

/// What an assignment or increment changes.
pub(super) fn target(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Assign(_, target, _) | ExprKind::Increment { target, .. } => Some(target),
        _ => None,
    }
}

/// Root and spelling of a place without subscripts (`n`, `p->n`, `g.size.x`).
pub(super) fn plain_key(expr: &Expr) -> Option<(SymbolId, String)> {
    fn suffix(expr: &Expr) -> Option<(SymbolId, String)> {
        let (base, mark, field) = match &expr.kind {
            ExprKind::Name(symbol) => return Some((*symbol, String::new())),
            ExprKind::Field(base, field) => (base, ".", field),
            ExprKind::Arrow(base, field) => (base, "->", field),
            _ => return None,
        };
        let (root, text) = suffix(base)?;
        Some((root, format!("{text}{mark}{field}")))
    }
    suffix(expr)
}

/// The kind of an integer variable.
pub(super) fn integer_kind(unit: &Unit, symbol: SymbolId) -> Option<ScalarKind> {
    match &unit.symbols[symbol].ctype {
        Type::Scalar(t) if !t.kind.is_float() => Some(t.kind),
        _ => None,
    }
}
