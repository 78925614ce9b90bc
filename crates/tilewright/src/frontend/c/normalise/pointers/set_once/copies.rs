//! Structures that are copied from a place and then only read: that place stands for the copy.
//!
//! `layer l = net->layers[i];` with `l.outputs` and `l.output[k]` becomes `net->layers[i].outputs` and
//! `net->layers[i].output[k]`, where nothing sets members of such a structure for as long as the copy is
//! read. Numbers that are written through pointers may be in it: lowering compares them with what it
//! reads there, as all others.

use super::Pointers;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::Members;
use crate::frontend::c::normalise::calls::agree;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, SymbolId, Type, Unit};

impl Pointers<'_> {
    /// Whether statements behind one that sets a structure to a place read the copy only, and leave the
    /// members of that place alone.
    pub(super) fn is_copy(&self, rest: &[Stmt], symbol: SymbolId, value: &Expr) -> bool {
        let ctype = &self.unit.symbols[symbol].ctype;
        let from = types::place_type(self.unit, value);
        let is_place = matches!(
            value.kind,
            ExprKind::Name(_)
                | ExprKind::Field(..)
                | ExprKind::Arrow(..)
                | ExprKind::Subscript(..)
                | ExprKind::Dereference(_)
        );
        if !is_place || !from.is_some_and(|from| agree(ctype, from)) {
            return false;
        }
        let from = tree::object(self.unit, value);
        let function = self.unit.regions[self.number].function;
        let addressed = dead::addressed(self.unit, function);
        // Of other variables that nobody else sees.
        let other = |place: &Expr| {
            tree::object(self.unit, place).is_some_and(|other| {
                let own = &self.unit.symbols[other];
                let seen = own.scope == Scope::File || own.is_static || addressed.contains(&other);
                !seen && from != Some(other)
            })
        };
        let changed = Members::changed_but(self.unit, rest, &other);
        !changed.have_elements()
            && !has_changed(ctype, &changed)
            && is_read(self.unit, rest, symbol)
    }
}

/// Whether a member of a type, or of what is in it, has a name of those.
fn has_changed(ctype: &Type, changed: &Members) -> bool {
    match ctype {
        Type::Struct { fields, .. } => fields
            .iter()
            .any(|(name, field)| changed.has(name) || has_changed(field, changed)),
        Type::Array { element, .. } => has_changed(element, changed),
        _ => false,
    }
}

/// Whether statements take nothing but members of a structure, as values or as pointers that they
/// follow.
fn is_read(unit: &Unit, statements: &[Stmt], symbol: SymbolId) -> bool {
    let (mut members, mut read) = (0, true);
    for stmt in statements {
        read &= !tree::is_in_types(unit, stmt, symbol);
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                if let ExprKind::Field(whole, _) = &e.kind {
                    members += usize::from(whole.kind == ExprKind::Name(symbol));
                }
                let own = |place: &Expr| tree::object(unit, place) == Some(symbol);
                read &= !facts::target(e).is_some_and(own);
                match &e.kind {
                    ExprKind::AddressOf(place) => read &= !own(place),
                    // A pointer into the copy.
                    ExprKind::Call(_, arguments) => {
                        let whole = |e: &&Expr| {
                            let ctype = types::place_type(unit, e);
                            matches!(ctype, Some(Type::Array { .. } | Type::Struct { .. }))
                        };
                        read &= !arguments.iter().filter(whole).any(own);
                    }
                    _ => {}
                }
            });
        });
    }
    read && members == tree::names_of(unit, statements, symbol)
}
