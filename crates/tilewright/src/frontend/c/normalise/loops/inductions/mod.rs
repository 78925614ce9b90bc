//! Induction variables: where a loop only steps a variable by what does not change in it, the
//! variable's value is put in its place (Allen and Kennedy, 'Optimizing Compilers for Modern
//! Architectures', section 4.5).
//!
//! `for (…y…) { for (x = 0; x < w; x++) { v[k] = …; k++; } k += pad; }` becomes `v[k + y * (w + pad) +
//! x] = …`, and behind the loops `k` gets its last value. Where it is known what `k` was in front, that
//! stands in its place, too.

mod closing;

use crate::frontend::c::lower::surroundings::facts;
use crate::frontend::c::lower::surroundings::indices::indices;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::{Arith, Members, changed_in};
use crate::frontend::c::normalise::build::{assign, integer, name};
use crate::frontend::c::normalise::dead::is_own;
use crate::frontend::c::normalise::{front, tree};
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, ScalarKind};
use closing::Closing;
use std::collections::{BTreeSet, HashMap};

/// The largest value that is put in a variable's place, in expressions.
const LARGEST: usize = 64;

/// Puts the values of stepped variables in their places.
pub(in crate::frontend::c::normalise) fn substitute(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let mut stepped = stepped(unit, unit.regions[number].function, statements);
    let values = values(unit, statements);
    stepped.retain(|symbol| !values.contains(symbol));
    if stepped.is_empty() {
        return;
    }
    let mut known = front::values(unit, number);
    known.retain(|symbol, _| stepped.contains(symbol));
    for &symbol in &stepped {
        if let Some(value) = tree::value_in_front(unit, number, symbol) {
            known.insert(symbol, value);
        }
    }
    let members = Members::changed_in(unit, statements);
    let mut inductions = Inductions {
        unit: &mut *unit,
        stepped: &stepped,
        members: &members,
    };
    inductions.list(statements, &mut known);
    for symbol in stepped {
        if matches!(unit.symbols[symbol].scope, Scope::Region(_)) {
            forget(unit, symbol, statements);
        }
    }
}

/// Integers of the function and the region that a statement steps, and no pointer reaches.
fn stepped(unit: &Unit, function: usize, statements: &[Stmt]) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            found.extend(step(stmt).map(|step| step.symbol));
        });
    }
    found.retain(|&symbol| {
        facts::integer_kind(unit, symbol).is_some_and(|kind| kind.bytes() >= 4)
            && is_own(unit, function, symbol)
    });
    found
}

/// Variables that begin anew in a loop, are stepped by what is no number, and of which neither subscripts
/// nor bounds are made: loops around that one do not wait for each other because of them, and their
/// sums cost less than products in their places.
fn values(unit: &Unit, statements: &[Stmt]) -> BTreeSet<SymbolId> {
    let (mut begun, mut outside, mut numbers) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut begins = |stmt: &Stmt, inside: bool| {
        let set = match &stmt.kind {
            StmtKind::Declaration(symbol) => Some(*symbol),
            StmtKind::Expression(expr) => match &expr.kind {
                ExprKind::Assign(None, target, _) if step(stmt).is_none() => match target.kind {
                    ExprKind::Name(symbol) => Some(symbol),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        if let Some(symbol) = set {
            match inside {
                true => begun.insert(symbol),
                false => outside.insert(symbol),
            };
        }
        if let Some(step) = step(stmt)
            && step.constant().is_some()
        {
            numbers.insert(step.symbol);
        }
    };
    for stmt in statements {
        let inside = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. });
        visit::statements(stmt, &mut |stmt| begins(stmt, inside));
    }
    let indices = indices(unit, statements);
    begun.retain(|symbol| {
        !outside.contains(symbol) && !numbers.contains(symbol) && !indices.contains(symbol)
    });
    begun
}

/// What a statement adds to a variable, or takes off it.
pub(in crate::frontend::c::normalise) struct Step {
    pub symbol: SymbolId,
    /// In a type of its own: before it is negated it has to be in the variable's.
    pub by: Expr,
    pub down: bool,
}

impl Step {
    /// What is added, where that is a number as it is written.
    pub fn constant(&self) -> Option<i64> {
        match self.by.kind {
            ExprKind::Integer(by, _) if self.down => by.checked_neg(),
            ExprKind::Integer(by, _) => Some(by),
            _ => None,
        }
    }
}

/// The step that a statement is: `k++`, `k -= 2`, `k = k + n`.
pub(in crate::frontend::c::normalise) fn step(stmt: &Stmt) -> Option<Step> {
    let StmtKind::Expression(expr) = &stmt.kind else {
        return None;
    };
    let named = |e: &Expr| match e.kind {
        ExprKind::Name(symbol) => Some(symbol),
        _ => None,
    };
    let (target, by, down) = match &expr.kind {
        ExprKind::Increment { target, by, .. } => (target, integer(by.abs(), expr.span), *by < 0),
        ExprKind::Assign(Some(BinaryOp::Add), target, value) => (target, (**value).clone(), false),
        ExprKind::Assign(Some(BinaryOp::Sub), target, value) => (target, (**value).clone(), true),
        ExprKind::Assign(None, target, value) => match &value.kind {
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b)
                if named(a).is_some() && named(a) == named(target) =>
            {
                (target, (**b).clone(), *op == BinaryOp::Sub)
            }
            ExprKind::Binary(BinaryOp::Add, a, b)
                if named(b).is_some() && named(b) == named(target) =>
            {
                (target, (**a).clone(), false)
            }
            _ => return None,
        },
        _ => return None,
    };
    let symbol = named(target)?;
    (!visit::mentions(&by, symbol)).then_some(Step { symbol, by, down })
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
    /// What the region may change beside variables.
    members: &'u Members,
}

