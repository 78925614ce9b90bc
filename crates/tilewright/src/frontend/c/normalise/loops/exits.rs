//! Loops whose test stands elsewhere than in their head, and whose counters move elsewhere than at the
//! end: `while (1) { if (i >= n) break; …; i++; }`, `do { … } while (++i < n);`, `while (a < b) { …
//! s[a++] = …; b--; }`.
//!
//! What tests at the end runs once at least. It counts as what tests in front does where the test holds
//! in front, too: that is compared ([`StmtKind::Original`]). Of two counters that the test compares, the
//! second is what the first says.

use super::begins::{self, Known};
use super::heads;
use super::inductions;
use crate::frontend::c::lower::loops::turns;
use crate::frontend::c::lower::surroundings::{changes, facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::changed_in;
use crate::frontend::c::normalise::build::{
    self, binary, block, declared, expression, integer, name, not,
};
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::frontend::c::types as ctext;
use crate::scop::{BinaryOp, UnaryOp};
use crate::source::Span;

/// Gives loops heads that say how often they run.
pub(in crate::frontend::c::normalise) fn count(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    begins::with_values(unit, number, statements, headed);
}

/// A loop's test and the rest of its body.
struct Tested {
    condition: Expr,
    /// Behind the body.
    late: bool,
    /// The test, or a counter, is not where a head has it.
    is_moved: bool,
    list: Vec<Stmt>,
}

impl Tested {
    fn of(stmt: &Stmt) -> Option<Tested> {
        let (condition, step, body) = match &stmt.kind {
            StmtKind::While { condition, body } => (Some(condition), None, body),
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } if init.is_none() => (condition.as_ref(), step.clone(), body),
            _ => return None,
        };
        let mut list = match &body.kind {
            StmtKind::Block(list) => list.clone(),
            _ => vec![(**body).clone()],
        };
        list.extend(step.map(tree::statement));
        let endless = condition.is_none_or(|e| matches!(e.kind, ExprKind::Integer(1.., _)));
        let mut tested = match condition {
            Some(condition) if !endless => Tested {
                condition: condition.clone(),
                late: false,
                is_moved: false,
                list,
            },
            _ => {
                let (late, test) = match (leaves(list.first()?), leaves(list.last()?)) {
                    (Some(test), _) => (false, test),
                    (None, test) => (true, test?),
                };
                let condition = opposite(test);
                list.remove(if late { list.len() - 1 } else { 0 });
                Tested {
                    condition,
                    late,
                    is_moved: true,
                    list,
                }
            }
        };
        // A block of its own: what it declares, the others do not see.
        while let [one] = &tested.list[..]
            && let StmtKind::Block(inner) = &one.kind
        {
            tested.list = inner.clone();
        }
        let whole = block(tested.list.clone(), stmt.span);
        (!turns::is_left(&whole) && tree::is_pure(&tested.condition)).then_some(tested)
    }

    /// Moves the steps of a variable to the end; what is added in all. `None`: it changes otherwise, or
    /// under a condition.
    fn collect(&mut self, unit: &mut Unit, symbol: SymbolId) -> Option<i64> {
        let mut steps = Vec::new();
        for (position, stmt) in self.list.iter().enumerate() {
            if let Some(step) = inductions::step(stmt)
                && step.symbol == symbol
            {
                steps.push((position, step.constant()?));
            } else if changes::targets(unit, stmt).contains(&symbol)
                || tree::is_in_types(unit, stmt, symbol)
            {
                return None;
            }
        }
        let last = steps.last()?.0;
        self.is_moved |= steps.len() > 1 || last + 1 < self.list.len();
        let mut added = 0i64;
        let mut kept = Vec::new();
        for (position, mut stmt) in std::mem::take(&mut self.list).into_iter().enumerate() {
            if let Some((_, by)) = steps.iter().find(|(at, _)| *at == position) {
                added = added.checked_add(*by)?;
                continue;
            }
            if added != 0 {
                let value = moved(symbol, added, stmt.span);
                tree::replace(&mut unit.symbols, &mut stmt, symbol, &value);
            }
            kept.push(stmt);
        }
        self.list = kept;
        (added != 0 && added.abs() < 1 << 16).then_some(added)
    }
}

