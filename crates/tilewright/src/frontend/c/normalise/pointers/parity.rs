//! Buffers that turns choose by their parity.
//!
//! `t % 2 ? b : a` becomes `a_b[t & 1]` with `T *const a_b[2] = {a, b};` in front of the region, which
//! lowering follows as rows; and what is 0 and 1 in turns, `cur ^= 1` or `cur = 1 - cur`, is the parity of
//! a number of turns, which is counted in its place.

use super::rotations::{folded, lasts};
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::changed_in;
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{
    Carry, Expr, ExprKind, Front, Move, Scope, Stmt, StmtKind, SymbolId, Type, Unit,
};
use crate::frontend::c::types as ctext;
use crate::scop::{BinaryOp, ScalarKind, ScalarType, UnaryOp};
use crate::source::Span;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Puts elements of an array in the place of pointers that are chosen by a parity.
pub(in crate::frontend::c::normalise) fn choose(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let mut choices: Vec<Choice> = Vec::new();
    let mut changed = BTreeSet::new();
    for stmt in statements.iter() {
        changed.extend(changed_in(unit, stmt));
    }
    let natural = natural(unit, statements);
    for stmt in statements.iter() {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                if let Some(choice) = Choice::of(unit, number, (&natural, &changed), e)
                    && !choices.contains(&choice)
                {
                    choices.push(choice);
                }
            });
        });
    }
    if choices.is_empty() {
        return;
    }
    let mut arrays: BTreeMap<[SymbolId; 2], SymbolId> = BTreeMap::new();
    for choice in &choices {
        let (pair, span) = (choice.pair(), choice.whole.span);
        if let Entry::Vacant(vacant) = arrays.entry(pair) {
            let array = folded(unit, number, &pair, span);
            vacant.insert(array);
            let pointers = pair.map(|pointer| build::name(pointer, span)).to_vec();
            unit.regions[number].edges.front.push(Front {
                array,
                pointers,
                asks: false,
            });
        }
    }
    for stmt in statements {
        tree::expressions_mut(&mut unit.symbols, stmt, &mut |e| {
            if let Some(choice) = choices.iter().find(|choice| choice.whole.kind == e.kind) {
                *e = choice.element(arrays[&choice.pair()], e.span);
            }
        });
    }
}

/// `parity ? odd : even`
#[derive(PartialEq)]
struct Choice {
    whole: Expr,
    /// What is asked of: whether it is odd.
    number: Expr,
    odd: SymbolId,
    even: SymbolId,
}

impl Choice {
    fn of(
        unit: &Unit,
        number: usize,
        (natural, changed): (&BTreeSet<SymbolId>, &BTreeSet<SymbolId>),
        expr: &Expr,
    ) -> Option<Choice> {
        let function = unit.regions[number].function;
        let ExprKind::Conditional(condition, a, b) = &expr.kind else {
            return None;
        };
        let (ExprKind::Name(a), ExprKind::Name(b)) = (&a.kind, &b.kind) else {
            return None;
        };
        let text =
            |symbol: SymbolId| ctext::declaration(&unit.symbols[symbol].ctype, "", &unit.symbols);
        let stays = |symbol: SymbolId| {
            let own = &unit.symbols[symbol];
            let row = types::pointee(&own.ctype)
                .is_some_and(|target| !matches!(target, Type::Pointer { .. }));
            matches!(own.ctype, Type::Pointer { .. })
                && row
                && matches!(own.scope, Scope::Function(_) | Scope::Parameter(_))
                && dead::is_own(unit, function, symbol)
                && !changed.contains(&symbol)
                && lasts(unit, number, &own.ctype)
        };
        if a == b || !stays(*a) || !stays(*b) || text(*a) != text(*b) {
            return None;
        }
        let (asked_of, is_odd) = asked(unit, natural, condition)?;
        let (odd, even) = if is_odd { (*a, *b) } else { (*b, *a) };
        Some(Choice {
            whole: expr.clone(),
            number: asked_of,
            odd,
            even,
        })
    }

    /// Both, in one order for all choices between them.
    fn pair(&self) -> [SymbolId; 2] {
        [self.odd.min(self.even), self.odd.max(self.even)]
    }

    /// The element of their array.
    fn element(&self, array: SymbolId, span: Span) -> Expr {
        let one = || build::integer(1, span);
        let odd = build::binary(BinaryOp::BitAnd, self.number.clone(), one());
        let index = match self.even < self.odd {
            true => odd,
            false => build::binary(BinaryOp::Sub, one(), odd),
        };
        let kind = ExprKind::Subscript(Box::new(build::name(array, span)), Box::new(index));
        build::expression(kind, span)
    }
}

