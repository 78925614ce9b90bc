//! Induction variables: where a loop only steps a variable by what does not change in it, the
//! variable's value is put in its place (Allen and Kennedy, 'Optimizing Compilers for Modern
//! Architectures', section 4.5).
//!
//! `for (…y…) { for (x = 0; x < w; x++) { v[k] = …; k++; } k += pad; }` becomes `v[k + y * (w + pad) +
//! x] = …`, and behind the loops `k` gets its last value. Where it is known what `k` was in front, that
//! stands in its place, too.

use super::arith::{Arith, changed_in};
use super::tree;
use crate::frontend::c::lower::surroundings::facts;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, ScalarKind};
use std::collections::{BTreeSet, HashMap};

/// The largest value that is put in a variable's place, in expressions.
const LARGEST: usize = 64;

/// Puts the values of stepped variables in their places.
pub(super) fn substitute(unit: &mut Unit, number: usize, statements: &mut Vec<Stmt>) {
    let stepped = stepped(unit, statements);
    if stepped.is_empty() {
        return;
    }
    let mut known = HashMap::new();
    for &symbol in &stepped {
        if let Some(value) = tree::value_in_front(unit, number, symbol) {
            known.insert(symbol, value);
        }
    }
    let mut inductions = Inductions {
        unit: &mut *unit,
        stepped: &stepped,
    };
    inductions.list(statements, &mut known);
    for symbol in stepped {
        if matches!(unit.symbols[symbol].scope, Scope::Region(_)) {
            forget(unit, symbol, statements);
        }
    }
}

/// Integers of the function and the region that a statement steps.
fn stepped(unit: &Unit, statements: &[Stmt]) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    let mut addressed = BTreeSet::new();
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            if let Some((symbol, _)) = step(stmt) {
                let own = &unit.symbols[symbol];
                let wide = facts::integer_kind(unit, symbol).is_some_and(|kind| kind.bytes() >= 4);
                if wide && own.scope != Scope::File && !own.is_static {
                    found.insert(symbol);
                }
            }
        });
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                if let ExprKind::AddressOf(place) = &e.kind
                    && let ExprKind::Name(symbol) = place.kind
                {
                    addressed.insert(symbol);
                }
            });
        });
    }
    &found - &addressed
}

/// The variable that a statement steps, and by what: `k++`, `k -= 2`, `k = k + n`.
pub(super) fn step(stmt: &Stmt) -> Option<(SymbolId, Expr)> {
    let StmtKind::Expression(expr) = &stmt.kind else {
        return None;
    };
    let number = |value: i64| Expr {
        kind: ExprKind::Integer(value, value.to_string()),
        span: expr.span,
    };
    let minus = |value: &Expr| match value.kind {
        ExprKind::Integer(value, _) => number(-value),
        _ => Expr {
            kind: ExprKind::Unary(crate::scop::UnaryOp::Minus, Box::new(value.clone())),
            span: value.span,
        },
    };
    let name = |e: &Expr| match e.kind {
        ExprKind::Name(symbol) => Some(symbol),
        _ => None,
    };
    let (symbol, by) = match &expr.kind {
        ExprKind::Increment { target, by, .. } => (name(target)?, number(*by)),
        ExprKind::Assign(Some(BinaryOp::Add), target, value) => (name(target)?, (**value).clone()),
        ExprKind::Assign(Some(BinaryOp::Sub), target, value) => (name(target)?, minus(value)),
        ExprKind::Assign(None, target, value) => match &value.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) if name(a) == name(target) => {
                (name(target)?, (**b).clone())
            }
            ExprKind::Binary(BinaryOp::Sub, a, b) if name(a) == name(target) => {
                (name(target)?, minus(b))
            }
            _ => return None,
        },
        _ => return None,
    };
    (!visit::mentions(&by, symbol)).then_some((symbol, by))
}

/// Takes out what sets a variable of the region that nothing reads any more.
fn forget(unit: &mut Unit, symbol: SymbolId, statements: &mut Vec<Stmt>) {
    let mut read = false;
    let sets = |expr: &Expr| match &expr.kind {
        ExprKind::Assign(_, target, value) => {
            target.kind == ExprKind::Name(symbol) && !visit::mentions(value, symbol)
        }
        ExprKind::Increment { target, .. } => target.kind == ExprKind::Name(symbol),
        _ => false,
    };
    for stmt in statements.iter() {
        visit::statements(stmt, &mut |stmt| match &stmt.kind {
            StmtKind::Expression(expr) if sets(expr) => {}
            _ => {
                for expr in visit::own_expressions(unit, stmt) {
                    read |= visit::mentions(expr, symbol);
                }
            }
        });
    }
    if read {
        return;
    }
    let gone = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Declaration(declared) => *declared == symbol,
        StmtKind::Expression(expr) => sets(expr),
        _ => false,
    };
    statements.retain(|stmt| !gone(stmt));
    for stmt in statements {
        tree::statements_mut(stmt, &mut |stmt| {
            if gone(stmt) {
                stmt.kind = StmtKind::Empty;
            }
            if let StmtKind::Block(list) = &mut stmt.kind {
                list.retain(|stmt| stmt.kind != StmtKind::Empty);
            }
        });
    }
}

