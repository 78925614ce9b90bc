//! The steps of one variable in a loop, in closed form.

use super::{put, step};
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::{Arith, changed_in};
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Unit};
use crate::scop::{BinaryOp, ScalarKind};
use std::collections::HashMap;

/// A counted loop's head.
struct Head {
    symbol: SymbolId,
    first: Expr,
    /// One behind the last candidate: in the direction of the step.
    end: Expr,
    step: i64,
}

/// What a loop adds to a variable: seen from inside of it, where it is executed, and from outside.
#[derive(Clone)]
pub(super) struct Added {
    inside: Expr,
    pub exact: Expr,
}

/// One variable's steps are taken out of a loop.
pub(super) struct Closing<'u> {
    pub unit: &'u mut Unit,
    pub arith: &'u Arith,
    pub symbol: SymbolId,
    /// The variable's value in front of the outermost loop.
    pub base: &'u Expr,
    /// What the outermost loop changes: nothing that is added may depend on it.
    pub fixed: &'u [SymbolId],
}

impl Closing<'_> {
    /// Rewrites a loop; `offset`: what has been added when it begins. What it adds in all; `None`,
    /// and the loop in pieces, where that is not one expression.
    pub fn of(&mut self, stmt: &mut Stmt, offset: &Expr) -> Option<Added> {
        let head = self.head(stmt)?;
        let each = self.per_iteration(stmt)?;
        let passed = self.passed(&head);
        let begun = self.arith.sum(
            offset.clone(),
            self.arith.product(passed, each.inside.clone()),
        );
        let StmtKind::For { body, .. } = &mut stmt.kind else {
            return None;
        };
        self.body(body, &begun)?;
        Some(self.times(&head, &each))
    }

    /// The statements of a loop's body, or of a block in it; what they add.
    fn body(&mut self, stmt: &mut Stmt, offset: &Expr) -> Option<Expr> {
        let mut offset = offset.clone();
        if let Some((symbol, by)) = step(stmt)
            && symbol == self.symbol
        {
            stmt.kind = StmtKind::Empty;
            return Some(self.arith.sum(offset, self.arith.cast(self.unit, by)));
        }
        let stepped = self.is_stepped(stmt);
        match &mut stmt.kind {
            StmtKind::Block(list) => {
                for stmt in list.iter_mut() {
                    offset = self.body(stmt, &offset)?;
                }
                list.retain(|stmt| stmt.kind != StmtKind::Empty);
                Some(offset)
            }
            StmtKind::For { .. } if stepped => {
                let added = self.of(stmt, &offset)?;
                Some(self.arith.sum(offset, added.exact))
            }
            _ if stepped => None,
            _ => {
                let value = self.arith.sum(self.base.clone(), offset.clone());
                if tree::size(&value) > super::LARGEST {
                    return None;
                }
                let known = HashMap::from([(self.symbol, value)]);
                tree::everything_mut(&mut self.unit.symbols, stmt, &mut |e| put(e, &known));
                Some(offset)
            }
        }
    }

    /// What one iteration of a loop adds.
    fn per_iteration(&mut self, stmt: &Stmt) -> Option<Added> {
        let StmtKind::For { body, .. } = &stmt.kind else {
            return None;
        };
        self.added(body)
    }

    fn added(&mut self, stmt: &Stmt) -> Option<Added> {
        let zero = self.arith.number(0);
        let mut all = Added {
            inside: zero.clone(),
            exact: zero,
        };
        let one = match &stmt.kind {
            StmtKind::Block(list) => {
                for stmt in list {
                    let one = self.added(stmt)?;
                    all.inside = self.arith.sum(all.inside, one.inside);
                    all.exact = self.arith.sum(all.exact, one.exact);
                }
                return Some(all);
            }
            StmtKind::For { .. } if self.is_stepped(stmt) => {
                let head = self.head(stmt)?;
                let each = self.per_iteration(stmt)?;
                self.times(&head, &each)
            }
            _ if !self.is_stepped(stmt) => return Some(all),
            _ => {
                let (symbol, by) = step(stmt)?;
                if symbol != self.symbol || !self.is_fixed(&by) {
                    return None;
                }
                let by = self.arith.cast(self.unit, by);
                Added {
                    inside: by.clone(),
                    exact: by,
                }
            }
        };
        Some(one)
    }

    /// Whether a statement changes the variable.
    fn is_stepped(&self, stmt: &Stmt) -> bool {
        changed_in(self.unit, stmt).contains(&self.symbol)
    }

    /// Whether an expression has one value in all of the outermost loop.
    fn is_fixed(&self, expr: &Expr) -> bool {
        tree::is_stable(expr)
            && !self
                .fixed
                .iter()
                .any(|&symbol| visit::mentions(expr, symbol))
            && types::scalar_kind(self.unit, expr).is_some_and(|kind| !kind.is_float())
    }

    /// The head of a loop whose bounds are fixed, and whose variable nothing else changes.
    fn head(&self, stmt: &Stmt) -> Option<Head> {
        let StmtKind::For {
            init: Some(init),
            condition: Some(condition),
            step: Some(by),
            body,
        } = &stmt.kind
        else {
            return None;
        };
        let symbol = facts::set_first(init)?;
        let first = match &init.kind {
            StmtKind::Declaration(symbol) => self.unit.symbols[*symbol].initialiser.clone()?,
            StmtKind::Expression(Expr {
                kind: ExprKind::Assign(None, _, value),
                ..
            }) => (**value).clone(),
            _ => return None,
        };
        let by = Stmt {
            span: by.span,
            kind: StmtKind::Expression(by.clone()),
        };
        let step = match step(&by)? {
            (stepped, by) if stepped == symbol => match by.kind {
                ExprKind::Integer(by, _) if by != 0 => by,
                _ => return None,
            },
            _ => return None,
        };
        let ExprKind::Binary(op, a, b) = &condition.kind else {
            return None;
        };
        let (op, end) = match (&a.kind, &b.kind) {
            (ExprKind::Name(name), _) if *name == symbol => (*op, (**b).clone()),
            _ => return None,
        };
        let one = |by: i64| {
            let number = self.arith.number(by.abs());
            let op = match by < 0 {
                true => BinaryOp::Sub,
                false => BinaryOp::Add,
            };
            Expr {
                span: end.span,
                kind: ExprKind::Binary(op, Box::new(end.clone()), Box::new(number)),
            }
        };
        let end = match (op, step > 0) {
            (BinaryOp::Less, true) | (BinaryOp::Greater, false) => end,
            (BinaryOp::LessEqual, true) => one(1),
            (BinaryOp::GreaterEqual, false) => one(-1),
            _ => return None,
        };
        // Differences of signed numbers.
        let signed = |e: &Expr| {
            types::scalar_kind(self.unit, e)
                .is_some_and(|kind| matches!(kind.promoted(), ScalarKind::I32 | ScalarKind::I64))
        };
        let own = facts::integer_kind(self.unit, symbol)
            .is_some_and(|kind| matches!(kind, ScalarKind::I32 | ScalarKind::I64));
        let fixed = self.is_fixed(&first) && self.is_fixed(&end);
        let zero = matches!(first.kind, ExprKind::Integer(0, _));
        let wide = facts::integer_kind(self.unit, symbol).is_some_and(|kind| kind.bytes() >= 4);
        // An unsigned variable is compared with an unsigned bound.
        let kinds = own && signed(&first) && signed(&end)
            || step == 1 && zero && wide && (own || !signed(&end));
        let kept = !changed_in(self.unit, body).contains(&symbol);
        (fixed && kinds && kept).then_some(Head {
            symbol,
            first,
            end,
            step,
        })
    }

    /// The iterations in front of the one that is executed.
    fn passed(&self, head: &Head) -> Expr {
        let name = Expr {
            kind: ExprKind::Name(head.symbol),
            span: self.arith.span,
        };
        self.distance(&head.first, name, head.step, false)
    }

    /// What all iterations of a loop add.
    fn times(&self, head: &Head, each: &Added) -> Added {
        let all = self.distance(&head.first, head.end.clone(), head.step, true);
        let (low, high) = match head.step > 0 {
            true => (&head.first, &head.end),
            false => (&head.end, &head.first),
        };
        let some = Expr {
            span: self.arith.span,
            kind: ExprKind::Binary(
                BinaryOp::Less,
                Box::new(low.clone()),
                Box::new(high.clone()),
            ),
        };
        let exact = match (&low.kind, &high.kind) {
            (ExprKind::Integer(low, _), ExprKind::Integer(high, _)) if low < high => all.clone(),
            _ => Expr {
                span: self.arith.span,
                kind: ExprKind::Conditional(
                    Box::new(some),
                    Box::new(all.clone()),
                    Box::new(self.arith.number(0)),
                ),
            },
        };
        Added {
            inside: self.arith.product(all, each.inside.clone()),
            exact: self.arith.product(exact, each.exact.clone()),
        }
    }

    /// The steps from a value to another one; `up`: begun ones count.
    fn distance(&self, from: &Expr, to: Expr, step: i64, up: bool) -> Expr {
        let (low, high) = match step > 0 {
            true => (from.clone(), to),
            false => (to, from.clone()),
        };
        let distance = self.arith.cast(self.unit, self.arith.difference(high, low));
        match step.abs() {
            1 => distance,
            size => {
                let distance = match up {
                    true => self.arith.sum(distance, self.arith.number(size - 1)),
                    false => distance,
                };
                Expr {
                    span: self.arith.span,
                    kind: ExprKind::Binary(
                        BinaryOp::Div,
                        Box::new(distance),
                        Box::new(self.arith.number(size)),
                    ),
                }
            }
        }
    }
}
