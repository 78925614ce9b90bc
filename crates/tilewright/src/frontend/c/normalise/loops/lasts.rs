//! What loops that count by one leave in their variables.
//!
//! Where somebody reads `i` behind `for (i = a; i < n; i++) …`, a variable of the loop's own counts in its
//! place, and `i = a < n ? n : a;` stands behind the loop. Other loops of the same variable get variables
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

/// The head of a loop that counts by one and sets a variable from outside of it. What it begins and ends
/// with is the same behind the loop.
struct Head {
    symbol: SymbolId,
    first: Expr,
    op: BinaryOp,
    end: Expr,
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
        let kind = heads::counter(unit, number, symbol, body)?;
        if declared || step.symbol != symbol {
            return None;
        }
        let (op, end) = compared(condition, symbol)?;
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
        (towards && stays(first) && stays(end)).then(|| Head {
            symbol,
            first: first.clone(),
            op,
            end: end.clone(),
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
        let end = arith.cast(unit, self.end.clone());
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
