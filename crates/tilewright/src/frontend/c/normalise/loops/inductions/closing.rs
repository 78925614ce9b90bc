//! The steps of one variable in a loop, in closed form.

use super::{put, step};
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::{Arith, Members, changed_in};
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Unit};
use crate::scop::{BinaryOp, ScalarKind, UnaryOp};
use std::collections::HashMap;

/// Steps of loops are smaller: sums of a step and a distance that somebody counts fit 64 bits.
const FAR: i64 = 1 << 31;

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
    /// In the variable's type, or in one that is wider.
    pub arith: &'u Arith,
    /// In the variable's type.
    pub own: &'u Arith,
    pub symbol: SymbolId,
    /// The variable's value in front of the outermost loop.
    pub base: &'u Expr,
    /// What the outermost loop changes: nothing that is added may depend on it.
    pub fixed: &'u [SymbolId],
    /// What the region may change beside variables.
    pub members: &'u Members,
}

impl Closing<'_> {
    /// Rewrites a loop; `offset`: what has been added when it begins. What it adds in all; `None`,
    /// and the loop in pieces, where that is not one expression.
    pub fn of(&mut self, stmt: &mut Stmt, offset: &Expr) -> Option<Added> {
        let head = self.head(stmt)?;
        let each = self.per_iteration(stmt)?;
        self.fits(&head, &each)?;
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
        if let Some(step) = step(stmt)
            && step.symbol == self.symbol
        {
            stmt.kind = StmtKind::Empty;
            return Some(self.arith.stepped(self.unit, offset, &step));
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
                let value = self.value(&offset);
                if tree::size(&value) > super::LARGEST {
                    return None;
                }
                let known = HashMap::from([(self.symbol, value)]);
                tree::everything_mut(&mut self.unit.symbols, stmt, &mut |e| put(e, &known));
                Some(offset)
            }
        }
    }

    /// The variable's value where this has been added to it. In a wider type the sum is the number that
    /// the variable has, so that converting it changes nothing.
    pub fn value(&self, offset: &Expr) -> Expr {
        let value = self.arith.sum(self.base.clone(), offset.clone());
        match self.own.ctype.kind == self.arith.ctype.kind {
            true => value,
            false => self.own.cast(self.unit, value),
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
                self.fits(&head, &each)?;
                self.times(&head, &each)
            }
            _ if !self.is_stepped(stmt) => return Some(all),
            _ => {
                let step = step(stmt)?;
                if step.symbol != self.symbol || !self.is_fixed(&step.by) {
                    return None;
                }
                let by = match step.constant() {
                    Some(by) => self.arith.number(by),
                    // The least of all has no opposite.
                    None if step.down && self.is_int() => return None,
                    None if step.down => Expr {
                        span: step.by.span,
                        kind: ExprKind::Unary(
                            UnaryOp::Minus,
                            Box::new(self.arith.cast(self.unit, step.by)),
                        ),
                    },
                    None => self.arith.cast(self.unit, step.by),
                };
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
            && !self.members.change(expr)
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
        let step = step(&by).filter(|step| step.symbol == symbol)?;
        // Distances of 64 bits have room for no more.
        let step = step.constant().filter(|by| *by != 0 && by.abs() < FAR)?;
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
            // Whoever passes by it overflows, or is unsigned and begins with zero.
            (BinaryOp::NotEqual, _) if step.abs() == 1 => end,
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

    /// Whether the variable is an `int`, in which what C computes must not leave its range.
    fn is_int(&self) -> bool {
        self.arith.ctype.kind == ScalarKind::I32
    }

    /// Whether nothing that is computed in the variable's type leaves its range where the variable
    /// itself does not. It begins with no negative number, or what is added is what has been counted;
    /// what else there is, is only certain of 64 bits and of types that wrap around.
    fn fits(&self, head: &Head, each: &Added) -> Option<()> {
        let from = is_natural(&head.first);
        let by = match each.inside.kind {
            ExprKind::Integer(by, _) => Some(by),
            _ => None,
        };
        let fits = !self.is_int()
            || from && head.step.abs() == 1 && by.is_some_and(|by| by.abs() == 1)
            || is_natural(self.base) && (from || by.is_some_and(|by| by > 0));
        fits.then_some(())
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

    /// The steps from a value to another one that is behind it; `up`: begun ones count.
    fn distance(&self, from: &Expr, to: Expr, step: i64, up: bool) -> Expr {
        let (low, high) = match step > 0 {
            true => (from.clone(), to),
            false => (to, from.clone()),
        };
        // Below zero a difference may be larger than the numbers.
        let (low, high) = match is_natural(&low) {
            true => (low, high),
            false => (self.long(low), self.long(high)),
        };
        let distance = self.arith.difference(high, low);
        if step.abs() == 1 {
            return self.arith.cast(self.unit, distance);
        }
        let one = self.arith.number(1);
        let size = self.arith.number(step.abs());
        let distance = match up {
            true => self.arith.difference(distance, one.clone()),
            false => distance,
        };
        let steps = Expr {
            span: self.arith.span,
            kind: ExprKind::Binary(
                BinaryOp::Div,
                Box::new(self.arith.cast(self.unit, distance)),
                Box::new(size),
            ),
        };
        match up {
            true => self.arith.sum(steps, one),
            false => steps,
        }
    }

    /// A value of at most 64 bits as a `long`.
    fn long(&self, value: Expr) -> Expr {
        Arith::long(self.arith.span).cast(self.unit, value)
    }
}

/// Whether a value is a number that is not negative.
fn is_natural(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Integer(0.., _))
}
