//! What bodies write, and which expressions are the same in front of it and behind it.

use std::collections::HashSet;

use super::Inliner;
use crate::frontend::c::lower::calls::hidden;
use crate::frontend::c::lower::surroundings::facts;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, SymbolId, Type, Unit};

/// What statements write, but for variables of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Writes {
    /// Variables by name.
    pub symbols: HashSet<SymbolId>,
    /// Fields of structures, whatever holds them.
    pub fields: HashSet<String>,
    /// Whether anything else in memory.
    pub memory: bool,
    /// The variables that lead there.
    pub through: HashSet<SymbolId>,
    /// Variables of their own that they assign.
    pub own: HashSet<SymbolId>,
    /// Whether they call functions that have hidden state.
    pub state: bool,
}

impl Writes {
    /// What statements write whose own variables are these.
    pub fn of(unit: &Unit, statements: &[Stmt], own: &HashSet<SymbolId>) -> Writes {
        let mut writes = Writes::default();
        for stmt in statements {
            visit::expressions(unit, stmt, &mut |top| {
                visit::walk(top, &mut |e| {
                    if let Some(target) = facts::target(e) {
                        writes.add(unit, target, own);
                    }
                    if let ExprKind::Call(name, _) = &e.kind {
                        writes.state |= hidden::called(unit, name).is_some();
                    }
                });
            });
        }
        writes
    }

    fn add(&mut self, unit: &Unit, target: &Expr, own: &HashSet<SymbolId>) {
        if let Some(symbol) = variable(target).filter(|symbol| own.contains(symbol)) {
            self.own.insert(symbol);
            return;
        }
        match &target.kind {
            ExprKind::Name(symbol) => {
                self.symbols.insert(*symbol);
                return;
            }
            ExprKind::Field(_, field) | ExprKind::Arrow(_, field) => {
                self.fields.insert(field.clone());
            }
            _ => {}
        }
        let root = root(target);
        let inside = |root: SymbolId| own.contains(&root) && is_part(unit, target);
        match root {
            Some(root) if inside(root) => {
                self.own.insert(root);
            }
            Some(root) => {
                self.memory = true;
                self.through.insert(root);
            }
            None => self.memory = true,
        }
    }

    /// The same seen from a call that gives `place` for the parameter that leads there.
    pub fn through(&mut self, argument: &Expr) {
        if let ExprKind::AddressOf(place) = &argument.kind {
            match &place.kind {
                ExprKind::Name(symbol) => {
                    self.symbols.insert(*symbol);
                }
                ExprKind::Field(_, field) | ExprKind::Arrow(_, field) => {
                    self.fields.insert(field.clone());
                }
                _ => {}
            }
        }
        self.memory = true;
    }

    /// Whether nothing but their own is changed.
    pub fn is_nothing(&self) -> bool {
        self.symbols.is_empty() && self.fields.is_empty() && !self.memory && !self.state
    }
}

impl Inliner<'_> {
    /// Whether an expression has the same value in front of some writes, between them, and behind
    /// them.
    ///
    /// What a field holds that no body names is taken not to change: lowering compares when the
    /// program runs whether anything that the region writes is that memory.
    pub(super) fn stable(&self, expr: &Expr, writes: &Writes) -> bool {
        if !is_free(expr) || hidden::is_in(self.unit, expr) {
            return false;
        }
        if writes.is_nothing() {
            return true;
        }
        let is_array = || matches!(types::place_type(self.unit, expr), Some(Type::Array { .. }));
        match &expr.kind {
            ExprKind::Integer(..) | ExprKind::Literal(_) | ExprKind::SizeOf(..) => true,
            ExprKind::Name(symbol) => {
                is_array() || !self.addressed.contains(symbol) && !writes.symbols.contains(symbol)
            }
            ExprKind::Field(..) | ExprKind::Arrow(..) => {
                self.stable_place(expr, writes) && (is_array() || self.stable_field(expr, writes))
            }
            ExprKind::Subscript(..) | ExprKind::Dereference(_) => {
                is_array() && self.stable_place(expr, writes)
            }
            ExprKind::AddressOf(place) => self.stable_place(place, writes),
            ExprKind::Call(..) => false,
            _ => visit::children(expr)
                .into_iter()
                .all(|e| self.stable(e, writes)),
        }
    }

    fn stable_field(&self, expr: &Expr, writes: &Writes) -> bool {
        match &expr.kind {
            ExprKind::Field(_, field) | ExprKind::Arrow(_, field) => {
                facts::plain_key(expr).is_some() && !writes.fields.contains(field)
            }
            _ => false,
        }
    }

    /// The same for where a place is.
    pub(super) fn stable_place(&self, place: &Expr, writes: &Writes) -> bool {
        match &place.kind {
            ExprKind::Name(_) => true,
            ExprKind::Subscript(base, index) => {
                self.stable(base, writes) && self.stable(index, writes)
            }
            ExprKind::Dereference(base) | ExprKind::Arrow(base, _) => self.stable(base, writes),
            ExprKind::Field(base, _) => self.stable_place(base, writes),
            _ => false,
        }
    }
}

/// Whether nothing happens but that a value is computed.
pub(in super::super) fn is_free(expr: &Expr) -> bool {
    let mut free = true;
    visit::walk(expr, &mut |e| {
        free &= !matches!(
            e.kind,
            ExprKind::Assign(..)
                | ExprKind::Increment { .. }
                | ExprKind::Unsupported(_)
                | ExprKind::Comma(_)
        );
    });
    free
}

/// Whether nothing happens but that a value is computed and then assigned.
pub(super) fn ordered(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Assign(_, target, value) => is_free(target) && ordered(value),
        ExprKind::Increment { target, .. } => is_free(target),
        _ => is_free(expr),
    }
}

/// The variable that a place is, or is a field of.
pub(super) fn variable(place: &Expr) -> Option<SymbolId> {
    match &place.kind {
        ExprKind::Name(symbol) => Some(*symbol),
        ExprKind::Field(base, _) => variable(base),
        _ => None,
    }
}

/// Whether a place is in the variable that it begins with, and not behind a pointer.
fn is_part(unit: &Unit, place: &Expr) -> bool {
    match &place.kind {
        // An array that a function gets is a pointer.
        ExprKind::Name(symbol) => {
            let s = &unit.symbols[*symbol];
            !matches!(
                (&s.scope, &s.ctype),
                (Scope::Parameter(_), Type::Array { .. })
            )
        }
        ExprKind::Field(base, _) => is_part(unit, base),
        ExprKind::Subscript(base, _) => {
            matches!(types::place_type(unit, base), Some(Type::Array { .. })) && is_part(unit, base)
        }
        _ => false,
    }
}

/// The variable that leads to a place.
fn root(place: &Expr) -> Option<SymbolId> {
    match &place.kind {
        ExprKind::Name(symbol) => Some(*symbol),
        ExprKind::Subscript(a, _)
        | ExprKind::Field(a, _)
        | ExprKind::Arrow(a, _)
        | ExprKind::Cast(_, a)
        | ExprKind::AddressOf(a)
        | ExprKind::Dereference(a) => root(a),
        ExprKind::Binary(_, a, b) => root(a).or_else(|| root(b)),
        _ => None,
    }
}
