//! Structures that are copied as a whole: each scalar member is copied by itself, and each pointer, once
//! copies that are only read are what they are copies of.

use crate::frontend::c::lower::surroundings::{changes, facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};
use std::collections::HashSet;

/// Copies of more scalars than this are left as they are.
const MOST_MEMBERS: usize = 64;
/// The same of one array.
const MOST_EXTENT: i64 = 64;

/// `a = b;` and `T a = b;` for structures of numbers, member by member.
pub(in crate::frontend::c::normalise) fn copy(
    unit: &mut Unit,
    _: usize,
    statements: &mut Vec<Stmt>,
) {
    copy_all(unit, statements, false);
}

/// The same of structures in which pointers are.
pub(in crate::frontend::c::normalise) fn copy_pointers(
    unit: &mut Unit,
    _: usize,
    statements: &mut Vec<Stmt>,
) {
    copy_all(unit, statements, true);
}

fn copy_all(unit: &mut Unit, statements: &mut Vec<Stmt>, pointers: bool) {
    let moving = moving(unit, statements);
    let scope = Copied {
        moving: &moving,
        pointers,
    };
    tree::spread(statements, &mut |stmt| match &stmt.kind {
        StmtKind::Expression(Expr {
            kind: ExprKind::Assign(None, target, value),
            ..
        }) => copies(unit, (target, value), &scope, &stmt).unwrap_or_else(|| vec![stmt]),
        StmtKind::Declaration(symbol) if !unit.symbols[*symbol].is_static => {
            let symbol = *symbol;
            let target = Expr {
                kind: ExprKind::Name(symbol),
                span: stmt.span,
            };
            let value = unit.symbols[symbol].initialiser.as_ref();
            let Some(copies) =
                value.and_then(|value| copies(unit, (&target, value), &scope, &stmt))
            else {
                return vec![stmt];
            };
            unit.symbols[symbol].initialiser = None;
            std::iter::once(stmt).chain(copies).collect()
        }
        _ => vec![stmt],
    });
}

/// What is copied.
struct Copied<'m> {
    /// Pointers that the region declares or sets.
    moving: &'m HashSet<SymbolId>,
    /// Members that are pointers, too.
    pointers: bool,
}

/// Pointers that the region declares or sets, which may lead to what it copies: only what others lead to
/// is compared when the program runs.
fn moving(unit: &Unit, statements: &[Stmt]) -> HashSet<SymbolId> {
    let mut found = HashSet::new();
    for stmt in statements {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                let target = facts::target(e).map(|target| &target.kind);
                for kind in target.into_iter().chain([&e.kind]) {
                    let ExprKind::Name(symbol) = kind else {
                        continue;
                    };
                    let own = &unit.symbols[*symbol];
                    let is_target = target == Some(kind);
                    if matches!(own.ctype, Type::Pointer { .. })
                        && (is_target || matches!(own.scope, Scope::Region(_)))
                    {
                        found.insert(*symbol);
                    }
                }
            });
        });
    }
    found
}

/// The assignments of all members; `None` where one of them could change what the next one reads, or
/// where it goes.
fn copies(
    unit: &Unit,
    (target, value): (&Expr, &Expr),
    copied: &Copied<'_>,
    stmt: &Stmt,
) -> Option<Vec<Stmt>> {
    let ctype = types::place_type(unit, target)?;
    if !matches!(ctype, Type::Struct { .. }) {
        return None;
    }
    if let ExprKind::Conditional(condition, a, b) = &value.kind {
        let side = |value: &Expr| -> Option<Box<Stmt>> {
            Some(Box::new(Stmt {
                kind: StmtKind::Block(copies(unit, (target, value), copied, stmt)?),
                span: value.span,
            }))
        };
        return Some(vec![Stmt {
            kind: StmtKind::If {
                condition: (**condition).clone(),
                then: side(a)?,
                otherwise: Some(side(b)?),
            },
            span: stmt.span,
        }]);
    }
    let same = names(types::place_type(unit, value)?) == names(ctype);
    if !same || !tree::is_pure(target) || !tree::is_pure(value) {
        return None;
    }
    let root = changes::root(target)?;
    let from = changes::root(value)?;
    // Once, where the target begins; in the value nowhere else than where that begins.
    if tree::mentions(target, root) != 1 || tree::mentions(value, root) != usize::from(from == root)
    {
        return None;
    }
    // What picks places is read before each member, and may not change meanwhile.
    let picks = |place: &Expr, root: SymbolId| {
        let mut own = copied.moving.iter();
        own.any(|&pointer| tree::mentions(place, pointer) > usize::from(pointer == root))
    };
    if picks(target, root) || picks(value, from) {
        return None;
    }
    let mut members = Vec::new();
    scalars(ctype, (target.clone(), value.clone()), copied, &mut members)?;
    let assign = |(target, value)| Stmt {
        kind: StmtKind::Expression(Expr {
            kind: ExprKind::Assign(None, Box::new(target), Box::new(value)),
            span: stmt.span,
        }),
        span: stmt.span,
    };
    Some(members.into_iter().map(assign).collect())
}

/// The members of a structure, which may be spelled in several ways.
fn names(ctype: &Type) -> Option<Vec<&str>> {
    match ctype {
        Type::Struct { fields, .. } => Some(fields.iter().map(|(n, _)| n.as_str()).collect()),
        _ => None,
    }
}

/// The scalars in two places of a type; `None` where there are others.
fn scalars(
    ctype: &Type,
    (to, from): (Expr, Expr),
    copied: &Copied<'_>,
    found: &mut Vec<(Expr, Expr)>,
) -> Option<()> {
    match ctype {
        Type::Pointer { .. } if copied.pointers && found.len() < MOST_MEMBERS => {
            found.push((to, from));
            Some(())
        }
        Type::Scalar(_) if found.len() < MOST_MEMBERS => {
            found.push((to, from));
            Some(())
        }
        Type::Struct {
            is_union: false,
            fields,
            ..
        } if !fields.is_empty() => {
            for (name, field) in fields {
                // Members of unnamed structures are found by no name of theirs.
                if name.is_empty() {
                    return None;
                }
                let member = |whole: &Expr| Expr {
                    kind: ExprKind::Field(Box::new(whole.clone()), name.clone()),
                    span: whole.span,
                };
                scalars(field, (member(&to), member(&from)), copied, found)?;
            }
            Some(())
        }
        Type::Array {
            element,
            extent: Some(extent),
            ..
        } => {
            let ExprKind::Integer(extent @ 1..=MOST_EXTENT, _) = extent.kind else {
                return None;
            };
            for k in 0..extent {
                let part = |whole: &Expr| Expr {
                    kind: ExprKind::Subscript(
                        Box::new(whole.clone()),
                        Box::new(Expr {
                            kind: ExprKind::Integer(k, k.to_string()),
                            span: whole.span,
                        }),
                    ),
                    span: whole.span,
                };
                scalars(element, (part(&to), part(&from)), copied, found)?;
            }
            Some(())
        }
        _ => None,
    }
}