struct Inductions<'u> {
    unit: &'u mut Unit,
    stepped: &'u BTreeSet<SymbolId>,
}

/// A counted loop's head.
struct Head {
    symbol: SymbolId,
    first: Expr,
    /// One behind the last candidate: in the direction of the step.
    end: Expr,
    step: i64,
}

impl Inductions<'_> {
    /// A list of statements; `known`: the values of stepped variables in front of it, and then
    /// behind it.
    fn list(&mut self, list: &mut Vec<Stmt>, known: &mut HashMap<SymbolId, Expr>) {
        let mut position = 0;
        while position < list.len() {
            let stmt = &mut list[position];
            if let Some((symbol, by)) = step(stmt).filter(|(s, _)| self.stepped.contains(s)) {
                self.put(stmt, known);
                let arith = self.arith(symbol, stmt.span);
                match known.remove(&symbol) {
                    Some(value) if arith.is_some() && tree::is_stable(&by) => {
                        let sum = arith.map(|arith| arith.sum(value, arith.cast(self.unit, by)));
                        self.set(stmt, symbol, sum, known);
                    }
                    _ => self.invalidate(&[symbol], known),
                }
                position += 1;
                continue;
            }
            match &mut stmt.kind {
                StmtKind::For { .. } => {
                    let behind = self.closed(stmt, known);
                    let count = behind.len();
                    let stmt = &mut list[position];
                    self.inside(stmt, known);
                    for (offset, stmt) in behind.into_iter().enumerate() {
                        list.insert(position + 1 + offset, stmt);
                    }
                    position += 1 + count;
                    continue;
                }
                StmtKind::Block(inner) => self.list(inner, known),
                StmtKind::If { .. } | StmtKind::While { .. } => self.inside(stmt, known),
                StmtKind::Declaration(symbol) => {
                    let symbol = *symbol;
                    self.put(stmt, known);
                    let value = self.unit.symbols[symbol].initialiser.clone();
                    self.learn(symbol, value, known);
                }
                StmtKind::Expression(_) => {
                    self.put(stmt, known);
                    let changed = changed_in(self.unit, stmt);
                    self.invalidate(&changed, known);
                    if let StmtKind::Expression(expr) = &stmt.kind
                        && let ExprKind::Assign(None, target, value) = &expr.kind
                        && let ExprKind::Name(symbol) = target.kind
                    {
                        let value = (**value).clone();
                        self.learn(symbol, Some(value), known);
                    }
                }
                _ => self.put(stmt, known),
            }
            position += 1;
        }
    }

    /// What is inside a loop or a branch.
    fn inside(&mut self, stmt: &mut Stmt, known: &mut HashMap<SymbolId, Expr>) {
        let changed = changed_in(self.unit, stmt);
        match &mut stmt.kind {
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                self.invalidate(&changed, known);
                self.body(body, &mut known.clone());
            }
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.body(then, &mut known.clone());
                if let Some(otherwise) = otherwise {
                    self.body(otherwise, &mut known.clone());
                }
                if let StmtKind::If { condition, .. } = &mut stmt.kind {
                    tree::walk_mut(condition, &mut |e| put(e, known));
                }
                self.invalidate(&changed, known);
            }
            _ => {}
        }
    }

    fn body(&mut self, body: &mut Box<Stmt>, known: &mut HashMap<SymbolId, Expr>) {
        match &mut body.kind {
            StmtKind::Block(list) => self.list(list, known),
            _ => {
                let mut list = vec![(**body).clone()];
                self.list(&mut list, known);
                **body = match <[Stmt; 1]>::try_from(list) {
                    Ok([one]) => one,
                    Err(list) => Stmt {
                        span: body.span,
                        kind: StmtKind::Block(list),
                    },
                };
            }
        }
    }

    /// Notes the value that a stepped variable gets.
    fn learn(&self, symbol: SymbolId, value: Option<Expr>, known: &mut HashMap<SymbolId, Expr>) {
        let Some(value) = value else { return };
        let kind = facts::integer_kind(self.unit, symbol);
        let same = kind.is_some() && types::scalar_kind(self.unit, &value) == kind
            || matches!(value.kind, ExprKind::Integer(0..=0x7fff_ffff, _));
        let own = visit::mentions(&value, symbol);
        if self.stepped.contains(&symbol) && same && !own && tree::is_stable(&value) {
            known.insert(symbol, value);
        }
    }

    /// A statement that sets a variable to a value, where that is known and not too large.
    fn set(
        &self,
        stmt: &mut Stmt,
        symbol: SymbolId,
        value: Option<Expr>,
        known: &mut HashMap<SymbolId, Expr>,
    ) {
        self.invalidate(&[symbol], known);
        let Some(value) = value.filter(|value| tree::size(value) <= LARGEST) else {
            return;
        };
        known.insert(symbol, value.clone());
        *stmt = assignment(symbol, None, value, stmt);
    }

    /// Nothing is known of variables any more, nor of what is made from them.
    fn invalidate(&self, changed: &[SymbolId], known: &mut HashMap<SymbolId, Expr>) {
        known.retain(|symbol, value| {
            !changed.contains(symbol) && !changed.iter().any(|&other| visit::mentions(value, other))
        });
    }

    /// Puts known values into what a statement reads.
    fn put(&mut self, stmt: &mut Stmt, known: &HashMap<SymbolId, Expr>) {
        let own = match &stmt.kind {
            StmtKind::Declaration(symbol) => self.unit.symbols[*symbol].initialiser.as_ref(),
            StmtKind::Expression(expr) => Some(expr),
            _ => None,
        };
        // What an expression changes in its middle it may read before or behind that.
        let mut changes = 0;
        if let Some(expr) = own {
            visit::walk(expr, &mut |e| {
                changes += usize::from(facts::target(e).is_some());
            });
            changes -= usize::from(facts::target(expr).is_some());
        }
        let changed = changed_in(self.unit, stmt);
        let mut known = known.clone();
        if changes > 0 {
            self.invalidate(&changed, &mut known);
        }
        if !known.is_empty() {
            tree::reads_mut(&mut self.unit.symbols, stmt, &mut |e| put(e, &known));
        }
    }

    fn arith(&self, symbol: SymbolId, span: crate::source::Span) -> Option<Arith> {
        let Type::Scalar(ctype) = &self.unit.symbols[symbol].ctype else {
            return None;
        };
        Some(Arith {
            ctype: ctype.clone(),
            span,
        })
    }

    /// Takes the steps of a loop's induction variables out of it; what sets them behind it.
    fn closed(&mut self, stmt: &mut Stmt, known: &mut HashMap<SymbolId, Expr>) -> Vec<Stmt> {
        let mut behind = Vec::new();
        let mut candidates = BTreeSet::new();
        visit::statements(stmt, &mut |inner| {
            candidates.extend(step(inner).map(|(symbol, _)| symbol));
        });
        for &symbol in candidates.intersection(self.stepped) {
            let Some(arith) = self.arith(symbol, stmt.span) else {
                continue;
            };
            let changed: Vec<SymbolId> = changed_in(self.unit, stmt);
            let name = Expr {
                kind: ExprKind::Name(symbol),
                span: stmt.span,
            };
            let base = known
                .get(&symbol)
                .filter(|value| !changed.iter().any(|&other| visit::mentions(value, other)));
            let base = base.cloned().unwrap_or(name);
            let mut closing = Closing {
                unit: &mut *self.unit,
                arith: &arith,
                symbol,
                base: &base,
                fixed: &changed,
            };
            let mut rewritten = stmt.clone();
            let mut initial = closing.unit.symbols.clone();
            let Some(total) = closing.of(&mut rewritten, &arith.number(0)) else {
                std::mem::swap(&mut self.unit.symbols, &mut initial);
                continue;
            };
            *stmt = rewritten;
            let value = arith.sum(base.clone(), total.exact);
            let is_known = base.kind != ExprKind::Name(symbol);
            let mut set = assignment(symbol, None, value.clone(), stmt);
            self.invalidate(&[symbol], known);
            if is_known {
                self.set(&mut set, symbol, Some(value), known);
            }
            behind.push(set);
        }
        behind
    }
}