/// The number whose parity a condition asks for, and whether it holds where that is odd.
fn asked(unit: &Unit, natural: &BTreeSet<SymbolId>, condition: &Expr) -> Option<(Expr, bool)> {
    let two = |e: &Expr, value: i64| matches!(e.kind, ExprKind::Integer(v, _) if v == value);
    match &condition.kind {
        ExprKind::Binary(BinaryOp::Rem, e, by) if two(by, 2) => Some((number(unit, e)?, true)),
        ExprKind::Binary(BinaryOp::BitAnd, e, by) if two(by, 1) => Some((number(unit, e)?, true)),
        ExprKind::Unary(UnaryOp::Not, e) => {
            let (number, is_odd) = asked(unit, natural, e)?;
            Some((number, !is_odd))
        }
        ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), e, value) => {
            let (number, is_odd) = match &e.kind {
                ExprKind::Binary(..) => asked(unit, natural, e)?,
                _ => return None,
            };
            // The remainder of an odd number that is negative is another one.
            let exact = matches!(e.kind, ExprKind::Binary(BinaryOp::BitAnd, ..))
                || is_natural(&number, natural);
            let equal = *op == BinaryOp::Equal;
            match value.kind {
                ExprKind::Integer(0, _) => Some((number, is_odd != equal)),
                ExprKind::Integer(1, _) if exact => Some((number, is_odd == equal)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// An integer that changes nothing.
fn number(unit: &Unit, expr: &Expr) -> Option<Expr> {
    let integer = types::scalar_kind(unit, expr).is_some_and(|kind| !kind.is_float());
    (integer && tree::is_stable(expr)).then(|| expr.clone())
}

/// Whether a number is a sum of variables that are never negative, and such numbers.
fn is_natural(expr: &Expr, natural: &BTreeSet<SymbolId>) -> bool {
    match &expr.kind {
        ExprKind::Integer(0.., _) => true,
        ExprKind::Name(symbol) => natural.contains(symbol),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Mul | BinaryOp::Div, a, b) => {
            is_natural(a, natural) && is_natural(b, natural)
        }
        _ => false,
    }
}

/// Variables of loops that count up from what is not negative, and that nothing else changes.
fn natural(unit: &Unit, statements: &[Stmt]) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            let StmtKind::For {
                init: Some(init),
                step: Some(step),
                body,
                ..
            } = &stmt.kind
            else {
                return;
            };
            // Of the loop alone.
            let StmtKind::Declaration(symbol) = init.kind else {
                return;
            };
            let first = unit.symbols[symbol].initialiser.as_ref();
            let begins = first.is_some_and(|e| matches!(e.kind, ExprKind::Integer(0.., _)));
            let up = matches!(step.kind, ExprKind::Increment { by: 1, .. })
                && facts::target(step).is_some_and(|t| t.kind == ExprKind::Name(symbol));
            if begins && up && !changed_in(unit, body).contains(&symbol) {
                found.insert(symbol);
            }
        });
    }
    found
}

/// Counts turns in the place of variables that are 0 and 1 in turns.
pub(in crate::frontend::c::normalise) fn toggle(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let mut symbols = BTreeSet::new();
    for stmt in statements.iter() {
        visit::statements(stmt, &mut |stmt| {
            if let StmtKind::For { body, .. } | StmtKind::While { body, .. } = &stmt.kind
                && let StmtKind::Block(list) = &body.kind
            {
                symbols.extend(list.iter().filter_map(toggled));
            }
        });
    }
    for symbol in symbols {
        if let Some(first) = first(unit, number, statements, symbol) {
            count(unit, number, statements, (symbol, first));
        }
    }
}

/// The variable of `x ^= 1`, `x = 1 - x`, `x = !x` and `x = x ^ 1`.
fn toggled(stmt: &Stmt) -> Option<SymbolId> {
    let StmtKind::Expression(expr) = &stmt.kind else {
        return None;
    };
    let ExprKind::Assign(op, target, value) = &expr.kind else {
        return None;
    };
    let ExprKind::Name(symbol) = target.kind else {
        return None;
    };
    let own = |e: &Expr| e.kind == ExprKind::Name(symbol);
    let one = |e: &Expr| matches!(e.kind, ExprKind::Integer(1, _));
    let toggles = match (op, &value.kind) {
        (Some(BinaryOp::BitXor), _) => one(value),
        (None, ExprKind::Binary(BinaryOp::Sub, a, b)) => one(a) && own(b),
        (None, ExprKind::Binary(BinaryOp::BitXor, a, b)) => own(a) && one(b),
        (None, ExprKind::Unary(UnaryOp::Not, a)) => own(a),
        _ => false,
    };
    toggles.then_some(symbol)
}

/// What a variable is in front of a region that does nothing with it but toggle it.
enum First {
    /// A number, and the variable is declared in the region.
    Inside(i64),
    /// A number.
    Known(i64),
    /// What it holds then: a truth value has no others.
    Itself,
}

