//! What a loop begins with: the value that its variable was given in front of it.
//!
//! `int k = 0; while (k < n) { …; k++; }` counts from what `k` holds. Where that was assigned on the way
//! to the loop, and nothing of it has changed since, a variable of the loop's own begins with the value
//! itself, which need not be data: `for (int l = 0; l < n; l++) { … }`, and `if (k < n) k = n;` where
//! somebody reads what is left.

use super::heads;
use super::inductions;
use crate::frontend::c::lower::loops::dynamic::{bound_of, ends};
use crate::frontend::c::lower::loops::turns;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::normalise::arith::{Arith, changed_in};
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::front;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::BinaryOp;
use crate::source::Span;
use std::collections::HashMap;

/// Values that variables hold.
pub(in crate::frontend::c::normalise) type Known = HashMap<SymbolId, Expr>;

/// What becomes of a loop, from the values that variables hold in front of it; `None`: it stays.
pub(in crate::frontend::c::normalise) type Rewrite =
    fn(&mut Unit, usize, &Stmt, &Known) -> Option<Vec<Stmt>>;

/// Puts the values of variables in the places where loops begin with these.
pub(in crate::frontend::c::normalise) fn know(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    with_values(unit, number, statements, begun);
}

/// Rewrites loops by what is known in front of them.
pub(in crate::frontend::c::normalise) fn with_values(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
    rewrite: Rewrite,
) {
    let mut known: Known = front::values(unit, number);
    let mut stepped = Vec::new();
    for stmt in statements.iter() {
        visit::statements(stmt, &mut |stmt| {
            stepped.extend(inductions::step(stmt).map(|step| step.symbol));
            stepped.extend(Head::of(stmt).map(|head| head.symbol));
        });
    }
    for symbol in stepped {
        if let Some(value) = tree::value_in_front(unit, number, symbol) {
            known.insert(symbol, value);
        }
    }
    let mut walk = Walk {
        unit,
        number,
        rewrite,
    };
    walk.list(statements, &mut known);
}

/// A loop that counts by one from what a variable holds.
struct Head<'s> {
    symbol: SymbolId,
    condition: &'s Expr,
    up: bool,
    /// Without the step.
    body: Stmt,
}

impl Head<'_> {
    fn of(stmt: &Stmt) -> Option<Head<'_>> {
        let (condition, step, body) = match &stmt.kind {
            StmtKind::While { condition, body } if turns::counts(condition, body) => {
                let StmtKind::Block(list) = &body.kind else {
                    return None;
                };
                let (last, rest) = list.split_last()?;
                let span = body.span;
                let kind = StmtKind::Block(rest.to_vec());
                (condition, last.clone(), Stmt { kind, span })
            }
            StmtKind::For {
                init: None,
                condition: Some(condition),
                step: Some(step),
                body,
            } => (condition, tree::statement(step.clone()), (**body).clone()),
            _ => return None,
        };
        let step = inductions::step(&step)?;
        let up = match step.constant()? {
            1 => true,
            -1 => false,
            _ => return None,
        };
        bound_of(condition, step.symbol).filter(|bound| ends(bound.op, up))?;
        Some(Head {
            symbol: step.symbol,
            condition,
            up,
            body,
        })
    }
}

/// A loop with a variable of its own that begins with a value, and what is left in the other one.
fn begun(unit: &mut Unit, number: usize, stmt: &Stmt, known: &Known) -> Option<Vec<Stmt>> {
    let head = Head::of(stmt)?;
    let (symbol, at) = (head.symbol, stmt.span);
    let value = known.get(&symbol)?.clone();
    heads::counter(unit, number, symbol, &head.body)?;
    let function = unit.regions[number].function;
    let mut left = None;
    if !dead::is_dead(unit, function, at, symbol) {
        let bound = bound_of(head.condition, symbol)?;
        // It is the same behind the loop.
        let mut same = true;
        let changed = changed_in(unit, stmt);
        visit::walk(bound.value, &mut |e| {
            same &= match &e.kind {
                ExprKind::Name(other) => {
                    !changed.contains(other) && dead::is_own(unit, function, *other)
                }
                ExprKind::Integer(..)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cast(..) => true,
                _ => false,
            };
        });
        if !same {
            return None;
        }
        let ctype = unit.symbols[symbol].ctype.clone();
        let own = build::expression(ExprKind::Cast(ctype, Box::new(bound.value.clone())), at);
        let last = match bound.op {
            BinaryOp::Less | BinaryOp::Greater => own,
            BinaryOp::LessEqual => build::binary(BinaryOp::Add, own, build::integer(1, at)),
            _ => build::binary(BinaryOp::Sub, own, build::integer(1, at)),
        };
        let set = tree::statement(build::assign(build::name(symbol, at), last));
        left = Some(Stmt {
            kind: StmtKind::If {
                condition: head.condition.clone(),
                then: Box::new(set),
                otherwise: None,
            },
            span: at,
        });
    }
    let counter = build::declared(unit, number, symbol, Some(value), at);
    let name = build::name(counter, at);
    let (mut condition, mut body) = (head.condition.clone(), head.body);
    tree::replace_in(&mut condition, symbol, &name);
    tree::replace(&mut unit.symbols, &mut body, symbol, &name);
    let step = ExprKind::Increment {
        target: Box::new(name),
        by: if head.up { 1 } else { -1 },
        postfix: true,
    };
    // The word that messages about the head mark.
    let word = match &stmt.kind {
        StmtKind::While { .. } => "while",
        _ => "for",
    };
    let word = Span::new(at.start, at.start + word.len());
    let mut list = vec![Stmt {
        kind: StmtKind::For {
            init: Some(Box::new(build::declaration(counter, word))),
            condition: Some(condition),
            step: Some(build::expression(step, at)),
            body: Box::new(body),
        },
        span: at,
    }];
    list.extend(left);
    Some(list)
}