/// `symbol = value;`
fn assignment(symbol: SymbolId, op: Option<BinaryOp>, value: Expr, at: &Stmt) -> Stmt {
    let target = Expr {
        kind: ExprKind::Name(symbol),
        span: at.span,
    };
    Stmt {
        span: at.span,
        kind: StmtKind::Expression(Expr {
            kind: ExprKind::Assign(op, Box::new(target), Box::new(value)),
            span: at.span,
        }),
    }
}

fn put(expr: &mut Expr, known: &HashMap<SymbolId, Expr>) {
    if let ExprKind::Name(symbol) = expr.kind
        && let Some(value) = known.get(&symbol)
    {
        expr.kind = value.kind.clone();
    }
}

/// What a loop adds to a variable: seen from inside of it, where it is executed, and from outside.
#[derive(Clone)]
struct Added {
    inside: Expr,
    exact: Expr,
}

/// One variable's steps are taken out of a loop.
struct Closing<'u> {
    unit: &'u mut Unit,
    arith: &'u Arith,
    symbol: SymbolId,
    /// The variable's value in front of the outermost loop.
    base: &'u Expr,
    /// What the outermost loop changes: nothing that is added may depend on it.
    fixed: &'u [SymbolId],
}

impl Closing<'_> {
    /// Rewrites a loop; `offset`: what has been added when it begins. What it adds in all; `None`,
    /// and the loop in pieces, where that is not one expression.
    fn of(&mut self, stmt: &mut Stmt, offset: &Expr) -> Option<Added> {
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
                if tree::size(&value) > LARGEST {
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
