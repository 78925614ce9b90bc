//! What loops that count by one leave in their variables.
//!
//! Where somebody reads `i` behind `for (i = a; i < n; i++) …`, a variable of the loop's own counts in its
//! place, and `i = a < n ? n : a;` stands behind the loop; of `i < n && i < m` the lesser of the two bounds
//! ends it. Other loops of the same variable get variables
//! of their own, too: lowering takes what is assigned for no loop's variable.

use super::heads;
use super::inductions;
use crate::frontend::c::lower::surroundings::{facts, follows, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::{Arith, Members, changed_in};
use crate::frontend::c::normalise::build::{self, assign, binary, expression, name};
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::BinaryOp;
use crate::source::Span;
use std::collections::BTreeSet;

/// So many bounds a loop may have; each is named twice for each that stands in front of it.
const MOST_BOUNDS: usize = 3;

/// Sets variables behind loops that count by them.
pub(in crate::frontend::c::normalise) fn set(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let members = Members::changed_in(unit, statements);
    let mut read = BTreeSet::new();
    for stmt in statements.iter() {
        visit::statements(stmt, &mut |stmt| {
            if let Some(head) = Head::of(unit, number, stmt, &members)
                && head.is_read(unit, number, statements)
            {
                read.insert(head.symbol);
            }
        });
    }
    if read.is_empty() {
        return;
    }
    tree::spread(
        statements,
        &mut |stmt| match Head::of(unit, number, &stmt, &members) {
            Some(head) if read.contains(&head.symbol) => head.counted(unit, number, &stmt),
            _ => vec![stmt],
        },
    );
}

/// Whether a loop among a region's statements is one of these.
pub(super) fn is_counted(unit: &Unit, number: usize, statements: &[Stmt], stmt: &Stmt) -> bool {
    let members = Members::changed_in(unit, statements);
    Head::of(unit, number, stmt, &members).is_some()
}

/// The head of a loop that counts by one and sets a variable from outside of it. What it begins and ends
/// with is the same behind the loop.
struct Head {
    symbol: SymbolId,
    first: Expr,
    op: BinaryOp,
    /// At least one; of several, which are strict bounds then, the first that is reached ends it.
    ends: Vec<Expr>,
    at: Span,
}

impl Head {
    fn of(unit: &Unit, number: usize, stmt: &Stmt, members: &Members) -> Option<Head> {
        let StmtKind::For {
            init: Some(init),
            condition: Some(condition),
            step: Some(step),
            body,
        } = &stmt.kind
        else {
            return None;
        };
        let (symbol, first, declared) = heads::begin(unit, init)?;
        let step = inductions::step(&tree::statement(step.clone()))?;
        let up = match step.constant()? {
            1 => true,
            -1 => false,
            _ => return None,
        };
        let kind = heads::counter(unit, number, symbol, body)
            .or_else(|| heads::shared_counter(unit, symbol, body))?;
        if declared || step.symbol != symbol {
            return None;
        }
        let (op, ends) = bounds(condition, symbol)?;
        let towards = match op {
            BinaryOp::Less | BinaryOp::LessEqual => up,
            BinaryOp::Greater | BinaryOp::GreaterEqual => !up,
            _ => true,
        };
        let changed = changed_in(unit, stmt);
        let stays = |e: &Expr| {
            let held = match e.kind {
                ExprKind::Integer(value, _) => (0..=0x7fff_ffff).contains(&value),
                _ => types::scalar_kind(unit, e).is_some_and(|own| types::contains(kind, own)),
            };
            held && tree::is_stable(e)
                && !members.change(e)
                && !changed.iter().any(|&other| visit::mentions(e, other))
        };
        let stay = stays(first) && ends.iter().all(|end| stays(end));
        (towards && stay).then(|| Head {
            symbol,
            first: first.clone(),
            op,
            ends: ends.into_iter().cloned().collect(),
            at: stmt.span,
        })
    }

    /// Whether somebody reads what the loop leaves: behind the region, or in it.
    fn is_read(&self, unit: &Unit, number: usize, statements: &[Stmt]) -> bool {
        let named = tree::names_of(unit, statements, self.symbol);
        let mut heads = 0;
        for stmt in statements {
            visit::statements(stmt, &mut |stmt| {
                if let StmtKind::For {
                    init: Some(init), ..
                } = &stmt.kind
                    && facts::set_first(init) == Some(self.symbol)
                {
                    heads += tree::names_of(unit, std::slice::from_ref(stmt), self.symbol);
                }
            });
        }
        if named > heads {
            return true;
        }
        let region = &unit.regions[number];
        if dead::is_dead(unit, region.function, self.at, self.symbol) {
            return false;
        }
        // Other functions may read it.
        if !dead::is_own(unit, region.function, self.symbol) {
            return true;
        }
        // Jumps around the region lead to nobody who reads it, perhaps.
        let body = &unit.functions[region.function].body;
        let point = follows::Point::Part {
            start: region.span.start,
            end: region.span.end,
        };
        follows::read_after(unit, body, point, self.symbol).is_some()
    }

    /// The loop, and what sets the variable behind it where anybody might read that.
    fn counted(&self, unit: &mut Unit, number: usize, stmt: &Stmt) -> Vec<Stmt> {
        let mut stmt = stmt.clone();
        let at = self.at;
        let word = Span::new(at.start, at.start + "for".len());
        let counter = build::declared(unit, number, self.symbol, Some(self.first.clone()), word);
        let own = name(counter, at);
        if let StmtKind::For {
            init,
            condition,
            step,
            body,
        } = &mut stmt.kind
        {
            *init = Some(Box::new(build::declaration(counter, word)));
            for e in condition.iter_mut().chain(step) {
                tree::replace_in(e, self.symbol, &own);
            }
            tree::replace(&mut unit.symbols, body, self.symbol, &own);
        }
        let function = unit.regions[number].function;
        let is_dead = dead::is_dead(unit, function, at, self.symbol);
        let last = (!is_dead).then(|| tree::statement(self.last(unit)));
        std::iter::once(stmt).chain(last).collect()
    }

    /// `i = a < n ? n : a`
    fn last(&self, unit: &Unit) -> Expr {
        let at = self.at;
        let target = name(self.symbol, at);
        let Type::Scalar(ctype) = unit.symbols[self.symbol].ctype.clone() else {
            return target;
        };
        let arith = Arith { ctype, span: at };
        let first = arith.cast(unit, self.first.clone());
        let ends = self.ends.iter().map(|end| arith.cast(unit, end.clone()));
        let nearest = |a: Expr, b: Expr| {
            let condition = binary(self.op, a.clone(), b.clone());
            let kind = ExprKind::Conditional(Box::new(condition), Box::new(a), Box::new(b));
            expression(kind, at)
        };
        let Some(end) = ends.reduce(nearest) else {
            return target;
        };
        let one = || arith.number(1);
        let reached = match self.op {
            BinaryOp::LessEqual => binary(BinaryOp::Add, end.clone(), one()),
            BinaryOp::GreaterEqual => binary(BinaryOp::Sub, end.clone(), one()),
            _ => end.clone(),
        };
        // Whoever passes by what it is not to be would never end.
        if self.op == BinaryOp::NotEqual {
            return assign(target, reached);
        }
        let value = match (constant(&first), constant(&end)) {
            (Some(a), Some(b)) => match self.op {
                BinaryOp::Less if a < b => reached,
                BinaryOp::LessEqual if a <= b => reached,
                BinaryOp::Greater if a > b => reached,
                BinaryOp::GreaterEqual if a >= b => reached,
                _ => first,
            },
            _ => expression(
                ExprKind::Conditional(
                    Box::new(binary(self.op, first.clone(), end)),
                    Box::new(reached),
                    Box::new(first),
                ),
                at,
            ),
        };
        assign(target, value)
    }
}

fn constant(expr: &Expr) -> Option<i64> {
    match expr.kind {
        ExprKind::Integer(value, _) => Some(value),
        _ => None,
    }
}

/// What bounds a variable: one comparison, or several that all have to hold, each strict and of the
/// same direction.
fn bounds(condition: &Expr, symbol: SymbolId) -> Option<(BinaryOp, Vec<&Expr>)> {
    let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind else {
        return compared(condition, symbol).map(|(op, end)| (op, vec![end]));
    };
    let (op, mut ends) = bounds(a, symbol)?;
    let (other, more) = bounds(b, symbol)?;
    ends.extend(more);
    // What is one behind a bound may be more than its type holds, where another one ends the loop.
    let strict = matches!(op, BinaryOp::Less | BinaryOp::Greater);
    // The program may never look at those behind the first.
    let plain = |end: &&Expr| matches!(end.kind, ExprKind::Name(_) | ExprKind::Integer(..));
    let strict = strict && ends[1..].iter().all(plain);
    (strict && op == other && ends.len() <= MOST_BOUNDS).then_some((op, ends))
}

/// A comparison of a variable with what does not depend on it, turned so that the variable is on the left.
fn compared(condition: &Expr, symbol: SymbolId) -> Option<(BinaryOp, &Expr)> {
    use BinaryOp::{Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let ExprKind::Binary(op, a, b) = &condition.kind else {
        return None;
    };
    let turned = match op {
        Less => Greater,
        LessEqual => GreaterEqual,
        Greater => Less,
        GreaterEqual => LessEqual,
        NotEqual => NotEqual,
        _ => return None,
    };
    let own = |e: &Expr| e.kind == ExprKind::Name(symbol);
    match (own(a), own(b)) {
        (true, _) if !visit::mentions(b, symbol) => Some((*op, b)),
        (_, true) if !visit::mentions(a, symbol) => Some((turned, a)),
        _ => None,
    }
}