struct Walk<'u> {
    unit: &'u mut Unit,
    number: usize,
    rewrite: Rewrite,
}

impl Walk<'_> {
    fn list(&mut self, statements: &mut Vec<Stmt>, known: &mut Known) {
        let mut position = 0;
        while position < statements.len() {
            let stmt = &statements[position];
            if let Some(more) = (self.rewrite)(self.unit, self.number, stmt, known) {
                statements.splice(position..=position, more);
            }
            self.inside(&mut statements[position], known);
            position += 1;
        }
    }

    /// Goes through a statement, and notes what variables hold behind it.
    fn inside(&mut self, stmt: &mut Stmt, known: &mut Known) {
        let changed = changed_in(self.unit, stmt);
        match &mut stmt.kind {
            StmtKind::Block(inner) if !is_opaque(inner) => {
                self.list(inner, known);
                // What it declares ends with it.
                let declared = inner.iter().filter_map(|stmt| match stmt.kind {
                    StmtKind::Declaration(symbol) => Some(symbol),
                    _ => None,
                });
                forget(known, &declared.collect::<Vec<_>>());
                return;
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                // In any iteration.
                forget(known, &changed);
                self.branch(body, known);
            }
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.branch(then, known);
                if let Some(otherwise) = otherwise {
                    self.branch(otherwise, known);
                }
            }
            _ => {}
        }
        let stepped = stepped(self.unit, stmt, known);
        forget(known, &changed);
        if visit::is_reached(stmt) {
            known.clear();
        }
        known.extend(stepped);
        if let Some((symbol, value)) = set(self.unit, self.number, stmt) {
            known.insert(symbol, value);
        }
    }

    /// The same for a body or a branch, which makes nothing known behind it.
    fn branch(&mut self, stmt: &mut Stmt, known: &Known) {
        let mut known = known.clone();
        if let Some(more) = (self.rewrite)(self.unit, self.number, stmt, &known) {
            let span = stmt.span;
            let kind = StmtKind::Block(more);
            *stmt = Stmt { kind, span };
        }
        self.inside(stmt, &mut known);
    }
}

/// What stands under it is of no use without it.
fn is_opaque(list: &[Stmt]) -> bool {
    matches!(
        list.first().map(|stmt| &stmt.kind),
        Some(StmtKind::Unsupported(_))
    )
}

/// A variable that a statement sets to a value of integers that only their names lead to.
fn set(unit: &Unit, number: usize, stmt: &Stmt) -> Option<(SymbolId, Expr)> {
    let (symbol, value) = match &stmt.kind {
        StmtKind::Declaration(symbol) if !unit.symbols[*symbol].is_static => {
            (*symbol, unit.symbols[*symbol].initialiser.as_ref()?)
        }
        StmtKind::Expression(expr) => match &expr.kind {
            ExprKind::Assign(None, target, value) => match target.kind {
                ExprKind::Name(symbol) => (symbol, &**value),
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    let own = |symbol: SymbolId| dead::is_own(unit, unit.regions[number].function, symbol);
    let mut plain = heads::is_counter(unit, symbol) && own(symbol);
    visit::walk(value, &mut |e| {
        plain &= match e.kind {
            ExprKind::Name(other) => {
                other != symbol && facts::integer_kind(unit, other).is_some() && own(other)
            }
            ExprKind::Integer(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..) => true,
            _ => false,
        };
    });
    plain.then(|| (symbol, value.clone()))
}

/// A variable that a statement steps by a number, and what it holds then.
fn stepped(unit: &Unit, stmt: &Stmt, known: &Known) -> Option<(SymbolId, Expr)> {
    let step = inductions::step(stmt)?;
    let value = known.get(&step.symbol)?.clone();
    // In the type in which it is stepped.
    let value = match &unit.symbols[step.symbol].ctype {
        Type::Scalar(own) => Arith {
            ctype: own.clone(),
            span: stmt.span,
        }
        .cast(unit, value),
        _ => return None,
    };
    let by = step.constant().filter(|by| by.abs() < 1 << 16)?;
    let op = if by < 0 { BinaryOp::Sub } else { BinaryOp::Add };
    let by = build::integer(by.abs(), stmt.span);
    Some((step.symbol, build::binary(op, value, by)))
}

/// Forgets what is no longer so.
fn forget(known: &mut Known, changed: &[SymbolId]) {
    known.retain(|symbol, value| {
        !changed.contains(symbol) && !changed.iter().any(|other| visit::mentions(value, *other))
    });
}
