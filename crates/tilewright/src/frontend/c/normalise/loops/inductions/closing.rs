//! The steps of one variable in a loop, in closed form.

use super::{put, step};
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::{Arith, Members, changed_in};
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
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

/// A loop around the place that is looked at.
struct Level {
    head: Head,
    /// As it was.
    original: Stmt,
    /// What one of its iterations has executed, as it was.
    before: Vec<Stmt>,
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
    /// The loops around, outermost first: the outermost is the first that is rewritten.
    levels: Vec<Level>,
}

impl<'u> Closing<'u> {
    /// For the steps of a variable in a loop.
    pub fn new(
        unit: &'u mut Unit,
        [arith, own]: [&'u Arith; 2],
        (symbol, base): (SymbolId, &'u Expr),
        fixed: &'u [SymbolId],
        members: &'u Members,
    ) -> Closing<'u> {
        Closing {
            unit,
            arith,
            own,
            symbol,
            base,
            fixed,
            members,
            levels: Vec::new(),
        }
    }

    /// Rewrites a loop. What it adds in all; `None`, and the loop in pieces, where that is not one
    /// expression.
    pub fn of(&mut self, stmt: &mut Stmt) -> Option<Expr> {
        let original = stmt.clone();
        let head = self.head(stmt)?;
        self.fits(&head, stmt)?;
        let StmtKind::For { body, .. } = &mut stmt.kind else {
            return None;
        };
        self.levels.push(Level {
            head,
            original: original.clone(),
            before: Vec::new(),
        });
        self.body(body)?;
        self.levels.pop();
        self.added(&original, &[])
    }

    /// The statements of a loop's body, or of a block in it.
    fn body(&mut self, stmt: &mut Stmt) -> Option<()> {
        if let StmtKind::Block(list) = &mut stmt.kind {
            for stmt in list.iter_mut() {
                self.body(stmt)?;
            }
            list.retain(|stmt| stmt.kind != StmtKind::Empty);
            return Some(());
        }
        let original = stmt.clone();
        let stepped = self.is_stepped(stmt);
        match &stmt.kind {
            _ if step(stmt).is_some_and(|step| step.symbol == self.symbol) => {
                stmt.kind = StmtKind::Empty;
            }
            StmtKind::For { .. } if stepped => {
                self.of(stmt)?;
            }
            _ if stepped => return None,
            _ => {
                let offset = self.offset()?;
                let value = self.value(&offset);
                if tree::size(&value) > super::LARGEST {
                    return None;
                }
                let known = HashMap::from([(self.symbol, value)]);
                tree::everything_mut(&mut self.unit.symbols, stmt, &mut |e| put(e, &known));
            }
        }
        self.levels.last_mut()?.before.push(original);
        Some(())
    }

    /// What has been added where the statement stands that is next. The loops around it are executed;
    /// others may have had no iterations.
    fn offset(&mut self) -> Option<Expr> {
        let levels = std::mem::take(&mut self.levels);
        let path: Vec<&Stmt> = levels.iter().map(|level| &level.original).collect();
        let mut sum = Some(self.arith.number(0));
        for (number, level) in levels.iter().enumerate() {
            let path = &path[number + 1..];
            let each = match &level.original.kind {
                StmtKind::For { body, .. } => self.added(body, path),
                _ => None,
            };
            let passed = self.passed(&level.head);
            sum = sum
                .zip(each)
                .map(|(sum, each)| self.arith.sum(sum, self.arith.product(passed, each)));
            for stmt in &level.before {
                let more = self.added(stmt, path);
                sum = sum.zip(more).map(|(sum, more)| self.arith.sum(sum, more));
            }
        }
        self.levels = levels;
        sum
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

    /// What a statement adds, seen from inside of these loops, which have iterations: the first of them
    /// may be in the statement.
    fn added(&mut self, stmt: &Stmt, path: &[&Stmt]) -> Option<Expr> {
        match &stmt.kind {
            StmtKind::Block(list) => {
                let mut all = self.arith.number(0);
                for stmt in list {
                    let one = self.added(stmt, path)?;
                    all = self.arith.sum(all, one);
                }
                Some(all)
            }
            StmtKind::For { body, .. } if self.is_stepped(stmt) => {
                let head = self.head(stmt)?;
                self.fits(&head, stmt)?;
                let (executed, path) = match path.split_first() {
                    Some((first, rest)) if *first == stmt => (true, rest),
                    _ => (false, &[][..]),
                };
                let each = self.added(body, path)?;
                Some(self.times_each(self.times(&head, executed), each))
            }
            _ if !self.is_stepped(stmt) => Some(self.arith.number(0)),
            _ => {
                let step = step(stmt)?;
                if step.symbol != self.symbol || !self.is_fixed(&step.by) {
                    return None;
                }
                Some(match step.constant() {
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
                })
            }
        }
    }

    /// What is added in iterations of which each adds this. What is in memory is read only where there
    /// are some, as the loops inside do.
    fn times_each(&self, times: Expr, each: Expr) -> Expr {
        match times.kind {
            ExprKind::Conditional(condition, all, none) if reads_memory(&each) => Expr {
                span: times.span,
                kind: ExprKind::Conditional(
                    condition,
                    Box::new(self.arith.product(*all, each)),
                    none,
                ),
            },
            _ => self.arith.product(times, each),
        }
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
        let kind = facts::integer_kind(self.unit, symbol)?;
        let own = matches!(kind, ScalarKind::I32 | ScalarKind::I64);
        // C converts a number with a sign to compare an unsigned variable with it, or to begin with it.
        let converted = |e: Expr| {
            let narrow = types::scalar_kind(self.unit, &e)
                .is_some_and(|own| own.promoted().bytes() <= kind.bytes());
            match &self.unit.symbols[symbol].ctype {
                Type::Scalar(ctype) if types::is_unsigned(kind) && signed(&e) && narrow => {
                    let (ctype, span) = (ctype.clone(), e.span);
                    Arith { ctype, span }.cast(self.unit, e)
                }
                _ => e,
            }
        };
        let (first, end) = (converted(first), converted(end));
        let fixed = self.is_fixed(&first) && self.is_fixed(&end);
        let wide = kind.bytes() >= 4;
        let unsigned = |e: &Expr| is_natural(e) || !signed(e);
        // From below a number it would go down to the largest one, and on.
        let reached = op != BinaryOp::NotEqual || matches!(end.kind, ExprKind::Integer(0, _));
        // An unsigned variable is compared with an unsigned bound, and goes down to a number by ones.
        let kinds = own && signed(&first) && signed(&end)
            || step == 1 && is_natural(&first) && wide && (own || unsigned(&end))
            || step == -1
                && is_natural(&end)
                && reached
                && types::is_unsigned(kind)
                && unsigned(&first);
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
    fn fits(&mut self, head: &Head, stmt: &Stmt) -> Option<()> {
        let StmtKind::For { body, .. } = &stmt.kind else {
            return None;
        };
        let each = self.added(body, &[])?;
        let from = is_natural(&head.first);
        let by = match each.kind {
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

    /// The iterations of a loop, which is `executed`, or may have none.
    fn times(&self, head: &Head, executed: bool) -> Expr {
        let all = self.distance(&head.first, head.end.clone(), head.step, true);
        let (low, high) = match head.step > 0 {
            true => (&head.first, &head.end),
            false => (&head.end, &head.first),
        };
        let some = match (&low.kind, &high.kind) {
            (ExprKind::Integer(low, _), ExprKind::Integer(high, _)) => low < high,
            _ => false,
        };
        if executed || some {
            return all;
        }
        let condition = Expr {
            span: self.arith.span,
            kind: ExprKind::Binary(
                BinaryOp::Less,
                Box::new(low.clone()),
                Box::new(high.clone()),
            ),
        };
        let none = self.arith.number(0);
        Expr {
            span: self.arith.span,
            kind: ExprKind::Conditional(Box::new(condition), Box::new(all), Box::new(none)),
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

/// Whether something is read that a pointer leads to.
fn reads_memory(expr: &Expr) -> bool {
    let mut reads = false;
    visit::walk(expr, &mut |e| {
        reads |= matches!(
            e.kind,
            ExprKind::Arrow(..) | ExprKind::Subscript(..) | ExprKind::Dereference(_)
        );
    });
    reads
}

/// Whether a value is a number that is not negative.
fn is_natural(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Integer(0.., _))
}