/// A variable and a number that is added to it.
fn moved(symbol: SymbolId, by: i64, span: Span) -> Expr {
    let op = if by < 0 { BinaryOp::Sub } else { BinaryOp::Add };
    binary(op, name(symbol, span), integer(by.abs(), span))
}

/// The condition of `if (condition) break;`.
pub(in crate::frontend::c::normalise) fn leaves(stmt: &Stmt) -> Option<&Expr> {
    let StmtKind::If {
        condition,
        then,
        otherwise: None,
    } = &stmt.kind
    else {
        return None;
    };
    let is = |stmt: &Stmt| stmt.kind == StmtKind::Unsupported("break");
    let breaks = match &then.kind {
        StmtKind::Block(list) => matches!(&list[..], [one] if is(one)),
        _ => is(then),
    };
    breaks.then_some(condition)
}

/// What holds where a condition does not.
fn opposite(condition: &Expr) -> Expr {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    match &condition.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => match &inner.kind {
            ExprKind::Binary(..) => (**inner).clone(),
            _ => binary(NotEqual, (**inner).clone(), integer(0, inner.span)),
        },
        ExprKind::Binary(op, a, b) => {
            let op = match op {
                Less => GreaterEqual,
                LessEqual => Greater,
                Greater => LessEqual,
                GreaterEqual => Less,
                Equal => NotEqual,
                NotEqual => Equal,
                _ => return not(condition.clone()),
            };
            binary(op, (**a).clone(), (**b).clone())
        }
        _ => not(condition.clone()),
    }
}

/// A loop with a head.
fn headed(unit: &mut Unit, number: usize, stmt: &Stmt, known: &Known) -> Option<Vec<Stmt>> {
    let mut tested = Tested::of(stmt)?;
    let function = unit.regions[number].function;
    let mut counters = Vec::new();
    visit::walk(&tested.condition, &mut |e| {
        if let ExprKind::Name(symbol) = e.kind
            && tested
                .list
                .iter()
                .any(|stmt| changed_in(unit, stmt).contains(&symbol))
            && !counters.contains(&symbol)
        {
            counters.push(symbol);
        }
    });
    let before = unit.symbols.clone();
    let rewritten = match counters[..] {
        [one] if is_counter(unit, function, one) => {
            one_counter(unit, number, stmt, known, &mut tested, one)
        }
        [a, b] if is_counter(unit, function, a) && is_counter(unit, function, b) => {
            two_counters(unit, number, stmt, known, &mut tested, [a, b])
        }
        _ => None,
    };
    if rewritten.is_none() {
        // Initial values that were rewritten meanwhile.
        unit.symbols.truncate(before.len());
        unit.symbols.clone_from_slice(&before);
    }
    rewritten
}

fn is_counter(unit: &Unit, function: usize, symbol: SymbolId) -> bool {
    heads::is_counter(unit, symbol) && dead::is_own(unit, function, symbol)
}

/// A `for` loop that steps a variable.
fn stepping(condition: Expr, symbol: SymbolId, by: i64, list: Vec<Stmt>, at: &Stmt) -> StmtKind {
    let span = at.span;
    let target = Box::new(name(symbol, span));
    let step = match by {
        1 | -1 => ExprKind::Increment {
            target,
            by,
            postfix: true,
        },
        _ => {
            let op = if by < 0 { BinaryOp::Sub } else { BinaryOp::Add };
            ExprKind::Assign(Some(op), target, Box::new(integer(by.abs(), span)))
        }
    };
    StmtKind::For {
        init: None,
        condition: Some(condition),
        step: Some(expression(step, span)),
        body: block(list, span),
    }
}

