//! Pointers that may be null: `bias ? bias[k] : 0`, `if (mask && !mask[i])`.
//!
//! Whether a pointer that stays is set is the same all through the region: a number, 0 or 1, which is
//! read in front. Lowering takes it as a parameter that is spelled as the comparison, so that what
//! stands behind the pointer is accessed where it is not null only.

use crate::frontend::c::lower::calls::hidden;
use crate::frontend::c::lower::memory::allocation::is_null;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{
    Expr, ExprKind, Scope, Stmt, StmtKind, Symbol, SymbolId, Type, Unit,
};
use crate::scop::{BinaryOp, ScalarKind, ScalarType, UnaryOp, presence};
use std::collections::{HashMap, HashSet};

/// Puts numbers in the places of pointers whose truth is asked for.
pub(in crate::frontend::c::normalise) fn ask(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let mut pointers = Pointers {
        changed: changed(unit, number, statements),
        known: HashMap::new(),
        conditions: None,
        unit,
    };
    for stmt in statements {
        pointers.stmt(stmt);
    }
}

/// Puts conditions in the places of questions whether these pointers are set, and asks for no others.
pub(super) fn answer(
    unit: &mut Unit,
    conditions: HashMap<SymbolId, Expr>,
    statements: &mut [Stmt],
) {
    let mut pointers = Pointers {
        changed: HashSet::new(),
        known: HashMap::new(),
        conditions: Some(conditions),
        unit,
    };
    for stmt in statements {
        pointers.stmt(stmt);
    }
}

/// Pointers that the region changes, or that others may change.
fn changed(unit: &Unit, number: usize, statements: &[Stmt]) -> HashSet<SymbolId> {
    let mut changed = HashSet::new();
    for stmt in statements {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                if let Some(ExprKind::Name(symbol)) = facts::target(e).map(|target| &target.kind) {
                    changed.insert(*symbol);
                }
            });
        });
    }
    let function = &unit.functions[unit.regions[number].function];
    visit::expressions(unit, &function.body, &mut |top| {
        visit::walk(top, &mut |e| {
            if let ExprKind::AddressOf(place) = &e.kind {
                changed.extend(tree::object(unit, place));
            }
        });
    });
    changed
}

struct Pointers<'u> {
    unit: &'u mut Unit,
    changed: HashSet<SymbolId>,
    /// The variables that stand for whether they are set.
    known: HashMap<SymbolId, SymbolId>,
    /// When pointers are set, where nothing else is to be asked.
    conditions: Option<HashMap<SymbolId, Expr>>,
}

