//! Copies of statements in which expressions stand for variables.

use std::collections::HashMap;

use super::super::tree::children_mut;
use super::super::values::tables;
use super::{Inliner, pointers};
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, ScalarKind};
use crate::source::Span;

/// What stands for variables.
pub(super) type Map = HashMap<SymbolId, Expr>;

/// A type by the canonical names of its scalars, whose typedefs may be unknown elsewhere.
pub(super) fn spelled(ctype: Type) -> Type {
    match ctype {
        Type::Scalar(mut scalar) => {
            scalar.spelling = match scalar.kind {
                ScalarKind::Bool => "_Bool".to_owned(),
                kind => kind.c_name().to_owned(),
            };
            Type::Scalar(scalar)
        }
        Type::Array {
            element,
            extent,
            restrict,
            is_const,
        } => Type::Array {
            element: Box::new(spelled(*element)),
            extent,
            restrict,
            is_const,
        },
        other => other,
    }
}

/// An expression in which others stand for variables, all at one place of the text; `None` where
/// there is no form for it, or a variable of a function for which nothing stands.
pub(super) fn expression(unit: &Unit, expr: &Expr, map: &Map, span: Span) -> Option<Expr> {
    if let ExprKind::Name(symbol) = expr.kind {
        if let Some(value) = map.get(&symbol) {
            return Some(at(value.clone(), span));
        }
        let stays = match unit.symbols[symbol].scope {
            Scope::File => true,
            Scope::Region(_) if tables::is_of_a_body(unit, symbol) => true,
            Scope::Parameter(_) | Scope::Function(_) | Scope::Region(_) => false,
        };
        return stays.then_some(Expr {
            kind: expr.kind.clone(),
            span,
        });
    }
    let mut copy = Expr {
        kind: expr.kind.clone(),
        span,
    };
    if let ExprKind::Cast(ctype, _) = &mut copy.kind {
        *ctype = spelled(substituted(unit, ctype, map, span)?);
    }
    for part in children_mut(&mut copy) {
        *part = expression(unit, part, map, span)?;
    }
    simple(unit, copy)
}

/// A type whose extents are such expressions.
fn substituted(unit: &Unit, ctype: &Type, map: &Map, span: Span) -> Option<Type> {
    Some(match ctype {
        Type::Array {
            element,
            extent,
            restrict,
            is_const,
        } => Type::Array {
            element: Box::new(substituted(unit, element, map, span)?),
            extent: match extent {
                Some(extent) => Some(Box::new(expression(unit, extent, map, span)?)),
                None => None,
            },
            restrict: *restrict,
            is_const: *is_const,
        },
        Type::Pointer {
            target,
            restrict,
            is_const,
        } => Type::Pointer {
            target: Box::new(substituted(unit, target, map, span)?),
            restrict: *restrict,
            is_const: *is_const,
        },
        other => other.clone(),
    })
}

/// The same at one place of the text.
fn at(mut expr: Expr, span: Span) -> Expr {
    expr.span = span;
    for part in children_mut(&mut expr) {
        let old = std::mem::replace(
            part,
            Expr {
                kind: ExprKind::Comma(Vec::new()),
                span,
            },
        );
        *part = at(old, span);
    }
    expr
}

/// An expression without addresses that are followed at once.
fn simple(unit: &Unit, expr: Expr) -> Option<Expr> {
    let span = expr.span;
    let zero = |e: &Expr| matches!(e.kind, ExprKind::Integer(0, _));
    let kind = match expr.kind {
        ExprKind::Dereference(pointer) => match pointer.kind {
            ExprKind::AddressOf(place) => return Some(*place),
            _ => ExprKind::Dereference(pointer),
        },
        ExprKind::Arrow(pointer, field) => match pointer.kind {
            ExprKind::AddressOf(place) => ExprKind::Field(place, field),
            _ => ExprKind::Arrow(pointer, field),
        },
        ExprKind::Field(place, field) => match place.kind {
            ExprKind::Dereference(pointer) => ExprKind::Arrow(pointer, field),
            _ => ExprKind::Field(place, field),
        },
        ExprKind::Subscript(base, index) => match base.kind {
            ExprKind::AddressOf(place) if zero(&index) => return Some(*place),
            ExprKind::AddressOf(_) => return None,
            _ => ExprKind::Subscript(base, index),
        },
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => match (&a.kind, &b.kind) {
            (ExprKind::AddressOf(_), _) if zero(&b) => return Some(*a),
            (ExprKind::AddressOf(_), _) | (_, ExprKind::AddressOf(_)) => return None,
            _ => ExprKind::Binary(op, a, b),
        },
        ExprKind::AddressOf(_) => {
            return match pointers::canonical(unit, &expr) {
                Some(pointer) => Some(pointer),
                None => Some(expr),
            };
        }
        kind => kind,
    };
    Some(Expr { kind, span })
}

