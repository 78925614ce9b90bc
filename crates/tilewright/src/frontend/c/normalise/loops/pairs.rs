//! Two variables in one head, as in `for (i = 0, j = n - 1; i < j; i++, j--)`: one counts, the others
//! are sums with it, or are stepped at the end of the body. One that follows the first, `j = i++`, is
//! what that was an iteration ago (a wrap-around variable; Wolfe, 'Beyond Induction Variables', PLDI
//! 1992).

use super::heads;
use super::inductions;
use crate::frontend::c::lower::surroundings::{changes, facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::build::{binary, expression, integer, name};
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, ScalarKind};

/// Leaves one variable in each head, where that is exact.
pub(in crate::frontend::c::normalise) fn part(
    unit: &mut Unit,
    region: usize,
    statements: &mut Vec<Stmt>,
) {
    tree::spread(statements, &mut |stmt| {
        parted(unit, region, &stmt).unwrap_or_else(|| vec![stmt])
    });
}

/// A variable that a head sets.
pub(in crate::frontend::c::normalise) struct Begin {
    pub symbol: SymbolId,
    pub value: Expr,
    pub stmt: Stmt,
    pub declared: bool,
}

/// What a head sets, in order; `None` for anything else.
pub(in crate::frontend::c::normalise) fn begins(unit: &Unit, init: &Stmt) -> Option<Vec<Begin>> {
    match &init.kind {
        StmtKind::Block(list) => {
            let parts: Option<Vec<_>> = list.iter().map(|stmt| begins(unit, stmt)).collect();
            Some(parts?.into_iter().flatten().collect())
        }
        StmtKind::Declaration(symbol) => Some(vec![Begin {
            symbol: *symbol,
            value: unit.symbols[*symbol].initialiser.clone()?,
            stmt: init.clone(),
            declared: true,
        }]),
        StmtKind::Expression(e) => parts(e)
            .into_iter()
            .map(|e| match &e.kind {
                ExprKind::Assign(None, target, value) => match target.kind {
                    ExprKind::Name(symbol) => Some(Begin {
                        symbol,
                        value: (**value).clone(),
                        stmt: tree::statement(e.clone()),
                        declared: false,
                    }),
                    _ => None,
                },
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

pub(in crate::frontend::c::normalise) fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Comma(list) => list.iter().flat_map(parts).collect(),
        _ => vec![expr],
    }
}

/// What a head steps, one after the other: `j = i++` is two steps.
fn steps_of(expr: &Expr) -> Vec<Expr> {
    let mut all = Vec::new();
    for part in parts(expr) {
        match &part.kind {
            ExprKind::Assign(None, target, value) => match &value.kind {
                ExprKind::Increment {
                    target: stepped,
                    postfix: true,
                    ..
                } => {
                    let kind = ExprKind::Assign(None, target.clone(), stepped.clone());
                    all.push(expression(kind, part.span));
                    all.push((**value).clone());
                }
                _ => all.push(part.clone()),
            },
            _ => all.push(part.clone()),
        }
    }
    all
}

/// What a step adds to a variable.
fn step(expr: &Expr) -> Option<(SymbolId, i64)> {
    let (target, by) = match &expr.kind {
        ExprKind::Increment { target, by, .. } => (target, *by),
        ExprKind::Assign(Some(op), target, value) => {
            let ExprKind::Integer(by @ 1..=0xffff, _) = value.kind else {
                return None;
            };
            match op {
                BinaryOp::Add => (target, by),
                BinaryOp::Sub => (target, -by),
                _ => return None,
            }
        }
        _ => return None,
    };
    match target.kind {
        ExprKind::Name(symbol) => Some((symbol, by)),
        _ => None,
    }
}

fn parted(unit: &mut Unit, region: usize, stmt: &Stmt) -> Option<Vec<Stmt>> {
    let StmtKind::For {
        init: Some(init),
        condition: Some(condition),
        step: Some(stepping),
        body,
    } = &stmt.kind
    else {
        return None;
    };
    let begins = begins(unit, init)?;
    // Steps by numbers; what else is done stands at the end of the body.
    let stepping = steps_of(stepping);
    let steps: Vec<(SymbolId, i64)> = stepping.iter().filter_map(step).collect();
    let others: Vec<SymbolId> = stepping
        .iter()
        .filter(|part| step(part).is_none())
        .map(
            |part| match facts::target(part).map(|target| &target.kind) {
                Some(ExprKind::Name(symbol)) => Some(*symbol),
                _ => None,
            },
        )
        .collect::<Option<_>>()?;
    let several = begins.len() > 1 || stepping.len() > 1;
    if !several || !tree::is_pure(condition) {
        return None;
    }
    let mut symbols: Vec<SymbolId> = begins.iter().map(|b| b.symbol).collect();
    symbols.extend(steps.iter().map(|(symbol, _)| *symbol));
    symbols.extend(&others);
    // Each is set once and stepped once, from values of others.
    let once = |symbol: SymbolId| {
        begins.iter().filter(|b| b.symbol == symbol).count() <= 1
            && steps.iter().filter(|(s, _)| *s == symbol).count()
                + others.iter().filter(|s| **s == symbol).count()
                <= 1
    };
    let mixed = begins
        .iter()
        .any(|b| !tree::is_pure(&b.value) || symbols.iter().any(|&s| visit::mentions(&b.value, s)));
    if mixed || !symbols.iter().all(|&symbol| once(symbol)) {
        return None;
    }
    let stepped = |symbol: SymbolId| steps.iter().find(|(s, _)| *s == symbol).map(|(_, by)| *by);
    // One that moves by a variable counts, too, but nothing else is a sum with it.
    let moves = |symbol: SymbolId| {
        stepping
            .iter()
            .filter_map(|part| inductions::step(&tree::statement(part.clone())))
            .any(|step| step.symbol == symbol)
    };
    let main = begins
        .iter()
        .find(|b| visit::mentions(condition, b.symbol) && moves(b.symbol))?;
    let by = stepped(main.symbol);
    heads::counter(unit, region, main.symbol, body)?;
    let mut front = Vec::new();
    let mut back = Vec::new();
    let mut sums = Vec::new();
    for begin in begins.iter().filter(|b| b.symbol != main.symbol) {
        let sum = match (by, stepped(begin.symbol)) {
            (Some(by), Some(step)) => sum(unit, region, stmt, (main, by), begin, step),
            (Some(by), None) => follows(&stepping, begin.symbol, main.symbol)
                .then(|| before(unit, region, stmt, (main, by), begin))
                .flatten(),
            (None, _) => None,
        };
        match sum {
            Some(sum) => sums.push((begin.symbol, sum)),
            None => front.push(begin.stmt.clone()),
        }
    }
    for part in &stepping {
        let ExprKind::Name(symbol) = facts::target(part)?.kind else {
            return None;
        };
        // One after the other: it may read what another one changes.
        if symbol == main.symbol || sums.iter().any(|(s, _)| *s == symbol) {
            continue;
        }
        let reads = |other: &SymbolId| *other != symbol && visit::mentions(part, *other);
        if others.contains(&symbol) && symbols.iter().any(reads) {
            return None;
        }
        // It would end the loop.
        if visit::mentions(condition, symbol) {
            return None;
        }
        heads::is_followed(unit, body).then_some(())?;
        back.push(tree::statement(part.clone()));
    }
    let (mut condition, mut body) = (condition.clone(), (**body).clone());
    if let Some(met) = meeting(unit, &condition, main, by, &begins, &steps) {
        condition = met;
    }
    for (symbol, value) in &sums {
        tree::replace_in(&mut condition, *symbol, value);
        tree::replace(&mut unit.symbols, &mut body, *symbol, value);
    }
    if !back.is_empty() {
        let span = body.span;
        back.insert(0, body);
        body = Stmt {
            kind: StmtKind::Block(back),
            span,
        };
    }
    let part = stepping
        .iter()
        .find(|part| {
            let own = facts::target(part).map(|target| &target.kind);
            own == Some(&ExprKind::Name(main.symbol))
        })?
        .clone();
    front.push(Stmt {
        kind: StmtKind::For {
            init: Some(Box::new(main.stmt.clone())),
            condition: Some(condition),
            step: Some(part),
            body: Box::new(body),
        },
        span: stmt.span,
    });
    // What the head declares ends with the loop.
    Some(match front.len() {
        1 => front,
        _ => vec![Stmt {
            kind: StmtKind::Block(front),
            span: stmt.span,
        }],
    })
}

/// What a variable is in each iteration, from the one that counts: `j - (i - first)`; `None` where
/// that is not certain, or where somebody reads what is left in it.
fn sum(
    unit: &Unit,
    region: usize,
    stmt: &Stmt,
    (main, by): (&Begin, i64),
    begin: &Begin,
    step: i64,
) -> Option<Expr> {
    let StmtKind::For { body, .. } = &stmt.kind else {
        return None;
    };
    if step % by != 0 || !ends(unit, region, stmt, begin) {
        return None;
    }
    let kind = heads::counter(unit, region, begin.symbol, body)?;
    let of = heads::counter(unit, region, main.symbol, body)?;
    let unsigned = matches!(of, ScalarKind::U32 | ScalarKind::U64);
    let holds = |kind: ScalarKind, value: &Expr| {
        types::scalar_kind(unit, value).is_some_and(|k| k.common(kind) == kind)
    };
    // Differences that wrap around do so in the same type only.
    if of.common(kind) != kind
        || (unsigned && of != kind)
        || !holds(kind, &begin.value)
        || !holds(of, &main.value)
        || !is_stable(unit, region, &begin.value, body)
        || !is_stable(unit, region, &main.value, body)
    {
        return None;
    }
    let span = begin.value.span;
    let ctype: Type = unit.symbols[begin.symbol].ctype.clone();
    let cast = |value: Expr| expression(ExprKind::Cast(ctype.clone(), Box::new(value)), span);
    // The wider type from the beginning: products would overflow in the narrower one.
    let counter = match of == kind {
        true => name(main.symbol, span),
        false => cast(name(main.symbol, span)),
    };
    let passed = match main.value.kind {
        ExprKind::Integer(0, _) => counter,
        _ => binary(BinaryOp::Sub, counter, main.value.clone()),
    };
    let factor = step / by;
    // What is added to a negative number may be more than an `int`.
    let natural = |value: &Expr| matches!(value.kind, ExprKind::Integer(0.., _));
    let counted = factor.abs() == 1 && natural(&main.value);
    if kind == ScalarKind::I32 && !counted && !natural(&begin.value) {
        return None;
    }
    let passed = match factor.abs() {
        1 => passed,
        factor => binary(BinaryOp::Mul, integer(factor, span), passed),
    };
    let op = if factor < 0 {
        BinaryOp::Sub
    } else {
        BinaryOp::Add
    };
    let value = binary(op, begin.value.clone(), passed);
    Some(match types::scalar_kind(unit, &value) == Some(kind) {
        true => value,
        false => cast(value),
    })
}

/// `i < j` of unsigned variables of one type that go towards each other by ones, from 0 and from `b`, with
/// the bound `b / 2 + b % 2` in the place of `j`: `b - i` may wrap around where the loop has ended.
fn meeting(
    unit: &Unit,
    condition: &Expr,
    main: &Begin,
    by: Option<i64>,
    begins: &[Begin],
    steps: &[(SymbolId, i64)],
) -> Option<Expr> {
    let ExprKind::Binary(op @ (BinaryOp::Less | BinaryOp::Greater), a, b) = &condition.kind else {
        return None;
    };
    let (low, high) = match op {
        BinaryOp::Less => (a, b),
        _ => (b, a),
    };
    let other = begins
        .iter()
        .find(|begin| high.kind == ExprKind::Name(begin.symbol))?;
    let kind = |symbol: SymbolId| match &unit.symbols[symbol].ctype {
        Type::Scalar(ctype) => Some(ctype.kind),
        _ => None,
    };
    let unsigned = matches!(kind(main.symbol)?, ScalarKind::U32 | ScalarKind::U64);
    let towards = by == Some(1) && steps.contains(&(other.symbol, -1));
    let from_zero = matches!(main.value.kind, ExprKind::Integer(0, _));
    let same = kind(other.symbol) == kind(main.symbol)
        && types::scalar_kind(unit, &other.value) == kind(main.symbol);
    let meet = low.kind == ExprKind::Name(main.symbol) && other.symbol != main.symbol;
    if !(unsigned && towards && from_zero && same && meet) {
        return None;
    }
    let part = |op| binary(op, other.value.clone(), integer(2, high.span));
    let limit = binary(BinaryOp::Add, part(BinaryOp::Div), part(BinaryOp::Rem));
    Some(binary(BinaryOp::Less, (**low).clone(), limit))
}

/// Whether nobody reads what a loop leaves in a variable that its head sets.
fn ends(unit: &Unit, region: usize, stmt: &Stmt, begin: &Begin) -> bool {
    let function = unit.regions[region].function;
    begin.declared || dead::is_dead(unit, function, stmt.span, begin.symbol)
}

/// Whether a step sets a variable to one that counts before that is stepped.
fn follows(steps: &[Expr], symbol: SymbolId, main: SymbolId) -> bool {
    let sets = |part: &Expr| match &part.kind {
        ExprKind::Assign(None, target, value) => {
            target.kind == ExprKind::Name(symbol) && value.kind == ExprKind::Name(main)
        }
        _ => false,
    };
    let counts = |part: &Expr| step(part).is_some_and(|(stepped, _)| stepped == main);
    match (steps.iter().position(sets), steps.iter().position(counts)) {
        (Some(sets), Some(counts)) => sets < counts,
        _ => false,
    }
}

/// What a variable that follows another is in each iteration: what it begins with, and then what the
/// other was; `None` where that is not certain, or where somebody reads what is left in it.
fn before(
    unit: &Unit,
    region: usize,
    stmt: &Stmt,
    (main, by): (&Begin, i64),
    begin: &Begin,
) -> Option<Expr> {
    let StmtKind::For { body, .. } = &stmt.kind else {
        return None;
    };
    let kind = heads::counter(unit, region, begin.symbol, body)?;
    let of = heads::counter(unit, region, main.symbol, body)?;
    let first = types::scalar_kind(unit, &begin.value)?;
    // Both sides of a choice are converted to what they have in common.
    let same = of == kind && first.common(kind) == kind;
    let stays = |value: &Expr| is_stable(unit, region, value, body);
    if !same || !ends(unit, region, stmt, begin) || !stays(&begin.value) || !stays(&main.value) {
        return None;
    }
    let span = begin.value.span;
    let counter = || name(main.symbol, span);
    let begins = binary(BinaryOp::Equal, counter(), main.value.clone());
    let op = if by < 0 { BinaryOp::Add } else { BinaryOp::Sub };
    let earlier = binary(op, counter(), integer(by.abs(), span));
    let (a, b, c) = (
        Box::new(begins),
        Box::new(begin.value.clone()),
        Box::new(earlier),
    );
    Some(expression(ExprKind::Conditional(a, b, c), span))
}

/// Whether an expression has the same value in all iterations: a sum of integers that the loop leaves
/// alone.
pub(super) fn is_stable(unit: &Unit, region: usize, expr: &Expr, body: &Stmt) -> bool {
    match &expr.kind {
        ExprKind::Integer(..) => true,
        ExprKind::Name(symbol) => {
            let own = dead::is_own(unit, unit.regions[region].function, *symbol);
            let scalar = matches!(unit.symbols[*symbol].ctype, Type::Scalar(_));
            own && scalar && !changes::targets(unit, body).contains(symbol)
        }
        ExprKind::Unary(_, a) => is_stable(unit, region, a, body),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div, a, b) => {
            is_stable(unit, region, a, body) && is_stable(unit, region, b, body)
        }
        _ => false,
    }
}
