//! Sizes that are elements of arrays, `dims[1]`, or what a pointer points at, `*n`: parameters as other
//! sizes in memory are, where the region writes nothing of the array by its name.
//!
//! Their places are written as elements: `*n` as `n[0]`.

use crate::frontend::c::lower::surroundings::facts::plain_key;
use crate::frontend::c::lower::surroundings::indices::indices;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Region, Scope, Stmt, SymbolId, Type, Unit};
use std::collections::BTreeSet;

/// Root and spelling of a place, which may be an element with a number behind one without subscripts.
pub(crate) fn place_key(expr: &Expr) -> Option<(SymbolId, String)> {
    let (base, index) = match &expr.kind {
        ExprKind::Subscript(base, index) => match index.kind {
            ExprKind::Integer(index, _) if index >= 0 => (base, index),
            _ => return None,
        },
        ExprKind::Dereference(base) => (base, 0),
        _ => return plain_key(expr),
    };
    let (root, path) = plain_key(base)?;
    Some((root, format!("{path}[{index}]")))
}

/// The place of an integer that is such an element.
pub(crate) fn key(unit: &Unit, expr: &Expr) -> Option<(SymbolId, String)> {
    let integer = matches!(
        types::place_type(unit, expr),
        Some(Type::Scalar(t)) if !t.kind.is_float()
    );
    let element = matches!(
        expr.kind,
        ExprKind::Subscript(..) | ExprKind::Dereference(_)
    );
    (integer && element).then(|| place_key(expr)).flatten()
}

/// Whether a region names such elements.
pub(crate) fn has_any(unit: &Unit, region: &Region) -> bool {
    let mut any = false;
    for stmt in &region.statements {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| any |= key(unit, e).is_some());
        });
    }
    any
}

/// What elements may be parameters for.
#[derive(Debug)]
pub(crate) struct Elements {
    /// The arrays of which the region writes elements, or lets others write, by root and spelling.
    written: BTreeSet<(SymbolId, String)>,
    /// The variables that subscripts and bounds depend on.
    indices: BTreeSet<SymbolId>,
}

impl Elements {
    /// Looks at the statements of a region.
    pub fn of(unit: &Unit, statements: &[Stmt]) -> Elements {
        let mut written = BTreeSet::new();
        for stmt in statements {
            visit::expressions(unit, stmt, &mut |top| {
                visit::walk(top, &mut |e| match &e.kind {
                    ExprKind::Assign(_, target, _) | ExprKind::Increment { target, .. } => {
                        arrays_of(target, &mut written);
                    }
                    ExprKind::AddressOf(place) => arrays_of(place, &mut written),
                    ExprKind::Call(_, arguments) => {
                        let lent = |e: &&Expr| {
                            types::place_type(unit, e).is_some_and(|t| types::pointee(t).is_some())
                        };
                        arguments
                            .iter()
                            .filter(lent)
                            .for_each(|e| bases(e, &mut written));
                    }
                    _ => {}
                });
            });
        }
        Elements {
            written,
            indices: indices(unit, statements),
        }
    }

    /// The place of an element that may be a parameter.
    pub fn parameter(&self, unit: &Unit, expr: &Expr) -> Option<(SymbolId, String)> {
        let key = key(unit, expr)?;
        let (array, _) = holder(unit, key.0, &key.1)?;
        let own = (key.0, array.to_owned());
        (!self.written.contains(&own)).then_some(key)
    }

    /// Whether subscripts and bounds depend on a variable.
    pub fn is_index(&self, symbol: SymbolId) -> bool {
        self.indices.contains(&symbol)
    }
}

/// The arrays that an element may be of.
fn arrays_of(place: &Expr, found: &mut BTreeSet<(SymbolId, String)>) {
    match &place.kind {
        ExprKind::Subscript(of, _) | ExprKind::Dereference(of) => bases(of, found),
        ExprKind::Field(of, _) => arrays_of(of, found),
        _ => {}
    }
}

/// The arrays and pointers that a pointer may be computed from.
fn bases(pointer: &Expr, found: &mut BTreeSet<(SymbolId, String)>) {
    match &pointer.kind {
        ExprKind::Subscript(of, _)
        | ExprKind::Dereference(of)
        | ExprKind::Cast(_, of)
        | ExprKind::AddressOf(of) => bases(of, found),
        _ => visit::walk(pointer, &mut |e| found.extend(plain_key(e))),
    }
}

/// The array that a place is an element of, as it is written in front of the subscript, and whether it
/// is behind a pointer; `None` for places without subscripts.
pub(crate) fn holder<'p>(unit: &Unit, root: SymbolId, path: &'p str) -> Option<(&'p str, bool)> {
    let (array, _) = path.strip_suffix(']')?.rsplit_once('[')?;
    let symbol = &unit.symbols[root];
    let behind = match array.is_empty() {
        true => {
            matches!(symbol.ctype, Type::Pointer { .. })
                || matches!(symbol.scope, Scope::Parameter(_))
        }
        false => matches!(
            typed(&symbol.ctype, array),
            Some(Type::Pointer { .. }) | None
        ),
    };
    Some((array, behind))
}

/// The type of a member, by the way to it: `->size.x`.
fn typed<'t>(ctype: &'t Type, path: &str) -> Option<&'t Type> {
    let Some(at) = path.find(['.', '-']) else {
        return Some(ctype);
    };
    let (own, rest) = match path[at..].strip_prefix("->") {
        Some(rest) => (types::pointee(ctype)?, rest),
        None => (ctype, &path[at + 1..]),
    };
    let end = rest.find(['.', '-']).unwrap_or(rest.len());
    let member = types::field_type(own, &rest[..end])?;
    typed(member, &rest[end..])
}