fn one_counter(
    unit: &mut Unit,
    number: usize,
    stmt: &Stmt,
    known: &Known,
    tested: &mut Tested,
    symbol: SymbolId,
) -> Option<Vec<Stmt>> {
    let span = stmt.span;
    let by = tested.collect(unit, symbol)?;
    if !tested.is_moved {
        return None;
    }
    let body = block(tested.list.clone(), span);
    heads::counter(unit, number, symbol, &body)?;
    let condition = tested.condition.clone();
    let function = unit.regions[number].function;
    let is_dead = dead::is_dead(unit, function, span, symbol);
    if !tested.late {
        let first = known.get(&symbol).filter(|_| is_dead).cloned();
        if let Some(first) = first.filter(|e| is_fixed(unit, number, e, None)) {
            let counter = declared(unit, number, symbol, Some(first), span);
            let value = name(counter, span);
            let (mut condition, mut body) = (condition, body);
            tree::replace_in(&mut condition, symbol, &value);
            tree::replace(&mut unit.symbols, &mut body, symbol, &value);
            return Some(vec![begun(counter, condition, by, *body, stmt)]);
        }
        let kind = stepping(condition, symbol, by, tested.list.clone(), stmt);
        return Some(vec![Stmt { kind, span }]);
    }
    let end = compared(&condition, symbol)?;
    // What it holds, if nothing else changes it.
    let itself = || {
        let own = name(symbol, span);
        (is_dead && is_fixed(unit, number, &own, Some(span))).then_some(own)
    };
    let first = known.get(&symbol).cloned();
    let first = first
        .filter(|e| is_fixed(unit, number, e, None))
        .or_else(itself)?;
    if !is_fixed(unit, number, end.value, None) || visit::mentions(end.value, symbol) {
        return None;
    }
    // With `!=` others would never end, and with the rest it is towards the bound.
    match end.op {
        BinaryOp::Less | BinaryOp::LessEqual if by > 0 => {}
        BinaryOp::Greater | BinaryOp::GreaterEqual if by < 0 => {}
        BinaryOp::NotEqual if by.abs() == 1 => {}
        _ => return None,
    }
    let mut left = None;
    if !is_dead {
        let one = integer(1, span);
        let last = match end.op {
            _ if by.abs() != 1 => return None,
            BinaryOp::LessEqual => binary(BinaryOp::Add, end.value.clone(), one),
            BinaryOp::GreaterEqual => binary(BinaryOp::Sub, end.value.clone(), one),
            _ => end.value.clone(),
        };
        left = Some(tree::statement(build::assign(name(symbol, span), last)));
    }
    let mut holds = condition.clone();
    let begins = tree::in_place_of(unit, symbol, &first);
    tree::replace_in(&mut holds, symbol, &begins);
    let counter = declared(unit, number, symbol, Some(first), span);
    let value = name(counter, span);
    let mut body = body;
    let mut condition = condition.clone();
    tree::replace_in(&mut condition, symbol, &value);
    tree::replace(&mut unit.symbols, &mut body, symbol, &value);
    let why = format!("`{}` in front", ctext::expression(&holds, &unit.symbols));
    let mut all = vec![Stmt {
        kind: StmtKind::If {
            condition: opposite(&holds),
            then: Box::new(Stmt {
                kind: StmtKind::Original(why),
                span,
            }),
            otherwise: None,
        },
        span,
    }];
    all.push(begun(counter, condition, by, *body, stmt));
    all.extend(left);
    Some(all)
}

/// A loop whose head declares a variable.
fn begun(counter: SymbolId, condition: Expr, by: i64, body: Stmt, at: &Stmt) -> Stmt {
    let mut kind = stepping(condition, counter, by, vec![body], at);
    if let StmtKind::For { init, .. } = &mut kind {
        *init = Some(Box::new(build::declaration(counter, at.span)));
    }
    Stmt {
        kind,
        span: at.span,
    }
}