impl Inductions<'_> {
    /// A list of statements; `known`: the values of stepped variables in front of it, and then
    /// behind it.
    fn list(&mut self, list: &mut Vec<Stmt>, known: &mut HashMap<SymbolId, Expr>) {
        let mut position = 0;
        while position < list.len() {
            let stmt = &mut list[position];
            if let Some(step) = step(stmt).filter(|step| self.stepped.contains(&step.symbol)) {
                self.put(stmt, known);
                let symbol = step.symbol;
                match (known.remove(&symbol), self.arith(symbol, stmt.span)) {
                    (Some(value), Some(arith)) if self.is_stable(&step.by) => {
                        let sum = arith.stepped(self.unit, value, &step);
                        self.set(stmt, symbol, Some(sum), known);
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

    /// Whether an expression is an integer that changes only where a variable in it does.
    fn is_stable(&self, expr: &Expr) -> bool {
        tree::is_stable(expr)
            && !self.members.change(expr)
            && types::scalar_kind(self.unit, expr).is_some_and(|kind| !kind.is_float())
    }

    /// Notes the value that a stepped variable gets.
    fn learn(&self, symbol: SymbolId, value: Option<Expr>, known: &mut HashMap<SymbolId, Expr>) {
        let Some(value) = value else { return };
        let kind = facts::integer_kind(self.unit, symbol);
        let same = kind.is_some() && types::scalar_kind(self.unit, &value) == kind
            || matches!(value.kind, ExprKind::Integer(0..=0x7fff_ffff, _));
        let own = visit::mentions(&value, symbol);
        if self.stepped.contains(&symbol) && same && !own && self.is_stable(&value) {
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
        *stmt = assignment(symbol, value, stmt);
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
        for (symbol, value) in &mut known {
            *value = tree::in_place_of(self.unit, *symbol, value);
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
            candidates.extend(step(inner).map(|step| step.symbol));
        });
        for &symbol in candidates.intersection(self.stepped) {
            let Some(arith) = self.arith(symbol, stmt.span) else {
                continue;
            };
            let changed: Vec<SymbolId> = changed_in(self.unit, stmt);
            let base = known
                .get(&symbol)
                .filter(|value| !changed.iter().any(|&other| visit::mentions(value, other)));
            let base = base.cloned().unwrap_or(name(symbol, stmt.span));
            let is_known = base.kind != ExprKind::Name(symbol);
            // What might leave the range of an `int` on the way is computed in a wider type. Where nobody
            // knows with what the variable begins, its steps say more of where it is.
            let wide = is_known && arith.ctype.kind == ScalarKind::I32;
            let wide = wide.then(|| Arith::long(stmt.span));
            let mut found = None;
            for arith_of in std::iter::once(&arith).chain(&wide) {
                let begin = arith_of.cast(self.unit, base.clone());
                let ways = [arith_of, &arith];
                let variable = (symbol, &begin);
                let mut closing = Closing::new(self.unit, ways, variable, &changed, self.members);
                let mut rewritten = stmt.clone();
                let initial = closing.unit.symbols.clone();
                if let Some(total) = closing.of(&mut rewritten) {
                    found = Some((rewritten, closing.value(&total)));
                    break;
                }
                self.unit.symbols = initial;
            }
            let Some((rewritten, value)) = found else {
                continue;
            };
            *stmt = rewritten;
            let mut set = assignment(symbol, value.clone(), stmt);
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
fn assignment(symbol: SymbolId, value: Expr, at: &Stmt) -> Stmt {
    Stmt {
        span: at.span,
        kind: StmtKind::Expression(assign(name(symbol, at.span), value)),
    }
}

fn put(expr: &mut Expr, known: &HashMap<SymbolId, Expr>) {
    if let ExprKind::Name(symbol) = expr.kind
        && let Some(value) = known.get(&symbol)
    {
        expr.kind = value.kind.clone();
    }
}
