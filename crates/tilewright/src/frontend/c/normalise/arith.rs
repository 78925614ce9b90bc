//! Sums and products in the type of a variable, written as short as they are.

use super::build;
use super::loops::inductions::Step;
use crate::frontend::c::lower::calls::purity;
use crate::frontend::c::lower::surroundings::facts;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, ScalarKind, ScalarType, UnaryOp};
use crate::source::Span;
use std::collections::BTreeSet;

/// The type, and where what is made stands.
pub(super) struct Arith {
    pub ctype: ScalarType,
    pub span: Span,
}

impl Arith {
    /// In `long`.
    pub fn long(span: Span) -> Arith {
        let kind = ScalarKind::I64;
        let spelling = kind.c_name().to_owned();
        Arith {
            ctype: ScalarType { kind, spelling },
            span,
        }
    }

    pub fn number(&self, value: i64) -> Expr {
        let suffix = match self.ctype.kind {
            ScalarKind::U32 => "u",
            ScalarKind::I64 => "L",
            ScalarKind::U64 => "UL",
            _ => "",
        };
        Expr {
            kind: ExprKind::Integer(value, format!("{value}{suffix}")),
            span: self.span,
        }
    }

    /// A value in the type.
    pub fn cast(&self, unit: &Unit, value: Expr) -> Expr {
        match value.kind {
            ExprKind::Integer(number, _) => self.number(number),
            _ if types::scalar_kind(unit, &value) == Some(self.ctype.kind) => value,
            _ => Expr {
                kind: ExprKind::Cast(Type::Scalar(self.ctype.clone()), Box::new(value)),
                span: self.span,
            },
        }
    }

    pub fn sum(&self, a: Expr, b: Expr) -> Expr {
        match (&a.kind, &b.kind) {
            (ExprKind::Integer(0, _), _) => b,
            (_, ExprKind::Integer(0, _)) => a,
            (ExprKind::Integer(x, _), ExprKind::Integer(y, _)) => match x.checked_add(*y) {
                Some(sum) => self.number(sum),
                None => build::binary(BinaryOp::Add, a, b),
            },
            (_, ExprKind::Unary(UnaryOp::Minus, b)) => {
                build::binary(BinaryOp::Sub, a, (**b).clone())
            }
            _ => build::binary(BinaryOp::Add, a, b),
        }
    }

    /// A value in the type behind a step.
    pub fn stepped(&self, unit: &Unit, value: Expr, step: &Step) -> Expr {
        match step.constant() {
            Some(by) => self.sum(value, self.number(by)),
            None if step.down => {
                build::binary(BinaryOp::Sub, value, self.cast(unit, step.by.clone()))
            }
            None => self.sum(value, self.cast(unit, step.by.clone())),
        }
    }

    /// `a - b`, in whatever type that has.
    pub fn difference(&self, a: Expr, b: Expr) -> Expr {
        match (&a.kind, &b.kind) {
            (_, ExprKind::Integer(0, _)) => a,
            (ExprKind::Integer(x, _), ExprKind::Integer(y, _)) => self.number(x.saturating_sub(*y)),
            _ => build::binary(BinaryOp::Sub, a, b),
        }
    }

    pub fn product(&self, a: Expr, b: Expr) -> Expr {
        match (&a.kind, &b.kind) {
            (ExprKind::Integer(0, _), _) | (_, ExprKind::Integer(0, _)) => self.number(0),
            (ExprKind::Integer(1, _), _) => b,
            (_, ExprKind::Integer(1, _)) => a,
            _ => build::binary(BinaryOp::Mul, a, b),
        }
    }
}

/// The variables that a statement changes by their names: what it assigns, steps or declares, and whose
/// address it takes; not what pointers lead to, which lowering compares.
pub(super) fn changed_in(unit: &Unit, stmt: &Stmt) -> Vec<SymbolId> {
    let mut changed = Vec::new();
    let mut note = |symbol: SymbolId| {
        if !changed.contains(&symbol) {
            changed.push(symbol);
        }
    };
    visit::statements(stmt, &mut |stmt| {
        if let StmtKind::Declaration(symbol) = stmt.kind {
            note(symbol);
        }
        for expr in visit::own_expressions(unit, stmt) {
            visit::walk(expr, &mut |e| {
                let target = match &e.kind {
                    ExprKind::AddressOf(place) => Some(&**place),
                    _ => facts::target(e),
                };
                let mut target = target;
                while let Some(place) = target {
                    target = match &place.kind {
                        ExprKind::Name(symbol) => {
                            note(*symbol);
                            None
                        }
                        ExprKind::Field(base, _) => Some(&**base),
                        _ => None,
                    };
                }
            });
        }
    });
    changed
}

/// The members of structures that statements may change. What a member holds is not seen to change
/// where no variable does.
#[derive(Debug, Default)]
pub(super) struct Members {
    all: bool,
    names: BTreeSet<String>,
    /// Pointers among the elements of arrays.
    pointers: bool,
}

impl Members {
    /// Those of some statements: what they assign or step, also through a pointer, and what they take
    /// the address of.
    pub fn changed_in(unit: &Unit, statements: &[Stmt]) -> Members {
        Members::changed_but(unit, statements, &|_| false)
    }

    /// The same but for places that are none of those meant.
    pub fn changed_but(unit: &Unit, statements: &[Stmt], other: &dyn Fn(&Expr) -> bool) -> Members {
        let mut members = Members::default();
        for stmt in statements {
            visit::expressions(unit, stmt, &mut |top| {
                visit::walk(top, &mut |e| {
                    if !facts::target(e).is_some_and(other) {
                        members.note(unit, e);
                    }
                });
            });
        }
        members
    }

    fn note(&mut self, unit: &Unit, expr: &Expr) {
        let place = match &expr.kind {
            ExprKind::Call(name, _) => {
                self.all |= !purity::is_pure(unit, name);
                return;
            }
            ExprKind::Unsupported(_) => {
                self.all = true;
                return;
            }
            // What is done to a structure there is done to members of it.
            ExprKind::AddressOf(place) => match types::place_type(unit, place) {
                Some(Type::Struct { .. } | Type::Array { .. }) => return,
                _ => &**place,
            },
            _ => match facts::target(expr) {
                Some(place) => place,
                None => return,
            },
        };
        // A structure as a whole changes all that is in it.
        self.all |= match types::place_type(unit, place) {
            Some(Type::Struct { .. }) => !matches!(place.kind, ExprKind::Name(_)),
            Some(_) => false,
            None => types::scalar_kind(unit, place).is_none(),
        };
        match &place.kind {
            ExprKind::Field(_, name) | ExprKind::Arrow(_, name) => {
                self.names.insert(name.clone());
            }
            ExprKind::Subscript(..) | ExprKind::Dereference(_) => {
                let ctype = types::place_type(unit, place);
                self.pointers |= !matches!(ctype, Some(Type::Scalar(_)));
            }
            _ => {}
        }
    }

    /// Whether pointers among the elements of arrays are.
    pub fn have_elements(&self) -> bool {
        self.all || self.pointers
    }

    /// Whether one of this name is one of them.
    pub fn has(&self, name: &str) -> bool {
        self.all || self.names.contains(name)
    }

    /// Whether an expression has one of them.
    pub fn change(&self, expr: &Expr) -> bool {
        let mut found = false;
        visit::walk(expr, &mut |e| {
            if let ExprKind::Field(_, name) | ExprKind::Arrow(_, name) = &e.kind {
                found |= self.has(name);
            }
        });
        found
    }
}