/// Two variables that move by as much: towards each other, or away.
fn two_counters(
    unit: &mut Unit,
    number: usize,
    stmt: &Stmt,
    known: &Known,
    tested: &mut Tested,
    [a, b]: [SymbolId; 2],
) -> Option<Vec<Stmt>> {
    let span = stmt.span;
    let (by, other) = (tested.collect(unit, a)?, tested.collect(unit, b)?);
    let kinds = (facts::integer_kind(unit, a), facts::integer_kind(unit, b));
    let function = unit.regions[number].function;
    let dead = |symbol| dead::is_dead(unit, function, span, symbol);
    if by != -other || kinds.0 != kinds.1 || tested.late || !dead(a) || !dead(b) {
        return None;
    }
    let body = block(tested.list.clone(), span);
    heads::counter(unit, number, a, &body)?;
    heads::counter(unit, number, b, &body)?;
    let (first, second) = (known.get(&a)?.clone(), known.get(&b)?.clone());
    let kind = kinds.0?;
    let holds = |e: &Expr| types::scalar_kind(unit, e).is_some_and(|own| own.common(kind) == kind);
    // Distances from what is negative may be no numbers of the type.
    let natural = matches!(first.kind, ExprKind::Integer(0.., _));
    let fixed = [&first, &second]
        .iter()
        .all(|e| is_fixed(unit, number, e, None));
    if !fixed || !natural || !holds(&first) || !holds(&second) {
        return None;
    }
    let counter = declared(unit, number, a, Some(first.clone()), span);
    let value = name(counter, span);
    let passed = match first.kind {
        ExprKind::Integer(0, _) => value.clone(),
        _ => binary(BinaryOp::Sub, value.clone(), first),
    };
    let sum = binary(BinaryOp::Sub, second, passed);
    let ctype: Type = unit.symbols[b].ctype.clone();
    let sum = match types::scalar_kind(unit, &sum) == Some(kind) {
        true => sum,
        false => expression(ExprKind::Cast(ctype, Box::new(sum)), span),
    };
    let (mut condition, mut body) = (tested.condition.clone(), body);
    for (symbol, value) in [(a, &value), (b, &sum)] {
        tree::replace_in(&mut condition, symbol, value);
        tree::replace(&mut unit.symbols, &mut body, symbol, value);
    }
    Some(vec![begun(counter, condition, by, *body, stmt)])
}

/// A comparison of a variable with something.
struct Compared<'e> {
    op: BinaryOp,
    value: &'e Expr,
}

fn compared(condition: &Expr, symbol: SymbolId) -> Option<Compared<'_>> {
    use BinaryOp::{Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let ExprKind::Binary(op, a, b) = &condition.kind else {
        return None;
    };
    let is_variable = |e: &Expr| e.kind == ExprKind::Name(symbol);
    let turned = match op {
        Less => Greater,
        LessEqual => GreaterEqual,
        Greater => Less,
        GreaterEqual => LessEqual,
        NotEqual => NotEqual,
        _ => return None,
    };
    match (is_variable(a), is_variable(b)) {
        (true, false) => Some(Compared { op: *op, value: b }),
        (false, true) => Some(Compared {
            op: turned,
            value: a,
        }),
        _ => None,
    }
}

/// Whether an expression is a sum of integers that no statement of the region changes but heads of
/// loops; `but`: what is there does not count.
fn is_fixed(unit: &Unit, number: usize, expr: &Expr, but: Option<Span>) -> bool {
    let of = |e: &Expr| is_fixed(unit, number, e, but);
    match &expr.kind {
        ExprKind::Integer(..) => true,
        ExprKind::Name(symbol) => {
            let region = &unit.regions[number];
            let (function, mut changed) = (region.function, false);
            // The statements stand in the function as they were before the pass.
            visit::statements(&unit.functions[function].body, &mut |stmt| {
                let at = stmt.span.start;
                let inside = (region.span.start..region.span.end).contains(&at);
                let counts = but.is_none_or(|but| !(but.start..but.end).contains(&at));
                if inside && counts && matches!(stmt.kind, StmtKind::Expression(_)) {
                    changed |= changed_in(unit, stmt).contains(symbol);
                }
            });
            facts::integer_kind(unit, *symbol).is_some()
                && dead::is_own(unit, function, *symbol)
                && !changed
        }
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => of(a) && of(b),
        ExprKind::Binary(BinaryOp::Mul | BinaryOp::Div, a, b) => {
            of(a) && matches!(b.kind, ExprKind::Integer(1.., _))
        }
        _ => false,
    }
}