impl Inliner<'_> {
    /// Copies of statements, with variables of their own for those that they declare, which get
    /// into the map.
    pub(super) fn copies(&mut self, list: &[Stmt], map: &mut Map, span: Span) -> Option<Vec<Stmt>> {
        list.iter().map(|stmt| self.copy(stmt, map, span)).collect()
    }

    fn copy(&mut self, stmt: &Stmt, map: &mut Map, span: Span) -> Option<Stmt> {
        let kind = match &stmt.kind {
            StmtKind::Block(list) => StmtKind::Block(self.copies(list, map, span)?),
            StmtKind::Declaration(symbol) => {
                let old = self.unit.symbols[*symbol].clone();
                if let Some((ctype, values)) = tables::constants(self.unit, *symbol) {
                    let new = self.declare(&old.name, ctype, Some(values), span);
                    self.unit.symbols[new].is_static = true;
                    self.unit.symbols[new].is_const = true;
                    let kind = ExprKind::Name(new);
                    map.insert(*symbol, Expr { kind, span });
                    return Some(Stmt {
                        kind: StmtKind::Empty,
                        span,
                    });
                }
                if old.is_static {
                    return None;
                }
                let ctype = substituted(self.unit, &old.ctype, map, span)?;
                let new = self.declare(&old.name, ctype, None, span);
                map.insert(
                    *symbol,
                    Expr {
                        kind: ExprKind::Name(new),
                        span,
                    },
                );
                if let Some(value) = &old.initialiser {
                    let value = expression(self.unit, value, map, span)?;
                    self.unit.symbols[new].initialiser = Some(value);
                }
                StmtKind::Declaration(new)
            }
            StmtKind::Expression(e) => StmtKind::Expression(expression(self.unit, e, map, span)?),
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                let init = match init {
                    Some(init) => Some(Box::new(self.copy(init, map, span)?)),
                    None => None,
                };
                let part = |e: &Option<Expr>| match e {
                    Some(e) => expression(self.unit, e, map, span).map(Some),
                    None => Some(None),
                };
                StmtKind::For {
                    init,
                    condition: part(condition)?,
                    step: part(step)?,
                    body: Box::new(self.copy(body, map, span)?),
                }
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => StmtKind::If {
                condition: expression(self.unit, condition, map, span)?,
                then: Box::new(self.copy(then, map, span)?),
                otherwise: match otherwise {
                    Some(stmt) => Some(Box::new(self.copy(stmt, map, span)?)),
                    None => None,
                },
            },
            StmtKind::While { condition, body } => StmtKind::While {
                condition: expression(self.unit, condition, map, span)?,
                body: Box::new(self.copy(body, map, span)?),
            },
            StmtKind::Return(value) => StmtKind::Return(match value {
                Some(e) => Some(expression(self.unit, e, map, span)?),
                None => None,
            }),
            // Orders and threads are what the compiler decides here.
            StmtKind::Pragma(words) => {
                let plain = words == "scop"
                    || words == "endscop"
                    || words.starts_with("GCC ivdep")
                    || words.starts_with("omp simd")
                    || words.starts_with("omp parallel for") && !words.contains("private");
                if !plain {
                    return None;
                }
                StmtKind::Empty
            }
            StmtKind::Unsupported("continue" | "break")
            | StmtKind::Exit(_)
            | StmtKind::Original(_)
            | StmtKind::Empty => stmt.kind.clone(),
            StmtKind::Unsupported(_) => return None,
        };
        Some(Stmt { kind, span })
    }
}
