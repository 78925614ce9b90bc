//! Structures that are copied as a whole: their members are, one after the other.

use super::tree;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};

/// Structures of more numbers are left as they are.
const MOST_MEMBERS: usize = 32;

/// Copies members in place of structures.
pub(super) fn copy(unit: &mut Unit, _: usize, statements: &mut Vec<Stmt>) {
    tree::lists_mut(statements, &mut |list| {
        let mut position = 0;
        while position < list.len() {
            let copies = copies(unit, &list[position]);
            if let Some(copies) = copies {
                let declared = match list[position].kind {
                    StmtKind::Declaration(symbol) => Some(symbol),
                    _ => None,
                };
                let from = position + usize::from(declared.is_some());
                if let Some(symbol) = declared {
                    unit.symbols[symbol].initialiser = None;
                }
                let count = copies.len();
                list.splice(from..=position, copies);
                position = from + count;
            } else {
                position += 1;
            }
        }
    });
}

/// The assignments that a statement is, where it copies a structure.
fn copies(unit: &Unit, stmt: &Stmt) -> Option<Vec<Stmt>> {
    let (target, value) = match &stmt.kind {
        StmtKind::Declaration(symbol) => {
            let own = &unit.symbols[*symbol];
            let target = Expr {
                kind: ExprKind::Name(*symbol),
                span: own.span,
            };
            let value = own.initialiser.clone().filter(|_| !own.is_static)?;
            (target, value)
        }
        StmtKind::Expression(Expr {
            kind: ExprKind::Assign(None, target, value),
            ..
        }) => ((**target).clone(), (**value).clone()),
        _ => return None,
    };
    let ctype = types::place_type(unit, &target)?.clone();
    let Type::Struct { spelling, .. } = &ctype else {
        return None;
    };
    let same = matches!(
        types::place_type(unit, &value)?,
        Type::Struct { spelling: other, .. } if other == spelling
    );
    if !same || !is_place(&value) || !stays(unit, &target, &value) {
        return None;
    }
    let mut members = Vec::new();
    all(&ctype, target, value, &mut members)?;
    let copy = |(target, value): (Expr, Expr)| Stmt {
        span: stmt.span,
        kind: StmtKind::Expression(Expr {
            kind: ExprKind::Assign(None, Box::new(target), Box::new(value)),
            span: stmt.span,
        }),
    };
    Some(members.into_iter().map(copy).collect())
}

/// Whether an expression names memory, and does nothing else.
fn is_place(expr: &Expr) -> bool {
    let place = matches!(
        expr.kind,
        ExprKind::Name(_)
            | ExprKind::Subscript(..)
            | ExprKind::Dereference(_)
            | ExprKind::Field(..)
            | ExprKind::Arrow(..)
    );
    let mut quiet = true;
    visit::walk(expr, &mut |e| {
        quiet &= facts::target(e).is_none()
            && !matches!(e.kind, ExprKind::Call(..) | ExprKind::Unsupported(_));
    });
    place && quiet
}

/// Whether storing members does not change which structures these are: nothing in their subscripts is
/// in memory, but where a variable of the function or region is copied to.
fn stays(unit: &Unit, target: &Expr, value: &Expr) -> bool {
    let mut reads = false;
    let mut named: Vec<SymbolId> = Vec::new();
    for place in [target, value] {
        visit::walk(place, &mut |e| {
            if let ExprKind::Subscript(_, index) = &e.kind {
                visit::walk(index, &mut |inner| match inner.kind {
                    ExprKind::Name(symbol) => named.push(symbol),
                    ExprKind::Subscript(..)
                    | ExprKind::Dereference(_)
                    | ExprKind::Field(..)
                    | ExprKind::Arrow(..) => reads = true,
                    _ => {}
                });
            }
        });
    }
    match target.kind {
        ExprKind::Name(symbol) => {
            let own = &unit.symbols[symbol];
            own.scope != Scope::File && !own.is_static && !named.contains(&symbol)
        }
        _ => !reads && is_place(target),
    }
}

/// The numbers of a structure, where it has no pointers, unions or large arrays.
fn all(ctype: &Type, target: Expr, value: Expr, found: &mut Vec<(Expr, Expr)>) -> Option<()> {
    match ctype {
        Type::Scalar(_) => {
            found.push((target, value));
            (found.len() <= MOST_MEMBERS).then_some(())
        }
        Type::Struct {
            is_union: false,
            fields,
            ..
        } => fields.iter().try_for_each(|(name, ctype)| {
            let field = |of: &Expr| Expr {
                kind: ExprKind::Field(Box::new(of.clone()), name.clone()),
                span: of.span,
            };
            let named = !name.is_empty();
            all(ctype, field(&target), field(&value), found).filter(|()| named)
        }),
        Type::Array {
            element,
            extent: Some(extent),
            ..
        } => {
            let ExprKind::Integer(extent @ 1..=32, _) = extent.kind else {
                return None;
            };
            (0..extent).try_for_each(|k| {
                let at = |of: &Expr| Expr {
                    kind: ExprKind::Subscript(
                        Box::new(of.clone()),
                        Box::new(Expr {
                            kind: ExprKind::Integer(k, k.to_string()),
                            span: of.span,
                        }),
                    ),
                    span: of.span,
                };
                all(element, at(&target), at(&value), found)
            })
        }
        _ => None,
    }
}