fn first(unit: &Unit, number: usize, statements: &[Stmt], symbol: SymbolId) -> Option<First> {
    let function = unit.regions[number].function;
    let own = &unit.symbols[symbol];
    if facts::integer_kind(unit, symbol).is_none() || !dead::is_own(unit, function, symbol) {
        return None;
    }
    let (mut toggles, mut sets) = (0, 0);
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            toggles += usize::from(toggled(stmt) == Some(symbol));
        });
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                let target = facts::target(e);
                sets += usize::from(target.is_some_and(|t| t.kind == ExprKind::Name(symbol)));
            });
        });
        if tree::is_in_types(unit, stmt, symbol) {
            return None;
        }
    }
    if toggles != sets {
        return None;
    }
    let bit = |value: &Expr| match value.kind {
        ExprKind::Integer(bit @ 0..=1, _) => Some(bit),
        _ => None,
    };
    match own.scope {
        // Once, in front of all loops.
        Scope::Region(_) => {
            let declares = |stmt: &Stmt| stmt.kind == StmtKind::Declaration(symbol);
            statements.iter().find(|stmt| declares(stmt))?;
            Some(First::Inside(bit(own.initialiser.as_ref()?)?))
        }
        Scope::Function(_) | Scope::Parameter(_) => {
            let known = tree::value_in_front(unit, number, symbol);
            let truth = facts::integer_kind(unit, symbol) == Some(ScalarKind::Bool);
            match known.and_then(|value| bit(&value)) {
                Some(bit) => Some(First::Known(bit)),
                None => truth.then_some(First::Itself),
            }
        }
        Scope::File => None,
    }
}

fn count(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
    (symbol, first): (SymbolId, First),
) {
    let span = unit.symbols[symbol].span;
    let long = Type::Scalar(ScalarType {
        kind: ScalarKind::I64,
        spelling: ScalarKind::I64.c_name().to_owned(),
    });
    let begins = match first {
        First::Inside(bit) | First::Known(bit) => bit,
        First::Itself => 0,
    };
    let zero = build::expression(ExprKind::Integer(begins, format!("{begins}L")), span);
    let stem = format!("{}_turn", unit.symbols[symbol].name);
    let turn = build::variable(unit, number, &stem, long.clone(), Some(zero), span);
    let counted = match first {
        First::Itself => {
            let (was, turn) = (build::name(symbol, span), build::name(turn, span));
            build::binary(BinaryOp::Add, was, turn)
        }
        _ => build::name(turn, span),
    };
    let bit = build::binary(BinaryOp::BitAnd, counted, build::integer(1, span));
    // C computes with it in its own type.
    let ctype = unit.symbols[symbol].ctype.clone();
    let bit = build::expression(ExprKind::Cast(ctype, Box::new(bit)), span);
    // `!x` is an `int`.
    let kind = facts::integer_kind(unit, symbol);
    let is_small = kind.is_some_and(|kind| kind.promoted() == ScalarKind::I32);
    for stmt in statements.iter_mut() {
        tree::statements_mut(stmt, &mut |stmt| {
            if toggled(stmt) == Some(symbol) {
                let step = ExprKind::Increment {
                    target: Box::new(build::name(turn, stmt.span)),
                    by: 1,
                    postfix: true,
                };
                *stmt = tree::statement(build::expression(step, stmt.span));
            }
        });
        tree::expressions_mut(&mut unit.symbols, stmt, &mut |e| {
            if e.kind == ExprKind::Name(symbol) {
                e.kind = bit.kind.clone();
            }
            // The other one.
            let other = match &e.kind {
                ExprKind::Binary(BinaryOp::BitXor, a, b)
                    if matches!(b.kind, ExprKind::Integer(1, _)) =>
                {
                    Some(a)
                }
                ExprKind::Unary(UnaryOp::Not, a) if is_small => Some(a),
                _ => None,
            };
            if let Some(other) = other.filter(|other| other.kind == bit.kind) {
                let one = build::integer(1, e.span);
                *e = build::binary(BinaryOp::Sub, one, (**other).clone());
            }
        });
    }
    let declared = build::declaration(turn, span);
    match first {
        First::Inside(_) => {
            let at = statements
                .iter()
                .position(|stmt| stmt.kind == StmtKind::Declaration(symbol));
            match at {
                Some(at) => statements[at] = declared,
                None => statements.insert(0, declared),
            }
        }
        First::Known(_) | First::Itself => {
            statements.insert(0, declared);
            if dead::is_read_behind(unit, number, symbol) {
                let left = build::variable(unit, number, "turns", long, None, span);
                // What the variable begins with is in it still.
                let turns = match begins {
                    0 => build::name(turn, span),
                    _ => {
                        let passed = build::integer(begins, span);
                        build::binary(BinaryOp::Sub, build::name(turn, span), passed)
                    }
                };
                let set = build::assign(build::name(left, span), turns);
                statements.push(tree::statement(set));
                unit.regions[number].edges.moves.push(Move {
                    pointer: symbol,
                    place: build::name(symbol, span),
                    counter: Some(left),
                    by: None,
                    carry: Carry::Toggled,
                    places: vec![span],
                });
            }
        }
    }
}