impl Pointers<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        tree::statements_mut(stmt, &mut |stmt| {
            match &mut stmt.kind {
                StmtKind::Expression(e) | StmtKind::Return(Some(e)) => self.value(e),
                StmtKind::Declaration(symbol) => {
                    let symbol = *symbol;
                    if let Some(mut value) = self.unit.symbols[symbol].initialiser.take() {
                        self.value(&mut value);
                        self.unit.symbols[symbol].initialiser = Some(value);
                    }
                }
                StmtKind::For {
                    condition, step, ..
                } => {
                    condition.iter_mut().for_each(|e| self.truth(e));
                    step.iter_mut().for_each(|e| self.value(e));
                }
                StmtKind::While { condition, .. } => self.truth(condition),
                StmtKind::If { condition, .. } => self.truth(condition),
                _ => {}
            }
            if let StmtKind::If {
                condition,
                then,
                otherwise,
            } = &mut stmt.kind
                && let ExprKind::Integer(value, _) = condition.kind
            {
                let taken = match value {
                    0 => otherwise.take(),
                    _ => Some(then.clone()),
                };
                let span = stmt.span;
                *stmt = *taken.unwrap_or_else(|| build::block(Vec::new(), span));
            }
        });
    }

    /// An expression of which the value counts.
    fn value(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Conditional(condition, a, b) => {
                self.truth(condition);
                self.value(a);
                self.value(b);
                let kind = |e: &Expr| types::scalar_kind(self.unit, e);
                // Otherwise one of them is converted.
                if let ExprKind::Integer(value, _) = condition.kind
                    && kind(a).is_some()
                    && kind(a) == kind(b)
                {
                    *expr = (**if value == 0 { b } else { a }).clone();
                }
            }
            ExprKind::Unary(UnaryOp::Not, a) => self.truth(a),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.truth(a);
                self.truth(b);
            }
            ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), a, b) => {
                let op = *op;
                let pointer = match (is_null(a), is_null(b)) {
                    (_, true) => Some(&**a),
                    (true, false) => Some(&**b),
                    (false, false) => None,
                };
                match pointer.and_then(|p| self.presence(p).or_else(|| self.answer(p))) {
                    Some(set) if op == BinaryOp::Equal => *expr = negated(set),
                    Some(set) => *expr = set,
                    None => {
                        self.value(a);
                        self.value(b);
                    }
                }
            }
            _ => {
                for child in tree::children_mut(expr) {
                    self.value(child);
                }
            }
        }
    }

    /// An expression of which counts whether it is zero.
    fn truth(&mut self, expr: &mut Expr) {
        if let Some(set) = self.presence(expr) {
            *expr = set;
            return;
        }
        // One in memory, which lowering compares.
        if self.conditions.is_none()
            && matches!(
                types::place_type(self.unit, expr),
                Some(Type::Pointer { .. })
            )
        {
            let null = build::integer(0, expr.span);
            *expr = build::binary(BinaryOp::NotEqual, expr.clone(), null);
            return;
        }
        self.value(expr);
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, a) => {
                if let ExprKind::Integer(value, _) = a.kind {
                    *expr = build::integer(i64::from(value == 0), expr.span);
                }
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let decides = i64::from(*op == BinaryOp::Or);
                if let ExprKind::Integer(value, _) = a.kind {
                    *expr = if i64::from(value != 0) == decides {
                        build::integer(decides, expr.span)
                    } else {
                        (**b).clone()
                    };
                }
            }
            _ => {}
        }
    }

    /// A call of which the library says whether it gives a pointer, and no more: its truth is that.
    fn answer(&self, pointer: &Expr) -> Option<Expr> {
        let ExprKind::Call(name, _) = &pointer.kind else {
            return None;
        };
        if self.conditions.is_some() {
            return None;
        }
        let function = hidden::called(self.unit, name)?;
        function.result.is_none().then(|| pointer.clone())
    }

    /// Whether a pointer is set, as a number.
    fn presence(&mut self, pointer: &Expr) -> Option<Expr> {
        let span = pointer.span;
        if let Some(conditions) = &self.conditions {
            return match pointer.kind {
                ExprKind::Name(symbol) => conditions.get(&symbol).cloned(),
                _ => None,
            };
        }
        match &pointer.kind {
            ExprKind::AddressOf(place) => match &place.kind {
                ExprKind::Name(_) => Some(build::integer(1, span)),
                ExprKind::Subscript(base, index) if tree::is_pure(index) => self.presence(base),
                _ => None,
            },
            // To null C adds nothing but 0.
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b)
                if tree::is_pure(a) && tree::is_pure(b) =>
            {
                let is_pointer = |e: &Expr| {
                    let ctype = types::place_type(self.unit, e);
                    ctype.is_some_and(|ctype| types::pointee(ctype).is_some())
                };
                // The difference of two is a number.
                let base = match (is_pointer(a), is_pointer(b)) {
                    (true, false) => a,
                    (false, true) => b,
                    _ => return None,
                };
                let base = (**base).clone();
                self.presence(&base)
            }
            ExprKind::Cast(Type::Pointer { .. }, _) if is_null(pointer) => {
                Some(build::integer(0, span))
            }
            ExprKind::Name(symbol) => {
                let own = &self.unit.symbols[*symbol];
                match (&own.ctype, own.scope) {
                    (Type::Array { .. }, Scope::Function(_) | Scope::Region(_)) => {
                        Some(build::integer(1, span))
                    }
                    // Others may be weak.
                    (Type::Array { .. }, Scope::File) if own.is_static => {
                        Some(build::integer(1, span))
                    }
                    (
                        Type::Array { .. } | Type::Pointer { .. },
                        Scope::Parameter(_) | Scope::Function(_),
                    ) if !own.is_static && !self.changed.contains(symbol) => {
                        let set = self.variable(*symbol);
                        Some(build::name(set, span))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The variable for whether a pointer is set: its name is the comparison.
    fn variable(&mut self, pointer: SymbolId) -> SymbolId {
        if let Some(known) = self.known.get(&pointer) {
            return *known;
        }
        let own = &self.unit.symbols[pointer];
        let set = Symbol {
            name: presence(&own.name),
            ctype: Type::Scalar(ScalarType {
                kind: ScalarKind::Bool,
                spelling: "_Bool".to_owned(),
            }),
            scope: own.scope,
            is_static: false,
            is_const: true,
            initialiser: None,
            span: own.span,
        };
        self.unit.symbols.push(set);
        let set = self.unit.symbols.len() - 1;
        self.known.insert(pointer, set);
        set
    }
}

fn negated(set: Expr) -> Expr {
    match set.kind {
        ExprKind::Integer(value, _) => build::integer(i64::from(value == 0), set.span),
        _ => build::not(set),
    }
}
